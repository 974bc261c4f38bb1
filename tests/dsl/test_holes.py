"""Libraries that leave something open: what they need of a game, and what a game may write anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.tree import Define
from trionfi.interpreter.rules import load

ROUNDS = """trionfi: 1
library: Rounds
needs:
  define:
    value_of(player): number
    strength(player): {gives: hand value, about: what decides between equals}
    led(): suit
  procedures:
    reward(player): nothing
    heir(player p): player
may be replaced: [competes, hand, layout, tell]
table:
  hand: {per: player, face: down}
layout: |
  hand.1
define:
  competes(player): true
  highest_value(): highest of value_of(player) for each competes player
  best(): the competes player where value_of(player) is highest_value() with highest strength(player)
procedures:
  tell(player): return 1
  play_round(): |
    reward(best())
    let n = tell(p1)
    let who = heir(p1)
    if who.hand.top.suit is led(): n = 2
    return n
"""
GAME = """trionfi: 1
name: Game
players: 2
deck: {from: standard, ace: high}
use:
  rounds: {}
table:
  stock: {start: deck, face: down}
  hand: {per: player, face: up, capacity: 5}
layout: |
  hand.2
variables:
  points: {per: player, start: 0}
rankings:
  pairs: {of: 0..5 cards, alike: [rank], categories: {Pair: 2 alike, None: anything}}
define:
  value_of(player): player.points
  strength(player who): pairs(who.hand)
  led(): hearts
  competes(player p): p.hand.count > 0
play: |
  shuffle stock
  deal 5 from stock to each hand
  let n = play_round()
  add n to p1.points
procedures:
  reward(player): add 1 to player.points
  heir(player): return left of player
result:
  score(player): player.points
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rounds.yaml").write_text(ROUNDS, encoding="utf-8")
    return tmp_path


