"""What happened, told to a seat: sentences, tricks, hands; and nothing that the seat does not know."""

from __future__ import annotations

import json
from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from trionfi.interpreter.rules import load
from trionfi.table.course import Course
from trionfi.table.model import Scene

GAMES = [
    "two-win",
    "euchre",
    "hearts",
    "gin-rummy",
    "tarot-tennessee",
    "tennessee-for-two",
    "crazy-eights",
    "arcana-poker",
]


def start(name: str, players: int, seed: int = 3) -> Any:
    return load(name).start(players=players, seed=seed, engine="reference")


def played(game: Any, course: Course, seat: int, moves: list[int]) -> list[Scene]:
    scenes = course.scenes(seat)
    for move in moves:
        game.apply(move)
        course.follow(game)
        scenes += course.scenes(seat)
    return scenes


def first_card(game: Any) -> int:
    return 0


@pytest.mark.parametrize("name", GAMES)
def test_no_sentence_names_a_card_that_its_seat_has_not_seen(name: str) -> None:
    random = Random(name)
    game = load(name).start(seed=5, engine="reference")
    seats = list(range(game.players))
    course = Course(game, seats)
    known: list[set[str]] = [set() for _ in seats]
    told = 0
    for _ in range(150):
        if game.decision is None:
            break
        for seat in seats:
            faces = course.pictures.faces
            for event in course.witness.events[course.told[seat] :]:
                views = event.views.get(seat)
                for cards in views["zones"].values() if views else ():
                    known[seat].update(faces.names[card % len(faces.names)] for card in cards if card is not None)
                known[seat].update(
                    card.name.removesuffix(" reversed") for card in event.cards if card.known >> seat & 1
                )
            known[seat].update(
                named
                for entry in game.view(seat)["log"]
                for text in entry.values()
                if isinstance(text, str)
                for named in faces.named_in(text)
            )
            for scene in course.scenes(seat):
                for sentence in scene.sentences:
                    told += 1
                    assert set(faces.named_in(sentence)) <= known[seat], sentence
        game.apply(random.randrange(game.decision.count))
        course.follow(game)
    assert told > 5


@pytest.mark.parametrize("name", GAMES)
def test_a_table_is_ready_for_json(name: str) -> None:
    game = load(name).start(seed=5, engine="reference")
    course = Course(game, [game.decision.player, None])
    for seat in course.people:
        for scene in course.scenes(seat):
            json.dumps(asdict(scene))
        json.dumps(asdict(course.table(seat)))


def test_a_trick_stays_until_it_is_seen_and_says_who_takes_it() -> None:
    cards = {
        "p1.hand": ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc", "2d"],
        "p2.hand": ["Ac", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "Td", "Jd", "Qd", "Kd", "Ad"],
    }
    game = load("hearts").deal(
        players=4, seed=1, engine="reference", cards=cards, set={"hand_number": 3, "dealer": "p4"}
    )
    course = Course(game, [0])
    scenes = played(game, course, 0, [0, 0, 0, 0])
    trick = next(scene for scene in scenes if scene.wait == "trick")
    assert trick.sentences[-1].startswith("p2 takes the trick: 2 of Clubs, Ace of Clubs, ")
    lying = {zone.owner: zone for row in trick.table.grid for cell in row for zone in cell}
    assert [len(lying[f"p{seat}"].cards) for seat in (1, 2, 3, 4)] == [1, 1, 1, 1]  # as it lay before it was taken
    assert lying["p1"].mark == "led"
    assert lying["p2"].mark == "won"
    assert "you lead 2 of Clubs" in [sentence for scene in scenes for sentence in scene.sentences]


def play_holdem(folds: bool) -> tuple[Any, Course, list[Scene]]:
    game = load("no-limit-holdem", options={"games": 2}).start(players=2, seed=4, engine="reference")
    course = Course(game, [0])
    scenes: list[Scene] = []
    while not any(scene.wait == "hand" for scene in scenes):
        labels = game.decision.labels()
        wanted = "fold" if folds and "fold" in labels else "check"
        game.apply(
            labels.index(wanted) if wanted in labels else next(i for i, x in enumerate(labels) if x[:4] == "call")
        )
        course.follow(game)
        scenes += course.scenes(0)
    return game, course, scenes


def test_a_hand_says_what_won_it() -> None:
    _, _, scenes = play_holdem(folds=False)
    summary = next(scene.summary for scene in scenes if scene.wait == "hand")
    assert summary is not None
    assert summary.columns == ("", "value", "", "chips")
    (you, mine, gain, _), (other, theirs, loss, _) = summary.rows
    assert (you, other) == ("p1 (you)", "p2")
    assert {mine.split(":")[0], theirs.split(":")[0]} <= {"one pair", "two pair", "high card", "straight", "flush"}
    assert int(gain or 0) + int(loss or 0) == 0


