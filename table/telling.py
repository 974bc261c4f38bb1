"""What has happened, in sentences: as a person at the table would tell it to one seat."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from trionfi.interpreter.decision import DONE
from trionfi.table.words import spoken

if TYPE_CHECKING:
    from trionfi.interpreter.state import Entry
    from trionfi.interpreter.table import Place
    from trionfi.table.witness import Event, NamedCard

__all__ = ["SHOWS", "TURNED_UP", "Teller", "other_verb", "with_players"]

TURNED_UP = "turned up: "
SHOWS = re.compile(r"\bshows? ")
NUMBERS = ("no", "a", "two", "three", "four", "five", "six")
# Verbs of the card table: `fold` in a menu is told as `Ann folds`.
VERBS = frozenset(
    "accept bet bid bring buy call check declare decline discard double draw fold follow give hit hold "
    "keep knock lay lead leave meld move open pass pay pick play pull put raise refuse reject show split "
    "stand start stay stop swap take throw trade turn win".split()
)
MOST_TAKEN = 8  # cards that are named; a hand of more can be seen
LONG_LABEL = 4  # blanks; such a label says by itself what is done
WITH = {"follow": "with"}
PREPOSITIONS = frozenset("at for from in into of off on out over to up with".split())


class Teller:
    """Tells the events of a game to `viewer` (None: to who sees everything). `names`: what players are called;
    `order`: of cards by their names, as they lie in a hand."""

    def __init__(
        self, viewer: int | None, names: Sequence[str], order: Callable[[str], tuple[int, ...]] | None = None
    ) -> None:
        self.viewer, self.names, self.order = viewer, names, order

    @property
    def for_all(self) -> Teller:
        """Tells the same to whom nothing of it concerns."""
        return Teller(None, self.names, self.order)

    def of(self, owner: int | None) -> str:
        if owner is None:
            return ""
        return "you" if owner == self.viewer else self.names[owner]

    def does(self, owner: int, verb: str) -> str:
        """`you take`, `Ann takes`."""
        return f"you {verb}" if owner == self.viewer else f"{self.names[owner]} {conjugated(verb)}"

    def said(self, entry: Entry) -> str:
        return self.named(self.in_order(entry) or entry.text(self.viewer) or "")

    def in_order(self, entry: Entry) -> str:
        """Where a hand is shown, its cards as they lie in a hand; nothing where that is not so or not known."""
        texts = entry.texts
        cards = [text.shown for text in texts if text.card is not None]
        told = "".join(text.shown for text in texts)
        if self.order is None or not SHOWS.search(told) or told != entry.text(self.viewer):
            return ""
        in_order = iter(sorted(cards, key=self.order))
        return "".join(text.shown if text.card is None else next(in_order) for text in texts)

    def named(self, text: str) -> str:
        """A text of the ruleset, with the players called as they are here."""
        return with_players(text, self.names)

    # ---- choices

    def chosen(self, entry: Entry, before: Entry | None = None, card: str = "") -> str:
        """`Ann folds`, `Ann raises to 24`, `you play 5 of Clubs`, `Ann, pile choice: pile[2]`. `before`: the choice
        before this one; `card`: of which one something is chosen."""
        assert entry.player is not None
        label = entry.text(self.viewer)
        if label is None:
            return f"{self.of(entry.player)} {'choose' if entry.player == self.viewer else 'chooses'} in secret"
        label = self.named(label) if label != DONE else "nothing"
        if entry.decision == "orientation" and not card:
            return ""  # of a card that is not known
        if entry.decision == "orientation":
            return f"{self.does(entry.player, 'lay')} {card.removesuffix(' reversed')} {label}"
        if card:
            return f"{self.of(entry.player)}, {spoken(entry.decision)}: {label} for {card.removesuffix(' reversed')}"
        first, _, rest = label.partition(" ")
        if first in VERBS:
            return f"{self.does(entry.player, first)} {rest}".rstrip()
        verb, _, behind = spoken(entry.decision).partition(" ")
        if label not in ("yes", "no") and verb.removesuffix("ing") in VERBS:
            verb = verb.removesuffix("ing")  # `passing`
        word = "" if before is None or before.player != entry.player else before.text(self.viewer) or ""
        if is_number(label) and (other := other_verb(word, entry.decision)):
            verb, behind = other, ""
        if verb in VERBS and (behind in PREPOSITIONS or not behind):
            said = (self.does(entry.player, verb), behind or WITH.get(verb, ""), label)
            return " ".join(part for part in said if part)
        if label.count(" ") >= LONG_LABEL:
            return f"{self.of(entry.player)}: {label}"
        return f"{self.of(entry.player)}, {spoken(entry.decision)}: {label}"

    # ---- cards

    def cards(self, cards: Sequence[NamedCard]) -> str:
        """The names of those that the viewer knows; of the others how many."""
        known = [name for card in cards if (name := card.to(self.viewer))]
        rest = len(cards) - len(known)
        if not rest:
            return ", ".join(known)
        counted = "a card" if rest == 1 else f"{NUMBERS[rest] if rest < len(NUMBERS) else rest} cards"
        return f"{', '.join(known)} and {counted}" if known else counted

    def swept(self, events: Sequence[Event], member: int | None = None) -> str:
        """Open cards that have gone to one place: a trick, or what is cleared away. `member`: who of the team with one
        of these takes it."""
        to, cards = events[0].to, [card for event in events for card in event.cards]
        if to is None or to.family.per not in ("player", "team") or to.owner is None:
            return ""
        return f"{self.takes_trick(to, events, member)}: {self.cards(cards)}"

    def takes_trick(self, to: Place, events: Sequence[Event], member: int | None) -> str:
        assert to.owner is not None
        own = [event for event in events for place in event.sources if place is not None and place.owner == member]
        if member is not None and own:
            team = to.name.partition(".")[0]
            return f"{self.does(member, 'take')} the trick for {team} with {self.cards(own[0].cards)}"
        taker = self.does(to.owner, "take") if to.family.per == "player" else f"{to.name.partition('.')[0]} takes"
        return f"{taker} the trick"

    def moved(self, event: Event) -> str:
        """Cards that change hands, or lie open now."""
        to = event.to
        if to is None or not event.cards:
            return ""
        source = event.sources[0] if event.sources else None
        if event.up and is_hidden(source) and to.owner is None:
            return f"{TURNED_UP}{self.cards(event.cards)}"
        if to.family.per == "player" and to.family.seen_by_owner and to.owner is not None:
            return self.taken(event, to.owner, source)
        if event.kind == "dealt" and event.up and not to.family.per:
            return f"{TURNED_UP}{self.cards(event.cards)}"
        if event.kind == "dealt" and event.up and to.family.per == "player" and to.owner is not None:
            return f"{self.does(to.owner, 'get')} {self.cards(event.cards)}"
        if source is not None and source.owner is not None and source.family.seen_by_owner:
            if event.up and to.family.per == "player" and to.owner == source.owner:
                return f"{self.does(source.owner, 'play')} {self.cards(event.cards)}"
            return f"{self.does(source.owner, 'put')} {self.cards(event.cards)} on the {spoken(to.family.name)}"
        return ""

    def taken(self, event: Event, owner: int, source: Place | None) -> str:
        if source is None:
            return ""
        many = len(event.cards) > MOST_TAKEN
        cards = f"{len(event.cards)} cards" if many else self.cards(event.cards)
        if source.family.per == "player" and source.owner is not None and source.owner != owner:
            return f"{self.does(owner, 'get')} {cards} from {self.of(source.owner)}"
        if event.kind == "dealt":
            return f"{self.does(owner, 'draw')} {cards}"
        return f"{self.does(owner, 'take')} {cards} from the {spoken(source.family.name)}"

    def sorted(self, cards: Sequence[NamedCard]) -> Sequence[NamedCard]:
        order = self.order
        if order is None or not all(card.to(self.viewer) for card in cards):
            return cards
        return sorted(cards, key=lambda card: order(card.name))

    def turned(self, event: Event) -> str:
        """`turned up: Knight of Swords`, `Ann shows King, Queen`."""
        source = event.sources[0] if event.sources else None
        if not event.cards or (event.kind == "turned" and not event.up):
            return ""
        if source is not None and source.owner is not None and source.family.seen_by_owner:
            return f"{self.does(source.owner, 'show')} {self.cards(self.sorted(event.cards))}"
        if event.kind == "shown" and not any(card.to(self.viewer) for card in event.cards):
            return ""
        return f"{TURNED_UP}{self.cards(event.cards)}"


def is_hidden(place: Place | None) -> bool:
    """Where what belongs to nobody lies face down, as the hole card of the house."""
    return place is not None and place.owner is None and place.family.face == "down"


def is_number(label: str) -> bool:
    return label.removeprefix("-").isdecimal()


def other_verb(word: str, decision: str) -> str:
    """What a number is called that is asked behind a verb by which its decision is not called: after `bet` the number
    of `raise to` is a bet. Else empty."""
    verb = spoken(decision).partition(" ")[0]
    return word if word in VERBS and verb in VERBS and verb != word else ""


def conjugated(verb: str) -> str:
    """`folds`, `passes`, `replies`."""
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def with_players(text: str, names: Sequence[str]) -> str:
    """A text in which `p1`, `p2` stand, with what the players are called."""

    def named(match: re.Match[str]) -> str:
        seat = int(match[1]) - 1
        return names[seat] if 0 <= seat < len(names) else match[0]

    return re.sub(r"(?<![\w.])p(\d+)(?!\w|\.\w)", named, text)
