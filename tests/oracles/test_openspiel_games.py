"""Other people's games: every trace of OpenSpiel replays equal through the ordinary interface, in both engines.

Each game has a small adapter: how a trace's chance steps stack our deal, and what number its actions have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from trionfi.interpreter.native.game import NativeGame
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.rules import Rules

DATA = Path(__file__).resolve().parent.parent / "data" / "openspiel"
Trace = dict[str, Any]
RANKS = "23456789TJQKA"
SUITS = "cdhs"


@dataclass
class Adapter:
    """`stack` gives the arguments of `rules.deal`; `action` the number of an option of a decision in the trace."""

    rules: str
    stack: Callable[[list[int]], dict[str, Any]]
    action: Callable[[str, str], int]
    options: dict[str, object] = field(default_factory=dict)
    players: int = 2
    returns: Callable[[list[float]], list[float]] | None = lambda scores: scores


def traces(name: str) -> list[Trace]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def chance_of(trace: Trace) -> list[int]:
    return [action for player, _, action in trace["steps"] if player < 0]


def choices_of(trace: Trace) -> Iterator[tuple[int, list[int], int]]:
    return ((player, legal, action) for player, legal, action in trace["steps"] if player >= 0)


# ---- cards: numbers of the traces to names and back


def by_rank(first: str) -> tuple[list[str], dict[str, int]]:
    """Cards numbered rank by rank from `first` on, clubs, diamonds, hearts, spades."""
    names = [rank + suit for rank in RANKS[RANKS.index(first) :] for suit in SUITS]
    words = dict(zip(RANKS, "2 3 4 5 6 7 8 9 10 Jack Queen King Ace".split(), strict=True))
    suits = dict(zip(SUITS, "Clubs Diamonds Hearts Spades".split(), strict=True))
    return names, {f"{words[rank]} of {suits[suit]}": n for n, (rank, suit) in enumerate(names)}


FROM_TWO, NUMBER_FROM_TWO = by_rank("2")
FROM_NINE, NUMBER_FROM_NINE = by_rank("9")
SUIT_NAMES = ["clubs", "diamonds", "hearts", "spades"]


def simple(table: dict[str, int]) -> Callable[[str, str], int]:
    return lambda decision, label: table[label.split()[0]]


def stack_kuhn(chance: list[int]) -> dict[str, Any]:
    names = ["jack", "queen", "king"]
    return {"cards": {f"p{seat + 1}.hand": [names[card]] for seat, card in enumerate(chance)}}


def stack_leduc(chance: list[int]) -> dict[str, Any]:
    names = [f"{rank} of {suit}" for rank in ("jack", "queen", "king") for suit in ("spades", "hearts")]
    zones = ["p1.hand", "p2.hand", "board"]
    return {"cards": {zone: [names[card]] for zone, card in zip(zones, chance, strict=False)}}


def stack_blackjack(chance: list[int]) -> dict[str, Any]:
    return {"cards": {"stock": ["A23456789TJQK"[card % 13] + SUITS[card // 13] for card in chance]}}


def stack_hearts(chance: list[int]) -> dict[str, Any]:
    # 0 no passing, 1 left, 2 across, 3 right; ours goes left, right, across, none
    hands_before = {0: 3, 1: 0, 2: 2, 3: 1}[chance[0]]
    cards = {f"p{seat + 1}.hand": [FROM_TWO[card] for card in chance[1 + seat :: 4]] for seat in range(4)}
    return {"cards": cards, "set": {"hand_number": hands_before, "dealer": "p4"}}


def hearts_action(decision: str, label: str) -> int:
    return NUMBER_FROM_TWO[label]


def stack_euchre(chance: list[int]) -> dict[str, Any]:
    dealer = chance[0]
    hands: dict[str, list[str]] = {}
    for i, card in enumerate(chance[1:21]):
        hands.setdefault(f"p{(dealer + i) % 4 + 1}.hand", []).append(FROM_NINE[card])
    return {"cards": {**hands, "upcard": [FROM_NINE[chance[21]]]}, "set": {"dealer": f"p{dealer + 1}"}}


def euchre_action(decision: str, label: str) -> int:
    words = {"pass": 24, "alone": 29, "with partner": 30, **{suit: 25 + n for n, suit in enumerate(SUIT_NAMES)}}
    return words[label] if label in words else NUMBER_FROM_NINE[label]


def stack_eights(chance: list[int]) -> dict[str, Any]:
    return {
        "cards": {"stock": [FROM_TWO[card] for card in chance[1:]]},
        "set": {"dealer": f"p{chance[0] - 52 + 1}"},
    }


def eights_action(decision: str, label: str) -> int:
    words = {"draw": 52, "pass": 53, **{suit: 54 + n for n, suit in enumerate(SUIT_NAMES)}}
    return words[label] if label in words else NUMBER_FROM_TWO[label.removeprefix("play ")]


ADAPTERS = {
    "kuhn_poker": Adapter("kuhn", stack_kuhn, simple({"pass": 0, "fold": 0, "bet": 1, "call": 1})),
    "leduc_poker": Adapter("leduc", stack_leduc, simple({"fold": 0, "call": 1, "raise": 2})),
    "blackjack": Adapter("blackjack", stack_blackjack, simple({"hit": 0, "stand": 1}), players=1),
    "hearts": Adapter(
        "hearts",
        stack_hearts,
        hearts_action,
        {"target": 1, "queen_breaks": "true"},
        4,
        lambda scores: [26 + score for score in scores],
    ),
    "euchre": Adapter(
        "euchre",
        stack_euchre,
        euchre_action,
        {"target": 1},
        4,
        lambda scores: [scores[seat] - scores[(seat + 1) % 4] for seat in range(4)],
    ),
    "crazy_eights": Adapter(
        "crazy-eights",
        stack_eights,
        eights_action,
        {"target": 1, "draws": 5, "restock": "false", "most_plays": 100},
        4,
        None,
    ),
}
CASES = [(name, number) for name in ADAPTERS for number in range(10)]


ENGINES = {"reference": ReferenceGame, "native": NativeGame}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("name", "number"), CASES, ids=[f"{name}-{number}" for name, number in CASES])
def test_traces_replay_equal(name: str, number: int, engine: str, rules: Callable[..., Rules]) -> None:
    adapter, trace = ADAPTERS[name], traces(name)[number]
    game = rules(adapter.rules, **adapter.options).deal(
        players=adapter.players, seed=1, engine=engine, **adapter.stack(chance_of(trace))
    )
    assert type(game) is ENGINES[engine]
    pending = list(choices_of(trace))
    while pending:
        assert not game.over
        pending = replay_step(game, adapter, pending)
    assert game.over
    if adapter.returns is not None:
        assert adapter.returns(game.scores) == trace["returns"]


def replay_step(game: Any, adapter: Adapter, pending: list[Any]) -> list[Any]:
    """Makes the next choice, or the whole of a pick of several; gives what is left of the trace."""
    decision = game.decision
    player, legal, action = pending[0]
    assert decision.player == player
    if decision.name == "passing":
        return replay_pass(game, adapter, pending)
    numbers = [adapter.action(decision.name, option.label) for option in decision.options]
    assert sorted(numbers) == sorted(legal)
    game.apply(numbers.index(action))
    return pending[1:]


def replay_pass(game: Any, adapter: Adapter, pending: list[Any]) -> list[Any]:
    """Three cards: ours come in the order of the hand, so the trace is compared by the set."""
    wanted = {action for _, _, action in pending[:3]}
    held = {adapter.action("passing", adapter_label) for adapter_label in hand_labels(game)}
    assert held == set(pending[0][1])
    for _ in range(3):
        numbers = [adapter.action("passing", option.label) for option in game.decision.options]
        game.apply(next(index for index, number in enumerate(numbers) if number in wanted))
    return pending[3:]


def hand_labels(game: Any) -> list[str]:
    """The cards that the player to move holds, from that player's view."""
    seat = game.decision.player
    return [game.rules.cards[card] for card in game.view(seat)["zones"][f"p{seat + 1}.hand"]]
