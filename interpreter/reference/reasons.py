"""Why a thing is not offered: the condition that it fails, in the words of the define that stands there
(`else: "..."`), else as the ruleset writes it. Asked only when a player asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.tree import Domain, Expr, Label
from trionfi.dsl.tree.exclusion import conjuncts
from trionfi.interpreter.decision import Missing
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.reference.compiler import Compiler, Frame
from trionfi.interpreter.reference.expressions import texts_of_label
from trionfi.interpreter.reference.queries import domain
from trionfi.interpreter.state import State
from trionfi.interpreter.texts import is_known, text_for, texts_of, value_texts

__all__ = ["missing_lines", "missing_things", "told"]

MOST = 400  # combinations of things that are looked at
LONGEST = 100  # characters of a condition that is quoted


class Asker:
    """Who asks, about which state and which frame of a script."""

    def __init__(self, s: State, f: Frame, c: Compiler, player: int) -> None:
        self.s, self.f, self.c, self.player = s, f, c, player

    def holds(self, expr: Expr) -> bool:
        return bool(self.c.value(expr)(self.s, self.f))

    def text(self, label: Label) -> str:
        return text_for(self.s, texts_of(self.s, texts_of_label(label, self.c)(self.s, self.f)), self.player)

    def within(self, call: tree.CallDefine) -> Asker:
        """The same in the body of a define that is called here."""
        _, size = self.c.define(call.define)
        values = [self.c.value(argument)(self.s, self.f) for argument in call.arguments]
        return Asker(self.s, [*values, *[None] * (size - len(values))], self.c, self.player)

    def take_steps(self, body: Expr) -> None:
        """Works out the steps of a define, which its reason may name."""
        while isinstance(body, tree.LetIn):
            self.f[body.local.index] = self.c.value(body.value)(self.s, self.f)
            body = body.body

    # ---- why a condition does not hold

    def why_not(self, expr: Expr) -> tuple[str, bool]:
        """What keeps a condition from holding; and whether it is the author's own reason."""
        find = FINDERS.get(type(expr))
        return find(self, expr) if find is not None else (quoted(expr), False)

    def why_not_and(self, node: tree.And) -> tuple[str, bool]:
        return next((self.why_not(o) for o in node.operands if not self.holds(o)), (quoted(node), False))

    def why_not_or(self, node: tree.Or) -> tuple[str, bool]:
        found = [self.why_not(operand) for operand in node.operands]
        return next((reason for reason in found if reason[1]), (quoted(node), False))

    def why_not_conditional(self, node: tree.Conditional) -> tuple[str, bool]:
        value = next((value for condition, value in node.arms if self.holds(condition)), node.otherwise)
        return self.why_not(value) if not isinstance(value, tree.Const) else (quoted(node), False)

    def why_not_call(self, node: tree.CallDefine) -> tuple[str, bool]:
        inside = self.within(node)
        inside.take_steps(node.define.body)
        if node.define.reason is not None:
            return inside.text(node.define.reason), True
        return inside.why_not(node.define.body)

    def why_not_let_in(self, node: tree.LetIn) -> tuple[str, bool]:
        return self.why_not(node.body)  # its steps are taken where the define is called

    def why_not_playable(self, _node: tree.Playable) -> tuple[str, bool]:
        return "there is nothing now that it could be aimed at", True


FINDERS: dict[type, Callable[[Asker, Any], tuple[str, bool]]] = {
    tree.And: Asker.why_not_and,
    tree.Or: Asker.why_not_or,
    tree.Conditional: Asker.why_not_conditional,
    tree.CallDefine: Asker.why_not_call,
    tree.LetIn: Asker.why_not_let_in,
    tree.Playable: Asker.why_not_playable,
}


def quoted(expr: Expr) -> str:
    """A condition as it is written."""
    text = " ".join(expr.span.text.split())
    return f"only if {text if len(text) <= LONGEST else text[:LONGEST] + '...'}"


# ---- things and lines that are missing


