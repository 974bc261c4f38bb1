"""Makes what reads the project's imports importable beside the tests that ask it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
