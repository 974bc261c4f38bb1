"""The grammar of script (`script.lark`) as a Lark parser, kept between runs."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from trionfi.dsl.cache import read_cached, write_cached
from trionfi.dsl.lexer import ScriptLexer
from trionfi.dsl.reserved import FREE

STARTS = ("script", "expr", "signature", "targets", "alteration", "pattern", "order")

_GRAMMAR = Path(__file__).with_name("script.lark")


@cache
def grammar_text() -> str:
    return _GRAMMAR.read_text(encoding="utf-8")


@cache
def words() -> frozenset[str]:
    """The language's own words."""
    text = re.sub(r"//.*|/(?:\\.|[^/\n])+/", "", grammar_text())
    return frozenset(re.findall(r'"([a-z]+)"', text))


@cache
def reserved() -> frozenset[str]:
    """Those that nothing is called which is written bare."""
    return words() - FREE


@cache
def words_of(terminal: str) -> tuple[str, ...]:
    """The words that a terminal of the grammar stands for, or begins with; none if it is no list of words."""
    patterns = [one.pattern.to_regexp() for one in script_parser().terminals if one.name == terminal]
    match = re.match(r"(?:\(\?:)?([a-z]+(?:\|[a-z]+)*)(?![a-z])", patterns[0]) if patterns else None
    return tuple(match[1].split("|")) if match else ()


@cache
def queries(behind: str = "") -> frozenset[str]:
    """The words with which a query begins; `behind`: only those that this terminal follows."""
    starts = [rule.expansion for rule in script_parser().rules if rule.origin.name == "query"]
    return frozenset(
        word for first, second, *_ in starts if behind in ("", second.name) for word in words_of(first.name)
    )


@cache
def script_parser() -> Lark:
    """The parser for all slots: from this user's cache if it is there, else built and put there."""
    name = f"script-{_fingerprint()}.json"
    data = read_cached(name)
    if data is not None:
        try:
            return _thaw(data)
        except Exception:  # noqa: BLE001  a cache is never a reason to fail, whatever is wrong with it
            pass
    parser = build_parser()
    write_cached(name, _freeze(parser))
    return parser


def build_parser() -> Lark:
    """From the text of the grammar; a conflict in it is an error."""
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer=ScriptLexer,
        start=list(STARTS),
        propagate_positions=True,
        maybe_placeholders=True,
        strict=True,
    )


def _fingerprint() -> str:
    maker = Path(__file__).read_text(encoding="utf-8")
    parts = (grammar_text(), maker, lark.__version__, str(sys.version_info[:2]))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def _freeze(parser: Lark) -> bytes:
    """As JSON, which can hold no code: Lark's own caches are pickles."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = None
    return json.dumps({"data": data, "memo": memo}, separators=(",", ":")).encode()


def _thaw(frozen: bytes) -> Lark:
    whole: dict[str, Any] = json.loads(frozen)
    data, table = whole["data"], whole["data"]["parser"]["parser"]
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = ScriptLexer
    whole["memo"] = _by_number(whole["memo"])
    table["tokens"] = _by_number(table["tokens"])
    table["states"] = {int(state): _by_number(actions) for state, actions in table["states"].items()}
    return Lark.load(whole)


def _by_number(mapping: dict[str, Any]) -> dict[int, Any]:
    """JSON makes texts of the numbers that are keys."""
    return {int(key): value for key, value in mapping.items()}
