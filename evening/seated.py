"""Who sits where at which deal, and what can come after a game: the next deal, the same one, other seats, names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from trionfi.interpreter.chance import HIGHEST_SEED
from trionfi.interpreter.names import player_name

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game
    from trionfi.interpreter.rules import Rules

__all__ = ["LONGEST_NAME", "Bots", "Seated", "WrongName", "go_on", "wrong_names"]

Bots = list[Callable[["Game"], int]]
LONGEST_NAME = 20


class WrongName(ValueError):
    """A name that a player cannot have: the message says why."""


@dataclass(frozen=True, slots=True)
class Seated:
    """One game at a table. `bots`: a name for each seat, None where a person sits. `again`: its people have seen the
    deal before."""

    rules: Rules
    bots: tuple[str | None, ...]
    names: tuple[str, ...]
    seed: int
    number: int = 0
    engine: str | None = None
    again: bool = False

    @classmethod
    def of(
        cls,
        rules: Rules,
        players: int,
        people: Collection[int],
        seed: int,
        number: int = 0,
        bots: Mapping[int, str] | None = None,
        names: Mapping[int, str] | None = None,
        engine: str | None = None,
    ) -> Seated:
        """Seats count from 0; a seat that neither people nor `bots` have is played by the ruleset's opponents."""
        told = bots or {}
        sat = tuple(None if seat in people else told.get(seat, rules.opponents) for seat in range(players))
        called = tuple((names or {}).get(seat, player_name(seat)) for seat in range(players))
        return cls(rules, sat, called, seed, number, engine)

    @property
    def players(self) -> int:
        return len(self.bots)

    @property
    def people(self) -> list[int]:
        return [seat for seat, bot in enumerate(self.bots) if bot is None]

    def start(self) -> tuple[Game, Bots]:
        """The game at its first decision, and a bot for every seat."""
        game = self.rules.start(players=self.players, seed=self.seed, game=self.number, engine=self.engine)
        return game, self.players_without_people()

    def players_without_people(self) -> Bots:
        """A bot for every seat, as it is before its first choice."""
        from trionfi.interpreter.bots import bots_for_seats, seat_bots

        names = [bot or "random" for bot in self.bots]
        return seat_bots(self.rules, bots_for_seats(self.rules, names, self.players), self.seed, self.number)

    # ---- what can come next

    def next_deal(self) -> Seated:
        """The next game of the seed."""
        seed, number = (self.seed, self.number + 1) if self.number < HIGHEST_SEED else (self.seed + 1, 0)
        return replace(self, seed=seed, number=number, again=False)

    def same_deal(self) -> Seated:
        return replace(self, again=True)

    def seated_at(self, people: Sequence[int]) -> Seated:
        """The people at other seats, at the next deal: the first of them sits on the first that is named, and so on.
        What they are called goes with them; bots take the seats that they leave."""
        old = self.people
        called = dict(zip(people, (self.name_of_person(seat) for seat in old), strict=False))
        bots = tuple(None if seat in people else bot or self.rules.opponents for seat, bot in enumerate(self.bots))
        names = tuple(called.get(seat) or player_name(seat) for seat in range(self.players))
        return replace(self.next_deal(), bots=bots, names=names)

    def name_of_person(self, seat: int) -> str:
        """What a person is called, if it is more than the seat."""
        return "" if self.names[seat] == player_name(seat) else self.names[seat]

    def moved_on(self) -> Seated:
        """All people one seat further, at the next deal."""
        return self.seated_at([(seat + 1) % self.players for seat in self.people])

    def called(self, names: Mapping[int, str]) -> Seated:
        """With other names for these seats. Raises WrongName."""
        now = tuple(names.get(seat, name) for seat, name in enumerate(self.names))
        if reason := wrong_names(now):
            raise WrongName(reason)
        return replace(self, names=now)

    # ---- what is kept of it

    def record(self, game: Game, taken_back: int = 0) -> dict[str, object]:
        """The game so far, with what its players are called; `taken_back`: choices that have been, with bots at the
        table."""
        record = {**game.record(self.bots), "names": list(self.names)}
        return record if not taken_back else {**record, "taken_back": taken_back}


def wrong_names(names: Sequence[str]) -> str:
    """Why players cannot be called so; empty if they can."""
    seats = {player_name(seat): seat for seat in range(len(names))}
    for seat, name in enumerate(names):
        if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            return f"a name has 1 to {LONGEST_NAME} letters, not `{name}`"
        if seats.get(name.casefold(), seat) != seat:
            return f"`{name}` is what another seat is called"
    folded = [name.casefold() for name in names]
    twice = next((name for name, fold in zip(names, folded, strict=True) if folded.count(fold) > 1), "")
    return f"two are called `{twice}`" if twice else ""


def go_on(seated: Seated, record: Mapping[str, Any]) -> tuple[Game, Bots, list[int]]:
    """The game of a record as far as it has been played; its bots have chosen along, so that their chance is where it
    was. Also after how many moves each choice of a person began: several picks are one. Raises RecordError."""
    from trionfi.interpreter.records import RecordError, begin_again, check_rules, next_move

    check_rules(seated.rules, record)
    game = begin_again(seated.rules, record, seated.engine)
    bots, choices = seated.players_without_people(), list[int]()
    moves = [(seat, name, label) for seat, name, label in record["moves"]]
    while moves:
        move = next_move(game, moves)
        decision = game.decision
        if decision is not None and seated.bots[decision.player] is not None:
            bots[decision.player](game)
        elif decision is not None and not decision.picked:
            choices.append(len(game.moves))
        game.apply(move)
    if game.decision is None and not game.over:
        raise RecordError("this game was set up, but not begun")
    return game, bots, choices
