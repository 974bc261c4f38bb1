"""The rules as text: every kind of node is told, every ruleset is told at every width, and it says what the rules say."""

from __future__ import annotations

import inspect
from functools import cache

import pytest

from trionfi.dsl import tree
from trionfi.dsl.library import library_games
from trionfi.interpreter.rules import Rules, load
from trionfi.shell.prose.page import terminal_lines
from trionfi.shell.prose.parts import parts_of_game
from trionfi.shell.prose.rulebook import RENDERERS, rulebook_lines
from trionfi.shell.prose.words import amount, article, cited, infinitive, listed, owned, plural, predicate

GAMES = sorted(library_games())

# What is no part of the rules: bases of others, and the tests of a ruleset with what they are made of.
UNTOLD = {tree.Node, tree.Expr, tree.Statement, tree.HandTest, tree.SituationTest, tree.Written, tree.Expectation}


@cache
def rules_called(name: str) -> Rules:
    return load(name)


def told(name: str, width: int = 80) -> str:
    return "\n".join(rulebook_lines(rules_called(name).ruleset, width, full=True))


def flowing(name: str) -> str:
    """The rulebook in one line, so that a sentence can be looked for."""
    return " ".join(told(name).split())


def test_every_kind_of_node_has_a_renderer() -> None:
    nodes = {kind for _, kind in inspect.getmembers(tree, inspect.isclass)}
    assert nodes - UNTOLD - set(RENDERERS) == set()


def test_no_renderer_is_of_nothing() -> None:
    assert all(getattr(tree, kind.__name__) is kind for kind in RENDERERS)


@pytest.mark.parametrize("name", GAMES)
def test_every_ruleset_is_told_at_80_and_60_columns(name: str) -> None:
    for width in (80, 60):
        text = told(name, width)
        assert max(map(len, text.splitlines())) <= width
        assert "None" not in text
        assert "<" not in text  # the name of a Python thing
        assert "_" not in text.split("\nOptions\n")[0]


@pytest.mark.parametrize("name", GAMES)
def test_every_part_of_every_ruleset_is_told(name: str) -> None:
    ruleset = rules_called(name).ruleset
    parts = parts_of_game(ruleset)
    named = {*ruleset.procedures, *ruleset.defines, *ruleset.rankings, *ruleset.options, *ruleset.strategies}
    named |= {zone.name for zone in ruleset.zones} | {effect.name for effect in ruleset.effects}
    if not ruleset.effects:  # choices in the scripts of effects are told with these
        named |= set(ruleset.decisions) - {"orientation"}
    assert named <= set(parts)
    for part, told_by in parts.items():
        assert all(any(terminal_lines(blocks(), 60)) for blocks in told_by), part


SENTENCES = {
    "kuhn": [
        "1. Shuffle the stock. 2. Deal 1 card from the stock to each player's hand.",
        "Player 1 chooses one of these (open):",
        "A player's score is the player's opponent's paid if the player is the winner",
    ],
    "hearts": [
        "Repeat this until there is a player whose points are at least the target",
        "The player chooses a card in their hand that the player may lead (the lead).",
        "The penalty of a card: 13 if the card is the Queen of Spades, 1 if the card's suit is hearts, otherwise 0.",
        'If not, players are told: "follow [led] if you can".',
        'Moon: "others up" (or "self down"), who takes all penalty cards: the others',
    ],
    "klondike": [
        "For i from 1 to 7: deal i cards from the stock to pile i of the tableau.",
        "A player has won if the home is 52.",
    ],
    "two-win": [
        "Full House: 3 alike and 2 alike.",
        "A hand is better if there is a major card in the hand.",
        "0 if it is reversed.",
        "Minimum bet: 2 (1 to 1000000, in steps of the chip), the big blind and the least bet.",
        "Each live player chooses in secret, before anyone sees what others chose: 2 cards in their hand",
    ],
    "arcana-poker": [
        "[The Star] Up to three cards become diamonds.",
        "While in force: each of the targets has suit diamonds.",
        "Flush Five: 5 alike and all of the same suit; points: 6.",
    ],
    "euchre": ["partners: player 1 with player 3 and player 2 with player 4"],
    "gin-rummy": ["Set: 3 to 4 cards and 3 to 4 alike."],
}


@pytest.mark.parametrize("name", SENTENCES)
def test_it_says_what_the_rules_say(name: str) -> None:
    text = flowing(name)
    for sentence in SENTENCES[name]:
        assert sentence in text


def test_measures_and_what_only_they_ask_are_left_out() -> None:
    text = flowing("two-win")
    assert "house_natural" not in text
    assert "win of" not in text  # a define that only a measure uses
    assert "trigger" not in text


def test_what_a_library_leaves_to_the_game_is_settled() -> None:
    """The parameter `small_blind_of_two` is a constant here: it is not asked."""
    lines = terminal_lines(parts_of_game(rules_called("two-win").ruleset)["post_blinds"][0](), 80)
    assert '"heads up dealer" does not hold from now on' in " ".join(lines)


def test_the_text_knows_no_game() -> None:
    """Another game, other words: nothing is said of hearts where there are none."""
    assert "hearts" not in told("kuhn").casefold()


# ---- English


def test_plurals_and_amounts() -> None:
    assert [plural(noun) for noun in ("card", "pass", "suit", "enemy", "play", "box")] == [
        "cards",
        "passes",
        "suits",
        "enemies",
        "plays",
        "boxes",
    ]
    assert (amount("1", "card"), amount("3", "card")) == ("1 card", "3 cards")
    assert amount("the size", "card") == "as many cards as the size"
    assert (article("option"), article("the player")) == ("an option", "a player")
    assert listed(["a", "b", "c"], "or") == "a, b or c"


def test_owners() -> None:
    assert owned("the player", "hand") == "the player's hand"
    assert owned("the makers", "points") == "the makers' points"
    assert owned("the top card of the pile", "suit") == "the suit of the top card of the pile"
    assert owned("each player", "bet") == "the bet of each player"
    assert owned("the top card of the pile", "suit_of".replace("_", " ")) == "the suit of the top card of the pile"


@pytest.mark.parametrize(
    ("name", "holds", "does_not"),
    [
        ("may_raise", "it may raise", "it may not raise"),
        ("must_act", "it must act", "it need not act"),
        ("owes", "it owes", "it does not owe"),
        ("goes_up", "it goes up", "it does not go up"),
        ("matches", "it matches", "it does not match"),
        ("live", "it is live", "it is not live"),
        ("left_bower", '"left bower" holds for it', '"left bower" does not hold for it'),
    ],
)
def test_clauses(name: str, holds: str, does_not: str) -> None:
    assert predicate("it", name) == holds
    assert predicate("it", name, negative=True) == does_not


def test_infinitives() -> None:
    assert [infinitive(verb) for verb in ("beats", "goes", "matches", "tries")] == ["beat", "go", "match", "try"]


def test_rules_that_notes_cite_are_left_out() -> None:
    assert cited("W16, W17: the big blind") == "the big blind"
    assert cited("W10.3") == ""
    assert cited("Aces are high") == "Aces are high"
    assert cited("Taken literally (T6). Any card goes") == "Taken literally. Any card goes"
    assert cited("Between players. W13: a natural is 21; W14, W15: majors count") == (
        "Between players. A natural is 21; majors count"
    )
