"""Faults planted on purpose: a fuzzer that does not find them is blind. Each is met where a ruleset has measures."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.interpreter.native.emission.function import Emitter
from trionfi.interpreter.native.emission.moving import count_measure
from trionfi.interpreter.native.emission.operations import OPERATIONS
from trionfi.shell.prose import rulebook

Evil = Callable[[int], object]


def in_the_rulebook(evil: Evil) -> None:
    """Does evil where the rulebook is told; it is given the number of measures."""
    tell = rulebook.players_text

    def players_text(ruleset: Any) -> str:
        if ruleset.measures:
            evil(len(ruleset.measures))
        return tell(ruleset)

    rulebook.players_text = players_text


def raise_foreign(_measures: int) -> object:
    return ctypes.c_char_p(b"").value[3]  # type: ignore[index]


def go_on_for_ever(_measures: int) -> object:
    while True:
        pass


def go_on_for_ever_natively(_measures: int) -> object:
    """As machine code would: no signal of Python's is heard meanwhile."""
    return max(iter(int, 1))


def write_where_nothing_is(_measures: int) -> object:
    return ctypes.memset(8, 1, 8)


def fill_memory(measures: int) -> object:
    return bytearray(measures << 34)


def miscount() -> None:
    """The native engine counts what is measured twice."""

    def count_twice(e: Emitter, node: Let) -> None:
        for _ in range(2):
            count_measure(e, node)

    OPERATIONS[Op.SEE] = count_twice


PLANTS: dict[str, Callable[[], None]] = {
    "exception": partial(in_the_rulebook, raise_foreign),
    "hang": partial(in_the_rulebook, go_on_for_ever),
    "hang in C": partial(in_the_rulebook, go_on_for_ever_natively),
    "crash": partial(in_the_rulebook, write_where_nothing_is),
    "memory": partial(in_the_rulebook, fill_memory),
    "difference": miscount,
}
