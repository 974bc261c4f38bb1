"""Expressions of scripts: what tree a text becomes, of what type, or what is said about it."""

from __future__ import annotations

from typing import Any

import pytest

from trionfi.dsl.check.dispatch import RULES
from trionfi.dsl.grammar import grammar_text
from trionfi.dsl.types import CARD, CARDS, FRACTION, NUMBER, PLAYER, PLAYERS, RANK, SUIT, TRUTH, ZONE, ZONES, Type, hand

HAND = "CardsOf(ZoneValue(hand, LocalValue(p), None))"
CASES: list[tuple[str, Type, str | None]] = [
    # literals and names
    ("12", NUMBER, "Const(12)"),
    ("-3", NUMBER, "Const(-3)"),
    ("-n", NUMBER, "Negative(LocalValue(n))"),
    ("true", TRUTH, "Const(True)"),
    ("players.count", NUMBER, "Attribute('count', AllPlayers())"),
    ("p3", PLAYER, "Const(2)"),
    ("limit", NUMBER, "OptionValue(limit)"),
    ("stock", ZONE, "ZoneValue(stock, None, None)"),
    ("table", ZONES, "ZonesValue(table, None)"),
    ("past", ZONE, "ZoneValue(inner, None, Const(2))"),
    ("p.score", NUMBER, "VariableValue(score, LocalValue(p))"),
    ("t.points", NUMBER, "VariableValue(points, LocalValue(t))"),
    ("p.hand", ZONE, "ZoneValue(hand, LocalValue(p), None)"),
    ("p.spot", ZONES, "ZonesValue(spot, LocalValue(p))"),
    ("p.spot[2].wager", NUMBER, "VariableValue(wager, ZoneValue(spot, LocalValue(p), Const(2)))"),
    ("c.suit.foundation", ZONE, "ZoneValue(foundation, Attribute('suit', LocalValue(c)), None)"),
    ("c.role", Type("enum", "role"), "MarkValue(role, LocalValue(c))"),
    # places and cards
    ("table[2]", ZONE, "ZoneValue(table, None, Const(2))"),
    ("tableau[n]", ZONE, "ZoneValue(tableau, None, LocalValue(n))"),
    ("pile[1]", CARD, "CardAtIndex(CardsOf(ZoneValue(pile, None, None)), Const(1))"),
    ("root.rank", RANK, "Attribute('rank', CardAt(ZoneValue(inner, None, Const(1))))"),
    ("root.top", CARD, "Attribute('top', ZoneValue(inner, None, Const(1)))"),
    ("top 3 cards in stock", Type("cards"), "TopCards(Const(3), ZoneValue(stock, None, None))"),
    ("queen of spades", CARD, "CardNamed(49)"),
    ("7 of clubs", CARD, "CardNamed(5)"),
    ('"Ace of Spades"', CARD, "CardNamed(51)"),
    ("left of right of p", PLAYER, "Attribute('left', Attribute('right', LocalValue(p)))"),
    ("p.partner.team", Type("team"), "Attribute('team', Attribute('partner', LocalValue(p)))"),
    # arithmetic
    (
        "1 + 2 * n mod 3",
        NUMBER,
        "Arithmetic('+', Const(1), Arithmetic('mod', Arithmetic('*', Const(2), LocalValue(n)), Const(3)))",
    ),
    (
        "1 + n / 2 rounded up",
        NUMBER,
        "Rounded(True, Arithmetic('+', Const(Fraction(1, 1)), Arithmetic('/', LocalValue(n), Const(2))))",
    ),
    ("n / 2", FRACTION, "Arithmetic('/', LocalValue(n), Const(2))"),
    (
        "n * payout rounded down",
        NUMBER,
        "Rounded(False, Arithmetic('*', ToFraction(LocalValue(n)), OptionValue(payout)))",
    ),
    ("pile + c", CARDS, "Joined(CardsOf(ZoneValue(pile, None, None)), CardsOf(LocalValue(c)))"),
    ("p.hand - c", CARDS, f"Without({HAND}, CardsOf(LocalValue(c)))"),
    ("smaller(n, limit)", NUMBER, "Builtin('smaller', [LocalValue(n), OptionValue(limit)])"),
    # comparisons
    ("n is 3", TRUTH, "Same(LocalValue(n), Const(3))"),
    ("c.rank is 9", TRUTH, "Same(Attribute('rank', LocalValue(c)), Const(7))"),
    ("9 is c.rank", TRUTH, "Same(Const(7), Attribute('rank', LocalValue(c)))"),
    ("c.rank is n", TRUTH, "Same(Attribute('rank', LocalValue(c)), RankOf(LocalValue(n)))"),
    ("hearts is trump", TRUTH, "Same(Const(2), VariableValue(trump, None))"),
    ("trump is none", TRUTH, "Same(VariableValue(trump, None), Const(None))"),
    ("root is c", TRUTH, "Same(CardAt(ZoneValue(inner, None, Const(1))), LocalValue(c))"),
    ("style is tight", TRUTH, "Same(OptionValue(style), Const(0))"),
    ("c.rank is 2..5", TRUTH, "Within(Attribute('rank', LocalValue(c)), Const(0), Const(3))"),
    ("c.rank >= 10", TRUTH, "Ordered('>=', Attribute('rank', LocalValue(c)), Const(8))"),
    ("poker(p.hand) > poker(q.hand)", TRUTH, None),
    ('poker(p.hand).category is "Pair"', TRUTH, None),
    ("c in p.hand", TRUTH, f"Member(LocalValue(c), {HAND})"),
    ("c not in pile", TRUTH, "Not(Member(LocalValue(c), CardsOf(ZoneValue(pile, None, None))))"),
    ("zone in tableau", TRUTH, "Member(LocalValue(zone), ZonesValue(tableau, None))"),
    ("root in pile", TRUTH, "Member(CardAt(ZoneValue(inner, None, Const(1))), CardsOf(ZoneValue(pile, None, None)))"),
    ("p in (all players where player.live)", TRUTH, None),
    ("pile is empty", TRUTH, "Empty(ZoneValue(pile, None, None))"),
    ("table is not empty", TRUTH, "Not(Empty(ZonesValue(table, None)))"),
    ("c has suit hearts", TRUTH, "Has('suit', 'some', LocalValue(c), Const(2))"),
    ("root has every rank", TRUTH, "Has('rank', 'every', CardAt(ZoneValue(inner, None, Const(1))), None)"),
    ("pile + c is meld", TRUTH, "IsMeld(meld, Joined(CardsOf(ZoneValue(pile, None, None)), CardsOf(LocalValue(c))))"),
    # or-lists
    (
        "c.rank is 9 or jack",
        TRUTH,
        "Or([Same(Attribute('rank', LocalValue(c)), Const(7)), Same(Attribute('rank', LocalValue(c)), Const(9))])",
    ),
    ("n is not 3 or 4", TRUTH, "And([Not(Same(LocalValue(n), Const(3))), Not(Same(LocalValue(n), Const(4)))])"),
    (
        "n is 3 or 4 or ended",
        TRUTH,
        "Or([Or([Same(LocalValue(n), Const(3)), Same(LocalValue(n), Const(4))]), VariableValue(ended, None)])",
    ),
    (
        "ended or n is 3 or 4",
        TRUTH,
        "Or([VariableValue(ended, None), Or([Same(LocalValue(n), Const(3)), Same(LocalValue(n), Const(4))])])",
    ),
    ("n is 3 or n > 8", TRUTH, "Or([Same(LocalValue(n), Const(3)), Ordered('>', LocalValue(n), Const(8))])"),
    ("n is 1..3 or 7", TRUTH, "Or([Within(LocalValue(n), Const(1), Const(3)), Same(LocalValue(n), Const(7))])"),
    ("not ended and p.live", TRUTH, "And([Not(VariableValue(ended, None)), VariableValue(live, LocalValue(p))])"),
    # conditionals
    ("1 if ended else 0", NUMBER, "Conditional([[VariableValue(ended, None), Const(1)]], Const(0))"),
    ("hearts if ended else spades", SUIT, "Conditional([[VariableValue(ended, None), Const(2)]], Const(3))"),
    (
        "10 if ended, ace if p.live, else c.rank",
        RANK,
        (
            "Conditional([[VariableValue(ended, None), Const(8)], [VariableValue(live, LocalValue(p)), Const(12)]], "
            "Attribute('rank', LocalValue(c)))"
        ),
    ),
    (
        "none if ended else table",
        CARDS,
        "Conditional([[VariableValue(ended, None), CardsOf(Const(None))]], CardsOf(ZonesValue(table, None)))",
    ),
    (
        "none if ended else pile",
        ZONE,
        "Conditional([[VariableValue(ended, None), Const(None)]], ZoneValue(pile, None, None))",
    ),
    ("none if ended else p", PLAYER, "Conditional([[VariableValue(ended, None), Const(None)]], LocalValue(p))"),
    (
        "n / 2 if ended else 1",
        FRACTION,
        "Conditional([[VariableValue(ended, None), Arithmetic('/', LocalValue(n), Const(2))]], ToFraction(Const(1)))",
    ),
    # calls
    ("worth(c)", NUMBER, "CallDefine(worth, [LocalValue(c)])"),
    ("worth(root)", NUMBER, "CallDefine(worth, [CardAt(ZoneValue(inner, None, Const(1)))])"),
    ("house()", NUMBER, "CallDefine(house, [])"),
    (
        "poker(2 from p.hand, table)",
        hand("poker"),
        f"BestHand(poker, [Part({HAND}, Const(2)), Part(CardsOf(ZonesValue(table, None)), None)])",
    ),
    ("nines(p.hand)", hand("nines"), f"RateHand(nines, [{HAND}])"),
    (
        "poker(p.hand).category.points",
        NUMBER,
        f"CategoryColumn(poker, 'points', Attribute('category', BestHand(poker, [Part({HAND}, None)])))",
    ),
    ("tally(pile).bust", TRUTH, "Attribute('bust', TotalOf(tally, CardsOf(ZoneValue(pile, None, None))))"),
    ("arranged(p.hand, meld).cost", NUMBER, f"Attribute('cost', Arranged(meld, {HAND}))"),
    # queries
    (
        "no card in p.hand where card.suit is hearts",
        TRUTH,
        f"Quantified('no', Domain('card', card, {HAND}, None, None), Same(Attribute('suit', LocalValue(card)), Const(2)))",
    ),
    (
        "any live player where player is not p",
        TRUTH,
        (
            "Quantified('any', Domain('player', player, None, None, VariableValue(live, LocalValue(player))), "
            "Not(Same(LocalValue(player), LocalValue(p))))"
        ),
    ),
    (
        "any leading player x where x.live",
        TRUTH,
        "Quantified('any', Domain('player', x, None, None, CallDefine(leading, [LocalValue(x)])), VariableValue(live, LocalValue(x)))",
    ),
    (
        "count of live players",
        NUMBER,
        "Count(Domain('player', player, None, None, VariableValue(live, LocalValue(player))))",
    ),
    (
        "(count of fits cards in p.hand) > 1",
        TRUTH,
        f"Ordered('>', Count(Domain('card', card, {HAND}, None, CallDefine(fits, [LocalValue(card)]))), Const(1))",
    ),
    ("count of moods", NUMBER, "Count(Domain('enum', mood, None, None, None))"),
    (
        "sum of suit.foundation.count for each suit",
        NUMBER,
        "Fold('sum', Attribute('count', ZoneValue(foundation, LocalValue(suit), None)), Domain('suit', suit, None, None, None))",
    ),
    ("highest of card.rank for each card in pile", RANK, None),
    (
        "the player with highest player.score",
        PLAYER,
        "Select('the', Domain('player', player, None, None, None), 'highest', VariableValue(score, LocalValue(player)), False)",
    ),
    ("all cards", CARDS, "Select('all', Domain('card', card, None, None, None), None, None, False)"),
    ("all live players", PLAYERS, None),
    ("the zone z in tableau where z is empty", ZONE, None),
    (
        "next live player after p",
        PLAYER,
        "NextPlayer(Domain('player', player, None, None, VariableValue(live, LocalValue(player))), LocalValue(p))",
    ),
]


