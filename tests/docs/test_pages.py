"""The pages hang together: each is listed where one begins to read, and each link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_examples import DOCS, ROOT

PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def without_blocks(page: Path) -> str:
    return re.sub(r"^```[\s\S]*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)


def headings(page: Path) -> set[str]:
    """The names by which links call a page's headings."""
    lines = [line.lstrip("# ").lower() for line in without_blocks(page).splitlines() if line.startswith("#")]
    return {"".join(c for c in line.replace(" ", "-") if c.isalnum() or c in "-_") for line in lines}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", without_blocks(page)):
        name, _, heading = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not heading or heading in headings(target), link


def test_each_page_is_listed() -> None:
    listed = (DOCS / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"{page.name})" not in listed and page != DOCS / "README.md"] == []
