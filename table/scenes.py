"""What happened since a seat last looked, as scenes: a picture each, and what is said of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from trionfi.interpreter.decision import DONE
from trionfi.table.model import Mark, Scene, Table, Wait
from trionfi.table.summaries import Standing, hand_summary
from trionfi.table.telling import SHOWS, TURNED_UP, Teller

if TYPE_CHECKING:
    from trionfi.interpreter.state import Entry
    from trionfi.interpreter.table import Place
    from trionfi.table.pictures import Pictures
    from trionfi.table.witness import Event

__all__ = ["Scenes"]

JOINED = re.compile(r"^,| and ")
LAYS = re.compile(r".+? lays? ")


class Scenes:
    """Makes the scenes of one seat (None: of who sees everything) from events, a few at a time."""

    def __init__(self, pictures: Pictures, viewer: int | None) -> None:
        self.pictures, self.viewer = pictures, viewer
        self.teller = Teller(viewer, pictures.names, pictures.faces.order_of_name)
        self.standing = Standing(pictures, viewer)
        self.sentences: list[str] = []
        self.led: dict[str, str] = {}  # the family of zones, and the one where its first card lies
        self.trick: list[Event] = []  # the sweep and the moves that belong to it
        self.held: list[Event] = []  # choices, deals and the like that are told together
        self.fresh_deal = False
        self.chooser: int | None = None
        self.asked_of: dict[tuple[int | None, str], list[int | None]] = {}  # the cards of which something was asked
        self.before: Entry | None = None  # the last choice that was told
        self.has_begun = False
        self.gathered_to: Place | None = None

    def of(self, events: Sequence[Event]) -> list[Scene]:
        return [scene for event in events for scene in self.after(event)]

    def after(self, event: Event) -> Iterator[Scene]:
        if self.trick and not self.belongs(event):
            yield from self.end_trick()
        if self.trick:
            self.trick.append(event)
            return
        if event.kind == "asked":
            asked = event.views[self.viewer]["decision"]
            if asked is not None:
                self.asked_of.setdefault((asked["player"], asked["name"]), []).append(asked.get("card"))
            if self.is_under_way(asked):
                return
        if event.kind == "moved" and self.gathered_to is not None and event.to is self.gathered_to:
            return  # all cards come together for the next hand, which is no news
        self.gathered_to = None
        if self.held and not goes_with(self.held, event):
            self.tell_held()
        if event.kind in BOUNDARIES:
            self.tell_held()
            yield from BOUNDARIES[event.kind](self, event)
        elif event.kind == "shuffled":
            self.fresh_deal = True
        else:
            self.note_lead(event)
            self.held.append(replace(event, word=self.card_of(event)) if event.kind == "chosen" else event)

    def card_of(self, event: Event) -> str:
        """Of which something was chosen: what was chosen in secret is told when all have been asked."""
        assert event.entry is not None
        asked = self.asked_of.get((event.entry.player, event.entry.decision), [])
        number = asked.pop(0) if asked else None
        return "" if number is None else self.pictures.faces.name(number)

    def is_under_way(self, asked: Mapping[str, Any] | None) -> bool:
        """Whether more of the same is picked by the same player."""
        entry = self.held[-1].entry if self.held else None
        if entry is None or asked is None or self.held[-1].kind != "chosen":
            return False
        if (asked["player"], asked["name"]) != (entry.player, entry.decision):
            return False
        return asked["player"] != self.viewer or bool(asked.get("picked"))

    # ---- telling

    def tell_held(self) -> None:
        held, self.held = self.held, []
        for sentence in self.sentences_of(held):
            self.forget_shown(sentence)
            if sentence and not self.is_told(sentence):
                self.add(sentence)

    def is_told(self, sentence: str) -> bool:
        """Word for word just now."""
        return bool(self.sentences) and self.sentences[-1] == sentence

    def forget_shown(self, said: str) -> None:
        """Where the ruleset says itself that a hand is shown, that stands for what was told of it before."""
        faces = self.pictures.faces
        if cards := sorted(faces.named_in(said)) if SHOWS.search(said) else []:
            self.sentences = [
                one for one in self.sentences if not (SHOWS.search(one) and sorted(faces.named_in(one)) == cards)
            ]

    def add(self, sentence: str) -> None:
        """`Ann raises` goes before `Ann raises to 24`; cards that are turned up one after another stand in a line,
        and so do those that one player lays upright or reversed."""
        before = self.sentences.pop() if self.sentences else ""
        if before.startswith(TURNED_UP) and sentence.startswith(TURNED_UP):
            sentence = f"{before}, {sentence.removeprefix(TURNED_UP)}"
        elif (lays := LAYS.match(sentence)) and before.startswith(lays[0]):
            sentence = f"{before}, {sentence.removeprefix(lays[0])}"
        elif before and not sentence.startswith(f"{before} "):
            self.sentences.append(before)
        self.sentences.append(sentence)

    def sentences_of(self, held: list[Event]) -> Iterator[str]:
        chosen = [event for event in held if event.kind == "chosen"]
        rest = gathered([event for event in held if event.kind != "chosen"])
        told = [sentence for event in rest if (sentence := self.sentence(event))]
        for event in chosen[:1]:
            assert event.entry is not None
            self.chooser = event.entry.player
            yield from self.choice(chosen, rest, told)
        yield from told

    def choice(self, chosen: list[Event], rest: Sequence[Event], told: list[str]) -> Iterator[str]:
        """What was chosen, unless what follows says it better."""
        entries = [event.entry for event in chosen if event.entry is not None]
        sentence = self.chosen(self.teller, chosen, entries)
        in_third_person = self.chosen(self.teller.for_all, chosen, entries)
        self.before = entries[-1]
        labels = [entry.text(self.viewer) for entry in entries]
        is_plain = "," in sentence.partition(":")[0]  # told as `Ann, lead: 5 of Clubs`
        names = {name for event in rest for card in event.cards if (name := card.to(self.viewer))}
        moved = {label for label in labels if label}
        who = self.teller.of(entries[0].player)
        if told and rest[0].kind in ("moved", "dealt") and told[0].startswith(f"{who} "):
            if is_plain or (not names and all(any(text.card is not None for text in entry.texts) for entry in entries)):
                return
            if names and names <= words_in(moved, names):
                told.pop(0)
        elif told and rest[0].kind == "said":
            player = self.pictures.names[entries[0].player or 0]
            if told[0].startswith(f"{player} "):
                if is_plain:
                    return
                rest_said = told[0].removeprefix(in_third_person)
                if JOINED.search(rest_said) and rest_said != told[0]:
                    return  # `Ann draws a six and is lucky`, which is not said of `you`
                if f"{told[0]} ".startswith(f"{in_third_person} "):
                    sentence += rest_said
                    told.pop(0)
        yield sentence

    def chosen(self, teller: Teller, chosen: list[Event], entries: list[Entry]) -> str:
        sentence = teller.chosen(entries[0], self.before, chosen[0].word)
        labels = [entry.text(self.viewer) for entry in entries]
        if len(labels) > 1 and labels[0] is not None:
            sentence += "".join(f", {label}" for label in labels[1:] if label not in (None, DONE))
        return sentence

    def sentence(self, event: Event) -> str:
        if event.kind == "said" and event.entry is not None:
            return self.teller.said(event.entry)
        if event.kind in ("moved", "dealt"):
            return "" if self.is_first_deal(event) else self.teller.moved(event)
        if event.kind in ("turned", "shown"):
            return self.teller.turned(event)
        return ""

    def is_first_deal(self, event: Event) -> bool:
        """Cards that all get at the beginning are no news; they are in the hand."""
        to = event.to
        return (
            (self.fresh_deal or not self.has_begun)
            and event.kind == "dealt"
            and to is not None
            and to.family.per == "player"
            and not event.up
        )

    # ---- tricks and who led

    def note_lead(self, event: Event) -> None:
        to = event.to
        if event.kind == "moved" and to is not None and event.up and to.family.per == "player" and to.capacity == 1:
            self.led.setdefault(to.family.name, to.name)

    def belongs(self, event: Event) -> bool:
        """Whether a move is another part of the trick that is being taken."""
        return event.kind in ("moved", "swept") and event.to is self.trick[0].to

    def end_trick(self) -> Iterator[Scene]:
        sweep, moves = self.trick[0], [event for event in self.trick if event.kind == "moved"]
        self.trick = []
        sentence = self.teller.swept(moves, sweep.member) if moves else ""
        if sentence:
            self.sentences.append(sentence)
        marks: dict[str, Mark] = self.marks()
        marks |= won_marks(sweep, moves)
        yield self.scene(self.picture(sweep.views, marks), "trick")
        self.led.clear()

    def marks(self) -> dict[str, Mark]:
        return dict.fromkeys(self.led.values(), "led")

    # ---- boundaries

    def after_swept(self, event: Event) -> Iterator[Scene]:
        if event.to is not None and event.to.family.per in ("player", "team"):
            self.trick = [event]
        elif self.standing.has_changed(event.views[self.viewer]):
            yield self.hand_over(event)
        self.led = {} if not self.trick else self.led

    def after_gathered(self, event: Event) -> Iterator[Scene]:
        self.gathered_to = event.to
        if self.has_begun:
            yield self.hand_over(event)
        else:
            self.standing.begin(event.views[self.viewer])
        self.led.clear()

    def hand_over(self, event: Event) -> Scene:
        view = event.views[self.viewer]
        summary = hand_summary(self.pictures, self.viewer, self.standing, view, event.hands)
        table, said = self.picture(event.views), tuple(self.sentences)
        self.sentences = []
        self.standing.begin(view)
        return Scene(said, table, "hand", summary)

    def after_asked(self, event: Event) -> Iterator[Scene]:
        view = event.views[self.viewer]
        if not self.has_begun and not self.standing.before:
            self.standing.begin(view)
        self.has_begun, self.fresh_deal = True, False
        asked = view["decision"]
        goes_on = asked is not None and asked["player"] == self.chooser != self.viewer
        if self.sentences and not goes_on:
            yield self.scene(self.picture(event.views))

    def scene(self, table: Table, wait: Wait = "") -> Scene:
        said, self.sentences = tuple(self.sentences), []
        return Scene(said, table, wait)

    def picture(self, views: Mapping[int | None, Mapping[str, Any]], marks: dict[str, Mark] | None = None) -> Table:
        return self.pictures.table(views[self.viewer], self.viewer, marks=self.marks() if marks is None else marks)


BOUNDARIES = {
    "swept": Scenes.after_swept,
    "gathered": Scenes.after_gathered,
    "asked": Scenes.after_asked,
}


def goes_with(held: Sequence[Event], event: Event) -> bool:
    """Whether an event is told together with those before: what follows at once from a choice, cards that go to one
    place one by one."""
    first, last = held[0], held[-1]
    if event.kind == "chosen":
        return all(one.kind == "chosen" for one in held) and same_choice(first, event)
    if first.kind == "chosen" and last.kind == "chosen":
        return event.kind in ("moved", "dealt", "said")
    return event.kind == last.kind == "dealt" and event.to is last.to


def gathered(events: Sequence[Event]) -> list[Event]:
    """Cards that are dealt to one place, one by one, as one."""
    found: list[Event] = []
    for event in events:
        if found and event.kind == found[-1].kind == "dealt" and event.to is found[-1].to:
            found[-1] = replace(found[-1], cards=(*found[-1].cards, *event.cards))
        else:
            found.append(event)
    return found


def same_choice(one: Event, other: Event) -> bool:
    a, b = one.entry, other.entry
    return (
        a is not None
        and b is not None
        and (a.player, a.decision) == (b.player, b.decision)
        and a.decision != "orientation"
    )


def words_in(labels: set[str], names: set[str]) -> set[str]:
    return {name for name in names if any(name in label for label in labels)}


def won_marks(sweep: Event, moves: Sequence[Event]) -> dict[str, Mark]:
    """Where the card of who takes the trick lies, if each lays its own."""
    taker = sweep.to.owner if sweep.to is not None and sweep.to.family.per == "player" else sweep.member
    places: list[Place] = [place for event in moves for place in event.sources if place is not None]
    return {place.name: "won" for place in places if place.family.per == "player" and place.owner == taker}
