"""Scripts in the reference engine: numbers, none, queries, loops, calls, order, the end of a game."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Any

import pytest

from trionfi.interpreter.errors import GameError
from trionfi.interpreter.reference.attributes import missing_attributes
from trionfi.interpreter.reference.compiler import missing_meanings
from trionfi.interpreter.reference.program import MEANING_ROOMS
from trionfi.interpreter.rules import Rules
from trionfi.interpreter.simulate import simulate

Small = Callable[..., Rules]

TOP = 2**63 - 1


def variables(rules: Rules, *moves: int, players: int = 3, **stack: Any) -> dict[str, Any]:
    """The variables after these moves of a game of three."""
    game = rules.deal(players=players, seed=1, engine="reference", **stack)
    for move in moves:
        game.apply(move)
    return game.state["variables"]  # type: ignore[return-value]


def value_of(small: Small, expression: str, kind: str = "number", before: str = "", sections: str = "") -> Any:
    """The value of an expression, with the number 0 and the player p2 unknown to the checker as `zero` and `who`."""
    declared = "variables:\n  result: {kind: " + kind + "}\n  zero: 0\n  who: {kind: player}\n"
    return variables(small(f"{before}\nresult = {expression}", declared + sections))["result"]


def test_every_node_and_attribute_has_a_meaning() -> None:
    assert MEANING_ROOMS
    assert missing_meanings() == []
    assert missing_attributes() == []


# ---- numbers


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 mod 3", 1),
        ("-7 mod 3", 2),
        ("7 mod -3", -2),
        ("7 / 2 rounded down", 3),
        ("-7 / 2 rounded down", -4),
        ("7 / 2 rounded up", 4),
        ("-7 / 2 rounded up", -3),
        ("1 + 7 / 2 rounded down", 4),
        ("1 / 3 + 2 / 3 rounded down", 1),
        ("(zero + 7) / (zero + 2) rounded up", 4),
        ("smaller(3, zero - 4)", -4),
        ("larger(3, zero - 4)", 3),
        ("2 - 3 - 4", -5),
        ("-(zero - 5)", 5),
    ],
)
def test_arithmetic(small: Small, expression: str, value: int) -> None:
    assert value_of(small, expression) == value


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (f"zero + {TOP} + 1", "this number is too large"),
        (f"(zero + {TOP}) * 2", "this number is too large"),
        (f"zero - {TOP} - 2", "this number is too large"),
        ("1 mod zero", "this is a division by zero"),
        ("1 / zero rounded down", "this is a division by zero"),
        ("1 + 1 / zero rounded up", "this is a division by zero"),
        ("highest of player.points for each player where player.points > 5", "the highest of nothing"),
    ],
)
def test_what_stops_a_game(small: Small, expression: str, message: str) -> None:
    with pytest.raises(GameError, match=message) as caught:
        value_of(small, expression, sections="  points: {per: player, start: 0}")
    assert caught.value.span.text in expression


def test_sums_stay_within_64_bits(small: Small) -> None:
    with pytest.raises(GameError, match="this number is too large"):
        value_of(small, f"sum of zero + {TOP} for each player")


def test_changing_a_variable_stays_within_64_bits(small: Small) -> None:
    with pytest.raises(GameError, match="this number is too large"):
        value_of(small, "0", before=f"add {TOP} to zero\nadd 1 to zero")


# ---- none


@pytest.mark.parametrize(
    "expression", ["who.points", "left of who", "who.hand.count", "1 + zero if who.points > 0, else 2"]
)
def test_none_where_a_thing_is_needed_stops_with_the_place(small: Small, expression: str) -> None:
    kind = "player" if "left" in expression else "number"
    with pytest.raises(GameError, match="`who` is none here, and a player is needed") as caught:
        value_of(small, expression, kind, sections="  points: {per: player, start: 0}")
    assert caught.value.span.text == "who"
    assert caught.value.diagnostic.hint == "ask first: `if who is not none:`"


def test_none_compares_and_gives_no_cards(small: Small) -> None:
    rules = small(
        """
        let upper = pile.top
        is_none = upper is none and not (upper in stock)
        move upper to hidden
        """,
        "variables: {is_none: false}",
    )
    assert variables(rules) == {"is_none": True}


def test_the_number_of_a_card_without_one_stops_where_it_is_used(small: Small) -> None:
    deck = """
        deck:
          ranks: [ace]
          suits: [cups]
          named: {suit: trump, number: 0, cards: [The Fool, The Tower]}
        variables: {result: 0}
        define:
          digit(card): card.number mod 10
    """
    assert variables(small("result = (count of cards in stock where card.number is 1..5)", deck))["result"] == 1
    with pytest.raises(GameError, match=r"`card.number` is none here, and a number is needed"):
        variables(small("result = sum of digit(card) for each card in stock", deck))


# ---- queries


def test_players_go_from_the_left_of_the_dealer(small: Small) -> None:
    rules = small(
        """
        first = the player
        dealer = p2
        second = the player
        third = the player starting p1
        """,
        "variables: {first: {kind: player}, second: {kind: player}, third: {kind: player}, dealer: {kind: player}}",
    )
    found = variables(rules)
    assert (found["first"], found["second"], found["third"]) == ("p1", "p3", "p1")


def test_the_takes_the_first_of_the_best_and_all_takes_them_all(small: Small) -> None:
    rules = small(
        """
        p2.points = 4
        p3.points = 4
        best = the player with highest player.points
        let many = all players with highest player.points
        count_of_best = many.count
        worst = the player with lowest player.points
        nobody = the player where player.points > 9
        """,
        """
        variables:
          points: {per: player, start: 0}
          best: {kind: player}
          worst: {kind: player}
          nobody: {kind: player, start: p1}
          count_of_best: 0
        """,
    )
    found = variables(rules)
    assert (found["best"], found["worst"], found["nobody"], found["count_of_best"]) == ("p2", "p1", None, 2)


def test_the_next_player_goes_round_and_comes_last_to_oneself(small: Small) -> None:
    rules = small(
        """
        p1.live = true
        self_again = next live player after p1
        p1.live = false
        nobody = next live player after p1
        p3.live = true
        third = next live player after p1
        """,
        """
        variables:
          live: {per: player, start: false}
          self_again: {kind: player}
          nobody: {kind: player, start: p1}
          third: {kind: player}
        """,
    )
    found = variables(rules)
    assert (found["self_again"], found["nobody"], found["third"]) == ("p1", None, "p3")


def test_counts_sums_and_quantifiers(small: Small) -> None:
    rules = small(
        """
        aces = (count of cards in stock where card.rank is ace)
        places = sum of card.rank.place for each card in stock
        low = lowest of card.rank.place for each card in stock where card.rank is not ace
        truths = 1 if any card in stock where card.rank is jack, else 0
        if no card in pile where card.rank is jack: add 10 to truths
        if every card in stock where card.suit is cups or swords: add 100 to truths
        """,
        "variables: {aces: 0, places: 0, low: 0, truths: 0}",
    )
    assert variables(rules) == {"aces": 2, "places": 30, "low": 2, "truths": 111}


def test_random_takes_option_below_their_number(small: Small) -> None:
    from trionfi.interpreter.chance import Stream

    rules = small("lucky = random player", "variables: {lucky: {kind: player}}")
    for seed in range(5):
        game = rules.start(players=3, seed=seed, engine="reference")
        assert game.state["variables"]["lucky"] == f"p{Stream(seed, 0).below(3) + 1}"  # type: ignore[index]


# ---- loops and calls


def test_a_loop_over_cards_takes_the_list_at_the_start_and_asks_where_at_each(small: Small) -> None:
    rules = small(
        """
        for each card in stock where stock.count > 7:
          move card to pile
          add 1 to turns
        """,
        "variables: {turns: 0}",
    )
    assert variables(rules) == {"turns": 3}


def test_stop_leaves_the_innermost_loop_and_return_the_procedure(small: Small) -> None:
    rules = small(
        """
        for each player:
          for i from 1 to 5:
            if i is 3: stop
            add 1 to turns
        found = first_over(2)
        """,
        """
        variables: {turns: 0, found: 0}
        procedures:
          first_over(number least): |
            for i from 1 to 9:
              while true:
                if i > least: return 10 * i
                stop
            return 0
        """,
    )
    assert variables(rules) == {"turns": 6, "found": 30}


def test_repeats_read_their_numbers_once(small: Small) -> None:
    rules = small(
        """
        let n = 2
        repeat n times:
          n = 5
          add 1 to turns
        for i from n to n + 1:
          n = 9
          add 10 to turns
        repeat until turns > 0: add 100 to turns
        repeat zero - 2 times: add 1000 to turns
        """,
        "variables: {turns: 0, zero: 0}",
    )
    assert variables(rules)["turns"] == 122


def test_a_procedure_gives_what_another_gives(small: Small) -> None:
    rules = small(
        "result = outer_one(4)",
        """
        variables: {result: 0}
        procedures:
          inner_one(number n): return n * n
          outer_one(number n): |
            if n > 3: return inner_one(n + 1)
            return 0
        """,
    )
    assert variables(rules) == {"result": 25}


def test_a_define_sees_its_own_names_only(small: Small) -> None:
    rules = small(
        """
        let n = 100
        result = double(7) + n
        """,
        """
        variables: {result: 0}
        define:
          double(number n): twice(n)
          twice(number m): m + m
        """,
    )
    assert variables(rules) == {"result": 114}


def test_and_or_and_conditionals_read_no_more_than_they_need(small: Small) -> None:
    rules = small(
        """
        if zero is 0 or 1 / zero rounded down is 1: add 1 to result
        if zero is 1 and 1 / zero rounded down is 1: add 10 to result
        add (5 if zero is 0, else 1 / zero rounded down) to result
        """,
        "variables: {result: 0, zero: 0}",
    )
    assert variables(rules)["result"] == 6


def test_a_loop_without_end_is_an_error_that_shows_where_it_turns(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    from trionfi.interpreter.reference import compiler

    monkeypatch.setattr(compiler, "MOST_STATEMENTS", 1000)
    rules = small(
        """
        while zero < 1:
          zero = smaller(zero, turns)
        """,
        "variables: {zero: 0, turns: 0}",
    )
    with pytest.raises(GameError, match="takes 1,000 steps without a decision and turns here") as caught:
        variables(rules)
    assert caught.value.span.text == "zero = smaller(zero, turns)"


# ---- chips


CHIPS = "variables: {chips: {per: player, counts: chips, start: 5}, pot: {counts: chips}, amount: 0}"


def test_chips_move_and_are_conserved(small: Small) -> None:
    rules = small("pay 3 from p1.chips to pot\npay pot from pot to p2.chips", CHIPS)
    game = rules.start(players=2, seed=1, engine="reference")
    assert game.state["variables"] == {"p1.chips": 2, "p2.chips": 8, "pot": 0, "amount": 0}
    game.check_conserved()  # type: ignore[attr-defined]
    game.table_state.values[0][0] += 1  # type: ignore[attr-defined]
    with pytest.raises(Exception, match="there are 11 chips, 10 at the start"):
        game.check_conserved()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        ("amount + 6", "6 chips are to be paid from `p1.chips`, which holds 5"),
        ("amount - 1", "-1 chips are to be paid"),
    ],
)
def test_nobody_pays_more_than_there_is(small: Small, amount: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        variables(small(f"pay {amount} from p1.chips to pot", CHIPS))


def test_what_is_paid_stays_within_64_bits(small: Small) -> None:
    chips = CHIPS.replace("start: 5", f"start: {TOP}").replace("pot: {counts: chips}", "pot: {counts: chips, start: 1}")
    assert variables(small(f"pay {TOP - 1} from p1.chips to pot", chips))["pot"] == TOP
    with pytest.raises(GameError, match="this number is too large"):
        variables(small(f"pay {TOP} from p1.chips to pot", chips))


# ---- which arm, what is heard


@pytest.mark.parametrize("asks", ["", "p1 chooses number from 1 to 1 as one\nadd one - 1 to result\n"])
def test_the_first_arm_that_holds_is_gone(small: Small, asks: str) -> None:
    """Of one arm, two and three, with an `else` and without."""
    arms = ["if which is 1: {}", "else if which is 2: {}", "else if which < 4: {}", "else: {}"]
    for picked in ([0], [0, 3], [0, 1], [0, 1, 3], [0, 1, 2], [0, 1, 2, 3]):
        bodies = [indent(f"{asks}add {number + 1} to result", "  ") for number in range(4)]
        chain = "\n".join(arms[number].format("\n" + bodies[number]) for number in picked)
        rules = small("for i from 1 to 5:\n  which = i\n  result = result * 10\n" + indent(chain, "  "), ARMS)
        wanted = [next((n + 1 for n in picked if [i == 1, i == 2, i < 4, True][n]), 0) for i in range(1, 6)]
        moves = [0] * sum(one > 0 for one in wanted) if asks else []
        assert variables(rules, *moves)["result"] == int("".join(map(str, wanted)))


ARMS = "variables: {result: 0, which: 0}"


def test_an_event_without_effects_is_counted_and_nothing_said_where_nobody_listens(small: Small) -> None:
    measures = "measures: {when turning: {seen: result}}\nvariables: {result: 0}"
    rules = small('for i from 1 to 3:\n  add i to result\n  trigger turning\n  say "{i}"', measures)
    assert simulate(rules, 2, seed=1, engine="reference").to_dict()["measures"]["seen"]["mean"] == 10 / 3  # type: ignore[index]


# ---- teams, suits


def test_belongings_of_teams_and_suits(small: Small) -> None:
    rules = small(
        """
        add 2 to p3.team.points
        add 1 to p2.partner.team.points
        move (ace of swords) to (ace of swords).suit.heap
        for each suit: add suit.heap.count * suit.place to heaped
        """,
        """
        teams: [[1, 3], [2, 4]]
        variables: {points: {per: team, start: 0}, heaped: 0}
        table: {stock: {start: deck}, heap: {per: suit}}
        """,
        head="trionfi: 1\nname: Small\nabout: Four.\nplayers: 4\n",
    )
    found = variables(rules, players=4)
    assert (found["team1.points"], found["team2.points"], found["heaped"]) == (2, 1, 2)


# ---- the end


def test_the_highest_score_wins_and_equal_ones_together(small: Small) -> None:
    rules = small("p2.points = 3\np3.points = 3", SCORED + "result:\n  score(player): player.points\n")
    game = rules.start(players=3, seed=1, engine="reference")
    assert (game.over, game.scores, game.winners) == (True, [0, 3, 3], [1, 2])


def test_won_says_who_wins(small: Small) -> None:
    result = "result:\n  score(player): player.points\n  won(player): player.points < 3\n"
    game = small("p2.points = 3", SCORED + result).start(players=3, seed=1, engine="reference")
    assert (game.scores, game.winners) == ([0, 3, 0], [0, 2])


SCORED = "variables: {points: {per: player, start: 0}}\n"


def test_end_game_ends_it_from_inside_loops_and_calls(small: Small) -> None:
    rules = small(
        """
        for each player:
          finish()
        add 10 to turns
        """,
        """
        variables: {turns: 0}
        procedures:
          finish(): |
            add 1 to turns
            p1 chooses as ready:
              "yes": end game
        """,
    )
    assert variables(rules, 0) == {"turns": 1}


def test_measures_are_read_at_their_events_and_at_the_end(small: Small) -> None:
    rules = small(
        """
        for i from 1 to 3:
          total = i
          p1.lucky = i is 2
          trigger round
        """,
        """
        kinds: {size: [little, big]}
        variables: {total: 0, lucky: {per: player, start: false}}
        measures:
          when round:
            how_much: total
            was_lucky(player): player.lucky
            how_big(player): none if player is p2, big if total > 2, else little
          last: total
          size_of(player): big if player is p1 else little
          ended: total is 3
        """,
    )
    game = rules.start(players=2, seed=1, engine="reference")
    assert game.measures == {
        "how_much": {"count": 3, "sum": 6},
        "was_lucky": [{"count": 3, "true": 1}, {"count": 3, "true": 0}],
        "how_big": [{"little": 2, "big": 1}, {"little": 0, "big": 0}],
        "last": 3,
        "size_of": ["big", "little"],
        "ended": True,
    }
    assert [tally.squares for tally in game.tallies[0]] == [14]


def test_what_is_said_names_cards_to_those_who_know_them(small: Small) -> None:
    rules = small(
        """
        deal 1 from stock to each hand
        say "{p1} has {p1.hand.top} and {p2.hand.top}, {1 + 1} in {stock}"
        p1 chooses as ready:
          "yes": turn up p1.hand
        """
    )
    game = rules.start(players=2, seed=1, engine="reference")
    own, other = (game.rules.cards[game.state["zones"][f"p{n}.hand"][0] % 10] for n in (1, 2))  # type: ignore[index]
    assert game.log == [{"say": f"p1 has {own} and {other}, 2 in stock"}]
    assert game.view(0)["log"] == [{"say": f"p1 has {own} and a card, 2 in stock"}]
    assert game.view(1)["log"] == [{"say": f"p1 has a card and {other}, 2 in stock"}]
    game.apply(0)
    assert game.view(1)["log"][0] == {"say": f"p1 has a card and {other}, 2 in stock"}  # type: ignore[index]


def test_statements_are_counted_from_decision_to_decision(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    from trionfi.interpreter.reference import compiler

    monkeypatch.setattr(compiler, "MOST_STATEMENTS", 30)
    rules = small(
        """
        repeat 20 times:
          p1 chooses as ready:
            "yes": turns = turns + 1
        """,
        "variables: {turns: 0}",
    )
    assert variables(rules, *[0] * 20)["turns"] == 20


# ---- conditions


HANDS = """
variables: {result: false}
rankings:
  pairs:
    of: 2..3 cards
    alike: [rank]
    categories:
      Trips: 3 alike
      Pair: 2 alike
    order: [category, groups by card.rank]
