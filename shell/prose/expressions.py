"""Values as nouns, conditions as clauses. `negated` says a condition's opposite."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, assert_never

from trionfi.dsl.tree import (
    AllPlayers,
    AllPlays,
    And,
    Arithmetic,
    Attribute,
    Builtin,
    CallDefine,
    CardAt,
    CardAtIndex,
    CardNamed,
    CardsOf,
    ColumnValue,
    Conditional,
    Const,
    Count,
    Define,
    Empty,
    Enumeration,
    Expr,
    Has,
    IsMeld,
    ItemName,
    Joined,
    Label,
    LetIn,
    LocalValue,
    MarkValue,
    Member,
    Negative,
    Not,
    NumberOffered,
    Offered,
    OptionValue,
    Or,
    Ordered,
    Playable,
    Quantified,
    RankOf,
    Rounded,
    Same,
    ToFraction,
    TopCards,
    TotalOf,
    VariableValue,
    Within,
    Without,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.words import Comparison, Operator
from trionfi.dsl.types import RANK, Type
from trionfi.shell.prose.known import arms_that_may_hold, known
from trionfi.shell.prose.queries import count_is, nobody_or_somebody, there_is
from trionfi.shell.prose.voice import Voice, renders
from trionfi.shell.prose.words import amount, be, human, is_participle, listed, named, of, predicate, term, without_the

__all__ = ["ATTRIBUTE_PHRASES", "define_term", "follows_noun", "negated", "operand", "shown", "zone_name"]

QUOTE = '"'
INLINED = 100  # characters; a longer condition is called by its name

# What an attribute is called where it is not simply `the card's suit`.
ATTRIBUTE_PHRASES = {
    "count": "the number of cards in {}",
    "top": "the top card of {}",
    "left": "the player to the left of {}",
    "right": "the player to the right of {}",
    "zone": "the place where {} lies",
    "place": "the place of {} in its order",
    "bust": "{} is over",
    "soft": "{} is soft",
    "in_force": "{} is in force",
    "has_targets": "{} has targets",
    "melds": "the melds of {}",
    "left cards": "what is left of {}",
}


# ---- constants and names


@renders(Const)
def say_const(voice: Voice, node: Const) -> str:
    return constant(voice, node.type, node.value)


def constant(voice: Voice, kind: Type, value: Any) -> str:
    """A value of a type, as an option's default, too."""
    if value is None:
        return {"player": "nobody", "cards": "no cards"}.get(kind.kind, "none")
    if isinstance(value, Fraction):
        return f"{value.numerator}:{value.denominator}"
    if kind.kind == "truth":
        return "yes" if value else "no"
    if kind.kind in ("player", "team"):
        return f"{kind.kind} {value + 1}"
    if kind.kind == "enum":
        return shown(voice.ruleset.enumerations[kind.name], value)
    if kind.kind == "category":
        return f'"{voice.ruleset.rankings[kind.name].categories[value].name}"'
    if kind.kind == "effect":
        return f'"{voice.ruleset.effects[value].name}"'
    return str(value)


def shown(kind: Enumeration, member: int) -> str:
    """A word of a kind as people read it."""
    return kind.labels.get(member) or human(kind.members[member])


@renders(CardNamed)
def say_card_named(voice: Voice, node: CardNamed) -> str:
    name = voice.ruleset.faces[node.face].name
    return name if name.startswith("The ") else f"the {name}"


@renders(LocalValue)
def say_local_value(voice: Voice, node: LocalValue) -> str:
    name = voice.name(node.local).subject
    return name if node.type.kind != "truth" else truth_local(voice, node, negative=False)


def truth_local(voice: Voice, node: LocalValue, negative: bool) -> str:
    return f'"{human(node.local.name)}" {"does not hold" if negative else "holds"}'


@renders(OptionValue)
def say_option_value(voice: Voice, node: OptionValue) -> str:
    if node.type.kind == "truth":
        return f'the option "{human(node.option.name)}" is set'
    if node.type.kind == "enum":
        return f'the option "{human(node.option.name)}"'
    return named(node.option.name, "option")


@renders(VariableValue)
def say_variable_value(voice: Voice, node: VariableValue) -> str:
    if node.type.kind == "truth":
        return truth_variable(voice, node, negative=False)
    return variable_name(voice, node)


