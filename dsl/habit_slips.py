"""Slips of habit: the English of rulebooks, and the words of other languages. Each hint gives the author's own line as
it is written here."""

from __future__ import annotations

import re
from collections.abc import Callable

from trionfi.dsl.stops import ENDS, ScriptSlip, ScriptStop

_VALUE = r"[\w.]+(?:\([^()]*\))?"  # a name, a number, or a call of simple things

# ---- conditions


def _else_if(stop: ScriptStop) -> ScriptSlip | None:
    names = ("elif", "elsif", "elseif")
    token = next((one for one in (stop.found, *stop.statement[:1]) if str(one) in names), None)
    if token is None:
        return None
    return stop.slip_at(token, "syntax", "a further condition begins with two words, `else if`", "write `else if`")


def _then(stop: ScriptStop) -> ScriptSlip | None:
    """`if a then`, `while a do`, with a colon behind or not."""
    if str(stop.found) not in ("then", "do", "begin") or "COLON" not in stop.accepted or stop.last is None:
        return None
    start = stop.last.end_pos or stop.at
    end = stop.end + len(re.match(r"\s*:|", stop.text[stop.end :])[0])  # type: ignore[index]  # it always fits
    return ScriptSlip("block", f"a colon stands behind the condition, not `{stop.found}`", start, end, "write `:`")


def _chain(stop: ScriptStop) -> ScriptSlip | None:
    """`a < b < c`."""
    if stop.found.type != "COMPARE" or "COMPARE" not in [token.type for token in stop.statement]:
        return None
    left = re.search(rf"({_VALUE}) *([<>]=?) *({_VALUE}) *$", stop.before)
    right = re.match(rf"([<>]=?) *({_VALUE})", stop.rest)
    message = "one comparison compares two values"
    if left is None or right is None:
        return stop.slip("operator", message, "compare twice, with `and` between")
    start, end = stop.at - len(left[0]), stop.at + len(right[0])
    hint = f"write `{left[1]} {left[2]} {left[3]} and {left[3]} {right[1]} {right[2]}`"
    return ScriptSlip("operator", message, start, end, hint)


def _not(stop: ScriptStop) -> ScriptSlip | None:
    """`!folded`, `!(a and b)`."""
    if str(stop.found) != "!" or stop.rest.startswith("!="):
        return None
    negated = re.match(rf"! *({_VALUE}|\([^()]*(?:\([^()]*\)[^()]*)*\))", stop.rest)
    message = "what is not so is written `not`"
    if negated is None:
        return stop.slip("operator", message, "write `not`")
    return ScriptSlip("operator", message, stop.at, stop.at + len(negated[0]), f"write `not {negated[1]}`")


_GREATER = {"greater": ">", "more": ">", "higher": ">", "less": "<", "fewer": "<", "lower": "<", "smaller": "<"}


def _greater_than(stop: ScriptStop) -> ScriptSlip | None:
    """`a is greater than b`."""
    said = re.search(r"(?:\bis )?(\w+) $", stop.before)
    if str(stop.found) != "than" or said is None or said[1] not in _GREATER:
        return None
    sign = _GREATER[said[1]]
    start = stop.at - len(said[0])
    return ScriptSlip("operator", f"`{said[1]} than` is written `{sign}`", start, stop.end, f"write `{sign}`")


def _contains(stop: ScriptStop) -> ScriptSlip | None:
    """`zone contains card`."""
    whole = re.search(rf"({_VALUE}) +$", stop.before)
    thing = re.match(r"contains +(.+?)(?= and | or |:|,|\)|$)", stop.rest)
    if str(stop.found) != "contains" or whole is None or thing is None:
        return None
    start, end = stop.at - len(whole[0]), stop.at + len(thing[0])
    message = "what lies among others is asked with `in`"
    return ScriptSlip("operator", message, start, end, f"write `{thing[1]} in {whole[1]}`")


# ---- statements


def _whole(stop: ScriptStop, code: str, message: str, written: str) -> ScriptSlip:
    """A statement that is to be written otherwise, to the end of its line."""
    start = (stop.statement[0].start_pos if stop.statement else None) or 0
    return ScriptSlip(code, message, start, stop.at + len(stop.rest), f"write `{written}`")


