"""Plain values of sections: whole numbers, truths, words, lists of words; each with its message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

from trionfi.dsl.check.context import Context
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.nodes import Entry, Mapping, Node, Scalar, spoken_kind
from trionfi.dsl.nodes import Sequence as ListNode

declare_codes(
    {
        "wrong-value": "A value in a section is of the kind, and within the limits, that the section wants.",
        "missing-key": "An entry has the keys that it cannot do without.",
    }
)

_WHOLE = re.compile(r"-?[0-9]+")
_RANGE = re.compile(r"(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)")
_TRUTHS = {"true": True, "false": False}
# what YAML of other tools would take for a truth
_LIKE_TRUTHS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}


def entries(node: Node | None) -> Iterator[Entry]:
    """The entries of a section; none if it is not there or is nothing."""
    if isinstance(node, Mapping):
        yield from node


def mapping_of(context: Context, node: Node, what: str) -> Mapping | None:
    if isinstance(node, Mapping):
        return node
    if isinstance(node, Scalar) and not node.text:
        return Mapping([], node.span)
    wrong(context, node, f"{what} is a mapping, not {spoken_kind(node)}")
    return None


def found(node: Node) -> str:
    """What stands there, as a message says it."""
    return f"`{node.text.strip()}`" if isinstance(node, Scalar) and node.text.strip() else spoken_kind(node)


def wrong(context: Context, node: Node, message: str, hint: str = "") -> None:
    """Reports a value that does not do."""
    context.diagnostics.error("wrong-value", message, node.span, hint)


def text(context: Context, node: Node | None, what: str) -> str:
    """A text; empty if there is none."""
    if node is None:
        return ""
    if isinstance(node, Scalar):
        return node.text.strip()
    wrong(context, node, f"{what} is a text, not {spoken_kind(node)}")
    return ""


def scalar(context: Context, node: Node, what: str) -> Scalar | None:
    """A text with its place, for a script slot."""
    if isinstance(node, Scalar) and node.text.strip():
        return node
    wrong(context, node, f"{what} is written as a text; this is {spoken_kind(node)}")
    return None


def whole_number(
    context: Context, node: Node, what: str, low: int | None = None, high: int | None = None
) -> int | None:
    """A whole number from low to high."""
    written = node.text.strip() if isinstance(node, Scalar) else ""
    if not _WHOLE.fullmatch(written):
        digits = written.replace("_", "")
        hint = f"write `{digits}`" if _WHOLE.fullmatch(digits) else ""
        wrong(context, node, f"{what} is a whole number, not {found(node)}", hint)
        return None
    value = int(written)
    if (low is not None and value < low) or (high is not None and value > high):
        limits = f"{low} or more" if high is None else f"{low} to {high}"
        wrong(context, node, f"{what} is a number of {limits}, not {value}")
        return None
    return value


def number_range(context: Context, node: Node, what: str) -> tuple[int, int] | None:
    """`2..17`, or one number for both ends."""
    written = node.text.strip() if isinstance(node, Scalar) else ""
    match = _RANGE.fullmatch(written)
    if match is None and not _WHOLE.fullmatch(written):
        wrong(context, node, f"{what} is a number or a range such as `2..10`, not {found(node)}")
        return None
    low, high = (int(match[1]), int(match[2])) if match else (int(written), int(written))
    if low > high:
        message = f"{what} goes from the lower to the higher number, not from {low} to {high}"
        wrong(context, node, message, f"write `{high}..{low}`")
        return None
    return low, high


def truth(context: Context, node: Node | None, what: str, default: bool) -> bool:
    if node is None:
        return default
    written = node.text.strip() if isinstance(node, Scalar) else ""
    if written in _TRUTHS:
        return _TRUTHS[written]
    wrong(context, node, f"{what} is `true` or `false`, not {found(node)}", like_truth(written))
    return default


def like_truth(written: str) -> str:
    """What to write for what other tools take for a truth, or an empty text."""
    meant = _LIKE_TRUTHS.get(written.lower()) or (written.lower() if written.lower() in _TRUTHS else "")
    return f"write `{meant}`" if meant else ""


Word = TypeVar("Word", bound=str)


def one_of(context: Context, node: Node | None, what: str, allowed: Sequence[Word]) -> Word | Literal[""]:
    """One of a few words; empty if there is none, or after a message."""
    if node is None:
        return ""
    written = node.text.strip() if isinstance(node, Scalar) else ""
    for word in allowed:
        if written == word:
            return word
    wrong(context, node, f"{what} is {_listed(allowed)}, not {found(node)}", did_you_mean(written, allowed))
    return ""


def _listed(words: Sequence[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def words(context: Context, node: Node | None, what: str) -> list[Scalar]:
    """A list of different words."""
    if node is None:
        return []
    if not isinstance(node, ListNode):
        wrong(context, node, f"{what} is a list such as `[one, two]`, not {spoken_kind(node)}")
        return []
    different: dict[str, Scalar] = {}
    for item in node:
        if not isinstance(item, Scalar) or not item.text.strip():
            wrong(context, item, f"{what} is a list of words; this is {spoken_kind(item)}")
        elif item.text.strip() in different:
            wrong(context, item, f"`{item.text.strip()}` stands twice in {what}")
        else:
            different[item.text.strip()] = item
    return list(different.values())


def missing(context: Context, holder: Mapping, name: str, key: str, hint: str = "") -> None:
    context.diagnostics.error("missing-key", f"`{name}` needs the key `{key}`", holder.span, hint)
