"""Two-Win once more, in plain Python, from its text and the rulings W1 to W26 alone: no ruleset was read for it.

The referee is a generator: it yields what it would ask (`Ask`) and is sent the label or number that was chosen.
It deals no cards: when hands are set it looks at those of the game it judges. Seats count from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

# ---- cards (W1 to W3)

SUITS = ("wands", "cups", "swords", "pentacles")
PIPS = {str(number): number for number in range(2, 11)}
RANKS = {**PIPS, "page": 11, "knight": 12, "queen": 13, "king": 14, "ace": 15}
ACE, FIVE = 15, 5
MAJORS = (
    "the fool|the magician|the high priestess|the empress|the emperor|the hierophant|the lovers|the chariot|strength|"
    "the hermit|wheel of fortune|justice|the hanged man|death|temperance|the devil|the tower|the star|the moon|the sun|"
    "judgement|the world"
).split("|")
DIGIT_RANKS = {0: 10, 1: ACE}


class Card(NamedTuple):
    """`rank` orders poker hands, the ace highest; `number` is a major's, else None."""

    suit: str
    rank: int
    number: int | None = None
    upright: bool = True

    @property
    def major(self) -> bool:
        return self.number is not None


def card_named(name: str, upright: bool = True) -> Card:
    words = name.lower().removesuffix(" reversed")
    if words in MAJORS:
        number = MAJORS.index(words)
        suit = "last majors" if number in (0, 21) else "first majors" if number <= 10 else "second majors"
        return Card(suit, DIGIT_RANKS.get(number % 10, number % 10), number, upright)
    rank, suit = words.split(" of ")
    assert suit in SUITS, name
    return Card(suit, RANKS[rank], None, upright)


# ---- the poker hand (W6 to W10)

CATEGORIES = (
    "High Card",
    "One Pair",
    "Two Pair",
    "Three of a Kind",
    "Straight",
    "Flush",
    "Full House",
    "Four of a Kind",
    "Straight Flush",
)
BY_SIZES = {
    (1, 1, 1, 1, 1): "High Card",
    (2, 1, 1, 1): "One Pair",
    (2, 2, 1): "Two Pair",
    (3, 1, 1): "Three of a Kind",
    (3, 2): "Full House",
    (4, 1): "Four of a Kind",
    (5,): "Four of a Kind",  # W8: the fifth is a kicker
}
Group = tuple[int, bool, int]  # rank, upright, majors
PokerValue = tuple[bool, int, tuple[Group, ...]]


def run_top(cards: Sequence[Card]) -> Card | None:
    """The card that names a run of all five, by rank alone (W9)."""
    by_rank = {card.rank: card for card in cards}
    if len(by_rank) != 5:
        return None
    if set(by_rank) == {ACE, 2, 3, 4, 5}:
        return by_rank[FIVE]
    ladder = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ACE]
    low = ladder.index(min(by_rank))
    return by_rank[max(by_rank)] if set(ladder[low : low + 5]) == set(by_rank) else None


def five_card_value(cards: Sequence[Card], mixed_runs: bool) -> PokerValue:
    """What W10 compares of five cards."""
    majors = sum(card.major for card in cards)
    one_way = len({card.upright for card in cards}) == 1
    suited = len({card.suit for card in cards}) == 1
    top = run_top(cards)
    if top is not None and suited and one_way:
        return majors > 0, CATEGORIES.index("Straight Flush"), ((top.rank, top.upright, majors),)
    groups = alike(cards)
    sizes = tuple(size for size, _ in groups)
    category = CATEGORIES.index(BY_SIZES[sizes])
    if suited and (one_way or mixed_runs):
        category = max(category, CATEGORIES.index("Flush"))
    if top is not None and (one_way or mixed_runs) and category < CATEGORIES.index("Straight"):
        return majors > 0, CATEGORIES.index("Straight"), ((top.rank, top.upright, majors),)
    return majors > 0, category, tuple(group for _, group in split_five(groups))


