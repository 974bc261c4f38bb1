"""A text in which pieces were replaced, with the place in the original of each of its characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trionfi.dsl.source import Source


@dataclass(frozen=True, slots=True, eq=False)
class Patched:
    """`places`: where each character stood, and last, where the text ended."""

    text: str
    places: Sequence[int]

    @classmethod
    def whole(cls, text: str, start: int = 0) -> Patched:
        """Nothing replaced yet; the text stands from `start` on in the original."""
        return cls(text, range(start, start + len(text) + 1))

    def replaced(self, start: int, end: int, words: str) -> Patched:
        """With other words from start to end. They lie where the old ones do, if they hold them (a text that is put in
        quotes), and else where these began."""
        places, old = self.places, self.text[start:end]
        before = words.find(old) if old else 0
        after = len(words) - before - len(old)
        if before < 0:
            moved = [places[start]] * len(words)
        else:
            moved = [places[start]] * before + [*places[start:end]] + [places[end]] * after
        return Patched(self.text[:start] + words + self.text[end:], [*places[:start], *moved, *places[end:]])


@dataclass(frozen=True, eq=False)
class RepairedSource(Source):
    """A file whose slips were repaired so that the rest can be read. Its text is the repaired one; lines and columns
    are those of the file."""

    original: Source | None = None
    places: Sequence[int] = field(default=(), repr=False)

    def line_column(self, offset: int) -> tuple[int, int]:
        assert self.original is not None
        return self.original.line_column(self.places[min(offset, len(self.places) - 1)])

    def line_text(self, line: int) -> str:
        assert self.original is not None
        return self.original.line_text(line)


def repaired(source: Source, patched: Patched) -> Source:
    """The source with a patched text."""
    return RepairedSource(source.name, patched.text, source.path, source, patched.places)
