"""Effects of small games in the reference engine: what the arcana do not show."""

from __future__ import annotations

from typing import Any

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.rules import Rules, load

HEAD = """\
trionfi: 1
name: Small effects
players: 2
table:
  stock: {start: deck}
  common: {row: 5, face: up}
  hand: {per: player, seen_by: owner}
  pile: {face: up}
  field: {plays: 3, face: up}
variables:
  points: {per: player, start: 0}
play: |
  shuffle stock
  deal 3 from stock to each hand
  deal 5 from stock to common
  repeat until p1.hand is empty and p2.hand is empty:
    for each player:
      player chooses as action:
        "pass": add 1 to player.points
        "end": end_all()
        "play {card}" for each card in player.hand where playable(player, card):
          player plays card
        "play at once" if player.hand is not empty:
          player plays player.hand[1]
    trigger counting
procedures:
  end_all(): |
    trigger counting
    end plays
result:
  score(player): player.points
"""
DECK = "deck: {from: standard, ace: high}\n"
RED = """\
  queen of hearts:
    targets: 0..2 cards from common
    while in force: each target has suit hearts
"""


def game_of(effects: str, cards: dict[str, list[str]], deck: str = DECK) -> Any:
    rules: Rules = load("small", text=HEAD + deck + "effects:\n" + effects)
    return rules.deal(seed=1, engine="reference", cards=cards)


def make(game: Any, *labels: str) -> Any:
    for label in labels:
        move = game.decision.move_called(label)
        assert move is not None, (label, game.decision.labels())
        game.apply(move)
    return game


def look(game: Any, name: str) -> tuple[list[str], str | None]:
    """The suits and the rank of a card now."""
    s = game.table_state
    (face,) = [i for i, face in enumerate(s.table.ruleset.faces) if face.name == name]
    now = s.looks[s.named[face]]
    suits, ranks = (s.table.ruleset.enumerations[key].members for key in ("suit", "rank"))
    rank = "every" if now.any_rank else None if now.rank is None else ranks[now.rank]
    return [suit for i, suit in enumerate(suits) if now.suits >> i & 1], rank


@pytest.mark.parametrize(
    "line", ["trigger counting", "if p1.points is 0: trigger counting", "if p1.points is 0: later()"]
)
def test_what_happens_at_an_event_may_ask(line: str) -> None:
    effects = """\
  king of hearts:
    targets: 1 card from common
    while in force: target has suit spades
  queen of hearts:
    when counting: |
      player chooses number from 1 to 9 as gain
      add gain to player.points
"""
    text = HEAD.replace(
        "    trigger counting\nprocedures:\n", f"    {line}\nprocedures:\n  later(): trigger counting\n"
    )
    rules: Rules = load("small", text=f"{text}{DECK}effects:\n{effects}")
    game: Any = rules.deal(seed=1, engine="reference", cards={"p1.hand": ["Qh"], "p2.hand": ["2c"]})
    make(game, "play Queen of Hearts", "pass")
    assert (game.decision.name, game.decision.player) == ("gain", 0)
    make(game, "7", "end")
    make(game, "2")
    assert game.state["variables"]["p1.points"] == 9
    assert game.state["plays"] == []


def test_a_thing_is_offered_only_if_what_follows_can_be_chosen() -> None:
    effects = """\
  queen of hearts:
    targets:
      first_card: 1 card from common
      second_card: 1 card from common where card.rank is first_card.rank and card is not first_card
    while in force: first_card copies second_card
"""
    hands = {"p1.hand": ["Qh"], "p2.hand": ["2c"]}
    game = game_of(effects, {"common": ["4c", "4d", "5h", "6c", "7c"], **hands})
    make(game, "play Queen of Hearts")
    assert game.decision.labels() == ["4 of Clubs", "4 of Diamonds"]
    make(game, "4 of Clubs", "4 of Diamonds")
    assert look(game, "4 of Clubs") == (["diamonds"], "4")
    none = game_of(effects, {"common": ["4c", "3d", "5h", "6c", "7c"], **hands})
    assert "play Queen of Hearts" not in none.decision.labels()


