"""A ruleset file as nodes with places: what YAML gives before anything has a meaning.

YAML never makes values of texts: `3:2`, `no`, `08`, `1e3` and `1_000` stay as they are written, and the place
in which a text stands decides what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from trionfi.dsl.source import Span

Style = Literal["", "|", ">", '"', "'"]


@dataclass(slots=True, eq=False)
class Scalar:
    """A text. `span` is the whole scalar in the file, quotes and `|` included; `content` is where its text lies."""

    text: str
    style: Style
    span: Span
    content: Span

    @property
    def is_block(self) -> bool:
        """Line ends count in it."""
        return self.style == "|"


@dataclass(slots=True, eq=False)
class Entry:
    key: Scalar
    value: Node


@dataclass(slots=True, eq=False)
class Mapping:
    """Entries in the order of the text; no key occurs twice."""

    entries: list[Entry]
    span: Span

    def get(self, name: str) -> Node | None:
        """The value under a key, or none."""
        entry = self.entry(name)
        return entry.value if entry else None

    def entry(self, name: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.key.text == name), None)

    @property
    def keys(self) -> list[str]:
        return [entry.key.text for entry in self.entries]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, name: str) -> bool:
        return self.entry(name) is not None


@dataclass(slots=True, eq=False)
class Sequence:
    items: list[Node]
    span: Span

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node = Scalar | Mapping | Sequence


def spoken_kind(node: Node) -> str:
    """What a node is, as messages say it."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return "a text" if node.text else "nothing"
