"""Finding rulesets, and reading one with all that it uses, extends and drops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from trionfi.dsl.diagnostics import Diagnostics, declare_codes, did_you_mean
from trionfi.dsl.holes import LIBRARY_SECTIONS, Need, Openings, Replaced, kept_in, needs_of, replaced_in
from trionfi.dsl.limits import MOST_BYTES, MOST_FILES
from trionfi.dsl.merge import Assembly, entry_name, find_entry, long_form, merged_deck
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar, Sequence
from trionfi.dsl.reader import read_whole
from trionfi.dsl.shelf import LIBRARY, KeptTexts
from trionfi.dsl.source import Source, Span
from trionfi.dsl.structure import check_structure

FORM_CODES = {
    "unknown-ruleset": "What a ruleset uses, extends or has its deck from is in the library or beside it.",
    "wrong-ruleset": "Libraries are used, games are extended, decks are taken from libraries that have one.",
    "circular-rulesets": "No ruleset uses or extends itself, by whatever way round.",
    "declared-twice": "A name is declared once; only a variant (`extends`) declares again what its parent has.",
    "set-twice": "A parameter of a library is set in one way.",
    "unknown-parameter": "`use` sets parameters that the library declares.",
    "missing-parameter": "A parameter without a default is set by `use`.",
    "unknown-entry": "`without` drops what there is.",
    "unreadable-file": "A ruleset is a text file in UTF-8.",
    "too-large": f"A ruleset is at most {MOST_BYTES:,} bytes, in at most {MOST_FILES} files.",
}
declare_codes(FORM_CODES)

_PLAIN_NAME = re.compile(r"\w[\w-]{0,99}")
_ENDINGS = (".yaml", ".yml")
# Sections that belong to their file alone.
_OWN_SECTIONS = frozenset({"trionfi", "library", "use", "extends", "without", "parameters", "tests", *LIBRARY_SECTIONS})
_RULEBOOK = "rulebook"
_TOLD_LATER = frozenset({"name", "about", _RULEBOOK})  # of a library


@dataclass(slots=True, eq=False)
class Parameter:
    """A parameter of a used library: its declaration there, and the value (script, an expression) that `use` binds."""

    name: str
    declaration: Mapping
    bound: Scalar | None
    span: Span
    library: str


@dataclass(slots=True, eq=False)
class Draft:
    """A ruleset put together from its files, not yet checked: every node keeps the place in the file it came from.

    `sections` are merged; `deck` and each of `decks` hold what their library declares, too. `tests` are those of
    the file itself, then those of the libraries that it uses: title and mapping. `needs` are those of all its
    libraries, `replaced` what has been written over entries of theirs, `twice` what should not have been. `whole` is
    false if pieces of a file could not be read: then what seems to be missing may only be unreadable.
    `parent`: the name of the game that it extends, `parent_options`: its options.
    """

    key: str
    sections: dict[str, Node]
    parameters: list[Parameter]
    tests: list[Entry]
    sources: list[Source]
    needs: list[Need] = field(default_factory=list)
    replaced: list[Replaced] = field(default_factory=list)
    twice: list[Scalar] = field(default_factory=list)
    is_library: bool = False
    whole: bool = True
    parent: str = ""
    parent_options: Node | None = None


def form_codes() -> frozenset[str]:
    """The codes of what is wrong with the form of a ruleset, not with what it says. Where a file is not whole, these
    alone are news: what else seems to be wrong may be due to what could not be read."""
    from trionfi.dsl import holes, reader, script, stops, structure, yaml_slips

    modules = (holes, reader, script, stops, structure, yaml_slips)
    return frozenset().union(FORM_CODES, *(module.FORM_CODES for module in modules))


# ---- finding


def find(rules: str, beside: Path | None = None) -> Path | None:
    """The file of a ruleset: by its name beside a file (a folder) or in the library, or by its path."""
    if _PLAIN_NAME.fullmatch(rules):
        return _beside(rules, beside) or library_files().get(rules)
    path = Path(rules)
    return path if path.suffix in _ENDINGS and _is_file(path) else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long for the system
        return False


def library_files() -> dict[str, Path]:
    """All files of the library by the name that `use` and the command line take."""
    return {path.stem: path for path in sorted(LIBRARY.rglob("*.yaml"))}


def library_games() -> dict[str, Path]:
    """The games of the library, without decks and other libraries."""
    return {name: path for name, path in library_files().items() if _is_game(path)}


def _is_game(path: Path) -> bool:
    return re.search(r"^name:", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def _beside(name: str, folder: Path | None) -> Path | None:
    if folder is None:
        return None
    paths = (folder / f"{name}{ending}" for ending in _ENDINGS)
    return next((path for path in paths if _is_file(path)), None)


# ---- reading one file


@dataclass(slots=True, eq=False)
class RulesFile:
    """A file as it was read; what its structure forbids is reported and gone."""

    key: str
    root: Mapping
    source: Source

    @property
    def is_library(self) -> bool:
        return "library" in self.root

    @property
    def folder(self) -> Path | None:
        return self.source.path.parent if self.source.path else None

    def tests(self) -> list[Entry]:
        tests = self.root.get("tests")
        items = tests.items if isinstance(tests, Sequence) else []
        return [item.entries[0] for item in items if isinstance(item, Mapping) and len(item.entries) == 1]


def read_source(path: Path, diagnostics: Diagnostics) -> Source | None:
    """The text of a file; a file that is no text is reported."""
    name = _shown(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1).removeprefix(b"\xef\xbb\xbf")
        if len(data) > MOST_BYTES:
            stop_large(diagnostics, _end(Source(name, "", path)))
        return Source(name, data.decode("utf-8"), path)
    except UnicodeDecodeError as error:
        text = data[: error.start].decode("utf-8")
        place = Source(name, text, path)
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        what = "this file is UTF-16" if wide else f"byte {error.start} of this file is no UTF-8"
        hint = "save it as UTF-8 in the editor"
        diagnostics.error("unreadable-file", f"a ruleset is a text in UTF-8; {what}", _end(place), hint)
    except OSError as error:
        place = Source(name, "", path)
        diagnostics.error("unreadable-file", f"the file cannot be read: {error.strerror}", _end(place))
    return None


def stop_large(diagnostics: Diagnostics, span: Span) -> NoReturn:
    diagnostics.stop("too-large", f"a ruleset is at most {MOST_BYTES:,} bytes long, with all that it is made of", span)


def _shown(path: Path) -> str:
    """The path as people read it: from where they are, if it lies there."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _end(source: Source) -> Span:
    return Span(source, len(source.text), len(source.text))


