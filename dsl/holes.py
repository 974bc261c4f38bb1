"""What a library leaves open: what it needs from the game that uses it, and which of its entries may be replaced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trionfi.dsl.diagnostics import Diagnostics, declare_codes, did_you_mean
from trionfi.dsl.merge import Assembly, entry_name, find_entry
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar, Sequence
from trionfi.dsl.source import Span

__all__ = ["LIBRARY_SECTIONS", "Need", "Openings", "Replaced", "needs_of"]

FORM_CODES = {
    "needed-and-declared": "A library needs what it does not declare itself.",
}
declare_codes(FORM_CODES)

# Sections that a library alone has, and that no game takes over.
LIBRARY_SECTIONS = ("needs", "may be replaced")


@dataclass(slots=True, eq=False)
class Need:
    """What a library wants declared: under `section` (`define` or `procedures`) what `entry` calls, of the kind that
    stands there. `asked` is where the library was named, or what it is about itself."""

    section: str
    entry: Entry
    library: str
    asked: Span

    @property
    def name(self) -> str:
        return entry_name(self.entry.key)

    @property
    def gives(self) -> Node:
        """The text that says of which kind it is."""
        value = self.entry.value
        return (value.get("gives") or value) if isinstance(value, Mapping) else value

    @property
    def about(self) -> str:
        about = self.entry.value.get("about") if isinstance(self.entry.value, Mapping) else None
        return about.text.strip() if isinstance(about, Scalar) else ""


@dataclass(slots=True, eq=False)
class Replaced:
    """An entry of a library that has been written anew: `old` stood in `library`, `new` counts."""

    section: str
    old: Entry
    new: Entry
    library: str


def needs_of(root: Mapping, library: str, asked: Span, diagnostics: Diagnostics) -> Iterator[Need]:
    """What a library needs, in the order of the text."""
    needs = root.get("needs")
    for group in needs if isinstance(needs, Mapping) else ():
        declared = root.get(group.key.text)
        for entry in group.value if isinstance(group.value, Mapping) else ():
            need = Need(group.key.text, entry, library, asked)
            own = find_entry(declared, need.name) if isinstance(declared, Mapping) else None
            if own is None:
                yield need
                continue
            message = f"`{need.name}` is declared in line {own.key.span.line}, so nobody else need write it"
            hint = f"if a game may write its own: `may be replaced: [{need.name}]`"
            diagnostics.error("needed-and-declared", message, entry.key.span, hint)


class Openings:
    """Which entries of a library may be replaced, and which have been."""

    def __init__(self, root: Mapping, library: str, diagnostics: Diagnostics) -> None:
        self.library = library
        own = Assembly({entry.key.text: entry.value for entry in root if entry.key.text not in _CLOSED})
        self._open: set[tuple[str, str]] = set()
        listed = root.get("may be replaced")
        for item in listed if isinstance(listed, Sequence) else ():
            if isinstance(item, Scalar):
                self._add(own, item, diagnostics)

    def _add(self, own: Assembly, item: Scalar, diagnostics: Diagnostics) -> None:
        holders = own.holders(item.text)
        if not holders:
            message = f"this library has nothing called `{item.text}` that could be replaced"
            diagnostics.error("unknown-entry", message, item.span, did_you_mean(item.text, own.names()))
        elif len(holders) > 1:
            ways = " or ".join(f"`{where}.{item.text}`" for where, _, _ in holders)
            message = f"several entries are called `{item.text}`"
            diagnostics.error("unknown-entry", message, item.span, f"say which: {ways}")
        else:
            where, mapping, name = holders[0]
            self._open.add((where, name if mapping is not None else ""))

    def __contains__(self, entry: tuple[str, str]) -> bool:
        """`(section, name)`; of a section that is one thing, such as `layout`, the name is empty."""
        return entry in self._open


def replaced_in(assembly: Assembly, section: Entry, old: Scalar, new: Entry, library: str) -> list[Replaced]:
    """Takes out a named entry of a library that is written anew: nothing of it stays, not even its place."""
    there = _named(assembly.sections[section.key.text])
    held = find_entry(there, entry_name(old))
    assert held is not None, "they clash"
    there.entries = [entry for entry in there if entry is not held]
    return [Replaced(section.key.text, held, new, library)]


def kept_in(assembly: Assembly, section: Entry, new: Entry | None, old: Scalar, library: str) -> list[Replaced]:
    """Keeps what has been written for an entry of a library that comes later: takes that out of its `section`. `new`:
    that entry, none if it is the whole section."""
    there = assembly.sections[section.key.text]
    if new is None:
        section.key, section.value = old, there
        return []
    own = _named(section.value)
    own.entries = [entry for entry in own if entry is not new]
    held = find_entry(_named(there), entry_name(old))
    assert held is not None, "they clash"
    return [Replaced(section.key.text, new, held, library)]


def _named(section: Node) -> Mapping:
    assert isinstance(section, Mapping), "its entries have names"
    return section


# What cannot be replaced, since it is not taken over, or since any game may change it as it is.
_CLOSED = frozenset({"trionfi", "library", "about", "use", "parameters", "tests", *LIBRARY_SECTIONS})
