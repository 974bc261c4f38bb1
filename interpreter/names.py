"""Names of cards, players, zones and values, as texts: written for people, and read from them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn

from trionfi.dsl.diagnostics import did_you_mean
from trionfi.dsl.numbers import HIGHEST, LOWEST, read_whole
from trionfi.dsl.tree import Deck, Enumeration, Ruleset
from trionfi.dsl.types import Type
from trionfi.effects import Look
from trionfi.interpreter.errors import StackError
from trionfi.interpreter.table import Table

__all__ = [
    "CardNames",
    "fold",
    "plain_words",
    "player_name",
    "read_player",
    "read_value",
    "refuse",
    "shown_word",
    "word_of",
]

REVERSED = " reversed"
UPRIGHT = " upright"
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def fold(text: str) -> str:
    """As names are compared: without case, blanks run together."""
    return " ".join(text.split()).casefold()


def player_name(seat: int) -> str:
    return f"p{seat + 1}"


def refuse(what: str, text: object, known: Sequence[str] = ()) -> NoReturn:
    """Raises StackError about a name that is not known."""
    hint = did_you_mean(str(text), known)
    raise StackError(f"{what} `{text}`" + (f": {hint}" if hint else ""))


class CardNames:
    """Reads and writes the names of a ruleset's cards, with its aliases and short codes."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.by_name: dict[str, int] = {}
        for number, face in enumerate(ruleset.faces):
            self.by_name.setdefault(fold(face.name), number)
        for deck in ruleset.decks:
            self._add_aliases(deck)
        if len(ruleset.decks) > 1:
            for number, face in enumerate(ruleset.faces):
                for name in (face.name, *short_codes(face.short)):
                    self.by_name.setdefault(fold(f"{name} of {ruleset.decks[face.deck].name}"), number)
        for number, face in enumerate(ruleset.faces):
            for short in short_codes(face.short):
                self.by_name.setdefault(short, number)

    def _add_aliases(self, deck: Deck) -> None:
        for other, name in deck.aliases.items():
            if fold(name) in self.by_name:
                self.by_name.setdefault(fold(other), self.by_name[fold(name)])

    def read(self, text: str) -> tuple[int, bool]:
        """The face so called, and whether it is reversed. Raises StackError with the nearest known name."""
        folded = fold(text)
        if folded in self.by_name:
            return self.by_name[folded], False
        plain = folded.removesuffix(REVERSED).removesuffix(UPRIGHT)
        if plain not in self.by_name:
            refuse("there is no card", text, [face.name for face in self.ruleset.faces])
        face = self.by_name[plain]
        is_reversed = folded.endswith(REVERSED)
        if is_reversed and not self.ruleset.decks[self.ruleset.faces[face].deck].oriented:
            raise StackError(f"`{text}`: the cards of this deck do not lie reversed")
        return face, is_reversed

    def write(self, face: int, is_reversed: bool = False) -> str:
        return self.ruleset.faces[face].name + (REVERSED if is_reversed else "")

    def of(self, look: Look) -> str:
        return self.write(look.face, look.reversed)


def short_codes(short: str) -> list[str]:
    """A short code, folded; a ten also with its digits."""
    if not short:
        return []
    codes = [short.casefold()]
    if short[0] == "T":
        codes.append(f"10{short[1:]}".casefold())
    return codes


# ---- values


def word_of(ruleset: Ruleset, kind: Type, value: int) -> str:
    """The member of an enumeration, or the name of a category."""
    if kind.kind == "category":
        return ruleset.rankings[kind.name].categories[value].name
    return ruleset.enumerations[kind.name].members[value]


def shown_word(ruleset: Ruleset, kind: Type, value: int) -> str:
    """The same as people read it: the label of a word that has one."""
    return ruleset.enumerations[kind.name].shown(value) if kind.kind == "enum" else word_of(ruleset, kind, value)


def plain_words(text: str) -> str:
    """A text in which case does not count, and in which a word with `_` and the same words with blanks are one."""
    return fold(text.replace("_", " "))


def read_player(table: Table, given: object) -> int:
    """`p2`, or a seat from 0."""
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < table.players:
        return given
    names = [player_name(seat) for seat in range(table.players)]
    if fold(str(given)) not in names:
        refuse("there is no player", given, names)
    return names.index(fold(str(given)))


