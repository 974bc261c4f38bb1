"""Each command on the smallest game: what it prints, what it gives as JSON, how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import trionfi

Call = Callable[..., Any]

KEYS = "trionfi rules sha256 options players seed game bots names moves scores texts".split()
BROKEN = """trionfi: 1
name: Broken
players: 2
deck: {ranks: [jack, queen]}
table:
  stock: {start: deck}
  hand: {per: player}
play: |
  deal 1 from stok to each hand
  shuffle stokk
result:
  score(player): 0
"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    return path


def test_help_and_version(call: Call) -> None:
    for arguments in (["--help"], ["-h"], []):
        shown = call(*arguments)
        assert "validate" in shown.out + shown.err
    assert call("--help").code == 0
    assert call("--version").out == "trionfi 0.1.0\n"


def test_help_of_each_command_says_what_it_does(call: Call) -> None:
    for command in ("list", "validate", "test", "simulate", "play", "rank", "replay"):
        shown = call(command, "--help")
        assert (shown.code, shown.err) == (0, "")
        assert shown.out.startswith(f"Usage: trionfi {command}")
        assert max(map(len, shown.out.splitlines())) <= 80


# ---- list


def test_list(call: Call) -> None:
    shown = call("list")
    assert shown.code == 0
    lines = {line.split()[0]: line for line in shown.out.splitlines()}
    assert "Kuhn Poker" in lines["kuhn"]
    assert "2-17" in lines["two-win"]


def test_list_fits_a_narrow_screen(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, call("list").out.splitlines())) <= 60


def test_list_fits_80_columns_and_says_who_plays_against_you(call: Call) -> None:
    lines = call("list").out.splitlines()
    assert max(map(len, lines)) <= 80
    place = next(place for place, line in enumerate(lines) if line.startswith("hearts "))
    assert lines[place].split() == ["hearts", "3-6", "(4)", "Hearts"]
    assert lines[place + 1] == "    Take no hearts and not the queen of spades. Opponents: careful."
    assert "Opponents" not in "".join(lines).partition("klondike")[2].partition("kuhn")[0]


def test_the_usual_number_and_the_opponents_as_json(call: Call) -> None:
    entries = {entry["name"]: entry for entry in call("list", "--json").data}
    assert (entries["hearts"]["players"], entries["hearts"]["usual"]) == ("3..6", 4)
    assert [entries[name]["opponents"] for name in ("hearts", "leduc", "klondike")] == ["careful", "random", None]


def test_list_as_json(call: Call) -> None:
    entries = {entry["name"]: entry for entry in call("list", "--json").data}
    assert entries["kuhn"]["title"] == "Kuhn Poker"
    assert entries["two-win"]["players"] == "2..17"
    assert all(entry["about"] and entry["title"] and entry["players"] for entry in entries.values())


# ---- validate


def test_validate_is_fine(call: Call) -> None:
    shown = call("validate", "kuhn")
    assert (shown.code, shown.out, shown.err) == (0, "kuhn: fine\n", "")
    assert call("validate", "--static", "kuhn", "--json").data == []


def test_validate_points_at_each_error(call: Call, broken: Path) -> None:
    shown = call("validate", broken, "--static")
    assert shown.code == 1
    assert f"{broken}:9:15: error: " in shown.out
    assert "did you mean `stock`?" in shown.out
    assert "    9 |   deal 1 from stok to each hand" in shown.out
    assert f"{broken}:10:11: error: " in shown.out
    assert shown.out.splitlines()[-1] == f"{broken}: 2 errors, 0 warnings"


def test_validate_as_json(call: Call, broken: Path) -> None:
    shown = call("validate", broken, "kuhn", "--json")
    assert shown.code == 1
    first = shown.data[0]
    assert set(first) == {"file", "line", "column", "severity", "code", "message", "hint"}
    assert (first["line"], first["column"], first["severity"]) == (9, 15, "error")
    assert first["hint"] == "did you mean `stock`?"


