"""Numbers of more than 64 bits are refused where they are read, wherever a number may stand."""

from __future__ import annotations

import pytest

from trionfi.dsl.diagnostics import RulesError
from trionfi.dsl.numbers import HIGHEST, LOWEST, read_whole
from trionfi.interpreter.errors import StackError
from trionfi.interpreter.rules import Rules, load

TEXT = """\
trionfi: 1
name: Large
players: 2
deck: {from: standard, ace: high}
table: {stock: {start: deck, face: up}, hand: {per: player, face: up}}
options:
  amount: {default: 5, range: 0..9223372036854775807}
  odds: {kind: ratio, default: 3:2}
variables:
  pot: {start: 0}
play: |
  shuffle stock
  deal 1 from stock to each hand
  pot = 1
  p1 chooses as x:
    "a": say "{1}"
    "b": say "b"
result: {score(player): amount + pot}
tests:
  - "one":
      set: {pot: 7}
      expect: [pot is 7]
"""
TOO_MUCH = [HIGHEST + 2, 99999999999999999999, 10**5000]

GIVEN = [HIGHEST + 1, LOWEST - 1, str(10**19), 10**5000, "1" * 5000]

# what stands in the text, and where the number goes
PLACES = [
    ("pot = 1", "pot = N"),
    ("pot = 1", "pot = -N"),
    ("pot = 1", "deal up to N from stock to each hand"),
    ("pot = 1", "if stock[N] is hearts: end game"),
    ("pot = 1", 'repeat N times: say "x"'),
    ("pot = 1", 'for i from 1 to N: say "x"'),
    ("pot = 1", "if pot is N: end game"),
    ("{1}", "{N}"),
    ("amount + pot", "N"),
    ("default: 5", "default: N"),
    ("0..9223372036854775807", "0..N"),
    ("0..9223372036854775807", "-N..5"),
    ("3:2", "N:2"),
    ("3:2", "2:N"),
    ("start: 0", "start: N"),
    ("pot: 7", "pot: N"),
    ("players: 2", "players: 2..N"),
    ("hand: {per: player, face: up}", "hand: {per: player, capacity: N}"),
    ("from: standard", "copies: N, from: standard"),
]


def read(written: str, place: str, number: int) -> Rules:
    assert TEXT.count(written) == 1, written
    digits = "1" + "0" * 5000 if number == 10**5000 else str(number)
    return load("large", text=TEXT.replace(written, place.replace("N", digits)))


@pytest.mark.parametrize("number", TOO_MUCH, ids=["65 bits", "twenty digits", "thousands of digits"])
@pytest.mark.parametrize(("written", "place"), PLACES, ids=[place for _, place in PLACES])
def test_a_number_beyond_64_bits_is_refused_where_it_stands(written: str, place: str, number: int) -> None:
    with pytest.raises(RulesError) as refused:
        read(written, place, number)
    (found,) = [one for one in refused.value.diagnostics if one.severity == "error"]
    assert found.code == "large-number"
    assert found.hint == "a number goes up to 9223372036854775807"
    assert len(found.message) < 80
    lines = TEXT.splitlines()
    assert found.span.line == 1 + next(n for n, line in enumerate(lines) if written in line)
    assert found.span.text.strip().startswith(("1", "9", "-", "0", "2"))


@pytest.mark.parametrize("written", ["pot = 1", "default: 5", "start: 0"])
def test_the_highest_number_is_read(written: str) -> None:
    place = written.replace(written[-1], "N")
    both = []
    for engine in ("reference", "native"):
        game = read(written, place, {"pot = 1": HIGHEST - 5, "default: 5": HIGHEST - 1}.get(written, HIGHEST)).start(
            seed=1, engine=engine
        )
        game.apply(0)
        both.append(game.scores)
    assert both[0] == both[1]
    assert both[0][0] == (6 if written == "start: 0" else HIGHEST)


@pytest.mark.parametrize("given", GIVEN, ids=["above", "below", "text", "vast", "vast text"])
def test_an_option_is_not_set_to_it(given: object) -> None:
    for name in ("amount", "odds"):
        with pytest.raises(RulesError) as refused:
            load("large", text=TEXT, options={name: given})
        (found,) = refused.value.diagnostics
        assert found.code == "option-value"
        assert "64 bits" in found.message or "ratio" in found.message


@pytest.mark.parametrize("given", GIVEN, ids=["above", "below", "text", "vast", "vast text"])
def test_a_variable_of_a_stacked_game_is_not_set_to_it(given: object) -> None:
    rules = load("large", text=TEXT)
    with pytest.raises(StackError, match=f"`pot`: a number goes from {LOWEST} to {HIGHEST}"):
        rules.deal(set={"pot": given})
    with pytest.raises(StackError):
        rules.deal(chance=[given])


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("9223372036854775807", HIGHEST),
        ("-9223372036854775808", LOWEST),
        ("9223372036854775808", None),
        ("-9223372036854775809", None),
        ("0" * 9000 + "7", 7),
        ("9" * 9000, None),
    ],
    ids=range(8),
)
def test_digits_are_read_within_64_bits(written: str, value: int | None) -> None:
    assert read_whole(written) == value
