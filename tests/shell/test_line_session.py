"""Playing by lines: what answers mean, several picks at once, what comes of wrong ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from trionfi.interpreter.rules import Rules, load
from trionfi.shell.calls import CallError
from trionfi.shell.ink import wrapped
from trionfi.shell.lines import Left, OutOfInput, answer_of, in_columns, wanted
from trionfi.shell.playing import people_at
from trionfi.table.course import Course, shared_view
from trionfi.table.model import Menu, Number, Option, Scene, Table
from trionfi.table.picking import picks_of

Sit = Callable[..., Any]


def first(game: object) -> int:
    return 0


def start(rules: Rules, seed: int = 1) -> Any:
    return rules.start(players=2, seed=seed, engine="reference")


def labels_of(game: Any) -> list[str]:
    return [label for _, _, label in game.labels]


def play_to_end(sit: Any, bots: Any = (first, first)) -> str:
    sit.table.play(list(bots))
    return str(sit.out.getvalue())


# ---- whole games


def test_a_game_is_asked_and_told(sit_down: Sit) -> None:
    game = load("kuhn").start(seed=3, engine="reference")
    text = play_to_end(sit_down(game, [0, 1], "1\nbet\nCALL\n"))
    assert labels_of(game) == ["pass", "bet", "call"]
    assert "p1, open:\n  1  pass\n  2  bet\np1> 1\n" in text
    assert "  p1 passes\n" not in text.partition("p2> ")[0].partition("p1> ")[0]
    assert "  p1 passes\n" in text  # p2 is told
    assert text.rstrip().endswith(("wins", "win"))
    assert "score: p1 " in text


def test_a_bot_is_not_asked_and_what_it_did_is_told(sit_down: Sit) -> None:
    game = load("kuhn").start(seed=3, engine="reference")
    text = play_to_end(sit_down(game, [0], "bet\n"), [first, lambda game: 1])
    assert "p2> " not in text
    assert text.count("  p2 calls\n") == 1


def test_each_player_sees_their_own_cards_only(sit_down: Sit) -> None:
    game = load("kuhn").start(seed=3, engine="reference")
    sit = sit_down(game, [0], "pass\n")
    hands = {seat: game.rules.cards[game.state["zones"][f"p{seat}.hand"][0]] for seat in (1, 2)}
    with pytest.raises(OutOfInput):
        sit.table.play([first, lambda game: 1])
    before_the_end = sit.out.getvalue()
    assert f"hand  │{hands[1]}" in before_the_end or hands[1] in before_the_end
    assert hands[2] not in before_the_end


def test_cards_that_nobody_has_shown_stay_down_at_the_end(sit_down: Sit) -> None:
    # p2 folds: nobody shows
    game = load("kuhn").start(seed=3, engine="reference")
    sit = sit_down(game, [0], "bet\n")
    held = game.rules.cards[game.state["zones"]["p2.hand"][0]]
    sit.table.play([first, lambda game: 0])
    assert held not in sit.out.getvalue()
    assert "score: p1 1, p2 -1" in sit.out.getvalue()


def test_several_people_see_at_the_end_what_all_may_know() -> None:
    game = load("kuhn").start(seed=3, engine="reference")
    for label in ("bet", "fold"):
        game.apply([option.label for option in game.decision.options].index(label))
    assert shared_view([game.view(0)])["zones"]["p1.hand"] != [None]
    shared = shared_view([game.view(0), game.view(1)])
    assert (shared["zones"]["p1.hand"], shared["zones"]["p2.hand"]) == ([None], [None])
    assert shared["variables"]["p1.paid"] == 2


def test_the_end_of_the_input_stops_the_game(sit_down: Sit, thrown: Rules) -> None:
    with pytest.raises(OutOfInput):
        play_to_end(sit_down(start(thrown), [0, 1], "1\n"))


def test_a_player_may_leave(sit_down: Sit, thrown: Rules) -> None:
    with pytest.raises(Left):
        play_to_end(sit_down(start(thrown), [0, 1], "quit\n"))


# ---- several at once


def test_several_cards_at_once_by_number(sit_down: Sit, thrown: Rules) -> None:
    game = start(thrown)
    now, later = asked(game)
    assert later  # the last cannot be picked first
    wanted = [now[0], later[-1]]
    number = len(now) + len(later)
    sit = sit_down(game, [0, 1], f"{number} 1\n")
    with pytest.raises(OutOfInput):
        sit.table.play([first, first])
    assert labels_of(game) == wanted
    assert "p1, away: 2, several at once as in `1 2`" in sit.out.getvalue()


def test_several_cards_at_once_by_name(thrown: Rules) -> None:
    game = start(thrown)
    now, later = asked(game)
    one, other = now[0], later[-1]
    assert answer_of(menu_of(game), f"{other}, {one.upper()}") == [other, one]
    assert picks_of(game, [other, one]) == [0, len(game_after(game, 0).decision.options) - 1]


def menu_of(game: Any) -> Menu:
    menu = Course(game, [game.decision.player]).table(game.decision.player).menu
    assert menu is not None
    return menu


def asked(game: Any) -> tuple[list[str], list[str]]:
    """The labels that are offered now, and those behind others."""
    options = menu_of(game).offered
    return [one.label for one in options if one.move is not None], [one.label for one in options if one.move is None]


def game_after(game: Any, move: int) -> Any:
    again = game.clone()
    again.apply(move)
    return again


def test_done_is_said_for_who_picks_several(thrown: Rules) -> None:
    game = start(thrown)
    for answer in (0, 0, 0, 0):
        game.apply(answer)
    decision = game.decision
    assert decision.name == "rest"
    menu = menu_of(game)
    assert menu.title == "rest: up to 2"
    first_card = menu.offered[0].label
    assert answer_of(menu, "1 done") == [first_card, "done"]
    moves = picks_of(game, [first_card, "done"])
    assert isinstance(moves, list)
    for move in moves:
        game.apply(move)
    assert game.over


def test_too_many_picks_change_nothing(sit_down: Sit, thrown: Rules, capsys: pytest.CaptureFixture[str]) -> None:
    game = start(thrown)
    with pytest.raises(OutOfInput):
        play_to_end(sit_down(game, [0, 1], "1 2 3\n"))
    assert labels_of(game) == []
    assert "one is too many: " in capsys.readouterr().err


def test_the_same_card_twice_is_not_taken(sit_down: Sit, thrown: Rules, capsys: pytest.CaptureFixture[str]) -> None:
    game = start(thrown)
    with pytest.raises(OutOfInput):
        play_to_end(sit_down(game, [0, 1], "1 1\n"))
    assert labels_of(game) == []
    assert "does not go with the others" in capsys.readouterr().err


# ---- answers


def menu(*labels: str) -> Menu:
    return Menu("p1", "betting", "betting", tuple(Option(label, move) for move, label in enumerate(labels)))


def test_the_highest_number_is_always_offered() -> None:
    wanted = Menu("p1", "raise_to", "raise to", number=Number(2, 9, 3))
    answers = ("2", "5", "8", "9", "3", "1", "x")
    assert [answer_of(wanted, text) for text in answers] == [["2"], ["5"], ["8"], ["9"], None, None, None]


def test_a_number_is_asked_for_with_its_bounds(sit_down: Sit, thrown: Rules) -> None:
    sit = sit_down(start(thrown), [0, 1], "1 2\n")
    with pytest.raises(OutOfInput):
        sit.table.play([first, first])
    assert "p1, bid: a number from 1 to 9 in steps of 3\n" in sit.out.getvalue()


def test_where_numbers_are_offered_a_number_is_the_option_and_not_its_place() -> None:
    assert [answer_of(menu("0", "2", "1"), text) for text in ("0", "1", "2", "3")] == [["0"], ["1"], ["2"], None]
    assert in_columns(menu("0", "2"), 80, str) == ["  0", "  2"]
    assert wanted(menu("0", "2")) == "one of these numbers is wanted"


def test_numbers_have_no_letters_though_ranks_are_called_so() -> None:
    game = load("oh-hell", {"hook": False}).start(players=3, seed=3, engine="reference")
    assert [(one.label, one.letter) for one in menu_of(game).offered] == [(str(number), "") for number in range(11)]


def test_a_label_that_is_a_number_is_reached_where_no_option_has_that_number() -> None:
    asked = menu("7", "pass")
    assert [answer_of(asked, text) for text in ("1", "2", "7", "3")] == [["7"], ["pass"], ["7"], None]


def test_a_label_comes_before_a_command() -> None:
    assert answer_of(menu("undo", "quit"), "quit") == ["quit"]
    assert answer_of(menu("undoing", "stay"), "undo") is None


@pytest.mark.parametrize("answer", ["3", "fold", "?!?", "1 2", "-1", "0", "999999999999999999999", "²"])
def test_a_wrong_answer_is_named_and_asked_again(
    sit_down: Sit, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load("kuhn").start(seed=3, engine="reference")
    sit = sit_down(game, [0, 1], f"{answer}\n1\nbet\ncall\n", width=100)
    sit.table.play([first, first])
    said = capsys.readouterr().err
    assert said == f"`{answer}` is not offered; a number from 1 to 2 is wanted, or a label\n" or answer.startswith("?")
    assert labels_of(game) == ["pass", "bet", "call"]


def test_no_line_is_wider_than_the_terminal(sit_down: Sit, thrown: Rules, capsys: pytest.CaptureFixture[str]) -> None:
    """What is said of wrong answers, what `?` says of a number and what is asked, too."""
    sit = sit_down(start(thrown), [0, 1], "\nfold\n?never\n1 2\n?\nnone of these numbers\n2\n", width=34)
    with pytest.raises(OutOfInput):
        sit.table.play([first, first])
    said = capsys.readouterr().err
    assert said.startswith("an empty line is no answer;")
    assert "a number from 1 to 9 in steps" in sit.out.getvalue()
    assert "nothing called `never` is" in sit.out.getvalue()
    assert max(map(len, (said + sit.out.getvalue()).splitlines())) <= 34


def test_help_names_the_commands(sit_down: Sit) -> None:
    game = load("kuhn").start(seed=3, engine="reference")
    text = play_to_end(sit_down(game, [0, 1], "help\n1\n1\n"))
    assert "`undo` takes your last choice back" in text


# ---- lines


def test_long_lines_are_broken() -> None:
    lines = wrapped([f"p{seat}.chips 200" for seat in range(20)], 80)
    assert max(map(len, lines)) <= 80
    assert len(lines) > 3
    assert max(map(len, wrapped(["x" * 100], 40, "  "))) <= 40


def test_many_options_stand_in_columns() -> None:
    asked = menu(*[f"card {i}" for i in range(1, 21)])
    lines = in_columns(asked, 80, str)
    assert len(lines) == 7
    assert lines[0] == "   1  card 1      8  card 8     15  card 15"
    assert len(in_columns(asked, 30, str)) == 20 or max(map(len, in_columns(asked, 30, str))) <= 30


def test_an_option_that_is_too_long_is_broken() -> None:
    lines = in_columns(menu("a very long label that goes on and on", "b"), 24, str)
    assert max(map(len, lines)) <= 24
    assert lines[0] == "  1  a very long label"


def test_of_many_lines_the_last_are_told(sit_down: Sit) -> None:
    sit = sit_down(load("kuhn").start(seed=3, engine="reference"), [0], "")
    sit.table.tell([Scene(tuple(map(str, range(40))), Table("", "p1"))])
    lines = sit.out.getvalue().splitlines()
    assert len(lines) == 25
    assert lines[0] == "  … 16 more before"
    assert lines[-1] == "  39"


# ---- who sits where


@pytest.mark.parametrize(
    ("seats", "bots", "people"),
    [([], {}, [0]), ([], {1: "first"}, [0]), ([], {0: "first"}, []), (["2", "p1"], {}, [0, 1])],
)
def test_who_sits_where(seats: list[str], bots: dict[int, str], people: list[int]) -> None:
    assert people_at(seats, bots, 2) == people


@pytest.mark.parametrize(
    ("seats", "bots", "message"),
    [
        (["3"], {}, "there is no seat `3`: the seats are 1 to 2"),
        (["0"], {}, "there is no seat `0`: the seats are 1 to 2"),
        (["1"], {0: "first"}, "seat 1 is yours and cannot be played by first"),
    ],
)
def test_seats_that_cannot_be(seats: list[str], bots: dict[int, str], message: str) -> None:
    with pytest.raises(CallError, match=message):
        people_at(seats, bots, 2)


def test_open_cards_are_all_seen(sit_down: Sit) -> None:
    game = load("blackjack").start(seed=4, engine="reference")
    sit = sit_down(game, [0], "")
    with pytest.raises(OutOfInput):
        sit.table.play([None])
    shown = sit.out.getvalue()
    hand = next(line for line in shown.splitlines() if line.startswith("    hand  "))
    assert hand.count("[") == len(game.state["zones"]["p1.hand"])
    assert "hole\n" in shown
    assert "[▒▒▒]" in shown


def test_the_first_words_of_one_choice_will_do(sit_down: Sit) -> None:
    game = load("two-win").deal(players=2, seed=3, engine="reference", set={"dealer": "p2"})
    assert game.decision is not None
    assert game.decision.labels() == ["fold", "call 1", "raise"]
    sit = sit_down(game, [0, 1], "call\n")
    with pytest.raises(OutOfInput):
        sit.table.play([first, first])
    assert game.moves == [1]


def test_the_title_is_broken_where_the_terminal_is_narrow(sit_down: Sit) -> None:
    sit = sit_down(load("kuhn").start(seed=3, engine="reference"), [0], "", width=20)
    sit.table.say_words("Tarot Tennessee for Two, 2 players, seed 1")
    assert sit.out.getvalue() == "Tarot Tennessee for\nTwo, 2 players, seed\n1\n"


def test_of_a_game_of_dice_one_sees_the_own_before_anything_has_changed(sit_down: Sit) -> None:
    game = load("liars-dice").start(players=2, seed=3, engine="reference")
    sit = sit_down(game, [0], "")
    with pytest.raises(OutOfInput):
        sit.table.play([first, first])
    rolled = [game.view(0)["variables"][f"p1.cup[{place}].die"] for place in range(1, 6)]  # type: ignore[index]
    shown = re.findall(r"cup (\d) die (\d)", sit.out.getvalue())
    assert shown == [(str(place), str(die)) for place, die in enumerate(rolled, start=1)]