def test_alterations_in_a_row() -> None:
    effects = """\
  queen of hearts:
    targets: 0..2 cards from common
    while in force: each target has rank target.rank.next; each target has no suit; this.card has every rank
  queen of spades:
    targets: 0..2 cards from common
    while in force: each target has rank 9 if 1 > 2; each target has suit target.suit; each target has rank target.rank.next
"""
    game = game_of(effects, {"common": ["4c", "Ad"], "p1.hand": ["Qh"], "p2.hand": ["Qs"]})
    make(game, "play Queen of Hearts", "4 of Clubs", "Ace of Diamonds")
    assert look(game, "4 of Clubs") == ([], "5")
    assert look(game, "Ace of Diamonds") == ([], "ace")  # no rank comes after it
    assert look(game, "Queen of Hearts") == (["hearts"], "every")
    make(game, "play Queen of Spades", "4 of Clubs", "done")
    assert look(game, "4 of Clubs") == ([], "6")  # without a suit it gets none from itself
    make(game, "end")
    assert look(game, "4 of Clubs") == (["clubs"], "4")
    assert look(game, "Queen of Hearts") == (["hearts"], "queen")


def test_a_card_that_is_moved_or_shuffled_is_clean() -> None:
    effects = RED + "  queen of spades:\n    when played: move common[1].top to common[1]\n"
    game = game_of(effects, {"common": ["4c", "5c"], "p1.hand": ["Qh"], "p2.hand": ["Qs"]})
    make(game, "play Queen of Hearts", "4 of Clubs", "5 of Clubs")
    assert [look(game, name)[0] for name in ("4 of Clubs", "5 of Clubs")] == [["hearts"], ["hearts"]]
    make(game, "play Queen of Spades")
    assert [look(game, name)[0] for name in ("4 of Clubs", "5 of Clubs")] == [["clubs"], ["hearts"]]


def test_a_card_of_a_pile_that_is_shuffled_is_clean() -> None:
    effects = """\
  queen of spades: {when played: move common to pile}
  queen of hearts:
    targets: 1 card from pile
    while in force: target has suit hearts
  queen of clubs: {when played: shuffle pile}
"""
    game = game_of(effects, {"common": ["4c", "5c"], "p1.hand": ["Qs", "Qh"], "p2.hand": ["Qc"]})
    make(game, "play Queen of Spades", "pass", "play Queen of Hearts", "4 of Clubs")
    assert look(game, "4 of Clubs")[0] == ["hearts"]
    make(game, "play Queen of Clubs")
    assert look(game, "4 of Clubs")[0] == ["clubs"]


def test_a_target_left_alone_is_not_one_that_was_chosen_under_another_name() -> None:
    effects = """\
  queen of hearts:
    targets: {first_card: 1 card from common, second_card: 1 card from common where card is not first_card}
    while in force: first_card copies second_card
  queen of clubs: {targets: 1 or more plays from plays, retargets: targets}
"""
    hands = {"common": ["4c", "5d", "6h", "7h", "8h"], "p1.hand": ["Qh"], "p2.hand": ["Qc"]}
    game = game_of(effects, hands)
    make(game, "play Queen of Hearts", "4 of Clubs", "5 of Diamonds", "play Queen of Clubs", "Queen of Hearts")
    assert game.decision.labels() == ["4 of Clubs", "5 of Diamonds", "6 of Hearts", "7 of Hearts", "8 of Hearts"]
    make(game, "5 of Diamonds")
    assert game.decision.labels() == ["4 of Clubs", "6 of Hearts", "7 of Hearts", "8 of Hearts"]


