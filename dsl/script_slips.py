"""What is wrong where script stops: the rule in words of the card table, what was found, and how to write it.

The slips that authors make most have a sentence each (first fit first); for the rest the parser's state says what
could have stood there, and the form of the statement is the hint.
"""

from __future__ import annotations

from trionfi.dsl.grammar import words, words_of
from trionfi.dsl.habit_slips import HABIT_SLIPS, LATE_SLIPS
from trionfi.dsl.indent import INDENT, NEWLINE
from trionfi.dsl.sign_slips import SIGN_SLIPS
from trionfi.dsl.statement_slips import BLOCK_SLIPS, STATEMENT_SLIPS, THING_SLIPS, like
from trionfi.dsl.stops import ENDS, ScriptSlip, ScriptStop, form_of


def explain_script(stop: ScriptStop) -> ScriptSlip:
    """What a stop of the parser is due to."""
    for slip in (*BLOCK_SLIPS, *THING_SLIPS, *HABIT_SLIPS, *SIGN_SLIPS, *LATE_SLIPS, *STATEMENT_SLIPS):
        if found := slip(stop):
            return found
    return _unexpected(stop)


# What may follow a value anywhere is no news; it is left out where something else is wanted.
_OPERATORS = frozenset("PLUS MINUS STAR SLASH MOD DOT LSQB LPAR IS IN NOT COMPARE HAS ROUNDED AND OR IF OF".split())
_SPOKEN = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "COLON": "`:`",
    "EQUAL": "`=`",
    "COMMA": "`,`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "LPAR": "`(`",
    "SEMICOLON": "`;`",
    "__ANON_0": "`..`",
    "UPTO": "`up to`",
    "COMPARE": "a comparison",
    "_INDENT": "a block",
}


def _unexpected(stop: ScriptStop) -> ScriptSlip:
    form = form_of(stop)
    meant = like(str(stop.found), [kind.lower() for kind in stop.accepted if kind.lower() in words()])
    hint = f"did you mean `{meant}`?" if meant and len(str(stop.found)) > 2 else f"the form is {form}" if form else ""
    message = _unexpected_message(stop)
    if stop.found.type in ENDS and stop.last is not None:
        # an end has no width: point at the last word
        return stop.slip_at(stop.last, "syntax", message, hint)
    return stop.slip("syntax", message, hint)


def _unexpected_message(stop: ScriptStop) -> str:
    wanted, found = _wanted(stop), _found(stop)
    if not stop.statement:
        return f"{wanted or _RULES[stop.rule]} begins otherwise than with {found}"
    before = f"`{_last_words(stop)}`"
    if not wanted and stop.accepted & ENDS:
        return f"{before} is complete, and {found} follows"
    if not wanted:
        return f"{found} cannot follow {before}"
    return f"after {before} comes {wanted}, not {found}"


_RULES = {
    "script": "a statement",
    "expr": "an expression",
    "signature": "a name with its parameters",
    "targets": "a choice of targets",
    "alteration": "what an effect does to cards",
    "pattern": "a pattern of cards",
    "order": "what decides between hands",
}


def _last_words(stop: ScriptStop) -> str:
    """The last three words before the stop, or a few more where they hang together."""
    first = max(0, len(stop.statement) - 3)
    while first > 0 and stop.statement[first].type in ("DOT", "LPAR", "RPAR", "LSQB", "RSQB", "COMMA", "__ANON_0"):
        first -= 1
    end = stop.statement[-1].end_pos
    return " ".join(stop.text[stop.statement[first].start_pos : end].split())


def _found(stop: ScriptStop) -> str:
    if stop.found.type in ENDS:
        return "the end" if stop.rule != "script" or stop.found.type != NEWLINE else "the end of the line"
    if stop.found.type == INDENT:
        return "a block"
    return f"`{stop.found}`"


def _wanted(stop: ScriptStop) -> str:
    """What could stand there, without what may follow any value."""
    if not stop.statement:
        return ""
    kinds = stop.accepted - _OPERATORS
    if stop.wants_value:
        spoken = ["a value", *(["`each`"] if "EACH" in kinds else [])]
    else:
        kinds -= ENDS
        if not kinds and not stop.accepted & ENDS:
            kinds = frozenset(kind for kind in stop.accepted if kind.lower() in words())
        spoken = [_spoken(kind) for kind in sorted(kinds, key=_by_weight)]
    if len(spoken) > 4:
        return ""
    return spoken[0] if len(spoken) == 1 else f"{', '.join(spoken[:-1])} or {spoken[-1]}" if spoken else ""


def _spoken(kind: str) -> str:
    if kind in _SPOKEN:
        return _SPOKEN[kind]
    *others, last = (f"`{word}`" for word in words_of(kind) or (kind.lower(),))
    return f"{', '.join(others)} or {last}" if others else last


def _by_weight(kind: str) -> tuple[int, str]:
    order = ["NAME", "INT", "STRING", "FROM", "TO", "AS", "COLON", "EQUAL", "IN", "WHERE", "ELSE"]
    return (order.index(kind) if kind in order else len(order), kind)
