"""Signs that no text of a game holds: they steer a terminal, turn the order of letters, or cannot be seen."""

from __future__ import annotations

import re

__all__ = ["CONTROL", "escaped", "named"]

# C0 without tab and line ends, DEL, C1; marks of the direction of writing; line ends of other tools; letters without
# width (not the joiners U+200C and U+200D, which some scripts and pictures need); tags; halves of pairs, noncharacters.
_SIGNS = (
    "\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff\U000ffffe\U000fffff\U0010fffe\U0010ffff"
)
CONTROL = re.compile(f"[{_SIGNS}]|\r(?!\n)")


def escaped(text: str) -> str:
    """A text as it may be shown anywhere: control signs as Python writes them (`\\x1b`)."""
    return CONTROL.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def named(sign: str) -> str:
    """What a message calls a sign."""
    return "CR (an old Macintosh line end)" if sign == "\r" else f"U+{ord(sign):04X}"
