"""From text to nodes: places, and the traps of YAML, each of which means what it looks like or says how to write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.nodes import Mapping, Node, Scalar, Sequence
from trionfi.dsl.reader import read_text, read_whole
from trionfi.dsl.source import Source


def plain(node: Node | None) -> object:
    if isinstance(node, Mapping):
        return {entry.key.text: plain(entry.value) for entry in node}
    if isinstance(node, Sequence):
        return [plain(item) for item in node]
    return node.text if node else None


def read(text: str) -> tuple[object, list[tuple[int, int, str]]]:
    diagnostics = Diagnostics()
    root = read_text(Source("game.yaml", text), diagnostics)
    return plain(root), [(d.span.line, d.span.column, d.code) for d in diagnostics]


def message(text: str) -> str:
    """All messages as people see them."""
    diagnostics = Diagnostics()
    read_text(Source("game.yaml", text), diagnostics)
    return "\n".join(str(d) for d in diagnostics)


# ---- what stays as it is written


@pytest.mark.parametrize(
    "value",
    [
        "no",
        "yes",
        "on",
        "off",
        "null",
        "~",
        "y",
        "1_000",
        "08",
        "0x1F",
        "3:2",
        "1e3",
        "1.50",
        "2001-01-01",
        "<<",
        "=",
        "true",
    ],
)
@pytest.mark.parametrize("form", ["a: {}\n", "b: {{c: {}}}\n", "b: [{}]\n", "b:\n  - {}\n"])
def test_values_stay_as_written(value: str, form: str) -> None:
    root, found = read(form.format(value))
    assert found == []
    assert value in str(root)


def test_words_of_yaml_are_keys_like_others() -> None:
    assert read("no: 1\non: 2\nnull: 3\n") == ({"no": "1", "on": "2", "null": "3"}, [])


def test_numbers_that_yaml_would_read_are_different_keys() -> None:
    assert read("x: {8: a, 08: b}\n")[1] == []


# ---- traps

TRAPS = [
    ("a: > 5\n", (1, 4, "unquoted-text"), 'write it in quotes: "> 5"'),
    ("a: >= 5\n", (1, 4, "unquoted-text"), 'write it in quotes: ">= 5"'),
    ("a: >5\nb: 1\n", (1, 4, "yaml-shorthand"), 'write quotes: ">5"'),
    ("a: |2\n    x\n", (1, 4, "yaml-shorthand"), "`|` is followed by a line end"),
    ("a: !acted\n", (1, 4, "yaml-shorthand"), "`not acted`"),
    ("a: ! acted\n", (1, 4, "yaml-shorthand"), "`not acted`"),
    ("a: !!int 5\n", (1, 4, "yaml-shorthand"), "tag"),
    ("a: *x\n", (1, 4, "yaml-shorthand"), 'write quotes: "*x"'),
    ("a: * 5\n", (1, 4, "unquoted-text"), 'write it in quotes: "* 5"'),
    ("a: &x 5\n", (1, 4, "yaml-shorthand"), "to say a thing once, `define` it"),
    ("a: & 5\n", (1, 4, "unquoted-text"), 'write it in quotes: "& 5"'),
    ("a: {player} passes\n", (1, 4, "unquoted-text"), 'write it in quotes: "{player} passes"'),
    ("a: [x] is y\n", (1, 4, "unquoted-text"), 'write it in quotes: "[x] is y"'),
    ("a: %x\n", (1, 4, "unquoted-text"), 'write it in quotes: "%x"'),
    ("a: @x\n", (1, 4, "unquoted-text"), 'write it in quotes: "@x"'),
    ("a: `x`\n", (1, 4, "unquoted-text"), 'write it in quotes: "`x`"'),
    ("a: [p1.hand[1] is x, y]\n", (1, 12, "unquoted-text"), "its entry on a line of its own"),
    ("a: {b: x: y}\n", (1, 9, "unquoted-text"), "put the text in quotes"),
    ("a: b is: c\n", (1, 8, "unquoted-text"), 'write the text in quotes: "b is: c"'),
    ('a: "raise" if x\n', (1, 4, "unquoted-text"), "'\"raise\" if x'"),
    ("a: 'it's'\n", (1, 4, "unquoted-text"), '"it\'s"'),
    ("a: the pot #1 of it\n", (1, 12, "eaten-by-comment"), 'write quotes: "the pot #1 of it"'),
    ('a: say "x # y"\n', (1, 11, "eaten-by-comment"), 'what is read is `say "x`'),
    ('a: "\\q"\n', (1, 5, "yaml-syntax"), "write single quotes"),
    ("a: ] x\n", (1, 4, "unquoted-text"), 'write it in quotes: "] x"'),
    ("a: : x\n", (1, 4, "unquoted-text"), 'write it in quotes: ": x"'),
    ("a: ? x\n", (1, 4, "unquoted-text"), 'write it in quotes: "? x"'),
    ("a: {b: 1,, c: 2}\n", (1, 10, "yaml-syntax"), "a value is missing before it"),
    ("a: {b: 1}}\n", (1, 10, "unclosed"), "`}` closes what nothing has opened"),
    ("a: {b: [c, d}\n", (1, 8, "unclosed"), "close it with `]`"),
    ("a: - 5\n", (1, 4, "yaml-syntax"), "write `-5`"),
    ("a:5\nb: 1\n", (1, 2, "yaml-syntax"), "write `a: 5`"),
    ("t:\n  stock:{start: deck}\n", (2, 8, "yaml-syntax"), "a blank stands behind the colon"),
    ("%YAML 1.2\n---\na: 1\n", (1, 1, "yaml-syntax"), "leave the line with `%` out"),
    ("a: 1\n---\nb: 1\n", (2, 1, "not-a-mapping"), "write it to a file of its own"),
    ("? [a]\n: 5\n", (1, 3, "yaml-shorthand"), "a key is a text"),
    ("- a\n- b\n", (1, 1, "not-a-mapping"), "this file is a list"),
    ("", (1, 1, "not-a-mapping"), "this file is empty"),
    ("a: 1\na: 2\n", (2, 1, "duplicate-key"), "`a` stands in line 1 already"),
    ("a: {b: 1, b: 2}\n", (1, 11, "duplicate-key"), "`b` stands in line 1 already"),
    ("t:\n\ta: 1\n", (2, 1, "blank-indentation"), "here stands a tab"),
    ("t: |\n  a\n  \tb\n", (3, 3, "blank-indentation"), "here stands a tab"),
    ("t:\n\u00a0 a: 1\n", (2, 1, "blank-indentation"), "only looks like a blank"),
    ("t: a\x07\n", (1, 5, "strange-character"), "U+0007"),
    ("t: a\u2028b\n", (1, 5, "strange-character"), "U+2028"),
    ("t: 1\ru: 2\n", (1, 5, "strange-character"), "old Macintosh"),
    ("a: " + "[" * 30 + "]" * 30, (1, 23, "nested-too-deep"), "more than twenty deep"),
]


@pytest.mark.parametrize(("text", "place", "words"), TRAPS, ids=[repr(text[:20]) for text, _, _ in TRAPS])
def test_trap(text: str, place: tuple[int, int, str], words: str) -> None:
    assert read(text)[1] == [place]
    assert words in message(text)


def test_byte_order_mark_and_line_ends_change_nothing() -> None:
    text = "t:\n  a: |\n    one\n    two\nd: 4\n"
    for same in (text, "\ufeff" + text, text.replace("\n", "\r\n")):
        assert read(same) == ({"t": {"a": "one\ntwo\n"}, "d": "4"}, [])


def test_comments_behind_values_are_fine() -> None:
    assert read("a: 5 # five\nb: {c: d} #x\ne: x #\n")[1] == []


# ---- the line that is to blame

CULPRITS = [
    ("t:\n  a: 1\n   b: 2\n  c: 3\n", (3, 4, "bad-indentation")),
    ("t:\n  a: {x: 1}\n   b: {y: 2}\n  c: 3\n", (3, 4, "bad-indentation")),
    ("t:\n  a: 1\n b: 2\n  c: 3\n", (3, 2, "bad-indentation")),
    ("t:\n   a: {x: 1}\n  b: 2\n  c: 3\n", (2, 4, "bad-indentation")),
    ("t:\n  a: |\n    one\n   two\n    three\n  c: 3\n", (4, 4, "bad-indentation")),
    ("t:\n  a: |\n    one\n  two\n    three\n  c: 3\n", (4, 3, "bad-indentation")),
    ("t:\n  a: |\n    one\ntwo\n    three\n  c: 3\n", (4, 1, "bad-indentation")),
    ("t:\n  a:\n    one\n    if x: two\n  c: 3\n", (4, 5, "bad-indentation")),
    ("t:\n  a: x, # y\n    z\n  c: 3\n", (3, 5, "bad-indentation")),
    ('a: 1\nb: "two\nc: 3\n', (2, 4, "unclosed")),
    ('a: 1\nb: "two\nc: "3"\n', (2, 4, "unclosed")),
    ("a: 1\nb: {x: 1\nc: 2\n", (2, 4, "unclosed")),
    ("a: 1\nb: [x\nc: [y]\n", (2, 4, "unclosed")),
    ("a: 1\nb: {\n", (2, 4, "unclosed")),
    ("a: 1\nhello there\nb: 2\n", (2, 1, "bad-indentation")),
    ("t:\n  - a\n  b: 2\n", (3, 3, "yaml-syntax")),
    ("t:\n  a: 2\n  - b\n", (3, 3, "yaml-syntax")),
]


@pytest.mark.parametrize(("text", "place"), CULPRITS, ids=[repr(text[-25:]) for text, _ in CULPRITS])
def test_culprit(text: str, place: tuple[int, int, str]) -> None:
    assert read(text)[1] == [place]


def test_whole_message() -> None:
    assert message("t:\n  a: {x: 1}\n   b: {y: 2}\n") == (
        "game.yaml:3:4: error: this line is indented by 3, which fits no entry above it [bad-indentation]\n"
        "    3 |    b: {y: 2}\n"
        "      |    ^^^^^^^^^\n"
        "      = indent it by 0 or 2 blanks, like its neighbours"
    )


# ---- one slip does not hide the next


def test_several_slips_in_one_run() -> None:
    text = 't:\n  a: 1\n   b: 2\nu:\n  x: @foo\n  y: {player} is\nv:\n  k: "raise" if x\n  l: `z\nw: 3\nw: 4\n'
    root, found = read(text)
    assert [line for line, _, _ in found] == [3, 5, 6, 8, 9, 11]
    assert root == {
        "t": {"a": "1", "b": "2"},
        "u": {"x": "@foo", "y": "{player} is"},
        "v": {"k": '"raise" if x', "l": "`z"},
        "w": "3",
    }


def test_a_repaired_file_is_whole_and_shows_places_of_the_file() -> None:
    diagnostics = Diagnostics()
    root, whole = read_whole(Source("game.yaml", "t:\n   a: {x: 1}\n  b: yes\nu: >= 5\nz: last\n"), diagnostics)
    assert whole
    assert root is not None
    last = root.get("z")
    assert isinstance(last, Scalar)
    assert (str(last.span), last.span.text) == ("game.yaml:5:4", "last")
    assert last.span.source.line_text(5) == "z: last"


REPAIRED = [
    "x: {a} is = 5\n",
    'x: "a" is = 5\n',
    "t:\n  y: 1\n   x: a = 5\n",
    "t:\n  x: |\n    stop\n   y = 5 = 5\n    stop\n",
    "t:\n    x: a = 5\n  y: 1\n  z: 2\n",
]


@pytest.mark.parametrize("text", REPAIRED)
def test_words_in_repaired_text_lie_where_they_stand(text: str) -> None:
    root, whole = read_whole(Source("game.yaml", text), Diagnostics())
    assert root is not None
    assert whole
    inner = root.get("t")
    value = (inner if isinstance(inner, Mapping) else root).get("x")
    assert isinstance(value, Scalar)
    place = value.content.source.text.index("= 5", value.content.start)
    line, column = value.content.source.line_column(place)
    written = text.split("\n")
    assert written[line - 1][column - 1 :].startswith("= 5")


def test_what_cannot_be_repaired_is_left_out() -> None:
    root, whole = read_whole(Source("game.yaml", "a: 1\nhello there\nb: 2\n"), Diagnostics())
    assert (plain(root), whole) == ({"a": "1", "b": "2"}, False)


# ---- places

STYLES = "a: plain\nb: |\n  one\n  two\nc: >-\n  fold\n  ed\nd: \"q\\\"x\" # c\ne: 'it''s'\nf: [x, {y: z}]\ng:\nh: multi\n  line\n𝒳: 𝒳\n"


def test_spans_hold_what_they_say() -> None:
    root = read_text(Source("game.yaml", STYLES), Diagnostics())
    assert root is not None
    written = {entry.key.text: entry.value.span.text for entry in root}
    assert written == {
        "a": "plain",
        "b": "|\n  one\n  two\n",
        "c": ">-\n  fold\n  ed\n",
        "d": '"q\\"x"',
        "e": "'it''s'",
        "f": "[x, {y: z}]",
        "g": "",
        "h": "multi\n  line",
        "𝒳": "𝒳",
    }
    contents = {e.key.text: e.value.content.text for e in root if isinstance(e.value, Scalar)}
    assert contents["b"] == "  one\n  two\n"
    assert contents["d"] == 'q\\"x'
    assert contents["e"] == "it''s"


def test_a_mapping_ends_with_its_last_entry() -> None:
    root = read_text(Source("game.yaml", "a:\n  b: 1\n  c:\n    - d\n\n# note\ne: 2\n"), Diagnostics())
    assert root is not None
    node = root.get("a")
    assert node is not None
    assert node.span.text == "b: 1\n  c:\n    - d"


@given(st.text(alphabet="ab:-[]{}|>\"'#&*! \t\n,?%@`\\1", max_size=60))
def test_no_text_makes_it_fall_over(text: str) -> None:
    diagnostics = Diagnostics()
    root, whole = read_whole(Source("game.yaml", text), diagnostics)
    for found in diagnostics:
        assert str(found)
    assert root is not None or diagnostics.has_errors
    assert whole or diagnostics.has_errors
