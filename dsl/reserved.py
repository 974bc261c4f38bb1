"""Which words of the language may be names of a game, too."""

from __future__ import annotations

# Each has places of its own where no name can begin, or only in one statement: elsewhere it is a name.
FREE = frozenset(
    "alike anything at by category chooses copies down face groups looks more nothing number orientation over plays "
    "rotating run same secretly step such that times up".split()
)
# Statements begin with these. What is named inside a statement only may be called so: a word of a kind, an event, a
# decision, an effect's target.
VERBS = frozenset(
    "add deal end let move pay pick repeat return say show shuffle stop subtract trigger turn while".split()
)
