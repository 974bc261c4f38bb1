"""The letters of a ruleset's menus: each line's own, worked out from the text, so that it means the same each turn.

Lines that can never be offered together (`"check" if not owes(player)` and `"call ..." if owes(player)`) may share
one. A line gets the first letter of one of its words that is still free in its menu, unless the ruleset names its key.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trionfi.dsl import tree
from trionfi.dsl.tree.exclusion import exclude_each_other
from trionfi.dsl.tree.walk import scripts, walk

if TYPE_CHECKING:
    from trionfi.dsl.tree import Menu, MenuItem, Ruleset

__all__ = ["letters_of", "line_key", "menus_of"]


def line_key(decision: str, template: str) -> tuple[str, str]:
    return decision, template


def letters_of(ruleset: Ruleset) -> dict[tuple[str, str], str]:
    """The letter of each line, by its menu's decision and the label as it is written."""
    letters: dict[tuple[str, str], str] = {}
    menus = list(menus_of(ruleset))
    wanted = {item.label.template: item.key for menu in menus for item in menu.items if item.key}
    for menu in menus:
        give_letters(menu, wanted, letters)
    return letters


def menus_of(ruleset: Ruleset) -> Iterator[Menu]:
    return (node for script in scripts(ruleset) for node in walk(script.body) if isinstance(node, tree.Menu))


def give_letters(menu: Menu, wanted: dict[str, str], letters: dict[tuple[str, str], str]) -> None:
    """`wanted`: what a line of the same text has in another menu, and keeps here if it can. Lines about things are
    many options, which are called by their things."""
    for place, item in enumerate(menu.items):
        template = item.label.template
        if item.domains:
            letters[line_key(menu.decision, template)] = ""
            continue
        if item.key:
            letters[line_key(menu.decision, template)] = item.key
            continue
        others = [(one, letters.get(line_key(menu.decision, one.label.template), "")) for one in menu.items[:place]]
        others += [(one, one.key) for one in menu.items[place + 1 :]]
        taken = {letter for one, letter in others if not exclude_each_other(one, item)}
        before = wanted.get(template, "")
        found = (
            before if before and before not in taken else next((x for x in may_be(menu, item) if x not in taken), "")
        )
        letters[line_key(menu.decision, template)] = found
        wanted.setdefault(template, found)


def may_be(menu: Menu, item: MenuItem) -> Iterator[str]:
    """First the beginnings of the words that no other line has, then of the others (of a line without words: of the
    decision's name), then all their letters, then any."""
    words = words_of(item) or menu.decision.replace("_", " ").split()
    shared = {word for other in menu.items if other is not item for word in words_of(other)}
    words.sort(key=lambda word: word in shared)
    letters = [word[0] for word in words if word[0].isalpha()] + [x for word in words for x in word if x.isalpha()]
    yield from dict.fromkeys([*letters, *"abcdefghijklmnopqrstuvwxyz"])


def words_of(item: MenuItem) -> list[str]:
    return "".join(part if isinstance(part, str) else " " for part in item.label.parts).casefold().split()
