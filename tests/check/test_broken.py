"""Broken rulesets, each with the exact messages that it must give, and with what comes of typing their hints.

Beside `NAME.yaml` stands `NAME.txt`: every message, its hint after `=`. A hint that gives words (`write ...`,
`did you mean ...`) is typed: they replace the words that the message points at, or those after `<`, in the line of
the message. Then that message must be gone, and no other be new. Written anew by `TRIONFI_WRITE_BROKEN=1 ./dev test
tests/check/test_broken.py`; what stands after `<` is kept: read the difference.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.diagnostics import Diagnostic

FOLDER = Path(__file__).with_name("broken")
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
_TYPED = re.compile(r"(?:write|did you mean)\b(?! it like this)[^`]*?(?:`(?P<ticked>[^`]+)`|: (?P<rest>[^`].*))")


@dataclass(frozen=True)
class Told:
    """A message as the text beside the ruleset has it, with the words for which its hint is typed."""

    head: str
    hint: str = ""
    replaced: str = ""

    def __str__(self) -> str:
        lines = [self.head, *([f"    = {self.hint}"] if self.hint else [])]
        return "\n".join([*lines, *([f"    < {self.replaced}"] if self.replaced else [])])

    @property
    def words(self) -> str:
        """What the hint says to type; empty if that is nothing in particular."""
        match = _TYPED.match(self.hint)
        words = (match["ticked"] or match["rest"]) if match else ""
        return "" if "..." in words.removesuffix("): ...") else words.removesuffix(": ...")

    @property
    def sentence(self) -> str:
        """The message without its place, which moves when something is typed."""
        return self.head.partition(" ")[2]


def told(name: str, text: str | None = None) -> list[tuple[Told, Diagnostic]]:
    _, found = read_ruleset(str(FOLDER / f"{name}.yaml"), text)
    return [(Told(head_of(one), one.hint), one) for one in found]


def head_of(one: Diagnostic) -> str:
    said = re.sub(r"[^ `]*/(\w+\.yaml)", r"\1", one.message)  # the same wherever the tests are run
    return f"{one.span.line}:{one.span.column}: {one.severity}: {said} [{one.code}]"


def expected(name: str) -> list[Told]:
    path = FOLDER / f"{name}.txt"
    read: list[Told] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("    = "):
            read[-1] = Told(read[-1].head, line[6:])
        elif line.startswith("    < "):
            read[-1] = Told(read[-1].head, read[-1].hint, line[6:])
        else:
            read.append(Told(line))
    return read


def written_anew(name: str, found: list[Told]) -> None:
    replaced = {one.sentence: one.replaced for one in expected(name)}
    kept = [Told(one.head, one.hint, replaced.get(one.sentence, "")) for one in found]
    (FOLDER / f"{name}.txt").write_text("".join(f"{one}\n" for one in kept), encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_of_it(name: str) -> None:
    found = [one for one, _ in told(name)]
    if os.environ.get("TRIONFI_WRITE_BROKEN"):
        written_anew(name, found)
    assert [(one.head, one.hint) for one in found] == [(one.head, one.hint) for one in expected(name)]
    assert found, "nothing is told of a broken ruleset"


@pytest.mark.parametrize("name", NAMES)
def test_its_hints_can_be_typed(name: str) -> None:
    found = told(name)
    replaced = {one.sentence: one.replaced for one in expected(name)}
    before = [one.sentence for one, _ in found]
    for one, diagnostic in found:
        if one.words:
            text = typed(FOLDER / f"{name}.yaml", diagnostic, one.words, replaced[one.sentence])
            after = [other.sentence for other, _ in told(name, text)]
            assert after == [other for other in before if other != one.sentence], one.hint


def typed(path: Path, diagnostic: Diagnostic, words: str, replaced: str) -> str:
    """The text with a hint's words in the line of its message."""
    lines = path.read_text(encoding="utf-8").split("\n")
    if diagnostic.hint.endswith("in the first line"):
        return "\n".join([words, *lines])
    line, column = lines[diagnostic.span.line - 1], diagnostic.span.column - 1
    unquoted = words[1:-1] if "in quotes: " in diagnostic.hint else ""
    old = replaced or (unquoted if unquoted in line else "") or diagnostic.span.text
    start = line.index(old) if old not in ("", diagnostic.span.text) else column
    lines[diagnostic.span.line - 1] = line[:start] + words + line[start + len(old) :]
    return "\n".join(lines)


def test_every_text_has_its_ruleset() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == NAMES
