"""Passes: what each makes of printed core; and games that are played alike after all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from trionfi.core.desugar import desugar
from trionfi.core.ir import Program
from trionfi.core.passes import PASSES, run_passes
from trionfi.core.text import parse_program, print_function

from .alike import same_games

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules


@pytest.fixture(scope="session")
def prepared_core(rules: Callable[..., Rules]) -> Callable[[str], Program]:
    """A game's core after all passes, each of which is verified."""
    made: dict[str, Program] = {}

    def get(name: str) -> Program:
        if name not in made:
            ruleset = rules(name).ruleset
            made[name] = run_passes(desugar(ruleset), ruleset, "")
        return made[name]

    return get


def test_games_are_played_alike_after_all_passes(
    game: str, rules: Callable[..., Rules], prepared_core: Callable[[str], Program], test_size: float
) -> None:
    table = rules(game)
    for players in {table.players[0], table.players[1]}:
        same_games(table, players, 1, 40 if test_size <= 1 else 2_000, prepared_core(game))


def after(name: str, text: str, rules: Rules | None = None) -> str:
    """A program after one pass, as text."""
    program = PASSES[name](parse_program(text), None if rules is None else rules.ruleset)  # type: ignore[arg-type]
    return "\n".join(print_function(one, []) for one in program.functions.values()).rstrip("\n") + "\n"


INLINE = {
    "a function is put in, and what is decided is gone": (
        """\
pure function define.worth(card: card?) -> int
  nothing: bool = is_none(card)
  if nothing
    draw: int = add(1, 1)
  some: card = unwrap(card)
  face: int = face(some)
  return face

function f(card: card)
  worth: int = call define.worth(card)
  see[0](worth)
""",
        """\
function f(card: card)
  face: int = face(card)
  see[0](face)
""",
    ),
    "what has been checked is not checked again, and a question is asked once": (
        """\
function f(seat: seat?)
  nothing: bool = is_none(seat)
  some: bool = not(nothing)
  check some else none-used @0
  p: seat = unwrap(seat)
  chips: int? = load[chips](p)
  nothing.2: bool = is_none(seat)
  some.2: bool = not(nothing.2)
  check some.2 else none-used @0
  p.2: seat = unwrap(seat)
  chips.2: int? = load[chips](p.2)
  see[0](chips)
  see[0](chips.2)
""",
        """\
function f(seat: seat?)
  nothing: bool = is_none(seat)
  some: bool = not(nothing)
  check some else none-used @0
  p: seat = unwrap(seat)
  chips: int? = load[chips](p)
  see[0](chips)
  see[0](chips)
""",
    ),
    "what has been stored may be another answer": (
        """\
function f()
  pot: int? = load[pot]()
  see[0](pot)
  store[pot](1)
  pot.2: int? = load[pot]()
  see[0](pot.2)
""",
        """\
function f()
  pot: int? = load[pot]()
  see[0](pot)
  store[pot](1)
  pot.2: int? = load[pot]()
  see[0](pot.2)
""",
    ),
    "a variable that a loop sets is not known in it": (
        """\
function f(seats: seats)
  var last: seat? = none
  each p: seat in seats as each
    nothing: bool = is_none(last)
    see[0](nothing)
    set last = p
""",
        """\
function f(seats: seats)
  var last: seat? = none
  each p: seat in seats as each
    nothing: bool = is_none(last)
    see[0](nothing)
    set last = p
""",
    ),
}


@pytest.mark.parametrize("case", INLINE)
def test_inline(case: str) -> None:
    text, wanted = INLINE[case]
    assert after("inline", text).endswith(wanted)
    assert after("inline", after("inline", text)) == after("inline", text)


