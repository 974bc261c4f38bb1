"""What a record is made of. One may come from anybody: it is checked before anything in it is used."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from trionfi.dsl.shelf import wrong_name

__all__ = ["MOST_BYTES", "RecordError", "RecordFormError", "check_form", "parsed_record"]

MOST_BYTES = 1 << 25  # of a record: some 800,000 moves with the texts of the rules


class RecordError(ValueError):
    """A record or snapshot that does not fit these rules, or cannot be read."""

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class RecordFormError(RecordError):
    """What is no record at all."""


def parsed_record(data: bytes) -> dict[str, Any]:
    """The record in a file of these bytes. Raises RecordFormError."""
    if len(data) > MOST_BYTES:
        raise RecordFormError(f"it is longer than {MOST_BYTES:,} bytes")
    try:
        record = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise RecordFormError("it is no text") from None
    except json.JSONDecodeError as error:
        raise RecordFormError(f"line {error.lineno} is no JSON") from None
    except RecursionError:
        raise RecordFormError("its brackets are nested too deeply") from None
    except ValueError:  # Python refuses to read numbers of thousands of digits
        raise RecordFormError("a number in it is too long") from None
    return check_form(record)


def check_form(record: object) -> dict[str, Any]:
    """The record, if it holds what a record must, and each of its kind. Raises RecordFormError."""
    known = record if isinstance(record, dict) else {}
    missing = sorted(key for key, (must, _, _) in KEYS.items() if must and key not in known)
    if missing:
        raise RecordFormError(f"it does not say {', '.join(missing)}")
    for key, (_, fits, wanted) in KEYS.items():
        if key in known and not fits(known[key]):
            raise RecordFormError(f"`{key}` is not {wanted}")
    if not all(map(is_move, known["moves"])):
        raise RecordFormError("a move is [seat, decision, label], in `moves` is another thing")
    check_texts(known)
    return known


def check_texts(record: Mapping[str, Any]) -> None:
    """That the first text is that of the rules."""
    if "texts" in record:
        first = next(iter(record["texts"])).rpartition(":")[2]
        if first != record["rules"]:
            raise RecordFormError(f"the first of its texts is that of `{first}`, not of `{record['rules']}`")


def visible(text: str) -> str:
    """A text for a terminal: a sign that would do something there is shown as its code."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


# ---- kinds of things


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_word(value: object) -> bool:
    return isinstance(value, str)


def is_plain(value: object) -> bool:
    """A number, a truth, a text, or nothing."""
    return value is None or isinstance(value, int | float | str)


def is_list(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list | tuple) and all(map(fits, value))


def is_mapping(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def is_move(move: object) -> bool:
    return isinstance(move, list | tuple) and list(map(type, move)) == [int, str, str]


def is_scores(value: object) -> bool:
    return value is None or is_list(lambda score: is_whole(score) or is_word(score))(value)


def is_bots(value: object) -> bool:
    return is_list(lambda bot: bot is None or is_word(bot))(value)


def is_texts(value: object) -> bool:
    """Texts of files by their names, at least one, all of them such as a file can hold."""
    if not isinstance(value, dict) or not value or not is_mapping(is_word)(value) or any(map(wrong_name, value)):
        return False
    try:
        "".join(value.values()).encode()
    except UnicodeEncodeError:
        return False
    return True


def is_deal(value: object) -> bool:
    """How a stacked game was dealt: `cards`, `set` and `chance`, and `begin` if it was not begun."""
    return isinstance(value, dict) and all(key in DEAL and DEAL[key](part) for key, part in value.items())


def is_dealt(value: object) -> bool:
    """A value that is set, or an outcome of chance."""
    return is_plain(value) or is_list(is_plain)(value)


DEAL: dict[str, Callable[[object], bool]] = {
    "cards": is_mapping(is_list(is_word)),
    "set": is_mapping(is_dealt),
    "chance": is_list(is_dealt),
    "begin": lambda value: value is False,
}


# Whether a record must have it, the question whether a value is of its kind, and that kind.
KEYS: dict[str, tuple[bool, Callable[[object], bool], str]] = {
    "trionfi": (False, is_word, "a version"),
    "rules": (True, is_word, "a name"),
    "path": (False, is_word, "a path"),
    "sha256": (True, is_word, "a text"),
    "options": (True, is_mapping(is_plain), "a mapping of options and their values"),
    "players": (True, is_whole, "a whole number"),
    "seed": (True, is_whole, "a whole number"),
    "game": (True, is_whole, "a whole number"),
    "deal": (False, is_deal, "a mapping of cards, set and chance"),
    "bots": (False, is_bots, "a list of bots"),
    "taken_back": (False, is_whole, "a whole number"),
    "names": (False, is_list(is_word), "a list of names"),
    "texts": (False, is_texts, "a mapping of names and the texts of files"),
    "moves": (True, is_list(lambda _: True), "a list of moves"),
    "scores": (False, is_scores, "a list of numbers"),
}
