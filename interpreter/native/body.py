"""One function of a module while it is written."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import Type
from trionfi.interpreter.native import kernels
from trionfi.interpreter.native.builder import I64, TRUE, Code, Number, Value, constant_of, number
from trionfi.interpreter.native.module import Build, Made
from trionfi.interpreter.native.values import Compound

__all__ = ["Body"]


class Body:
    """One function while it is written: the record that it works on, how large values may be, where it can go on."""

    def __init__(self, build: Build, code: Code, frame: Made | None = None) -> None:
        self.build, self.code, self.frame = build, code, frame
        self.layout, self.rules = build.layout, build.rules
        self.state: Value = code.arguments[0]
        self.bounds: dict[int, int] = {}  # id of a value -> how large it may be
        self.alive: list[Value] = []  # so that no id is used twice
        self.points: list[ir.Block] = []  # where a watched function can go on
        self.leaving: Value | None = TRUE  # what is returned if the game does not go on

    # ---- the record

    def field(self, name: str, index: Number = 0) -> Value:
        plan = self.layout[name]
        return self.code.load(plan.kind, self.code.at(self.state, plan.offset), index, plan.signed)

    def set_field(self, name: str, value: Number, index: Number = 0) -> None:
        plan = self.layout[name]
        self.code.store(plan.kind, value, self.code.at(self.state, plan.offset), index)

    def address(self, name: str) -> Value:
        return self.code.at(self.state, self.layout[name].offset)

    def room_for_cards(self) -> Value:
        """A place in the call's own memory for a list of cards, and for one more: some write each card and count only
        those that are meant."""
        return self.code.room(self.layout.card_kind, self.layout.cards.count + 2)

    @property
    def seats(self) -> Value:
        """How many play."""
        low, high = self.rules.players
        return number(low) if low == high else self.small(self.field("seats"), self.layout.seats)

    # ---- bounds, so that sums of small numbers need no check

    def small(self, value: Value, most: int) -> Value:
        """Notes that a value lies within -most .. most."""
        self.bounds[id(value)] = most
        self.alive.append(value)
        return value

    def most(self, value: Number) -> int | None:
        constant = constant_of(value)
        return abs(constant) if constant is not None else self.bounds.get(id(value))

    # ---- errors

    def fail_when(self, bad: Value, kind: str, span: Span, detail: Number = 0, about: Any = None) -> None:
        """If `bad`, the game stops with an error; what is computed meanwhile does not count."""
        if isinstance(bad, ir.Constant) and bad.constant == 0:
            return
        site = self.build.error_site(kind, span, about)
        with self.code.when(bad, likely=False):
            self.code.call(kernels.fail(self.build), [self.state, number(site), detail])

    # ---- leaving

    def point(self) -> tuple[int, ir.Block]:
        """A new point to go on at: its number, and its block."""
        block = self.code.block("point")
        self.points.append(block)
        return len(self.points), block

    def note_point(self, point: int) -> None:
        assert self.frame is not None
        assert self.frame.resume is not None
        self.code.store(I64, number(point), self.code.at(self.state, self.frame.resume.offset))

    def write_switch(self) -> None:
        """Where the function begins: at its start, or where it stopped."""
        if self.frame is None:
            return
        assert self.frame.resume is not None
        self.code.go_on(self.code.entry)
        resume = self.code.load(I64, self.code.at(self.state, self.frame.resume.offset))
        switch = self.code.builder.switch(resume, self.code.start)
        for index, block in enumerate(self.points, start=1):
            switch.add_case(number(index), block)

    def no_hand(self, ranking: str) -> Compound:
        """A hand that is none: below all."""
        by_pattern = isinstance(self.rules.rankings[ranking], tree.PatternRanking)
        lowest = -1 if by_pattern else -(1 << 63)  # as native/hands has it
        return Compound((number(-1), *[number(lowest)] * (self.build.words(Type("hand", ranking)) - 1)))
