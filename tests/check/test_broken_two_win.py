"""Broken copies of Two-Win: each mistake is told where it stands, with what to do about it; several at once, too."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.library import library_files

from ..by_day import LARGE

TEXT = library_files()["two-win"].read_text(encoding="utf-8")


class Break(NamedTuple):
    """`old` becomes `new`; `at` is what the message points at, from `new` on."""

    old: str
    new: str
    at: str
    code: str
    message: str
    hint: str


BREAKS = {
    "a wrong key": Break(
        "face: down, capacity: 4}",
        "face: down, capasity: 4}",
        "capasity",
        "unknown-key",
        "a zone has no key `capasity`, in `hand`",
        "did you mean `capacity`?",
    ),
    "a wrong type": Break(
        "if carried is 0: opener = post_blinds()",
        "if carried is 0: opener = carried",
        "carried\n",
        "wrong-type",
        "a player was wanted here, this is a number",
        "",
    ),
    "an unknown zone": Break(
        "deal 5 from stock to internal",
        "deal 5 from stok to internal",
        "stok",
        "unknown-name",
        "there is no name `stok`",
        "did you mean `stock`?",
    ),
    "a misspelt procedure in the middle of a block": Break(
        "    betting_round(opener)\n",
        "    beting_round(opener)\n",
        "beting_round",
        "unknown-name",
        "there is no define or procedure `beting_round`",
        "did you mean `betting_round`?",
    ),
    "a misspelt define in the middle of an expression": Break(
        "best > house()\n",
        "best > hous()\n",
        "hous",
        "unknown-name",
        "there is no define or procedure `hous`",
        "did you mean `house`?",
    ),
    "a duplicate key": Break(
        "  last_winner: {kind: player}\n",
        "  last_winner: {kind: player}\n  external_pot: {counts: chips}\n",
        "external_pot: {counts: chips}",
        "duplicate-key",
        "`external_pot` stands in line {line} already",
        "put both together, or give one another name",
    ),
    "no for false": Break(
        "    main_part = false\n",
        "    main_part = no\n",
        "no\n",
        "word-out-of-place",
        "the truths are `true` and `false`, not `no`",
        "write `false`",
    ),
    "a deal of more cards than there are": Break(
        "deal 4 from stock to each live hand",
        "deal 40 from stock to each live hand",
        "deal 40",
        "not-enough-cards",
        "with 2 players this deal wants 80 cards, and 78 are left",
        "let fewer play, deal fewer, or write `deal up to`",
    ),
    "too many seats for the deck": Break(
        "players: 2..17",
        "players: 2..18",
        "deal 3 from stock to external",
        "not-enough-cards",
        "with 18 players this deal wants 3 cards, and 1 is left",
        "let fewer play, deal fewer, or write `deal up to`",
    ),
    "an endless loop": Break(
        "      for each player where player.staked is 0: player.entitled = false\n",
        "",
        "no player where player.entitled:",
        "endless-loop",
        "this loop never ends: nothing in it changes what its condition asks",
        "change `entitled` in it, or leave it with `stop`",
    ),
    "a decision without an option": Break(
        "      2 cards from player.hand as player.poker_cards\n",
        "      5 cards from player.hand as player.poker_cards\n",
        "5 cards",
        "too-many-chosen",
        "`poker_cards` wants 5 cards, and there is room for 4 at most",
        "choose fewer, or give the zone more capacity",
    ),
    "a bad indentation": Break(
        "    let best = against_house(the player in outer_best)\n",
        "   let best = against_house(the player in outer_best)\n",
        "let best",
        "bad-indentation",
        "this line is indented by 3, which fits no entry above it",
        "indent it by 0 or 2 or 4 blanks, like its neighbours",
    ),
}


def broken(one: Break) -> tuple[str, int]:
    """The text with a break in it, and where that is."""
    assert TEXT.count(one.old) >= 1, one.old
    where = TEXT.index(one.old)
    text = TEXT[:where] + one.new + TEXT[where + len(one.old) :]
    if one.at in text[where:]:
        return text, text.index(one.at, where)
    return text, text.rindex(one.at, 0, where)


def line_column(text: str, place: int) -> tuple[int, int]:
    before = text[:place]
    return before.count("\n") + 1, place - before.rfind("\n")


def told(text: str) -> list[dict[str, object]]:
    rules, diagnostics = read_ruleset("two-win.yaml", text)
    found = [one.to_dict() for one in diagnostics]
    assert (rules is None) == any(one["severity"] == "error" for one in found)
    return found


def expected(one: Break, text: str, place: int) -> dict[str, object]:
    line, column = line_column(text, place)
    first = line_column(text, text.index(one.at))[0]
    return {
        "file": "two-win.yaml",
        "line": line,
        "column": column,
        "severity": "error",
        "code": one.code,
        "message": one.message.replace("{line}", str(first)),
        "hint": one.hint,
    }


def test_the_whole_one_is_clean() -> None:
    assert told(TEXT) == []


@pytest.mark.parametrize("one", BREAKS.values(), ids=BREAKS.keys())
def test_a_broken_copy(one: Break) -> None:
    text, place = broken(one)
    assert told(text) == [expected(one, text, place)]


def test_several_breaks_are_all_told_in_the_order_of_the_text() -> None:
    """Those of names and structure in one run; what is said of the whole game waits until it can be read."""
    titles = ["a wrong key", "an unknown zone", "a misspelt procedure in the middle of a block", "no for false"]
    text = TEXT
    for title in titles:
        one = BREAKS[title]
        text = text.replace(one.old, one.new, 1)
    found = told(text)
    wanted = [expected(one, text, text.index(one.at, text.index(one.new))) for one in (BREAKS[t] for t in titles)]
    assert found == sorted(wanted, key=lambda one: (one["line"], one["column"]))


def test_several_faults_of_the_play_are_all_told() -> None:
    titles = ["a deal of more cards than there are", "an endless loop", "a decision without an option"]
    text = TEXT
    for title in titles:
        text = text.replace(BREAKS[title].old, BREAKS[title].new, 1)
    assert {one["code"] for one in told(text)} == {BREAKS[title].code for title in titles}


def test_nothing_makes_the_reader_fall_over() -> None:
    """Any line left out, any line cut in half: messages, never a traceback."""
    lines = TEXT.splitlines(keepends=True)[:240]
    for number in range(0, len(lines), 20 if LARGE else 40):
        line = lines[number]
        half = line[: len(line) // 2] + "\n"
        for text in (
            "".join([*lines[:number], *lines[number + 1 :]]),
            "".join([*lines[:number], half, *lines[number + 1 :]]),
        ):
            read_ruleset("two-win.yaml", text)
