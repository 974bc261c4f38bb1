"""The structure of rulesets: each failure one message at its place, and the schema for editors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from trionfi.dsl import structure
from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.library import LIBRARY
from trionfi.dsl.nodes import Mapping
from trionfi.dsl.reader import read_text
from trionfi.dsl.source import Source
from trionfi.dsl.structure import check_structure, editor_schema

RULESETS = sorted(LIBRARY.rglob("*.yaml"))


@pytest.fixture(autouse=True)
def own_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No test takes a text for sound because another one did."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    structure._sound_files.cache_clear()
    yield
    structure._sound_files.cache_clear()


def check(text: str) -> tuple[Mapping, bool, Diagnostics]:
    diagnostics = Diagnostics()
    root = read_text(Source("game.yaml", text), diagnostics)
    assert root is not None
    return root, check_structure(root, diagnostics), diagnostics


def check_game(text: str) -> list[tuple[str, str, str]]:
    """Code, message and hint of all that is wrong with a game that has these sections."""
    return [(d.code, d.message, d.hint) for d in check(f"trionfi: 1\nname: Game\n{text}")[2]]


@pytest.mark.parametrize("path", RULESETS, ids=[path.stem for path in RULESETS])
def test_the_library_is_sound(path: Path) -> None:
    _, whole, diagnostics = check(path.read_text(encoding="utf-8"))
    assert [str(d) for d in diagnostics] == []
    assert whole


FAILURES = [
    ("tabel: {}", "unknown-key", "a ruleset has no section `tabel`", "did you mean `table`?"),
    ("table:\n  a: {fase: up}", "unknown-key", "a zone has no key `fase`, in `a`", "did you mean `face`?"),
    ("options:\n  a: {defalt: 1}", "unknown-key", "an option has no key `defalt`, in `a`", "did you mean `default`?"),
    (
        "variables:\n  a: {start: 0, about: high, and low}",
        "unknown-key",
        "a comma ends a text within { }, so `and low` is read as a key",
        'write the text in quotes: `about: "high, and low"`',
    ),
    (
        "define:\n  f(x): {player}",
        "unknown-key",
        "a definition has no key `player`, in `f(x)`",
        'a text that begins with `{` stands in quotes: "{player}"',
    ),
    (
        "table:\n  a: [b, c]",
        "wrong-kind",
        "`a` wants a zone, and this is a list",
        "write it like this: {per: player, seen_by: owner}",
    ),
    (
        "play: {x: y}",
        "wrong-kind",
        "`play` wants script, and this is a mapping",
        'a text that begins with `{` stands in quotes: "{x: y}"',
    ),
    (
        "procedures:\n  f():\n    if x: y\n    else: z",
        "wrong-kind",
        "`f()` wants script, and this is a mapping",
        "a text of several lines stands below `|`, behind the colon",
    ),
    (
        "kinds:\n  win: one, two",
        "wrong-kind",
        "`win` wants a list of words, and this is a text",
        "write it like this: [one, two]",
    ),
    (
        "options:\n  a:",
        "wrong-kind",
        "`a` wants an option, and this is nothing",
        "write it like this: {default: 10, range: 1..100}",
    ),
    ("table:\n  a: {face: upp}", "wrong-word", "`face` is up or down, not `upp`", "did you mean `up`?"),
    (
        "table:\n  a: {counted: no}",
        "wrong-word",
        "`counted` is true or false, not `no`",
        "write `false`: only `true` and `false` are truths here",
    ),
    ("table:\n  a: {counted: True}", "wrong-word", "`counted` is true or false, not `True`", "did you mean `true`?"),
    ("table:\n  a: {capacity: 1_000}", "wrong-word", "`capacity` is a whole number, not `1_000`", "write `1000`"),
    ("table:\n  a: {capacity: 1e3}", "wrong-word", "`capacity` is a whole number, not `1e3`", ""),
    (
        "players: 2 to 17",
        "wrong-word",
        "`players` is a number or a range of numbers, not `2 to 17`",
        "write `2..17`",
    ),
    (
        "tests:\n  - a: {}\n    b: {}",
        "wrong-kind",
        "a test with its title is a mapping of one entry, and this has 2",
        'write it like this: - "a title": {expect: ...}',
    ),
    (
        "tests:\n  - a: {moves: [p1]}",
        "wrong-kind",
        "`moves` wants a move, and this is a text",
        "write it like this: p1: call 2",
    ),
    (
        "define:\n  f(a): 1\n  f(b): 2",
        "same-name",
        "`f` is declared in line 4 already",
        "give one of them another name",
    ),
    ("library: Too", "missing-section", "a ruleset is a game with a `name` or a `library`, not both", ""),
]


@pytest.mark.parametrize(("text", "code", "message", "hint"), FAILURES, ids=[f[2][:40] for f in FAILURES])
def test_failure(text: str, code: str, message: str, hint: str) -> None:
    assert check_game(text) == [(code, message, hint)]


def test_version_and_title_are_wanted() -> None:
    diagnostics = check("about: nothing\n")[2]
    assert sorted(d.message for d in diagnostics) == [
        "a ruleset is a game with a `name`, or a `library`, and this says neither",
        "a ruleset says `trionfi`",
    ]


def test_another_version_is_refused() -> None:
    diagnostics = check("trionfi: 2\nname: Game\n")[2]
    assert [(d.message, d.span.column) for d in diagnostics] == [("`trionfi` is 1, not `2`", 10)]


def test_several_failures_each_at_its_place() -> None:
    text = "trionfi: 1\nname: Game\ntable:\n  a: {fase: up, counted: no}\nkinds: {b: c}\n"
    diagnostics = check(text)[2]
    assert [(d.span.line, d.span.column) for d in diagnostics] == [(4, 7), (4, 26), (5, 12)]


def test_what_fails_is_gone_and_what_was_misspelt_is_mended() -> None:
    root, whole, _ = check("trionfi: 1\nname: Game\ntabel:\n  a: {fase: up, capacity: x}\n")
    table = root.get("table")
    assert isinstance(table, Mapping)
    assert [entry.key.text for entry in table.entries[0].value] == ["face"]  # type: ignore[union-attr]
    assert whole


def test_a_lost_entry_is_told() -> None:
    assert not check("trionfi: 1\nname: Game\nvariables:\n  a: [1]\n")[1]
    assert not check("trionfi: 1\nname: Game\nzones:\n  a: {}\n")[1]


def test_empty_sections_are_fine() -> None:
    assert check_game("measures:\ntests:\nuse: {betting: }\ntable:\n  stock:\n") == []


def test_a_sound_file_is_remembered_and_a_broken_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    sound, broken = "trionfi: 1\nname: Sound\n", "trionfi: 1\nname: Broken\ntable: []\n"
    assert len(check(sound)[2]) == 0
    assert len(check(broken)[2]) == 1
    structure._sound_files.cache_clear()
    monkeypatch.setattr(structure, "_validator", lambda: pytest.fail("compared again"))
    assert len(check(sound)[2]) == 0
    with pytest.raises(pytest.fail.Exception):
        check(broken)


# ---- the schema itself


def parts(schema: Any) -> list[dict[str, Any]]:
    """All schemas within a schema."""
    if isinstance(schema, list):
        return [part for item in schema for part in parts(item)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(part for value in schema.values() for part in parts(value))]


def test_every_way_to_fail_has_a_sentence() -> None:
    schema = json.loads((LIBRARY.parent / "dsl" / "schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    said = {
        "title",
        "mapping",
        "description",
        "examples",
        "properties",
        "patternProperties",
        "items",
        "$ref",
        "$defs",
        "$schema",
    }
    named = {key for part in parts(schema) if "title" in part or "$ref" in part for key in part}
    assert named - said == set(structure._REPORTS)


@pytest.mark.parametrize("path", RULESETS, ids=[path.stem for path in RULESETS])
def test_editors_find_the_library_sound(path: Path) -> None:
    jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), editor_schema())


def test_editors_find_what_is_wrong() -> None:
    validator = jsonschema.Draft202012Validator(editor_schema())
    assert list(validator.iter_errors({"trionfi": 1, "name": "Game", "tabel": {}}))
    assert list(validator.iter_errors({"trionfi": 2, "name": "Game"}))
    assert not list(validator.iter_errors({"trionfi": 1, "name": "Game", "players": 2}))
