"""The page of limits has every limit with its value, and the code has each in one place."""

from __future__ import annotations

import re
from pathlib import Path

from doc_examples import DOCS, ROOT

from trionfi.dsl import limits

TEXT = (DOCS / "limits.md").read_text(encoding="utf-8")
LIMITS = {name: value for name, value in vars(limits).items() if name.startswith("MOST_")}
_ROW = re.compile(r"^\| `(MOST_\w+)` \| ([\d,]+) \|", re.MULTILINE)


def test_the_page_has_every_limit_with_its_value() -> None:
    assert {name: int(value.replace(",", "")) for name, value in _ROW.findall(TEXT)} == LIMITS


def test_the_page_links_to_messages_that_there_are() -> None:
    linked = set(re.findall(r"diagnostics\.md#([\w-]+)", TEXT))
    assert linked
    assert linked <= set(
        re.findall(r"^### `([\w-]+)`", (DOCS / "diagnostics.md").read_text(encoding="utf-8"), re.MULTILINE)
    )


def test_a_limit_is_said_in_one_place() -> None:
    rooms = [path for room in ("dsl", "effects", "interpreter", "shell") for path in (ROOT / room).rglob("*.py")]
    said = {path.name for path in rooms if re.search(rf"^_?(?:{'|'.join(LIMITS)})\b.* = ", _text(path), re.MULTILINE)}
    # a record, and a cache, have limits of their own that are called alike
    assert said <= {"limits.py", "cache.py", "record_form.py"}
    used = " ".join(_text(path) for path in rooms if path.name != "limits.py")
    assert [name for name in LIMITS if not re.search(rf"\b{name}\b", used)] == []


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
