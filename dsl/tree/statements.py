"""Statements: what happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from trionfi.dsl.source import Span
from trionfi.dsl.tree.declarations import Domain, Label, Local, Mark, Procedure, ZoneFamily
from trionfi.dsl.tree.expressions import LocalValue, VariableValue
from trionfi.dsl.tree.node import Block, Expr, Node, Reference, Statement

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
    family: Reference[ZoneFamily]
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

    mark: Reference[Mark]
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
    procedure: Reference[Procedure]
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


# `weight` of a loop that could go on for ever: the steps that a pass counts for, known once all is checked


@dataclass(slots=True, eq=False)
class While(Statement):
    condition: Expr
    body: Block
    weight: int = 0


@dataclass(slots=True, eq=False)
class RepeatUntil(Statement):
    """The condition is asked after each pass."""

    condition: Expr
    body: Block
    weight: int = 0


@dataclass(slots=True, eq=False)
class RepeatTimes(Statement):
    """The number is read once."""

    amount: Expr
    body: Block
    weight: int = 0


@dataclass(slots=True, eq=False)
class ForEach(Statement):
    """Over cards: those there at the start, `where` read at each. Over zones and players: `where` read at each."""

    domain: Domain
    body: Block


@dataclass(slots=True, eq=False)
class ForCount(Statement):
    """The ends are read once and belong to it, so is the step."""

    local: Reference[Local]
    low: Expr
    high: Expr
    body: Block
    step: Expr | None = None
    weight: int = 0


Loop = While | RepeatUntil | RepeatTimes | ForCount


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
    chosen: Reference[Local] | None = None


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
class MenuItem(Node):
    """A line of a menu: offered for each thing (or pair) of the domains, if `condition`."""

    label: Label
    domains: list[Domain]
    condition: Expr | None
    body: Block
    span: Span
    key: str = ""  # the letter by which it is chosen, if the ruleset names one


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
