"""Decisions: what tree a text becomes, what becomes known of the decision, or what is said about it."""

from __future__ import annotations

from typing import Any

import pytest

from trionfi.dsl.types import CARD, CARDS, NUMBER, PLAYERS, SUIT, ZONE

HAND = "CardsOf(ZoneValue(hand, LocalValue(p), None))"
CARD_IN_HAND = f"Domain('card', card, {HAND}, None, None)"
CASES: list[tuple[str, str | None]] = [
    (
        "p chooses 1 card from p.hand where fits(card) as lead_card",
        (
            f"Choose(LocalValue(p), 'lead_card', Const(1), Const(1), Domain('card', card, {HAND}, None, CallDefine(fits, "
            "[LocalValue(card)])), VariableValue(lead_card, None), True, None, None)"
        ),
    ),
    (
        "p chooses 3 cards from p.hand as p.passing",
        (
            f"Choose(LocalValue(p), 'passing', Const(3), Const(3), {CARD_IN_HAND}, VariableValue(passing, LocalValue(p)), "
            "False, None, None)"
        ),
    ),
    (
        "p chooses 0..n cards from p.hand as seen",
        f"Choose(LocalValue(p), 'seen', Const(0), LocalValue(n), {CARD_IN_HAND}, VariableValue(seen, None), False, None, None)",
    ),
    (
        "p chooses 1 or more cards from p.hand as seen",
        f"Choose(LocalValue(p), 'seen', Const(1), None, {CARD_IN_HAND}, VariableValue(seen, None), False, None, None)",
    ),
    (
        "p chooses any cards from p.hand as seen",
        f"Choose(LocalValue(p), 'seen', Const(0), None, {CARD_IN_HAND}, VariableValue(seen, None), False, None, None)",
    ),
    ("p chooses p.hand.count - 5 cards from p.hand as seen", None),
    (
        "p chooses 0..5 cards from p.hand as seen such that seen is empty or c in seen",
        (
            f"Choose(LocalValue(p), 'seen', Const(0), Const(5), {CARD_IN_HAND}, VariableValue(seen, None), False, "
            "Or([Empty(LocalValue(seen)), Member(LocalValue(c), LocalValue(seen))]), seen)"
        ),
    ),
    (
        "p chooses 1 suit where suit is not trump as trump",
        (
            "Choose(LocalValue(p), 'trump', Const(1), Const(1), Domain('suit', suit, None, None, Not(Same(LocalValue(suit), "
            "VariableValue(trump, None)))), VariableValue(trump, None), True, None, None)"
        ),
    ),
    (
        "p chooses 1 live player as dealer",
        (
            "Choose(LocalValue(p), 'dealer', Const(1), Const(1), Domain('player', player, None, None, VariableValue(live, "
            "LocalValue(player))), VariableValue(dealer, None), True, None, None)"
        ),
    ),
    (
        "p chooses number from 1 to limit step 2 as rounds",
        "ChooseNumber(LocalValue(p), 'rounds', Const(1), OptionValue(limit), Const(2), VariableValue(rounds, None))",
    ),
    ("p chooses orientation of each card in p.hand", f"ChooseOrientation(LocalValue(p), {CARD_IN_HAND})"),
    (
        'p chooses as act:\n  "fold": end game\n  "call {n}" if n > 3: deal_out()',
        (
            "Menu(LocalValue(p), 'act', [MenuItem(Label('fold', ['fold']), [], None, [EndGame()], ''), "
            "MenuItem(Label('call {n}', ['call ', LocalValue(n)]), [], Ordered('>', LocalValue(n), Const(3)), [Call(deal_out, [], None)], '')])"
        ),
    ),
    (
        (
            'p chooses as act:\n  "lay {card} on {z}" for each card in p.hand and each zone z in tableau where z is empty:\n'
            "    move card to z"
        ),
        f"Menu(LocalValue(p), 'act', [MenuItem(Label('lay {{card}} on {{z}}', ['lay ', LocalValue(card), ' on ', LocalValue(z)]), "
        f"[{CARD_IN_HAND}, Domain('zone', z, ZonesValue(tableau, None), None, None)], Empty(LocalValue(z)), "
        "[Move(CardsOf(LocalValue(card)), LocalValue(z), False, '')], '')])".replace("{{", "{").replace("}}", "}"),
    ),
    (
        'p chooses as act:\n  "{suit}" for each suit: trump = suit',
        (
            "Menu(LocalValue(p), 'act', [MenuItem(Label('{suit}', [LocalValue(suit)]), [Domain('suit', suit, None, None, None)], "
            "None, [Assign(VariableValue(trump, None), LocalValue(suit), False)], '')])"
        ),
    ),
    (
        (
            "each live player secretly chooses:\n  2 cards from player.hand as player.passing\n"
            "  number from 0 to player.hand.count as player.score\n  orientation of each card in player.hand"
        ),
        (
            "Secret(Domain('player', player, None, None, VariableValue(live, LocalValue(player))), ["
            "Choose(LocalValue(player), 'passing', Const(2), Const(2), Domain('card', card, CardsOf(ZoneValue(hand, "
            "LocalValue(player), None)), None, None), VariableValue(passing, LocalValue(player)), False, None, None), "
            "ChooseNumber(LocalValue(player), 'score', Const(0), Attribute('count', ZoneValue(hand, LocalValue(player), None)), None, "
            "VariableValue(score, LocalValue(player))), "
            "ChooseOrientation(LocalValue(player), Domain('card', card, CardsOf(ZoneValue(hand, LocalValue(player), None)), None, None))])"
        ),
    ),
]


