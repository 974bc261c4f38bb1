"""Expressions: what a value is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from trionfi.dsl.tree.declarations import (
    ConditionRanking,
    Define,
    Domain,
    KindColumn,
    Local,
    Mark,
    MeldSpec,
    Option,
    PatternRanking,
    TotalSpec,
    Variable,
    ZoneFamily,
)
from trionfi.dsl.tree.node import Expr, Node, Reference
from trionfi.dsl.tree.words import (
    Amount,
    Comparison,
    Extreme,
    Function,
    Gathering,
    Operator,
    Quantifier,
    Selection,
    Trait,
)
from trionfi.dsl.types import Type


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
    local: Reference[Local]


@dataclass(slots=True, eq=False)
class OptionValue(Expr):
    option: Reference[Option]


@dataclass(slots=True, eq=False)
class VariableValue(Expr):
    """`owner` is a player, team, suit or zone (for `per: spot`), or None."""

    variable: Reference[Variable]
    owner: Expr | None = None


@dataclass(slots=True, eq=False)
class ZoneValue(Expr):
    """One zone (type zone). `index`, from 1, of a place of rows and piles."""

    family: Reference[ZoneFamily]
    owner: Expr | None = None
    index: Expr | None = None


@dataclass(slots=True, eq=False)
class ZonesValue(Expr):
    """All places of a row or of piles (type zones), in order."""

    family: Reference[ZoneFamily]
    owner: Expr | None = None


@dataclass(slots=True, eq=False)
class AllPlayers(Expr):
    """`players`: everyone seated at the start, in seat order."""


@dataclass(slots=True, eq=False)
class AllPlays(Expr):
    """`plays`: those of this round, oldest first."""


@dataclass(slots=True, eq=False)
class Offered(Expr):
    """`options`, in a strategy: the things of the wanted noun and kind that are offered (cards, zones, players, suits
    ...), in the order of the options."""

    noun: str
    element: Type


@dataclass(slots=True, eq=False)
class NumberOffered(Expr):
    """`lowest_offered`, `highest_offered`, in a strategy: the ends of the range asked for."""

    end: Extreme


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

    operator: Comparison
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

    what: Trait
    amount: Amount
    card: Expr
    value: Expr | None = None


@dataclass(slots=True, eq=False)
class Arithmetic(Expr):
    """Numbers, or exact fractions when the type is fraction. `mod` is never negative. `/` gives a fraction."""

    operator: Operator
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
class LetIn(Expr):
    """A step of a define: `value` is worked out once, before `body`, in which `local` is it."""

    local: Reference[Local]
    value: Expr
    body: Expr


@dataclass(slots=True, eq=False)
class CallDefine(Expr):
    define: Reference[Define]
    arguments: list[Expr]


@dataclass(slots=True, eq=False)
class Builtin(Expr):
    """`smaller(a, b)`, `larger(a, b)`; in strategies `chance(n, m)`: true n times in m."""

    name: Function
    arguments: list[Expr]

    @property
    def draws(self) -> bool:
        """Whether it is read by chance."""
        match self.name:
            case "chance":
                return True
            case "smaller" | "larger":
                return False
            case _:
                assert_never(self.name)


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
class ColumnValue(Expr):
    """`bid.worth`: what a word of a kind has in a column. None stops with the place."""

    column: Reference[KindColumn]
    member: Expr


@dataclass(slots=True, eq=False)
class MarkValue(Expr):
    mark: Reference[Mark]
    card: Expr


@dataclass(slots=True, eq=False)
class CardAtIndex(Expr):
    """`cards[i]`: the i-th card, from 1 (of a pile: from the bottom)."""

    cards: Expr
    index: Expr


@dataclass(slots=True, eq=False)
class TopCards(Expr):
    """`top N cards in zone`, or in cards, of which the last is on top: the topmost first, as many as there are."""

    amount: Expr
    zone: Expr


# ---- queries


@dataclass(slots=True, eq=False)
class Quantified(Expr):
    quantifier: Quantifier
    domain: Domain
    condition: Expr


@dataclass(slots=True, eq=False)
class Count(Expr):
    domain: Domain


@dataclass(slots=True, eq=False)
class Fold(Expr):
    """`sum`, `highest`, `lowest`, `median of VALUE for each ...`; all but the sum of nothing stop with the place. The
    median is the value in the middle if they are put in order, the lower of the two in the middle of an even number."""

    operator: Gathering
    value: Expr
    domain: Domain


@dataclass(slots=True, eq=False)
class Select(Expr):
    """`the` (the first, or the `last`; none if there is none), `all` (players, cards, zones, plays), `random` (by the
    game's chance; of nothing: stops with the place). With `best`: only those whose `key` is highest or lowest."""

    which: Selection
    domain: Domain
    best: Extreme | None = None
    key: Expr | None = None
    last: bool = False

    @property
    def draws(self) -> bool:
        """Whether it is read by chance."""
        match self.which:
            case "random":
                return True
            case "the" | "all":
                return False
            case _:
                assert_never(self.which)


@dataclass(slots=True, eq=False)
class NextPlayer(Expr):
    """`next live player after p`: the first to the left of p, round the table and at last p; none if there is none."""

    domain: Domain
    after: Expr


@dataclass(slots=True, eq=False)
class SetsOf(Expr):
    """`sets of 2..5 cards in ...`: the sets of so many of some cards, which a domain goes over. They come in the order
    of the places of their cards; one that goes on comes behind the one that it goes on from. Copies are cards of their
    own. More than MOST_SETS stop the game when it comes to the one that is too many."""

    low: Expr
    high: Expr
    cards: Expr


# ---- rankings, totals, melds


@dataclass(slots=True, eq=False)
class Part(Node):
    """Cards that a hand may use; `exactly`: so many of them."""

    cards: Expr
    exactly: Expr | None = None


@dataclass(slots=True, eq=False)
class BestHand(Expr):
    """The best hand of a pattern ranking from the parts; none if no category fits."""

    ranking: Reference[PatternRanking]
    parts: list[Part]


@dataclass(slots=True, eq=False)
class RateHand(Expr):
    """The value of a condition ranking."""

    ranking: Reference[ConditionRanking]
    arguments: list[Expr]


@dataclass(slots=True, eq=False)
class CategoryColumn(Expr):
    """`category.points`: a further column of the table; 0 for none."""

    ranking: Reference[PatternRanking | ConditionRanking]
    column: str
    category: Expr


@dataclass(slots=True, eq=False)
class TotalOf(Expr):
    total: Reference[TotalSpec]
    cards: Expr


@dataclass(slots=True, eq=False)
class Arranged(Expr):
    meld: Reference[MeldSpec]
    cards: Expr


@dataclass(slots=True, eq=False)
class IsMeld(Expr):
    meld: Reference[MeldSpec]
    cards: Expr


# ---- labels


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
    ("rank", "previous"): "rank",
    ("suit", "next"): "suit",
    ("suit", "previous"): "suit",
    ("enum", "place"): "number",  # of a word of any other kind, from 1
    ("enum", "next"): "enum",
    ("enum", "previous"): "enum",
    ("category", "place"): "number",  # 1: the lowest
    ("category", "next"): "category",  # the next better one
    ("category", "previous"): "category",
    ("player", "place"): "number",  # by seats, from 1
    ("team", "place"): "number",
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

# Belongings that came after the first games were written: one of the game's own counts in their place.
LATER_ATTRIBUTES = frozenset({("player", "place"), ("team", "place"), ("suit", "next"), ("suit", "previous")})
