"""Script slots: grammar, layout, places, and the cache of the grammar."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Token, Tree

from trionfi.dsl import cache, grammar
from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.library import LIBRARY
from trionfi.dsl.nodes import Mapping, Node, Scalar, Sequence
from trionfi.dsl.reader import read_text
from trionfi.dsl.script import STARTS, WORDS, Slot, parse_slot
from trionfi.dsl.source import Source

RULESETS = sorted(LIBRARY.rglob("*.yaml"))


def slot(text: str, start: str) -> Slot:
    """The slot under the only key of a YAML text."""
    diagnostics = Diagnostics()
    root = read_text(Source("game.yaml", text), diagnostics)
    assert root is not None
    value = root.entries[0].value
    assert isinstance(value, Scalar)
    parsed = parse_slot(start, value, diagnostics)
    assert parsed is not None, "\n".join(map(str, diagnostics))
    return parsed


def script(*lines: str) -> Slot:
    return slot("x: |\n" + "".join(f"  {line}\n" for line in lines), "script")


def shape(tree: Tree[Token] | Token | None) -> object:
    """A tree as nested lists, words as they are."""
    if isinstance(tree, Tree):
        return [str(tree.data), *(shape(child) for child in tree.children)]
    return str(tree) if tree is not None else None


# ---- the grammar


def test_the_grammar_has_no_conflicts_and_no_word_has_two_meanings_in_one_place() -> None:
    parser = grammar.build_parser()  # strict: a conflict is an error
    states = parser.parser.parser._parse_table.states
    kinds = parser.parser.lexer.kinds_of_word
    for accepted in states.values():
        for word, names in kinds.items():
            assert sum(name in accepted for name in names) <= 1, word


def test_words_are_those_of_the_grammar() -> None:
    assert {"deal", "up", "any", "highest", "orientation", "secretly"} <= WORDS
    assert {"player", "card", "true", "none", "script"} & WORDS == set()
    assert not any(word in WORDS for word in ("on", "off", "yes", "null", "y", "n"))


@pytest.mark.parametrize("word", sorted(WORDS))
def test_no_word_is_found_within_a_name(word: str) -> None:
    tree = shape(script(f"{word}ternal = in{word}").tree)
    assert tree == ["script", ["assign", ["name", f"{word}ternal"], ["name", f"in{word}"]]]


@pytest.mark.parametrize("word", sorted(WORDS))
def test_after_a_dot_every_word_is_a_name(word: str) -> None:
    assert shape(slot(f"x: card.{word}", "expr").tree) == ["attribute", ["name", "card"], word]


@pytest.mark.parametrize(
    ("start", "text", "tree"),
    [
        (
            "expr",
            "0 if a, 1 if b, else 2",
            ["cond", ["int", "0"], ["name", "a"], ["int", "1"], ["name", "b"], ["int", "2"]],
        ),
        ("expr", "a is b or c", ["or_l", ["is_", ["name", "a"], ["name", "b"]], ["name", "c"]]),
        ("expr", "not a in b", ["not_", ["in_", ["name", "a"], ["name", "b"]]]),
        ("expr", "a is 1..3", ["is_between", ["name", "a"], ["int", "1"], ["int", "3"]]),
        (
            "expr",
            "x + y / 2 rounded down",
            ["rounded", ["plus", ["name", "x"], ["over", ["name", "y"], ["int", "2"]]], "down"],
        ),
        ("expr", "left of left of p", ["of_", "left", ["of_", "left", ["name", "p"]]]),
        ("expr", "7 of cups", ["card_name", "7", "cups", None]),
        ("expr", "08", ["int", "08"]),
        ("signature", "f(player p, card)", ["signature", "f", ["param", "player", "p"], ["param", "card", None]]),
        ("pattern", "3 alike, 2 alike", None),
        ("order", "category", ["order"]),
        ("targets", "0..3 cards from common", None),
        ("alteration", "each target has suit hearts; each target has every rank if wild", None),
    ],
)
def test_trees(start: str, text: str, tree: object) -> None:
    parsed = slot(f"x: {text}", start).tree
    if tree is not None:
        assert shape(parsed) == tree


def test_up_to_is_two_words_elsewhere() -> None:
    assert shape(script("deal up to 2 from a to b").tree)[1][1] == "up to"  # type: ignore[index]
    assert shape(script("turn up up").tree) == ["script", ["turn", "up", ["name", "up"]]]


# ---- layout


def test_blocks_continuations_and_comments() -> None:
    parsed = script(
        "if a",
        "    and b:",
        "  # a note",
        "  stop",
        "",
        "  x = (1",
        "+ 2)",
        "else if c: stop",
        "else:",
        "    stop",
        "y = 1 +",
        "      2  # more",
        "# the end",
    )
    statements = [str(child.data) for child in parsed.tree.children if isinstance(child, Tree)]
    assert statements == ["if_stmt", "assign"]


def test_line_ends_are_blanks_where_no_bar_is() -> None:
    assert shape(slot("x: a\n  + b", "expr").tree) == ["plus", ["name", "a"], ["name", "b"]]
    assert shape(slot("x: >\n  a\n  + b\n", "expr").tree) == ["plus", ["name", "a"], ["name", "b"]]
    assert shape(slot("x: |\n  a\n  + b\n", "expr").tree) == ["plus", ["name", "a"], ["name", "b"]]
    assert shape(slot("x: stop\n", "script").tree) == ["script", ["stop"]]


def test_crlf() -> None:
    text = "x: |\r\n  if a:\r\n    stop\r\n  # c\r\n  y = 1\r\n"
    assert shape(slot(text, "script").tree) == shape(script("if a:", "  stop", "y = 1").tree)


# ---- places


def slots_of(node: Node, keys: tuple[str, ...] = ()) -> list[tuple[str, Scalar]]:
    """What certainly is script in a ruleset, with its start rule."""
    if isinstance(node, Sequence):
        return [found for item in node for found in slots_of(item, keys)]
    if isinstance(node, Scalar):
        if keys[:1] in (("procedures",), ("play",)):
            return [("script", node)]
        return [("expr", node)] if keys[:1] in (("define",), ("result",)) and keys[-1] != "else" else []
    found = [("signature", e.key) for e in node if keys in (("procedures",), ("define",))]
    return found + [found for e in node for found in slots_of(e.value, (*keys, e.key.text))]


@pytest.mark.parametrize("path", RULESETS, ids=[path.stem for path in RULESETS])
def test_every_tree_and_word_lies_where_it_stands(path: Path) -> None:
    diagnostics = Diagnostics()
    root = read_text(Source(path.name, path.read_text(encoding="utf-8")), diagnostics)
    assert root is not None
    for start, scalar in slots_of(root):
        parsed = parse_slot(start, scalar, diagnostics)
        assert parsed is not None, diagnostics.found
        for tree in parsed.tree.iter_subtrees():
            place = parsed.span(tree)
            assert place.text == place.text.strip() != ""
            for child in tree.children:
                if child is None:
                    continue
                inner = parsed.span(child)
                assert place.start <= inner.start < inner.end <= place.end
                if isinstance(child, Token):
                    assert inner.text == str(child)


@pytest.mark.parametrize(
    "text",
    [
        "x: a + beta",
        "x:   a\n     + beta",
        "x: >-\n   a\n   + beta\n",
        "x: |\n   a + beta\n",
        'x: "a + beta"',
        "x: 'a + beta'",
        'x: "\\x61 \\\n  + beta"',
        "'x': '\"it''s\" + beta'",
        'x: "\\"A\\" + beta"',
        "{y: 1, x: a + beta}",
    ],
)
def test_places_in_all_styles(text: str) -> None:
    root = read_text(Source("game.yaml", text), Diagnostics())
    assert root is not None
    value = root.get("x")
    assert isinstance(value, Scalar)
    parsed = parse_slot("expr", value, Diagnostics())
    assert parsed is not None
    beta = next(token for token in parsed.tree.scan_values(lambda t: t == "beta"))
    assert parsed.span(beta).start == text.index("beta")
    assert parsed.span(beta).text == "beta"
    assert parsed.span(parsed.tree).end == text.index("beta") + 4


def test_a_statement_ends_with_its_last_word() -> None:
    parsed = script("if a: stop  # why", "", "y = 1")
    assert [parsed.span(child).text for child in parsed.tree.children] == ["if a: stop", "y = 1"]


# ---- the cache


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "trionfi"


def fresh() -> object:
    """A parse with a parser that was loaded anew."""
    grammar.script_parser.cache_clear()
    return shape(grammar.script_parser().parse("a is b", start="expr"))


EXPECTED = ["is_", ["name", "a"], ["name", "b"]]


def test_the_grammar_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fresh() == EXPECTED
    assert len(list(folder.glob("script-*.json"))) == 1
    monkeypatch.setattr(grammar, "build_parser", lambda: pytest.fail("built again"))
    assert fresh() == EXPECTED


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """The name and the content of a kept grammar: half a second in the making."""
    folder = tmp_path_factory.mktemp("good")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        assert fresh() == EXPECTED
    (kept,) = folder.glob("trionfi/script-*.json")
    return kept.name, kept.read_bytes()


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"0" * 64 + b"{}", None])
def test_a_damaged_cache_is_built_again(folder: Path, good: tuple[str, bytes], damage: bytes | None) -> None:
    name, content = good
    folder.mkdir()
    (folder / name).write_bytes(content[:-1] if damage is None else damage)
    assert cache.read_cached(name) is None
    assert fresh() == EXPECTED
    assert cache.read_cached(name) is not None
    assert [kept.name for kept in folder.glob("script-*.json")] == [name]


def test_a_cache_with_the_right_sum_and_the_wrong_content_is_built_again(folder: Path) -> None:
    fresh()
    (kept,) = folder.glob("script-*.json")
    cache.write_cached(kept.name, b'{"data": {}}')
    assert fresh() == EXPECTED


def test_a_cache_with_one_letter_changed_is_not_read(folder: Path) -> None:
    cache.write_cached("x", b"data")
    kept = folder / "x"
    kept.write_bytes(kept.read_bytes().replace(b"data", b"dada"))
    assert cache.read_cached("x") is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have no numbers here")
def test_a_cache_of_someone_else_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_cached("x", b"data")
    assert cache.read_cached("x") == b"data"
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    assert cache.read_cached("x") is None


def test_no_cache_is_no_trouble(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert fresh() == EXPECTED
    assert blocked.read_text() == ""


# ---- nothing falls over

_SCRIPTS = [
    "deal 5 from stock to player.hand\nshuffle stock",
    'p chooses as bet:\n  "fold" if a: stop\n  "call":\n    x = (1 + 2)\n    pay 5 from a to b',
    'if a and (b or c):\n  stop\nelse if d:\n  x = the player with highest player.score\nelse: say "{x}"',
    "each live player secretly chooses:\n  2 cards from player.hand as cards\n  number from 1 to 5 as bet",
    "for each card in p.hand where card.suit is led.suit:\n  move card to pile\nrepeat until a > 3: add 1 to a",
]


@given(st.sampled_from(_SCRIPTS), st.data())
@settings(deadline=None, max_examples=150)
def test_broken_script_is_reported_and_nothing_falls_over(text: str, data: st.DataObject) -> None:
    words = re.findall(r"\s+|\w+|.", text)
    index = data.draw(st.integers(0, len(words) - 1))
    other = data.draw(
        st.sampled_from(["", "=", "(", ")", '"', ":", "\n", "\n    ", "no", "the", "count of", "'s", "1_0", "x"])
    )
    words[index] = other
    block = "x: |\n  " + "".join(words).replace("\n", "\n  ") + "\n"
    diagnostics = Diagnostics()
    root = read_text(Source("game.yaml", block), diagnostics)
    value = root.get("x") if isinstance(root, Mapping) else None
    parsed = parse_slot("script", value, diagnostics) if isinstance(value, Scalar) else None
    assert (parsed is None) == diagnostics.has_errors
    for found in diagnostics:
        assert found.message
        assert "X" not in found.message.split("`")[0::2]
        assert str(found)


@pytest.mark.parametrize("start", STARTS)
@given(text=st.text(alphabet="ab1 .,:;()[]=<>+-*/\"'{}#\n", max_size=25))
@settings(deadline=None, max_examples=60)
def test_no_text_makes_a_slot_fall_over(start: str, text: str) -> None:
    source = Source("game.yaml", text)
    from trionfi.dsl.source import Span

    whole = Span(source, 0, len(text))
    for style in ("", "|", ">"):
        diagnostics = Diagnostics()
        parsed = parse_slot(start, Scalar(text, style, whole, whole), diagnostics)  # type: ignore[arg-type]
        assert (parsed is None) == diagnostics.has_errors
        assert all(str(found) for found in diagnostics)
