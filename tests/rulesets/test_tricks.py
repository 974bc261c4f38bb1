"""The library `tricks`: who must follow, trump and beat what, against the rules said in Python, over random games."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trionfi.interpreter.rules import load

RANKS = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
GAME = """trionfi: 1
name: Tricks
players: {{from: 2, to: 5, usual: 4}}
deck: {{from: standard, ace: high}}
use:
  tricks: {{must_trump: {trump}, must_beat: {beat}}}
table:
  stock: {{start: deck, face: down}}
  taken: {{per: player, face: up}}
define:
  is_trump(card): card.suit is hearts
play: |
  shuffle stock
  deal 8 from stock to each hand
  let leader = p1
  repeat 8 times: leader = play_trick(leader)
procedures:
  take_trick(player winner): |
    for each player: move player.trick to winner.taken
result:
  score(player): player.taken.count
"""


def suit(card: str) -> str:
    return card.rsplit(maxsplit=1)[-1]


def power(card: str, led: str) -> int:
    place = RANKS.index(card.split(maxsplit=1)[0]) + 1
    return 100 + place if suit(card) == "hearts" else place if suit(card) == led else 0


def allowed(hand: list[str], trick: list[str], must_trump: bool, must_beat: str) -> set[str]:
    """What may be played to the cards of a trick."""
    if not trick:
        return set(hand)
    led = suit(trick[0])
    legal = [card for card in hand if suit(card) == led] or hand
    if must_trump and legal is hand:
        legal = [card for card in hand if suit(card) == "hearts"] or hand
    best = max(power(card, led) for card in trick)
    beating = {card for card in legal if power(card, led) > best}
    bound = {card for card in legal if must_beat == "all_cards" or (must_beat == "trumps" and suit(card) == "hearts")}
    return (set(legal) - bound) | ((bound & beating) or bound) if beating else set(legal)


@pytest.mark.parametrize("must_beat", ["nothing", "trumps", "all_cards"])
@pytest.mark.parametrize("must_trump", [False, True])
def test_what_may_be_played_and_who_takes_the_trick(tmp_path: Path, must_trump: bool, must_beat: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME.format(trump=str(must_trump).lower(), beat=must_beat), encoding="utf-8")
    rules = load(str(path))
    size = os.environ.get("TRIONFI_TEST_SIZE", "1")
    for seed in range(3 * (100 if size == "full" else int(size))):
        for engine in ("reference", "native"):
            game = rules.start(players=2 + seed % 4, seed=seed, engine=engine)
            trick: list[tuple[int, str]] = []
            while (decision := game.decision) is not None:
                zones = game.view(decision.player)["zones"]
                hand = [rules.cards[card].lower() for card in zones[f"p{decision.player + 1}.hand"]]
                if len(trick) == game.players:
                    trick = []
                assert {label.lower() for label in decision.labels()} == allowed(
                    hand, [card for _, card in trick], must_trump, must_beat
                )
                assert decision.name == ("follow" if trick else "lead")
                move = (seed * 7 + len(game.moves) * 5) % decision.count
                trick.append((decision.player, decision.label(move).lower()))
                game.apply(move)
                if len(trick) == game.players and game.decision is not None:
                    led = suit(trick[0][1])
                    assert game.decision.player == max(trick, key=lambda one: power(one[1], led))[0]
