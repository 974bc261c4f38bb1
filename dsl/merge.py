"""Putting rulesets together: sections of libraries and parents, entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar, Sequence

# Sections whose entries have names; what is not here is one thing that a variant replaces.
NAMED_SECTIONS = frozenset(
    "options kinds variables attributes table rankings totals melds define procedures effects result measures "
    "strategies decks".split()
)
# A game may change single keys of these in a library that it uses: another default, another deck, more decisions.
OPEN_SECTIONS = frozenset({"options", "deck", "strategies", "opponents", "rulebook"})
# Keys of a deck whose own entries have names.
_NAMED_KEYS = frozenset({"attributes", "aliases"})
# What a short form says: `deck: tarot`, `passes: 0`, `worth(card): ...`.
_LONG_FORMS = {"deck": "from", "decks": "from", "variables": "start", "define": "is"}

Combine = Callable[[Node, Node], Node]
IsFixed = Callable[[Scalar], bool]


def entry_name(key: Scalar) -> str:
    """The name that a key declares: `may_play(player p, card)` declares `may_play`."""
    return key.text.partition("(")[0].strip()


def find_entry(mapping: Mapping, name: str) -> Entry | None:
    return next((entry for entry in mapping if entry_name(entry.key) == name), None)


def merged(section: str, old: Node, new: Node) -> Node:
    """A section as a variant changes it: by the names of its entries, each by its keys."""
    if section == "deck":
        return merged_entry(section, old, new)
    if section == "rulebook" and isinstance(old, Mapping) and isinstance(new, Mapping):
        return _merged_entries(old, new, _one_after_another)
    if section in NAMED_SECTIONS and isinstance(old, Mapping) and isinstance(new, Mapping):
        return _merged_entries(old, new, lambda a, b: merged_entry(section, a, b))
    return new


def merged_entry(section: str, old: Node, new: Node) -> Node:
    """One entry with the keys of both; where both have a key the new one counts."""
    old, new = long_form(section, old), long_form(section, new)
    if section in ("deck", "decks") and isinstance(old, Mapping) and isinstance(new, Mapping):
        return _merged_entries(_without_order(old, new), new, _take_new)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return _merged_entries(old, new, _merged_words if section == "kinds" else _take_new)
    return new


def _merged_words(old: Node, new: Node) -> Node:
    """What a word of a kind has, column by column."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return _merged_entries(old, new, _take_new)
    return new


def _without_order(old: Mapping, new: Mapping) -> Mapping:
    """A deck without what says where its ace stands, if the new one lists the ranks in an order of its own."""
    if "ranks" not in new:
        return old
    return Mapping([entry for entry in old if entry.key.text != "ace"], old.span)


def merged_deck(library: Mapping, deck: Mapping) -> Mapping:
    """A deck of a library with what a game changes of it; attributes and aliases are added by name."""
    both = _merged_entries(_without_order(library, deck), deck, _take_new)
    for entry in both:
        old, new = library.get(entry.key.text), deck.get(entry.key.text)
        if entry.key.text in _NAMED_KEYS and isinstance(old, Mapping) and isinstance(new, Mapping):
            entry.value = _merged_entries(old, new, _take_new)
    return both


def long_form(section: str, node: Node) -> Node:
    """A short form as the mapping that it stands for."""
    key = _LONG_FORMS.get(section)
    if key is None or not isinstance(node, Scalar):
        return node
    return Mapping([Entry(Scalar(key, "", node.span, node.content), node)], node.span)


def _merged_entries(old: Mapping, new: Mapping, combine: Combine) -> Mapping:
    entries = {entry_name(entry.key): replace(entry) for entry in old}
    for entry in new:
        name = entry_name(entry.key)
        before = entries.get(name)
        entries[name] = Entry(entry.key, combine(before.value, entry.value) if before else entry.value)
    return Mapping(list(entries.values()), new.span)


def _one_after_another(old: Node, new: Node) -> Node:
    """Two chapters as one."""
    return Sequence([*_paragraphs(old), *_paragraphs(new)], new.span)


def _paragraphs(chapter: Node) -> list[Node]:
    return chapter.items if isinstance(chapter, Sequence) else [chapter]


def _take_new(old: Node, new: Node) -> Node:
    return new


@dataclass(slots=True, eq=False)
class Assembly:
    """Sections of several files while they are put together."""

    sections: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Scalar] = field(default_factory=dict)  # of each section, where it was declared last

    def add(self, key: Scalar, node: Node) -> None:
        """Adds a section of a file over what is there."""
        old = self.sections.get(key.text)
        self.sections[key.text] = node if old is None else merged(key.text, old, node)
        self.keys[key.text] = key

    def clashes(self, key: Scalar, node: Node, is_fixed: IsFixed) -> Iterator[tuple[Scalar, Scalar]]:
        """Names that a section of a file declares though others have: (new, old). `is_fixed` says of the old key that
        it cannot be declared again."""
        old = self.sections.get(key.text)
        if old is None or key.text in OPEN_SECTIONS:
            return
        if key.text not in NAMED_SECTIONS or not isinstance(old, Mapping) or not isinstance(node, Mapping):
            if is_fixed(self.keys[key.text]):
                yield key, self.keys[key.text]
            return
        for entry in node:
            before = find_entry(old, entry_name(entry.key))
            # events of measures are groups, not names
            if before and is_fixed(before.key) and not entry.key.text.startswith("when "):
                yield entry.key, before.key

    def holders(self, path: str) -> list[tuple[str, Mapping | None, str]]:
        """Where something of that name lies: (where, the mapping that holds it or none for a section, its name in it).

        `path` is a name, a section, `section.entry` or `section.entry.key`.
        """
        found: list[tuple[str, Mapping | None, str]] = [
            (where, mapping, path) for where, mapping in self._named_mappings() if find_entry(mapping, path)
        ]
        if path in self.sections:
            found.append((path, None, path))
        section, _, rest = path.partition(".")
        return found or _within(section, self.sections.get(section), rest)

    def drop(self, path: str) -> None:
        """Drops what `holders` finds."""
        for where, mapping, name in self.holders(path):
            if mapping is None:
                del self.sections[where]
            else:
                mapping.entries = [entry for entry in mapping if entry_name(entry.key) != name]

    def names(self) -> Iterator[str]:
        """What can be dropped."""
        yield from self.sections
        for _, mapping in self._named_mappings():
            yield from (entry_name(entry.key) for entry in mapping)

    def _named_mappings(self) -> Iterator[tuple[str, Mapping]]:
        for section, node in self.sections.items():
            if section in NAMED_SECTIONS and isinstance(node, Mapping):
                yield section, node
                if section == "measures":
                    yield from ((f"measures.{e.key.text}", e.value) for e in node if isinstance(e.value, Mapping))


def _within(where: str, node: Node | None, path: str) -> list[tuple[str, Mapping | None, str]]:
    if not isinstance(node, Mapping) or not path:
        return []
    if find_entry(node, path):
        return [(where, node, path)]
    name, _, rest = path.partition(".")
    entry = find_entry(node, name)
    return _within(f"{where}.{name}", entry.value, rest) if entry else []
