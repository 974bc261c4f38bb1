"""What a shell may offer for what is being typed: rulesets, their options, strategies, seats and parts.

Nothing is said here: what cannot be read has nothing to offer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trionfi.dsl.nodes import Node

__all__ = [
    "COMPLETE",
    "as_bash_counts",
    "bots",
    "games",
    "numbers_of_players",
    "parts",
    "rankings",
    "rulesets",
    "seats",
    "settings",
]

COMPLETE = "_TRIONFI_COMPLETE"  # set by the shell's script when it asks
FILES_OFFERED = 200
Offered = Iterator[tuple[str, str]]  # what can be typed, and a word about it


def quietly(offer: Callable[[str], Offered]) -> Callable[[str], list[tuple[str, str]]]:
    """What begins as the typed text does; nothing after any error, for a shell has no place for one."""

    def offered(incomplete: str) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        with suppress(Exception):
            found += [(told, about) for told, about in offer(incomplete) if told.startswith(incomplete)]
        return found

    return offered


# ---- what bash does with `=`


@contextmanager
def as_bash_counts() -> Iterator[None]:
    """Bash takes `moon=others_up` for three words. They are made one in what its script hands over, and of what is
    offered for it only what stands behind the last sign is told."""
    words = os.environ.get("COMP_WORDS", "").split("\n")
    if os.environ.get(COMPLETE) != "complete_bash" or "=" not in words:
        yield
        return
    joined = list(glued(words[: int(os.environ.get("COMP_CWORD") or 0) + 1]))
    os.environ["COMP_WORDS"], os.environ["COMP_CWORD"] = "\n".join(joined), str(len(joined) - 1)
    typed = joined[-1][: joined[-1].rfind("=") + 1]
    told = StringIO()
    with redirect_stdout(told):
        yield
    print("\n".join(line.removeprefix(typed) for line in told.getvalue().splitlines()))


def glued(words: Iterable[str]) -> Iterator[str]:
    """Words with what stands on both sides of a lone `=`."""
    whole = ""
    for word in words:
        if whole and word != "=" and not whole.endswith("="):
            yield whole
            whole = ""
        whole += word
    yield whole


# ---- of a ruleset, unchecked


def sections_of_call() -> Mapping[str, Node]:
    """The sections of the ruleset that the call names: its first word that is one. (The context knows no arguments
    while the value of an option is being typed.)"""
    from trionfi.dsl.diagnostics import Diagnostics
    from trionfi.dsl.library import find, read_draft

    name = next((word for word in typed_words()[2:] if find(word) is not None), None)
    draft = read_draft(name, Diagnostics()) if name else None
    return draft.sections if draft else {}


def typed_words() -> list[str]:
    """The words of the call so far, as the shell's script hands them over."""
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or "").split()


def names_in(section: Node | None) -> list[str]:
    from trionfi.dsl.merge import entry_name
    from trionfi.dsl.nodes import Mapping as MappingNode

    return [entry_name(entry.key) for entry in section] if isinstance(section, MappingNode) else []


def seat_range() -> tuple[int, int]:
    from trionfi.shell.listing import seats_of

    low, _, high = seats_of(sections_of_call().get("players"))[0].partition("..")
    return int(low), int(high or low)


# ---- what is offered


@quietly
def rulesets(incomplete: str) -> Offered:
    """Names of the library, and YAML files."""
    from trionfi.dsl.library import library_games
    from trionfi.shell.listing import listed

    for name in library_games():
        if name.startswith(incomplete):
            yield name, listed(name).title
    yield from ((path, "") for path in files_from(incomplete))


def files_from(incomplete: str, endings: Sequence[str] = (".yaml", ".yml")) -> Iterable[str]:
    folder = Path(incomplete).parent if not incomplete.endswith("/") else Path(incomplete)
    before = incomplete[: incomplete.rfind("/") + 1]
    for number, path in enumerate(sorted(folder.iterdir())):
        if number > FILES_OFFERED:
            return
        if path.suffix in endings:
            yield f"{before}{path.name}"
        elif path.is_dir() and before and not path.name.startswith("."):
            yield f"{before}{path.name}/"


@quietly
def settings(incomplete: str) -> Offered:
    """`NAME=VALUE` for each option and value, whole, for shells put a blank behind what they complete."""
    from trionfi.dsl.nodes import Mapping as MappingNode

    options = sections_of_call().get("options")
    for entry in options if isinstance(options, MappingNode) else ():
        name, option = entry.key.text, entry.value
        about = getattr(option.get("about"), "text", "") if isinstance(option, MappingNode) else ""
        for value in values_of(option) if isinstance(option, MappingNode) else ():
            yield f"{name}={value}", about


def values_of(option: Any) -> list[str]:
    """The values that a few words can name: choices, truths, else the default."""
    if choices := option.get("choices"):
        return [choice.text for choice in choices]
    default = getattr(option.get("default"), "text", "")
    return ["true", "false"] if default in ("true", "false") else [default]


@quietly
def bots(incomplete: str) -> Offered:
    """`SEAT=BOT`."""
    from trionfi.dsl.tree.words import EVERY_GAMES_BOTS

    names = [*EVERY_GAMES_BOTS, *names_in(sections_of_call().get("strategies"))]
    for seat in ["all", *map(str, range(1, seat_range()[1] + 1))]:
        yield from ((f"{seat}={name}", "") for name in names)


@quietly
def seats(incomplete: str) -> Offered:
    yield from ((str(seat), "") for seat in range(1, seat_range()[1] + 1))


@quietly
def numbers_of_players(incomplete: str) -> Offered:
    low, high = seat_range()
    yield from ((str(count), "") for count in range(low, high + 1))


@quietly
def rankings(incomplete: str) -> Offered:
    sections = sections_of_call()
    yield from ((name, "") for section in ("rankings", "totals", "melds") for name in names_in(sections.get(section)))


@quietly
def games(incomplete: str) -> Offered:
    """Games that were left, and files."""
    from trionfi.evening.kept import LATEST, unfinished

    left = unfinished()
    if left:
        yield LATEST, left[0].text
    yield from ((game.id, game.text) for game in left)
    yield from ((path, "") for path in files_from(incomplete, (".json",)))


PARTS = "procedures define rankings totals melds strategies measures effects table variables attributes options kinds"


@quietly
def parts(incomplete: str) -> Offered:
    """What `explain` tells by itself."""
    sections = sections_of_call()
    yield from ((name, section) for section in PARTS.split() for name in names_in(sections.get(section)))