@pytest.mark.parametrize(("text", "tree"), CASES, ids=[case[0] for case in CASES])
def test_decision(game: Any, draw: Any, text: str, tree: str | None) -> None:
    block = game.script(text)
    assert game.messages == []
    assert tree is None or draw(block) == f"[{tree}]"
    assert game.last.asks


RESULTS = [
    ("p chooses 1 card from p.hand as it\nmove it to pile", CARD),
    ("p chooses 0..1 cards from p.hand as it\nmove it to pile", CARDS),
    ("p chooses n cards from p.hand as it\nmove it to pile", CARDS),
    ("p chooses 1 zone from tableau as it\nmove it to pile", ZONE),
    ("p chooses 2 players as it\nif it is empty: end game", PLAYERS),
    ("p chooses 1 suit as it\ntrump = it", SUIT),
    ("p chooses number from 1 to 3 as it\nadd it to rounds", NUMBER),
]


@pytest.mark.parametrize(("text", "type"), RESULTS)
def test_a_new_name_holds_what_is_chosen(game: Any, text: str, type: object) -> None:
    game.script(text)
    assert game.messages == []
    assert [local.type for local in game.last.locals if local.name == "it"] == [type]


def test_a_choice_made_again_goes_to_the_same_place(game: Any) -> None:
    again = "p chooses 1 card from p.hand as it\nmove it to pile\n"
    first, _, second, _ = game.script(again * 2)
    assert game.messages == []
    assert first.target.local is second.target.local


def test_what_is_known_of_decisions(game: Any) -> None:
    game.script('p chooses 1 card from p.hand as lead\np chooses as act:\n  "give up": end game\n  "{lead}": end game')
    known = game.context.names.decisions
    assert (known["lead"].kinds, known["lead"].nouns) == ({"card"}, {"card"})
    assert (known["act"].kinds, known["act"].templates) == ({"menu"}, ["give up", "{lead}"])


