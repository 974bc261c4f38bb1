"""Rankings, totals and melds as the tables that a player looks things up in."""

from __future__ import annotations

from typing import assert_never

from trionfi.dsl.tree import (
    Arranged,
    BestHand,
    CardProperty,
    Category,
    CategoryColumn,
    ConditionRanking,
    Fact,
    IsMeld,
    MeldSpec,
    OrderKey,
    PatternRanking,
    RateHand,
    Run,
    TotalOf,
    TotalSpec,
)
from trionfi.shell.prose.steps import Step
from trionfi.shell.prose.voice import Called, Voice, renders
from trionfi.shell.prose.words import amount, article, human, listed, plural, without_the

__all__ = ["fact_text", "key_texts", "ranking_steps"]

Ranking = PatternRanking | ConditionRanking


def card_count(low: int, high: int) -> str:
    if low == high:
        return amount(str(low), "card")
    return f"{low} or more cards" if high > 50 else f"{low} to {high} cards"


@renders(PatternRanking)
def tell_pattern_ranking(voice: Voice, node: PatternRanking) -> list[Step]:
    voice.enter(node.locals)
    alike = listed([human(one.name) for one in node.alike])
    steps = [Step(f"A hand has {card_count(node.low, node.high)}. Cards are alike if they have the same {alike}")]
    if node.run is not None:
        steps.append(Step(voice.say(node.run)))
    with voice.calling(node.locals[0], Called("it", "its")):
        steps += [Step(f"A card stands for any card if {voice.say(node.wild)}")] if node.wild else []
        steps += [Step(f"A card is of any suit if {voice.say(node.wild_suit)}")] if node.wild_suit else []
    steps += [Step(f"A hand counts only if {voice.say(node.qualifier)}")] if node.qualifier else []
    best = "worst to best: here the lowest hand wins" if node.best_low else "best to worst"
    steps.append(Step(f"The hands, from {best}", [voice.tell(one) for one in node.categories]))
    steps += order_steps(voice, node)
    return steps


@renders(ConditionRanking)
def tell_condition_ranking(voice: Voice, node: ConditionRanking) -> list[Step]:
    voice.enter(node.locals)
    names = listed([voice.name(one).subject for one in node.parameters])
    steps = [Step(f"What is rated: {names}. From best to worst", [voice.tell(one) for one in node.categories])]
    return steps + order_steps(voice, node)


@renders(Category)
def tell_category(voice: Voice, node: Category) -> Step:
    if node.condition is not None:
        said = f"if {voice.say(node.condition)}"
    else:
        said = listed([voice.say(fact) for fact in node.facts]) or "any other hand"
    columns = "".join(f"; {human(name)}: {value}" for name, value in node.columns.items())
    return Step(f"{node.name}: {said}{columns}")


@renders(Run)
def say_run(voice: Voice, node: Run) -> str:
    ace = {(True, True): "low or high", (True, False): "low", (False, True): "high"}
    words = ace.get((node.ace_low, node.ace_high))
    ends = f"; a run may end only at {listed([rank_name(voice, one) for one in node.last], 'or')}" if node.last else ""
    return (
        f"A run goes by {human(node.by.name)}{f', the ace {words}' if words else ''}, and never round the corner{ends}"
    )


def rank_name(voice: Voice, rank: int) -> str:
    return human(voice.ruleset.enumerations["rank"].members[rank])


@renders(CardProperty)
def say_card_property(voice: Voice, node: CardProperty) -> str:
    return human(node.name)


@renders(Fact)
def say_fact(voice: Voice, node: Fact) -> str:
    said = fact_text(node)
    return said if node.condition is None else f"{said} (if {voice.say(node.condition)})"


def fact_text(node: Fact) -> str:
    count = str(node.low) if node.low == node.high else f"{node.low} to {node.high}"
    name = "" if node.property is None else human(node.property.name)
    match node.kind:
        case "alike":
            return f"{count} alike"
        case "run":
            return f"a run of {count}" if node.each == 1 else f"a run of {count} groups of {node.each} alike"
        case "same":
            return f"all of the same {name}"
        case "cards":
            return card_count(node.low, node.high)
        case "are":
            return f"{count} of them {name}"
        case "all":
            return f"all {name}"
        case "different":
            return f"{count} different {plural(name)}" if node.high > 1 else f"only one {name}"
        case "nothing else":
            return "nothing else"
        case "anything":
            return "any other hand"
        case _:
            assert_never(node.kind)


# ---- the order of ties


def order_steps(voice: Voice, node: Ranking) -> list[Step]:
    """Which of two hands is better, question by question."""
    if [key.kind for key in node.order] == ["category"]:
        return []
    keys = [Step(text) for key in node.order for text in key_texts(voice, key, node)]
    return [Step("Of two hands the better is found by these questions, until one decides", keys)]


