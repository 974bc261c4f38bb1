"""What stops a game stops it in both engines, with the same words, one decision at a time and in whole blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules

from ..interpreter.conftest import small

__all__ = ["small"]

VARIABLES = """
variables:
  amount: 0
  who: {kind: player}
  pot: {counts: chips, start: 3}
  chips: {per: player, counts: chips, start: 5}
  wish: {per: player, kind: suit}
  wish_of_all: {kind: suit}
totals:
  large:
    values(card): 2305843009213693952
  mixed:
    values(card): 0 or 1 or 11 or 121 or 1331 or 14641 or 161051
    at most: 999999
  divided:
    values(card): 7 / amount rounded down
    at most: 21
"""

FAULTS = {
    "too few cards": ("who = random player\ndeal (11 if who is not none else 1) from stock to pile", "too-few-cards"),
    "too many in a row": (
        "who = random player\ndeal (4 if who is not none else 1) from stock to spot",
        "zone-overfull",
    ),
    "none as an owner": ("move who.hand to pile", "none-used"),
    "none in what is said": ('if stock.count > 3: say "{who} has {who.hand}"', "none-used"),
    "division by zero in what is said": ('say "{1 + (7 / amount rounded down)}"', "division-by-zero"),
    "division by zero": ("amount = 7 / amount rounded down", "division-by-zero"),
    "mod zero": ("amount = 7 mod amount", "division-by-zero"),
    "sum too large": ("amount = 9223372036854775807\nadd 1 to amount", "number-too-large"),
    "product too large": ("amount = 4611686018427387904\namount = amount * 2", "number-too-large"),
    "sum of players too large": (
        "amount = 4611686018427387904\namount = sum of amount for each player",
        "number-too-large",
    ),
    "fraction too large": ("amount = (1 / (amount + 9223372036854775807)) / 2 rounded up", "number-too-large"),
    "sum of fractions too large": (
        "amount = (sum of 1 / (suit.place + 4000000000) for each suit) rounded up",
        "number-too-large",
    ),
    "division too large": (
        "amount = -9223372036854775807 - 1\namount = amount / (pot - 4) rounded down",
        "number-too-large",
    ),
    "fraction of a large number": (
        "amount = -9223372036854775807 - 1\namount = -(amount / 3) rounded down",
        "number-too-large",
    ),
    "total too large": ("amount = large(stock).value", "number-too-large"),
    "too many sums": ("amount = mixed(stock).value", "too-many-sums"),
    "total of a division by zero": ("amount = divided(stock).value", "division-by-zero"),
    "highest of none": ("who = the player with highest player.wish", "none-used"),
    "highest of no word": ("wish_of_all = highest of player.wish for each player", "none-used"),
    "up to none": ("if cups is cups..wish_of_all: amount = 1", "none-used"),
    "highest of nothing": ("amount = highest of 1 for each player where player.chips > 9", "nothing-to-choose"),
    "random of nothing": ("who = random player where player.chips > 9", "nothing-to-choose"),
    "more chips than there are": ("pay 4 from pot to p1.chips", "chips-missing"),
    "fewer chips than none": ("pay amount - 1 from pot to p1.chips", "chips-missing"),
    "no option": ('p1 chooses as thing:\n  "never" if amount > 0: amount = 1', "no-option"),
    "no number": ("p1 chooses number from 3 to amount as amount", "no-option"),
    "too many numbers": ("p1 chooses number from 0 to 4294967295 as amount", "bad-step"),
    "step of nothing": ("p1 chooses number from 3 to 5 step amount as amount", "bad-step"),
    "no such place": ("move stock.top to spot[amount]", "no-such-place"),
    "no such card": ("move stock[99] to pile", "no-such-place"),
    "no end": ("while amount is 0: amount = 0", "game-without-end"),
    "nobody after": ("who = next player after who", "none-used"),
}


def error_of(run: Callable[[], object]) -> GameError:
    with pytest.raises(GameError) as caught:
        run()
    return caught.value


@pytest.fixture
def few_passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Loops may go on for 30,000 statements. At a million they stop games below: `no end`."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for module in ("dsl.limits", "interpreter.reference.compiler", "interpreter.native.emission.numbers"):
        monkeypatch.setattr(f"trionfi.{module}.MOST_STATEMENTS", 30_000)


@pytest.mark.usefixtures("few_passes")
@pytest.mark.parametrize(
    ("loop", "passes"),
    [
        ("repeat {} times: amount = 1", 15_000),
        ("for i from 1 to {}: amount = i", 15_000),
        ("while amount < {}:\n  amount = amount + 1\n  who = p1", 10_000),
    ],
)
def test_long_loops_stop_at_the_same_pass(loop: str, passes: int, small: Callable[..., Rules]) -> None:
    allowed, longer = (small(f"{loop.format(count)}\namount = 7", VARIABLES) for count in (passes, passes + 1))
    for engine in ("native", "reference"):
        game = allowed.start(players=2, seed=1, engine=engine)
        assert game.over
        assert game.state["variables"]["amount"] == 7  # type: ignore[index]
    assert BlockPlayer(allowed, 2, ("random",) * 2, 2).play(0, 1).games == 1
    errors = [
        error_of(lambda engine=engine: longer.start(players=2, seed=1, engine=engine))
        for engine in ("native", "reference")
    ]
    assert [error.code for error in errors] == ["game-without-end"] * 2
    assert str(errors[0]) == str(errors[1])


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_stop_games_alike(fault: str, small: Callable[..., Rules]) -> None:
    play, code = FAULTS[fault]
    rules = small(play, VARIABLES)
    errors = [
        error_of(lambda: rules.start(players=3, seed=2, game=4, engine="native")),
        error_of(lambda: rules.start(players=3, seed=2, game=4, engine="reference")),
        error_of(lambda: BlockPlayer(rules, 3, ("random",) * 3, 2).play(4, 1)),
    ]
    assert [error.code for error in errors] == [code] * 3
    assert len({str(error) for error in errors}) == 1


def test_a_fault_after_moves_is_told_with_them(small: Callable[..., Rules]) -> None:
    rules = small('p2 chooses as thing:\n  "go on": amount = 1\n  "break": amount = 1 / amount rounded down', VARIABLES)
    errors = []
    for engine in ("native", "reference"):
        game = rules.start(players=2, seed=1, engine=engine)
        errors.append(error_of(lambda game=game: game.apply(1)))
        assert str(error_of(lambda game=game: game.apply(0))) == str(errors[-1])
    assert str(errors[0]) == str(errors[1])
    assert errors[0].moves == [1]


def test_a_label_that_cannot_be_worked_out_is_an_error_of_its_own(small: Callable[..., Rules]) -> None:
    """Told alike by both engines; who never reads the labels, as bots do not, can go on."""
    rules = small(
        'p2 chooses as thing:\n  "{7 / amount rounded down}": amount = 1\n  "{who.hand}": amount = 2', VARIABLES
    )
    errors = []
    for engine in ("native", "reference"):
        game = rules.start(players=2, seed=1, game=3, engine=engine, quiet=engine == "reference")
        decision = game.decision
        assert decision is not None
        errors.append(error_of(decision.labels))
        game.apply(1)
        assert game.over
    assert [error.code for error in errors] == ["division-by-zero"] * 2
    assert "in game 3 of seed 1, after 0 moves" in str(errors[0])
    assert str(errors[0]) == str(errors[1])
