"""A checked ruleset with its options set: what engines, bots and simulations read of it. It starts nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from trionfi.dsl import read_game, read_kept_game
from trionfi.dsl.check.options import set_options
from trionfi.dsl.check.starts import is_start, seats_wanted, set_starts
from trionfi.dsl.diagnostics import Diagnostic, RulesError
from trionfi.dsl.shelf import LIBRARY, kept_texts
from trionfi.dsl.tree import Ruleset
from trionfi.interpreter.names import CardNames
from trionfi.interpreter.once import made_property
from trionfi.interpreter.statistics import MeasureShape, shapes_of

__all__ = ["Origin", "RulesData"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where rules were read from, so that another process can read them, too. `text` stands for the file's own;
    `texts` for those of all files."""

    rules: str
    options: Mapping[str, object] = field(default_factory=dict)
    text: str | None = None
    texts: Mapping[str, str] | None = None


class RulesData:
    """A ruleset with its options set. `options` as they may be given again; seats count from 0.

    Raises RulesError if an option cannot be set.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        options: Mapping[str, object] | None = None,
        diagnostics: Iterable[Diagnostic] = (),
        origin: Origin | None = None,
    ) -> None:
        self.ruleset = ruleset
        starts = {name: value for name, value in (options or {}).items() if is_start(ruleset, name)}
        rest = {name: value for name, value in (options or {}).items() if name not in starts}
        self.starts, problems = set_starts(ruleset, starts)
        if problems:
            raise RulesError(problems)
        self.values = set_options(ruleset, rest)
        self._started = {name: str(value) for name, value in starts.items()}
        self.diagnostics = list(diagnostics)
        self.given = dict(options or {})
        self.starters: dict[object, Callable[..., Any]] = {}  # what opens games of so many seats (opening.py)
        self._origin = origin

    @classmethod
    def read(cls, origin: Origin) -> Self:
        """The rules that lie there. Raises RulesError with all that is wrong."""
        if origin.texts is not None:
            ruleset, diagnostics = read_kept_game(origin.texts)
        else:
            ruleset, diagnostics = read_game(origin.rules, origin.text)
        if ruleset is None:
            raise RulesError(diagnostics)
        return cls(ruleset, origin.options, list(diagnostics), origin)

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
    def teams(self) -> list[list[int]]:
        """The seats of each team, from 0; none without teams."""
        return self.ruleset.teams

    def sides_of(self, winners: Sequence[int]) -> int:
        """On how many sides the winners of a game are: more than one have tied. Those of whom `won` is true have won
        together, and so have partners."""
        if self.ruleset.won is not None or not winners:
            return min(len(winners), 1)
        team_of = {seat: number for number, team in enumerate(self.teams) for seat in team}
        return len({team_of.get(seat, -1 - seat) for seat in winners})

    @property
    def options(self) -> dict[str, object]:
        """All options: numbers, truths, words; a ratio as `3:2`. Behind them what variables are set to at the start."""
        return {name: self._plain(name, value) for name, value in self.values.items()} | self._started

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

    def with_options(self, options: Mapping[str, object]) -> Self:
        """The same ruleset with other options set, besides those that are."""
        if not options:
            return self
        given = {**self.given, **options}
        origin = None if self._origin is None else replace(self._origin, options=given)
        return type(self)(self.ruleset, given, self.diagnostics, origin)

    def seats(self, players: int | None = None) -> int:
        """A number of players, by default as many as is usual. Raises ValueError for one that the ruleset does not
        take."""
        low, high = self.players
        count = self.usual_players if players is None else players
        if not low <= count <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise ValueError(f"{self.name} is for {wanted} players, not {count}")
        if count < (wanted_seats := seats_wanted(self.ruleset, self.starts)):
            raise ValueError(f"p{wanted_seats} is set to something, and {count} are seated")
        return count
