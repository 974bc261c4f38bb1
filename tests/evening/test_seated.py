"""Who sits where, and what can come after a game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.evening.seated import Seated, WrongName, wrong_names
from trionfi.interpreter.chance import HIGHEST_SEED
from trionfi.interpreter.rules import Rules

Get = Callable[..., Rules]


@pytest.fixture
def table(rules: Get) -> Seated:
    """Ann and Bob in seats 1 and 3, against two."""
    return Seated.of(rules("hearts"), 4, [0, 2], 7, names={0: "Ann", 2: "Bob"}, bots={1: "first"})


def test_bots_take_what_people_leave(table: Seated) -> None:
    assert table.bots == (None, "first", None, "careful")
    assert table.names == ("Ann", "p2", "Bob", "p4")
    assert table.people == [0, 2]


def test_another_deal_is_the_next_game_of_the_seed(table: Seated) -> None:
    following = table.next_deal()
    assert (following.seed, following.number, following.again) == (7, 1, False)
    assert following.start()[0].number == 1
    last = Seated.of(table.rules, 4, [0], HIGHEST_SEED - 1, HIGHEST_SEED).next_deal()
    assert (last.seed, last.number) == (HIGHEST_SEED, 0)


def test_the_same_deal_is_the_same_game(table: Seated) -> None:
    again = table.same_deal()
    assert again.again
    assert again.start()[0].state == table.start()[0].state
    assert not again.next_deal().again


def test_people_change_seats_with_their_names(table: Seated) -> None:
    moved = table.seated_at([1, 0])
    assert moved.bots == (None, None, "careful", "careful")
    assert moved.names == ("Bob", "Ann", "p3", "p4")
    assert moved.number == 1
    assert table.moved_on().names == ("p1", "Ann", "p3", "Bob")


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["Ann", "ann"], "two are called `Ann`"),
        (["P2", "p2"], "`P2` is what another seat is called"),
        (["", "p2"], "a name has 1 to 20 letters, not ``"),
        (["x" * 21, "p2"], "a name has 1 to 20 letters"),
        (["a\x1b[2J", "p2"], "a name has 1 to 20 letters"),
        (["p1", "Zoë"], ""),
    ],
)
def test_names(names: list[str], why: str) -> None:
    assert wrong_names(names).startswith(why)
    assert bool(why) == bool(wrong_names(names))


def test_names_are_given_later(table: Seated) -> None:
    assert table.called({0: "Eve"}).names == ("Eve", "p2", "Bob", "p4")
    with pytest.raises(WrongName, match="two are called `Bob`"):
        table.called({0: "Bob"})
