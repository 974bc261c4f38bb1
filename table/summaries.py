"""How a hand or a game was won: what the players held, what they got, how they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trionfi.table.deciding import decided_in_words, own_numbers
from trionfi.table.model import End, Summary
from trionfi.table.words import spoken

if TYPE_CHECKING:
    from trionfi.dsl.tree import Variable
    from trionfi.interpreter.game import Game
    from trionfi.table.pictures import Pictures
    from trionfi.table.witness import HandShown

__all__ = ["Standing", "end_of", "hand_summary", "summary_lines", "won_words"]


class Standing:
    """What the players and teams had when the hand began, of what the game is about."""

    def __init__(self, pictures: Pictures, viewer: int | None) -> None:
        self.viewer = viewer
        self.main = [v for v in pictures.ruleset.variables if v.name in pictures.figures.main]
        self.before: Mapping[str, Any] = {}

    def begin(self, view: Mapping[str, Any]) -> None:
        self.before = view["variables"]

    def has_changed(self, view: Mapping[str, Any]) -> bool:
        return any(self.change(view, key) for key in view["variables"] if self.is_main(key))

    def is_main(self, key: str) -> bool:
        return any(key.endswith(f".{variable.name}") for variable in self.main)

    def change(self, view: Mapping[str, Any], key: str) -> int:
        now, before = view["variables"].get(key), self.before.get(key)
        return now - before if isinstance(now, int) and isinstance(before, int) else 0


def hand_summary(
    pictures: Pictures,
    viewer: int | None,
    standing: Standing,
    view: Mapping[str, Any],
    hands: Sequence[HandShown],
    title: str = "the hand is over",
) -> Summary:
    """A line a seat: what it held, as far as the viewer knows, what it got, what it has."""
    defines = list(dict.fromkeys(hand.define for hand in hands if shows(hand, viewer)))
    main = standing.main
    if main and all(variable.per == "team" for variable in main) and not defines:
        rows = [team_row(pictures, viewer, team, standing, view) for team in range(len(pictures.ruleset.teams))]
    else:
        rows = [row(pictures, viewer, seat, standing, view, hands, defines) for seat in range(pictures.players)]
    columns = ["", *map(spoken, defines)]
    for variable in main:
        columns += ["", spoken(variable.name)]
    return Summary(title, tuple(columns), tuple(rows), tuple(decisions(pictures, viewer, standing, view, hands)))


def decisions(
    pictures: Pictures, viewer: int | None, standing: Standing, view: Mapping[str, Any], hands: Sequence[HandShown]
) -> Iterator[str]:
    """`poker: king against 9`: by what the best hand of who got something is above the next."""
    gained = {seat for seat in range(pictures.players) if gain(pictures, seat, standing, view) > 0}
    for define in dict.fromkeys(hand.define for hand in hands):
        shown = [hand for hand in hands if hand.define == define and shows(hand, viewer) and hand.value is not None]
        won = sorted((hand for hand in shown if hand.seat in gained), key=lambda hand: hand.value)
        beaten = [hand for hand in shown if hand.seat not in gained and won and hand.value < won[-1].value]
        if beaten:
            second = max(beaten, key=lambda hand: hand.value)
            words = decided_in_words(pictures.ruleset, won[-1].value, second.value)
            names = (owned(pictures, viewer, hand.seat) for hand in (won[-1], second))
            if words:
                yield f"{spoken(define)}, {' against '.join(names)}: {words}"


def owned(pictures: Pictures, viewer: int | None, seat: int) -> str:
    return "you" if seat == viewer else pictures.names[seat]


def gain(pictures: Pictures, seat: int, standing: Standing, view: Mapping[str, Any]) -> int:
    keys = (owner_key(pictures, variable.per, seat) + f".{variable.name}" for variable in standing.main)
    return sum(standing.change(view, key) for key in keys)


def row(
    pictures: Pictures,
    viewer: int | None,
    seat: int,
    standing: Standing,
    view: Mapping[str, Any],
    hands: Sequence[HandShown],
    defines: Sequence[str],
) -> tuple[str, ...]:
    cells = [f"{pictures.names[seat]} (you)" if seat == viewer else pictures.names[seat]]
    for define in defines:
        shown = [hand for hand in hands if hand.seat == seat and hand.define == define and shows(hand, viewer)]
        cells.append(f"{hand_words(shown[0])}: {', '.join(in_groups(pictures, shown[0]))}" if shown else "")
    for variable in standing.main:
        cells += standing_cells(pictures, standing, view, variable, owner_key(pictures, variable.per, seat))
    return tuple(cells)


def standing_cells(
    pictures: Pictures, standing: Standing, view: Mapping[str, Any], variable: Variable, owner: str
) -> list[str]:
    """What has changed of a variable, and what it is now."""
    key = f"{owner}.{variable.name}"
    change, value = standing.change(view, key), view["variables"].get(key)
    shown = "" if value is None else pictures.figures.worded(variable, str(value))
    return [f"{change:+}" if change else "", shown]


def team_row(
    pictures: Pictures, viewer: int | None, team: int, standing: Standing, view: Mapping[str, Any]
) -> tuple[str, ...]:
    """`team1 (you, Ann)`, where only teams have what counts."""
    members = ", ".join(owned(pictures, viewer, seat) for seat in pictures.ruleset.teams[team])
    cells = [f"team{team + 1} ({members})"]
    for variable in standing.main:
        cells += standing_cells(pictures, standing, view, variable, f"team{team + 1}")
    return tuple(cells)


def hand_words(hand: HandShown) -> str:
    """`two pair`, `total 18`: the category, and the number that counts first within one that a condition makes."""
    number = next(own_numbers(hand.value), None)
    return spoken(hand.category).lower() + (f" {number}" if number is not None else "")


def in_groups(pictures: Pictures, hand: HandShown) -> list[str]:
    """The cards of a hand: most of a kind first, then the highest."""
    faces = pictures.faces.faces
    ranks = [faces[name.removesuffix(" reversed")].rank for name in hand.cards]
    pairs = zip(hand.cards, ranks, strict=True)
    return [name for name, _ in sorted(pairs, key=lambda one: (-ranks.count(one[1]), -(one[1] or 0)))]


def owner_key(pictures: Pictures, per: str, seat: int) -> str:
    if per == "team":
        team = next((i for i, members in enumerate(pictures.ruleset.teams) if seat in members), 0)
        return f"team{team + 1}"
    return f"p{seat + 1}"


def shows(hand: HandShown, viewer: int | None) -> bool:
    return viewer is None or bool(hand.known >> viewer & 1)


def end_of(
    game: Game,
    pictures: Pictures,
    viewer: int | None,
    standing: Standing,
    view: Mapping[str, Any],
    hands: Sequence[HandShown],
) -> End:
    """Who won, with what. The game is over."""
    names = pictures.names
    winners = tuple("you" if seat == viewer else names[seat] for seat in game.winners or ())
    scores = tuple((names[seat], str(score)) for seat, score in enumerate(game.scores or ()))
    return End(winners, scores, hand_summary(pictures, viewer, standing, view, hands, title=won_words(winners)))


def won_words(winners: Sequence[str]) -> str:
    if not winners:
        return "nobody wins"
    verb = "wins" if len(winners) == 1 and winners[0] != "you" else "win"
    return f"{' and '.join(winners)} {verb}"


def summary_lines(summary: Summary | None) -> list[str]:
    """`the hand is over`, and a line a seat."""
    if summary is None:
        return []
    rows = []
    for row in summary.rows:
        cells = [f"{column} {cell}".strip() for column, cell in zip(summary.columns[1:], row[1:], strict=True) if cell]
        rows += [f"{row[0]}: {', '.join(cells)}"] if cells else []
    return [summary.title, *rows, *summary.lines]
