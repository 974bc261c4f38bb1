"""The kernels draw what interpreter/chance.py draws."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trionfi.interpreter.chance import Stream, first_state, mix
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import I64, POINTER, VOID, function
from trionfi.interpreter.native.engine import callable_at, emit, link
from trionfi.interpreter.native.layout import Layout
from trionfi.interpreter.native.module import Build
from trionfi.interpreter.rules import load


@pytest.fixture(scope="module")
def kernel() -> Any:
    """The kernels over the record of Two-Win, callable: `kernel.draw(record)`."""
    rules = load("two-win").ruleset
    build = Build(rules, {}, Layout(rules, {deck.name: 1 for deck in rules.decks}), watched=False)
    with function(build.module, "numbers", VOID, [POINTER, I64, POINTER, I64], internal=False) as code:
        stream, below, out, count = code.arguments
        with code.count(count) as index:
            code.store(I64, code.call(kernels.below(build), [stream, below]), out, index)
    for made in (kernels.open_streams(build), kernels.shuffle(build), kernels.rotate(build)):
        made.linkage = ""
    address, keep = link(emit(str(build.module), level=2))
    return Kernels(build.layout, address, keep)


class Kernels:
    def __init__(self, layout: Layout, address: Any, keep: Any) -> None:
        self.layout, self.address, self.keep = layout, address, keep

    def record(self, seed: int = 0, game: int = 0) -> Any:
        content = (ctypes.c_char * self.layout.setting_end)()
        opened = callable_at(self.address("open_streams"), self, None, ctypes.c_void_p, *[ctypes.c_uint64] * 3)
        opened(content, mix(seed), game, self.layout.seats)
        return content

    def stream(self, record: Any, number: int = 0) -> int:
        return int.from_bytes(record[self.layout["streams"].offset + 8 * number :][:8], "little")

    def numbers(self, state: int, below: int, count: int) -> list[int]:
        stream, out = ctypes.c_uint64(state), (ctypes.c_int64 * count)()
        kinds = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64]
        callable_at(self.address("numbers"), self, None, *kinds)(ctypes.byref(stream), below, out, count)
        return list(out)


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**40))
@settings(max_examples=30, deadline=None)
def test_streams_start_alike(kernel: Kernels, seed: int, game: int) -> None:
    record = kernel.record(seed, game)
    assert [kernel.stream(record, n) for n in range(3)] == [first_state(seed, game, n) for n in range(3)]


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31 + 5))
@settings(max_examples=50, deadline=None)
def test_numbers_below(kernel: Kernels, state: int, below: int) -> None:
    stream = Stream(0, 0)
    stream.state = state
    assert kernel.numbers(state, below, 40) == [stream.below(below) for _ in range(40)]


def test_numbers_draw_again_in_the_uneven_part(kernel: Kernels) -> None:
    # a third of all draws is thrown away
    below, stream = 3 * 2**30, Stream(7, 7)
    assert kernel.numbers(stream.state, below, 1000) == [stream.below(below) for _ in range(1000)]


@given(st.integers(0, 2**63 - 1), st.integers(0, 78))
@settings(max_examples=30, deadline=None)
def test_shuffle(kernel: Kernels, seed: int, count: int) -> None:
    record = kernel.record(seed)
    cards = (ctypes.c_ubyte * 78)(*range(78))
    kinds = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64]
    callable_at(kernel.address("shuffle"), kernel, None, *kinds)(record, 0, cards, count)
    expected, stream = list(range(count)), Stream(seed, 0)
    stream.shuffle(expected)
    assert list(cards) == [*expected, *range(count, 78)]
    assert kernel.stream(record) == stream.state


@pytest.mark.parametrize("every", [False, True])
@given(seed=st.integers(0, 2**63 - 1), count=st.integers(0, 78))
@settings(max_examples=30, deadline=None)
def test_rotate(kernel: Kernels, every: bool, seed: int, count: int) -> None:
    record = kernel.record(seed)
    cards = (ctypes.c_ubyte * 78)(*range(78))
    kinds = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_bool]
    callable_at(kernel.address("rotate"), kernel, None, *kinds)(record, cards, count, every)
    stream = Stream(seed, 0)
    expected = stream.chosen_by_coin(count) if every else stream.chosen_half(count)
    turned = record[kernel.layout["reversed"].offset :][:78]
    assert [bool(side) for side in turned] == [*expected, *[False] * (78 - count)]
