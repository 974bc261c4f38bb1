"""All mistakes of a script in one run: a statement that is broken is reported, replaced, and the rest is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lark import Token
from lark.exceptions import UnexpectedToken

from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.grammar import script_parser
from trionfi.dsl.indent import DEDENT, INDENT, NEWLINE
from trionfi.dsl.lexer import SlotText
from trionfi.dsl.limits import MOST_READ_AGAIN, MOST_SLIPS
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.patched import Patched
from trionfi.dsl.reserved import VERBS
from trionfi.dsl.script_slips import explain_script
from trionfi.dsl.source import Span
from trionfi.dsl.stops import ScriptSlip, ScriptStop

# What is a whole line of a script, a menu, a block of secret choices.
_SIMPLE = ("stop", '"": stop', "number from 1 to 2 as x")
_BETWEEN = frozenset({NEWLINE, INDENT, DEDENT})


@dataclass(frozen=True, slots=True, eq=False)
class _Draft:
    """The text of a slot, with the places in the file where it stands."""

    rule: str
    patched: Patched
    lines: bool
    spent: list[int] = field(default_factory=list)  # characters that have been read again, in all drafts of a slot

    @property
    def text(self) -> str:
        return self.patched.text

    def stop(self) -> ScriptStop | None:
        """Where the parser stops; none if it does not. A verb before it that was taken for a name is where it stops."""
        stop = self._stop(-1)
        if stop is None or stop.last is None or stop.last.type != "NAME" or stop.last not in VERBS:
            return stop
        return self._stop(stop.last.start_pos or 0)

    def _stop(self, no_name: int) -> ScriptStop | None:
        self.spent.append(len(self.text))
        trail: list[Token] = []
        text = SlotText(self.text, 0, len(self.text), lines=self.lines, trail=trail, no_name=no_name)
        try:
            script_parser().parse(text, start=self.rule)
        except UnexpectedToken as error:
            found = error.token
            accepted = frozenset(error.interactive_parser.accepts())  # type: ignore[no-untyped-call]
            if found.type == "$END":
                found = Token("$END", "", len(self.text), end_pos=len(self.text))
            words = [token for token in trail if token is not found]
            return ScriptStop(self.text, self.rule, _statement(words), found, accepted)
        return None

    def replaced(self, start: int, end: int, words: str) -> _Draft:
        return _Draft(self.rule, self.patched.replaced(start, end, words), self.lines, self.spent)

    @property
    def is_worth_it(self) -> bool:
        """Whether there are not more characters to be read again than slips are worth."""
        return sum(self.spent) < MOST_READ_AGAIN


def _statement(words: list[Token]) -> list[Token]:
    """The words of the last statement; one that follows a colon in its line is a statement by itself."""
    start = max((i + 1 for i, token in enumerate(words) if token.type in _BETWEEN), default=0)
    colon = max((i + 1 for i, token in enumerate(words[:-1]) if token.type == "COLON"), default=0)
    return words[max(start, colon) :]


def report_slips(rule: str, scalar: Scalar, text: SlotText, places: Sequence[int], diagnostics: Diagnostics) -> None:
    """Reports what is wrong with a slot; of a script every statement that is, of anything else the first mistake."""
    written = text.text[text.start : text.end]
    draft = _Draft(rule, Patched(written, places) if places else Patched.whole(written, text.start), text.lines)
    source = scalar.content.source
    for _ in range(MOST_SLIPS):
        stop = draft.stop()
        if stop is None:
            return
        slip = _slip_of_scalar(scalar, stop) or explain_script(stop)
        start, end = draft.patched.places[slip.start], draft.patched.places[min(slip.end, len(draft.text))]
        end = min(len(source.text), max(end, start + 1))  # a text may end where a word is missing
        diagnostics.error(slip.code, slip.message, Span(source, start, end), slip.hint)
        rest = _without(draft, stop) if rule == "script" and text.lines and draft.is_worth_it else None
        if rest is None:
            return
        draft = rest


def _slip_of_scalar(scalar: Scalar, stop: ScriptStop) -> ScriptSlip | None:
    """Mistakes that are due to the way in which the slot stands in the file."""
    whole = stop.text.strip()
    if not re.sub(r"#.*", "", whole).strip():
        message = "an expression is wanted here" if stop.rule != "script" else "a script is wanted here"
        there = "only a note stands here" if whole else "nothing stands here"
        return ScriptSlip("empty-slot", f"{message}, and {there}", 0, max(1, len(stop.text.rstrip())))
    if _is_cut(scalar, whole):
        message = "YAML cuts a text within [ ] or { } at its commas, and this is a piece of one"
        hint = "put the whole in quotes, or on a line of its own: `- first(a, b)`"
        return ScriptSlip("brackets", message, 0, len(stop.text), hint)
    if stop.rule == "script" and not scalar.is_block and "\n" in whole and NEWLINE in stop.accepted:
        message = "a script of several lines stands after `|`; without it the lines are one"
        return ScriptSlip("block", message, stop.at, stop.end, "put `|` behind the colon above")
    return None


def _is_cut(scalar: Scalar, text: str) -> bool:
    """A plain text in a list or mapping of one line, with brackets or quotes that are not closed in it."""
    after = scalar.span.source.text[scalar.span.end : scalar.span.end + 80].lstrip()
    before = scalar.span.source.text[max(0, scalar.span.start - 80) : scalar.span.start].rstrip()
    in_flow = after[:1] in (",", "]", "}") or before[-1:] == ","
    uneven = text.count("(") != text.count(")") or text.count('"') % 2 == 1
    return not scalar.style and in_flow and uneven


# ---- going on


def _without(draft: _Draft, stop: ScriptStop) -> _Draft | None:
    """The script with the broken statement replaced by one that is none, so that the parser gets beyond it; none if
    nothing helps."""
    start = stop.statement[0].start_pos or 0 if stop.statement else stop.at
    start = min(start, len(draft.text) - 1)
    for end, words in _replacements(draft, start, "COLON" in stop.accepted):
        shorter = draft.replaced(start, end, words)
        if not draft.is_worth_it:
            return None
        next_stop = shorter.stop()
        if next_stop is None or next_stop.at > start + len(words):
            return shorter
    return None


def _replacements(draft: _Draft, start: int, begins_block: bool) -> Iterator[tuple[int, str]]:
    """Where the broken statement may end, and what may stand for it."""
    line_end, block_end = _extent(draft.text, start)
    head = draft.text[start:line_end]
    if (
        begins_block
        or re.search(r":\s*(?:#.*)?$", head)
        or re.match(r"(?:if|else|while|repeat|for|each)\b[^:]*$", head)
    ):
        yield from ((line_end, words) for words in _heads(head))
    for end in (block_end, line_end):
        yield from ((end, words) for words in _SIMPLE)
    yield block_end, "if x: stop"
    yield block_end, ""


def _heads(head: str) -> list[str]:
    """Lines that begin the same kind of block."""
    if head.lstrip().startswith('"'):
        return ['"":']
    if "secretly" in head:
        return ["each player secretly chooses:"]
    if re.search(r"\bchooses?\b", head):
        return ["p1 chooses as x:", "if x:"]
    if re.match(r"\s*el(?:se|s?if)", head):
        return ["else if x:", "else:", "if x:"]
    return ["if x:", '"":', "p1 chooses as x:"]


def _extent(text: str, start: int) -> tuple[int, int]:
    """The end of the line in which a statement begins, and the end of the deeper lines below it."""
    begin = text.rfind("\n", 0, start) + 1
    column = len(text[begin:start]) - len(text[begin:start].lstrip())
    column = column if text[begin:start].strip() else start - begin
    line_end = _line_end(text, start)
    block_end = line_end
    while block_end < len(text):
        end = _line_end(text, block_end + 1)
        line = text[block_end + 1 : end]
        if line.strip() and len(line) - len(line.lstrip()) <= column:
            break
        block_end = end
    return line_end, block_end


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return end if end >= 0 else len(text)
