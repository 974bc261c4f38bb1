"""Defines, procedures, parameters of libraries, results, measures and strategies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.tree import OptionValue
from trionfi.dsl.types import NOTHING, NUMBER, PLAYER, TRUTH

Text = Callable[..., str]
Said = Callable[[str], list[str]]


def test_order_in_the_text_does_not_matter(small_game: Text) -> None:
    text = small_game(
        define='{"high(card)": {is: value(card) > 3, else: "{card} is low"}, "value(card)": card.rank.place}',
        procedures="\n  first(player): |\n    second(player)\n    let who = third(player)\n    move who.hand to pile\n"
        "  second(player): |\n    player chooses 1 card from player.hand where high(card) or card.suit is cups as lead\n"
        "    move lead to pile\n  third(player): return left of player",
        play="|\n  deal 2 from stock to each hand\n  first(p1)",
    )
    rules, diagnostics = read_ruleset("small", text)
    assert [str(one) for one in diagnostics] == []
    assert rules is not None
    assert {name: define.type for name, define in rules.defines.items()} == {"high": TRUTH, "value": NUMBER}
    assert rules.defines["high"].reason is not None
    assert {name: (one.type, one.asks) for name, one in rules.procedures.items()} == {
        "first": (NOTHING, True),
        "second": (NOTHING, True),
        "third": (PLAYER, False),
    }
    assert rules.play.asks
    assert rules.decisions == ["lead"]


def test_recursion_prints_its_way(small_game: Text, said: Said) -> None:
    procedures = "{a(): b(), b(): c(), c(): a()}"
    found = said(
        small_game(procedures=procedures, play="|\n  a()\n  deal 1 from stock to each hand\n  move p1.hand to pile")
    )
    assert found == ["a() > error `a` would call itself: `a` calls `b` calls `c` calls `a` [recursion]"]


def test_defines_do_not_recurse_either(small_game: Text, said: Said) -> None:
    define = '{"a(number n)": 1 + b(n), "b(number n)": a(n)}'
    found = said(small_game(define=define, result="{score(player): a(1)}"))
    assert found == ["a(n) > error `a` would call itself: `a` calls `b` calls `a` [recursion]"]


@pytest.mark.parametrize(
    ("sections", "messages"),
    [
        ({"define": "{twice: 2}"}, ["twice > error `twice` is called with brackets, so it is declared with them [no-brackets] (write `twice(): ...`)"]),
        ({"define": "{twice(): {else: no}}"}, ["{else: no} > error `twice()` says what it is under `is` [wrong-value]"]),
        ({"define": "{pile(): 2}"}, ["pile > error `pile` is already a zone, declared at small:6:92 [duplicate-name]"]),
        ({"procedures": "{deal_out: move stock to pile}"}, ["deal_out > error `deal_out` is called with brackets, so it is declared with them [no-brackets] (write `deal_out(): ...`)"]),
        ({"result": "{scores(player): 1}"}, ["scores(player) > error the result has no `scores` [result-key] (write `score(player): ...`)"]),
        ({"result": "{score(): 1}"}, ["score > error `score` is that of one player [result-key] (write `score(player): ...`)"]),
        ({"result": "{score(player): player.hand}"}, ["player.hand > error a number was wanted here, this is a zone [wrong-type] (how many cards lie there is `player.hand.count`)"]),
        ({"measures": "{odd: stock.top}"}, ["stock.top > error `odd` is a card, which cannot be counted [measure-type] (a measure is a truth (share), a number (mean), a member or a category (counts))"]),
        ({"measures": "{odd(card): 1}"}, ["odd > error `odd` is a measure of the game or of one player [measure-signature] (write `odd(player)`)"]),
        ({"measures": "{odd: 1, when over: {odd: 2}}"}, ["odd > error `odd` is already a measure [duplicate-name]"]),
        ({"strategies": "{plain: {lead: pick the card in options}}"}, ["lead > error there is no decision `lead` [unknown-name]"]),
    ],
)  # fmt: skip
def test_scripts_and_results_that_are_wrong(
    small_game: Text, said: Said, sections: dict[str, str], messages: list[str]
) -> None:
    found = said(small_game(**sections))
    assert [one for one in found if " > error " in one] == messages


def test_measures_and_won(small_game: Text) -> None:
    text = small_game(
        play="|\n  deal 2 from stock to each hand\n  trigger dealt\n  deal 1 from stock to pile",
        result="{score(player): 1, won(player): player is p1}",
        measures="\n  when dealt:\n    low(player): none if player.hand.top.rank is ace, else player.hand.top.rank\n  cards: pile.count",
    )
    rules, diagnostics = read_ruleset("small", text)
    assert [str(one) for one in diagnostics] == []
    assert rules is not None
    assert [(one.name, one.event, one.player is not None, str(one.type)) for one in rules.measures] == [
        ("low", "dealt", True, "rank"),
        ("cards", "", False, "number"),
    ]
    assert rules.won is not None
    assert rules.score is not None


LIBRARY = """trionfi: 1
library: Stakes
about: Chips.
parameters:
  stake: {kind: number, default: 5}
  mode: {choices: [slow, fast], default: slow}
variables:
  chips: {per: player, counts: chips, start: stake}
procedures:
  ante(player): |
    if mode is fast: pay stake from player.chips to pot
"""


def test_the_parameters_of_a_library(tmp_path: Path, small_game: Text) -> None:
    """A parameter is another name for what it is bound to, or its default."""
    (tmp_path / "stakes.yaml").write_text(LIBRARY)
    main = tmp_path / "game.yaml"
    text = small_game(
        use="{stakes: {mode: speed}}",
        options="{speed: {choices: [slow, fast], default: fast}}",
        variables="{pot: {counts: chips}}",
        play="|\n  for each player: ante(player)\n  move stock to pile",
        result="{score(player): player.chips + player.hand.count}",
    )
    main.write_text(text)
    rules, diagnostics = read_ruleset(str(main))
    assert [str(one) for one in diagnostics] == []
    assert rules is not None
    condition = rules.procedures["ante"].body[0].arms[0][0]  # type: ignore[attr-defined]
    assert isinstance(condition.left, OptionValue)
    assert condition.left.option is rules.options["speed"]
    main.write_text(text.replace("mode: speed", "mode: 3"))
    assert [one.code for one in read_ruleset(str(main))[1]] == ["wrong-type"]
