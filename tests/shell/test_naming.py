"""Names of players where lines say `p1`."""

from __future__ import annotations

import io

import pytest

from trionfi.shell.naming import with_names


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("p1 leads, p2 follows.", "Ann leads, Bob follows."),
        ("p1's trick (p2)", "Ann's trick (Bob)"),
        ("it was p2.", "it was Bob."),
        ("\x1b[1mp2\x1b[0m (you)", "\x1b[1mBob\x1b[0m (you)"),
        ("p1.hand, comp2, p3, p12, p10", "p1.hand, comp2, p3, p12, p10"),
    ],
)
def test_seats_that_stand_alone_are_named(line: str, shown: str) -> None:
    out = io.StringIO()
    print(line, file=with_names(out, ["Ann", "Bob"]))
    assert out.getvalue() == f"{shown}\n"


def test_without_names_the_stream_is_itself() -> None:
    out = io.StringIO()
    assert with_names(out, ["p1", "p2"]) is out
