"""`trionfi test`: a line for each failure of a ruleset's own tests, and a summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trionfi.shell.calls import open_rules
from trionfi.shell.printing import print_json

if TYPE_CHECKING:
    from trionfi.dsl.source import Span
    from trionfi.interpreter.examples import Outcome

__all__ = ["run_all"]


def run_all(names: list[str], settings: list[str], engine: str, as_json: bool) -> bool:
    """Runs the tests of each ruleset; True if all hold."""
    from trionfi.interpreter.examples import run_examples

    outcomes = {name: list(run_examples(open_rules(name, settings), engine)) for name in names}
    if as_json:
        print_json([outcome_dict(name, outcome) for name, group in outcomes.items() for outcome in group])
    else:
        for name, group in outcomes.items():
            show(name, group)
    return not any(outcome.failure for group in outcomes.values() for outcome in group)


def show(name: str, outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        if outcome.failure:
            print("\n".join(failure_lines(outcome)))
    failed = sum(bool(outcome.failure) for outcome in outcomes)
    print(f"{name}: {len(outcomes) - failed} passed, {failed} failed" if outcomes else f"{name}: has no tests")


def failure_lines(outcome: Outcome) -> Iterator[str]:
    """Where and which test; what was expected and what came; the line that decided."""
    yield f"{outcome.place}: {outcome.title}"
    yield from (f"    {line}" for line in outcome.failure.splitlines())
    if outcome.failure.count("\n"):  # an error of the game, which shows its line itself
        return
    yield from source_lines(outcome.place)


def source_lines(span: Span) -> Iterator[str]:
    """The line of the text with a mark under the place."""
    line, column = span.source.line_column(span.start)
    text = span.source.line_text(line)
    width = max(1, min(span.end - span.start, len(text) - column + 1))
    margin = "".join("\t" if sign == "\t" else " " for sign in text[: column - 1])
    yield f"{line:>5} | {text}"
    yield f"      | {margin}{'^' * width}"


def outcome_dict(name: str, outcome: Outcome) -> dict[str, object]:
    return {
        "rules": name,
        "title": outcome.title,
        "file": outcome.place.source.name,
        "line": outcome.place.line,
        "passed": not outcome.failure,
        "message": outcome.failure,
    }
