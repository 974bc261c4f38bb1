"""The checked tree: what the checker makes of a ruleset and what both engines run.

Every name is resolved to the thing it names and every expression has its type, so an engine never looks a
name up and never asks what a word means. One node is one idea; sugar (adjectives, `is a or b`, `every`) is
gone. `docs/meaning.md` says what each node does; the reference engine is that page in Python.

Numbers of things: a seat, a team, a member of an enumeration, a category, a zone and a card count from 0 here.
`none` is Python's None.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from trionfi.dsl.source import Span
from trionfi.dsl.types import Type

# ---------------------------------------------------------------------------------------------------------
# Declarations
# ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Enumeration:
    """A closed list of words. Equal lists are one enumeration, whatever declared them first."""

    name: str
    members: list[str]
    span: Span | None = None


@dataclass(slots=True, eq=False)
class Local:
    """A name inside one script or expression: a parameter, a `let`, a loop's or a query's thing.

    `index` is its place in the frame of the procedure, define or slot that holds it.
    """

    name: str
    type: Type
    index: int
    span: Span


@dataclass(slots=True, eq=False)
class Option:
    """What a variant may change. `default`, `low`, `high` are values of `type` (an enumeration's member
    is its number, a ratio a `Fraction`). `multiple_of` is read when the options are set."""

    name: str
    type: Type
    default: object
    span: Span
    low: int | None = None
    high: int | None = None
    multiple_of: Expr | None = None
    about: str = ""
    index: int = 0


Per = Literal["", "player", "team", "suit", "spot"]


@dataclass(slots=True, eq=False)
class Variable:
    """Named state. `per` says what has one each (`spot`: each place of the zones `per_zone`)."""

    name: str
    type: Type
    span: Span
    per: Per = ""
    per_zone: ZoneFamily | None = None
    start: Expr | None = None  # none: 0 for numbers, false for truths, else none / no cards
    chips: bool = False  # moves by `pay` only
    may_owe: bool = False  # may go below 0
    most: int = 0  # for cards: how many it can hold
    secret: bool = False  # `secret: owner`: known to its player only
    may_review: Expr | None = None  # false: left out of views
    about: str = ""
    index: int = 0


@dataclass(slots=True, eq=False)
class ZoneFamily:
    """A zone, or several alike: one each player, team or suit; `places` piles or row places each.

    shape `pile`: one pile. `piles`: `places` piles. `row`: `places` places of one card. `plays`: played effect
    cards, one pile, and at most `plays` plays at a time. The zones of a game are numbered family by family, in a family
    owner by owner, for an owner place by place.
    """

    name: str
    span: Span
    per: Per = ""
    shape: Literal["pile", "piles", "row", "plays"] = "pile"
    places: int = 1
    place_names: list[str] = field(default_factory=list)
    face: Literal["up", "down", ""] = ""
    seen_by_owner: bool = False
    capacity: int | None = None  # of one place; none: as many as there are cards
    start: str = ""  # name of the deck that lies here at the start
    when_short: Procedure | None = None
    counted: bool = True
    may_review: Expr | None = None
    plays: int = 0
    index: int = 0


@dataclass(slots=True, eq=False)
class CardFace:
    """A card as printed. Copies of a card share one face. `suit`, `rank` and `deck` are members' numbers."""

    name: str  # "7 of Wands", "Death"
    deck: int
    suit: int | None
    rank: int | None
    number: int | None  # of a named card; a plain card has none
    short: str = ""  # "7w", "Td"


@dataclass(slots=True, eq=False)
class Deck:
    """A deck before the game begins. `keep` and `copies` are read once the options and seats are known:
    `keep` (over `keep_card`) may use options and `players.count`."""

    name: str
    faces: list[CardFace]
    span: Span
    copies: Expr | None = None
    keep: Expr | None = None
    keep_card: Local | None = None
    keep_locals: list[Local] = field(default_factory=list)
    oriented: bool = False
    aliases: dict[str, str] = field(default_factory=dict)  # folded other name -> folded name


