"""The language reference is complete, and what it shows holds: every example is checked, its tests are run, and every
form of the language (node of the checked tree, rule of the grammar, key of a section, belonging) has an example."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
import yaml
from doc_examples import DOCS, TABLE, Example, codes_of, read_page

from trionfi import dsl
from trionfi.dsl import read_ruleset, tree
from trionfi.dsl.check.spoken import kind_of
from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.grammar import build_parser, script_parser, words
from trionfi.dsl.reserved import FREE, VERBS
from trionfi.dsl.tree import words as closed
from trionfi.dsl.tree.walk import walk

PAGE = DOCS / "language.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = list(read_page(PAGE))
CLOSED = {name: one for name, one in vars(closed).items() if get_origin(one) is Literal}
FILES = EXAMPLES[0].files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page."""
    folder = tmp_path_factory.mktemp("language")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


class Seen:
    """What of the language the examples use: rules of the grammar, nodes of the tree, keys of sections, belongings."""

    def __init__(self) -> None:
        self.rules: set[str] = set()
        self.nodes: set[type] = set()
        self.keys: set[tuple[str, str]] = set()
        self.belongings: set[tuple[str, str]] = set()
        self.words: dict[object, set[str]] = {}  # by the closed list that they are of
        self.wrong: dict[str, list[str]] = {}

    def note_ruleset(self, ruleset: tree.Ruleset, name: str) -> None:
        for node in walk(ruleset):
            if getattr(node, "span", None) is None or node.span.source.name != name:
                continue
            self.nodes.add(type(node))
            for field, hint in hints_of(type(node)).items():
                self.words.setdefault(hint, set()).add(getattr(node, field))
            if isinstance(node, tree.Attribute):
                self.belongings.add((kind_of(node.operand.type), node.name))


@cache
def hints_of(node: type) -> dict[str, Any]:
    """The fields of a node that hold words of a closed list, or none, with that list."""
    hints = get_type_hints(node, None, vars(tree))
    lists = ((name, one) for name, hint in hints.items() for one in (hint, *get_args(hint)))
    return {name: one for name, one in lists if one in CLOSED.values()}


@pytest.fixture(scope="module")
def seen(folder: Path) -> Seen:
    """All examples read once."""
    seen = Seen()
    parser = script_parser()
    parse = parser.parse

    def noting(text: Any, start: str | None = None) -> Any:
        parsed = parse(text, start=start)
        if text.text in texts:
            seen.rules.update(part.data for part in parsed.iter_subtrees())
        return parsed

    texts = {example.text for example in EXAMPLES}
    parser.parse = noting  # type: ignore[method-assign]
    try:
        for example in EXAMPLES:
            note(example, folder, seen)
    finally:
        parser.parse = parse  # type: ignore[method-assign]
    return seen


def note(example: Example, folder: Path, seen: Seen) -> None:
    path = str(folder / example.name)
    ruleset, diagnostics = read_ruleset(path, example.text)
    seen.wrong[str(example)] = complaints(example, diagnostics)
    if ruleset is not None:
        seen.note_ruleset(ruleset, path)
    seen.keys.update(keys_in(yaml.load(example.text, yaml.BaseLoader), schema(), "ruleset"))


def complaints(example: Example, diagnostics: Diagnostics) -> list[str]:
    """Whole games have nothing that could be said against them; pieces have no error."""
    strict = example.is_file and example.name != TABLE
    return [str(one) for one in diagnostics if one.severity == "error" or strict]


@cache
def schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((Path(dsl.__file__).parent / "schema.json").read_text(encoding="utf-8"))
    return loaded


def keys_in(value: Any, part: dict[str, Any], place: str) -> Iterator[tuple[str, str]]:
    """The keys of the schema that a value uses, each with the definition that has it."""
    if "$ref" in part:
        place = part["$ref"].rpartition("/")[2]
        part = schema()["$defs"][place]
    if isinstance(value, list):
        for item in value:
            yield from keys_in(item, part.get("items", {}), place)
    for key, inner in value.items() if isinstance(value, dict) else ():
        pattern = next(
            (p for p in part.get("patternProperties", {}) if key.startswith(p.strip("^").split("\\")[0])), ""
        )
        if key in part.get("properties", {}):
            yield place, key
            yield from keys_in(inner, part["properties"][key], f"{place}.{key}")
        elif pattern:
            yield place, pattern
            yield from keys_in(inner, part["patternProperties"][pattern], place)
        else:
            yield from keys_in(inner, part.get("additionalProperties") or {}, place)


