"""The structure of a ruleset file: which sections and keys there are, and what kind of thing each holds.

`schema.json` says it, for editors, too; `jsonschema` compares. Each way to fail is one sentence here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trionfi.dsl.cache import read_cached, write_cached
from trionfi.dsl.diagnostics import Diagnostics, declare_codes, did_you_mean, nearest
from trionfi.dsl.holes import LIBRARY_SECTIONS
from trionfi.dsl.merge import NAMED_SECTIONS, entry_name
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar, Sequence, spoken_kind
from trionfi.dsl.numbers import check_numbers
from trionfi.dsl.source import Span
from trionfi.dsl.yaml_slips import quoted

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

FORM_CODES = {
    "unknown-key": "Sections, and the keys of their entries, are those that the language has.",
    "missing-section": "A ruleset says its version of the language, and is a game with a name or a library.",
    "wrong-kind": "A text stands where a text is wanted, a list where a list, a mapping where a mapping.",
    "wrong-word": "Where one of a few words is wanted, one of them stands there.",
    "same-name": "A name is declared once in its section.",
    "library-only": "What is needed of a game, and what it may replace, is said by a library.",
}
declare_codes(FORM_CODES)

_SCHEMA = Path(__file__).with_name("schema.json")
_MOST_REMEMBERED = 1000
_TRUTHS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}


def check_structure(root: Mapping, diagnostics: Diagnostics) -> bool:
    """Reports what is not as a ruleset is built, and takes it out of the tree. False if a named entry, or a whole
    section, has gone: then names that others use may be missing."""
    check_numbers(root, diagnostics)
    _check_names(root, diagnostics)
    named = _mend_sections(root, diagnostics)
    _check_title(root, diagnostics)
    _check_library_sections(root, diagnostics)
    digest = hashlib.sha256(root.span.source.text.encode()).hexdigest()
    if digest in _sound_files():
        return named
    found = [_Finding(root, error) for error in _validator().iter_errors(_plain(root))]
    for finding in found:
        finding.report(diagnostics)
    if not found and named:
        _remember(digest)
    kept = [finding.prune(diagnostics) for finding in found]
    return named and all(kept)


def editor_schema() -> dict[str, Any]:
    """The schema for editors, whose YAML takes `2` for a number and `true` for a truth."""
    schema = deepcopy(_schema())
    _loosen(schema)
    return schema


def _loosen(schema: Any) -> None:
    if isinstance(schema, list):
        for part in schema:
            _loosen(part)
    if not isinstance(schema, dict):
        return
    types = schema.get("type")
    if types == "string" or (isinstance(types, list) and "string" in types):
        schema["type"] = [*([types] if types == "string" else types), "number", "boolean"]
    if isinstance(words := schema.get("enum"), list):
        schema["enum"] = [*words, *(json.loads(word) for word in words if word in ("true", "false", "1"))]
    for part in schema.values():
        _loosen(part)


# ---- the schema


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(_SCHEMA.read_text(encoding="utf-8"))
    return schema


@cache
def _validator() -> Any:
    import jsonschema  # takes longer to load than all else that reads a ruleset

    return jsonschema.Draft202012Validator(_without_references(_schema()))


def _without_references(schema: dict[str, Any]) -> Any:
    """The schema with each `$ref` replaced by what it means, which is quicker to walk."""
    definitions = schema["$defs"]

    def resolved(part: Any) -> Any:
        if isinstance(part, list):
            return [resolved(item) for item in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            part = {**deepcopy(definitions[part["$ref"].rpartition("/")[2]]), **part}
            del part["$ref"]
        return {key: resolved(value) for key, value in part.items()}

    return resolved({key: value for key, value in schema.items() if key != "$defs"})


# ---- files that are known to be sound


@cache
def _memory() -> str:
    made_by = (_SCHEMA, *(_SCHEMA.with_name(f"{room}.py") for room in ("nodes", "reader", "structure")))
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in made_by))
    return f"sound-{digest.hexdigest()[:20]}.txt"


@cache
def _sound_files() -> dict[str, None]:
    """Digests of texts that had nothing wrong in an earlier run, the oldest first."""
    return dict.fromkeys((read_cached(_memory()) or b"").decode("ascii", "replace").split())


def _remember(digest: str) -> None:
    known = _sound_files()
    known[digest] = None
    write_cached(_memory(), "\n".join([*known][-_MOST_REMEMBERED:]).encode())


# ---- what the schema is compared with


def _plain(node: Node) -> Any:
    if isinstance(node, Mapping):
        return {entry.key.text: _plain(entry.value) for entry in node}
    if isinstance(node, Sequence):
        return [_plain(item) for item in node]
    return node.text if node.text or node.style else None


def _check_names(root: Mapping, diagnostics: Diagnostics) -> None:
    """`f(card)` and `f(player)` are two keys for YAML, and one name."""
    needs = root.get("needs")
    for section in [*root, *(needs if isinstance(needs, Mapping) else ())]:
        if section.key.text not in NAMED_SECTIONS or not isinstance(section.value, Mapping):
            continue
        seen: dict[str, Scalar] = {}
        for entry in section.value.entries[:]:
            first = seen.setdefault(entry_name(entry.key), entry.key)
            if first is not entry.key:
                message = f"`{entry_name(entry.key)}` is declared in line {first.span.line} already"
                diagnostics.error("same-name", message, entry.key.span, "give one of them another name")
                section.value.entries.remove(entry)


def _mend_sections(root: Mapping, diagnostics: Diagnostics) -> bool:
    """Reports unknown sections. One that is much like a section that is not there is read as that; false if one
    goes, with the names in it."""
    known = [key for key in _schema()["properties"] if "name" not in root or key not in LIBRARY_SECTIONS]
    whole = True
    for entry in root.entries[:]:
        key = entry.key.text
        if key in _schema()["properties"]:
            continue
        hint = did_you_mean(key, known) or f"it has {', '.join(known)}"
        diagnostics.error("unknown-key", f"a ruleset has no section `{key}`", entry.key.span, hint)
        if not _mended(entry, root, known):
            root.entries.remove(entry)
            _lose([entry], diagnostics)
            whole = whole and isinstance(entry.value, Scalar)
    return whole


def _lose(gone: Iterable[Entry | Node], diagnostics: Diagnostics) -> None:
    """What is taken out of the tree may have declared names."""
    for held in gone:
        if isinstance(held, Entry):
            diagnostics.lose(held.key.text)
        diagnostics.lose((held.value if isinstance(held, Entry) else held).span.text)


def _mended(entry: Entry, mapping: Mapping, known: list[str]) -> bool:
    """Gives an unknown key the name that was probably meant, so that what stands there is not missed."""
    meant = nearest(entry.key.text, known)
    if not meant or meant in mapping:
        return False
    entry.key = Scalar(meant, entry.key.style, entry.key.span, entry.key.content)
    return True


def _check_title(root: Mapping, diagnostics: Diagnostics) -> None:
    name, library = root.entry("name"), root.entry("library")
    if name and library:
        message = "a ruleset is a game with a `name` or a `library`, not both"
        diagnostics.error("missing-section", message, library.key.span)
    if not name and not library:
        message = "a ruleset is a game with a `name`, or a `library`, and this says neither"
        diagnostics.error("missing-section", message, _top(root), "write `name: ...` below the first line")


def _check_library_sections(root: Mapping, diagnostics: Diagnostics) -> None:
    """A game uses what it declares itself: it needs nothing, and nobody writes over it but by `extends`."""
    for key in LIBRARY_SECTIONS:
        entry = root.entry(key)
        if entry is None or "name" not in root:
            continue
        hint = "a variant (`extends`) may write anything anew" if key != "needs" else "declare it here"
        message = f"`{key}` is a section of libraries, and this is a game"
        diagnostics.error("library-only", message, entry.key.span, hint)
        root.entries.remove(entry)


def _top(root: Mapping) -> Span:
    return root.entries[0].key.span if root.entries else Span(root.span.source, root.span.start, root.span.start)


# ---- one failure


class _Finding:
    """A failure that jsonschema found, with the nodes that it is about."""

    def __init__(self, root: Mapping, error: ValidationError) -> None:
        self.error = error
        self.way: list[tuple[Mapping | Sequence, Entry | Node]] = []  # from the root: each holder, and what it holds
        self.node: Node = root
        for step in error.absolute_path:
            held: Entry | Node | None = None
            if isinstance(self.node, Mapping):
                held = self.node.entry(str(step))
            elif isinstance(self.node, Sequence):
                held = self.node.items[int(step)]
            assert held is not None
            assert not isinstance(self.node, Scalar)
            self.way.append((self.node, held))
            self.node = held.value if isinstance(held, Entry) else held

    @property
    def place(self) -> str:
        """What holds the node, as its key calls it."""
        keys = [held.key.text for _, held in self.way if isinstance(held, Entry)]
        return f"`{keys[-1]}`" if keys else "the file"

    @property
    def title(self) -> str:
        return str(_schema_of(self.error).get("title", "something else"))

    @property
    def mapping_title(self) -> str:
        """What a mapping is that has a key too many or too few, where a text could stand there, too."""
        return str(_schema_of(self.error).get("mapping") or self.title.partition(",")[0])

    @property
    def example(self) -> str:
        return next(iter(_schema_of(self.error).get("examples", [])), "")

    def report(self, diagnostics: Diagnostics) -> None:
        _REPORTS[str(self.error.validator)](self, diagnostics)

    def prune(self, diagnostics: Diagnostics) -> bool:
        """Takes out what fails, and the names in it. False if that was more than a key of an entry."""
        if self.error.validator == "additionalProperties":
            assert isinstance(self.node, Mapping)
            unknown = list(self.unknown())
            known = [*_schema_of(self.error).get("properties", {})]
            gone = [entry for entry in unknown if not _mended(entry, self.node, known)]
            self.node.entries = [entry for entry in self.node if entry not in gone]
            _lose(gone, diagnostics)
            return True
        if self.error.validator == "required" or not self.way:
            return True
        meant = _range_meant(self.example, self.node) if self.error.validator == "pattern" else ""
        if meant and isinstance(self.node, Scalar):
            self.node.text = meant  # told once; what hangs on it is read
            return True
        holder, held = self.way[-1]
        _lose([held], diagnostics)
        if isinstance(holder, Mapping):
            holder.entries = [entry for entry in holder if entry is not held]
        else:
            holder.items = [item for item in holder if item is not held]
        return len(self.way) > 2

    def unknown(self) -> Iterator[Entry]:
        """Keys that the schema does not have."""
        schema = _schema_of(self.error)
        patterns = [*schema.get("patternProperties", {})]
        for entry in self.node if isinstance(self.node, Mapping) else ():
            key = entry.key.text
            if key not in schema.get("properties", {}) and not any(re.search(p, key) for p in patterns):
                yield entry


def _schema_of(error: ValidationError) -> dict[str, Any]:
    assert isinstance(error.schema, dict)
    return error.schema


def _report_unknown(finding: _Finding, diagnostics: Diagnostics) -> None:
    known = [*_schema_of(finding.error).get("properties", {})]
    for entry in finding.unknown():
        key = entry.key.text
        if cut := _cut_by_comma(finding.node, entry):
            message = f"a comma ends a text within {{ }}, so `{key}` is read as a key"
            diagnostics.error("unknown-key", message, entry.key.span, f"write the text in quotes: {cut}")
            continue
        message = f"{finding.mapping_title} has no key `{key}`, in {finding.place}"
        hint = did_you_mean(key, known) or (f"it has {', '.join(known)}" if known else "")
        if _is_bare(entry.value) and "string" in _schema_of(finding.error)["type"]:
            hint = f"a text that begins with `{{` stands in quotes: {quoted(finding.node.span.text)}"
        diagnostics.error("unknown-key", message, entry.key.span, hint)


def _cut_by_comma(mapping: Node, entry: Entry) -> str:
    """The text that a comma has cut, whole and in quotes; empty if it was no comma."""
    if not _is_bare(entry.value) or not isinstance(mapping, Mapping) or not mapping.span.text.startswith("{"):
        return ""
    before = mapping.entries[: mapping.entries.index(entry)]
    last = before[-1].value if before else None
    if not isinstance(last, Scalar) or last.style:
        return ""
    return f"`{before[-1].key.text}: {quoted(f'{last.text}, {entry.key.text}')}`"


def _is_bare(node: Node) -> bool:
    """Nothing stands there."""
    return isinstance(node, Scalar) and not node.text and not node.style


def _report_missing(finding: _Finding, diagnostics: Diagnostics) -> None:
    assert isinstance(finding.node, Mapping)
    for name in _schema_of(finding.error)["required"]:
        if name not in finding.node:
            message = f"{finding.mapping_title} says `{name}`"
            hint = "write `trionfi: 1` in the first line" if name == "trionfi" else ""
            diagnostics.error("missing-section", message, _top(finding.node), hint)


def _report_kind(finding: _Finding, diagnostics: Diagnostics) -> None:
    message = f"{finding.place} wants {finding.title}, and this is {spoken_kind(finding.node)}"
    hint = f"write it like this: {finding.example}" if finding.example else ""
    if isinstance(finding.node, Mapping | Sequence) and not isinstance(finding.error.validator_value, list):
        written = finding.node.span.text.partition("\n")[0]
        hint = "a text of several lines stands below `|`, behind the colon"
        if written[:1] == "{" and finding.error.validator_value == "array" and isinstance(finding.node, Mapping):
            hint = f"write `[{', '.join(entry.key.text for entry in finding.node)}]`"
        elif written[:1] in ("{", "["):
            hint = f"a text that begins with `{written[0]}` stands in quotes: {quoted(written)}"
    diagnostics.error("wrong-kind", message, finding.node.span, hint)


def _report_word(finding: _Finding, diagnostics: Diagnostics) -> None:
    if not isinstance(finding.node, Scalar):
        return  # that it is no text is told already
    written = finding.node.text
    allowed = [str(word) for word in _schema_of(finding.error)["enum"]]
    hint = did_you_mean(written.lower(), allowed) if written.lower() not in _TRUTHS else ""
    if "true" in allowed and (meant := _TRUTHS.get(written.lower())):
        hint = f"write `{meant}`: only `true` and `false` are truths here"
    diagnostics.error("wrong-word", f"{finding.place} is {finding.title}, not `{written}`", finding.node.span, hint)


def _report_pattern(finding: _Finding, diagnostics: Diagnostics) -> None:
    assert isinstance(finding.node, Scalar)
    written = finding.node.text
    digits = re.sub(r"[_,' ](?=\d{3})", "", written)
    example = f"write it like this: {finding.example}" if finding.example else ""
    hint = f"write `{digits}`" if digits != written and re.fullmatch("-?[0-9]+", digits) else example
    if meant := _range_meant(finding.example, finding.node):
        hint = f"write `{meant}`"
    diagnostics.error("wrong-word", f"{finding.place} is {finding.title}, not `{written}`", finding.node.span, hint)


def _range_meant(example: str, node: Node) -> str:
    """The range that `2-4` or `2 to 4` means, where a range is wanted; else an empty text."""
    if not isinstance(node, Scalar) or ".." not in example:
        return ""
    ends = re.fullmatch(r"([0-9]+)\s*(?:-|\u2013|to|\.\.\.|\u2026)\s*([0-9]+)", node.text)
    return f"{ends[1]}..{ends[2]}" if ends else ""


def _entries(node: Node) -> list[Entry]:
    return node.entries if isinstance(node, Mapping) else []


def _report_size(finding: _Finding, diagnostics: Diagnostics) -> None:
    message = f"{finding.title} is a mapping of one entry, and this has {len(_entries(finding.node))}"
    hint = f"write it like this: {finding.example}" if finding.example else ""
    diagnostics.error("wrong-kind", message, finding.node.span, hint)


_REPORTS: dict[str, Callable[[_Finding, Diagnostics], None]] = {
    "additionalProperties": _report_unknown,
    "required": _report_missing,
    "type": _report_kind,
    "enum": _report_word,
    "pattern": _report_pattern,
    "maxProperties": _report_size,
    "minProperties": _report_size,
}
