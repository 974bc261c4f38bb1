"""Hands, totals and melds that may have to be tried count as steps: every engine counts alike, and stops at the same statement."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from trionfi.interpreter.core_engine.program import core_game
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.reference.game import ReferenceGame
from trionfi.interpreter.rules import Rules, load

from ..core.alike import core_program
from .nasty import game

Start = Callable[[Rules], object]
COUNTING = ["reference.compiler", "core_engine.meanings", "native.trials", "native.emission.numbers"]
RANKINGS = """
  r: {of: 5 cards, alike: [rank], categories: {X: "2 alike", Z: anything}, order: [category, groups by card.rank]}
  s(cards own): {categories: {A: r(own) is none, B: else}, order: [category]}"""
SECTIONS = {
    "rankings": RANKINGS,
    "table": "{stock: {start: deck, face: down}, hand: {per: player, face: up}, board: {row: 3, face: up}, field: {plays: 3, face: up}}",
    "define": "\n  f(cards a, card b): r(a + b)",
    "variables": "{x: 0, y: 0}",
    "totals": "\n  t: {'values(card)': '1 or 11 if card.rank is ace, else 5', at most: 21}",
    "melds": "\n  m: {kinds: {pair: '2..3 alike'}, alike: [rank]}",
    "measures": "\n  when looking:\n    m(player): r(player.hand) is not none",
}
# A body of a loop, and what a pass counts for beside the loop itself: a statement, and a fifth of the hands. p1 holds
# seven cards, p2 one. Of seven cards, of which four may be aces, there are up to 1, 2, 4, 8 and then 16 sums; 21 pairs and
# 35 threes; and 1,754 steps of parting them, of which ten are as much as a way to make a meld. What a play may be aimed at
# is seen when it is to be chosen, and again when it has been, of each of 52 cards.
BODIES = {
    "a zone": ("if r(p1.hand) is none: x = 1", 21 // 5),
    "any zone of a family": ("if r(p2.hand) is none: x = 1", 21 // 5),
    "a zone and a row": ("if r(p1.hand, board) is none: x = 1", 252 // 5),
    "cards with a name": ("let own = top 6 cards in p1.hand\nif r(own) is none: x = 1", 1 + 6 // 5),
    "each player": ("x = count of players where r(player.hand) is none", 2 * 21 // 5),
    "a define": ("if f(p1.hand, stock.top) is none: x = 1", 56 // 5),
    "a condition": ("repeat until y > 0 and r(p1.hand) is not none: y = 1", 2 + 21 // 5),
    "an event": ("trigger looking", 2 * 21 // 5),
    "a total": ("if t(p1.hand).bust: x = 1", 18_018 // 1000),
    "a meld": ("if p1.hand is m: x = 1", 57 // 10),
    "melds": ("if arranged(p1.hand, m).cost > 9: x = 1", 232 // 10),
    "targets": ('if playable(p1, "2 of clubs"): x = 1', 2 * 52 * 21 // 5),
    "by conditions": ('if s(p1.hand).category is "A": x = 1', 21 // 5),
}
EFFECTS = "{2 of clubs: {targets: '0..1 cards from p1.hand where r(p2.hand) is none'}}"


def of(names: list[str], turns: int, limit: int = 0) -> str:
    """The name keeps native code of one limit apart from that of another."""
    body = "\n".join(BODIES[name][0] for name in names)
    indented = "".join(f"  {line}\n" for line in body.splitlines())
    sections = {**SECTIONS, "effects": EFFECTS} if "targets" in names else SECTIONS
    return game(f"deal 6 from stock to p1.hand\nrepeat {turns} times:\n{indented}", name=f"Of {limit}", **sections)


def steps_of(names: list[str]) -> int:
    return 1 + sum(1 + BODIES[name][1] for name in names)


def reference(rules: Rules) -> ReferenceGame:
    game = rules.start(seed=1, engine="reference")
    assert isinstance(game, ReferenceGame)
    return game


def core(rules: Rules) -> object:
    return core_game(rules, core_program(rules, 2), 1)


def native(rules: Rules) -> object:
    return rules.start(seed=1, engine="native")


@pytest.fixture(autouse=True)
def small_limit(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    def limit(steps: int) -> None:
        for module in COUNTING:
            monkeypatch.setattr(f"trionfi.interpreter.{module}.MOST_STATEMENTS", steps)
        monkeypatch.setattr("trionfi.dsl.limits.MOST_STATEMENTS", steps)

    monkeypatch.setattr("trionfi.dsl.analysis.tried.SUMS_OF_A_STEP", 1000)
    return limit


@pytest.mark.parametrize("start", [reference, core])
@pytest.mark.parametrize("name", BODIES)
def test_hands_that_are_tried_count(name: str, start: Start, small_limit: Callable[[int], None]) -> None:
    small_limit(10 * steps_of([name]) - 1)
    assert stop_of(of([name], 9), start) is None
    stopped = stop_of(of([name], 10), start)
    assert stopped is not None
    assert stopped.code == "game-without-end"
    assert stopped.span.text.split("(")[0] in BODIES[name][0] + "r(player.hand)r(own)r(a + b)t(p1.hand)", (
        "it points at the hand"
    )
    assert stopped.span.text not in BODIES[name][0].splitlines(), "and not at the loop"


def test_native_code_counts_them_alike(small_limit: Callable[[int], None]) -> None:
    names = list(BODIES)
    limit = reference(load("tried.yaml", text=of(names, 9))).table_state.steps + 60  # in the midst of a pass
    small_limit(limit)
    assert stop_of(of(names, 9, limit), native) is None
    stopped, expected = (stop_of(of(names, 10, limit), start) for start in (native, reference))
    assert expected is not None
    assert stopped is not None
    assert str(stopped) == str(expected)


def test_what_is_read_at_the_end_counts_too(small_limit: Callable[[int], None]) -> None:
    end = {"result": "{score(player): 1 if r(player.hand) is none else 0}", "rankings": RANKINGS}
    for steps, code in ((2 * 21 // 5, None), (2 * 21 // 5 - 1, "game-without-end")):
        small_limit(steps)
        for start in (reference, core, native):
            stopped = stop_of(game("deal 6 from stock to p1.hand", **end, name=f"Of {steps}"), start)
            assert (stopped.code if stopped else None) == code, start


def test_what_a_play_is_aimed_at_counts_when_it_is_played(small_limit: Callable[[int], None]) -> None:
    sections = {**SECTIONS, "effects": EFFECTS}
    for steps, code in ((2 * 52 * 21 // 5, None), (2 * 52 * 21 // 5 - 1, "game-without-end")):
        small_limit(steps)
        for start in (reference, core, native):
            stopped = stop_of(
                game(
                    "deal 6 from stock to p1.hand\nmove 2 of clubs to p2.hand\np2 plays 2 of clubs",
                    **{**sections, "name": f"Of {steps}"},
                ),
                start,
            )
            assert (stopped.code if stopped else None) == code, start


LOW = "\n  r: {of: 3 cards, alike: [rank], best: low, wild: card.rank is 2, categories: {X: anything}, order: [groups by card.rank]}"


def test_readings_of_wild_cards_count_as_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three wild cards of thirteen ranks are read together in 455 ways; of four cards three are chosen in 4 ways, of five
    in 10."""
    for module in ("hands.rankings", "native.trials"):
        monkeypatch.setattr(f"trionfi.interpreter.{module}.MOST_HANDS", 4000)
    for cards, code in ((1, None), (2, "too-many-hands")):
        twos = "".join(f"  move 2 of {suit} to p1.hand\n" for suit in ("hearts", "clubs", "spades"))
        kings = "".join(f"  move King of {suit} to p1.hand\n" for suit in ("hearts", "clubs")[:cards])
        play = f'|\n{twos}{kings}  if r(p1.hand) is none: say "none"\n'
        for start in (reference, native):
            stopped = stop_of(game(play=play, rankings=LOW), start)
            assert (stopped.code if stopped else None) == code
            assert stopped is None or "with 3 cards that may be any of 13, hands of `r` have 4,550" in stopped.message


def stop_of(text: str, start: Start) -> GameError | None:
    try:
        start(load("tried.yaml", text=text))
    except GameError as error:
        return error
    return None
