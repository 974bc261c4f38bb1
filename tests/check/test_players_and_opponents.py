"""How many are seated when nobody says how many, and who plays against you."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trionfi.interpreter.rules import load

Text = Callable[..., str]
Said = Callable[[str], list[str]]

EAGER = "{eager: {about: for tests}}"


def test_without_a_usual_number_the_fewest_are_seated(small_game: Text) -> None:
    rules = load("small.yaml", text=small_game(players="2..3"))
    assert (rules.usual_players, rules.start(seed=1).players) == (2, 2)


def test_the_usual_number_is_seated(small_game: Text) -> None:
    rules = load("small.yaml", text=small_game(players="{from: 2, to: 4, usual: 3}"))
    assert rules.players == (2, 4)
    assert rules.start(seed=1).players == 3
    assert rules.deal(seed=1).players == 3
    assert rules.simulate(games=2, seed=1, workers=1).players == 3
    assert rules.start(players=2, seed=1).players == 2


def test_a_mapping_needs_no_usual_number(small_game: Text) -> None:
    rules = load("small.yaml", text=small_game(players="{from: 2, to: 4}"))
    assert (rules.players, rules.usual_players) == ((2, 4), 2)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ("{from: 2, to: 4, usual: 5}", "5 > error `usual` is a number of 2 to 4, not 5 [wrong-value]"),
        ("{from: 2, to: 4, usual: 1}", "1 > error `usual` is a number of 2 to 4, not 1 [wrong-value]"),
        ("{from: 2, to: 4, usual: few}", "few > error `usual` is a whole number, not `few` [wrong-word]"),
        (
            "{from: 4, to: 2}",
            "{from: 4, to: 2} > error `players` goes from the lower to the higher number, not from 4 to 2 [wrong-value] (write `from: 2, to: 4`)",
        ),
        ("{from: 2}", "from > error a number of players says `to` [missing-section]"),
        (
            "{from: 2, to: 3, usaul: 2}",
            "usaul > error a number of players has no key `usaul`, in `players` [unknown-key] (did you mean `usual`?)",
        ),
    ],
)
def test_what_is_wrong_with_a_number_of_players(small_game: Text, said: Said, players: str, message: str) -> None:
    assert said(small_game(players=players)) == [message]


def test_a_variant_inherits_both(tmp_path: Path, small_game: Text) -> None:
    parent = small_game(players="{from: 2, to: 4, usual: 3}", strategies=EAGER, opponents="eager")
    (tmp_path / "parent.yaml").write_text(parent)
    child = tmp_path / "child.yaml"
    child.write_text("trionfi: 1\nname: Child\nextends: parent\n")
    rules = load(str(child))
    assert (rules.usual_players, rules.opponents) == (3, "eager")
    child.write_text("trionfi: 1\nname: Child\nextends: parent\nplayers: 2..4\nopponents: first\n")
    rules = load(str(child))
    assert (rules.usual_players, rules.opponents) == (2, "first")


@pytest.mark.parametrize(
    ("sections", "name"),
    [
        ({}, "random"),
        ({"strategies": EAGER}, "eager"),
        ({"strategies": "{eager: {about: one}, sly: {about: two}}"}, "random"),
        ({"strategies": "{eager: {about: one}, sly: {about: two}}", "opponents": "sly"}, "sly"),
        ({"strategies": EAGER, "opponents": "random"}, "random"),
    ],
)
def test_who_plays_against_you(small_game: Text, sections: dict[str, str], name: str) -> None:
    assert load("small.yaml", text=small_game(**sections)).opponents == name


def test_opponents_must_be_there(small_game: Text, said: Said) -> None:
    assert said(small_game(strategies=EAGER, opponents="eagre")) == [
        "eagre > error there is no strategy `eagre` [unknown-strategy] (did you mean `eager`?)"
    ]
    assert said(small_game(opponents="kind")) == [
        "kind > error there is no strategy `kind` [unknown-strategy] (the game has `random`, `first`)"
    ]
