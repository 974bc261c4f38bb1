"""What the author of a ruleset tells those who learn the game: chapters of prose with values of the ruleset in it."""

from __future__ import annotations

from dataclasses import dataclass

from trionfi.dsl.source import Span
from trionfi.dsl.tree.node import Expr, Node
from trionfi.dsl.tree.words import ChapterName


@dataclass(slots=True, eq=False)
class Wording(Node):
    """Texts with conditions: the first whose condition holds is said, else `otherwise`."""

    arms: list[tuple[Expr, str]]
    otherwise: str
    span: Span


Said = str | Expr | Wording  # a piece of a text: as it stands, a value, or one of several wordings


@dataclass(slots=True, eq=False)
class Paragraph(Node):
    """A paragraph of a chapter, or one of its `points` (then it has none itself): `pieces` if there is no condition or
    it holds, else `otherwise`, which may be nothing. Conditions and values hang on the options alone.

    `decision`: the choice that it tells about, told at the table, too, when that is asked; or empty.
    """

    condition: Expr | None
    pieces: list[str | Expr | Wording]
    otherwise: list[str | Expr | Wording]
    points: list[Paragraph]
    decision: str
    span: Span


@dataclass(slots=True, eq=False)
class Chapter(Node):
    """A chapter with its paragraphs: those of a variant come after its parent's, those of libraries last."""

    name: ChapterName
    paragraphs: list[Paragraph]
    span: Span
