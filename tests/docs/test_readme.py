"""What README shows is what one gets: its commands run, its rulesets play, and its picture is the table as it is drawn."""

from __future__ import annotations

import re

import pytest
from doc_examples import ROOT
from doc_sessions import CALL, WRITES, Session, play_session, write_page

from trionfi.cli import run

PAGE = ROOT / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
FEW = "3"


def run_few(arguments: list[str]) -> int:
    """Runs a call with fewer games, and without compiling them."""
    engine = ["--engine", "reference"] if arguments[0] in ("play", "simulate", "compare", "test") else []
    before = ["", *arguments]
    few = [FEW if before[i] == "-n" else one for i, one in enumerate(arguments)]
    return run(few + engine)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("readme")
        patch.chdir(folder)
        patch.setenv("COLUMNS", "80")
        patch.setenv("NO_COLOR", "1")
        played = play_session(PAGE, folder, run_few)
    if WRITES:
        write_page(PAGE, played.shown)
    return played


def test_each_command_does_what_it_says(session: Session) -> None:
    assert len(session.codes) > 8
    assert [call for call, code in session.codes if code] == []


def test_the_trick_is_that_of_hearts() -> None:
    trick = re.search(r"```yaml\n(play_trick.*?)```", TEXT, re.DOTALL)
    assert trick is not None
    library = (ROOT / "rulesets" / "libraries" / "tricks.yaml").read_text(encoding="utf-8")
    assert all(f"  {line}\n" in library for line in trick[1].splitlines())
    assert "use:\n  tricks: {}\n" in (ROOT / "rulesets" / "hearts.yaml").read_text(encoding="utf-8")


def test_the_lines_of_python_run(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert code is not None
    exec(compile(code[1].replace("10_000", "50"), "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith("[{")
    assert printed[1].startswith("0 ['pass', 'bet']")


@pytest.mark.skipif(WRITES, reason="the page is being written")
def test_the_picture_is_what_is_printed(session: Session) -> None:
    assert session.shown
    for one in session.shown:
        assert one.printed == one.shown, f"{one.call}: to renew what is shown, see doc_sessions.py"


def test_each_line_of_a_command_calls_dev() -> None:
    lines = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]
    calls = [line for line in lines if line.startswith(CALL)]
    others = {line.partition("#")[0].strip() for line in lines if line.strip()} - {
        line.partition("#")[0].strip() for line in calls
    }
    assert others == {"./dev test"}
    assert "./dev trionfi simulate two-win -n 10000" in {line.partition("#")[0].strip() for line in calls}
