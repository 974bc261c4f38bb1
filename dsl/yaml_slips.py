"""What is wrong where YAML stops: the line that is to blame, what the author probably meant, and how to write it.

YAML names a rule of its own at the place where it could go no further; the table at the end turns that into a
sentence about the line where the slip was made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import yaml

from trionfi.dsl.diagnostics import Diagnostic, declare_codes
from trionfi.dsl.patched import Patched
from trionfi.dsl.source import Source, Span

FORM_CODES = {
    "yaml-syntax": "A ruleset is well-formed YAML.",
    "unquoted-text": "A text that begins with a sign of YAML's own, or holds one, stands in quotes.",
    "bad-indentation": "Entries of one mapping begin in one column, what belongs to an entry deeper.",
    "unclosed": "What is opened is closed: quotes, brackets and braces.",
}
declare_codes(FORM_CODES)


LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake in a file's YAML. `start` is in the line that is to blame.

    `repairs` are what the author may have meant: (start, end, new text), the likeliest first; `columns` are those in
    which a line in a wrong column may have been meant to stand.
    """

    code: str
    message: str
    start: int
    hint: str = ""
    end: int = 0
    repairs: tuple[tuple[int, int, str], ...] = ()
    columns: tuple[int, ...] = ()

    def diagnostic(self, source: Source, patched: Patched) -> Diagnostic:
        start, end = patched.places[self.start], patched.places[min(self.end, len(patched.text))]
        span = Span(source, start, max(end, start + 1))
        return Diagnostic(self.code, self.message, span, "error", self.hint)


