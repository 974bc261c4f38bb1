"""Names, what is written after a dot, places in brackets, cards by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, cast

from trionfi.dsl.check.coerce import fit, is_row_place, moved_to
from trionfi.dsl.check.context import NOUNS, SPOKEN_THING, UNKNOWN, Frame, RowPlace, Thing, fold
from trionfi.dsl.check.dispatch import Part, infer, rule, take
from trionfi.dsl.check.spoken import kind_of, owner_of, spoken
from trionfi.dsl.diagnostics import declare_absences, declare_codes, did_you_mean, nearest
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    ATTRIBUTES,
    AllPlayers,
    AllPlays,
    Attribute,
    CallDefine,
    CardAt,
    CardAtIndex,
    CardNamed,
    CategoryColumn,
    ColumnValue,
    ConditionRanking,
    Const,
    Define,
    Expr,
    ItemName,
    KindColumn,
    LocalValue,
    Mark,
    MarkValue,
    MeldSpec,
    NumberOffered,
    Offered,
    Option,
    OptionValue,
    PatternRanking,
    Procedure,
    TopCards,
    Variable,
    VariableValue,
    ZoneFamily,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.words import EXTREMES
from trionfi.dsl.types import (
    CARD,
    CARDS,
    COLLECTION_OF,
    DECK,
    EFFECT,
    ELEMENT_OF,
    FACE,
    LABEL,
    NONE,
    NUMBER,
    ORIENTATION,
    PLAYER,
    PLAYERS,
    PLAYS,
    RANK,
    SUIT,
    TRUTH,
    ZONE,
    ZONES,
    Type,
    category,
    enum,
)

declare_codes(
    {
        "whose": "What each player (team, suit, place) has is written with its owner.",
        "unknown-attribute": "After a dot stands a belonging of the thing before it.",
        "not-a-value": "Defines are called with brackets; procedures, rankings and zones are no values.",
        "seats": "A seat, an opponent or a team must exist at every table of the game.",
        "unknown-card": "A card is called by a name of the deck.",
        "ambiguous-name": "A word of several kinds stands where one of them is wanted.",
        "sealed": "What is chosen in secret cannot be read until all have chosen.",
        "bad-index": "A place of a row or of piles is counted from 1.",
    }
)
declare_absences("unknown-attribute", "unknown-card")

_CONSTANTS: dict[str, tuple[Type, object]] = {"true": (TRUTH, True), "false": (TRUTH, False), "none": (NONE, None)}
_RESULTS = {
    "suit": SUIT,
    "rank": RANK,
    "deck": DECK,
    "orientation": ORIENTATION,
    "face": FACE,
    "colour": enum("colour"),
}


# ---- bare names


@rule("name")
def check_name(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    name, span = str(tree.children[0]), frame.span(tree)
    local = frame.lookup(name)
    if local is not None:
        frame.read.add(local)
        return LocalValue(local.type, span, local) if local.type != UNKNOWN else None
    if wanted is not None and name in frame.context.members(wanted):
        return Const(wanted, span, frame.context.members(wanted).index(name))
    own = own_value(frame, name, span)
    if own is not None:
        return own
    seat = seat_number(name)
    if seat is not None:
        return _seat(frame, seat, span)
    thing = frame.names.lookup(name, frame.source)
    if thing is not None:
        return read_thing(frame, thing, name, span, None)
    return _member(frame, name, span, wanted)


def own_value(frame: Frame, name: str, span: Span) -> Expr | None:
    """A value that the language calls by a word: true, none, players; in strategies what is offered."""
    if name in _CONSTANTS:
        type, value = _CONSTANTS[name]
        return Const(type, span, value)
    if name == "players":
        return AllPlayers(PLAYERS, span)
    if name == "plays":
        return AllPlays(PLAYS, span)
    if frame.kind == "strategy" and name == "options":
        nouns = frame.decision.nouns if frame.decision else set()
        kind = COLLECTION_OF.get(min(nouns, default=""), CARDS)
        return Offered(kind, span, ELEMENT_OF[kind.kind].kind, ELEMENT_OF[kind.kind])
    if frame.kind == "strategy" and name in ("lowest_offered", "highest_offered"):
        return NumberOffered(NUMBER, span, EXTREMES[name.partition("_")[0]])
    return None


_SEAT = re.compile(r"p[1-9][0-9]{0,5}")


def seat_number(name: str) -> int | None:
    """The seat that `p1`, `p2` ... name, from 0."""
    return int(name[1:]) - 1 if _SEAT.fullmatch(name) else None


def _seat(frame: Frame, seat: int, span: Span) -> Expr | None:
    most = frame.context.players[1]
    if seat < most:
        return Const(PLAYER, span, seat)
    frame.error("seats", f"there is no seat `{span.text}`: the game has at most {most} players", span)
    return None


def _member(frame: Frame, name: str, span: Span, wanted: Type | None) -> Expr | None:
    """A member of the one enumeration that has it; else the name is unknown."""
    holding = [one for one in frame.context.enumerations.values() if name in one.members]
    if not holding:
        _unknown(frame, name, span, wanted)
        return None
    if wanted is not None and wanted.kind != "enum" and wanted != NONE:
        # the caller wants something else altogether: let it say so
        return Const(enum(holding[0].name), span, holding[0].members.index(name))
    if wanted is not None and wanted.kind == "enum":
        known = [*frame.context.members(wanted), *_values(frame)]
        message = f"`{name}` is {spoken(enum(holding[0].name))}, {spoken(wanted)} was wanted here"
        frame.error("wrong-type", message, span, did_you_mean(name, known))
        return None
    if len(holding) > 1:
        several = " and of ".join(f"`{one.name}`" for one in holding)
        frame.error("ambiguous-name", f"`{name}` is a member of {several}, and nothing here says which", span)
        return None
    return Const(enum(holding[0].name), span, holding[0].members.index(name))


def is_open(frame: Frame, tree: Part) -> bool:
    """Whether a part is a word that only the type wanted at its place explains: a member, or a quoted name."""
    if tree.data != "name":
        return tree.data == "quoted"
    name = str(tree.children[0])
    if frame.lookup(name) or own_value(frame, name, frame.span(tree)) or seat_number(name) is not None:
        return False
    return frame.names.lookup(name, frame.source) is None


# What other languages call the three words.
_MEANT = {
    **dict.fromkeys(("yes", "on", "true"), "true"),
    **dict.fromkeys(("off", "no", "false"), "false"),
    **dict.fromkeys(("break", "exit"), "stop"),
    **dict.fromkeys(("null", "nil", "nothing", "nobody", "none"), "none"),
}


def _unknown(frame: Frame, name: str, span: Span, wanted: Type | None) -> None:
    owners = frame.names.owners_of(name)
    if owners:
        _say_whose(frame, name, owners[0], span)
        return
    if name in NOUNS:
        message = f"nothing here is called `{name}`"
        frame.error("unknown-name", message, span, f"a loop, a query or a parameter names one: `each {name} ...`")
        return
    if fold(name) in frame.names.cards:
        frame.error("unknown-card", "a card so called is written in quotes", span, f'write `"{name}"`')
        return
    if name in frame.names.decisions:
        hint = "keep it in a variable, or hand it over as a parameter"
        frame.error("unknown-name", f"what was chosen as `{name}` is known only in the script that asks", span, hint)
        return
    if name == "continue":
        hint = "what is passed over stands under an `if`"
        frame.error("unknown-name", "no statement goes on with the next pass of a loop", span, hint)
        return
    if meant := _MEANT.get(name.lower()):
        frame.error("unknown-name", f"there is no name `{name}`", span, f"write `{meant}`")
        return
    members = frame.context.members(wanted) if wanted else []
    hint = did_you_mean(name, [*members, *_values(frame)]) or _called_like(frame, name)
    message = f"`{name}` is neither {spoken(wanted)} nor a name of the game" if members and wanted else ""
    frame.error("unknown-name", message or f"there is no name `{name}`", span, hint)


def _values(frame: Frame) -> list[str]:
    """The names that stand for a value without brackets."""
    things = [name for name, entry in frame.names.globals.items() if type(entry.thing) in _READERS]
    values = [name for name in things if not isinstance(frame.names.globals[name].thing, Define)]
    parameters = frame.names.parameters.get(frame.source, {}) if frame.source else {}
    return [*frame.visible(), *values, *parameters, *frame.names.options, "players"]


def _called_like(frame: Frame, name: str) -> str:
    """A hint at a define whose brackets are missing, too."""
    defines = [one.thing for one in frame.names.globals.values() if isinstance(one.thing, Define)]
    match = nearest(name, [define.name for define in defines])
    return f"did you mean `{match}(...)`?" if match else ""


def _say_whose(frame: Frame, name: str, owner: str, span: Span) -> None:
    noun = owner.removeprefix("kind ")
    said = {"zone": "each place of a zone", "card": "each card"}.get(owner, f"each {noun}")
    words = [word for word in frame.context.members(enum(noun)) if not word.isdecimal()]
    seat = "p1" if owner == "player" else next(iter(words), noun)  # at every table there is one
    near = next((local for local in frame.visible() if owner_of(_local_type(frame, local)) == owner), seat)
    frame.error("whose", f"{said} has its own `{name}`; say whose", span, f"write `{near}.{name}`")


def _local_type(frame: Frame, name: str) -> Type:
    local = frame.lookup(name)
    return local.type if local else UNKNOWN


# ---- things of the game


def read_thing(frame: Frame, thing: Thing | Expr, name: str, span: Span, owner: Expr | None) -> Expr | None:
    """The value of a named thing; `owner` for what is written after a dot."""
    if isinstance(thing, Expr):
        return moved_to(thing, span) if thing.type != UNKNOWN else None
    reader = _READERS.get(type(thing))
    if reader is not None:
        return reader(frame, thing, span, owner)
    advice = {
        Procedure: "its result may only be the whole right side of `let`, `=` or `return`",
        MeldSpec: f"ask `cards is {name}` or `arranged(cards, {name})`",
    }.get(type(thing), f"it is called with its cards: `{name}(...)`")
    frame.error("not-a-value", f"`{name}` is {SPOKEN_THING[type(thing)]} and no value", span, advice)
    return None


def read_variable(frame: Frame, variable: Variable, span: Span, owner: Expr | None) -> Expr | None:
    if variable in frame.sealed:
        message = f"`{variable.name}` is being chosen in secret, and nobody may know it until all have chosen"
        frame.error("sealed", message, span)
        return None
    if isinstance(owner, ZoneValue) and variable.per_zone is not None and owner.family is not variable.per_zone:
        message = f"places of `{variable.per_zone.name}` have `{variable.name}`, `{owner.family.name}` has none"
        frame.error("unknown-attribute", message, span)
        return None
    return VariableValue(variable.type, span, variable, owner) if variable.type != UNKNOWN else None


def read_zone(frame: Frame, family: ZoneFamily, span: Span, owner: Expr | None) -> Expr:
    if family.shape in ("row", "piles"):
        return ZonesValue(ZONES, span, family, owner)
    return ZoneValue(ZONE, span, family, owner)


def read_place(frame: Frame, place: RowPlace, span: Span, owner: Expr | None) -> Expr:
    return ZoneValue(ZONE, span, place.family, owner, Const(NUMBER, span, place.index))


def read_option(frame: Frame, option: Option, span: Span, owner: Expr | None) -> Expr:
    return OptionValue(option.type, span, option)


def read_mark(frame: Frame, mark: Mark, span: Span, owner: Expr | None) -> Expr:
    return MarkValue(mark.type, span, mark, cast(Expr, owner))


def read_column(frame: Frame, column: KindColumn, span: Span, owner: Expr | None) -> Expr:
    return ColumnValue(column.type, span, column, cast(Expr, owner))


def read_define(frame: Frame, define: Define, span: Span, owner: Expr | None) -> Expr | None:
    if owner is None:
        called = ", ".join(parameter.name for parameter in define.parameters)
        message = f"`{define.name}` is a define and is called with brackets"
        frame.error("not-a-value", message, span, f"write `{define.name}({called})`")
        return None
    frame.calls.append((define, span))
    type = frame.context.settle(define, span)
    return CallDefine(type, span, define, [owner]) if type != UNKNOWN else None


_Reader = Callable[[Frame, Any, Span, "Expr | None"], "Expr | None"]
_READERS: dict[type, _Reader] = {
    Variable: read_variable,
    ZoneFamily: read_zone,
    RowPlace: read_place,
    Option: read_option,
    Mark: read_mark,
    KindColumn: read_column,
    Define: read_define,
}


def meld_named(frame: Frame, tree: Part) -> MeldSpec | None:
    """The meld that a part names, if it is the name of one."""
    if tree.data != "name" or frame.lookup(str(tree.children[0])):
        return None
    thing = frame.names.lookup(str(tree.children[0]), frame.source)
    return thing if isinstance(thing, MeldSpec) else None


def ranking_of(frame: Frame, type: Type) -> PatternRanking | ConditionRanking | None:
    """The ranking that a hand value or category belongs to."""
    thing = frame.names.lookup(type.name)
    return thing if isinstance(thing, PatternRanking | ConditionRanking) else None


# ---- after a dot


@rule("attribute")
def check_attribute(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operand = infer(frame, cast(Part, tree.children[0]))
    if operand is None:
        return None
    name = str(tree.children[1])
    if operand.type == NONE:
        frame.error("none-here", f"`none` has no `{name}`", operand.span)
        return None
    return read_attribute(frame, operand, name, frame.span(tree), frame.span(cast(Any, tree.children[1])))


def read_attribute(frame: Frame, operand: Expr, name: str, span: Span, name_span: Span) -> Expr | None:
    """`operand.name`: of the game's own belongings, of the language's, or of the card in a row's place."""
    kind = kind_of(operand.type)
    own = frame.names.belonging(owner_of(operand.type), name)
    if own is not None:
        return read_thing(frame, own, name, span, operand)
    if kind == "category" and (column := _column(frame, operand, name, span)) is not None:
        return column
    if (kind, name) in ATTRIBUTES and operand.type != ORIENTATION:
        return _known_attribute(frame, operand, name, span, name_span)
    if is_row_place(operand) and _has_attribute(frame, "card", name):
        return read_attribute(frame, CardAt(CARD, operand.span, operand), name, span, name_span)
    _no_attribute(frame, operand, name, name_span)
    return None


