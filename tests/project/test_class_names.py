"""No class name twice: who looks for a class finds one."""

from __future__ import annotations

import ast
from collections import Counter

from imported import modules, statements, syntax

FOLDERS = ["dsl", "effects", "core", "interpreter", "table", "evening", "shell", "cli"]

# Forms of the core are read as `ir.If` beside nodes of the tree, `tree.If`: they are the same idea on two floors.
ON_TWO_FLOORS = set("Call Const EndGame If Loop Place Program Return".split())
# What is still there twice; nothing new comes to stand here.
TWICE = set("Deal Entry Figures Menu Option Scene Step Table".split())


def class_names() -> Counter[str]:
    trees = (syntax(path) for path in modules(FOLDERS).values())
    return Counter(node.name for tree in trees for node in statements(tree) if isinstance(node, ast.ClassDef))


def test_no_class_name_stands_twice() -> None:
    counts = class_names()
    assert len(counts) > 400
    found = {name for name, count in counts.items() if count > 1} - ON_TWO_FLOORS
    assert sorted(found - TWICE) == []
