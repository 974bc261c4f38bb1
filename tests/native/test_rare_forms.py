"""Forms of the language that no game of the library uses, or not with such numbers: both engines agree on them, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trionfi.interpreter.chance import Stream
from trionfi.interpreter.native.blocks import BlockPlayer
from trionfi.interpreter.rules import Rules, load
from trionfi.interpreter.simulate import Setup, play_block

from ..by_day import of_the_day
from ..interpreter.conftest import small
from .test_effects import RULESET, SMALL, effects, play_alike
from .test_equality import play_side_by_side
from .test_errors import error_of

__all__ = ["small"]

NAMES = """
variables:
  x: 0
  y: 9223372036854775807
  f: {start: 1 / 2}
  s: {kind: suit}
  r: {kind: rank}
  w: {kind: player}
  z: {kind: zone}
  c: {kind: card}
  pts: {per: player, start: 0}
  fav: {per: player, kind: suit}
  g: {per: player, start: 1 / 3}
"""
HANDS = """
rankings:
  tops(cards own):
    categories:
      Many: own.count > 2
      Two: own.count is 2
      Few: else
    order: [category, sum of card.rank.place for each card in own]
"""
# ordered by what is no number: none of a suit, an orientation and a hand among them
ORDERS = """
rankings:
  low(cards own):
    categories:
      Many: own.count > 2
      Few: else
    order: [category, own.count]
  by_all(cards own, number m):
    categories:
      Some: own.count > 50
      Any: else
    order: [top_suit(own), top_side(own), own.count / m, low(own), low(own).category, own.count is 2]
  by_fraction(cards own, number m):
    categories:
      Some: own.count > 50
      Any: else
    order: [own.count / m]
define:
  top_side(cards own): own.top.orientation if own is not empty else none
  top_suit(cards own): own.top.suit if own is not empty else none
"""
DEAL = "shuffle stock\ndeal 2 from stock to each hand\ndeal 1 from stock to p2.hand\n"

BEST = """
rankings:
  best:
    of: 1..3 cards
    alike: [rank]
    categories: {Trips: 3 alike, Pair: 2 alike, Rest: anything}
    order: [category, groups by card.rank]
"""
# sets of cards
MELDS = """
melds:
  meld:
    kinds: {set: "2..3 alike"}
    alike: [rank]
