"""What a typed text means: an option by its label, by beginnings of its words, or by a card's code (`2c`, `2♣`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from trionfi.table.model import Menu, Number, Option

if TYPE_CHECKING:
    from trionfi.table.faces import Faces

__all__ = ["about", "amount_called", "begun", "called", "is_begun_so", "matching", "meant", "several", "words_of_cards"]

SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
NUMBERS = dict(
    zip(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), map(str, range(2, 11)), strict=True)
)
MOST = {"all": "most", "max": "most", "min": "least"}
SMALL_WORDS = ("of", "the", "a", "an")


def called(menu: Menu, text: str) -> Option | None:
    """The option that is exactly called so, in any case."""
    folded = " ".join(text.split()).casefold()
    return next((one for one in menu.offered if one.label.casefold() == folded), None)


def matching(menu: Menu, text: str) -> list[Option]:
    """All options that a text may mean: a word of theirs begins with each of its words. One that is exactly so called
    is meant alone, and so is one that has a letter or a code exactly so."""
    exact = called(menu, text)
    if exact is not None:
        return [exact]
    tokens = tokens_of(text)
    found = [one for one in menu.offered if tokens and all(fits(token, one) for token in tokens)]
    sharp = [one for one in found if all(token in one.words for token in tokens)]
    begun = [one for one in found if one.label.casefold().startswith(" ".join(text.casefold().split()))]
    return sharp if len(sharp) == 1 else begun if len(begun) == 1 else found


def meant(menu: Menu, text: str) -> Option | None:
    """The only one that a text may mean; a letter alone is that of its line."""
    letter = text.strip().casefold()
    by_letter = [one for one in menu.offered if len(letter) == 1 and one.letter == letter]
    found = matching(menu, text)
    if len(by_letter) == 1 and len(found) != 1:
        return by_letter[0]
    return found[0] if len(found) == 1 else None


def is_begun_so(option: Option, text: str) -> bool:
    """Whether a text begins what the option, or a card of it, is called; else it only stands somewhere in its label."""
    first = next(iter(tokens_of(text)), "")
    beginnings = (option.label.casefold(), option.letter, *option.words)
    return any(word.startswith(first) for word in beginnings if first)


def several(menu: Menu, text: str) -> list[Option] | None:
    """The options that a text of several means: `2c 5d`, `2 of Cups, The Fool`; None if one of them is unclear."""
    by_comma = [part for part in text.split(",") if part.strip()]
    for parts in (by_comma, text.replace(",", " ").split()):
        found = [meant(menu, part) for part in parts]
        picked = [one for one in found if one is not None]
        if len(picked) > 1 and len(picked) == len(found) == len({one.label for one in picked}):
            return picked
    return None


def begun(menu: Menu, text: str) -> tuple[list[Option], list[str]]:
    """Of a text of several that is still being typed: the options that are clear already, and what means nothing."""
    one = meant(menu, text)
    if one is not None:
        return [one], []
    parts = [part for part in (text.split(",") if "," in text else text.split()) if part.strip()]
    clear = [option for part in parts if (option := meant(menu, part)) is not None]
    return list({option.label: option for option in clear}.values()), [x for x in parts if not matching(menu, x)]


def amount_called(number: Number, text: str) -> int | None:
    """A usual amount by the beginnings of its words (`half`, `pot`, `most`, `all`)."""
    tokens = [MOST.get(word, word) for word in tokens_of(text)]
    named = {amount.value: amount.word.split() for amount in number.amounts}
    found = [v for v, words in named.items() if tokens and all(any(w.startswith(t) for w in words) for t in tokens)]
    sharp = [amount.value for amount in number.amounts if amount.word.removeprefix("the ") == " ".join(tokens)]
    return sharp[0] if sharp else found[0] if len(found) == 1 else None


def about(text: str, labels: Iterable[str], faces: Faces) -> list[str]:
    """The labels that somebody asks about: those that are so called, else those that have it anywhere in them."""
    asked = [Option(label, None, words=words_of_cards(label, faces)) for label in labels]
    tokens = tokens_of(text)
    called = [option.label for option in asked if all(fits(token, option) for token in tokens)]
    return called or [option.label for option in asked if text.casefold() in option.label.casefold()]


def tokens_of(text: str) -> list[str]:
    words = [NUMBERS.get(word, word) for word in re.findall(r"[^\s,]+", text.casefold())]
    return [word for word in words if word not in SMALL_WORDS] or words


def fits(token: str, option: Option) -> bool:
    label = option.label.casefold()
    words = (*re.findall(r"[^\s,]+", label), *re.findall(r"[^\s,.\[\]]+", label), *option.words)
    return any(word.startswith(token) for word in words)


def words_of_cards(label: str, faces: Faces) -> tuple[str, ...]:
    """Codes of the cards that a label names and what their names begin with: `10c`, `10♣`, `tc`, `10`; of one without
    a code all words of its name."""
    return tuple(dict.fromkeys(word for name in faces.named_in(label) for word in called_by(name, faces)))


def called_by(name: str, faces: Faces) -> Iterator[str]:
    yield from codes(name, faces)
    words = [word for word in name.casefold().split() if word not in SMALL_WORDS]
    yield from words[:1] if faces.faces[name].short else words


def codes(name: str, faces: Faces) -> Iterator[str]:
    face = faces.faces[name]
    if face.short:
        rank, suit = face.short[:-1].casefold(), face.short[-1].casefold()
        ranks = ("10", "t") if rank == "t" else (rank,)
        sign = SIGNS.get(faces.suits[face.suit], "") if face.suit is not None else ""
        for one in ranks:
            yield one + suit
            if sign:
                yield one + sign
    elif face.number is not None:
        yield str(face.number)


def first_options(options: Sequence[Option], most: int = 4) -> str:
    """Their labels, as many as a sentence has room for."""
    labels = ", ".join(option.label for option in options[:most])
    return f"{labels} or {len(options) - most} more" if len(options) > most else labels
