"""The verifier: every game's core is well formed; each thing that may be wrong is found, and said once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from trionfi.core.ir import Check, Const, Function, If, Let, Name, Place, Program, Set, Statement, operands_of, walk
from trionfi.core.ops import SIGNATURES, Op
from trionfi.core.text import parse_program
from trionfi.core.types import BOOL, INT, SEAT
from trionfi.core.verify import CoreFault, faults_of, verify
from trionfi.dsl.source import Source, Span

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules


def test_the_core_of_each_game_is_well_formed(
    program: Callable[[str], Program], rules: Callable[..., Rules], game: str
) -> None:
    whole = program(game)
    assert whole.functions["procedure.play"].body
    verify(whole, rules(game).ruleset)


def messages(text: str, rules: Rules | None = None) -> list[str]:
    return [fault.message for fault in faults_of(parse_program(text), None if rules is None else rules.ruleset)]


RIGHT = """\
pure function define.worth(card: card?) -> int
  var worth: int
  nothing: bool = is_none(card)
  if nothing
    set worth = 0
  else
    some: card = unwrap(card)
    face: int = face(some)
    set worth = face
  return worth

asking function procedure.play(p: seat)
  menu: menu = new_menu()
  offer[0](menu)
  choice: int = ask[1](p, menu)
  all: cards = all_cards()
  var best: int? = none
  each c: card in all as each
    worth: int = call define.worth(c)
    less: bool = less(worth, 3)
    if less
      continue each
    set best = worth
    break each
  call procedure.play(p)
