"""Every module can be imported beside every other: no code is declared twice, no import runs in a circle."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = {"tests", "docs", "benchmarks", "build", "dist"}


def modules() -> list[str]:
    """All modules of the package but the command line's entry, in a fixed order."""
    tops = [path for path in ROOT.iterdir() if path.is_dir() and path.name not in OUTSIDE and path.name[0] != "."]
    files = sorted(file.relative_to(ROOT).with_suffix("") for top in tops for file in top.rglob("*.py"))
    return [".".join(("trionfi", *file.parts)).removesuffix(".__init__") for file in files]


def test_all_modules_can_be_imported_together() -> None:
    code = "\n".join(f"import {name}" for name in [*modules(), "trionfi.cli"])
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
