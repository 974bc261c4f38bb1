"""The command line (`trionfi`): thin commands; what they do stands in `shell/` and in the rooms below it.

Exit codes: 0 fine, 1 the ruleset, the game or the machine says no, 2 the call is wrong, 130 stopped by hand, 143 by
SIGTERM, 129 by SIGHUP. Everything heavy is imported inside the commands, so that help comes at once.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer
from typer.core import TyperGroup

from trionfi import __version__
from trionfi.interpreter.chance import HIGHEST_SEED
from trionfi.shell import completing
from trionfi.shell.calls import CallError, Sitting
from trionfi.shell.command import command
from trionfi.shell.door import doors
from trionfi.shell.printing import Output, note, open_missing_streams
from trionfi.shell.stopping import stop_on_signals

__all__ = ["app", "main", "run"]


class Commands(TyperGroup):
    """Typer itself would end at a closed pipe without a word, and at every signal as at Ctrl-C."""

    def invoke(self, ctx: Any) -> Any:
        from trionfi.shell.faults import exit_code_of, exit_code_of_stop

        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise typer.Exit(exit_code_of_stop(stop)) from stop
        except BrokenPipeError as closed:
            raise typer.Exit(exit_code_of(closed)) from closed


app = typer.Typer(
    cls=Commands,
    name="trionfi",
    help="A rules language for card games: checks, plays and simulates what a ruleset says.",
    epilog=f"RULES is a name from the library ({command()} list) or a path to a YAML file.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

RulesName = Annotated[
    str,
    typer.Argument(
        metavar="RULES", help="A name from the library, or a YAML file.", autocompletion=completing.rulesets
    ),
]
RulesNames = Annotated[
    list[str],
    typer.Argument(
        metavar="RULES...", help="Names from the library, or YAML files.", autocompletion=completing.rulesets
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Sets an option of the rules, or what a variable starts with: p1.chips=50.",
        autocompletion=completing.settings,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Players = Annotated[
    int | None,
    typer.Option(
        "--players",
        metavar="N",
        help="How many play; else as many as is usual.",
        autocompletion=completing.numbers_of_players,
    ),
]
Bots = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="SEAT=BOT",
        help="Who plays a seat: random, first, or a strategy; all=BOT for all.",
        autocompletion=completing.bots,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", min=0, max=HIGHEST_SEED, metavar="S", help="The deals; without one it is drawn."),
]
Workers = Annotated[
    int | None, typer.Option("--workers", min=1, metavar="W", help="Processes; the result is the same for any.")
]
Engine = Annotated[Literal["native", "reference"] | None, typer.Option("--engine", help="Which engine plays.")]
Tester = Annotated[Literal["native", "reference"], typer.Option("--engine", help="Which engine plays.")]


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"trionfi {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="The version.")]


@app.callback()
def trionfi(version: Version = False) -> None: ...


@app.command("list")
def list_rules(json: AsJson = False) -> None:
    """The games of the library."""
    from trionfi.shell.listing import show_list

    show_list(json)


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What to write; a file that is there is left alone.")],
    parent: Annotated[
        str,
        typer.Option(
            "--from", metavar="RULES", help="Writes a variant of these rules.", autocompletion=completing.rulesets
        ),
    ] = "",
    settings: Settings = None,
) -> None:
    """Writes a ruleset to start from: a small game, or with --from a variant of another.

    With --set the variant has these values of the options.
    """
    from trionfi.shell.creating import new_ruleset

    new_ruleset(file, parent, settings or [])


@app.command()
def validate(
    rules: RulesNames,
    static: Annotated[bool, typer.Option("--static", help="Reads and checks only; plays no games.")] = False,
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Checks rulesets: every message with its place; then plays some random games."""
    from trionfi.shell.validating import validate_all

    finish(validate_all(rules, settings or [], static, json))


@app.command("test")
def run_tests(rules: RulesNames, settings: Settings = None, engine: Tester = "reference", json: AsJson = False) -> None:
    """Runs the rulesets' own tests."""
    from trionfi.shell.testing import run_all

    finish(run_all(rules, settings or [], engine, json))


