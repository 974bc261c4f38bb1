"""Rooms know the rooms before them and none after; heavy libraries stay inside functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAYERS = [
    "dsl",
    "effects",
    "core",
    "interpreter",
    "table",
    "shell",
    "cli",
]  # a room may know itself and those to its left
HEAVY = {"llvmlite", "numpy", "pyarrow", "rich", "textual", "typer"}
MAY_LOAD_AT_ONCE = {"llvmlite": ("interpreter", "native"), "typer": ("cli.py",)}

FILES = sorted(
    path.relative_to(ROOT)
    for layer in LAYERS
    for path in (ROOT / f"{layer}.py", *(ROOT / layer).rglob("*.py"))
    if path.is_file()
)


def imports(node: ast.AST) -> Iterator[str]:
    """The modules that an import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        yield node.module or ""
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def loaded_at_once(body: list[ast.stmt]) -> Iterator[str]:
    """What importing the module imports: not inside functions, not for types only."""
    for node in body:
        yield from imports(node)
        if not is_for_types_only(node) and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for field in ("body", "orelse", "finalbody"):
                yield from loaded_at_once(getattr(node, field, []))


@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_room_imports_no_room_after_it(path: Path) -> None:
    own = LAYERS.index(path.parts[0].removesuffix(".py"))
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for name in (name for node in ast.walk(tree) for name in imports(node)):
        parts = name.split(".")
        if parts[0] == "trionfi" and len(parts) > 1 and parts[1] in LAYERS:
            assert LAYERS.index(parts[1]) <= own, f"{path} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_heavy_libraries_are_imported_where_they_are_needed(path: Path) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for name in loaded_at_once(tree.body):
        library = name.split(".")[0]
        home = MAY_LOAD_AT_ONCE.get(library)
        if library in HEAVY and (home is None or path.parts[: len(home)] != home):
            raise AssertionError(f"{path} imports {library} at once")


def test_the_walk_sees_an_import_under_if_and_not_one_in_a_function() -> None:
    text = "if x:\n    import numpy\ndef f():\n    import rich\nif TYPE_CHECKING:\n    import typer\n"
    assert list(loaded_at_once(ast.parse(text).body)) == ["numpy"]