def _has_attribute(frame: Frame, kind: str, name: str) -> bool:
    return (kind, name) in ATTRIBUTES or frame.names.belonging(kind, name) is not None


def _known_attribute(frame: Frame, operand: Expr, name: str, span: Span, name_span: Span) -> Expr | None:
    if not _seats_allow(frame, operand.type, name, name_span):
        return None
    result = ATTRIBUTES[kind_of(operand.type), name]
    own = operand.type if result in ("category", "enum") else None  # words of the same kind
    type = category(operand.type.name) if result == "category" else own or _RESULTS.get(result, Type(result))
    return Attribute(type, span, name, operand)


def _is_there(frame: Frame, kind: str, name: str) -> bool:
    """Whether a thing of this game has it after a dot: no opponent at a table of four, no team without teams."""
    if kind not in ("player", "team"):
        return True
    if name in ("left", "right"):
        return False  # they are written `left of`
    if name == "opponent":
        return frame.context.players == (2, 2)
    return name not in ("partner", "team", "opponents") or bool(frame.context.teams)


def _seats_allow(frame: Frame, type: Type, name: str, span: Span) -> bool:
    """Whether every table of the game has an opponent, partner or team, where one is asked for."""
    if type not in (PLAYER, Type("team")):
        return True
    low, high = frame.context.players
    if name in ("left", "right"):
        whole = frame.source.text[: span.start].rpartition("\n")[2] if frame.source else ""
        owner = re.search(r"[\w.]+(?=\.$)", whole)
        hint = f"write `{name} of {owner[0] if owner else 'player'}`"
        frame.error("unknown-attribute", f"the neighbour is written `{name} of`", span, hint)
        return False
    if name == "opponent" and (low, high) != (2, 2):
        seats = f"{low}..{high}" if low != high else str(low)
        frame.error("seats", f"an opponent is one of two, and this game is for {seats} players", span)
        return False
    if name in ("partner", "team", "opponents") and not frame.context.teams:
        frame.error("seats", f"there is no {name} in a game without `teams`", span)
        return False
    return True