def _counted_cards(stop: ScriptStop) -> ScriptSlip | None:
    """`deal 5 cards from`, `move 2 cards from`, `add 3 chips to`: the word is too much."""
    noun = re.match(r"(?:cards?|chips?|points?|coins?) +", stop.rest)
    if stop.head not in ("deal", "move", "add", "pay", "subtract") or noun is None or stop.words[1:2] == ["top"]:
        return None
    rest = stop.rest[noun.end() :]
    if stop.head != "move":
        return _whole(stop, "syntax", f"`{stop.head}` says the number alone", f"{stop.before.strip()} {rest}")
    where = re.fullmatch(r"(?:from|of|in) +(.+?) +to +(.+)", rest)
    message = "`move` names the cards that it moves"
    if where is None:
        return stop.slip("syntax", message, "name them: `move (top 2 cards in pile) to stock`")
    count = stop.before.strip().removeprefix("move").strip()
    return _whole(stop, "syntax", message, f"move (top {count} cards in {where[1]}) to {where[2]}")


def _said_without_quotes(stop: ScriptStop) -> ScriptSlip | None:
    if stop.words != ["say"] or "STRING" not in stop.accepted or stop.found.type in ENDS:
        return None
    if str(stop.found)[:1] in "\"'“”„" or ('"' in stop.rest):
        return None
    text = stop.rest.strip()
    shown = f"{{{text}}}" if re.fullmatch(r"[\w.]*\.[\w.]+", text) else text
    return _whole(stop, "syntax", "`say` is followed by a text in quotes", f'say "{shown}"')


def _condition_behind(stop: ScriptStop) -> ScriptSlip | None:
    """`x = 3 if y`: what is done if something holds."""
    if stop.rule != "script" or stop.found.type not in ENDS or "ELSE" not in stop.accepted:
        return None
    tokens = [token for token in stop.statement if str(token) == "if"]
    if not tokens or stop.head in ("if", "else", "while", "repeat") or stop.line_before.count("if ") != 1:
        return None
    start = stop.statement[0].start_pos or 0
    done = stop.text[start : tokens[-1].start_pos].strip()
    asked = stop.text[tokens[-1].end_pos : stop.last.end_pos if stop.last else None].strip()
    end = stop.last.end_pos or stop.at if stop.last else stop.at
    message = "what is done under a condition stands behind it"
    return ScriptSlip("syntax", message, start, end, f"write `if {asked}: {done}`")


def _article(stop: ScriptStop) -> ScriptSlip | None:
    """`shuffle the stock`."""
    named = re.match(r"(?:the|a|an) +(\w+)(?= *$| +(?:to|from|onto|face|and)\b|\.)", stop.rest)
    verbs = ("shuffle", "deal", "move", "turn", "show", "add", "pay", "subtract", "end", "trigger")
    if stop.rule != "script" or stop.head not in verbs or named is None:
        return None
    return ScriptSlip(
        "syntax", "things are named without an article", stop.at, stop.at + len(named[0]), f"write `{named[1]}`"
    )


def _unless(stop: ScriptStop) -> ScriptSlip | None:
    if stop.words != ["unless"]:
        return None
    asked, colon, done = stop.rest.partition(":")
    plain = re.fullmatch(_VALUE, asked.strip())
    condition = f"not {asked.strip()}" if plain else f"not ({asked.strip()})"
    return _whole(stop, "syntax", "`unless` is written `if not`", f"if {condition}{colon or ':'}{done}")


_VERBS: dict[str, tuple[str, str]] = {
    r"increase (\S+) by (.+)": ("what is added has a statement of its own", r"add \2 to \1"),
    r"decrease (\S+) by (.+)": ("what is taken away has a statement of its own", r"subtract \2 from \1"),
    r"set (\S+) (?:to|=) ?(.+)": ("a variable is set with `=`", r"\1 = \2"),
    r"(?:flip|reveal) (\S+)": ("cards are turned with `turn up`", r"turn up \1"),
    r"turn (\S+) face (up|down)": ("`up` or `down` stands before what is turned", r"turn \2 \1"),
    r"put (.+) (?:on|onto|into|in) (\S+)": ("cards go by `move`", r"move \1 to \2"),
    r"(\w+) draws? (\d+) cards? from (\S+)": ("cards are drawn with `deal`", r"deal \2 from \3 to \1.hand"),
}
_TOLD = {
    "draw": "cards are drawn with `deal 1 from stock to player.hand`",
    "discard": "cards go by `move card to pile`",
    "ask": "who decides stands first: `player chooses 1 card from player.hand as lead`",
    "give": "cards go by `move card to player.hand`, amounts by `pay 5 from pot to player.chips`",
    "take": "cards go by `move trick to player.taken`",
}


