"""Loops over seats that are done for all seats at once do what they do seat by seat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trionfi.core import ir
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.native.emission import loops
from trionfi.interpreter.native.emission.function import Emitter
from trionfi.interpreter.native.engine import Use
from trionfi.interpreter.native.table import table_of
from trionfi.interpreter.rules import Rules, load

from .test_playout import both

TEXT = """\
trionfi: 1
name: Seats
players: 2..{most}
deck: standard
table:
  stock: {{start: deck}}
variables:
  dealer: {{kind: player}}
  mine: {{per: player, start: 0}}
  more: {{per: player, start: {start}}}
  fine: {{per: player, start: false}}
  friend: {{per: player, kind: player}}
  total: {{start: 0}}
  who: {{kind: player}}
define:
  good(player): player.fine and player.mine > 1
  another(player p): any good player q where q is not p
  lone(player p): no player q where q is not p and q.fine
  others(player p): count of players q where q is not p and q.fine
  above(player p): highest of q.mine for each player q where q is not p
  below(player p): lowest of q.mine for each player q where q is not p
  worth(player p): above(p) if another(p), else smaller(p.mine, below(p)) - total
play: |
  for each player: take(player)
  dealer = p2
  {line}
procedures:
  take(player): |
    player chooses number from 0 to 5 as n
    player.mine = n
    player chooses number from 0 to 1 as m
    player.fine = m is 1
result:
  score(player): player.mine + 10 * (player.more - {start}) + (100 if player.fine else 0) + 1000 * total
    + (50000 if player is who else 0) + (70000 if player.friend is p1 else 0)
"""
AT_ONCE = {
    "a truth": "for each player: player.fine = not player.fine",
    "a number": "for each player where player.fine: player.mine = 3 - player.mine",
    "two numbers": "for each player: {\n    player.more = player.more + player.mine\n    player.mine = 7 }",
    "a sum": "for each player: add player.mine to total",
    "a count": "total = count of good players",
    "any": "if any player where good(player) and player.mine is 4: total = 1",
    "nobody": "if no player where player.fine and player.mine < 2: total = 1",
    "the highest": "if any player where good(player): total = highest of player.mine for each good player",
    "the lowest": "if any player where good(player): total = lowest of player.mine for each good player",
    "the next": "who = next good player after dealer",
    "another": "for each player p: p.fine = another(p)",
    "nobody else": "for each player p where lone(p): p.more = p.more + 1",
    "the highest of others": "for each player p: p.more = p.more + above(p) - below(p)",
    "how many others": "for each player p: p.more = p.more + others(p)",
    "many questions": "for each player p: p.more = p.more + worth(p)",
    "who": "for each player p: p.friend = p if p.fine else none",
    "a seat": "for each player p where p is p1 or p is dealer: p.friend = p1",
    "set in a branch": "for each player p: {\n    let x = 1\n    if p.fine: x = p.mine\n    p.more = p.more + x }",
}


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Rules]:
    def write(line: str, start: int = 0, most: int = 10) -> Rules:
        path = tmp_path / "seats.yaml"
        path.write_text(TEXT.format(line=line.replace("{\n", "\n").replace(" }", ""), start=start, most=most))
        return load(path)

    return write


@pytest.fixture
def fitting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions whose loops were done at once."""
    found: list[str] = []
    at_once = loops.at_once

    def noted(e: Emitter, node: ir.Each, slowly: Callable[[], None]) -> bool:
        fits = at_once(e, node, slowly)
        found.extend([e.core.name] * fits)
        return fits

    monkeypatch.setattr(loops, "at_once", noted)
    assert loops.each_seat
    return found


@pytest.mark.parametrize("line", AT_ONCE)
def test_games_add_up_alike(line: str, made: Callable[..., Rules], fitting: list[str]) -> None:
    rules = made(AT_ONCE[line], most=list(AT_ONCE).index(line) % 10 + 2)
    table_of(rules, 2).code.lower(Use.PLAYOUT)
    assert fitting
    for players in {2, rules.players[1]}:
        native, reference = both(rules, players, ("random",) * players, 12)
        assert native == reference


@pytest.mark.parametrize("line", ["a sum", "two numbers", "the highest of others"])
def test_errors_are_found_at_their_place(line: str, made: Callable[..., Rules]) -> None:
    rules = made(AT_ONCE[line].replace("total", "p1.more"), start=(1 << 63) - 4)
    with pytest.raises(GameError) as caught:
        both(rules, 9, ("random",) * 9, 5)
    assert caught.value.diagnostic.code == "number-too-large"


def test_nothing_to_choose_from(made: Callable[..., Rules]) -> None:
    rules = made("for each player p where p.fine: p.more = highest of q.mine for each good player q")
    with pytest.raises(GameError) as caught:
        both(rules, 2, ("random",) * 2, 40)
    assert caught.value.diagnostic.code == "nothing-to-choose"
