"""Plays in the reference engine, on the arcana: what is conserved, what is hidden, what chance does, and variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest

from trionfi.interpreter.examples import run_examples
from trionfi.interpreter.rules import Rules, load

Library = Callable[..., Rules]

HERE: Any = None  # a place in the text, for cards moved by a test
EVERY_OPTION: list[dict[str, object]] = [
    {},
    {"lovers": "any_card", "negation": "final", "magician": "two"},
    {"first": "loser", "justice": "with_round", "hermit": "owner", "strength_ace": "stays"},
]
ARCANA = """The Fool, The Magician, The High Priestess, The Empress, The Emperor, The Hierophant, The Lovers, The Chariot,
Strength, The Hermit, Wheel of Fortune, Justice, The Hanged Man, Death, Temperance, The Devil, The Tower, The Star, The Moon,
The Sun, Judgement, The World""".replace("\n", " ").split(", ")


def eager_move(game: Any, random: Random) -> int:
    """A random move that plays arcana more often than it passes."""
    decision = game.decision
    if decision.name == "action" and decision.count > 1 and random.random() < 0.7:
        return random.randrange(1, decision.count)
    return random.randrange(decision.count)


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
def test_games_of_many_plays_keep_their_cards_and_come_to_an_end(
    rules: Library, test_size: float, options: dict[str, object]
) -> None:
    arcana_poker = rules("arcana-poker", goal=12, **options)
    decks = [arcana_poker.ruleset.faces[face].deck for face in range(len(arcana_poker.ruleset.faces))]
    for number in range(max(4, int(2 * test_size))):
        game: Any = arcana_poker.start(seed=5, game=number, engine="reference", quiet=True)
        random = Random(number)
        while not game.over:
            assert game.decision.count >= 1
            game.apply(eager_move(game, random))
            game.check_conserved()
            s = game.table_state
            lying = Counter(decks[s.looks[card].face] for zone in s.zones for card in zone)
            assert sorted(lying.values()) == [22, 52]
            looks = list(s.looks)
            s.field.renew()
            assert s.looks == looks


@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
def test_with_all_plays_over_every_card_is_as_printed(rules: Library, options: dict[str, object]) -> None:
    game: Any = rules("arcana-poker", **options).start(seed=6, engine="reference", quiet=True)
    random, changed = Random(6), 0
    while not game.over:
        game.apply(eager_move(game, random))
        s = game.table_state
        changed += s.looks != s.field.printed
        assert s.field.printed == list(s.table.looks)
    assert changed
    s.field.end_all()
    assert s.looks == s.field.printed


# ---- what is hidden


def unknown_pairs(game: Any, player: int) -> list[tuple[int, int]]:
    """Cards of one deck that a player does not know, two by two."""
    s, faces = game.table_state, game.rules.ruleset.faces
    hidden = [card for card in s.table.in_game if not s.known[card] >> player & 1]
    return [(a, b) for a, b in combinations(hidden, 2) if faces[s.looks[a].face].deck == faces[s.looks[b].face].deck]


def check_hidden(game: Any, random: Random) -> None:
    for player in range(2):
        for one, other in random.sample(pairs := unknown_pairs(game, player), min(3, len(pairs))):
            before = game.view(player)
            for _ in range(2):
                game.table_state.swap_cards(one, other)
                game.reconsider()
                assert game.view(player) == before


@pytest.mark.parametrize("name", ARCANA)
def test_hidden_cards_change_nothing_that_is_seen_while_and_after_an_arcana_is_played(
    rules: Library, test_size: float, name: str
) -> None:
    arcana_poker = rules("arcana-poker")
    first = "The Star" if name != "The Star" else "The Sun"
    for number in range(max(1, int(test_size / 4))):
        game: Any = arcana_poker.deal(
            seed=number,
            engine="reference",
            cards={"p1.arcana_hand": [name], "p2.arcana_hand": [first]},
            set={"starter": "p2"},
        )
        random = Random(number)
        game.apply(game.decision.move_called(f"play {first}"))
        while game.decision.name != "action":
            game.apply(0)
        game.apply(game.decision.move_called(f"play {name}"))
        while game.decision.name != "action":
            check_hidden(game, random)
            game.apply(random.randrange(game.decision.count))
        check_hidden(game, random)
        assert [play["name"] for play in game.state["plays"]][1:] in ([name], ["The Fool as The Star"])


def test_a_target_that_has_gone_is_shown_as_what_it_was(rules: Library) -> None:
    """The common card goes into the deck, where nobody knows it; that it had been aimed at is known."""
    game: Any = rules("arcana-poker").deal(
        seed=1,
        engine="reference",
        cards={"common": ["2s", "3d", "4h"], "p1.arcana_hand": ["The Star", "The Magician"]},
        set={"starter": "p1"},
    )
    for label in ("play The Star", "2 of Spades", "done", "pass", "play The Magician", "2 of Spades", "done"):
        game.apply(game.decision.move_called(label))
    two = game.rules.cards.index("2 of Spades")
    for seen in (game.state, game.view(0), game.view(1)):
        assert seen["plays"][0]["targets"] == {"targets": [{"card": two, "there": False}]}
    assert game.view(0)["plays"][1]["text"].startswith("Up to two common cards")


def test_what_is_played_and_aimed_at_is_told_when_the_targets_lie_open(rules: Library) -> None:
    """Rulings A5: own cards that are aimed at are turned up; the other player reads of it afterwards."""
    game: Any = rules("arcana-poker").deal(
        seed=1,
        engine="reference",
        cards={"p1.hand": ["2s", "9d", "Kh", "4c", "5c"], "p1.arcana_hand": ["The Star", "The Sun"]},
        set={"starter": "p1"},
    )
    for label in ("play The Star", "2 of Spades"):
        game.apply(game.decision.move_called(label))
    assert [entry["label"] for entry in game.view(1)["log"]] == ["play a card", "a card"]
    game.apply(game.decision.move_called("done"))
    assert [entry["label"] for entry in game.view(1)["log"]] == ["play The Star", "2 of Spades", "done"]


def test_views_say_what_cards_have_become_and_through_which_plays(rules: Library) -> None:
    game: Any = rules("arcana-poker").deal(
        seed=1,
        engine="reference",
        cards={"common": ["2s", "3d", "4h"], "p1.arcana_hand": ["The Star", "Strength", "Judgement"]},
        set={"starter": "p1"},
    )
    for label in ("play The Star", "2 of Spades", "done", "pass", "play Strength", "2 of Spades", "done", "pass"):
        game.apply(game.decision.move_called(label))
    assert game.view(1)["altered"]["common"][0] == {"suits": ["diamonds"], "rank": "3", "plays": [1, 2]}
    assert game.view(1)["altered"]["common"][1] is None
    for label in ("play Judgement", "The Star"):
        game.apply(game.decision.move_called(label))
    assert game.view(0)["altered"]["common"][0] == {"suits": ["spades"], "rank": "3", "plays": [2]}
    assert [play["in_force"] for play in game.view(0)["plays"]] == [False, True, True]
    assert [play["on_table"] for play in game.view(0)["plays"]] == [False, True, True]
    assert game.view(0)["plays"][2]["targets"] == {"targets": [{"play": 1}]}


# ---- chance


def test_temperance_takes_each_card_equally_often(rules: Library, test_size: float) -> None:
    """Face up or down, an arcana in a slot included. Chi-square of four degrees of freedom, one in a thousand."""
    lost: Counter[int] = Counter()
    games = int(200 * test_size)
    for seed in range(games):
        game: Any = rules("arcana-poker").deal(
            seed=seed,
            engine="reference",
            cards={"p1.arcana_hand": ["Temperance"], "p2.arcana_hand": ["The Chariot"]},
            set={"starter": "p2"},
        )
        for label in ("play The Chariot", 0, "play Temperance"):
            game.apply(label if isinstance(label, int) else game.decision.move_called(label))
        hand = game.table_state.table.places_of(zone_called(game, "hand"), 1)
        (gone,) = [place for place, zone in enumerate(hand) if not game.table_state.zones[zone]]
        lost[gone] += 1
    chi_square = sum((lost[place] - games / 5) ** 2 / (games / 5) for place in range(5))
    assert chi_square < 18.47, lost


def zone_called(game: Any, name: str) -> Any:
    return next(family for family in game.rules.ruleset.zones if family.name == name)


def zone_number(game: Any, name: str) -> int:
    number: int = game.table_state.table.zones_by_name[name]
    return number


def with_short_deck(rules: Library, name: str, left: int, discarded: bool = True) -> Any:
    """A game in which p1 may play an arcana, with so many cards left in the arcana deck and the others in the discard."""
    game: Any = rules("arcana-poker").deal(
        seed=3, engine="reference", cards={"p1.arcana_hand": [name]}, set={"starter": "p1"}
    )
    s = game.table_state
    stock = zone_number(game, "arcana_stock")
    to = zone_number(game, "arcana_discard" if discarded else "p2.arcana_hand")
    while len(s.zones[stock]) > left:
        card = s.zones[stock][-1]
        s.take(card, HERE)
        s.put(card, to, None, HERE)
    return game


def counts(game: Any) -> tuple[int, int, int]:
    """Arcana in the deck, in the discard, and in the hand of p1."""
    names = ("arcana_stock", "arcana_discard", "p1.arcana_hand")
    deck, discard, hand = (len(game.table_state.zones[zone_number(game, name)]) for name in names)
    return deck, discard, hand


@pytest.mark.parametrize(
    ("name", "left", "moves", "after"),
    [
        ("The Emperor", 2, [], (0, 14, 4)),  # enough remain: nothing is shuffled in
        ("The Emperor", 1, [], (14, 0, 4)),
        ("The Emperor", 0, [], (14, 0, 4)),
        ("The Empress", 3, [0], (2, 13, 3)),
        ("The Empress", 2, [0], (15, 0, 3)),
        ("The Devil", 0, [0, -1], (0, 16, 2)),  # one card for none: never shuffled
        ("The Devil", 1, [0, 0, -1], (0, 15, 3)),
        ("The Devil", 1, [0, 0, 0, -1], (14, 0, 4)),
    ],
)
def test_the_discard_is_shuffled_in_when_more_are_wanted_than_remain(
    rules: Library, name: str, left: int, moves: list[int], after: tuple[int, int, int]
) -> None:
    """Rulings A12."""
    game = with_short_deck(rules, name, left)
    for move in [game.decision.move_called(f"play {name}"), *moves]:
        game.apply(move if move >= 0 else game.decision.count - 1)
    assert game.decision.player == 1
    assert counts(game) == after


def test_an_empty_arcana_deck_gives_as_many_as_there_are(rules: Library) -> None:
    """Rulings A12: with no discard either, one for two, and none to look at."""
    game = with_short_deck(rules, "The Emperor", 1, discarded=False)
    game.apply(game.decision.move_called("play The Emperor"))
    assert counts(game) == (0, 0, 3)
    game = with_short_deck(rules, "The Empress", 0, discarded=False)
    game.apply(game.decision.move_called("play The Empress"))
    assert game.decision.player == 1
    assert counts(game) == (0, 0, 2)


# ---- one's own arcana


VARIANT = """\
trionfi: 1
name: Arcana Poker with a juggler
extends: arcana-poker
without: [The Devil]
decks:
  arcana:
    keep: card.suit is trump and card is not "The Devil"
    named: {suit: trump, number: 0, cards: [The Fool, The Magician, The High Priestess, The Empress, The Emperor, The Hierophant,
      The Lovers, The Chariot, Strength, The Hermit, Wheel of Fortune, Justice, The Hanged Man, Death, Temperance, The Devil,
      The Tower, The Star, The Moon, The Sun, Judgement, The World, The Juggler]}
