"""Numbers as they are written: whole, and of 64 bits with a sign, which is what both engines count with."""

from __future__ import annotations

import re

from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.nodes import Mapping, Node, Sequence

__all__ = ["HIGHEST", "LOWEST", "TOO_LARGE", "check_numbers", "read_whole", "shortened"]

declare_codes({"large-number": "A number that is written lies between -9223372036854775808 and 9223372036854775807."})

LOWEST = -(1 << 63)
HIGHEST = (1 << 63) - 1
TOO_LARGE = f"a number goes up to {HIGHEST}"  # a hint
MOST_DIGITS = 19
_ONE = re.compile(r"-?[0-9]+")
_LONG = re.compile(rf"[0-9]{{{MOST_DIGITS},}}")
# a number, a range, a ratio, so many of something
_NUMBERS = re.compile(r"-?[0-9]+(?:\s*(?:\.\.|:|/)\s*-?[0-9]+)?(?:\s+[a-z]+)?")


def read_whole(written: str) -> int | None:
    """The number that digits, with a sign or without, stand for; None for one beyond 64 bits."""
    # digits are counted first: Python reads only some thousands of them, and takes long for many
    digits = written.lstrip("+-0")
    if len(digits) > MOST_DIGITS:
        return None
    value = -int(digits or "0") if written.startswith("-") else int(digits or "0")
    return value if LOWEST <= value <= HIGHEST else None


def shortened(written: str) -> str:
    """A number for a message: of many digits the first ones."""
    return written if len(written) <= 2 * MOST_DIGITS else f"{written[:MOST_DIGITS]}..."


# ---- in YAML


def check_numbers(root: Mapping, diagnostics: Diagnostics) -> None:
    """Reports what is written as a number of more than 64 bits, a script of one number included. What follows reads 1,
    or in a range as much as there may be."""
    # of a whole file one look tells that there is none, mostly
    if _LONG.search(root.span.source.text):
        _check(root, "", diagnostics)


def _check(node: Node, key: str, diagnostics: Diagnostics) -> None:
    if isinstance(node, Mapping):
        for entry in node:
            _check(entry.value, entry.key.text, diagnostics)
    elif isinstance(node, Sequence):
        for item in node:
            _check(item, key, diagnostics)
    elif not node.style and _NUMBERS.fullmatch(node.text.strip()):
        beyond = [written for written in _ONE.findall(node.text) if read_whole(written) is None]
        for written in beyond[:1]:
            diagnostics.error("large-number", f"{shortened(written)} has more than 64 bits", node.span, TOO_LARGE)
            node.text = _ONE.sub(_clamped, node.text) if key == "range" else "1"


def _clamped(found: re.Match[str]) -> str:
    value = read_whole(found[0])
    return str((LOWEST if found[0][0] == "-" else HIGHEST) if value is None else value)