def variable_name(voice: Voice, node: VariableValue) -> str:
    if node.owner is None:
        return named(node.variable.name, kind_word(node.type))
    return voice.owned(node.owner, term(node.variable.name))


def kind_word(kind: Type) -> str:
    """What a thing of a type is called where its own name says it badly."""
    return human(kind.name) if kind.kind == "enum" else kind.kind


def truth_variable(voice: Voice, node: VariableValue, negative: bool) -> str:
    if node.owner is None:
        return f'"{human(node.variable.name)}" {"does not hold" if negative else "holds"}'
    return predicate(voice.say(node.owner), node.variable.name, negative)


PARTICIPLES = ("ed", "en")


def zone_name(name: str) -> str:
    """`taken` alone is no noun: taken cards."""
    return f"{human(name)} cards" if name.endswith(PARTICIPLES) or name == "won" else human(name)


@renders(ZoneValue)
def say_zone_value(voice: Voice, node: ZoneValue) -> str:
    family = node.family
    whole = f"the {zone_name(family.name)}" if node.owner is None else voice.owned(node.owner, zone_name(family.name))
    if node.index is None:
        return whole
    if isinstance(node.index, Const) and isinstance(node.index.value, int) and family.place_names:
        return f"the {human(family.place_names[node.index.value - 1])}"
    return f"{'pile' if family.shape == 'piles' else 'place'} {voice.say(node.index)} of {whole}"


@renders(ZonesValue)
def say_zones_value(voice: Voice, node: ZonesValue) -> str:
    name = zone_name(node.family.name)
    if node.owner is not None:
        return voice.owned(node.owner, name)
    return f"the {name} row" if node.family.shape == "row" else f"the {name}"


@renders(AllPlayers)
def say_all_players(voice: Voice, node: AllPlayers) -> str:
    return "the players"


@renders(AllPlays)
def say_all_plays(voice: Voice, node: AllPlays) -> str:
    return "the plays of this round"


@renders(Offered)
def say_offered(voice: Voice, node: Offered) -> str:
    return "what is offered"


@renders(NumberOffered)
def say_number_offered(voice: Voice, node: NumberOffered) -> str:
    return f"the {node.end} number offered"


@renders(ItemName)
def say_item_name(voice: Voice, node: ItemName) -> str:
    return f'"{node.template}"'


@renders(Label)
def say_label(voice: Voice, node: Label) -> str:
    """The text, its values in brackets as they are found."""
    parts = (
        part if isinstance(part, str) else f"[{without_the(voice.say(part)).replace(QUOTE, '')}]" for part in node.parts
    )
    return f'"{"".join(parts)}"'


# ---- coercions and cards


@renders(CardsOf)
def say_cards_of(voice: Voice, node: CardsOf) -> str:
    return voice.say(node.source)


@renders(CardAt)
def say_card_at(voice: Voice, node: CardAt) -> str:
    zone = voice.say(node.zone)
    return zone if getattr(node.zone, "index", None) is not None else f"the card in {zone}"


@renders(RankOf)
def say_rank_of(voice: Voice, node: RankOf) -> str:
    return f"the rank whose number is {voice.say(node.number)}"


@renders(ToFraction)
def say_to_fraction(voice: Voice, node: ToFraction) -> str:
    return voice.say(node.number)


@renders(CardAtIndex)
def say_card_at_index(voice: Voice, node: CardAtIndex) -> str:
    return f"card {voice.say(node.index)} of {voice.say(node.cards)}"


@renders(TopCards)
def say_top_cards(voice: Voice, node: TopCards) -> str:
    return f"the top {amount(voice.say(node.amount), 'card')} of {voice.say(node.zone)}"


@renders(Joined)
def say_joined(voice: Voice, node: Joined) -> str:
    return listed([voice.say(part) for part in joined_parts(node)])


def joined_parts(node: Expr) -> list[Expr]:
    return [*joined_parts(node.left), *joined_parts(node.right)] if isinstance(node, Joined) else [node]


@renders(Without)
def say_without(voice: Voice, node: Without) -> str:
    return f"{voice.say(node.left)} without {voice.say(node.right)}"


