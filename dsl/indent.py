"""Layout of script: which line ends count (syntax: a deeper line after a colon is a block, a deeper line after
anything else goes on with the line before it, nothing counts inside brackets)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lark import Token

LINE_END = "_NL"
NEWLINE = "_NEWLINE"
INDENT = "_INDENT"
DEDENT = "_DEDENT"
BAD_INDENT = "BAD_INDENT"  # no rule takes it, so the parser stops there

_OPENING = frozenset({"LPAR", "LSQB"})
_CLOSING = frozenset({"RPAR", "RSQB"})


def lay_out(tokens: Iterable[Token], text: str) -> Iterator[Token]:
    """Turns line ends into `_NEWLINE`, `_INDENT` and `_DEDENT`; those that do not count are dropped.

    The made tokens have no width: they lie at the end of the last word before them, so that spans of statements
    end with their words. They are given before the next word is asked for, whose kind depends on them.
    """
    blocks: list[int] = []
    depth = 0
    last: Token | None = None
    for token in tokens:
        if token.type == LINE_END:
            if last is not None and depth == 0:
                yield from _line_starts(blocks, last, token)
            continue
        if last is None:
            blocks.append(_column(text, token.start_pos or 0))
        depth += (token.type in _OPENING) - (token.type in _CLOSING)
        last = token
        yield token
    if last is not None:
        yield _mark(NEWLINE, last)
        yield from (_mark(DEDENT, last) for _ in blocks[1:])


def _line_starts(blocks: list[int], last: Token, line_end: Token) -> Iterator[Token]:
    """What a line end after `last` means, by where the next line begins."""
    column = _column(line_end, len(line_end))
    if column > blocks[-1]:
        if last.type == "COLON":
            blocks.append(column)
            yield _mark(INDENT, last)
        return
    yield _mark(NEWLINE, last)
    while column < blocks[-1] and len(blocks) > 1:
        blocks.pop()
        yield _mark(DEDENT, last)
    if column != blocks[-1]:
        yield Token(BAD_INDENT, "", line_end.end_pos, end_pos=line_end.end_pos)


def _column(text: str, position: int) -> int:
    return position - text.rfind("\n", 0, position) - 1


def _mark(kind: str, last: Token) -> Token:
    return Token(kind, "", last.end_pos, end_pos=last.end_pos)
