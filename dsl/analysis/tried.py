"""What it may take to try out hands, totals and melds, in steps, by the number of cards: the worst of so many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, prod
from typing import Any, NamedTuple

from trionfi.dsl.analysis.amounts import cards_of, copies_of
from trionfi.dsl.known import Known, ends
from trionfi.dsl.limits import (
    HANDS_OF_A_STEP,
    MOST_CARDS,
    MOST_HANDS,
    MOST_MELD_WAYS,
    MOST_PARTINGS,
    MOST_STATEMENTS,
    MOST_SUMS,
    MOST_WILD_HANDS,
    PARTINGS_OF_A_STEP,
    SUMS_OF_A_STEP,
    WAYS_OF_A_STEP,
)
from trionfi.dsl.tree import CardFace, Fact, MeldSpec, PatternRanking, Ruleset, TotalSpec

__all__ = ["Tried", "counts_different", "hands_of", "is_wild", "most_to_choose_from", "steps_for", "tried_in"]

Tried = PatternRanking | TotalSpec | MeldSpec
READINGS = 1000  # that wild cards of a hand are counted to have where each is tried
MOST = 2 * MOST_STATEMENTS


def tried_in(rules: Ruleset, kind: str, name: str) -> Tried:
    """What is declared under a name."""
    tables: dict[str, Mapping[str, object]] = {"hand": rules.rankings, "total": rules.totals}
    found = tables.get(kind, rules.melds)[name]
    assert isinstance(found, Tried)
    return found


def steps_for(what: Tried, kind: str, times: int, rules: Ruleset) -> list[int]:
    """The steps that so many trials count for, by the number of cards; more cards than that count as the most. `kind`
    is `hand`, `total`, `parting` into melds or (are the cards a) `meld`."""
    match what:
        case PatternRanking():
            each, costs = HANDS_OF_A_STEP, hands_of(what)
        case TotalSpec():
            each, costs = SUMS_OF_A_STEP, sums_of(what, rules)
        case MeldSpec():
            each, costs = WAYS_OF_A_STEP, ways_of(what, rules, parted=kind == "parting")
    return [min(times * cost // each, MOST) for cost in costs]


# ---- hands


def most_to_choose_from(ranking: PatternRanking) -> int:
    """From how many cards its hands may be chosen, so that there are not too many of them."""
    most = MOST_WILD_HANDS if is_wild(ranking) else MOST_HANDS
    number = ranking.high
    while number < MOST_CARDS and comb(number + 1, ranking.high) <= most:
        number += 1
    return number


def is_wild(ranking: PatternRanking) -> bool:
    return ranking.wild is not None or ranking.wild_suit is not None


def has_no_values(ranking: PatternRanking) -> bool:
    """Whether the category decides first, and nothing asks for the hand's values: then wild cards need not be tried as
    all that they may be."""
    kinds = [key.kind for key in ranking.order]
    asks = "value" in kinds or ranking.qualifier is not None or counts_different(ranking)
    return not ranking.best_low and kinds[:1] == ["category"] and not asks


def counts_different(ranking: PatternRanking) -> bool:
    """Whether a category asks how many different ranks or suits there are: that hangs on all readings together."""
    return any(fact.kind == "different" for category in ranking.categories for fact in category.facts)


def hands_of(ranking: PatternRanking) -> list[int]:
    """How many hands there are to try, by the number of cards, up to the most that hands are chosen from; where cards
    are wild each counts as several."""
    each = (MOST_HANDS // MOST_WILD_HANDS if has_no_values(ranking) else READINGS) if is_wild(ranking) else 1
    return [each * comb(max(cards, ranking.high), ranking.high) for cards in range(most_to_choose_from(ranking) + 1)]


# ---- totals


class Counted(NamedTuple):
    """What cards count at most: `several` values, of which the greatest is above the least by `spread`; and how many
    cards have more than one."""

    several: int
    spread: int
    cards: int


def sums_of(total: TotalSpec, rules: Ruleset) -> list[int]:
    """How many sums are compared with one another, by the number of cards: those of each card with those before."""
    counted = counted_in(total, rules)
    if counted.several == 1:
        return [0]
    # to find a sum costs as much as to compare some hundred
    each = (different_sums(counted, cards) for cards in range(cards_of(rules) + 1))
    return list(accumulate(counted.several * sums * (100 + sums) for sums in each))


def different_sums(counted: Counted, cards: int) -> int:
    """How many different sums so many cards have at most."""
    cards = min(cards, counted.cards)
    by_values = counted.several**cards if cards < MOST_SUMS.bit_length() else MOST_SUMS
    return min(MOST_SUMS, by_values, cards * counted.spread + 1)


def counted_in(total: TotalSpec, rules: Ruleset) -> Counted:
    if rules.effects:  # a card that they give several suits or ranks may count what it may under any of them
        return Counted(sum(len(values) for _, values in total.arms) + len(total.otherwise), MOST_SUMS, cards_of(rules))
    known = Known(rules.faces, players=rules.players[1], ranks=rules.enumerations["rank"])
    several, spread, cards = 1, 0, 0
    for deck in rules.decks:
        for face in deck.faces:
            arms = [values for values in values_of(total, known, face) if len(values) > 1]
            several, spread = max([several, *map(len, arms)]), max([spread, *map(spread_of, arms)])
            cards += copies_of(deck) if arms else 0
    return Counted(several, spread, min(cards, MOST_CARDS))


def values_of(total: TotalSpec, known: Known, face: CardFace) -> Iterator[list[Any]]:
    """What a card may count by each of the arms that may hold for it, as far as the text tells."""
    known.locals[total.locals[0]] = face
    for condition, values in total.arms:
        holds = known.is_true(condition)
        if holds is not False:
            yield [*map(known.value, values)]
        if holds:
            return
    yield [*map(known.value, total.otherwise)]


def spread_of(values: Sequence[Any]) -> int:
    """By how much the greatest is above the least."""
    lows, highs = zip(*map(ends, values), strict=True)
    return MOST_SUMS if None in lows + highs else max(highs) - min(lows)


# ---- melds


def ways_of(melds: MeldSpec, rules: Ruleset, parted: bool) -> list[int]:
    """How many ways to make melds there may be, by the number of cards, and what it takes to part the cards."""
    found: list[int] = []
    kinds = list(melds.kinds.values())
    least = min(
        (low for facts in kinds for low in [sum(one.low for one in named(facts)) or sizes(facts)[0]]), default=1
    )
    parting = partings_of(max(1, least)) if parted else iter([0])
    steps = 0
    for cards in range(cards_of(rules) + 1):
        ways = sum(ways_to_make(facts, cards, parted) for facts in kinds)
        steps = next(parting, steps)
        found.append(1 + min(ways, MOST_MELD_WAYS) + steps * WAYS_OF_A_STEP // PARTINGS_OF_A_STEP)
        if ways >= MOST_MELD_WAYS and (not parted or steps >= MOST_PARTINGS):
            break
    return found


def least_of(facts: Sequence[Fact]) -> int:
    """Of how many cards a kind of meld is at least."""
    return sum(part.low for part in named(facts)) or sizes(facts)[0]


def named(facts: Sequence[Fact]) -> list[Fact]:
    """The parts that a kind of meld names."""
    return [fact for fact in facts if fact.kind in ("alike", "run")]


def sizes(facts: Sequence[Fact]) -> tuple[int, int]:
    """From how many to how many cards a kind of meld has that names no parts."""
    asked = [fact for fact in facts if fact.kind == "cards"]
    return (asked[0].low, asked[0].high) if asked else (1, MOST_CARDS)


def ways_to_make(facts: Sequence[Fact], cards: int, parted: bool) -> int:
    """The ways to make a kind of meld of so many cards; all of them together need no trying where no part is named."""
    parts = named(facts)
    if not parts:
        return ways_to_choose(*sizes(facts), cards) if parted else 1
    return min(prod(ways_of_part(part, cards) for part in parts), MOST_MELD_WAYS)


def ways_of_part(part: Fact, cards: int) -> int:
    if part.kind == "alike":
        return ways_to_choose(part.low, part.high, cards)
    # most runs there are where each rank has as many cards
    runs = (cards ** (size + 1) // size**size for size in range(max(1, part.low), min(part.high, cards) + 1))
    return limited(runs)


def ways_to_choose(low: int, high: int, cards: int) -> int:
    return limited(comb(cards, size) for size in range(low, min(high, cards) + 1))


def limited(ways: Iterator[int]) -> int:
    found = 0
    for some in ways:
        found += some
        if found >= MOST_MELD_WAYS:
            return MOST_MELD_WAYS
    return found


def partings_of(least: int) -> Iterator[int]:
    """The steps of parting so many cards, for each number of them, where a meld has `least` cards or more."""
    steps = [1]
    while steps[-1] < MOST_PARTINGS:
        yield steps[-1]
        cards = len(steps)
        melded = sum(comb(cards - 1, size - 1) * steps[cards - size] for size in range(least, cards + 1))
        steps.append(1 + steps[-1] + melded)
    yield MOST_PARTINGS
