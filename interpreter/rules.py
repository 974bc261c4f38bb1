"""Rules that can be played: one door to opening games, ranking hands and simulating."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.interpreter.once import made_property
from trionfi.interpreter.record_form import RecordError
from trionfi.interpreter.rules_data import Origin, RulesData

if TYPE_CHECKING:
    from array import array

    from trionfi.interpreter.game import Game
    from trionfi.interpreter.hands import HandValue
    from trionfi.interpreter.report import Report
    from trionfi.interpreter.seating import Seating

__all__ = ["Rules", "kept_rules", "load", "load_kept"]


def load(rules: str, options: Mapping[str, object] | None = None, text: str | None = None) -> Rules:
    """A ruleset by its name in the library or by the path of its file, with options set.

    `text` stands for the file's if it is given. Raises RulesError with all that is wrong.
    """
    return Rules.read(Origin(str(rules), dict(options or {}), text))


def load_kept(texts: Mapping[str, str], options: Mapping[str, object] | None = None, path: str = "") -> Rules:
    """A ruleset from the texts of its files, as `Rules.texts` gives them. `path`: where its own file lay, if it is
    none of the library. Raises RulesError."""
    return Rules.read(Origin(path, dict(options or {}), texts=dict(texts)))


def kept_rules(record: Mapping[str, Any]) -> Rules:
    """The rules as the record holds them, with options as they are by default. Raises RecordError, and RulesError
    if this release takes the texts no longer."""
    rules = load_kept(record["texts"], path=record.get("path", ""))
    if rules.sha256 != record["sha256"]:
        raise RecordError(f"this was a game of another text of {record['rules']} than the record holds")
    return rules


class Rules(RulesData):
    """A ruleset that can be played. `options` as they may be given again; seats count from 0.

    Raises RulesError if an option cannot be set.
    """

    # ---- seats and cards

    @property
    def opponents(self) -> str:
        """The bot of a seat at the table that no person plays (`bots.opponents_of`)."""
        from trionfi.interpreter.bots import opponents_of

        return opponents_of(self.ruleset)

    @made_property
    def cards(self) -> list[str]:
        """The names of the cards; reversed, card i has the number i + len(cards)."""
        from trionfi.interpreter.seating import cards_of

        return cards_of(self)

    @property
    def faces(self) -> list[int]:
        """The faces in the game at some seat count; `rules.cards` numbers them."""
        from trionfi.interpreter.seating import faces_of

        return faces_of(self)

    def seating(self, players: int) -> Seating:
        """What games of so many players share; made once."""
        from trionfi.interpreter.seating import seating_of

        return seating_of(self, players)

    # ---- games

    def start(
        self,
        players: int | None = None,
        seed: int | None = None,
        game: int = 0,
        engine: str | None = None,
        quiet: bool = False,
    ) -> Game:
        """A new game, played to its first decision: game number `game` of the seed; without a seed one is drawn.

        `engine`: native or reference, by default the native one if it can be had. `quiet`: no log is kept until it
        is asked for. Raises ValueError for what does not fit the ruleset, GameError if the ruleset fails.
        """
        return self._open_game(self, players, seed, game, engine, quiet)

    @made_property
    def _open_game(self) -> Callable[..., Game]:
        """Looked up once: games are begun by the thousand."""
        from trionfi.interpreter.opening import open_game

        return open_game

    def deal(
        self,
        players: int | None = None,
        seed: int | None = None,
        game: int = 0,
        engine: str | None = None,
        cards: Mapping[str, Sequence[str]] | None = None,
        set: Mapping[str, object] | None = None,
        chance: Sequence[object] | None = None,
        begin: bool = True,
    ) -> Game:
        """A stacked game (docs/meaning.md, Chance): what zones receive, what variables start with, how chance falls.

        With `begin` false it stands before its first statement. Raises StackError for an unknown name or a value
        that does not fit.
        """
        from trionfi.interpreter.opening import open_stacked

        return open_stacked(self, players, seed, game, engine, cards=cards, set=set, chance=chance, begin=begin)

    def again(self, game: Game, engine: str | None = None) -> Game:
        """The same game from its beginning."""
        from trionfi.interpreter.opening import again

        return again(game, engine)

    def engine(self, wanted: str | None = None) -> str:
        """The engine that games are played in: the one that is wanted, the native one if it can be had.

        Raises EngineError.
        """
        from trionfi.interpreter.opening import chosen_engine

        return chosen_engine(self, wanted)

    def restore(self, data: bytes, engine: str | None = None) -> Game:
        """The game of which `game.snapshot()` was taken. Raises ValueError if it is not of these rules."""
        from trionfi.interpreter.records import restore

        return restore(self, data, engine)

    def replay(self, record: Mapping[str, Any], engine: str | None = None) -> Game:
        """Plays a record again. Raises ValueError where it does not fit."""
        from trionfi.interpreter.records import replay

        return replay(self, record, engine)

    # ---- hands

    def rank(self, ranking: str, *hand: Any) -> HandValue | None:
        """The value of a hand (its cards by name), None if no category fits; greater is better.

        A part for each part or parameter of the ranking: a list of names, numbers or altered cards
        (`{"card": "7s", "rank": "king"}`), or `(cards, 2)`: exactly two of these. Raises ValueError.
        """
        from trionfi.interpreter.ranking import rank

        return rank(self, ranking, hand)

    def count(self, name: str, cards: Sequence[Any]) -> Any:
        """What a total (a Total) or a meld (an Arrangement, its cards by name) makes of cards. Raises ValueError."""
        from trionfi.interpreter.ranking import count

        return count(self, name, cards)

    def rank_many(self, ranking: str, *hands: Any) -> array[int]:
        """A strength for each row of card numbers: greater is better, equal for ties, -1 for no hand. An array for
        each part or parameter of the ranking, or `(array, 2)`."""
        from trionfi.interpreter import native
        from trionfi.interpreter.hands.reading import rank_rows
        from trionfi.interpreter.ranking import evaluator_of, reader_of

        evaluator = evaluator_of(self, ranking)
        strengths = native.rank_many(self, ranking, hands)
        if strengths is not None:
            return strengths  # type: ignore[no-any-return]
        return rank_rows(evaluator, reader_of(self), hands)

    # ---- many games

    def simulate(self, games: int, **settings: Any) -> Report:
        """Plays many games and adds them up; `trionfi.interpreter.simulate.simulate` says how."""
        from trionfi.interpreter.simulate import simulate

        return simulate(self, games, **settings)
