"""Every decision has an option."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Text = Callable[..., str]
Said = Callable[[str], list[str]]

SECTIONS = {
    "table": "{stock: {start: deck, face: down}, hand: {per: player, seen_by: owner, capacity: 3}, pile: {face: up}}",
    "variables": "{n: 0, most: {start: goal}, on_now: false, bid: 0}",
    "options": "{goal: {default: 3}, way: {choices: [one, two, three], default: one}}",
    "define": '{"low()": n < most, "calm(player)": not on_now}',
    "result": "{score(player): n + bid + (1 if on_now else 0) + (1 if way is one else 0) + (1 if low() and calm(p1) else 0)}",
}
REST = "\n  n = 1\n  most = 2\n  on_now = true\n  bid = 1\n  move stock to pile\n  move p1.hand to pile"


def decisions(small_game: Text, said: Said, script: str) -> list[str]:
    play = "|" + "".join(f"\n  {line}" for line in script.splitlines()) + REST
    return said(small_game(**SECTIONS, play=play))


def menu(*conditions: str) -> str:
    lines = "".join(f'\n  "{i}"{f" if {one}" if one else ""}: n = {i}' for i, one in enumerate(conditions))
    return f"p1 chooses as turn_of:{lines}"


COVERED = [
    ["on_now", ""],
    ["on_now", "not on_now"],
    ["n < most", "n >= most"],
    ["n < most", "most <= n"],
    ["n < most", "n is most", "n > most"],
    # who asks for both holds more to be impossible
    ["n < most", "n is most"],
    ["n < most and on_now", "n is most or not on_now"],
    ["low()", "n >= most"],
    ["calm(p1)", "on_now"],
    ["way is one", "way is two", "way is three"],
    ["way is one", "way is not one"],
    ["n is 1 and on_now", "n is not 1", "not on_now"],
    ["stock is empty", "stock is not empty"],
]


@pytest.mark.parametrize("conditions", COVERED)
def test_a_menu_with_a_line_in_every_case(small_game: Text, said: Said, conditions: list[str]) -> None:
    assert decisions(small_game, said, menu(*conditions)) == []


OPEN = [
    ["on_now"],
    ["on_now", "n < most"],
    ["n < most", "n > most"],
    ["n < most", "n < goal"],
    ["way is one", "way is two"],
    ["on_now and n < most", "not on_now and n < most"],
]


@pytest.mark.parametrize("conditions", OPEN)
def test_a_menu_that_may_be_empty_is_a_warning(small_game: Text, said: Said, conditions: list[str]) -> None:
    assert decisions(small_game, said, menu(*conditions)) == [
        (
            "p1 chooses as turn_of: > warning `turn_of` may offer nothing: no line is there whatever the others ask "
            '[maybe-no-option] (add a line for all other cases, such as `"pass": ...`, or one with `if not` the same)'
        )
    ]


def test_lines_for_things_are_left_to_the_random_games(small_game: Text, said: Said) -> None:
    script = (
        'p1 chooses as turn_of:\n  "play {card}" for each card in p1.hand where card.suit is cups: move card to pile'
    )
    assert decisions(small_game, said, script) == []


NOTHING = (
    "p1 chooses as turn_of: > error `turn_of` offers nothing: none of its lines can ever stand there "
    "[no-option] (let one of its lines have no condition)"
)


@pytest.mark.parametrize(
    "conditions", [["false"], ["on_now and not on_now"], ["n < most and n > most", "n < 1 and n is 1"]]
)
def test_a_menu_that_is_always_empty(small_game: Text, said: Said, conditions: list[str]) -> None:
    assert decisions(small_game, said, menu(*conditions)) == [NOTHING]


def test_numbers_and_picks_without_an_option(small_game: Text, said: Said) -> None:
    assert decisions(small_game, said, "p1 chooses number from 4 to goal as bid") == [
        "4 > error `bid` offers nothing: it goes from 4 to 3 [no-option] (write `from 3 to 4`)"
    ]
    assert decisions(small_game, said, "p1 chooses number from 1 to goal as bid") == []
    assert decisions(small_game, said, "p1 chooses 4 cards from p1.hand as lead\nmove lead to pile") == [
        (
            "4 > error `lead` wants 4 cards, and there is room for 3 at most [too-many-chosen] "
            "(choose fewer, or give the zone more capacity)"
        )
    ]
    assert decisions(small_game, said, "p1 chooses 3 cards from p1.hand as lead\nmove lead to pile") == []