WRONG: list[tuple[str, list[str]]] = [
    # a choice with an error still names its result
    (
        "p chooses 1 card from p.hnd as lead\nmove lead to pile",
        ["hnd: a player has no `hnd` (did you mean `hand`?)"],
    ),
    (
        "c chooses 1 card from p.hand as seen",
        ["c: a player was wanted here, this is a card", "seen: `seen` holds cards, and a card would be chosen"],
    ),
    ("p chooses 1 card from p.hand as trump", ["trump: `trump` holds a suit, and a card would be chosen"]),
    (
        "p chooses 1 card from p.hand as p",
        [("p: `p` is a parameter or what a loop goes over, and keeps its value (keep a copy: `let new_p = p`)")],
    ),
    ("p chooses 1 card from p.hand as lead", ["lead: `lead` is never used"]),
    ("p chooses 1 card as lead", ["card: from where the cards are chosen is not said (write `from player.hand`)"]),
    ("p chooses 1 zone as place", ["zone: of which zones is not said (write `each zone in tableau`)"]),
    ("p chooses 2 suits as trump", ["suits: one suit is chosen at a time (write `1 suit`)"]),
    ("p chooses 3..1 cards from p.hand as seen", ["3..1: 3..1 goes from more to fewer (write 1..3)"]),
    ("p chooses q cards from p.hand as seen", ["q: a number was wanted here, this is a player"]),
    (
        "p chooses number from 1 to 3 as pot",
        ["pot: `pot` counts chips, which only `pay` moves (write `pay ... from ... to pot`)"],
    ),
    ("p chooses number from 1 to q as rounds", ["q: a number was wanted here, this is a player"]),
    ("p chooses orientation of each player in players", ["player: cards have an orientation, a player has none"]),
    (
        "p chooses 1 player as dealer such that p.live",
        ["p.live: `such that` is about a set of cards (for one thing, `where` is enough)"],
    ),
    (
        "p chooses 1 card from p.hand where card is (random card c2 in pile) as lead_card",
        [
            (
                "random card c2 in pile: `random` draws anew each time it is read, so it stands in scripts only "
                "(draw it in a script first: `let drawn = random ...`)"
            )
        ],
    ),
    (
        'p chooses as act:\n  "a {n}" if n: shuffle stok\n  "b {m}": deal_out()',
        [
            "n: a truth (yes or no) was wanted here, this is a number (compare it: `n > 0`)",
            "stok: there is no name `stok` (did you mean `stock`?)",
            "m: there is no name `m`",
        ],
    ),
    ('p chooses as act:\n  "a" key A: deal_out()', ["A: a key is one small letter, and `A` is none"]),
    ('p chooses as act:\n  "a" key ab if n > 3: deal_out()', ["ab: a key is one small letter, and `ab` is none"]),
    ('p chooses as act:\n  "a" key 1: deal_out()', ["1: a key is one small letter, and `1` is none"]),
    (
        'p chooses as act:\n  "a" key x: deal_out()\n  "b" key x if n > 3: deal_out()',
        ["key x: `a` has the key `x` already (take another letter)"],
    ),
    ('p chooses as act:\n  "a" key x if n > 3: deal_out()\n  "b" key x if not n > 3: deal_out()', []),
    (
        'p chooses as act:\n  "{suit}" key s for each suit: trump = suit',
        ["s: a line about things has no key (its options are called by their things)"],
    ),
    (
        "each card x secretly chooses:\n  1 suit as trump",
        ["card x: players choose (write `each player secretly chooses:`)"],
    ),
    (
        "each player secretly chooses:\n  1 card from player.hand as held",
        [
            (
                "held: each player needs a place of their own for the choice "
                "(keep it in a variable `per: player`: `as player.held`)"
            )
        ],
    ),
    (
        "each player secretly chooses:\n  2 cards from player.hand as p.passing",
        [
            (
                "p.passing: each player needs a place of their own for the choice "
                "(keep it in a variable `per: player`: `as player.passing`)"
            )
        ],
    ),
    (
        (
            "each player secretly chooses:\n  2 cards from player.hand as player.passing\n"
            "  number from 0 to player.passing.count as player.score"
        ),
        ["player.passing: `passing` is being chosen in secret, and nobody may know it until all have chosen"],
    ),
]


@pytest.mark.parametrize(("text", "messages"), WRONG, ids=[case[0] for case in WRONG])
def test_message(game: Any, text: str, messages: list[str]) -> None:
    game.script(text)
    assert game.messages == messages


def test_after_the_secret_block_the_choices_are_known(game: Any) -> None:
    game.script("each player secretly chooses:\n  2 cards from player.hand as player.passing\nmove p.passing to pile")
    assert game.messages == []


# ---- strategies


@pytest.fixture
def asking(game: Any) -> Any:
    """The game, after a script that asks for this and that."""
    game.script(
        "p chooses 1 card from p.hand as lead\nmove lead to pile\n"
        "p chooses 2 cards from p.hand as p.passing\n"
        "p chooses 1 zone from tableau as place\nmove pile to place\n"
        "p chooses 1 suit as trump\n"
        "p chooses number from 1 to 9 as bid\nadd bid to rounds\n"
        "p chooses orientation of each card in p.hand\n"
        'p chooses as act:\n  "fold": end game\n  "call {n}": end game\n  "play {card}" for each card in p.hand: end game'
    )
    assert game.messages == []
    return game


