"""`trionfi validate`: all that is wrong with a ruleset, in its text and in some random games of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from trionfi.dsl.diagnostics import RulesError
from trionfi.dsl.limits import MOST_PLAYED
from trionfi.shell.calls import check_there, with_settings
from trionfi.shell.printing import print_json

if TYPE_CHECKING:
    from trionfi.dsl.diagnostics import Diagnostic
    from trionfi.interpreter.rules import Rules

__all__ = ["validate_all"]

GAMES_A_COUNT = 4  # random games for each number of players
LONG = 2_000  # decisions, after which it pays to compile a ruleset


def validate_all(names: list[str], settings: list[str], static: bool, as_json: bool) -> bool:
    """Shows every diagnostic of each ruleset; True if there is no error among them."""
    for name in names:
        check_there(name)
    found = {name: validate_one(name, settings, static) for name in names}
    if as_json:
        print_json([diagnostic.to_dict() for group in found.values() for diagnostic in group])
    else:
        for name, group in found.items():
            show(name, group)
    return not any(diagnostic.severity == "error" for group in found.values() for diagnostic in group)


def show(name: str, found: list[Diagnostic]) -> None:
    for diagnostic in found:
        print(diagnostic, end="\n\n")
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    summary = f"{counted(errors, 'error')}, {counted(len(found) - errors, 'warning')}" if found else "fine"
    print(f"{name}: {summary}")


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def validate_one(name: str, settings: list[str], static: bool) -> list[Diagnostic]:
    """The diagnostics of the text; where it holds no error, also of games."""
    from trionfi.dsl import read_ruleset
    from trionfi.interpreter.rules import Rules
    from trionfi.interpreter.rules_data import Origin

    ruleset, diagnostics = read_ruleset(name)
    found = list(diagnostics)
    if ruleset is None:
        return found
    rules = with_settings(Rules(ruleset, diagnostics=found, origin=Origin(name)), settings)
    if not static:
        for diagnostic in faults_in_play(rules):
            if not any((d.code, d.span.start) == (diagnostic.code, diagnostic.span.start) for d in found):
                found.append(diagnostic)
    return found


def faults_in_play(rules: Rules) -> Iterator[Diagnostic]:
    """What stops random games, at every number of players, and then with each option at its ends, at the fewest and the
    most; the hint says which game to look at. Games that are long are fewer."""
    from dataclasses import replace

    from trionfi.interpreter.errors import GameError

    left = MOST_PLAYED
    for setting, players, number in games_to_try(rules):
        if left < 0:
            return
        try:
            left -= play_at_random(rules.with_options(setting), players, number)
        except GameError as error:
            words = "".join(f"--set {name}={value} " for name, value in setting.items())
            where = f"in a random game: {words}--players {players} --seed {error.seed} --game {error.game}"
            hint = f"{error.diagnostic.hint}; {where}" if error.diagnostic.hint else where
            yield replace(error.diagnostic, hint=hint)
            if error.code == "game-without-end":
                return  # it has taken long, and others would
        except RulesError:
            continue  # options that bind one another: this one is refused where it is set


def games_to_try(rules: Rules) -> Iterator[tuple[dict[str, object], int, int]]:
    """The options that are set, the number of players and the number of the game."""
    low, high = rules.players
    for players in range(low, high + 1):
        for number in range(GAMES_A_COUNT):
            yield {}, players, number
    for setting in settings_to_try(rules):
        for players in sorted({low, high}):
            yield setting, players, 0


def settings_to_try(rules: Rules) -> Iterator[dict[str, object]]:
    """Each option that is not set at the ends of its range, or at its other words, by itself."""
    for name, option in rules.ruleset.options.items():
        if name in rules.given:
            continue
        values: list[object] = [end for end in (option.low, option.high) if end is not None]
        if option.type.kind == "enum":
            values = list(rules.ruleset.enumerations[option.type.name].members)
        elif option.type.kind == "truth":
            values = [True, False]
        yield from ({name: value} for value in values if value != rules.options[name])


def play_at_random(rules: Rules, players: int, number: int) -> int:
    """How long the game was: its steps and what was offered in it."""
    from trionfi.interpreter.bots import seat_bots
    from trionfi.interpreter.reference.game import ReferenceGame
    from trionfi.interpreter.simulate import Setup, play_block

    bots = ("random",) * players
    choose = seat_bots(rules, bots, 1, number)
    game = rules.start(players=players, seed=1, game=number, engine="reference", quiet=True)
    assert isinstance(game, ReferenceGame)
    length = game.table_state.steps
    while game.decision is not None:
        if len(game.moves) == LONG and rules.engine() == "native":
            play_block(rules, Setup(players, bots, 1, "native"), number, 1)
            return length
        if length > MOST_PLAYED:
            return length
        if not game.decision.is_number:
            game.decision.labels()  # what stands in a label may stop a game that is played by hand
        length += game.decision.count if not game.decision.is_number else 1
        game.apply(choose[game.decision.player](game))
        length += game.table_state.steps
    return length
