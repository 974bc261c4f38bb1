"""Loops over cards that look for some become sets of places.

`each c in cards_in(z): if f(c): set any = true, break` is `matching[f](...)`, whose size is asked; a menu to pick one
of the cards that fit is a menu of places. Where the condition may stop the game, `stops` is asked first, and then the
loop itself says at which card, and with which error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trionfi.core.ir import (
    Block,
    Check,
    Const,
    Each,
    For,
    Function,
    If,
    Let,
    Name,
    Operand,
    Program,
    Push,
    Set,
    Statement,
    Var,
    operands_of,
    walk,
)
from trionfi.core.ops import Op
from trionfi.core.passes.conditions import Search, dependents, is_plain, place_of, search_of, stops
from trionfi.core.passes.dead import without_dead
from trionfi.core.passes.facts import Facts
from trionfi.core.passes.rewriting import Names, names_of, with_blocks
from trionfi.core.passes.simplify import simplified
from trionfi.core.types import BOOL, INT, PLACES
from trionfi.dsl.tree import Ruleset

__all__ = ["searches"]

NONE_OF_THEM = Const(0, PLACES)


def searches(program: Program, rules: Ruleset | None) -> Program:
    """Where cards are looked for by what is printed on them, and nothing may alter that."""
    facts = Facts(rules)
    if not facts.is_printed:
        return program
    made = dict(program.functions)
    for name, function in program.functions.items():
        writer = Searches(Program(made, program.places), facts, function)
        made[name] = replace(function, body=writer.block(function.body))
    return Program(made, program.places)


class Searches:
    """One function; conditions are added to the program. `within`: what is written is itself a condition, of which it
    only matters whether it stops, not where."""

    def __init__(self, program: Program, facts: Facts, function: Function, depending: set[str] | None = None) -> None:
        self.program, self.facts = program, facts
        self.names = Names(names_of(function.body, function.parameters))
        self.within, self.depending = depending is not None, depending or set()
        self.uses = [o.text for one in walk(function.body) for o in operands_of(one) if isinstance(o, Name)]

    def block(self, block: Block) -> Block:
        made: list[Statement] = []
        rest = list(block)
        while rest:
            statement = rest.pop(0)
            search = self.search(statement)
            menu = None if search is None or search.value is not None else self.menu(search, rest)
            wanted = search is not None and (search.value is not None or menu is not None)
            condition = self.condition(search) if search is not None and wanted else None
            if search is None or condition is None:
                made.append(with_blocks(statement, self.block))
            elif menu is None:
                made += self.asked(search, condition)
            else:
                places = yield_all(self.places(search, condition), made)
                made[:] = [one for one in made if not (isinstance(one, Var) and one.name == search.found)]
                made.append(Let(menu, Op.PICK_MENU, (search.loop.source, places)))
                rest = list(self.picked(rest[4:], menu, search.loop.source, places))
        return tuple(made)

    def search(self, statement: Statement) -> Search | None:
        """A search that does not depend on the card that a condition is about."""
        found = search_of(self.program, statement) if isinstance(statement, Each) else None
        if found is None or any(is_in(operand, self.depending) for operand in (found.loop.source, *found.captured)):
            return None
        return found

    def condition(self, search: Search) -> Function | None:
        """The condition as a function of the program, if it can be asked of all cards at once."""
        plain = simplified(self.program, search.condition("condition"), self.facts, lambda _called: True)
        depending = dependents(plain)
        inner = Searches(self.program, self.facts, plain, depending)
        done = without_dead(replace(plain, body=inner.block(plain.body)))
        if not is_plain(done):
            return None
        number = 1 + sum(name.startswith("condition.") for name in self.program.functions)
        done = replace(done, name=f"condition.{number}")
        self.program.functions[done.name] = done
        return done

    # ---- any, every, no

    def name(self, text: str, kind: object) -> Name:
        return Name(self.names.fresh(text), kind)  # type: ignore[arg-type]

    def asked(self, search: Search, condition: Function) -> Iterator[Statement]:
        args = (search.loop.source, *search.captured)
        found = tuple(self.found(search, condition, args))
        if not stops(self.program, condition):
            yield from found
            return
        stop = self.name("stops", BOOL)
        yield Let(stop, Op.STOPS, args, (condition.name,))
        if not self.within:
            yield If(stop, (search.loop,), found)
            return
        never = self.name("not", BOOL)
        yield Let(never, Op.NOT, (stop,))
        yield Check(never, "none-used", place_of(condition))
        yield from found

    def found(self, search: Search, condition: Function, args: tuple[Operand, ...]) -> Iterator[Statement]:
        assert search.value is not None
        places, size, some = self.name("places", PLACES), self.name("size", INT), self.name("less", BOOL)
        yield Let(places, Op.MATCHING, args, (condition.name,))
        yield Let(size, Op.SIZE, (places,))
        yield Let(some, Op.LESS, (Const(0, INT), size))
        yield If(some, (Set(search.found, search.value),))

    # ---- menus

    def places(self, search: Search, condition: Function) -> Iterator[Statement]:
        """Which cards fit, as the last name that is declared."""
        args = (search.loop.source, *search.captured)
        matching = self.name("places", PLACES)
        if not stops(self.program, condition):
            yield Let(matching, Op.MATCHING, args, (condition.name,))
            return
        chosen, stop = self.name("chosen", PLACES), self.name("stops", BOOL)
        yield Let(stop, Op.STOPS, args, (condition.name,))
        yield Var(chosen, NONE_OF_THEM)
        fast = (Let(matching, Op.MATCHING, args, (condition.name,)), Set(chosen, matching))
        yield If(stop, tuple(self.one_by_one(search, chosen)), fast)
        yield Let(self.name("places", PLACES), Op.SELECT, (stop, chosen, chosen))

    def one_by_one(self, search: Search, chosen: Name) -> Iterator[Statement]:
        """The loop itself, which notes places in place of cards."""
        loop, size, place = search.loop, self.name("size", INT), self.name("place", INT)

        def noted(block: Block) -> Block:
            made: list[Statement] = []
            for one in block:
                if isinstance(one, Push) and one.name == search.found:
                    more = self.name("places", PLACES)
                    made += [Let(more, Op.WITH_PLACE, (chosen, place)), Set(chosen, more)]
                else:
                    made.append(with_blocks(one, noted))
            return tuple(made)

        yield Let(size, Op.SIZE, (loop.source,))
        item = Let(loop.name, Op.ITEM, (loop.source, place))
        yield For(loop.label, place, Const(0, INT), size, (item, *noted(loop.body)))

    def menu(self, search: Search, rest: list[Statement]) -> Name | None:
        """The menu of a single pick among the cards that a search finds, which nothing else reads."""
        shape = rest[:4]
        if not self.facts.is_single or len(shape) < 4 or self.within:
            return None
        match shape:
            case [
                Let(target=Name() as grouped, op=Op.GROUPED, args=(source, _)),
                Let(target=Name() as menu, op=Op.NEW_MENU),
                Let(target=Name() as size, op=Op.SIZE, args=(sized,)),
                For(low=Const(0), high=high) as loop,
            ] if source == search.found and sized == grouped and high == size:
                alone = self.uses.count(search.found.text) == 1 and self.uses.count(size.text) == 1
                inside = sum(o == grouped for one in walk(loop.body) for o in operands_of(one))
                alone = alone and self.uses.count(grouped.text) == inside + 1
                return menu if alone and offers_each(loop, grouped, menu) else None
            case _:
                return None

    def picked(self, rest: list[Statement], menu: Name, cards: Operand, places: Name) -> Iterator[Statement]:
        """What has been picked is read from the list, by its place."""
        for one in rest:
            if isinstance(one, Let) and one.op is Op.PICKED_THING and one.args[0] == menu:
                place = self.name("place", INT)
                yield Let(place, Op.NTH_PLACE, (places, one.args[1]))
                yield Let(one.target, Op.ITEM, (cards, place))
            else:
                yield one


def yield_all(statements: Iterator[Statement], made: list[Statement]) -> Name:
    """Writes statements; gives the name that the last one declares."""
    made += statements
    last = made[-1]
    assert isinstance(last, Let)
    assert last.target is not None
    return last.target


def is_in(operand: Operand, names: set[str]) -> bool:
    return isinstance(operand, Name) and operand.text in names


def offers_each(loop: For, things: Name, menu: Name) -> bool:
    """Whether a loop offers each thing of a list with its place; things that are alike there are none."""
    ops = {one.op for one in walk(loop.body) if isinstance(one, Let)}
    last = loop.body[-1]
    item = next((one.target for one in loop.body if isinstance(one, Let) and one.op is Op.ITEM), None)
    plain = ops <= {Op.ITEM, Op.LESS, Op.SUBTRACT, Op.ALIKE, Op.OFFER_PICK} and item is not None
    offer = isinstance(last, Let) and last.op is Op.OFFER_PICK and last.args == (menu, item, loop.name)
    return plain and offer and sum(isinstance(one, Let) and one.op is Op.OFFER_PICK for one in walk(loop.body)) == 1