def _column(frame: Frame, operand: Expr, name: str, span: Span) -> Expr | None:
    ranking = ranking_of(frame, operand.type)
    if ranking is None or not any(name in one.columns for one in ranking.categories):
        return None
    return CategoryColumn(NUMBER, span, ranking, name, operand)


def _no_attribute(frame: Frame, operand: Expr, name: str, span: Span) -> None:
    kind = kind_of(operand.type)
    known = [known for of, known in ATTRIBUTES if of == kind and _is_there(frame, kind, known)]
    known = [] if operand.type == ORIENTATION else known
    known += frame.names.belongings.get(owner_of(operand.type), ())
    if operand.type.kind == "category" and (ranking := ranking_of(frame, operand.type)):
        known += [column for one in ranking.categories for column in one.columns]
    hint = did_you_mean(name, known)
    if name.lower() in ("size", "length", "len", "amount") and "count" in known:
        hint = "write `count`"
    if not hint and kind in ("zone", "zones", "cards") and _has_attribute(frame, "card", name):
        hint = f"its cards have it: `.top.{name}`"
    elif not hint and known:
        hint = "it has " + ", ".join(f"`{one}`" for one in sorted(known))
    have = "have" if kind in ("cards", "players", "plays", "zones") else "has"
    frame.error("unknown-attribute", f"{spoken(operand.type)} {have} no `{name}`", span, hint)


