"""What the command is called, so that a message can be typed as it stands."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["command"]


def command() -> str:
    """`trionfi`, `python -m trionfi`, or what the script that has called us says it is called (`./dev trionfi`)."""
    told = os.environ.get("TRIONFI_COMMAND", "")
    if told:
        return told
    main = Path(sys.argv[0] if sys.argv else "")
    if main.name == "__main__.py" and main.resolve().parent == Path(__file__).resolve().parent.parent:
        return f"{sys.orig_argv[0]} -m trionfi"
    return "trionfi"
