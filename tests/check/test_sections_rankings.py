"""Rankings, totals and melds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.tree import ConditionRanking, PatternRanking, Ruleset
from trionfi.dsl.types import RANK, TRUTH

Text = Callable[..., str]
Said = Callable[[str], list[str]]

PATTERNS = """
  poker:
    of: 0..5 cards
    alike: [rank, orientation]
    run: {by: rank, ace: low or high}
    wild: card.rank is 6
    best: low
    qualifier: no card in hand where card.rank is king
    categories:
      Flush Run: {hand: "run of 3..5, same suit if strict", points: 6}
      Full House: 3 alike, 2 alike
      Even: 2..3 evens, 4 cards
      All Even: all evens
      Rest: anything
      None: 0 cards
    order:
      - category
      - groups by card.rank then card.suit is cups
      - count of cards in hand where card.suit is cups
"""


def read(text: str) -> Ruleset:
    rules, diagnostics = read_ruleset("small", text)
    assert [str(one) for one in diagnostics] == []
    assert rules is not None
    return rules


def test_a_ranking_by_patterns(small_game: Text) -> None:
    rules = read(
        small_game(
            deck="{ranks: [ace, 2, 3, 4, 5, 6, king], suits: [cups, swords]}",
            rankings=PATTERNS,
            options="{strict: {default: true}}",
            define='{"even(card)": card.rank.place mod 2 is 0}',
        )
    )
    ranking = rules.rankings["poker"]
    assert isinstance(ranking, PatternRanking)
    facts = {
        one.name: [(fact.kind, fact.low, fact.high, fact.property.name if fact.property else "") for fact in one.facts]
        for one in ranking.categories
    }
    assert facts == {
        "Flush Run": [("run", 3, 5, ""), ("same", 0, 0, "suit")],
        "Full House": [("alike", 3, 3, ""), ("alike", 2, 2, "")],
        "Even": [("are", 2, 3, "even"), ("cards", 4, 4, "")],
        "All Even": [("all", 0, 0, "even")],
        "Rest": [("anything", 0, 0, "")],
        "None": [("cards", 0, 0, "")],
    }
    assert ranking.categories[0].columns == {"points": 6}
    assert ranking.categories[0].facts[1].condition is not None
    assert (ranking.low, ranking.high, ranking.best_low) == (0, 5, True)
    assert [one.name for one in ranking.alike] == ["rank", "orientation"]
    assert ranking.run is not None
    assert (ranking.run.by.expr.type, ranking.run.ace_low, ranking.run.ace_high) == (RANK, True, True)
    assert [(key.kind, len(key.expressions)) for key in ranking.order] == [("category", 0), ("groups", 2), ("value", 1)]
    assert ranking.wild is not None
    assert ranking.wild_suit is None
    assert ranking.qualifier is not None
    assert [local.name for local in ranking.locals[:3]] == ["card", "group", "hand"]
    assert [local.index for local in ranking.locals] == list(range(len(ranking.locals)))


def test_what_may_end_a_run(small_game: Text) -> None:
    ranking = "{seq: {of: 5 cards, run: {by: rank, last: 2 or ace}, categories: {Run: run of 3, Rest: anything}}}"
    found = read(small_game(rankings=ranking)).rankings["seq"]
    assert isinstance(found, PatternRanking)
    assert found.run is not None
    assert (found.run.last, found.run.ace_low, found.run.ace_high) == ([1, 0], False, True)
    assert [key.kind for key in found.order] == ["category"]


def test_a_ranking_by_conditions(small_game: Text) -> None:
    rankings = """
  side(cards own, cards shared):
    categories:
      Big: {hand: own.count > 2, points: 3}
      Small: else
    order: [category, own.count + shared.count]
