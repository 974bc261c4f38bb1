"""The words that a node of the checked tree may hold: closed lists.

Whoever asks for such a word goes through all of its list with `match`, so that a word which is added here is missed
in no room: the type checker names every place that does not know it.
"""

from __future__ import annotations

from typing import Literal, get_args

Comparison = Literal["<", "<=", ">", ">="]
Operator = Literal["+", "-", "*", "mod", "/"]
Quantifier = Literal["any", "no", "every"]
Extreme = Literal["highest", "lowest"]
Gathering = Literal["sum", "highest", "lowest", "median"]
Selection = Literal["the", "all", "random"]
Function = Literal["smaller", "larger", "chance"]
Amount = Literal["some", "every", "no"]
Trait = Literal["suit", "rank"]
FactKind = Literal["alike", "run", "same", "cards", "are", "all", "different", "anything", "nothing else"]
OrderKind = Literal["category", "groups", "value"]
ChapterName = Literal["idea", "deal", "play", "score", "example"]
AlterationKind = Literal["some", "every", "no", "mark", "copy"]

# Who can play a seat of any game; a game's own strategies come to these.
EVERY_GAMES_BOTS = ("random", "first")

# By what a script says.
COMPARISONS: dict[str, Comparison] = {word: word for word in get_args(Comparison)}
QUANTIFIERS: dict[str, Quantifier] = {word: word for word in get_args(Quantifier)}
EXTREMES: dict[str, Extreme] = {word: word for word in get_args(Extreme)}
GATHERINGS: dict[str, Gathering] = {word: word for word in get_args(Gathering)}
SELECTIONS: dict[str, Selection] = {word: word for word in get_args(Selection)}
