"""Two engines side by side: every decision, option, state, score and error of one is that of the other."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from trionfi.dsl.tree import PatternRanking
from trionfi.interpreter.bots import bot_names
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.hands.reading import HandError, rank_rows
from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.ranking import evaluator_of, reader_of
from trionfi.interpreter.rules import Rules
from trionfi.interpreter.simulate import Setup, play_block

MOST_MOVES = 25
MOST_OPTIONS_READ = 200
ASKED = ("player", "name", "count", "low", "high", "step", "card", "left")


class Difference(Exception):
    """The engines do not agree; `what` is of a kind, the message tells all."""

    def __init__(self, what: str, one: object, other: object, where: str) -> None:
        super().__init__(f"{what}\n  reference: {one!r:.600}\n  native: {other!r:.600}\n  {where}")
        self.what = what


def same(what: str, one: object, other: object, where: str) -> None:
    if one != other:
        raise Difference(what, one, other, where)


def outcome(step: Callable[[], Any]) -> tuple[str, Any]:
    """The error that stops a game, as a text, or what the step gives."""
    try:
        return "", step()
    except GameError as error:
        return str(error), None


class SideBySide:
    """One game in both engines, moved by dice."""

    def __init__(self, rules: Rules, players: int, seed: int, game: int, dice: Random) -> None:
        self.rules, self.dice = rules, dice
        self.where = f"players {players}, seed {seed}, game {game}"
        self.games = [
            outcome(lambda engine=engine: rules.start(players=players, seed=seed, game=game, engine=engine))  # type: ignore[misc]
            for engine in ("reference", "native")
        ]

    def play(self) -> None:
        self.same("start error", *(fault for fault, _ in self.games))
        if self.games[0][0]:
            return
        self.one, self.other = (game for _, game in self.games)
        for _ in range(MOST_MOVES):
            if not self.step():
                return

    def same(self, what: str, one: object, other: object) -> None:
        same(what, one, other, f"{self.where}, moves {getattr(getattr(self, 'one', None), 'moves', [])}")

    def both(self, what: str, read: Callable[[Any], Any]) -> str:
        """Reads the same of both; the error if there was one."""
        one, other = (outcome(lambda game=game: read(game)) for game in (self.one, self.other))  # type: ignore[misc]
        self.same(f"{what} error", one[0], other[0])
        self.same(what, one[1], other[1])
        return one[0]

    def step(self) -> bool:
        """Compares and makes a move; False if that was all."""
        self.look()
        asked = self.one.decision
        if asked is None:
            for what in ("scores", "winners", "measures", "tallies"):
                self.both(what, lambda game, what=what: getattr(game, what))  # type: ignore[misc]
            return False
        move = self.choose(asked.count)
        if self.dice.random() < 0.1:
            self.other = self.other.clone()
        return not self.both("apply", lambda game: game.apply(move))

    def choose(self, count: int) -> int:
        """A move; of large ranges often one of the ends."""
        return self.dice.choice([0, count - 1, self.dice.randrange(count)])

    def look(self) -> None:
        one, other = self.one.decision, self.other.decision
        self.same("over", one is None, other is None)
        if one is not None:
            for name in ASKED:
                self.same(f"decision {name}", getattr(one, name), getattr(other, name))
            if not one.is_number and one.count <= MOST_OPTIONS_READ:
                self.both("labels", lambda game: game.decision.labels())
                self.both("things", lambda game: [option.things for option in game.decision.options])
                self.both("picked", lambda game: list(game.decision.picked))
            for name in self.rules.ruleset.strategies:
                seed = self.dice.randrange(1 << 30)
                self.both("strategy", lambda game, name=name, seed=seed: game.ask_strategy(name, Stream(seed, 0, 1)))  # type: ignore[misc]
        if self.dice.random() < 0.15:
            self.both("state", lambda game: game.state)
            for seat in range(self.one.players):
                self.both("view", lambda game, seat=seat: game.view(seat))  # type: ignore[misc]
        self.one.check_conserved()
        self.other.check_conserved()


def add_up_alike(rules: Rules, players: int, seed: int, dice: Random, games: int = 3) -> None:
    """Whole games, played and added up in native code."""
    bots = tuple(dice.choice(bot_names(rules)) if dice.random() < 0.3 else "random" for _ in range(players))
    one = outcome(lambda: play_block(rules, Setup(players, bots, seed, "reference"), 0, games).sums)
    other = outcome(lambda: BlockPlayer(rules, players, bots, seed).play(0, games))
    where = f"players {players}, seed {seed}, bots {bots}"
    same("playout error", one[0], other[0], where)
    same("playout", one[1], other[1], where)


# ---- hands


def rank_alike(rules: Rules, name: str, dice: Random, rows: int = 4) -> None:
    """Some hands under a ranking: one by one, many at once, and by the reference."""
    ranking = rules.ruleset.rankings[name]
    if isinstance(ranking, PatternRanking):
        low = max(0, ranking.low - 1)
        sizes = [dice.randint(low, max(low, min(ranking.high + 2, 9)))]
    elif all(parameter.type.kind == "cards" for parameter in ranking.parameters):
        sizes = [dice.randint(0, 5) for _ in ranking.parameters]
    else:
        return
    cards = range(len(rules.cards))
    if sum(sizes) > len(cards):
        return
    hands: list[list[list[int]]] = [[] for _ in sizes]
    for _ in range(rows):
        dealt = dice.sample(cards, sum(sizes))
        for hand, size in zip(hands, sizes, strict=True):
            hand.append([dealt.pop() for _ in range(size)])
    where = f"ranking {name}, hands {hands}"
    one, other = rated(lambda: rules.rank_many(name, *hands)), rated(lambda: reference_rows(rules, name, hands))
    same("rank_many", other, one, where)
    for row in zip(*hands, strict=True):
        rated(lambda row=row: [rules.rank(name, *row)])  # type: ignore[misc]


def reference_rows(rules: Rules, name: str, hands: list[list[list[int]]]) -> Any:
    return rank_rows(evaluator_of(rules, name), reader_of(rules), hands)


def rated(rate: Callable[[], Any]) -> Any:
    """Numbers in their order (only that is told), or the error."""
    try:
        found = [
            int(strength) if isinstance(strength, int) or hasattr(strength, "__index__") else 0 for strength in rate()
        ]
    except (GameError, HandError) as error:
        return str(error)
    known = sorted({strength for strength in found if strength >= 0})
    return [known.index(strength) if strength >= 0 else -1 for strength in found]
