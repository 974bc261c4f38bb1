"""`?`: why something is not offered; and that it tells nothing that the player may not know."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from trionfi.interpreter.rules import Rules, load
from trionfi.shell.lines import OutOfInput

Sit = Callable[..., Any]
LIBRARY = sorted(path.stem for path in (Path(__file__).parents[2] / "rulesets").glob("*.yaml"))


def start(rules: Rules, engine: str = "reference", seed: int = 1) -> Any:
    return rules.start(players=2, seed=seed, engine=engine)


def reasons(game: Any) -> dict[str, str]:
    return dict(game.missing())


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_define_gives_its_reason(thrown: Rules, engine: str) -> None:
    game = start(thrown, engine)
    given = reasons(game)
    assert given
    assert given == {label: f"p1 keeps hearts, as the {label}" for label in given}
    assert all(label.endswith("of Hearts") for label in given)


def test_a_condition_without_a_reason_is_quoted(thrown: Rules) -> None:
    game = start(thrown)
    for move in (0, 0, 0):
        game.apply(move)
    assert game.decision.labels() == ["take it"]
    assert reasons(game) == {"leave it": "only if bid > 5"}


LOOKS = """trionfi: 1
name: Looks
players: 2
deck: {from: standard, keep: "card.rank is 2..9"}
table:
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down, capacity: 4}
define:
  may_play(card): {is: "card.rank is ace", else: "the stock has {stock.top.suit} on top"}
  may_go(card): {is: "card.rank is ace", else: "there are {stock.count} cards"}
play: |
  shuffle stock
  deal 4 from stock to each hand
  p1 chooses as turn_choice:
    "play {card}" for each card in p1.hand where may_play(card): move card to stock
    "go {card}" for each card in p1.hand where may_go(card): move card to stock
    "pass": say "{p1} passes"
result:
  score(player): 0
"""


def test_a_reason_that_hangs_on_a_hidden_card_is_not_told() -> None:
    given = reasons(start(load("looks.yaml", text=LOOKS)))
    assert set(given.values()) == {"there are 24 cards"}
    assert all(label.startswith("go ") for label in given)


def test_asking_why_changes_nothing(thrown: Rules) -> None:
    game, asked = start(thrown), start(thrown)
    while game.decision is not None:
        asked.missing()
        assert asked.decision.labels() == game.decision.labels()
        assert asked.view(game.decision.player) == game.view(game.decision.player)
        game.apply(0)
        asked.apply(0)


@pytest.mark.parametrize(
    "name", ["euchre", "hearts", "crazy-eights", "klondike", "two-win", "arcana-poker", "gin-rummy"]
)
def test_every_decision_can_be_asked_about(name: str) -> None:
    game = load(name).start(seed=3, engine="reference")
    for turn in range(60):
        decision = game.decision
        if decision is None:
            break
        offered = {option.label for option in decision.options}
        for label, reason in game.missing():
            assert reason
            assert label not in offered or decision.picked or decision.left > 1
        game.apply(turn * 7 % decision.count)


def test_follow_suit_says_which_suit_is_held() -> None:
    game = load("euchre").start(seed=3, engine="reference")
    found: set[str] = set()
    for turn in range(120):
        if game.decision is None:
            break
        found.update(reason for _, reason in game.missing())
        game.apply(turn * 7 % game.decision.count)
    assert found & {f"follow {suit} if you can" for suit in ("hearts", "spades", "clubs", "diamonds")}


def test_the_table_groups_and_filters_them(sit_down: Sit, thrown: Rules) -> None:
    game = start(thrown)
    hearts = list(reasons(game))
    sit = sit_down(game, [0, 1], f"?\n? zzz\n? {hearts[0].upper()}\n")
    with pytest.raises(OutOfInput):
        sit.table.play([None, None])
    text = sit.out.getvalue()
    assert f"{hearts[0]}: p1 keeps hearts, as the {hearts[0]}" in " ".join(text.split())
    assert "nothing called `zzz` is left out" in text
    assert not game.moves


def test_in_hearts_each_card_has_the_reason_that_keeps_it() -> None:
    without_clubs = ["6d", "7d", "8d", "9d", "Td", "Jd", "6h", "7h", "8h", "9h", "Th", "7s", "8s"]
    hands = {"p1.hand": ["2c"], "p2.hand": ["3c", "5d"], "p3.hand": without_clubs}
    game = load("hearts").deal(seed=1, cards=hands, set={"hand_number": 3}, engine="reference")
    game.apply(game.decision.labels().index("2 of Clubs"))
    assert reasons(game)["5 of Diamonds"] == "follow clubs if you can"
    game.apply(game.decision.labels().index("3 of Clubs"))
    assert {*reasons(game).values()} == {"no points on the first trick"}
    assert "6 of Diamonds" in game.decision.labels()


def test_what_is_offered_is_said_to_be(sit_down: Sit, thrown: Rules) -> None:
    game = start(thrown)
    label = game.decision.labels()[0]
    sit = sit_down(game, [0, 1], f"?{label[0]}{label.split()[-1][0].lower()}\n")
    with pytest.raises(OutOfInput):
        sit.table.play([None, None])
    assert f"{label} is offered" in sit.out.getvalue()


PILES = """trionfi: 1
name: Piles
players: 1
deck: {from: standard, keep: "card.rank is 2..9"}
table:
  stock: {start: deck, face: down}
  waste: {face: up}
  pile: {piles: 2, face: up}
define:
  goes(zone): {is: zone.count > 1, else: "a pile of two is wanted"}
  has_more(): {is: waste is not empty, else: "there is nothing"}
play: |
  for each zone in pile: deal 1 from stock to zone
  p1 chooses as turn_choice:
    "{zone} on {other}" for each zone in pile and each zone other in pile where other is not zone and goes(zone):
      move zone.top to other
    "{waste.top} away" if has_more(): move waste.top to stock
    "pass": say "{p1} passes"
result:
  score(player): 0
"""


def test_neither_a_thing_with_itself_nor_nothing_at_all_is_left_out() -> None:
    game: Any = load("piles.yaml", text=PILES).start(seed=1, engine="reference")
    assert reasons(game) == {
        "pile[1] on pile[2]": "a pile of two is wanted",
        "pile[2] on pile[1]": "a pile of two is wanted",
    }


@pytest.mark.parametrize("name", LIBRARY)
def test_the_library_says_each_reason_in_words(name: str) -> None:
    random, game = Random(name), load(name).start(seed=8, engine="reference")
    for _ in range(60):
        if game.over:
            return
        assert [one for one in game.missing() if one.reason.startswith("only if ")] == []
        assert game.decision is not None
        game.apply(random.randrange(game.decision.count))
