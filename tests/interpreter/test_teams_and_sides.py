"""Who has won with whom: teams, several winners of whom `won` is true, ties; alike in both engines, and in reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset
from trionfi.evening.ledger import result_of
from trionfi.interpreter.rules import Rules, load

GAME = """trionfi: 1
name: Sides
players: 4
teams: [[1, 3], [2, 4]]
deck: {from: standard, ace: high, keep: card.rank >= 10}
table:
  stock: {start: deck, face: down}
  hand: {per: player, face: up}
variables:
  points: {per: team, start: 0}
play: |
  shuffle stock
  deal 1 from stock to each hand
  for each player: add player.hand.top.rank.place to player.team.points
result:
  score(team): team.points
"""
OF_PLAYERS = "  score(player): player.hand.top.rank.place\n"
ENGINES = ("native", "reference")


def rules_of(folder: Path, *changes: tuple[str, str]) -> Rules:
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return load(str(folder / "game.yaml"))


def test_a_score_of_the_team_is_that_of_its_players(tmp_path: Path) -> None:
    rules = rules_of(tmp_path)
    for seed in range(20):
        games = [rules.start(seed=seed, engine=engine) for engine in ENGINES]
        assert games[0].scores == games[1].scores
        assert games[0].winners == games[1].winners
        scores = games[0].scores or []
        assert (scores[0], scores[1]) == (scores[2], scores[3])
        assert games[0].winning_sides == games[1].winning_sides == (2 if scores[0] == scores[1] else 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_partners_win_together_and_teams_tie(tmp_path: Path, engine: str) -> None:
    rules = rules_of(tmp_path)
    games = [rules.start(seed=5, game=number, engine="reference") for number in range(300)]
    level = sum(game.winning_sides == 2 for game in games)
    report = rules.simulate(300, seed=5, engine=engine, workers=1)
    assert 0 < level < 100
    assert report.sums.ties == level
    first = sum(game.winners == [0, 2] for game in games)
    assert report.sums.win_share(0) == report.sums.win_share(2) == pytest.approx((first + level / 2) / 300)
    lines = str(report).splitlines()
    assert [line.split("  ")[0] for line in lines if line.startswith("team")] == [
        "team",
        "team1 (p1, p3)",
        "team2 (p2, p4)",
    ]
    teams = report.to_dict()["teams"]
    assert [team["seats"] for team in teams] == [[1, 3], [2, 4]]  # type: ignore[attr-defined]
    assert not any("add up" in line for line in lines)


@pytest.mark.parametrize("engine", ENGINES)
def test_several_of_whom_won_is_true_have_each_won_the_whole_game(tmp_path: Path, engine: str) -> None:
    won = "  won(player): player.hand.top.rank.place >= 11\n"
    rules = rules_of(
        tmp_path,
        ("teams: [[1, 3], [2, 4]]\n", ""),
        ("per: team", "per: player"),
        ("player.team.", "player."),
        ("  score(team): team.points\n", OF_PLAYERS + won),
    )
    games = [rules.start(seed=2, game=number, engine="reference") for number in range(200)]
    report = rules.simulate(200, seed=2, engine=engine, workers=1)
    assert report.sums.ties == 0
    shares = [sum(seat in (game.winners or []) for game in games) / 200 for seat in range(4)]
    assert [report.sums.win_share(seat) for seat in range(4)] == pytest.approx(shares)
    assert sum(shares) > 1.5
    said = f"the shares of wins add up to {sum(shares):.1%}, not to 100%: several may win together, or nobody"
    assert said in " ".join(str(report).split())


def test_equal_scores_without_teams_tie_as_they_did(tmp_path: Path) -> None:
    rules = rules_of(
        tmp_path,
        ("teams: [[1, 3], [2, 4]]\n", ""),
        ("per: team", "per: player"),
        ("player.team.", "player."),
        ("  score(team): team.points\n", OF_PLAYERS),
    )
    for engine in ENGINES:
        report = rules.simulate(200, seed=2, engine=engine, workers=1)
        assert report.sums.ties > 0
        assert sum(report.sums.win_share(seat) for seat in range(4)) == pytest.approx(1)
        assert "add up" not in str(report)


def test_won_of_a_team(tmp_path: Path) -> None:
    rules = rules_of(
        tmp_path, ("  score(team): team.points\n", "  score(team): team.points\n  won(team): team.score > 9\n")
    )
    for engine in ENGINES:
        for seed in range(10):
            game = rules.start(seed=seed, engine=engine)
            assert game.winners == [seat for seat in range(4) if (game.scores or [])[seat] > 9]
            assert game.winning_sides == min(1, len(game.winners))
            results = [result_of(game, seat) for seat in range(4)]
            assert results == ["won" if seat in game.winners else "lost" for seat in range(4)]


def test_partners_who_score_differently_have_a_line_each(tmp_path: Path) -> None:
    rules = rules_of(tmp_path, ("  score(team): team.points\n", OF_PLAYERS))
    report = rules.simulate(100, seed=1, workers=1)
    assert [name for name, _ in report.sides] == ["p1", "p2", "p3", "p4"]
    assert "teams" not in report.to_dict()


def test_a_team_needs_teams(tmp_path: Path) -> None:
    text = (
        GAME.replace("teams: [[1, 3], [2, 4]]\n", "")
        .replace("per: team", "per: player")
        .replace("player.team.", "player.")
    )
    _, found = read_ruleset(str(tmp_path / "x.yaml"), text)
    assert [(one.message, one.hint) for one in found if one.code == "result-key"] == [
        ("`score` is that of one player in a game without `teams`", "write `score(player): ...`")
    ]


def test_alone_it_is_said_when_the_game_is_won(tmp_path: Path) -> None:
    alone = GAME.replace("players: 4\nteams: [[1, 3], [2, 4]]\n", "players: 1\n").replace("per: team", "per: player")
    alone = alone.replace("player.team.", "player.").replace("score(team): team", "score(player): player")
    _, found = read_ruleset(str(tmp_path / "x.yaml"), alone)
    assert [(one.code, one.severity) for one in found] == [("won-alone", "warning")]
    (tmp_path / "alone.yaml").write_text(alone, encoding="utf-8")
    assert result_of(load(str(tmp_path / "alone.yaml")).start(seed=1), 0) is None  # neither won nor lost
    _, found = read_ruleset(str(tmp_path / "x.yaml"), f"{alone}  won(player): player.score > 3\n")
    assert not list(found)
