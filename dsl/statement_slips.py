"""Slips with statements: blocks and their lines, menus and choices, words in the wrong place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from trionfi.dsl.indent import BAD_INDENT, NEWLINE
from trionfi.dsl.lexer import OUT_OF_PLACE
from trionfi.dsl.stops import ENDS, FORMS, ScriptSlip, ScriptStop

# ---- layout


def _bad_indentation(stop: ScriptStop) -> ScriptSlip | None:
    if stop.found.type != BAD_INDENT:
        return None
    line = stop.text[stop.at :].partition("\n")[0]
    end = stop.at + len(line.rstrip())
    message = "this line begins in a column of no block above it"
    return ScriptSlip("block", message, stop.at, end, "begin it in the column of the lines that it belongs to")


def _no_block(stop: ScriptStop) -> ScriptSlip | None:
    if stop.found.type not in ENDS or stop.last is None or stop.last.type != "COLON":
        return None
    message = "behind a colon stands a statement, or below it a block of deeper lines"
    return stop.slip_at(stop.last, "block", message, "indent the lines that belong to it")


def _no_colon(stop: ScriptStop) -> ScriptSlip | None:
    """A line that begins a block has no colon."""
    last = stop.last
    if "COLON" not in stop.accepted or last is None:
        return None
    ends = stop.found.type in ENDS or "\n" in stop.text[last.end_pos or 0 : stop.at]
    if not ends:
        return None
    message = f"a line that begins with `{_spoken_head(stop)}` ends with a colon"
    return ScriptSlip("block", message, max(0, (last.end_pos or 1) - 1), last.end_pos or 1, "put `:` at its end")


def _spoken_head(stop: ScriptStop) -> str:
    first = stop.words[:2]
    if first[:1] == ["else"] or first in (["for", "each"], ["repeat", "until"]):
        return " ".join(first)
    return "p chooses as" if "chooses" in stop.words else first[0]


def _else(stop: ScriptStop) -> ScriptSlip | None:
    word = str(stop.found)
    if word != "else" or stop.found.type != OUT_OF_PLACE:
        return None
    if ":" in stop.line_before:
        return stop.slip("block", "`else` begins a line of its own", "put it below, in the column of its `if`")
    if not stop.statement:
        return stop.slip(
            "block", "`else` follows the block of an `if`, in the same column", "is this line indented as its `if` is?"
        )
    return None


# ---- statements and decisions


def _condition_as_statement(stop: ScriptStop) -> ScriptSlip | None:
    if stop.rule != "script" or "EQUAL" not in stop.accepted or "CHOOSES" not in stop.accepted:
        return None
    if stop.found.type != "COMPARE" and str(stop.found) not in ("is", "has", "in"):
        return None
    thing = stop.before.strip()
    hint = f"`{thing} = ...` sets it, `if {thing} {stop.rest.rstrip(':')}:` asks"
    return stop.slip("syntax", "a condition by itself is no statement", hint)


def _menu_name(stop: ScriptStop) -> ScriptSlip | None:
    if stop.found.type != "COLON" or stop.words[-1:] not in (["chooses"], ["as"]) or "chooses" not in stop.words[-2:]:
        return None
    return stop.slip("menu", "a menu is a decision with a name", "write `player chooses as betting:`")


def _menu_label(stop: ScriptStop) -> ScriptSlip | None:
    if stop.accepted & {"STRING", "_DEDENT"} == frozenset() or "STRING" not in stop.accepted or len(stop.accepted) > 2:
        return None
    if stop.head == "say":
        return stop.slip("syntax", "`say` is followed by a text in quotes", 'write `say "{player} passes"`')
    label = re.split(r"\s+(?:if|for)\b|:", stop.rest)[0].strip("'“”‘’ ")
    return stop.slip("menu", "each line of a menu begins with its label in quotes", f'write `"{label}"`')


def _pick_without_number(stop: ScriptStop) -> ScriptSlip | None:
    said = stop.words
    if "chooses" not in said[:-1] or stop.found.type not in ("FROM", OUT_OF_PLACE, "WHERE", "AS"):
        return None
    thing = said[said.index("chooses") + 1 :]
    if len(thing) != 1 or str(stop.found) not in ("from", "where", "as", "in"):
        return None
    return stop.slip("syntax", "a choice says how many", f"write `chooses 1 {thing[0]} {stop.rest}`")


def _for_without_each(stop: ScriptStop) -> ScriptSlip | None:
    message = "what goes over several things begins with `for each`"
    if stop.words == ["for"] and (every := re.match(r"(?:all|every|any) (?:the )?(\w+?)s?\b", stop.rest)):
        return stop.slip("syntax", message, f"write `for each {every[1]}{stop.rest[every.end() :]}`")
    if not stop.last or str(stop.last) == "for" or "for" not in stop.words[-2:]:
        return None
    if str(stop.found) not in ("in", "from", ":", "where") and str(stop.last) not in ("number", "numbers"):
        return None
    return stop.slip_at(stop.last, "syntax", message, f"write `for each {_each(str(stop.last), stop.rest)}`")


def _each(name: str, rest: str) -> str:
    """What a loop goes over, of `name in players: ...`: players, suits and ranks are all there are, the rest cards."""
    every = re.match(r"in (player|suit|rank)s\b(?: *(?=:))?", rest)
    if every is None and not rest.startswith("in "):
        return f"{name}{'' if rest.startswith(':') else ' '}{rest}"
    noun = every[1] if every else "card"
    named = noun if name == noun else f"{noun} {name}"
    behind = rest[every.end() :] if every else f" {rest}"
    return f"{named}{behind}"


def _misspelt_statement(stop: ScriptStop) -> ScriptSlip | None:
    """A statement that begins with a word much like one of the language."""
    if stop.rule != "script" or len(stop.statement) != 1 or stop.statement[0].type != "NAME":
        return None
    if stop.found.type in ("EQUAL", "DOT", "LPAR", "LSQB"):
        return None
    first, second = stop.statement[0], stop.found
    if word := like(str(second), ("chooses", "plays", "looks")):
        return stop.slip("syntax", f"no statement goes like this: `{first} {second}`", f"did you mean `{word}`?")
    if word := like(str(first), FORMS):
        return stop.slip_at(first, "syntax", f"no statement begins with `{first}`", f"did you mean `{word}`?")
    if second.type == "NAME" and re.fullmatch(r"\w+(?:, *\w+)*", stop.rest):
        message = "what a procedure is called with stands in parentheses"
        return stop.slip("syntax", message, f"write `{first}({stop.rest})`")
    return None


def like(word: str, known: Iterable[str]) -> str:
    """The known word that a word is very much like; empty if there is none."""
    matches = get_close_matches(word, list(known), n=1, cutoff=0.7)
    return matches[0] if matches else ""


def _two_statements(stop: ScriptStop) -> ScriptSlip | None:
    if stop.rule != "script" or stop.found.type not in ("SEMICOLON", "COMMA") or NEWLINE not in stop.accepted:
        return None
    return stop.slip(
        "syntax", "each statement stands on a line of its own", "put what follows on the next line, after `|`"
    )


def _truth(stop: ScriptStop) -> ScriptSlip | None:
    if str(stop.found) not in ("", ":") and stop.found.type not in ENDS:
        return None
    if stop.words[-1:] != ["no"] or stop.last is None:
        return None
    return stop.slip_at(stop.last, "word-out-of-place", "the truths are `true` and `false`, not `no`", "write `false`")


def _script_as_key(stop: ScriptStop) -> ScriptSlip | None:
    """A line of script in the column of the entries: YAML takes it for a key."""
    if stop.rule != "signature" or stop.found.type != OUT_OF_PLACE or stop.statement:
        return None
    if len(stop.text.split()) < 2 and stop.text.strip() != "else":
        return None
    end = len(stop.text.rstrip())
    message = f"`{stop.text.strip()}` stands in the column of the entries, but looks like a line of script"
    return ScriptSlip("block", message, stop.at, end, "indent it like the lines of the script that it belongs to")


def _word_as_name(stop: ScriptStop) -> ScriptSlip | None:
    """A word of the language where a name should stand."""
    if stop.found.type != OUT_OF_PLACE or "NAME" not in stop.accepted or stop.wants_value or stop.head == "end":
        return None
    word = str(stop.found)
    if word in _LINKS:
        return None
    message = f"`{word}` is a word of the language, so it cannot be a name"
    return stop.slip("word-out-of-place", message, f"try `{word}_of` or `the_{word}`")


def _numbers_of_what(stop: ScriptStop) -> ScriptSlip | None:
    """`each number n in 1..6`, `random number between 1 and 6`."""
    named = next((token for token in stop.statement[-2:] if str(token) in ("number", "numbers")), None)
    if named is None or "FROM" not in stop.accepted or "chooses" in stop.words or stop.words[-2:-1] == ["for"]:
        return None
    message = f"numbers go `from` one `to` another, and `{stop.found}` follows"
    return stop.slip("syntax", message, f"write `{named} n from 1 to 6`")


def _numbers_between(stop: ScriptStop) -> ScriptSlip | None:
    """`numbers n in 1..6`."""
    begun = re.search(r"\bnumbers?(?: \w+)? (in (\w+)\s*)$", stop.before)
    high = re.match(r"\.\.\s*(\w+)", stop.rest)
    if begun is None or high is None:
        return None
    hint = f"write `from {begun[2]} to {high[1]}`"
    return ScriptSlip(
        "syntax", "numbers go `from` one `to` another", stop.at - len(begun[1]), stop.at + high.end(), hint
    )


def _sets_of_how_many(stop: ScriptStop) -> ScriptSlip | None:
    """`sets of cards in hand`."""
    said = stop.words[-3:]
    if said not in (["sets", "of", "cards"], ["set", "of", "cards"]):
        return None
    start, end = stop.statement[-3].start_pos or 0, stop.statement[-1].end_pos or 0
    message = "sets of cards say of how many they are"
    return ScriptSlip("syntax", message, start, end, f"write `{said[0]} of 2..5 cards`")


THING_SLIPS = (_numbers_of_what, _numbers_between, _sets_of_how_many)

# Words that nobody means as a name: what stands before them is what does not fit.
_LINKS = frozenset("and as by else for from has if in is of or than then to until where while with".split())


def _two_wheres(stop: ScriptStop) -> ScriptSlip | None:
    """`for each A where B and each C where D`: one condition, at the end, is about all."""
    if str(stop.found) != "each" or stop.words[-1:] != ["and"] or "where" not in stop.words:
        return None
    where = next(token for token in reversed(stop.statement) if str(token) == "where")
    first = stop.text[where.end_pos : stop.statement[-1].start_pos].strip()
    rest = re.match(r"(each [^:]*?) where ([^:]*)", stop.rest)
    each, second = (rest[1], rest[2].strip()) if rest else (stop.rest.partition(":")[0].strip(), "")
    hint = f"write `and {each} where {' and '.join(one for one in (first, second) if one)}`"
    return stop.slip_at(where, "syntax", "one `where` at the end is about all that is gone over", hint)


def _list_of_conditions(stop: ScriptStop) -> ScriptSlip | None:
    """`expect: a, b`: several conditions are a list, or one with `and`."""
    if stop.found.type != "COMMA" or stop.rule != "expr" or not stop.statement or "LPAR" in stop.accepted:
        return None
    if any(token.type in ("LPAR", "LSQB", "IF") for token in stop.statement):
        return None
    whole = " and ".join(part.strip() for part in stop.text.split(","))
    return stop.slip("syntax", "several conditions are one with `and`, or the items of a list", f"write `{whole}`")


def _no_else(stop: ScriptStop) -> ScriptSlip | None:
    """`x = 3 if y`: a value with a condition."""
    tokens = [token for token in stop.statement if str(token) == "if"]
    if stop.found.type not in ENDS or not tokens:
        return None
    if "ELSE" not in stop.accepted and ("IF" not in stop.accepted or "COMMA" not in [t.type for t in stop.statement]):
        return None
    message = "a value with `if` says with `else` what it is otherwise"
    return stop.slip_at(
        tokens[-1], "syntax", message, "write `5 if pot > 0 else 0`; a statement stands behind: `if pot > 0: ...`"
    )


# What is asked before the signs of a line: its layout.
BLOCK_SLIPS: list[Callable[[ScriptStop], ScriptSlip | None]] = [_bad_indentation]

STATEMENT_SLIPS: list[Callable[[ScriptStop], ScriptSlip | None]] = [
    _no_block,
    _truth,
    _else,
    _no_colon,
    _condition_as_statement,
    _menu_name,
    _menu_label,
    _pick_without_number,
    _for_without_each,
    _misspelt_statement,
    _two_statements,
    _two_wheres,
    _list_of_conditions,
    _no_else,
    _script_as_key,
    _word_as_name,
]
