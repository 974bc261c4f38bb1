"""The examples of the pages in `docs/`, put into files that can be checked.

A page marks its examples so that readers see nothing of it:

- a fenced block ```` ```yaml file=NAME ```` is a whole file of that name; later blocks of the page may extend or use it
- ```` ```yaml ```` holds sections of a variant of the page's table (`table.yaml`); ```` ```yaml NAME: VALUE; ... ```` adds sections
- ```` ```script ```` holds statements of the table's procedure `example`
- a comment `<!-- check: KIND -->` before a table says what stands in backticks in its last column: `expression`, `statement`,
  `pattern`, `targets`, `alteration` or `entry` (a line of a ruleset); sections may follow: `<!-- check: expression; players: 2 -->`
- ```` ```text ```` is no ruleset, `<!-- check: nothing -->` neither
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TABLE = "table.yaml"

_PART = re.compile(
    r"^(?P<heading>#+ .*)$|^<!-- check: (?P<mark>.*?) -->$|^```(?P<kind>\w+)(?: (?P<info>.*))?\n(?P<text>[\s\S]*?)^```$"
    r"|^(?P<row>\|.*)$",
    re.MULTILINE,
)
_FILE = re.compile(r"^```yaml file=(\S+)\n([\s\S]*?)^```$", re.MULTILINE)
_CODE = re.compile(r"(`+)(.+?)\1")

# What `example` gets: names for the examples to speak of.
SIGNATURE = "example(player leader, player other, card lead, cards melded, zone place, number n, suit led, rank height)"


@dataclass(slots=True)
class Example:
    """A ruleset that an example makes; `name` is the file that it is, `file` says that it is one by itself."""

    name: str
    text: str
    heading: str
    line: int
    kind: str
    is_file: bool = False
    files: dict[str, str] = field(default_factory=dict)  # those of the page

    def __str__(self) -> str:
        return f"{self.line}: {self.heading}"


def read_page(page: Path, files: dict[str, str] | None = None) -> Iterator[Example]:
    """The examples of a page, in order; `files`: those of another page that it builds upon."""
    text = page.read_text(encoding="utf-8")
    files = {**(files or {}), **dict(_FILE.findall(text))}
    heading, mark, rows = "", "", list[str]()
    for part in _PART.finditer(text):
        line = text.count("\n", 0, part.start()) + 1
        if part["row"]:
            rows.append(part["row"])
            if not text.startswith("\n|", part.end()):
                yield from _of_table(rows, mark, heading, line - len(rows) + 1, files)
                rows, mark = [], ""
        elif part["heading"]:
            heading = part["heading"].lstrip("# ")
        elif part["mark"]:
            mark = part["mark"]
        elif mark != "nothing" and part["kind"] in ("yaml", "script"):
            yield _of_block(part["kind"], part["info"] or "", part["text"], heading, line, files)
            mark = ""
        else:
            mark = ""


def _of_block(kind: str, info: str, text: str, heading: str, line: int, files: dict[str, str]) -> Example:
    if info.startswith("file="):
        name = info.removeprefix("file=")
        return Example(name, text, heading, line, kind, True, files)
    body = text if kind == "yaml" else f"procedures:\n  {SIGNATURE}: |\n{_indented(text, 4)}"
    return Example("example.yaml", _variant(info, body), heading, line, kind, False, files)


def _of_table(rows: list[str], mark: str, heading: str, line: int, files: dict[str, str]) -> Iterator[Example]:
    kind, _, sections = mark.partition(";")
    maker = _MAKERS.get(kind)
    codes = [code for row in rows[2:] for code in codes_of(row.rstrip("| ").rpartition("|")[2])]
    if maker is not None:
        yield Example("example.yaml", _variant(sections, maker(codes)), heading, line, kind, False, files)


def make_variant(kind: str, codes: list[str]) -> str:
    """The variant of the table that pieces of this kind make."""
    return _variant("", _MAKERS[kind](codes))


def codes_of(text: str) -> list[str]:
    """What stands in backticks."""
    return [code.strip() for _, code in _CODE.findall(text)]


def _variant(sections: str, body: str) -> str:
    """A variant of the table with further sections, `players: 2; teams: [...]`."""
    lines = "".join(f"{section.strip()}\n" for section in sections.split(";") if section.strip())
    return f"trionfi: 1\nname: Example\nextends: table\n{lines}{body}"


def _indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" if line else "\n" for line in text.splitlines())


def _scripts(scripts: list[str]) -> str:
    """Procedures, one for each text."""
    heads = [SIGNATURE.replace("example", f"example_{i}", 1) for i in range(1, len(scripts) + 1)]
    body = "".join(f"  {head}: |\n{_indented(text, 4)}" for head, text in zip(heads, scripts, strict=True))
    calls = "".join(
        f"    example_{i}(leader, other, lead, melded, place, n, led, height)\n" for i in range(1, len(scripts) + 1)
    )
    return f"procedures:\n{body}  {SIGNATURE}: |\n{calls}"


def _of_expressions(codes: list[str]) -> str:
    return _scripts([f'let value = {code}\nsay "told"' for code in codes])


def _of_patterns(codes: list[str]) -> str:
    lines = "".join(f"      Category {i}: '{code}'\n" for i, code in enumerate(codes, 1))
    return (
        "rankings:\n  example_hands:\n    of: 0..20 cards\n    alike: [rank]\n    run: {by: rank, ace: low or high}\n"
        f"    categories:\n{lines}"
    )


_CARDS = ["Ace", "Jack", "Queen", "King", "10", "9", "8", "7"]  # of clubs: an effect each


def _of_targets(codes: list[str]) -> str:
    entries = "".join(f"  {card} of Clubs: {{targets: '{code}'}}\n" for card, code in zip(_CARDS, codes, strict=False))
    return f"effects:\n{entries}"


def _of_alterations(codes: list[str]) -> str:
    """Effects with the targets that the alterations speak of."""
    entries = ""
    for card, code in zip(_CARDS, codes, strict=False):
        amount = "0..3 cards" if "each target" in code else "1 card"
        aim = f"targets: {amount} from player.hand"
        if "becoming" in code:
            aim = "targets: {becoming: 1 card from player.hand, model: 1 card from player.hand}"
        entries += f"  {card} of Clubs:\n    {aim}\n    while in force: {code}\n"
    return f"effects:\n{entries}"


_MAKERS = {
    "expression": _of_expressions,
    "statement": _scripts,
    "pattern": _of_patterns,
    "entry": "".join,
    "targets": _of_targets,
    "alteration": _of_alterations,
}
