"""What script's mistakes are called: the rule, the place, and how to write it."""

from __future__ import annotations

import pytest

from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.nodes import Scalar, Sequence
from trionfi.dsl.reader import read_text
from trionfi.dsl.script import parse_slot
from trionfi.dsl.source import Source


def report(start: str, text: str) -> Diagnostics:
    diagnostics = Diagnostics()
    root = read_text(Source("game.yaml", text), diagnostics)
    assert root is not None
    value = root.entries[0].value
    for scalar in value.items if isinstance(value, Sequence) else [value]:
        assert isinstance(scalar, Scalar)
        assert parse_slot(start, scalar, diagnostics) is None
    return diagnostics


def of_script(script: str) -> list[tuple[int, int, str, str, str]]:
    """Line and column within the script, code, message and hint of all that is wrong."""
    text = "x: |\n" + "".join(f"  {line}\n" for line in script.split("\n"))
    return [(d.span.line - 1, d.span.column - 2, d.code, d.message, d.hint) for d in report("script", text)]


SCRIPT_SLIPS = [
    # forms of statements
    (
        "deal 5 stock to hand",
        (1, 8, "syntax"),
        "after `deal 5` comes `from`, not `stock`",
        "the form is `deal 5 from stock to player.hand`",
    ),
    (
        "deal 5 cards from stock to hand",
        (1, 1, "syntax"),
        "`deal` says the number alone",
        "write `deal 5 from stock to hand`",
    ),
    ("dael 5 from stock to hand", (1, 1, "syntax"), "no statement begins with `dael`", "did you mean `deal`?"),
    ("deal 5 from stock", (1, 13, "syntax"), "after `5 from stock` comes `to`, not the end of the line", "the form is"),
    (
        "deal 5 from stock too hand",
        (1, 19, "syntax"),
        "after `5 from stock` comes `to`, not `too`",
        "did you mean `to`?",
    ),
    (
        "move 2 cards from a to b",
        (1, 1, "syntax"),
        "`move` names the cards that it moves",
        "write `move (top 2 cards in a) to b`",
    ),
    ("shuffle", (1, 1, "syntax"), "after `shuffle` comes a value, not the end of the line", "`shuffle stock`"),
    ("say hello", (1, 1, "syntax"), "`say` is followed by a text in quotes", 'write `say "hello"`'),
    ("let x 3", (1, 7, "syntax"), "after `let x` comes `=`, not `3`", "`let winner = leader.opponent`"),
    ("end the game", (1, 5, "syntax"), "things are named without an article", "write `game`"),
    ("pay 5 to pot", (1, 7, "syntax"), "after `pay 5` comes `from`, not `to`", "`pay 5 from player.chips to pot`"),
    ("repeat 5: stop", (1, 9, "syntax"), "after `repeat 5` comes `times`, not `:`", "the form is `repeat 3 times:`"),
    ("stop stop", (1, 6, "syntax"), "`stop` is complete, and `stop` follows", ""),
    ("play_trick leader", (1, 12, "syntax"), "called with stands in parentheses", "write `play_trick(leader)`"),
    ("x is 3", (1, 3, "syntax"), "a condition by itself is no statement", "`x = ...` sets it, `if x is 3:` asks"),
    (
        "x = 3; y = 4",
        (1, 6, "syntax"),
        "each statement stands on a line of its own",
        "put what follows on the next line",
    ),
    ("for card in hand: stop", (1, 5, "syntax"), "begins with `for each`", "write `for each card in hand: stop`"),
    (
        "x = a if b",
        (1, 1, "syntax"),
        "what is done under a condition stands behind it",
        "write `if b: x = a`",
    ),
    ("starting x", (1, 1, "syntax"), "a statement begins otherwise than with `starting`", ""),
    (
        "for number n from 1 to 5: stop",
        (1, 5, "syntax"),
        "what goes over several things begins with `for each`",
        "write `for each number n from 1 to 5: stop`",
    ),
    (
        "for each number n in 1..5: stop",
        (1, 19, "syntax"),
        "numbers go `from` one `to` another, and `in` follows",
        "write `number n from 1 to 6`",
    ),
    ("x = random number between 1 and 6", (1, 27, "syntax"), "numbers go `from` one `to` another", "write `number n"),
    (
        "x = count of sets of cards in hand",
        (1, 14, "syntax"),
        "sets of cards say of how many they are",
        "write `sets of 2..5 cards`",
    ),
    # decisions
    (
        "p chooses card from hand as x",
        (1, 16, "syntax"),
        "a choice says how many",
        "write `chooses 1 card from hand as x`",
    ),
    ("p chooses 1 card from hand", (1, 23, "syntax"), "comes `as` or `where`, not the end of the line", "as lead`"),
    (
        "p choose 1 card from hand as x",
        (1, 3, "syntax"),
        "no statement goes like this: `p choose`",
        "did you mean `chooses`?",
    ),
    (
        'p chooses:\n  "a": stop',
        (1, 10, "menu"),
        "a menu is a decision with a name",
        "write `player chooses as betting:`",
    ),
    ("p chooses as bet:\n  fold if x: stop", (2, 3, "menu"), "its label in quotes", 'write `"fold"`'),
    ('p chooses as bet:\n  "a" for card in hand: stop', (2, 11, "syntax"), 'after `"a" for` comes `each`', ""),
    (
        "each player secretly choose:\n  1 card from hand as x",
        (1, 22, "syntax"),
        "comes `chooses`",
        "did you mean `chooses`?",
    ),
    # blocks
    ("if x\n  stop", (1, 4, "block"), "a line that begins with `if` ends with a colon", "put `:` at its end"),
    ("for each card in a\n  stop", (1, 18, "block"), "a line that begins with `for each` ends with a colon", "put `:`"),
    ("if x then stop", (1, 5, "block"), "a colon stands behind the condition, not `then`", "write `:`"),
    ("if x:\nstop", (1, 5, "block"), "or below it a block of deeper lines", "indent the lines that belong to it"),
    (
        "if x:\n  stop\n stop",
        (3, 2, "block"),
        "in a column of no block above it",
        "the column of the lines that it belongs to",
    ),
    ("if x: stop else: stop", (1, 12, "block"), "`else` begins a line of its own", "in the column of its `if`"),
    ("else: stop", (1, 1, "block"), "`else` follows the block of an `if`", "is this line indented as its `if` is?"),
    ("if x: stop\nelif y: stop", (2, 1, "syntax"), "two words, `else if`", "write `else if`"),
    # operators
    ("if x = 3: stop", (1, 6, "operator"), "`=` sets a variable; what is equal is written `is`", "write `x is 3`"),
    ("if x == 3: stop", (1, 6, "operator"), "what is equal is written `is`", "write `x is 3`"),
    ("x == 3", (1, 3, "operator"), "what is equal is written `is`", "write `x = 3`, or `if x is 3:`"),
    ("if x != 3: stop", (1, 6, "operator"), "what is not equal is written `is not`", "write `x is not 3`"),
    ("x += 3", (1, 3, "operator"), "has a statement of its own", "write `add 3 to x`"),
    ("p.score -= 2", (1, 9, "operator"), "has a statement of its own", "write `subtract 2 from p.score`"),
    ("x := 3", (1, 3, "operator"), "`:=` is no sign of the language", "write `=`"),
    ("if x && y: stop", (1, 6, "operator"), "both of two conditions are written `and`", "write `and`"),
    ("if x || y: stop", (1, 6, "operator"), "one of two conditions is written `or`", "write `or`"),
    ("if !x: stop", (1, 4, "operator"), "what is not so is written `not`", "write `not x`"),
    ("x = 5 % 3", (1, 7, "operator"), "the rest of a division is written `mod`", "write `mod`"),
    ("x = 5 – 3", (1, 7, "operator"), "a minus is written `-`", ""),
    ("if a < b < c: stop", (1, 4, "operator"), "one comparison compares two values", "write `a < b and b < c`"),
    ("if a equals b: stop", (1, 6, "operator"), "`equals` is no word of the language; it has `is`", "`a is b`"),
    ("p's hand = 3", (1, 2, "operator"), "what belongs to someone is written with a dot", "write `p.hand`"),
    ("move leader's hand to a", (1, 12, "operator"), "what belongs to someone is written with a dot", "`leader.hand`"),
    ("x = {a}", (1, 5, "operator"), "values in braces stand within quoted texts only", 'write `say "{player} passes"`'),
    ("if a and b or c: stop", (1, 12, "and-or"), "are kept apart by parentheses", "write `(a and b) or c`"),
    ("if a or b and c: stop", (1, 11, "and-or"), "are kept apart by parentheses", "write `a or (b and c)`"),
    # queries
    (
        "if count of live players > 1: stop",
        (1, 4, "query"),
        "stands in parentheses",
        "write `(count of live players) > 1`",
    ),
    ("if x > count of players: stop", (1, 8, "query"), "stands in parentheses", "write `(count of players)`"),
    ("if x is the player: stop", (1, 9, "query"), "stands in parentheses", "write `(the player)`"),
    ("if any card in hand > 3: stop", (1, 21, "syntax"), "comes `:` or `where`, not `>`", ""),
    # brackets and quotes
    ("x = (1 + 2", (1, 5, "brackets"), "`(` is opened here and not closed", "close it with `)`"),
    ("x = f(a, b\nstop", (1, 6, "brackets"), "`(` is opened here and not closed", "close it with `)`"),
    ("x = 1 + 2)", (1, 10, "brackets"), "`)` closes a bracket that nothing has opened", ""),
    ('say "hello', (1, 5, "brackets"), "ends with a quote in the line where it begins", 'close it with `"`'),
    ("say “hello”", (1, 5, "brackets"), "texts stand in straight quotes", 'write `"hello"`'),
    # numbers
    ("x = 1_000", (1, 5, "not-a-number"), "numbers are written in digits only, not `1_000`", "write `1000`"),
    ("x = 1e3", (1, 5, "not-a-number"), "numbers are written in digits only, not `1e3`", "write `1000`"),
    ("x = 1.5", (1, 5, "not-a-number"), "numbers are whole, not `1.5`", "rounded down"),
    ("x = 3cards", (1, 5, "not-a-number"), "`3cards` is neither a number nor a name", "`3 cards`"),
    ("x = 3:2", (1, 6, "syntax"), "a ratio such as `3:2` is the value of an option", "write `3 / 2`"),
    # words
    ("let turn = 3", (1, 5, "word-out-of-place"), "`turn` is a word of the language", "try `turn_of`"),
    ("p1 chooses 1 card from hand as then", (1, 32, "syntax"), "not `then`", "the form is `player chooses 1 card"),
    ("x = no", (1, 5, "word-out-of-place"), "the truths are `true` and `false`, not `no`", "write `false`"),
    ("größe = 3", (1, 3, "syntax"), "names are made of the letters a to z", ""),
]


