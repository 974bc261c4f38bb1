"""The generator: known answers, and that draws are fair."""

from __future__ import annotations

from collections import Counter

import pytest

from trionfi.interpreter.chance import Stream, first_state, mix

# SplitMix64 from seed 0, as its authors publish it.
PUBLISHED = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]


# From a program of a few lines in another language.
KNOWN_DICE = [5, 2, 5, 3, 3, 5, 1, 2, 4, 5, 0, 1]
KNOWN_ORDER = [5, 2, 1, 0, 7, 9, 4, 6, 3, 8]
KNOWN_HALF = [0, 6, 8, 9, 10]
KNOWN_COINS = [0, 1, 1, 1, 1, 1, 1, 1]


def stream_at(state: int) -> Stream:
    stream = Stream(0, 0)
    stream.state = state
    return stream


def test_draws_are_the_published_ones() -> None:
    stream = stream_at(0)
    assert [stream.draw() for _ in PUBLISHED] == PUBLISHED


def test_mix_is_one_draw() -> None:
    assert mix(0) == PUBLISHED[0]
    assert mix(2**64 - 1) == stream_at(2**64 - 1).draw()


def test_a_stream_starts_where_the_page_says() -> None:
    assert first_state(0, 0, 0) == mix(mix(mix(0)))
    assert first_state(7, 3, 2) == mix((mix((mix(7) + 3) % 2**64) + 2) % 2**64)
    assert Stream(7, 3, 2).state == first_state(7, 3, 2)


def test_known_answers() -> None:
    stream = Stream(1, 0)
    assert [stream.below(6) for _ in range(12)] == KNOWN_DICE
    cards = list(range(10))
    Stream(1, 0).shuffle(cards)
    assert cards == KNOWN_ORDER
    assert [i for i, turned in enumerate(Stream(2, 5).chosen_half(11)) if turned] == KNOWN_HALF
    assert [int(t) for t in Stream(2, 5).chosen_by_coin(8)] == KNOWN_COINS


def by_the_page(stream: Stream, n: int) -> int:
    """`below` once more, word for word."""
    while True:
        m = (stream.draw() >> 32) * n
        if m % 2**32 >= (2**32 - n) % n:
            return m >> 32


@pytest.mark.parametrize("n", [1, 2, 3, 77, 2**31 + 1, 2**32 - 1, 2**32])
def test_below_is_the_pages(n: int) -> None:
    one, two = Stream(5, n), Stream(5, n)
    assert [one.below(n) for _ in range(50)] == [by_the_page(two, n) for _ in range(50)]
    assert one.state == two.state


def test_below_is_fair() -> None:
    stream = Stream(3, 0)
    seen = Counter(stream.below(7) for _ in range(70_000))
    assert sum((seen[k] - 10_000) ** 2 / 10_000 for k in range(7)) < 22.5  # chi square, 6 degrees, 0.1 per cent


def test_half_is_half() -> None:
    for count in range(9):
        assert sum(Stream(4, count).chosen_half(count)) == count // 2


def test_few_cards_draw_nothing() -> None:
    stream = Stream(1, 1)
    before = stream.state
    stream.shuffle([])
    stream.shuffle(["one"])
    assert stream.state == before
    stream.below(1)
    assert stream.state != before