"""
OPEN = "shuffle stock\nmove top 7 cards in stock to pile\nlet sets = arranged(pile, meld)\n"
STANDARD = "{from: standard, ace: low, ranks: [ace, 2, 3, queen, king], suits: [clubs, hearts, spades]}"

# name: (play, further sections)
FORMS: dict[str, tuple[str, str]] = {
    "fractions that stay small in lowest terms": (
        "repeat 60 times: f = (f + 1) / 3\nrepeat 60 times: f = f * 6 / 6\nrepeat 40 times: f = f / 2 + 1 / 3",
        "",
    ),
    "fractions of large numbers": ("f = ((y - 1) / 7) * (7 / 3) - y / 3", ""),
    "fractions below zero": ("f = -((0 - y - 1) / 2)\nx = f * (0 - 1) / 3 rounded up", ""),
    "large fractions compared": (
        (
            "if y / (y - 1) < (y - 1) / (y - 2): x = 1\nif f is (y - 1) / (y - 1) / 2: add 2 to x\n"
            "if f is 1 / y..1 / 2: add 4 to x\nif f is 1..2: add 8 to x"
        ),
        "",
    ),
    "whole divisions at the edge": (
        "x = (0 - y - 1) / (x - 3) rounded down\nx = x mod 1000 + ((0 - y - 1) / (0 - 3) rounded up) mod 1000",
        "",
    ),
    "whole divisions of all signs": (
        (
            "for n from -7 to 7:\n  for m from -3 to 3:\n"
            "    if m is not 0: x = x * 3 mod 100000007 + (n / m rounded down) - 2 * (n / m rounded up)"
        ),
        "",
    ),
    "sums that leave 64 bits on the way": (
        "p1.pts = y\np2.pts = y\np3.pts = -y\nx = (sum of player.pts for each player) - y",
        "",
    ),
    "sums of fractions": ("f = sum of 1 / (rank.place * 2000000000) for each rank", ""),
    "the highest of fractions": ("f = highest of player.g - 1 / (player.hand.count + 3) for each player", ""),
    "the highest of words": (
        DEAL
        + "turn p2.hand.top to reversed\nif (highest of card.orientation for each card in p2.hand) is upright: x = 1\n"
        "if (lowest of card.orientation for each card in p2.hand) is reversed: add 2 to x\n"
        "s = highest of card.suit for each card in p1.hand\nr = lowest of player.hand.top.rank for each player",
        "",
    ),
    "the highest of hands": (
        DEAL + "if (highest of tops(player.hand) for each player) is tops(p2.hand): x = 1\n"
        "if (lowest of tops(player.hand) for each player) is tops(p1.hand): add 2 to x\n"
        "if (highest of tops(player.hand).category for each player) is tops(p2.hand).category: add 4 to x",
        HANDS,
    ),
    "between words": (
        DEAL + "if p1.hand.top.orientation is upright..upright: x = 1\n"
        "if p1.hand.top.orientation is upright..reversed: add 2 to x\nif p1.hand.top.rank is 2..jack: add 4 to x\n"
        "if 3 is 5..(1 / x rounded down): add 8 to x\nif s is cups..swords: add 16 to x",
        "",
    ),
    "orders of every kind": (
        DEAL + "w = the player with highest by_all(player.hand, 7)\nmove p2.hand to pile\n"
        "if by_all(p2.hand, 1) < by_all(p1.hand, 3): x = 1\nif by_all(p2.hand, 1) is by_all(spot, 3): add 2 to x",
        ORDERS,
    ),
    "orders by fractions": (
        (
            "deal 1 from stock to p1.hand\nif by_fraction(p1.hand, y) < by_fraction(p1.hand, y - 1): x = 1\n"
            "if by_fraction(p1.hand, -y) < by_fraction(p1.hand, 1 - y): add 2 to x\n"
            "if by_fraction(stock, 9) is by_fraction(p1.hand, 1): add 4 to x\n"
            "if by_fraction(p1.hand, -3) < by_fraction(p1.hand, -2): add 8 to x"
        ),
        ORDERS,
    ),
    "cards in several parts of a hand": (
        DEAL + "c = p1.hand.top\nlet own = top 2 cards in p2.hand\n"
        'if best(p1.hand, c).category is "Pair": x = 1\nif best(c, p1.hand) is best(p1.hand): add 2 to x\n'
        'if best(own, p2.hand).category is "Trips": add 4 to x\nif best(1 from c, 1 from p1.hand) is none: add 8 to x\n'
        "if best(1 from own, 2 from p2.hand) is none: add 16 to x\nif best(p1.hand, p2.hand, own) > best(own): add 32 to x\n"
        "if best(2 from p1.hand, 1 from p1.hand) is none: add 64 to x",
        BEST,
    ),
    "cards turned whose deck has no orientations": (
        "shuffle stock rotating half\n" + DEAL + "turn p1.hand.top to reversed\n"
        "for each player:\n  player chooses orientation of each card in player.hand\n"
        '  if best(player.hand) > best(p1.hand): add 1 to x\n  if best(player.hand).category is "Rest": add 10 to x',
        "deck: {ranks: [2, 3, 4, 5], suits: [cups, swords], copies: 2}\n"
        + BEST.replace("Pair: 2 alike", 'Pair: 2 alike, Side: "2 cards, same orientation"'),
    ),
    "random among the best": (
        DEAL
        + "p2.pts = 1\nw = random player with highest player.pts\nc = random card in p1.hand with lowest card.rank\n"
        "z = random zone in spot with highest zone.count",
        "",
    ),
    "lines about four things": (
        (
            """\
            for each player:
              player chooses as thing:
                "{suit} {rank} {other} {zone}" for each suit and each rank and each player other and each zone in spot:
                  x = x + rank.place + 10 * suit.place
                  other.pts = zone.place
                "none": add 1000 to x
            """
        ),
        "",
    ),
    "lines about sets": (
        (
            OPEN
            + """\