def alike(cards: Sequence[Card]) -> list[tuple[int, Group]]:
    """The groups with their sizes, largest first, then highest first."""
    sizes = Counter((card.rank, card.upright) for card in cards)
    majors = Counter((card.rank, card.upright) for card in cards if card.major)
    return sorted(((size, (*key, majors[key])) for key, size in sizes.items()), reverse=True)


def split_five(groups: list[tuple[int, Group]]) -> list[tuple[int, Group]]:
    """Five alike are four with a kicker; the four take the majors (W8)."""
    if groups[0][0] != 5:
        return groups
    rank, upright, majors = groups[0][1]
    return [(4, (rank, upright, min(4, majors))), (1, (rank, upright, max(0, majors - 4)))]


def poker_value(two: Sequence[Card], internal: Sequence[Card], mixed_runs: bool) -> PokerValue:
    """Both cards and the three of the five that go best with them (W6)."""
    return max(five_card_value([*two, *three], mixed_runs) for three in combinations(internal, 3))


# ---- the twenty-one hand (W11 to W14)


def values_of(card: Card, digits: bool) -> set[int]:
    if not card.upright:
        return {0}
    poker = {1, 11} if card.rank == ACE else {min(card.rank, 10)}
    if card.number is None:
        return poker
    return {card.number} | poker if digits else {card.number}


def totals_of(cards: Iterable[Card], digits: bool) -> set[int]:
    return {sum(choice) for choice in product(*(values_of(card, digits) for card in cards))}


class Score(NamedTuple):
    """What the house and a player compare; between players the majors decide as well. A bust is below 0."""

    natural: bool
    total: int


BUST = Score(False, -1)


def house_score(external: Sequence[Card], digits: bool) -> Score:
    """W12: 0 when over 21."""
    good = [total for total in totals_of(external, digits) if total <= 21]
    best = max(good, default=0)
    return Score(best == 21, best)


def player_score(own: Sequence[Card], external: Sequence[Card], digits: bool) -> Score:
    """W11, W13."""
    alone = totals_of(own, digits)
    if 21 in alone:
        return Score(True, 21)
    shared = totals_of(external, digits)
    if min(shared) > 21:
        shared = {0}
    good = [mine + theirs for mine in alone for theirs in shared if mine + theirs <= 21]
    return Score(False, max(good)) if good else BUST


# ---- the table


@dataclass
class Options:
    betting: str = "no_limit"
    minimum_bet: int = 2
    chip: int = 1
    games: int = 1
    mixed_runs: bool = False
    major_values: str = "whole"

    @property
    def digits(self) -> bool:
        return self.major_values == "whole_or_digit"


class Ask(NamedTuple):
    """One decision: labels to choose from, or the lowest number, the highest and the step."""

    player: int
    name: str
    labels: tuple[str, ...] = ()
    numbers: tuple[int, int, int] | None = None


class Lie(NamedTuple):
    """The cards of one game: each player's four as they are called when he picks, and those on the table."""

    hands: list[list[str]]
    internal: list[Card]
    external: list[Card]


@dataclass
class Seat:
    chips: int
    out: bool = False
    folded: bool = False
    acted: bool = False  # since the last full bet or raise
    bet: int = 0  # in this round
    staked: int = 0  # in the rounds before
    pots_won: int = 0
    poker: PokerValue = (False, -1, ())
    twenty_one: Score = BUST
    own_majors: int = 0

    @property
    def live(self) -> bool:
        return not (self.out or self.folded)

    @property
    def twenty_one_value(self) -> tuple[Score, int]:
        """What players compare with each other (W14)."""
        return self.twenty_one, self.own_majors


class Told:
    """What has happened, to be compared with measures; words and pots won are counted seat by seat."""

    def __init__(self, players: int) -> None:
        self.games = self.showdowns = self.house_naturals = self.houses_over = 0
        self.carried_after: list[int] = []
        self.poker: list[Counter[str]] = [Counter() for _ in range(players)]
        self.twenty_one: list[Counter[str]] = [Counter() for _ in range(players)]
        self.wins: list[Counter[int]] = [Counter() for _ in range(players)]


Asks = Generator[Ask, "str | int", None]


