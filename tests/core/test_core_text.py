"""The core as text: what is printed is read again as it was; what is no core is said with its line."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from trionfi.core.desugar.writer import Writer
from trionfi.core.ir import (
    Break,
    Call,
    Check,
    Const,
    Continue,
    Each,
    EndGame,
    For,
    Function,
    If,
    Let,
    Loop,
    Name,
    Program,
    Push,
    Return,
    Set,
    Statement,
    Switch,
    Var,
)
from trionfi.core.ops import Op
from trionfi.core.text import CoreTextError, parse_function, parse_program, print_function, print_program
from trionfi.core.types import BOOL, CARD, CARDS, FRACTION, INT, NONE, SEAT, SEATS, CoreType, Kind

SUIT = CoreType(Kind.MEMBER, "suit")
ONE = Const(1, INT)


def test_what_is_printed_is_read_again(program: Callable[[str], Program], game: str) -> None:
    whole = program(game)
    for function in whole.functions.values():
        assert parse_function(print_function(function, whole.places)) == function
    assert parse_program(print_program(whole)).functions == whole.functions


# ---- every form

EVERY_FORM = """\
pure asking function "two words"(p: seat?, cards: cards) -> member[suit]?
  var best: member[suit]? = none
  var unset: list[list[seat]]
  zone_of: zone? = zone_of(card(3))
  store["of two", 1, -1](5, p)
  check true else none-used @17
  for i: int from 0 below 9 as count
    if false
      continue count
    else
      break count
  each seat: seat in seats(5) from seat(1) as each
    push unset, seat
  loop as again
    switch i.2
      case -1
        set best = 2
      case 3
      else
        set best = member[suit](1)
  n: int = call define.other(p, fraction(1/2), int[none]?(none))
  call define.other()
  end game
  return none
