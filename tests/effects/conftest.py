"""Makes what is written from the rulings alone importable beside the tests that compare with it."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parent.parent / "hands"):
    sys.path.insert(0, str(folder))