class Referee:
    """One session. What the first game begins with is given; `look` shows the cards of the game that is on."""

    def __init__(
        self, options: Options, stacks: Sequence[int], look: Callable[[], Lie], dealer: int, carried: int = 0
    ) -> None:
        self.options = options
        self.look = look
        self.seats = [Seat(chips) for chips in stacks]
        self.brought = list(stacks)
        self.dealer = dealer
        self.carried = carried
        self.last_winner: int | None = None
        self.cards = Lie([], [], [])
        self.told = Told(len(stacks))

    @property
    def scores(self) -> list[int]:
        return [seat.chips - brought for seat, brought in zip(self.seats, self.brought, strict=True)]

    # ---- seats

    def left_of(self, player: int) -> int:
        """The next player to the left who is not out."""
        return self.around(player)[0]

    def around(self, player: int) -> list[int]:
        """All who are not out, from the left of `player` on; he comes last if he is still in."""
        count = len(self.seats)
        return [seat for step in range(1, count + 1) if not self.seats[seat := (player + step) % count].out]

    def live(self) -> list[int]:
        return [player for player, seat in enumerate(self.seats) if seat.live]

    def money_on_table(self) -> int:
        return self.carried + sum(seat.staked + seat.bet for seat in self.seats)

    # ---- a session: W23 to W25

    def play(self) -> Asks:
        for number in range(self.options.games):
            if number > 0:
                self.dealer = self.left_of(self.dealer)
            yield from self.play_game()
            if sum(not seat.out for seat in self.seats) == 1:
                break
        self.divide_rest()

    def play_game(self) -> Asks:
        for seat in self.seats:
            seat.folded, seat.staked, seat.bet, seat.pots_won = False, 0, 0, 0
        yield from self.bet_and_show()
        self.told.games += 1
        self.told.carried_after.append(self.carried)
        for player, seat in enumerate(self.seats):
            self.told.wins[player][seat.pots_won] += not seat.out
            seat.out = seat.out or (seat.chips == 0 and self.carried == 0)

    def bet_and_show(self) -> Asks:
        for round_number in range(1, 6):
            yield from self.betting_round(round_number)
            if len(self.live()) == 1:
                self.take_everything(self.live()[0])
                return
        yield from self.set_hands()
        self.settle()

    def divide_rest(self) -> None:
        """W24."""
        seated = [seat for seat in self.seats if not seat.out]
        share = self.carried // len(seated) // self.options.chip * self.options.chip
        for seat in seated:
            seat.chips += share
        rest, self.carried = self.carried - share * len(seated), 0
        if self.last_winner is None:
            favoured = self.left_of(self.dealer)
        else:
            last = self.last_winner
            favoured = self.left_of(last) if self.seats[last].out else last
        self.seats[favoured].chips += rest

    # ---- betting: W16, W17, W19

    def betting_round(self, number: int) -> Asks:
        yield from BettingRound(self, number).play()
        self.return_uncalled()
        for seat in self.seats:
            seat.staked += seat.bet
            seat.bet = 0

    def return_uncalled(self) -> None:
        """W18: what nobody has matched goes back."""
        most, second = sorted((seat.bet for seat in self.seats), reverse=True)[:2]
        for seat in self.seats:
            if seat.bet == most > second:
                seat.chips += most - second
                seat.bet = second

    # ---- showdown: W21

    def set_hands(self) -> Asks:
        self.cards = self.look()
        for player in [player for player in self.around(self.dealer) if self.seats[player].live]:
            yield from self.set_hand(player)

    def set_hand(self, player: int) -> Asks:
        names = self.cards.hands[player]
        first = str((yield Ask(player, "poker_cards", tuple(names[:3]))))
        second = str((yield Ask(player, "poker_cards", tuple(names[names.index(first) + 1 :]))))
        up = []
        for _ in names:
            way = yield Ask(player, "orientation", ("upright", "reversed"))
            up += [way == "upright"]
        self.value_hand(player, [card_named(n, u) for n, u in zip(names, up, strict=True)], {first, second})

    def value_hand(self, player: int, cards: list[Card], chosen: set[str]) -> None:
        names, seat, options = self.cards.hands[player], self.seats[player], self.options
        two = [card for name, card in zip(names, cards, strict=True) if name in chosen]
        own = [card for name, card in zip(names, cards, strict=True) if name not in chosen]
        seat.poker = poker_value(two, self.cards.internal, options.mixed_runs)
        seat.twenty_one = player_score(own, self.cards.external, options.digits)
        seat.own_majors = sum(card.major for card in own)

    # ---- settlement: W18, W20, W22, W26

    def take_everything(self, player: int) -> None:
        money = self.money_on_table()
        self.seats[player].chips += money
        self.seats[player].pots_won = 2
        if money:  # else only an own blind went back, and nothing was won (W24)
            self.last_winner = player
        self.clear()

    def clear(self) -> None:
        self.carried = 0
        for seat in self.seats:
            seat.staked = seat.bet = 0

    def parts(self) -> list[tuple[int, list[int]]]:
        """Amounts and those who may win them, the main part first."""
        live = self.live()
        levels = sorted({self.seats[player].staked for player in live} - {0})
        found: list[tuple[int, list[int]]] = []
        for below, level in zip([0, *levels], levels, strict=False):
            top = level if level != levels[-1] else max(seat.staked for seat in self.seats)
            amount = sum(min(seat.staked, top) - min(seat.staked, below) for seat in self.seats)
            found.append((amount, [player for player in live if self.seats[player].staked >= level]))
        if self.carried == 0:
            return found
        if found and found[0][1] == live:
            return [(found[0][0] + self.carried, live), *found[1:]]
        return [(self.carried, live), *found]

    def settle(self) -> None:
        house = house_score(self.cards.external, self.options.digits)
        self.tell_showdown(house)
        parts, unwon, total = self.parts(), 0, self.money_on_table()
        assert sum(amount for amount, _ in parts) == total
        for index, (amount, eligible) in enumerate(parts):
            unwon += self.settle_part(amount, eligible, house, main=index == 0)
        self.clear()
        self.carried = unwon

    def settle_part(self, amount: int, eligible: list[int], house: Score, main: bool) -> int:
        """Pays one part; gives what is not won."""
        if len(eligible) == 1:
            self.seats[eligible[0]].chips += amount
            return 0
        external = amount // 2 // self.options.chip * self.options.chip
        internal_to, external_to = self.winners(eligible, house)
        unwon = 0
        for to, pot in ((internal_to, amount - external), (external_to, external)):
            if to is None:
                unwon += pot
                continue
            self.seats[to].chips += pot
            self.seats[to].pots_won += main
        if main and (internal_to, external_to) != (None, None):
            self.last_winner = external_to if internal_to is None else internal_to
        return unwon

    def winners(self, eligible: list[int], house: Score) -> tuple[int | None, int | None]:
        """Who takes the internal half and who the external one (W15, W22)."""
        seats = self.seats
        best_hand = max(seats[player].poker for player in eligible)
        in_best = [player for player in eligible if seats[player].poker == best_hand]
        best = max(seats[player].twenty_one_value for player in eligible)
        out_best = [player for player in eligible if seats[player].twenty_one_value == best]
        internal_to = in_best[0] if len(in_best) == 1 else None
        above, level = best[0] > house, best[0] == house
        external_tie = level or (above and len(out_best) > 1)
        external_to = out_best[0] if above and len(out_best) == 1 else None
        if internal_to is None:
            return external_to, external_to
        return internal_to, internal_to if external_tie else external_to

    def tell_showdown(self, house: Score) -> None:
        self.told.showdowns += 1
        self.told.house_naturals += house.natural
        self.told.houses_over += min(totals_of(self.cards.external, self.options.digits)) > 21
        for player in self.live():
            seat = self.seats[player]
            self.told.poker[player][CATEGORIES[seat.poker[1]]] += 1
            word = "Bust" if seat.twenty_one == BUST else "Natural" if seat.twenty_one.natural else "Total"
            self.told.twenty_one[player][word] += 1