@dataclass(slots=True, eq=False)
class Mark:
    """`attributes:` of the ruleset: a mark that cards carry during play (an enumeration)."""

    name: str
    type: Type
    default: int
    span: Span
    index: int = 0


@dataclass(slots=True, eq=False)
class Define:
    """A named, pure expression. `locals` holds the parameters first, then what its queries use.

    Attributes that a deck declares for its cards are defines of one card, too (`attribute` is true).
    """

    name: str
    parameters: list[Local]
    locals: list[Local]
    type: Type
    span: Span
    body: Expr = None  # type: ignore[assignment]  # set once all signatures are known
    reason: Label | None = None
    attribute: bool = False


@dataclass(slots=True, eq=False)
class Procedure:
    """A script with parameters. `asks`: a decision may be reached from it (through calls, too)."""

    name: str
    parameters: list[Local]
    locals: list[Local]
    type: Type  # of the result, or NOTHING
    span: Span
    body: Block = None  # type: ignore[assignment]
    asks: bool = False


@dataclass(slots=True, eq=False)
class Measure:
    """A figure for simulations. With `player`, one for each. `event` empty: read once, at the end.
    `none` is not counted."""

    name: str
    player: Local | None
    locals: list[Local]
    type: Type
    body: Expr
    event: str
    span: Span


@dataclass(slots=True, eq=False)
class Strategy:
    """For a decision's name, a script that picks. Locals 0, 1 of each script: `player`, and `card` whose
    orientation is asked (else none)."""

    name: str
    about: str
    scripts: dict[str, Procedure]
    span: Span


# ---- rankings, totals, melds


@dataclass(slots=True, eq=False)
class CardProperty:
    """A value read off a card: `expr` over the local `card` (index 0)."""

    name: str
    card: Local
    expr: Expr
    locals: list[Local]


@dataclass(slots=True, eq=False)
class Fact:
    """One fact of a pattern, about the same cards as the others; it holds only if `condition` (options alone).

    kind `alike`: low..high cards equal in the ranking's `alike` properties, disjoint from other `alike` facts.
    `run`: a run of low..high by the ranking's `run`. `same`: all cards share `property` (cards of several
    suits: one that all have). `cards`: the hand has low..high cards. `are`: low..high of them have the truth
    `property`. `all`: every card has the truth `property`. `anything`: always.
    """

    kind: Literal["alike", "run", "same", "cards", "are", "all", "anything"]
    span: Span
    low: int = 0
    high: int = 0
    property: CardProperty | None = None
    condition: Expr | None = None


@dataclass(slots=True, eq=False)
class Category:
    name: str
    facts: list[Fact]
    columns: dict[str, int]
    span: Span
    condition: Expr | None = None  # of a condition ranking; none: `else`


@dataclass(slots=True, eq=False)
class OrderKey:
    """`category`; `groups` by several expressions over the locals `card` and `group`; or `value`, an
    expression over the local `hand` (of a condition ranking: over its parameters)."""

    kind: Literal["category", "groups", "value"]
    expressions: list[Expr]
    span: Span


@dataclass(slots=True, eq=False)
class Run:
    """How runs go: `by` a property of type rank; `ace` low, high, or both; `last`: what may end a run, as
    rank numbers (empty: any). No run goes round the corner."""

    by: CardProperty
    ace_low: bool = False
    ace_high: bool = True
    last: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class PatternRanking:
    """Hands by patterns, best category first. Locals 0 `card`, 1 `group`, 2 `hand` serve all its expressions."""

    name: str
    low: int
    high: int
    alike: list[CardProperty]
    run: Run | None
    categories: list[Category]
    order: list[OrderKey]
    locals: list[Local]
    span: Span
    wild: Expr | None = None  # over `card`: stands for any card
    wild_suit: Expr | None = None  # over `card`: its suit is any
    best_low: bool = False
    qualifier: Expr | None = None  # over `hand`: which hands count at all


@dataclass(slots=True, eq=False)
class ConditionRanking:
    """Hands by conditions over parameters; the last category is `else`."""

    name: str
    parameters: list[Local]
    locals: list[Local]
    categories: list[Category]
    order: list[OrderKey]
    span: Span


