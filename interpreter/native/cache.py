"""Machine code kept on disk, by what it was made from.

One file a module: a line of JSON notes, then the object code, before them the checksum of both. A file that is
foreign, torn or out of date is as good as none. Without a place to write nothing is kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from trionfi.dsl.tree import Ruleset
from trionfi.interpreter.game import MOST_DECISIONS, MOST_NUMBERS, MOST_OPTIONS, MOST_STATEMENTS

__all__ = ["cache_folder", "load_object", "module_key", "save_object"]

MAGIC = b"trionfi native 1\n"
MOST_KEPT = 2000
Found = tuple[dict[str, Any], bytes]


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/trionfi`, or `.cache/trionfi` of the user."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "trionfi" / "native"


@lru_cache(maxsize=1)
def maker() -> str:
    """What makes the code: this package's own text, LLVM, and the processor."""
    from llvmlite import __version__, binding

    folder = Path(__file__).parent
    digest = sha256()
    for path in sorted([*folder.rglob("*.py"), *(folder.parent / "hands").rglob("*.py")]):
        digest.update(path.read_bytes())
    digest.update(repr((MOST_DECISIONS, MOST_STATEMENTS, MOST_OPTIONS, MOST_NUMBERS)).encode())
    features = binding.get_host_cpu_features().flatten()
    return f"{digest.hexdigest()} {__version__} {binding.llvm_version_info} {binding.get_host_cpu_name()} {features}"


def module_key(rules: Ruleset, fixed: Mapping[str, object], copies: Mapping[str, int], use: str) -> str:
    """The name under which a module is kept; `use` says what it is for."""
    digest = sha256(maker().encode())
    for span in rules.sources:
        digest.update(f"\0{len(span.source.text)}\0{span.source.text}".encode())
    settled = [sorted((name, str(value)) for name, value in pairs.items()) for pairs in (fixed, copies)]
    digest.update(repr((rules.key, settled, use)).encode())
    return digest.hexdigest()


def load_object(key: str) -> Found | None:
    try:
        content = (cache_folder() / key).read_bytes()
    except (OSError, RuntimeError):  # a user without a home is the latter
        return None
    head = len(MAGIC) + 64
    if not content.startswith(MAGIC) or sha256(content[head:]).hexdigest().encode() != content[len(MAGIC) : head]:
        return None
    notes, _, code = content[head:].partition(b"\n")
    try:
        return json.loads(notes), code
    except ValueError:
        return None


def save_object(key: str, notes: dict[str, Any], code: bytes) -> None:
    """Writes a file aside and then puts it in its place, so that nobody reads half of it."""
    body = json.dumps(notes).encode() + b"\n" + code
    content = MAGIC + sha256(body).hexdigest().encode() + body
    try:
        folder = cache_folder()
    except RuntimeError:
        return
    aside = folder / f".{key}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(content)
        aside.replace(folder / key)
        _forget_oldest(folder)
    except OSError:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def _forget_oldest(folder: Path) -> None:
    """Where there are more than `MOST_KEPT` files, the older half goes: code of texts that have long changed."""
    kept = list(folder.iterdir())
    if len(kept) <= MOST_KEPT:
        return
    dated = sorted((path.stat().st_mtime, path) for path in kept)
    for _, path in dated[: len(kept) // 2]:
        path.unlink(missing_ok=True)