PICKS: list[tuple[str, str, str | None]] = [
    ("act", 'pick "fold"', "Pick(ItemName('fold'), None)"),
    ("act", 'pick "call {n}"', "Pick(ItemName('call {n}'), None)"),
    (
        "act",
        'pick "call {n}" if player.live else "fold"',
        "Pick(Conditional([[VariableValue(live, LocalValue(player)), ItemName('call {n}')]], ItemName('fold')), None)",
    ),
    ("act", 'pick "play {card}" for (the card in options where card.suit is trump)', None),
    (
        "act",
        'if chance(1, 3): pick "fold"',
        "If([[Builtin('chance', [Const(1), Const(3)]), [Pick(ItemName('fold'), None)]]], [])",
    ),
    (
        "lead",
        "pick the card in options with lowest card.rank",
        "Pick(Select('the', Domain('card', card, Offered('card', Type('card', '')), None, None), 'lowest', Attribute('rank', LocalValue(card)), False), None)",
    ),
    ("passing", 'pick "done"', "Pick(ItemName('done'), None)"),
    ("place", "pick the zone in options where zone is empty", None),
    ("trump", "pick hearts", "Pick(Const(2), None)"),
    (
        "trump",
        "pick the suit in options",
        "Pick(Select('the', Domain('suit', suit, Offered('suit', Type('enum', 'suit')), None, None), None, None, False), None)",
    ),
    ("bid", "pick highest_offered", "Pick(NumberOffered('highest'), None)"),
    ("bid", "let wish = player.hand.count\npick wish if wish > lowest_offered else 3", None),
    ("orientation", "pick card.orientation", "Pick(Attribute('orientation', LocalValue(card)), None)"),
    ("orientation", "pick upright", "Pick(Const(1), None)"),
]


@pytest.mark.parametrize(("decision", "text", "tree"), PICKS, ids=[f"{case[0]}: {case[1]}" for case in PICKS])
def test_strategy(asking: Any, draw: Any, decision: str, text: str, tree: str | None) -> None:
    body = asking.strategy(decision, text)
    assert asking.messages == []
    assert tree is None or draw(body) == f"[{tree}]"


WRONG_PICKS: list[tuple[str, str, str]] = [
    ("leed", 'pick "fold"', "leed: there is no decision `leed` (did you mean `lead`?)"),
    ("act", 'pick "fod"', '"fod": `act` has no line `"fod"` (did you mean `fold`?)'),
    (
        "act",
        'pick "wait"',
        (
            '"wait": `act` has no line `"wait"` '
            '(labels are written as in the menu, braces included: `"fold"`, `"call {n}"`, `"play {card}"`)'
        ),
    ),
    ("act", 'pick "call 3"', '"call 3": `act` has no line `"call 3"` (did you mean `call {n}`?)'),
    (
        "act",
        "pick 3",
        (
            '3: `act` offers labels, this is a number (write a label in quotes, as in the menu: `"fold"`, '
            '`"call {n}"`, `"play {card}"`)'
        ),
    ),
    ("act", "pick the zone in options", "options: `act` offers cards, not zones"),
    ("lead", "pick 3", "3: a card was wanted here, this is a number"),
    (
        "lead",
        "pick card",
        "card: nothing here is called `card` (a loop, a query or a parameter names one: `each card ...`)",
    ),
    ("lead", "pick the player in options", "options: `lead` offers cards, not players"),
    ("lead", "pick highest_offered", "highest_offered: `lead` asks for no number"),
    (
        "lead",
        "pick random card in options",
        (
            "random card in options: `random` draws anew each time it is read, so it stands "
            "in scripts only (`if chance(1, 2):` is true half of the time, and a strategy that picks nothing picks at random)"
        ),
    ),
    ("lead", "shuffle stock", "shuffle stock: a strategy only picks, and this does something"),
    ("lead", "deal_out()", "deal_out(): a strategy only picks, and this does something"),
    ("lead", "rounds = 3", "rounds: a strategy only picks, and this changes the game"),
    ("bid", "pick hearts", "hearts: a number was wanted here, this is a suit"),
    (
        "passing",
        "pick lead",
        (
            "lead: what was chosen as `lead` is known only in the script that asks "
            "(keep it in a variable, or hand it over as a parameter)"
        ),
    ),
]


@pytest.mark.parametrize(("decision", "text", "message"), WRONG_PICKS, ids=[f"{c[0]}: {c[1]}" for c in WRONG_PICKS])
def test_message_of_a_strategy(asking: Any, decision: str, text: str, message: str) -> None:
    asking.strategy(decision, text)
    assert asking.messages == [message]
