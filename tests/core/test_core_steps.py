"""The steps of a define, in the reference engine, the core and the native engine."""

from __future__ import annotations

from .said import rules_of, said, values

DEFINES = """
variables: {points: {per: player, start: 3}}
define:
  spread(cards held):
    let:
      height: highest of card.rank.place for each card in held
      depth: lowest of card.rank.place for each card in held
      width: height - depth
    is: width * width
  best(player):
    let: {twice: 2 * player.points, other: left of player}
    is: other if twice > 5 else player
  is_far(player p, card):
    let:
      far: count of cards c in p.hand where c.rank > card.rank
      near: far - 1
    is: far > 1 and near > 0
    else: "{far} cards of {p} are higher than {card}"
  nested(number n):
    let: {held: top 3 cards in stock}
    is: (spread(held) + n) * (1 if any card in held where card.rank.place > n else 2)
"""


def test_steps_are_worked_out_in_order() -> None:
    values({"spread(p1.hand)": 81, "best(p1)": "p2", "nested(0)": "0"}, DEFINES, deal())


def deal() -> str:
    return """
    deal 3 from stock to p1.hand
    move all cards to pile
    move 2 of clubs to p1.hand
    move jack of clubs to p1.hand
    move 7 of hearts to p1.hand
    move 9 of hearts to stock
    """


def test_a_step_that_stops_stops_there_though_nothing_reads_it_then() -> None:
    sections = """
    variables: {chosen: {kind: player}}
    define:
      points_of(number n):
        let: {seat: chosen.place}
        is: seat if n > 0 else 0
    """
    told = said('say "{points_of(0)}"', sections)
    assert told.startswith("none-used: ")
    assert "chosen" in told


def test_a_reason_names_the_steps() -> None:
    script = (
        "deal 3 from stock to p1.hand\np1 chooses 1 card from p1.hand where is_far(p1, card) as lead\nmove lead to pile"
    )
    rules = rules_of(script, DEFINES)
    game = rules.deal(seed=1, engine="reference", cards={"p1.hand": ["2c", "9d", "Kh"]})
    assert game.decision is not None
    assert game.decision.labels() == ["2 of Clubs"]
    assert game.decision.why is not None
    assert [(one.label, one.reason) for one in game.decision.why()] == [
        ("9 of Diamonds", "1 cards of p1 are higher than 9 of Diamonds"),
        ("King of Hearts", "0 cards of p1 are higher than King of Hearts"),
    ]
