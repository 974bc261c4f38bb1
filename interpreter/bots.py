"""Players without a person: uniform random, the first option, and the ruleset's own strategies.

A bot draws from a stream of its own (docs/meaning.md, Chance), so that the same deals come with other bots, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trionfi.dsl.diagnostics import did_you_mean
from trionfi.dsl.tree import Ruleset
from trionfi.dsl.tree.words import EVERY_GAMES_BOTS
from trionfi.interpreter.chance import Stream
from trionfi.interpreter.decision import Decision
from trionfi.interpreter.errors import IllegalMove
from trionfi.interpreter.game import Game
from trionfi.interpreter.rules_data import RulesData

__all__ = ["UnknownBot", "bot_names", "bots_for_seats", "opponents_of", "seat_bots"]

FIRST_BOT_STREAM = 1


class UnknownBot(ValueError):
    """No bot of this ruleset is called so."""


def bot_names(rules: RulesData) -> list[str]:
    """What may stand for a bot: `random`, `first`, and the ruleset's strategies."""
    return [*EVERY_GAMES_BOTS, *rules.ruleset.strategies]


def opponents_of(ruleset: Ruleset) -> str:
    """Who plays at a table where no person does: as the ruleset says, else its only strategy, else `random`."""
    strategies = [*ruleset.strategies]
    return ruleset.opponents or (strategies[0] if len(strategies) == 1 else "random")


def bots_for_seats(rules: RulesData, bots: str | Sequence[str] | Mapping[int, str], players: int) -> tuple[str, ...]:
    """A name a seat. `bots`: one name for all, one for each seat, or by seat from 0 (the others play at random).

    Raises UnknownBot, and ValueError if there are not as many names as seats.
    """
    if isinstance(bots, str):
        names = [bots] * players
    elif isinstance(bots, Mapping):
        names = [bots.get(seat, "random") for seat in range(players)]
        check_seats(bots, players)
    else:
        names = list(bots)
    if len(names) != players:
        raise ValueError(f"{len(names)} bots for {players} players")
    for name in names:
        check_name(rules, name)
    return tuple(names)


def check_seats(bots: Mapping[int, str], players: int) -> None:
    strangers = [seat for seat in bots if seat not in range(players)]
    if strangers:
        raise ValueError(f"a bot for seat {strangers[0]}, but the seats are 0 to {players - 1}")


def check_name(rules: RulesData, name: str) -> None:
    known = bot_names(rules)
    if name not in known:
        hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
        raise UnknownBot(f"{rules.name} knows no bot `{name}`; {hint}")


def seat_bots(rules: RulesData, names: Sequence[str], seed: int, number: int) -> list[Callable[[Game], int]]:
    """The bots of one game, game `number` of `seed`; each seat's from its own stream."""
    return [make_bot(rules, name, Stream(seed, number, FIRST_BOT_STREAM + seat)) for seat, name in enumerate(names)]


def make_bot(rules: RulesData, name: str, stream: Stream) -> Callable[[Game], int]:
    if name == "random":
        return lambda game: stream.below(asked(game).count)
    if name == "first":
        return lambda game: 0
    return strategy_bot(name, stream)


def asked(game: Game) -> Decision:
    """The decision of a game that is not over."""
    decision = game.decision
    if decision is None:
        raise ValueError("the game is over, nothing is asked")
    return decision


def strategy_bot(name: str, stream: Stream) -> Callable[[Game], int]:
    """Plays a strategy; where it picks nothing that is offered, at random. It draws from `stream` alone."""

    def choose(game: Game) -> int:
        decision = game.decision
        if decision is None:
            raise IllegalMove("the game is over")
        move = game.ask_strategy(name, stream)
        return stream.below(decision.count) if move is None else move

    return choose