@renders(Attribute)
def say_attribute(voice: Voice, node: Attribute) -> str:
    kind = node.operand.type.kind
    if node.name == "count" and kind in ("players", "plays"):
        said = voice.say(node.operand)
        return (
            f"the number of {without_the(said)}"
            if said.startswith("the players")
            else f"the number of players in {said}"
            if kind == "players"
            else f"the number of plays in {said}"
        )
    if (kind, node.name) in (("total", "value"), ("hand", "category"), ("arrangement", "cost")):
        what = {"value": "", "category": "category of ", "cost": "cost of "}[node.name]
        return f"the {what}{voice.say(node.operand)}" if what else voice.say(node.operand)
    if node.name in ("next", "previous"):
        noun = "rank" if node.type == RANK else human(node.type.name) if kind == "enum" else "category"
        way, said = "after" if node.name == "next" else "before", voice.say(node.operand)
        return f"the one {way} it" if said == f"the {noun}" else f"the {noun} {way} {said}"
    if (kind, node.name) == ("player", "place"):
        return f"the seat of {voice.say(node.operand)}, counted from 1"
    if node.name == "bust" and isinstance(node.operand, TotalOf) and node.operand.total.limit is not None:
        return f"{voice.say(node.operand)} is over {voice.say(node.operand.total.limit)}"
    phrase = ATTRIBUTE_PHRASES.get("left cards" if (kind, node.name) == ("arrangement", "left") else node.name)
    if phrase is None or (kind, node.name) == ("zone", "place"):
        return voice.owned(node.operand, human(node.name))
    return phrase.format(voice.say(node.operand))


@renders(ColumnValue)
def say_column_value(voice: Voice, node: ColumnValue) -> str:
    if node.type.kind == "truth":
        return predicate(voice.say(node.member), node.column.name)
    return voice.owned(node.member, human(node.column.name))


@renders(MarkValue)
def say_mark_value(voice: Voice, node: MarkValue) -> str:
    return voice.owned(node.card, human(node.mark.name))


# ---- calls


@renders(LetIn)
def say_let_in(voice: Voice, node: LetIn) -> str:
    """What follows from a step; the step itself is told before."""
    return voice.say(node.body)


@renders(CallDefine)
def say_call_define(voice: Voice, node: CallDefine) -> str:
    if node.type.kind == "truth":
        return define_clause(voice, node, negative=False)
    return define_noun(voice, node)


def define_noun(voice: Voice, node: CallDefine) -> str:
    name = define_term(node.define)
    if not node.arguments:
        return f"the {name}"
    first, *rest = node.arguments
    if follows_noun(node.define):
        return f"{argument(voice, first)} {human(node.define.name)}"
    noun = voice.owned(first, name) if first.type.kind == "player" else f"the {of(name)} {argument(voice, first)}"
    if isinstance(first, LocalValue) and voice.name(first.local).owner and node.define.attribute:
        noun = voice.owned(first, name)
    return f"{noun} with {listed([argument(voice, one) for one in rest])}" if rest else noun


def define_term(define: Define) -> str:
    """Its name as a noun: of cards that are called by what they are, `face up cards`."""
    name = term(define.name)
    return f"{human(define.name)} cards" if define.type.kind == "cards" and name.startswith(QUOTE) else name


def follows_noun(define: Define) -> bool:
    """Whether it is said behind what it is about: `its rank raised`."""
    only = len(define.parameters) == 1 and define.parameters[0].type.kind != "player"
    return only and define.type == define.parameters[0].type and is_participle(define.name)


def argument(voice: Voice, node: Expr) -> str:
    """What a define is asked about; of a truth the question."""
    return f"whether {voice.say(node)}" if node.type.kind == "truth" else voice.say(node)


def define_clause(voice: Voice, node: CallDefine, negative: bool) -> str:
    """`the leader may lead the card`. Without arguments: what it says, if that is short, else its name."""
    if not node.arguments:
        said = negated(voice, node.define.body) if negative else voice.say(node.define.body)
        return (
            said if len(said) <= INLINED else f'"{human(node.define.name)}" {"does not hold" if negative else "holds"}'
        )
    first, *rest = (voice.say(one) for one in node.arguments)
    clause = predicate(first, node.define.name, negative)
    if not rest:
        return clause
    return f"{clause} {rest[0]}{with_rest(rest[1:])}"


