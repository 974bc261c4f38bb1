"""A checked ruleset with its options set: starts games, ranks hands, simulates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING, Any

from trionfi.dsl.diagnostics import Diagnostic, RulesError, did_you_mean
from trionfi.dsl.shelf import LIBRARY, kept_texts
from trionfi.dsl.tree import Ruleset
from trionfi.interpreter.chance import HIGHEST_SEED
from trionfi.interpreter.errors import EngineError
from trionfi.interpreter.names import CardNames
from trionfi.interpreter.once import made_once, made_property
from trionfi.interpreter.stacked import Deal, read_deal
from trionfi.interpreter.statistics import MeasureShape, shapes_of
from trionfi.interpreter.table import Table

if TYPE_CHECKING:
    from array import array

    from trionfi.interpreter.game import Game
    from trionfi.interpreter.hands import HandValue
    from trionfi.interpreter.hands.reading import HandReader
    from trionfi.interpreter.reference.program import Program
    from trionfi.interpreter.report import Report

__all__ = ["Origin", "Rules", "Seating", "load", "load_kept"]

ENGINES = ("native", "reference")


def load(rules: str, options: Mapping[str, object] | None = None, text: str | None = None) -> Rules:
    """A ruleset by its name in the library or by the path of its file, with options set.

    `text` stands for the file's if it is given. Raises RulesError with all that is wrong.
    """
    from trionfi.dsl import read_game

    ruleset, diagnostics = read_game(str(rules), text)
    if ruleset is None:
        raise RulesError(diagnostics)
    return Rules(ruleset, options, list(diagnostics), Origin(str(rules), dict(options or {}), text))


def load_kept(texts: Mapping[str, str], options: Mapping[str, object] | None = None, path: str = "") -> Rules:
    """A ruleset from the texts of its files, as `Rules.texts` gives them. `path`: where its own file lay, if it is
    none of the library. Raises RulesError."""
    from trionfi.dsl import read_kept_game

    ruleset, diagnostics = read_kept_game(texts)
    if ruleset is None:
        raise RulesError(diagnostics)
    return Rules(ruleset, options, list(diagnostics), Origin(path, dict(options or {}), texts=dict(texts)))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where rules were read from, so that another process can read them, too."""

    rules: str
    options: Mapping[str, object] = field(default_factory=dict)
    text: str | None = None
    texts: Mapping[str, str] | None = None  # of all files

    def load(self) -> Rules:
        if self.texts is not None:
            return load_kept(self.texts, self.options, self.rules)
        return load(self.rules, self.options, self.text)


@dataclass(frozen=True, slots=True)
class Seating:
    """The ruleset for one seat count: the table, and what the reference engine runs on it."""

    table: Table
    program: Program


