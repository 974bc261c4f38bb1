"""`above` moves categories of a ranking, so that a variant changes the order of its parent's; alike in both engines."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset
from trionfi.interpreter.rules import Rules, load

VARIANT = """trionfi: 1
name: Flush First
extends: no-limit-holdem
deck: {{keep: card.rank >= 6}}
rankings:
  hand: {{above: {above}}}
"""
LISTED = (
    "Straight Flush, Four of a Kind, Full House, Flush, Straight, Three of a Kind, Two Pair, One Pair, High Card".split(
        ", "
    )
)


def variant(folder: Path, above: str) -> Rules:
    (folder / "variant.yaml").write_text(VARIANT.format(above=above), encoding="utf-8")
    return load(str(folder / "variant.yaml"))


def order(rules: Rules) -> list[str]:
    return [category.name for category in rules.ruleset.rankings["hand"].categories]


@pytest.mark.parametrize(
    ("above", "moved"),
    [
        ("{Flush: Full House}", [0, 1, 3, 2, 4, 5, 6, 7, 8]),
        ("{Flush: Full House, Three of a Kind: Straight}", [0, 1, 3, 2, 5, 4, 6, 7, 8]),
        ("{One Pair: Straight Flush, Flush: One Pair}", [3, 7, 0, 1, 2, 4, 5, 6, 8]),
        ("{Straight Flush: Two Pair}", [1, 2, 3, 4, 5, 0, 6, 7, 8]),
    ],
)
def test_categories_stand_where_they_are_moved_to(tmp_path: Path, above: str, moved: list[int]) -> None:
    assert order(variant(tmp_path, above)) == [LISTED[place] for place in moved]


def test_hands_compare_by_the_new_order_in_both_engines(tmp_path: Path) -> None:
    """Every hand of ten cards against its category as the parent has it: category first, then as before."""
    parent, moved = load("no-limit-holdem"), variant(tmp_path, "{Flush: Full House, Three of a Kind: Straight}")
    names = ["6c", "7c", "8c", "9c", "Tc", "6d", "6h", "7d", "7h", "Td"]
    hands = list(combinations(names, 5))
    suits = {"c": "Clubs", "d": "Diamonds", "h": "Hearts"}
    ranks = {"T": "10", "J": "Jack"}
    numbers = {one: moved.cards.index(f"{ranks.get(one[0], one[0])} of {suits[one[1]]}") for one in names}
    strengths = list(moved.rank_many("hand", [[numbers[card] for card in hand] for hand in hands]))
    values = [parent.rank("hand", hand) for hand in hands]
    places = {name: place for place, name in enumerate(order(moved))}
    by_hand = [(-places[value.category], value) for value in values if value is not None]
    assert len(by_hand) == len(hands)
    assert len({place for place, _ in by_hand}) > 5
    ordered = sorted(zip(strengths, by_hand, strict=True), key=lambda one: one[0])
    for (low, (below, worse)), (high, (above, better)) in pairwise(ordered):
        assert below <= above
        if below == above:
            assert (worse == better) if low == high else (worse < better)
    for hand, strength in zip(hands[::40], strengths[::40], strict=True):
        for other, its in zip(hands[::90], strengths[::90], strict=True):
            mine, theirs = moved.rank("hand", hand), moved.rank("hand", other)
            assert mine is not None
            assert theirs is not None
            assert (mine > theirs, mine == theirs) == (strength > its, strength == its)


def test_both_engines_play_the_same_games(tmp_path: Path) -> None:
    rules = variant(tmp_path, "{Flush: Full House, Two Pair: Flush}")
    reports = [rules.simulate(40, seed=4, engine=engine, workers=1).to_dict() for engine in ("native", "reference")]
    assert reports[0] == reports[1]


def test_a_category_that_is_not_there(tmp_path: Path) -> None:
    text = VARIANT.format(above="{Flash: Full House, Flush: Flush}")
    _, found = read_ruleset(str(tmp_path / "x.yaml"), text)
    assert [(one.span.line, one.message, one.hint) for one in found] == [
        (6, "there is no category `Flash`", "did you mean `Flush`?"),
        (6, "`Flush` cannot stand above itself", ""),
    ]


def test_the_last_category_by_conditions_stays_the_last(tmp_path: Path) -> None:
    text = """trionfi: 1
name: X
players: 2
deck: standard
table: {stock: {start: deck}}
rankings:
  rate(number n):
    categories: {Good: n > 5, Fair: n > 3, Bad: else}
    above: {ABOVE}
    order: [category]
play: shuffle stock
result: {score(player): 1 if rate(4) > rate(6) else 0}
"""
    (tmp_path / "x.yaml").write_text(text.replace("{ABOVE}", "{Fair: Good}"), encoding="utf-8")
    rules = load(str(tmp_path / "x.yaml"))
    assert rules.start(seed=1, engine="reference").scores == rules.start(seed=1, engine="native").scores == [0, 0]
    _, found = read_ruleset(str(tmp_path / "y.yaml"), text.replace("{ABOVE}", "{Bad: Good}"))
    assert {one.code for one in found} == {"last-category"}
