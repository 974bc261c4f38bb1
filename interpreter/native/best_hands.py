"""Rankings. Patterns are evaluated by native/hands; conditions are written here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.analysis.tried import most_to_choose_from
from trionfi.dsl.types import Type
from trionfi.interpreter.hands.rankings import reads_at_once
from trionfi.interpreter.native.access import card_at, card_table, face_of
from trionfi.interpreter.native.arithmetic import as_fraction, fraction_key
from trionfi.interpreter.native.body import Body
from trionfi.interpreter.native.builder import (
    FALSE,
    I1,
    I16,
    I64,
    POINTER,
    Code,
    Mutable,
    Value,
    constant_of,
    function,
    number,
)
from trionfi.interpreter.native.module import NO_NUMBER
from trionfi.interpreter.native.trials import too_many_readings
from trionfi.interpreter.native.values import CardList, Compound

if TYPE_CHECKING:
    from trionfi.interpreter.native.hands.evaluator import UsablePart

REMEMBERED = 4  # hands of a ranking, whose cards take so many words
KEY_WORDS = 6
MOST_COUNTS = 5  # of 12 bits each

# ---- pattern rankings


def evaluated(f: Body, ranking: tree.PatternRanking, parts: Sequence[UsablePart], arguments: Sequence[Any]) -> Compound:
    """The best hand, given for each part its cards' codes, how many they are, and how many to use where told."""
    evaluator = f.build.evaluators(ranking)
    arguments = bounded(f, ranking, parts, list(arguments))
    key = ("best hand", ranking.name, tuple(parts))
    if key not in f.build.kernels:
        f.build.kernels[key] = evaluator.emit(f.build.module, parts)
    called, first = f.build.kernels[key], []
    counts = sum(kind is not POINTER for kind in called.function_type.args)
    if not f.build.watched and evaluator.way != "direct" and counts <= MOST_COUNTS:
        called, first = remembering(f, called, key), [f.state]
    strength = f.code.call(called, fitted(f, called, [*first, *arguments]))
    return Compound((evaluator.emit_category(f.code.builder, strength), strength))


def bounded(f: Body, ranking: tree.PatternRanking, parts: Sequence[Any], arguments: list[Any]) -> list[Any]:
    """What an evaluator is given; no cards, and an error, where there are too many to choose from."""
    most = most_to_choose_from(ranking)
    places = [place for place in range(1, len(arguments)) if getattr(arguments[place - 1], "type", None) is POINTER]
    total = number(0)
    for place in places:
        total = f.code.add(total, arguments[place])
    bad = FALSE
    if not reads_at_once(ranking):
        bad = too_many_readings(f, ranking, [arguments[place - 1 : place + 1] for place in places])
    if sum(part.most for part in parts) > most:
        bad = f.code.builder.or_(f.code.compare(">", total, most), bad)
    elif bad is FALSE:
        return arguments
    f.fail_when(bad, "too-many-hands", ranking.span)
    return [f.code.choose(bad, 0, one) if place in places else one for place, one in enumerate(arguments)]


def remembering(f: Body, called: ir.Function, key: Any) -> ir.Function:
    """The same function, which looks first whether it has met these cards just before: scripts ask for the value of a
    hand several times. What it gives follows from the cards alone, so it holds from game to game, too."""
    if (*key, "remembered") in f.build.kernels:
        return f.build.kernels[(*key, "remembered")]
    layout, entry = f.layout, 1 + KEY_WORDS
    field = layout.reserve("", I64, REMEMBERED * entry + 1)
    kinds = [POINTER, *called.function_type.args]
    with function(f.build.module, f"{called.name}_remembered", I64, kinds) as code:
        f.build.kernels[(*key, "remembered")] = code.function
        at, own = code.at(code.arguments[0], field.offset), code.room(I64, KEY_WORDS)
        arguments = list(code.arguments[1:])
        fits = write_key(code, called, arguments, own)
        with code.when(code.invert(fits)):
            code.give(code.call(called, arguments))
        for place in range(REMEMBERED):
            kept = code.at(at, place * entry, 8)
            same = number(0)
            for word in range(KEY_WORDS):
                same = code.builder.or_(same, code.builder.xor(code.load(I64, own, word), code.load(I64, kept, word)))
            with code.when(code.compare("==", same, 0)):
                code.give(code.load(I64, kept, KEY_WORDS))
        strength = code.call(called, arguments)
        turn = code.load(I64, at, REMEMBERED * entry)
        kept = code.at(at, code.multiply(turn, entry), 8)
        code.copy(kept, own, 8 * KEY_WORDS)
        code.store(I64, strength, kept, KEY_WORDS)
        code.store(I64, code.builder.and_(code.add(turn, 1), number(REMEMBERED - 1)), at, REMEMBERED * entry)
        code.give(strength)
    return code.function