MOVES = {
    "a list of one card is that card, and it is lifted where it lies": (
        """\
function f(hand: zone, pile: zone, place: int)
  cards: cards = cards_in(hand)
  card: card = item(cards, place)
  empty: cards = empty()
  var list: cards = empty
  push list, card
  each c: card in list as each
    lift(c)
    size: int = size(pile)
    lay(pile, c, size)
""",
        """\
  card: card = item(cards, place)
  empty: cards = empty()
  lift_at(hand, place)
  size: int = size(pile)
  lay(pile, card, size)
""",
    ),
    "after another move the place is not known": (
        """\
function f(hand: zone, place: int)
  cards: cards = cards_in(hand)
  card: card = item(cards, place)
  lift(card)
  lift(card)
""",
        """\
  lift_at(hand, place)
  lift(card)
""",
    ),
    "all cards of a zone are lifted at once": (
        """\
function f(p: seat)
  trick: zone = zone_at[trick](p)
  cards: cards = cards_in(trick)
  taken: zone = zone_at[taken](p)
  each c: card in cards as each
    lift(c)
    size: int = size(taken)
    lay(taken, c, size)
""",
        """\
  taken: zone = zone_at[taken](p)
  lifted: cards = lift_all(trick)
  each c: card in lifted as each
    size: int = size(taken)
    lay(taken, c, size)
""",
    ),
    "all cards of the game are lifted at once, when it is known that each lies somewhere": (
        """\
function f(stock: zone)
  all: cards = all_cards()
  empty: cards = empty()
  var found: cards = empty
  each c: card in all as each
    push found, c
  each d: card in found as each.2
    zone: zone? = zone_of(d)
    nowhere: bool = is_none(zone)
    somewhere: bool = not(nowhere)
    check somewhere else card-nowhere @0
    lift(d)
    size: int = size(stock)
    lay(stock, d, size)
""",
        """\
  all: cards = all_cards()
  empty: cards = empty()
  each d.2: card in all as each.3
    zone.2: zone? = zone_of(d.2)
    nowhere.2: bool = is_none(zone.2)
    somewhere.2: bool = not(nowhere.2)
    check somewhere.2 else card-nowhere @0
  lift_every()
  each d: card in all as each.2
    size: int = size(stock)
    lay(stock, d, size)
""",
    ),
    "not if they may come back": (
        """\
function f(p: seat, q: seat)
  trick: zone = zone_at[trick](p)
  cards: cards = cards_in(trick)
  other: zone = zone_at[trick](q)
  each c: card in cards as each
    lift(c)
    size: int = size(other)
    lay(other, c, size)
""",
        """\
  each c: card in cards as each
    lift(c)
    size: int = size(other)
    lay(other, c, size)
""",
    ),
}


@pytest.mark.parametrize("case", MOVES)
def test_moves(case: str) -> None:
    text, wanted = MOVES[case]
    assert after("moves", text).endswith(wanted)


CHOICES = {
    "a branch that chooses between two values": (
        """\
function f(c: card)
  var worth: int
  face: int = face(c)
  queen: bool = same(face, 49)
  if queen
    set worth = 13
  else
    set worth = 1
  see[0](worth)
""",
        """\
  queen: bool = same(face, 49)
  select: int = select(queen, 13, 1)
  set worth = select
  see[0](worth)
""",
    ),
    "not if something may stop, or is only there one way": (
        """\
function f(c: card?)
  var worth: int = 0
  nothing: bool = is_none(c)
  if nothing
    set worth = 1
  else
    some: card = unwrap(c)
    face: int = face(some)
    set worth = face
  see[0](worth)
""",
        """\
  else
    some: card = unwrap(c)
    face: int = face(some)
    set worth = face
  see[0](worth)
""",
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_choices(case: str) -> None:
    text, wanted = CHOICES[case]
    assert after("choices", text).endswith(wanted)


NONES = (
    """\
pure function define.worth(p: seat?, extra: int?) -> int?
  chips: int? = load[chips](p)
  nothing: bool = is_none(p)
  nothing.2: bool = is_none(extra)
  nothing.3: bool = is_none(chips)
  return chips

function f(q: seat, other: int?)
  worth: int? = call define.worth(q, other)
  nothing: bool = is_none(worth)
  store[high](other)
  high: int? = load[high]()
  nothing.2: bool = is_none(high)
  see[0](nothing)
""",
    """\
pure function define.worth(p: seat?, extra: int?) -> int?
  chips: int? = load[chips](p)
  var nothing: bool = false
  nothing.2: bool = is_none(extra)
  var nothing.3: bool = false
  return chips

function f(q: seat, other: int?)
  worth: int? = call define.worth(q, other)
  var nothing: bool = false
  store[high](other)
  high: int? = load[high]()
  nothing.2: bool = is_none(high)
  see[0](nothing)
""",
)


def test_nones(rules: Callable[..., Rules]) -> None:
    """Chips are never set to none; who calls `f` may give it anything."""
    text, wanted = NONES
    assert after("nones", text, rules("no-limit-holdem")) == wanted
    assert after("nones", text).count("var") == 1


def test_functions_are_asked_once() -> None:
    many = "\n".join(f"  add.{n}: int = add({n}, {n})\n  see[0](add.{n})" for n in range(2))
    text = f"""\
pure function define.price(p: seat) -> int
  var most: int = 0
  if true
    return most
  return most

function f(p: seat)
  one: int = call define.price(p)
{many}
  other: int = call define.price(p)
  see[1](one, p)
  see[1](other, p)
"""
    assert after("inline", text).count("call define.price") == 1
