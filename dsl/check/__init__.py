"""The checker: names, types and sections, from syntax to the checked tree.

Declarations come first, section by section, so that order in the text never matters; then everything that is script is
read against all names; then the tree is put together, if nothing is wrong.
"""

from __future__ import annotations

from trionfi.dsl.check.context import SPOKEN_THING, Context, NameTable
from trionfi.dsl.check.decks import (
    DeckDraft,
    declare_attributes,
    declare_decks,
    declare_own_enumerations,
    finish_decks,
    keep_at_once,
    read_colours,
    read_decks,
)
from trionfi.dsl.check.effects import declare_effects, finish_effects
from trionfi.dsl.check.fields import entries, one_of, text
from trionfi.dsl.check.holes import check_holes
from trionfi.dsl.check.kinds import declare_columns, declare_kinds
from trionfi.dsl.check.options import (
    bind_parameters,
    check_multiples,
    declare_options,
    note_parents,
    wrong_multiples,
)
from trionfi.dsl.check.outcome import declare_result, read_measures, read_opponents, read_strategies
from trionfi.dsl.check.rankings import declare_hands
from trionfi.dsl.check.rulebook import read_rulebook
from trionfi.dsl.check.scripts import declare_defines, declare_procedures, read_play
from trionfi.dsl.check.short import check_short
from trionfi.dsl.check.table import declare_table, finish_table, read_layout
from trionfi.dsl.check.tests import TestReader
from trionfi.dsl.check.variables import (
    declare_marks,
    declare_variables,
    finish_variables,
    read_players,
    read_teams,
    read_usual_players,
    warn_of_numbers,
)
from trionfi.dsl.diagnostics import Diagnostics, declare_codes
from trionfi.dsl.library import Draft
from trionfi.dsl.nodes import Mapping, Node
from trionfi.dsl.source import Span
from trionfi.dsl.tree import Ruleset, Variable
from trionfi.dsl.tree.results import as_declared
from trionfi.dsl.types import FACE, PLAYER

__all__ = ["check", "refuse_library"]

declare_codes(
    {
        "missing-part": "A game has players, a play and a result, and for its cards a deck and a table.",
        "no-game": "A library is used by games; it cannot be played.",
    }
)

_WANTED = ("players", "play", "result")


def check(draft: Draft, diagnostics: Diagnostics) -> Ruleset | None:
    """The checked ruleset; what is wrong goes to the diagnostics. None after an error, and for a library, which is
    checked like a game but cannot be played."""
    context = Context(diagnostics, NameTable(diagnostics))
    rules = _Check(context, draft)
    ruleset = rules.ruleset()
    return None if diagnostics.has_errors or draft.is_library else ruleset


def refuse_library(draft: Draft, diagnostics: Diagnostics) -> None:
    """Says that this is no game."""
    message = f"`{draft.key}` is a library, which games use; it cannot be played"
    diagnostics.error("no-game", message, Span(draft.sources[0], 0, 0), "name a game, or write one that uses it")


