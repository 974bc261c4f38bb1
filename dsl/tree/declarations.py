"""What a ruleset declares: names, the table, rankings, totals, melds, effects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from trionfi.dsl.source import Span
from trionfi.dsl.tree.node import Block, Expr, Node, Reference
from trionfi.dsl.tree.words import AlterationKind, FactKind, OrderKind
from trionfi.dsl.types import Type


@dataclass(slots=True, eq=False)
class KindColumn(Node):
    """What each word of a kind has: `worth`. `values` are of `type`, one for each member, in order."""

    name: str
    kind: str  # the enumeration's name
    span: Span
    type: Type
    values: list[object] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Enumeration(Node):
    """A closed list of words. Equal lists are one enumeration, whatever declared them first.

    `labels`: by a word's number how people read it, where that is not the word itself.
    """

    name: str
    members: list[str]
    span: Span | None = None
    labels: dict[int, str] = field(default_factory=dict)
    columns: dict[str, KindColumn] = field(default_factory=dict)

    def shown(self, member: int) -> str:
        """A word as people read it."""
        return self.labels.get(member) or self.members[member]


@dataclass(slots=True, eq=False)
class Local(Node):
    """A name inside one script or expression: a parameter, a `let`, a loop's or a query's thing.

    `index` is its place in the frame of the procedure, define or slot that holds it.
    """

    name: str
    type: Type
    index: int
    span: Span


@dataclass(slots=True, eq=False)
class Option(Node):
    """What a variant may change. `default`, `low`, `high` are values of `type` (an enumeration's member
    is its number, a ratio a `Fraction`). `multiple_of` is read when the options are set. `in_parent`: the default in
    the parent of a variant, or none."""

    name: str
    type: Type
    default: object
    span: Span
    low: int | None = None
    high: int | None = None
    multiple_of: Expr | None = None
    about: str = ""
    index: int = 0
    in_parent: object = None


Per = Literal["", "player", "team", "suit", "spot", "kind"]


@dataclass(slots=True, eq=False)
class Variable(Node):
    """Named state. `per` says what has one each (`spot`: each place of the zones `per_zone`; `kind`: each word of the
    enumeration `per_kind`)."""

    name: str
    type: Type
    span: Span
    per: Per = ""
    per_zone: Reference[ZoneFamily] | None = None
    per_kind: str = ""
    start: Expr | None = None  # none: 0 for numbers, false for truths, else none / no cards
    unset: bool = False  # a number that is none until it is set: without a start, and the rules speak of its being none
    chips: bool = False  # moves by `pay` only
    may_owe: bool = False  # may go below 0
    most: int = 0  # for cards: how many it can hold
    secret: bool = False  # `secret: owner`: known to its player only
    may_review: Expr | None = None  # false: left out of views
    about: str = ""
    index: int = 0


@dataclass(slots=True, eq=False)
class ZoneFamily(Node):
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
class CardFace(Node):
    """A card as printed. Copies of a card share one face. `suit`, `rank` and `deck` are members' numbers."""

    name: str  # "7 of Wands", "Death"
    deck: int
    suit: int | None
    rank: int | None
    number: int | None  # of a named card; a plain card has none
    short: str = ""  # "7w", "Td"


@dataclass(slots=True, eq=False)
class Deck(Node):
    """A deck before the game begins. `keep` and `copies` are read once the options and seats are known:
    `keep` (over `keep_card`) may use options and `players.count`."""

    name: str
    faces: list[CardFace]
    span: Span
    copies: Expr | None = None
    keep: Expr | None = None
    keep_card: Reference[Local] | None = None
    keep_locals: list[Local] = field(default_factory=list)
    oriented: bool = False
    aliases: dict[str, str] = field(default_factory=dict)  # folded other name -> folded name


@dataclass(slots=True, eq=False)
class Mark(Node):
    """`attributes:` of the ruleset: a mark that cards carry during play (an enumeration)."""

    name: str
    type: Type
    default: int
    span: Span
    index: int = 0


@dataclass(slots=True, eq=False)
class Define(Node):
    """A named, pure expression. `locals` holds the parameters first, then what its queries use.

    Attributes that a deck declares for its cards are defines of one card, too (`attribute` is true).
    """

    name: str
    parameters: list[Reference[Local]]
    locals: list[Local]
    type: Type
    span: Span
    body: Expr = None  # type: ignore[assignment]  # set once all signatures are known
    reason: Label | None = None
    attribute: bool = False


@dataclass(slots=True, eq=False)
class Procedure(Node):
    """A script with parameters. `asks`: a decision may be reached from it (through calls, too)."""

    name: str
    parameters: list[Reference[Local]]
    locals: list[Local]
    type: Type  # of the result, or NOTHING
    span: Span
    body: Block = None  # type: ignore[assignment]
    asks: bool = False


@dataclass(slots=True, eq=False)
class Measure(Node):
    """A figure for simulations. With `player`, one for each. `event` empty: read once, at the end.
    `none` is not counted."""

    name: str
    player: Reference[Local] | None
    locals: list[Local]
    type: Type
    body: Expr
    event: str
    span: Span


@dataclass(slots=True, eq=False)
class Strategy(Node):
    """For a decision's name, a script that picks. Locals 0, 1 of each script: `player`, and `card` whose
    orientation is asked (else none)."""

    name: str
    about: str
    scripts: dict[str, Procedure]
    span: Span


