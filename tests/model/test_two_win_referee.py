"""Two-Win as the engines play it and as a referee judges it who never read the ruleset: decision by decision alike."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from two_win_referee import Ask, Card, Lie, Options, Referee, card_named

from trionfi.interpreter.rules import Rules

Get = Callable[..., Rules]
PLAYERS = (2, 3, 6, 10, 17)
SEED = 26
LOOKS = 0.1  # at how many of the decisions the whole table is compared


def same(what: str, found: object, expected: object) -> None:
    assert found == expected, f"{what}: the engine has {found}, the referee {expected}"


class Match:
    """A game of the engine and the referee beside it. `stacks`, money on the table and dealer may be given."""

    def __init__(self, rules: Rules, options: Options, players: int, number: int, engine: str, **given: Any) -> None:
        stacks, carried = given.get("stacks"), given.get("carried", 0)
        if stacks is None and not carried:
            self.game = rules.start(players=players, seed=SEED, game=number, engine=engine, quiet=True)
        else:
            setting = {f"p{seat + 1}.chips": chips for seat, chips in enumerate(stacks or [])}
            setting["carried"] = carried
            self.game = rules.deal(players=players, seed=SEED, game=number, engine=engine, set=setting)
        self.state: Any = self.game.state
        self.names = rules.cards
        stacks = stacks or [int(rules.options["chips"])] * players  # type: ignore[call-overload]
        self.referee = Referee(options, stacks, self.look, self.seat("dealer"), carried)
        self.asks = self.referee.play()
        self.ask: Ask | None = next(self.asks)
        self.lies: dict[int, Lie] = {}
        self.dice = random.Random(number)

    # ---- what the engine says

    def seat(self, variable: str) -> int:
        return int(self.state["variables"][variable].removeprefix("p")) - 1

    def card(self, number: int) -> Card:
        return card_named(self.names[number % len(self.names)], number < len(self.names))

    def label(self, number: int) -> str:
        return self.names[number % len(self.names)] + (" reversed" if number >= len(self.names) else "")

    def look(self) -> Lie:
        self.state = self.game.state
        zones = self.state["zones"]
        hands = [[self.label(card) for card in zones[f"p{seat + 1}.hand"]] for seat in range(self.game.players)]
        return Lie(hands, [self.card(c) for c in zones["internal"]], [self.card(c) for c in zones["external"]])

    # ---- both compared

    def play(self, choose: Callable[[Any], int]) -> None:
        while self.ask is not None:
            self.compare_decision()
            move = choose(self.game.decision)
            label = self.game.decision.label(move)
            self.game.apply(move)
            self.ask = self.send(label)
        assert self.game.over, f"{self.game.decision} is asked, nothing should be"
        self.compare_end()

    def send(self, label: str) -> Ask | None:
        try:
            return self.asks.send(label)
        except StopIteration:
            return None

    def compare_decision(self) -> None:
        decision = self.game.decision
        assert decision is not None, self.ask
        if decision.is_number:
            found = Ask(decision.player, decision.name, (), (decision.low, decision.high, decision.step))
        else:
            found = Ask(decision.player, decision.name, tuple(option.label for option in decision.options))
        same("decision", found, self.ask)
        if self.is_worth_a_look():
            self.compare_table()

    def is_worth_a_look(self) -> bool:
        """Where a game has just been settled, and now and then (a state is long in the making)."""
        return self.referee.told.games not in self.lies or self.dice.random() < LOOKS

    def compare_table(self) -> None:
        lie = self.look()
        lie.hands[:] = [[label.removesuffix(" reversed") for label in hand] for hand in lie.hands]
        assert lie == self.lies.setdefault(self.referee.told.games, lie), "cards changed in the middle of a game"
        variables, referee = self.state["variables"], self.referee
        for number, seat in enumerate(referee.seats, start=1):
            same(f"p{number} in play", not variables[f"p{number}.folded"], seat.live)
            for name in ("chips", "bet", "staked", "out"):
                same(f"p{number}.{name}", variables[f"p{number}.{name}"], getattr(seat, name))
        same("carried", variables["carried"], referee.carried)
        same("dealer", self.seat("dealer"), referee.dealer)
        last = None if referee.last_winner is None else f"p{referee.last_winner + 1}"
        same("last winner", variables["last_winner"], last)

    def compare_end(self) -> None:
        game, referee = self.game, self.referee
        self.state = game.state
        same("scores", game.scores, referee.scores)
        variables = self.state["variables"]
        for number, seat in enumerate(referee.seats, start=1):
            same(f"p{number}.chips", variables[f"p{number}.chips"], seat.chips)
            same(f"p{number}.pots_won", variables[f"p{number}.pots_won"], seat.pots_won)
        same("winners", game.winners, [p for p, score in enumerate(referee.scores) if score == max(referee.scores)])
        compare_measures(game.measures, referee)


def compare_measures(measures: Any, referee: Referee) -> None:
    told = referee.told
    for seat in range(len(referee.seats)):
        for name, counted in (("poker_hand", told.poker), ("twenty_one_hand", told.twenty_one)):
            same(name, {word: n for word, n in measures[name][seat].items() if n}, dict(counted[seat]))
        wins = {("no_win", "one_win", "two_win")[pots]: n for pots, n in told.wins[seat].items() if n}
        same("win", {word: n for word, n in measures["win"][seat].items() if n}, wins)
    same("house_natural", measures["house_natural"], {"count": told.showdowns, "true": told.house_naturals})
    same("house_over", measures["house_over"], {"count": told.showdowns, "true": told.houses_over})
    after = told.carried_after
    same("pot_carried", measures["pot_carried"], {"count": told.games, "true": sum(rest > 0 for rest in after)})
    same("money_carried", measures["money_carried"], {"count": told.games, "sum": sum(after)})


# ---- random play


class Temper:
    """Plays at random with moods of its own, so that some tables fight, some call, some go all-in."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.weights = {"fold": dice.choice([0.05, 0.3, 1]), "raise": dice.choice([0.1, 1, 3])}
        self.high = dice.choice([0.02, 0.3, 0.9])

    def __call__(self, decision: Any) -> int:
        if decision.is_number:
            return self.amount(decision.count)
        words = [option.label.split()[0].replace("bet", "raise") for option in decision.options]
        weights = [self.weights.get(word, 1) for word in words]
        return self.dice.choices(range(decision.count), weights)[0]

    def amount(self, count: int) -> int:
        if self.dice.random() < self.high:
            return count - 1
        return self.dice.choice([0, 0, self.dice.randrange(count), self.dice.randrange(min(count, 4))])


