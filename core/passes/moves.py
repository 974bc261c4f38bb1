"""Moves that know where a card lies.

A loop over a list of one card is what it does to that card. A card that has been read at a place of a zone, while
nothing has moved, is lifted at that place. A loop that lifts each card of a zone and lays it elsewhere lifts them all
at once.
"""

from __future__ import annotations

from dataclasses import replace

from trionfi.core.ir import (
    Block,
    Break,
    Call,
    Check,
    Continue,
    Each,
    EndGame,
    For,
    Function,
    Let,
    Loop,
    Name,
    Operand,
    Program,
    Push,
    Return,
    Statement,
    Var,
    operands_of,
    walk,
)
from trionfi.core.ops import SIGNATURES, Memory, Op
from trionfi.core.passes.rewriting import (
    Names,
    Renaming,
    changed_in,
    declared_in,
    names_of,
    with_blocks,
    with_operands,
    writes_of,
)
from trionfi.core.types import CARDS
from trionfi.dsl.tree import Ruleset

__all__ = ["moves"]


def moves(program: Program, rules: Ruleset | None) -> Program:
    """Where plays of cards are aimed at cards that move, what leaves a zone is told card by card."""
    aimed = rules is not None and bool(rules.effects)
    functions = {name: moved(program, one, aimed) for name, one in program.functions.items()}
    return Program(functions, program.places)


def moved(program: Program, function: Function, aimed: bool) -> Function:
    body = Singles(function).block(function.body)
    return replace(function, body=Moves(program, function, aimed).block(body))


# ---- lists of one thing


class Singles:
    """Loops over lists that have been made of one thing."""

    def __init__(self, function: Function) -> None:
        statements = list(walk(function.body))
        self.changing = changed_in(function.body)
        self.pushed = [one.name.text for one in statements if isinstance(one, Push)]
        self.read = [o.text for one in statements for o in operands_of(one) if isinstance(o, Name)]
        self.empty = {one.target for one in statements if isinstance(one, Let) and one.op is Op.EMPTY}
        loops = (one for one in statements if isinstance(one, Each) and is_through(one))
        self.looped = {loop.source.text for loop in loops if isinstance(loop.source, Name)}
        self.things: dict[str, Operand] = {}
        self.copies: dict[str, Operand] = {}

    def block(self, block: Block) -> Block:
        fresh = {one.name.text for one in block if isinstance(one, Var) and one.value in self.empty}
        made: list[Statement] = []
        for one in block:
            if isinstance(one, Each) and (copied := self.copied(one, fresh)) is not None:
                self.copies[copied.text] = one.source
            elif isinstance(one, Push) and one.name.text in fresh and self.is_only(one):
                self.things[one.name.text] = one.value
                fresh.discard(one.name.text)
            elif isinstance(one, Each) and (thing := self.thing(one)) is not None:
                made += self.block(instead(one.body, one.name, thing))
            else:
                fresh -= {o.text for inner in walk((one,)) for o in operands_of(inner) if isinstance(o, Name)}
                made.append(with_blocks(with_operands(one, self.original), self.block))
        gone = set(self.things) | set(self.copies)
        return tuple(one for one in made if not (isinstance(one, Var) and one.name.text in gone))

    def copied(self, loop: Each, fresh: set[str]) -> Name | None:
        """The list that a loop makes of all things of another."""
        source = loop.source
        settled = source.type.is_list and isinstance(source, Name) and source.text not in self.changing
        match loop.body:
            case (Push(name, value),) if settled and value == loop.name and name.text in fresh:
                return name if name.type == source.type and self.pushed.count(name.text) == 1 else None
            case _:
                return None

    def original(self, operand: Operand) -> Operand:
        return self.copies.get(operand.text, operand) if isinstance(operand, Name) else operand

    def is_only(self, push: Push) -> bool:
        """Whether the list has this thing alone, and one loop reads it."""
        text = push.name.text
        settled = not isinstance(push.value, Name) or push.value.text not in self.changing
        return settled and self.pushed.count(text) == 1 and self.read.count(text) == 1 and text in self.looped

    def thing(self, loop: Each) -> Operand | None:
        return self.things.get(loop.source.text) if isinstance(loop.source, Name) else None