def key_texts(voice: Voice, key: OrderKey, ranking: Ranking) -> list[str]:
    """A text for each part of a key, in the order in which they are compared."""
    match key.kind:
        case "category":
            return category_key(voice, key, ranking)
        case "groups":
            return group_keys(voice, key, ranking)
        case "value":
            return value_key(voice, key, ranking)
        case _:
            assert_never(key.kind)


@renders(OrderKey)
def say_order_key(voice: Voice, node: OrderKey) -> str:
    return listed([voice.say(one) for one in node.expressions]) or node.kind


def category_key(voice: Voice, key: OrderKey, ranking: Ranking) -> list[str]:
    return ["the better hand in the list above"]


def group_keys(voice: Voice, key: OrderKey, ranking: Ranking) -> list[str]:
    """Group by group, and in each by all that is named, before the next group is looked at."""
    card = ranking.locals[0]
    texts = []
    with voice.calling(card, Called("it", "its")):
        for expression in key.expressions:
            said = voice.say(expression)
            truth = expression.type.kind == "truth"
            texts.append(f"whether {said}" if truth else f"the higher {without_the(said).removeprefix('its ')}")
    scope = "group by group (cards alike or in a run; the largest group first, then single cards, high to low)"
    return [f"{scope}: {', then '.join(texts)}"]


def value_key(voice: Voice, key: OrderKey, ranking: Ranking) -> list[str]:
    texts = []
    for expression in key.expressions:
        said = voice.say(expression)
        truth = expression.type.kind == "truth"
        texts.append(f"a hand is better if {said}" if truth else f"the higher {without_the(said)}")
    return texts


def ranking_steps(voice: Voice, node: Ranking) -> list[Step]:
    return voice.tell(node)  # type: ignore[no-any-return]


# ---- totals and melds


@renders(TotalSpec)
def tell_total_spec(voice: Voice, node: TotalSpec) -> list[Step]:
    voice.enter(node.locals)
    with voice.calling(node.locals[0], Called("it", "its")):
        arms = [
            Step(f"{listed([voice.say(one) for one in values], 'or')} if {voice.say(condition)}")
            for condition, values in node.arms
        ]
        rest = listed([voice.say(one) for one in node.otherwise], "or")
        limit = None if node.limit is None else voice.say(node.limit)
    steps = [Step("A card counts, by the first line that fits", [*arms, Step(f"otherwise {rest}")])] if arms else []
    steps = steps or [Step(f"A card counts {rest}")]
    if limit is not None:
        steps.append(Step(f"Where a card has several values, the highest total up to {limit} counts, else the least"))
    return steps


@renders(MeldSpec)
def tell_meld_spec(voice: Voice, node: MeldSpec) -> list[Step]:
    voice.enter(node.locals)
    kinds = [
        Step(f"{human(name)}: {listed([voice.say(fact) for fact in facts])}") for name, facts in node.kinds.items()
    ]
    steps = [Step("What counts as one", kinds)]
    if node.alike:
        steps.append(Step(f"Cards are alike if they have the same {listed([human(one.name) for one in node.alike])}"))
    if node.run is not None:
        steps.append(Step(voice.say(node.run)))
    if node.cost is not None:
        with voice.calling(node.locals[0], Called("it", "its")):
            steps.append(Step(f"A card that is in none counts {voice.say(node.cost)}"))
    return steps


# ---- what is asked of them


@renders(BestHand)
def say_best_hand(voice: Voice, node: BestHand) -> str:
    parts = []
    for part in node.parts:
        exactly = "" if part.exactly is None else f"exactly {voice.say(part.exactly)} of "
        parts.append(exactly + voice.say(part.cards))
    name = human(node.ranking.name)
    return f"the best {name if 'hand' in name else f'{name} hand'} from {listed(parts)}"


@renders(RateHand)
def say_rate_hand(voice: Voice, node: RateHand) -> str:
    own, *rest = (voice.say(one) for one in node.arguments)
    beside = f" with {listed(rest)}" if rest else ""
    return f"the {human(node.ranking.name)} value of {own}{beside}"


@renders(CategoryColumn)
def say_category_column(voice: Voice, node: CategoryColumn) -> str:
    return f"the {human(node.column)} of {voice.say(node.category)}"


@renders(TotalOf)
def say_total_of(voice: Voice, node: TotalOf) -> str:
    return f"the {human(node.total.name)} of {voice.say(node.cards)}"


@renders(Arranged)
def say_arranged(voice: Voice, node: Arranged) -> str:
    return f"the best arrangement of {voice.say(node.cards)} in {human(node.meld.name)}s"


@renders(IsMeld)
def say_is_meld(voice: Voice, node: IsMeld) -> str:
    return f"{voice.say(node.cards)} together are {article(human(node.meld.name))}"
