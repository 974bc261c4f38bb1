"""`compare`, `new`, `explain`, `rank --vs` and the tables of `simulate`, as they are called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trionfi.interpreter.rules import load

Call = Callable[..., Any]


# ---- compare


def test_compare_shows_what_differs_and_what_does_not(call: Call) -> None:
    shown = call("compare", "kuhn", "leduc", "-n", 600, "--seed", 3)
    assert (shown.code, shown.err) == (0, "")
    different, same = shown.out.split("no detectable difference:")
    assert "A: Kuhn Poker\nB: Leduc Poker\n600 games of each on the same deals, 2 players, seed 3\n" in different
    assert "  decisions a game" in different
    assert "  p1 wins" in same
    assert "Bonferroni" in same


def test_compare_sets_options_of_either(call: Call) -> None:
    data = call(
        "compare", "klondike:draw=1,redeals=0", "klondike:draw=1", "-n", 2, "--engine", "reference", "--json"
    ).data
    assert (data["first"]["options"]["redeals"], data["second"]["options"]["redeals"]) == (0, 2)
    assert {data[side]["options"]["draw"] for side in ("first", "second")} == {1}


def test_a_value_may_have_a_colon(call: Call) -> None:
    a = "casino-twenty-one:payout=6:5,packs=2"
    data = call("compare", a, "casino-twenty-one", "-n", 3, "--set", "packs=4", "--engine", "reference", "--json").data
    options = [data[side]["options"] for side in ("first", "second")]
    assert [one["payout"] for one in options] == ["6:5", "3:2"]
    assert [one["packs"] for one in options] == [2, 4]  # its own goes before --set


def test_the_same_rules_never_differ(call: Call) -> None:
    data = call("compare", "kuhn", "kuhn", "-n", 300, "--seed", 1, "--json").data
    assert [one["difference"] for one in data["differences"]] == [0.0] * len(data["differences"])
    assert not any(one["detected"] for one in data["differences"])


def test_compare_is_the_same_for_any_number_of_workers(call: Call) -> None:
    calls = ("compare", "kuhn", "leduc", "-n", 60, "--seed", 4, "--engine", "reference", "--json")
    assert call(*calls, "--workers", 1).data == call(*calls, "--workers", 2).data


def test_compare_is_that_of_two_simulations(call: Call) -> None:
    """The figures themselves are those of `simulate` with the same seed."""
    data = call("compare", "kuhn", "leduc", "-n", 80, "--seed", 7, "--bot", "all=first", "--json").data
    for side, rules in (("first", "kuhn"), ("second", "leduc")):
        report = load(rules).simulate(80, seed=7, bots="first")
        found = {one["name"]: one[side] for one in data["differences"]}
        assert found["p1 wins"] == pytest.approx(report.sums.win_share(0))
        assert found["decisions a game"] == pytest.approx(report.sums.decisions.mean)


def test_pairing_makes_differences_sharper(call: Call) -> None:
    """Scores of one deal go up and down together, so their difference is better known than each of them."""
    calls = ("compare", "two-win", "two-win:minimum_bet=4", "-n", 400, "--seed", 2, "--bot", "all=simple", "--json")
    one = next(d for d in call(*calls).data["differences"] if d["name"] == "ties")
    assert one["high"] - one["low"] < 0.1


# ---- new


def test_new_writes_a_game_that_validates_tests_and_plays(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "my-game.yaml"
    shown = call("new", path)
    assert (shown.code, shown.out) == (0, "")
    assert call("validate", path).out == f"{path}: fine\n"
    assert call("test", path).out == f"{path}: 5 passed, 0 failed\n"
    assert load(str(path)).name == "My game"
    assert "score: p1" in call("play", path, "--seed", 1, typed="1\n" * 60).out
    for players in (2, 3, 4):
        assert call("simulate", path, "-n", 20, "--players", players, "--bot", "1=eager").code == 0


def test_every_line_of_the_game_is_within_a_page_and_most_is_explained(call: Call, tmp_path: Path) -> None:
    call("new", tmp_path / "a.yaml")
    lines = (tmp_path / "a.yaml").read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) <= 120
    assert sum(line.lstrip().startswith("#") for line in lines) >= 15


@pytest.mark.parametrize("parent", ["two-win", "kuhn", "hearts"])
def test_new_writes_a_variant(call: Call, tmp_path: Path, parent: str) -> None:
    path = tmp_path / "mine.yaml"
    assert call("new", path, "--from", parent).code == 0
    assert call("validate", "--static", path).out == f"{path}: fine\n"
    assert call("test", path).out == f"{path}: 1 passed, 0 failed\n"
    assert load(str(path)).options == load(parent).options


def test_a_variant_has_the_options_that_were_set(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    call("new", path, "--from", "hearts", "--set", "target=50", "--set", "queen_breaks=true")
    assert load(str(path)).options == {"target": 50, "moon": "others_up", "queen_breaks": True}


def test_a_variant_of_a_file_lies_beside_it(call: Call, tmp_path: Path) -> None:
    parent, child = tmp_path / "one.yaml", tmp_path / "two.yaml"
    call("new", parent)
    assert call("new", child, "--from", parent).code == 0
    assert call("test", child).code == 0
    (tmp_path / "sub").mkdir()
    shown = call("new", tmp_path / "sub" / "two.yaml", "--from", parent)
    assert shown.code == 2
    assert "lies beside the file that it extends" in shown.err


def test_new_never_writes_over_a_file(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("mine", encoding="utf-8")
    for name in (path, tmp_path / "a"):  # without an ending it gets one
        shown = call("new", name)
        assert shown.code == 2
        assert "is there already" in shown.err
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["no.yaml", "123.yaml", "O'Hell!.yaml", "näh.yaml", "true.yaml"])
def test_a_title_is_a_text_whatever_the_file_is_called(call: Call, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert call("new", path).code == 0
    assert load(str(path)).name


# ---- rank


REASONS = {
    "two-win poker 7c 7w 2c 3w 4s --vs kc 7w 2c 3w 4s": "by the category: One Pair is above High Card",
    "two-win poker ac 9w 7c 5c 3s --vs kc 9w 7c 5c 3s": "by the poker rank of the first group or card (ace against king)",
    "arcana-poker hand 9c 9d Ah 3c 2d --vs 9h 9s Kh Qc Jd": "by the rank of the second group or card (ace against king)",
    "arcana-poker hand As Kd 2c --vs Ah Kh": "since the other one runs out of cards first",
}


@pytest.mark.parametrize("words", REASONS)
def test_rank_says_which_rule_decided(call: Call, words: str) -> None:
    assert call("rank", *words.split()).out.endswith(f"the first hand is better\ndecided {REASONS[words]}\n")
    head, vs = words.split(" --vs ")
    rules, ranking, *cards = head.split()
    turned = call("rank", rules, ranking, *vs.split(), "--vs", *cards)
    assert turned.out.endswith(f"the second hand is better\ndecided {REASONS[words]}\n")


def test_a_truth_may_decide(call: Call) -> None:
    shown = call(
        "rank",
        "two-win",
        "poker",
        "Death, 2 of cups, 3 of wands, 5 of cups, 9 of wands",
        "--vs",
        "ac kc qc nc pc".replace(" ", ","),
    )
    assert "decided by the question whether there is a major card in the hand (yes against no)" in shown.out


def test_equal_hands_need_no_reason(call: Call) -> None:
    shown = call("rank", "arcana-poker", "hand", "Ah", "Kh", "--vs", "As", "Ks")
    assert shown.out.endswith("the hands are equal\n")


def test_totals_and_melds_are_counted(call: Call) -> None:
    assert call("rank", "blackjack", "tally", "As", "Kd").out == "21, soft\n"
    assert call("rank", "blackjack", "tally", "9s", "8d", "7c", "--json").data == {
        "value": 24,
        "soft": False,
        "bust": True,
    }
    shown = call("rank", "gin-rummy", "meld", "As", "2s", "3s", "Kh")
    assert shown.out == ("melds: Ace of Spades, 2 of Spades, 3 of Spades. Left: King of Hearts, which costs 10\n")


# ---- simulate


@pytest.mark.parametrize("width", [80, 60, 40])
def test_a_table_fits_the_width(call: Call, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for rules, count in (("two-win", 3), ("two-win", 17), ("kuhn", 2), ("klondike", 1)):
        shown = call("simulate", rules, "-n", 3, "--seed", 1, "--players", count)
        assert max(map(len, shown.out.splitlines())) <= width


def test_the_table_has_intervals_and_bars(call: Call) -> None:
    out = call("simulate", "two-win", "-n", 40, "--seed", 1).out
    assert "95% interval" in out
    assert "█" in out
    assert "house_over" in out