@dataclass(slots=True, eq=False)
class TotalSpec:
    """A count with several values a card: the highest total not above `limit`, else the least.

    `arms` and `otherwise` give the values that a card (local 0) may take.
    """

    name: str
    locals: list[Local]
    arms: list[tuple[Expr, list[Expr]]]
    otherwise: list[Expr]
    limit: Expr | None
    span: Span


@dataclass(slots=True, eq=False)
class MeldSpec:
    """Sets and runs; `cost` over the local `card` counts what is left."""

    name: str
    kinds: dict[str, list[Fact]]
    alike: list[CardProperty]
    run: Run | None
    cost: Expr | None
    locals: list[Local]
    span: Span


# ---- effects


@dataclass(slots=True, eq=False)
class Targets:
    """What an effect is aimed at: `0..3 cards from reach(player)`. Cards or plays, chosen before anything happens.

    An effect has one of these (called `targets`) or several with names of their own, each of one thing. `local` is the
    thing itself if `single`, else cards or plays, in the effect's own frame (`Effect.locals`): there the expressions
    here see `player` and the targets before this one. The decision is called `EFFECT: NAME`.
    """

    name: str
    index: int
    low: Expr
    high: Expr | None  # none: as many as there are
    domain: Domain
    local: Local
    single: bool
    span: Span


@dataclass(slots=True, eq=False)
class Alteration:
    """What cards are while a play is in force.

    `some`: one suit or rank, `value`. `every`, `no`: of suit or rank. `mark`: a mark is `value`. `copy`: suits and rank
    of the card in `model`. `of`: the targets that are altered; none: the play's own card, `this.card`. `value` reads
    options and constants and, off the card itself (`card`), suit, rank and number; `reads_own`: it reads the
    attribute that it sets. `condition` reads options alone.
    """

    kind: Literal["some", "every", "no", "mark", "copy"]
    span: Span
    of: Targets | None = None
    what: Literal["suit", "rank", ""] = ""
    value: Expr | None = None
    card: Local | None = None
    reads_own: bool = False
    mark: Mark | None = None
    model: Targets | None = None
    condition: Expr | None = None


@dataclass(slots=True, eq=False)
class Effect:
    """What a card does when it is played; it belongs to the cards so called, faces `faces` of the ruleset.

    Local 0 of `locals` is `player`; then the targets, and what queries and alterations use. The scripts have frames of
    their own and the parameters `player`, `this` and the targets by name, as far as they are still where they were
    chosen (a single one that has gone is none). `becomes`, `retargets` and `negates` name targets that are plays;
    `negates_if` reads options alone. An effect that `becomes` has no other part.
    """

    name: str
    span: Span
    index: int
    text: str = ""
    faces: list[int] = field(default_factory=list)
    targets: list[Targets] = field(default_factory=list)
    locals: list[Local] = field(default_factory=list)
    when_played: Procedure | None = None
    alterations: list[Alteration] = field(default_factory=list)
    events: dict[str, Procedure] = field(default_factory=dict)  # `when EVENT`
    becomes: Targets | None = None
    retargets: Targets | None = None
    negates: Targets | None = None
    negates_if: Expr | None = None

    @property
    def lasting(self) -> bool:
        """Whether a part in force, `while in force` or `negates`, may name targets."""
        return self.negates is not None or any(one.of is not None for one in self.alterations)


# ---------------------------------------------------------------------------------------------------------
# Expressions
# ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Expr:
    type: Type
    span: Span


@dataclass(slots=True, eq=False)
class Const(Expr):
    """A number, truth, seat, member of an enumeration or category, `Fraction`, or None."""

    value: object


@dataclass(slots=True, eq=False)
class CardNamed(Expr):
    """The card so called: number of its face in `Ruleset.faces`. With copies: the first of them; `is` and `in`
    compare faces where one side is a named card."""

    face: int


@dataclass(slots=True, eq=False)
class LocalValue(Expr):
    local: Local


@dataclass(slots=True, eq=False)
class OptionValue(Expr):
    option: Option