@app.command()
def simulate(
    rules: RulesName,
    games: Annotated[int, typer.Option("-n", "--games", min=1, metavar="GAMES", help="How many games.")],
    players: Players = None,
    bots: Bots = None,
    seed: Seed = None,
    workers: Workers = None,
    engine: Engine = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="A row a game: .csv, .jsonl or .parquet.")
    ] = None,
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Plays many games and shows what came of them."""
    from trionfi.shell.simulating import simulate_games

    sitting = Sitting.of(rules, settings, players, bots, seed, engine)
    simulate_games(sitting, games, workers, out, json)


@app.command()
def compare(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="RULES, or with options: RULES:NAME=VALUE,NAME=VALUE.",
            autocompletion=completing.rulesets,
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The same.", autocompletion=completing.rulesets)],
    games: Annotated[int, typer.Option("-n", "--games", min=1, metavar="GAMES", help="How many games of each.")],
    players: Players = None,
    bots: Bots = None,
    seed: Seed = None,
    workers: Workers = None,
    engine: Engine = None,
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Plays two rulesets, variants or settings on the same deals and shows what differs.

    Both are dealt from the same seeds, and what differs is taken game by game, so that luck of the deal falls out. The
    intervals are widened for the number of figures compared (Bonferroni's correction): in 95 of 100 comparisons all
    of them hold. Where an interval holds 0 there is no detectable difference.
    """
    from trionfi.shell.comparing import compare_games

    compare_games(first, second, settings or [], players, bots or [], seed, engine, games, workers, json)


@app.command()
def play(
    rules: Annotated[
        str | None,
        typer.Argument(
            metavar="RULES",
            help="A name from the library, or a YAML file.",
            show_default=False,
            autocompletion=completing.rulesets,
        ),
    ] = None,
    players: Players = None,
    seats: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="K",
            help="A seat that you play (first: 1); may be repeated.",
            autocompletion=completing.seats,
        ),
    ] = None,
    bots: Bots = None,
    seed: Seed = None,
    game: Annotated[int, typer.Option("--game", min=0, max=HIGHEST_SEED, metavar="K", help="Game K of the seed.")] = 0,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Keeps the game in a file, move by move.")
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="[ID|FILE]",
            help="Goes on with a game that was kept, and keeps it there; without a name with the one left last.",
            autocompletion=completing.games,
        ),
    ] = None,
    names: Annotated[
        list[str] | None, typer.Option("--name", metavar="SEAT=NAME", help="What a player is called, as in 1=Ann.")
    ] = None,
    keeps: Annotated[
        bool, typer.Option("--keep/--no-keep", help="Keeps the game as it goes, to go on with it and for stats.")
    ] = True,
    plain: Annotated[bool, typer.Option("--plain", help="Reads choices by lines, on a terminal, too.")] = False,
    engine: Engine = None,
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Plays with you at the table; from a pipe it reads choices, one a line. Without RULES: what was left before."""
    from trionfi.shell.calls import names_by_seat
    from trionfi.shell.going_on import chosen, resumed_path
    from trionfi.shell.playing import fetch_table, play_game
    from trionfi.shell.saving import Going, kept_names, sitting_of

    fetch_table(plain)
    is_new = players is not None or seed is not None or bool(game or settings)
    if resume is not None:
        if is_new:
            raise CallError("--resume goes on with the players, seed, game and options that the record says")
        path: Path | None = resumed_path(resume)
    else:
        path = chosen(rules, is_new or bool(seats or bots or names or record) or json or not keeps)
        rules = None if path is not None else rules
    if path is not None:
        sitting, sat, kept = sitting_of(path, rules, seats or (), bots or (), engine)
        told = kept_names(kept, sitting.players) | names_by_seat(names or (), sitting.players)
        finish(play_game(sitting, sat, kept["game"], record, json, Going(path, kept), told, keeps, plain))
        return
    assert rules is not None
    sitting = Sitting.of(rules, settings, players, bots, seed, engine)
    called = names_by_seat(names or (), sitting.players)
    finish(play_game(sitting, seats or (), game, record, json, names=called, keeps=keeps, is_plain=plain))


@app.command()
def stats(
    rules: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULES]",
            help="Only the games of these rules.",
            show_default=False,
            autocompletion=completing.rulesets,
        ),
    ] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Deletes games and figures, after asking.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Does not ask.")] = False,
    json: AsJson = False,
) -> None:
    """Your own games by ruleset: how many, how many won, and with which scores."""
    from trionfi.shell.own_games import forget_games, show_stats

    if forget:
        forget_games(rules, yes)
    else:
        show_stats(rules, json)


# Unknown options pass, so that `--vs` may stand between cards.
@app.command(context_settings={"ignore_unknown_options": True})
def rank(
    rules: RulesName,
    ranking: Annotated[
        str,
        typer.Argument(metavar="RANKING", help="The name of a ranking.", autocompletion=completing.rankings),
    ],
    cards: Annotated[list[str], typer.Argument(metavar="CARDS... [--vs CARDS...]", help="Cards, by names or codes.")],
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Evaluates a hand; with --vs compares two.

    A ranking of several parts takes them as own="ace of cups, 9 of cups" shared="..."; 2="..." means exactly two.
    """
    from trionfi.shell.ranking import rank_hands

    rank_hands(rules, settings or [], ranking, cards, json)