class _Check:
    """One game being checked."""

    def __init__(self, context: Context, draft: Draft) -> None:
        self.context = context
        self.draft = draft
        self.sections = draft.sections
        self.whole = Span(draft.sources[0], 0, len(draft.sources[0].text))

    def section(self, name: str) -> Node | None:
        return self.sections.get(name)

    def ruleset(self) -> Ruleset:
        """Everything, in the one order in which it can be read."""
        self.report_missing()
        self.declare()
        self.read()
        return self.put_together()

    def declare(self) -> None:
        """Gives every name of the game its thing."""
        context, section = self.context, self.section
        context.players = read_players(context, section("players"))
        self.usual_players = read_usual_players(context, section("players"))
        context.rightwards = one_of(context, section("direction"), "`direction`", ["left", "right"]) == "right"
        context.teams = read_teams(context, section("teams"))
        declare_own_enumerations(context)
        self.decks = self.declare_cards()
        declare_kinds(context, section("kinds"))
        self.marks = declare_marks(context, section("attributes"))
        self.attributes = declare_attributes(context, self.decks)
        declare_columns(context, section("kinds"))
        self.zones = declare_table(context, section("table"))
        self.variables = declare_variables(context, section("variables"), self.zones)
        self.hands = declare_hands(context, self.sections)
        self.defines = declare_defines(context, section("define"))
        self.procedures = declare_procedures(context, section("procedures"))
        self.results = declare_result(context, section("result"))
        self.effect_drafts = declare_effects(context, section("effects"), self.whole.source)
        self.report_shared_names()

    def read(self) -> None:
        """Reads all script. What says of which type something is comes before what hangs on it."""
        context, section = self.context, self.section
        bind_parameters(context, self.draft)
        finish_variables(context, section("variables"), self.variables)
        check_holes(context, self.draft)
        for read in self.hands.later:
            read()
        self.play = read_play(context, section("play"), self.whole)
        self.effects = finish_effects(context, self.effect_drafts)
        context.settle_all()
        finish_decks(context, self.decks)
        finish_table(context, section("table"), self.zones)
        check_short(self.zones, self.effects, context.diagnostics)
        check_multiples(context, section("options"), self.options)
        self.report_multiples()
        self.measures = read_measures(context, section("measures"))
        self.strategies = read_strategies(context, section("strategies"))
        self.opponents = read_opponents(context, section("opponents"), self.strategies)
        self.layout = read_layout(context, section("layout"), self.zones)
        self.rulebook = read_rulebook(context, section("rulebook"))
        reader = TestReader(context, self.hands.rankings, self.options, self.strategies)
        self.tests = reader.read(self.draft.tests)
        warn_of_numbers(context, self.variables)

    def put_together(self) -> Ruleset:
        """The tree, of what has been declared and read."""
        context = self.context
        more = [*self.attributes, *self.hands.defines]
        declared = {name: as_declared(result) for name, result in self.results.items()}
        of_teams = {f"{name}(team)": result for name, (result, whose) in declared.items() if whose == "team"}
        return Ruleset(
            key=self.draft.key,
            name=text(context, self.section("name"), "the name"),
            about=text(context, self.section("about"), "`about`"),
            players=context.players,
            usual_players=self.usual_players,
            teams=context.teams,
            sources=[Span(source, 0, len(source.text)) for source in self.draft.sources],
            enumerations=context.enumerations,
            colours=self.colours,
            decks=context.decks,
            faces=context.faces,
            marks=self.marks,
            options=self.options,
            variables=self.variables,
            zones=self.zones,
            layout=self.layout,
            rankings=self.hands.rankings,
            totals=self.hands.totals,
            melds=self.hands.melds,
            defines={**self.defines, **{define.name: define for define in more}, **of_teams},
            procedures=self.procedures,
            play=self.play,
            score=self.results.get("score"),
            won=self.results.get("won"),
            measures=self.measures,
            strategies=self.strategies,
            opponents=self.opponents,
            tests=self.tests,
            dealer=_dealer(self.variables),
            decisions=self.decisions(),
            effects=self.effects,
            when_chosen=context.when_chosen,
            rulebook=self.rulebook,
            parent=self.draft.parent,
        )

    def decisions(self) -> list[str]:
        """The names of all decisions in the order of the text, file by file."""
        order = {source: number for number, source in enumerate(self.draft.sources)}
        found = self.context.names.decisions.values()
        return [one.name for one in sorted(found, key=lambda one: (order[one.span.source], one.span.start))]

    def declare_cards(self) -> list[DeckDraft]:
        """Decks come before all other enumerations: an option whose choices are the suits is of suits."""
        decks = read_decks(self.context, self.sections)
        keep_at_once(decks, self.section("kinds"))
        declare_decks(self.context, decks)
        self.colours = read_colours(self.context, decks)
        self.options = declare_options(self.context, self.section("options"))
        note_parents(self.options, self.draft.parent_options, self.context)
        return decks

    def report_missing(self) -> None:
        """What a game cannot do without. In a file of which pieces could not be read nothing is said to be missing."""
        if not self.draft.whole or self.draft.is_library:
            return
        for name in [*_WANTED, *self.missing_cards()]:
            if name not in self.sections:
                start = Span(self.whole.source, 0, 0)
                self.context.diagnostics.error("missing-part", f"a game needs the section `{name}`", start)

    def missing_cards(self) -> list[str]:
        """A deck wants a table, and a zone that starts with cards a deck; a game of dice has neither."""
        has_deck = "deck" in self.sections or "decks" in self.sections
        if has_deck or "table" not in self.sections:
            return ["table"] if has_deck and "table" not in self.sections else []
        zones = [entry.value for entry in entries(self.section("table"))]
        return ["deck"] if any(isinstance(zone, Mapping) and zone.get("start") for zone in zones) else []

    def report_shared_names(self) -> None:
        """A word of an enumeration stands where its kind is wanted; it may be no other bare name. Only `up` and `down`
        may, since nothing but a card's face is asked for them, which wants them."""
        names = self.context.names
        for enumeration in self.context.enumerations.values():
            if enumeration.name == FACE.name:
                continue
            for member in enumeration.members:
                entry = names.globals.get(member) or names.options.get(member)
                if entry is not None:
                    thing = SPOKEN_THING[type(entry.thing)]
                    message = f"`{member}` is {thing}, and a word of `{enumeration.name}`, too"
                    self.context.diagnostics.error("duplicate-name", message, entry.span, "give it another name")

    def report_multiples(self) -> None:
        for problem in wrong_multiples(self.options, {name: one.default for name, one in self.options.items()}):
            self.context.diagnostics.add(problem)


def _dealer(variables: list[Variable]) -> Variable | None:
    """The variable from whose left players are gone over."""
    return next((one for one in variables if one.name == "dealer" and not one.per and one.type == PLAYER), None)