@dataclass(slots=True, eq=False)
class VariableValue(Expr):
    """`owner` is a player, team, suit or zone (for `per: spot`), or None."""

    variable: Variable
    owner: Expr | None = None


@dataclass(slots=True, eq=False)
class ZoneValue(Expr):
    """One zone (type zone). `index`, from 1, of a place of rows and piles."""

    family: ZoneFamily
    owner: Expr | None = None
    index: Expr | None = None


@dataclass(slots=True, eq=False)
class ZonesValue(Expr):
    """All places of a row or of piles (type zones), in order."""

    family: ZoneFamily
    owner: Expr | None = None


@dataclass(slots=True, eq=False)
class AllPlayers(Expr):
    """`players`: everyone seated at the start, in seat order."""


@dataclass(slots=True, eq=False)
class AllPlays(Expr):
    """`plays`: those of this round, oldest first."""


@dataclass(slots=True, eq=False)
class Offered(Expr):
    """`options`, in a strategy: the things of the wanted kind that are offered (cards, zones, players ...)."""


@dataclass(slots=True, eq=False)
class NumberOffered(Expr):
    """`lowest_offered`, `highest_offered`, in a strategy: the ends of the range asked for."""

    end: Literal["lowest", "highest"]


# ---- coercions


@dataclass(slots=True, eq=False)
class CardsOf(Expr):
    """The cards of a card, a zone or zones, in order; none gives no cards."""

    source: Expr


@dataclass(slots=True, eq=False)
class CardAt(Expr):
    """The card in a place (the top one), none if it is empty."""

    zone: Expr


@dataclass(slots=True, eq=False)
class RankOf(Expr):
    """The rank called by a number; a number that is no rank stops with the place."""

    number: Expr


@dataclass(slots=True, eq=False)
class ToFraction(Expr):
    number: Expr


# ---- operators


@dataclass(slots=True, eq=False)
class Not(Expr):
    operand: Expr


@dataclass(slots=True, eq=False)
class And(Expr):
    """Read from the left; stops at the first that is false."""

    operands: list[Expr]


@dataclass(slots=True, eq=False)
class Or(Expr):
    """Read from the left; stops at the first that is true."""

    operands: list[Expr]


