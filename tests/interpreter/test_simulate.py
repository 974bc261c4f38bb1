"""Simulations: the same for any number of workers, and what the games themselves say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from trionfi.interpreter import simulate as simulation
from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.rules import Rules, load
from trionfi.interpreter.simulate import CutShort, Interrupted, cut, simulate
from trionfi.interpreter.statistics import Sums
from trionfi.interpreter.workers import WorkerLost

Get = Callable[..., Rules]
GAMES = 300


@pytest.fixture(scope="module")
def kuhn(rules: Get) -> Rules:
    return rules("kuhn")


def test_the_sums_are_those_of_the_games(kuhn: Rules) -> None:
    report = simulate(kuhn, GAMES, seed=5, bots=["random", "cautious"], engine="reference")
    scores, decisions, won = [], [], 0.0
    for number in range(GAMES):
        game = kuhn.start(seed=5, game=number, engine="reference")
        game.play_on(seat_bots(kuhn, ["random", "cautious"], 5, number))
        scores.append(game.scores[0])  # type: ignore[index]
        decisions.append(len(game.moves))
        won += (0 in game.winners) / len(game.winners)  # type: ignore[operator,arg-type]
    data: Any = report.to_dict()
    assert data["games"] == GAMES
    assert data["seats"][0]["mean"] == pytest.approx(sum(scores) / GAMES)
    assert data["seats"][0]["win_share"] == pytest.approx(won / GAMES)
    assert data["decisions"] == {"mean": sum(decisions) / GAMES, "min": min(decisions), "max": max(decisions)}
    assert report.bots == ("random", "cautious")


@pytest.mark.parametrize(("name", "engine"), [("leduc", "reference"), ("two-win", "native")])
def test_any_number_of_workers_gives_the_same(rules: Get, name: str, engine: str) -> None:
    reports = [simulate(rules(name), 200, seed=2, workers=workers, engine=engine).to_dict() for workers in (1, 2, 3)]
    assert reports[0] == reports[1] == reports[2]


def test_workers_play_in_other_processes(kuhn: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counting(*arguments: Any) -> Any:
        asked.append(arguments[-1])
        return iter(())

    monkeypatch.setattr(simulation, "in_processes", counting)
    simulate(kuhn, 100, workers=2, engine="reference")
    assert asked == [2]


def test_without_a_wish_a_short_simulation_stays_here(kuhn: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "in_processes", lambda *arguments: pytest.fail("no process is worth it"))
    assert simulate(kuhn, 30, seed=1).games == 30


def test_a_seed_is_drawn_and_reported(kuhn: Rules) -> None:
    first = simulate(kuhn, 50)
    assert simulate(kuhn, 50, seed=first.seed).to_dict() == first.to_dict()
    assert simulate(kuhn, 50).seed != first.seed


@pytest.mark.parametrize("games", [1, 15, 16, 17, 1000, 12345])
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_blocks_hold_every_game_once(games: int, workers: int) -> None:
    played = [number for first, count in cut(games, workers, 256) for number in range(first, first + count)]
    assert played == list(range(games))


def test_interrupted_it_holds_what_was_played(kuhn: Rules) -> None:
    def stop(done: int) -> None:
        if done >= 16:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        simulate(kuhn, 5000, seed=1, progress=stop, engine="reference")
    report = stopped.value.report
    assert 16 <= report.games < 5000
    assert report.to_dict() == simulate(kuhn, report.games, seed=1, engine="reference").to_dict()


def test_a_fault_of_the_machine_leaves_what_was_played(kuhn: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(*arguments: Any) -> Iterator[Any]:
        yield from islice(results(*arguments), 2)
        raise WorkerLost("gone")

    results = simulation.results
    monkeypatch.setattr(simulation, "results", lose)
    with pytest.raises(CutShort, match="cut short: gone") as stopped:
        simulate(kuhn, 5000, seed=1, engine="reference", workers=1)
    report = stopped.value.report
    assert 0 < report.games < 5000
    assert "stopped: 5000 games were asked for" in str(report)
    assert "asked for" not in str(replace(report, wanted=report.games))


def test_stopped_while_it_adds_up_it_counts_the_block_whole_or_not(
    kuhn: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(sums: Sums, other: Sums) -> None:
        add(sums, other)
        if sums.games > 16:
            raise KeyboardInterrupt

    add = Sums.add
    monkeypatch.setattr(Sums, "add", stop)
    with pytest.raises(Interrupted) as stopped:
        simulate(kuhn, 5000, seed=1, engine="reference", workers=1)
    report = stopped.value.report
    assert report.games == report.sums.decisions.count == report.sums.scores[1].count == 16


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": 0}, "0 games cannot be simulated"),
        ({"games": 1, "players": 3}, "Kuhn Poker is for 2 players, not 3"),
        ({"games": 1, "bots": "clever"}, "knows no bot `clever`"),
        ({"games": 1, "bots": ["random"]}, "1 bots for 2 players"),
        ({"games": 1, "bots": {2: "random"}}, "a bot for seat 2, but the seats are 0 to 1"),
        ({"games": 1, "workers": 0}, "0 workers cannot play"),
        ({"games": 1, "engine": "fast"}, "there is no engine `fast`"),
        ({"games": 1, "seed": -1}, "seeds go from 0 to"),
    ],
)
def test_what_does_not_fit_is_refused(kuhn: Rules, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kuhn.simulate(**settings)


FAULTY = """trionfi: 1
name: Faulty
about: In some games the hand holds one card too few.
players: 2
deck: {ranks: [jack, queen, king]}
table:
  stock: {start: deck}
  hand: {per: player, seen_by: owner}
