"""What each operation of the core is in LLVM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.core.ir import Let
from trionfi.core.ops import Op
from trionfi.interpreter.native.emission.emitter import Emitter

__all__ = ["OPERATIONS", "emits"]

Emit = Callable[["Emitter", Let], Any]
OPERATIONS: dict[Op, Emit] = {}


def emits(*ops: Op) -> Callable[[Emit], Emit]:
    """Registers how operations are emitted: gives the value, or None where there is none."""

    def register(emit: Emit) -> Emit:
        for op in ops:
            OPERATIONS[op] = emit
        return emit

    return register
