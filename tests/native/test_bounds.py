"""What is written stays where there is room for it: games that once wrote beyond, and what they come to now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trionfi.dsl.limits import MOST_OPTIONS
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.native import why_not
from trionfi.interpreter.native.engine import Use
from trionfi.interpreter.native.table import table_of
from trionfi.interpreter.rules import Rules, load

GAME = """\
trionfi: 1
name: Bounds
players: 2
deck: {deck}
table:
  stock: {{start: deck, face: up}}
{table}
options:
  many: {{default: 1, range: 1..9223372036854775807}}
play: |
  {play}
result: {{score(player): {score}}}
"""
STANDARD = "{from: standard, ace: high}"
THREE = "{ranks: [1, 2, 3], suits: [a]}"


def game(play: str, table: str = "", deck: str = STANDARD, score: str = "stock.count") -> Rules:
    lines = "\n".join(f"  {line}" for line in table.splitlines())
    return load("bounds", text=GAME.format(deck=deck, table=lines, play=play.replace("\n", "\n  "), score=score))


def outcome(rules: Rules, engine: str) -> Any:
    """Labels and scores, or the error, of a game in which the first option is taken."""
    seen = []
    try:
        played = rules.start(seed=1, engine=engine)
        while played.decision is not None:
            seen.append([*played.decision.labels(), *played.decision.picked])
            played.apply(0)
        played.check_conserved()
    except GameError as error:
        return error.diagnostic.code, str(error.diagnostic.span)
    return seen, played.scores


HAND = "hand: {per: player, face: up}"
ONE = "a: {capacity: 1, face: up}\nb: {face: up}\nc: {capacity: 3, face: up}"
CASES: dict[str, tuple[Any, Callable[[], Rules]]] = {
    "cards under a row": (
        [3, 3],
        lambda: game("move top 3 cards in stock to bottom of row", "row: {row: 4, face: up}", score="row.count"),
    ),
    "more cards under a row than it has places": (
        "zone-overfull",
        lambda: game("move top 3 cards in stock to bottom of row", "row: {row: 2, face: up}"),
    ),
    "cards under a full zone, of which one lies there": (
        "zone-overfull",
        lambda: game("deal 1 from stock to a\ndeal 2 from stock to c\nmove (c + a) to bottom of a", ONE),
    ),
    "a card that did not fit is moved again": (
        "zone-overfull",
        lambda: game("let z = a\nmove top 2 cards in stock to z\nmove (stock + b) to b\nmove all cards to b", ONE),
    ),
    "all cards onto a zone that is too small, and on": (
        "zone-overfull",
        lambda: game("move all cards to a\nmove (stock + a) to b\nmove top 9 cards in b to c", ONE),
    ),
    "rounds of a deal that nobody lives to see": (
        [26, 26],
        lambda: game(f"deal up to {2**63 - 1} from stock to each hand", HAND, score="player.hand.count"),
    ),
    "a deal of more rounds than 64 bits hold cards": (
        "too-few-cards",
        lambda: game("deal many from stock to each hand", HAND).with_options({"many": 2**62}),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_both_engines_come_to_the_same(name: str) -> None:
    wanted, make = CASES[name]
    found = outcome(make(), "reference")
    assert wanted == (found[0] if isinstance(wanted, str) else found[1])
    assert outcome(make(), "native") == found


@pytest.mark.parametrize(("cards", "wanted"), [(1365, None), (1366, "label-too-long")])
def test_a_label_of_many_values(cards: int, wanted: str | None) -> None:
    """Three times so many cards, and a number: 4,096 values and 4,099."""
    some = f"{{top {cards} cards in stock}}"
    play = f'p1 chooses as x:\n  "{some} {some} {some} {{1}}": say "x"\n  "b": say "y"'
    rules = game(play, "", STANDARD.replace("}", ", copies: 27}"))
    found = outcome(rules, "reference")
    assert found[0] == wanted if wanted else len(found[0][0][0]) > 4096
    assert outcome(rules, "native") == found


@pytest.mark.parametrize(("cards", "wanted"), [(9, None), (10, "menu-too-long")])
def test_a_menu_of_many_letters(cards: int, wanted: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each option has 10 letters: `x1 of cups`."""
    monkeypatch.setattr("trionfi.interpreter.decision.MOST_LETTERS_OF_MENU", 99)
    ranks = ", ".join(f"x{rank}" for rank in range(cards))
    play = 'p1 chooses as x:\n  "{card}" for each card in stock: say "x"'
    rules = game(play, "", f"{{ranks: [{ranks}], suits: [cups]}}")
    found = outcome(rules, "reference")
    assert found[0] == wanted if wanted else len(found[0][0]) == 9
    assert outcome(rules, "native") == found


