"""Many hands at once: rows of codes in, strengths out, eight hands side by side."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from trionfi.interpreter.native.builder import I8, I16, I64, POINTER, Code, Value, function, number, table
from trionfi.interpreter.native.hands.evaluator import Direct, Evaluator, Part
from trionfi.interpreter.native.hands.words import Lanes

LANES = 8
BAD = 1 << 63


def emit_direct_rows(module: ir.Module, name: str, direct: Direct, width: int, kind: ir.IntType) -> ir.Function:
    """i64 name(ptr rows, i64 count, ptr strengths): rows of `width` codes; count is a multiple of 8, or at least 8: the last
    eight rows are then read once more. Gives a number below 0 if a code is none of the game's."""
    tables = code_tables(module, f"{name}_card", direct, kind)
    with function(module, name, I64, [POINTER, I64, POINTER], internal=False) as code:
        rows, count, strengths = code.arguments
        lanes = Lanes(code.builder, LANES)
        words = code.room(I64, LANES * len(tables))
        bad = code.room(lanes.type)
        code.builder.store(lanes.zero.value, bad, align=8)
        blocks = code.builder.sdiv(code.add(count, LANES - 1), number(LANES))
        with code.count(blocks) as block:
            first = code.smaller(code.multiply(block, LANES), code.subtract(count, LANES))
            start = code.at(rows, code.multiply(first, width), kind.width // 8)
            for lane in range(LANES):
                for place, found in enumerate(gather(code, tables, start, lane * width, width, kind)):
                    code.store(I64, found, words, place * LANES + lane)
            held = [lanes.load(code.at(words, place * LANES, 8)) for place in range(len(tables))]
            code.builder.store((lanes.load(bad) | held[0]).value, bad, align=8)
            lanes.store(direct.rate(lanes, held, width), code.at(strengths, first, 8))
        code.give(lanes.reduce("llvm.vector.reduce.smin", lanes.load(bad)))
    return code.function


def gather(code: Code, tables: list[Value], start: Value, offset: int, width: int, kind: ir.IntType) -> list[Value]:
    """The words of one hand."""
    found: list[Value] = []
    for place in range(width):
        card = code.load(kind, start, offset + place, signed=False)
        if kind.width > 8:
            card = code.builder.select(code.builder.icmp_unsigned("<", card, number(1024)), card, number(1024))
        words = [code.load(I64, one, card) for one in tables]
        found = words if not found else [code.builder.or_(a, b) for a, b in zip(found, words, strict=True)]
    return found


def code_tables(module: ir.Module, name: str, direct: Direct, kind: ir.IntType) -> list[Value]:
    """A table for each word, by code; what is no code has the highest bit."""
    size = 256 if kind.width == 8 else 1025
    columns = [[0] * size for _ in range(direct.cells.words)]
    columns[0] = [-BAD] * size
    for card in direct.cells.row_of:
        for column, word in zip(columns, direct.cells.contribution(card), strict=True):
            column[card] = word
    return [table(module, f"{name}_{place}", I64, column) for place, column in enumerate(columns)]


def emit_rows(
    module: ir.Module, name: str, evaluator: Evaluator, parts: Sequence[tuple[int, int | None]], kinds: Sequence[ir.IntType]
) -> ir.Function:
    """i64 name(ptr rows, ..., i64 count, ptr strengths): one pointer to rows a part; `parts` are (codes a row, exactly)."""
    best = evaluator.emit(module, [Part(width, exactly) for width, exactly in parts])
    with function(module, name, I64, [*(POINTER for _ in parts), I64, POINTER], internal=False) as code:
        *rows, count, strengths = code.arguments
        spaces = [code.room(I16, max(1, width)) for width, _ in parts]
        known = known_codes(module, f"{name}_known", evaluator)
        codes = len(evaluator.plan.codes)
        with code.count(count) as row:
            for (width, _), pointer, space, kind in zip(parts, rows, spaces, kinds, strict=True):
                start = code.multiply(row, width)
                for place in range(width):
                    card = code.load(kind, pointer, code.add(start, place), signed=False)
                    card = code.builder.select(code.builder.icmp_unsigned("<", card, number(codes)), card, number(codes))
                    with code.when(code.compare("==", code.load(I8, known, card), 0), likely=False):
                        code.give(-1)
                    code.store(I16, card, space, place)
            given = [value for (width, _), space in zip(parts, spaces, strict=True) for value in (space, number(width))]
            code.store(I64, code.call(best, given), strengths, row)
        code.give(0)
    return code.function


def known_codes(module: ir.Module, name: str, evaluator: Evaluator) -> Value:
    """1 for each code of a card of the game, 0 for others and the one behind them."""
    return table(module, name, I8, [*(int(bool(row)) for row in evaluator.plan.codes), 0])