p1 chooses as thing:
  "lay {set}" for each cards set in sets.melds where set.count > 1:
    p1 chooses 1 card from set as c
    add set.count * 100 to x
  "lay for" for each cards set in sets.melds and each player: add set.top.rank.place * 1000 to player.pts
  "nothing": add 7 to x
"""
        ),
        MELDS,
    ),
    "lines about sets and copies": (
        (
            OPEN
            + "deal 3 from stock to each hand\n"
            + """\
repeat 3 times:
  p1 chooses as thing:
    "lay {set} with {card}" for each cards set in sets.melds and each card in p1.hand:
      add set.count * 100 + card.rank.place to x
      move card to bottom of stock
    "{card} of {player}" for each player and each card in p1.hand: add card.rank.place to player.pts
    "nothing": add 7 to x
"""
        ),
        "deck: {ranks: [2, 3, 4], suits: [cups, swords, coins], copies: 2}\n" + MELDS,
    ),
    "one of the sets": (
        (
            OPEN
            + """\
if sets.left.count < 7:
  p1 chooses 1 cards set from sets.melds as best
  x = best.count
  c = best.top
  let other = random cards set in sets.melds
  add other.count * 10 to x
let high = the cards set in sets.melds with highest set.top.rank
add high.count * 100 to x
let first = the cards set in sets.melds where set.count is 3
add first.count * 1000 to x
"""
        ),
        MELDS,
    ),
    "numbers from end to end": (
        """\
        p1 chooses number from 0 - y to y step 9000000000000000000 as x
        p2 chooses number from 0 - 5 to 9000000000000000003 step 4500000000000000000 as x
        p1 chooses number from 1 to 4294967295 as p1.pts
        """,
        "",
    ),
    "the smallest of several": (
        (
            """\
            for each player: player.pts = 7 mod (player.hand.count + 3)
            p2.pts = 5
            x = smaller(y, 7, larger(x, 3, 2, -4), 9) * 10 + larger(f, 1 / 3, 2) * 2 rounded up
            add (sum of smaller(player.pts, 2, 4) for each player) * 100 to x
            add (highest of larger(player.pts, x mod 3, 4) for each player) * 1000 to x
            """
        ),
        "",
    ),
    "several players": (
        (
            "p1 chooses 0..2 players as ww\nx = ww.count\np2 chooses 1 or more players where player not in ww as vv\n"
            "for each player in vv: add 10 to player.pts\nif p3 in vv: add 100 to x"
        ),
        "",
    ),
}


def named(sections: str) -> str:
    """The sections, with all names; further variables stand first."""
    own = sections.startswith("  ")
    return NAMES.rstrip("\n") + "\n" + sections if own else NAMES + sections


def compare(rules: Rules, name: str, games: int = 3) -> None:
    """Plays games side by side, and some whole ones: by day those of a third of the names, since they are another
    module, of the same functions."""
    for number in range(games):
        play_side_by_side(rules, 3, seed=1, game=number, deep=True)
    if of_the_day(name):
        bots = ("random",) * 3
        sums = BlockPlayer(rules, 3, bots, seed=2).play(0, games)
        assert sums == play_block(rules, Setup(3, bots, 2, "reference"), 0, games).sums


@pytest.mark.parametrize("form", FORMS)
def test_rare_forms_mean_the_same(form: str, small: Callable[..., Rules]) -> None:
    play, sections = FORMS[form]
    rules = small(play, named(sections))
    compare(rules, form)
    assert_states_alike(rules)


def assert_states_alike(rules: Rules) -> None:
    """Of games of few decisions, at the end."""
    states = []
    for engine in ("reference", "native"):
        game = rules.start(players=3, seed=5, engine=engine)
        while game.decision is not None:
            game.apply(game.decision.count - 1)
        states.append(game.state)
    assert states[0] == states[1]


# ---- strategies

LIKELY = """
variables: {x: 0}
strategies:
  likely:
    thing: |
      let turns = 0
      repeat until turns is 400000: turns = turns + 1
      if chance(7, 5): pick "often"
      pick "never"
    other: |
      if chance(0 - 1, 4294967295): pick "never"
      pick "often"
