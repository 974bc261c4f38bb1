"""Who may know which card, written from the rulings alone (A2, A12, A21, A23)."""

from __future__ import annotations

from typing import NamedTuple

from arcana_rulings import CARDS, MAIN

BOTH = 3


class Lying(NamedTuple):
    """Where cards lie, the top one last; which are face up; who knows each by the engine, a bit a player."""

    stock: list[int]
    arcana_stock: list[int]
    common: list[int]
    open: list[int]  # discards and played arcana
    hands: list[list[int]]
    arcana_hands: list[list[int]]
    up: list[bool]
    known: list[int]


class Knowledge:
    """What effects have shown each player, step by step."""

    def __init__(self, start: Lying) -> None:
        self.before = start
        self.shown: list[set[int]] = [set(), set()]

    def check(self, now: Lying, player: int | None, decision: str) -> None:
        """A step is over, and a player is asked (none: the game is over)."""
        self.forget(now)
        if player is not None and decision == "taken":  # The Empress
            self.shown[player].update(now.arcana_stock[-3:])
        elif player is not None and decision == "thrown":  # The Hierophant
            self.shown[player].update(now.arcana_hands[1 - player])
        self.before = now
        self.check_main(now, decision == "cut")
        for owner in (0, 1):
            other = 1 << (1 - owner)
            for card in now.arcana_hands[owner]:
                assert now.known[card] & 1 << owner
                assert not now.known[card] & other or card in self.shown[1 - owner], card
        for card in now.arcana_stock:
            assert all(not now.known[card] >> player & 1 or card in self.shown[player] for player in (0, 1)), card

    @staticmethod
    def check_main(now: Lying, round_is_over: bool) -> None:
        """Nobody knows a card of the deck, which is shuffled whenever cards go there, after a round when the next
        begins; what lies face up is known to both."""
        expected = [0] * CARDS
        for owner in (0, 1):
            for card in now.hands[owner]:
                expected[card] = BOTH if now.up[card] else 1 << owner
        for card in [*now.common, *now.open]:
            assert now.up[card], card
            expected[card] = BOTH
        elsewhere = {*now.arcana_stock, *now.arcana_hands[0], *now.arcana_hands[1]}
        assert not any(now.up[card] for card in [*elsewhere, *now.stock])
        elsewhere.update(now.stock if round_is_over else ())
        found = [0 if card in elsewhere else now.known[card] for card in range(CARDS)]
        assert found == expected
        assert all(card < MAIN or now.up[card] for hand in now.hands for card in hand)

    def forget(self, now: Lying) -> None:
        """The arcana deck was shuffled if it holds cards that it did not, or a discarded one is in a hand again."""
        before = self.before
        stock, held = set(before.arcana_stock), [set(hand) for hand in before.arcana_hands]
        came = [card for owner in (0, 1) for card in now.arcana_hands[owner] if card not in held[owner]]
        if stock.issuperset(now.arcana_stock) and stock.issuperset(came):
            return
        # a card that was drawn before the shuffle may still be known
        gone = {*now.arcana_stock, *(card for card in came if card not in stock)}
        self.shown = [shown - gone for shown in self.shown]
