"""What a player is asked, as a list to choose from; what an answer means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trionfi.dsl.numbers import read_whole
from trionfi.shell.zones import spoken

if TYPE_CHECKING:
    from trionfi.interpreter.decision import Decision
    from trionfi.interpreter.game import Game

__all__ = ["DONE", "Question", "option_lines", "picks_of"]

DONE = "done"


@dataclass
class Question:
    """A decision. `labels` are what is offered now, numbered from 1; `later` what may be picked with some of them,
    numbered on. `subject` says what it is about (the card whose orientation is asked). `notes`: what is said of some
    of the labels, by label; no part of an answer."""

    decision: Decision
    labels: list[str]
    later: list[str] = field(default_factory=list)
    subject: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, decision: Decision, subject: str = "") -> Question:
        if decision.is_number:
            return cls(decision, [], [], subject)
        return cls(decision, decision.labels(), labels_later(game, decision), subject)

    def noted(self, label: str) -> str:
        """A label with what is said of it."""
        return f"{label}: {self.notes[label]}" if label in self.notes else label

    @property
    def is_of_several(self) -> bool:
        return not self.decision.is_number and self.decision.left > 1

    @property
    def title(self) -> str:
        """`p1, poker cards: 2 to pick`, `p1, raise to: a number from 4 to 200`."""
        decision = self.decision
        head = f"p{decision.player + 1}, {spoken(decision.name)}"
        if self.subject:
            head += f" of {self.subject}"
        if decision.is_number:
            steps = f" in steps of {decision.step}" if decision.step not in (None, 1) else ""
            return f"{head}: a number from {decision.low} to {decision.high}{steps}"
        if self.is_of_several:
            least = "up to " if DONE in self.labels else ""
            more = " more" if decision.picked else ""
            return f"{head}: {least}{decision.left}{more}, several at once as in `1 2`"
        return f"{head}:"

    @property
    def picked(self) -> str:
        """What has been picked of a set so far."""
        return f"picked: {', '.join(self.decision.picked)}" if self.decision.picked else ""

    @property
    def wanted(self) -> str:
        """What would be an answer."""
        decision = self.decision
        if decision.is_number:
            steps = f" in steps of {decision.step}" if decision.step not in (None, 1) else ""
            return f"a number from {decision.low} to {decision.high}{steps} is wanted"
        if len(self.labels) == 1:
            return "1 is wanted, or the label"
        return f"a number from 1 to {len(self.labels)} is wanted, or a label"

    def move_for(self, text: str) -> int | None:
        """The move that a single answer means: an option's number, or its label; for a number the number itself."""
        if not self.decision.is_number and text.isdecimal() and 1 <= (read_whole(text) or 0) <= len(self.labels):
            return int(text) - 1
        called = self.decision.move_called(text)
        return self.move_begun(text) if called is None else called

    def move_begun(self, text: str) -> int | None:
        """First words that only one choice begins with will do: `call` for `call 2`."""
        start = f"{text.strip().casefold()} "
        begun = [move for move, label in enumerate(self.labels) if label.casefold().startswith(start)]
        return begun[0] if len(begun) == 1 and not self.decision.is_number else None

    def several(self, text: str) -> list[str] | None:
        """The labels that an answer of several picks means: `1 3 5`, `1, 3`, `2 of Cups, The Fool`."""
        if not self.is_of_several:
            return None
        by_comma = [part.strip() for part in text.split(",") if part.strip()]
        for parts in (by_comma, re.split(r"[\s,]+", text.strip())):
            found = [self.label_for(part) for part in parts]
            if len(found) > 1 and None not in found:
                return [label for label in found if label is not None]
        only = self.label_for(text.strip())
        return [only] if only in self.later else None

    def label_for(self, text: str) -> str | None:
        all_labels = [*self.labels, *self.later]
        if text.isdecimal() and 1 <= (read_whole(text) or 0) <= len(all_labels):
            return all_labels[int(text) - 1]
        folded = text.casefold()
        return next((label for label in all_labels if label.casefold() == folded), None)


def labels_later(game: Game, decision: Decision) -> list[str]:
    """Of a choice of several: what is not offered yet since the cards are picked in their order."""
    later: list[str] = []
    trial = game.clone() if decision.left > 1 else game
    asked: Decision | None = decision
    while asked is not None and asked.left > 1:
        things = [label for label in asked.labels() if label != DONE]
        if not things:
            break
        trial.apply(asked.labels().index(things[-1]))
        asked = trial.decision
        if asked is not None:
            later += [label for label in asked.labels() if label != DONE and label not in decision.labels()]
    return later


def picks_of(game: Game, labels: Sequence[str]) -> list[int] | str:
    """The moves that pick all of these, in the game's order, and end the choice if it may end; else what is wrong."""
    trial, left = game.clone(), [label for label in labels if label != DONE]
    moves: list[int] = []
    seat, name = asked_of(trial)
    while left:
        decision = trial.decision
        if decision is None or asked_of(trial) != (seat, name) or (moves and not decision.picked):
            return f"{count_of(left)} too many: {', '.join(left)}"
        offered = [(move, label) for label in left if (move := decision.move_called(label)) is not None]
        if not offered:
            alone = len(labels) == 1
            return f"`{left[0]}` {'is picked only with others' if alone else 'does not go with the others'}"
        move, label = min(offered)
        left.remove(label)
        trial.apply(move)
        moves.append(move)
    decision = trial.decision
    if decision is not None and asked_of(trial) == (seat, name) and decision.picked and DONE in decision.labels():
        moves.append(decision.labels().index(DONE))
    return moves


def asked_of(game: Game) -> tuple[int, str]:
    decision = game.decision
    return (-1, "") if decision is None else (decision.player, decision.name)


def count_of(things: Sequence[str]) -> str:
    return "one is" if len(things) == 1 else f"{len(things)} are"


def option_lines(question: Question) -> Iterator[str]:
    """`1  fold`, a line each, with its note."""
    labels = [*question.labels, *question.later]
    width = len(str(len(labels)))
    for number, label in enumerate(labels, start=1):
        yield f"  {number:>{width}}  {question.noted(label)}"
