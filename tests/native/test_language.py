"""Everything that the language reference shows is compiled, and means the same: its examples have every form of the
language (tests/docs/test_language_reference.py)."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from trionfi.interpreter.chance import Stream
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.native import why_not
from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules, load
from trionfi.interpreter.simulate import Setup, play_block

from ..by_day import of_the_day
from ..docs.doc_examples import DOCS, Example, read_page

EXAMPLES = [one for one in read_page(DOCS / "language.md") if not one.is_file or "\nplay:" in one.text]
# By the heading they stand under: of altered cards `card.rank` may be none; cards of every suit, and melds.
NOT_COMPILED = {"Rankings": "is none here", "Effects": "melds of cards with several suits or ranks"}
MOST_MOVES = 30


def rules_of(example: Example, folder: Path) -> Rules:
    for name, text in example.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / ("shown.yaml" if not example.is_file else example.name)
    path.write_text(example.text, encoding="utf-8")
    return load(str(path))


def told(run: Any) -> Any:
    """What comes of it: a result, or an error's words."""
    try:
        return run()
    except GameError as error:
        return str(error)


def played(rules: Rules, players: int, engine: str) -> Any:
    """A game: what was asked, what strategies would say, and how it stands then."""
    game, dice, trace = rules.start(players=players, seed=3, game=1, engine=engine), Random(5), []
    while game.decision is not None and len(trace) < MOST_MOVES:
        asked = game.decision
        labels = asked.labels() if not asked.is_number else []
        advice = [game.ask_strategy(name, Stream(1, 2)) for name in rules.ruleset.strategies]
        trace.append((asked.player, asked.name, asked.count, labels, advice))
        game.apply(dice.randrange(asked.count))
    return trace, game.state, game.scores


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_what_is_shown_is_compiled(example: Example, tmp_path: Path) -> None:
    rules = rules_of(example, tmp_path)
    reasons = why_not(rules)
    if reasons:
        assert NOT_COMPILED.get(example.heading, "-") in reasons[0]
        return
    players = rules.players[1]
    reference, native = (told(lambda one=one: played(rules, players, one)) for one in ("reference", "native"))
    assert native == reference
    if not of_the_day(example.text):
        return  # whole games are another module, of the same functions
    # the code of strategies has what the code without them has
    for bot in rules.ruleset.strategies or ("random",):
        bots = (bot,) * players
        expected = told(lambda bots=bots: play_block(rules, Setup(players, bots, 3, "reference"), 0, 2).sums)
        assert told(lambda bots=bots: BlockPlayer(rules, players, bots, 3).play(0, 2)) == expected
