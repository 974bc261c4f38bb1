"""What the checker knows while it works: the names of a game, the locals of a slot, the tables, the messages.

The rooms beside this one read slots (`slots.py` has their entry points). They report what is wrong and give
None; who gets None goes on without a further message, so that one mistake is told once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from lark import Token, Tree

from trionfi.dsl.diagnostics import Diagnostics, declare_absences, declare_codes, did_you_mean
from trionfi.dsl.limits import MOST_LETTERS, MOST_NESTED, MOST_OPEN, MOST_SCRIPT
from trionfi.dsl.script import RESERVED, Slot, stop_long
from trionfi.dsl.source import Source, Span
from trionfi.dsl.tree import (
    ATTRIBUTES,
    LATER_ATTRIBUTES,
    CardFace,
    ConditionRanking,
    Deck,
    Define,
    Effect,
    Enumeration,
    Expr,
    KindColumn,
    Local,
    Mark,
    MeldSpec,
    Option,
    PatternRanking,
    Procedure,
    Return,
    TotalSpec,
    Variable,
    ZoneFamily,
)
from trionfi.dsl.types import Type, enum

declare_codes(
    {
        "duplicate-name": "A name stands for one thing.",
        "not-a-name": f"A name is one word of letters, digits and `_`, at most {MOST_LETTERS} of them.",
        "reserved-word": "The language's own words cannot be names of the game.",
        "unknown-name": "A name must be declared before it is used.",
        "recursion": "A procedure or define cannot call itself, not even through others.",
        "shadowed-name": "Inside one script a name keeps its meaning.",
    }
)
declare_absences("unknown-name")

UNKNOWN = Type("unknown")  # of a local or define whose text has an error: its uses say nothing more

FrameKind = Literal["value", "script", "strategy"]
Checked = Define | Procedure


@dataclass(slots=True, eq=False)
class RowPlace:
    """A named place of a row: `root`. `index` counts from 1."""

    family: ZoneFamily
    index: int


Thing = (
    Variable
    | ZoneFamily
    | RowPlace
    | Option
    | Define
    | Procedure
    | Mark
    | KindColumn
    | PatternRanking
    | ConditionRanking
    | TotalSpec
    | MeldSpec
)

# What messages call a thing.
SPOKEN_THING: dict[type, str] = {
    Variable: "a variable",
    ZoneFamily: "a zone",
    RowPlace: "a place of a row",
    Option: "an option",
    Define: "a define",
    Procedure: "a procedure",
    Mark: "a mark of cards",
    KindColumn: "a column of a kind",
    PatternRanking: "a ranking",
    ConditionRanking: "a ranking",
    TotalSpec: "a total",
    MeldSpec: "a meld",
}

# Nouns, values and functions that the language gives; no name of a game may hide them.
NOUNS = ("card", "player", "suit", "rank", "zone", "team", "play")
OWN_NAMES = frozenset(
    [
        *NOUNS,
        *(noun + "s" for noun in NOUNS),
        *("true", "false", "none", "number", "truth", "orientation"),
        *("smaller", "larger", "arranged", "chance", "playable"),
        *("options", "lowest_offered", "highest_offered"),
    ]
)
_CONSTANTS = frozenset({"true", "false", "none", "players", "plays"})  # not even a local may be called so
_SEAT = re.compile(r"p[1-9][0-9]*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_CALLED = re.compile(r"\b([A-Za-z_]\w*+) *+\(")


@dataclass(slots=True)
class DeclaredName:
    thing: Thing
    span: Span


@dataclass(slots=True)
class DecisionName:
    """What is known of a decision, over all the places that ask it: for strategies and the list of decisions."""

    name: str
    span: Span
    kinds: set[str] = field(default_factory=set)  # menu, number, orientation, or the noun of a pick
    thing_types: dict[str, Type] = field(default_factory=dict)  # noun of a pick -> type of one thing
    nouns: set[str] = field(default_factory=set)  # of what is offered: in picks, and in menus `for each` of them
    templates: list[str] = field(default_factory=list)  # labels of its menu lines as written


class NameTable:
    """The name spaces of a game.

    `globals`: what is written bare: variables and zones without `per`, places of rows, defines, procedures,
    rankings, totals, melds. `belongings`: what is written after a dot, by the kind of its owner (player, team, suit,
    zone for `per: spot`, card for attributes and marks). Options, decisions and events have spaces of their own;
    an option is also written bare, after the globals. `parameters`: of each library, by its source: the
    expression bound to the parameter stands wherever the library names it.
    """

    def __init__(self, diagnostics: Diagnostics, words: frozenset[str] = RESERVED) -> None:
        self.diagnostics = diagnostics
        self.words = words
        self.globals: dict[str, DeclaredName] = {}
        self.options: dict[str, DeclaredName] = {}
        self.belongings: dict[str, dict[str, DeclaredName]] = {}
        self.parameters: dict[Source, dict[str, Expr]] = {}
        self.decisions: dict[str, DecisionName] = {}
        self.events: dict[str, Span] = {}
        self.cards: dict[str, int] = {}

    def space_of(self, thing: Thing) -> dict[str, DeclaredName]:
        """The name space in which a thing is declared."""
        owner = owner_kind(thing)
        if owner:
            return self.belongings.setdefault(owner, {})
        return self.options if isinstance(thing, Option) else self.globals

    def declare(self, name: str, thing: Thing, span: Span) -> bool:
        """Gives `thing` its name; reports a name that is taken or the language's own, and is false then."""
        space = self.space_of(thing)
        if not self.is_name(name, span) or not self._is_free(name, thing, space, span):
            return False
        space[name] = DeclaredName(thing, span)
        return True

    def is_name(self, name: str, span: Span) -> bool:
        """Whether scripts can write it; reports it if not."""
        if _NAME.fullmatch(name) and len(name) <= MOST_LETTERS:
            return True
        message = f"a name is a word of letters, digits and `_` that begins with none of the digits, not `{name}`"
        if len(name) > MOST_LETTERS:
            message = f"a name has at most {MOST_LETTERS} letters, and this {len(name)}"
        tried = re.sub(r"\W+", "_", name).strip("_")
        hint = f"write `{tried}`" if _NAME.fullmatch(tried) and len(tried) <= MOST_LETTERS else ""
        self.diagnostics.error("not-a-name", message, span, hint)
        return False

    def declare_card(self, name: str, face: int) -> None:
        """A card's name (or an alias of it) for scripts; the first of a name counts."""
        self.cards.setdefault(fold(name), face)

    def declare_belonging(self, owner: str, name: str, define: Define) -> None:
        """A define of one thing that is written after a dot, too: `p1.score`. Belongings declared as such go first."""
        self.belongings.setdefault(owner, {}).setdefault(name, DeclaredName(define, define.span))

    def _is_free(self, name: str, thing: Thing, space: dict[str, DeclaredName], span: Span) -> bool:
        taken = space.get(name) or (self.options.get(name) if space is self.globals else None)
        if space is self.options:
            taken = taken or self.globals.get(name)
        if taken is not None:
            said = SPOKEN_THING[type(taken.thing)]
            self.diagnostics.error("duplicate-name", f"`{name}` is already {said}, declared at {taken.span}", span)
            return False
        owner = owner_kind(thing)
        kind, _, noun = owner.partition(" ")
        if owner and ("enum" if noun else kind, name) in ATTRIBUTES and (owner, name) not in LATER_ATTRIBUTES:
            message = f"`{noun or kind}.{name}` is the language's own; take another name"
            self.diagnostics.error("reserved-word", message, span)
            return False
        # after a dot every word is free
        return bool(owner) or self.is_allowed(name, span)

    def is_allowed(self, name: str, span: Span) -> bool:
        """Whether a bare name may be given to something; reports it if not."""
        if name not in self.words and name not in OWN_NAMES and not _SEAT.fullmatch(name):
            return True
        hint = f"try `{name}_of` or another name"
        self.diagnostics.error("reserved-word", f"`{name}` is a word of the language", span, hint)
        return False

    def lookup(self, name: str, source: Source | None = None) -> Thing | Expr | None:
        """What a bare name stands for in a file: a library's parameter (its expression), a global, or an option."""
        if source is not None and name in self.parameters.get(source, ()):
            return self.parameters[source][name]
        entry = self.declared(name)
        return entry.thing if entry else None

    def declared(self, name: str) -> DeclaredName | None:
        """The global or option that a bare name stands for."""
        return self.globals.get(name) or self.options.get(name)

    def ranking(self, name: str) -> PatternRanking | ConditionRanking | None:
        """The ranking so called. Its name is the kind of its values, too."""
        entry = self.globals.get(name)
        return entry.thing if entry and isinstance(entry.thing, PatternRanking | ConditionRanking) else None

    def rankings(self) -> list[str]:
        return [name for name in self.globals if self.ranking(name) is not None]

    def belonging(self, owner: str, name: str) -> Thing | None:
        """What the game lets be written after a dot behind an `owner` (player, team, suit, zone, card)."""
        entry = self.belongings.get(owner, {}).get(name)
        return entry.thing if entry else None

    def owners_of(self, name: str) -> list[str]:
        """The kinds of owners behind which `name` may be written."""
        return [owner for owner, space in self.belongings.items() if name in space]

    def decision(self, name: str, span: Span) -> DecisionName:
        """The decision so called, made at its first mention."""
        return self.decisions.setdefault(name, DecisionName(name, span))


