"""The language: reads ruleset files, checks them, and gives the checked tree or diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trionfi.dsl.diagnostics import Diagnostics
    from trionfi.dsl.library import Draft
    from trionfi.dsl.tree import Ruleset

__all__ = ["read_game", "read_kept_game", "read_ruleset"]


def read_ruleset(rules: str, text: str | None = None) -> tuple[Ruleset | None, Diagnostics]:
    """A ruleset by its name in the library or by the path of its file, checked; `text` stands for the file if given.

    Gives the checked tree and what there is to say of the text. With an error among that there is no tree, nor for a
    library, which is no game by itself. Never raises for anything that a text may hold.
    """
    _, ruleset, diagnostics = _read(rules, text)
    return ruleset, diagnostics


def read_game(rules: str, text: str | None = None) -> tuple[Ruleset | None, Diagnostics]:
    """Like `read_ruleset`, for who wants to play: a library is an error."""
    return _game(*_read(rules, text))


def read_kept_game(texts: Mapping[str, str]) -> tuple[Ruleset | None, Diagnostics]:
    """The same of the texts that were kept of a ruleset's files (`dsl.shelf.KeptTexts`); no file is read."""
    from trionfi.dsl.library import read_kept
    from trionfi.dsl.shelf import KeptTexts

    return _game(*_checked(lambda diagnostics: read_kept(KeptTexts(texts), diagnostics)))


def _game(draft: Draft | None, ruleset: Ruleset | None, diagnostics: Diagnostics) -> tuple[Ruleset | None, Diagnostics]:
    from contextlib import suppress

    from trionfi.dsl.check import refuse_library
    from trionfi.dsl.diagnostics import ReadingStops

    if draft is not None and draft.is_library:
        with suppress(ReadingStops):  # there is as much to mend as can be told
            refuse_library(draft, diagnostics)
    return ruleset, diagnostics


def _read(rules: str, text: str | None) -> tuple[Draft | None, Ruleset | None, Diagnostics]:
    from trionfi.dsl.library import read_draft

    return _checked(lambda diagnostics: read_draft(rules, diagnostics, text))


def _checked(read: Callable[[Diagnostics], Draft | None]) -> tuple[Draft | None, Ruleset | None, Diagnostics]:
    from trionfi.dsl.analysis import analyse
    from trionfi.dsl.check import check
    from trionfi.dsl.diagnostics import Diagnostics, ReadingStops

    diagnostics = Diagnostics()
    draft: Draft | None = None
    ruleset: Ruleset | None = None
    try:
        draft = read(diagnostics)
        ruleset = check(draft, diagnostics) if draft is not None else None
        if ruleset is not None:
            analyse(ruleset, diagnostics)
    except ReadingStops as stop:
        diagnostics.found.append(stop.last)  # beyond their number, too
    diagnostics.settle()
    return draft, (None if diagnostics.has_errors else ruleset), diagnostics
