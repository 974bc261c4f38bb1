"""Names as one says them."""

from __future__ import annotations

__all__ = ["spoken"]


def spoken(name: str) -> str:
    """A name as one says it."""
    return name.replace("_", " ")
