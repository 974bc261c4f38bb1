"""Rulesets put together from files: libraries, variants, decks."""

from __future__ import annotations

from pathlib import Path

import pytest

from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.library import Draft, find, form_codes, library_files, library_games, read_draft
from trionfi.dsl.nodes import Mapping, Node, Scalar, Sequence

BETTING = """
library: Stakes
parameters:
  unit: {kind: number, default: 1}
  stake: {kind: number}
options:
  speed: {choices: [slow, fast], default: slow}
variables:
  pot: {counts: chips}
  chips: {per: player, counts: chips, start: stake}
define:
  rich(player): player.chips > 10
strategies:
  caller:
    betting: pick "call"
tests:
  - "of the library": {expect: pot is 0}
"""
BASE = """
name: Base
players: 2
use:
  stakes: {stake: 100}
deck: {from: small, ace: high, attributes: {height: card.rank.place}}
options:
  goal: {default: 10, range: 1..100, about: to win}
variables:
  rounds: 0
play: stop
define:
  worth(card): 1
measures:
  when over: {long: rounds > 5}
tests:
  - "of the base": {expect: rounds is 0}
"""
SMALL = """
library: Small deck
deck:
  ranks: [ace, 2]
  attributes: {red: true}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("stakes", BETTING), ("base", BASE), ("small", SMALL)):
        write(tmp_path, name, text)
    return tmp_path


def write(folder: Path, name: str, text: str) -> str:
    path = folder / f"{name}.yaml"
    path.write_text("trionfi: 1\n" + text.lstrip("\n"), encoding="utf-8")
    return str(path)


def read(path: str) -> tuple[Draft | None, Diagnostics]:
    diagnostics = Diagnostics()
    return read_draft(path, diagnostics), diagnostics


def draft_of(path: str) -> Draft:
    draft, diagnostics = read(path)
    assert [str(d) for d in diagnostics] == []
    assert draft is not None
    return draft


def complaints(path: str) -> list[tuple[str, str, str]]:
    """Place (file's name, line and column), message and hint."""
    return [
        (f"{Path(d.span.source.name).name}:{d.span.line}:{d.span.column}", d.message, d.hint) for d in read(path)[1]
    ]


def plain(node: Node | None) -> object:
    if isinstance(node, Mapping):
        return {entry.key.text: plain(entry.value) for entry in node}
    if isinstance(node, Sequence):
        return [plain(item) for item in node]
    return node.text if node else None


# ---- finding


def test_names_paths_and_what_lies_beside(folder: Path) -> None:
    files = library_files()
    assert find("two-win") == files["two-win"]
    assert find("betting") == files["betting"]
    assert find("base") is None
    assert find("base", folder) == folder / "base.yaml"
    assert find(str(folder / "base.yaml")) == folder / "base.yaml"
    write(folder, "betting", SMALL)
    assert find("betting", folder) == folder / "betting.yaml"
    assert find("../base", folder / "x") is None


def test_games_and_libraries() -> None:
    assert {"two-win", "kuhn"} <= set(library_games())
    assert {"betting", "tarot", "standard"} & set(library_games()) == set()


def test_names_in_the_library_are_different() -> None:
    from trionfi.dsl.library import LIBRARY

    assert len(list(LIBRARY.rglob("*.yaml"))) == len(library_files())


@pytest.mark.parametrize("name", sorted(library_files()))
def test_the_library_can_be_read(name: str) -> None:
    draft = draft_of(name)
    assert draft.whole
    assert draft.key == name
    assert draft.is_library == (name not in library_games())


def test_unknown_rulesets_have_a_hint(folder: Path) -> None:
    assert complaints("two-wim") == [
        (
            "two-wim:1:1",
            "there is no ruleset `two-wim` in the library",
            "did you mean `two-win`?",
        )
    ]
    assert complaints("nowhere/two-win.yaml")[0][1] == "there is no file `nowhere/two-win.yaml`"
    path = write(folder, "x", "name: X\nuse: {betting: {}, betin: {}}\nextends: bas\n")
    assert [c[:2] for c in complaints(path)] == [
        ("x.yaml:3:20", "there is no ruleset `betin` in the library or beside this file"),
        ("x.yaml:4:10", "there is no ruleset `bas` in the library or beside this file"),
    ]
    assert complaints("two-win") == []
    assert [c[2] for c in complaints(path)] == ["did you mean `betting`?", "did you mean `base`?"]


def test_a_file_here_that_is_called_by_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert complaints("base")[0][2] == "for the file write `base.yaml`"
    assert complaints("base.yaml") == []


@pytest.mark.parametrize("name", ["../base", "/etc/passwd", "sub/base", "base.yaml"])
def test_rulesets_name_no_paths(folder: Path, name: str) -> None:
    path = write(folder, "x", f"name: X\nextends: {name}\n")
    assert [c[0] for c in complaints(path)] == ["x.yaml:3:10"]


def test_files_that_are_no_text(folder: Path) -> None:
    bad = folder / "bad.yaml"
    bad.write_bytes(b"trionfi: 1\nname: \xff\n")
    assert complaints(str(bad)) == [
        (
            "bad.yaml:2:7",
            "a ruleset is a text in UTF-8; byte 17 of this file is no UTF-8",
            "save it as UTF-8 in the editor",
        )
    ]
    bad.write_text("trionfi: 1\nname: X\n", encoding="utf-16")
    assert "this file is UTF-16" in complaints(str(bad))[0][1]
    bad.write_bytes("\ufefftrionfi: 1\r\nname: X\r\n".encode())
    assert complaints(str(bad)) == []


def test_a_text_stands_for_its_file(folder: Path) -> None:
    diagnostics = Diagnostics()
    draft = read_draft(str(folder / "new.yaml"), diagnostics, text="trionfi: 1\nname: New\nextends: base\n")
    assert not diagnostics.found
    assert draft is not None
    assert (draft.key, plain(draft.sections["name"])) == ("new", "New")
    assert "variables" in draft.sections


# ---- use


def test_sections_of_libraries_are_the_games(folder: Path) -> None:
    draft = draft_of(str(folder / "base.yaml"))
    assert list(plain(draft.sections["variables"])) == ["pot", "chips", "rounds"]  # type: ignore[call-overload]
    assert plain(draft.sections["name"]) == "Base"
    assert [test.key.text for test in draft.tests] == ["of the base", "of the library"]
    assert {Path(source.name).stem for source in draft.sources} == {"base", "stakes", "small"}
    chips = draft.sections["variables"].entry("chips")  # type: ignore[union-attr]
    assert Path(chips.key.span.source.name).name == "stakes.yaml"  # type: ignore[union-attr]


def test_parameters_are_bound(folder: Path) -> None:
    draft = draft_of(str(folder / "base.yaml"))
    assert [(p.name, p.bound and p.bound.text, p.library) for p in draft.parameters] == [
        ("unit", None, "stakes"),
        ("stake", "100", "stakes"),
    ]


def test_a_library_by_itself(folder: Path) -> None:
    draft = draft_of(str(folder / "stakes.yaml"))
    assert draft.is_library
    assert [(p.name, p.bound) for p in draft.parameters] == [("unit", None), ("stake", None)]


def test_wrong_parameters(folder: Path) -> None:
    path = write(folder, "x", "name: X\nuse: {stakes: {unti: 2}}\n")
    assert complaints(path) == [
        ("x.yaml:3:7", "the library `stakes` wants its parameter `stake` set", "write `stakes: {stake: ...}`"),
        ("x.yaml:3:16", "the library `stakes` has no parameter `unti`", "did you mean `unit`?"),
    ]


def test_games_are_not_used_and_libraries_not_extended(folder: Path) -> None:
    path = write(folder, "x", "name: X\nuse: {base: {}}\nextends: stakes\ndeck: kuhn\n")
    assert complaints(path) == [
        ("x.yaml:3:7", "`base` is a game: it is extended, not used", "write `extends: base`"),
        ("x.yaml:4:10", "`stakes` is a library: it is used, not extended", "write `use: {stakes: {}}`"),
        ("x.yaml:5:7", "`kuhn` is no library with a deck", ""),
    ]


def test_a_name_is_declared_once(folder: Path) -> None:
    path = write(folder, "x", "name: X\nuse: {stakes: {stake: 1}}\nvariables:\n  pot: 0\ndefine:\n  rich(card): true\n")
    found = complaints(path)
    assert [c[0] for c in found] == ["x.yaml:5:3", "x.yaml:7:3"]
    assert "`pot` is declared in" in found[0][1]
    assert "stakes.yaml:9:3 already" in found[0][1]


def test_two_libraries_with_one_name(folder: Path) -> None:
    write(folder, "other", "library: Other\ndefine:\n  rich(player): true\n")
    path = write(folder, "x", "name: X\nuse:\n  stakes: {stake: 1}\n  other: {}\n")
    assert [c[0] for c in complaints(path)] == ["other.yaml:4:3"]


def test_a_game_changes_options_and_strategies_of_a_library(folder: Path) -> None:
    text = (
        "name: X\nuse: {stakes: {stake: 1}}\noptions:\n  speed: {default: fast}\nstrategies:\n  caller: {cards: stop}\n"
    )
    draft = draft_of(write(folder, "x", text))
    assert plain(draft.sections["options"]) == {"speed": {"choices": ["slow", "fast"], "default": "fast"}}
    assert list(plain(draft.sections["strategies"])["caller"]) == ["betting", "cards"]  # type: ignore[index, call-overload]


def test_a_library_that_two_use_is_there_once(folder: Path) -> None:
    write(folder, "other", "library: Other\nuse: {stakes: {stake: 5}}\n")
    draft = draft_of(write(folder, "x", "name: X\nuse: {other: {}, stakes: {unit: 2}}\n"))
    assert [(p.name, p.bound and p.bound.text) for p in draft.parameters] == [("unit", "2"), ("stake", "5")]
    path = write(folder, "y", "name: Y\nuse:\n  stakes: {stake: 4}\n  other: {}\n")
    assert [(c[0], "is set otherwise in" in c[1]) for c in complaints(path)] == [("other.yaml:3:16", True)]


# ---- extends and without


def test_a_variant_changes_entries_by_name_and_key(folder: Path) -> None:
    path = write(
        folder,
        "x",
        """
name: Variant
extends: base
use:
  stakes: {unit: 5}
options:
  goal: {default: 20}
variables:
  rounds: {about: how many}
  fresh: 1
define:
  worth(card, player): 2
measures:
  when over: {short: rounds < 5}
tests:
  - "of the variant": {expect: rounds is 0}
""",
    )
    draft = draft_of(path)
    sections = {name: plain(node) for name, node in draft.sections.items()}
    assert sections["name"] == "Variant"
    assert sections["players"] == "2"
    assert sections["options"]["goal"] == {"default": "20", "range": "1..100", "about": "to win"}  # type: ignore[index]
    assert sections["variables"]["rounds"] == {"start": "0", "about": "how many"}  # type: ignore[index]
    assert sections["variables"]["fresh"] == "1"  # type: ignore[index]
    assert sections["define"] == {"rich(player)": "player.chips > 10", "worth(card, player)": {"is": "2"}}
    assert sections["measures"] == {"when over": {"long": "rounds > 5", "short": "rounds < 5"}}
    assert [test.key.text for test in draft.tests] == ["of the variant"]
    assert {p.name: p.bound and p.bound.text for p in draft.parameters} == {"unit": "5", "stake": "100"}


def test_a_variant_of_a_variant(folder: Path) -> None:
    write(folder, "x", "name: X\nextends: base\noptions:\n  goal: {default: 20}\n")
    draft = draft_of(write(folder, "y", "name: Y\nextends: x\nwithout: [rounds]\noptions:\n  goal: {range: 5..50}\n"))
    assert plain(draft.sections["options"])["goal"] == {"default": "20", "range": "5..50", "about": "to win"}  # type: ignore[index]
    assert "rounds" not in plain(draft.sections["variables"])  # type: ignore[operator]


@pytest.mark.parametrize(
    ("name", "section", "left"),
    [
        ("rounds", "variables", ["pot", "chips"]),
        ("rich", "define", ["worth(card)"]),
        ("measures", "measures", None),
        ("long", "measures", ["when over"]),
        ("variables.chips", "variables", ["pot", "rounds"]),
        ("deck.ace", "deck", ["ranks", "attributes", "from"]),
    ],
)
def test_without(folder: Path, name: str, section: str, left: list[str] | None) -> None:
    draft = draft_of(write(folder, "x", f"name: X\nextends: base\nwithout: [{name}]\n"))
    found = plain(draft.sections.get(section))
    assert (list(found) if isinstance(found, dict) else found) == left


def test_without_something_that_is_not_there(folder: Path) -> None:
    path = write(folder, "x", "name: X\nextends: base\nwithout: [ronds, goal.range, caller]\nmeasures: {goal: 1}\n")
    assert complaints(path) == [
        ("x.yaml:4:11", "there is nothing called `ronds` to leave out", "did you mean `rounds`?"),
        ("x.yaml:4:18", "there is nothing called `goal.range` to leave out", ""),
    ]


def test_without_something_that_is_there_twice(folder: Path) -> None:
    write(folder, "x", "name: X\nextends: base\nmeasures: {rounds: rounds}\n")
    path = write(folder, "y", "name: Y\nextends: x\nwithout: [rounds]\n")
    assert complaints(path) == [
        (
            "y.yaml:4:11",
            "several entries are called `rounds`",
            "say which: `variables.rounds` or `measures.rounds`",
        )
    ]
    assert complaints(write(folder, "y", "name: Y\nextends: x\nwithout: [measures.rounds]\n")) == []


def test_what_is_dropped_may_be_declared_anew(folder: Path) -> None:
    text = "name: X\nextends: base\nwithout: [rounds]\nvariables:\n  rounds: {kind: player}\n"
    draft = draft_of(write(folder, "x", text))
    assert plain(draft.sections["variables"])["rounds"] == {"kind": "player"}  # type: ignore[index]


# ---- circles


def test_circles(folder: Path) -> None:
    write(folder, "a", "name: A\nextends: b\n")
    assert complaints(write(folder, "b", "name: B\nextends: a\n")) == [
        ("a.yaml:3:10", "this goes round in a circle: b → a → b", "")
    ]
    assert complaints(write(folder, "c", "name: C\nextends: c\n"))[0][1] == "this goes round in a circle: c → c"
    write(folder, "d", "library: D\nuse: {e: {}}\n")
    write(folder, "e", "library: E\nuse: {d: {}}\n")
    path = write(folder, "f", "name: F\nuse: {d: {}}\n")
    assert complaints(path) == [("e.yaml:3:7", "this goes round in a circle: d → e → d", "")]
    path = write(folder, "g", "library: G\ndeck: g\n")
    assert complaints(path)[0][1] == "this goes round in a circle: g → g"


# ---- decks


def test_a_deck_holds_what_its_library_declares(folder: Path) -> None:
    draft = draft_of(str(folder / "base.yaml"))
    assert plain(draft.sections["deck"]) == {
        "ranks": ["ace", "2"],
        "attributes": {"red": "true", "height": "card.rank.place"},
        "from": "small",
        "ace": "high",
    }


def test_a_deck_by_its_name_and_several_decks(folder: Path) -> None:
    draft = draft_of(write(folder, "x", "name: X\ndeck: small\n"))
    assert plain(draft.sections["deck"])["ranks"] == ["ace", "2"]  # type: ignore[index]
    draft = draft_of(write(folder, "x", "name: X\ndecks:\n  main: small\n  other: {from: small, ranks: [3]}\n"))
    decks = plain(draft.sections["decks"])
    assert decks["main"]["ranks"] == ["ace", "2"]  # type: ignore[index]
    assert decks["other"]["ranks"] == ["3"]  # type: ignore[index]


def test_a_variant_takes_another_deck(folder: Path) -> None:
    draft = draft_of(write(folder, "x", "name: X\nextends: base\ndeck: tarot\n"))
    deck = plain(draft.sections["deck"])
    assert deck["from"] == "tarot"  # type: ignore[index]
    assert deck["ace"] == "high"  # type: ignore[index]
    assert len(deck["ranks"]) == 14  # type: ignore[index, arg-type]
    assert set(deck["attributes"]) == {"major", "height"}  # type: ignore[index, arg-type]


def test_ranks_replace_those_that_were_there_with_their_order(folder: Path) -> None:
    for text in ("extends: base\ndeck: {ranks: [ace, 7, 8]}", "deck: {from: base_deck, ranks: [ace, 7, 8]}"):
        write(folder, "base_deck", "library: High\ndeck: {from: small, ace: high}\n")
        draft = draft_of(write(folder, "x", f"name: X\n{text}\n"))
        deck = plain(draft.sections["deck"])
        assert deck["ranks"] == ["ace", "7", "8"]  # type: ignore[index]
        assert "ace" not in deck, text  # type: ignore[operator]


def test_what_else_a_deck_library_holds_comes_with_it(folder: Path) -> None:
    write(folder, "odd", "library: Odd\ndeck: {from: small}\noptions: {jokers: {default: 0}}\n")
    draft = draft_of(write(folder, "x", "name: X\ndecks: {main: odd}\n"))
    assert "deck" not in draft.sections
    assert plain(draft.sections["options"]) == {"jokers": {"default": "0"}}
    assert plain(draft.sections["decks"])["main"]["ranks"] == ["ace", "2"]  # type: ignore[index]


# ---- files that are not whole


def test_a_draft_says_if_something_could_not_be_read(folder: Path) -> None:
    draft, diagnostics = read(write(folder, "x", "name: X\nhello there\nextends: base\n"))
    assert draft is not None
    assert not draft.whole
    assert {d.code for d in diagnostics} <= form_codes()
    assert "variables" in draft.sections


def test_places_in_drafts_are_those_of_the_files(folder: Path) -> None:
    draft, _ = read(write(folder, "x", "name: X\ntable:\n   a: {}\n  b: {}\nkinds: {k: [l]}\n"))
    assert draft is not None
    kinds = draft.sections["kinds"]
    assert isinstance(kinds, Mapping)
    assert str(kinds.entries[0].key.span).endswith("x.yaml:6:9")
    assert isinstance(kinds.entries[0].key, Scalar)


def test_a_section_that_is_one_thing_is_declared_once(folder: Path) -> None:
    write(folder, "other", "library: Other\nplay: stop\n")
    found = complaints(write(folder, "x", "name: X\nuse: {other: {}}\nplay: stop\n"))
    assert [(c[0], c[1].startswith("`play` is declared in")) for c in found] == [("x.yaml:4:1", True)]
    assert complaints(write(folder, "y", "name: Y\nextends: base\nplay: stop\n")) == []


def test_a_library_with_more_errors_than_are_told_is_no_game() -> None:
    from trionfi.dsl import read_game

    defines = "".join(f"  one_{number}(): nothing_{number}\n" for number in range(150))
    ruleset, diagnostics = read_game("many.yaml", f"trionfi: 1\nlibrary: Many\ndefine:\n{defines}")
    assert ruleset is None
    assert [one.code for one in diagnostics.found].count("too-many-messages") == 1
