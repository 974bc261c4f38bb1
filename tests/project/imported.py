"""Which module imports which: at once, in functions, and for types only."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def module_of(path: Path) -> str:
    """`trionfi.dsl.tree` for `dsl/tree/__init__.py`."""
    return ".".join(("trionfi", *path.with_suffix("").parts)).removesuffix(".__init__")


def modules(folders: list[str]) -> dict[str, Path]:
    """The modules of these folders and files at the top, with their paths below the root."""
    found = [
        path.relative_to(ROOT)
        for folder in folders
        for path in (ROOT / f"{folder}.py", *(ROOT / folder).rglob("*.py"))
        if path.is_file()
    ]
    return {module_of(path): path for path in sorted(found)}


@cache
def syntax(path: Path) -> ast.Module:
    """Read once for all tests that ask."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def named(node: ast.AST) -> Iterator[str]:
    """The modules that an import statement names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        yield node.module or ""
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements, also those inside others; expressions, which are most of a tree, hold none."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, field, ()):
            yield node
            yield from statements(node)


def imported(tree: ast.AST, known: Mapping[str, object]) -> set[str]:
    """The modules of the project that a module imports anywhere in its text: of `from a import b` it is `a.b`, if that
    is a module, else `a`."""
    found: set[str] = set()
    for node in statements(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(name if name in known else str(node.module) for name in whole)
    return found & set(known)


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The sets of modules that import one another, in a circle of two or more: the strongly connected components."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    found: list[list[str]] = []

    def visit(one: str) -> None:
        order[one] = lowest[one] = len(order)
        waiting.append(one)
        for other in sorted(graph[one]):
            if other not in order:
                visit(other)
                lowest[one] = min(lowest[one], lowest[other])
            elif other in waiting:
                lowest[one] = min(lowest[one], order[other])
        if lowest[one] == order[one]:
            place = waiting.index(one)
            found.append(sorted(waiting[place:]))
            del waiting[place:]

    for one in sorted(graph):
        if one not in order:
            visit(one)
    return [one for one in found if len(one) > 1]
