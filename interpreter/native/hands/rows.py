"""`rank_many`: arrays of cards in, strengths out; no Python for each hand."""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from llvmlite import ir

from trionfi.interpreter.hands.reading import HandError
from trionfi.interpreter.native.hands.evaluator import Evaluator
from trionfi.interpreter.native.hands.many import LANES, emit_rows
from trionfi.interpreter.once import made_once

LEVEL = 3  # of `emit`: what is compiled here runs for millions of rows
_KINDS = {"B": 8, "H": 16}  # formats of codes that are read in place


@dataclass(frozen=True)
class Rows:
    """Rows of codes in memory: `width` codes of `bits` bits in each of `count` rows. `keeper` holds the memory."""

    address: int
    count: int
    width: int
    bits: int
    keeper: Any


class RankMany:
    """The strengths of many hands under one ranking. Compiles once for each shape of its arguments."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._compiled: dict[Any, Any] = {}

    def __call__(self, given: Sequence[Any]) -> Any:
        """One int64 a row: greater is better, equal for ties, -1 for no hand; a numpy array if numpy is there.

        `given` holds for each part its rows (a two-dimensional array, or lists of codes), or (rows, how many of
        them are used). C-contiguous uint8 and uint16 are read in place, all else is converted.
        Raises HandError for what are no rows of cards.
        """
        parts = [part if _is_pair(part) else (part, None) for part in given]
        rows = [rows_of(cards) for cards, _ in parts]
        counts = {one.count for one in rows}
        if len(counts) != 1:
            raise HandError("all parts must have as many rows")
        (count,) = counts
        strengths, address = _strengths(max(count, LANES))
        if count:
            padded = [_padded(one) for one in rows]
            run = self._function([(one.width, exactly) for one, (_, exactly) in zip(rows, parts, strict=True)], padded)
            if run(*(one.address for one in padded), padded[0].count, address) < 0:
                raise HandError(_what_is_wrong(self.evaluator, rows))
        return strengths[:count]

    def _function(self, parts: list[tuple[int, int | None]], rows: Sequence[Rows]) -> Any:
        key = tuple(parts), tuple(one.bits for one in rows)
        return made_once(self._compiled, key, lambda: self._compile(parts, [ir.IntType(one.bits) for one in rows]))

    def _compile(self, parts: list[tuple[int, int | None]], kinds: Sequence[ir.IntType]) -> Any:
        module = ir.Module("rank_many")
        emit_rows(module, "rank_many", self.evaluator, parts, kinds)
        return compiled(module, "rank_many", len(parts))


def compiled(module: ir.Module, name: str, pointers: int) -> Any:
    """The function of that name, from the cache on disk if the same module was compiled before."""
    from trionfi.interpreter.native.engine import callable_at, emit, link
    from trionfi.interpreter.native.kept import load_object, maker, save_object

    text = str(module)
    key = sha256(f"{maker()}\0{LEVEL}\0{text}".encode()).hexdigest()
    found = load_object(key)
    if found is None:
        found = {}, emit(text, LEVEL)
        save_object(key, *found)
    address, keep = link(found[1])
    kinds = [ctypes.c_void_p] * pointers
    return callable_at(address(name), keep, ctypes.c_int64, *kinds, ctypes.c_int64, ctypes.c_void_p)


def rows_of(given: Any) -> Rows:
    """Rows of codes as they lie in memory, or a copy of them that does."""
    given = _in_order(given)
    view = _view(given)
    if view is not None and view.ndim == 2 and view.shape and view.c_contiguous and view.format in _KINDS:
        address = _address(given, view)
        if address is not None:
            return Rows(address, view.shape[0], view.shape[1], _KINDS[view.format], given)
    lists = [list(row) for row in (given.tolist() if hasattr(given, "tolist") else given)]
    return _copied(lists)


def _in_order(given: Any) -> Any:
    """An array of numpy that cannot be read in place, copied to one that can; anything else as it is."""
    if not hasattr(given, "__array_interface__") or getattr(given, "ndim", 0) != 2 or given.dtype.kind not in "iu":
        return given
    import numpy

    if given.dtype.newbyteorder("=") in (numpy.uint8, numpy.uint16):
        return numpy.ascontiguousarray(given, dtype=given.dtype.newbyteorder("="))
    if given.size and not 0 <= given.min() <= given.max() < 1 << 16:
        wrong = given[(given < 0) | (given >= 1 << 16)][0]
        raise HandError(f"{wrong} is not the number of a card")
    return numpy.ascontiguousarray(given, dtype=numpy.uint16)


def _copied(lists: list[list[Any]]) -> Rows:
    width = len(lists[0]) if lists else 0
    if any(len(row) != width for row in lists):
        raise HandError("all rows of a part must have as many cards")
    flat = [card for row in lists for card in row]
    for card in flat:
        if not hasattr(card, "__index__") or not 0 <= card < 1 << 16:
            raise HandError(f"{card!r} is not the number of a card")
    held = array("H", flat)
    return Rows(held.buffer_info()[0], len(lists), width, 16, held)


def _view(given: Any) -> memoryview | None:
    try:
        return memoryview(given)
    except TypeError:
        return None


def _address(given: Any, view: memoryview) -> int | None:
    """Where the rows lie; None if that cannot be found out without copying."""
    interface = getattr(given, "__array_interface__", None)
    if interface is not None:
        return int(interface["data"][0])
    if view.readonly or not view.nbytes:
        return None
    return ctypes.addressof(ctypes.c_char.from_buffer(view))


def _padded(rows: Rows) -> Rows:
    """At least as many rows as there are lanes: few rows are copied, the first again and again."""
    if rows.count >= LANES:
        return rows
    size = rows.width * rows.bits // 8
    data = ctypes.string_at(rows.address, rows.count * size) + ctypes.string_at(rows.address, size) * (
        LANES - rows.count
    )
    held = ctypes.create_string_buffer(data, len(data) + 1)
    return Rows(ctypes.addressof(held), LANES, rows.width, rows.bits, held)


def _strengths(count: int) -> tuple[Any, int]:
    try:
        import numpy
    except ImportError:
        held = array("q", bytes(8 * count))
        return held, held.buffer_info()[0]
    made = numpy.empty(count, dtype=numpy.int64)
    return made, made.ctypes.data


def _what_is_wrong(evaluator: Evaluator, parts: Sequence[Rows]) -> str:
    """The first row that is no hand, for a message."""
    plan = evaluator.plan
    for number in range(parts[0].count):
        codes = [code for rows in parts for code in _row(rows, number)]
        for code in codes:
            if code >= len(plan.codes) or not plan.codes[code]:
                return f"row {number} holds {code}, which is no card of the game"
        (face, times), *_ = Counter(plan.face(code) for code in codes).most_common(1)
        if times > 1 and plan.distinct:
            name = plan.table.host.ruleset.faces[face].name
            return f"row {number} holds {name} {times} times, the game has it once"
    return "a row is no hand"


def _row(rows: Rows, number: int) -> Sequence[int]:
    kind = (ctypes.c_uint8 if rows.bits == 8 else ctypes.c_uint16) * rows.width
    return list(kind.from_address(rows.address + number * rows.width * rows.bits // 8))


def _is_pair(part: object) -> bool:
    """`(rows, number)`."""
    return isinstance(part, tuple) and len(part) == 2 and isinstance(part[1], int)
