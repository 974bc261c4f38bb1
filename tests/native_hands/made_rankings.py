"""Rankings and decks made by hand: trees without a ruleset's text, and a host that knows just enough to read them."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import ge, gt, le, lt
from types import SimpleNamespace
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.source import Source, Span
from trionfi.dsl.types import CARD, CARDS, NUMBER, TRUTH, Type

SPAN = Span(Source("tiny", ""), 0, 0)
CARD_LOCAL = tree.Local("card", CARD, 0, SPAN)
GROUP_LOCAL = tree.Local("group", CARDS, 1, SPAN)
HAND_LOCAL = tree.Local("hand", CARDS, 2, SPAN)
QUERY_LOCAL = tree.Local("card", CARD, 3, SPAN)
LOCALS = [CARD_LOCAL, GROUP_LOCAL, HAND_LOCAL, QUERY_LOCAL]


@dataclass
class Reads(tree.Expr):
    """Reads a card by a Python function of its face (a dict) and its look; `uses` says what of it is read."""

    card: tree.Expr = None  # type: ignore[assignment]
    function: Any = None
    uses: tuple[tree.Expr, ...] = ()


@dataclass
class Deck:
    """A deck: `cards` are dicts; `ranks` in order, lowest first."""

    ranks: list[str]
    suits: list[str]
    cards: list[dict[str, Any]] = field(default_factory=list)
    oriented: bool = False
    kept: Any = None

    def __post_init__(self) -> None:
        if not self.cards:
            self.cards = [{"suit": s, "rank": r} for s in range(len(self.suits)) for r in range(len(self.ranks))]


class Host:
    """Compiles `Reads` and the few nodes that orders are made of."""

    def __init__(self, deck: Deck) -> None:
        faces = [
            tree.CardFace(str(card), 0, card.get("suit"), card.get("rank"), card.get("number")) for card in deck.cards
        ]
        members = {"rank": deck.ranks, "suit": deck.suits}
        self.cards = deck.cards
        self.ruleset: Any = SimpleNamespace(
            faces=faces,
            decks=[SimpleNamespace(oriented=deck.oriented)],
            marks=[],
            enumerations={name: SimpleNamespace(members=words) for name, words in members.items()},
        )
        self.kept = range(len(faces)) if deck.kept is None else deck.kept

    def compile(self, expr: tree.Expr) -> Any:
        name = "".join(f"_{c.lower()}" if c.isupper() else c for c in type(expr).__name__)
        return getattr(self, f"compile{name}")(expr)

    def compile_reads(self, expr: Reads) -> Any:
        inner = self.compile(expr.card)

        def read(table: Any, values: list[Any]) -> Any:
            look = table.look(inner(table, values))
            return expr.function(self.cards[look.face], look)

        return read

    def compile_local_value(self, expr: tree.LocalValue) -> Any:
        return lambda table, values: values[expr.local.index]

    def compile_const(self, expr: tree.Const) -> Any:
        return lambda table, values: expr.value

    def compile_ordered(self, expr: tree.Ordered) -> Any:
        left, right = self.compile(expr.left), self.compile(expr.right)
        compare = {"<": lt, "<=": le, ">": gt, ">=": ge}[expr.operator]
        return lambda table, values: compare(left(table, list(values)), right(table, list(values)))

    def _domain(self, domain: tree.Domain) -> Any:
        source = self.compile(domain.source)
        where = None if domain.where is None else self.compile(domain.where)

        def things(table: Any, values: list[Any]) -> list[int]:
            found = []
            for card in source(table, values):
                values[domain.local.index] = card
                if where is None or where(table, values):
                    found.append(card)
            return found

        return things

    def compile_count(self, expr: tree.Count) -> Any:
        things = self._domain(expr.domain)
        return lambda table, values: len(things(table, values))

    def compile_quantified(self, expr: tree.Quantified) -> Any:
        things, condition = self._domain(expr.domain), self.compile(expr.condition)

        def hold(table: Any, values: list[Any]) -> bool:
            hits = []
            for card in things(table, values):
                values[expr.domain.local.index] = card
                hits.append(bool(condition(table, values)))
            return {"any": any(hits), "no": not any(hits), "every": all(hits)}[expr.quantifier]

        return hold

    def compile_fold(self, expr: tree.Fold) -> Any:
        things, value = self._domain(expr.domain), self.compile(expr.value)

        def fold(table: Any, values: list[Any]) -> Any:
            found = []
            for card in things(table, values):
                values[expr.domain.local.index] = card
                found.append(value(table, values))
            return {"sum": sum, "highest": max, "lowest": min}[expr.operator](found)

        return fold


def reads(function: Any, kind: Type = NUMBER, local: tree.Local = CARD_LOCAL) -> Reads:
    card = tree.LocalValue(CARD, SPAN, local)
    names = USES.get(function.__name__, ["suit", "rank", "number", "orientation"])
    uses = tuple(tree.Attribute(NUMBER, SPAN, name, card) for name in names)
    return Reads(kind, SPAN, card, function, uses)


def over(local: tree.Local, where: Any = None) -> tree.Domain:
    condition = None if where is None else reads(where, TRUTH, QUERY_LOCAL)
    return tree.Domain("card", QUERY_LOCAL, SPAN, tree.LocalValue(CARDS, SPAN, local), None, condition)


def count(local: tree.Local, where: Any) -> tree.Count:
    return tree.Count(NUMBER, SPAN, over(local, where))


def any_card(where: Any) -> tree.Quantified:
    return tree.Quantified(TRUTH, SPAN, "any", over(HAND_LOCAL), reads(where, TRUTH, QUERY_LOCAL))


def highest(value: Any) -> tree.Fold:
    return tree.Fold(NUMBER, SPAN, "highest", reads(value, NUMBER, QUERY_LOCAL), over(HAND_LOCAL))


# What functions read, where it is less than everything.
USES = {
    "suit_of": ["suit"],
    "colour": ["suit"],
    "rank_of": ["rank"],
    "strength": ["rank"],
    "turned": ["orientation"],
    "orientation": ["orientation"],
    "upright": ["orientation"],
}
SUIT = Type("enum", "suit")
RANK = Type("enum", "rank")


def prop(name: str, function: Any, kind: Type = NUMBER) -> tree.CardProperty:
    return tree.CardProperty(name, CARD_LOCAL, reads(function, kind), [CARD_LOCAL])


def suit_of(_: Any, look: Any) -> int | None:
    return look.suits.bit_length() - 1 if look.suits else None


def rank_of(_: Any, look: Any) -> int | None:
    return look.rank


PROPERTIES = {"suit": prop("suit", suit_of, SUIT), "rank": prop("rank", rank_of, RANK)}


def fact(text: str, properties: dict[str, tree.CardProperty]) -> tree.Fact:
    """`3 alike`, `3..4 alike`, `run of 5`, `run of 2 groups of 3 alike`, `same suit`, `5 cards`, `4 different NAMEs`,
    `nothing else`, `anything`, `2 NAME`, `all NAME`."""
    words = text.split()
    if words == ["nothing", "else"]:
        return tree.Fact("nothing else", SPAN)
    if words == ["anything"]:
        return tree.Fact("anything", SPAN)
    if words[0] == "same":
        return tree.Fact("same", SPAN, property=properties[words[1]])
    if words[0] == "all":
        return tree.Fact("all", SPAN, property=properties[words[1]])
    amount = words[2] if words[0] == "run" else words[0]
    low, _, high = amount.partition("..")
    size = int(low), int(high or low)
    if words[0] == "run":
        return tree.Fact("run", SPAN, *size, each=int(words[5]) if words[3:] else 1)
    if words[1] == "different":
        return tree.Fact("different", SPAN, *size, property=properties[words[2].removesuffix("s")])
    if words[1] == "alike":
        return tree.Fact("alike", SPAN, *size)
    if words[1] in ("card", "cards"):
        return tree.Fact("cards", SPAN, *size)
    return tree.Fact("are", SPAN, *size, property=properties[words[1]])


def pattern_ranking(
    categories: dict[str, str],
    *,
    size: tuple[int, int] = (5, 5),
    properties: dict[str, tree.CardProperty] | None = None,
    alike: tuple[str, ...] = ("rank",),
    run: str | None = "rank",
    ace: tuple[bool, bool] = (True, True),
    last: tuple[int, ...] = (),
    groups: list[tree.Expr] | None = None,
    head: tuple[tree.Expr, ...] = (),
    tail: tuple[tree.Expr, ...] = (),
    **more: Any,
) -> tree.PatternRanking:
    """A ranking from categories as they are written; its order: `head`, category, groups, `tail`."""
    known = properties or PROPERTIES
    keys = groups if groups is not None else [reads(rank_of, RANK)]
    order = [tree.OrderKey("value", [expr], SPAN) for expr in head]
    order += [tree.OrderKey("category", [], SPAN), tree.OrderKey("groups", keys, SPAN)]
    order += [tree.OrderKey("value", [expr], SPAN) for expr in tail]
    made = [
        tree.Category(name, [fact(part, known) for part in text.split(", ")], {}, SPAN)
        for name, text in categories.items()
    ]
    goes = None if run is None else tree.Run(known[run], *ace, last=list(last))
    return tree.PatternRanking("hand", *size, [known[name] for name in alike], goes, made, order, LOCALS, SPAN, **more)


POKER = {
    "Straight Flush": "run of 5, same suit",
    "Four of a Kind": "4 alike",
    "Full House": "3 alike, 2 alike",
    "Flush": "5 cards, same suit",
    "Straight": "run of 5",
    "Three of a Kind": "3 alike",
    "Two Pair": "2 alike, 2 alike",
    "One Pair": "2 alike",
    "High Card": "anything",
}
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"]
SUITS = ["clubs", "diamonds", "hearts", "spades"]
STANDARD = Deck(RANKS, SUITS)


# ---- a deck and a ranking like Two-Win's

TAROT_RANKS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "page", "knight", "queen", "king"]
TAROT = Deck(
    [*TAROT_RANKS[1:], "ace"],
    ["wands", "cups", "swords", "pentacles", "trump"],
    [{"suit": s, "rank": r} for s in range(4) for r in range(13)]
    + [{"suit": s, "rank": 13} for s in range(4)]
    + [{"suit": 4, "number": n} for n in range(22)],
    oriented=True,
)


def major(card: Any, _: Any) -> bool:
    return card["suit"] == 4


def poker_rank(card: Any, _: Any) -> int:
    """Numbers of TAROT.ranks: the two is 0, the ace 13."""
    if "rank" in card:
        return int(card["rank"])
    digit = card["number"] % 10
    return {0: 8, 1: 13}.get(digit, digit - 2)


def major_suit(card: Any, _: Any) -> int:
    if "number" not in card:
        return 0
    return 1 if 1 <= card["number"] <= 10 else 2 if 11 <= card["number"] <= 20 else 3


def orientation(_: Any, look: Any) -> int:
    return int(look.reversed)


def upright(_: Any, look: Any) -> bool:
    return not look.reversed


TWO_WIN_PROPERTIES = {
    "suit": PROPERTIES["suit"],
    "poker_rank": prop("poker_rank", poker_rank, RANK),
    "major_suit": prop("major_suit", major_suit, Type("enum", "major_suit")),
    "orientation": prop("orientation", orientation, Type("enum", "orientation")),
}
TWO_WIN = {
    **POKER,
    "Straight Flush": "run of 5, same suit, same major_suit, same orientation",
    "Flush": "5 cards, same suit, same major_suit, same orientation",
    "Straight": "run of 5, same orientation",
}
TWO_WIN_MIXED = {**TWO_WIN, "Flush": "5 cards, same suit, same major_suit", "Straight": "run of 5"}


def two_win(categories: dict[str, str] = TWO_WIN, **more: Any) -> tree.PatternRanking:
    return pattern_ranking(
        categories,
        properties=TWO_WIN_PROPERTIES,
        alike=("poker_rank", "orientation"),
        run="poker_rank",
        groups=[reads(poker_rank, RANK), reads(upright, TRUTH), count(GROUP_LOCAL, major)],
        head=(any_card(major),),
        **more,
    )
