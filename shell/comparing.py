"""`trionfi compare`: two rulesets, variants or option settings on the same deals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from textwrap import wrap
from typing import TYPE_CHECKING

from trionfi.shell.calls import CallError, bots_by_seat, open_rules, seat_count
from trionfi.shell.printing import print_json, text_width
from trionfi.shell.progress import Progress, tell_stop

if TYPE_CHECKING:
    from trionfi.interpreter.compare import Comparison, Difference
    from trionfi.interpreter.rules import Rules

__all__ = ["compare_games", "rules_with_options"]

# RULES, then a colon, then options: the first colon behind which one is set, for paths and ratios may have colons.
SETTING = re.compile(r"^(?P<rules>.*?):(?P<options>\s*[\w.]+\s*=.*)$")
NEXT_OPTION = re.compile(r",(?=\s*[\w.]+\s*=)")
NO_DIFFERENCE = "no detectable difference"


def rules_with_options(text: str, settings: Sequence[str]) -> Rules:
    """`RULES`, `RULES:NAME=VALUE,NAME=VALUE`; `settings` hold for it, too, unless it says otherwise."""
    found = SETTING.match(text)
    if found is None:
        return open_rules(text, settings)
    return open_rules(found["rules"], [*settings, *NEXT_OPTION.split(found["options"])])


def compare_games(
    first: str,
    second: str,
    settings: Sequence[str],
    players: int | None,
    bots: Sequence[str],
    seed: int | None,
    engine: str | None,
    games: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Plays both and shows the differences; stopped by hand, those so far."""
    from trionfi.interpreter.compare import compare
    from trionfi.interpreter.simulate import CutShort, Interrupted

    both = rules_with_options(first, settings), rules_with_options(second, settings)
    count = seats_of(both, players)
    by_seat, _ = (bots_by_seat(rules, bots, count) for rules in both)  # both know them
    progress = Progress(games)
    try:
        comparison = compare(
            *both, games, players=count, bots=by_seat, seed=seed, workers=workers, engine=engine, progress=progress
        )
    except (Interrupted, CutShort) as stopped:
        progress.clear()
        tell_stop(stopped, games)
        if stopped.report.games:
            with suppress(OSError):  # a terminal that is gone
                show(stopped.report, as_json)
        raise
    progress.clear()
    show(comparison, as_json)


def seats_of(both: tuple[Rules, Rules], players: int | None) -> int:
    """How many play both."""
    from trionfi.interpreter.compare import common_players

    if players is not None:
        return min([seat_count(rules, players) for rules in both])  # refused unless both take them
    try:
        return common_players(*both)
    except ValueError as different:
        raise CallError(str(different)) from None


# ---- what is shown


def show(comparison: Comparison, as_json: bool) -> None:
    if as_json:
        print_json(comparison.to_dict())
        return
    for line in comparison_lines(comparison, text_width()):
        print(line)


def comparison_lines(comparison: Comparison, width: int) -> Iterator[str]:
    from trionfi.interpreter.intervals import FEW_GAMES

    games = "1 game" if comparison.games == 1 else f"{comparison.games} games"
    players = "1 player" if comparison.players == 1 else f"{comparison.players} players"
    for letter, title in zip("AB", titles(comparison), strict=True):
        yield from wrap(f"{letter}: {title}", width, subsequent_indent="   ")
    yield f"{games} of each on the same deals, {players}, seed {comparison.seed}"
    if comparison.stopped:
        yield f"stopped: {comparison.wanted} games were asked for"
    for heading, rows in parted(comparison.differences).items():
        if rows:
            yield from ("", heading, *table(rows, width))
    found = sum(one.detected for one in comparison.differences)
    yield ""
    if comparison.games < FEW_GAMES:
        yield from wrap(f"The intervals are rough: they are of fewer than {FEW_GAMES} games.", width)
    yield from wrap(summary(found, len(comparison.differences)), width)


def parted(differences: Sequence[Difference]) -> dict[str, list[Difference]]:
    """What differs, what does not, and what one of them never read."""
    return {
        "different:": [one for one in differences if one.detected],
        f"{NO_DIFFERENCE}:": [one for one in differences if one.seen and not one.detected],
        "never read in one of them:": [one for one in differences if not one.seen],
    }


def titles(comparison: Comparison) -> list[str]:
    """The names, with the options in which they differ."""
    from trionfi.interpreter.report_text import option_text

    one, other = comparison.options
    told = []
    for name, mine, theirs in zip(comparison.names, (one, other), (other, one), strict=True):
        own = [f"{key}={option_text(value)}" for key, value in mine.items() if theirs.get(key, mine) != value]
        told.append(f"{name}: {', '.join(own)}" if own else name)
    return told


def table(rows: Sequence[Difference], width: int) -> Iterator[str]:
    from trionfi.interpreter.columns import Column, table_lines

    columns = [
        Column("", [f"  {one.title}" for one in rows], right=False),
        Column("A", [value(one, one.first) for one in rows], weight=1),
        Column("B", [value(one, one.second) for one in rows], weight=1),
        Column("B - A", [signed(one, one.difference) for one in rows]),
        Column("interval", [ends(one) for one in rows], weight=2),
    ]
    return table_lines(columns, width)


def value(one: Difference, number: float) -> str:
    from trionfi.interpreter.report_text import figure

    if not one.seen:
        return "-"
    return f"{number:.1%}" if one.kind == "share" else figure(number)


def signed(one: Difference, number: float) -> str:
    if not one.seen:
        return "-"
    said = f"{abs(number):.1%}" if one.kind == "share" else value(one, abs(number))
    return said if number == 0 else f"{'-' if number < 0 else '+'}{said}"


def ends(one: Difference) -> str:
    if not one.seen or one.high - one.low == float("inf"):
        return "-"
    return f"{signed(one, one.low)} .. {signed(one, one.high)}"


def summary(found: int, compared: int) -> str:
    what = (
        f"{found} of {compared} figures {'differs' if found == 1 else 'differ'}"
        if found
        else f"{NO_DIFFERENCE} in any of {compared} figures"
    )
    return f"{what}. The intervals hold all together with 95 per cent (Bonferroni's correction)."