def options_at_random(dice: random.Random) -> dict[str, Any]:
    chip = dice.choice([1, 1, 2, 5])
    minimum = chip * dice.choice([1, 2, 3, 4, 5, 10])
    return {
        "betting": dice.choice(["no_limit", "pot_limit", "limit"]),
        "minimum_bet": minimum,
        "chip": chip,
        "chips": minimum * dice.choice([1, 2, 5, 20]) + chip * dice.randrange(3),
        "games": dice.choice([1, 1, 3, 8, 30]),
        "mixed_runs": dice.random() < 0.5,
        "major_values": dice.choice(["whole", "whole_or_digit"]),
        "rotate": dice.choice(["half", "every_card"]),
    }


def stacks_at_random(dice: random.Random, options: dict[str, Any], players: int) -> list[int] | None:
    if dice.random() < 0.3:
        return None
    most = dice.choice([2, 10, 60]) * options["minimum_bet"] // options["chip"]
    return [options["chip"] * dice.randint(1, most) for _ in range(players)]


def play_match(get: Get, players: int, number: int, engine: str) -> Match:
    dice = random.Random(f"{players} {number}")
    setting = options_at_random(dice)
    stacks = stacks_at_random(dice, setting, players)
    carried = setting["chip"] * dice.choice([0, 0, 1, 2, 7])
    options = Options(**{name: value for name, value in setting.items() if name in asdict(Options())})
    rules = get("two-win").with_options(setting)
    match = Match(rules, options, players, number, engine, stacks=stacks, carried=carried)
    try:
        match.play(Temper(dice))
    except AssertionError as found:
        where = f"{players} players, match {number}, {engine}: {setting}, stacks {stacks}, carried {carried}"
        raise AssertionError(f"{where}\nmoves {match.game.labels}\n{found}") from found
    return match


@pytest.mark.parametrize("players", PLAYERS)
def test_engine_and_referee_agree(players: int, rules: Get, test_size: float) -> None:
    for number in range(max(3, int(25 / (players + 3) * test_size))):
        play_match(rules, players, number, "native")


@pytest.mark.parametrize("players", PLAYERS)
def test_reference_engine_and_referee_agree(players: int, rules: Get, test_size: float) -> None:
    for number in range(1000, 1000 + max(1, int(10 / (players + 3) * test_size))):
        play_match(rules, players, number, "reference")
