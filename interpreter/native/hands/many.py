"""Many hands at once: rows of codes in, strengths out."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from trionfi.interpreter.native.builder import I16, I32, I64, POINTER, Code, Value, function, number, table
from trionfi.interpreter.native.hands.evaluator import Direct, Evaluator, UsablePart
from trionfi.interpreter.native.hands.words import Lanes, Word

LANES = 8
BAD = 1 << 63


def emit_rows(
    module: ir.Module,
    name: str,
    evaluator: Evaluator,
    parts: Sequence[tuple[int, int | None]],
    kinds: Sequence[ir.IntType],
) -> ir.Function:
    """i64 name(ptr rows, ..., i64 count, ptr strengths): a pointer to rows for each part.

    `parts` are (codes in a row, how many of them are used or None), `kinds` the types of codes. It gives a number
    below 0 if a row holds a code that is no card, or a card twice of which there is one. `count` is at least 8: rows
    go eight by eight, and the last eight may be done twice.
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
        hands = _Hands(code, lanes, direct)
        bad = code.room(lanes.type)
        lanes.store(lanes.zero, bad)
        with code.count(code.builder.sdiv(code.add(count, LANES - 1), number(LANES))) as block:
            first = code.smaller(code.multiply(block, LANES), code.subtract(count, LANES))
            for lane in range(LANES):
                row = code.add(first, lane)
                for pointer, width, kind in zip(rows, widths, kinds, strict=True):
                    hands.add(lane, code.at(pointer, code.multiply(row, width), kind.width // 8), width, kind)
            words = hands.words()
            lanes.store(lanes.load(bad) | _wrong(words, sum(widths)), bad)
            lanes.store(direct.rate(lanes, words, sum(widths)), code.at(strengths, first, 8))
        code.give(lanes.reduce("llvm.vector.reduce.smin", lanes.load(bad)))
    return code.function


def _wrong(words: Sequence[Word], width: int) -> Word:
    """Has the highest bit where a code is no card, or where there are fewer cards than codes."""
    count = words[0].count()
    for word in words[1:]:
        count = count + word.count()
    return words[0] | (count - width)


class _Hands:
    """Hands side by side. The words of a hand lie together while cards are added, as many as fill a register."""

    def __init__(self, code: Code, lanes: Lanes, direct: Direct) -> None:
        self.code, self.lanes, self.direct = code, lanes, direct
        self.stride = 1 << (direct.cells.words - 1).bit_length()
        self.kind: ir.Type = I64 if self.stride == 1 else ir.VectorType(I64, self.stride)
        self.room = code.room(I64, LANES * self.stride)
        self.found: list[Value] = [None] * LANES

    def add(self, lane: int, start: Value, width: int, kind: ir.IntType) -> None:
        """The cards of one hand, from its codes."""
        words = self._table(kind)
        last = number(len(self.direct.plan.codes))
        for place in range(width):
            card = self.code.load(kind, start, place, signed=False)
            if kind.width > 8:
                card = self.code.builder.select(self.code.builder.icmp_unsigned("<", card, last), card, last)
            address = self.code.at(words, self.code.multiply(card, self.stride), 8)
            more = self.code.builder.load(address, typ=self.kind, align=8)
            found = self.found[lane]
            self.found[lane] = more if found is None else self.code.builder.or_(found, more)

    def words(self) -> list[Word]:
        """The words of all hands, word by word."""
        builder = self.code.builder
        for lane, found in enumerate(self.found):
            builder.store(found, self.code.at(self.room, lane * self.stride, 8), align=8)
        self.found = [None] * LANES
        whole = ir.VectorType(I64, LANES * self.stride)
        together = builder.load(self.room, typ=whole, align=8)
        undefined = ir.Constant(whole, ir.Undefined)
        result = []
        for word in range(self.direct.cells.words):
            order = [ir.Constant(I32, lane * self.stride + word) for lane in range(LANES)]
            mask = ir.Constant(ir.VectorType(I32, LANES), order)
            result.append(self.lanes.wrap(builder.shuffle_vector(together, undefined, mask)))
        return result

    def _table(self, kind: ir.IntType) -> Value:
        """The words of each code; what is no card has the highest bit of the first. The last code is no card."""
        cells = self.direct.cells
        rows = [[-BAD] + [0] * (self.stride - 1)] * (256 if kind.width == 8 else len(self.direct.plan.codes) + 1)
        for card in cells.row_of:
            if card < len(rows):
                words = cells.contribution(card)
                rows[card] = words + [0] * (self.stride - len(words))
        name = f"{self.direct.plan.name}_code_{kind.width}"
        return table(self.code.function.module, name, I64, [word for row in rows for word in row])


# ---- row by row


def _emit_each(
    module: ir.Module,
    name: str,
    evaluator: Evaluator,
    parts: Sequence[tuple[int, int | None]],
    kinds: Sequence[ir.IntType],
) -> ir.Function:
    best = evaluator.emit(module, [UsablePart(width, take=exactly) for width, exactly in parts])
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