def test_a_target_that_has_gone_is_named_to_who_knew_it() -> None:
    effects = """\
  queen of hearts:
    targets: 2 cards from player.hand
    while in force: each target has suit hearts
  queen of diamonds: {when played: move player.opponent.hand to stock}
  queen of clubs: {targets: 1 play from plays, retargets: target}
"""
    hands = {"p1.hand": ["Qh", "4c", "5c"], "p2.hand": ["Qd", "Qc", "3c"]}
    game = game_of(effects, hands)
    make(game, "play Queen of Hearts", "4 of Clubs", "5 of Clubs", "play Queen of Diamonds", "pass")
    make(game, "play Queen of Clubs", "Queen of Hearts")
    make(game, "3 of Clubs")
    assert game.decision.labels() == ["a card", "a card #2"]


def test_a_play_that_is_ended_stays_out_of_force() -> None:
    effects = RED + "  queen of spades: {targets: 1 play from plays, when played: end target}\n"
    game = game_of(effects, {"common": ["4c", "5c"], "p1.hand": ["Qh"], "p2.hand": ["Qs"]})
    make(game, "play Queen of Hearts", "4 of Clubs", "done", "play Queen of Spades", "Queen of Hearts")
    assert [play["in_force"] for play in game.state["plays"]] == [False, True]
    assert look(game, "4 of Clubs")[0] == ["clubs"]


def test_copies_of_a_card_are_one_target() -> None:
    deck = "deck: {ranks: [4, 5, queen], suits: [clubs, hearts], copies: 4}\n"
    hands = {"common": ["4c", "4c", "4c", "5c", "5c"], "p1.hand": ["Qh"], "p2.hand": ["Qc"]}
    effects = RED + "  queen of clubs: {targets: 1 or more plays from plays, retargets: targets}\n"
    game = game_of(effects, hands, deck)
    make(game, "play Queen of Hearts")
    assert game.decision.labels() == ["4 of Clubs", "5 of Clubs", "done"]
    make(game, "4 of Clubs")
    assert game.decision.labels() == ["4 of Clubs", "5 of Clubs", "done"]
    make(game, "4 of Clubs", "play Queen of Clubs", "Queen of Hearts")
    # two of the three: the pair that is aimed at and the others; what is left must be a change
    assert game.decision.labels() == ["4 of Clubs", "5 of Clubs"]
    make(game, "4 of Clubs")
    assert game.decision.labels() == ["4 of Clubs", "5 of Clubs"]


FAULTS = [
    ("no-effect-card", "5 of Clubs has no effect", ["5c"], ["play at once"]),
    (
        "too-many-plays",
        "`field` holds 3 plays, another does not fit",
        ["Qh", "Qs", "Qd"],
        [
            "play Queen of Hearts",
            "pass",
            "play Queen of Spades",
            "pass",
            "play Queen of Diamonds",
            "play Queen of Clubs",
        ],
    ),
]


@pytest.mark.parametrize(("code", "message", "hand", "labels"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_faults_of_rulesets_stop_the_game(code: str, message: str, hand: list[str], labels: list[str]) -> None:
    effects = "".join(f"  queen of {suit}: {{text: Nothing.}}\n" for suit in ("clubs", "diamonds", "hearts", "spades"))
    game = game_of(effects, {"p1.hand": hand, "p2.hand": ["Qc"]})
    with pytest.raises(GameError) as stopped:
        make(game, *labels)
    assert (stopped.value.code, stopped.value.message) == (code, message)


def test_a_play_that_is_over_is_no_thing_any_more() -> None:
    text = (HEAD + DECK + "effects:\n" + RED).replace(
        "    trigger counting\n    end plays\n",
        "    let last = the play in plays\n    end plays\n    add last.number to p1.points\n",
    )
    game: Any = load("small", text=text).deal(seed=1, engine="reference", cards={"p1.hand": ["Qh"], "p2.hand": ["2c"]})
    make(game, "play Queen of Hearts", "done")
    with pytest.raises(GameError) as stopped:
        make(game, "end")
    assert (stopped.value.code, stopped.value.message) == ("no-such-play", "play 1 has ended")
