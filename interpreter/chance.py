"""The generator behind every random draw: SplitMix64, cut into streams (docs/meaning.md, Chance).

Both engines draw the same numbers from the same seeds, on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trionfi.dsl.source import Span

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
HIGHEST_SEED = (1 << 63) - 1

GAME_STREAM = 0  # the game's own; a seat's bot draws from stream 1 + seat


def mix(x: int) -> int:
    """One draw of a generator whose state is x."""
    z = (x + GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def first_state(seed: int, game: int, stream: int) -> int:
    """The state in which a stream of a game starts."""
    return mix((mix((mix(seed) + game) & MASK) + stream) & MASK)


class Stream:
    """One stream of draws. `state` is all there is to it."""

    __slots__ = ("state",)

    def __init__(self, seed: int, game: int, stream: int = GAME_STREAM) -> None:
        self.state = first_state(seed, game, stream)

    def draw(self) -> int:
        """64 random bits."""
        value = mix(self.state)
        self.state = (self.state + GOLDEN) & MASK
        return value

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each exactly as likely (n from 1 to 2^32). `below(1)` draws, too."""
        product = (self.draw() >> 32) * n
        low = product & 0xFFFFFFFF
        if low < n:
            least = (0x100000000 - n) % n
            while low < least:
                product = (self.draw() >> 32) * n
                low = product & 0xFFFFFFFF
        return product >> 32

    def shuffle(self, things: list[Any]) -> None:
        """In place; fewer than two draw nothing."""
        for i in range(len(things) - 1, 0, -1):
            j = self.below(i + 1)
            things[i], things[j] = things[j], things[i]

    def chosen_half(self, count: int) -> list[bool]:
        """Which of `count` cards, from the bottom up, are the random half (rounded down) to turn."""
        chosen = []
        left = count // 2
        for to_see in range(count, 0, -1):
            turned = self.below(to_see) < left
            left -= turned
            chosen.append(turned)
        return chosen

    def chosen_by_coin(self, count: int) -> list[bool]:
        """Which of `count` cards, from the bottom up, a coin each turns."""
        return [self.below(2) == 1 for _ in range(count)]

    def listed(self) -> int | None:
        """The number that is to be drawn next from numbers. (A stacked game may say which.)"""
        return None

    def lot_of(self, count: int, _span: Span) -> int:
        """The draw of a `random`: one of `count`. (A stacked game may say which.)"""
        return self.below(count)
