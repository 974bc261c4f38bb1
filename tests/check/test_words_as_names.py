"""Each word of the language as the name of a zone, a variable, a define, a word of a kind, an event."""

from __future__ import annotations

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.reserved import FREE, VERBS
from trionfi.dsl.script import WORDS
from trionfi.interpreter.rules import load

GAME = """\
trionfi: 1
name: Words
about: A word of the language as a name.
players: 2
deck: {{ranks: [ace, 2, 3], suits: [cups, swords]}}
kinds:
  mood: [glad, {word}]
table:
  stock: {{start: deck, face: down}}
  hand: {{per: player, face: up}}
  {zone}: {{face: up}}
variables:
  {variable}: 0
  humour: {{kind: mood, start: glad}}
define:
  {define}(number): number + 1
play: |
  shuffle stock
  deal 1 from stock to each hand
  deal 1 from stock to {zone} face down
  turn up {zone}.top
  turn down {zone}.top
  move all cards in {zone} to p1.hand
  move p1.hand.top to {zone} face up
  if {zone} is not empty and {zone}.count > 0: add 1 to {variable}
  {variable} = {variable} + {define}({variable})
  repeat {variable} times: humour = {word}
  if humour is {word}: {variable} = 3
  trigger {event}
measures:
  when {event}:
    level: {variable}
result:
  score(player): {define}({variable}) if humour is {word} else {zone}.count
"""
ROLES = {"zone": "pile", "variable": "level_of", "define": "more_of", "word": "sad", "event": "dawn"}
SPOKEN_OF_THINGS = {"number", "orientation", "plays"}  # nouns: what is written bare cannot be called so
# Words that came later, and others that are words in one place only.
SOFT = ["bottom", "different", "key", "last", "median", "number", "numbers", "set", "sets"]


NAMES = sorted({*FREE, *SOFT} - SPOKEN_OF_THINGS)
RESERVED = sorted(WORDS - FREE - VERBS)


def errors(**names: str) -> list[str]:
    _, found = read_ruleset("words", GAME.format(**{**ROLES, **names}))
    return [one.code for one in found if one.severity == "error"]


@pytest.mark.parametrize("first", range(len(NAMES)))
def test_words_that_may_name_anything(first: int) -> None:
    """Each of them comes once to each role."""
    assert errors(**{role: NAMES[(first + place) % len(NAMES)] for place, role in enumerate(ROLES)}) == []


@pytest.mark.parametrize("word", sorted(VERBS | SPOKEN_OF_THINGS))
def test_words_that_name_what_is_never_said_first(word: str) -> None:
    assert errors(word=word, event="dawn") == errors(word="sad", event=word) == []
    assert all(errors(**{role: word}) for role in ("zone", "variable", "define"))


@pytest.mark.parametrize("word", RESERVED)
def test_words_that_name_nothing(word: str) -> None:
    assert all(errors(**{role: word}) for role in ROLES)


def test_words_that_authors_want_are_free() -> None:
    assert {"face", "over", "down", "times", "run"} <= FREE


@pytest.mark.parametrize("words", [("face", "over", "down", "times", "run"), ("down", "run", "times", "face", "over")])
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_such_names_are_played(words: tuple[str, ...], engine: str) -> None:
    text = GAME.format(**dict(zip(ROLES, words, strict=True)))
    assert load("words", text=text).start(seed=1, engine=engine).scores == [4, 4]


@pytest.mark.parametrize("name", ["place", "next", "previous"])
def test_a_name_of_the_game_counts_after_a_dot(name: str) -> None:
    """`place` of a player, `next` of a suit came later than games that have their own."""
    declared = f"  {name}: {{per: player, start: 7}}\ndefine:\n"
    text = (
        GAME.format(**ROLES).replace("define:\n", declared).replace("score(player):", f"score(player): player.{name} +")
    )
    assert load("words", text=text.replace(" + more_of(", " + 0 * more_of(")).start(seed=1).scores == [7, 7]


def test_an_event_or_a_word_may_begin_like_a_statement() -> None:
    text = GAME.format(**{**ROLES, "word": "deal", "event": "turn"})
    assert load("words", text=text).start(seed=1, engine="reference").scores == [4, 4]