# ---- rankings, totals, melds


@dataclass(slots=True, eq=False)
class CardProperty(Node):
    """A value read off a card: `expr` over the local `card` (index 0)."""

    name: str
    card: Reference[Local]
    expr: Expr
    locals: list[Local]


@dataclass(slots=True, eq=False)
class Fact(Node):
    """One fact of a pattern, about the same cards as the others; it holds only if `condition` (options alone).

    kind `alike`: low..high cards equal in the ranking's `alike` properties, disjoint from other `alike` facts.
    `run`: a run of low..high by the ranking's `run`, of `each` cards alike at each of its ranks (1: of any card).
    `same`: all cards share `property` (cards of several suits: one that all have). `cards`: the hand has low..high
    cards. `are`: low..high of them have the truth `property`. `all`: every card has the truth `property`.
    `different`: the cards have low..high values of `property`. `anything`: always. `nothing else`: every card is in a
    part.
    """

    kind: FactKind
    span: Span
    low: int = 0
    high: int = 0
    property: CardProperty | None = None
    condition: Expr | None = None
    each: int = 1


@dataclass(slots=True, eq=False)
class Category(Node):
    name: str
    facts: list[Fact]
    columns: dict[str, int]
    span: Span
    condition: Expr | None = None  # of a condition ranking; none: `else`


@dataclass(slots=True, eq=False)
class OrderKey(Node):
    """`category`; `groups` by several expressions over the locals `card` and `group`; or `value`, an
    expression over the local `hand` (of a condition ranking: over its parameters)."""

    kind: OrderKind
    expressions: list[Expr]
    span: Span


@dataclass(slots=True, eq=False)
class Run(Node):
    """How runs go: `by` a property of type rank; `ace` low, high, or both; `last`: what may end a run, as
    rank numbers (empty: any). No run goes round the corner."""

    by: CardProperty
    ace_low: bool = False
    ace_high: bool = True
    last: list[int] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class PatternRanking(Node):
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
class ConditionRanking(Node):
    """Hands by conditions over parameters; the last category is `else`."""

    name: str
    parameters: list[Reference[Local]]
    locals: list[Local]
    categories: list[Category]
    order: list[OrderKey]
    span: Span


@dataclass(slots=True, eq=False)
class TotalSpec(Node):
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
class MeldSpec(Node):
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
class Targets(Node):
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
    local: Reference[Local]
    single: bool
    span: Span


@dataclass(slots=True, eq=False)
class Alteration(Node):
    """What cards are while a play is in force.

    `some`: one suit or rank, `value`. `every`, `no`: of suit or rank. `mark`: a mark is `value`. `copy`: suits and rank
    of the card in `model`. `of`: the targets that are altered; none: the play's own card, `this.card`. `value` reads
    options and constants and, off the card itself (`card`), suit, rank and number; `reads_own`: it reads the
    attribute that it sets. `condition` reads options alone.
    """

    kind: AlterationKind
    span: Span
    of: Reference[Targets] | None = None
    what: Literal["suit", "rank", ""] = ""
    value: Expr | None = None
    card: Reference[Local] | None = None
    reads_own: bool = False
    mark: Reference[Mark] | None = None
    model: Reference[Targets] | None = None
    condition: Expr | None = None


@dataclass(slots=True, eq=False)
class Effect(Node):
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
    becomes: Reference[Targets] | None = None
    retargets: Reference[Targets] | None = None
    negates: Reference[Targets] | None = None
    negates_if: Expr | None = None

    @property
    def lasting(self) -> bool:
        """Whether a part in force, `while in force` or `negates`, may name targets."""
        return self.negates is not None or any(one.of is not None for one in self.alterations)


@dataclass(slots=True, eq=False)
class NumberRange(Node):
    """The numbers `low`, `low + step` ... up to `high`; none if that lies below. `closed`: the highest is there, too,
    after a shorter step if need be (in choices). All three are read once, when it begins to be gone over."""

    low: Expr
    high: Expr
    step: Expr | None = None
    closed: bool = False


@dataclass(slots=True, eq=False)
class Domain(Node):
    """What a query, loop or choice goes over, one thing at a time in `local`.

    noun `player`: in seat order from `starting` (default: left of the dealer if the game has a player variable
    `dealer` that is set, else the first), or those of `source` in that order; `rightwards`: round the table the other
    way, by default from the right of the dealer. `team`, `suit`, `rank`, `enum`: all, in
    order. `card`, `zone`, `play`, `cards` (sets): those of `source`, in its order; cards without a source: all cards
    of the game in the order of the decks. `number`: those of `range`. Only those for which `where` holds.
    """

    noun: Literal["player", "team", "suit", "rank", "enum", "card", "zone", "play", "cards", "number"]
    local: Reference[Local]
    span: Span
    source: Expr | None = None
    starting: Expr | None = None
    where: Expr | None = None
    rightwards: bool = False
    range: NumberRange | None = None


@dataclass(slots=True, eq=False)
class Label(Node):
    """A text with values in it: `template` as written; `parts` are texts and expressions in order."""

    template: str
    parts: list[str | Expr]
    span: Span
