"""What became of the games that one has played: figures by ruleset and by person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trionfi.interpreter.names import player_name

__all__ = ["YOU", "Figures", "figures_of"]

YOU = "you"  # who has given no name


@dataclass(slots=True)
class Figures:
    """Of one person's games of one ruleset. `won` and `shared` are None where nobody wins or loses (alone, unless the
    ruleset says who has won). `repeated`: deals that were played again, which count nowhere else."""

    rules: str
    title: str
    player: str
    games: int = 0
    won: int | None = None
    shared: int | None = None
    total: float = 0.0
    best: float | None = None
    taken_back: int = 0  # games in which a choice was
    repeated: int = 0

    @property
    def mean(self) -> float | None:
        return self.total / self.games if self.games else None

    def to_dict(self) -> dict[str, object]:
        keys = "rules title player games won shared mean best taken_back repeated".split()
        return {key: getattr(self, key) for key in keys}

    def add(self, entry: Mapping[str, Any], seat: int) -> None:
        if entry.get("again"):
            self.repeated += 1
            return
        score = float(entry["scores"][seat])
        self.games += 1
        self.total += score
        self.best = score if self.best is None else max(self.best, score)
        self.taken_back += bool(entry.get("taken_back"))
        if (result := entry["results"][seat]) is not None:
            self.won = (self.won or 0) + (result == "won")
            self.shared = (self.shared or 0) + (result == "shared")


def figures_of(entries: Iterable[Mapping[str, Any]], rules: str | None = None) -> list[Figures]:
    """In the order of the rulesets' names; of one ruleset whoever has played more first."""
    found: dict[tuple[str, str], Figures] = {}
    for entry in entries:
        if rules not in (None, entry["rules"]):
            continue
        for seat, player in people_of(entry):
            key = entry["rules"], player.casefold()
            figures = found.setdefault(key, Figures(entry["rules"], entry["title"], player))
            figures.title = entry["title"]
            figures.add(entry, seat)
    return sorted(found.values(), key=lambda one: (one.rules, -one.games, one.player))


def people_of(entry: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    for seat in entry["people"]:
        name = entry["names"][seat]
        alone = len(entry["people"]) == 1
        yield seat, YOU if alone and name == player_name(seat) else name