def read_number(given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int | str):
        refuse("a whole number is wanted, not", given)
    if isinstance(given, int):
        value = given if LOWEST <= given <= HIGHEST else None
    elif re.fullmatch(r"\s*[+-]?[0-9]+\s*", given):
        value = read_whole(given.strip())
    else:
        refuse("a whole number is wanted, not", given)
    if value is None:
        raise StackError(f"a number goes from {LOWEST} to {HIGHEST}")
    return value


def read_truth(given: object) -> bool:
    if isinstance(given, bool):
        return given
    if fold(str(given)) not in TRUTHS:
        refuse("true or false is wanted, not", given, list(TRUTHS))
    return TRUTHS[fold(str(given))]


def read_fraction(given: object) -> Fraction:
    """`3:2`, `3/2`, or a whole number."""
    if isinstance(given, Fraction):
        return given
    parts = str(given).replace(":", "/").split("/")
    if len(parts) > 2 or (len(parts) == 2 and read_number(parts[1]) == 0):
        refuse("a ratio such as 3:2 is wanted, not", given)
    return Fraction(read_number(parts[0]), read_number(parts[1]) if len(parts) == 2 else 1)


def read_word(kind: Enumeration, given: object) -> int:
    """The number of a word, by itself or by its label."""
    asked = plain_words(str(given))
    found = [place for place in range(len(kind.members)) if plain_words(kind.shown(place)) == asked]
    return found[0] if len(found) == 1 else read_member(kind.members, given)


def read_member(members: Sequence[str], given: object) -> int:
    """The number of a member, by its word."""
    if isinstance(given, bool):
        refuse(f"one of {', '.join(members)} is wanted, not", str(given).lower())
    folded = [fold(member) for member in members]
    if fold(str(given)) not in folded:
        refuse(f"one of {', '.join(members)} is wanted, not", given, members)
    return folded.index(fold(str(given)))


def read_value(table: Table, names: CardNames, kind: Type, given: object) -> Any:
    """A variable's value from its text (or a number, truth, list of texts). Cards: the first copy of each."""
    if given is None or (isinstance(given, str) and fold(given) == "none"):
        return () if kind.kind == "cards" else None
    if kind.kind == "enum":
        return read_word(table.ruleset.enumerations[kind.name], given)
    if kind.kind not in READERS:
        raise StackError(f"a variable of type {kind} cannot be set")
    return READERS[kind.kind](table, names, given)


def read_card(table: Table, names: CardNames, given: object) -> int:
    card = table.first_card[names.read(str(given))[0]]
    if card < 0:
        refuse("this game is played without the card", given)
    return card


def read_cards(table: Table, names: CardNames, given: object) -> tuple[int, ...]:
    """Cards, each once: a name that comes again means the next copy."""
    found: list[int] = []
    for item in listed(given):
        first = read_card(table, names, item)
        copies = [card for card in range(first, len(table.cards)) if table.cards[card] == table.cards[first]]
        left = [card for card in copies if card not in found]
        if not left:
            refuse(f"the game has {len(copies)}, and no more, of the card", item)
        found.append(left[0])
    return tuple(found)


def read_players(table: Table, _names: CardNames, given: object) -> int:
    seats = {read_player(table, item) for item in listed(given)}
    return sum(1 << seat for seat in seats)


def read_team(table: Table, _names: CardNames, given: object) -> int:
    return read_member([f"team{i + 1}" for i in range(len(table.ruleset.teams))], given)


def read_zone(table: Table, _names: CardNames, given: object) -> int:
    if str(given) not in table.zones_by_name:
        refuse("there is no zone", given, list(table.zones_by_name))
    return table.zones_by_name[str(given)]


def listed(given: object) -> Sequence[object]:
    """A list of several, or one alone."""
    if isinstance(given, Mapping):
        raise StackError("a list is wanted, not a mapping")
    return given if isinstance(given, list | tuple) else [given]


READERS: dict[str, Any] = {
    "number": lambda _table, _names, given: read_number(given),
    "truth": lambda _table, _names, given: read_truth(given),
    "fraction": lambda _table, _names, given: read_fraction(given),
    "player": lambda table, _names, given: read_player(table, given),
    "players": read_players,
    "team": read_team,
    "zone": read_zone,
    "card": read_card,
    "cards": read_cards,
}