# ---- reading a ruleset with all that belongs to it


def read_draft(rules: str, diagnostics: Diagnostics, text: str | None = None) -> Draft | None:
    """Reads the ruleset of that name or path, with the libraries it uses and the rulesets it extends.

    With `text` that is the ruleset, and `rules` the path of the file that it is to be; what it uses is looked up from
    there. None if there is nothing to check; what is wrong goes to the diagnostics.
    """
    path = Path(rules).absolute() if text is not None else find(rules)
    if text is not None:
        source: Source | None = Source(rules, text.removeprefix("\ufeff"), path)
    elif path is None:
        _report_unknown(rules, Span(Source(rules, ""), 0, 0), None, diagnostics)
        return None
    else:
        source = read_source(path, diagnostics)
    return _Reading(diagnostics).draft(source) if source else None


def read_kept(kept: KeptTexts, diagnostics: Diagnostics) -> Draft | None:
    """The same of texts that were kept together; no file is read."""
    return _Reading(diagnostics, kept).draft(kept.main())


def _report_unknown(rules: str, span: Span, folder: Path | None, diagnostics: Diagnostics) -> None:
    beside = folder.glob("*.yaml") if folder is not None else ()
    known = sorted({*library_files(), *(path.stem for path in beside)})
    if _PLAIN_NAME.fullmatch(rules):
        message = f"there is no ruleset `{rules}` in the library" + (" or beside this file" if folder else "")
        hint = did_you_mean(rules, known) or f"the library has {', '.join(known)}"
        if folder is None and Path(f"{rules}.yaml").is_file():
            hint = f"for the file write `{rules}.yaml`"
    else:
        message = f"there is no file `{rules}`"
        hint = did_you_mean(Path(rules).stem, known)
    diagnostics.error("unknown-ruleset", message, span, hint)
    diagnostics.lose_all()


