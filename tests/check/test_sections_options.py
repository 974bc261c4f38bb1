"""Options: what they may be, and what they can be set to."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.check.options import option_value, set_options
from trionfi.dsl.diagnostics import Diagnostic, RulesError
from trionfi.dsl.tree import Ruleset

Text = Callable[..., str]
Said = Callable[[str], list[str]]

ALL_KINDS = """
  bet: {default: 10, range: 1..100, multiple_of: chip}
  chip: {default: 5, range: 1..50}
  limit: {choices: [no_limit, pot_limit], default: no_limit}
  wild: {default: false}
  payout: {kind: ratio, default: 3:2}
"""
USES = (
    "{score(player): (bet + chip if wild else 1) + "
    "(player.hand.count * payout rounded down) + (1 if limit is no_limit else 0)}"
)


@pytest.fixture
def rules(small_game: Text) -> Ruleset:
    ruleset, diagnostics = read_ruleset("small", small_game(options=ALL_KINDS, result=USES))
    assert [str(one) for one in diagnostics] == []
    assert ruleset is not None
    return ruleset


def test_defaults_have_the_kind_of_their_option(rules: Ruleset) -> None:
    values = {name: option.default for name, option in rules.options.items()}
    assert values == {"bet": 10, "chip": 5, "limit": 0, "wild": False, "payout": Fraction(3, 2)}


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("bet", "20", 20),
        ("bet", 20, 20),
        ("limit", "pot_limit", 1),
        ("wild", "true", True),
        ("wild", True, True),
        ("payout", "6:5", Fraction(6, 5)),
        ("payout", "2", Fraction(2)),
        ("payout", Fraction(6, 5), Fraction(6, 5)),
    ],
)
def test_an_option_takes_texts_and_python_values(rules: Ruleset, name: str, given: object, value: object) -> None:
    found = option_value(rules, rules.options[name], given)
    assert (found, type(found)) == (value, type(value))
    assert set_options(rules, {name: given})[name] == value


@pytest.mark.parametrize(
    ("name", "given", "message", "hint"),
    [
        ("bet", "0", "`bet` is from 1 to 100, not 0", ""),
        ("bet", "1_0", "`bet` is a whole number, not `1_0`", "write `10`"),
        ("bet", True, "`bet` is a whole number, not `true`", ""),
        ("bet", 2.5, "`bet` is a whole number, not `2.5`", ""),
        ("limit", "potlimit", "`limit` is one of no_limit, pot_limit, not `potlimit`", "did you mean `pot_limit`?"),
        ("wild", "no", "`wild` is `true` or `false`, not `no`", "write `false`"),
        ("payout", "1.5", "`payout` is a ratio such as `3:2`, not `1.5`", ""),
        ("payout", "3:0", "`payout` is a ratio such as `3:2`, not `3:0`", ""),
    ],
)
def test_a_value_that_does_not_do_is_told_at_the_option(
    rules: Ruleset, name: str, given: object, message: str, hint: str
) -> None:
    found = option_value(rules, rules.options[name], given)
    assert isinstance(found, Diagnostic)
    assert (found.code, found.message, found.hint, found.span.text) == ("option-value", message, hint, name)


def test_setting_options_tells_everything_that_is_wrong(rules: Ruleset) -> None:
    with pytest.raises(RulesError) as raised:
        set_options(rules, {"bett": 20, "wild": "maybe"})
    told = [(one.code, one.message, one.hint) for one in raised.value.diagnostics]
    assert told == [
        ("no-such-option", "there is no option `bett`", "did you mean `bet`?"),
        ("option-value", "`wild` is `true` or `false`, not `maybe`", ""),
    ]


def test_an_amount_is_a_multiple_of_what_is_set_with_it(rules: Ruleset) -> None:
    assert set_options(rules, {"bet": 12, "chip": 4})["bet"] == 12
    with pytest.raises(RulesError) as raised:
        set_options(rules, {"bet": 12})
    (one,) = raised.value.diagnostics
    assert (one.code, one.message, one.hint) == (
        "option-multiple",
        "`bet` is a multiple of 5, not 12",
        "try 10 or 15",
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("{default: 0, range: 1..5}", "0 > error `goal` is from 1 to 5, not 0 [wrong-value]"),
        ("{default: no}", "no > error `goal` is `true` or `false`, not `no` [wrong-value] (write `false`)"),
        (
            "{default: 1_000, range: 1..5000}",
            "1_000 > error `goal` is a whole number, not `1_000` [wrong-value] (write `1000`)",
        ),
        ("{default: a, choices: [b, c]}", "a > error `goal` is one of b, c, not `a` [wrong-value]"),
        ("{default: b, choices: [b, b]}", "b > error `b` stands twice in the choices of `goal` [wrong-value]"),
        ("{range: 1..5}", "{range: 1..5} > error `goal` needs the key `default` [missing-key]"),
        (
            "{default: 3, range: 5..1}",
            "5..1 > error the range of `goal` goes from the lower to the higher number, not from 5 to 1 [wrong-value] (write `1..5`)",
        ),
        (
            "{default: 12, multiple_of: 5}",
            "goal > error `goal` is a multiple of 5, not 12 [option-multiple] (try 10 or 15)",
        ),
    ],
)
def test_an_option_that_is_wrong(small_game: Text, said: Said, option: str, message: str) -> None:
    text = small_game(options=f"{{goal: {option}}}", result="{score(player): 1 if goal is goal else 0}")
    assert said(text)[:1] == [message]


def test_a_choice_that_has_the_name_of_a_zone(small_game: Text, said: Said) -> None:
    options = "{draw: {choices: [pile, blind], default: pile}}"
    assert said(small_game(options=options, result="{score(player): 1 if draw is pile else 0}")) == [
        "pile > error `pile` is a zone, and a word of `draw`, too [duplicate-name] (give it another name)"
    ]