play: |
  shuffle stock
  deal 1 from stock to each hand
  p1 chooses as word:
    "jack": move p1.hand to stock
    "other": move p2.hand to stock
  move random card in p1.hand to stock
result:
  score(player): 0
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_fault_of_the_ruleset_names_the_game(tmp_path: Any, workers: int) -> None:
    path = tmp_path / "faulty.yaml"
    path.write_text(FAULTY, encoding="utf-8")
    faulty = load(str(path))
    with pytest.raises(GameError) as failed:
        simulate(faulty, 200, seed=3, workers=workers, engine="reference")
    error = failed.value
    assert error.seed == 3
    game = faulty.start(seed=3, game=error.game or 0, engine="reference")
    with pytest.raises(GameError):
        game.play_on(seat_bots(faulty, ["random"] * 2, 3, error.game or 0))


def test_each_seat_draws_from_a_stream_of_its_own(kuhn: Rules) -> None:
    game: Any = SimpleNamespace(decision=SimpleNamespace(count=10**6))
    draws = [bot(game) for bot in seat_bots(kuhn, ["random"] * 2, 5, 3)]
    assert draws == [Stream(5, 3, stream).below(10**6) for stream in (1, 2)]


def test_a_bot_in_one_seat_changes_no_deal(kuhn: Rules) -> None:
    hands = []
    for bots in (["random", "random"], ["first", "cautious"]):
        games = [kuhn.start(seed=8, game=number, engine="reference") for number in range(20)]
        for number, game in enumerate(games):
            game.play_on(seat_bots(kuhn, bots, 8, number))
        hands.append([game.state["zones"] for game in games])
    assert hands[0] == hands[1]


@pytest.mark.parametrize("bot", ["random", "first", "simple"])
def test_a_bot_plays_alike_in_both_engines_game_by_game(rules: Get, bot: str) -> None:
    played = []
    for engine in ("reference", "native"):
        game = rules("two-win").start(players=3, seed=4, game=2, engine=engine)
        game.play_on(seat_bots(rules("two-win"), [bot] * 3, 4, 2))
        played.append((game.moves, game.scores))
    assert played[0] == played[1]
