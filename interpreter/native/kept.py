"""Machine code that is kept between runs (`dsl/cache.py`), under a name that says all that it was made from.

One file a module: a line of JSON notes, then the object code. A file that is foreign, torn or out of date is as good
as none.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from trionfi.dsl.cache import STARTED, read_cached, write_cached
from trionfi.dsl.tree import Ruleset

__all__ = ["load_object", "maker", "module_key", "save_object"]

ROOM = "native"
FORM = 2  # of the files
Found = tuple[dict[str, Any], bytes]

# What a ruleset means and how that is compiled: all that lies between its text and machine code.
MEANING = ("dsl", "effects", "core", "interpreter")
PACKAGE = Path(__file__).parents[2]


@cache
def maker() -> str:
    """What makes the code: the package's own text, the libraries that read rulesets, LLVM, and the processor."""
    import lark
    import yaml
    from llvmlite import __version__, binding

    versions = sys.version_info[:2], lark.__version__, yaml.__version__, __version__, binding.llvm_version_info
    features = binding.get_host_cpu_features().flatten()
    return repr((FORM, own_text(), versions, binding.get_host_cpu_name(), features))


def own_text() -> str:
    """The digest of this package's text, as it is loaded in this process.

    Of a text that was changed since, or that cannot be found, nobody knows whether it is what runs here: then the code
    of this process is under a name of its own, and of use to no other.
    """
    digest, newest = sha256(), 0
    paths = sorted(path for room in MEANING for path in _texts(PACKAGE / room))
    for path in paths:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123  a hundred and more files at every start
            newest = max(newest, os.fstat(file.fileno()).st_mtime_ns)
            content = file.read()
        digest.update(b"%s\0%d\0" % (os.path.relpath(path, PACKAGE).encode(), len(content)) + content)
    if not paths or STARTED < newest <= time.time_ns():
        digest.update(os.urandom(16))
    return digest.hexdigest()


def _texts(folder: str | Path) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _texts(entry.path)
            elif entry.name.endswith((".py", ".lark", ".json")):
                yield entry.path


def module_key(rules: Ruleset, fixed: Mapping[str, object], copies: Mapping[str, int], use: str) -> str:
    """The name under which a module is kept; `use` says what it is for."""
    digest = sha256(maker().encode())
    for span in rules.sources:
        digest.update(f"\0{len(span.source.text)}\0{span.source.text}".encode())
    settled = [sorted((name, str(value)) for name, value in pairs.items()) for pairs in (fixed, copies)]
    digest.update(repr((rules.key, settled, use)).encode())
    return digest.hexdigest()


def load_object(key: str) -> Found | None:
    content = read_cached(f"{ROOM}/{key}")
    if content is None:
        return None
    notes, _, code = content.partition(b"\n")
    try:
        return json.loads(notes), code
    except ValueError:
        return None


def save_object(key: str, notes: dict[str, Any], code: bytes) -> None:
    write_cached(f"{ROOM}/{key}", json.dumps(notes).encode() + b"\n" + code)
