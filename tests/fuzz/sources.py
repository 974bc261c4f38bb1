"""The texts that are mutated: rulesets and libraries, examples of the pages, small rulesets of the tests, made ones."""

from __future__ import annotations

import ast
import atexit
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from textwrap import dedent, indent
from zlib import crc32

from ..bounded.nasty import KINDS
from ..docs.doc_examples import DOCS, ROOT, read_page
from ..interpreter.conftest import DECK, HEAD, RESULT, TABLE, top_keys
from ..native.made_rulesets import make
from .made_games import make_game

LIBRARY = ROOT / "rulesets"
TESTS = ROOT / "tests"
CORPUS = Path(__file__).parent / "corpus"
MANY = 40  # of what makes a ruleset too large
LONG = 5_000  # characters; longer texts are taken less often


@dataclass(frozen=True, slots=True)
class Text:
    """A ruleset's text and where it comes from; `beside`: texts of files that lie beside it, by name."""

    name: str
    text: str
    beside: tuple[tuple[str, str], ...] = ()


@cache
def sources() -> list[Text]:
    """All texts that there are, in an order that follows from the files alone."""
    return [
        *of_library(),
        *of_pages(),
        *of_tests(),
        *of_small_games(),
        *of_files(TESTS / "data"),
        *of_files(CORPUS),
        *of_large(),
    ]


def of_library() -> Iterator[Text]:
    return of_files(LIBRARY)


def of_files(folder: Path) -> Iterator[Text]:
    for path in sorted(folder.rglob("*.yaml")):
        yield Text(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))


def of_pages() -> Iterator[Text]:
    """The examples of the pages; small pieces, since each is a variant of the page's table."""
    tables: dict[str, str] = {}
    for page in (DOCS / "language.md", DOCS / "tutorial.md", DOCS / "rankings.md"):
        for example in read_page(page, tables):
            if "table.yaml" in example.files:
                tables.setdefault("table.yaml", example.files["table.yaml"])
            yield Text(f"{page.name}:{example.line}", example.text, tuple(sorted(example.files.items())))


def of_tests() -> Iterator[Text]:
    """Texts in the tests that are rulesets."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_ruleset(node.value):
                yield Text(f"{path.relative_to(ROOT).as_posix()}:{node.lineno}", node.value)


def of_large() -> Iterator[Text]:
    """What is too much in some way, of a size at which much of it still is played."""
    for name, make_large in KINDS.items():
        yield Text(f"tests/bounded/nasty.py:{name}", make_large(MANY))


def of_small_games() -> Iterator[Text]:
    """The games that tests of the engines make of a play script and some sections: `small(play, sections)`."""
    for path in sorted((TESTS / "interpreter").glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "small":
                given = [one.value for one in node.args if isinstance(one, ast.Constant)]
                if given and len(given) == len(node.args):
                    yield Text(f"{path.relative_to(ROOT).as_posix()}:{node.lineno}", small_game(*map(str, given)))


def small_game(play: str, sections: str = "") -> str:
    given = dedent(sections)
    parts = [part for part in (DECK, TABLE, RESULT) if part.split(":")[0] not in top_keys(given)]
    script = indent(dedent(play).strip("\n"), "  ")
    return "".join(f"{part.rstrip()}\n" for part in (HEAD, *parts, given) if part) + f"play: |\n{script}\n"


def is_ruleset(text: str) -> bool:
    return "trionfi: 1" in text and "\n" in text and ("play:" in text or "library:" in text)


@cache
def folder_of(beside: tuple[tuple[str, str], ...]) -> Path:
    """A folder with these files; it goes when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="trionfi-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, text in beside:
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def place_of(source: Text) -> str:
    """The path that a text is read under: where what it uses and extends lies beside it."""
    if source.beside:
        return str(folder_of(source.beside) / "mutant.yaml")
    if source.name.startswith(("rulesets/", "tests/data/")):
        return str(ROOT / source.name)
    return "mutant.yaml"


def a_source(dice: Random) -> Text:
    """One of them, or one made at random; short ones more often, since they are read and played soon."""
    lot = dice.random()
    if lot < 0.06:
        return Text("made", make(dice))
    if lot < 0.12:
        return Text("made game", make_game(dice))
    found = drawn(dice.randrange(1 << 30))
    return found if len(found.text) + length_of_others(found) < LONG or dice.random() < 0.1 else a_source(dice)


def drawn(lot: int) -> Text:
    """One of the sources, so that most lots draw the same when another source is added (rendezvous hashing)."""
    return max(zip(sources(), marks(), strict=True), key=lambda one: crc32(b"%d %d" % (lot, one[1])))[0]


@cache
def marks() -> list[int]:
    return [crc32(source.text.encode()) for source in sources()]


@cache
def length_of_others(source: Text) -> int:
    """Characters of the library's files that a text names, and of those that they name."""
    named = re.findall(r"^(?:extends: |use: \{?|  from: )([\w-]+)", source.text, re.MULTILINE)
    files = [LIBRARY.rglob(f"{name}.yaml") for name in named]
    others = [Text(str(path), path.read_text(encoding="utf-8")) for paths in files for path in paths]
    return sum(len(other.text) + length_of_others(other) for other in others)
