"""Small well-typed rulesets made at random, so that every construct is met beside every other.

`make(dice)` gives the text of one; `dice` is a `random.Random`. Values are written by type (`number`, `truth`,
`player`, `card`, `cards`, `suit`) to a depth, statements with decisions among them. What may stop a game (none where a
thing is needed, a short deal, a division by zero) is made, too, though not often.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from textwrap import indent

HEAD = """\
trionfi: 1
name: Made
about: A game made at random.
players: 2..4
"""

DECKS = [
    "deck: {ranks: [ace, 2, 3, 4, jack], suits: [cups, swords], orientations: [upright, reversed]}",
    "deck: {ranks: [2, 3, 4, 5], suits: [cups, swords, coins], copies: 2}",
    "deck: {ranks: [ace, 2, 3, jack], suits: [cups, swords, coins], keep: card.rank is not 3 or players.count is not 3}",
]

BODY = """\
options:
  amount: {default: 3, range: 1..9}
  turns: {default: false}
kinds:
  weather: [fair, grey, foul]
table:
  stock: {start: deck, when short: refill()}
  pile: {face: up}
  hidden: {face: down}
  spot: {row: [left_spot, middle_spot, right_spot], face: up}
  hand: {per: player, seen_by: owner}
  heap: {per: player, piles: 2, face: up}
attributes:
  mark: {choices: [plain, marked], default: plain}
variables:
  dealer: {kind: player}
  first: 0
  second: 5
  sky: {kind: weather}
  flag: true
  trump: {kind: suit}
  kept: {kind: cards, most: 4}
  pot: {counts: chips, start: 20}
  chips: {per: player, counts: chips, start: amount * 5}
  points: {per: player, start: 0}
  passed: {per: player, start: false}
  friend: {per: player, kind: player}
  own: {per: player, kind: cards, most: 3}
  load: {per: heap, start: 0}
  part: {start: 1 / 2}
rankings:
  height(cards own):
    categories:
      Many: own.count > 2
      Red: any card in own where card.suit is cups
      Rest: else
    order:
      - category
      - sum of worth(card) for each card in own
  finely(cards own):
    categories:
      Full: own.count > 4
      Other: else
    order: [part * own.count, height(own), height(own).category]
  best:
    of: 1..3 cards
    alike: [rank]
    categories:
      Trips: 3 alike
      Pair: 2 alike
      Single: 1..3 cards
    order: [category, groups by card.rank]
totals:
  tally:
    values(card): 1 or 11 if card.rank is 2, 0 if card.orientation is reversed, else card.rank.place
    at most: 21
  wide:
    values(card): worth(card) * 40 or 0 - card.rank.place if card.suit is cups, else card.rank.place or first
    at most: 70 + second
define:
  worth(card): card.rank.place + (3 if card.suit is trump else 0)
  rich(player): player.chips > amount * 2
  waiting(player): not player.passed and player.hand.count > 0
  leaders(): all players with highest player.points
  picked(player): all cards in player.hand where worth(card) > 3
  middle(number one, number two): smaller(one, two) + (larger(one, two) - smaller(one, two)) / 2 rounded down
result:
  score(player): player.points + player.chips
measures:
  when landmark:
    how_many: stock.count
    mood(player): sky if not player.passed else none
    hand_held(player): height(player.hand).category
  flagged: flag
  pot_left: pot
  made(player): best(player.hand).category if player.hand is not empty else none
