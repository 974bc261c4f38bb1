"""The record of a stacked game as it begins: its cards, its variables, and behind it the stack (stacked.py)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from trionfi.interpreter.native.record import Record
from trionfi.interpreter.native.stacked import LISTS, NUMBERS, ORDERS, StackPlan
from trionfi.interpreter.stacked import Stack
from trionfi.interpreter.stacking import arrange_start

if TYPE_CHECKING:
    from trionfi.interpreter.native.table import NativeTable
    from trionfi.interpreter.stacked import Deal, FaceAndSide

__all__ = ["stacked_record"]


def stacked_record(native: NativeTable, deal: Deal) -> bytearray:
    """The record of a stacked game before its first statement."""
    content = bytearray(native.start_record)
    record, variables = Record(native.layout, native.table, content), native.rules.ruleset.variables
    if deal.cards:
        state = record.state()
        arrange_start(state, Stack(deal))
        record.write_cards(state)
    for (variable, owner), value in deal.set.items():
        record.write_variable(variables[variable], owner, value)
    record.set("stack", len(content))
    content += stack_of(StackPlan(native.layout), record, deal)
    return content


def stack_of(plan: StackPlan, record: Record, deal: Deal) -> bytes:
    words = [0] * plan.queues
    for variable, owner in deal.set:
        words[plan.unmet + plan.slot_of(variable) + owner] = 1
    for zones, cards in deal.cards:
        for zone in zones:
            words[LISTS + record.zones[zone]] = len(words)
        for face, _ in cards:
            words[plan.named + face] += 1
        add_queue(words, len(words), codes(cards), header=True)
    add_queue(words, NUMBERS, [bounded(one) for one in deal.chance if isinstance(one, int)])
    orders = ([len(one), *codes(one)] for one in deal.chance if not isinstance(one, int))
    add_queue(words, ORDERS, list(chain.from_iterable(orders)))
    written = bytearray(struct.pack(f"<{len(words)}q", *words))
    start = 8 * plan.image
    written[start : start + plan.image_size] = record.bytes[plan.first_byte : plan.first_byte + plan.image_size]
    return bytes(written)


def add_queue(words: list[int], at: int, things: Sequence[int], header: bool = False) -> None:
    if header:
        words += [0, 0]
    words[at : at + 2] = [len(words), len(words) + len(things)]
    words += things


def codes(cards: Sequence[FaceAndSide]) -> list[int]:
    return [2 * face + is_reversed for face, is_reversed in cards]


def bounded(outcome: int) -> int:
    """An outcome that no draw has stays one."""
    return max(-1, min(outcome, 1 << 62))
