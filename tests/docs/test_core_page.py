"""The page of the core: what it prints is what is printed; it has every form and every operation."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from doc_examples import DOCS, codes_of
from doc_sessions import WRITES, Session, play_session, write_page

from trionfi.cli import run
from trionfi.core.ir import Program, Statement, walk
from trionfi.core.ops import Op
from trionfi.core.text import parse_function, print_function
from trionfi.core.verify import faults_of

PAGE = DOCS / "core.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder := tmp_path_factory.mktemp("core"))
        patch.setenv("NO_COLOR", "1")
        played = play_session(PAGE, folder, run)
    if WRITES:
        write_page(PAGE, played.shown)
    return played


def test_each_command_is_fine(session: Session) -> None:
    assert session.codes
    assert {code for _, code in session.codes} == {0}


@pytest.mark.skipif(WRITES, reason="the page is being written")
def test_what_is_shown_is_what_is_printed(session: Session) -> None:
    assert [one.printed for one in session.shown] == [one.shown for one in session.shown]


def test_the_example_has_every_form() -> None:
    example = re.search(r"```core\n([\s\S]*?)```", TEXT)
    assert example is not None
    function = parse_function(example[1])
    assert print_function(function) == example[1]
    assert {type(statement) for statement in walk(function.body)} == set(get_args(Statement))
    assert [fault.message for fault in faults_of(Program({function.name: function}))] == [
        "there is no function procedure.other"
    ]


def test_each_operation_stands_in_one_family() -> None:
    table = TEXT.partition("| family | operations |")[2].partition("\n\n")[0]
    assert sorted(codes_of(table)) == sorted(Op)
