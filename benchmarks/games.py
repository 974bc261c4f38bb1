"""Whole games a second with random players, and decisions a second from Python, side by side in one run.

    python benchmarks/games.py [SCALE]

SCALE multiplies how much each line plays (1 takes about two minutes). Every line is measured on one core in CPU
time, the best of several rounds in which all take turns. Other libraries are measured if they are installed (pip
install "trionfi[bench]"): OpenSpiel in C++ (its own loop over its own random bots) and from Python, PokerKit, RLCard.
Means that are known are checked: who plays other games than the peers would be faster for nothing.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any

from rows import Row, show

import trionfi

SCALE = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
Peers = list[Callable[[], "Row | None"]]


def main() -> None:
    compare("Kuhn poker", "kuhn", 2, 2_000_000, [spiel("kuhn_poker", 20_000), spiel_python("kuhn_poker", 3_000)])
    compare("Leduc poker", "leduc", 2, 1_000_000, [spiel("leduc_poker", 20_000), spiel_python("leduc_poker", 1_000)])
    compare("Blackjack, plain", "blackjack", 1, 1_000_000, [spiel("blackjack", 20_000)])
    compare("No-limit hold'em, six players", "no-limit-holdem", 6, 200_000, [pokerkit_holdem, rlcard_holdem])
    compare("Two-Win, four players", "two-win", 4, 100_000, [])
    show_decisions()


def compare(title: str, name: str, players: int, games: int, peers: Peers) -> None:
    """Ours in both engines, then the others."""
    rules = trionfi.load(name)
    many, few = int(games * SCALE), max(20, int(games * SCALE / 5000))
    ours = Row("trionfi, native", many, lambda: simulate(rules, players, many))
    check_means(name, ours.result)
    rows = [ours, Row("trionfi, reference engine", few, lambda: simulate(rules, players, few, "reference"))]
    rows += [row for make in peers if (row := make()) is not None]
    show(title, "games", rows)


def simulate(rules: Any, players: int, games: int, engine: str = "native") -> Any:
    return rules.simulate(games=games, players=players, bots="random", seed=1, workers=1, engine=engine).to_dict()


# The first seat's mean score under uniform random play, and decisions a game, as the peers have them.
MEANS = {
    "kuhn": ("mean", 0.125, 0.01),
    "blackjack": ("mean", -0.393, 0.01),
    "no-limit-holdem": ("decisions", 13.05, 0.1),
}


def check_means(name: str, report: dict[str, Any]) -> None:
    if name not in MEANS:
        return
    what, expected, within = MEANS[name]
    found = report["decisions"]["mean"] if what == "decisions" else report["seats"][0]["mean"]
    print(f"{name}: {what} {found:.4f}, expected about {expected}")
    assert abs(found - expected) < within, "not the game that the others play"


# ---- decisions one by one


def show_decisions() -> None:
    rules = trionfi.load("kuhn")
    count = int(20_000 * SCALE)
    decisions, _ = drive(rules, count)
    rows = [Row("trionfi, native, from Python", decisions, lambda: drive(rules, count))]
    peer = spiel_python("kuhn_poker", count, decisions=True)()
    rows += [peer] if peer else []
    show("Kuhn poker, one decision at a time, games begun and scores read", "decisions", rows)
    game = rules.start(players=2, seed=1)
    copies = int(20_000 * SCALE)
    clones = Row("trionfi, clone", copies, lambda: [game.clone() for _ in range(copies)])
    show("Copies of a game under way", "clones", [clones])


def drive(rules: Any, games: int) -> tuple[int, float]:
    """Plays games choice by choice from Python; the number of decisions, and the first seat's sum."""
    chance, decisions, total = random.Random(1), 0, 0.0
    draw = chance.random
    for number in range(games):
        game = rules.start(players=2, seed=1, game=number)
        while not game.over:
            options = game.decision.options
            game.apply(int(draw() * len(options)))
            decisions += 1
        total += game.scores[0]
    return decisions, total


# ---- OpenSpiel


def spiel(name: str, games: int) -> Callable[[], Row | None]:
    """Its loop and its uniform bots in C++."""

    def make() -> Row | None:
        try:
            import pyspiel
        except ImportError:
            return None
        game, some = pyspiel.load_game(name), int(games * SCALE)
        bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]

        def run() -> None:
            for number in range(some):
                pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

        return Row("OpenSpiel, C++ loop and bots", some, run)

    return make


def spiel_python(name: str, games: int, decisions: bool = False) -> Callable[[], Row | None]:
    """Its Python interface, a call a step."""

    def make() -> Row | None:
        try:
            import pyspiel
        except ImportError:
            return None
        game, some = pyspiel.load_game(name), int(games * SCALE)
        first = spiel_games(game, some)
        return Row("OpenSpiel, from Python", first if decisions else some, lambda: spiel_games(game, some))

    return make


def spiel_games(game: Any, games: int) -> int:
    """Random games; the number of players' decisions."""
    chance, decisions = random.Random(1), 0
    draw = chance.random
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(legal[int(draw() * len(legal))])
        state.returns()
    return decisions


# ---- libraries of hold'em


def pokerkit_holdem() -> Row | None:
    try:
        from pokerkit import Automation, NoLimitTexasHoldem
    except ImportError:
        return None
    automations = tuple(Automation)
    chance, some = random.Random(1), max(1, int(20 * SCALE))

    def run() -> None:
        for _ in range(some):
            state = NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 200, 6)
            while state.status:
                act_at_random(state, chance)

    return Row("PokerKit", some, run)


def act_at_random(state: Any, chance: random.Random) -> None:
    moves = [state.check_or_call]
    if state.can_fold():
        moves.append(state.fold)
    if state.can_complete_bet_or_raise_to():
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        moves.append(lambda: state.complete_bet_or_raise_to(chance.randint(low, high)))
    chance.choice(moves)()


def rlcard_holdem() -> Row | None:
    try:
        import rlcard
        from rlcard.agents import RandomAgent
    except ImportError:
        return None
    environment = rlcard.make("no-limit-holdem", config={"game_num_players": 6, "seed": 1})
    environment.set_agents([RandomAgent(num_actions=environment.num_actions) for _ in range(6)])
    some = max(1, int(20 * SCALE))

    def run() -> None:
        for _ in range(some):
            environment.run(is_training=False)

    return Row("RLCard (five sizes of bets)", some, run)


if __name__ == "__main__":
    main()