"""


def test_strategies_draw_and_count_for_themselves(small: Callable[..., Rules]) -> None:
    """Their chance may be none or certain, and what they pass does not count for the game."""
    lines = '  "never": add 1 to x\n  "often": add 10 to x\n'
    play = f"repeat 300000 times: x = 3\np1 chooses as thing:\n{lines}repeat 300000 times: x = x\np2 chooses as other:\n{lines}"
    rules = small(play, LIKELY)
    bots = ("likely", "likely")
    native = BlockPlayer(rules, 2, bots, seed=2).play(0, 1)
    assert native == play_block(rules, Setup(2, bots, 2, "reference"), 0, 1).sums
    games = [rules.start(players=2, seed=1, engine=engine) for engine in ("native", "reference")]
    for game in games:
        while game.decision is not None:
            game.apply(game.ask_strategy("likely", Stream(1, 2)))
        assert game.state["variables"]["x"] == 23


# ---- totals of any size

TOTAL = """
attributes:
  kind_of_card: [plain, heavy]
options:
  limit: {{default: 21, range: 1..500}}
totals:
  tally:
    values(card): {values}
    {limit}
"""
COUNTED = (
    DEAL
    + """\
turn p1.hand.top to reversed
p1.hand.top.kind_of_card = heavy
for each player:
  add tally(player.hand).value * 3 to x
  if tally(player.hand).soft: add 1000 to x
  if tally(player.hand).bust: add 50000 to x