def with_rest(texts: list[str]) -> str:
    return f" with {listed(texts)}" if texts else ""


@renders(Builtin)
def say_builtin(voice: Voice, node: Builtin) -> str:
    given = [bracketed(voice, argument) for argument in node.arguments]
    match node.name:
        case "chance":
            return f"by chance ({' in '.join(given)})"
        case "smaller" | "larger":
            return f"the {node.name} of {listed(given)}"
        case _:
            assert_never(node.name)


@renders(Playable)
def say_playable(voice: Voice, node: Playable) -> str:
    return f"{voice.say(node.player)} can choose all targets of {voice.say(node.what)}"


# ---- operators


@renders(Not)
def say_not(voice: Voice, node: Not) -> str:
    return negated(voice, node.operand)


def grouped(voice: Voice, node: Expr, negative: bool = False) -> str:
    """An operand of `and` and `or`: what is itself a chain, as said, stands in brackets."""
    said = negated(voice, node) if negative else voice.say(node)
    return f"({said})" if is_chain(voice, node) else said


def is_chain(voice: Voice, node: Expr) -> bool:
    """Whether it is said with `and`, `or` or `if`."""
    inner = node.operand if isinstance(node, Not) else node
    if isinstance(inner, CallDefine) and not inner.arguments and inner.type.kind == "truth":
        return len(voice.say(inner.define.body)) <= INLINED and is_chain(voice, inner.define.body)
    if isinstance(inner, Or):
        return not one_of(voice, inner, negative=False)
    return isinstance(inner, And | Conditional)


@renders(And)
def say_and(voice: Voice, node: And) -> str:
    return " and ".join(grouped(voice, one) for one in open_operands(node))


@renders(Or)
def say_or(voice: Voice, node: Or) -> str:
    return one_of(voice, node, negative=False) or " or ".join(grouped(voice, one) for one in open_operands(node))


def open_operands(node: And | Or) -> list[Expr]:
    """Those whose answer is not settled; if all are, the first that says so."""
    answers = [known(one) for one in node.operands]
    if known(node) is not None:
        return [one for one, answer in zip(node.operands, answers, strict=True) if answer is known(node)][:1]
    return [one for one, answer in zip(node.operands, answers, strict=True) if answer is None]


def one_of(voice: Voice, node: Or, negative: bool) -> str:
    """`x is a or x is b` is said as `x is a or b`; empty where it is not so."""
    operands = node.operands
    if not all(isinstance(one, Same) for one in operands):
        return ""
    left = {voice.say(one.left) for one in operands}  # type: ignore[attr-defined]
    if len(left) > 1:
        return ""
    subject = left.pop()
    rest = [compared(voice, one) for one in operands if isinstance(one, Same)]
    return f"{subject} {be(subject, negative)} {listed(rest, 'or')}"


@renders(Same)
def say_same(voice: Voice, node: Same) -> str:
    return sameness(voice, node, negative=False)


def sameness(voice: Voice, node: Same, negative: bool) -> str:
    left, right = node.left, node.right
    if isinstance(right, Const) and right.value is None:
        return nobody_or_somebody(voice, left, right.type if left.type.kind == "none" else left.type, negative)
    if isinstance(left, Count):
        return count_is(voice, left, "other than" if negative else "exactly", right)
    if isinstance(right, Const) and right.type.kind == "truth":
        return voice.say(left) if bool(right.value) is not negative else negated(voice, left)
    if isinstance(left, Attribute) and left.name in ("face", "orientation"):
        subject = voice.say(left.operand)
        face = "face " if left.name == "face" else ""
        return f"{subject} {be(subject, negative)} {face}{voice.say(right)}"
    subject = voice.say(left)
    return f"{subject} {be(subject, negative)} {compared(voice, node)}"


def is_word_of_option(node: Same) -> bool:
    return isinstance(node.left, OptionValue) and node.left.type.kind == "enum" and isinstance(node.right, Const)