def owner_kind(thing: Thing) -> str:
    """Behind what a thing's name is written: player, team, suit, zone, card, or nothing (it is written bare)."""
    if isinstance(thing, RowPlace):
        thing = thing.family
    if isinstance(thing, KindColumn):
        return f"kind {thing.kind}"
    if isinstance(thing, Variable) and thing.per == "kind":
        return thing.per_kind if thing.per_kind == "rank" else f"kind {thing.per_kind}"
    if isinstance(thing, Variable | ZoneFamily):
        return "zone" if thing.per == "spot" else thing.per
    if isinstance(thing, Mark) or (isinstance(thing, Define) and thing.attribute):
        return "card"
    return ""


def _other_name(name: str) -> str:
    return f"give this one a name: `{name} other`" if name in NOUNS else "take another name"


def fold(name: str) -> str:
    """A card's name as it is looked up: case-blind, blanks alike."""
    return " ".join(name.split()).casefold()


class Frame:
    """The locals of one define, procedure or other slot, in nested scopes.

    A local's index is its place in `locals`; no place is used twice. kind `value`: a pure expression; `script`:
    things happen and chance may be drawn; `strategy`: a script that picks.
    """

    def __init__(self, context: Context, owner: Checked | None = None, kind: FrameKind = "value") -> None:
        self.context = context
        self.owner = owner
        self.kind = kind
        self.locals: list[Local] = []
        self.scopes: list[dict[str, Local]] = [{}]
        self.settable: set[Local] = set()  # lets and results of choices
        self.soft: set[Local] = set()  # may be hidden by an inner name: `card` of a strategy or ranking
        self.read: set[Local] = set()
        self.sealed: set[Variable] = set()  # being chosen in secret just now
        self.slot: Slot | None = None  # the one being read
        self.loops = 0
        self.queries = 0  # depth of queries and of conditions that are asked of many things
        self.counting = False  # in the `where` of a count
        self.asks = False
        self.decision: DecisionName | None = None  # of a strategy's script
        self.effect: Effect | None = None  # whose script this is
        self.lets: list[Local] = []  # and results of choices: what a script names to use it later
        self.returns: list[Return | None] = []  # None: one with an error
        self.calls: list[tuple[Checked, Span]] = []

    @property
    def names(self) -> NameTable:
        return self.context.names

    @property
    def source(self) -> Source | None:
        return self.slot.source if self.slot else None

    def is_misfit(self, thing: Checked) -> bool:
        """Whether a library calls here what a game has declared otherwise than the library wants it: that is told."""
        return thing in self.context.misfits and self.source is not thing.span.source

    def span(self, part: Tree[Token] | Token) -> Span:
        """Where a part of the slot being read stands in its file."""
        assert self.slot is not None, "a slot is being read"
        return self.slot.span(part)

    def error(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.context.diagnostics.error(code, message, span, hint)

    def warning(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.context.diagnostics.warning(code, message, span, hint)

    def add(
        self, name: str, type: Type, span: Span, *, settable: bool = False, soft: bool = False, hides: bool = False
    ) -> Local:
        """A new local in the innermost scope; reports a name that the script uses already, unless the new one may
        hide it or it is `soft`."""
        local = Local(name, type, len(self.locals), span)
        if not self._may_be_called(name, span, settable, hides):
            self.read.add(local)  # one message is enough
            local.type = UNKNOWN if settable else type
        self.locals.append(local)
        self.scopes[-1][name] = local
        if settable:
            self.settable.add(local)
        if soft:
            self.soft.add(local)
        return local

    def _may_be_called(self, name: str, span: Span, settable: bool, hides: bool) -> bool:
        if name in self.names.words or name in _CONSTANTS:
            return self.names.is_allowed(name, span)
        if settable and not self.is_free(name, span):
            return False
        hidden = self.lookup(name)
        if hidden is None or hidden in self.soft or hides:
            return True
        self.read.add(hidden)
        again = settable and hidden in self.settable
        hint = f"to set it anew, write `{name} = ...`" if again else _other_name(name)
        self.error("shadowed-name", f"`{name}` already has a meaning here, since {hidden.span}", span, hint)
        return False

    def is_free(self, name: str, span: Span, but: tuple[type, ...] = ()) -> bool:
        """Whether a script may give a name to something of its own: nothing that its file declares is called so, `but`
        for things of these types; reports it if not. A library does not know the names of the games that use it."""
        if name in self.names.parameters.get(span.source, ()):
            hides = "a parameter of this library"
        elif (entry := self.names.declared(name)) and entry.span.source is span.source:
            hides = "" if isinstance(entry.thing, but) else SPOKEN_THING[type(entry.thing)]
        else:
            kind = self.context.kind_with(name, span.source)
            hides = f"a word of `{kind}`" if kind else ""
        if hides:
            sets = hides == SPOKEN_THING[Variable] and not but
            hint = f"to set the variable, write `{name} = ...`" if sets else _other_name(name)
            self.error("shadowed-name", f"`{name}` is {hides} already, which this name would hide", span, hint)
        return not hides

    def lookup(self, name: str) -> Local | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def visible(self) -> list[str]:
        return [name for scope in self.scopes for name in scope]

    @contextmanager
    def reading(self, slot: Slot) -> Iterator[None]:
        """Spans and a library's parameters are those of `slot` meanwhile."""
        before, self.slot = self.slot, slot
        try:
            with self.context.within(slot, slot.span(slot.tree)):
                yield
        finally:
            self.slot = before

    @contextmanager
    def query(self) -> Iterator[None]:
        """What is read inside is asked of many things: chance has no place in it. Names end with it."""
        self.queries += 1
        with self.scope():
            yield
        self.queries -= 1

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names added inside are forgotten at its end (their places stay theirs)."""
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()


@dataclass(slots=True, eq=False)
class Context:
    """A game in progress of being checked. The sections fill the tables before any slot is read.

    `later` hands in what checks the body of a define or procedure; `settle` runs it when its type is first wanted
    (or `settle_all` at the end), and finds recursion on the way.
    """

    diagnostics: Diagnostics
    names: NameTable
    players: tuple[int, int] = (2, 2)
    teams: list[list[int]] = field(default_factory=list)
    enumerations: dict[str, Enumeration] = field(default_factory=dict)
    kinds: dict[str, Type] = field(default_factory=dict)  # names of enumerations, also those that are one
    decks: list[Deck] = field(default_factory=list)
    faces: list[CardFace] = field(default_factory=list)
    effects: dict[str, Effect] = field(default_factory=dict)  # by folded name
    when_chosen: Procedure | None = None  # of each effect
    calls: dict[Checked, list[tuple[Checked, Span]]] = field(default_factory=dict)  # who calls whom, and where
    rightwards: bool = False  # how play goes round the table, unless a round says otherwise
    wanted: dict[Define, Type] = field(default_factory=dict)  # what libraries want of defines of the game
    unheard: set[Checked] = field(default_factory=set)  # read to know its type only; what is wrong with it is not told
    misfits: set[Checked] = field(default_factory=set)  # called otherwise by a library than declared: told already
    _later: dict[Checked, Callable[[], None]] = field(default_factory=dict)
    _open: list[Checked] = field(default_factory=list)  # being checked now, outermost first
    _texts: dict[Checked, str] = field(default_factory=dict)
    _read: int = 0  # characters of script
    _depth: int = 0  # of the slots that are being read, one within another
    _too_deep: bool = False

    def enumeration(self, name: str, members: list[str], span: Span | None = None) -> Type:
        """The type of an enumeration; equal lists of members are one, called as the first of them."""
        for known in self.enumerations.values():
            if known.members == members:
                return self.kinds.setdefault(name, enum(known.name))
        # an option and a library's parameter may have one name and other choices
        key = name
        while key in self.enumerations:
            key += "'"
        self.enumerations[key] = Enumeration(key, members, span)
        return self.kinds.setdefault(name, enum(key)) if key == name else enum(key)

    def own_enumeration(self, name: str, members: list[str]) -> None:
        """One of the enumerations that every game has; it is no other, whatever its members."""
        self.enumerations[name] = Enumeration(name, members)
        self.kinds[name] = enum(name)

    def members(self, type: Type) -> list[str]:
        """The members of an enumeration's type, in order."""
        found = self.enumerations.get(type.name)
        return found.members if found and type.kind == "enum" else []

    def kind_with(self, word: str, source: Source) -> str:
        """The kind declared in a file that has this word, if there is one."""
        own = (one for one in self.enumerations.values() if one.span is not None and one.span.source is source)
        return next((one.name for one in own if word in one.members), "")

    def lacking(self, attribute: Literal["suit", "rank", "number"]) -> bool:
        """Whether some cards have no such attribute."""
        return any(getattr(face, attribute) is None for face in self.faces)

    def later(self, thing: Checked, check: Callable[[], None], text: str = "") -> None:
        """`check` sets the type and body of `thing`, which stands in `text`; it runs at the first need."""
        thing.type = UNKNOWN
        self._later[thing] = check
        self._texts[thing] = text

    def settle(self, thing: Checked, span: Span) -> Type:
        """The type of what `thing` gives, UNKNOWN after an error; `span` is the call."""
        if thing in self._open:
            path = [*self._open[self._open.index(thing) :], thing]
            said = " calls ".join(f"`{one.name}`" for one in path)
            self.diagnostics.error("recursion", f"`{thing.name}` would call itself: {said}", span)
            return UNKNOWN
        if thing in self._later and self._depth + 2 * len(self._open) > MOST_OPEN:
            self._report_depth(span)
            return UNKNOWN
        if not self._open:
            self._settle_called(thing)
        self._settle_one(thing)
        return thing.type

    def _settle_called(self, thing: Checked) -> None:
        """What a thing calls, and what that calls, the innermost first: a long chain is no deep recursion then. Not if
        they go round in a circle, which is found by following it."""
        order: list[Checked] = []
        waiting: list[tuple[Checked, Iterator[Checked]]] = [(thing, self._called(thing))]
        opened, done = {thing}, set[Checked]()
        while waiting:
            one, called = waiting[-1]
            inner = next(called, None)
            if inner is None:
                done.add(one)
                order.append(waiting.pop()[0])
            elif inner in opened and inner not in done:
                return
            elif inner not in done:
                opened.add(inner)
                waiting.append((inner, self._called(inner)))
        for one in order[:-1]:
            self._settle_one(one)

    def _called(self, thing: Checked) -> Iterator[Checked]:
        """What seems to be called in a text that waits to be checked."""
        for name in _CALLED.findall(self._texts.get(thing, "")):
            entry = self.names.globals.get(name)
            if entry is not None and isinstance(entry.thing, Define | Procedure) and entry.thing in self._later:
                yield entry.thing

    def _settle_one(self, thing: Checked) -> None:
        check = self._later.pop(thing, None)
        if check is not None:
            self._open.append(thing)
            try:
                with self.diagnostics.muted(thing in self.unheard):
                    check()
            finally:
                self._open.pop()

    def _report_depth(self, span: Span) -> None:
        if not self._too_deep:
            message = f"script is nested at most {MOST_NESTED} deep, and what calls one another here is more"
            self.diagnostics.error("nested-script", message, span, "let one procedure call them one after another")
        self._too_deep = True

    @contextmanager
    def within(self, slot: Slot, span: Span) -> Iterator[None]:
        """Reading a slot, maybe because another calls what it says."""
        self._read += span.end - span.start
        if self._read > MOST_SCRIPT:
            stop_long(self.diagnostics, span)
        self._depth += slot.depth
        try:
            yield
        finally:
            self._depth -= slot.depth

    def settle_all(self) -> None:
        """Checks every define and procedure that nobody has needed so far, in the order of the text."""
        while self._later:
            thing = next(iter(self._later))
            self.settle(thing, thing.span)

    def unknown_name(self, name: str, span: Span, known: list[str], what: str = "name") -> None:
        """Reports a name that nothing bears, with the nearest of `known`."""
        self.diagnostics.error("unknown-name", f"there is no {what} `{name}`", span, did_you_mean(name, known))
