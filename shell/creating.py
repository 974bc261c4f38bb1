"""`trionfi new`: a file to start from, which already validates, tests and plays. It never writes over a file."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from trionfi.shell.calls import CallError, open_rules
from trionfi.shell.command import command
from trionfi.shell.printing import note
from trionfi.shell.starters import GAME, VARIANT

if TYPE_CHECKING:
    from trionfi.dsl.tree import Option, Ruleset

__all__ = ["new_ruleset"]

ENDINGS = (".yaml", ".yml")
YAML_WORDS = ("yes", "no", "on", "off", "true", "false", "null", "y", "n")


def new_ruleset(path: Path, parent: str, settings: list[str]) -> None:
    """Writes a small game, or a variant of `parent`. Raises CallError if the file is there or cannot be one."""
    from trionfi.interpreter.whole_file import whole_file

    path = checked(path)
    text = variant_text(path, parent, settings) if parent else GAME.format(title=title_of(path))
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise CallError(f"`{path}` is there already, and is left as it is; give another name") from None
    try:
        with whole_file(path) as file:
            file.write(text.encode())
    except BaseException:
        path.unlink()
        raise
    note(f"written to {path}; next: {command()} play {path}")


def checked(path: Path) -> Path:
    """The path, with `.yaml` behind a bare name."""
    if not path.suffix:
        path = path.with_name(f"{path.name}.yaml")
    if path.suffix not in ENDINGS:
        raise CallError(f"a ruleset is a file that ends in .yaml, not `{path.name}`")
    if path.exists():
        raise CallError(f"`{path}` is there already, and is left as it is; give another name")
    if not path.absolute().parent.is_dir():
        raise CallError(f"there is no folder `{path.parent}`")
    if not title_of(path):
        raise CallError(f"`{path.name}` has no letters to make a title of")
    return path


def title_of(path: Path) -> str:
    """`my-game.yaml`: My game."""
    words = " ".join("".join(sign if sign.isalnum() else " " for sign in path.stem).split())
    return quoted(words[:1].upper() + words[1:])


def quoted(text: str) -> str:
    """As YAML takes it for a text, whatever it looks like."""
    plain = text.translate({ord(sign): None for sign in " -,."}).isalpha() and text.lower() not in YAML_WORDS
    return text if plain or not text else f'"{text.replace(chr(34), chr(39))}"'


def variant_text(path: Path, parent: str, settings: list[str]) -> str:
    """A variant, with the options that were set, and the others to look at."""
    rules = open_rules(parent, settings)
    if rules.starts:
        named = ", ".join(name for name in rules.given if name not in rules.ruleset.options)
        raise CallError(f"a variant sets options, and {named} is what a variable starts with: say it in `variables`")
    return VARIANT.format(
        title=title_of(path),
        low=rules.players[0],
        parent=parent_from(path, parent),
        about=quoted(f"{rules.name}, changed."),
        options="".join(f"{line}\n" for line in option_lines(rules.ruleset, rules.options, set(rules.given))),
    )


def parent_from(path: Path, parent: str) -> str:
    """What `extends` says: a name, which is looked for beside the new file and in the library."""
    if not Path(parent).suffix:
        return parent
    if Path(parent).absolute().parent.resolve() != path.absolute().parent.resolve():
        raise CallError(
            f"a variant lies beside the file that it extends: write it to `{Path(parent).parent / path.name}`"
        )
    return Path(parent).stem


def option_lines(ruleset: Ruleset, values: dict[str, object], given: set[str]) -> Iterator[str]:
    """A line an option; those that were not set stay comments."""
    if not ruleset.options:
        return
    yield ""
    yield "# Options with other values than before; take away a # to set one."
    yield "options:" if given else "# options:"
    for name, option in ruleset.options.items():
        mark = "" if name in given else "# "
        yield f"{mark}  {name}: {{default: {shown(values[name])}}}{choices(ruleset, option)}"


def shown(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def choices(ruleset: Ruleset, option: Option) -> str:
    """What else it may be, as a comment behind it."""
    if option.type.kind == "enum":
        return f"  # {', '.join(ruleset.enumerations[option.type.name].members)}"
    if option.low is not None and option.high is not None:
        return f"  # {option.low} to {option.high}"
    return "  # a ratio" if isinstance(option.default, Fraction) else "  # true or false"