def lacks(frame: Frame, expr: Expr) -> bool:
    """Whether it reads an attribute straight off a card that some cards lack."""
    if not isinstance(expr, Attribute) or expr.operand.type != CARD or expr.name not in ("suit", "rank", "number"):
        return False
    return frame.context.lacking(cast(Literal["suit", "rank", "number"], expr.name))


# ---- places in brackets, top cards


@rule("index")
def check_index(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operand = infer(frame, cast(Part, tree.children[0]))
    index = take(frame, cast(Part, tree.children[1]), NUMBER)
    if operand is None or index is None:
        return None
    span = frame.span(tree)
    if isinstance(operand, ZonesValue):
        return _place(frame, operand, index, span)
    if operand.type.kind not in ("zone", "cards"):
        frame.error("bad-index", f"{spoken(operand.type)} cannot be counted through with `[ ]`", span)
        return None
    cards = fit(frame, operand, CARDS)
    return CardAtIndex(CARD, span, cards, index) if cards else None


def _place(frame: Frame, zones: ZonesValue, index: Expr, span: Span) -> Expr | None:
    family = zones.family
    if isinstance(index, Const) and not 1 <= cast(int, index.value) <= family.places:
        message = f"`{family.name}` has places 1 to {family.places}, there is no {index.value}"
        frame.error("bad-index", message, index.span)
        return None
    return ZoneValue(ZONE, span, family, zones.owner, index)


@rule("top")
def check_top(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    amount_tree, phrase, zone_tree = cast("list[Part]", tree.children)
    amount, zone = take(frame, amount_tree, NUMBER), infer(frame, zone_tree, ZONE)
    if zone is not None and zone.type != ZONE:
        zone = fit(frame, zone, CARDS)
    if [str(word) for word in phrase.children] not in (["cards"], ["card"]):
        frame.error("wrong-type", "`top` takes cards", frame.span(phrase), "write `top 3 cards in stock`")
        return None
    return TopCards(CARDS, frame.span(tree), amount, zone) if amount and zone else None


# ---- cards and seats with `of`, quoted names


@rule("of_")
def check_of(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    word, operand_tree = str(tree.children[0]), cast(Part, tree.children[1])
    span = frame.span(tree)
    if word in ("left", "right"):
        player = take(frame, operand_tree, PLAYER)
        return Attribute(PLAYER, span, word, player) if player else None
    inner = cast(Part, operand_tree.children[1]) if operand_tree.data == "of_" else operand_tree
    if inner.data == "name":
        return card_called(frame, span.text, span)
    message = f"`{word} of` means nothing here"
    hint = "cards are `queen of spades`, seats `left of p`; belongings stand after a dot"
    frame.error("unknown-card", message, span, hint)
    return None


@rule("card_name")
def check_card_name(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    span = frame.span(tree)
    return card_called(frame, span.text, span)


def card_called(frame: Frame, name: str, span: Span) -> Expr | None:
    face = frame.names.cards.get(fold(name))
    if face is not None:
        return CardNamed(CARD, span, face) if _is_of_one_deck(frame, face, name, span) else None
    hint = did_you_mean(fold(name), frame.names.cards)
    frame.error("unknown-card", f"no card is called `{name}`", span, hint)
    return None


def _is_of_one_deck(frame: Frame, face: int, name: str, span: Span) -> bool:
    """Whether just one deck has a card that is called so; reports it if not."""
    faces, decks = frame.context.faces, frame.context.decks
    holding = [decks[one.deck].name for one in faces if fold(one.name) == fold(name)]
    if len(set(holding)) < 2 or fold(faces[face].name) != fold(name):
        return True
    whole = f'"{{}} of {holding[0]}"' if span.text.startswith('"') else f"{{}} of {holding[0]}"
    message = f"a card `{name}` is in the decks {' and '.join(f'`{one}`' for one in dict.fromkeys(holding))}"
    frame.error("ambiguous-name", message, span, f"write `{whole.format(name)}`")
    return False


@rule("quoted")
def check_quoted(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    """A name in quotes: by what is wanted a category, a line of a menu, or else a card."""
    span = frame.span(tree)
    text = str(tree.children[0])[1:-1]
    if wanted == LABEL:
        return ItemName(LABEL, span, text)
    if wanted is not None and wanted.kind == "category":
        return _category(frame, text, span, wanted)
    if wanted is not None and wanted.kind == "effect":
        return _effect(frame, text, span)
    return card_called(frame, text, span)


def _effect(frame: Frame, text: str, span: Span) -> Expr | None:
    effect = frame.context.effects.get(fold(text))
    if effect is not None:
        return Const(EFFECT, span, effect.index)
    known = {fold(one.name): one.name for one in frame.context.effects.values()}
    frame.error("unknown-name", f"no effect is called `{text}`", span, did_you_mean(text, known.values()))
    return None


def _category(frame: Frame, text: str, span: Span, wanted: Type) -> Expr | None:
    ranking = ranking_of(frame, wanted)
    names = [one.name for one in ranking.categories] if ranking else []
    if text in names:
        return Const(wanted, span, names.index(text))
    frame.error("unknown-name", f"`{wanted.name}` has no category `{text}`", span, did_you_mean(text, names))
    return None
