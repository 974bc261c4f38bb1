"""Words with values, places and neighbours, in the reference engine, the core and the native engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from trionfi.dsl.diagnostics import RulesError
from trionfi.interpreter.rules import load

from .said import HEAD, SECTIONS, everywhere, rules_of, said, values

KINDS = """
kinds:
  side: [nobody, us, them]
  contract:
    pass: {worth: 0, is_plain: true, odds: 1:2, side: nobody, suit: none}
    three: {worth: -10, label: three tricks, is_plain: false, odds: 2, side: us, suit: hearts}
    two: {worth: 20, label: "two, with black joker", is_plain: false, odds: 3:1, side: them, suit: spades}
"""
VARIABLES = """
variables:
  bid: {kind: contract, start: three}
  seen: {per: contract, start: 2}
  held: {per: rank, start: 0}
  wanted: {per: contract, kind: suit}
"""


def test_columns_hold_numbers_truths_ratios_and_words() -> None:
    values(
        {
            "bid.worth": -10,
            "two.worth + pass.worth": 20,
            "bid.is_plain": False,
            "pass.is_plain": True,
            "3 * pass.odds rounded up": 2,
            "two.odds * bid.odds rounded down": 6,
            "bid.side": "us",
            "pass.suit is none": True,
            "bid.suit": "hearts",
            "count of is_plain contracts": 1,
            "sum of contract.worth for each contract": 10,
            "the contract with highest contract.worth": "two, with black joker",
            "any contract where contract.suit is spades": True,
        },
        KINDS + VARIABLES,
    )


def test_places_and_neighbours_of_all_that_is_ordered() -> None:
    values(
        {
            "bid.place": 2,
            "bid.next": "two, with black joker",
            "bid.previous": "pass",
            "two.next is none and pass.previous is none": True,
            "hearts.previous": "diamonds",
            "clubs.previous is none": True,
            "spades.next is none": True,
            "king.next": "ace",
            "king.previous": "queen",
            "us.place": 2,
            "p3.place": 3,
            "three.side.next": "them",
        },
        KINDS + VARIABLES,
    )


def test_categories_have_places_from_the_lowest() -> None:
    ranking = """
    rankings:
      hands: {of: 2 cards, alike: [rank], categories: {Pair: 2 alike, Suited: "2 cards, same suit", Rest: anything}}
    define:
      of_p1(): hands(p1.hand).category
    """
    script = """
    deal 2 from stock to p1.hand
    say "{of_p1().place} {of_p1().next} {of_p1().previous}"
    """
    held = {"Pair": "3 none Suited", "Suited": "2 Pair Rest", "Rest": "1 Suited none"}
    for hand, told in zip((["2c", "2d"], ["2c", "3c"], ["2c", "3d"]), held.values(), strict=True):
        assert said(script, ranking, cards={"p1.hand": hand}) == [told]


def test_variables_of_each_word_and_each_rank() -> None:
    script = """
    deal 2 from stock to p1.hand
    for each card in p1.hand: add 1 to card.rank.held
    add 1 to bid.seen
    bid.wanted = bid.suit
    for each contract: say "{contract} {contract.seen} {contract.wanted}"
    say "{king.held} {2.held}"
    """
    script = script.replace("{2.held}", "{(the rank where rank is 2).held}")
    told = said(script, KINDS + VARIABLES, cards={"p1.hand": ["Kc", "2d"]})
    assert told == ["pass 2 none", "three tricks 3 hearts", "two, with black joker 2 none", "1 1"]


def test_a_word_and_its_label_are_both_taken() -> None:
    script = """
    p1 chooses 1 contract as bid
    p2 chooses as answer:
      "double {bid}": say "doubled"
      "go {contract}" for each contract where contract > bid: say "went {contract}"
    """
    for first, second in (("three", "go two"), ("Three Tricks", "go two, with black joker")):
        assert said(script, KINDS + VARIABLES, [first, second]) == ["went two, with black joker"]
    assert said(script, KINDS + VARIABLES, ["two", "double two"]) == ["doubled"]


def test_a_word_is_taken_with_blanks_too() -> None:
    kinds = "kinds: {state: [not_yet, all_done]}\nvariables: {now: {kind: state}}"
    for label in ("all_done", "all done"):
        assert said('p1 chooses 1 state as now\nsay "{now}"', kinds, [label]) == ["all_done"]


def test_a_start_may_be_set_by_a_label() -> None:
    rules = rules_of('say "{bid.worth}"\np1 chooses 1 suit as bid_suit\nsay "{bid_suit}"', KINDS + VARIABLES)

    def start(engine: str) -> object:
        return rules.deal(engine=engine, set={"bid": "two, with black joker", "two.seen": 4}).log

    assert everywhere(rules, start) == [{"say": "20"}]


def test_a_column_of_none_stops_the_game() -> None:
    told = said('let next_one = bid.next.next\nsay "{next_one.worth}"', KINDS + VARIABLES)
    assert told.startswith("none-used: ")
    assert "next_one" in told


def test_the_game_s_own_names_win() -> None:
    """Files of before `player.place`, `suit.next` and `suit.previous` had such variables."""
    variables = (
        "variables: {place: {per: player, start: 7}, next: {per: suit, start: 8}, previous: {per: suit, start: 9}}"
    )
    values({"p2.place": 7, "hearts.next": 8, "hearts.previous": 9}, variables)


def test_a_variant_changes_columns_one_by_one(tmp_path: Path) -> None:
    game = (
        HEAD + "\n".join(SECTIONS.values()) + KINDS + VARIABLES + "play: 'say \"{bid.worth} {two.worth} {two.suit}\"'\n"
    )
    (tmp_path / "bids.yaml").write_text(game, encoding="utf-8")
    variant = "trionfi: 1\nname: Dear\nextends: bids\nkinds: {contract: {two: {worth: 30}}}\n"
    (tmp_path / "dear.yaml").write_text(variant, encoding="utf-8")
    rules = load(str(tmp_path / "dear.yaml"))
    assert everywhere(rules, lambda engine: rules.deal(engine=engine).log) == [{"say": "-10 30 spades"}]


@pytest.mark.parametrize("name", ["place", "next", "previous"])
def test_a_column_is_not_called_like_a_belonging(name: str) -> None:
    with pytest.raises(RulesError, match=f"`mood.{name}` is the language's own"):
        rules_of("stop_here()", f"kinds: {{mood: {{calm: {{{name}: 1}}, wild: {{{name}: 2}}}}}}")
