"""The texts of a ruleset's files, kept together, and read from there as if they lay on a disk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from trionfi.dsl.source import Source

__all__ = ["LIBRARY", "KeptTexts", "kept_texts", "wrong_name"]

LIBRARY = Path(__file__).resolve().parent.parent / "rulesets"
OF_LIBRARY = "library:"

# Kept texts have places that no disk has, so that they find one another as files do that lie beside each other.
_OWN, _KEPT_LIBRARY = Path("kept") / "own", Path("kept") / "library"


@dataclass(frozen=True)
class KeptTexts:
    """The texts of one ruleset by the names of their files, its own first; before the library's stands `library:`."""

    texts: Mapping[str, str]

    def main(self) -> Source:
        return self.read(place_of(next(iter(self.texts))))

    def find(self, name: str, beside: Path | None) -> Path | None:
        """Where the file is that a name means in a file of the folder `beside`."""
        folders = (_OWN, _KEPT_LIBRARY) if beside == _OWN else (_KEPT_LIBRARY,)
        paths = (folder / f"{name}.yaml" for folder in folders)
        return next((path for path in paths if name_at(path) in self.texts), None)

    def read(self, path: Path) -> Source:
        return Source(f"{path.name} (kept)", self.texts[name_at(path)], path)


def kept_texts(sources: Iterable[Source]) -> dict[str, str]:
    """The texts of a ruleset's files, as `KeptTexts` takes them."""
    return {name_at(source.path or Path(source.name)): source.text for source in sources}


def name_at(path: Path) -> str:
    return f"{OF_LIBRARY}{path.stem}" if path.parent == _KEPT_LIBRARY or LIBRARY in path.parents else path.stem


def place_of(name: str) -> Path:
    folder = _KEPT_LIBRARY if name.startswith(OF_LIBRARY) else _OWN
    return folder / f"{name.removeprefix(OF_LIBRARY)}.yaml"


def wrong_name(name: str) -> bool:
    """Whether no file can be called so."""
    return re.fullmatch(r"[^\x00-\x1f\x7f-\x9f/\\:\ud800-\udfff]+", name.removeprefix(OF_LIBRARY)) is None
