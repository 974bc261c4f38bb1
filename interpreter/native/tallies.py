"""How the sums of measures over many games lie in the record.

A tally is nine words and a counter for each word that can be seen: how often, the sum (128 bits), the sum of the
squares (256 bits), the least, the greatest. A measure that a game may be asked for several times goes on with its
sums over games (`Ratio`): what they were before this game, and the squares and products of what each has added.
"""

from __future__ import annotations

from dataclasses import dataclass

from trionfi.dsl import tree

COUNT, TOTAL, SQUARES, LEAST, GREATEST, WORDS = 0, 1, 3, 7, 8, 9
# behind the counters
GAMES, COUNT_BEFORE, COUNTS_SQUARED, FIGURES = 0, 1, 2, 4
# of a number or a truth: the total before, the products, the totals' squares; of each word the same in fewer bits
TOTAL_BEFORE, PRODUCTS, TOTALS_SQUARED, NUMBER_SIZE = 0, 2, 6, 10
SEEN_BEFORE, WORD_PRODUCTS, WORDS_SQUARED, WORD_SIZE = 0, 1, 3, 5


@dataclass(frozen=True, slots=True)
class TallyPlan:
    """How the tallies of a measure lie: `words` that can be seen (0 for truths and numbers), `rows` of the record.

    `by_game`: with sums over games. `pooled`: the row of all seats together, which shows words; -1 without.
    """

    words: int
    rows: int
    by_game: bool
    pooled: int = -1

    @property
    def games(self) -> int:
        """Where the sums over games begin, in words."""
        return WORDS + self.words

    @property
    def size(self) -> int:
        figures = self.words * WORD_SIZE if self.words else NUMBER_SIZE
        return self.games + (FIGURES + figures if self.by_game else 0)


def tally_plan(rules: tree.Ruleset, measure: tree.Measure) -> TallyPlan:
    words, seats = words_seen(rules, measure), rules.players[1]
    if measure.player is None:
        return TallyPlan(words, 1, bool(measure.event))
    if words:
        return TallyPlan(words, seats + 1, by_game=True, pooled=seats)
    return TallyPlan(words, seats, bool(measure.event))


def words_seen(rules: tree.Ruleset, measure: tree.Measure) -> int:
    """How many different words a measure can show; 0 for truths and numbers."""
    if measure.type.kind == "category":
        return len(rules.rankings[measure.type.name].categories)
    if measure.type.kind == "enum":
        return len(rules.enumerations[measure.type.name].members)
    return {"player": rules.players[1], "team": len(rules.teams)}.get(measure.type.kind, 0)


def tally_fields(rules: tree.Ruleset, seats: int) -> list[tuple[str, int]]:
    """The words for the sums, in the setting: each field's name, and how many."""
    plans = [tally_plan(rules, measure) for measure in rules.measures]
    return [
        *((f"measure {index}", plan.size * plan.rows) for index, plan in enumerate(plans)),
        ("score tallies", WORDS * seats),
        ("decision tally", WORDS),
        ("wins", seats * seats),
        ("ties", 1),
    ]
