"""What refills a zone does not deal from it: it would run again, and again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TABLE = "{stock: {start: deck, when short: 'SHORT'}, spare: {face: down, when short: refill()}, pile: {face: up}}"
PROCEDURES = """
  refill(): deal 1 from stock to spare
  through(): refill()
  from_one(zone place): deal up to 1 from place to pile
  fine(): move pile to stock face down"""


@pytest.mark.parametrize(
    ("short", "source"),
    [
        ("deal 2 from stock to pile", "stock"),
        ("deal up to 2 from stock to pile", "stock"),
        ("through()", "stock"),
        ("deal 1 from spare to pile", "stock"),
        ("from_one(spare)", "place"),
    ],
)
def test_a_zone_that_is_refilled_from_itself(
    small_game: Callable[..., str], said: Callable[[str], list[str]], short: str, source: str
) -> None:
    text = small_game(table=TABLE.replace("SHORT", short), procedures=PROCEDURES, play="deal 3 from stock to pile")
    found = [message for message in said(text) if "[recursion]" in message]
    assert any(f"`when short` of `stock` deals from `{source}`, and so would run again" in one for one in found)


def test_a_zone_that_is_refilled(small_game: Callable[..., str], said: Callable[[str], list[str]]) -> None:
    text = small_game(table=TABLE.replace("SHORT", "fine()"), procedures=PROCEDURES, play="deal 3 from stock to pile")
    assert not [message for message in said(text) if "[recursion]" in message]
