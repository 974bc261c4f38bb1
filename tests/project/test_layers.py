"""Rooms know the rooms before them and none after; no files import one another in a circle; heavy libraries stay inside
functions. What is imported in a function or for types only counts as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from imported import circles, imported, modules, named, syntax

LAYERS = [
    "dsl",
    "effects",
    "core",
    "interpreter",
    "table",
    "evening",
    "shell",
    "cli",
]  # a room may know those to its left
HEAVY = {"llvmlite", "numpy", "pyarrow", "rich", "textual", "typer"}
MAY_LOAD_AT_ONCE = {
    "llvmlite": ("interpreter", "native"),
    "typer": ("cli.py",),
    "textual": ("shell", "terminal"),
    "rich": ("shell", "terminal"),
}

# The rooms inside a room, in their order: folders, and files that stand beside one another.
ROOMS = {
    "dsl": [
        "source limits types signs indent reserved patched diagnostics numbers nodes shelf cache",
        "tree",
        "stops lexer grammar habit_slips sign_slips statement_slips script_slips recovery script",
        "known",
        "merge holes yaml_slips repair structure reader library",
        "check",
        "analysis",
    ],
    "effects": ["look texts plays", "altered targets", "field"],
    "core": ["types ops ir operands", "text verify", "desugar", "passes"],
    "interpreter": [
        "once errors chance workers whole_file columns record_form",
        "hands/cards table names",
        "hands",
        "statistics intervals measures decision",
        "stacked state stacking texts view",
        "rules_data",
        "game",
        "reference",
        "seating ranking bots",
        "core_engine",
        "native",
        "engines opening",
        "records rows output report_text report",
        "simulate compare examples take_back",
        "rules",
    ],
    "shell": [
        "calls command door ink keys naming printing stopping",
        "prose",
        "hand_words cards grid board stepping",
        "afterwards replaying saving",
        "session lines",
        "terminal",
        "playing",
        "*",  # what serves one command each
    ],
}
FILES = modules(LAYERS)


@cache
def graph() -> dict[str, set[str]]:
    """What each module imports."""
    return {name: imported(syntax(path), FILES) - {name} for name, path in FILES.items()}


def level(room: str, module: str) -> int:
    """Which of the rooms inside `room` a module is of: of the longest name that it begins with."""
    inside = module.removeprefix(f"trionfi.{room}").removeprefix(".").replace(".", "/")
    if not inside:
        return len(ROOMS[room])  # the door of the whole room
    fits = [
        (len(name), number)
        for number, names in enumerate(ROOMS[room])
        for name in names.split()
        if name in ("*", inside) or inside.startswith(f"{name}/")
    ]
    assert fits, f"{module} has no place in ROOMS"
    return max(fits)[1]


def test_no_files_import_one_another_in_a_circle() -> None:
    assert circles(graph()) == []


def is_after(other: str, module: str) -> bool:
    """Whether a module stands in a room after that of another."""
    room, own = other.split(".")[1], module.split(".")[1]
    if room != own or own not in ROOMS:
        return LAYERS.index(room) > LAYERS.index(own)
    return level(own, other) > level(own, module)


def test_a_room_imports_no_room_after_it() -> None:
    pairs = [(module, other) for module, found in graph().items() for other in found]
    assert len(pairs) > 1000
    assert [f"{module} imports {other}" for module, other in pairs if is_after(other, module)] == []


def is_for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def loaded_at_once(body: list[ast.stmt]) -> Iterator[str]:
    """What importing the module imports: not inside functions, not for types only."""
    for node in body:
        yield from named(node)
        if not is_for_types_only(node) and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for field in ("body", "orelse", "finalbody"):
                yield from loaded_at_once(getattr(node, field, []))


def may_load(path: Path, library: str) -> bool:
    home = MAY_LOAD_AT_ONCE.get(library)
    return library not in HEAVY or (home is not None and path.parts[: len(home)] == home)


def test_heavy_libraries_are_imported_where_they_are_needed() -> None:
    pairs = [(path, name.split(".")[0]) for path in FILES.values() for name in loaded_at_once(syntax(path).body)]
    assert {library for _, library in pairs} >= {"llvmlite", "typer"}
    assert [f"{path} imports {library} at once" for path, library in pairs if not may_load(path, library)] == []


def test_the_walk_sees_an_import_under_if_and_not_one_in_a_function() -> None:
    text = "if x:\n    import numpy\ndef f():\n    import rich\nif TYPE_CHECKING:\n    import typer\n"
    assert list(loaded_at_once(ast.parse(text).body)) == ["numpy"]


def test_a_circle_is_seen_through_functions_and_types() -> None:
    texts = {
        "a": "def f():\n    from b import g\n",
        "b": "if TYPE_CHECKING:\n    from c.d import T\n",
        "c.d": "from a import f",
        "e": "import a",
    }
    assert circles({name: imported(ast.parse(text), texts) for name, text in texts.items()}) == [["a", "b", "c.d"]]