def told(folder: Path, *changes: tuple[str, str], text: str = GAME, name: str = "game") -> list[tuple[str, str, str]]:
    """What is said of the game with some of its words changed: place, message, hint."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    _, found = read_ruleset(str(folder / f"{name}.yaml"), text)
    places = [f"{Path(one.span.source.name).name}:{one.span.line}:{one.span.column}" for one in found]
    return [(place, one.message, one.hint) for place, one in zip(places, found, strict=True)]


def library(folder: Path, *changes: tuple[str, str]) -> list[tuple[str, str, str]]:
    return told(folder, *changes, text=ROUNDS, name="rounds")


def test_a_library_is_checked_by_itself(folder: Path) -> None:
    assert library(folder) == []
    assert [one[:2] for one in library(folder, ("let who = heir(p1)", "let who = heir(1)"))] == [
        ("rounds.yaml:25:20", "a player was wanted here, this is a number")
    ]
    assert library(folder, ("let who = heir(p1)\n", "let who = air(p1)\n"))[0][1] == (
        "there is no define or procedure `air`"
    )


def test_the_game_gives_what_is_needed_and_writes_anew_what_may_be(folder: Path) -> None:
    assert told(folder) == []
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    rules = load(str(folder / "game.yaml"))
    hand = next(one for one in rules.ruleset.zones if one.name == "hand")
    assert hand.capacity == 5
    assert [one.name for one in rules.ruleset.zones] == ["stock", "hand"]  # where the game declares it
    competes = rules.ruleset.defines["competes"]
    assert isinstance(competes, Define)
    assert Path(competes.span.source.name).name == "game.yaml"
    for engine in ("native", "reference"):
        game = rules.start(seed=3, engine=engine)
        assert game.over
        assert sorted(game.scores or []) in ([1, 1], [0, 2], [0, 3], [1, 2])


def test_each_thing_that_is_missing_is_named_once(folder: Path) -> None:
    assert told(
        folder, ("  value_of(player): player.points\n", ""), ("  heir(player): return left of player\n", "")
    ) == [
        (
            "game.yaml:6:3",
            "the library `rounds` needs a define `value_of(player)` that gives a number",
            "write under `define`: `value_of(player): ...`",
        ),
        (
            "game.yaml:6:3",
            "the library `rounds` needs a procedure `heir(player p)` that gives a player",
            "write under `procedures`: `heir(player p): ...`",
        ),
    ]
    assert told(folder, ("  strength(player who): pairs(who.hand)\n", ""))[0][1] == (
        "the library `rounds` needs a define `strength(player)` that gives a hand value: what decides between equals"
    )


def test_what_cannot_be_read_is_not_missing(folder: Path) -> None:
    assert [one[1] for one in told(folder, ("  value_of(player): ", "  value_of(player: "))] == [
        "`(` is opened here and not closed"
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("value_of(player): player.points", "value_of(team): 3", "the library `rounds` calls this `value_of(player)`"),
        ("value_of(player): player.points", "value_of(): 3", "the library `rounds` calls this `value_of(player)`"),
        ("value_of(player): player.points", "value_of(player): player", "a number was wanted here, this is a player"),
        ("led(): hearts", "led(): p1", "a suit was wanted here, this is a player"),
        (
            "pairs(who.hand)",
            "who.points",
            "the library `rounds` wants a hand value of this, and it gives a number",
        ),
        (
            "competes(player p): p.hand.count > 0",
            "competes(team): true",
            "the library `rounds` calls this `competes(player)`",
        ),
        ("p.hand.count > 0", "p.hand.count", "a truth (yes or no) was wanted here, this is a number"),
        ("return left of player", "return 3", "the library `rounds` wants a player of this, and it gives a number"),
        (
            "return left of player",
            "add 1 to player.points",
            "the library `rounds` wants a player of this, and it gives nothing",
        ),
        (
            "  led(): hearts\n",
            "  tell(player): 3\n  led(): hearts\n",
            "`tell` is already a define, declared at {folder}/game.yaml:19:3",
        ),
        (
            "  led(): hearts\n",
            "  led(): hearts\n  best(): p1\n",
            "`best` is declared in {folder}/rounds.yaml:19:3 already",
        ),
    ],
)
def test_what_does_not_fit_is_told_once_where_the_game_says_it(folder: Path, old: str, new: str, message: str) -> None:
    found = told(folder, (old, new))
    assert [one[1] for one in found] == [message.format(folder=folder)] or "already a define" in message
    assert message.format(folder=folder) in [one[1] for one in found]


def test_a_define_that_is_a_procedure(folder: Path) -> None:
    found = told(
        folder, ("  value_of(player): player.points\n", ""), ("  reward(", "  value_of(player): return 3\n  reward(")
    )
    assert found[0][1] == (
        "`value_of` is a procedure, and the library `rounds` needs a define `value_of(player)` that gives a number"
    )


def test_a_procedure_may_be_written_anew(folder: Path) -> None:
    anew = ("  reward(", "  tell(player who): return who.points + 7\n  reward(")
    assert told(folder, anew) == []
    assert [one[1] for one in told(folder, (anew[0], anew[1].replace("who.points + 7", "who")))] == [
        "the library `rounds` wants a number of this, and it gives a player"
    ]


def test_names_that_are_not_there_cannot_be_replaced(folder: Path) -> None:
    assert library(folder, ("[competes, hand", "[competers, hand")) == [
        (
            "rounds.yaml:11:19",
            "this library has nothing called `competers` that could be replaced",
            "did you mean `competes`?",
        )
    ]


def test_only_libraries_leave_something_open(folder: Path) -> None:
    for section in ("needs: {define: {x(): number}}", "may be replaced: [value_of]"):
        found = told(folder, ("play: |", f"{section}\nplay: |"))
        assert [one[1] for one in found] == [
            f"`{section.partition(':')[0]}` is a section of libraries, and this is a game"
        ]


def test_a_need_that_the_library_meets_itself(folder: Path) -> None:
    found = library(folder, ("    led(): suit\n", "    led(): suit\n    best(): player\n"))
    assert [(one[1], one[2]) for one in found] == [
        (
            "`best` is declared in line 20, so nobody else need write it",
            "if a game may write its own: `may be replaced: [best]`",
        )
    ]


def test_a_library_may_meet_the_needs_of_another(folder: Path) -> None:
    between = "trionfi: 1\nlibrary: Between\nuse: {rounds: {}}\ndefine:\n  led(): spades\n  competes(player): true\n"
    (folder / "between.yaml").write_text(between, encoding="utf-8")
    assert (
        told(folder, text=between.replace("led(): spades", "led(): spades"), name="between") != []
    )  # no deck: no suits
    through = (
        ("  rounds: {}", "  between: {}"),
        ("  led(): hearts\n", ""),
        ("  competes(player p): p.hand.count > 0\n", ""),
    )
    assert told(folder, *through) == []
    assert [one[1] for one in told(folder, ("  rounds: {}", "  between: {}"), through[2])] == [
        f"`led` is declared in {folder}/between.yaml:5:3 already"
    ]


def test_a_variant_still_changes_everything(folder: Path) -> None:
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    variant = "trionfi: 1\nname: Variant\nextends: game\ndefine: {highest_value(): value_of(p1), competes(player): player is p1}\n"
    assert told(folder, text=variant, name="variant") == []


def test_the_name_of_a_ranking_is_the_kind_of_its_values(folder: Path) -> None:
    defines = "define:\n  better(pairs a, pairs b): a > b\n  higher(pairs a, pairs b): a if better(a, b) else b\n"
    uses = ("  add n to p1.points", "  if higher(pairs(p1.hand), pairs(p2.hand)) is pairs(p2.hand): add n to p2.points")
    assert told(folder, ("define:\n", defines), uses) == []
    (folder / "game.yaml").write_text(GAME.replace("define:\n", defines).replace(*uses), encoding="utf-8")
    rules = load(str(folder / "game.yaml"))
    scores = [
        [rules.start(seed=seed, engine=engine).scores for seed in range(30)] for engine in ("native", "reference")
    ]
    assert scores[0] == scores[1]
    assert len({tuple(one or ()) for one in scores[0]}) > 2
    assert told(folder, ("define:\n", defines.replace("pairs b): a > b", "pair b): a > a")))[0][1:] == (
        "`pair` is no type",
        "did you mean `pairs`?",
    )