def _other_verb(stop: ScriptStop) -> ScriptSlip | None:
    """A statement that begins with a verb of the table, or says what a player does."""
    if stop.rule != "script" or not stop.statement or stop.found.type in ("EQUAL", "LPAR", "COLON"):
        return None
    start = stop.statement[0].start_pos or 0
    line = stop.text[start:].partition("\n")[0].rstrip()
    for pattern, (message, written) in _VERBS.items():
        if (said := re.fullmatch(pattern, line)) is not None:
            return _whole(stop, "syntax", message, said.expand(written))
    if (got := re.fullmatch(r"(\w+) (?:takes|gets|receives|wins) (\w+)", line)) is not None:
        hint = f"cards go by `move {got[2]} to {got[1]}.hand`, an amount by `pay 5 from {got[2]} to {got[1]}.chips`"
        return stop.slip("syntax", "what somebody gets is moved or paid", hint)
    if len(stop.statement) == 1 and stop.head in _TOLD:
        return stop.slip_at(stop.statement[0], "syntax", f"no statement begins with `{stop.head}`", _TOLD[stop.head])
    return None


# ---- signs and calls


def _comment(stop: ScriptStop) -> ScriptSlip | None:
    """`// a note`."""
    if str(stop.found) != "/" or stop.last is None or str(stop.last) != "/" or stop.last.end_pos != stop.at:
        return None
    message = "a note to the reader begins with `#`"
    return ScriptSlip("operator", message, stop.at - 1, stop.end, "write `#`")


def _power(stop: ScriptStop) -> ScriptSlip | None:
    """`a ** 2`, `a ^ 2`."""
    start = stop.at - 1 if str(stop.found) == "*" and str(stop.last) == "*" else stop.at
    if start == stop.at and str(stop.found) != "^":
        return None
    base = re.search(rf"({_VALUE}) *$", stop.text[:start])
    twice = re.match(r"[*^] *2\b", stop.rest)
    if base is None or twice is None:
        return ScriptSlip("operator", "there are no powers", start, stop.end, "multiply as often as is meant: `x * x`")
    hint = f"write `{base[1]} * {base[1]}`"
    return ScriptSlip("operator", "there are no powers", start - len(base[0]), stop.at + len(twice[0]), hint)


def _random(stop: ScriptStop) -> ScriptSlip | None:
    """`random(1, 6)`."""
    ends = re.match(r"\( *(\d+) *, *(\d+) *\)", stop.rest)
    if stop.words[-1:] != ["random"] or ends is None or stop.last is None:
        return None
    start, end = stop.last.start_pos or 0, stop.at + len(ends[0])
    hint = f"write `random number from {ends[1]} to {ends[2]}`"
    return ScriptSlip("syntax", "a random number is one from a lowest to a highest", start, end, hint)


def _alike(stop: ScriptStop) -> ScriptSlip | None:
    """`3 of a kind`, where patterns of cards stand."""
    said = re.search(r"(\d+) of a $", stop.before)
    if str(stop.found) != "kind" or said is None:
        return None
    message = "cards of one rank are `alike`, in a pattern of a ranking"
    return ScriptSlip(
        "syntax", message, stop.at - len(said[0]), stop.end, f"a ranking names it: `Alike: {said[1]} alike`"
    )


HABIT_SLIPS: list[Callable[[ScriptStop], ScriptSlip | None]] = [
    _else_if,
    _then,
    _not,
    _greater_than,
    _contains,
    _counted_cards,
    _said_without_quotes,
    _condition_behind,
    _article,
    _unless,
    _other_verb,
    _comment,
    _power,
    _random,
    _alike,
]

# What is asked only where no query is cut short.
LATE_SLIPS: list[Callable[[ScriptStop], ScriptSlip | None]] = [_chain]