class Rules:
    """A ruleset that can be played. `options` as they may be given again; seats count from 0.

    Raises RulesError if an option cannot be set.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        options: Mapping[str, object] | None = None,
        diagnostics: Iterable[Diagnostic] = (),
        origin: Origin | None = None,
    ) -> None:
        from trionfi.dsl.check.options import set_options

        self.ruleset = ruleset
        self.values = set_options(ruleset, options or {})
        self.diagnostics = list(diagnostics)
        self.given = dict(options or {})
        self._origin = origin
        self._seatings: dict[int, Seating] = {}
        self._natively: dict[tuple[int | None, str | None], Callable[..., Game]] = {}

    # ---- what it is

    @property
    def key(self) -> str:
        """What RULES takes on the command line."""
        return self.ruleset.key

    @property
    def name(self) -> str:
        return self.ruleset.name

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most."""
        return self.ruleset.players

    @property
    def usual_players(self) -> int:
        """How many are seated where nobody says how many: as the ruleset says, else the fewest."""
        return self.ruleset.usual_players

    @property
    def opponents(self) -> str:
        """The bot of a seat at the table that no person plays (`bots.opponents_of`)."""
        from trionfi.interpreter.bots import opponents_of

        return opponents_of(self.ruleset)

    @property
    def options(self) -> dict[str, object]:
        """All options: numbers, truths, words; a ratio as `3:2`."""
        return {name: self._plain(name, value) for name, value in self.values.items()}

    def _plain(self, name: str, value: Any) -> object:
        kind = self.ruleset.options[name].type
        if kind.kind == "enum":
            return self.ruleset.enumerations[kind.name].members[value]
        return f"{value.numerator}:{value.denominator}" if isinstance(value, Fraction) else value

    @property
    def origin(self) -> Origin:
        if self._origin is None:
            raise ValueError("these rules were made in memory; another process cannot read them")
        return self._origin

    @made_property
    def cards(self) -> list[str]:
        """The names of the cards; reversed, card i has the number i + len(cards)."""
        return [self.ruleset.faces[face].name for face in self.faces]

    @made_property
    def card_names(self) -> CardNames:
        return CardNames(self.ruleset)

    @made_property
    def measure_shapes(self) -> list[MeasureShape]:
        return shapes_of(self.ruleset)

    @made_property
    def sha256(self) -> str:
        """Of the texts of all files that the ruleset is made of."""
        digest = sha256()
        for span in self.ruleset.sources:
            digest.update(span.source.text.encode())
            digest.update(b"\0")
        return digest.hexdigest()

    @property
    def texts(self) -> dict[str, str]:
        """Of all these files, by their names (`dsl.shelf.KeptTexts`): `load_kept` reads the ruleset from them."""
        return kept_texts(span.source for span in self.ruleset.sources)

    @property
    def path(self) -> Path | None:
        """The file of a ruleset that is none of the library."""
        if self._origin is not None and self._origin.texts is not None:
            return Path(self._origin.rules) if self._origin.rules else None
        path = self.ruleset.sources[0].source.path
        return None if path is None or LIBRARY in path.parents else path.absolute()

    def with_options(self, options: Mapping[str, object]) -> Rules:
        """The same ruleset with other options set, besides those that are."""
        if not options:
            return self
        given = {**self.given, **options}
        origin = None if self._origin is None else replace(self._origin, options=given)
        return Rules(self.ruleset, given, self.diagnostics, origin)

    # ---- seats and cards

    def seats(self, players: int | None = None) -> int:
        """A number of players, by default as many as is usual. Raises ValueError for one that the ruleset does not
        take."""
        low, high = self.players
        count = self.usual_players if players is None else players
        if not low <= count <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise ValueError(f"{self.name} is for {wanted} players, not {count}")
        return count

    def seating(self, players: int) -> Seating:
        """What games of so many players share; made once."""
        return made_once(self._seatings, players, lambda: self._seat(players))

    def _seat(self, players: int) -> Seating:
        from trionfi.interpreter.reference.program import Program

        table = Table(self.ruleset, players, self._copies(players), self._kept(players), self._numbers)
        return Seating(table, Program(self.ruleset, self.values, table, self.faces))

    @made_property
    def faces(self) -> list[int]:
        """The faces in the game at some seat count; `rules.cards` numbers them."""
        low, high = self.players
        counts = range(low, high + 1) if self._keeps else range(low, low + 1)
        kept = [self._kept(players) for players in counts]
        return [face for face in range(len(self.ruleset.faces)) if any(row[face] for row in kept)]

    @property
    def _keeps(self) -> bool:
        return any(deck.keep is not None for deck in self.ruleset.decks)

    @made_property
    def _numbers(self) -> list[int]:
        numbers = {face: number for number, face in enumerate(self.faces)}
        return [numbers.get(face, -1) for face in range(len(self.ruleset.faces))]

    def _copies(self, players: int) -> list[int]:
        """How many of each card of a deck there are."""
        from trionfi.interpreter.reference.before_play import deck_copies

        return deck_copies(self.ruleset, self.values, players)

    def _kept(self, players: int) -> list[bool]:
        """Which faces are in the game at this seat count."""
        from trionfi.interpreter.reference.before_play import kept_faces

        return kept_faces(self.ruleset, self.values, players)

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
        natively = self._natively.get((players, engine))
        if natively is not None and seed is not None and 0 <= seed <= HIGHEST_SEED and 0 <= game <= HIGHEST_SEED:
            return natively(seed, game)  # as before, without asking again what is known
        return self._game(players, seed, game, engine, None, quiet)

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
        table = self.seating(self.seats(players)).table
        return self._game(players, seed, game, engine, read_deal(table, self.card_names, cards, set, chance, begin))

    def again(self, game: Game, engine: str | None = None) -> Game:
        """The same game from its beginning."""
        return self._game(game.players, game.seed, game.number, engine, game.deal)

    def _game(
        self,
        players: int | None,
        seed: int | None,
        game: int,
        engine: str | None,
        deal: Deal | None,
        quiet: bool = False,
    ) -> Game:
        count = self.seats(players)
        seed = randbelow(HIGHEST_SEED + 1) if seed is None else seed
        if not 0 <= seed <= HIGHEST_SEED or not 0 <= game <= HIGHEST_SEED:
            raise ValueError(f"seeds and numbers of games go from 0 to {HIGHEST_SEED}")
        if self.engine(engine) == "native":
            from trionfi.interpreter import native

            starter = self._natively[players, engine] = native.starter(self, count)
            return starter(seed, game, deal)
        from trionfi.interpreter.reference.game import ReferenceGame

        return ReferenceGame(self, self.seating(count).program, seed, game, deal, quiet)

    def engine(self, wanted: str | None = None) -> str:
        """The engine that games are played in: the one that is wanted, the native one if it can be had.

        Raises EngineError.
        """
        if wanted is not None and wanted not in ENGINES:
            raise EngineError(f"there is no engine `{wanted}`; {did_you_mean(wanted, ENGINES) or ' or '.join(ENGINES)}")
        if wanted == "reference":
            return wanted
        from trionfi.interpreter import native

        reasons = native.why_not(self)
        if wanted == "native" and reasons:
            raise EngineError(f"{self.key} cannot be played in the native engine: {', '.join(reasons)}")
        return "reference" if reasons else "native"

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
        from trionfi.interpreter.hands.reading import rank_hand

        return rank_hand(self._evaluator(ranking), self._reader, hand)

    def count(self, name: str, cards: Sequence[Any]) -> Any:
        """What a total (a Total) or a meld (an Arrangement, its cards by name) makes of cards. Raises ValueError."""
        from trionfi.interpreter.hands.alone import check_alone
        from trionfi.interpreter.hands.reading import count_cards

        ruleset = self.ruleset
        spec = ruleset.totals.get(name) or ruleset.melds.get(name)
        if spec is None:
            raise ValueError(f"{self.name} has no total or meld `{name}`")
        check_alone(spec, ruleset)
        return count_cards(self.seating(self.players[1]).program.compiler, spec, self._reader, cards)

    def rank_many(self, ranking: str, *hands: Any) -> array[int]:
        """A strength for each row of card numbers: greater is better, equal for ties, -1 for no hand. An array for
        each part or parameter of the ranking, or `(array, 2)`."""
        from trionfi.interpreter import native
        from trionfi.interpreter.hands.reading import rank_rows

        evaluator = self._evaluator(ranking)
        strengths = native.rank_many(self, ranking, hands)
        if strengths is not None:
            return strengths  # type: ignore[no-any-return]
        return rank_rows(evaluator, self._reader, hands)

    def _evaluator(self, ranking: str) -> Any:
        from trionfi.dsl.tree import PatternRanking
        from trionfi.interpreter.hands import ConditionEvaluator, PatternEvaluator
        from trionfi.interpreter.hands.alone import check_alone

        known = self.ruleset.rankings
        if ranking not in known:
            hint = did_you_mean(ranking, known) or f"there are {', '.join(known) or 'none'}"
            raise ValueError(f"{self.name} has no ranking `{ranking}`: {hint}")
        check_alone(known[ranking], self.ruleset)
        kind = PatternEvaluator if isinstance(known[ranking], PatternRanking) else ConditionEvaluator
        return self.seating(self.players[1]).program.compiler.evaluator(known[ranking], kind)

    @made_property
    def _reader(self) -> HandReader:
        from trionfi.interpreter.hands.reading import HandReader

        table = self.seating(self.players[1]).table
        copies = [table.cards.count(face) for face in range(len(self.ruleset.faces))]
        return HandReader(self.ruleset, self.faces, copies)

    # ---- many games

    def simulate(self, games: int, **settings: Any) -> Report:
        """Plays many games and adds them up; `trionfi.interpreter.simulate.simulate` says how."""
        from trionfi.interpreter.simulate import simulate

        return simulate(self, games, **settings)
