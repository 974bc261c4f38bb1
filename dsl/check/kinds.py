"""Kinds of the game: lists of words in order, and what each word has in columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from trionfi.dsl.check.context import Context
from trionfi.dsl.check.fields import entries, found, text, words
from trionfi.dsl.check.variables import KINDS, OWN_KINDS
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar
from trionfi.dsl.numbers import TOO_LARGE, read_whole
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Enumeration, KindColumn
from trionfi.dsl.types import FRACTION, NUMBER, TRUTH, Type, enum

declare_codes(
    {
        "word-columns": "The words of a kind have the same columns; a column holds numbers, truths, ratios or words.",
        "word-label": "A word is shown by a label of its own.",
    }
)

_LABEL = "label"
_WHOLE = re.compile(r"-?[0-9]+")
_RATIO = re.compile(r"(-?[0-9]+)(?:\s*[:/]\s*([0-9]+))?")
_TRUTHS = {"true": True, "false": False}
_HOLDS = "it holds numbers, `true` or `false`, ratios such as `3:2`, or words of one kind"


def declare_kinds(context: Context, section: Node | None) -> None:
    """`kinds:` of the game: enumerations by name, with the labels of their words."""
    for entry in entries(section):
        name = entry.key.text.strip()
        _report_bare(context, entry)
        listed = list(_words(context, entry))
        members = [word.text.strip() for word, _ in listed]
        if not context.names.is_name(name, entry.key.span):
            continue
        if name in KINDS or name in OWN_KINDS or name in context.kinds:
            context.diagnostics.error("duplicate-name", f"`{name}` is already a kind", entry.key.span)
        elif members:
            type = context.enumeration(name, members, entry.key.span)
            _read_labels(context, context.enumerations[type.name], listed)


def _words(context: Context, entry: Entry) -> Iterator[tuple[Scalar, Mapping | None]]:
    """The words of a kind, each with what it has: of a list with nothing."""
    if not isinstance(entry.value, Mapping):
        for word in words(context, entry.value, f"the members of `{entry.key.text.strip()}`"):
            yield word, None
        return
    for member in entry.value:
        yield member.key, member.value if isinstance(member.value, Mapping) else None


def _report_bare(context: Context, entry: Entry) -> None:
    """A value beside a word, in no column: told once for a kind."""
    for member in entry.value if isinstance(entry.value, Mapping) else ():
        if isinstance(member.value, Mapping) or (isinstance(member.value, Scalar) and not member.value.text.strip()):
            continue
        message = f"what `{member.key.text.strip()}` has stands in a column with a name"
        hint = f"a column has a name: `{member.key.text.strip()}: {{worth: {member.value.span.text}}}`"
        context.diagnostics.error("word-columns", message, member.value.span, hint)
        return


def _read_labels(context: Context, kind: Enumeration, listed: list[tuple[Scalar, Mapping | None]]) -> None:
    for place, (word, columns) in enumerate(listed):
        node = columns.get(_LABEL) if columns else None
        label = " ".join(text(context, node, f"the label of `{word.text.strip()}`").split())
        if not label or node is None:
            continue
        taken = {*kind.labels.values(), *(one for one in kind.members if one != kind.members[place])}
        if label in taken:
            message = f"`{label}` is what another word of `{kind.name}` is called"
            context.diagnostics.error("word-label", message, node.span, "each word is told from the others")
        else:
            kind.labels[place] = label


# ---- columns


def declare_columns(context: Context, section: Node | None) -> None:
    """What the words of each kind have, once every word that may stand there is known."""
    for entry in entries(section):
        type = context.kinds.get(entry.key.text.strip())
        if type is None or not isinstance(entry.value, Mapping):
            continue
        kind = context.enumerations[type.name]
        if kind.columns:
            message = f"`{kind.name}` has the same words, and they have their columns there"
            context.diagnostics.error("word-columns", message, entry.key.span, f"use the kind `{kind.name}`")
            continue
        listed = list(_words(context, entry))
        if len(listed) == len(kind.members):
            _declare_columns_of(context, kind, listed)


def _declare_columns_of(context: Context, kind: Enumeration, listed: list[tuple[Scalar, Mapping | None]]) -> None:
    keys: dict[str, Span] = {}
    for _, columns in listed:
        for one in entries(columns):
            if one.key.text.strip() != _LABEL:
                keys.setdefault(one.key.text.strip(), one.key.span)
    for name, span in keys.items():
        cells = [_cell(context, kind, word, columns, name) for word, columns in listed]
        there = [cell for cell in cells if cell is not None]
        column = KindColumn(name, kind.name, span, NUMBER)
        if len(there) == len(cells) and _read_cells(context, column, there):
            if context.names.declare(name, column, span):
                kind.columns[name] = column
        else:
            context.diagnostics.lose(name)


def _cell(context: Context, kind: Enumeration, word: Scalar, columns: Mapping | None, name: str) -> Scalar | None:
    node = columns.get(name) if columns else None
    if node is None:
        message = f"`{word.text.strip()}` has no `{name}`, which other words of `{kind.name}` have"
        hint = f"write `{word.text.strip()}: {{{name}: ...}}`"
        context.diagnostics.error("word-columns", message, word.span, hint)
        return None
    if isinstance(node, Scalar) and node.text.strip():
        return node
    message = f"a column holds a number, a truth, a ratio or a word, not {found(node)}"
    context.diagnostics.error("word-columns", message, node.span)
    return None


def _read_cells(context: Context, column: KindColumn, cells: list[Scalar]) -> bool:
    """The type of a column and its values, by what all of them look like; reports what does not fit."""
    written = [cell.text.strip() for cell in cells]
    if all(_WHOLE.fullmatch(one) for one in written):
        column.type, column.values = NUMBER, [read_whole(one) for one in written]
    elif all(one in _TRUTHS for one in written):
        column.type, column.values = TRUTH, [_TRUTHS[one] for one in written]
    elif all(_RATIO.fullmatch(one) for one in written):
        column.type, column.values = FRACTION, [_ratio(one) for one in written]
    else:
        return _read_members(context, column, cells)
    return _is_small(context, cells, column.values)


def _ratio(written: str) -> Fraction | None:
    match = _RATIO.fullmatch(written)
    over, under = (read_whole(match[1]), read_whole(match[2] or "1")) if match else (None, None)
    return None if over is None or not under else Fraction(over, under)


def _is_small(context: Context, cells: list[Scalar], values: list[object]) -> bool:
    for cell, value in zip(cells, values, strict=True):
        if value is None:
            is_zero = re.search(r"[:/]\s*0+$", cell.text)
            message = f"`{cell.text.strip()}` " + ("divides by 0" if is_zero else "has more than 64 bits")
            context.diagnostics.error("word-columns", message, cell.span, "" if is_zero else TOO_LARGE)
    return None not in values


def _read_members(context: Context, column: KindColumn, cells: list[Scalar]) -> bool:
    """Words of one kind, or `none`. A column that is called like a kind holds words of that kind."""
    asked = {cell.text.strip() for cell in cells} - {"none"}
    named = context.kinds.get(column.name)
    holding = [enum(one.name) for one in context.enumerations.values() if asked <= set(one.members)]
    type = named or (holding[0] if len(holding) == 1 else None)
    if type is None:
        _report_members(context, column, cells, holding)
        return False
    members = context.members(type)
    for cell in cells:
        word = cell.text.strip()
        if word != "none" and word not in members:
            message = f"a column called `{column.name}` holds words of that kind, and `{word}` is none"
            hint = did_you_mean(word, members) or f"it is one of {', '.join(members)}"
            context.diagnostics.error("word-columns", message, cell.span, hint)
            return False
    column.type = type
    column.values = [None if cell.text.strip() == "none" else members.index(cell.text.strip()) for cell in cells]
    return True


def _report_members(context: Context, column: KindColumn, cells: list[Scalar], holding: Iterable[Type]) -> None:
    kinds = [one.name for one in holding]
    first = next((cell for cell in cells if not _WHOLE.fullmatch(cell.text.strip())), cells[0])
    if kinds:
        message = f"the words of `{column.name}` are those of {' and of '.join(f'`{one}`' for one in kinds)}"
        hint = f"call the column like the kind that is meant: `{kinds[0]}`"
    else:
        message = f"`{first.text.strip()}` does not go with the other values of `{column.name}`"
        hint = _HOLDS
    if all(cell.text.strip() == "none" for cell in cells):
        message, hint = f"`{column.name}` is none for every word", "leave the column out"
    context.diagnostics.error("word-columns", message, first.span, hint)


__all__ = ["declare_columns", "declare_kinds"]