def write_key(code: Code, called: ir.Function, arguments: Sequence[Value], own: Value) -> Value:
    """What the value of a hand follows from, in words that are never all 0; whether there is room for it."""
    code.fill(own, 0, 8 * KEY_WORDS)
    written, numbers, cards = Mutable(code, I64, 0), number(1), []
    pairs = list(zip(called.function_type.args, arguments, strict=True))
    for place, (kind, value) in enumerate(pairs):
        if kind is POINTER:
            cards.append((value, code.builder.zext(pairs[place + 1][1], I64)))  # its cards, and how many
        else:
            numbers = code.add(code.multiply(numbers, 1 << 12), code.builder.zext(value, I64))
    code.store(I64, numbers, own)
    fits = Mutable(code, I1, 1)
    for pointer, count in cards:
        room = code.compare("<=", code.add(written.get(), count), 4 * (KEY_WORDS - 1))
        fits.set(code.both(fits.get(), room))
        with code.when(fits.get()):
            code.copy(code.at(code.at(own, 8), written.get(), 2), pointer, code.multiply(count, 2))
            written.set(code.add(written.get(), count))
    return fits.get()


def fitted(f: Body, called: ir.Function, arguments: Sequence[Any]) -> list[Value]:
    """Numbers as narrow as the function takes them."""
    pairs = zip((number(one) for one in arguments), called.function_type.args, strict=True)
    return [one if one.type is not I64 or kind is I64 else f.code.builder.trunc(one, kind) for one, kind in pairs]


def part_shape(most: int, count: Value | None) -> UsablePart:
    """The shape of a part: how many cards it holds at most, and how many of them are used."""
    from trionfi.interpreter.native.hands.evaluator import UsablePart

    if count is None:
        return UsablePart(most)
    take = constant_of(count)
    return UsablePart(most, exactly=take is None, take=take)


def codes_of(f: Body, cards: CardList, most: int) -> Value:
    """The cards as evaluators name them: a face's number, reversed that many faces higher."""
    room = f.code.room(I16, max(2, most))
    with f.code.count(cards.count) as index:
        f.code.store(I16, code_of(f, card_at(f, cards, index)), room, index)
    return room


def code_of(f: Body, card: Value) -> Value:
    if f.rules.effects:
        return altered_code(f, card)
    turned = f.code.multiply(f.field("reversed", card), len(f.rules.faces))
    same = not f.layout.cards.copied and f.layout.cards.face_of == list(range(f.layout.cards.count))
    return f.code.add(card if same else face_of(f, card), turned)


def altered_code(f: Body, card: Value) -> Value:
    """What a card is now that effects may have altered (native/hands, AlteredCodes)."""
    codes, code, b = f.build.altered, f.code, f.code.builder
    rank = f.field("rank now", card)
    place = code.choose(code.compare("<", rank, 0), code.subtract(codes.ranks - 1, rank), rank)
    turn = code.multiply(card_table(f, "deck", f.layout.cards.column("deck"), card), codes.turns)
    if codes.turns > 1:
        turn = code.add(turn, f.field("reversed", card))
    row = code.add(code.multiply(turn, codes.ranks + 2), place)
    return code.add(code.add(codes.first, b.shl(row, number(codes.suits))), f.field("suits now", card))


# ---- condition rankings


def words_of_key(g: Body, value: Any, kind: Type) -> Sequence[Value]:
    if kind.kind == "hand":
        return value.words[1:]  # type: ignore[no-any-return]
    if kind.kind == "fraction":
        return fraction_key(g, as_fraction(value))
    if kind.kind == "truth":
        return [g.code.number_of(value)]
    if kind.kind == "number":
        return [value]
    turned = ranked(g, value, kind)
    best_first = kind.kind == "category" or turned is not value
    return [g.code.choose(g.code.compare("<", value, 0), NO_NUMBER, turned) if best_first else turned]


def ranked(f: Body, value: Value, kind: Type) -> Value:
    """A number that is greater for what is better: a category declared earlier, a card upright."""
    turned = kind.kind == "category" or (kind == Type("enum", "orientation") and upright(f) == 0)
    return f.code.subtract(0, value) if turned else value


def upright(f: Body) -> int:
    """The number of the orientation upright; reversed is the other."""
    return f.rules.enumerations["orientation"].members.index("upright")
