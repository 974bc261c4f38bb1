"""Deals that cannot be made, by a dry run for each number of players."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Text = Callable[..., str]
Said = Callable[[str], list[str]]

TABLE = """
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, capacity: 4}
  pile: {face: up, capacity: 6}
  row_of: {row: 3}
  tableau: {piles: 3, capacity: 3}"""
SECTIONS = {
    # twelve cards
    "deck": "{ranks: [ace, 2, 3, 4, 5, 6], suits: [cups, swords]}",
    "table": TABLE,
    "variables": "{n: 0, out: {per: player, start: false}, dealer: {kind: player}}",
    "options": "{size: {default: 2, range: 1..4}}",
    "define": '{"live(player)": not player.out}',
    "procedures": "\n  deal_some(zone, number amount): deal amount from stock to zone\n  fresh(): |\n    for each player: player.out = false",
    "result": "{score(player): n + player.hand.count + size + (1 if live(player) else 0)}",
    "players": "2..4",
}
REST = "\n  dealer = p1\n  n = 1\n  fresh()\n  if n > 9: deal_some(tableau[1], 1)\n  if n > 9: deal 1 from stock to row_of\n  move pile to stock"


def deals(small_game: Text, said: Said, script: str, **sections: str) -> list[str]:
    play = "|" + "".join(f"\n  {line}" for line in script.splitlines()) + REST
    return said(small_game(**{**SECTIONS, **sections}, play=play))


FITS = [
    "deal 3 from stock to each hand",
    "deal 6 from stock to pile\ndeal 3 from stock to tableau[1]\ndeal 3 from stock to tableau[2]",
    "deal up to 20 from stock to stock",
    "deal 6 from stock to pile\nmove all cards to stock\ndeal 6 from stock to pile",
    "deal 6 from stock to pile\nmove pile to stock\ndeal 6 from stock to pile\ndeal 3 from stock to row_of",
    "repeat 3 times:\n  deal 4 from stock to pile\n  move pile to stock",
    "for i from 1 to 3: deal i from stock to tableau[i]",
    "deal (4 if players.count is 2 else 2) from stock to each hand",
    "deal 8 / players.count rounded down from stock to each hand",
    "deal size from stock to each hand",
    "repeat until n > 3:\n  deal up to 4 from stock to pile\n  add 1 to n\n  move pile to stock",
    "if n > 0: deal 20 from stock to stock",
]


@pytest.mark.parametrize("script", FITS)
def test_a_deal_that_can_be_made(small_game: Text, said: Said, script: str) -> None:
    assert deals(small_game, said, script) == []


SHORT = "[not-enough-cards] (let fewer play, deal fewer, or write `deal up to`)"
SMALL = "[zone-too-small] (deal fewer, or give the zone more room)"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("deal 4 from stock to each hand", f"deal 4 from stock to each hand > error with 4 players this deal wants 16 cards, and 12 are left {SHORT}"),
        ("fresh()\ndeal 4 from stock to each live hand starting left of dealer", f"deal 4 from stock to each live hand starting left of dealer > error with 4 players this deal wants 16 cards, and 12 are left {SHORT}"),
        ("for each player: deal 4 from stock to player.hand", f"deal 4 from stock to player.hand > error with 4 players this deal wants 4 cards, and none is left {SHORT}"),
        ("deal 5 from stock to pile\ndeal 3 from stock to each hand", f"deal 3 from stock to each hand > error with 3 players this deal wants 9 cards, and 7 are left {SHORT}"),
        ("deal 6 from stock to pile\ndeal 3 from stock to row_of\nfor each zone in tableau: deal 2 from stock to zone", f"deal 2 from stock to zone > error with 2 players this deal wants 2 cards, and 1 is left {SHORT}"),
        ("repeat 3 times: deal 3 from stock to row_of\nmove row_of to stock", f"deal 3 from stock to row_of > error this deal brings 3 cards to `row_of`, which has room for 3 in all {SMALL}"),
        ("deal 4 from stock to row_of", f"deal 4 from stock to row_of > error this deal brings 4 cards to `row_of`, which has room for 3 in all {SMALL}"),
        ("deal 2 from stock to pile\ndeal 5 from stock to pile", f"deal 5 from stock to pile > error this deal brings 5 cards to `pile`, which has room for 6 in all {SMALL}"),
        ("deal_some(pile, 7)", f"deal amount from stock to zone > error this deal brings 7 cards to `zone`, which has room for 6 in all {SMALL}"),
        ("deal 4 from stock to tableau[2]", f"deal 4 from stock to tableau[2] > error this deal brings 4 cards to `tableau[2]`, which has room for 3 in all {SMALL}"),
        ("deal 5 from stock to each hand", f"deal 5 from stock to each hand > error this deal brings 5 cards to `hand`, which has room for 4 in all {SMALL}"),
        ("deal 13 from stock to stock", f"deal 13 from stock to stock > error with 2 players this deal wants 13 cards, and 12 are left {SHORT}"),
    ],
)  # fmt: skip
def test_a_deal_that_cannot_be_made(small_game: Text, said: Said, script: str, message: str) -> None:
    assert message in deals(small_game, said, script)


def test_what_is_not_known_is_not_said(small_game: Text, said: Said) -> None:
    """Who is out is known at the start only; after a choice it is not."""
    script = (
        'p1 chooses as leaving:\n  "stay": n = 0\n  "go": p1.out = true\n'
        "deal 4 from stock to each live hand starting left of dealer"
    )
    assert deals(small_game, said, script) == []


def test_a_deck_may_hang_on_the_number_of_players(small_game: Text, said: Said) -> None:
    deck = "\n  ranks: [ace, 2, 3, 4, 5, 6]\n  suits: [cups, swords]\n  copies: size\n  keep: card.rank is not ace or players.count is 4"
    # 20 cards, with four players 24
    assert deals(small_game, said, "deal 4 from stock to each hand", deck=deck) == []
    (message,) = deals(
        small_game,
        said,
        "deal 4 from stock to each hand\ndeal 6 from stock to pile\ndeal 3 from stock to tableau[1]",
        deck=deck,
    )
    assert "with 3 players this deal wants 3 cards, and 2 are left" in message


def test_a_zone_that_fills_up_again_when_it_is_short(small_game: Text, said: Said) -> None:
    table = TABLE.replace("face: down}", "face: down, when short: move pile to stock}", 1)
    script = (
        "deal 6 from stock to pile\ndeal 3 from stock to row_of\nfor each zone in tableau: deal 2 from stock to zone"
    )
    assert deals(small_game, said, script, table=table) == []
