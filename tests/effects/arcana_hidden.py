"""Two games side by side that differ in two cards which a player does not know: what that player is shown is the same,
as long as neither is shown to them. The cards are exchanged *before* moves are made, so that what is written of a move
is compared, too."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from arcana_native import Reader
from arcana_rulings import MAIN

from trionfi.interpreter.decision import Option
from trionfi.interpreter.view import view_of


class ReferenceTwin:
    """A card is another there in its place: cards keep their numbers and exchange what is printed on them."""

    def __init__(self, game: Any, viewer: int, pair: tuple[int, int]) -> None:
        self.game, self.viewer, self.pair = game, viewer, pair
        self.other = game.clone()
        self.other.table_state.swap_cards(*pair)
        self.other.reconsider()
        self.variable = next(one.index for one in game.rules.ruleset.variables if one.name == "rounds")

    @staticmethod
    def unknown(game: Any, viewer: int) -> list[int]:
        s = game.table_state
        return [card for card in s.table.in_game if not s.known[card] >> viewer & 1]

    @staticmethod
    def zone_of(game: Any, card: int) -> str:
        s = game.table_state
        name: str = s.table.zones[s.zone_of[card]].name
        return name

    def is_revealed(self, game: Any) -> bool:
        return any(game.table_state.known[card] >> self.viewer & 1 for card in self.pair)

    def rounds(self, game: Any) -> int:
        found: int = game.table_state.values[self.variable][0]
        return found

    def there(self, option: Option) -> list[Any]:
        """What stands for an option's things in the other game."""
        return list(option.things)

    def views(self) -> tuple[Any, Any]:
        shown = []
        for game in (self.game, self.other):
            reasons = game.missing() if game.decision is not None and game.decision.player == self.viewer else []
            shown.append((game.view(self.viewer), reasons))
        return shown[0], shown[1]


class NativeTwin:
    """A card lies in the other's place there. The log is the reference engine's, and not looked at."""

    def __init__(self, game: Any, viewer: int, pair: tuple[int, int]) -> None:
        self.game, self.viewer, self.pair = game, viewer, pair
        self.reader: Reader = game.reader
        self.other = game.clone()
        self.exchange(self.other._content)

    def exchange(self, content: bytearray) -> None:
        """Nobody has aimed at the two where they lie now, so that they need no other lives."""
        reader, (one, other) = self.reader, self.pair
        assert not any(reader.word(content, "named", card) for card in self.pair)
        places = {}
        for zones in reader.zones.values():
            for number, at in zones:
                for i in range(at, at + content[reader.counts + number]):
                    if content[i] in self.pair:
                        places[content[i]] = i
        content[places[one]], content[places[other]] = other, one
        for name in ("place", "known", "face_up", "reversed"):
            first, second = reader.word(content, name, one), reader.word(content, name, other)
            reader.write(content, name, second, one)
            reader.write(content, name, first, other)

    @staticmethod
    def unknown(game: Any, viewer: int) -> list[int]:
        known = game.reader.column(game._content, "known", 74)
        named = game.reader.column(game._content, "named", 74)
        return [card for card in range(74) if not known[card] >> viewer & 1 and not named[card]]

    @staticmethod
    def zone_of(game: Any, card: int) -> str:
        table = game.native.table
        number = game._record.numbers[game.reader.word(game._content, "place", card)]
        name: str = table.zones[number].name
        return name

    def is_revealed(self, game: Any) -> bool:
        return any(self.reader.word(game._content, "known", card) >> self.viewer & 1 for card in self.pair)

    def rounds(self, game: Any) -> int:
        return self.reader.word(game._content, "variable rounds")

    def there(self, option: Option) -> list[Any]:
        exchanged = dict(zip(self.pair, reversed(self.pair), strict=True))
        return [
            thing._replace(value=exchanged.get(thing.value, thing.value)) if thing.noun == "card" else thing
            for thing in option.things
        ]

    def views(self) -> tuple[Any, Any]:
        shown = [
            view_of(game._record.state(), game.native.review, game.decision, self.viewer)
            for game in (self.game, self.other)
        ]
        return shown[0], shown[1]


Twin = ReferenceTwin | NativeTwin
TWINS: dict[str, type[ReferenceTwin] | type[NativeTwin]] = {"reference": ReferenceTwin, "native": NativeTwin}


def some_pair(
    kind: type[ReferenceTwin] | type[NativeTwin], game: Any, viewer: int, random: Random
) -> tuple[int, int] | None:
    """Two cards of one deck that a player does not know: mostly one in the other's hand, and one elsewhere."""
    unknown = kind.unknown(game, viewer)
    arcana = random.random() < 0.5
    cards = [card for card in unknown if (card >= MAIN) == arcana]
    if len(cards) < 2:
        return None
    near = [card for card in cards if "hand" in kind.zone_of(game, card)]
    one = random.choice(near if near and random.random() < 0.8 else cards)
    other = random.choice([card for card in cards if card != one])
    return one, other


def offers_the_same(twin: Twin) -> bool:
    """Whether a move means the same in both games: what a hidden card is may change what its owner can do. What the
    viewer is offered has been compared."""
    one, other = twin.game.decision, twin.other.decision
    assert (one is None) == (other is None)
    if one is None:
        return True
    assert (one.player, one.name) == (other.player, other.name)
    if one.player == twin.viewer:
        return True
    if one.is_number:
        return bool((one.low, one.high) == (other.low, other.high))
    if one.count != other.count:
        return False
    pairs = zip(one.options, other.options, strict=True)
    return all(a.item is b.item and twin.there(a) == list(b.things) for a, b in pairs)


def side_by_side(twin: Twin, moves: Iterator[int]) -> Iterator[None]:
    """Makes moves in both games as long as the two cards stay hidden; pauses behind each that has been compared."""
    for move in moves:
        if plays_one_of_them(twin, move):
            return
        in_hand, rounds = lies_in_a_hand(twin), twin.rounds(twin.game)
        twin.game.apply(move)
        twin.other.apply(move)
        if in_hand and any(has_ended_round(twin, game, rounds) for game in (twin.game, twin.other)):
            return  # all hands were shown, and who has won may hang on the two
        assert twin.is_revealed(twin.game) == twin.is_revealed(twin.other)
        if twin.is_revealed(twin.game):
            return
        one, other = twin.views()
        assert one == other
        yield
        if not offers_the_same(twin):
            return


def has_ended_round(twin: Twin, game: Any, rounds: int) -> bool:
    return bool(game.over or game.decision.name == "cut" or twin.rounds(game) != rounds)


def plays_one_of_them(twin: Twin, move: int) -> bool:
    """Then the other player is asked for the targets of that card."""
    asked = twin.game.decision
    things = asked.options[move].things if asked.name == "action" else ()
    return any(thing.noun == "card" and thing.value in twin.pair for thing in things)


def lies_in_a_hand(twin: Twin) -> bool:
    return any(".hand" in twin.zone_of(twin.game, card) for card in twin.pair)
