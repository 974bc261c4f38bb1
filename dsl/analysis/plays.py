"""What effects may not ask and do, in their own scripts or through what these call.

That no effect's script plays a card or triggers an event of effects is found where names are read, as recursion.
"""

from __future__ import annotations

from collections.abc import Iterator

from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.tree import Define, Effect, EndPlays, Playable, Procedure, Ruleset
from trionfi.dsl.tree.walk import walk

declare_codes(
    {
        "asks-itself": "Whether a card can be played hangs on its targets, so these do not ask it.",
        "ends-itself": "An effect does not end all plays, of which its own is one.",
    }
)


def check_plays(rules: Ruleset, diagnostics: Diagnostics) -> None:
    for effect in rules.effects:
        for node in _reached(effect.targets):
            if isinstance(node, Playable):
                message = f"what `{effect.name}` is aimed at hangs on whether something can be played"
                hint = "an effect that `becomes` another takes only one that can be played; ask nothing more"
                diagnostics.error("asks-itself", message, node.span, hint)
    for script in _scripts(rules):
        for node in _reached(script.body):
            if isinstance(node, EndPlays):
                message = f"`{script.name}` would end all plays while it is being played"
                diagnostics.error("ends-itself", message, node.span, "end them in the play, behind the last effect")


def _scripts(rules: Ruleset) -> Iterator[Procedure]:
    for effect in rules.effects:
        yield from _scripts_of(effect)
    if rules.when_chosen is not None:
        yield rules.when_chosen


def _scripts_of(effect: Effect) -> Iterator[Procedure]:
    if effect.when_played is not None:
        yield effect.when_played
    yield from effect.events.values()


def _reached(node: object) -> Iterator[object]:
    """All nodes in a node and in what it calls."""
    return walk(node, into=(Define, Procedure))
