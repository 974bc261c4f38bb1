"""Tests of a ruleset, and the whole."""

from __future__ import annotations

from dataclasses import dataclass, field

from trionfi.dsl.source import Span
from trionfi.dsl.tree.declarations import (
    CardFace,
    ConditionRanking,
    Deck,
    Define,
    Effect,
    Enumeration,
    Local,
    Mark,
    Measure,
    MeldSpec,
    Option,
    PatternRanking,
    Procedure,
    Strategy,
    TotalSpec,
    Variable,
    ZoneFamily,
)
from trionfi.dsl.tree.node import Expr, Node, Reference
from trionfi.dsl.tree.rulebook import Chapter


@dataclass(slots=True, eq=False)
class HandTest(Node):
    """`better`, `worse`, `equal` and `hand` hold hands: a list of card names a parameter of the ranking."""

    title: str
    span: Span
    options: dict[str, str]
    players: int | None
    ranking: str
    better: list[list[str]] | None = None
    worse: list[list[str]] | None = None
    equal: list[list[list[str]]] | None = None
    hand: list[list[str]] | None = None
    category: str | None = None


@dataclass(slots=True, eq=False)
class Written(Node):
    """A text of a test as written, with its place."""

    text: str
    span: Span


@dataclass(slots=True, eq=False)
class Expectation(Node):
    expr: Expr
    locals: list[Local]
    span: Span


@dataclass(slots=True, eq=False)
class SituationTest(Node):
    """A dealt situation: `moves` are (seat, what is chosen); `then` a strategy's name or `random`."""

    title: str
    span: Span
    options: dict[str, str]
    players: int | None
    cards: dict[str, list[Written]] = field(default_factory=dict)
    set: dict[str, Written] = field(default_factory=dict)
    chance: list[Written] = field(default_factory=list)
    moves: list[tuple[int, Written]] | None = None
    then: str = ""
    offered: tuple[int, list[Written]] | None = None
    expect: list[Expectation] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Ruleset(Node):
    """A checked ruleset: the whole of a game, for any of its seat counts and options."""

    key: str  # what RULES takes: the file's name without its ending
    name: str
    about: str
    players: tuple[int, int]
    usual_players: int  # how many are seated when nobody says how many
    teams: list[list[int]]  # seats, from 0
    sources: list[Span]  # the files it was read from, whole
    enumerations: dict[str, Enumeration]  # suit, rank, orientation, face, deck, rotation, and the game's own
    colours: dict[int, int]  # suit -> colour (a member of `colour`)
    decks: list[Deck]
    faces: list[Reference[CardFace]]  # of all decks, in order: before `keep` and `copies`
    marks: list[Mark]
    options: dict[str, Option]
    variables: list[Variable]
    zones: list[ZoneFamily]
    layout: list[list[str]]
    rankings: dict[str, PatternRanking | ConditionRanking]
    totals: dict[str, TotalSpec]
    melds: dict[str, MeldSpec]
    defines: dict[str, Define]
    procedures: dict[str, Procedure]
    play: Procedure
    score: Define | None
    won: Define | None
    measures: list[Measure]
    strategies: dict[str, Strategy]
    opponents: str  # the strategy of those at the table whom no person plays; `random`; empty: nothing is said
    tests: list[HandTest | SituationTest]
    dealer: Reference[Variable] | None  # the game-wide player variable `dealer`, if there is one
    decisions: list[str] = field(default_factory=list)  # names, in the order of the text
    effects: list[Effect] = field(default_factory=list)
    when_chosen: Procedure | None = None  # of each effect: parameters `player`, `this`, `targets` (cards)
    rulebook: list[Chapter] = field(default_factory=list)
    parent: str = ""  # the name of the game of which this is a variant
