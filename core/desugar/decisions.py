"""Decisions: picks, numbers, orientations, menus, and choices in secret."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from trionfi.core.desugar.belongings import orientation_number
from trionfi.core.desugar.control import assign, checked_size
from trionfi.core.desugar.function import Desugar, desugars, locals_read
from trionfi.core.desugar.picks import pick_one, pick_things
from trionfi.core.desugar.queries import collected, each_of, found
from trionfi.core.desugar.values import owner_of
from trionfi.core.desugar.writer import TRUE, number
from trionfi.core.ir import Const, Function, Name, Operand
from trionfi.core.ops import Op
from trionfi.core.types import CARD, INT, CoreType, Kind, core_type, list_of
from trionfi.dsl import tree
from trionfi.dsl.limits import MOST_NUMBERS, MOST_OPTIONS

__all__: list[str] = []


# ---- picks


@desugars(tree.Choose)
def desugar_choose(d: Desugar, node: tree.Choose) -> None:
    assign(d, node.target, choose(d, node))


def choose(d: Desugar, node: tree.Choose) -> Operand:
    """What is chosen: a thing, or several as one value."""
    player, low = d.needed(node.player), d.needed(node.low)
    if node.domain.range is not None:
        return pick_number(d, node, player)
    high = None if node.high is None else d.needed(node.high)
    things = found(d, node.domain)
    if node.single and low == high == number(1) and node.such_that is None:
        return pick_one(d, node, node.span, player, things)
    legal = None if node.such_that is None else lambda chosen: such_that(d, node, chosen)
    picked = pick_things(d, node, node.span, player, (low, high), things, legal)
    return first_picked(d, picked) if node.single else collected(d, node.domain, picked)


def pick_number(d: Desugar, node: tree.Choose, player: Operand) -> Operand:
    """One of the numbers for which the condition holds: no list holds so many, they are offered as they come."""
    menu = d.let(Op.NEW_MENU)
    with each_of(d, node.domain) as (thing, _):
        d.check(d.let(Op.LESS, d.let(Op.OPTIONS, menu), number(MOST_OPTIONS)), "too-many-options", node.span)
        d.do(Op.OFFER_PICK, menu, thing, number(0))
    d.check(d.let(Op.LESS, number(0), d.let(Op.OPTIONS, menu)), "no-option", node.span)
    nothing = d.let(Op.EMPTY, type=list_of(INT))
    place = d.place(node.span, node)
    choice = d.let(Op.ASK_PICK, player, menu, nothing, number(1), about=(place,), hint="choice")
    return d.let(Op.PICKED_THING, menu, choice, type=INT, hint=node.domain.local.name)


def such_that(d: Desugar, node: tree.Choose, chosen: Operand) -> Operand:
    assert node.such_that is not None, "a choice with a condition on the whole"
    assert node.chosen is not None, "a condition is about what is chosen"
    with d.named(node.chosen, collected(d, node.domain, chosen)):
        return d.expr(node.such_that)


def first_picked(d: Desugar, picked: Operand) -> Operand:
    """The one that is picked; none if none is."""
    kind = picked.type.element
    if kind.is_list:
        return d.let(Op.ITEM, picked, number(0), type=kind)
    one = d.var("one", kind.maybe, d.none_of(kind))
    with d.when(d.let(Op.LESS, number(0), d.let(Op.SIZE, picked))):
        d.set(one, d.let(Op.ITEM, picked, number(0), type=kind))
    return one


# ---- numbers and orientations


@desugars(tree.ChooseNumber)
def desugar_choose_number(d: Desugar, node: tree.ChooseNumber) -> None:
    assign(d, node.target, choose_number(d, node))


def choose_number(d: Desugar, node: tree.ChooseNumber) -> Operand:
    player, low, high = d.needed(node.player), d.needed(node.low), d.needed(node.high)
    step = number(1) if node.step is None else d.needed(node.step)
    d.check(d.let(Op.AT_MOST, low, high), "no-option", node.span)
    d.check(d.let(Op.AT_MOST, number(1), step), "bad-step", node.span)
    d.check(d.let(Op.AT_MOST, d.let(Op.STEPS, low, high, step), number(MOST_NUMBERS)), "bad-step", node.span)
    return d.let(Op.ASK_NUMBER, player, low, high, step, about=(d.place(node.span, node),), hint=node.decision)


@desugars(tree.ChooseOrientation)
def desugar_choose_orientation(d: Desugar, node: tree.ChooseOrientation) -> None:
    choose_orientations(d, node, lambda card, side: orient(d, card, side))


def choose_orientations(d: Desugar, node: tree.ChooseOrientation, then: Callable[[Operand, Operand], None]) -> None:
    """One decision a card; `then` is what is done with the orientation chosen."""
    player = d.needed(node.player)
    place = d.place(node.span, node)
    with d.each(found(d, node.domain), node.domain.local.name) as (card, _):
        then(card, d.let(Op.ASK_SIDE, player, card, about=(place,), hint="side"))


def orient(d: Desugar, card: Operand, side: Operand) -> None:
    d.do(Op.ORIENT, card, d.same(side, Const(orientation_number(d, True), side.type)))


# ---- menus


@desugars(tree.Menu)
def desugar_menu(d: Desugar, node: tree.Menu) -> None:
    player = d.needed(node.player)
    menu = d.let(Op.NEW_MENU)
    is_bounded = not any(item.domains for item in node.items)
    for line, item in enumerate(node.items):
        offer_line(d, node, line, item, menu, player, is_bounded)
    d.check(d.let(Op.LESS, number(0), d.let(Op.OPTIONS, menu)), "no-option", node.span)
    captured = locals_in_labels(d, node)
    labels = [label_function(d, node, item, captured) for item in node.items]
    values = [d.local(local) for local in captured]
    choice = d.let(Op.ASK, player, menu, *values, about=(d.place(node.span, node), *labels), hint="choice")
    last = len(node.items) - 1
    with d.switch(d.let(Op.LINE, menu, choice)) as cases:
        for line, item in enumerate(node.items):
            # the last line is what is left, so that control ends in one of them
            with cases.case(line) if line < last else cases.otherwise(), ExitStack() as names:
                for place, domain in enumerate(item.domains):
                    kind = core_type(domain.local.type).some
                    thing = d.let(Op.ABOUT, menu, choice, type=kind, about=(place,), hint=domain.local.name)
                    names.enter_context(d.named(domain.local, thing))
                d.block_of(item.body)


def offer_line(
    d: Desugar, node: tree.Menu, line: int, item: tree.MenuItem, menu: Operand, player: Operand, is_bounded: bool
) -> None:
    """A line, once for each combination of its things, the first slowest; of copies once."""
    with ExitStack() as loops:
        things = [loops.enter_context(each_of(d, domain))[0] for domain in item.domains]
        loops.enter_context(d.when(TRUE if item.condition is None else d.expr(item.condition)))
        if things:
            is_there = d.let(Op.IS_OFFERED, menu, player, *things, about=(line,))
            loops.enter_context(d.when(d.negation(is_there)))
        if not is_bounded:
            d.check(d.let(Op.LESS, d.let(Op.OPTIONS, menu), number(MOST_OPTIONS)), "too-many-options", node.span)
        d.do(Op.OFFER, menu, *things, about=(line,))


def locals_in_labels(d: Desugar, node: tree.Menu) -> list[tree.Local]:
    """The locals of the script that labels of a menu speak of."""
    own = {domain.local.index for item in node.items for domain in item.domains}
    found = {local.index: local for item in node.items for local in locals_read(item.label.parts)}
    known = d.env.keys() | d.variables.keys()
    return [local for index, local in sorted(found.items()) if index in known and index not in own]


def label_function(d: Desugar, node: tree.Menu, item: tree.MenuItem, captured: Sequence[tree.Local]) -> str:
    """The function that gives the values in an option's label, of the option's things and of the locals that labels of
    this menu speak of; no name for a label that is as written."""
    parts = [part for part in item.label.parts if isinstance(part, tree.Expr)]
    if not parts:
        return ""

    def write(inner: Desugar, name: str) -> Function:
        parameters = inner.bind([*(domain.local for domain in item.domains), *captured])
        inner.do(Op.RENDER, *[inner.expr(part) for part in parts])
        return Function(name, parameters, None, inner.body)

    return d.whole.function(item, "label", node.decision, write)


# ---- in secret


@desugars(tree.Secret)
def desugar_secret(d: Desugar, node: tree.Secret) -> None:
    """Nothing is set before all have chosen; then in the order in which it was asked."""
    d.do(Op.SEAL)
    seats = found(d, node.players)
    kept = [sealed(d, choice) for choice in node.choices]
    with d.each(seats, node.players.local.name) as (seat, _), d.named(node.players.local, seat):
        for one in kept:
            one.ask()
    with d.count(number(0), d.let(Op.SIZE, seats)) as (i, _):
        for one in kept:
            one.reveal(i)
    d.do(Op.UNSEAL)


def sealed(d: Desugar, node: tree.Choose | tree.ChooseNumber | tree.ChooseOrientation) -> SealedValue | SealedSides:
    return SealedSides(d, node) if isinstance(node, tree.ChooseOrientation) else SealedValue(d, node)


def empty_list(d: Desugar, hint: str, element: CoreType) -> Name:
    kind = CoreType(Kind.LIST, str(element))
    return d.var(hint, kind, d.let(Op.EMPTY, type=kind))


def item(d: Desugar, values: Name, place: Operand) -> Operand:
    return d.let(Op.ITEM, values, place, type=values.type.element)


class SealedValue:
    """What each seat has chosen in one line of a secret choice, and whose it is, until all is set."""

    def __init__(self, d: Desugar, node: tree.Choose | tree.ChooseNumber) -> None:
        self.d, self.node = d, node
        self.values = empty_list(d, "values", core_type(node.target.type))
        self.owners = empty_list(d, "owners", owner_type(node.target)) if has_owner(node.target) else None

    def ask(self) -> None:
        d, node = self.d, self.node
        value = choose(d, node) if isinstance(node, tree.Choose) else choose_number(d, node)
        if self.owners is not None:
            assert isinstance(node.target, tree.VariableValue), "only a variable has owners"
            d.push(self.owners, *owner_of(d, node.target))
        d.push(self.values, checked_size(d, node.target, value))

    def reveal(self, place: Operand) -> None:
        d, target = self.d, self.node.target
        value = item(d, self.values, place)
        if isinstance(target, tree.LocalValue):
            d.set(d.variables[target.local.index], value)
            return
        owner = () if self.owners is None else (item(d, self.owners, place),)
        d.do(Op.STORE, value, *owner, about=(target.variable.name,))


def has_owner(target: tree.Place) -> bool:
    return isinstance(target, tree.VariableValue) and target.owner is not None


def owner_type(target: tree.Place) -> CoreType:
    assert isinstance(target, tree.VariableValue), "only a variable has owners"
    assert target.owner is not None, "of all there is one"
    return core_type(target.owner.type).some


class SealedSides:
    """The orientations that each seat has chosen, until all cards are turned; `ends`: how many there are behind the
    last of each seat."""

    def __init__(self, d: Desugar, node: tree.ChooseOrientation) -> None:
        self.d, self.node = d, node
        self.cards = empty_list(d, "cards", CARD)
        self.sides = empty_list(d, "sides", CoreType(Kind.MEMBER, "orientation"))
        self.ends = empty_list(d, "ends", INT)

    def ask(self) -> None:
        choose_orientations(self.d, self.node, self.keep)
        self.d.push(self.ends, self.d.let(Op.SIZE, self.cards))

    def keep(self, card: Operand, side: Operand) -> None:
        self.d.push(self.cards, card)
        self.d.push(self.sides, side)

    def reveal(self, place: Operand) -> None:
        d = self.d
        start = d.var("start", INT, number(0))
        with d.when(d.let(Op.LESS, number(0), place)):
            d.set(start, item(d, self.ends, d.let(Op.SUBTRACT, place, number(1))))
        with d.count(start, item(d, self.ends, place)) as (i, _):
            orient(d, item(d, self.cards, i), item(d, self.sides, i))