@dataclass(slots=True, eq=False)
class _Use:
    """What a ruleset says of a library: its name there, the bindings of its parameters. `for_deck`: it is named by a
    deck that comes from it, so its own deck is not the game's."""

    name: Scalar
    bindings: Mapping
    for_deck: bool = False


@dataclass(slots=True, eq=False)
class _Library:
    file: RulesFile
    use: _Use


@dataclass(slots=True, eq=False)
class _Reading:
    """Reads the files of one ruleset, each once, and puts them together."""

    diagnostics: Diagnostics
    kept: KeptTexts | None = None
    files: dict[Path, RulesFile | None] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    libraries: dict[str, _Library] = field(default_factory=dict)
    openings: dict[Source, Openings] = field(default_factory=dict)
    replaced: list[Replaced] = field(default_factory=list)
    twice: list[Scalar] = field(default_factory=list)
    whole: bool = True

    def draft(self, source: Source) -> Draft | None:
        main = self.file(source)
        if main is None:
            return None
        line = self.ancestry(main)
        uses = _merged_uses(line)
        assembly = Assembly()
        tests = main.tests()
        parent_options = None
        for member in line:
            parent_options = assembly.sections.get("options")
            added = self.use_libraries(member, uses)
            self.assemble(assembly, member, added)
            if member is main:
                tests += [test for library in added for test in library.file.tests()]
        self.fill_decks(assembly)
        parameters = [p for library in self.libraries.values() for p in self.parameters(library)]
        self.check_parameter_names(parameters)
        if main.is_library:
            parameters += _declared(main, Mapping([], main.root.span))
            Openings(main.root, main.key, self.diagnostics)
        parent = _text(line[-2].root.get("name") or line[-2].root) if len(line) > 1 else ""
        needs = list(self.needs(main))
        draft = Draft(
            main.key,
            assembly.sections,
            parameters,
            tests,
            self.sources,
            needs,
            self.replaced,
            self.twice,
            main.is_library,
            self.whole,
        )
        return replace(draft, parent=parent, parent_options=parent_options)

    # -- files

    def file(self, source: Source) -> RulesFile | None:
        """Reads and keeps a file."""
        key = source.path.stem if source.path else source.name
        if len(source.text) + sum(len(other.text) for other in self.sources) > MOST_BYTES:
            stop_large(self.diagnostics, Span(source, 0, 0))
        if len(self.sources) == MOST_FILES:
            message = f"a ruleset is made of at most {MOST_FILES} files"
            self.diagnostics.stop("too-large", message, Span(source, 0, 0))
        root, whole = read_whole(source, self.diagnostics)
        source = root.span.source if root is not None else source
        self.sources.append(source)
        self.whole = self.whole and whole
        if root is not None:
            self.whole = check_structure(root, self.diagnostics) and self.whole
        file = RulesFile(key, root, source) if root is not None else None
        if source.path is not None:
            self.files[source.path] = file
        return file

    def named_file(self, name: Scalar, folder: Path | None) -> RulesFile | None:
        """The file that a name in a file of that folder means; reported if there is none."""
        path = self.found(name.text, folder)
        if path is None:
            _report_unknown(name.text, name.span, None if self.kept else folder, self.diagnostics)
            self.whole = False
            return None
        if path not in self.files:
            self.files[path] = None
            if source := self.kept.read(path) if self.kept else read_source(path, self.diagnostics):
                self.file(source)
        self.whole = self.whole and self.files[path] is not None
        return self.files[path]

    def found(self, name: str, folder: Path | None) -> Path | None:
        if not _PLAIN_NAME.fullmatch(name):
            return None
        path = self.kept.find(name, folder) if self.kept else find(name, folder)
        return path if self.kept or path is None else path.resolve()

    # -- extends

    def ancestry(self, main: RulesFile) -> list[RulesFile]:
        """The ruleset after all that it extends, the oldest first."""
        line = [main]
        while isinstance(name := line[0].root.get("extends"), Scalar):
            parent = self.named_file(name, line[0].folder)
            if parent is None:
                break
            if parent in line:
                self.report_circle(name, [member.key for member in reversed(line)], parent.key)
                break
            if parent.is_library:
                message = f"`{name.text}` is a library: it is used, not extended"
                self.report_wrong(message, name, f"write `use: {{{name.text}: {{}}}}`")
                break
            line.insert(0, parent)
        return line

    def report_circle(self, name: Scalar, way: list[str], back_at: str) -> None:
        self.whole = False
        circle = " → ".join([*way[way.index(back_at) :], back_at])
        self.diagnostics.error("circular-rulesets", f"this goes round in a circle: {circle}", name.span)
        self.diagnostics.lose_all()

    def report_wrong(self, message: str, name: Scalar, hint: str = "") -> None:
        self.whole = False
        self.diagnostics.error("wrong-ruleset", message, name.span, hint)

    # -- use

    def use_libraries(self, user: RulesFile, uses: dict[str, _Use]) -> list[_Library]:
        """Reads the libraries that a ruleset and its libraries use and that are not there yet."""
        wanted = [(uses.get(use.name.text, use), user, [user.key]) for use in _uses(user)]
        added: list[_Library] = []
        while wanted:
            use, asker, way = wanted.pop(0)
            file = self.library_file(use, asker.folder, way)
            if file is None:
                continue
            known = self.libraries.get(file.key)
            if known is None:
                self.libraries[file.key] = _Library(file, use)
                added.append(self.libraries[file.key])
            elif known.use is not use:
                self.join_uses(known, use)
            wanted += [(inner, file, [*way, file.key]) for inner in _uses(file)]
        return added

    def library_file(self, use: _Use, folder: Path | None, way: list[str]) -> RulesFile | None:
        file = self.named_file(use.name, folder)
        if file is None:
            return None
        if file.key in way:
            self.report_circle(use.name, way, file.key)
            return None
        if not file.is_library and not use.for_deck:
            message = f"`{use.name.text}` is a game: it is extended, not used"
            self.report_wrong(message, use.name, f"write `extends: {use.name.text}`")
            return None
        if use.for_deck and not (file.is_library and "deck" in file.root):
            self.report_wrong(f"`{use.name.text}` is no library with a deck", use.name)
            return None
        return file

    def join_uses(self, known: _Library, use: _Use) -> None:
        """A library that is used in two places: each may bind parameters, but not one parameter in two ways."""
        known.use.for_deck = known.use.for_deck and use.for_deck
        for binding in use.bindings:
            before = known.use.bindings.entry(binding.key.text)
            if before is None:
                known.use.bindings.entries.append(binding)
            elif _text(before.value) != _text(binding.value):
                message = f"`{binding.key.text}` of `{known.file.key}` is set otherwise in {before.key.span}"
                self.diagnostics.error("set-twice", message, binding.key.span)

    def parameters(self, library: _Library) -> Iterator[Parameter]:
        file, use = library.file, library.use
        for binding in use.bindings:
            names = _parameter_names(file)
            if binding.key.text not in names:
                message = f"the library `{file.key}` has no parameter `{binding.key.text}`"
                hint = did_you_mean(binding.key.text, names) or _listed("it has", names)
                self.diagnostics.error("unknown-parameter", message, binding.key.span, hint)
        for parameter in _declared(file, use.bindings):
            if parameter.bound is None and "default" not in parameter.declaration:
                message = f"the library `{file.key}` wants its parameter `{parameter.name}` set"
                hint = f"write `{file.key}: {{{parameter.name}: ...}}`"
                self.diagnostics.error("missing-parameter", message, use.name.span, hint)
            yield parameter

    def check_parameter_names(self, parameters: list[Parameter]) -> None:
        seen: dict[str, Parameter] = {}
        for parameter in parameters:
            first = seen.setdefault(parameter.name, parameter)
            if first is not parameter:
                both = f"`{first.library}` and `{parameter.library}`"
                message = f"the libraries {both} both have a parameter `{first.name}`"
                self.diagnostics.error("declared-twice", message, parameter.span)

    # -- what libraries leave open

    def needs(self, main: RulesFile) -> Iterator[Need]:
        if main.is_library:
            yield from needs_of(main.root, main.key, main.root.span, self.diagnostics)
        for library in self.libraries.values():
            file = library.file
            if not library.use.for_deck:
                yield from needs_of(file.root, file.key, library.use.name.span, self.diagnostics)

    def is_open(self, key: Scalar, section: str, name: str) -> bool:
        """Whether the library in which `key` stands lets this entry be replaced."""
        openings = self.openings.get(key.span.source)
        return openings is not None and (section, name) in openings

    def settle_clash(self, assembly: Assembly, section: Entry, new: Scalar, old: Scalar) -> bool:
        """Writes the one entry of two over the other, if that one may be replaced and this one may not. The section
        keeps what is to be added. False if neither may give way, or both."""
        own = section.value if isinstance(section.value, Mapping) and new is not section.key else None
        held = find_entry(own, entry_name(new)) if own is not None else None
        name = entry_name(new) if held else ""
        gives_way = self.is_open(new, section.key.text, name)
        if gives_way == self.is_open(old, section.key.text, name):
            return False
        if gives_way:
            self.replaced += kept_in(assembly, section, held, old, self.openings[new.span.source].library)
        elif held is not None:
            self.replaced += replaced_in(assembly, section, old, held, self.openings[old.span.source].library)
        return True

    # -- putting together

    def assemble(self, assembly: Assembly, member: RulesFile, libraries: list[_Library]) -> None:
        """Adds the libraries of a ruleset, drops what it is without, and adds what it says itself."""
        fixed = {id(source) for source in self.sources if member.source is not source}
        for library in libraries:
            file = library.file
            self.openings[file.source] = Openings(file.root, file.key, self.diagnostics)
        for library in libraries:
            self.add_sections(assembly, library.file, fixed, library.use.for_deck)
        for name in _items(member.root.get("without")):
            self.drop(assembly, name)
        self.add_sections(assembly, member, {id(library.file.source) for library in libraries})
        for library in libraries:  # what the game itself tells comes first
            told = library.file.root.entry(_RULEBOOK)
            if told is not None:
                assembly.add(told.key, told.value)

    def add_sections(self, assembly: Assembly, file: RulesFile, fixed: set[int], for_deck: bool = False) -> None:
        """`fixed`: the sources whose names this file cannot declare again."""
        left_out = _OWN_SECTIONS | (_TOLD_LATER if file.is_library else set()) | ({"deck"} if for_deck else set())
        for entry in file.root:
            if entry.key.text in left_out:
                continue
            section = _copied(entry)
            for new, old in [*assembly.clashes(entry.key, entry.value, lambda key: id(key.span.source) in fixed)]:
                if not self.settle_clash(assembly, section, new, old):
                    self.report_twice(new, old)
            assembly.add(section.key, section.value)

    def report_twice(self, new: Scalar, old: Scalar) -> None:
        self.twice.append(new)
        message = f"`{entry_name(new)}` is declared in {old.span} already"
        hint = "give one of them another name; `without` drops an entry of a library"
        self.diagnostics.error("declared-twice", message, new.span, hint)

    def drop(self, assembly: Assembly, name: Scalar) -> None:
        holders = assembly.holders(name.text)
        if not holders:
            message = f"there is nothing called `{name.text}` to leave out"
            self.diagnostics.error("unknown-entry", message, name.span, did_you_mean(name.text, assembly.names()))
        elif len(holders) > 1:
            ways = " or ".join(f"`{where}.{name.text}`" for where, _, _ in holders)
            message = f"several entries are called `{name.text}`"
            self.diagnostics.error("unknown-entry", message, name.span, f"say which: {ways}")
        else:
            assembly.drop(name.text)

    # -- decks

    def fill_decks(self, assembly: Assembly) -> None:
        """Puts into each deck what the library declares that it comes from."""
        sections = assembly.sections
        if "deck" in sections:
            sections["deck"] = self.filled_deck(long_form("deck", sections["deck"]), 0)
        decks = sections.get("decks")
        if isinstance(decks, Mapping):
            entries = [Entry(e.key, self.filled_deck(long_form("decks", e.value), 0)) for e in decks]
            sections["decks"] = Mapping(entries, decks.span)

    def filled_deck(self, deck: Node, depth: int) -> Node:
        name = deck.get("from") if isinstance(deck, Mapping) else None
        if not isinstance(name, Scalar) or not isinstance(deck, Mapping) or depth > len(self.files):
            return deck
        path = name.span.source.path
        file = self.named_file(name, path.parent if path else None)
        library = file.root.get("deck") if file else None
        if library is None:
            return deck
        filled = self.filled_deck(long_form("deck", library), depth + 1)
        return merged_deck(filled, deck) if isinstance(filled, Mapping) else deck