"""


class Writer:
    """Writes values and statements; `cards` and `players` are the names that stand for one here."""

    def __init__(self, dice: Random, oriented: bool) -> None:
        self.dice = dice
        self.oriented = oriented
        self.players = ["p1", "p2"]
        self.cards: list[str] = []
        self.names = 0
        self.calls = True  # procedures may be called: not inside one

    def pick(self, *choices: str) -> str:
        return self.dice.choice(choices)

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}_{self.names}"

    def one_of(self, depth: int, plain: list[Callable[[], str]], deep: list[Callable[[], str]]) -> str:
        return self.dice.choice(plain + (deep if depth > 0 else []))()

    # ---- values

    def number(self, depth: int) -> str:
        less = depth - 1
        return self.one_of(
            depth,
            [
                lambda: str(self.dice.randrange(0, 7)),
                lambda: self.pick("first", "second", "amount", "pot"),
                lambda: f"{self.player(0)}.{self.pick('points', 'chips')}",
                lambda: f"{self.zone(0)}.count",
            ],
            [
                lambda: f"({self.number(less)} {self.pick('+', '-', '*')} {self.number(less)})",
                lambda: f"({self.number(less)} mod {self.dice.randrange(1, 5)})",
                lambda: f"({self.number(less)} / {self.dice.randrange(1, 4)} rounded {self.pick('down', 'up')})",
                lambda: f"{self.pick('smaller', 'larger')}({self.number(less)}, {self.number(less)})",
                lambda: f"middle({self.number(less)}, {self.number(less)})",
                lambda: f"({self.number(less)} if {self.truth(less)} else {self.number(less)})",
                lambda: f"(count of {self.players_where(less)})",
                lambda: f"(count of {self.cards_where(less)})",
                lambda: f"(sum of {self.players_number()} for each {self.players_where(less)})",
                lambda: f"(sum of worth(card) for each {self.cards_where(less)})",
                lambda: f"({self.pick('highest', 'lowest')} of {self.players_number()} for each player)",
                lambda: f"(sum of suit.place for each suit where suit is not {self.suit(0)})",
                lambda: f"tally({self.some_cards(less)}).value",
                lambda: f"wide({self.some_cards(less)}).value",
                lambda: f"({self.fraction(less)} rounded {self.pick('down', 'up')})",
                lambda: "leaders().count",
                lambda: f"{self.player(less)}.heap[{self.pick('1', '2')}].load",
            ],
        )

    def fraction(self, depth: int) -> str:
        less = depth - 1
        return self.one_of(
            depth,
            [lambda: "part", lambda: f"{self.number(0)} / {self.dice.randrange(2, 9)}"],
            [
                lambda: f"({self.fraction(less)} {self.pick('+', '-', '*')} {self.fraction(less)})",
                lambda: f"({self.fraction(less)} / {self.number(less)})",
                lambda: f"(highest of 1 / ({self.players_number()} + 1) for each player)",
                lambda: f"(sum of part / ({self.players_number()} + 2) for each player)",
                lambda: f"({self.fraction(less)} if {self.truth(less)} else {self.fraction(less)})",
            ],
        )

    def players_number(self) -> str:
        return self.pick("player.points", "player.chips", "player.hand.count", "player.points + player.chips")

    def truth(self, depth: int) -> str:
        less = depth - 1
        return self.one_of(
            depth,
            [
                lambda: self.pick("flag", "turns", "stock is empty", "pile is not empty", "(sky is fair or foul)"),
                lambda: f"{self.player(0)}.passed",
                lambda: f"rich({self.player(0)})",
            ],
            [
                lambda: f"{self.number(less)} {self.pick('<', '<=', '>', '>=', 'is', 'is not')} {self.number(less)}",
                lambda: f"({self.truth(less)} {self.pick('and', 'or')} {self.truth(less)})",
                lambda: f"(not ({self.truth(less)}))",
                lambda: f"({self.pick('any', 'no', 'every')} {self.players_asked(less)})",
                lambda: f"({self.pick('any', 'no')} {self.cards_where(less)})",
                lambda: f"{self.player(less)} is {self.pick('', 'not ')}{self.player(less)}",
                lambda: f"{self.player(less)} in leaders()",
                lambda: f"{self.number(less)} is {self.dice.randrange(3)}..{self.dice.randrange(3, 9)}",
                lambda: f"({self.card(less)} {self.pick('in', 'not in')} {self.some_cards(less)})",
                lambda: f"trump is {self.suit(0)}",
                lambda: f"{self.pick('tally', 'wide')}({self.some_cards(less)}).{self.pick('soft', 'bust')}",
                lambda: f"{self.fraction(less)} {self.pick('<', '<=', '>', 'is')} {self.fraction(less)}",
                lambda: f"{self.fraction(less)} is 0..{self.dice.randrange(1, 4)}",
                lambda: f"finely({self.some_cards(less)}) {self.pick('>', '<=', 'is')} finely({self.some_cards(less)})",
                lambda: "(highest of height(player.hand) for each player) is height(p2.hand)",
                lambda: (
                    f"(lowest of height(player.hand).category for each {self.players_where(less)}) is height(p1.hand).category"
                ),
                lambda: f"height({self.some_cards(less)}) {self.pick('>', '<=', 'is')} height({self.some_cards(less)})",
                lambda: (
                    f"best({self.some_cards(less)}) {self.pick('>=', '<', 'is', 'is not')} best({self.some_cards(less)})"
                ),
            ],
        )

    def player(self, depth: int) -> str:
        less = depth - 1
        return self.one_of(
            depth,
            [lambda: self.dice.choice(self.players)],
            [
                lambda: f"(left of {self.player(less)})",
                lambda: f"(right of {self.player(less)})",
                lambda: f"(next player after {self.player(less)})",
                lambda: f"(next waiting player after {self.player(less)})",
                lambda: f"(the player with {self.pick('highest', 'lowest')} {self.players_number()})",
                lambda: "(the player with highest height(player.hand))",
                lambda: f"(the {self.players_where(less)})",
            ],
        )

    def players_where(self, depth: int) -> str:
        asked = self.pick("player", "waiting player", "rich player", "player in leaders()")
        return f"{asked} where {self.of_player(depth)}" if self.dice.random() < 0.6 else asked

    def players_asked(self, depth: int) -> str:
        return f"{self.pick('player', 'waiting player')} where {self.of_player(depth)}"

    def of_player(self, depth: int) -> str:
        return self.pick(
            "player.passed",
            "player.points > first",
            "player.chips >= player.points + second",
            f"player is not {self.dice.choice(self.players)}",
            "player.hand is not empty",
            "(rich(player) or player.points is 0)",
            "no player q where q is not player and q.points > player.points",
        )

    def zone(self, depth: int) -> str:
        return self.pick(
            "stock", "pile", "hidden", f"{self.dice.choice(self.players)}.hand", "p1.heap[1]", "p2.heap[2]"
        )

    def card(self, depth: int) -> str:
        less = depth - 1
        plain = [lambda: f"{self.zone(0)}.top", lambda: "2 of cups", lambda: self.pick("left_spot", "middle_spot")]
        if self.cards:
            plain.append(lambda: self.dice.choice(self.cards))
        return self.one_of(
            depth,
            plain,
            [
                lambda: f"(the {self.cards_where(less)})",
                lambda: f"(the card in {self.some_cards(less)} with {self.pick('highest', 'lowest')} worth(card))",
            ],
        )

    def some_cards(self, depth: int) -> str:
        less = depth - 1
        return self.one_of(
            depth,
            [lambda: self.zone(0), lambda: self.pick("kept", "spot", "p1.own", "p1.heap"), lambda: "picked(p2)"],
            [
                lambda: f"({self.some_cards(less)} + {self.some_cards(less)})",
                lambda: f"({self.some_cards(less)} - {self.some_cards(less)})",
                lambda: f"(all {self.cards_where(less)})",
                lambda: f"(top {self.dice.randrange(1, 4)} cards in {self.zone(0)})",
                lambda: f"(all cards in {self.some_cards(less)} with highest worth(card))",
            ],
        )

    def cards_where(self, depth: int) -> str:
        choices = [
            "card.suit is cups",
            "worth(card) > first",
            "card.rank is 2 or 3",
            "card.rank.place > 2",
            "card.face is up",
        ]
        choices += [
            "card.mark is marked",
            "card.depth is 1",
            "card.zone is pile",
            "card.owner is p1",
            "card not in kept",
        ]
        choices += ["card.orientation is reversed"] if self.oriented else []
        return f"card in {self.some_cards(depth)} where {self.dice.choice(choices)}"

    def suit(self, depth: int) -> str:
        return self.pick("cups", "swords")

    # ---- statements

    def block(self, depth: int, length: int) -> str:
        return "\n".join(self.statement(depth) for _ in range(length))

    def inner(self, depth: int) -> str:
        return indent(self.block(depth - 1, self.dice.randrange(1, 3)), "  ")

    def statement(self, depth: int) -> str:
        plain = [
            lambda: f"first = {self.number(2)} mod 50",
            lambda: f"add {self.number(1)} to second\nsecond = second mod 40",
            lambda: f"subtract {self.number(0)} from {self.dice.choice(self.players)}.points",
            lambda: f"flag = {self.truth(2)}",
            lambda: f"sky = {self.pick('fair', 'grey', 'foul', 'none')}",
            lambda: f"trump = {self.pick('cups', 'swords', 'none')}",
            lambda: f"{self.dice.choice(self.players)}.passed = {self.truth(1)}",
            lambda: f"{self.dice.choice(self.players)}.friend = {self.player(2)}",
            lambda: f"dealer = {self.pick('random player', 'left of p1', 'none', 'p2')}",
            lambda: f"kept = top 2 cards in {self.zone(0)}",
            lambda: f"p1.heap[1].load = {self.number(1)}",
            lambda: f"deal up to {self.dice.randrange(1, 4)} from stock to {self.pick('pile', 'hidden', 'p2.hand')}",
            lambda: f"deal up to 1 from stock to each {self.pick('hand', 'waiting hand')}",
            lambda: f"move {self.some_cards(1)} to {self.pick('pile', 'bottom of stock', 'p1.hand', 'hidden face up')}",
            lambda: f"move spot to {self.zone(0)}\ndeal up to 2 from stock to spot",
            f"move all cards to stock {self.pick('face down', '')}".rstrip,
            lambda: (
                f"shuffle {self.zone(0)}"
                + (self.pick(" rotating half", " rotating every_card", "") if self.oriented else "")
            ),
            lambda: f"turn {self.pick('up', 'down')} {self.some_cards(1)}",
            lambda: f"show {self.some_cards(0)}" + self.pick("", " to p2"),
            lambda: f"p1 looks at {self.some_cards(0)}",
            lambda: 'say "{first} and {sky}"',
            lambda: (
                f"pay {self.dice.randrange(3)} from {self.pick('pot to p1.chips', 'p2.chips to pot', 'p1.chips to p2.chips')}"
            ),
            lambda: "turn over pile onto hidden",
            lambda: f"part = {self.fraction(2)}\nif part > 9 or part < 0: part = 1 / 3",
            lambda: "first = count of players in (all players with highest part / (player.points + 2))",
            lambda: "trigger landmark",
            lambda: self.decision(depth),
            lambda: self.decision(depth),
        ]
        if self.calls:
            plain.append(lambda: f"shift({self.player(0)}, {self.number(1)})")
            plain.append(lambda: f"first = ask({self.player(0)})")
        deep = [
            lambda: f"if {self.truth(2)}:\n{self.inner(depth)}\nelse:\n{self.inner(depth)}",
            lambda: f"repeat {self.dice.randrange(1, 4)} times:\n{self.inner(depth)}",
            lambda: self.each_player(depth),
            lambda: self.each_card(depth),
            lambda: self.each_number(depth),
            lambda: self.bounded(depth),
        ]
        if self.oriented:
            plain.append(lambda: f"turn {self.card(1)} to {self.pick('upright', 'reversed')}")
        return self.one_of(depth, plain, deep)

    def each_number(self, depth: int) -> str:
        name, end = self.name("i"), self.dice.randrange(1, 4)
        return f"for {name} from 1 to {end}:\n  add {name} to first\n  if first > 30: stop\n{self.inner(depth)}"

    def bounded(self, depth: int) -> str:
        count = self.name("count")
        return (
            f"let {count} = 0\nrepeat until {count} is 3 or {self.truth(1)}:\n  add 1 to {count}\n{self.inner(depth)}"
        )

    def each_player(self, depth: int) -> str:
        name = self.name("seat")
        self.players.append(name)
        inner = self.inner(depth)
        self.players.remove(name)
        where = self.pick("", f" where not {name}.passed", f" starting {self.dice.choice(self.players)}")
        return f"for each player {name}{where}:\n{inner}"

    def each_card(self, depth: int) -> str:
        name = self.name("one")
        self.cards.append(name)
        inner = self.inner(depth)
        self.cards.remove(name)
        return f"for each card {name} in {self.some_cards(1)}:\n  {name}.mark = marked\n{inner}"

    # ---- decisions

    def decision(self, depth: int) -> str:
        asked = [self.menu, self.pick_one, self.pick_many, self.pick_players, self.ask_number, self.secret]
        asked += [self.orientation] if self.oriented else []
        return self.dice.choice(asked)(depth)

    def menu(self, depth: int) -> str:
        who = self.dice.choice(self.players)
        lines = [
            '  "stand": first = 1',
            f'  "take {{stock.count}}" if stock is not empty: deal up to 1 from stock to {who}.hand',
            f'  "play {{card}}" for each card in {who}.hand where worth(card) > 2: move card to pile',
            f'  "{{card}} on {{zone}}" for each card in {who}.hand and each zone in {who}.heap:\n    move card to zone',
            '  "help {player}" for each player where not player.passed:\n    add 1 to player.points',
        ]
        lines.append(
            f'  "{{card}} to {{player}}, {{zone}}, {{suit}}" for each card in {who}.hand and each player and each zone in p1.heap'
            " and each suit where player.hand.count < 3:\n    move card to zone"
        )
        chosen = [lines[0], *self.dice.sample(lines[1:], self.dice.randrange(1, 4))]
        return f"{who} chooses as {self.name('menu')}:\n" + "\n".join(chosen)

    def pick_one(self, depth: int) -> str:
        who, name = self.dice.choice(self.players), self.name("chosen")
        return self.pick(
            f"if {who}.hand is not empty:\n  {who} chooses 1 card from {who}.hand as {name}\n  move {name} to pile",
            f"{who} chooses 1 player where player is not {who} as {name}\n{who}.friend = {name}",
            f"{who} chooses 1 suit as trump",
            f"{who} chooses 1 zone from {who}.heap as {name}\nadd 2 to {name}.load",
        )

    def pick_many(self, depth: int) -> str:
        who, name = self.dice.choice(self.players), self.name("some")
        how = self.pick("0..2 cards", "any cards", "0..3 cards")
        such = self.pick("", f" such that {name}.count is not 1", f" such that tally({name}).value < 9")
        return f"{who} chooses {how} from {who}.hand as {name}{such}\nmove {name} to {self.pick('pile', 'hidden', 'stock')}"

    def pick_players(self, depth: int) -> str:
        who, name = self.dice.choice(self.players), self.name("those")
        return f"{who} chooses 0..2 players where player is not {who} as {name}\nfor each player in {name}: add 1 to player.points"

    def ask_number(self, depth: int) -> str:
        who, name = self.dice.choice(self.players), self.name("asked")
        step = self.pick("", " step 2", " step amount")
        return f"{who} chooses number from 0 to {self.dice.randrange(0, 9)}{step} as {name}\nadd {name} to {who}.points"

    def orientation(self, depth: int) -> str:
        who = self.dice.choice(self.players)
        return f"{who} chooses orientation of each card in {who}.hand"

    def secret(self, depth: int) -> str:
        choices = ["  0..2 cards from player.hand as player.own", "  number from 0 to 3 as player.points"]
        choices += ["  orientation of each card in player.hand"] if self.oriented else []
        chosen = self.dice.sample(choices, self.dice.randrange(1, len(choices) + 1))
        return f"{self.pick('each player', 'each waiting player')} secretly chooses:\n" + "\n".join(chosen)


PROCEDURES = """\
procedures:
  refill(): |
    move pile to stock face down
    shuffle stock
  shift(player who, number n): |
    if n > 3: return
    add n to who.points
    {inside}
  ask(player who): |
    {asked}
    return who.points mod 7
"""


def make(dice: Random) -> str:
    """The text of a ruleset."""
    deck = dice.choice(DECKS)
    writer = Writer(dice, oriented="orientations" in deck)
    lines = ["shuffle stock", "deal 2 from stock to each hand", "deal 2 from stock to spot"]
    play = "\n".join([*lines, writer.block(2, dice.randrange(5, 10)), "trigger landmark"])
    if dice.random() < 0.3:
        play += f"\nif {writer.truth(1)}: end game\n{writer.block(1, 2)}"
    writer.players.append("who")
    writer.calls = False
    inside, asked = (indent(text, "    ").strip() for text in (writer.block(1, 2), writer.decision(1)))
    procedures = PROCEDURES.format(inside=inside, asked=asked)
    body = BODY if writer.oriented else BODY.replace("0 if card.orientation is reversed, ", "")
    return f"{HEAD}{deck}\n{body}{procedures}play: |\n{indent(play, '  ')}\n"