@pytest.mark.parametrize(("script", "place", "message", "hint"), SCRIPT_SLIPS, ids=[slip[0] for slip in SCRIPT_SLIPS])
def test_slip_of_a_script(script: str, place: tuple[int, int, str], message: str, hint: str) -> None:
    found = of_script(script)
    assert [f[:3] for f in found] == [place]
    assert message in found[0][3]
    assert hint in found[0][4]


SLOT_SLIPS = [
    ("expr", "x: 1 +\n", (1, 6, "syntax"), "after `1 +` comes a value, not the end", ""),
    ("expr", "x: a b\n", (1, 6, "syntax"), "`a` is complete, and `b` follows", ""),
    ("expr", "x: no\n", (1, 4, "word-out-of-place"), "the truths are `true` and `false`", "write `false`"),
    ("expr", "x: count of x where a > 3 > 2\n", (1, 4, "query"), "in parentheses", "`(count of x where a > 3) > 2`"),
    ("expr", "x: \n", (1, 3, "empty-slot"), "an expression is wanted here, and nothing stands here", ""),
    ("expr", "x: [a(b, c)]\n", (1, 5, "brackets"), "YAML cuts a text within [ ] or { } at its commas", "in quotes"),
    ("expr", "x: '\"it''s\" = a'\n", (1, 13, "operator"), "`=` sets a variable", ""),
    ("expr", 'x: "\\x61 = b"\n', (1, 10, "operator"), "`=` sets a variable", "write `a is b`"),
    ("script", "x:\n  stop\n  shuffle a\n", (3, 3, "block"), "a script of several lines stands after `|`", "put `|`"),
    ("signature", "x: f(player p, card c\n", (1, 5, "brackets"), "`(` is opened here", ""),
    (
        "signature",
        "x: f(a b c)\n",
        (1, 10, "syntax"),
        "after `f(a b` comes `,` or `)`, not `c`",
        "`may_play(player p, card",
    ),
    ("signature", "x: turn(player)\n", (1, 4, "word-out-of-place"), "`turn` is a word of the language", ""),
    ("signature", "x: if not alone()\n", (1, 4, "block"), "stands in the column of the entries", "indent it"),
    ("pattern", "x: flush\n", (1, 4, "syntax"), "a pattern of cards begins otherwise", "`3 alike, 2 alike`"),
    ("pattern", "x: run 5\n", (1, 8, "syntax"), "after `run` comes `of`, not `5`", ""),
    ("pattern", "x: run of 2 groups 3 alike\n", (1, 20, "syntax"), "after `of 2 groups` comes `of`, not `3`", ""),
    ("pattern", "x: nothing more\n", (1, 12, "syntax"), "after `nothing` comes `else`, not `more`", ""),
    ("targets", "x: 1 card in a\n", (1, 11, "syntax"), "after `1 card` comes `from`, not `in`", "`0..3 cards from"),
    ("alteration", "x: each target is hearts\n", (1, 16, "syntax"), "comes `has`, not `is`", "has suit hearts`"),
    ("order", "x: groups card.rank\n", (1, 11, "syntax"), "after `groups` comes `by`", "`groups by card.rank`"),
]


