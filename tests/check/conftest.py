"""A small game, made by hand, against which script slots are checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from trionfi.dsl.check.context import Context, Frame, NameTable, RowPlace
from trionfi.dsl.check.slots import define_body, expression, script, signature, strategy_script
from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.source import Source, Span
from trionfi.dsl.tree import (
    Block,
    CardFace,
    Category,
    ChooseNumber,
    ConditionRanking,
    Deck,
    Define,
    Expr,
    Local,
    Mark,
    MeldSpec,
    Option,
    PatternRanking,
    Procedure,
    TotalSpec,
    Variable,
    ZoneFamily,
)
from trionfi.dsl.types import CARD, CARDS, FRACTION, NUMBER, PLAYER, SUIT, TRUTH, Type

SUITS = ["clubs", "diamonds", "hearts", "spades"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"]
NOWHERE = Span(Source("game", ""), 0, 0)

VARIABLES: dict[str, tuple[Type, str]] = {
    "dealer": (PLAYER, ""),
    "lead_card": (CARD, ""),
    "trump": (SUIT, ""),
    "rounds": (NUMBER, ""),
    "ended": (TRUTH, ""),
    "seen": (CARDS, ""),
    "score": (NUMBER, "player"),
    "live": (TRUTH, "player"),
    "passing": (CARDS, "player"),
    "staked": (NUMBER, "player"),
    "points": (NUMBER, "team"),
}
CHIPS = {"pot": "", "chips": "player", "wager": "spot"}
ZONES: dict[str, dict[str, Any]] = {
    "stock": {},
    "pile": {"face": "up"},
    "hand": {"per": "player"},
    "table": {"shape": "row", "places": 3},
    "inner": {"shape": "row", "places": 2, "place_names": ["root", "past"]},
    "tableau": {"shape": "piles", "places": 7},
    "spot": {"per": "player", "shape": "piles", "places": 4},
    "slots": {"per": "player", "shape": "row", "places": 5},
    "foundation": {"per": "suit"},
    "tricks": {"per": "team"},
}
DEFINES = {
    "worth(card)": "card.rank.place",
    "fits(card)": "card.suit is trump",
    "leading(player)": "player.score > 3",
    "house()": "17",
    "both(player p, card)": "p.live and card in p.hand",
    "again()": "house()",
}
PROCEDURES = {
    "deal_out()": "deal 1 from stock to pile",
    "play_trick(player leader)": "return leader",
    "lay(card)": "move card to pile",
    "ask(player p)": 'p chooses as question:\n  "yes": ended = true\n  "no {rounds}": stop_now()',
    "stop_now()": "end game",
}


class Game:
    """The game's context, and short ways to check a text in it."""

    def __init__(self, players: tuple[int, int] = (2, 4)) -> None:
        self.diagnostics = Diagnostics()
        self.context = Context(self.diagnostics, NameTable(self.diagnostics), players, [[0, 2], [1, 3]])
        self._declare_deck()
        self._declare_things()
        for head, text in DEFINES.items():
            self.define(head, text)
        for head, text in PROCEDURES.items():
            self.procedure(head, text)
        self.context.settle_all()
        assert self.messages == [], self.messages

    def _declare_deck(self) -> None:
        context = self.context
        context.enumeration("suit", SUITS)
        context.enumeration("rank", RANKS)
        context.enumeration("orientation", ["reversed", "upright"])
        context.enumeration("face", ["down", "up"])
        context.enumeration("rotation", ["half", "every_card"])
        context.enumeration("colour", ["black", "red"])
        context.enumeration("mood", ["calm", "wild"])
        context.enumeration("weather", ["plain", "stormy"])
        for suit in range(4):
            for rank in range(13):
                name = f"{RANKS[rank]} of {SUITS[suit]}"
                context.faces.append(CardFace(name, 0, suit, rank, None))
        context.decks.append(Deck("main", context.faces, NOWHERE))
        for index, face in enumerate(context.faces):
            context.names.declare_card(face.name, index)

    def _declare_things(self) -> None:
        declare = self.context.names.declare
        for name, (type, per) in VARIABLES.items():
            declare(name, Variable(name, type, NOWHERE, per), NOWHERE)  # type: ignore[arg-type]
        for name, settings in ZONES.items():
            family = ZoneFamily(name, NOWHERE, **settings)
            declare(name, family, NOWHERE)
            for index, place in enumerate(family.place_names):
                declare(place, RowPlace(family, index + 1), NOWHERE)
            if name == "spot":
                self.spots = family
        for name, per in CHIPS.items():
            spots = self.spots if per == "spot" else None
            declare(name, Variable(name, NUMBER, NOWHERE, per, spots, chips=True), NOWHERE)  # type: ignore[arg-type]
        declare("role", Mark("role", self.context.enumeration("role", ["plain", "tower"]), 0, NOWHERE), NOWHERE)
        declare("limit", Option("limit", NUMBER, 10, NOWHERE), NOWHERE)
        declare("payout", Option("payout", FRACTION, 1, NOWHERE), NOWHERE)
        declare("style", Option("style", self.context.enumeration("style", ["tight", "loose"]), 0, NOWHERE), NOWHERE)
        categories = [Category(name, [], {"points": 1}, NOWHERE) for name in ("Flush", "Pair", "Nothing")]
        declare("poker", PatternRanking("poker", 5, 5, [], None, categories, [], [], NOWHERE), NOWHERE)
        own = Local("own", CARDS, 0, NOWHERE)
        declare("nines", ConditionRanking("nines", [own], [own], categories[:1], [], NOWHERE), NOWHERE)
        declare("tally", TotalSpec("tally", [], [], [], None, NOWHERE), NOWHERE)
        declare("meld", MeldSpec("meld", {}, [], None, None, [], NOWHERE), NOWHERE)

    def define(self, head: str, text: str, attribute: bool = False) -> Define:
        read = signature(self.context, scalar(head))
        assert read is not None
        define = Define(read.name, [], [], NUMBER, read.span, attribute=attribute)
        frame = Frame(self.context, define)
        define.parameters = read.add_to(frame)
        self.context.names.declare(read.name, define, read.span)
        self.context.later(define, lambda: define_body(self.context, scalar(text), frame, define))
        return define

    def procedure(self, head: str, text: str) -> Procedure:
        read = signature(self.context, scalar(head))
        assert read is not None
        procedure = Procedure(read.name, [], [], NUMBER, read.span)
        frame = Frame(self.context, procedure, "script")
        procedure.parameters = read.add_to(frame)
        self.context.names.declare(read.name, procedure, read.span)
        self.context.later(procedure, lambda: void(script(self.context, scalar(text, "|"), frame, procedure)))
        return procedure

    def frame(self, kind: str = "value") -> Frame:
        """A frame with locals `p` (a player), `q`, `card`, `c`, `zone` and `n`."""
        frame = Frame(self.context, None, kind)  # type: ignore[arg-type]
        named = {"p": PLAYER, "q": PLAYER, "c": CARD, "zone": Type("zone"), "n": NUMBER, "t": Type("team")}
        for name, type in named.items():
            frame.add(name, type, NOWHERE)
        return frame

    def expression(self, text: str, expected: Type | None = None, kind: str = "value") -> Expr | None:
        return expression(self.context, scalar(text), self.frame(kind), expected)

    def script(self, text: str, name: str = "here") -> Block | None:
        self.context.settle_all()
        procedure = Procedure(name, [], [], NUMBER, NOWHERE)
        frame = self.frame("script")
        frame.owner = procedure
        self.last = procedure
        return script(self.context, scalar(text, "|"), frame, procedure)

    def strategy(self, decision: str, text: str) -> Block | None:
        read = scalar(decision)
        procedure = strategy_script(self.context, scalar(text, "|"), decision, read.span)
        return procedure.body if procedure else None

    @property
    def messages(self) -> list[str]:
        """Every message with the words it points at: `words: message (hint)`."""
        return [f"{d.span.text}: {d.message}" + (f" ({d.hint})" if d.hint else "") for d in self.diagnostics]


