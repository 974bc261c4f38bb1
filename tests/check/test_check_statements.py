"""Statements of scripts: what tree a text becomes, or what is said about it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from trionfi.dsl.check.statements import STATEMENTS
from trionfi.dsl.grammar import grammar_text
from trionfi.dsl.types import NOTHING, NUMBER, PLAYER, RANK

STOCK, PILE = "ZoneValue(stock, None, None)", "ZoneValue(pile, None, None)"
HAND = "ZoneValue(hand, LocalValue(p), None)"
CASES: list[tuple[str, str | None]] = [
    ("shuffle stock", f"Shuffle({STOCK}, None)"),
    ("shuffle stock rotating every_card", f"Shuffle({STOCK}, Const(1))"),
    ("deal 1 from stock to pile face up", f"Deal(Const(1), False, {STOCK}, {PILE}, 'up')"),
    ("deal up to n from stock to table", f"Deal(LocalValue(n), True, {STOCK}, ZonesValue(table, None), '')"),
    ("deal 52 / players.count rounded down from stock to p.slots[2]", None),
    (
        "deal 3 from stock to each hand",
        f"DealAround(Const(3), False, {STOCK}, hand, Domain('player', player, None, None, None), '')",
    ),
    (
        "deal 1 from stock to each live hand starting left of dealer",
        (
            f"DealAround(Const(1), False, {STOCK}, hand, Domain('player', player, None, Attribute('left', "
            "VariableValue(dealer, None)), VariableValue(live, LocalValue(player))), '')"
        ),
    ),
    ("move c to pile", f"Move(CardsOf(LocalValue(c)), {PILE}, False, '')"),
    ("move p.hand to bottom of stock face down", f"Move(CardsOf({HAND}), {STOCK}, True, 'down')"),
    (
        "move all cards to stock",
        f"Move(Select('all', Domain('card', card, None, None, None), None, None, False), {STOCK}, False, '')",
    ),
    ("move random card in p.hand to pile", None),
    (
        "turn up root, pile.top",
        f"TurnFace([CardsOf(ZoneValue(inner, None, Const(1))), CardsOf(Attribute('top', {PILE}))], True)",
    ),
    ("turn down table", "TurnFace([CardsOf(ZonesValue(table, None))], False)"),
    ("turn over pile onto stock", f"TurnOver({PILE}, {STOCK})"),
    ("turn c to upright", "Orient(CardsOf(LocalValue(c)), Const(1))"),
    ("show p.hand", f"Show(CardsOf({HAND}), None)"),
    ("show seen to q", "Show(VariableValue(seen, None), LocalValue(q))"),
    ("q looks at top 2 cards in stock", f"Show(TopCards(Const(2), {STOCK}), LocalValue(q))"),
    ('say "{p} passes"', "Say(Label('{p} passes', [LocalValue(p), ' passes']))"),
    ('say "{c}{n}"', "Say(Label('{c}{n}', [LocalValue(c), LocalValue(n)]))"),
    (
        "dealer = left of dealer",
        "Assign(VariableValue(dealer, None), Attribute('left', VariableValue(dealer, None)), False)",
    ),
    (
        "dealer = random live player",
        (
            "Assign(VariableValue(dealer, None), Select('random', Domain('player', player, None, None, "
            "VariableValue(live, LocalValue(player))), None, None, False), True)"
        ),
    ),
    ("trump = none", "Assign(VariableValue(trump, None), Const(None), False)"),
    ("seen = none", "Assign(VariableValue(seen, None), CardsOf(Const(None)), False)"),
    ("lead_card = root", "Assign(VariableValue(lead_card, None), CardAt(ZoneValue(inner, None, Const(1))), False)"),
    (
        "p.live = not q.live",
        "Assign(VariableValue(live, LocalValue(p)), Not(VariableValue(live, LocalValue(q))), False)",
    ),
    ("c.role = tower", "SetMark(role, LocalValue(c), Const(1))"),
    ("add 2 to p.score", "Change(VariableValue(score, LocalValue(p)), Const(2), False)"),
    ("subtract n from rounds", "Change(VariableValue(rounds, None), LocalValue(n), True)"),
    ("pay 3 from p.chips to pot", "Pay(Const(3), VariableValue(chips, LocalValue(p)), VariableValue(pot, None))"),
    ("deal_out()", "Call(deal_out, [], None)"),
    ("lay(root)", "Call(lay, [CardAt(ZoneValue(inner, None, Const(1)))], None)"),
    ("dealer = play_trick(p)", "Call(play_trick, [LocalValue(p)], VariableValue(dealer, None))"),
    ("end game", "EndGame()"),
    ("trigger scoring", "Trigger('scoring')"),
    ("if ended: end game", "If([[VariableValue(ended, None), [EndGame()]]], [])"),
    (
        "if ended: end game\nelse if p.live: shuffle pile\nelse:\n  shuffle stock",
        (
            f"If([[VariableValue(ended, None), [EndGame()]], [VariableValue(live, LocalValue(p)), [Shuffle({PILE}, None)]]], "
            f"[Shuffle({STOCK}, None)])"
        ),
    ),
    ("while ended: stop", "While(VariableValue(ended, None), [Stop()])"),
    ("repeat until ended: deal_out()", "RepeatUntil(VariableValue(ended, None), [Call(deal_out, [], None)])"),
    ("repeat 3 times: deal_out()", "RepeatTimes(Const(3), [Call(deal_out, [], None)])"),
    (
        "for i from 1 to 7: deal i from stock to tableau[i]",
        f"ForCount(i, Const(1), Const(7), [Deal(LocalValue(i), False, {STOCK}, ZoneValue(tableau, None, LocalValue(i)), '')])",
    ),
    (
        "for each live player x starting p where x is not p: stop",
        (
            "ForEach(Domain('player', x, None, LocalValue(p), And([VariableValue(live, LocalValue(x)), "
            "Not(Same(LocalValue(x), LocalValue(p)))])), [Stop()])"
        ),
    ),
    (
        "for each card in p.hand: move card to pile",
        f"ForEach(Domain('card', card, CardsOf({HAND}), None, None), [Move(CardsOf(LocalValue(card)), {PILE}, False, '')])",
    ),
    (
        "for each zone z in tableau: turn up z.top",
        "ForEach(Domain('zone', z, ZonesValue(tableau, None), None, None), [TurnFace([CardsOf(Attribute('top', LocalValue(z)))], True)])",
    ),
    (
        "for each cards set in arranged(p.hand, meld).melds: move set to pile",
        (
            f"ForEach(Domain('cards', set, Attribute('melds', Arranged(meld, CardsOf({HAND}))), None, None), "
            f"[Move(LocalValue(set), {PILE}, False, '')])"
        ),
    ),
    (
        "for each suit s: move s.foundation to pile",
        (
            "ForEach(Domain('suit', s, None, None, None), [Move(CardsOf(ZoneValue(foundation, LocalValue(s), None)), "
            f"{PILE}, False, '')])"
        ),
    ),
]


@pytest.mark.parametrize(("text", "tree"), CASES, ids=[case[0] for case in CASES])
def test_statement(game: Any, draw: Any, text: str, tree: str | None) -> None:
    block = game.script(text)
    assert game.messages == []
    assert tree is None or draw(block) == f"[{tree}]"
    assert block[0].span.start == 0
    assert block[0].span.end == len(text)


def test_a_let_is_known_from_then_on_and_in_its_block_only(game: Any, draw: Any) -> None:
    block = game.script("let x = left of p\nadd 1 to x.score\nx = right of x")
    assert game.messages == []
    assert draw(block[0]) == "Assign(LocalValue(x), Attribute('left', LocalValue(p)), False)"
    local = block[0].target.local
    assert local is game.last.locals[local.index]
    game.script("if ended:\n  let y = 3\n  add y to rounds\nadd y to rounds")
    assert game.messages == ["y: there is no name `y`"]


def test_names_of_two_blocks_have_places_of_their_own(game: Any) -> None:
    game.script("if ended:\n  let y = 3\n  add y to rounds\nelse:\n  let y = p\n  add 1 to y.score")
    assert game.messages == []
    first, second = [local for local in game.last.locals if local.name == "y"]
    assert (first.type, second.type) == (NUMBER, PLAYER)
    assert first.index != second.index


RESULTS = [
    ("shuffle stock", NOTHING),
    ("if ended: return\nshuffle stock", NOTHING),
    ("return 3", NUMBER),
    ("if ended: return none\nreturn p", PLAYER),
    ("return play_trick(p)", PLAYER),
    ("if ended: return 9\nelse: return c.rank", RANK),
    ('p chooses as a:\n  "x": return 1\n  "y":\n    end game', NUMBER),
]


@pytest.mark.parametrize(("text", "type"), RESULTS)
def test_result(game: Any, text: str, type: object) -> None:
    game.script(text)
    assert game.messages == []
    assert game.last.type == type


def test_whether_a_procedure_asks_is_known_through_calls(game: Any) -> None:
    game.script("deal_out()")
    assert not game.last.asks
    game.script("ask(p)")
    assert game.last.asks


WRONG: list[tuple[str, list[str]]] = [
    # names of things
    ("trmp = hearts", ["trmp: there is no variable `trmp` (did you mean `trump`?)"]),
    ("winner = 3", ["winner: there is no variable `winner` (a new name begins with `let winner = ...`)"]),
    ("live = true", ["live: there is no variable `live` (say whose: `player.live`)"]),
    ("deal_ou()", ["deal_ou: there is no define or procedure `deal_ou` (did you mean `deal_out`?)"]),
    ("let x = 3", ["x: `x` is never used"]),
    ("let n = 3\nadd n to rounds", ["n: `n` already has a meaning here, since game:1:1 (take another name)"]),
    (
        "let x = 3\nlet x = 4\nadd x to rounds",
        ["x: `x` already has a meaning here, since game:1:5 (to set it anew, write `x = ...`)"],
    ),
    ("for each player p: stop", ["p: `p` already has a meaning here, since game:1:1 (take another name)"]),
    ("let true = 3", ["true: `true` is a word of the language (try `true_of` or another name)"]),
    # what can be set
    ("p = q", ["p: `p` is a parameter or what a loop goes over, and keeps its value (keep a copy: `let new_p = p`)"]),
    (
        "for i from 1 to 3: i = 2",
        ["i: `i` is a parameter or what a loop goes over, and keeps its value (keep a copy: `let new_i = i`)"],
    ),
    ("p.hand = stock", ["p.hand: a zone is not set (cards are moved: `move ... to p.hand`)"]),
    ("limit = 3", ["limit: an option keeps its value all game (keep a variable of your own)"]),
    ("house = 3", ["house: `house` is a define and cannot be set"]),
    ("house() = 3", ["house(): a define is worked out anew each time and is not set (set the variables it reads)"]),
    ("c.face = up", ["c.face: `face` is not set (write `turn up c` or `turn down c`)"]),
    ("c.orientation = reversed", ["c.orientation: `orientation` is not set (write `turn c to reversed`)"]),
    ("c.rank = king", ["c.rank: `rank` is not set (suits and ranks change by effects only)"]),
    ("trump = p", ["p: a suit was wanted here, this is a player"]),
    ("let x = none", ["none: `none` does not say what kind of thing the name is for (use a variable with a `kind`)"]),
    ("let x = n / 2", ["n / 2: a fraction is not stored (say `rounded down` or `rounded up` behind it)"]),
    (
        "add n / 2 to rounds",
        ["n / 2: a number was wanted here, this is a fraction (say `rounded down` or `rounded up` behind it)"],
    ),
    ("add 1 to trump", ["trump: numbers are added to and subtracted from, this is a suit"]),
    (
        "if (random card in pile).rank is 9 or 10: end game",
        ["(random card in pile).rank: what is compared with a list would be drawn anew for each value"],
    ),
    # chips
    ("pot = 3", ["pot: `pot` counts chips, which only `pay` moves (write `pay ... from ... to pot`)"]),
    (
        "add 1 to p.chips",
        ["p.chips: `chips` counts chips, which only `pay` moves (write `pay ... from ... to p.chips`)"],
    ),
    (
        "pay 3 from p.score to pot",
        [
            (
                "p.score: chips are paid from one chips variable to another, this is no chips variable "
                "(declare it with `counts: chips`, or write `add ... to p.score`)"
            )
        ],
    ),
    (
        "pay 3 from p.chips to stock",
        ["stock: chips are paid from one chips variable to another, this is no chips variable"],
    ),
    # calls
    (
        "house()",
        [
            (
                "house(): `house` is a define, a value that changes nothing by itself "
                "(use it in a condition, a `let` or a statement)"
            )
        ],
    ),
    ("deal_out", ["deal_out: `deal_out` is a procedure and is called with brackets (write `deal_out()`)"]),
    ("lay", ["lay: `lay` is a procedure and is called with brackets (write `lay(card)`)"]),
    ("p.score", ["p.score: a number by itself does nothing"]),
    ("lay(p)", ["p: a card was wanted here, this is a player"]),
    ("lay()", ["lay(): `lay` takes 1 value, here are none (it is `lay(card)`)"]),
    (
        "let x = deal_out()",
        ["deal_out(): this procedure gives no result (let it `return` one, or call it on a line of its own)"],
    ),
    ("trump = play_trick(p)", ["play_trick(p): a suit was wanted here, `play_trick` gives a player"]),
    ("return deal_out()", ["deal_out(): `deal_out` gives no result (call it on a line before, then `return`)"]),
    (
        "if play_trick(p) is p: stop",
        [
            (
                "play_trick: `play_trick` is a procedure, which does something; it is no value "
                "(write `let x = play_trick(...)` on a line before, then use `x`)"
            ),
            "stop: there is no loop here to leave (`return` leaves the procedure)",
        ],
    ),
    # ways out of loops, procedures and the game
    ("stop", ["stop: there is no loop here to leave (`return` leaves the procedure)"]),
    ("end round", ["end round: `round` cannot be ended (write `end game`)"]),
    ("return 3\nshuffle stock", ["shuffle stock: this is never reached"]),
    (
        "if ended: return 3",
        [": `here` returns a number, but may end without returning anything (let every way through end with `return`)"],
    ),
    ("if ended: return 3\nreturn", ["return: the other returns of this procedure give a value"]),
    ("if ended: return 3\nreturn p", ["p: the values must be of one kind: a number stands before, this is a player"]),
    # cards
    ("deal 1 from stock to tableau", ["tableau: which of the zones is not said (say which: `tableau[1]`)"]),
    (
        "deal 1 from tableau to stock",
        ["tableau: a zone was wanted here, this is several zones (a row or piles) (say which place: `tableau[1]`)"],
    ),
    ("deal p from stock to pile", ["p: a number was wanted here, this is a player"]),
    ("deal 1 from stock to bottom of pile", ["bottom of pile: cards are dealt on top; `move` puts them to the bottom"]),
    ("deal 1 from stock to each hnd", ["hnd: `hnd` is no zone of each player (did you mean `hand`?)"]),
    ("deal 1 from stock to each happy hand", ["happy: there is no adjective `happy`"]),
    (
        "deal 1 from stock to pile starting p",
        ["p: `starting` goes with dealing to each player: `deal 4 from stock to each hand starting ...`"],
    ),
    (
        "move c to each hand",
        ["each hand: cards are moved to one zone (write `for each player: move ... to player.hand`, or `deal`)"],
    ),
    ("move p to pile", ["p: cards were wanted here, this is a player (name a zone: `p.hand`)"]),
    ("turn c to king", ["king: `king` is a rank, an orientation was wanted here"]),
    (
        "shuffle stock rotating sideways",
        ["sideways: `sideways` is neither a member of `rotation` nor a name of the game"],
    ),
    ("for each zone z in p.hand: stop", ["p.hand: several zones (a row or piles) were wanted here, this is a zone"]),
    ("for each card x in pile starting p: stop", ["p: `starting` is for players only"]),
    (
        "if p.score: deal_out()",
        ["p.score: a truth (yes or no) was wanted here, this is a number (compare it: `p.score > 0`)"],
    ),
    # labels
    ('say "{poker(table)}"', ["poker(table): a hand value of `poker` cannot be said in a label"]),
    ('say "a { b"', ['"a { b": a brace in a label stands for a value: `{card}`']),
    ('say "{}"', ["{}: a value was wanted in the braces"]),
    ('say "{p.hnd}"', ["hnd: a player has no `hnd` (did you mean `hand`?)"]),
    ("p plays c", ["p plays c: the game has no effects that could be played (write the section `effects`)"]),
    ('pick "fold"', ['pick "fold": `pick` is for strategies (write `player chooses 1 card from player.hand as ...`)']),
]


@pytest.mark.parametrize(("text", "messages"), WRONG, ids=[case[0] for case in WRONG])
def test_message(game: Any, text: str, messages: list[str]) -> None:
    game.script(text)
    assert game.messages == messages


def test_recursion_tells_its_path(game: Any) -> None:
    game.procedure("one()", "two()")
    game.procedure("two()", "if ended: one()")
    game.context.settle_all()
    assert game.messages == ["one(): `one` would call itself: `one` calls `two` calls `one`"]


def test_several_errors_in_one_script(game: Any) -> None:
    game.script("shuffle stok\nif wort(c) > 3:\n  trump = kin\n  move p.hnd to pile")
    assert [message.partition(":")[0] for message in game.messages] == ["stok", "wort", "kin", "hnd"]


def test_calls_are_recorded(game: Any) -> None:
    game.script("deal_out()\nadd worth(c) to rounds\nif ended: ask(p)")
    assert [one.name for one, _ in game.context.calls[game.last]] == ["deal_out", "worth", "ask"]


def test_every_statement_of_the_grammar_has_a_rule() -> None:
    part = (
        grammar_text().split("// ---- decisions")[0] + grammar_text().split("// ---- control")[1].split("// a noun")[0]
    )
    rules = set(re.findall(r"^(\w+):", part, re.M)) | {"choose", "menu", "secret", "pick"}
    helpers = {"script", "suite", "dest_zone", "dest_each", "dest_bottom", "_dest", "facing", "elif"}
    assert rules - helpers - STATEMENTS.keys() == set()
