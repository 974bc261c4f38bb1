"""Going on after a slip in YAML: the likely repair is tried, or else the smallest piece around it is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from trionfi.dsl.patched import Patched
from trionfi.dsl.yaml_slips import LOADER, Slip, explain, indentation


def repair(patched: Patched, slip: Slip) -> tuple[Patched, bool]:
    """The text with a slip repaired or left out, so that YAML gets beyond it; and whether nothing was left out."""
    for start, end, words in [*slip.repairs, *_shifts(patched.text, slip)]:
        better = patched.replaced(start, end, words)
        if _goes_on(better.text, start + len(words) + 1):
            return better, True
    pieces = list(_pieces(patched.text, slip.start))
    for start, end in pieces:
        shorter = patched.replaced(start, end, re.sub(r"[^\r\n]", " ", patched.text[start:end]))
        if _goes_on(shorter.text, end):
            return shorter, False
    start, _ = pieces[-1]
    return patched.replaced(start, len(patched.text), ""), False  # at least what stands above is read


def _goes_on(text: str, place: int) -> bool:
    """YAML reads the text at least up to that place."""
    try:
        for _ in yaml.parse(text, Loader=LOADER):
            pass
    except yaml.YAMLError as error:
        return explain(text, error).start >= place
    return True


def _shifts(text: str, slip: Slip) -> Iterator[tuple[int, int, str]]:
    """A line that stands in no good column, alone or with what hangs on it, in each of the columns that would do."""
    if not slip.columns:
        return
    for start, end in list(_pieces(text, slip.start))[:2]:
        lines = text[start:end].splitlines(keepends=True)
        now = indentation(lines[0])
        for column in sorted(slip.columns, key=lambda c: abs(c - now)):
            yield start, end, "".join(_shifted(line, column - now) for line in lines)


def _shifted(line: str, by: int) -> str:
    if not line.strip():
        return line
    return " " * max(0, indentation(line) + by) + line.lstrip(" ")


def _pieces(text: str, place: int) -> Iterator[tuple[int, int]]:
    """The line of a place; with the deeper lines below; the entries that hold it, up to the whole section."""
    lines = text.splitlines(keepends=True) or [""]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    number = min(text.count("\n", 0, place), len(lines) - 1)
    yield starts[number], starts[number + 1]
    while True:
        column = indentation(lines[number])
        end = number + 1
        while end < len(lines) and (not lines[end].strip() or indentation(lines[end]) > column):
            end += 1
        yield starts[number], starts[end]
        outer = [i for i in range(number) if lines[i].strip() and indentation(lines[i]) < column]
        if not outer:
            return
        number = outer[-1]
