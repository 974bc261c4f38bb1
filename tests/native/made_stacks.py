"""Stacked games made at random for a ruleset: lists of cards, values of variables, outcomes of chance.

Most fit the game; some name a card that lies elsewhere, or an outcome that no draw has.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from trionfi.dsl.tree import Variable
from trionfi.interpreter.rules import Rules
from trionfi.interpreter.stacked import variables_by_name, zones_by_name

MOST_LISTS = 4
MOST_CARDS = 6
MOST_OUTCOMES = 6


def stacks(rules: Rules, players: int) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of `rules.deal`."""
    table, ruleset = rules.seating(players).table, rules.ruleset
    faces = [face for face in rules.faces if table.kept[face]]
    names = [ruleset.faces[face].name for face in faces]
    names += [
        f"{ruleset.faces[face].name} reversed" for face in faces if ruleset.decks[ruleset.faces[face].deck].oriented
    ]
    cards = st.lists(st.sampled_from(names), max_size=MOST_CARDS, unique=True)
    setting = {
        name: values(rules, players, variable, names) for name, (variable, _) in variables_by_name(table).items()
    }
    numbers = st.one_of(st.integers(0, max(1, players - 1)), st.integers(-1, 99), st.just(10**30))
    return st.fixed_dictionaries(
        {
            "cards": st.dictionaries(st.sampled_from(sorted(zones_by_name(table))), cards, max_size=MOST_LISTS),
            "set": st.fixed_dictionaries({}, optional={name: one for name, one in setting.items() if one is not None}),
            "chance": st.lists(st.one_of(numbers, cards), max_size=MOST_OUTCOMES),
        }
    )


def values(rules: Rules, players: int, number: int, cards: list[str]) -> st.SearchStrategy[Any] | None:
    """Values that a variable may be set to; None where there are none."""
    variable: Variable = rules.ruleset.variables[number]
    kind, table = variable.type, rules.seating(players).table
    seats = st.sampled_from([f"p{seat + 1}" for seat in range(players)])
    upright = st.sampled_from([card for card in cards if not card.endswith("reversed")])
    known: dict[str, st.SearchStrategy[Any]] = {
        "number": st.integers(-3, 30),
        "truth": st.booleans(),
        "fraction": st.sampled_from(["1:2", "3:4", "5"]),
        "player": seats,
        "players": st.lists(seats, max_size=players),
        "card": upright,
        "cards": st.lists(upright, max_size=min(variable.most or MOST_CARDS, MOST_CARDS), unique=True),
        "zone": st.sampled_from(sorted(table.zones_by_name)),
    }
    if kind.kind == "enum":
        return st.sampled_from(rules.ruleset.enumerations[kind.name].members)
    return known.get(kind.kind)
