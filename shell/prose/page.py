"""A page of prose, and how it is written: for the terminal in columns, as Markdown, as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from trionfi.shell.prose.steps import Step, paragraph, step_lines

__all__ = ["Block", "Drawing", "Heading", "Passage", "StepList", "html_lines", "markdown_lines", "terminal_lines"]


@dataclass(slots=True)
class Heading:
    """`level` 1 is the title of the page, 2 a chapter, 3 a section of a chapter, 4 what a section holds."""

    text: str
    level: int


@dataclass(slots=True)
class Passage:
    """A paragraph; `aside`: a remark about what stands above it."""

    text: str
    aside: bool = False


@dataclass(slots=True)
class StepList:
    """Steps one after another, or things to choose from."""

    steps: Sequence[Step]


@dataclass(slots=True)
class Drawing:
    """Lines whose columns matter, with a sentence above them; left out where the page is too narrow."""

    caption: str
    lines: list[str]


Block = Heading | Passage | StepList | Drawing

# ---- terminal

UNDER = {1: "=", 2: "-", 3: "~"}


def terminal_lines(blocks: Iterable[Block], width: int) -> Iterator[str]:
    """Lines of at most `width` columns, one empty line between things that stand apart."""
    before: Block | None = None
    for block in blocks:
        lines = list(_terminal(block, width))
        if lines and before is not None and not _follows(before, block):
            yield ""
        yield from lines
        before = block if lines else before


def _terminal(block: Block, width: int) -> Iterator[str]:
    match block:
        case Heading(text, level):
            shown = f"[{text}]" if level not in UNDER else text
            yield from paragraph(shown, width)
            yield from [UNDER[level] * min(len(shown), width)] if level in UNDER else []
        case Passage(text, aside):
            yield from paragraph(f"({text})" if aside else text, width)
        case StepList(steps):
            yield from step_lines(steps, width)
        case Drawing(caption, lines):
            yield from [*paragraph(caption, width), "", *lines] if max(map(len, lines)) <= width else []


def _follows(before: Block, block: Block) -> bool:
    """Whether a block stands right below the one before it."""
    if isinstance(before, Heading):
        return not isinstance(block, Heading)
    return (isinstance(before, Passage) and before.aside and not isinstance(block, Heading)) or (
        isinstance(before, StepList) and isinstance(block, StepList)
    )


# ---- Markdown

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~])|(?<!\w)(#)|(?<!\w)([+-])(?= )|^(\d+)([.)])(?= )")


def markdown_text(text: str) -> str:
    """The text with everything quoted that would mean something in Markdown."""
    quoted = _MARKDOWN.sub(_quoted, text)
    return re.sub(r"&(?=#?\w+;)", "&amp;", quoted)


def _quoted(found: re.Match[str]) -> str:
    if found[4]:
        return f"{found[4]}\\{found[5]}"
    return f"\\{found[0]}"


def markdown_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """A paragraph, a step, a heading in one line each."""
    for number, block in enumerate(blocks):
        yield from [""] if number else []
        match block:
            case Heading(text, level):
                yield f"{'#' * level} {markdown_text(text)}"
            case Passage(text, aside):
                yield f"*{markdown_text(text)}*" if aside else markdown_text(text)
            case StepList(steps):
                yield from _markdown_steps(steps, "")
            case Drawing(caption, lines):
                yield from (markdown_text(caption), "", "```", *lines, "```")


def _markdown_steps(steps: Sequence[Step], indent: str) -> Iterator[str]:
    for number, step in enumerate(steps, start=1):
        mark = "- " if step.choice else f"{number}. "
        yield f"{indent}{mark}{markdown_text(step.sentence)}"
        yield from _markdown_steps(step.inside, indent + " " * len(mark))


# ---- HTML

_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.55 Georgia, "Times New Roman", serif;
  color: #222; background: #fdfcf9; }
h1, h2, h3, h4 { line-height: 1.2; font-family: system-ui, sans-serif; }
h2 { margin-top: 2.2rem; border-bottom: 1px solid #bbb; padding-bottom: .2rem; }
h3 { margin-top: 1.6rem; }
li { margin: .25rem 0; }
ul ul, ol ol { list-style-type: lower-alpha; }
.aside { font-style: italic; opacity: .85; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #bbb; border-radius: .3rem; }
@media (prefers-color-scheme: dark) {
  body { color: #e4e2dc; background: #191a1c; }
  h2, pre { border-color: #555; }
}
""".strip()


def html_lines(title: str, blocks: Iterable[Block]) -> Iterator[str]:
    """One page that needs nothing else: no script, no picture, no other file."""
    yield from ("<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">')
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield from (f"<title>{escape(title)}</title>", "<style>", _STYLE, "</style>", "</head>", "<body>")
    for block in blocks:
        yield from _html(block)
    yield from ("</body>", "</html>")


def _html(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level):
            yield f"<h{level}>{escape(text)}</h{level}>"
        case Passage(text, aside):
            kind = ' class="aside"' if aside else ""
            yield f"<p{kind}>{escape(text)}</p>"
        case StepList(steps):
            yield from _html_steps(steps)
        case Drawing(caption, lines):
            drawn = "\n".join(lines)
            yield f"<p>{escape(caption)}</p>"
            yield f"<pre>{escape(drawn)}</pre>"


def _html_steps(steps: Sequence[Step]) -> Iterator[str]:
    kind = "ul" if steps and steps[0].choice else "ol"
    yield f"<{kind}>"
    for step in steps:
        yield f"<li>{escape(step.sentence)}"
        yield from _html_steps(step.inside) if step.inside else ()
        yield "</li>"
    yield f"</{kind}>"
