"""The author's own chapters, with the values that the options have, and what is a variant's own in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trionfi.dsl.known import Known
from trionfi.dsl.tree import Chapter, Expr, Option, Paragraph, Wording
from trionfi.dsl.tree.rulebook import Said
from trionfi.shell.prose.expressions import constant
from trionfi.shell.prose.page import Block, Heading, Passage, StepList
from trionfi.shell.prose.steps import Step
from trionfi.shell.prose.voice import Voice, renders
from trionfi.shell.prose.words import human

__all__ = ["chapter_blocks", "difference_blocks", "paragraphs_about"]

TITLES = {
    "idea": "The idea",
    "deal": "The deal",
    "play": "The play",
    "score": "Scoring and the end",
    "example": "An example",
}


@renders(Chapter)
def say_chapter(voice: Voice, node: Chapter) -> str:
    return TITLES[node.name]


@renders(Paragraph)
def tell_paragraph(voice: Voice, node: Paragraph) -> list[Block]:
    """What is told of it under the options that are set; nothing if its condition does not hold. Where these leave a
    condition open (nothing is divided by 0), it is said."""
    holds = node.condition is None or voice.known.is_true(node.condition)
    if node.condition is not None and holds is None:
        cases = [(f"If {voice.say(node.condition)}", node.pieces), ("Otherwise", node.otherwise)]
        return [Passage(f"{head}: {said(voice, pieces)}") for head, pieces in cases if pieces]
    if holds and node.points:
        points = [
            block.text for one in node.points for block in tell_paragraph(voice, one) if isinstance(block, Passage)
        ]
        return [StepList([Step(point, choice=True) for point in points])] if points else []
    text = said(voice, node.pieces if holds else node.otherwise)
    return [Passage(text)] if text else []


@renders(Wording)
def say_wording(voice: Voice, node: Wording) -> str:
    return next((text for asked, text in node.arms if voice.known.is_true(asked)), node.otherwise)


def said(voice: Voice, pieces: Sequence[Said]) -> str:
    """The text in one line."""
    parts = (piece if isinstance(piece, str) else value_text(voice, piece) for piece in pieces)
    return " ".join("".join(parts).split())


def value_text(voice: Voice, piece: Expr | Wording) -> str:
    """A value as it is; one that cannot be worked out is described."""
    if isinstance(piece, Wording):
        return say_wording(voice, piece)
    value = voice.known.value(piece)
    return constant(voice, piece.type, value) if Known.is_exact(value) else voice.say(piece)


# ---- the book


def chapter_blocks(voice: Voice) -> Iterator[Block]:
    """All chapters that have anything to tell."""
    for chapter in voice.ruleset.rulebook:
        told = [block for one in chapter.paragraphs for block in tell_paragraph(voice, one)]
        yield from [Heading(voice.say(chapter), 2), *told] if told else []


def paragraphs_about(voice: Voice, decision: str) -> list[Block]:
    """What the author tells of a choice."""
    return [
        block
        for chapter in voice.ruleset.rulebook
        for one in within(chapter.paragraphs)
        if one.decision == decision
        for block in tell_paragraph(voice, one)
    ]


def within(paragraphs: Sequence[Paragraph]) -> Iterator[Paragraph]:
    for one in paragraphs:
        yield one
        yield from one.points


# ---- what a variant changes


def difference_blocks(voice: Voice) -> Iterator[Block]:
    """Of a variant: what its own text tells, and the options that it sets."""
    ruleset = voice.ruleset
    if not ruleset.parent:
        return
    changed = [one for one in ruleset.options.values() if one.in_parent not in (None, one.default)]
    parents = Voice(ruleset, {one.name: in_parent(one) for one in voice.values})
    paragraphs = [one for chapter in ruleset.rulebook if chapter.name != "example" for one in chapter.paragraphs]
    told = [block for one in paragraphs if differs(voice, parents, one) for block in tell_paragraph(voice, one)]
    if not told and not changed:
        return
    yield Heading(f"What differs from {ruleset.parent}", 2)
    yield from told
    if changed:
        yield Passage("Options that are set otherwise:")
        yield StepList([Step(option_text(voice, one), choice=True) for one in changed])


def in_parent(option: Option) -> object:
    return option.default if option.in_parent is None else option.in_parent


def differs(voice: Voice, parents: Voice, paragraph: Paragraph) -> bool:
    """Whether it stands in the variant's own file, or the parent's options would tell it otherwise."""
    own = paragraph.span.source is voice.ruleset.sources[0].source
    return own or tell_paragraph(voice, paragraph) != tell_paragraph(parents, paragraph)


def option_text(voice: Voice, option: Option) -> str:
    """`Follow suit: no, not yes`."""
    now, before = (constant(voice, option.type, value) for value in (option.default, option.in_parent))
    return f"{human(option.name)}: {now}, not {before}"
