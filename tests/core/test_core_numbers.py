"""Numbers as things, in the reference engine, the core and the native engine."""

from __future__ import annotations

import pytest

from trionfi.dsl.diagnostics import RulesError
from trionfi.interpreter.decision import Decision
from trionfi.interpreter.examples import run_examples
from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import load
from trionfi.interpreter.simulate import Setup, play_block

from .alike import same_games
from .said import everywhere, rules_of, said, values

SECTIONS = """
kinds:
  side: [red, green, blue]
options:
  most: {default: 4, range: 1..9}
variables:
  zero: 0
  taken: {per: player, start: 0}
define:
  allowed(player p, number): number mod 3 is 1 and number > p.taken
  odd(number): number mod 2 is 1
"""


def test_questions_about_numbers() -> None:
    values(
        {
            "count of numbers from 1 to 13": 13,
            "count of numbers from 1 to 14 step 3": 5,
            "count of numbers n from 1 to most where odd(n)": 2,
            "count of numbers from zero + 3 to zero - 3": 0,
            "sum of n * n for each number n from zero - 2 to 2 step 2": 8,
            "highest of n mod 5 for each number n from 1 to 9": 4,
            "lowest of number for each number from zero - 7 to 4 step most": -7,
            "median of number for each number from 1 to 4": 2,
            "any number n from 1 to 5 where n * n is 16": True,
            "every number from 1 to most where number < 4": False,
            "no number from 5 to most where true": True,
            "the number from 1 to 99 where number * number > 50": 8,
            "the number n from 1 to 9 with highest n mod 5": 4,
            "the number n from 1 to 9 where odd(n) with lowest (0 - n) mod 4": 3,
            "count of numbers n from 1 to 9 where any number m from 2 to n - 1 where n mod m is 0": 4,
            "sum of x for each number x from 9223372036854775800 - 1 to 9223372036854775807 step 4294967295": 9223372036854775799,
        },
        SECTIONS,
    )


def test_loops_over_numbers() -> None:
    script = """
    for each number n from 1 to 10 step 4:
      say "{n}"
    for each number from zero to 3 where odd(number): say "{number}"
    for each number n from 5 to 9:
      if n is 6: stop
      say "{n}"
    for each number n from 3 to zero: say "never"
    for each number n from 9223372036854775806 to 9223372036854775807: say "{n}"
    """
    assert said(script, SECTIONS) == [*"159", *"13", "5", "9223372036854775806", "9223372036854775807"]


def test_dice() -> None:
    """Each number comes about as often; a stacked game lists the numbers themselves."""
    rules = rules_of(
        'let die = random number from 1 to 6\nlet ten = random number n from 0 to 30 step 10\nsay "{die} {ten}"'
    )
    told = everywhere(
        rules, lambda engine: [rules.start(seed=2, game=i, engine=engine).log[0]["say"] for i in range(60)]
    )
    assert {text[0] for text in told} == set("123456")
    assert {text[2:] for text in told} == {"0", "10", "20", "30"}
    stacked = everywhere(rules, lambda engine: rules.deal(seed=1, engine=engine, chance=[5, 30]).log[0]["say"])
    assert stacked == "5 30"
    wrong = everywhere(rules, lambda engine: rules.deal(seed=1, engine=engine, chance=[0]))
    assert "outcome 0 is given to a random number, and is none of these" in wrong


def test_dice_with_a_condition() -> None:
    script = 'let die = random number n from 1 to 20 step 3 where n > 5 with highest n mod 4\nsay "{die}"'
    rules = rules_of(script)
    assert {rules.start(seed=1, game=i, engine="reference").log[0]["say"] for i in range(9)} == {"7", "19"}
    everywhere(rules, lambda engine: [rules.start(seed=1, game=i, engine=engine).log for i in range(9)])
    nothing = rules_of("zero = random number from 1 to zero", SECTIONS)
    told = everywhere(nothing, lambda engine: nothing.start(seed=1, engine=engine))
    assert "a random number of none" in told


def test_a_choice_with_a_condition_has_options() -> None:
    script = """
    p1 chooses number from 0 to 9 where allowed(p1, number) as p1.taken
    p2 chooses number n from zero to 100000 step 10 where n mod 700 is 30 as p2.taken
    p3 chooses number from 0 to 10 step 4 where number is not 4 as p3.taken
    say "{p1.taken} {p2.taken} {p3.taken}"
    """
    rules = rules_of(script, SECTIONS)

    def play(engine: str) -> list[object]:
        game = rules.start(seed=1, engine=engine)
        labels = []
        for label in ("7", "99430", "10"):
            assert isinstance(game.decision, Decision)
            labels.append([game.decision.is_number, game.decision.labels()[:3]])
            game.apply(game.decision.labels().index(label))
        return [*labels, game.log[-1]["say"]]

    assert everywhere(rules, play) == [
        [False, ["1", "4", "7"]],
        [False, ["30", "730", "1430"]],
        [False, ["0", "8", "10"]],  # the highest is offered after a shorter step, as in a plain range
        "7 99430 10",
    ]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("p1 chooses number from 0 to 9 where number > 9 as p1.taken", "p1 has nothing to choose in `taken`"),
        ("p1 chooses number from 0 to zero + 65536 where true as p1.taken", "are too many: at most 65,536"),
        ("zero = count of numbers from 1 to zero + 9 step zero", "the step from one number to the next is 0"),
        ("for each number from 1 to 9 step zero: zero = 1", "the step from one number to the next is 0"),
    ],
)
def test_what_stops_a_game(script: str, words: str) -> None:
    rules = rules_of(script, SECTIONS)
    assert words in everywhere(rules, lambda engine: rules.start(seed=1, engine=engine))


