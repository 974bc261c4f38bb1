"""Games kept as they go: found again, gone on with, bounded, private, forgotten."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trionfi.evening import kept, ledger
from trionfi.evening.figures import figures_of
from trionfi.evening.folder import state_folder
from trionfi.evening.holding import hold_of, is_played
from trionfi.evening.in_play import InPlay
from trionfi.evening.seated import Seated
from trionfi.interpreter.rules import Rules, load
from trionfi.shell.saving import keeper_of

Get = Callable[..., Rules]


def keep(rules: Rules, at: int, over: bool = False) -> Path:
    """A game that was kept at that time, after one move or at its end."""
    session = InPlay.begun(Seated.of(rules, 2, [0], 1, engine="reference"))
    while session.game.decision is not None and (over or not session.game.moves):
        session.game.apply(0)
    path = kept.new_place(rules.key)
    path.write_text(json.dumps(session.record()), encoding="utf-8")
    os.utime(path, (at, at))
    return path


def ids() -> list[str]:
    return [game.id for game in kept.kept_games()]


def test_games_have_names_that_can_be_typed(rules: Get) -> None:
    assert [keep(rules("kuhn"), at).stem for at in (10, 20)] == ["kuhn-1", "kuhn-2"]
    assert ids() == ["kuhn-2", "kuhn-1"]
    assert kept.new_place("what's this? /../x").name == "what-s-this-x-1.json"
    assert kept.new_place("..").name == "game-1.json"


@pytest.mark.skipif(os.name == "nt", reason="no such modes")
def test_nobody_else_can_look(rules: Get) -> None:
    path = keep(rules("kuhn"), 10)
    session = InPlay.begun(Seated.of(rules("kuhn"), 2, [0], 1))
    ledger.note_end(session.seated, session.game)
    state = state_folder()
    assert state is not None
    for folder in (state, path.parent, state / "stats"):
        assert folder.stat().st_mode & 0o777 == 0o700
    for file in (path, state / "stats" / "games.jsonl"):
        assert file.stat().st_mode & 0o777 == 0o600


def test_what_was_left_last_comes_first(rules: Get) -> None:
    keep(rules("kuhn"), 10)
    keep(rules("leduc"), 30)
    keep(rules("kuhn"), 20)
    keep(rules("kuhn"), 40, over=True)
    assert [game.id for game in kept.unfinished()] == ["leduc-1", "kuhn-2", "kuhn-1"]
    assert [game.id for game in kept.unfinished("kuhn")] == ["kuhn-2", "kuhn-1"]
    assert [game.id for game in kept.kept_games(only_left=True)] == ["leduc-1", "kuhn-2", "kuhn-1"]
    found = kept.kept_path(kept.LATEST)
    assert found is not None
    assert found.stem == "leduc-1"
    assert kept.kept_path("nothing-7") is None
    assert kept.kept_path("../stats/games") is None


def test_a_left_game_says_whose_it_is(rules: Get) -> None:
    path = keep(rules("leduc"), 10)
    record = json.loads(path.read_text(encoding="utf-8"))
    assert next(kept.kept_games()).text.startswith("leduc-1: 2 players, 1 move, left on 1 January at ")
    for bots, who in (
        ([None, "random"], "Ann and 1 bot"),
        ([None, None], "Ann and Zoe"),
        (["random", None], "Zoe and 1 bot"),
    ):
        path.write_text(json.dumps(record | {"bots": bots, "names": ["Ann", "Zoe"]}), encoding="utf-8")
        assert next(kept.kept_games()).who == who


def test_looking_into_a_game_does_not_move_its_date(rules: Get) -> None:
    path = keep(rules("leduc"), 10)
    record = json.loads(path.read_text(encoding="utf-8"))
    session = InPlay.gone_on(Seated.of(rules("leduc"), 2, [0], 1, engine="reference"), record)
    for makes_a_move in (False, True):
        keeper = keeper_of(session, None, path, keeps=True)
        assert keeper is not None
        if makes_a_move:
            session.choose([0])
            keeper.keep(session.game)
        keeper.end(session.game)
        assert (path.stat().st_mtime == 10) is not makes_a_move


def test_what_is_being_played_is_not_forgotten(rules: Get) -> None:
    played, left = keep(rules("kuhn"), 10), keep(rules("kuhn"), 20)
    hold = hold_of(played)
    assert kept.forget() == 1
    assert (played.exists(), left.exists()) == (True, False)
    del hold
    assert kept.forget("kuhn") == 1


def test_what_cannot_be_read_is_passed_over(rules: Get) -> None:
    path = keep(rules("kuhn"), 10)
    path.with_name("kuhn-2.json").write_text("{", encoding="utf-8")
    path.with_name("kuhn-3.json").mkdir()
    path.with_name("notes.txt").write_text("mine", encoding="utf-8")
    assert ids() == ["kuhn-1"]


def test_the_oldest_finished_go_first(rules: Get) -> None:
    for at, over in ((10, False), (20, True), (30, False), (40, True), (50, True)):
        keep(rules("kuhn"), at, over)
    kept.make_room(games=4)
    assert ids() == ["kuhn-5", "kuhn-4", "kuhn-3", "kuhn-1"]
    kept.make_room(games=1)
    assert ids() == ["kuhn-3"]
    played = keep(rules("kuhn"), 60)
    kept.make_room(size=0, keep=played)
    assert ids() == ["kuhn-4"]


def test_a_folder_that_is_full_makes_room_by_itself(rules: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [keep(rules("kuhn"), at).stat().st_size for at in (10, 20, 30)]
    kept.make_room(size=sum(sizes) - 1)
    assert ids() == ["kuhn-3", "kuhn-2"]


@pytest.mark.skipif(os.name == "nt", reason="no such locks")
def test_what_is_being_played_does_not_go(rules: Get) -> None:
    played, other = (keep(rules("kuhn"), at) for at in (10, 20))
    hold = hold_of(played)
    assert (is_played(played), is_played(other)) == (True, False)
    kept.make_room(games=1)
    assert ids() == ["kuhn-1"]
    assert hold is not None
    hold.let_go()
    assert not is_played(played)


@pytest.mark.skipif(os.name == "nt", reason="no such locks")
def test_who_looks_whether_a_game_is_played_keeps_nobody_from_it(rules: Get) -> None:
    path = keep(rules("kuhn"), 10)
    for _ in range(3):
        assert not is_played(path)
        hold = hold_of(path)
        assert hold is not None
        hold.let_go()


def test_a_kept_game_holds_its_texts(rules: Get, tmp_path: Path, small_game: Callable[..., str]) -> None:
    """So it goes on after an upgrade, when its ruleset has changed or gone."""
    ruleset = tmp_path / "mine.yaml"
    ruleset.write_text(small_game(play='|\n  p1 chooses as a:\n    "x": say "x"\n  p1 chooses as b:\n    "y": say "y"'))
    path = keep(load(str(ruleset)), 10)
    ruleset.unlink()
    assert next(iter(kept.kept_games())).record["texts"]["mine"]
    assert path.stem == "mine-1"


# ---- statistics


def entry(**changes: object) -> dict[str, Any]:
    made = {
        "rules": "kuhn",
        "title": "Kuhn Poker",
        "people": [0],
        "names": ["p1", "p2"],
        "bots": [None, "cautious"],
        "scores": [2.0, -2.0],
        "results": ["won", "lost"],
        "taken_back": 0,
        "again": False,
    }
    return {**made, **changes}


def test_figures_are_of_each_ruleset_and_person() -> None:
    found = figures_of(
        [
            entry(),
            entry(scores=[-1.0, 1.0], results=["lost", "won"], taken_back=3),
            entry(again=True),
            entry(people=[0, 1], names=["Ann", "Bob"], results=["shared", "shared"]),
            entry(rules="klondike", title="Klondike", names=["p1"], scores=[52.0], results=[None]),
        ]
    )
    told = [
        (one.rules, one.player, one.games, one.won, one.shared, one.mean, one.taken_back, one.repeated) for one in found
    ]
    assert told == [
        ("klondike", "you", 1, None, None, 52.0, 0, 0),
        ("kuhn", "you", 2, 1, 0, 0.5, 1, 1),
        ("kuhn", "Ann", 1, 0, 1, 2.0, 0, 0),
        ("kuhn", "Bob", 1, 0, 1, -2.0, 0, 0),
    ]
    assert [one.rules for one in figures_of([entry()], "leduc")] == []


@pytest.mark.parametrize(
    ("name", "players", "expected"),
    [
        ("kuhn", 2, {"won", "lost"}),
        ("euchre", 4, {"won", "lost"}),
        ("klondike", 1, {"won", "lost"}),
        ("blackjack", 1, {"won", "lost"}),
    ],
)
def test_how_a_game_has_gone_for_each_seat(rules: Get, name: str, players: int, expected: set[str | None]) -> None:
    """Partners win together; alone a game is won if the ruleset says so."""
    session = InPlay.begun(Seated.of(rules(name), players, [0], 3))
    while session.game.decision is not None:
        session.game.apply(0)
    results = ledger.entry_of(session.seated, session.game, 0)["results"]
    assert set(results) <= expected
    if name == "euchre":
        assert (results[0], results[1]) == (results[2], results[3])
        assert results[0] != results[1]


def test_lines_of_others_are_passed_over(rules: Get) -> None:
    session = InPlay.begun(Seated.of(rules("kuhn"), 2, [0], 1))
    while session.game.decision is not None:
        session.game.apply(0)
    told: list[str] = []
    session.note_end(told.append)
    state = state_folder()
    assert state is not None
    with (state / "stats" / "games.jsonl").open("ab") as file:
        file.write(b"{\nnull\n" + b"[" * 20000 + b"\n" + json.dumps(entry(people=[7])).encode() + b"\n" + b"\xff\n")
    session.note_end(told.append)
    assert (len(list(ledger.entries())), told) == (2, [])


def test_of_many_games_the_older_half_goes(rules: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    session = InPlay.begun(Seated.of(rules("kuhn"), 2, [0], 1))
    while session.game.decision is not None:
        session.game.apply(0)
    monkeypatch.setattr(ledger, "BYTES_KEPT", 3000)
    for _ in range(20):
        ledger.note_end(session.seated, session.game)
    state = state_folder()
    assert state is not None
    assert (state / "stats" / "games.jsonl").stat().st_size <= 3000
    assert len(list(ledger.entries())) >= 3


def test_a_game_that_was_over_before_is_counted_once(rules: Get) -> None:
    session = InPlay.begun(Seated.of(rules("kuhn"), 2, [0], 1))
    while session.game.decision is not None:
        session.game.apply(0)
    again = InPlay.gone_on(session.seated, session.record())
    again.note_end(print)
    assert list(ledger.entries()) == []


def test_forgetting(rules: Get) -> None:
    for name in ("kuhn", "leduc"):
        keep(rules(name), 10)
        session = InPlay.begun(Seated.of(rules(name), 2, [0], 1))
        ledger.note_end(session.seated, session.game) if session.game.over else None
    state = state_folder()
    assert state is not None
    (state / "stats").mkdir()
    (state / "stats" / "games.jsonl").write_text(
        "".join(json.dumps(entry(rules=name)) + "\n" for name in ("kuhn", "leduc"))
    )
    assert (kept.forget("kuhn"), ledger.forget("kuhn")) == (1, 1)
    assert ids() == ["leduc-1"]
    assert [one["rules"] for one in ledger.entries()] == ["leduc"]
    (state / "games" / ".leduc-1.json.0123").write_text("half of a game")
    assert (kept.forget(), ledger.forget()) == (1, 1)
    assert list((state / "games").iterdir()) == []
    assert (ids(), list(ledger.entries())) == ([], [])
    assert (kept.forget(), ledger.forget()) == (0, 0)


# ---- the suite itself


@pytest.fixture(scope="module")
def folder_of_fixtures() -> Path | None:
    return state_folder()


def test_no_test_keeps_anything_in_the_home_of_who_runs_it(
    folder_of_fixtures: Path | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Neither while it runs nor while fixtures of a module are made."""
    own = state_folder()
    assert own is not None
    assert folder_of_fixtures is not None
    assert own != folder_of_fixtures
    for folder in (own, folder_of_fixtures):
        assert tmp_path_factory.getbasetemp() in folder.parents
