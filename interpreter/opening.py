"""Opens games: in which engine, from which seed, with which deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from secrets import randbelow

from trionfi.dsl.diagnostics import did_you_mean
from trionfi.interpreter import native
from trionfi.interpreter.chance import HIGHEST_SEED
from trionfi.interpreter.engines import Engine
from trionfi.interpreter.errors import EngineError
from trionfi.interpreter.game import Game
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.rules_data import RulesData
from trionfi.interpreter.seating import seating_of
from trionfi.interpreter.stacked import Deal, read_deal
from trionfi.interpreter.state import Watch

__all__ = ["ENGINES", "again", "again_watched", "chosen_engine", "open_game", "open_stacked"]


class InPython:
    """The reference engine: it plays all rules."""

    def why_not(self, rules: RulesData) -> list[str]:
        return []

    def starter(self, rules: RulesData, players: int, quiet: bool = False) -> Callable[..., Game]:
        return partial(ReferenceGame, rules, seating_of(rules, players).program, quiet=quiet)


ENGINES: dict[str, Engine] = {"native": native, "reference": InPython()}


def chosen_engine(rules: RulesData, wanted: str | None = None) -> str:
    """The engine that games are played in: the one that is wanted, the native one if it can be had.

    Raises EngineError.
    """
    if wanted is None:
        return "reference" if ENGINES["native"].why_not(rules) else "native"
    if wanted not in ENGINES:
        raise EngineError(f"there is no engine `{wanted}`; {did_you_mean(wanted, ENGINES) or ' or '.join(ENGINES)}")
    reasons = ENGINES[wanted].why_not(rules)
    if reasons:
        raise EngineError(f"{rules.key} cannot be played in the {wanted} engine: {', '.join(reasons)}")
    return wanted


def open_game(
    rules: RulesData,
    players: int | None = None,
    seed: int | None = None,
    game: int = 0,
    engine: str | None = None,
    quiet: bool = False,
    deal: Deal | None = None,
) -> Game:
    """A new game, played to its first decision: game number `game` of the seed; without a seed one is drawn.

    Raises ValueError for what does not fit the ruleset, GameError if the ruleset fails.
    """
    seed = randbelow(HIGHEST_SEED + 1) if seed is None else seed
    if not 0 <= seed <= HIGHEST_SEED or not 0 <= game <= HIGHEST_SEED:
        raise ValueError(f"seeds and numbers of games go from 0 to {HIGHEST_SEED}")
    key = players, engine, quiet, ENGINES["native"], ENGINES["reference"]
    start = rules.starters.get(key)
    if start is None:  # else all has been asked before
        count = rules.seats(players)
        start = rules.starters[key] = ENGINES[chosen_engine(rules, engine)].starter(rules, count, quiet)
    game_begun: Game = start(seed, game, deal)
    return game_begun


def open_stacked(
    rules: RulesData,
    players: int | None = None,
    seed: int | None = None,
    game: int = 0,
    engine: str | None = None,
    *,
    cards: Mapping[str, Sequence[str]] | None = None,
    set: Mapping[str, object] | None = None,
    chance: Sequence[object] | None = None,
    begin: bool = True,
) -> Game:
    """A stacked game, as `rules.deal` says. Raises StackError for an unknown name or a value that does not fit."""
    table = seating_of(rules, rules.seats(players)).table
    deal = read_deal(table, rules.card_names, cards, set, chance, begin)
    return open_game(rules, players, seed, game, engine, deal=deal)


def again(game: Game, engine: str | None = None) -> Game:
    """The same game from its beginning."""
    return open_game(game.rules, game.players, game.seed, game.number, engine, deal=game.deal)


def again_watched(game: Game, watch: Watch) -> ReferenceGame:
    """The same game from its beginning in the reference engine, with somebody who looks on."""
    program = seating_of(game.rules, game.players).program
    return ReferenceGame(game.rules, program, game.seed, game.number, game.deal, watch=watch)