def test_as_many_options_as_there_may_be() -> None:
    rules = rules_of(
        "p1 chooses number from 1 to zero + 65536 where true as p1.taken\nsay '{p1.taken}'".replace("'", '"'), SECTIONS
    )

    def play(engine: str) -> object:
        game = rules.start(seed=1, engine=engine)
        assert game.decision is not None
        count = game.decision.count
        game.apply(65535)
        return count, game.log[-1]["say"]

    assert everywhere(rules, play) == (65536, "65536")


MENU = """
p1 chooses as bid:
  "{n} times {side}" for each number n from 1 to most * 20000 step 19999 and each side where n > 1 or side is blue:
    p1.taken = n
    say "{n} {side}"
  "{a} {b} {c} {side}" for each number a from -2 to smaller(zero, 0) and each number b from 1 to 2 and each number c from 70000 to 70001 and each side where a < 0:
    say "{a} {b} {c} {side}"
  "{p} {n}" for each player p and each number n from zero to 1: say "{p} {n}"
  "pass": say "pass"
"""


def test_lines_of_a_menu_about_numbers() -> None:
    labels = ["1 times blue", "80000 times red", "80000 times green", "80000 times blue"]
    rules = rules_of(MENU, SECTIONS)
    assert everywhere(rules, lambda engine: rules.start(seed=1, engine=engine).decision.labels()[:1]) == labels[:1]  # type: ignore[union-attr]
    assert said(MENU, SECTIONS, ["79997 times red"]) == ["79997 red"]
    assert said(MENU, SECTIONS, ["-1 2 70001 blue"]) == ["-1 2 70001 blue"]
    assert said(MENU, SECTIONS, ["p3 1"]) == ["p3 1"]
    assert said(MENU, SECTIONS, ["pass"]) == ["pass"]


def test_in_secret() -> None:
    script = 'each player secretly chooses:\n  number from 1 to 6 where odd(number) as player.taken\nsay "{p1.taken} {p4.taken}"'
    assert said(script, SECTIONS, ["3", "1", "1", "5"]) == ["3 5"]


DICE = """
trionfi: 1
name: Hold or Throw
about: A player throws a die as often as he dares; a one takes all of it.
players: 2..4
table: {stock: {start: deck, face: down}}
deck: {ranks: [ace, 2], suits: [cups, swords]}
variables:
  points: {per: player, start: 0}
  thrown: 0
  heap: 0
  goal: 0
play: |
  for each player:
    player chooses number from 10 to 20 where number mod 5 is 0 as goal
    heap = 0
    repeat until thrown is 1 or heap >= goal:
      thrown = random number from 1 to 6
      heap = 0 if thrown is 1, else heap + thrown
    player chooses as taking:
      "take {n}" for each number n from heap - 1 to heap where n >= 0: add n to player.points
      "leave it": thrown = 0
strategies:
  careful:
    goal: pick lowest_offered
    taking: |
      pick "take {n}" for heap
      pick "leave it"
  bold:
    goal: |
      if player.points > 100: pick 15
      pick highest_offered
tests:
  - "a one takes it all":
      players: 2
      chance: [6, 5, 1, 6, 6, 6, 6]
      moves: [p1: 15, p1: leave it, p2: 20, p2: take 24]
      expect: p1.points is 0 and p2.points is 24
result:
  score(player): player.points
"""


def test_a_game_of_dice_and_its_strategies() -> None:
    rules = load("dice", text=DICE)
    assert same_games(rules, 3, 0, 50) > 3
    for bots in (("careful", "bold"), ("bold", "random")):
        expected = play_block(rules, Setup(2, bots, 3, "reference"), 0, 30).sums
        assert BlockPlayer(rules, 2, bots, 3).play(0, 30) == expected
    for engine in ("reference", "native"):
        assert [outcome.failure for outcome in run_examples(rules, engine)] == [""]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("zero = count of numbers from 9 to 1", "no number goes from 9 up to 1"),
        ("zero = count of numbers from 1 to 9 step 0", "a step of 0 leads nowhere"),
        (
            "zero = count of numbers from 1 to 3 in p1.hand where true",
            "all of them are gone over; `in` is not for numbers",
        ),
        ("for each number from 1 to 3 starting p1: zero = 1", "`starting` is for players only"),
        ('say "{all numbers from 1 to 3}"', "`all` gives cards, players, zones or plays, no set of numbers"),
        ("p1 chooses number n from 1 to 3 as zero", "the name of a number is for a condition behind it"),
        (
            "zero = count of numbers n from 1 to zero where any number m from 1 to n + zero where m * n is 7",
            "queries in queries may come here",
        ),
    ],
)
def test_what_is_wrong(script: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        rules_of(script, SECTIONS)
