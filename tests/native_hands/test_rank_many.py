"""`rules.rank_many` of the library's rulesets, compiled, against the reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest
from compared import deals

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.hands.reading import HandReader, rank_rows
from trionfi.interpreter.ranking import evaluator_of
from trionfi.interpreter.rules import load


def by_reference(rules: Any, ranking: str, parts: Sequence[Any]) -> list[int]:
    return list(rank_rows(evaluator_of(rules, ranking), HandReader(rules.ruleset, rules.faces), parts))


def same_order(one: Any, other: Any) -> bool:
    places = [numpy.unique(numpy.array(values), return_inverse=True)[1] for values in (one, other)]
    return bool((places[0] == places[1]).all())


@pytest.mark.parametrize(
    ("name", "ranking", "parts", "options"),
    [
        ("no-limit-holdem", "hand", [(2, None), (5, None)], {}),
        ("two-win", "poker", [(4, 2), (5, 3)], {}),
        ("two-win", "poker", [(4, 2), (5, 3)], {"mixed_runs": True}),
        ("two-win", "twenty_one", [(2, None), (3, None)], {}),
        ("two-win", "twenty_one", [(2, None), (3, None)], {"major_values": "whole_or_digit"}),
        ("tarot-holdem", "poker", [(7, None)], {}),
        ("arcana-poker", "hand", [(5, None)], {}),
    ],
)
def test_as_the_reference_ranks(
    rules: Callable[..., Any],
    name: str,
    ranking: str,
    parts: list[tuple[int, int | None]],
    options: Any,
    test_size: float,
) -> None:
    game = rules(name, **options)
    oriented = all(deck.oriented for deck in game.ruleset.decks)
    faces = len(game.cards)
    sizes = [size for size, _ in parts]
    rows = deals(Random(1), int(150 * test_size), range(faces), *sizes, turned=faces if oriented else 0)
    given = [cards if exactly is None else (cards, exactly) for cards, (_, exactly) in zip(rows, parts, strict=True)]
    strengths = game.rank_many(ranking, *given)
    assert strengths.dtype == numpy.int64
    assert same_order(strengths, by_reference(game, ranking, given))


SHORT_DECK = """\
trionfi: 1
name: Short deck
players: 2
deck: {from: standard, ace: high, keep: card.rank.place > 4}
table:
  stock: {start: deck}
rankings:
  hand:
    of: 5 cards
    alike: [rank]
    run: {by: rank, ace: low or high}
    categories:
      Straight Flush: run of 5, same suit
      Flush: 5 cards, same suit
      Straight: run of 5
      Pair: 2 alike
      High Card: anything
    order:
      - category
      - groups by card.rank
play: |
  shuffle stock
result:
  score(player): 0
"""


def test_cards_are_numbered_as_the_game_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "short.yaml").write_text(SHORT_DECK)
    game = load(str(tmp_path / "short.yaml"))
    assert len(game.cards) == 36
    (rows,) = deals(Random(1), 300, range(36), 7)
    assert same_order(game.rank_many("hand", rows), by_reference(game, "hand", [rows]))
    with pytest.raises(ValueError, match=r"^row 0 holds 36, which is no card of the game$"):
        game.rank_many("hand", [[0, 1, 2, 3, 36]])


@pytest.mark.parametrize("ranking", ["poker", "twenty_one"])
def test_what_is_no_hand(rules: Callable[..., Any], ranking: str) -> None:
    game = rules("two-win")
    for wrong in (200, 4, 78 + 4):  # no card; a card of the other part, and that card reversed
        with pytest.raises(ValueError, match=r"^row 1 "):
            game.rank_many(ranking, [[1, 2], [3, wrong]], [[3, 4, 5], [4, 5, 6]])


def test_a_part_for_each_parameter(rules: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match=r"takes .*parts, not 1"):
        rules("two-win").rank_many("twenty_one", [[1, 2]])
    with pytest.raises(ValueError, match=r"has no ranking `pokr`: did you mean `poker`\?$"):
        rules("two-win").rank_many("pokr", [[1, 2]])


WARM_SUITS = """\
trionfi: 1
name: Warm suits
players: 2
deck: {from: standard, jokers: 2}
table:
  stock: {start: deck}
define:
  warm(card): card has suit card.suit
rankings:
  hand:
    of: 2 cards
    categories:
      Warm: all warm
play: |
  shuffle stock
result:
  score(player): 0
"""


def test_a_card_that_has_no_value_is_an_error_of_its_own_hands_alone(tmp_path: Path) -> None:
    (tmp_path / "warm.yaml").write_text(WARM_SUITS)
    game = load(str(tmp_path / "warm.yaml"))
    joker = game.faces.index(max(game.faces))
    assert same_order(game.rank_many("hand", [[0, 1], [2, 3]]), [1, 1])
    with pytest.raises(GameError, match=r"`card.suit` is none here"):
        game.rank_many("hand", [[0, 1], [2, joker]])
