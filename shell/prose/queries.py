"""Queries and what choices go over: nouns with what is said of the things in question."""

from __future__ import annotations

import re
from typing import assert_never

from trionfi.dsl.tree import (
    AllPlayers,
    AllPlays,
    And,
    Attribute,
    CallDefine,
    CardsOf,
    Conditional,
    Const,
    Count,
    Domain,
    Expr,
    Fold,
    Joined,
    LocalValue,
    NextPlayer,
    Not,
    NumberRange,
    Offered,
    Quantified,
    Same,
    Select,
    SetsOf,
    VariableValue,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.types import Type
from trionfi.shell.prose.voice import Called, Voice, renders
from trionfi.shell.prose.words import article, human, is_verb, plural, without_the

QUOTE = '"'
# What a card is, as said before the noun.
ADJECTIVES = {"face": "face-{}", "orientation": "{}", "deck": "{}-deck"}
# `the player may follow it with the led suit`: it is what the noun before says.
OBJECT = re.compile(r"(.+) it( with .+)?")

__all__ = ["called", "count_is", "each_of", "nobody_or_somebody", "noun_phrase", "order_of", "steps_of", "there_is"]


def noun_phrase(voice: Voice, domain: Domain, many: bool = False, more: Expr | None = None) -> str:
    """`live players`, `card in their hand whose suit is hearts`; without article. `more` is said of it, too."""
    conditions = [*parts_of(domain.where), *parts_of(more)]
    adjectives = [word for one in conditions if (word := adjective(voice, one, domain))]
    clauses = [one for one in conditions if not adjective(voice, one, domain)]
    noun = voice.nouns[id(domain.local)] = noun_for(domain)
    if isinstance(domain.source, SetsOf):
        noun = f"set of {sizes_of(voice, domain.source)} cards"
    said = " ".join([*adjectives, plural(noun) if many else noun])
    return said + place_of(voice, domain) + relatives(voice, domain, clauses, many)


def noun_for(domain: Domain) -> str:
    if domain.noun == "zone" and isinstance(domain.source, ZonesValue):
        return "pile" if domain.source.family.shape == "piles" else "place"
    if domain.noun == "enum":
        return human(domain.local.type.name)
    return {"cards": "set of cards", "zone": "pile"}.get(domain.noun, domain.noun)


def parts_of(condition: Expr | None) -> list[Expr]:
    if condition is None:
        return []
    return [part for one in condition.operands for part in parts_of(one)] if isinstance(condition, And) else [condition]


def place_of(voice: Voice, domain: Domain) -> str:
    """Where the things are: ` in the player's hand`."""
    source = domain.source.cards if isinstance(domain.source, SetsOf) else domain.source
    if domain.range is not None:
        return f" {voice.say(domain.range)}"
    if source is None or isinstance(source, AllPlayers):
        return ""
    if isinstance(source, AllPlays):
        return " of this round"
    if isinstance(source, Offered):
        return " among those offered"
    inner = source.source if isinstance(source, CardsOf) else source
    if isinstance(inner, ZonesValue) and domain.noun == "zone":
        return f" of {voice.say(source)}"
    lies = isinstance(inner, Joined | ZoneValue | ZonesValue | LocalValue | VariableValue) or (
        isinstance(inner, Attribute) and inner.name == "zone"
    )
    said = voice.say(source)
    lies = lies and not said.startswith("the cards ")
    short = said.removeprefix(f"the {plural(domain.noun)} ")  # card in "taken", not in the cards "taken"
    if short.startswith(QUOTE):
        return f" in {short}"
    return f" {'in' if lies else 'among'} {said}"


def sizes_of(voice: Voice, node: SetsOf) -> str:
    low, high = voice.say(node.low), voice.say(node.high)
    return low if low == high else f"{low} to {high}"


@renders(SetsOf)
def say_sets_of(voice: Voice, node: SetsOf) -> str:
    return f"the sets of {sizes_of(voice, node)} cards in {voice.say(node.cards)}"


@renders(NumberRange)
def say_number_range(voice: Voice, node: NumberRange) -> str:
    return f"from {voice.say(node.low)} to {voice.say(node.high)}{steps_of(voice, node.step)}"


def steps_of(voice: Voice, step: Expr | None) -> str:
    return "" if step is None or (isinstance(step, Const) and step.value == 1) else f" in steps of {voice.say(step)}"


def is_it(expr: Expr, domain: Domain) -> bool:
    return isinstance(expr, LocalValue) and expr.local is domain.local


def adjective(voice: Voice, condition: Expr, domain: Domain) -> str:
    """What stands before the noun: `live`, `face-up`. Empty if the condition is none such."""
    if isinstance(condition, CallDefine) and len(condition.arguments) == 1 and is_it(condition.arguments[0], domain):
        return bare_adjective(condition.define.name)
    if isinstance(condition, VariableValue) and condition.owner is not None and is_it(condition.owner, domain):
        return bare_adjective(condition.variable.name)
    if isinstance(condition, Same) and isinstance(condition.left, Attribute) and is_it(condition.left.operand, domain):
        form = ADJECTIVES.get(condition.left.name)
        return "" if form is None or not isinstance(condition.right, Const) else form.format(voice.say(condition.right))
    return ""


def bare_adjective(name: str) -> str:
    return "" if "_" in name or is_verb(name) else name


def relatives(voice: Voice, domain: Domain, clauses: list[Expr], many: bool) -> str:
    """` other than the leader`, ` whose suit is hearts and which the player may play`."""
    others = [other for one in clauses if (other := exception(voice, one, domain))]
    rest = [one for one in clauses if not exception(voice, one, domain)]
    return "".join(f" other than {other}" for other in others) + relative(voice, domain, rest, many)


def exception(voice: Voice, condition: Expr, domain: Domain) -> str:
    if not isinstance(condition, Not) or not isinstance(condition.operand, Same):
        return ""
    same = condition.operand
    return voice.say(same.right) if is_it(same.left, domain) else ""


def relative(voice: Voice, domain: Domain, clauses: list[Expr], many: bool) -> str:
    if not clauses:
        return ""
    with voice.pronoun(domain):
        said = [attached(voice.say(one), domain, many) for one in clauses]
    return f" {' and '.join(said)}"


def attached(clause: str, domain: Domain, many: bool) -> str:
    """A clause about it, tied to the noun before it."""
    tied = tied_clause(clause, domain)
    for one, several in (("that is ", "that are "), ("who is ", "who are "), ("that has ", "that have ")):
        if many and tied.startswith(one):
            return several + tied[len(one) :]
    return tied


def tied_clause(clause: str, domain: Domain) -> str:
    who = "who" if domain.noun == "player" else "that"
    starts = {"its ": "whose ", "their ": "whose ", "it ": f"{who} ", "that player ": f"{who} "}
    simple = not clause.startswith("if ") and " or " not in clause
    for start, tied in starts.items():
        if simple and clause.startswith(start):
            return tied + clause[len(start) :]
    object_ = OBJECT.fullmatch(clause)
    if simple and object_ is not None and clause.count(" it") == 1:
        return f"that {object_[1]}{object_[2] or ''}"
    return f"where {clause}"


# ---- queries


def there_is(voice: Voice, domain: Domain, some: bool, more: Expr | None = None) -> str:
    said = noun_phrase(voice, domain, more=more)
    return f"there is {article(said) if some else f'no {said}'}"


def count_is(voice: Voice, node: Count, how: str, number: Expr) -> str:
    """`there is exactly 1 live player`, `the number of live players is more than the limit`."""
    said = voice.say(number)
    if not isinstance(number, Const):
        how = {"exactly": "", "other than": "not "}.get(how, f"{how} ")
        return f"the number of {noun_phrase(voice, node.domain, many=True)} is {how}{said}"
    verb = "is" if said == "1" else "are"
    if how == "other than":
        verb, how = f"{verb} not", "exactly"
    return f"there {verb} {how} {said} {noun_phrase(voice, node.domain, many=said != '1')}"


def nobody_or_somebody(voice: Voice, node: Expr, kind: Type, negative: bool) -> str:
    """`x is none`: there is no x. `negative`: there is one."""
    said = voice.say(node)
    if said in ("it", "that player"):
        return f"{said} is{' not' if negative else ''} none"
    if not said.startswith("the ") or " of " in said or "'s " in said:
        return f"{said} is {'there' if negative else 'not there'}"
    return f"there is {article(said) if negative else 'no ' + without_the(said)}"


@renders(Quantified)
def say_quantified(voice: Voice, node: Quantified) -> str:
    match node.quantifier:
        case "any":
            return there_is(voice, node.domain, True, node.condition)
        case "no":
            return there_is(voice, node.domain, False, node.condition)
        case "every":
            return for_every(voice, node)
        case _:
            assert_never(node.quantifier)


def for_every(voice: Voice, node: Quantified) -> str:
    whole = noun_phrase(voice, node.domain)
    with voice.pronoun(node.domain):
        said = voice.say(node.condition)
    for start in ("it ", "that player "):
        if said.startswith(start):
            return f"every {whole} {said[len(start) :]}"
    return f"for every {whole}, {said}"


@renders(Count)
def say_count(voice: Voice, node: Count) -> str:
    return f"the number of {noun_phrase(voice, node.domain, many=True)}"


@renders(Fold)
def say_fold(voice: Voice, node: Fold) -> str:
    """The thing is named where its value stands: `the sum of the points of each card in ...`."""
    match node.operator:
        case "sum":
            each, start = "each", "the sum of the"
        case "highest" | "lowest":
            each, start = "any", f"the {node.operator}"
        case "median":
            each, start = "each", "the median of the"
        case _:
            assert_never(node.operator)
    if isinstance(node.value, Conditional):
        domain = noun_phrase(voice, node.domain)
        with voice.pronoun(node.domain):
            return f"the {node.operator} over each {domain} of ({voice.say(node.value)})"
    with voice.calling(node.domain.local, Called(f"{each} {noun_phrase(voice, node.domain)}")):
        return f"{start} {without_the(voice.say(node.value))}"


@renders(Select)
def say_select(voice: Voice, node: Select) -> str:
    match node.which:
        case "the":
            article_, many = "the last" if node.last else "the", False
        case "random":
            article_, many = "a random", False
        case "all":
            article_, many = "all", True
        case _:
            assert_never(node.which)
    said = noun_phrase(voice, node.domain, many)
    start = order_of(voice, node.domain)
    if start and node.which == "the" and not node.best:
        article_ = "the first"
    return f"{article_} {said}{start}{',' if node.best and (start or ' where ' in said) else ''}{best_of(voice, node)}"


def best_of(voice: Voice, node: Select) -> str:
    """` with the highest rank`."""
    if not node.best or node.key is None:
        return ""
    with voice.pronoun(node.domain):
        key = voice.say(node.key)
    for start in ("its ", "their "):
        if key.startswith(start):
            return f" with the {node.best} {key[len(start) :]}"
    if key.startswith("the "):
        return f" with the {node.best} {without_the(key)}"
    return f", the one for which {key} is {node.best}"


@renders(NextPlayer)
def say_next_player(voice: Voice, node: NextPlayer) -> str:
    way = "right" if node.domain.rightwards else "left"
    return f"the next {noun_phrase(voice, node.domain)} to the {way} of {voice.say(node.after)}"


# ---- loops


def each_of(voice: Voice, domain: Domain) -> str:
    """`each live player, from the left of the dealer`."""
    return f"each {noun_phrase(voice, domain)}{called(voice, domain)}{order_of(voice, domain)}"


def called(voice: Voice, domain: Domain) -> str:
    """` (the other)`: what a thing is called from here on, where that is not plain from its noun."""
    name = voice.name(domain.local).subject
    return "" if name == f"the {noun_for(domain)}" else f" ({name})"


def order_of(voice: Voice, domain: Domain) -> str:
    way = " to the right" if domain.rightwards else ""
    if domain.starting is None:
        return f", in turn{way}" if way else ""
    start = voice.say(domain.starting)
    for side in ("left", "right"):
        start = start.replace(f"the player to the {side} of ", f"the {side} of ", 1)
    return f", in turn{way} from {start}"
