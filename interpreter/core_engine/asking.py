"""Decisions as the core asks them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import Type
from trionfi.effects import CardThing
from trionfi.interpreter.core_engine.meanings import CoreHost
from trionfi.interpreter.decision import (
    DONE,
    Decision,
    Option,
    Text,
    Thing,
    label_of_many,
    menu_too_long,
    not_too_long,
)
from trionfi.interpreter.state import State
from trionfi.interpreter.texts import UNKNOWN_CARD, text_for, texts_of, value_texts, values_in

__all__ = ["ASKS"]

Make = Callable[..., Decision]  # of the state and the arguments
ASKS: dict[Op, Callable[[Let, CoreHost], Make]] = {}
ORIENTATION = "orientation"


def asks(op: Op) -> Callable[[Callable[[Let, CoreHost], Make]], Callable[[Let, CoreHost], Make]]:
    def register(build: Callable[[Let, CoreHost], Make]) -> Callable[[Let, CoreHost], Make]:
        ASKS[op] = build
        return build

    return register


def node_of(node: Let, host: CoreHost) -> Any:
    """The node of the tree that asks."""
    return host.program.places[int(node.about[0])].about


def is_secret(target: tree.Place) -> bool:
    return isinstance(target, tree.VariableValue) and target.variable.secret


@asks(Op.ASK)
def ask_menu(node: Let, host: CoreHost) -> Make:
    menu_node: tree.Menu = node_of(node, host)
    labels = [str(name) for name in node.about[1:]]

    def make(s: State, player: int, menu: list[Any], *captured: Any) -> Decision:
        def option(line: int, things: tuple[Any, ...]) -> Option:
            item = menu_node.items[line]
            if labels[line]:
                host.call(labels[line], s, *things, *captured)
            values = iter(s.returned or ()) if labels[line] else iter(())
            shown = [part if isinstance(part, str) else (part.type, next(values)) for part in item.label.parts]
            label_of_many(values_in(shown), item.label.span)
            texts = texts_of(s, shown)
            nouns = [domain.noun for domain in item.domains]
            about = tuple(Thing(noun, thing) for noun, thing in zip(nouns, things, strict=True))
            return Option(text_for(s, texts, player), about, item, texts)

        def options() -> list[Option]:
            return not_too_long((option(*entry) for entry in menu), partial(menu_too_long, menu_node.span))

        return Decision(player, menu_node.decision, len(menu), options)

    return make


@asks(Op.ASK_PICK)
def ask_pick(node: Let, host: CoreHost) -> Make:
    asked = asked_by(node_of(node, host), host)

    def make(s: State, player: int, menu: list[Any], picked: tuple[Any, ...], left: int) -> Decision:
        def option(thing: Any) -> Option:
            if isinstance(thing, CardThing):
                return option_of_target(s, player, asked, thing)
            texts = value_texts(s, asked.kind, thing)
            return Option(text_for(s, texts, player), (Thing(asked.noun, thing),), texts=texts)

        def options() -> list[Option]:
            made = (Option(DONE) if line < 0 else option(things[0]) for line, things in menu)
            return not_too_long(made, partial(menu_too_long, asked.span))

        decision = Decision(player, asked.name, len(menu), options)
        if s.log is not None:
            decision.picked = [option(thing).label for thing in picked]
        decision.left = left
        decision.private = asked.private
        return decision

    return make


class AskedThing(NamedTuple):
    """What a choice of things is about."""

    name: str
    noun: str
    kind: Type
    span: Span
    private: bool = False


def asked_by(node: tree.Choose | tree.Targets, host: CoreHost) -> AskedThing:
    """What a statement asks, or an effect for its targets."""
    noun, kind = node.domain.noun, node.domain.local.type
    if isinstance(node, tree.Choose):
        return AskedThing(node.decision, noun, kind, node.span, is_secret(node.target))
    effect = next(one for one in host.rules.effects if node in one.targets)
    return AskedThing(f"{effect.name}: {node.name}", noun, kind, node.span)


def option_of_target(s: State, player: int, asked: AskedThing, thing: CardThing) -> Option:
    """A card that is aimed at; of one that has gone the name that it had, for those who knew it."""
    assert s.field is not None, "a game without effects aims at nothing"
    about = (Thing(asked.noun, thing.card),)
    if s.field.is_there(thing):
        texts = value_texts(s, asked.kind, thing.card)
        return Option(text_for(s, texts, player), about, texts=texts)
    gone = s.field.gone[thing]
    name = s.table.ruleset.faces[gone.look.face].name
    shown = Text(name if gone.known == s.table.everyone else UNKNOWN_CARD)
    return Option(name if gone.known >> player & 1 else UNKNOWN_CARD, about, texts=[shown])


@asks(Op.ASK_NUMBER)
def ask_number(node: Let, host: CoreHost) -> Make:
    asked: tree.ChooseNumber = node_of(node, host)

    def make(_s: State, player: int, low: int, high: int, step: int) -> Decision:
        decision = Decision.of_number(player, asked.decision, low, high, step)
        decision.private = is_secret(asked.target)
        return decision

    return make


@asks(Op.ASK_SIDE)
def ask_side(_node: Let, host: CoreHost) -> Make:
    words = host.rules.enumerations[ORIENTATION].members

    def make(_s: State, player: int, card: int) -> Decision:
        def options() -> list[Option]:
            return [
                Option(word, (Thing(ORIENTATION, i),), texts=[Text(word, card, "upright or reversed")])
                for i, word in enumerate(words)
            ]

        decision = Decision(player, ORIENTATION, len(words), options)
        decision.card = card
        return decision

    return make