def all_keys(part: Any, place: str) -> Iterator[tuple[str, str]]:
    """Every key that the schema has, with the definition that has it."""
    for kind in ("properties", "patternProperties"):
        for key, inner in part.get(kind, {}).items():
            yield place, key
            if "$ref" not in inner:
                yield from all_keys(inner, f"{place}.{key}" if kind == "properties" else place)
    for key in ("items", "additionalProperties"):
        if isinstance(part.get(key), dict) and "$ref" not in part[key]:
            yield from all_keys(part[key], place)


# ---- the examples


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_each_example_is_right(example: Example, seen: Seen) -> None:
    assert seen.wrong[str(example)] == []


def test_the_tests_in_the_examples_hold(folder: Path) -> None:
    from trionfi.interpreter.examples import run_examples
    from trionfi.interpreter.rules import load

    tested = [example for example in EXAMPLES if "\ntests:" in example.text]
    assert len(tested) >= 2
    for example in tested:
        path = folder / "tested.yaml"
        path.write_text(example.text, encoding="utf-8")
        for outcome in run_examples(load(str(path)), "reference"):
            assert outcome.failure == "", outcome.title


# ---- nothing is left out


def test_each_node_has_an_example(seen: Seen) -> None:
    nodes = [
        one for one in vars(tree).values() if isinstance(one, type) and issubclass(one, tree.Expr | tree.Statement)
    ]
    nodes = [one for one in nodes if one not in (tree.Expr, tree.Statement)]
    assert len(nodes) > 80
    assert {one.__name__ for one in nodes} - {one.__name__ for one in seen.nodes} == set()


def test_each_rule_of_the_grammar_has_an_example(seen: Seen) -> None:
    rules = {
        str(rule.alias or rule.origin.name)
        for rule in build_parser().rules
        if rule.alias or not (rule.options.expand1 or rule.origin.name.startswith("_"))
    }
    assert len(rules) > 90
    assert rules - seen.rules == set()


def test_each_key_has_an_example(seen: Seen) -> None:
    keys = set(all_keys(schema(), "ruleset"))
    for name, part in schema()["$defs"].items():
        keys |= set(all_keys(part, name))
    assert len(keys) > 120
    assert keys - seen.keys == set()


def test_each_belonging_has_an_example(seen: Seen) -> None:
    assert tree.ATTRIBUTES.keys() - seen.belongings == set()


def test_each_word_of_a_closed_list_has_an_example(seen: Seen) -> None:
    assert len(CLOSED) > 8
    missing = {name: set(get_args(words)) - seen.words.get(words, set()) for name, words in CLOSED.items()}
    assert not any(missing.values()), missing


def test_each_section_has_a_chapter() -> None:
    sections = [line.lstrip("# ").lower() for line in TEXT.splitlines() if line.startswith("### ")]
    told = {word for line in sections for word in line.replace(",", "").split()}
    elsewhere = {  # sections whose chapter is called otherwise
        **dict.fromkeys(("trionfi", "name", "about", "players", "teams", "direction"), "title"),
        "attributes": "marks",
        "decks": "deck",
        "use": "libraries",
        "library": "libraries",
        **dict.fromkeys(("parameters", "needs", "may be replaced"), "libraries"),
        "extends": "variants",
        "without": "variants",
    }
    assert {elsewhere.get(key, key) for key in schema()["properties"]} - told == set()


def test_each_word_of_the_language_is_listed() -> None:
    blocks = TEXT.partition("### The language's own words")[2].split("```text\n")[1:]
    listed = [block.partition("```")[0].split() for block in blocks]
    assert listed == [sorted(some) for some in (words() - FREE - VERBS, VERBS, FREE)]


def test_a_mistake_in_an_example_is_found(folder: Path) -> None:
    example = next(one for one in EXAMPLES if "lead.rank is 7..10" in one.text)
    bad = replace(example, text=example.text.replace("lead.rank is 7..10", "lead.rank is sevn"))
    _, diagnostics = read_ruleset(str(folder / bad.name), bad.text)
    assert len(complaints(bad, diagnostics)) == 1
    assert codes_of("`a` and ``b ` c``") == ["a", "b ` c"]


GAMES = [one for one in EXAMPLES if one.is_file and "\nname:" in one.text]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_each_whole_game_can_be_played(game: Example, folder: Path) -> None:
    from trionfi.interpreter.rules import load

    rules = load(str(folder / game.name))
    for players in {*rules.players}:
        assert rules.simulate(4, players=players, engine="reference", seed=1, workers=1).games == 4