def instead(block: Block, name: Name, thing: Operand) -> Block:
    """The block about a thing in place of a name."""

    def read(operand: Operand) -> Operand:
        return thing if operand == name else operand

    return tuple(with_blocks(with_operands(one, read), lambda inner: instead(inner, name, thing)) for one in block)


def is_through(loop: Each) -> bool:
    """Whether a loop goes on to its end, and to what is behind it."""
    jumps = [one for one in walk(loop.body) if isinstance(one, Break | Continue | Return | EndGame)]
    inside = {one.label for one in walk(loop.body) if isinstance(one, Loop | For | Each)}
    return all(isinstance(one, Break | Continue) and one.label in inside for one in jumps)


# ---- cards whose place is known


class Moves:
    """One function. `lists`: of the cards of a zone as they are now; `cards`: the zone and the place of a card."""

    def __init__(self, program: Program, function: Function, aimed: bool) -> None:
        self.program, self.aimed = program, aimed
        self.names = Names(names_of(function.body, function.parameters))
        self.lets = {one.target: one for one in walk(function.body) if isinstance(one, Let) and one.target is not None}
        self.changing = changed_in(function.body)
        self.lists: dict[Operand, Operand] = {}
        self.cards: dict[Operand, tuple[Operand, Operand]] = {}

    def block(self, block: Block) -> Block:
        lists, cards = dict(self.lists), dict(self.cards)
        made: list[Statement] = []
        for statement in block:
            self.statement(statement, made)
        self.lists, self.cards = lists, cards
        return tuple(made)

    def statement(self, statement: Statement, made: list[Statement]) -> None:
        if isinstance(statement, Let):
            self.let(statement, made)
            return
        moves = bool(writes_of((statement,), self.program) & Memory.ZONES)
        if isinstance(statement, Each) and moves and self.empties(statement):
            statement = self.emptied(statement, made)
        elif isinstance(statement, Each) and moves and not self.aimed:
            statement = self.gathered(statement, made)
        if moves and isinstance(statement, Loop | For | Each):
            self.forget()
        made.append(with_blocks(statement, self.block))
        if moves:
            self.forget()

    def forget(self) -> None:
        self.lists, self.cards = {}, {}

    def let(self, let: Let, made: list[Statement]) -> None:
        match let:
            case Let(target=Name() as target, op=Op.CARDS_IN, args=(zone,)) if not self.changes(zone):
                self.lists[target] = zone
            case Let(target=Name() as target, op=Op.ITEM, args=(things, place)) if things in self.lists:
                if not self.changes(place):
                    self.cards[target] = self.lists[things], place
            case Let(target=Name() as target, op=Op.ZONE_OF, args=(card,)) if card in self.cards:
                made.append(Var(target, self.cards[card][0]))
                return
            case Let(op=Op.LIFT, args=(card,)) if card in self.cards:
                let = Let(None, Op.LIFT_AT, self.cards[card])
            case _:
                pass
        made.append(let)
        if SIGNATURES[let.op].writes & Memory.ZONES:
            self.forget()

    def changes(self, operand: Operand) -> bool:
        return isinstance(operand, Name) and operand.text in self.changing

    # ---- whole zones

    def empties(self, loop: Each) -> bool:
        """Whether a loop takes each card of a zone, and puts none back."""
        zone = self.lists.get(loop.source)
        lifts = [one for one in loop.body if isinstance(one, Let) and one.op is Op.LIFT and one.args == (loop.name,)]
        if zone is None or self.aimed or len(lifts) != 1 or not is_through(loop):
            return False
        return all(self.is_elsewhere(one, zone, loop.name) for one in walk(loop.body))

    def is_elsewhere(self, statement: Statement, zone: Operand, card: Name) -> bool:
        """Whether what a statement says of zones is about this card, or about another zone."""
        if isinstance(statement, Call):
            return False
        if not isinstance(statement, Let) or statement.op is Op.LIFT:
            return True
        signature = SIGNATURES[statement.op]
        if not (signature.reads | signature.writes) & Memory.ZONES:
            return True
        if statement.op is Op.ZONE_OF:
            return statement.args == (card,)
        about = statement.args[0]
        if statement.op is Op.SIZE and about.type.is_list:
            return True
        return statement.op in (Op.SIZE, Op.LAY) and self.are_apart(about, zone)

    def are_apart(self, one: Operand, other: Operand) -> bool:
        """Whether two zones are of different families."""
        families = self.family(one), self.family(other)
        return None not in families and families[0] != families[1]

    def family(self, zone: Operand) -> str | int | None:
        made = self.lets.get(zone) if isinstance(zone, Name) else None
        while made is not None and made.op is Op.ITEM and isinstance(made.args[0], Name):
            made = self.lets.get(made.args[0])
        return made.about[0] if made is not None and made.op in (Op.ZONE_AT, Op.ZONES_OF) else None

    def emptied(self, loop: Each, made: list[Statement]) -> Each:
        zone = self.lists[loop.source]
        lifted = Name(self.names.fresh("lifted"), CARDS)
        made.append(Let(lifted, Op.LIFT_ALL, (zone,)))
        body: list[Statement] = []
        for one in loop.body:
            if isinstance(one, Let) and one.op is Op.ZONE_OF and one.args == (loop.name,) and one.target is not None:
                body.append(Var(one.target, zone))
            elif not (isinstance(one, Let) and one.op is Op.LIFT):
                body.append(one)
        return replace(loop, source=lifted, body=tuple(body))

    # ---- all cards

    def gathered(self, loop: Each, made: list[Statement]) -> Each:
        """A loop that lifts each card of the game and lays it on one zone: what is checked first, then all cards are
        lifted at once. Any other loop stays as it is."""
        parts = self.parts(loop)
        if parts is None:
            return loop
        before, behind = parts
        checked = Renaming(self.names).statement(replace(loop, body=before))
        made += [checked, Let(None, Op.LIFT_EVERY)]
        return replace(loop, body=behind)

    def parts(self, loop: Each) -> tuple[Block, Block] | None:
        """What stands before and behind the lifting of each card of the game, if it can be done apart."""
        made = self.lets.get(loop.source) if isinstance(loop.source, Name) else None
        lift = Let(None, Op.LIFT, (loop.name,))
        if made is None or made.op is not Op.ALL_CARDS or loop.body.count(lift) != 1 or not is_through(loop):
            return None
        place = loop.body.index(lift)
        before, behind = loop.body[:place], loop.body[place + 1 :]
        shared = declared_in(before) & {o.text for one in walk(behind) for o in operands_of(one) if isinstance(o, Name)}
        lays = [one for one in behind if isinstance(one, Let) and one.op is Op.LAY]
        calm = all(self.is_asked(one, loop.name) for one in before)
        if shared or not calm or len(lays) != 1 or lays[0].args[1] != loop.name:
            return None
        zone = lays[0].args[0]
        inside = isinstance(zone, Name) and zone.text in declared_in(loop.body)
        return None if inside or not all(self.is_laid(one, lays[0]) for one in walk(behind)) else (before, behind)

    def is_asked(self, statement: Statement, card: Name) -> bool:
        """Whether a statement only asks where the card is, before it is lifted."""
        if isinstance(statement, Check):
            return True
        if not isinstance(statement, Let):
            return False
        signature = SIGNATURES[statement.op]
        return signature.is_pure or (statement.op is Op.ZONE_OF and statement.args == (card,))

    def is_laid(self, statement: Statement, lay: Let) -> bool:
        """Whether what a statement says of zones is that the card comes on top of one."""
        if isinstance(statement, Call):
            return False
        if statement == lay:
            made = self.lets.get(lay.args[2]) if isinstance(lay.args[2], Name) else None
            return made is not None and made.op is Op.SIZE and made.args == (lay.args[0],)
        if not isinstance(statement, Let):
            return True
        signature = SIGNATURES[statement.op]
        apart = not (signature.reads | signature.writes) & Memory.ZONES
        return apart or (statement.op is Op.SIZE and statement.args == (lay.args[0],))
