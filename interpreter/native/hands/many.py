"""Many hands at once: rows of codes in, strengths out."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from trionfi.interpreter.native.builder import I16, I32, I64, POINTER, Code, Value, function, number, table
from trionfi.interpreter.native.hands.evaluator import Direct, Evaluator, Part
from trionfi.interpreter.native.hands.words import Lanes, Word

LANES = 8
BAD = 1 << 63


def emit_rows(
    module: ir.Module, name: str, evaluator: Evaluator, parts: Sequence[tuple[int, int | None]], kinds: Sequence[ir.IntType]
) -> ir.Function:
    """i64 name(ptr rows, ..., i64 count, ptr strengths): a pointer to rows for each part.

    `parts` are (codes in a row, how many of them are used or None), `kinds` the types of codes. It gives a number below 0 if a
    row holds a code that is no card, or a card twice of which there is one. `count` is at least 8: rows go eight by
    eight, and the last eight may be done twice.
    """
    width = sum(width for width, _ in parts)
    if evaluator.direct and all(exactly is None for _, exactly in parts) and width >= evaluator.plan.high:
        return _emit_direct(module, name, evaluator.direct, [width for width, _ in parts], kinds)
    return _emit_each(module, name, evaluator, parts, kinds)


# ---- eight rows side by side


def _emit_direct(
    module: ir.Module, name: str, direct: Direct, widths: Sequence[int], kinds: Sequence[ir.IntType]
) -> ir.Function:
    with function(module, name, I64, [*(POINTER for _ in widths), I64, POINTER], internal=False) as code:
        *rows, count, strengths = code.arguments
        lanes = Lanes(code.builder, LANES)
        tables = [_code_tables(module, direct, kind) for kind in kinds]
        words = code.room(I64, LANES * direct.cells.words)
        bad = code.room(lanes.type)
        lanes.store(lanes.zero, bad)
        with code.count(code.builder.sdiv(code.add(count, LANES - 1), number(LANES))) as block:
            first = code.smaller(code.multiply(block, LANES), code.subtract(count, LANES))
            starts = [
                code.at(pointer, code.multiply(first, width), kind.width // 8)
                for pointer, width, kind in zip(rows, widths, kinds, strict=True)
            ]
            for lane in range(LANES):
                _gather(code, direct, words, lane, list(zip(tables, starts, widths, kinds, strict=True)))
            held = [lanes.load(code.at(words, place * LANES, 8)) for place in range(direct.cells.words)]
            lanes.store(lanes.load(bad) | _wrong(held, sum(widths)), bad)
            lanes.store(direct.rate(lanes, held, sum(widths)), code.at(strengths, first, 8))
        code.give(lanes.reduce("llvm.vector.reduce.smin", lanes.load(bad)))
    return code.function


def _wrong(words: Sequence[Word], width: int) -> Word:
    """Has the highest bit where a code is no card, or where there are fewer cards than codes."""
    count = words[0].count()
    for word in words[1:]:
        count = count + word.count()
    return words[0] | (count - width)


def _gather(
    code: Code, direct: Direct, words: Value, lane: int, parts: Sequence[tuple[Sequence[Value], Value, int, ir.IntType]]
) -> None:
    """Puts the words of one hand's cards together, in its lane."""
    found: list[Value] = []
    for tables, start, width, kind in parts:
        for place in range(width):
            card = code.load(kind, start, lane * width + place, signed=False)
            if kind.width > 8:
                last = number(len(direct.plan.codes))
                card = code.builder.select(code.builder.icmp_unsigned("<", card, last), card, last)
            more = [code.load(I64, one, card) for one in tables]
            found = [code.builder.or_(a, b) for a, b in zip(found, more, strict=True)] if found else more
    for place, word in enumerate(found):
        code.store(I64, word, words, place * LANES + lane)


def _code_tables(module: ir.Module, direct: Direct, kind: ir.IntType) -> list[Value]:
    """A table for each word, by code; what is no card has the highest bit. The last entry is no card."""
    size = 256 if kind.width == 8 else len(direct.plan.codes) + 1
    columns = [[-BAD if place == 0 else 0] * size for place in range(direct.cells.words)]
    for card in direct.cells.row_of:
        for column, word in zip(columns, direct.cells.contribution(card), strict=True):
            if card < size:
                column[card] = word
    name = f"{direct.plan.name}_code_{kind.width}"
    return [table(module, f"{name}_{place}", I64, column) for place, column in enumerate(columns)]


# ---- row by row


def _emit_each(
    module: ir.Module, name: str, evaluator: Evaluator, parts: Sequence[tuple[int, int | None]], kinds: Sequence[ir.IntType]
) -> ir.Function:
    best = evaluator.emit(module, [Part(width, take=exactly) for width, exactly in parts])
    with function(module, name, I64, [*(POINTER for _ in parts), I64, POINTER], internal=False) as code:
        *rows, count, strengths = code.arguments
        spaces = [code.room(I16, max(2, width)) for width, _ in parts]
        with code.count(count) as row:
            faces: list[Value] = []
            for (width, _), pointer, space, kind in zip(parts, rows, spaces, kinds, strict=True):
                start = code.multiply(row, width)
                faces += [
                    _copy(code, evaluator, code.load(kind, pointer, code.add(start, place), signed=False), space, place)
                    for place in range(width)
                ]
            _give_up_if_wrong(code, faces, evaluator.plan.distinct)
            given = []
            for (width, _), space in zip(parts, spaces, strict=True):
                given += [space, ir.Constant(I32, width)]
            code.store(I64, code.builder.call(best, given), strengths, row)
        code.give(0)
    return code.function


def _copy(code: Code, evaluator: Evaluator, card: Value, space: Value, place: int) -> Value:
    """Copies a code to where the evaluator reads it; gives the card's face, -1 if it is none."""
    plan = evaluator.plan
    faces = [plan.face(one) if row else -1 for one, row in enumerate(plan.codes)]
    known = table(code.function.module, f"{plan.name}_face", I16, [*faces, -1])
    last = number(len(plan.codes))
    card = code.builder.select(code.builder.icmp_unsigned("<", card, last), card, last)
    code.store(I16, card, space, place)
    return code.load(I16, known, card)


def _give_up_if_wrong(code: Code, faces: Sequence[Value], distinct: bool) -> None:
    wrong = ir.Constant(ir.IntType(1), 0)
    for place, face in enumerate(faces):
        wrong = code.either(wrong, code.compare("<", face, 0))
        for other in faces[:place] if distinct else ():
            wrong = code.either(wrong, code.compare("==", face, other))
    with code.when(wrong, likely=False):
        code.give(-1)
