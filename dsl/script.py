"""Script slots: a scalar of a ruleset to a Lark tree whose every part has its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.grammar import STARTS, reserved, script_parser, words
from trionfi.dsl.lexer import SlotText
from trionfi.dsl.limits import MOST_NESTED, MOST_SCRIPT
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.source import Source, Span

__all__ = ["RESERVED", "STARTS", "WORDS", "Slot", "parse_slot"]

FORM_CODES = {
    "empty-slot": "Where script is wanted, some stands.",
    "too-much-script": f"All script of a ruleset has at most {MOST_SCRIPT:,} characters.",
    "nested-script": f"Script is nested at most {MOST_NESTED} deep, that of what it calls included.",
}
declare_codes(FORM_CODES)


WORDS = words()
RESERVED = reserved()
NESTED_HINT = "give an inner part a name of its own: a define, a procedure, or `let`"

_DECISION = re.compile(r"\bas\s+(?:\w+\.)?(\w+)")
_DOUBLE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|.)", re.DOTALL)
_SINGLE = re.compile("''")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "_": "\u00a0", "0": "\0"}


@dataclass(frozen=True, slots=True)
class Slot:
    """A parsed scalar: the tree of its start rule.

    `places`: for a text that does not stand in the file as it is (quoted with escapes), the place in the file of
    each of its characters, and of its end; empty if trees and tokens count from the start of the file. `depth`: how
    deep parts are nested in the tree.
    """

    tree: Tree[Token]
    source: Source
    places: Sequence[int] = ()
    depth: int = 1

    def span(self, part: Tree[Token] | Token) -> Span:
        """Where a part of the tree stands in the file."""
        meta = part if isinstance(part, Token) else part.meta
        start, end = meta.start_pos or 0, meta.end_pos or 0
        if self.places:
            start, end = self.places[start], self.places[end]
        return Span(self.source, start, end)


def parse_slot(start: str, scalar: Scalar, diagnostics: Diagnostics) -> Slot | None:
    """Parses a scalar by a start rule (one of `STARTS`). What is wrong goes to the diagnostics, several mistakes of
    a script each by itself, and then there is no slot: nothing that follows from half a script is worth reading."""
    source = scalar.content.source
    text, places = _readable(scalar)
    if text.end - text.start > MOST_SCRIPT:
        stop_long(diagnostics, scalar.span)
    try:
        tree = script_parser().parse(text, start=start)
    except UnexpectedToken:
        from trionfi.dsl.recovery import report_slips

        report_slips(start, scalar, text, places, diagnostics)
        _lose_names(start, text, diagnostics)
        return None
    slot = Slot(tree, source, places, _depth_of(tree))
    if slot.depth > MOST_NESTED:
        message = f"script is nested at most {MOST_NESTED} deep, and this {slot.depth}"
        diagnostics.error("nested-script", message, slot.span(_at_depth(tree, MOST_NESTED)), NESTED_HINT)
        return None
    return slot


def _lose_names(start: str, text: SlotText, diagnostics: Diagnostics) -> None:
    """What a slot declares that cannot be read: a key its name, a script its decisions."""
    written = text.text[text.start : text.end]
    if start == "signature":
        diagnostics.refuse(written.partition("(")[0])
    for decision in _DECISION.finditer(written):
        diagnostics.lose(decision[1])


def stop_long(diagnostics: Diagnostics, span: Span) -> NoReturn:
    message = f"all script of a ruleset has at most {MOST_SCRIPT:,} characters, and here are more"
    diagnostics.stop("too-much-script", message, span)


def _levels(tree: Tree[Token]) -> Iterator[list[Tree[Token]]]:
    """The parts of a tree, level by level: no recursion, however deep it is."""
    level = [tree]
    while level:
        yield level
        level = [child for part in level for child in part.children if isinstance(child, Tree)]


def _depth_of(tree: Tree[Token]) -> int:
    return sum(1 for _ in _levels(tree))


def _at_depth(tree: Tree[Token], depth: int) -> Tree[Token]:
    return next(islice(_levels(tree), depth, None))[0]


def _readable(scalar: Scalar) -> tuple[SlotText, Sequence[int]]:
    """The text to parse, as a slice of the file where it stands there as it is, and else with its places."""
    content = scalar.content
    if _has_escapes(scalar):
        text, places = _unescaped(scalar)
        return SlotText(text, 0, len(text)), places
    return SlotText(content.source.text, content.start, content.end, lines=scalar.is_block), ()


def _has_escapes(scalar: Scalar) -> bool:
    written = scalar.content.text
    return (scalar.style == "'" and "''" in written) or (scalar.style == '"' and "\\" in written)


def _unescaped(scalar: Scalar) -> tuple[str, list[int]]:
    """The text that a quoted scalar means, with the place in the file of each character and of the end."""
    written, base = scalar.content.text, scalar.content.start
    escape = _DOUBLE if scalar.style == '"' else _SINGLE
    text: list[str] = []
    places: list[int] = []
    position = 0
    for match in escape.finditer(written):
        text.append(written[position : match.start()])
        places += range(base + position, base + match.start())
        meant = _meaning(match.group())
        text.append(meant)
        places += [base + match.start()] * len(meant)
        position = match.end()
    text.append(written[position:])
    places += range(base + position, base + len(written) + 1)
    return "".join(text), places


def _meaning(escape: str) -> str:
    if escape == "''":
        return "'"
    letter, code = escape[1], escape[2:]
    if letter in "xuU" and code:
        return chr(int(code, 16))
    return "" if letter in "\r\n" else _ESCAPED.get(letter, letter)