def void(value: object) -> None:
    pass


def scalar(text: str, style: Any = "") -> Scalar:
    source = Source("game", text)
    span = Span(source, 0, len(text))
    return Scalar(text, style, span, span)


def drawn(node: object) -> str:
    """A node of the checked tree as one line, without types, places and weights; what is rare only where it is."""
    if isinstance(node, list | tuple):
        return "[" + ", ".join(drawn(one) for one in node) + "]"
    name = getattr(node, "name", None)
    if isinstance(node, Local | Variable | ZoneFamily | Option | Define | Procedure | Mark) or is_spec(node):
        return str(name)
    if not is_dataclass(node):
        return repr(node)
    names = [field.name for field in fields(node) if field.name not in ("type", "span", "weight")]
    unset = {name for name in ("range", "step", "rightwards") if not getattr(node, name, None)}
    rare = set[str]() if isinstance(node, ChooseNumber) else unset
    parts = [getattr(node, name) for name in names if name not in rare]
    return f"{type(node).__name__}({', '.join(drawn(part) for part in parts)})"


def is_spec(node: object) -> bool:
    return isinstance(node, PatternRanking | ConditionRanking | TotalSpec | MeldSpec)


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.fixture
def new_game() -> type[Game]:
    """For games with other seats."""
    return Game


@pytest.fixture
def draw() -> Callable[[object], str]:
    return drawn