"""


@pytest.mark.parametrize(
    "condition",
    [
        # no category fits two cards of different ranks, and none is below every hand
        "pairs(p1.hand) is none",
        "pairs(p1.hand) < pairs(p2.hand)",
        "not (pairs(p1.hand) > pairs(p2.hand))",
        "pairs(p1.hand) <= pairs(p1.hand)",
        'pairs(p2.hand).category is "Pair"',
        'pairs(p2.hand).category < "Trips"',
        "(the player with highest pairs(player.hand)) is p2",
        "(the player with lowest pairs(player.hand)) is p1",
    ],
)
def test_hands_compare(small: Small, condition: str) -> None:
    rules = small(f"deal 2 from stock to each hand\nresult = {condition}", HANDS)
    cards = {"p1.hand": ["ace of cups", "2 of cups"], "p2.hand": ["ace of swords", "ace of cups"]}
    assert variables(rules, players=2, cards={**cards, "p1.hand": ["jack of cups", "2 of cups"]})["result"] is True


@pytest.mark.parametrize(
    "condition",
    [
        "stock.top has suit swords and not (stock.top has suit cups)",
        "stock.top has rank jack and stock.top has suit swords",
        "not (stock.top has no suit) and not (stock.top has every suit) and not (stock.top has no rank)",
        "ace of cups in stock and not (ace of cups in pile)",
        "stock.top in stock and stock.top not in pile",
        "pile is empty and spot is empty and stock is not empty",
        "stock.top.rank > stock[1].rank and stock[1].rank.next is 2",
        "stock.top.rank.next is none",
        "stock.top.rank.number is 0 and (2 of cups).rank.number is 2",
        "(top 3 cards in stock) - stock.top is (top 3 cards in stock) - jack of swords",
        "(stock - stock[1]).count is 9 and (stock + stock).count is 10",
        "stock.top is jack of swords or ace of swords",
        "stock.top is not ace of cups or jack of cups",
        "(count of suits) is 2 and (count of ranks) is 5",
        "left of p3 is p1 and right of p1 is p3",
        "stock.top.colour is red and stock[1].colour is black",
    ],
)
def test_conditions(small: Small, condition: str) -> None:
    deck = """
        deck:
          ranks: [ace, 2, 3, 4, jack]
          suits: [cups, swords]
          colours: {black: [cups], red: [swords]}
        variables: {result: false}
    """
    assert variables(small(f"result = {condition}", deck))["result"] is True


def test_a_named_card_is_any_of_its_copies(small: Small) -> None:
    rules = small(
        """
        move stock[1] to pile
        result = (count of cards in stock where card is ace of cups)
        if ace of cups in stock and pile.top is ace of cups: add 10 to result
        """,
        "deck: {ranks: [ace, jack], suits: [cups], copies: 3}\nvariables: {result: 0}",
    )
    assert variables(rules)["result"] == 12