add tally(stock).value to x
if tally(stock).soft: add 7 to x
if tally(stock).bust: add 11 to x
add tally(pile).value to x
"""
)
ACES = "1 or 11 if card.rank is ace, else card.rank.place"
# (values of a card, limit)
TOTALS = {
    "as ever": (ACES, "at most: 21"),
    "the largest that is a bit": (ACES, "at most: 62"),
    "the smallest that is none": (ACES, "at most: 63"),
    "no limit": (ACES, ""),
    "a limit of options": (ACES, "at most: limit * 2"),
    "a limit that changes": (ACES, "at most: x + 12"),
    "a limit below 0": ("-1 or -7 if card.rank is ace, else 0 - card.rank.place", "at most: -20"),
    "large values": ("1 or 63 or 1000 if card.rank is ace, else 0 or 37 or 100", "at most: 2000"),
    "large values of reversed cards": ("3 or 63 if card.orientation is reversed, else 2", "at most: 60"),
    "values that change": ("x mod 50 or 3 if card.rank is ace, else card.rank.place + p1.hand.count", "at most: 40"),
    "values of marks": ("3 or 70 if card.kind_of_card is heavy, else 2", "at most: 75"),
}


@pytest.mark.parametrize("total", TOTALS)
def test_totals_of_any_size(total: str, small: Callable[..., Rules]) -> None:
    values, limit = TOTALS[total]
    rules = small(COUNTED, NAMES + TOTAL.format(values=values, limit=limit))
    compare(rules, total)
    assert_states_alike(rules)


def test_totals_of_altered_cards() -> None:
    """A card of several suits or ranks counts as any of them."""
    head, _, rest = RULESET.format(deck=STANDARD, plays=30).partition("define:\n")
    values = "card.suit.place + 60 or 2 if card.rank is ace or 2, 1 or 7 if card.suit is clubs, else card.rank.place"
    limits = {"small": "21", "large": "100", "moving": "(sum of player.points for each player)"}
    totals = "".join(f"  {name}:\n    values(card): {values}\n    at most: {most}\n" for name, most in limits.items())
    counted = "".join(
        f"    add {factor} * {name}(common + p1.hand).value to p1.points\n    if {name}(common).soft: add {factor} to p2.points\n"
        for name, factor in zip(limits, (1, 1000, 1000000), strict=True)
    )
    rest = rest.replace("    trigger counting\n", f"{counted}    trigger counting\n")
    rules = load("altered", text=f"{head}totals:\n{totals}define:\n{rest}")
    for game in range(3):
        play_side_by_side(rules, 2, seed=1, game=game, deep=False)
    native = BlockPlayer(rules, 2, ["random"] * 2, seed=3).play(0, 5)
    assert native == play_block(rules, Setup(2, ("random",) * 2, 3, "reference"), 0, 5).sums


# ---- cards with effects, and melds


def test_new_targets_among_copies(test_size: float) -> None:
    rules = effects(deck=SMALL.replace("}", ", copies: 2}"))
    met = set()
    for seed in range(int(10 * test_size)):
        met |= play_alike(rules, seed, deep=seed < 2)
    assert "3 of hearts: targets" in met
    native = BlockPlayer(rules, 2, ["random"] * 2, seed=3).play(0, 10)
    assert native == play_block(rules, Setup(2, ("random",) * 2, 3, "reference"), 0, 10).sums


def test_melds_of_cards_that_copy_others() -> None:
    """A copy has one suit and one rank, as any card."""
    text = RULESET.format(deck=SMALL, plays=20)
    for line in (
        "    while in force: each target has every rank\n",
        "; each target has every suit if not strict",
    ):
        assert line in text
        text = text.replace(line, "    while in force: each target has suit spades\n" if line.endswith("\n") else "")
    text = text.replace("card has every suit or ", "")
    counted = "    add arranged(common + p1.hand, meld).cost to p1.points\n    if common is meld: add 50 to p2.points\n"
    meld = (
        "melds:\n  meld:\n    kinds: {set: 2..4 alike, run: run of 3..4}\n    alike: [rank]\n"
        "    run: {by: rank, ace: high}\n    cost(card): card.rank.place + card.suit.place\n"
    )
    text = text.replace("    trigger counting\n", f"{counted}    trigger counting\n")
    rules = load("copying", text=text.replace("define:\n", f"{meld}define:\n"))
    for seed in range(6):
        play_alike(rules, seed, deep=False)
    native = BlockPlayer(rules, 2, ["random"] * 2, seed=3).play(0, 10)
    assert native == play_block(rules, Setup(2, ("random",) * 2, 3, "reference"), 0, 10).sums


def test_what_is_not_compiled_is_said(small: Callable[..., Rules]) -> None:
    text = RULESET.format(deck=SMALL, plays=20)
    meld = "melds:\n  meld:\n    kinds: {set: 2..4 alike}\n    alike: [rank]\n"
    text = text.replace("    trigger counting\n", "    if common is meld: add 50 to p2.points\n    trigger counting\n")
    rules = load("several", text=text.replace("define:\n", f"{meld}define:\n"))
    assert rules.engine() == "reference"
    with pytest.raises(ValueError, match="native engine: melds of cards with several suits or ranks"):
        rules.start(seed=1, engine="native")


ORDERED = """
variables: {{x: 0, y: 3}}
attributes: {{state: [fresh, used]}}
rankings:
  best:
    of: 1..3 cards
    alike: [{alike}]
    categories: {{Pair: 2 alike, Single: anything}}
    order: [{order}]
define:
  share(card): 7 / (card.rank.place - 1) rounded down
"""
# what an order asks for, and why it is not compiled, if so
RANKED = {
    "category, groups by card.rank": "",
    "groups by card.rank then card.suit.place, category": "",
    "category, sum of card.rank.place for each card in hand": "",
    "groups by card.rank": "an order without the category",
    "category, groups by card.rank.place + y": "where it lies",
    "category, groups by hand.count * card.rank.place": "reads the hand",
    "category, count of cards in hand where card.state is used": "marked on cards in play",
    "category, hand.count / 2": "no fast way",
    "category, sum of card.rank.place * 1000000000000000000 for each card in hand": "more than 63 bits",
    "category, groups by share(card)": "division by zero",
}


@pytest.mark.parametrize("order", RANKED)
def test_rankings_that_are_not_compiled_are_known_before(order: str, small: Callable[..., Rules]) -> None:
    play = "move top 3 cards in stock to p1.hand\nmove top 3 cards in stock to p2.hand\nif best(p1.hand) > best(p2.hand): x = 1"
    rules = small(play, ORDERED.format(alike="rank", order=order))
    if not RANKED[order]:
        compare(rules, order)
        return
    assert rules.engine() == "reference"
    with pytest.raises(ValueError, match=RANKED[order]):
        rules.start(seed=1, engine="native")


def test_a_property_without_a_value_for_some_card_is_known_before(small: Callable[..., Rules]) -> None:
    play = "move stock.top to p1.hand\nif best(p1.hand) is best(p1.hand): x = 1"
    rules = small(play, ORDERED.format(alike="share", order="category"))
    assert rules.engine() == "reference"
    assert rules.start(seed=1).over


LONG_RUNS = """
deck: {{ranks: {ranks}, suits: [cups, swords]}}
melds:
  meld:
    kinds: {{run: "run of 3..6, same suit", set: 2 alike}}
    alike: [rank]
    run: {{by: rank}}
    cost(card): card.rank.place
