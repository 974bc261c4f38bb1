"""What the tutorial says to write and to type gives what it shows."""

from __future__ import annotations

import pytest
from doc_examples import DOCS
from doc_sessions import CALL, WRITES, Session, play_session, write_page

from trionfi.cli import run

PAGE = DOCS / "tutorial.md"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("tutorial")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("COLUMNS", "80")
        patch.setenv("NO_COLOR", "1")
        played = play_session(PAGE, folder, run)
    if WRITES:
        write_page(PAGE, played.shown)
    return played


@pytest.mark.skipif(WRITES, reason="the page is being written")
def test_each_command_prints_what_is_shown(session: Session) -> None:
    for one in session.shown:
        assert one.printed == one.shown, f"{one.call}: to renew what is shown, see doc_sessions.py"


def test_the_session_goes_from_the_first_file_to_a_variant(session: Session) -> None:
    calls = [call for call, _ in session.codes]
    for command in ("validate", "play", "test", "simulate"):
        assert any(f" {command} " in call for call in calls), command
    assert "extends: magpies" in PAGE.read_text(encoding="utf-8")
    assert all(one.printed for one in session.shown)
    assert [call for call, code in session.codes if code] == [f"{CALL}validate slip.yaml"]


def test_the_tests_of_the_tutorial_pass_and_its_slip_is_found(session: Session) -> None:
    printed = {one.call.removeprefix("./dev trionfi "): one.printed for one in session.shown}
    assert "0 failed" in printed["test magpies.yaml"]
    assert "did you mean `offer`?" in printed["validate slip.yaml"]