def compared(voice: Voice, node: Same) -> str:
    """What a thing is; the word of an option stands in quotes, or its own `or` and `not` would be read as ours."""
    said = voice.say(node.right)
    return f'"{said}"' if is_word_of_option(node) else said


@renders(Ordered)
def say_ordered(voice: Voice, node: Ordered) -> str:
    return ordering(voice, node, node.operator)


def more_or_less(operator: Comparison) -> str:
    match operator:
        case "<":
            return "less than"
        case "<=":
            return "at most"
        case ">":
            return "more than"
        case ">=":
            return "at least"
        case _:
            assert_never(operator)


def above_or_below(operator: Comparison) -> str:
    """Hands and ranks are not more or less, they are above and below one another."""
    match operator:
        case "<":
            return "below"
        case "<=":
            return "not above"
        case ">":
            return "above"
        case ">=":
            return "not below"
        case _:
            assert_never(operator)


def opposite_of(operator: Comparison) -> Comparison:
    match operator:
        case "<":
            return ">="
        case "<=":
            return ">"
        case ">":
            return "<="
        case ">=":
            return "<"
        case _:
            assert_never(operator)


def ordering(voice: Voice, node: Ordered, operator: Comparison) -> str:
    if isinstance(node.left, Count):
        if voice.say(node.right) == "0":
            return there_is(voice, node.left.domain, operator == ">")
        return count_is(voice, node.left, more_or_less(operator), node.right)
    words = more_or_less if node.left.type.kind in ("number", "fraction") else above_or_below
    subject = voice.say(node.left)
    return f"{subject} {be(subject)} {words(operator)} {voice.say(node.right)}"


@renders(Within)
def say_within(voice: Voice, node: Within) -> str:
    subject = voice.say(node.operand)
    return f"{subject} {be(subject)} from {voice.say(node.low)} to {voice.say(node.high)}"


@renders(Member)
def say_member(voice: Voice, node: Member) -> str:
    return membership(voice, node, negative=False)


def membership(voice: Voice, node: Member, negative: bool) -> str:
    subject = voice.say(node.item)
    return f"{subject} {be(subject, negative)} {among(voice, node.collection)}"


def among(voice: Voice, collection: Expr) -> str:
    inner = collection.source if isinstance(collection, CardsOf) else collection
    return f"{'in' if isinstance(inner, ZoneValue | ZonesValue) else 'among'} {voice.say(collection)}"


@renders(Empty)
def say_empty(voice: Voice, node: Empty) -> str:
    subject = voice.say(node.operand)
    return f"{subject} {be(subject)} empty"


@renders(Has)
def say_has(voice: Voice, node: Has) -> str:
    match node.amount:
        case "every" | "no":
            what = f"{node.amount} {node.what}"
        case "some":
            what = f"{node.what} {'' if node.value is None else voice.say(node.value)}"
        case _:
            assert_never(node.amount)
    return f"{voice.say(node.card)} has {what}"


@renders(Arithmetic)
def say_arithmetic(voice: Voice, node: Arithmetic) -> str:
    left, right = operand(voice, node.left), operand(voice, node.right)
    if node.operator == "mod":
        return remainder(voice, node, left, right)
    return f"{left} {spoken_operator(node.operator)} {right}"


def remainder(voice: Voice, node: Arithmetic, left: str, right: str) -> str:
    """The last digit, of a number that a card bears: no card bears one below 0."""
    if right == "10" and isinstance(node.left, Attribute) and node.left.name == "number":
        return f"the last digit of {left}"
    return f"the remainder of {left} divided by {right}"


def spoken_operator(operator: Operator) -> str:
    match operator:
        case "+":
            return "plus"
        case "-":
            return "minus"
        case "*":
            return "times"
        case "mod":
            return "modulo"
        case "/":
            return "divided by"
        case _:
            assert_never(operator)


def bracketed(voice: Voice, node: Expr) -> str:
    """What has an `and` of its own, beside an `and`."""
    said = voice.say(node)
    return f"({said})" if isinstance(node, Builtin | Conditional | Joined) else said


def operand(voice: Voice, node: Expr) -> str:
    said = voice.say(node)
    return f"({said})" if isinstance(node, Arithmetic | Conditional | Rounded) else said


@renders(Negative)
def say_negative(voice: Voice, node: Negative) -> str:
    return f"minus {operand(voice, node.operand)}"