"""
MANY = """
deck: {ranks: [ace, 2, 3, 4, 5, 6, 7, 8, 9, 10, jack], suits: [cups]}
melds:
  meld:
    kinds: {low: "2..12 cards, same suit", both: 2..3 cards}
    cost(card): card.rank.place
"""


def test_runs_along_many_ranks(small: Callable[..., Rules]) -> None:
    play = """\
        shuffle stock
        move top 16 cards in stock to pile
        let best = arranged(pile, meld)
        x = best.cost
        p1 chooses as thing:
          "{card}" for each card in pile where arranged(pile - card, meld).cost < best.cost - 10: add 7 to x
          "none": add 1 to x
        for each cards set in best.melds: add 10000 to x
        """
    rules = small(play, "variables: {x: 0}\n" + LONG_RUNS.format(ranks=list(range(1, 101))))
    compare(rules, play, games=2)
    assert_states_alike(rules)


def test_as_many_melds_as_there_is_room_for(small: Callable[..., Rules]) -> None:
    """All cards together make too many; without one of them there is room."""
    play = "move stock to pile\nfor each card in pile: add arranged(pile - card, meld).cost + 1 to x"
    rules = small(play, "variables: {x: 0}\n" + MANY)
    compare(rules, play, games=1)
    assert_states_alike(rules)
    assert_errors_alike(small("x = arranged(stock, meld).cost", "variables: {x: 0}\n" + MANY), "too-many-melds")


def test_as_many_options_as_there_may_be(
    small: Callable[..., Rules], test_size: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By day the limit is lower: the reference engine takes seconds for 65,536 options."""
    ranks = 16 if test_size > 1 else 4
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # no code of another limit is kept for others
    native = ("interpreter.native.emission.menus", "interpreter.native.offers", "core.desugar.decisions")
    for module in ("interpreter.reference.decisions", *native):
        monkeypatch.setattr(f"trionfi.{module}.MOST_OPTIONS", ranks**4)
    deck = f"variables: {{x: 0}}\ndeck: {{ranks: {list(range(1, ranks + 1))}, suits: [cups]}}\n"
    play = """\
        p2 chooses as thing:
          "{{a}} {{b}} {{c}} {{d}}" for each rank a and each rank b and each rank c and each rank d: x = a.place
          "none" if {}: x = 0
        """
    rules = small(play.format("x > 0"), deck)
    for game in [rules.start(seed=1, engine=engine) for engine in ("native", "reference")]:
        assert game.decision is not None
        assert game.decision.count == ranks**4
        game.apply(game.decision.count - 1)
        assert game.state["variables"]["x"] == ranks  # type: ignore[index]
    assert BlockPlayer(rules, 2, ["random"] * 2, seed=3).play(0, 3).games == 3
    assert_errors_alike(small(play.format("x is 0"), deck), "too-many-options")


def assert_errors_alike(rules: Rules, code: str) -> None:
    errors = [
        error_of(lambda: rules.start(players=2, seed=2, game=4, engine="native")),
        error_of(lambda: rules.start(players=2, seed=2, game=4, engine="reference")),
        error_of(lambda: BlockPlayer(rules, 2, ("random",) * 2, 2).play(4, 1)),
    ]
    assert [error.code for error in errors] == [code] * 3
    assert len({str(error) for error in errors}) == 1
