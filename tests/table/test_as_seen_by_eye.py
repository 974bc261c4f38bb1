"""What looked wrong at the table when games were played through, and is told or shown rightly now."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from trionfi.interpreter.rules import load
from trionfi.shell.ink import width_of
from trionfi.shell.terminal.painting import Painter
from trionfi.table.course import Course

HEAD = """\
trionfi: 1
name: Seen
about: What is seen at the table.
players: 2
deck: standard
table:
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down}
  spot: {face: up, capacity: 1}
  kitty: {face: down}
"""
ASKED = """
p1 chooses as on:
  "go on": say "so be it"
"""
RESULT = """
result:
  score(player): 0
"""


def play_of(body: str, head: str = HEAD) -> Any:
    lines = "\n".join(f"  {line}" for line in body.strip().split("\n"))
    return load("seen", text=f"{head}play: |\n{lines}{RESULT}").start(seed=3, engine="reference")


def to_the_end(game: Any, viewer: int = 0, last: bool = False) -> tuple[Course, list[str]]:
    course, random = Course(game, [viewer]), Random(1)
    while not game.over:
        game.apply(game.decision.count - 1 if last else random.randrange(game.decision.count))
    course.follow(game)
    return course, [said for scene in course.scenes(viewer) for said in scene.sentences]


def test_one_number_alone_is_no_range() -> None:
    menu = Course(game := play_of("p1 chooses number from 5 to 5 as raise_to"), [0]).table(0).menu
    assert game.decision.is_number
    assert menu is not None
    assert menu.number is not None
    assert menu.title == "raise to: only 5"
    assert [(amount.word, amount.value) for amount in menu.number.amounts] == [("only", 5)]


def test_a_card_that_is_turned_down_again_says_so() -> None:
    game = play_of(f"deal 1 from stock to spot{ASKED}turn down spot{ASKED}")
    labels = []
    while not game.over:
        labels += [zone.label for row in Course(game, [0]).table(0).grid for cell in row for zone in cell][1:2]
        game.apply(0)
    assert labels == ["spot", "spot, turned down"]


def test_a_card_that_nobody_sees_is_told_once() -> None:
    said = to_the_end(
        play_of("deal 3 from stock to p1.hand\np1 chooses 1 card from p1.hand as swap\nmove swap to kitty"), 1
    )[1]
    assert said[-1:] == ["p1 puts a card on the kitty"]
    assert not [one for one in said if "swap" in one]


def test_what_the_ruleset_says_is_shown_lies_in_order() -> None:
    game = play_of(f'deal 7 from stock to p2.hand\nturn up p2.hand\nsay "{{p2}} shows {{all cards in p2.hand}}"{ASKED}')
    said = to_the_end(game)[1]
    names = Course(game, [0]).pictures.faces
    shown = [names.named_in(one) for one in said if one.startswith("p2 shows ")]
    assert len(shown) == 1
    assert shown[0] == sorted(shown[0], key=names.order_of_name)
    assert len(shown[0]) == 7


def test_nothing_chosen_is_called_nothing() -> None:
    said = to_the_end(play_of(f"turn up stock\np2 chooses 0..1 cards from stock as wanted{ASKED}"), last=True)[1]
    assert "p2, wanted: nothing" in said


def test_what_is_passed_is_passed() -> None:
    said = to_the_end(play_of("deal 3 from stock to p1.hand\np1 chooses 1 card from p1.hand as passing"))[1]
    assert any(one.startswith("you pass ") for one in said), said


@pytest.mark.parametrize("seed", range(3))
def test_a_hand_of_which_a_part_is_known_is_in_order(seed: int) -> None:
    game = load("hearts").start(seed=seed, engine="reference")
    random = Random(seed)
    while "lead" not in game.decision.name:
        game.apply(random.randrange(game.decision.count))
    course = Course(game, [0])
    hand = next(z for seat in course.table(0).seats[1:] for z in seat.zones if z.family == "hand" and z.known)
    assert 0 < len(hand.known) < hand.count
    numbers = [card.number for card in hand.cards]
    assert None not in numbers[: len(hand.known)]
    faces = course.pictures.faces
    assert numbers[: len(hand.known)] == sorted(numbers[: len(hand.known)], key=lambda number: faces.order(number or 0))


def test_who_leads_sees_no_suit_that_was_led_before() -> None:
    game, random, leads = load("hearts").start(seed=2, engine="reference"), Random(2), 0
    while leads < 3:
        if game.decision.name == "lead":
            assert game.state["variables"]["led_suit"] is None
            leads += 1
        game.apply(random.randrange(game.decision.count))


def test_who_has_won_by_folding_is_not_told_what_lies_face_down() -> None:
    game = load("two-win").start(seed=8, engine="reference")
    course, random = Course(game, [0]), Random("two-win 8")
    while not game.over:
        labels = [] if game.decision.is_number else game.decision.labels()
        fold = "fold" if game.decision.player else "raise"
        game.apply(labels.index(fold) if fold in labels else 0 if not labels else random.randrange(len(labels)))
    course.follow(game)
    end = course.table(0).end
    assert end is not None
    hidden = {
        course.pictures.faces.name(number)
        for name, numbers in game.state["zones"].items()
        for number, known in zip(numbers, game.state["known"][name], strict=True)
        if "p1" not in known and 0 not in known
    }
    told = ", ".join(cell for row in end.summary.rows for cell in row)
    assert hidden
    assert not [name for name in hidden if f"{name}," in f"{told},"]


def test_lines_break_between_the_cards_of_a_figure() -> None:
    game, random = load("two-win-solitaire").start(seed=8, engine="reference"), Random(8)
    while game.decision.name not in {"draw", "orientation"}:
        game.apply(random.randrange(game.decision.count))
    course = Course(game, [0])
    painted = Painter(course.pictures.faces, has_colours=True).fitting(course.table(0), 60, 20)
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in painted]
    at = next(i for i, line in enumerate(lines) if "poker cards" in line)
    figure = [line for line in lines[at:] if line.strip()]
    assert len(figure) > 1
    assert all(width_of(line) <= 60 for line in figure)
    assert all(line.startswith("    ") for line in figure[1:])
    assert not any(line.rstrip().endswith(" of") for line in figure)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_what_is_paid_to_who_wins_is_no_standing(name: str) -> None:
    game = load(name).start(seed=1, engine="reference")
    table = Course(game, [0]).table(0)
    assert "paid 1" in [figure.text for figure in table.seats[0].figures]
    assert not [figure for seat in table.seats for figure in seat.figures if figure.is_main]
    assert "paid" not in to_the_end(game)[0].table(0).end.summary.columns


def test_hands_are_shown_where_both_have_stayed_in() -> None:
    game = load("leduc").start(seed=1, engine="reference")
    course = Course(game, [0])
    while not game.over:
        game.apply(game.decision.labels().index("call"))
    course.follow(game)
    said = [said for scene in course.scenes(0) for said in scene.sentences]
    assert [one for one in said if one.startswith("p2 shows ")]


def test_the_hole_card_is_told_with_what_the_house_has() -> None:
    game = load("casino-twenty-one", {"rounds": 1}).start(seed=8, engine="reference")
    course = Course(game, [0])
    while not game.over:
        labels = [] if game.decision.is_number else game.decision.labels()
        game.apply(labels.index("stand") if "stand" in labels else 0)
    course.follow(game)
    said = [said for scene in course.scenes(0) for said in scene.sentences]
    assert said[-2:] == ["turned up: Queen of Hearts", "the house has 17"]


def test_a_place_with_a_die_is_not_called_empty() -> None:
    game = load("liars-dice").start(seed=1, engine="reference")
    course = Course(game, [0])
    lines = Painter(course.pictures.faces, has_colours=False).fitting(course.table(0), 80, 24)
    dice = [line.rstrip() for line in lines if " die " in line]
    assert len(dice) == 5
    assert not [line for line in dice if line.endswith("-")]
