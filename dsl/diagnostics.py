"""Diagnostics are values: made where the fact is known, rendered once (as text, or for `--json`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

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
            "message": self.message,
            "hint": self.hint,
        }


class Diagnostics:
    """Collects what one run finds; the same message at the same place is kept once."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    def error(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.add(Diagnostic(code, message, span, "error", hint))

    def warning(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.add(Diagnostic(code, message, span, "warning", hint))

    def add(self, diagnostic: Diagnostic) -> None:
        if diagnostic.code not in CODES:
            raise ValueError(f"undeclared diagnostic code {diagnostic.code}")
        if diagnostic not in self.found:
            self.found.append(diagnostic)

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        """In the order of the text, file by file."""
        return iter(sorted(self.found, key=lambda d: (d.span.source.name, d.span.start)))

    def __len__(self) -> int:
        return len(self.found)


class RulesError(Exception):
    """A ruleset that cannot be used: `diagnostics` says why and where."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)
        super().__init__("\n".join(render(d) for d in self.diagnostics))


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name most like `name`, or an empty text."""
    matches = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint with the nearest known name, or an empty text."""
    match = nearest(name, known)
    return f"did you mean `{match}`?" if match else ""


def render(diagnostic: Diagnostic) -> str:
    """`file:line:column: severity: message [code]`, the source line, a caret, and the hint."""
    span = diagnostic.span
    line, column = span.source.line_column(span.start)
    text = span.source.line_text(line)
    head = f"{span.source.name}:{line}:{column}: {diagnostic.severity}: {diagnostic.message} [{diagnostic.code}]"
    width = max(1, min(span.end - span.start, len(text) - column + 1))
    # a tab is kept in the margin so that the caret stands under its character
    margin = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
    number = f"{line:>5}"
    lines = [head, f"{number} | {text}", f"{' ' * len(number)} | {margin}{'^' * width}"]
    if diagnostic.hint:
        lines.append(f"{' ' * len(number)} = {diagnostic.hint}")
    return "\n".join(lines)