def test_validate_plays_games_and_shows_what_stops_them(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "stuck.yaml"
    text = BROKEN.replace("  shuffle stokk\n", "  move random card in p1.hand to stock\n" * 3).replace("stok", "stock")
    path.write_text(text, encoding="utf-8")
    assert call("validate", "--static", path).code == 0
    shown = call("validate", path)
    assert shown.code == 1
    assert "stuck.yaml:11" in shown.out
    assert "in a random game: --players 2 --seed 1 --game 0" in shown.out


def test_validate_reads_the_labels_that_players_would(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "labels.yaml"
    script = '  p1 chooses as thing:\n    "take {5 / (stock.count - stock.count) rounded down}": say "no"\n'
    path.write_text(BROKEN.replace("  shuffle stokk\n", script).replace("stok", "stock"), encoding="utf-8")
    shown = call("validate", path)
    assert shown.code == 1
    assert "this is a division by zero" in shown.out
    assert "in a random game: --players 2 --seed 1 --game 0" in shown.out


def test_validate_plays_with_options_at_their_ends(call: Call, tmp_path: Path) -> None:
    """Thirty cards cannot be dealt of three, though one can."""
    path = tmp_path / "ends.yaml"
    text = BROKEN.replace("  shuffle stokk\n", "  deal size from stock to p1.hand\n").replace("stok", "stock")
    text = text.replace("queen]", "queen, king]")
    path.write_text(text + "options: {size: {default: 1, range: 1..30}}\n", encoding="utf-8")
    shown = call("validate", path)
    assert shown.code == 1
    assert "30 cards are to be dealt from `stock`" in shown.out
    assert "in a random game: --set size=30 --players 2 --seed 1 --game 0" in shown.out
    assert call("validate", path, "--set", "size=1").code == 0  # what is set is not tried otherwise


# ---- test


def test_test_counts_what_passes(call: Call) -> None:
    shown = call("test", "kuhn")
    assert shown.code == 0
    assert shown.out.startswith("kuhn: ")
    assert shown.out.endswith(" passed, 0 failed\n")
    assert all(entry["passed"] and entry["line"] for entry in call("test", "kuhn", "--json").data)


FAILING = """trionfi: 1
name: Kuhn with a test that fails
extends: kuhn
tests:
  - "the queen wins":
      cards: {p1.hand: [king], p2.hand: [queen]}
      moves: [p1: bet, p2: call]
      expect: p2.score is 2
"""


def test_test_shows_what_was_expected_and_what_came(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "failing.yaml"
    path.write_text(FAILING, encoding="utf-8")
    shown = call("test", path)
    assert shown.code == 1
    assert f"{path}:8:15: the queen wins\n    expected p2.score is 2, but p2.score is -2\n" in shown.out
    assert shown.out.splitlines()[-1].endswith("1 failed")
    failed = [entry for entry in call("test", path, "--json").data if not entry["passed"]]
    assert [entry["message"] for entry in failed] == ["expected p2.score is 2, but p2.score is -2"]


# ---- simulate


def test_simulate_shows_a_table(call: Call) -> None:
    shown = call("simulate", "kuhn", "-n", 50, "--seed", 1)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("Kuhn Poker: 50 games, 2 players, seed 1\n")


def test_simulate_as_json(call: Call) -> None:
    data = call("simulate", "kuhn", "-n", 50, "--seed", 1, "--json", "--bot", "2=first").data
    assert list(data) == [
        "rules",
        "options",
        "players",
        "games",
        "seed",
        "bots",
        "seats",
        "ties",
        "decisions",
        "measures",
        "rough",
    ]
    assert (data["rules"], data["players"], data["games"], data["seed"]) == ("kuhn", 2, 50, 1)
    assert data["bots"] == ["random", "first"]
    assert sum(seat["win_share"] for seat in data["seats"]) == pytest.approx(1)


def test_a_seed_that_was_drawn_is_reported_and_gives_the_same(call: Call) -> None:
    first = call("simulate", "kuhn", "-n", 40, "--json").data
    assert call("simulate", "kuhn", "-n", 40, "--json", "--seed", first["seed"]).data == first


def test_simulate_writes_a_row_a_game(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    data = call("simulate", "kuhn", "-n", 40, "--seed", 1, "--json", "--out", path).data
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["game"] for row in rows] == list(range(40))
    assert sum(row["p1.score"] for row in rows) / 40 == pytest.approx(data["seats"][0]["mean"])
    assert sum(row["p1.won"] for row in rows) / 40 == pytest.approx(data["seats"][0]["win_share"])


def test_options_are_set_and_shown(call: Call) -> None:
    settings = ["--set", "chips=50", "--set", "minimum_bet=10"]
    data = call("simulate", "two-win", "-n", 2, "--engine", "reference", *settings, "--json").data
    assert (data["options"]["chips"], data["options"]["minimum_bet"]) == (50, 10)


# ---- play, replay


def test_a_game_is_played_from_a_pipe_kept_and_replayed(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played = call("play", "kuhn", "--seed", 3, "--seat", 1, "--seat", 2, "--record", path, typed="1\nbet\nCALL\n")
    assert played.code == 0
    assert "wins\n" in played.out
    assert played.err == f"kept in {path}\n"
    record = json.loads(path.read_text(encoding="utf-8"))
    assert list(record) == KEYS
    assert [label for _, _, label in record["moves"]] == ["pass", "bet", "call"]
    again = call("replay", path)
    assert again.code == 0
    assert "3 moves of Kuhn Poker, all as recorded" in again.out
    assert call("replay", path, "--step").out.startswith("1. p1 open: pass\n")
    assert call("replay", path, "--json").data == record


def test_the_end_of_the_input_is_an_end_with_code_1(call: Call) -> None:
    played = call("play", "kuhn", "--seed", 3, "--seat", 1, "--seat", 2, typed="1\n")
    assert played.code == 1
    assert played.err == "trionfi: the input has ended before the game was over\n"


def test_a_game_of_bots_needs_no_input(call: Call) -> None:
    played = call("play", "kuhn", "--bot", "all=random", "--seed", 5, "--json")
    assert played.code == 0
    assert played.data["scores"] is not None
    assert played.data == call("play", "kuhn", "--bot", "all=random", "--seed", 5, "--json").data


def test_game_k_of_a_seed_is_that_of_simulate(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    call("simulate", "kuhn", "-n", 5, "--seed", 9, "--out", path)
    row = path.read_text(encoding="utf-8").splitlines()[4].split(",")
    played = call("play", "kuhn", "--bot", "all=random", "--seed", 9, "--game", 3, "--json").data
    assert [float(score) for score in row[2:4]] == played["scores"]


def test_a_record_that_was_changed_is_found_out(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    call("play", "kuhn", "--bot", "all=first", "--seed", 3, "--record", path)
    record = json.loads(path.read_text(encoding="utf-8"))
    record["scores"] = [7, -7]
    path.write_text(json.dumps(record), encoding="utf-8")
    again = call("replay", path)
    assert (again.code, again.out) == (1, "")
    assert "the record ends with scores [7, -7]" in again.err


# ---- rank


def test_rank_names_the_category(call: Call) -> None:
    hand = ["7 of Cups", "7 of wands", "7 OF SWORDS", "the chariot", "The Star"]
    shown = call("rank", "two-win", "poker", *hand)
    assert (shown.code, shown.out.split(":")[0]) == (0, "Four of a Kind")
    assert call("rank", "two-win", "poker", *hand, "--json").data["category"] == "Four of a Kind"


def test_rank_compares_two_hands(call: Call) -> None:
    rest = ["2 of cups", "3 of wands", "4 of swords"]
    pair, nothing = ["7 of cups", "7 of wands", *rest], ["7 of cups, king of wands", *rest]
    assert call("rank", "two-win", "poker", *pair, "--vs", *nothing).out.endswith(
        "the first hand is better\ndecided by the category: One Pair is above High Card\n"
    )
    assert call("rank", "two-win", "poker", *nothing, "--vs", *pair, "--json").data["compared"] == -1


def test_rank_takes_parts_by_name_and_by_number(call: Call) -> None:
    own = ["own=ace of cups, king of cups", "shared=2 of cups", "3 of cups", "4 of cups"]
    assert call("rank", "two-win", "twenty_one", *own).out.startswith("Natural: ")
    parts = ["2=7 of cups, 7 of swords, 7 of wands", "3=2 of wands, 3 of cups", "4 of swords, king of cups"]
    assert call("rank", "two-win", "poker", *parts).out.startswith("One Pair: 7 of")


def test_rank_says_why_there_is_no_hand(call: Call) -> None:
    shown = call("rank", "two-win", "poker", "7 of cups", "7 of wands")
    assert (shown.code, shown.out) == (0, "no hand: poker is of 5 cards\n")


# ---- options as they are shown, and the command as it is called


@pytest.mark.parametrize(
    "setting", ["betting=Pot Limit", "betting=pot-limit", "Betting=POT_LIMIT", "betting = pot limit"]
)
def test_a_choice_is_taken_as_it_is_shown(call: Call, setting: str) -> None:
    assert call("simulate", "two-win", "-n", 1, "--set", setting, "--json").data["options"]["betting"] == "pot_limit"


@pytest.mark.parametrize(("said", "value"), [("yes", True), ("No", False), ("TRUE", True), ("off", False)])
def test_a_truth_is_taken_as_it_is_shown(call: Call, said: str, value: bool) -> None:
    told = call("simulate", "hearts", "-n", 1, "--set", f"queen breaks={said}", "--set", "target=1", "--json")
    assert told.data["options"]["queen_breaks"] is value


def test_what_is_no_value_is_still_none(call: Call) -> None:
    assert "`betting` is one of" in call("play", "two-win", "--set", "betting=none").err
    assert (
        "`queen_breaks` is `true` or `false`, not `maybe`" in call("play", "hearts", "--set", "queen_breaks=maybe").err
    )


def test_messages_name_the_command_as_it_was_called(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "`trionfi list` shows the library" in call("play", "nowhere").err
    monkeypatch.setenv("TRIONFI_COMMAND", "../dev trionfi")
    assert "`../dev trionfi list` shows the library" in call("play", "nowhere").err
    assert call("play", "--help").out.startswith("Usage: ../dev trionfi play ")
    monkeypatch.delenv("TRIONFI_COMMAND")
    monkeypatch.setattr("sys.argv", [str(Path(trionfi.__file__).with_name("__main__.py"))])
    monkeypatch.setattr("sys.orig_argv", ["python3", "-m", "trionfi"])
    assert "`python3 -m trionfi list` shows the library" in call("play", "nowhere").err
    monkeypatch.setattr("sys.argv", ["/elsewhere/__main__.py"])
    assert "`trionfi list` shows the library" in call("play", "nowhere").err


def test_a_table_is_set_with_the_games_own_opponents(call: Call) -> None:
    shown = call("play", "hearts", "--seed", 1)
    assert shown.out.startswith("Hearts, 4 players, seed 1; opponents: careful\n")
    assert call("play", "hearts", "--seed", 1, "--json").data["bots"] == [None, "careful", "careful", "careful"]
    shown = call("play", "hearts", "--bot", "2=random", "--seed", 1)
    assert shown.out.startswith("Hearts, 4 players, seed 1; opponents: p2 random, p3 careful, p4 careful\n")
    assert call("simulate", "hearts", "-n", 1, "--seed", 1, "--json").data["bots"] == ["random"] * 4
