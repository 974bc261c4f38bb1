"""`trionfi replay`: plays a recorded game again and checks it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trionfi.shell.calls import CallError, check_there, with_settings
from trionfi.shell.printing import note, print_json
from trionfi.shell.stepping import Steps
from trionfi.table.summaries import won_words

if TYPE_CHECKING:
    from trionfi.interpreter.game import Game
    from trionfi.interpreter.rules import Rules

__all__ = ["read_record", "replay_record", "rules_of"]


def replay_record(path: Path, settings: list[str], step: bool, engine: str | None, as_json: bool) -> bool:
    """Plays the record's moves again, each as it was labelled; True if everything is as recorded."""
    from trionfi.interpreter.records import RecordError, replay

    record = read_record(path)
    show = Steps(len(record["moves"]), sys.stderr if as_json else sys.stdout) if step else None
    try:
        game = replay(rules_of(record, path, settings), record, engine, show)
    except RecordError as error:
        note(f"{path}: {error}")
        return False
    if as_json:
        print_json(game.record(record.get("bots")))
    else:
        show_result(game, path)
    return True


def read_record(path: Path) -> dict[str, Any]:
    """The record in a file. Raises CallError if it holds none."""
    from trionfi.interpreter.record_form import MOST_BYTES, RecordFormError, parsed_record

    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    try:
        return parsed_record(data)
    except RecordFormError as error:
        raise CallError(f"{path} is no record of a game: {error}") from None


def rules_of(record: Mapping[str, Any], path: Path, settings: list[str]) -> Rules:
    """The rules that the record was played by, with its options: as they are on the disk, if they have not been
    changed since, else as the record holds them."""
    from trionfi.interpreter.rules import kept_rules

    if "texts" not in record:
        return with_its_options(rules_named(record, path), record, settings)
    rules = rules_of_today(record)
    if rules is None or rules.sha256 != record["sha256"]:
        if rules is not None:
            note(f"{path}: {record['rules']} has been changed since; this is played by the texts that the record holds")
        rules = kept_rules(record)
    return with_its_options(rules, record, settings)


def rules_of_today(record: Mapping[str, Any]) -> Rules | None:
    """The rules where the record says that they lay; None if nothing lies there now that can be read."""
    from trionfi.dsl.diagnostics import RulesError
    from trionfi.dsl.library import find
    from trionfi.interpreter.rules import load

    found = find(record.get("path", record["rules"]))
    try:
        return None if found is None else load(str(found))
    except RulesError:
        return None


def rules_named(record: Mapping[str, Any], path: Path) -> Rules:
    """Of a record that holds no texts: a file of that name beside it or here, else the library's."""
    from trionfi.dsl.library import find
    from trionfi.interpreter.rules import load

    name = record["rules"]
    found = find(name, beside=path.absolute().parent) or find(name, beside=Path.cwd())
    if found is None:
        check_there(name)
    return load(str(found))


def with_its_options(rules: Rules, record: Mapping[str, Any], settings: list[str]) -> Rules:
    """The rules as they were set when the game was played. Raises RecordError where they know no such options."""
    from trionfi.dsl.diagnostics import RulesError
    from trionfi.interpreter.records import RecordError

    try:
        rules = rules.with_options(record["options"])
    except RulesError as error:
        wrong = "; ".join(diagnostic.message for diagnostic in error.diagnostics)
        raise RecordError(f"this was a game of other rules than {rules.name}: {wrong}") from None
    return with_settings(rules, settings)


def show_result(game: Game, path: Path) -> None:

    print(f"{path}: {len(game.moves)} moves of {game.rules.name}, all as recorded")
    for line in result_lines(game):
        print(line)


def result_lines(game: Game) -> Iterator[str]:
    """Scores and winners; of a game that goes on, who is asked."""
    if game.decision is not None:
        yield f"the game goes on: p{game.decision.player + 1} is asked for {game.decision.name}"
    if game.scores is not None and game.winners is not None:
        yield "score: " + ", ".join(f"p{seat + 1} {score}" for seat, score in enumerate(game.scores))
        yield won_words([f"p{seat + 1}" for seat in game.winners])
