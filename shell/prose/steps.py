"""Steps of a course of play: sentences with what hangs on them, and how they are numbered on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from trionfi.shell.prose.words import sentence

__all__ = ["Step", "paragraph", "step_lines"]

INDENT = 3


@dataclass(slots=True)
class Step:
    """A sentence; `inside`: the steps that it introduces. `choice`: it is one of several to choose from."""

    text: str
    inside: list[Step] = field(default_factory=list)
    choice: bool = False

    @property
    def sentence(self) -> str:
        """With a colon if it introduces others."""
        return sentence(f"{self.text.removesuffix('.')}:" if self.inside else self.text)


def paragraph(text: str, width: int, indent: int = 0, mark: str = "") -> Iterator[str]:
    """A text in lines; `mark` stands before the first, the others hang below its text."""
    hang = " " * (indent + len(mark))
    yield from wrap(
        text,
        max(width, indent + 20),
        initial_indent=" " * indent + mark,
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def step_lines(steps: Sequence[Step], width: int, depth: int = 0) -> Iterator[str]:
    """Numbered 1., 2.; inside a step a), b); below that with dashes. Things to choose from have a star."""
    for number, step in enumerate(steps, start=1):
        # the deepest steps go no further to the right than half of the page
        yield from paragraph(step.sentence, width, min(width // 2, INDENT * depth), mark_of(step, number, depth))
        yield from step_lines(step.inside, width, depth + 1)


def mark_of(step: Step, number: int, depth: int) -> str:
    if step.choice:
        return "*  "
    if depth == 0:
        return f"{number}. ".ljust(INDENT)
    return f"{chr(96 + number)}) " if depth == 1 and number <= 26 else "-  "
