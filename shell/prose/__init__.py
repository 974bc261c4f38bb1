"""The rules of a game as English: one renderer for each kind of node of the checked tree, and no game's own words."""

from trionfi.shell.prose import decisions, declarations, effects, expressions, hands, queries, statements

ROOMS = (decisions, declarations, effects, expressions, hands, queries, statements)  # each tells nodes of its own