@pytest.mark.parametrize(("text", "type", "tree"), CASES, ids=[case[0] for case in CASES])
def test_expression(game: Any, draw: Any, text: str, type: Type, tree: str | None) -> None:
    expr = game.expression(text)
    assert game.messages == []
    assert expr.type == type
    assert tree is None or draw(expr) == tree
    assert expr.span.text == text


COERCED = [
    ("7", RANK, "Const(5)"),
    ("n", RANK, "RankOf(LocalValue(n))"),
    ("king", RANK, "Const(11)"),
    ("c", CARDS, "CardsOf(LocalValue(c))"),
    ("table", CARDS, "CardsOf(ZonesValue(table, None))"),
    ("none", CARDS, "CardsOf(Const(None))"),
    ("none", SUIT, "Const(None)"),
    ("root", CARD, "CardAt(ZoneValue(inner, None, Const(1)))"),
    ("n", FRACTION, "ToFraction(LocalValue(n))"),
    (
        "calm if ended else wild",
        Type("enum", "mood"),
        "Conditional([[VariableValue(ended, None), Const(0)]], Const(1))",
    ),
    ("n if ended else ace", RANK, "Conditional([[VariableValue(ended, None), RankOf(LocalValue(n))]], Const(12))"),
]


@pytest.mark.parametrize(("text", "type", "tree"), COERCED)
def test_coercion(game: Any, draw: Any, text: str, type: Type, tree: str) -> None:
    expr = game.expression(text, type)
    assert game.messages == []
    assert draw(expr) == tree
    assert expr.type == type