@pytest.mark.parametrize(
    ("start", "text", "place", "message", "hint"), SLOT_SLIPS, ids=[s[1].strip() for s in SLOT_SLIPS]
)
def test_slip_of_a_slot(start: str, text: str, place: tuple[int, int, str], message: str, hint: str) -> None:
    found = list(report(start, text))
    assert (found[0].span.line, found[0].span.column, found[0].code) == place
    assert message in found[0].message
    assert hint in found[0].hint


def test_whole_message() -> None:
    assert "\n".join(map(str, report("script", "x: |\n  if a = 3:\n    stop\n"))) == (
        "game.yaml:2:8: error: `=` sets a variable; what is equal is written `is` [operator]\n"
        "    2 |   if a = 3:\n"
        "      |        ^\n"
        "      = write `a is 3`"
    )


# ---- several in one script

LONG = """\
deal 5 stock to hand
shuffle stock
if x = 3:
  move lead trick
  p chooses as bet:
    fold if x: stop
    "call" if y = 2:
      dael 5 from stock to hand
      pay 5 to pot
    "raise": stop
  stop
else:
  x += 1
for card in hand:
  x = (1 + 2
  y = 4
each player secretly choose:
  2 cards from player.hand
if x
  stop stop
elif y:
  stop
x = foo(1,
  2 3)
shuffle"""


def test_every_broken_statement_is_found_and_nothing_else() -> None:
    assert [line for line, *_ in of_script(LONG)] == [1, 3, 4, 6, 7, 8, 9, 13, 14, 15, 17, 18, 19, 20, 21, 24, 25]


def test_a_slip_before_a_block_does_not_lose_the_block() -> None:
    assert [f[:2] for f in of_script("repeat until\n  stop\n  x is 3\nwhile x = 1:\n  y is 4")] == [
        (2, 3),
        (3, 5),
        (4, 9),
        (5, 5),
    ]


def test_what_is_missing_at_the_end_of_a_text_is_pointed_at_within_it() -> None:
    from trionfi.dsl import read_ruleset

    text = "trionfi: 1\nname: Cut\nplay: |\n  shuffle stock\n  say"
    spans = [one.span for one in read_ruleset("cut.yaml", text)[1] if one.code == "syntax"]
    assert [(span.start, span.end) for span in spans] == [(len(text), len(text))]