class BettingRound:
    """One round of W17. `price` is what a player must have bet to stay in."""

    def __init__(self, referee: Referee, number: int) -> None:
        self.referee = referee
        self.seats = referee.seats
        self.options = referee.options
        self.number = number
        self.price = 0
        self.full = self.unit  # the last full bet or raise
        self.bets_made = 0
        self.uncapped = len(referee.live()) == 2
        self.next = referee.around(referee.dealer)
        for seat in self.seats:
            seat.acted = False
        if number == 1 and referee.carried == 0:
            self.post_blinds()

    @property
    def unit(self) -> int:
        doubled = self.options.betting == "limit" and self.number >= 3
        return self.options.minimum_bet * (2 if doubled else 1)

    def post_blinds(self) -> None:
        minimum, chip = self.options.minimum_bet, self.options.chip
        small, big = self.next[:2]
        self.put_in(small, minimum // 2 // chip * chip)
        self.put_in(big, minimum)
        self.price, self.bets_made = minimum, 1
        self.next = self.referee.around(big)

    def put_in(self, player: int, amount: int) -> None:
        seat = self.seats[player]
        paid = min(amount, seat.chips)
        seat.chips -= paid
        seat.bet += paid

    # ---- who is asked

    def play(self) -> Asks:
        while (player := self.to_act()) is not None:
            yield from self.ask(player)
            self.next = self.referee.around(player)

    def to_act(self) -> int | None:
        live = self.referee.live()
        if len(live) == 1:
            return None
        with_chips = [player for player in live if self.seats[player].chips > 0]
        if len(with_chips) <= 1 and not any(self.owed(player) for player in with_chips):
            return None
        waiting = (p for p in self.next if p in with_chips and (self.owed(p) or not self.seats[p].acted))
        return next(waiting, None)

    def others(self, player: int) -> list[Seat]:
        return [self.seats[other] for other in self.referee.live() if other != player]

    def all_others_all_in(self, player: int) -> bool:
        return all(seat.chips == 0 for seat in self.others(player))

    def owed(self, player: int) -> int:
        """What there is to call, more than the player has perhaps."""
        price = self.price
        if self.all_others_all_in(player):
            price = min(price, max(seat.bet for seat in self.others(player)))
        return max(0, price - self.seats[player].bet)

    # ---- what is offered

    def may_raise(self, player: int) -> bool:
        seat = self.seats[player]
        if seat.acted or self.all_others_all_in(player) or seat.bet + seat.chips <= self.price:
            return False
        return self.options.betting != "limit" or self.uncapped or self.bets_made < 4

    def range_of(self, player: int) -> tuple[int, int, int]:
        """From and to what total of this round a player may raise."""
        seat = self.seats[player]
        everything = seat.bet + seat.chips
        size = self.unit if self.options.betting == "limit" else self.full
        low = min(self.price + size, everything)
        if self.options.betting == "limit":
            return low, low, self.options.chip
        high = everything
        if self.options.betting == "pot_limit":
            pot = self.referee.money_on_table() + max(0, self.price - seat.bet)
            high = min(high, self.price + max(pot, self.options.minimum_bet))
        return low, high, self.options.chip

    def ask(self, player: int) -> Asks:
        seat, owed = self.seats[player], self.owed(player)
        labels = ["fold", f"call {min(owed, seat.chips)}"] if owed else ["check"]
        if self.may_raise(player):
            labels.append("raise" if self.price else "bet")
        choice = str((yield Ask(player, "betting", tuple(labels))))
        if choice == "fold":
            seat.folded = True
        elif choice.startswith("call"):
            self.put_in(player, owed)
        elif choice != "check":
            to = yield Ask(player, "raise_to", numbers=self.range_of(player))
            self.raise_to(player, int(to))
        seat.acted = True

    def raise_to(self, player: int, to: int) -> None:
        size = to - self.price
        self.put_in(player, to - self.seats[player].bet)
        self.price = to
        if size < (self.unit if self.options.betting == "limit" else self.full):
            return  # a short all-in
        self.full = size
        self.bets_made += 1
        for seat in self.seats:
            seat.acted = False