WRONG: list[tuple[str, str]] = [
    # unknown names, each with the nearest of its sort
    ("stok.count", "stok: there is no name `stok` (did you mean `stock`?)"),
    ("wort(c)", "wort: there is no define or procedure `wort` (did you mean `worth`?)"),
    ("p.hnd", "hnd: a player has no `hnd` (did you mean `hand`?)"),
    ("trump is harts", "harts: `harts` is neither a suit nor a name of the game (did you mean `hearts`?)"),
    ("queen of spade", "queen of spade: no card is called `queen of spade` (did you mean `queen of spades`?)"),
    ('poker(pile).category is "Pear"', '"Pear": `poker` has no category `Pear` (did you mean `Pair`?)'),
    ("any liv player where player.live", "liv: there is no adjective `liv` (did you mean `live`?)"),
    ("no crad in pile where ended", "crad: `crad` is no noun (did you mean `card`?)"),
    ("hand.count", "hand: each player has its own `hand`; say whose (write `p.hand`)"),
    ("card.rank", "card: nothing here is called `card` (a loop, a query or a parameter names one: `each card ...`)"),
    ("p7", "p7: there is no seat `p7`: the game has at most 4 players"),
    ("p.opponent", "opponent: an opponent is one of two, and this game is for 2..4 players"),
    ("p.left", "left: the neighbour is written `left of` (write `left of p`)"),
    ("pile.suit", "suit: a zone has no `suit` (its cards have it: `.top.suit`)"),
    ("table[4]", "4: `table` has places 1 to 3, there is no 4"),
    ("pile.wager", "pile.wager: places of `spot` have `wager`, `pile` has none"),
    # wrong types
    ("worth(trump)", "trump: a card was wanted here, this is a suit"),
    ("worth(pile)", "pile: a card was wanted here, this is a zone (say which card: `pile.top`)"),
    (
        "n + ended",
        "ended: a number was wanted here, this is a truth (yes or no) (to count it, write `1 if ended else 0`)",
    ),
    (
        "n + c.rank",
        (
            "c.rank: a number was wanted here, this is a rank "
            "(its place among the ranks is `c.rank.place`, the number it is called by `c.rank.number`)"
        ),
    ),
    ("n and ended", "n: a truth (yes or no) was wanted here, this is a number (compare it: `n > 0`)"),
    ("n is p", "p: a number cannot be compared with a player"),
    (
        "p is (all players)",
        "all players: a player cannot be compared with players (whether one is among others is asked with `in`)",
    ),
    ("pile > 3", "pile: a zone cannot be compared with a number (write `pile.count`)"),
    ("p > q", "p: a player has no order"),
    ("c > root", "c: a card has no order (compare their `.rank`)"),
    ("c.rank is 17", "17: no rank is called 17 (the ranks are 2, 3, 4, 5, 6, 7, 8, 9, 10, jack, queen, king, ace)"),
    ("trump is king", "king: `king` is a rank, a suit was wanted here"),
    ("1 if ended else hearts", "hearts: the values must be of one kind: a number stands before, this is a suit"),
    ("1 if ended else none", "none: a number was wanted here, not `none`"),
    ("n / 0", "0: nothing can be divided by 0"),
    ("n rounded up", "n rounded up: this is a whole number already (leave `rounded` out)"),
    ("worth(c) in pile", "worth(c): a card was wanted here, this is a number"),
    ("c in worth(c)", "worth(c): `in` asks for one among several, and this is a number"),
    ("n is empty", "n: a zone or cards may be empty, this is a number"),
    ("p is empty", "p: a zone or cards may be empty, this is a player (ask `is none`)"),
    ("c has role tower", "role: `has` asks for a suit or a rank (write `.role is ...`)"),
    ("tally(pile) > 3", "3: a total of `tally` cannot be compared with a number"),
    (
        "sum of player.live for each player",
        "player.live: only numbers have a sum, this is a truth (yes or no) (count them: `count of ... where ...`)",
    ),
    (
        "all suits",
        (
            "all suits: `all` gives cards, players, zones or plays, no set of suits "
            "(`any`, `every`, `count of` and `for each` go over them)"
        ),
    ),
    ("the card in p", "p: cards were wanted here, this is a player (name a zone: `p.hand`)"),
    ("count of zones", "zones: of which zones is not said (write `each zone in tableau`)"),
    ("count of suits in pile", "pile: all of them are gone over; `in` is not for suits"),
    # none where a thing is needed
    ("none.hand", "none: `none` has no `hand`"),
    ("n is none", "none: a number is never none"),
    ("pile is none", "none: a zone may be empty, but never none (ask `is empty`)"),
    ("none > n", "none: `none` is neither higher nor lower than anything"),
    # the traps of or-lists and greedy queries
    ("c.rank is (9 or 10)", "9 or 10: values after `is` are listed without parentheses: `x is a or b`"),
    ("c.rank is 9 or hearts", "hearts: `hearts` is a suit, a rank was wanted here"),
    (
        "n is not 3 or n is not 4",
        "n is not 4: `n` cannot be both, so one of these always holds (for neither of them write `n is not a or b`)",
    ),
    ("ended or n", "n: a truth (yes or no) was wanted here, this is a number (compare it: `n > 0`)"),
    (
        "count of players where player.live > 1",
        (
            "1: a truth (yes or no) cannot be compared with a number "
            "(if the count is compared, put the count in parentheses: `(count of ... where ...) > 1`)"
        ),
    ),
    # calls
    ("worth(c, n)", "worth(c, n): `worth` takes 1 value, here are 2 (it is `worth(card)`)"),
    ("both(p)", "both(p): `both` takes 2 values, here is 1 (it is `both(player p, card)`)"),
    ("house(n)", "house(n): `house` takes no values, here is 1 (it is `house()`)"),
    ("worth", "worth: `worth` is a define and is called with brackets (write `worth(card)`)"),
    (
        "deal_out()",
        (
            "deal_out: `deal_out` is a procedure, which does something; it is no value "
            "(write `let x = deal_out(...)` on a line before, then use `x`)"
        ),
    ),
    (
        "deal_out",
        (
            "deal_out: `deal_out` is a procedure and no value "
            "(its result may only be the whole right side of `let`, `=` or `return`)"
        ),
    ),
    ("stock(3)", "stock: `stock` is a zone and is not called with brackets"),
    ("tally(2 from pile)", "2 from pile: `2 from cards` is for rankings only"),
    ("arranged(pile, n)", "n: the name of a meld was wanted here"),
    ("chance(1, 2)", "chance(1, 2): `chance` is for strategies (in a game, draw a card or a player at random)"),
    (
        "random card in pile",
        (
            "random card in pile: `random` draws anew each time it is read, so it stands in scripts only "
            "(draw it in a script first: `let drawn = random ...`)"
        ),
    ),
    (
        "no card c in pile where c.suit is hearts",
        "c: `c` already has a meaning here, since game:1:1 (take another name)",
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[case[0] for case in WRONG])
def test_message(game: Any, text: str, message: str) -> None:
    game.expression(text)
    assert game.messages == [message]


def test_several_errors_are_told_at_once(game: Any) -> None:
    game.expression("stok.count + p.hnd.count + worth(trump)")
    assert len(game.messages) == 3


def test_a_define_with_an_error_is_told_once(game: Any) -> None:
    game.define("bad(card)", "card.rnk")
    game.expression("bad(c) + bad(root)")
    assert game.messages == ["rnk: a card has no `rnk` (did you mean `rank`?)"]


def test_recursion_tells_its_path(game: Any) -> None:
    game.define("one(card)", "two(card)")
    game.define("two(card)", "one(card) + 1")
    game.context.settle_all()
    assert game.messages == ["one(card): `one` would call itself: `one` calls `two` calls `one`"]


def test_defines_are_checked_at_their_first_use_whatever_their_order(game: Any) -> None:
    game.define("first_one()", "second_one() + 1")
    game.define("second_one()", "2")
    assert game.expression("first_one()").type == NUMBER


def test_what_some_cards_lack_has_no_order_and_no_sum(game: Any) -> None:
    game.context.faces[0].rank = None
    game.context.faces[0].number = 0
    assert game.expression("c.rank is king").type == TRUTH
    assert game.messages == []
    hint = "(define one that every card has, under `attributes` of the deck)"
    for text, message in [
        ("c.rank > king", f"c.rank: some cards have no rank, so it cannot be put in order {hint}"),
        ("c.number + 1", f"c.number: some cards have no number, so it cannot be added {hint}"),
        (
            "the card in pile with highest card.rank",
            f"card.rank: some cards have no rank, so it cannot be put in order {hint}",
        ),
    ]:
        game.diagnostics.found.clear()
        game.expression(text)
        assert game.messages == [message]


def test_an_opponent_is_there_in_a_game_for_two(new_game: Any, draw: Any) -> None:
    game = new_game((2, 2))
    assert draw(game.expression("p.opponent.hand")) == "ZoneValue(hand, Attribute('opponent', LocalValue(p)), None)"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("plain if ended else tower", "role"),
        ("plain if ended else stormy", "weather"),
        ("plain if ended else c.role", "role"),
        ("none if ended, plain if p.live, else stormy", "weather"),
    ],
)
def test_a_member_of_several_enumerations_is_told_by_what_stands_beside_it(game: Any, text: str, name: str) -> None:
    assert game.expression(text).type == Type("enum", name)
    assert game.messages == []


def test_a_member_that_nothing_explains_is_reported(game: Any) -> None:
    game.expression("plain")
    assert game.messages == ["plain: `plain` is a member of `weather` and of `role`, and nothing here says which"]


def test_equal_lists_of_members_are_one_type(game: Any) -> None:
    type = game.context.enumeration("manner", ["tight", "loose"])
    assert type == game.expression("style").type
    assert game.expression("style is loose", TRUTH) is not None


def test_every_expression_of_the_grammar_has_a_rule() -> None:
    """Each alternative between `expr` and the slots of sections is a node that some rule checks."""
    import re

    part = grammar_text().split("// ---- expressions")[1].split("// ---- other starting points")[0]
    nodes = set(re.findall(r"-> (\w+)", part)) | {"cond", "and_l", "or_l", "quantified"}
    assert nodes - RULES.keys() == set()
