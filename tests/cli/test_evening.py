"""Games that are kept by themselves, gone on with, counted and forgotten; names; what comes after a game."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trionfi.evening.in_play import InPlay
from trionfi.evening.kept import kept_games
from trionfi.evening.seated import Seated
from trionfi.interpreter.rules import Rules
from trionfi.shell.afterwards import ask_what_next, ask_which
from trionfi.shell.calls import CallError
from trionfi.shell.saving import Keeper, keeper_of

Call = Callable[..., Any]

PASS = "1\n1\n1\n"
LEFT = ("play", "kuhn", "--seed", 5, "--seat", 1, "--seat", 2)  # two people: ends with the input


@pytest.fixture
def state() -> Path:
    return Path(os.environ["XDG_STATE_HOME"]) / "trionfi"


def left(call: Call) -> Any:
    """A game of two people, left after its first choice."""
    return call(*LEFT, typed="1\nquit\n")


def test_a_game_is_kept_as_it_goes(call: Call, state: Path) -> None:
    shown = left(call)
    assert shown.code == 1
    assert "go on with: trionfi play --resume kuhn-1\n" in shown.err
    record = json.loads((state / "games" / "kuhn-1.json").read_text(encoding="utf-8"))
    assert (len(record["moves"]), record["scores"], record["bots"]) == (1, None, [None, None])
    assert record["texts"]


def test_a_script_whose_input_ends_is_not_told_how_to_go_on(call: Call) -> None:
    assert "go on with" not in call(*LEFT, typed="1\n").err
    assert [game.id for game in kept_games()] == ["kuhn-1"]


@pytest.mark.parametrize(
    "name", [["--resume", "kuhn-1"], ["--resume"], ["--resume", "latest"], ["--resume", "--name", "1=Ann"]]
)
def test_it_is_gone_on_with(call: Call, state: Path, name: list[str]) -> None:
    left(call)
    shown = call("play", *name, typed=PASS)
    assert (shown.code, shown.err) == (0, "")
    assert "score: " in shown.out
    assert [game.is_over for game in kept_games()] == [True]
    assert call("stats", "--json").data["games"][0]["games"] == 1


def test_it_is_replayed_by_its_id(call: Call) -> None:
    left(call)
    assert call("replay", "kuhn-1").out.startswith(f"{next(iter(kept_games())).path}: 1 moves of Kuhn Poker")
    assert call("replay", "kuhn-2").code == 2


def test_a_kept_game_goes_on_after_its_ruleset_has_gone(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call("new", "mine.yaml")
    assert call("play", "mine.yaml", typed="1\n").code == 1
    Path("mine.yaml").unlink()
    shown = call("play", "--resume", "mine-1", typed="1\n" * 20)
    assert shown.code == 0
    assert "score: " in shown.out


def test_nothing_is_kept_without_keep(call: Call, state: Path) -> None:
    shown = call("play", "kuhn", "--seed", 5, "--no-keep", typed=PASS)
    assert (shown.code, shown.err) == (0, "")
    assert not state.exists()


def test_going_on_without_keep_leaves_the_file_as_it_is(call: Call, state: Path) -> None:
    left(call)
    before = (state / "games" / "kuhn-1.json").read_bytes()
    assert call("play", "--resume", "--no-keep", typed=PASS).code == 0
    assert (state / "games" / "kuhn-1.json").read_bytes() == before
    assert len(list(kept_games())) == 1
    assert call("stats").out.startswith("no finished games\n")


def test_games_without_people_are_nobodys(call: Call, state: Path) -> None:
    assert call("play", "kuhn", "--bot", "all=random").code == 0
    assert not state.exists()


def test_a_game_that_was_left_before_the_first_choice_is_not_kept(call: Call) -> None:
    shown = call("play", "kuhn", typed="quit\n")
    assert "go on with" not in shown.err
    assert list(kept_games()) == []


def test_a_game_stays_kept_when_all_of_it_is_taken_back(call: Call) -> None:
    """At once, and after it was gone on with."""
    solitaire = ("play", "klondike", "--seed", 3, "--engine", "reference")
    shown = call(*solitaire, typed="turn\nundo\nundo\nquit\n")
    assert "there is nothing to take back" in shown.err
    assert "go on with: trionfi play --resume klondike-1\n" in shown.err
    shown = call("play", "--resume", "klondike-1", typed="turn\nundo\nquit\n")
    assert "go on with: trionfi play --resume klondike-1\n" in shown.err
    call("play", "--resume", "klondike-1", typed="quit\n")
    assert [(game.id, game.record["moves"]) for game in kept_games()] == [("klondike-1", [])]


@pytest.fixture
def played(rules: Callable[..., Rules]) -> Iterator[tuple[InPlay, Keeper]]:
    """A game that is being played in this process: another call, even in it, is another terminal to the system."""
    in_play = InPlay.begun(Seated.of(rules("kuhn"), 2, [0, 1], 5))
    keeper = keeper_of(in_play, None, None, keeps=True)
    assert keeper is not None
    in_play.choose([0])
    keeper.keep(in_play.game)
    yield in_play, keeper
    keeper.end(in_play.game)


@pytest.mark.skipif(os.name == "nt", reason="no such locks")
def test_a_game_that_is_being_played_is_not_gone_on_with(call: Call, played: tuple[InPlay, Keeper]) -> None:
    in_play, keeper = played
    assert call("play").err.startswith("trionfi: play wants RULES")
    assert call("play", "--resume").err == "trionfi: no game was left unfinished\n"
    assert call("stats", "--json").data["unfinished"] == []
    for place in (["kuhn-1"], [keeper.path], ["kuhn-1", "--no-keep"]):
        shown = call("play", "--resume", *place, typed=PASS)
        told = "`kuhn-1` is being played at another terminal; when it is left there it can be gone on with"
        assert (shown.code, shown.out, shown.err) == (2, "", f"trionfi: {told}\n")
    while in_play.game.decision is not None:
        in_play.choose([0])
    assert keeper.end(in_play.game)
    assert [game.is_over for game in kept_games()] == [True]


@pytest.mark.skipif(os.name == "nt", reason="no such locks")
def test_a_game_that_was_left_can_be_gone_on_with_again(call: Call, played: tuple[InPlay, Keeper]) -> None:
    in_play, keeper = played
    keeper.end(in_play.game)
    assert call("play", "--resume", "kuhn-1", typed="quit\n").code == 1
    assert call("play", "--resume", "kuhn-1", typed=PASS).code == 0


@pytest.mark.skipif(os.name == "nt", reason="no such locks")
def test_two_that_go_on_with_one_game_at_once(rules: Callable[..., Rules], played: tuple[InPlay, Keeper]) -> None:
    """Both have read it before either holds it."""
    in_play, keeper = played
    with pytest.raises(CallError, match="`kuhn-1` is being played"):
        keeper_of(InPlay.gone_on(in_play.seated, in_play.record()), None, keeper.path, keeps=True)
    in_play.choose([0])
    keeper.keep(in_play.game)
    assert keeper.news() == ""


@pytest.mark.skipif(os.name == "nt", reason="no such locks")
def test_who_is_killed_holds_nothing(call: Call) -> None:
    left(call)
    path = next(iter(kept_games())).path
    holds = "import sys, time; from trionfi.evening.holding import hold_of; from pathlib import Path; "
    holds += "hold = hold_of(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", holds, path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert call("play", "--resume", "kuhn-1", typed=PASS).code == 2
        process.kill()
    assert call("play", "--resume", "kuhn-1", typed=PASS).code == 0


def test_a_game_in_a_file_of_ones_own_is_kept_there_alone(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    call(*LEFT, "--record", path, typed="1\n")
    assert list(kept_games()) == []
    assert call("play", "--resume", path, typed=PASS).code == 0
    assert list(kept_games()) == []
    assert call("stats", "--json").data["games"][0]["games"] == 1


def test_where_the_folder_cannot_be_written_a_line_says_so(call: Call, state: Path) -> None:
    state.parent.mkdir(parents=True)
    state.write_text("a file")
    shown = call("play", "kuhn", "--seed", 5, typed=PASS)
    assert shown.code == 0
    kept, counted = shown.err.splitlines()
    assert kept.startswith("trionfi: this game cannot be kept: ")
    assert counted.startswith("trionfi: this game is not counted in your statistics: ")


def test_what_was_left_is_offered(call: Call) -> None:
    left(call)
    shown = call("play")
    assert shown.code == 2
    assert shown.err.startswith("kuhn-1: 2 players, 1 move, left on ")
    assert "; go on with: trionfi play --resume kuhn-1\n" in shown.err
    assert "play wants RULES" in shown.err


def test_wrong_names_of_games(call: Call) -> None:
    assert call("play", "--resume").err == "trionfi: no game was left unfinished\n"
    left(call)
    shown = call("play", "--resume", "khun-1")
    assert (shown.code, shown.err) == (
        2,
        "trionfi: there is no file `khun-1`, and no kept game of that name; left are kuhn-1\n",
    )


# ---- names


def test_names_stand_where_seats_would(call: Call) -> None:
    shown = call("play", "kuhn", "--seed", 5, "--name", "1=Ann", "--name", "2=Big Bob", typed=PASS)
    assert "Ann (you)" in shown.out
    assert "Big Bob" in shown.out
    assert "p1" not in shown.out
    assert next(iter(kept_games())).record["names"] == ["Ann", "Big Bob"]
    assert call("stats", "--json").data["games"][0]["player"] == "Ann"


def test_names_are_still_there_when_it_goes_on(call: Call) -> None:
    call(*LEFT, "--name", "2=Bob", typed="1\n")
    assert "Bob" in call("play", "--resume", typed=PASS).out


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Ann", "--name wants SEAT=NAME, as in --name 1=Ann; this is `Ann`"),
        ("3=Ann", "there is no seat `3`: the seats are 1 to 2"),
        ("1=", "a name has 1 to 20 letters, not ``"),
        ("1=p2", "`p2` is what another seat is called"),
    ],
)
def test_wrong_names(call: Call, name: str, why: str) -> None:
    shown = call("play", "kuhn", "--name", name)
    assert (shown.code, shown.err) == (2, f"trionfi: {why}\n")


# ---- undo


def test_undo_against_bots_goes_back_to_the_start(call: Call) -> None:
    shown = call("play", "hearts", "--seed", 3, "--json", typed="1 2 3\n1\n1\nundo\nundo\nundo\nundo\n")
    assert shown.data["moves"] == []
    assert shown.data["taken_back"] == 3
    assert "there is nothing to take back" in shown.err


# ---- statistics


def test_statistics(call: Call) -> None:
    assert call("stats").out == "no finished games\n"
    for seed in (1, 2, 3):
        call("play", "kuhn", "--seed", seed, typed=PASS)
    call("play", "klondike", "--set", "most_moves=2", "--seed", 1, typed=PASS)
    left(call)
    shown = call("stats")
    assert shown.code == 0
    assert [line.split()[:2] for line in shown.out.splitlines()[1:3]] == [["klondike", "1"], ["kuhn", "3"]]
    assert shown.out.endswith("left unfinished: 1; go on with: trionfi play\n")
    data = call("stats", "kuhn", "--json").data
    assert [(one["rules"], one["games"]) for one in data["games"]] == [("kuhn", 3)]
    assert data["unfinished"] == ["kuhn-4"]
    assert call("stats", "leduc").out == "no finished games of leduc\n"


def test_forgetting_asks_first(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call("stats", "--forget").err == "there is nothing to forget\n"
    call("play", "kuhn", "--seed", 1, typed=PASS)
    left(call)
    shown = call("stats", "--forget")
    assert shown.code == 2
    assert "without a terminal say --yes" in shown.err
    asked: list[str] = []
    monkeypatch.setattr("trionfi.shell.own_games.agrees", lambda question: bool(asked.append(question)))
    assert "nothing is deleted" in call("stats", "--forget").err
    assert asked == ["delete 2 kept games (1 of them unfinished) and the figures of 1? [y/N] "]
    assert len(list(kept_games())) == 2
    assert call("stats", "leduc", "--forget").err == "there is nothing to forget\n"
    told = "deleted 2 kept games (1 of them unfinished) and the figures of 1\n"
    monkeypatch.setattr("trionfi.shell.own_games.agrees", lambda question: True)
    assert call("stats", "kuhn", "--forget").err == told
    assert list(kept_games()) == []
    assert call("stats").out == "no finished games\n"


def test_forgetting_without_a_question(call: Call) -> None:
    left(call)
    assert call("stats", "--forget", "--yes").code == 0
    assert list(kept_games()) == []


# ---- after a game, at a terminal


def asked(seated: Seated, typed: str) -> tuple[Seated | None, str]:
    out = io.StringIO()
    return ask_what_next(seated, io.StringIO(typed), out), out.getvalue()


@pytest.fixture
def table(rules: Callable[..., Rules]) -> Seated:
    return Seated.of(rules("hearts"), 4, [0], 7, names={0: "Ann"})


def test_another_deal_and_the_same_one(table: Seated) -> None:
    following, shown = asked(table, "a\n")
    assert shown.startswith("a another deal, s same deal, c seats, n names, q leave > ")
    assert following == table.next_deal()
    assert asked(table, "S\n")[0] == table.same_deal()


@pytest.mark.parametrize("typed", ["", "\n", "q\n", "what\nq\n"])
def test_leaving(table: Seated, typed: str) -> None:
    assert asked(table, typed)[0] is None


def test_other_seats_and_names(table: Seated) -> None:
    following, shown = asked(table, "c\n3\nn\n3=Bea\na\n")
    assert "which seat is yours (1 to 4)? at the next deal: seat 3" in shown
    assert following is not None
    assert (following.people, following.names, following.number) == ([2], ("p1", "p2", "Bea", "p4"), 1)


def test_what_does_not_fit_is_said_and_asked_again(table: Seated) -> None:
    following, shown = asked(table, "c\n9\nc\n1 2\nn\n1=p2\na\n")
    assert "there is no seat `9`: the seats are 1 to 4" in shown
    assert "one seat is wanted" in shown
    assert "`p2` is what another seat is called" in shown
    assert following == table.next_deal()


def test_one_of_those_that_were_left(call: Call) -> None:
    left(call)
    left(call)
    games = list(kept_games())
    out = io.StringIO()
    assert ask_which(games, io.StringIO("7\n2\n"), out, can_begin=True) == games[1]
    assert f"  1  {games[0].text}\n" in out.getvalue()
    assert "`7` is none of these" in out.getvalue()
    assert ask_which(games, io.StringIO("\n"), out, can_begin=True) is None