effects:
  The Emperor: {text: Draw three arcana., when played: "draw_arcana(player, 3)"}
  The Juggler:
    text: Two cards of your hand exchange their values with nobody looking; the first becomes a copy of the second raised by one.
    targets: {first_card: 1 card from player.hand, second_card: 1 card from player.hand where card is not first_card}
    while in force: first_card copies second_card; first_card has rank raised(first_card.rank)
"""


def test_a_variant_changes_an_arcana_adds_one_and_removes_one(rules: Library, tmp_path: Path) -> None:
    assert len(dedent(VARIANT).splitlines()) < 20
    path = tmp_path / "juggler.yaml"
    path.write_text(VARIANT)
    variant = load(str(path))
    assert set(variant.cards) == {*rules("arcana-poker").cards, "The Juggler"} - {"The Devil"}
    game: Any = variant.deal(
        seed=1,
        engine="reference",
        cards={"p1.hand": ["2s", "9d", "Kh", "4c", "5c"], "p1.arcana_hand": ["The Juggler", "The Emperor"]},
        set={"starter": "p1"},
    )
    for label in ("play The Juggler", "2 of Spades", "9 of Diamonds", "pass", "play The Emperor"):
        game.apply(game.decision.move_called(label))
    s = game.table_state
    look = s.looks[s.named[next(i for i, face in enumerate(variant.ruleset.faces) if face.name == "2 of Spades")]]
    ranks, suits = (variant.ruleset.enumerations[name].members for name in ("rank", "suit"))
    assert (ranks[look.rank], look.suits) == ("10", 1 << suits.index("diamonds"))
    assert counts(game)[2] == 4
    random = Random(1)
    while not game.over:
        game.apply(eager_move(game, random))
        game.check_conserved()


def test_the_ruleset_s_own_tests_hold(rules: Library) -> None:
    failed = [one for one in run_examples(rules("arcana-poker"), "reference") if one.failure]
    assert failed == []


def test_its_tests_quote_every_ruling_and_every_card(rules: Library) -> None:
    titles = " ".join(test.title for test in rules("arcana-poker").ruleset.tests)
    quoted = {word.strip(":,;()") for word in titles.split()}
    assert {f"A{number}" for number in range(1, 25)} <= quoted
    tests = rules("arcana-poker").ruleset.tests
    moves = " ".join(text.text for test in tests for _, text in getattr(test, "moves", None) or [])
    assert {name for name in ARCANA if f"play {name}" not in moves} == set()