"""
    ranking = read(small_game(rankings=rankings)).rankings["side"]
    assert isinstance(ranking, ConditionRanking)
    assert [one.name for one in ranking.parameters] == ["own", "shared"]
    assert [(one.name, one.columns, one.condition is None) for one in ranking.categories] == [
        ("Big", {"points": 3}, False),
        ("Small", {}, True),
    ]
    assert [key.kind for key in ranking.order] == ["category", "value"]


def test_totals_and_melds(small_game: Text) -> None:
    rules = read(
        small_game(
            totals="{tally: {values(card): '1 or 11 if card.rank is ace, else card.rank.place', at most: 21}}",
            melds="{meld: {kinds: {set: '3..4 cards, 3..4 alike', run: 'run of 3..6, same suit'}, alike: [rank], "
            "run: {by: rank, ace: low}, cost(card): card.rank.place}}",
            result="{score(player): 'tally(player.hand).value + arranged(player.hand, meld).cost + "
            "(sum of cost(card) for each card in player.hand)'}",
        )
    )
    tally, meld = rules.totals["tally"], rules.melds["meld"]
    assert [(condition.type, len(values)) for condition, values in tally.arms] == [(TRUTH, 2)]
    assert len(tally.otherwise) == 1
    assert tally.limit is not None
    assert {name: [fact.kind for fact in facts] for name, facts in meld.kinds.items()} == {
        "set": ["cards", "alike"],
        "run": ["run", "same"],
    }
    assert meld.cost is not None
    assert "cost" in rules.defines


BASE = {"of": "5 cards", "alike": "[rank]", "run": "{by: rank}", "categories": "{Pair: 2 alike, Rest: anything}"}


@pytest.mark.parametrize(
    ("changed", "messages"),
    [
        ({"of": "five"}, ["five > error `of` says how many cards a hand has, such as `5 cards` or `0..5 cards` [wrong-value]"]),
        ({"of": "21 cards"}, ["21 cards > error a hand has up to 20 cards, from the lower to the higher number [hand-size]"]),
        ({"alike": "[rnak]"}, ["rnak > error cards have no attribute `rnak` [unknown-property] (did you mean `rank`?)"]),
        ({"alike": None}, ["2 alike > error nothing says in what cards are alike [pattern-needs] (write `alike: [rank]` beside the categories)"]),
        ({"alike": "[]"}, ["2 alike > error nothing says in what cards are alike [pattern-needs] (write `alike: [rank]` beside the categories)"]),
        ({"run": None, "categories": "{Run: run of 3}"}, ["run of 3 > error nothing says how runs go [pattern-needs] (write `run: {by: rank}` beside the categories)"]),
        ({"run": "{by: suit}"}, ["suit > error runs go along ranks; `suit` is a suit [run-by-rank]"]),
        ({"run": "{by: rank, ace: middle}"}, ["middle > error the ace in runs is low or high; `middle` is none of these [wrong-value]"]),
        ({"categories": "{Pair: 3..2 alike}"}, ["3..2 > error 3 is more than 2 [pattern-amount]"]),
        ({"categories": "{Odd: 5 different rank}"}, ["rank > error what is different is named in the plural, not `rank` [pattern-plural] (write `ranks`)"]),
        ({"categories": "{Odd: 5 different rnaks}"}, ["rnaks > error cards have no attribute `rnaks` [unknown-property] (did you mean `rank`?)"]),
        ({"categories": "{Odd: 0 different suits}"}, ["0 different suits > error every hand has some [pattern-impossible]"]),
        ({"categories": "{Odd: 6 different numbers}"}, ["6 different numbers > error this takes 6 cards, and a hand has up to 5 [pattern-impossible]"]),
        ({"categories": "{Odd: 3 different suits}"}, ["3 different suits > error there are 2 of them in this game [pattern-impossible]"]),
        ({"categories": "{Odd: run of 2 groups of 3 alike}"}, ["run of 2 groups of 3 alike > error this takes 6 cards, and a hand has up to 5 [pattern-impossible]"]),
        ({"categories": "{Odd: run of 0 groups of 2 alike}"}, ["run of 0 groups of 2 alike > error a run has one group or more [pattern-impossible]"]),
        ({"categories": "{Odd: run of 2 groups of 1 alike}"}, ["run of 2 groups of 1 alike > error a group is two cards alike or more [pattern-impossible] (write `run of 2`)"]),
        ({"categories": "{Odd: run of 1..2 groups of 2..3 alike}"}, ["2..3 > error all groups of a run have one size [pattern-amount] (write `2`)"]),
        ({"categories": "{Odd: run of 2 groups of 99999999999999999999 alike}"}, ["99999999999999999999 > error 99999999999999999999 has more than 64 bits [large-number] (a number goes up to 9223372036854775807)"]),
        ({"categories": "{Odd: run of 3..2 groups of 2 alike}"}, ["3..2 > error 3 is more than 2 [pattern-amount]"]),
        ({"categories": "{Odd: run of 2 groups of 2 alike}", "alike": None}, ["run of 2 groups of 2 alike > error nothing says in what cards are alike [pattern-needs] (write `alike: [rank]` beside the categories)"]),
        ({"categories": "{Odd: run of 2 groups of 2 alike}", "run": None}, ["run of 2 groups of 2 alike > error nothing says how runs go [pattern-needs] (write `run: {by: rank}` beside the categories)"]),
        ({"categories": '{Odd: "5 cards, nothing else"}'}, ["nothing else > error `nothing else` stands beside parts that the hand has, and none is named [pattern-impossible] (write `3 alike, nothing else`)"]),
        ({"categories": "{Odd: all suits}"}, ["suits > error `suit` is a suit, not a truth [property-type] (write a define that asks: `red(card): card.colour is red`)"]),
        ({"categories": "{Odd: 2 alike if stock is empty}"}, ["stock is empty > error a fact of a pattern hangs on options, not on cards or players [pattern-condition]"]),
        ({"categories": "{Odd: {points: 2}}"}, ["Odd > error the category `Odd` has no pattern or condition [ranking-column] (write `{hand: ..., points: 1}`)"]),
        ({"categories": "{Odd: {hand: 2 alike, points: two}}"}, ["two > error `points` is a whole number, not `two` [wrong-word]"]),
        ({"order": "[category, hand]"}, ["hand > error hands cannot be ordered by cards [order-key] (a number, a rank or a truth can be compared)"]),
        ({"order": "[groups by card.rnak]"}, ["rnak > error a card has no `rnak` [unknown-attribute] (did you mean `rank`?)"]),
    ],
)  # fmt: skip
def test_a_ranking_that_is_wrong(
    small_game: Text, said: Said, changed: dict[str, str | None], messages: list[str]
) -> None:
    keys = {key: text for key, text in {**BASE, **changed}.items() if text is not None}
    ranking = "".join(f"\n    {key}: {text}" for key, text in keys.items())
    assert said(small_game(rankings=f"\n  poker:{ranking}")) == messages


@pytest.mark.parametrize(
    ("categories", "message"),
    [
        ("{Big: own.count > 2, Small: own.count < 3}", "own.count < 3 > error the last category takes what is left [last-category] (write `else`)"),
        ("{Big: else, Small: else}", "else > error only the last category is `else` [last-category]"),
    ],
)  # fmt: skip
def test_the_last_category_takes_what_is_left(small_game: Text, said: Said, categories: str, message: str) -> None:
    assert said(small_game(rankings=f"{{side(cards own): {{categories: {categories}}}}}")) == [message]


@pytest.mark.parametrize("fact", ["2 different suits", "run of 2 groups of 2 alike", "2 alike, nothing else"])
def test_what_is_asked_of_hands_alone(small_game: Text, said: Said, fact: str) -> None:
    melds = f'{{sets: {{kinds: {{odd: "{fact}"}}, alike: [rank], run: {{by: rank}}}}}}'
    asked = fact.removeprefix("2 alike, ")
    assert said(small_game(melds=melds)) == [
        f"{asked} > error `{asked}` is asked of the hands of rankings, not of melds [pattern-of-hand]"
    ]


def test_words_of_facts_stay_names(small_game: Text) -> None:
    """`different` and `nothing` begin facts only where a fact goes on so."""
    ranking = (
        '{of: 2 cards, categories: {A: 1 different, B: "2 different suits if nothing", C: anything}, order: [category]}'
    )
    options, define = "{nothing: {default: true}}", "{different(card): card.rank is ace}"
    rules = read(small_game(rankings=f"{{odd: {ranking}}}", options=options, define=define))
    kinds = [[fact.kind for fact in category.facts] for category in rules.rankings["odd"].categories]
    assert kinds == [["are"], ["different"], ["anything"]]


def test_totals_that_are_wrong(small_game: Text, said: Said) -> None:
    assert said(small_game(totals="{tally: {at most: 21}}"))[0] == (
        "{at most: 21} > error `tally` needs the key `values(card)` [missing-key]"
    )
    assert said(small_game(totals="{tally: {values(player): 1}}"))[0] == (
        "values > error the values of a total are those of one card [total-signature] (write `values(card)`)"
    )
