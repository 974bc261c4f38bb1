"""Plays of effect cards. The engine does not play them yet: every node about them says so when it is compiled."""

from __future__ import annotations

from typing import Any, NoReturn

from trionfi.dsl import tree
from trionfi.interpreter.errors import InternalError
from trionfi.interpreter.reference.attributes import ATTRIBUTES
from trionfi.interpreter.reference.compiler import Compiler, meaning
from trionfi.interpreter.reference.queries import DOMAINS

__all__: list[str] = []


def not_yet(node: Any, _c: Compiler) -> NoReturn:
    raise InternalError(f"{node.span}: effects are not yet played by the reference engine")


for node_class in (tree.AllPlays, tree.Playable, tree.PlayCard, tree.EndPlays, tree.EndTarget):
    meaning(node_class)(not_yet)

for owner, name in tree.ATTRIBUTES:
    if owner in ("play", "plays"):
        ATTRIBUTES[owner, name] = not_yet

DOMAINS["play"] = not_yet