"""


def test_what_is_right_has_no_fault() -> None:
    assert messages(RIGHT) == []


# ---- names

NAMES = {
    "if true\n  x: int = add(1, 1)\ny: int = add(x, 1)": "`x` is not in scope",
    "for i: int from 0 below 3 as count\n  draw(1)\nx: int = add(i, 1)": "`i` is not in scope",
    "x: int = add(1, 1)\nloop as x\n  break x": "`x` is declared twice",
    "x: int = add(1, 1)\nset x = 2": "`x` is no variable",
    "set p = seat(1)": "`p` is no variable",
    "x: cards = all_cards()\npush x, card(1)": "`x` is no variable",
    "var x: int\ny: int = add(x, 1)": "`x` is read, and nothing has set it",
    "var x: int\nif true\n  y: int = add(x, 1)\nelse\n  set x = 1": "`x` is read, and nothing has set it",
    "var x: int\nif true\n  set x = 1\nelse\n  draw(x)": "`x` is read, and nothing has set it",
    "var x: cards\npush x, card(1)": "`x` is read, and nothing has set it",
}

# ---- types

TYPES = {
    "x: int = add(1, true)": "add takes int, not bool",
    "x: int = add(1, int?(2))": "add takes int, not int?",
    "x: int = add(1)": "add takes 2, not 1",
    "x: int = add(1, 2, 3)": "add takes 2, not 3",
    "say()\nstore[chips]()": "store takes 1 or more, not 0",
    "store[chips](1, 2)": "store takes reference, not int",
    "x: bool = add(1, 2)": "add gives int, not bool",
    "x: bool = hold_log(true)": "hold_log gives nothing",
    "add(1, 2)": "what add gives is needed, for it does nothing else",
    "x: int = size(card(1))": "size takes sized, not card",
    "x: int = index(card?(1))": "index takes reference, not card?",
    "x: card = item(1, 0)": "item takes list, not int",
    "x: bool = hand_less(none, 1)": "hand_less takes hand?, not int",
    "x: bool = has_suit(card(1), card(1))": "has_suit takes member, not card",
    "m: menu = new_menu()\nx: bool = is_none(m)": "is_none takes any, not menu",
    "x: card = unwrap(seat?(1))": "unwrap gives seat, not card",
    "x: seat = unwrap(seat(1))": "what is unwrapped is never none",
    "x: seat = select(true, seat(1), card(1))": "card is chosen where seat is wanted",
    "x: seat = select(true, seat(1), none)": "int[none]? is chosen where seat is wanted",
    "x: bool = same(seat(1), card(1))": "seat is compared with card",
    "x: int = thing(1)": "int is no thing",
    "x: int = lookup[1, -1](1)": "int is not what is in the table",
    "x: int? = lookup[1, 2](1)": "int? is not what is in the table",
    "x: int = lookup(1)": "a table has numbers from -1",
    "x: int = empty()": "int is no list",
    "x: cards = all_cards()\ny: seat = item(x, 0)": "item gives card, not seat",
    "x: cards = all_cards()\ny: bool = contains(x, card?(1))": "cards never contains card?",
    "x: cards = all_cards()\ny: plays = sorted(x)": "sorted gives cards, not plays",
    "x: seat? = suit(card(1))": "suit gives member[suit]?, not seat?",
    "x: int = add[1](1, 2)": "add is about nothing",
    "x: bool = pass()": "pass says one number",
    "x: bool = pass[a]()": "pass says one number",
    "m: menu = new_menu()\noffer[-1](m)": "offer says one number",
    "m: menu = new_menu()\nx: bool = is_offered[1, 2](m, p)": "is_offered says one number",
    "m: menu = new_menu()\nx: card = about(m, 1)": "about says one number",
    "x: cards = all_cards()\ny: int = total[t](x)": "total gives total, not int",
    "var x: seat = card(1)": "seat is wanted, not card",
    "var x: seat = seat?(none)": "seat is wanted, not seat?",
    "var x: seat = seat(0)\nset x = card(1)": "seat is wanted, not card",
    "var x: seat = seat(0)\nset x = none": "None is no seat",
    "var x: int = 0\npush x, 1": "int is no list",
    "x: cards = all_cards()\nvar y: cards = x\npush y, seat(1)": "card is wanted, not seat",
    "if 1\n  draw(1)": "bool is wanted, not int",
    "check 1 else none-used @0": "bool is wanted, not int",
    "switch true\n  case 0\n    draw(1)": "bool is no number",
    "switch 1\n  case 0\n    draw(1)\n  case 0\n    draw(2)": "a number has two cases",
    "for i: int from 0 below seat(1) as count\n  draw(1)": "int is counted, not seat",
    "each c: card in 5 as each\n  draw(1)": "int is no list",
    "x: cards = all_cards()\neach c: seat in x as each\n  draw(1)": "cards has card, not seat",
    "x: cards = all_cards()\neach c: card in x from seat(1) as each\n  draw(1)": "only a set of seats begins with one of them",
    "each s: seat in seats(1) from card(1) as each\n  draw(1)": "only a set of seats begins with one of them",
    "draw(int(none))": "None is no int",
    "draw(int(true))": "True is no int",
    "draw(9223372036854775808)": "9223372036854775808 is no int",
    "say(seat(-1))": "-1 is no seat",
    "say(bool(1))": "1 is no bool",
    "say(fraction(1))": "1 is no fraction",
    "say(cards(1))": "1 is no cards",
}

# ---- control and calls

CONTROL = {
    "break x": "there is no loop `x` around it",
    "loop as a\n  break a\nloop as b\n  continue a": "there is no loop `a` around it",
    "return\ndraw(1)": "is never reached",
    "loop as a\n  break a\n  draw(1)": "is never reached",
    "if true\n  return\nelse\n  end game\ndraw(1)": "is never reached",
    "loop as a\n  draw(1)\ndraw(1)": "is never reached",
    "return 1": "the function gives nothing",
    "call other(1)": "there is no function other",
    "x: int = call g()": "g takes 1, not 0",
    "x: int = call g(true)": "int is wanted, not bool",
    "call g(1)": "what g gives is needed",
    "x: bool = call g(1)": "g gives int, not bool",
    "x: bool = call h()": "h gives nothing, not bool",
}


@pytest.mark.parametrize(("body", "message"), [*NAMES.items(), *TYPES.items(), *CONTROL.items()])
def test_what_is_wrong_is_found(body: str, message: str) -> None:
    lines = "".join(f"  {line}\n" for line in body.splitlines())
    others = "pure function g(n: int) -> int\n  return n\nfunction h()\n  draw(1)\n"
    assert messages(f"function f(p: seat)\n{lines}{others}") == [message]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("function f() -> int\n  draw(1)\n", ["may end without giving anything"]),
        ("function f() -> int\n  if true\n    return 1\n", ["may end without giving anything"]),
        ("function f() -> int\n  switch 1\n    case 1\n      return 1\n", ["may end without giving anything"]),
        ("function f() -> int\n  return\n", ["the function gives int"]),
        ("function f() -> int\n  return true\n", ["True is no int"]),
        ("function f() -> int\n  return card(1)\n", ["int is wanted, not card"]),
        ("function f() -> int\n  if true\n    return 1\n  else\n    check false else none-used @0\n", []),
        ("function f() -> int\n  loop as a\n    draw(1)\n", []),
        ("asking function f()\n  draw(1)\n", ["is said to ask, and does not"]),
        ("function f()\n  x: member[orientation] = ask_side[0](seat(0), card(1))\n", ["asks"]),
        ("function f()\n  call g()\nasking function g()\n  x: int = ask_number(seat(0), 1, 2, 1)\n", ["asks"]),
        ("function f()\n  var x: int\n  if true\n    set x = 1\n  draw(x)\n", []),
        (
            'asking function f()\n  m: menu = new_menu()\n  c: int = ask[0, "", g, f](seat(0), m)\n',
            ["there is no function g"],
        ),
        ("pure function f()\n  draw(1)\n", ["a pure function does not draw"]),
        ("pure function f()\n  end game\n", ["a pure function does not end the game"]),
        ("pure function f()\n  call g()\nfunction g()\n  draw(1)\n", ["a pure function does not call g"]),
        ("var x: int\n", []),
    ],
)
def test_what_is_wrong_with_a_whole_function(text: str, found: list[str]) -> None:
    if text.startswith("var"):  # what a turn of a loop sets, the next may read
        text = "function f()\n  var x: int\n  loop as a\n    if true\n      draw(x)\n    set x = 1\n"
    assert messages(text) == found


# ---- what the text cannot say


def faults(*statements: Statement, places: int = 1) -> list[str]:
    span = Span(Source("a.yaml", "a"), 0, 1)
    function = Function("f", (Name("p", SEAT),), None, statements)
    program = Program({"f": function}, [Place(span)] * places)
    return [fault.message for fault in faults_of(program)]


def test_a_name_has_one_type() -> None:
    assert faults(Let(None, Op.SAY, (Name("p", INT),), (0,))) == ["`p` is seat, not int"]
    assert faults(Set(Name("q", INT), Const(1, INT))) == ["`q` is not in scope", "`q` is no variable"]


def test_a_name_is_declared_once() -> None:
    count = Let(Name("n", INT), Op.SEAT_COUNT)
    assert faults(If(Const(True, BOOL), (count,), (count,))) == ["`n` is declared twice"]
    assert faults(Let(Name("p", INT), Op.SEAT_COUNT)) == ["`p` is declared twice"]


def test_a_place_is_one_of_the_program() -> None:
    assert faults(Check(Const(True, BOOL), "none-used", 1)) == ["there is no place 1"]
    assert faults(Check(Const(True, BOOL), "none-used", 0)) == []
    assert faults(Let(None, Op.DRAW, (Const(1, INT),), (1,))) == ["draw is at a place of the program, not 1"]
    assert faults(Let(None, Op.DRAW, (Const(1, INT),))) == ["draw is at a place of the program, not nowhere"]
    assert faults(Let(None, Op.DRAW, (Const(1, INT),), (0,))) == []


def test_a_function_is_called_as_the_program_says() -> None:
    program = Program({"g": Function("f", (), None)})
    assert [str(fault) for fault in faults_of(program)] == ["f: is called g by the program"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x: int? = load[paid](seat(1))", ""),
        ("x: int? = load[paids](seat(1))", "there is no variable paids"),
        ("x: int? = load[paid]()", "paid is of (seat), not of ()"),
        ("x: seat? = load[winner](seat(1))", "winner is of (), not of (seat)"),
        ("x: int? = load[paid](card(1))", "paid is of (seat), not of (card)"),
        ("x: int = load[paid](seat(1))", "load gives int?, not int"),
        ("store[paid](true, seat(1))", "the variable paid is int?, not bool"),
        ("store[paid](none, seat(1))", ""),
        ("x: zone = zone_at[hand](seat(1))", ""),
        ("x: zone = zone_at[hand, place](seat(1), 0)", ""),
        ("x: zone = zone_at[hand, place](seat(1))", "the place is a number"),
        ("x: zone = zone_at[hand]()", "hand is of (seat), not of ()"),
        ("x: zones = zones_of[hands]()", "there is no zone hands"),
        ("x: int = option[chips]()", "there is no option chips"),
        ("x: member[a] = mark[colour](card(1))", "there is no mark colour"),
        ("x: bool = has_spot[y](zone(1))", "there is no variable y"),
        ("x: card = named_card[1000]()", "there is no face 1000"),
        ("x: card = named_card[0]()", ""),
        ("see[1](1)", "there is no measure 1"),
        ("x: hand[a] = best_hand[a]()", "there is no ranking a"),
        ("y: cards = all_cards()\n  x: total = total[a](y)", "there is no total a"),
        ("y: cards = all_cards()\n  x: bool = is_meld[a](y)", "there is no meld a"),
    ],
)
def test_what_an_operation_is_about_is_declared(rules: Callable[..., Rules], line: str, message: str) -> None:
    text = f"function f()\n  {line}\n"
    assert messages(text, rules("kuhn")) == ([message] if message else [])
    assert messages(text) == [] or "there is no" not in message


def test_all_faults_are_said_with_their_statements() -> None:
    with pytest.raises(CoreFault) as error:
        verify(parse_program("function f()\n  x: int = add(1, true)\n  break a\n"))
    assert str(error.value).splitlines() == [
        "f: `x: int = add(1, true)`: add takes int, not bool",
        "f: `break a`: there is no loop `a` around it",
    ]


# ---- what passes could break


def test_a_let_that_is_lost_is_missed(program: Callable[[str], Program]) -> None:
    """Each name that is let at the top of a function, and read there, is needed by what follows."""
    whole = program("two-win")
    lost = 0
    for name, function in whole.functions.items():
        for place, statement in enumerate(function.body):
            if isinstance(statement, Let) and statement.target is not None and is_read(statement.target, function):
                body = function.body[:place] + function.body[place + 1 :]
                without = Program({**whole.functions, name: replace(function, body=body)}, whole.places)
                broken = [fault for fault in faults_of(without) if fault.function == name]
                assert f"`{statement.target.text}` is not in scope" in {fault.message for fault in broken}
                lost += 1
                break
    assert lost > 10


def is_read(name: Name, function: Function) -> bool:
    return any(name in operands_of(statement) for statement in walk(function.body))


def test_every_operation_has_a_signature() -> None:
    assert set(SIGNATURES) == set(Op)