def _merged_uses(line: list[RulesFile]) -> dict[str, _Use]:
    """What each `use` binds after all variants have had their say."""
    uses: dict[str, _Use] = {}
    for use in (use for member in line for use in _uses(member)):
        before = uses.get(use.name.text)
        if before is not None:
            use.bindings = merged_deck(before.bindings, use.bindings)
            use.for_deck = before.for_deck and use.for_deck
        uses[use.name.text] = use
    return uses


def _uses(file: RulesFile) -> list[_Use]:
    """The libraries that a file names: under `use`, and where its decks come from."""
    use = file.root.get("use")
    entries = use.entries if isinstance(use, Mapping) else []
    uses = [_Use(entry.key, _as_mapping(entry.value)) for entry in entries]
    decks = file.root.get("decks")
    declared = [entry.value for entry in decks] if isinstance(decks, Mapping) else []
    for written in [file.root.get("deck"), *declared]:
        deck = long_form("deck", written) if written else None
        name = deck.get("from") if isinstance(deck, Mapping) else None
        if isinstance(name, Scalar) and name.text not in [use.name.text for use in uses]:
            uses.append(_Use(name, Mapping([], name.span), for_deck=True))
    return uses


def _declared(file: RulesFile, bindings: Mapping) -> list[Parameter]:
    """The parameters of a library, bound."""
    parameters = []
    for entry in _as_mapping(file.root.get("parameters") or file.root):
        if entry.key.text in _parameter_names(file) and isinstance(entry.value, Mapping):
            bound = bindings.get(entry.key.text)
            value = bound if isinstance(bound, Scalar) else None
            parameters.append(Parameter(entry.key.text, entry.value, value, entry.key.span, file.key))
    return parameters


def _parameter_names(file: RulesFile) -> list[str]:
    declared = file.root.get("parameters")
    return declared.keys if isinstance(declared, Mapping) else []


def _copied(section: Entry) -> Entry:
    """A section whose entries may be taken out."""
    node = section.value
    return Entry(section.key, Mapping([*node], node.span) if isinstance(node, Mapping) else node)


def _as_mapping(node: Node) -> Mapping:
    return node if isinstance(node, Mapping) else Mapping([], node.span)


def _items(node: Node | None) -> list[Scalar]:
    """The texts of a list."""
    items = node.items if isinstance(node, Sequence) else []
    return [item for item in items if isinstance(item, Scalar)]


def _text(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _listed(start: str, names: list[str]) -> str:
    return f"{start} {', '.join(f'`{name}`' for name in names)}" if names else ""
