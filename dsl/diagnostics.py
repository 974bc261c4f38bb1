"""Diagnostics are values: made where the fact is known, rendered once (as text, or for `--json`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from typing import Literal, NoReturn

from trionfi.dsl.limits import MOST_COMPARED, MOST_LETTERS, MOST_MESSAGES, MOST_SHOWN
from trionfi.dsl.source import Span

Severity = Literal["error", "warning"]

# Every code that a message may bear, with the rule that it stands for. A test holds messages and
# docs/diagnostics.md against this table.
CODES: dict[str, str] = {}


def declare_codes(codes: dict[str, str]) -> None:
    """Each room declares the codes it owns: `slug: the rule in one sentence`."""
    for code, rule in codes.items():
        if code in CODES and CODES[code] != rule:
            raise ValueError(f"code {code} is declared twice")
        CODES[code] = rule


# Codes of messages that say that something is not there. What could not be read may hold it, and then they say nothing.
ABSENCES: set[str] = set()


def declare_absences(*codes: str) -> None:
    """The room that owns such codes names them, beside `declare_codes`."""
    ABSENCES.update(codes)


declare_codes({"too-many-messages": f"Reading stops after {MOST_MESSAGES} errors."})


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message: the rule, then what was found, in a sentence; where; and what to do about it."""

    code: str
    message: str
    span: Span
    severity: Severity = "error"
    hint: str = ""

    def __str__(self) -> str:
        return render(self)

    def to_dict(self) -> dict[str, object]:
        """For `--json`: file, line, column (from 1), severity, code, message, hint."""
        return {
            "file": self.span.source.name,
            "line": self.span.line,
            "column": self.span.column,
            "severity": self.severity,
            "code": self.code,
            "message": shortened(self.message),
            "hint": shortened(self.hint),
        }


class ReadingStops(Exception):
    """A limit that no reading can go beyond. `last` is the error that says so; who began to read adds it."""

    def __init__(self, last: Diagnostic) -> None:
        super().__init__(last)
        self.last = last


