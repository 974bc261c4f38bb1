"""Words of kinds are read by their labels at the table, and numbers that are not set yet are not shown."""

from __future__ import annotations

from trionfi.interpreter.rules import load
from trionfi.table.figures import Figures
from trionfi.table.pictures import Pictures

GAME = """\
trionfi: 1
name: Bids
about: Bids with labels.
players: 2
deck: standard
kinds: {contract: {not_played: {}, with_black: {label: solo with black joker}}}
table: {stock: {start: deck, face: down}}
variables:
  bid: {per: player, kind: contract}
  tricks: {per: player, kind: number}
play: |
  p1 chooses 1 contract as p1.bid
  if p2.tricks is none: p1 chooses number from 0 to 3 as p1.tricks
  p2 chooses 1 contract as p2.bid
result:
  score(player): 0 if player.tricks is none else 1
"""


def shown(figures: Figures, values: dict[str, object], owner: str) -> list[str]:
    return [str(figure.text) for figure in figures.of_owner(owner, values)]


def test_labels_are_shown_and_what_is_none_is_not() -> None:
    game = load("bids", text=GAME).start(seed=1)
    figures = Pictures(game).figures
    for label in ("solo with black joker", "0", "not played"):
        assert game.decision is not None
        move = game.decision.move_called(label)
        assert move is not None
        game.apply(move)
    values: dict[str, object] = game.state["variables"]  # type: ignore[assignment]
    assert shown(figures, values, "p1") == ["bid solo with black joker", "tricks 0"]
    assert shown(figures, values, "p2") == ["bid not played"]