@dataclass(frozen=True, slots=True)
class YamlStop:
    """Where and why YAML stopped: `at` the place, `context` the place where the thing that it was reading begins."""

    text: str
    why: str
    at: int
    context: int

    @property
    def line_start(self) -> int:
        return self.text.rfind("\n", 0, self.at) + 1

    def line_of(self, place: int) -> str:
        start = self.text.rfind("\n", 0, place) + 1
        end = self.text.find("\n", place)
        return self.text[start : end if end >= 0 else None].rstrip("\r")

    def number_of(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def rest(self, place: int) -> str:
        """The text from a place to the end of its line, without a comment."""
        end = self.text.find("\n", place)
        return re.sub(r"\s+#.*", "", self.text[place : end if end >= 0 else None]).rstrip()


def explain(text: str, error: yaml.YAMLError) -> Slip:
    """What a stop of YAML is due to."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return Slip("yaml-syntax", f"YAML cannot read this file: {error}", 0)
    why = f"{error.context or ''}; {error.problem or ''}"
    at = min(error.problem_mark.index, len(text))
    context = error.context_mark.index if error.context_mark else at
    stop = YamlStop(text, why, at, min(context, len(text)))
    for pattern, explanation in _EXPLANATIONS:
        if re.search(pattern, why):
            return explanation(stop)
    return Slip("yaml-syntax", f"YAML cannot read on here: {error.problem}", at)


def quoted(text: str) -> str:
    """A text in the quotes that suit it."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def _sign(stop: YamlStop, place: int) -> Slip:
    """A value that begins with a sign that YAML keeps for itself."""
    value = stop.rest(place)
    sign = stop.text[place : place + 1]
    meaning = _SIGNS.get(sign, "is a sign of YAML's own at the start of a text")
    hint = f"write it in quotes: {quoted(value)}"
    if sign == "%" and (entry := re.match(r"%\s*(\w+:\s.*)", value)):
        message = "a name begins with a letter, not with `%`, which begins a directive in YAML"
        return Slip("unquoted-text", message, place, f"write `{entry[1]}`", place + 1, ((place, place + 1, ""),))
    if sign == "!":
        hint = f"`not` is a word here: `not {value[1:].strip(' =')}`"
    shown = "a backtick" if sign == "`" else f"`{sign}`"
    message = f"a text that begins with {shown} stands in quotes: {shown} {meaning}"
    return Slip("unquoted-text", message, place, hint, place + 1, _quote(stop, place))


def _quote(stop: YamlStop, place: int) -> tuple[tuple[int, int, str], ...]:
    """The repair of a text that wants quotes, from a place to the end of its line."""
    text = stop.rest(place)
    return ((place, place + len(text), quoted(text)),)


_SIGNS = {
    ">": "begins a folded text in YAML",
    "|": "begins a text of several lines",
    "*": "is an alias in YAML",
    "&": "is an anchor in YAML",
    "!": "is a tag in YAML",
    "{": "begins a mapping",
    "[": "begins a list",
    "%": "begins a directive in YAML",
    "#": "begins a comment",
    ":": "parts a key from its value",
    "?": "begins a key in YAML",
    "]": "ends a list",
    "}": "ends a mapping",
    ",": "parts items of a list",
}


def _at_context(stop: YamlStop) -> Slip:
    return _sign(stop, stop.context)


def _no_token(stop: YamlStop) -> Slip:
    return _sign(stop, stop.at)


def _colon_inside(stop: YamlStop) -> Slip:
    """`: ` where no key can be: within a text, or in a line that goes on with the text above."""
    line = stop.text[stop.line_start : stop.at]
    if bare := re.match(r"(\s*(?:- +)?)(\w+)(?= *\{\s*\w+:)", line):
        return _entry_without_colon(stop, stop.line_start + bare.start(2), bare[2])
    key = re.match(r"(\s*(?:- +)?)([^\s:][^:]*):\s+(?=\S)", line)
    if key:
        start = stop.line_start + key.end()
        message = "`: ` within a text makes a key of what stands before it"
        hint = f"write the text in quotes: {quoted(stop.rest(start))}"
        return Slip("unquoted-text", message, stop.at, hint, stop.at + 1, _quote(stop, start))
    if re.fullmatch(r"\s*(?:- +)?[^\s:][^:]*:\s+", line):
        return _sign(stop, stop.at)
    start = stop.line_start + len(line) - len(line.lstrip())
    message = "this line is deeper than the entry above, so it goes on with its text, which can hold no `: `"
    hint = "begin it in the column of its neighbours; or, if it is script, put `|` behind the colon above it"
    if colon := _open_entry(stop, start):
        hint = "a text of several lines stands after `|`: put it behind the colon above"
        return Slip("bad-indentation", message, start, hint, stop.at, ((colon, colon, " |"),))
    above = stop.text[: stop.line_start].rstrip()
    last = above.rfind("\n") + 1
    if above and indentation(above[last:]) >= indentation(line):
        return _no_colon(replace(stop, context=last + indentation(above[last:])))
    return Slip("bad-indentation", message, start, hint, stop.at, columns=_columns_above(stop, start))


def _entry_without_colon(stop: YamlStop, place: int, name: str) -> Slip:
    """`hand {per: player}`: what stands in braces has its name, and no colon between."""
    end = place + len(name)
    hint = f"write `{name}: {stop.rest(end).lstrip()}`"
    message = f"a colon stands between `{name}` and what it is"
    return Slip("yaml-syntax", message, place, hint, end, ((end, end, ":"), (end, end, ": ")))


def _open_entry(stop: YamlStop, place: int) -> int:
    """Behind the colon of the entry that a line goes on with, if nothing stands behind it in its line; else 0."""
    end = stop.text.rfind("\n", 0, place) + 1
    column = place - end
    while end > 0:
        start = stop.text.rfind("\n", 0, end - 1) + 1
        line = stop.text[start : end - 1].rstrip()
        if line.strip() and indentation(line) < column:
            return start + len(line) if line.endswith(":") else 0
        end = start
    return 0


def _no_colon(stop: YamlStop) -> Slip:
    """A line among entries that is none."""
    line = stop.line_of(stop.context)
    start = stop.context
    end = start + len(stop.rest(start))
    glued = re.match(r"([\w ]+):(\S.*)", stop.rest(start))
    if glued:
        hint = f"write `{glued[1]}: {glued[2]}`"
        colon = start + len(glued[1])
        repairs = ((colon + 1, colon + 1, " "),)
        return Slip("yaml-syntax", "a blank stands behind the colon of an entry", colon, hint, colon + 1, repairs)
    message = "an entry is `name: value`, and this line is none"
    hint = "if it belongs to the script or text above, indent it like the lines there"
    if not line[:1].isspace():
        hint = "is the colon missing? " + hint
    return Slip("bad-indentation", message, start, hint, end, columns=_columns_above(stop, start))


def _no_entry(stop: YamlStop) -> Slip:
    """Something where the next entry of a mapping or the next item of a list should begin."""
    before = stop.text[stop.line_start : stop.at]
    if before.strip(" -"):
        return _more_on_line(stop, before)
    opened = _quote_left_open(stop)
    if opened is not None:
        return opened
    return _bad_indentation(stop)


def _more_on_line(stop: YamlStop, before: str) -> Slip:
    """A value has ended and more follows in its line."""
    key = re.match(r"(\s*(?:- +)?(?:[^\s\"'\[{:][^:]*:\s+)?)", before)
    start = stop.line_start + (key.end() if key else 0)
    opening = stop.text[start : start + 1]
    opened = _quote_left_open(stop)
    if opened is not None:
        return opened
    if opening in "\"'":
        message = "a text that begins with a quote ends with it, and here more follows"
        hint = f"write other quotes around the whole: {_requoted(stop.rest(start))}; or put it below, after `|`"
        repairs = ((start, start + len(stop.rest(start)), _requoted(stop.rest(start))),)
        return Slip("unquoted-text", message, start, hint, stop.at, repairs)
    if opening in "{[" and stop.text[stop.at] in "}]":
        message = f"`{stop.text[stop.at]}` closes what nothing has opened"
        return Slip("unclosed", message, stop.at, "leave it out", stop.at + 1, ((stop.at, stop.at + 1, ""),))
    if opening in "{[":
        return _sign(stop, start)
    return Slip("yaml-syntax", "more follows here than one value", stop.at, "is a quote or a line end missing?")


def _requoted(text: str) -> str:
    """A text that holds quotes, in quotes that it can bear."""
    if len(text) > 1 and text[0] == text[-1]:
        return quoted(text[1:-1])
    return "'" + text.replace("'", "''") + "'"


def _quote_left_open(stop: YamlStop) -> Slip | None:
    """A quoted text of several lines right before the stop: probably its quote was not closed."""
    start = end = -1
    with suppress(yaml.YAMLError):
        for event in yaml.parse(stop.text, Loader=LOADER):
            if isinstance(event, yaml.ScalarEvent) and event.style in ('"', "'"):
                start, end = event.start_mark.index, event.end_mark.index  # type: ignore[union-attr]
    if start >= 0 and "\n" in stop.text[start:end] and not stop.text[end : stop.at].strip():
        return _open_quote(stop, start)
    return None


def _open_quote(stop: YamlStop, start: int) -> Slip:
    hint = f"close it with {stop.text[start]} in this line"
    end = start + len(stop.rest(start).removesuffix(":"))
    repairs = ((end, end, stop.text[start]),)
    return Slip("unclosed", "a quote is opened here and not closed", start, hint, start + 1, repairs)


def _bad_indentation(stop: YamlStop) -> Slip:
    column = stop.at - stop.line_start
    end = stop.at + len(stop.rest(stop.at))
    above = list(_columns_above(stop, stop.at))
    if stop.text[stop.at : stop.at + 2] == "- ":
        message = "an item of a list stands among entries"
        return Slip("yaml-syntax", message, stop.at, "entries are `name: value`", stop.at + 1)
    if "collection" in stop.why and column in above:
        message = "this stands among items of a list and is none"
        return Slip("yaml-syntax", message, stop.at, "an item begins with `- `", end)
    commented = re.search(r"\s#.*$", stop.line_of(max(0, stop.line_start - 2)))
    if commented and above and column > above[0]:
        message = "this line goes on with a text that the comment above has ended"
        return Slip("bad-indentation", message, stop.at, "put the text after `|`, where comments may stand within", end)
    if first := _first_of_its_own(stop, column) or _section_without_body(stop, column):
        return first
    wanted = " or ".join(str(c) for c in sorted(set(above)))
    message = f"this line is indented by {column}, which fits no entry above it"
    hint = f"indent it by {wanted} blanks, like its neighbours" if above else ""
    return Slip("bad-indentation", message, stop.at, hint, end, columns=tuple(above))


def _first_of_its_own(stop: YamlStop, column: int) -> Slip | None:
    """The first entry of a mapping stands deeper than all that follow: then that line is to blame."""
    lines = stop.text.splitlines(keepends=True)
    number = stop.text.count("\n", 0, stop.at)
    section = number - 1
    while section > 0 and (not lines[section].strip() or indentation(lines[section]) >= column):
        section -= 1
    inside = [i for i in range(section + 1, number) if _is_entry(lines[i])]
    below = [i for i in range(number, len(lines)) if _is_entry(lines[i])]
    after = next((i for i in below if indentation(lines[i]) < column), len(lines))
    neighbours = [i for i in below if i < after and indentation(lines[i]) == column]
    if not inside or indentation(lines[inside[0]]) <= column:
        return None
    deeper = indentation(lines[inside[0]])
    if sum(indentation(lines[i]) == deeper for i in inside) >= len(neighbours):
        return None
    start = sum(len(line) for line in lines[: inside[0]]) + deeper
    message = f"this line is indented by {deeper}, and the entries below it by {column}"
    hint = f"indent it by {column} blanks, like its neighbours"
    return Slip("bad-indentation", message, start, hint, start + len(stop.rest(start)), columns=(column,))


def _section_without_body(stop: YamlStop, column: int) -> Slip | None:
    """A section with nothing below it, since its first entry stands in its own column, and the next are deeper."""
    lines = stop.text[: stop.line_start].splitlines(keepends=True)
    written = [i for i, line in enumerate(lines) if _is_entry(line)][-2:]
    if len(written) < 2:
        return None
    section, first = (lines[i] for i in written)
    opened = re.fullmatch(r"[^#]*\w:\s*", section) is not None
    if not opened or indentation(section) != indentation(first) or indentation(first) >= column:
        return None
    start = sum(len(line) for line in lines[: written[1]]) + indentation(first)
    message = f"this line is indented by {indentation(first)}, and the entries below it by {column}"
    hint = f"indent it by {column} blanks, like its neighbours"
    return Slip("bad-indentation", message, start, hint, start + len(stop.rest(start)), columns=(column,))


def _is_entry(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _columns_above(stop: YamlStop, place: int) -> tuple[int, ...]:
    """Where entries that could go on at a place begin, the nearest first."""
    columns: list[int] = []
    for line in reversed(stop.text[: stop.text.rfind("\n", 0, place) + 1].splitlines()):
        text = line.lstrip()
        column = len(line) - len(text)
        if text and not text.startswith("#") and (not columns or column < columns[-1]):
            columns.append(column)
        if column == 0 and text:
            break
    return tuple(columns)


def _in_brackets(stop: YamlStop) -> Slip:
    """Something within `{ }` or `[ ]` that is neither the next entry nor the end."""
    opening = stop.text[stop.context : stop.context + 1]
    if _is_outside(stop):
        closing = {"{": "}", "[": "]"}.get(opening, "")
        message = f"`{opening}` is opened here and not closed"
        end = stop.context + len(stop.rest(stop.context))
        repairs = ((end, end, closing),)
        return Slip("unclosed", message, stop.context, f"close it with `{closing}`", stop.context + 1, repairs)
    found = stop.text[stop.at : stop.at + 1]
    if found in ("]", "}"):
        closing = {"{": "}", "[": "]"}.get(opening, "")
        message = f"`{opening}` is opened here, and `{found}` cannot close it"
        repairs = ((stop.at, stop.at, closing),)
        return Slip("unclosed", message, stop.context, f"close it with `{closing}`", stop.context + 1, repairs)
    sign = "`: `" if found == ":" else f"`{found}`"
    message = f"{sign} cannot stand here: within {{ }} and [ ] a text that holds one of , : [ ] {{ }} is quoted"
    hint = "put the text in quotes, or its entry on a line of its own"
    return Slip("unquoted-text", message, stop.at, hint, stop.at + 1, _quote_item(stop))


def _quote_item(stop: YamlStop) -> tuple[tuple[int, int, str], ...]:
    """The repair of an item within brackets that wants quotes."""
    line = stop.text[stop.line_start : stop.at]
    begun = max((match.end() for match in re.finditer(r"[\[{,]\s*|:\s+", line)), default=0)
    depth, end = 0, stop.at
    while end < len(stop.text) and stop.text[end] != "\n" and (depth > 0 or stop.text[end] not in ",]}"):
        depth += (stop.text[end] in "[{(") - (stop.text[end] in "]})")
        end += 1
    start = stop.line_start + begun
    return ((start, end, quoted(stop.text[start:end])),)


def _is_outside(stop: YamlStop) -> bool:
    """The file ends, or the line of the stop is not deeper than that where the bracket was opened: another entry."""
    if stop.at >= len(stop.text.rstrip()):
        return True
    if stop.number_of(stop.context) == stop.number_of(stop.at):
        return False
    here, there = stop.line_of(stop.at), stop.line_of(stop.context)
    return len(here) - len(here.lstrip()) <= len(there) - len(there.lstrip())


def _no_content(stop: YamlStop) -> Slip:
    """A sign where a value should begin."""
    if stop.at >= len(stop.text.rstrip()):
        return _open_to_the_end(stop)
    before = stop.text[stop.line_start : stop.at].rstrip()
    if before.endswith((":", "-")) and stop.text[stop.at] in "]},":
        return _sign(stop, stop.at)
    message = f"`{stop.text[stop.at]}` cannot stand here: a value is missing before it"
    return Slip("yaml-syntax", message, stop.at, "", stop.at + 1, ((stop.at, stop.at + 1, ""),))


def _open_to_the_end(stop: YamlStop) -> Slip:
    if stop.text[stop.context : stop.context + 1] in ("'", '"') and stop.context < len(stop.text):
        return _open_quote(stop, stop.context)
    bracket = max(stop.text.rfind("{"), stop.text.rfind("["))
    place = bracket if stop.at >= len(stop.text.rstrip()) and bracket >= 0 else min(stop.at, max(0, len(stop.text) - 1))
    return Slip("unclosed", "something is opened here and not closed", place, "", place + 1)


def _bad_escape(stop: YamlStop) -> Slip:
    place = stop.text.find("\\", stop.context)
    message = "`\\` within double quotes begins one of YAML's escapes, and this is none"
    return Slip("yaml-syntax", message, place, "write single quotes around the text", place + 2)


def _dash(stop: YamlStop) -> Slip:
    value = stop.rest(stop.at)[1:].strip()
    hint = (f"write `-{value}` for a negative value; " if value else "") + "items of a list begin a line of their own"
    return Slip("yaml-syntax", "`- ` begins an item of a list, which cannot stand here", stop.at, hint, stop.at + 1)


def _directive(stop: YamlStop) -> Slip:
    message = "directives of YAML are no part of the language"
    return Slip("yaml-syntax", message, stop.at, "leave this line out", stop.at + 1)


_EXPLANATIONS: list[tuple[str, Callable[[YamlStop], Slip]]] = [
    ("block scalar|scanning an alias|scanning an anchor|scanning a tag|parsing a tag", _at_context),
    ("scanning a directive", _directive),
    ("cannot start any token", _no_token),
    ("mapping values are not allowed", _colon_inside),
    ("could not find expected ':'", _no_colon),
    ("unknown escape|expected escape|hexdecimal", _bad_escape),
    ("node content", _no_content),
    ("end of stream|stream end", _open_to_the_end),
    ("mapping keys are not allowed", _no_token),
    ("block mapping|block collection", _no_entry),
    ("flow (mapping|sequence)", _in_brackets),
    ("sequence entries are not allowed", _dash),
]
