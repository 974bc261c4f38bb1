"""What an operation may be given, what it gives, and what it may be about: the rules behind the table of signatures."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import TypeVar

from trionfi.core.ir import Let
from trionfi.core.ops import SIGNATURES, Op
from trionfi.core.types import (
    CARD,
    INT,
    NONE,
    PLAY,
    SEAT,
    TARGET,
    TEAM,
    ZONE,
    CoreType,
    Kind,
    core_type,
    list_of,
    read_type,
)
from trionfi.dsl.tree import Mark, Ruleset, Variable, ZoneFamily

__all__ = ["fits", "operation_faults"]

Faults = Iterator[str]
T = TypeVar("T", Variable, ZoneFamily, Mark)


def operation_faults(let: Let, rules: Ruleset | None, places: int) -> Faults:
    """What is wrong with an operation by itself. Without rules the names of declarations are believed; `places`: how
    many the program has, 0 if they are not known."""
    faults = [*argument_faults(let), *result_faults(let)]
    yield from faults
    if not faults and let.op in TYPINGS:
        yield from TYPINGS[let.op](let)
    if rules is not None and let.op in ABOUT:
        yield from ABOUT[let.op](let, rules)
    if let.op in AT_PLACE:
        yield from place_faults(let, places)
    elif let.op in OF_NUMBER:
        yield from number_faults(let)
    elif let.op in OF_WORD:
        yield from word_faults(let)
    elif let.about and let.op not in ABOUT and let.op not in (Op.LOOKUP, Op.MATCHING, Op.STOPS):
        yield f"{let.op} is about nothing"


# ---- what signatures say


def argument_faults(let: Let) -> Faults:
    """The arguments are as many as the signature says, and each is of its kind."""
    takes = SIGNATURES[let.op].takes
    rest = takes[-1].removesuffix("*") if takes and takes[-1].endswith("*") else ""
    words = list(takes[:-1] if rest else takes)
    if len(let.args) < len(words) or (len(let.args) > len(words) and not rest):
        yield f"{let.op} takes {len(words)}{' or more' if rest else ''}, not {len(let.args)}"
        return
    words += [rest] * (len(let.args) - len(words))
    for word, arg in zip(words, let.args, strict=True):
        if not fits(word, arg.type):
            yield f"{let.op} takes {word}, not {arg.type}"


def fits(word: str, kind: CoreType) -> bool:
    """Whether a value of a type may stand where a signature has this word: a wildcard, or a kind of any name."""
    match word:
        case "any":
            return kind.kind is not Kind.MENU
        case "reference":
            return kind.is_reference and not kind.optional
        case "number":
            return kind == INT or fits("reference", kind)
        case "list":
            return kind.is_list
        case "sized":
            return kind.is_list or kind == ZONE or kind.kind in (Kind.SEATS, Kind.PLACES)
        case _:
            wanted = read_type(word)
            if kind == NONE:
                return wanted.optional
            is_named_so = kind.name == wanted.name or not wanted.name
            return kind.kind is wanted.kind and is_named_so and (wanted.optional or not kind.optional)


def result_faults(let: Let) -> Faults:
    signature = SIGNATURES[let.op]
    if let.target is None:
        if signature.gives != "-" and not signature.writes:
            yield f"what {let.op} gives is needed, for it does nothing else"
    elif signature.gives == "-":
        yield f"{let.op} gives nothing"
    elif signature.gives != "as told" and let.target.type != read_type(signature.gives):
        yield f"{let.op} gives {signature.gives}, not {let.target.type}"


# ---- results that follow from the operands


def unwrap(let: Let) -> Faults:
    yield from wrong_result(let, let.args[0].type.some)
    if not let.args[0].type.optional:
        yield "what is unwrapped is never none"


def select(let: Let) -> Faults:
    for arg in let.args[1:]:
        if let.target and not let.target.type.takes(arg.type):
            yield f"{arg.type} is chosen where {let.target.type} is wanted"


def same(let: Let) -> Faults:
    one, other = (arg.type for arg in let.args)
    if NONE not in (one, other) and one.some != other.some:
        yield f"{one} is compared with {other}"


def thing(let: Let) -> Faults:
    if let.target and not fits("reference", let.target.type):
        yield f"{let.target.type} is no thing"


def lookup(let: Let) -> Faults:
    if not let.about or not all(isinstance(number, int) and number >= -1 for number in let.about):
        yield "a table has numbers from -1"
    elif let.target and (not fits("number", let.target.type.some) or let.target.type.optional != (-1 in let.about)):
        yield f"{let.target.type} is not what is in the table"


def empty(let: Let) -> Faults:
    if let.target and not let.target.type.is_list:
        yield f"{let.target.type} is no list"


def item(let: Let) -> Faults:
    yield from wrong_result(let, let.args[0].type.element)


def contains(let: Let) -> Faults:
    if let.args[0].type.element != let.args[1].type:
        yield f"{let.args[0].type} never contains {let.args[1].type}"


def alike(let: Let) -> Faults:
    if let.args[0].type != let.args[1].type:
        yield f"{let.args[0].type} is never like {let.args[1].type}"


def target(let: Let) -> Faults:
    if let.args[0].type not in (CARD, PLAY):
        yield f"nothing is aimed at {let.args[0].type}"


def aimed(let: Let) -> Faults:
    for arg in let.args[2:]:
        if arg.type != list_of(TARGET):
            yield f"{list_of(TARGET)} is wanted, not {arg.type}"


def same_list(let: Let) -> Faults:
    yield from wrong_result(let, let.args[0].type)


def gives(kind: CoreType) -> Callable[[Let], Faults]:
    return lambda let: wrong_result(let, kind)


def of_kind(kind: Kind) -> Callable[[Let], Faults]:
    def rule(let: Let) -> Faults:
        if let.target and let.target.type.kind is not kind:
            yield f"{let.op} gives {kind}, not {let.target.type}"

    return rule


def wrong_result(let: Let, wanted: CoreType) -> Faults:
    if let.target and let.target.type != wanted:
        yield f"{let.op} gives {wanted}, not {let.target.type}"


TYPINGS: dict[Op, Callable[[Let], Faults]] = {
    Op.UNWRAP: unwrap,
    Op.SELECT: select,
    Op.SAME: same,
    Op.THING: thing,
    Op.LOOKUP: lookup,
    Op.EMPTY: empty,
    Op.ITEM: item,
    Op.CONTAINS: contains,
    Op.ALIKE: alike,
    Op.TARGET: target,
    Op.ENTER_PLAY: aimed,
    Op.OFFERED: empty,
    Op.GROUPED: same_list,
    Op.SORTED: same_list,
    Op.FIRST_ITEMS: same_list,
    Op.SUIT: gives(CoreType(Kind.MEMBER, "suit", True)),
    Op.RANK: gives(CoreType(Kind.MEMBER, "rank", True)),
    Op.BEST_HAND: of_kind(Kind.HAND),
    Op.MAKE_HAND: of_kind(Kind.HAND),
    Op.HAND_CATEGORY: of_kind(Kind.CATEGORY),
    Op.TOTAL: of_kind(Kind.TOTAL),
    Op.ARRANGED: of_kind(Kind.ARRANGEMENT),
}


# ---- declarations


OWNERS = {"player": SEAT, "team": TEAM, "suit": CoreType(Kind.MEMBER, "suit"), "spot": ZONE}


def variable(let: Let, rules: Ruleset) -> Faults:
    found = named(let, rules.variables)
    if found is None:
        yield f"there is no variable {told(let)}"
        return
    kind = core_type(found.type)
    owners = let.args[1:] if let.op is Op.STORE else let.args
    yield from owner_faults(found, tuple(arg.type for arg in owners))
    if let.op is Op.STORE and not kind.takes(let.args[0].type):
        yield f"the variable {found.name} is {kind}, not {let.args[0].type}"
    if let.op in (Op.LOAD, Op.STACKED_VALUE):
        yield from wrong_result(let, kind)


def zone_family(let: Let, rules: Ruleset) -> Faults:
    """A zone by its owner, where it has one, and by its place, where that is told."""
    found = named(let, rules.zones)
    if found is None:
        yield f"there is no zone {told(let)}"
        return
    owners = [arg.type for arg in let.args]
    if "place" in let.about[1:] and (not owners or owners.pop() != INT):
        yield "the place is a number"
        return
    yield from owner_faults(found, tuple(owners))


def owner_faults(found: Variable | ZoneFamily, owners: tuple[CoreType, ...]) -> Faults:
    wanted = (owner_type(found),) if found.per else ()
    if owners != wanted:
        yield f"{found.name} is of ({', '.join(map(str, wanted))}), not of ({', '.join(map(str, owners))})"


def owner_type(found: Variable | ZoneFamily) -> CoreType:
    if found.per == "kind" and isinstance(found, Variable):
        return CoreType(Kind.MEMBER, found.per_kind)
    return OWNERS[found.per]


def spot(let: Let, rules: Ruleset) -> Faults:
    if named(let, rules.variables) is None:
        yield f"there is no variable {told(let)}"


def mark(let: Let, rules: Ruleset) -> Faults:
    found = named(let, rules.marks)
    if found is None:
        yield f"there is no mark {told(let)}"
    elif let.op is Op.MARK:
        yield from wrong_result(let, core_type(found.type))
    elif let.args[1].type != core_type(found.type).some:
        yield f"the mark {found.name} is {core_type(found.type).some}, not {let.args[1].type}"


def declared(what: str, read: Callable[[Ruleset], Container[object]]) -> Callable[[Let, Ruleset], Faults]:
    """The rule of what is about one of these, by its name."""

    def rule(let: Let, rules: Ruleset) -> Faults:
        if told(let) not in read(rules):
            yield f"there is no {what} {told(let)}"

    return rule


def numbered(what: str, read: Callable[[Ruleset], Sequence[object]]) -> Callable[[Let, Ruleset], Faults]:
    """The same of what has a number."""

    def rule(let: Let, rules: Ruleset) -> Faults:
        if told(let) not in range(len(read(rules))):
            yield f"there is no {what} {told(let)}"

    return rule


def named(let: Let, things: list[T]) -> T | None:
    return next((thing for thing in things if thing.name == told(let)), None)


def told(let: Let) -> str | int:
    """The declaration that an operation is about; empty if it says none."""
    return let.about[0] if let.about else ""


ABOUT: dict[Op, Callable[[Let, Ruleset], Faults]] = {
    **dict.fromkeys((Op.LOAD, Op.STORE, Op.STACKED_VALUE, Op.IS_SET_BY_STACK), variable),
    **dict.fromkeys((Op.ZONE_AT, Op.ZONES_OF), zone_family),
    **dict.fromkeys((Op.MARK, Op.SET_MARK), mark),
    Op.HAS_SPOT: spot,
    Op.OPTION: declared("option", lambda rules: rules.options),
    Op.NAMED_CARD: numbered("face", lambda rules: rules.faces),
    Op.SEE: numbered("measure", lambda rules: rules.measures),
    **dict.fromkeys((Op.BEST_HAND, Op.MAKE_HAND), declared("ranking", lambda rules: rules.rankings)),
    Op.COUNT_HANDS: declared("ranking, total or meld", lambda rules: {**rules.rankings, **rules.totals, **rules.melds}),
    Op.ENTER_PLAY: declared("effect", lambda rules: {effect.name for effect in rules.effects}),
    Op.TOTAL: declared("total", lambda rules: rules.totals),
    **dict.fromkeys((Op.ARRANGED, Op.IS_MELD), declared("meld", lambda rules: rules.melds)),
}


# ---- places of the program

AT_PLACE = frozenset({Op.SAY, Op.SHUFFLE, Op.DRAW, Op.ASK, Op.ASK_PICK, Op.ASK_NUMBER, Op.ASK_SIDE})


def place_faults(let: Let, places: int) -> Faults:
    if places and told(let) not in range(places):
        yield f"{let.op} is at a place of the program, not {told(let) or 'nowhere'}"


# ---- numbers: a line of a menu, a thing of an option, what a pass of a loop weighs

OF_NUMBER = frozenset({Op.OFFER, Op.IS_OFFERED, Op.ABOUT, Op.PASS})


def number_faults(let: Let) -> Faults:
    if len(let.about) != 1 or not isinstance(let.about[0], int) or let.about[0] < 0:
        yield f"{let.op} says one number"


# ---- words of the language or of the ruleset: a noun, a label

OF_WORD = frozenset({Op.OFFERED, Op.LINE_NAMED})


def word_faults(let: Let) -> Faults:
    if len(let.about) != 1 or not isinstance(let.about[0], str):
        yield f"{let.op} says one word"
