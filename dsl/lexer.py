"""Words of script: one pattern cuts the text, the parser's state says what a word is.

A word is a keyword where the parser can take that keyword, and only as a whole (never the `in` of `internal`). So is
what several words make (a terminal with a priority): where the parser cannot take it, its first word stands alone.
Elsewhere it is out of place, or a name if it may be one (`reserved.py`); after a dot each is a name. Lark's own
contextual lexer would do much the same with one pattern for each of its states, which take longer to compile than a
ruleset takes to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState, PatternStr, TerminalDef
from lark.utils import TextSlice

from trionfi.dsl.indent import LINE_END, lay_out
from trionfi.dsl.reserved import FREE, VERBS

STRANGE = "STRANGE"  # a character that no word has, or a number that is none; no rule takes it
OUT_OF_PLACE = "OUT_OF_PLACE"  # a word of the language where it cannot stand; no rule takes it
_NUMBER_WORD = r"[0-9]+[A-Za-z_]\w*"
_WORDS_ONLY = re.compile(r"(?:\(\?:)?([a-z]+(?:\|[a-z]+)*)\)?")


@dataclass(frozen=True)
class SlotText(TextSlice[str]):
    """A slice of a file that holds script. `lines`: its line ends count. `trail` takes what the parser is given.
    `no_name`: where a word of the language stands that is not taken for a name."""

    lines: bool = False
    trail: list[Token] | None = None
    no_name: int = -1


class ScriptLexer(Lexer):
    """Built by Lark with the terminals of the grammar."""

    __future_interface__ = 2  # Lark: `lex` takes the parser's state, and slices

    def __init__(self, conf: LexerConf) -> None:
        self.kinds_of_word: dict[str, list[str]] = {}
        self.symbols: dict[str, str] = {}
        patterns: list[tuple[int, str, str]] = []
        for terminal in conf.terminals:
            if words := _words_of(terminal):
                for word in words:
                    self.kinds_of_word.setdefault(word, []).append(terminal.name)
            elif isinstance(terminal.pattern, PatternStr):
                self.symbols[terminal.pattern.value] = terminal.name
            else:
                patterns.append((-terminal.priority, terminal.name, terminal.pattern.to_regexp()))
        symbols = "|".join(re.escape(symbol) for symbol in sorted(self.symbols, key=len, reverse=True))
        parts = [f"(?P<{name}>{pattern})" for _, name, pattern in sorted(patterns)]
        parts += [f"(?P<SYMBOL>{symbols})", f"(?P<{STRANGE}>.)"]
        self.pattern = re.compile("|".join([f"(?P<NUMBER_WORD>{_NUMBER_WORD})", *parts]))
        self.phrases = frozenset(one.name for one in conf.terminals if one.priority)
        self.words = frozenset(self.kinds_of_word) - FREE
        self.ignored = frozenset(conf.ignore) - {LINE_END}

    def lex(self, lexer_state: LexerState, parser_state: Any) -> Iterator[Token]:
        text = lexer_state.text
        tokens = self._cut(text, parser_state)
        if parser_state.parse_conf.start == "script":
            tokens = lay_out(tokens, text.text)
        return _followed(tokens, text.trail) if isinstance(text, SlotText) and text.trail is not None else tokens

    def _cut(self, text: TextSlice[str], parser_state: Any) -> Iterator[Token]:
        position, end = text.start, text.end
        lines = isinstance(text, SlotText) and text.lines and parser_state.parse_conf.start == "script"
        states = parser_state.parse_conf.states
        declares = parser_state.parse_conf.start == "signature"
        after, no_name = "", getattr(text, "no_name", -1)
        match_at = self.pattern.match
        while position < end:
            match = match_at(text.text, position, end)
            assert match is not None  # the last part takes any character
            kind, start, position = match.lastgroup or STRANGE, position, match.end()
            if kind in self.ignored or (kind == LINE_END and (not lines or position == end)):
                continue
            word = match.group()
            if kind == "NAME" or kind in self.phrases:
                accepted = states[parser_state.position]
                if kind in self.phrases and kind not in accepted:
                    kind, word = "NAME", word.split()[0]
                    position = start + len(word)
                is_spoken = word in VERBS and start != no_name and after != "LET" and not declares
                other = kind if word not in self.words or after == "DOT" or is_spoken else OUT_OF_PLACE
                kind = next((k for k in self.kinds_of_word.get(word, ()) if k in accepted), other)
            elif kind == "SYMBOL":
                kind = self.symbols[word]
            elif kind == "NUMBER_WORD":
                kind = STRANGE
            after = kind
            yield Token(kind, word, start, end_pos=position)


def _followed(tokens: Iterator[Token], trail: list[Token]) -> Iterator[Token]:
    for token in tokens:
        trail.append(token)
        yield token


def _words_of(terminal: TerminalDef) -> list[str]:
    """The words that a terminal stands for; none if it is no list of words."""
    match = _WORDS_ONLY.fullmatch(terminal.pattern.to_regexp())
    return match[1].split("|") if match else []
