"""From the text of a file to nodes with places.

YAML cuts the text (`yaml.parse`); the nodes are built here, so that nothing YAML would read into a value or hide
in a shorthand goes unseen. Where YAML stops at a mistake it is repaired or left out, and the rest is read, so that
one slip does not hide the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from trionfi.dsl.diagnostics import Diagnostics, ReadingStops, declare_codes
from trionfi.dsl.limits import MOST_ENTRIES, MOST_MENDED, MOST_NODES, MOST_SLIPS, MOST_YAML_DEPTH
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, spoken_kind
from trionfi.dsl.patched import Patched, repaired
from trionfi.dsl.repair import repair
from trionfi.dsl.signs import CONTROL, named
from trionfi.dsl.source import Source, Span
from trionfi.dsl.yaml_slips import LOADER, explain, quoted

FORM_CODES = {
    "blank-indentation": "Lines are indented with blanks only.",
    "strange-character": "A ruleset is made of printable characters.",
    "duplicate-key": "A key occurs once in its mapping.",
    "yaml-shorthand": "Anchors, aliases, tags and block indicators of YAML are no part of the language.",
    "eaten-by-comment": "A `#` after a blank begins a comment, which ends the text before it.",
    "not-a-mapping": "A ruleset is one mapping of sections.",
    "nested-too-deep": "Nothing in a ruleset is nested more than twenty deep.",
    "too-long": "A ruleset has no more entries, and no more nodes in all, than can be read in a moment.",
}
declare_codes(FORM_CODES)

_STYLES: dict[str | None, Style] = {"|": "|", ">": ">", '"': '"', "'": "'"}

_NOT_BLANK = re.compile(r"^ *([^\S \r\n][^\S\r\n]*)(?=\S)", re.MULTILINE)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_ESCAPED = dict(zip("0abvfreNLP", "\0\a\b\v\f\r\x1b\x85\u2028\u2029", strict=True))
_COMMENT = re.compile(r"[ \t]+#(?=(.?))")


def read_text(source: Source, diagnostics: Diagnostics) -> Mapping | None:
    """The whole file as a mapping; none if it is not even that. What is wrong goes to the diagnostics."""
    return read_whole(source, diagnostics)[0]


def read_whole(source: Source, diagnostics: Diagnostics) -> tuple[Mapping | None, bool]:
    """Like `read_text`; and whether nothing had to be cut out of the file to read the rest.

    After a slip the nodes lie in a source that holds the repaired text, and shows places as they are in the file.
    """
    if source.text.startswith("\ufeff"):
        source = replace(source, text=source.text[1:])
    text = _without_strange(source, diagnostics)
    tabs = _NOT_BLANK.search(source.text) is not None
    strange = [d.code for d in diagnostics.found if d.span.source is source]
    patched, whole = _straightened(source, text), True
    for attempt in range(max(1, min(MOST_SLIPS, MOST_MENDED // max(1, len(text))))):
        builder = _Builder(repaired(source, patched) if attempt or tabs else source)
        try:
            root = builder.build(patched.text)
        except ReadingStops:
            for found in builder.found.found:
                diagnostics.add(found)
            raise
        except yaml.YAMLError as error:
            slip = explain(patched.text, error)
            if slip.code != "bad-indentation" or "blank-indentation" not in strange:
                diagnostics.add(slip.diagnostic(source, patched))
            patched, left_out = repair(patched, slip)
            diagnostics.lose(left_out)
            whole = whole and not left_out
            continue
        for found in builder.found.found:
            diagnostics.add(found)
        if isinstance(root, Mapping):
            return root, whole
        if not attempt and not strange:
            _report_root(root, source, diagnostics)
        break
    return None, False


def _report_root(root: Node | None, source: Source, diagnostics: Diagnostics) -> None:
    what = spoken_kind(root) if root else "empty"
    hint = "it begins with `trionfi: 1` and `name: ...`"
    message = f"a ruleset is a mapping of sections, and this file is {what}"
    diagnostics.error("not-a-mapping", message, Span(source, 0, 0), hint)


# ---- before YAML


def _without_strange(source: Source, diagnostics: Diagnostics) -> str:
    """The text with blanks for what has no place in it; reported, of neighbouring lines only the first."""
    text = source.text
    last_line = -1
    matches = list(_NOT_BLANK.finditer(text))
    for match in matches:
        line = source.line_column(match.start())[0]
        if line != last_line + 1:
            what = "a tab" if "\t" in match[1] else "a character that only looks like a blank"
            span = Span(source, match.start(1), match.end(1))
            hint = "indent with blanks; most editors can do that for the whole file"
            message = f"lines are indented with blanks, and here stands {what}"
            diagnostics.error("blank-indentation", message, span, hint)
        last_line = line
    text = _NOT_BLANK.sub(lambda match: " " * (match.end(1) - match.start()), text) if matches else text
    for match in CONTROL.finditer(text):
        _report_strange(match.group(), Span(source, match.start(), match.end()), diagnostics)
    return CONTROL.sub(lambda match: "\n" if match.group() == "\r" else " ", text)


def _straightened(source: Source, text: str) -> Patched:
    """The text, its lines that were not indented with blanks alone in the column where a neighbour stands."""
    patched, lines, start = Patched.whole(text), text.splitlines(keepends=True), len(text)
    wrong = {source.line_column(match.start())[0] - 1 for match in _NOT_BLANK.finditer(source.text)}
    for number in range(len(lines) - 1, -1, -1):
        start -= len(lines[number])
        if number in wrong:
            now = len(lines[number]) - len(lines[number].lstrip(" "))
            patched = patched.replaced(start, start + now, " " * _column_beside(lines, number, wrong))
    return patched


def _column_beside(lines: list[str], number: int, wrong: set[int]) -> int:
    """Where a line probably belongs: below the line above it, or deeper where that opens a block."""
    sound = [lines[i] for i in range(number) if lines[i].strip() and i not in wrong]
    above = sound[-1] if sound else ""
    column = len(above) - len(above.lstrip(" "))
    opens = re.search(r":\s*[|>]?\s*$", above) is not None
    return column + 2 if opens else column


def _report_strange(sign: str, span: Span, diagnostics: Diagnostics) -> None:
    diagnostics.error("strange-character", f"the character {named(sign)} has no place here", span, "delete it")


# ---- nodes


@dataclass(slots=True, eq=False)
class _Open:
    """A mapping or list that is being read."""

    node: Mapping | Sequence
    key: Scalar | None = None
    lost: bool = False  # the key is no text or no new one, so its value is dropped
    seen: dict[str, Scalar] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Builder:
    """Builds the nodes from YAML's events; what the language does not take from YAML is noted in `found`."""

    source: Source
    found: Diagnostics = field(default_factory=Diagnostics)
    open: list[_Open] = field(default_factory=list)
    root: Node | None = None
    documents: int = 0
    too_deep: bool = False

    def build(self, text: str) -> Node | None:
        """Raises `yaml.YAMLError` where YAML stops."""
        has_comments = "#" in text
        for number, event in enumerate(yaml.parse(text, Loader=LOADER)):
            if number == MOST_NODES:
                what = f"a file has at most {MOST_NODES:,} nodes (texts, lists and mappings)"
                self.found.stop("too-long", what, self.span(event), "share it out among libraries")
            if isinstance(event, yaml.ScalarEvent):
                scalar = self.scalar(event)
                if has_comments and not scalar.style:
                    self.check_comment(scalar)
                self.put(scalar)
            elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                self.start(event)
            elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                self.end(event)
            elif isinstance(event, yaml.AliasEvent):
                self.alias(event)
            elif isinstance(event, yaml.DocumentStartEvent):
                self.document(event)
        return self.root

    def span(self, event: Any) -> Span:
        return Span(self.source, event.start_mark.index, event.end_mark.index)

    def scalar(self, event: yaml.ScalarEvent) -> Scalar:
        span = self.span(event)
        style = _STYLES.get(event.style, "")
        if event.anchor or event.tag:
            self.check_shorthand(event, span)
        content = _content(span, style)
        if style in ("|", ">") and re.match(r"[|>][+-]?[0-9]", span.text):
            value = span.text.partition("\n")[0].strip()
            hint = f"if it is no text of several lines, write quotes: {quoted(value)}"
            self.found.error("yaml-shorthand", f"`{style}` is followed by a line end, and here by a number", span, hint)
        return Scalar(self.without_strange(event.value, span) if style == '"' else event.value, style, span, content)

    def without_strange(self, text: str, span: Span) -> str:
        """The text of a scalar in double quotes, whose escapes may stand for what no text may hold."""
        if CONTROL.search(text) is None:
            return text
        for match in _ESCAPE.finditer(span.text):
            code = match[1] or match[2] or match[3]
            sign = chr(int(code, 16)) if code else _ESCAPED.get(match[4], "")
            if CONTROL.search(sign):
                place = Span(self.source, span.start + match.start(), span.start + match.end())
                _report_strange(sign, place, self.found)
        return CONTROL.sub(" ", text)

    def check_shorthand(self, event: Any, span: Span) -> None:
        sign = self.source.text[span.start : span.start + 1]
        what, name = ("tag", event.tag) if sign == "!" else ("anchor", event.anchor)
        end = self.source.text.find("\n", span.start)
        written = self.source.text[span.start : end if end >= 0 else None].strip()
        hint = f"if it is a text write quotes: {quoted(written)}"
        if what == "tag":
            hint = f"`not` is a word here: `not {written.lstrip('! ')}`; a text that begins with `!` stands in quotes"
        else:
            hint += "; to say a thing once, `define` it"
        place = Span(self.source, span.start, span.start + 1)
        self.found.error("yaml-shorthand", f"`{sign}` makes {what} `{name}` of this for YAML", place, hint)

    def alias(self, event: yaml.AliasEvent) -> None:
        span = self.span(event)
        message = f"`*` makes an alias of `{event.anchor}` for YAML, and the language has none"
        self.found.error("yaml-shorthand", message, span, f"if it is a text write quotes: {quoted(span.text)}")
        self.put(Scalar("", "", span, span))

    def check_comment(self, scalar: Scalar) -> None:
        """A comment behind a text that was probably meant to be part of it."""
        text = self.source.text
        match = _COMMENT.match(text, scalar.span.end)
        if match is None or not scalar.text:
            return
        glued = match[1].isalnum() or match[1] in ('"', "{")
        cut = scalar.text.count('"') % 2 or scalar.text.count("(") > scalar.text.count(")")
        if not glued and not cut:
            return
        end = text.find("\n", match.end())
        whole = text[scalar.span.start : end if end >= 0 else None].rstrip()
        message = f"the `#` ends this text: what is read is `{scalar.text}`"
        hint = f"if the rest belongs to it write quotes: {quoted(whole)}; if it is a comment put a blank behind the `#`"
        place = match.end() - 1
        self.found.error("eaten-by-comment", message, Span(self.source, place, place + 1), hint)

    def start(self, event: Any) -> None:
        span = self.span(event)
        if event.anchor or event.tag:
            self.check_shorthand(event, span)
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        self.open.append(_Open(Mapping([], span) if is_mapping else Sequence([], span)))
        if len(self.open) > MOST_YAML_DEPTH and not self.too_deep:
            self.too_deep = True
            self.found.error("nested-too-deep", "nothing in a ruleset is nested more than twenty deep", span)
        if len(self.open) > MOST_ENTRIES:
            self.found.stop("nested-too-deep", "nothing in a ruleset is nested more than twenty deep", span)

    def end(self, event: Any) -> None:
        node = self.open.pop().node
        end = event.end_mark.index
        if end == event.start_mark.index:  # of a block: it ends with its last thing, not where the next begins
            end = max(node.span.start, _end_of_last(node))
        node.span = Span(self.source, node.span.start, end)
        self.put(node if len(self.open) < MOST_YAML_DEPTH else Scalar("", "", node.span, node.span))

    def put(self, node: Node) -> None:
        """A finished node goes where it belongs: into the list, under the key, or it is the next key."""
        if not self.open:
            self.root = self.root or node
            return
        top = self.open[-1]
        self.check_size(top.node, node)
        if isinstance(top.node, Sequence):
            top.node.items.append(node)
        elif top.key is None and not top.lost:
            self.put_key(top, node)
        else:
            if top.key is not None:
                top.node.entries.append(Entry(top.key, node))
            top.key, top.lost = None, False

    def check_size(self, holder: Mapping | Sequence, node: Node) -> None:
        if len(holder.items if isinstance(holder, Sequence) else holder.entries) < MOST_ENTRIES:
            return
        what = f"{spoken_kind(holder)} has at most {MOST_ENTRIES:,} entries"
        self.found.stop("too-long", what, Span(self.source, node.span.start, node.span.start + 1))

    def put_key(self, top: _Open, node: Node) -> None:
        assert isinstance(top.node, Mapping)
        top.lost = True
        if not isinstance(node, Scalar):
            message = f"a key is a text, and this is {spoken_kind(node)}"
            self.found.error("yaml-shorthand", message, node.span, "if it is a text write it in quotes")
            return
        if not node.style and (glued := re.match(r"([\w ]+):\S", node.text)):
            colon = node.span.start + len(glued[1])
            message = "a blank stands behind the colon of an entry"
            self.found.error("yaml-syntax", message, Span(self.source, colon, colon + 1), "put a blank behind it")
            return
        first = top.seen.setdefault(node.text, node)
        if first is not node:
            message = f"`{node.text}` stands in line {first.span.line} already"
            self.found.error("duplicate-key", message, node.span, "put both together, or give one another name")
            return
        top.key, top.lost = node, False

    def document(self, event: yaml.DocumentStartEvent) -> None:
        self.documents += 1
        if event.version or event.tags:
            message = "directives of YAML are no part of the language"
            self.found.error("yaml-syntax", message, Span(self.source, 0, 1), "leave the line with `%` out")
        if self.documents == 2:
            message = "a ruleset is one document, and `---` begins another"
            self.found.error("not-a-mapping", message, self.span(event), "write it to a file of its own")


def _end_of_last(node: Mapping | Sequence) -> int:
    if isinstance(node, Mapping):
        return node.entries[-1].value.span.end if node.entries else 0
    return node.items[-1].span.end if node.items else 0


def _content(span: Span, style: Style) -> Span:
    """Where the text of a scalar lies: within the quotes, or below the line of `|` or `>`."""
    if style in ("|", ">"):
        first = span.source.text.find("\n", span.start, span.end) + 1
        return Span(span.source, first or span.end, span.end)
    if style:
        return Span(span.source, span.start + 1, span.end - 1)
    return span
