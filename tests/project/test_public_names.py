"""The names that others build on are these, are listed, and are there."""

from __future__ import annotations

import subprocess
import sys

import trionfi

PUBLIC = {
    "Decision",
    "Diagnostic",
    "Game",
    "GameError",
    "IllegalMove",
    "Report",
    "Rules",
    "RulesError",
    "__version__",
    "load",
}


def test_the_public_names_are_listed() -> None:
    assert set(trionfi.__all__) == PUBLIC
    assert set(dir(trionfi)) >= PUBLIC


def test_each_public_name_is_there() -> None:
    for name in PUBLIC:
        assert getattr(trionfi, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(trionfi, "lode")


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import sys, trionfi; print([m for m in sys.modules if m.startswith('trionfi.') or m in ('lark', 'yaml')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