"""


def test_each_form_is_read_and_printed_as_it_stands() -> None:
    text = EVERY_FORM.replace("  loop as again\n", "  i.2: int = seat_count()\n  loop as again\n").replace(
        "int[none]?(none)", "none"
    )
    assert print_function(parse_function(text)) == text


FULL = Function(
    "f",
    (Name("p", SEAT.maybe),),
    SUIT.maybe,
    (
        Var(Name("x", CARD.maybe), Const(None, NONE)),
        Var(Name("y", CARD.maybe), Const(None, CARD.maybe)),
        Set(Name("y", CARD.maybe), Const(3, CARD)),
        Let(Name("card", CARD), Op.NAMED_CARD, (), (3, "3", 'a "b"', "é")),
        Let(None, Op.TURN, (Const(3, CARD), Const(True, BOOL))),
        Let(Name("z", BOOL), Op.SAME, (Name("card", CARD), Const(3, CARD))),
        Var(Name("cards", CARDS)),
        Push(Name("cards", CARDS), Name("card", CARD)),
        Check(Const(1, BOOL), "none-used", 0),
        If(Const(True, BOOL), (), (Break("a"),)),
        If(Const(True, BOOL), (If(Const(False, BOOL), (EndGame(),)),), (Continue("a"),)),
        If(Const(True, BOOL), ()),
        Switch(ONE, (), ()),
        Switch(ONE, ((1, ()), (2, (Switch(ONE, (), (EndGame(),)),))), (EndGame(),)),
        Loop("a", ()),
        For("b", Name("i", INT), Const(-1, INT), Const(1 << 62, INT), ()),
        Each("c", Name("s", SEAT), Const(0, SEATS), (), Const(0, SEAT)),
        Call(None, "g", (Const(Fraction(3), FRACTION), Const(Fraction(-1, 3), FRACTION))),
        Call(Name("call", INT), "g"),
        Let(Name("if", INT), Op.ADD, (Name("call", INT), ONE)),
        Return(Const(None, SUIT.maybe)),
        Return(Const(2, SUIT)),
        Return(Const(None, NONE)),
        Return(),
    ),
    pure=True,
)


def test_values_keep_their_types_and_names_may_be_words_of_the_core() -> None:
    again = parse_function(print_function(FULL))
    assert again == FULL
    assert repr(again) == repr(FULL)  # 1 is not true


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (ONE, "1"),
        (Const(-7, INT), "-7"),
        (Const(1, INT.maybe), "int?(1)"),
        (Const(True, BOOL), "true"),
        (Const(None, NONE), "none"),
        (Const(None, CARD.maybe), "card?(none)"),
        (Const(3, SUIT), "member[suit](3)"),
        (Const(Fraction(3), FRACTION), "fraction(3/1)"),
    ],
)
def test_a_constant_says_its_type_where_it_must(value: Const, printed: str) -> None:
    text = f"function f()\n  say({printed})\n"
    function = Function("f", (), None, (Let(None, Op.SAY, (value,)),))
    assert print_function(function) == text
    read = parse_function(text)
    assert read == function
    (said,) = read.body
    assert isinstance(said, Let)
    assert type(said.args[0].value) is type(value.value)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("statement", "printed"),
    [
        (Var(Name("x", CARD.maybe), Const(None, CARD.maybe)), "var x: card? = none"),
        (Var(Name("x", CARD.maybe), Const(None, NONE)), "var x: card? = int[none]?(none)"),
        (Var(Name("x", CARD.maybe), Const(3, CARD)), "var x: card? = card(3)"),
        (Var(Name("x", INT.maybe), ONE), "var x: int? = int(1)"),
    ],
)
def test_beside_a_type_the_bare_value_is_of_it(statement: Statement, printed: str) -> None:
    text = f"function f()\n  {printed}\n"
    assert print_function(Function("f", (), None, (statement,))) == text
    assert parse_function(text).body == (statement,)


def test_remarks_and_empty_lines_are_not_read() -> None:
    text = 'function f()  # of a game\n\n  # nothing yet\n  say["# no remark"]()\n'
    assert parse_function(text).body == (Let(None, Op.SAY, (), ("# no remark",)),)


def test_a_check_says_the_line_of_the_ruleset(program: Callable[[str], Program]) -> None:
    whole = program("kuhn")
    checks = [line for line in print_program(whole).splitlines() if line.lstrip().startswith("check")]
    assert checks
    assert all("kuhn.yaml:" in line for line in checks)


# ---- errors


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("  x: int = plus(1, 2)", "line 2: there is no operation `plus`"),
        ("  x: number = add(1, 2)", "line 2: there is no type `number`"),
        ("  turn(c, true)", "line 2: `c` is not declared above"),
        ("  x: int = add(1 2)", "line 2: `,` expected, not `2`"),
        ("  x: int = add(1, 2", "line 2: `,` expected, not the line's end"),
        ("  x: int = add(1, 2) 3", "line 2: `3` is too much"),
        ("  x: int = add(1, 2)\n  x: int = add(1, 2)", "line 3: `x` is declared already"),
        ("  none: int = add(1, 2)", "line 2: `none` is a constant"),
        ("  check true otherwise none-used @1", "line 2: `else` expected, not `otherwise`"),
        ("  check true else none-used", "line 2: `@` expected, not the line's end"),
        ("  say(1/2)", "line 2: `1/2` needs its type: `fraction(1/2)`"),
        ("  say(fraction(1/0))", "line 2: `1/0` divides by 0"),
        ("  say($)", "line 2: `$)` is no core"),
        ('  say["a]()', 'line 2: `"a]()` is no core'),
        ("    return", "line 2: indented by 4, not by 2"),
        ("  if true\n   return", "line 3: indented by 3, not by 4"),
        ("  return\n    return", "line 3: indented by 4, not by 2"),
        ("  else", "line 2: `else` stands behind no `if` or `switch`"),
        ("  case 1", "line 2: `case` stands behind no `if` or `switch`"),
        ("  end", "line 2: `game` expected, not the line's end"),
        ("  loop", "line 2: `as` expected, not the line's end"),
        ("  switch 1\n    case x", "line 3: number expected, not `x`"),
        ("function g()", "line 2: one function ends before this line"),
    ],
)
def test_what_is_no_core_is_said_with_its_line(body: str, message: str) -> None:
    with pytest.raises(CoreTextError) as error:
        parse_function(f"function f()\n{body}\n")
    assert str(error.value) == message


def test_a_text_without_a_function() -> None:
    with pytest.raises(CoreTextError, match="line 1: a function expected, not the text's end"):
        parse_function("# nothing\n")
    assert parse_program("").functions == {}


def test_no_name_is_written_as_a_constant() -> None:
    writer = Writer(Program())
    assert [writer.fresh(hint, INT).text for hint in ("none", "true", "n", "n")] == ["none.2", "true.2", "n", "n.2"]