@app.command()
def replay(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A file written by play, or the id of a kept game.")],
    step: Annotated[bool, typer.Option("--step", help="Shows every move.")] = False,
    settings: Settings = None,
    engine: Engine = None,
    json: AsJson = False,
) -> None:
    """Plays a recorded game again and checks it."""
    from trionfi.evening.kept import kept_path
    from trionfi.shell.replaying import replay_record

    record = record if record.exists() else kept_path(str(record)) or record
    finish(replay_record(record, settings or [], step, engine, json))


@app.command()
def explain(
    rules: RulesName,
    part: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="One part: a procedure, ranking, zone, option ...",
            autocompletion=completing.parts,
        ),
    ] = "",
    form: Annotated[
        Literal["text", "markdown", "html"], typer.Option("--format", help="How it is written: text fits the terminal.")
    ] = "text",
    full: Annotated[bool, typer.Option("--full", help="With the exact course of play, step by step.")] = False,
    settings: Settings = None,
) -> None:
    """Tells the rules of a game, or one part of them."""
    from trionfi.shell.explaining import explain_rules

    explain_rules(rules, settings or [], part, form, full)


@app.command()
def core(
    rules: RulesName,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="One function: by its name in the ruleset.")] = "",
    after: Annotated[str, typer.Option("--after", metavar="PASS", help="As it is after the passes up to this.")] = "",
    settings: Settings = None,
) -> None:
    """Shows the core: the small operations that a ruleset is made of, for who works on the engines."""
    from trionfi.shell.core_text import show_core

    show_core(rules, settings or [], name, after)


def finish(fine: bool) -> None:
    """Ends a command: exit code 1 unless all is fine."""
    if not fine:
        raise typer.Exit(1)


# ---- the whole


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one call and gives its exit code. Whatever is wrong is said on stderr, without a traceback.

    Wrong usage ends as typer ends it: with 2.
    """
    from trionfi.shell.faults import flushed

    with doors():
        return flushed(called(arguments))


@cache
def whole() -> Any:
    """All commands, made once: calls may be many in one process."""
    return typer.main.get_command(app)


def with_bare_resume(arguments: Sequence[str]) -> list[str]:
    """`--resume` without a name means the game that was left last."""
    told: list[str] = []
    for number, word in enumerate(arguments):
        told.append(word)
        following = arguments[number + 1 : number + 2]
        if word == "--resume" and (not following or following[0].startswith("-")):
            told.append("latest")
    return told


def called(arguments: Sequence[str] | None) -> int:
    try:
        whole()(
            args=with_bare_resume(sys.argv[1:] if arguments is None else arguments),
            prog_name="trionfi" if completing.COMPLETE in os.environ else command(),
            complete_var=completing.COMPLETE,
        )
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except CallError as wrong:
        note(f"trionfi: {wrong}")
        return 2
    except Exception as error:  # noqa: BLE001  # the last resort: nobody sees a traceback
        from trionfi.shell.faults import exit_code_of

        return exit_code_of(error)
    return 0


def main() -> NoReturn:
    """The entry point of the script `trionfi`."""
    open_missing_streams()
    stop_on_signals()
    warnings.showwarning = lambda message, *others, **named: note(f"trionfi: {message}")
    if isinstance(sys.stderr, TextIOWrapper):
        sys.stderr.reconfigure(errors="replace")
    sys.stdout = Output(sys.stdout)
    with completing.as_bash_counts():
        code = run()
    sys.exit(code)