class Diagnostics:
    """Collects what one run finds; the same message at the same place is kept once."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self._known: set[Diagnostic] = set()
        self._numbers: dict[Severity, int] = {"error": 0, "warning": 0}
        self._lost: set[str] = set()
        self._refused: set[str] = set()
        self._all_lost = False
        self._is_muted = False

    def error(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.add(Diagnostic(code, message, span, "error", hint))

    def warning(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.add(Diagnostic(code, message, span, "warning", hint))

    def stop(self, code: str, message: str, span: Span, hint: str = "") -> NoReturn:
        """An error after which reading does not go on."""
        raise ReadingStops(Diagnostic(code, message, span, "error", hint))

    def lose(self, text: str) -> None:
        """Notes the words of a text that cannot be read: what they declare is not there, and nobody says so."""
        self._lost.update(_WORD.findall(text))

    def lose_all(self) -> None:
        """A whole file cannot be read, such as a parent: any name may be declared in it."""
        self._all_lost = True

    def refuse(self, text: str) -> None:
        """Like `lose`, of a key that cannot be read: script that uses its name as a word stops there, too."""
        self.lose(text)
        self._refused.update(_WORD.findall(text))

    def is_lost(self, name: str) -> bool:
        """Whether the text that declares a name may be one that cannot be read."""
        return self._all_lost or name in self._lost

    @contextmanager
    def muted(self, is_muted: bool = True) -> Iterator[None]:
        """Nothing is told meanwhile; within such a stretch, with `False`, all is again."""
        before, self._is_muted = self._is_muted, is_muted
        try:
            yield
        finally:
            self._is_muted = before

    def settle(self) -> None:
        """Leaves out what only follows from another error; of what is missing in several places the first is told."""
        kept = [one for one in self.found if not self._follows(one)]
        if any(one.severity == "error" for one in kept):
            self.found = _told_once(kept)

    def _follows(self, one: Diagnostic) -> bool:
        if one.code == "syntax":
            return one.span.text in self._refused
        if one.code not in ABSENCES:
            return False
        return self._all_lost or not self._lost.isdisjoint(_WORD.findall(one.span.text))

    def add(self, diagnostic: Diagnostic) -> None:
        if diagnostic.code not in CODES:
            raise ValueError(f"undeclared diagnostic code {diagnostic.code}")
        if diagnostic in self._known or self._is_muted:
            return
        self._known.add(diagnostic)
        self._numbers[diagnostic.severity] += 1
        number = self._numbers[diagnostic.severity]
        if number <= MOST_MESSAGES:
            self.found.append(diagnostic)
            return
        message = f"there are more than {MOST_MESSAGES} {diagnostic.severity}s, and no more are told"
        last = Diagnostic("too-many-messages", message, diagnostic.span, diagnostic.severity, "mend the first of them")
        if diagnostic.severity == "error":
            raise ReadingStops(last)
        if number == MOST_MESSAGES + 1:
            self.found.append(last)

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        """In the order of the text, file by file."""
        return iter(sorted(self.found, key=lambda d: (d.span.source.name, d.span.start)))

    def __len__(self) -> int:
        return len(self.found)


_WORD = re.compile(r"[^\W\d]\w*")


def _told_once(found: list[Diagnostic]) -> list[Diagnostic]:
    """One thing that is missing is missing wherever it is used: one message, which says in how many places more."""
    ordered = sorted(found, key=lambda one: (one.span.source.name, one.span.start))
    missing = [one for one in ordered if one.code in ABSENCES]
    times = Counter((one.code, one.message) for one in missing)
    first: dict[tuple[str, str], Diagnostic] = {}
    for one in missing:
        first.setdefault((one.code, one.message), one)
    told = [one for one in found if one.code not in ABSENCES or first[one.code, one.message] is one]
    return [_with_times(one, times[one.code, one.message]) for one in told]


def _with_times(one: Diagnostic, times: int) -> Diagnostic:
    if times < 2:
        return one
    more = "one more place" if times == 2 else f"{times - 1} more places"
    return replace(one, message=f"{one.message}, here and in {more}")


class RulesError(Exception):
    """A ruleset that cannot be used: `diagnostics` says why and where."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name most like `name`, or an empty text."""
    if len(name) > MOST_LETTERS:
        return ""
    matches = get_close_matches(name, list(islice(known, MOST_COMPARED)), n=1, cutoff=0.6)
    return matches[0] if matches else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint with the nearest known name, or an empty text."""
    match = nearest(name, known)
    return f"did you mean `{match}`?" if match else ""


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    """A text that may come from a ruleset, its middle left out where it is longer than anybody reads."""
    return text if len(text) <= most else f"{text[: most * 3 // 4]} ... {text[-most // 4 :]}"


def render(diagnostic: Diagnostic) -> str:
    """`file:line:column: severity: message [code]`, the source line, a caret, and the hint."""
    span = diagnostic.span
    line, column = span.source.line_column(span.start)
    text, before = _shown_line(span.source.line_text(line), column - 1)
    said = shortened(diagnostic.message)
    head = f"{span.source.name}:{line}:{column}: {diagnostic.severity}: {said} [{diagnostic.code}]"
    width = max(1, min(span.end - span.start, len(text) - before))
    # a tab is kept in the margin so that the caret stands under its character
    margin = "".join("\t" if c == "\t" else " " for c in text[:before])
    number = f"{line:>5}"
    lines = [head, f"{number} | {text}", f"{' ' * len(number)} | {margin}{'^' * width}"]
    if diagnostic.hint:
        lines.append(f"{' ' * len(number)} = {shortened(diagnostic.hint)}")
    return "\n".join(lines)


def _shown_line(text: str, at: int) -> tuple[str, int]:
    """The line, or the part around a place of one that is too long to show; and where the place is in that."""
    if len(text) <= MOST_SHOWN:
        return text, at
    start = max(0, min(at - MOST_SHOWN // 4, len(text) - MOST_SHOWN))
    before, after = "... " if start else "", " ..." if start + MOST_SHOWN < len(text) else ""
    return f"{before}{text[start : start + MOST_SHOWN]}{after}", at - start + len(before)
