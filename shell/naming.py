"""What players are called, put where lines say `p1`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import IO, Any, cast

from trionfi.interpreter.names import player_name

__all__ = ["with_names"]

# Also behind the code of a colour, which ends with a letter; `p1.hand` is no player.
_SEAT = re.compile(r"(?P<colour>\x1b\[[0-9;]*m|(?<![\w.]))p(?P<seat>[1-9][0-9]?)(?!\w|\.\w)")


class NamedStream:
    """A text stream that says the names of players for `p1`, `p2` where they stand alone."""

    def __init__(self, stream: IO[str], names: Sequence[str]) -> None:
        self.stream = stream
        self.names = names

    def write(self, text: str) -> int:
        self.stream.write(_SEAT.sub(self.named, text))
        return len(text)

    def named(self, match: re.Match[str]) -> str:
        seat = int(match["seat"]) - 1
        return f"{match['colour']}{self.names[seat]}" if seat < len(self.names) else match[0]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def with_names(stream: IO[str], names: Sequence[str]) -> IO[str]:
    """The stream itself where nobody has a name."""
    if all(name == player_name(seat) for seat, name in enumerate(names)):
        return stream
    return cast("IO[str]", NamedStream(stream, names))
