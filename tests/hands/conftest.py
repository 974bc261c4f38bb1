"""Makes the rankings written by hand importable beside the tests that compare with them."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
