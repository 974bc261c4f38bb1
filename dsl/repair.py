"""Going on after a slip in YAML: the likely repair is tried, or else the smallest piece around it is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import yaml

from trionfi.dsl.limits import MOST_MENDED, MOST_YAML_DEPTH
from trionfi.dsl.patched import Patched
from trionfi.dsl.yaml_slips import LOADER, Slip, explain, indentation


def repair(patched: Patched, slip: Slip) -> tuple[Patched, str]:
    """The text with a slip repaired or left out, so that YAML gets beyond it; and what was left out, if anything."""
    for better, end in [*_repairs(patched, slip), *_shifts(patched, slip)]:
        if _goes_on(better.text, end + 1):
            return better, ""
    most = min(MOST_YAML_DEPTH, max(2, MOST_MENDED // len(patched.text)))  # each is read again
    pieces = list(islice(_pieces(patched.text, slip.start), most))
    for start, end in pieces:
        shorter = patched.replaced(start, end, re.sub(r"[^\r\n]", " ", patched.text[start:end]))
        if _goes_on(shorter.text, end):
            return shorter, patched.text[start:end]
    start, _ = pieces[-1]
    return patched.replaced(start, len(patched.text), ""), patched.text[start:]  # at least what stands above is read


def _goes_on(text: str, place: int) -> bool:
    """YAML reads the text at least up to that place."""
    try:
        for _ in yaml.parse(text, Loader=LOADER):
            pass
    except yaml.YAMLError as error:
        return explain(text, error).start >= place
    return True


def _repairs(patched: Patched, slip: Slip) -> Iterator[tuple[Patched, int]]:
    """The text with each likely repair, and the end of it."""
    for start, end, words in slip.repairs:
        yield patched.replaced(start, end, words), start + len(words)


def _shifts(patched: Patched, slip: Slip) -> Iterator[tuple[Patched, int]]:
    """A line that stands in no good column, alone or with what hangs on it, in each of the columns that would do."""
    if not slip.columns:
        return
    for start, end in list(_pieces(patched.text, slip.start))[:2]:
        now = indentation(patched.text[start:end])
        for column in sorted(slip.columns, key=lambda c: abs(c - now)):
            better = _shifted(patched, start, end, column - now)
            yield better, end + len(better.text) - len(patched.text)


def _shifted(patched: Patched, start: int, end: int, by: int) -> Patched:
    """The lines from start to end moved to the right, or to the left."""
    lines = patched.text[start:end].splitlines(keepends=True)
    for line in reversed(lines):
        end -= len(line)
        column = indentation(line)
        if line.strip():
            patched = patched.replaced(end, end + column, " " * max(0, column + by))
    return patched


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
