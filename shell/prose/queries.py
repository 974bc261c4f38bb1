"""Queries and what choices go over: nouns with what is said of the things in question."""

from __future__ import annotations

from trionfi.dsl.tree import (
    AllPlayers,
    And,
    Attribute,
    CallDefine,
    CardsOf,
    Const,
    Count,
    Domain,
    Expr,
    Fold,
    LocalValue,
    NextPlayer,
    Not,
    Offered,
    Quantified,
    Same,
    Select,
    VariableValue,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.types import Type
from trionfi.shell.prose.voice import Called, Voice, renders
from trionfi.shell.prose.words import article, human, is_verb, plural, without_the

__all__ = ["count_is", "each_of", "nobody_or_somebody", "noun_phrase", "order_of", "there_is"]


def noun_phrase(voice: Voice, domain: Domain, many: bool = False, more: Expr | None = None) -> str:
    """`live players`, `card in their hand whose suit is hearts`; without article. `more` is said of it, too."""
    conditions = [*parts_of(domain.where), *parts_of(more)]
    adjectives = [word for one in conditions if (word := adjective(voice, one, domain))]
    clauses = [one for one in conditions if not adjective(voice, one, domain)]
    noun = noun_for(domain)
    said = " ".join([*adjectives, plural(noun) if many else noun])
    return said + place_of(voice, domain) + relatives(voice, domain, clauses)


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
    source = domain.source
    if source is None or isinstance(source, AllPlayers):
        return ""
    if isinstance(source, Offered):
        return " among those offered"
    inner = source.source if isinstance(source, CardsOf) else source
    if isinstance(inner, ZonesValue) and domain.noun == "zone":
        return f" of {voice.say(source)}"
    return f" {'in' if isinstance(inner, ZoneValue | ZonesValue | LocalValue) else 'among'} {voice.say(source)}"


def is_it(expr: Expr, domain: Domain) -> bool:
    return isinstance(expr, LocalValue) and expr.local is domain.local


def adjective(voice: Voice, condition: Expr, domain: Domain) -> str:
    """What stands before the noun: `live`, `face-up`. Empty if the condition is none such."""
    if isinstance(condition, CallDefine) and len(condition.arguments) == 1 and is_it(condition.arguments[0], domain):
        return bare_adjective(condition.define.name)
    if isinstance(condition, VariableValue) and condition.owner is not None and is_it(condition.owner, domain):
        return bare_adjective(condition.variable.name)
    if isinstance(condition, Same) and isinstance(condition.left, Attribute) and is_it(condition.left.operand, domain):
        face = {"face": "face-", "orientation": ""}.get(condition.left.name)
        return "" if face is None or not isinstance(condition.right, Const) else face + voice.say(condition.right)
    return ""


def bare_adjective(name: str) -> str:
    return "" if "_" in name or is_verb(name) else name


def relatives(voice: Voice, domain: Domain, clauses: list[Expr]) -> str:
    """` other than the leader`, ` whose suit is hearts and which the player may play`."""
    others = [other for one in clauses if (other := exception(voice, one, domain))]
    rest = [one for one in clauses if not exception(voice, one, domain)]
    return "".join(f" other than {other}" for other in others) + relative(voice, domain, rest)


def exception(voice: Voice, condition: Expr, domain: Domain) -> str:
    if not isinstance(condition, Not) or not isinstance(condition.operand, Same):
        return ""
    same = condition.operand
    return voice.say(same.right) if is_it(same.left, domain) else ""


def relative(voice: Voice, domain: Domain, clauses: list[Expr]) -> str:
    if not clauses:
        return ""
    with voice.pronoun(domain):
        said = [attached(voice.say(one), domain) for one in clauses]
    return f" {' and '.join(said)}"


def attached(clause: str, domain: Domain) -> str:
    """A clause about it, tied to the noun before it."""
    who = "who" if domain.noun == "player" else "that"
    starts = {"its ": "whose ", "their ": "whose ", "it ": f"{who} ", "that player ": f"{who} "}
    simple = not clause.startswith("if ") and " or " not in clause
    for start, tied in starts.items():
        if simple and clause.startswith(start):
            return tied + clause[len(start) :]
    if simple and clause.endswith(" it") and clause.count(" it") == 1:
        return f"that {clause[:-3]}"
    return f"where {clause}"


# ---- queries


def there_is(voice: Voice, domain: Domain, some: bool, more: Expr | None = None) -> str:
    return f"there is {article(noun_phrase(voice, domain, more=more)) if some else 'no ' + noun_phrase(voice, domain, more=more)}"


def count_is(voice: Voice, node: Count, how: str, number: Expr) -> str:
    """`there is exactly 1 live player`."""
    said = voice.say(number)
    if not isinstance(number, Const):
        return f"the number of {noun_phrase(voice, node.domain, many=True)} is {how.removeprefix('exactly').strip()} {said}".replace("  ", " ")
    verb = "is" if said == "1" else "are"
    return f"there {verb} {how} {said} {noun_phrase(voice, node.domain, many=said != '1')}"


def nobody_or_somebody(voice: Voice, node: Expr, kind: Type, negative: bool) -> str:
    """`x is none`: there is no x. `negative`: there is one."""
    said = voice.say(node)
    if said in ("it", "that player"):
        return f"{said} is{' not' if negative else ''} none"
    if not said.startswith("the ") or " of " in said:
        return f"{said} is {'there' if negative else 'not there'}"
    return f"there is {article(said) if negative else 'no ' + without_the(said)}"


@renders(Quantified)
def say_quantified(voice: Voice, node: Quantified) -> str:
    if node.quantifier != "every":
        return there_is(voice, node.domain, node.quantifier == "any", node.condition)
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
    each = f"{'each' if node.operator == 'sum' else 'any'} {noun_phrase(voice, node.domain)}"
    with voice.calling(node.domain.local, Called(each)):
        value = without_the(voice.say(node.value))
    return f"the sum of the {value}" if node.operator == "sum" else f"the {node.operator} {value}"


@renders(Select)
def say_select(voice: Voice, node: Select) -> str:
    many = node.which == "all"
    article_ = {"the": "the", "all": "all", "random": "a random"}[node.which]
    return f"{article_} {noun_phrase(voice, node.domain, many)}{best_of(voice, node)}"


def best_of(voice: Voice, node: Select) -> str:
    """` with the highest rank`."""
    if not node.best or node.key is None:
        return ""
    with voice.pronoun(node.domain):
        key = voice.say(node.key)
    for start in ("its ", "their "):
        if key.startswith(start):
            return f" with the {node.best} {key[len(start) :]}"
    return f", the one for which {key} is {node.best}"


@renders(NextPlayer)
def say_next_player(voice: Voice, node: NextPlayer) -> str:
    return f"the next {noun_phrase(voice, node.domain)} to the left of {voice.say(node.after)}"


# ---- loops


def each_of(voice: Voice, domain: Domain) -> str:
    """`each live player, from the left of the dealer`."""
    return f"each {noun_phrase(voice, domain)}{order_of(voice, domain)}"


def order_of(voice: Voice, domain: Domain) -> str:
    if domain.starting is None:
        return ""
    start = voice.say(domain.starting)
    left = "the player to the left of "
    return f", in turn from {f'the left of {start[len(left) :]}' if start.startswith(left) else start}"


