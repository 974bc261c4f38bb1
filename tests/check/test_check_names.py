"""Name spaces, signatures and the values of totals: what the sections build on."""

from __future__ import annotations

from typing import Any

import pytest

from trionfi.dsl.check.context import UNKNOWN, Context, Frame, NameTable, RowPlace
from trionfi.dsl.check.slots import alternatives, signature
from trionfi.dsl.diagnostics import Diagnostics
from trionfi.dsl.nodes import Scalar
from trionfi.dsl.source import Source, Span
from trionfi.dsl.tree import Option, Variable, ZoneFamily
from trionfi.dsl.types import CARD, CARDS, NUMBER, PLAYER, SUIT, TRUTH, enum


def scalar(text: str) -> Scalar:
    span = Span(Source("game", text), 0, len(text))
    return Scalar(text, "", span, span)


@pytest.fixture
def names() -> NameTable:
    return NameTable(Diagnostics())


def declared(names: NameTable, name: str, make: Any, **settings: Any) -> list[str]:
    span = Span(Source("game", name), 0, len(name))
    names.declare(name, make(span, **settings), span)
    return [diagnostic.message for diagnostic in names.diagnostics]


def variable(span: Span, per: Any = "") -> Variable:
    return Variable(span.text, NUMBER, span, per)


def zone(span: Span, per: Any = "") -> ZoneFamily:
    return ZoneFamily(span.text, span, per)


def option(span: Span) -> Option:
    return Option(span.text, NUMBER, 0, span)


def test_a_bare_name_stands_for_one_thing(names: NameTable) -> None:
    assert declared(names, "pot", variable) == []
    assert declared(names, "pot", zone) == ["`pot` is already a variable, declared at game:1:1"]


def test_an_option_is_written_bare_too(names: NameTable) -> None:
    assert declared(names, "chips", option) == []
    assert declared(names, "chips", variable) == ["`chips` is already an option, declared at game:1:1"]


def test_what_is_written_after_a_dot_has_its_own_space(names: NameTable) -> None:
    assert declared(names, "chips", option) == []
    assert declared(names, "chips", variable, per="player") == []
    assert declared(names, "chips", zone, per="team") == []
    assert declared(names, "chips", zone, per="player") == ["`chips` is already a variable, declared at game:1:1"]


@pytest.mark.parametrize("name", ["the", "deal", "card", "players", "true", "p3", "smaller"])
def test_words_of_the_language_are_no_names(names: NameTable, name: str) -> None:
    assert declared(names, name, variable) == [f"`{name}` is a word of the language"]


@pytest.mark.parametrize("name", ["the", "deal", "number"])
def test_after_a_dot_words_are_free(names: NameTable, name: str) -> None:
    assert declared(names, name, variable, per="player") == []


def test_but_not_those_that_the_language_gives(names: NameTable) -> None:
    assert declared(names, "owner", variable, per="spot") == ["`zone.owner` is the language's own; take another name"]


def test_a_place_of_a_row_goes_where_its_row_goes(names: NameTable) -> None:
    row = ZoneFamily("inner", Span(Source("game", ""), 0, 0), "player", "row")
    declared(names, "root", lambda span: RowPlace(row, 1))
    assert names.lookup("root") is None
    assert names.belonging("player", "root") is not None


def test_a_parameter_is_known_in_its_library_only(game: Any) -> None:
    library = Source("library", "")
    game.context.names.parameters[library] = {"unit": game.expression("limit")}
    assert game.context.names.lookup("unit", library) is not None
    assert game.context.names.lookup("unit", Source("game", "")) is None


# ---- signatures

SIGNATURES = [
    ("house()", "house", [], True),
    ("house", "house", [], False),
    ("worth(card)", "worth", [("card", CARD)], True),
    ("may_play(player p, card, suit led)", "may_play", [("p", PLAYER), ("card", CARD), ("led", SUIT)], True),
    ("post(player, number n)", "post", [("player", PLAYER), ("n", NUMBER)], True),
    ("side(truth better, cards own, mood)", "side", [("better", TRUTH), ("own", CARDS), ("mood", enum("mood"))], True),
]


@pytest.mark.parametrize(("text", "name", "parameters", "called"), SIGNATURES, ids=[case[0] for case in SIGNATURES])
def test_signature(game: Any, text: str, name: str, parameters: list[tuple[str, Any]], called: bool) -> None:
    read = signature(game.context, scalar(text))
    assert read is not None
    assert (read.name, [(one.name, one.type) for one in read.parameters], read.called) == (name, parameters, called)
    assert [local.index for local in read.add_to(Frame(game.context))] == list(range(len(parameters)))
    assert game.messages == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("worth(crad)", "crad: `crad` is no type (did you mean `card`?)"),
        (
            "worth(xyz q)",
            "xyz: `xyz` is no type (types are number, truth, card, cards, player, zone, suit, rank and the kinds)",
        ),
    ],
)
def test_a_type_that_is_none_is_reported_and_silences_what_follows(game: Any, text: str, message: str) -> None:
    read = signature(game.context, scalar(text))
    assert read is not None
    assert read.parameters[0].type == UNKNOWN
    assert game.messages == [message]


# ---- totals


def test_values_of_a_total(game: Any, draw: Any) -> None:
    text = "1 or 11 if c.rank is ace, 10 if c.rank is jack or queen, else c.rank.place"
    arms = alternatives(game.context, scalar(text), game.frame(), NUMBER)
    assert arms is not None
    assert [draw(values) for _, values in arms] == [
        "[Const(1), Const(11)]",
        "[Const(10)]",
        "[Attribute('place', Attribute('rank', LocalValue(c)))]",
    ]
    assert [condition is None for condition, _ in arms] == [False, False, True]


def test_values_without_conditions(game: Any, draw: Any) -> None:
    arms = alternatives(game.context, scalar("1 or 11"), game.frame(), NUMBER)
    assert draw(arms) == "[[None, [Const(1), Const(11)]]]"


def test_values_must_be_numbers(game: Any) -> None:
    assert alternatives(game.context, scalar("1 or c if ended, else 2"), game.frame(), NUMBER) is None
    assert game.messages == ["c: a number was wanted here, this is a card (its rank counted from 1 is `c.rank.place`)"]


def test_a_frame_gives_each_local_a_place_of_its_own() -> None:
    diagnostics = Diagnostics()
    frame = Frame(Context(diagnostics, NameTable(diagnostics)))
    span = Span(Source("game", ""), 0, 0)
    with frame.scope():
        first = frame.add("x", NUMBER, span)
    with frame.scope():
        second = frame.add("x", CARD, span)
        assert frame.lookup("x") is second
    assert (first.index, second.index) == (0, 1)
    assert frame.lookup("x") is None
    assert frame.locals == [first, second]
