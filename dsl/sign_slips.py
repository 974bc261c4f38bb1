"""Slips with signs: characters that script does not have, numbers, brackets, quotes, operators of other languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from trionfi.dsl.grammar import queries
from trionfi.dsl.lexer import OUT_OF_PLACE, STRANGE
from trionfi.dsl.stops import ENDS, ScriptSlip, ScriptStop

if TYPE_CHECKING:
    from lark import Token

# ---- characters

_CHARACTERS = {
    "“": "texts stand in straight quotes",
    "”": "texts stand in straight quotes",
    "„": "texts stand in straight quotes",
    "‘": "texts stand in straight quotes",
    "’": "texts stand in straight quotes",
    "–": "a minus is written `-`",
    "—": "a minus is written `-`",
    "−": "a minus is written `-`",
    "×": "times is written `*`",
    "≤": "at most is written `<=`",
    "≥": "at least is written `>=`",
    "≠": "what is not so is written `is not`",
    "…": "a range is written `1..10`",
    "%": "the rest of a division is written `mod`",
    "|": "one of two conditions is written `or`",
    "&": "both of two conditions are written `and`",
    "!": "what is not so is written `not`",
    "'": "texts stand in double quotes, and what belongs to someone follows a dot",
    "{": "values in braces stand within quoted texts only",
    "}": "values in braces stand within quoted texts only",
    "\u00a0": "this blank is a no-break space, which is no blank here",
}
_HINTS = {
    "{": 'write `say "{player} passes"`',
    "}": 'write `say "{player} passes"`',
    "'": 'write `say "text"`, or `player.hand`',
    "\u00a0": "type a blank in its place",
}


# Signs that are written as a word.
_WORDS = {"%": "mod", "|": "or", "&": "and"}


def _sign_for_a_word(stop: ScriptStop) -> ScriptSlip | None:
    """`&&`, `||`, `%`, and `c ? a : b`."""
    sign = str(stop.found)
    if stop.found.type == STRANGE and sign == "?":
        return _question_mark(stop)
    if stop.found.type != STRANGE or sign not in _WORDS:
        return None
    end = stop.at + len(sign) * (2 if stop.rest.startswith(sign * 2) else 1)
    return ScriptSlip("operator", _CHARACTERS[sign], stop.at, end, f"write `{_WORDS[sign]}`")


def _question_mark(stop: ScriptStop) -> ScriptSlip:
    """`c ? a : b`."""
    parts = re.match(r"\?\s*([^:]+?)\s*:\s*(.+)", stop.rest)
    asked = re.split(r"=(?![=>])|\breturn\b", stop.line_before)[-1].strip()
    hint = f"write `{parts[1]} if {asked} else {parts[2].rstrip()}`" if parts else "write `a if condition else b`"
    return stop.slip("operator", "one value or another is written with `if` and `else`", hint)


def _strange_character(stop: ScriptStop) -> ScriptSlip | None:
    sign = str(stop.found)
    if stop.found.type != STRANGE or sign[:1].isdigit():
        return None
    if sign == '"':
        return stop.slip("brackets", "a text ends with a quote in the line where it begins", 'close it with `"`')
    if sign == "!" and stop.rest.startswith("!="):
        return ScriptSlip(
            "operator", "what is not equal is written `is not`", stop.at, stop.at + 2, _with(stop, "!=", "is not")
        )
    if sign == "'" and (owner := re.search(r"(\w+)$", stop.before)) and re.match(r"'s?\s+\w+", stop.rest):
        thing = re.match(r"'s?\s+(\w+)", stop.rest)
        hint = f"write `{owner[1]}.{thing[1] if thing else 'hand'}`"
        return stop.slip("operator", "what belongs to someone is written with a dot", hint)
    if sign in "“”„" and (quote := re.match(r"[“”„]([^“”„\"\n]*)[“”\"]?", stop.rest)):
        return stop.slip("brackets", "texts stand in straight quotes", f'write `"{quote[1]}"`')
    if quote := re.match(r"'([^'\"\n]*)'", stop.rest):
        end = stop.at + len(quote[0])
        return ScriptSlip("operator", "texts stand in double quotes", stop.at, end, f'write `"{quote[1]}"`')
    if sign in _CHARACTERS:
        return stop.slip("operator", _CHARACTERS[sign], _HINTS.get(sign, ""))
    if sign.isalpha():
        return stop.slip("syntax", f"names are made of the letters a to z, digits and `_`, not of `{sign}`")
    return stop.slip("syntax", f"`{sign}` has no meaning in script")


def _with(stop: ScriptStop, sign: str, spelled: str) -> str:
    """The condition around the stop, with words in place of a sign."""
    left = re.search(r"[\w.]+\s*$", stop.before)
    right = re.match(r"\s*([\w.]+)", stop.rest[len(sign) :])
    return f"write `{left[0].strip() if left else 'a'} {spelled} {right[1] if right else 'b'}`"


def _strange_number(stop: ScriptStop) -> ScriptSlip | None:
    word = str(stop.found)
    if stop.found.type != STRANGE or not word[:1].isdigit():
        return None
    digits = word.replace("_", "")
    if digits.isdigit():
        return stop.slip("not-a-number", f"numbers are written in digits only, not `{word}`", f"write `{digits}`")
    power = re.fullmatch(r"([0-9]+)[eE]([0-9]{1,2})", word)
    if power:
        value = int(power[1]) * 10 ** int(power[2])
        return stop.slip("not-a-number", f"numbers are written in digits only, not `{word}`", f"write `{value}`")
    parts = re.match(r"([0-9]+)(\w+)", word)
    hint = f"a blank stands between: `{parts[1]} {parts[2]}`" if parts else ""
    return stop.slip("not-a-number", f"`{word}` is neither a number nor a name", hint)


def _decimal(stop: ScriptStop) -> ScriptSlip | None:
    if stop.found.type != "INT" or stop.last is None or stop.last.type != "DOT":
        return None
    number = re.search(r"([0-9]+)\.$", stop.before)
    if number is None:
        return None
    start = stop.at - len(number[0])
    hint = f"write a fraction with its rounding: `{_as_fraction(number[1], str(stop.found))} rounded down`"
    return ScriptSlip("not-a-number", f"numbers are whole, not `{number[0]}{stop.found}`", start, stop.end, hint)


def _as_fraction(whole: str, decimals: str) -> str:
    """`1.5` as `3 / 2`."""
    value = Fraction(f"{whole}.{decimals}") if len(whole) + len(decimals) < _MOST_DIGITS else Fraction(3, 2)
    return f"{value.numerator} / {value.denominator}"


_MOST_DIGITS = 18

# ---- brackets and quotes


def _open_bracket(stop: ScriptStop) -> ScriptSlip | None:
    """A bracket that is left open."""
    opened: list[Token] = []
    for token in stop.statement:
        if token.type in ("LPAR", "LSQB"):
            opened.append(token)
        elif token.type in ("RPAR", "RSQB") and opened:
            opened.pop()
    if stop.found.type in ("RPAR", "RSQB") and not opened:
        return stop.slip("brackets", f"`{stop.found}` closes a bracket that nothing has opened")
    lost = opened and (stop.found.type in {*ENDS, "COLON"} or _begins_statement(stop))
    if not lost:
        return None
    bracket = opened[-1]
    hint = "close it with `)`" if bracket.type == "LPAR" else "close it with `]`"
    return stop.slip_at(bracket, "brackets", f"`{bracket}` is opened here and not closed", hint)


def _begins_statement(stop: ScriptStop) -> bool:
    """The word that does not fit begins a line in the column of its statement, or before it."""
    first = stop.statement[0].start_pos or 0
    column = first - stop.text.rfind("\n", 0, first) - 1
    return "\n" in stop.before and not stop.line_before.strip() and len(stop.line_before) <= column


# ---- operators


_ASSIGNMENTS = {"+=": ("add", "to"), "-=": ("subtract", "from")}


def _equals(stop: ScriptStop) -> ScriptSlip | None:
    """Signs with `=` that other languages have."""
    if stop.found.type == "EQUAL" and stop.last is not None and stop.last.type == "EQUAL":
        message = "one `=` sets a variable; what is equal is written `is`"
        return ScriptSlip("operator", message, stop.last.start_pos or 0, stop.end, "write `x = 3`, or `if x is 3:`")
    match = re.match(r"\+=|-=|[*/]=|=>|=<|==?|:=|\+\+", stop.rest)
    if match is None or (match[0] == "=" and "IS" not in stop.accepted):
        return None
    sign = match[0]
    end = stop.at + len(sign)
    if sign in _ASSIGNMENTS:
        verb, link = _ASSIGNMENTS[sign]
        hint = f"write `{verb} {stop.rest[2:].strip() or '1'} {link} {stop.before.strip()}`"
        return ScriptSlip("operator", "what is added or taken away has a statement of its own", stop.at, end, hint)
    if sign == "++":
        hint = f"write `add 1 to {stop.before.strip()}`"
        return ScriptSlip("operator", "what is added has a statement of its own", stop.at, end, hint)
    if sign in ("=", "=="):
        message = "`=` sets a variable; what is equal is written `is`"
        return ScriptSlip("operator", message, stop.at, end, _with(stop, sign, "is"))
    known = {":=": "=", "=>": ">=", "=<": "<="}.get(sign, "")
    hint = f"write `{known}`" if known else f"write `{stop.before.strip()} = {stop.before.strip()} {sign[0]} ...`"
    return ScriptSlip("operator", f"`{sign}` is no sign of the language", stop.at, end, hint)


def _and_or(stop: ScriptStop) -> ScriptSlip | None:
    word = str(stop.found)
    other = {"and": "or", "or": "and"}.get(word)
    if other is None:
        return None
    depth = 0
    for token in reversed(stop.statement):
        depth += (token.type in ("RPAR", "RSQB")) - (token.type in ("LPAR", "LSQB"))
        if depth < 0 or (depth == 0 and str(token) in ("if", "where", "while", "until", "as")):
            return None
        if depth == 0 and str(token) == other:
            message = "`and` and `or` in one condition are kept apart by parentheses"
            return stop.slip("and-or", message, _kept_apart(stop, token, other))
    return None


def _kept_apart(stop: ScriptStop, token: Token, other: str) -> str:
    """`a and b or c`, in the parentheses that it may mean; a word alone goes on with the comparison before it."""
    end = re.search(r" *(?:\b(?:if|else|where|as|for)\b|[:,;#)\]]|$)", stop.rest)
    right = stop.rest[: end.start() if end else None].strip()
    left = re.split(r"(?:\b(?:if|where|while|until)\b|=(?!=))", stop.text[: token.start_pos].rpartition("\n")[2])[-1]
    middle = stop.text[token.end_pos : stop.at].strip()
    asked = re.fullmatch(r"(\S+ is) .+", middle)
    right = right.removeprefix(str(stop.found)).strip()
    goes_on = asked and re.fullmatch(r"\w+", right) and other == "and"
    if asked and goes_on:
        right = f"{asked[1]} {right}"
    late = f"`{left.strip()} {other} ({middle} {stop.found} {right})`"
    early = f"`({left.strip()} {other} {middle}) {stop.found} {right}`"
    return f"write {late}, or {early}" if goes_on or other == "or" else f"write {early}, or {late}"


def _query_inside(stop: ScriptStop) -> ScriptSlip | None:
    """`if x > count of ...`, `count of live players > 1`: a query that is not by itself."""
    message = "a query within an expression stands in parentheses"
    word = str(stop.found)
    if stop.words == ["for"]:
        return None  # a loop over all that there are: it has a sentence of its own
    if stop.found.type == OUT_OF_PLACE and word in queries() and stop.statement and stop.head != "end":
        query = re.split(r":?\s*$|[:,)]", stop.rest)[0]
        return stop.slip("query", message, f"write `({query})`")
    if stop.found.type == OUT_OF_PLACE and word in ("any", "no", "every") and stop.statement:
        hint = f"`{word}` asks something: `{word} player where player.live`"
        if word == "no" and stop.last is not None and str(stop.last) in ("is", "="):
            hint = "the truths are `true` and `false`"
        return stop.slip("query", f"`{word}` begins a condition of its own", hint)
    operators = {"COMPARE", "IS", "PLUS", "MINUS", "STAR", "SLASH", "MOD"}
    gathering = queries(behind="OF")
    begun = re.search(rf"\b(?:(?:{'|'.join(gathering)}) of|{'|'.join(queries() - gathering)}) [^()]*$", stop.before)
    if begun and stop.found.type == "FOR":  # of a word that is a name where no query can begin
        query = (begun[0] + re.split(r":?\s*$|[:,)]", stop.rest)[0]).strip()
        return stop.slip("query", message, f"write `({query})`")
    if begun and (stop.found.type in operators or word in ("is", "mod", "in", "and", "or")):
        query = begun[0].rstrip()
        start = stop.at - len(begun[0])
        hint = f"write `({query}) {stop.rest.partition(':')[0].rstrip()}`"
        return ScriptSlip("query", message, start, start + len(query), hint)
    return None


_SPELLED_OUT = {
    "equals": "is",
    "equal": "is",
    "isn": "is not",
    "plus": "+",
    "minus": "-",
    "contains": "in",
    "does": "not",
}


def _spelled_out(stop: ScriptStop) -> ScriptSlip | None:
    word = str(stop.found)
    if stop.found.type not in ("NAME", OUT_OF_PLACE) or word not in _SPELLED_OUT:
        return None
    meant = _SPELLED_OUT[word]
    meant = meant if "`" in meant or " " in meant else f"`{meant}`"
    return stop.slip(
        "operator", f"`{word}` is no word of the language; it has {meant}", "write `a is b`, `a > b`, `card in hand`"
    )


def _ratio(stop: ScriptStop) -> ScriptSlip | None:
    if stop.found.type != "COLON" or stop.last is None or stop.last.type != "INT" or not re.match(r":[0-9]", stop.rest):
        return None
    ratio = re.match(r":([0-9]+)", stop.rest)
    hint = f"write `{stop.last} / {ratio[1] if ratio else 2}`; an option may hold a ratio"
    return stop.slip("syntax", "a ratio such as `3:2` is the value of an option, not of an expression", hint)


SIGN_SLIPS: list[Callable[[ScriptStop], ScriptSlip | None]] = [
    _sign_for_a_word,
    _strange_character,
    _strange_number,
    _decimal,
    _open_bracket,
    _ratio,
    _equals,
    _and_or,
    _query_inside,
    _spelled_out,
]
