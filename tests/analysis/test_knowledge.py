"""Options may hang on nothing that the chooser cannot know (syntax 6.7)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.library import library_files

Text = Callable[..., str]
Said = Callable[[str], list[str]]

TABLE = """
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner, face: down}
  pile: {face: up}
  hidden: {face: down}
  taken: {per: player, face: down, counted: false}
  row_of: {row: 2, face: down}
  tableau: {piles: 2}"""
VARIABLES = "{held: {per: player, kind: cards, most: 2, secret: owner}, led: {kind: suit}, asked: {kind: player}}"
# what every script of these tests has before it; it uses whatever the table has
START = """|
  shuffle stock
  deal 2 from stock to each hand
  deal 1 from stock to pile
  deal 1 from stock to hidden
  deal 2 from stock to row_of
  deal 1 from stock to tableau[1]
  for each player: move hidden to player.taken
  asked = p1
"""
RESULT = "{score(player): player.held.count + (1 if led is cups else 0)}"

GOOD = {
    "the own hand": "p1 chooses 1 card from p1.hand where card.suit is pile.top.suit as lead\nmove lead to pile",
    "a count is public": 'p1 chooses as turn_of:\n  "a" if p2.hand.count > 1: led = cups\n  "b": led = swords',
    "and so is emptiness": 'p1 chooses as turn_of:\n  "a" if hidden is empty: led = cups\n  "b": led = swords',
    "a pile is chosen unseen": "p1 chooses 1 zone from tableau where zone is not empty as pick_of\nmove pick_of to pile",
    "looking grants": "p1 looks at p2.hand\np1 chooses 1 card from p2.hand where card.suit is cups as lead\nmove lead to pile",
    "showing grants": "show p2.hand to p1\np1 chooses 1 card from p2.hand as lead\nmove lead to pile",
    "showing to all grants": "show p2.hand\np1 chooses 1 card from p2.hand as lead\nmove lead to pile",
    "looking at what has a name": "let seen = top 2 cards in stock\np1 looks at seen\np1 chooses 1 card from seen as lead\nmove lead to pile",
    "turning up": 'turn up hidden\np1 chooses as turn_of:\n  "a" if hidden.top.suit is cups: led = cups\n  "b": led = swords',
    "asking whether it lies open": (
        'p1 chooses as turn_of:\n  "a" if hidden.top.face is up and hidden.top.suit is cups: led = cups\n  "b": led = swords'
    ),
    "asking card by card": (
        "p1 chooses 1 card from p2.hand where card.face is up and card.suit is cups as lead\nmove lead to pile"
    ),
    "asking in an if": (
        "if hidden.top.face is up:\n"
        '  p1 chooses as turn_of:\n    "a" if hidden.top.suit is cups: led = cups\n    "b": led = swords'
    ),
    "a played card is open": (
        "p1 chooses 1 card from p1.hand as lead\nmove lead to pile\n"
        "p2 chooses 1 card from p2.hand where card.suit is lead.suit as follow\nmove follow to pile"
    ),
    "a public variable is public": 'led = hidden.top.suit\np1 chooses as turn_of:\n  "a" if led is cups: led = none\n  "b": led = swords',
    "an own secret": 'p1 chooses as turn_of:\n  "a" if p1.held is empty: led = cups\n  "b": led = swords',
    "who was named by a hidden card": (
        "let leader = (ace of cups).owner\nif leader is not none:\n"
        "  leader chooses 1 card from leader.hand where card.suit is cups as lead\n  move lead to pile"
    ),
    "the other one of two": "p1 chooses 1 card from p2.opponent.hand where card.suit is cups as lead\nmove lead to pile",
    "a top card that is turned up": (
        "turn up tableau[1].top\np1 chooses 1 zone from tableau where zone is not empty and zone.top.suit is cups as pick_of\n"
        "move pick_of to pile"
    ),
    "a seat that goes round": (
        "let seat = p1\nrepeat 3 times:\n  seat chooses 1 card from seat.hand where card.suit is cups as lead\n"
        "  move lead to pile\n  seat = left of seat"
    ),
    "the player of a variable": "asked chooses 1 card from asked.hand where card.suit is cups as lead\nmove lead to pile",
}  # fmt: skip


def whole(small_game: Text, script: str, **sections: str) -> str:
    play = START + "".join(f"  {line}\n" for line in script.splitlines())
    return small_game(**{"table": TABLE, "variables": VARIABLES, "result": RESULT, "play": play.rstrip(), **sections})


@pytest.mark.parametrize("script", GOOD.values(), ids=GOOD.keys())
def test_what_the_chooser_knows_may_be_asked(small_game: Text, said: Said, script: str) -> None:
    assert [one for one in said(whole(small_game, script)) if " > error " in one] == []


LOOK = "or ask `card.face is up` beside it"
BAD = [
    (
        "p1 chooses 1 card from p2.hand as lead\nmove lead to pile",
        ("p2.hand > error `lead` offers the cards of `p2.hand`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at p2.hand` stand before, {LOOK})"),
    ),
    (
        "p1 chooses 1 card from p1.hand where card.suit is hidden.top.suit as lead\nmove lead to pile",
        ("card.suit is hidden.top.suit > error `lead` hangs on `hidden`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at hidden` stand before, {LOOK})"),
    ),
    (
        'p1 chooses as turn_of:\n  "a" if any card in p2.hand where card.suit is cups: led = cups\n  "b": led = swords',
        ("any card in p2.hand where card.suit is cups > error `turn_of` hangs on `p2.hand`, which `p1` cannot see "
        f"[hidden-choice] (let `p1 looks at p2.hand` stand before, {LOOK})"),
    ),
    (
        'p1 chooses as turn_of:\n  "take {stock.top}": deal 1 from stock to pile\n  "b": led = swords',
        ("stock.top > error `turn_of` hangs on `stock`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at stock` stand before, {LOOK})"),
    ),
    (
        'p1 chooses as turn_of:\n  "take {card}" for each card in hidden: move card to pile\n  "b": led = swords',
        ("hidden > error `turn_of` offers the cards of `hidden`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at hidden` stand before, {LOOK})"),
    ),
    (
        "p1 chooses number from 0 to (count of cards in p2.hand where card.suit is cups) as bid\nrepeat bid times: move p1.hand to pile",
        ("count of cards in p2.hand where card.suit is cups > error `bid` hangs on `p2.hand`, which `p1` cannot see "
        f"[hidden-choice] (let `p1 looks at p2.hand` stand before, {LOOK})"),
    ),
    (
        "p1 chooses 0..2 cards from p1.hand as set such that set.count is 1 or hidden.top.suit is cups\nmove set to pile",
        ("set.count is 1 or hidden.top.suit is cups > error `set` hangs on `hidden`, which `p1` cannot see "
        f"[hidden-choice] (let `p1 looks at hidden` stand before, {LOOK})"),
    ),
    (
        'p1 chooses as turn_of:\n  "a" if p2.taken.count > 3: led = cups\n  "b": led = swords',
        ("p2.taken.count > 3 > error `turn_of` hangs on `p2.taken`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at p2.taken` stand before, {LOOK})"),
    ),
    (
        'p1 chooses as turn_of:\n  "a" if p2.held is empty: led = cups\n  "b": led = swords',
        ("p2.held is empty > error `turn_of` hangs on `p2.held`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at p2.held` stand before, {LOOK})"),
    ),
    (
        "let best = hidden.top.rank\np1 chooses 1 card from p1.hand where card.rank > best as lead\nmove lead to pile",
        ("card.rank > best > error `lead` hangs on `hidden`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at hidden` stand before, {LOOK})"),
    ),
    (
        'p1 chooses as turn_of:\n  "a" if ace of cups in p2.hand: led = cups\n  "b": led = swords',
        ("ace of cups in p2.hand > error `turn_of` hangs on `p2.hand`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at p2.hand` stand before, {LOOK})"),
    ),
    (
        'p1 chooses as turn_of:\n  "a" if hidden.top is ace of cups: led = cups\n  "b": led = swords',
        ("hidden.top is ace of cups > error `turn_of` hangs on `hidden`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at hidden` stand before, {LOOK})"),
    ),
    (
        "p1 looks at p2.hand\nshuffle stock\ndeal 1 from stock to p2.hand\np1 chooses 1 card from p2.hand as lead\nmove lead to pile",
        ("p2.hand > error `lead` offers the cards of `p2.hand`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at p2.hand` stand before, {LOOK})"),
    ),
    (
        "p2 looks at hidden\np1 chooses 1 card from hidden as lead\nmove lead to pile",
        ("hidden > error `lead` offers the cards of `hidden`, which `p1` cannot see [hidden-choice] "
        f"(let `p1 looks at hidden` stand before, {LOOK})"),
    ),
    (
        "each player secretly chooses:\n  2 cards from p1.hand as player.held",
        ("p1.hand > error `held` offers the cards of `p1.hand`, which `player` cannot see [hidden-choice] "
        f"(let `player looks at p1.hand` stand before, {LOOK})"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("script", "message"), BAD)
def test_what_the_chooser_does_not_know_may_not_be_asked(
    small_game: Text, said: Said, script: str, message: str
) -> None:
    assert [one for one in said(whole(small_game, script)) if " > error " in one] == [message]


def test_through_calls(small_game: Text, said: Said) -> None:
    """What a procedure is given is known to who has given it, and the define asks for all it calls."""
    define = '{"better(card, card other)": card.rank > other.rank, "low(player p)": "any card in p.hand where card.rank is 2"}'
    procedures = """
  answer(player, card led_card): |
    player chooses 1 card from player.hand where better(card, led_card) or low(player) as follow
    move follow to pile"""
    for given, hidden in (("pile.top", False), ("hidden.top", True)):
        found = said(whole(small_game, f"answer(p1, {given})", define=define, procedures=procedures))
        assert [one for one in found if " > error " in one] == (
            [
                (
                    "better(card, led_card) or low(player) > error `follow` hangs on `hidden`, which `player` cannot see "
                    f"[hidden-choice] (let `player looks at hidden` stand before, {LOOK})"
                )
            ]
            if hidden
            else []
        )


def test_of_three_players_the_left_one_is_not_the_right_one(small_game: Text, said: Said) -> None:
    script = "p1 chooses 1 card from (left of p2).hand as lead\nmove lead to pile"
    assert [one for one in said(whole(small_game, script, players="2")) if " > error " in one] == []
    assert [one for one in said(whole(small_game, script, players="3")) if " > error " in one] != []


def test_one_player_alone_is_always_the_same(small_game: Text, said: Said) -> None:
    script = "let who = left of p1\nwho chooses 1 card from p1.hand where card.suit is cups as lead\nmove lead to pile"
    assert [one for one in said(whole(small_game, script, players="1")) if " > error " in one] == []


EFFECTS = {
    # who looks at a hand may choose from it
    "      player looks at player.opponent.arcana_hand\n": "`thrown` offers the cards of `player.opponent.arcana_hand`",
    # the opponent's cards may be aimed at as far as they lie face up
    "(all cards in player.opponent.hand where card.face is up)": "offers the cards of `player.opponent.hand`",
}


@pytest.mark.parametrize(("shown", "message"), EFFECTS.items())
def test_what_effects_are_aimed_at_and_ask(tmp_path: Path, shown: str, message: str) -> None:
    arcana = library_files()["arcana"].read_text(encoding="utf-8")
    (tmp_path / "game.yaml").write_text(library_files()["arcana-poker"].read_text(encoding="utf-8"))
    assert shown in arcana
    hidden = "player.opponent.hand" if "where" in shown else ""
    for text, is_right in ((arcana, True), (arcana.replace(shown, hidden), False)):
        (tmp_path / "arcana.yaml").write_text(text)
        found = [one.message for one in read_ruleset(str(tmp_path / "game.yaml"))[1] if one.code == "hidden-choice"]
        assert any(message in one for one in found) != is_right
        assert bool(found) != is_right