def test_a_hand_that_nobody_showed_is_not_told() -> None:
    _, _, scenes = play_holdem(folds=True)
    summary = next(scene.summary for scene in scenes if scene.wait == "hand")
    assert summary is not None
    assert all(len(row) == len(summary.columns) for row in summary.rows)
    assert not any(":" in cell for row in summary.rows if row[0] == "p2" for cell in row[1:])


def test_what_is_taken_back_is_followed_anew() -> None:
    from trionfi.interpreter.take_back import taken_back

    game = start("two-win-solitaire", 1)
    course = Course(game, [0])
    before = course.table(0)
    game.apply(0)
    course.follow(game)
    assert course.table(0) != before
    course.follow(taken_back(game, 0, [0]))
    assert course.table(0) == before


def test_the_hand_is_sorted_by_suit_and_rank() -> None:
    game = start("hearts", 4)
    hand = Course(game, [0]).table(0).hand
    order = [(["clubs", "diamonds", "hearts", "spades"].index(card.suit), card.number) for card in hand]
    assert order == sorted(order)
    assert len(hand) == 13


def test_a_raise_has_usual_amounts() -> None:
    game = load("two-win").start(players=2, seed=7, engine="reference")
    course = Course(game, [0, 1])
    for label in ("call", "raise"):
        labels = game.decision.labels()
        game.apply(next(i for i, one in enumerate(labels) if one.startswith(label)))
    game.apply(36)  # raises to 40
    labels = game.decision.labels()
    game.apply(labels.index("raise"))
    course.follow(game)
    menu = course.table(game.decision.player).menu
    assert menu is not None
    assert menu.number is not None
    words = {amount.word: amount.value for amount in menu.number.amounts}
    assert words["least"] == menu.number.least
    assert words["most"] == menu.number.most


def test_who_took_a_trick_for_the_team_is_told_with_the_card_and_marked() -> None:
    hands = {"p1.hand": ["Ah", "Kh", "Qh", "Th", "9c"], "p2.hand": ["Jd", "Ad", "Kd", "Qd", "Td"],
             "p3.hand": ["Ac", "Kc", "Qc", "Tc", "Jc"], "p4.hand": ["9d", "9s", "Ts", "Js", "Qs"], "upcard": ["9h"]}  # fmt: skip
    game: Any = load("euchre").deal(seed=1, cards=hands, set={"dealer": "p4"}, engine="reference")
    course = Course(game, [0])
    scenes = played_by_labels(game, course, ["hearts", "9 of Diamonds", "with partner", "Ace of Hearts"])
    trick = next(scene for scene in scenes if scene.wait == "trick")
    assert trick.sentences[-1].startswith("p2 takes the trick for team2 with Jack of Diamonds: Ace of Hearts, ")
    marks = {zone.key: zone.mark for row in trick.table.grid for cell in row for zone in cell}
    assert (marks["p1.played"], marks["p2.played"]) == ("led", "won")


def played_by_labels(game: Any, course: Course, labels: list[str]) -> list[Scene]:
    """These, then the first option of all, to the end of a trick."""
    scenes = course.scenes(0)
    while not any(scene.wait for scene in scenes):
        game.apply(game.decision.labels().index(labels.pop(0)) if labels else 0)
        course.follow(game)
        scenes += course.scenes(0)
    return scenes


def test_a_hand_shown_is_told_though_other_cards_of_the_player_are_hidden() -> None:
    game: Any = load("arcana-poker").start(seed=3, engine="reference")
    course = Course(game, [0])
    scenes = course.scenes(0)
    while not any(scene.wait == "hand" for scene in scenes):
        game.apply(game.decision.labels().index("pass") if "pass" in game.decision.labels() else 0)
        course.follow(game)
        scenes += course.scenes(0)
    summary = next(scene.summary for scene in scenes if scene.wait == "hand")
    assert summary is not None
    assert summary.columns[1] == "value"
    assert all(row[1] for row in summary.rows)


def test_a_number_behind_another_verb_is_called_by_that() -> None:
    """The library's number is `raise_to`, after `bet` as after `raise`."""
    game: Any = load("no-limit-holdem").start(players=2, seed=3, engine="reference")
    course = Course(game, [0, 1])
    told: list[tuple[str, str]] = []
    for label in ("raise", "6", "call 4", "bet", "8", "raise", "16"):
        menu = course.table(game.decision.player).menu
        assert menu is not None
        title, chooser = menu.title.partition(":")[0], game.decision.player
        course.scenes(chooser)
        game.apply(game.decision.move_called(label))
        course.follow(game)
        said = [sentence for scene in course.scenes(1 - chooser) for sentence in scene.sentences]
        told += [(title, sentence.partition(" ")[2]) for sentence in said if sentence.endswith(f" {label}")]
    named = [one for one in told if one[1][-1].isdecimal() and not one[1].startswith("calls")]
    assert named == [("raise to", "raises to 6"), ("bet", "bets 8"), ("raise to", "raises to 16")]
