"""Whatever stands in a ruleset, the checker answers with messages that point, never with an exception."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.diagnostics import render

from ..by_day import LARGE

RULESETS = sorted(path for path in (Path(__file__).parents[2] / "rulesets").glob("*.yaml"))
WORD = re.compile(r"[A-Za-z_]+|[0-9]+|[-+*/<>=.,()]")


def spoiled(text: str, chance: random.Random) -> str:
    """The text with some of its words replaced by others of it, or dropped."""
    spots = list(WORD.finditer(text))
    words = [spot.group() for spot in spots]
    for spot in sorted(chance.sample(spots, chance.choice([1, 1, 2, 5])), key=lambda spot: -spot.start()):
        word = chance.choice(words) if chance.random() < 0.8 else ""
        text = text[: spot.start()] + word + text[spot.end() :]
    return text


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_a_spoiled_ruleset_gives_messages(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    chance = random.Random(path.stem)
    wrong = 0
    for number in range(4):
        if number >= 2 and wrong and not LARGE:
            break
        ruleset, diagnostics = read_ruleset(str(path), text=spoiled(text, chance))
        wrong += ruleset is None
        for diagnostic in diagnostics:
            assert diagnostic.span.start <= diagnostic.span.end <= len(diagnostic.span.source.text)
            assert render(diagnostic)
    assert wrong


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_the_rulesets_of_the_repository_have_no_messages(path: Path) -> None:
    ruleset, diagnostics = read_ruleset(str(path))
    assert [str(diagnostic) for diagnostic in diagnostics] == []
    assert ruleset is not None


GAME = """
trionfi: 1
name: Small
about: A game for messages.
players: 2..4
deck: standard
table:
  stock: {start: deck}
  hand: {per: player, seen_by: owner}
variables:
  dealer: {kind: player}
  score: {per: player, start: 0}
options: {low: {default: 1}, stakes: {choices: [small, large], default: small}}
define:
  best(player): player.score > low
play: |
  shuffle stock
  deal 5 from stock to each hand
  LINE
result:
  score(player): player.score
"""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("let dealer = random player", "`dealer` is a variable already, which this name would hide"),
        ("let best = 3", "`best` is a define already, which this name would hide"),
        ("let low = 3", "`low` is an option already, which this name would hide"),
        ("let large = 3", "`large` is a word of `stakes` already, which this name would hide"),
        ("p1 chooses number from 1 to 3 as low", "`low` is an option already, which this name would hide"),
        ("p1 chooses 1 card from p1.hand as stock", "`stock` is a zone already, which this name would hide"),
        ("p1 chooses number from 1 to 3 as large", "`large` is a word of `stakes` already, which this name would hide"),
        ('p1 chooses as low:\n    "a": say "a"', "`low` is an option already, which this name would hide"),
        ('p1 chooses as dealer:\n    "a": say "a"', "`dealer` is a variable already, which this name would hide"),
        ("frist.score = 3", "there is no name `frist`"),
        ("dealer = random bets player", "there is no adjective `bets`"),
    ],
)
def test_message_in_a_whole_ruleset(line: str, message: str) -> None:
    _, diagnostics = read_ruleset("small.yaml", text=GAME.replace("LINE", line))
    assert [diagnostic.message for diagnostic in diagnostics if diagnostic.severity == "error"] == [message]


def test_a_menu_may_be_called_like_the_procedure_that_asks_it() -> None:
    procedure = 'procedures:\n  bid(): |\n    p1 chooses as bid:\n      "a": say "a"\n'
    _, diagnostics = read_ruleset("small.yaml", text=GAME.replace("LINE", "bid()") + procedure)
    assert [str(one) for one in diagnostics if one.severity == "error"] == []
