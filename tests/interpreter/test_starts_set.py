"""What variables start with where a call says so: `p1.points=50` beside options, in both engines."""

from __future__ import annotations

import pytest

from trionfi.dsl.diagnostics import RulesError
from trionfi.interpreter.rules import Rules, load
from trionfi.shell.calls import CallError, with_settings
from trionfi.shell.comparing import NEXT_OPTION, SETTING

GAME = """\
trionfi: 1
name: Starts
about: What is there at the start.
players: 2..4
deck: standard
options: {goal: {default: 3, range: 1..9}}
kinds: {mood: {calm: {label: quite calm}, wild: {}}}
table: {stock: {start: deck, face: down}, pile: {face: up}}
variables:
  points: {per: player, start: 1}
  chips: {per: player, counts: chips, start: 10}
  days: {per: mood, start: 0}
  feeling: {kind: mood, start: wild}
  odds: {start: 1}
  first: {kind: player}
  open_game: false
  seen: {kind: card}
play: |
  shuffle stock
  seen = stock.top
  p1 chooses number from 0 to goal as odds
  if first is none: first = p2
  add 1 to feeling.days
  if open_game: add 100 to first.points
result:
  score(player): player.points + player.chips + 10 * wild.days + odds
"""


@pytest.fixture
def rules() -> Rules:
    return load("starts", text=GAME)


def scores(rules: Rules, engine: str) -> list[int]:
    game = rules.start(players=2, seed=1, engine=engine)
    game.apply(0)
    return [int(score) for score in game.scores]


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ([], [21, 21]),
        (["p1.points=50", "goal=2"], [70, 21]),
        (["p2.chips=0", "wild.days=3"], [51, 41]),
        (["feeling=quite calm"], [11, 11]),
        (["first=p1", "open_game=true"], [121, 21]),
        (["open_game=yes"], [21, 121]),
    ],
)
def test_it_holds_in_both_engines(rules: Rules, settings: list[str], wanted: list[int]) -> None:
    rules = with_settings(rules, settings)
    assert scores(rules, "reference") == wanted
    assert scores(rules, "native") == wanted
    means = [rules.simulate(4, players=2, seed=1, engine=engine).to_dict() for engine in ("reference", "native")]
    assert means[0] == means[1]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("p5.points=3", "there is no variable `p5.points`"),
        ("points=3", "there is no variable `points`; it is called p1.points, p2.points"),
        ("p1.odds=3", "there is no variable `p1.odds`; it is called odds"),
        ("p1.pionts=3", "there is no variable `p1.pionts`; did you mean `points`?"),
        ("p1.chips=-1", "`p1.chips` cannot be below 0"),
        ("p1.points=many", "`p1.points` is a whole number, not `many`"),
        ("p1.points=99999999999999999999", "has at most 64 bits"),
        ("p1.points=none", "`p1.points` is a whole number, not `none`"),
        ("first=p9", "`first` is one of p1, p2, p3, p4, not `p9`"),
        ("feeling=clam", "`feeling` is one of calm, wild, not `clam`"),
        ("seen=2c", "`seen` holds card, which cannot be set from outside"),
    ],
)
def test_what_cannot_be_set_is_told(rules: Rules, setting: str, message: str) -> None:
    with pytest.raises(CallError) as error:
        with_settings(rules, [setting])
    assert message in str(error.value)


def test_a_seat_that_is_not_there_is_told(rules: Rules) -> None:
    for setting in ({"p3.points": 4}, {"first": "p3"}):
        with pytest.raises(ValueError, match="p3 is set to something, and 2 are seated"):
            rules.with_options(setting).start(players=2, seed=1)
        assert rules.with_options(setting).start(players=3, seed=1)


def test_a_record_holds_it(rules: Rules) -> None:
    rules = rules.with_options({"p1.points": 50})
    game = rules.start(players=2, seed=1)
    game.apply(1)
    record = game.record()
    assert record["options"]["p1.points"] == "50"  # type: ignore[index]
    assert rules.replay(record).scores == game.scores
    with pytest.raises(ValueError, match="other options"):
        load("starts", text=GAME).replay(record)


def test_a_name_that_is_neither_is_told() -> None:
    with pytest.raises(RulesError, match="there is no option `gaol`"):
        load("starts", {"gaol": 3}, text=GAME)


def test_several_are_told_apart_behind_a_colon() -> None:
    found = SETTING.match("starts:p1.points=3,goal=2")
    assert found is not None
    assert NEXT_OPTION.split(found["options"]) == ["p1.points=3", "goal=2"]
