"""The page of messages has every code with its rule; each example gives just its message, and what stands beside it none."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from doc_examples import DOCS, make_variant, read_page

import trionfi.dsl
import trionfi.effects
import trionfi.interpreter
from trionfi.dsl.diagnostics import CODES, RulesError
from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.examples import run_examples
from trionfi.interpreter.rules import Rules, load

PAGE = DOCS / "diagnostics.md"
TEXT = PAGE.read_text(encoding="utf-8")
# A piece of a game may hold what nobody uses.
OF_PIECES = {"unused", "unused-name", "never-read", "never-set"}
TOO = {"nested-too-deep": {"wrong-kind"}, "too-many-messages": {"not-a-name"}}  # what comes with a message

_ENTRY = re.compile(r"^### `([\w-]+)`\n\n> (.+?)\n\n([\s\S]*?)(?=^##|\Z)", re.MULTILINE)
_BLOCK = re.compile(r"^```(yaml|script) (not|but)(?: ([\w-]+))?\n([\s\S]*?)^```$", re.MULTILINE)
_ROWS = re.compile(r"<!-- example: (\w+) -->\n\|[^\n]*\n\|[^\n]*\n((?:\|[^\n]*\n?)+)")


@dataclass(frozen=True, slots=True)
class Piece:
    """One example: how it is written, how it is read, and whether it is how not to do it."""

    code: str
    kind: str
    text: str
    wrong: bool

    def __str__(self) -> str:
        return f"{self.code}-{'not' if self.wrong else 'but'}"


def pieces() -> Iterator[Piece]:
    for code, _, body in _ENTRY.findall(TEXT):
        for language, word, how, text in _BLOCK.findall(body):
            piece = "entry" if language == "yaml" else "statement"
            kind = {"": piece, "many": piece, "run": f"run {piece}"}.get(how, how)
            yield Piece(code, kind, written_out(text) if how == "many" else text, word == "not")
        for kind, rows in _ROWS.findall(body):
            for row in rows.splitlines():
                bad, good = re.findall(r"`(.+?)`", row)
                yield Piece(code, kind, bad, True)
                yield Piece(code, kind, good, False)


def written_out(text: str) -> str:
    """With the lines that `# ... and so on, up to N` stands for: the one before it for each number, and where that
    says the number before its own, likewise."""
    match = re.search(r"^(.*\n) *# \.\.\. and so on, up to (\d+)\n", text, re.MULTILINE)
    assert match is not None
    last = match[1]

    def line(number: int) -> str:
        return re.sub(r"(?<![0-9])[12](?![0-9])", lambda m: str(number - 2 + int(m.group())), last)

    return text[: match.start(1)] + last + "".join(line(n) for n in range(3, int(match[2]) + 1)) + text[match.end() :]


PIECES = list(pieces())


def import_all_rooms() -> None:
    for package in (trionfi.dsl, trionfi.effects, trionfi.interpreter):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table of the examples and the libraries of the page."""
    folder = tmp_path_factory.mktemp("messages")
    table = next(read_page(DOCS / "language.md")).files
    for name, text in {**table, **next(read_page(PAGE)).files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def codes_of(piece: Piece, folder: Path) -> set[str]:
    """The codes of all messages that come when a piece is read, and, if it is to be run, played."""
    coding = "latin-1" if piece.kind == "latin-1" else "utf-8"
    return codes_found(text_of(piece), folder, coding, settings_of(piece), "run" in piece.kind)


def codes_found(
    text: str, folder: Path, coding: str = "utf-8", options: dict[str, str] | None = None, plays: bool = False
) -> set[str]:
    path = folder / "example.yaml"
    path.write_text(text, encoding=coding)
    try:
        rules = load(str(path), options)
    except RulesError as error:
        return {one.code for one in error.diagnostics}
    found = {one.code for one in rules.diagnostics if one.span.source.name == str(path)}
    return found | (codes_in_play(rules) if plays else set())


def settings_of(piece: Piece) -> dict[str, str]:
    name, _, value = piece.text.partition("=")
    return {name: value} if piece.kind == "set" else {}


def text_of(piece: Piece) -> str:
    if piece.kind in ("file", "latin-1"):
        return piece.text
    if piece.kind == "set":
        return make_variant("statement", ["end game"])
    return make_variant(piece.kind.removeprefix("run").strip() or "statement", [piece.text])


def codes_in_play(rules: Rules) -> set[str]:
    """Of a game among bots, of which the first plays the strategy that there is; and of the tests."""
    name = [*rules.ruleset.strategies, "random"][0]
    codes = set()
    try:
        game = rules.start(seed=1, engine="reference", players=rules.players[1])
        bots = seat_bots(rules, [name] * rules.players[1], 1, 0)
        while game.decision is not None:
            game.decision.labels()
            game.apply(bots[game.decision.player](game))
    except GameError as error:
        codes.add(error.code)
    failures = [outcome.failure for outcome in run_examples(rules, "reference")]
    return codes | {code for failure in failures for code in re.findall(r"\[([\w-]+)\]$", failure, re.MULTILINE)}


TOGETHER = {
    kind: [piece for piece in PIECES if piece.kind == kind and not piece.wrong] for kind in ("statement", "expression")
}
ALONE = [piece for piece in PIECES if piece.wrong or piece.kind not in TOGETHER]


@pytest.mark.parametrize("kind", TOGETHER)
def test_short_pieces_that_are_right_give_no_message(kind: str, folder: Path) -> None:
    texts = [piece.text for piece in TOGETHER[kind]]
    assert len(texts) > 15
    assert codes_found(make_variant(kind, texts), folder) <= OF_PIECES


@pytest.mark.parametrize("piece", ALONE, ids=str)
def test_each_example_gives_its_message_and_no_other(piece: Piece, folder: Path) -> None:
    found = codes_of(piece, folder)
    if piece.wrong:
        assert found - (OF_PIECES - {piece.code}) == {piece.code} | TOO.get(piece.code, set())
    else:
        assert piece.code not in found
        assert found <= OF_PIECES


def test_each_code_has_its_entry_with_its_rule_and_examples() -> None:
    import_all_rooms()
    entries = {code: rule for code, rule, _ in _ENTRY.findall(TEXT)}
    assert entries == CODES
    assert {(piece.code, piece.wrong) for piece in PIECES} == {
        (code, wrong) for code in CODES for wrong in (True, False)
    }


def test_each_code_is_listed_at_the_top() -> None:
    listed = TEXT.partition("\n## ")[0]
    assert set(re.findall(r"\[([\w-]+)\]\(#\1\)", listed)) == {code for code, _, _ in _ENTRY.findall(TEXT)}


def test_rules_are_sentences() -> None:
    import_all_rooms()
    assert [rule for rule in CODES.values() if not re.fullmatch(r"[A-Z`].*\.", rule, re.DOTALL)] == []