def missing_things(node: Domain, s: State, f: Frame, c: Compiler, player: int) -> list[Missing]:
    """The things of a choice that are left out, each with why."""
    things = domain(node, c)
    if node.where is None:
        return []
    asker = Asker(s, f, c, player)
    found = []
    with kept(f):
        for thing in islice(things.all(s, f), MOST if node.range is not None else None):
            f[things.slot] = thing
            if may_be_named(s, node.noun, thing, player) and (reason := reason_of(asker, [node.where])):
                label = text_for(s, value_texts(s, node.local.type, thing), player)
                found.append(Missing(label, reason))
    return found


def missing_lines(node: tree.Menu, s: State, f: Frame, c: Compiler, player: int) -> list[Missing]:
    """The lines of a menu that are left out; not a thing together with itself, nor what names something that is not
    there."""
    asker = Asker(s, f, c, player)
    with kept(f):
        return [one for item in node.items for one in missing_of_line(item, asker)]


def missing_of_line(item: tree.MenuItem, asker: Asker) -> Iterator[Missing]:
    conditions = [*(d.where for d in item.domains if d.where is not None)]
    conditions += [item.condition] if item.condition is not None else []
    apart = of_two_things(item, conditions)
    for count, _ in enumerate(combinations(item.domains, asker)):
        if count >= MOST:
            return
        if not all(asker.holds(condition) for condition in apart):
            continue
        if (reason := reason_of(asker, conditions)) and (label := label_of(item, asker)):
            yield Missing(label, reason)


def of_two_things(item: tree.MenuItem, conditions: Sequence[Expr]) -> list[Expr]:
    """The conditions by which a line says that two of its things are not the same."""
    places = {domain.local.index for domain in item.domains}
    return [condition for condition in conjuncts(conditions) if is_of_two(condition, places)]


def is_of_two(condition: Expr, places: set[int]) -> bool:
    """`A is not B`, both of them things of a line."""
    same = condition.operand if isinstance(condition, tree.Not) else None
    return isinstance(same, tree.Same) and is_of(same.left, places) and is_of(same.right, places)


def is_of(side: Expr, places: set[int]) -> bool:
    return isinstance(side, tree.LocalValue) and side.local.index in places


def combinations(domains: Sequence[Domain], asker: Asker) -> Iterator[None]:
    """All things of the domains, one after another in the frame; not those of which the player knows nothing."""
    if not domains:
        yield
        return
    things = domain(domains[0], asker.c)
    for thing in things.all(asker.s, asker.f):
        asker.f[things.slot] = thing
        if may_be_named(asker.s, domains[0].noun, thing, asker.player):
            yield from combinations(domains[1:], asker)


def may_be_named(s: State, noun: str, thing: Any, player: int) -> bool:
    return noun != "card" or is_known(s, thing, player)


def reason_of(asker: Asker, conditions: Sequence[Expr]) -> str:
    """Why not all of them hold; empty if they do, or if one cannot be read here."""
    try:
        failed = next((condition for condition in conditions if not asker.holds(condition)), None)
        return "" if failed is None else asker.why_not(failed)[0]
    except GameError:
        return ""


def label_of(item: tree.MenuItem, asker: Asker) -> str:
    """Empty if it names nothing: `{waste.top} to its suit`, and the waste is empty."""
    try:
        values = texts_of_label(item.label, asker.c)(asker.s, asker.f)
        return "" if any(value[1] is None for value in values if not isinstance(value, str)) else asker.text(item.label)
    except GameError:
        return item.label.template


@contextmanager
def kept(f: Frame) -> Iterator[None]:
    """The frame is afterwards as it was."""
    before = list(f)
    try:
        yield
    finally:
        f[:] = before


# ---- what may be told


def told(s: State, player: int, find: Callable[[], list[Missing]]) -> list[Missing]:
    """What `find` gives, but for what hangs on cards that the player does not know: with those in other places it
    must be the same."""
    given = find()
    hidden = [card for card in range(len(s.looks)) if not is_known(s, card, player)]
    for step in (1, 2, 3, 5):
        looks = [s.looks[card] for card in hidden]
        for place, card in enumerate(hidden):
            s.looks[card] = looks[(place + step) % len(looks)]
        try:
            other = set(find())
        finally:
            for card, look in zip(hidden, looks, strict=True):
                s.looks[card] = look
        given = [one for one in given if one in other]
    return given