@renders(Rounded)
def say_rounded(voice: Voice, node: Rounded) -> str:
    return f"{voice.say(node.operand)}, rounded {'up' if node.up else 'down'}"


@renders(Conditional)
def say_conditional(voice: Voice, node: Conditional) -> str:
    """Of truths: each condition with what then must hold; else the values with their conditions."""
    kept, otherwise = arms_that_may_hold(node.arms, node.otherwise)
    if not kept:
        return voice.say(otherwise)
    if node.type.kind == "truth":
        arms = [f"if {whole(voice, asked)}: {clause(voice, value)}" for asked, value in kept]
        return "; ".join([*arms, f"otherwise: {clause(voice, otherwise)}"])
    arms = [f"{whole(voice, value)} if {whole(voice, asked)}" for asked, value in kept]
    return ", ".join([*arms, f"otherwise {whole(voice, otherwise)}"])


def whole(voice: Voice, node: Expr) -> str:
    """A part of a conditional: one that has cases itself stands in brackets, or nobody knows whose they are."""
    said = voice.say(node)
    return f"({said})" if has_cases(voice, node) else said


def has_cases(voice: Voice, node: Expr) -> bool:
    """Whether it is said with `if` and `otherwise`, perhaps by the words of a define."""
    inner = node.operand if isinstance(node, Not) else node
    if isinstance(inner, CallDefine) and not inner.arguments and inner.type.kind == "truth":
        return len(voice.say(inner.define.body)) <= INLINED and has_cases(voice, inner.define.body)
    return isinstance(inner, Conditional) and bool(arms_that_may_hold(inner.arms, inner.otherwise)[0])


def clause(voice: Voice, node: Expr) -> str:
    if isinstance(node, Const):
        return "always" if node.value else "never"
    return whole(voice, node)


# ---- opposites


def negated(voice: Voice, node: Expr) -> str:
    """The opposite of a condition, as one would say it."""
    opposite = OPPOSITES.get(type(node))
    return opposite(voice, node) if opposite is not None else f"it is not so that {voice.say(node)}"


def negated_each(voice: Voice, node: Any, word: str) -> str:
    return f" {word} ".join(grouped(voice, one, negative=True) for one in open_operands(node))


def negated_subject(voice: Voice, node: Any, words: str) -> str:
    subject = voice.say(node.operand)
    return f"{subject} {be(subject, negative=True)} {words}"


def negated_quantified(voice: Voice, node: Quantified) -> str:
    match node.quantifier:
        case "any":
            return there_is(voice, node.domain, False, node.condition)
        case "no":
            return there_is(voice, node.domain, True, node.condition)
        case "every":
            return f"it is not so that {voice.say(node)}"
        case _:
            assert_never(node.quantifier)


OPPOSITES: dict[type, Any] = {
    Same: lambda voice, node: sameness(voice, node, negative=True),
    Ordered: lambda voice, node: ordering(voice, node, opposite_of(node.operator)),
    Member: lambda voice, node: membership(voice, node, negative=True),
    Empty: lambda voice, node: negated_subject(voice, node, "empty"),
    Within: lambda voice, node: negated_subject(voice, node, f"from {voice.say(node.low)} to {voice.say(node.high)}"),
    LetIn: lambda voice, node: negated(voice, node.body),
    CallDefine: lambda voice, node: define_clause(voice, node, negative=True),
    VariableValue: lambda voice, node: truth_variable(voice, node, negative=True),
    LocalValue: lambda voice, node: truth_local(voice, node, negative=True),
    OptionValue: lambda voice, node: f'the option "{human(node.option.name)}" is not set',
    Has: lambda voice, node: voice.say(node).replace(" has ", " does not have ", 1),
    Or: lambda voice, node: one_of(voice, node, negative=True) or negated_each(voice, node, "and"),
    And: lambda voice, node: negated_each(voice, node, "or"),
    Not: lambda voice, node: voice.say(node.operand),
    IsMeld: lambda voice, node: voice.say(node).replace(" are ", " are not ", 1),
    Playable: lambda voice, node: voice.say(node).replace(" can ", " cannot ", 1),
    Quantified: negated_quantified,
}