@dataclass(slots=True, eq=False)
class Same(Expr):
    """`is`: both of one type, or one is none. Hand values: equal strength. Cards (many): the same set."""

    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Ordered(Expr):
    """Numbers and fractions; enumerations by place; hand values by strength, none below all; categories: better
    is greater; orientations: upright is greater."""

    operator: Literal["<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Within(Expr):
    """`is low..high`, ends included; none is not within."""

    operand: Expr
    low: Expr
    high: Expr


@dataclass(slots=True, eq=False)
class Member(Expr):
    """A card among cards, a player among players, a zone among zones, a play among plays."""

    item: Expr
    collection: Expr


@dataclass(slots=True, eq=False)
class Empty(Expr):
    """No card (or player, play) in it; zones: none in any place."""

    operand: Expr


@dataclass(slots=True, eq=False)
class Has(Expr):
    """`card has suit hearts`, `has every suit`, `has no rank`: of what the card is now. `value` goes with `some`."""

    what: Literal["suit", "rank"]
    amount: Literal["some", "every", "no"]
    card: Expr
    value: Expr | None = None


@dataclass(slots=True, eq=False)
class Arithmetic(Expr):
    """Numbers, or exact fractions when the type is fraction. `mod` is never negative. `/` gives a fraction."""

    operator: Literal["+", "-", "*", "mod", "/"]
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Negative(Expr):
    operand: Expr


@dataclass(slots=True, eq=False)
class Rounded(Expr):
    up: bool
    operand: Expr


@dataclass(slots=True, eq=False)
class Joined(Expr):
    """`+` of cards: the left ones, then those of the right not among them."""

    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Without(Expr):
    """`-` of cards: the left ones that are not among the right ones."""

    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Conditional(Expr):
    """The value of the first arm whose condition holds, else `otherwise`."""

    arms: list[tuple[Expr, Expr]]
    otherwise: Expr


@dataclass(slots=True, eq=False)
class CallDefine(Expr):
    define: Define
    arguments: list[Expr]


@dataclass(slots=True, eq=False)
class Builtin(Expr):
    """`smaller(a, b)`, `larger(a, b)`; in strategies `chance(n, m)`: true n times in m."""

    name: Literal["smaller", "larger", "chance"]
    arguments: list[Expr]


@dataclass(slots=True, eq=False)
class Playable(Expr):
    """`playable(player, x)`: whether the player could now choose all targets of an effect, or of a card's effect (a
    card without one: false)."""

    player: Expr
    what: Expr  # of type card or effect


@dataclass(slots=True, eq=False)
class Attribute(Expr):
    """A belonging that the language knows; the table ATTRIBUTES lists them all."""

    name: str
    operand: Expr


@dataclass(slots=True, eq=False)
class MarkValue(Expr):
    mark: Mark
    card: Expr


@dataclass(slots=True, eq=False)
class CardAtIndex(Expr):
    """`cards[i]`: the i-th card, from 1 (of a pile: from the bottom)."""

    cards: Expr
    index: Expr


@dataclass(slots=True, eq=False)
class TopCards(Expr):
    """`top N cards in zone`: the topmost first, as many as there are."""

    amount: Expr
    zone: Expr


# ---- queries


@dataclass(slots=True, eq=False)
class Domain:
    """What a query, loop or choice goes over, one thing at a time in `local`.

    noun `player`: in seat order from `starting` (default: left of the dealer if the game has a player variable
    `dealer` that is set, else the first), or those of `source` in that order. `team`, `suit`, `rank`, `enum`: all, in
    order. `card`, `zone`, `play`, `cards` (sets): those of `source`, in its order; cards without a source: all cards
    of the game in the order of the decks. Only those for which `where` holds.
    """

    noun: Literal["player", "team", "suit", "rank", "enum", "card", "zone", "play", "cards"]
    local: Local
    span: Span
    source: Expr | None = None
    starting: Expr | None = None
    where: Expr | None = None


@dataclass(slots=True, eq=False)
class Quantified(Expr):
    quantifier: Literal["any", "no", "every"]
    domain: Domain
    condition: Expr


@dataclass(slots=True, eq=False)
class Count(Expr):
    domain: Domain


@dataclass(slots=True, eq=False)
class Fold(Expr):
    """`sum`, `highest`, `lowest of VALUE for each ...`; highest and lowest of nothing stop with the place."""

    operator: Literal["sum", "highest", "lowest"]
    value: Expr
    domain: Domain


@dataclass(slots=True, eq=False)
class Select(Expr):
    """`the` (the first; none if there is none), `all` (players, cards, zones, plays), `random` (by the game's
    chance; of nothing: stops with the place). With `best`: only those whose `key` is highest or lowest."""

    which: Literal["the", "all", "random"]
    domain: Domain
    best: Literal["highest", "lowest", ""] = ""
    key: Expr | None = None


@dataclass(slots=True, eq=False)
class NextPlayer(Expr):
    """`next live player after p`: the first to the left of p, round the table and at last p; none if there is none."""

    domain: Domain
    after: Expr


# ---- rankings, totals, melds


@dataclass(slots=True, eq=False)
class Part:
    """Cards that a hand may use; `exactly`: so many of them."""

    cards: Expr
    exactly: Expr | None = None


@dataclass(slots=True, eq=False)
class BestHand(Expr):
    """The best hand of a pattern ranking from the parts; none if no category fits."""

    ranking: PatternRanking
    parts: list[Part]


@dataclass(slots=True, eq=False)
class RateHand(Expr):
    """The value of a condition ranking."""

    ranking: ConditionRanking
    arguments: list[Expr]


@dataclass(slots=True, eq=False)
class CategoryColumn(Expr):
    """`category.points`: a further column of the table; 0 for none."""

    ranking: PatternRanking | ConditionRanking
    column: str
    category: Expr


@dataclass(slots=True, eq=False)
class TotalOf(Expr):
    total: TotalSpec
    cards: Expr


@dataclass(slots=True, eq=False)
class Arranged(Expr):
    meld: MeldSpec
    cards: Expr


@dataclass(slots=True, eq=False)
class IsMeld(Expr):
    meld: MeldSpec
    cards: Expr


# ---- labels


@dataclass(slots=True, eq=False)
class Label:
    """A text with values in it: `template` as written; `parts` are texts and expressions in order."""

    template: str
    parts: list[str | Expr]
    span: Span


@dataclass(slots=True, eq=False)
class ItemName(Expr):
    """In a strategy, the menu lines of the decision whose label is written like this (type label)."""

    template: str


# Attributes that the language knows: (kind of the operand, name) -> kind of the result. Where the result is an
# enumeration the name says which. Those of a card are of what it is now; alterations of effects count.
ATTRIBUTES: dict[tuple[str, str], str] = {
    ("card", "suit"): "suit",
    ("card", "rank"): "rank",
    ("card", "number"): "number",
    ("card", "deck"): "deck",
    ("card", "orientation"): "orientation",
    ("card", "face"): "face",
    ("card", "owner"): "player",  # of the zone it lies in; none if it has none
    ("card", "zone"): "zone",
    ("card", "depth"): "number",  # 1: on top
    ("card", "colour"): "colour",
    ("cards", "count"): "number",
    ("cards", "top"): "card",  # the last, none if empty
    ("zone", "count"): "number",
    ("zone", "top"): "card",
    ("zone", "owner"): "player",
    ("zone", "place"): "number",  # of a row or piles, from 1
    ("zones", "count"): "number",  # of cards in all places
    ("players", "count"): "number",
    ("plays", "count"): "number",
    ("player", "left"): "player",  # written `left of p`
    ("player", "right"): "player",
    ("player", "opponent"): "player",  # of two
    ("player", "partner"): "player",
    ("player", "opposite"): "player",
    ("player", "team"): "team",
    ("team", "opponents"): "team",
    ("suit", "place"): "number",  # 1: first
    ("suit", "colour"): "colour",
    ("rank", "place"): "number",
    ("rank", "number"): "number",  # 0 for a rank that is no number
    ("rank", "next"): "rank",
    ("hand", "category"): "category",
    ("total", "value"): "number",
    ("total", "soft"): "truth",  # a card could count less for the same total's sake: an ace as 11
    ("total", "bust"): "truth",
    ("arrangement", "cost"): "number",
    ("arrangement", "melds"): "card_sets",
    ("arrangement", "left"): "cards",
    ("play", "number"): "number",  # in the order of play, from 1
    ("play", "player"): "player",
    ("play", "effect"): "effect",  # the text in force
    ("play", "targets"): "cards",  # those that it has now and that lie where they were chosen
    ("play", "in_force"): "truth",
    ("play", "has_targets"): "truth",  # in force, and a lasting part names a target
    ("play", "card"): "card",  # while it lies where the play put it, else none
}

# ---------------------------------------------------------------------------------------------------------
# Statements
# ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Statement:
    span: Span


Block = list[Statement]
Place = VariableValue | LocalValue  # what `=`, `add`, `as` may set


@dataclass(slots=True, eq=False)
class Shuffle(Statement):
    """`rotation` is of the built-in enumeration rotation (half, every_card)."""

    zone: Expr
    rotation: Expr | None = None


@dataclass(slots=True, eq=False)
class Deal(Statement):
    """`amount` cards from the top of `source`, one by one, to a zone, or to a row's empty places in order."""

    amount: Expr
    up_to: bool
    source: Expr
    to: Expr
    face: Literal["up", "down", ""] = ""


@dataclass(slots=True, eq=False)
class DealAround(Statement):
    """`amount` rounds of one card to each player of the domain (their zone of the family)."""

    amount: Expr
    up_to: bool
    source: Expr
    family: ZoneFamily
    players: Domain
    face: Literal["up", "down", ""] = ""


@dataclass(slots=True, eq=False)
class Move(Statement):
    """The cards, in order, each on top of `to` (the first ends lowest), or in a row's empty places; `bottom`:
    under it, the first ends lowest there, too."""

    cards: Expr
    to: Expr
    bottom: bool = False
    face: Literal["up", "down", ""] = ""


@dataclass(slots=True, eq=False)
class TurnFace(Statement):
    cards: list[Expr]
    up: bool = True


@dataclass(slots=True, eq=False)
class TurnOver(Statement):
    """The whole pile, bottom up, onto the other, face down."""

    source: Expr
    to: Expr


@dataclass(slots=True, eq=False)
class Orient(Statement):
    cards: Expr
    orientation: Expr


@dataclass(slots=True, eq=False)
class SetMark(Statement):
    """`card.role = chariot`."""

    mark: Mark
    card: Expr
    value: Expr


@dataclass(slots=True, eq=False)
class Show(Statement):
    """To everybody, or to one player; nothing is turned."""

    cards: Expr
    to: Expr | None = None


@dataclass(slots=True, eq=False)
class Say(Statement):
    label: Label


@dataclass(slots=True, eq=False)
class Assign(Statement):
    """`=` and `let`. `by_lot`: the value is a `random` select, so that a stacked game may set it instead."""

    target: Place
    value: Expr
    by_lot: bool = False


@dataclass(slots=True, eq=False)
class Change(Statement):
    """`add N to`, `subtract N from`."""

    target: Place
    amount: Expr
    subtract: bool = False


@dataclass(slots=True, eq=False)
class Pay(Statement):
    """Chips; an amount below 0, or more than lies there (unless it may owe), stops with the place."""

    amount: Expr
    source: VariableValue
    to: VariableValue


@dataclass(slots=True, eq=False)
class Call(Statement):
    procedure: Procedure
    arguments: list[Expr]
    target: Place | None = None


@dataclass(slots=True, eq=False)
class Return(Statement):
    value: Expr | None = None
    call: Call | None = None  # `return proc(...)`: what the procedure gives


@dataclass(slots=True, eq=False)
class Stop(Statement):
    """Leaves the innermost loop."""


@dataclass(slots=True, eq=False)
class EndGame(Statement):
    pass


@dataclass(slots=True, eq=False)
class Trigger(Statement):
    """Runs `when EVENT` of every play in force, in the order of play; then the measures under `when EVENT` are read."""

    event: str


@dataclass(slots=True, eq=False)
class PlayCard(Statement):
    """`player plays card`: the card's effect, from the choice of its targets to the end of its `when played`."""

    player: Expr
    card: Expr


@dataclass(slots=True, eq=False)
class EndPlays(Statement):
    """All plays are over: there are none any more, and every card is as printed. No card moves."""


@dataclass(slots=True, eq=False)
class EndTarget(Statement):
    """In an effect's script: the play (or plays) chosen as a target is out of force for good."""

    target: Expr  # of type play or plays


@dataclass(slots=True, eq=False)
class If(Statement):
    arms: list[tuple[Expr, Block]]
    otherwise: Block


@dataclass(slots=True, eq=False)
class While(Statement):
    condition: Expr
    body: Block


@dataclass(slots=True, eq=False)
class RepeatUntil(Statement):
    """The condition is asked after each pass."""

    condition: Expr
    body: Block


@dataclass(slots=True, eq=False)
class RepeatTimes(Statement):
    """The number is read once."""

    amount: Expr
    body: Block


@dataclass(slots=True, eq=False)
class ForEach(Statement):
    """Over cards: those there at the start, `where` read at each. Over zones and players: `where` read at each."""

    domain: Domain
    body: Block


@dataclass(slots=True, eq=False)
class ForCount(Statement):
    """Both ends are read once and belong to it."""

    local: Local
    low: Expr
    high: Expr
    body: Block


# ---- decisions


@dataclass(slots=True, eq=False)
class Choose(Statement):
    """`p chooses 1 card from ... as lead`. `high` None: as many as there are (`any`, `or more`). `single`: the
    result is the thing itself, else cards (or plays). `such_that` is about the whole set, in local `chosen`."""

    player: Expr
    decision: str
    low: Expr
    high: Expr | None
    domain: Domain
    target: Place
    single: bool
    such_that: Expr | None = None
    chosen: Local | None = None


@dataclass(slots=True, eq=False)
class ChooseNumber(Statement):
    player: Expr
    decision: str
    low: Expr
    high: Expr
    step: Expr | None
    target: Place


@dataclass(slots=True, eq=False)
class ChooseOrientation(Statement):
    """One decision a card, named `orientation`."""

    player: Expr
    domain: Domain


@dataclass(slots=True, eq=False)
class MenuItem:
    """A line of a menu: offered for each thing (or pair) of the domains, if `condition`."""

    label: Label
    domains: list[Domain]
    condition: Expr | None
    body: Block
    span: Span


@dataclass(slots=True, eq=False)
class Menu(Statement):
    player: Expr
    decision: str
    items: list[MenuItem]


@dataclass(slots=True, eq=False)
class Secret(Statement):
    """All choose at the same time: asked one after another, nothing is set before all have chosen."""

    players: Domain
    choices: list[Choose | ChooseNumber | ChooseOrientation]


@dataclass(slots=True, eq=False)
class Pick(Statement):
    """In a strategy. `value`: an ItemName (or a conditional of such), a thing that is offered, a number, an
    orientation. `thing`: only the option about it. What is not offered falls through to the next statement."""

    value: Expr
    thing: Expr | None = None


# ---------------------------------------------------------------------------------------------------------
# Tests of a ruleset, and the whole
# ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class HandTest:
    """`better`, `worse`, `equal` and `hand` hold hands: a list of card names a parameter of the ranking."""

    title: str
    span: Span
    options: dict[str, str]
    players: int | None
    ranking: str
    better: list[list[str]] | None = None
    worse: list[list[str]] | None = None
    equal: list[list[list[str]]] | None = None
    hand: list[list[str]] | None = None
    category: str | None = None


@dataclass(slots=True, eq=False)
class Written:
    """A text of a test as written, with its place."""

    text: str
    span: Span


@dataclass(slots=True, eq=False)
class Expectation:
    expr: Expr
    locals: list[Local]
    span: Span


@dataclass(slots=True, eq=False)
class SituationTest:
    """A dealt situation: `moves` are (seat, what is chosen); `then` a strategy's name or `random`."""

    title: str
    span: Span
    options: dict[str, str]
    players: int | None
    cards: dict[str, list[Written]] = field(default_factory=dict)
    set: dict[str, Written] = field(default_factory=dict)
    chance: list[Written] = field(default_factory=list)
    moves: list[tuple[int, Written]] | None = None
    then: str = ""
    offered: tuple[int, list[Written]] | None = None
    expect: list[Expectation] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Ruleset:
    """A checked ruleset: the whole of a game, for any of its seat counts and options."""

    key: str  # what RULES takes: the file's name without its ending
    name: str
    about: str
    players: tuple[int, int]
    teams: list[list[int]]  # seats, from 0
    sources: list[Span]  # the files it was read from, whole
    enumerations: dict[str, Enumeration]  # suit, rank, orientation, face, deck, rotation, and the game's own
    colours: dict[int, int]  # suit -> colour (a member of `colour`)
    decks: list[Deck]
    faces: list[CardFace]  # of all decks, in order: before `keep` and `copies`
    marks: list[Mark]
    options: dict[str, Option]
    variables: list[Variable]
    zones: list[ZoneFamily]
    layout: list[list[str]]
    rankings: dict[str, PatternRanking | ConditionRanking]
    totals: dict[str, TotalSpec]
    melds: dict[str, MeldSpec]
    defines: dict[str, Define]
    procedures: dict[str, Procedure]
    play: Procedure
    score: Define | None
    won: Define | None
    measures: list[Measure]
    strategies: dict[str, Strategy]
    tests: list[HandTest | SituationTest]
    dealer: Variable | None  # the game-wide player variable `dealer`, if there is one
    decisions: list[str] = field(default_factory=list)  # names, in the order of the text
    effects: list[Effect] = field(default_factory=list)
    when_chosen: Procedure | None = None  # of each effect: parameters `player`, `this`, `targets` (cards)