def test_there_is_room_for_one_option_more_than_there_may_be() -> None:
    """What is written of a line that is not offered counts for nothing, and is written all the same."""
    line = '"{x} {y}" for each card x in stock and each card y in stock'
    deck = STANDARD.replace("}", ", copies: 5}")
    rules = game(f'p1 chooses as x:\n  {line}: say "x"\n  "b" if stock is empty: say "y"', "", deck)
    assert table_of(rules, 2).code.lower(Use.STEP).layout["offered things"].count == MOST_OPTIONS + 1


@pytest.mark.parametrize("name", ["arcana-poker", "gin-rummy", "klondike", "casino-twenty-one", "two-win", "hearts"])
def test_games_keep_within_their_record(name: str, rules: Callable[..., Rules]) -> None:
    """Behind the record lies what nobody may write."""
    turns = 0
    for seed in range(8):
        played: Any = rules(name).start(seed=seed, engine="native")
        size, guard = len(played._content), bytes(range(256)) * 16
        played._own(played._content + guard)
        while played.decision is not None and turns < 40 * (seed + 1):
            played.decision.labels()
            played.apply(turns * 7919 % played.decision.count)
            turns += 1
        assert played._content[size:] == guard
    assert turns > 10


def ranks(count: int) -> str:
    return f"{{ranks: [{', '.join(map(str, range(1, count + 1)))}], suits: [a]}}"


TOO_LARGE: dict[str, Callable[[], Rules]] = {
    "more than 22 players": lambda: load("many", text=GAME_OF_MANY.replace("2..22", "2..23")),
    "a kind of more than 127 members": lambda: game("shuffle stock", deck=ranks(128)),
    "ranks called by numbers above 32767": lambda: game("shuffle stock", deck="{ranks: [1, 32768], suits: [a]}"),
    "more than 32767 zones": lambda: game("shuffle stock", "\n".join(f"z{n}: {{piles: 1000}}" for n in range(33))),
    "a table of more than 16777216 bytes": lambda: game(
        "shuffle stock", "\n".join(f"z{n}: {{piles: 1000}}" for n in range(3)), STANDARD.replace("}", ", copies: 78}")
    ),
    "scripts with too many lists of cards": lambda: game(
        "\n".join(["move top 2 cards in stock to stock"] * 300), deck=STANDARD.replace("}", ", copies: 78}")
    ),
}
GAME_OF_MANY = GAME.format(deck=STANDARD, table="", play="shuffle stock", score="stock.count").replace(
    "players: 2", "players: 2..22"
)


@pytest.mark.parametrize("reason", TOO_LARGE)
def test_what_is_too_large_is_left_to_the_reference_engine(reason: str) -> None:
    rules = TOO_LARGE[reason]()
    assert why_not(rules) == [reason]
    assert rules.engine() == "reference"


def test_what_is_just_small_enough_is_compiled() -> None:
    assert why_not(load("many", text=GAME_OF_MANY)) == []
    wide = game(
        "shuffle stock",
        deck=ranks(127),
        score="(the card in stock with highest card.rank).rank.place",
    )
    assert [wide.start(seed=1, engine=engine).scores for engine in ("reference", "native")] == [[127, 127]] * 2
