"""`trionfi rank` where what is named is a total or a meld: counts of cards, which are numbers and not hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trionfi.shell.calls import CallError
from trionfi.shell.hand_words import HAND_NAMES, begun_parts, hands_apart
from trionfi.shell.printing import print_json

if TYPE_CHECKING:
    from trionfi.interpreter.rules import Rules

__all__ = ["count_hands"]


def count_hands(rules: Rules, name: str, words: Sequence[str], as_json: bool) -> None:
    """Prints what the total or the meld makes of the cards of one hand, or of two beside one another."""
    try:
        counts = [rules.count(name, cards_in(part)) for part in hands_apart(words)]
    except ValueError as wrong:
        raise CallError(str(wrong)) from None
    if as_json:
        found = [count_dict(count) for count in counts]
        print_json(found[0] if len(found) == 1 else {"hands": found})
        return
    for title, count in zip(HAND_NAMES, counts, strict=False):
        print(f"{title}: {count_text(count)}" if len(counts) > 1 else count_text(count))


def cards_in(words: Sequence[str]) -> list[str]:
    parts = list(begun_parts(words))
    if len(parts) != 1 or parts[0][0]:
        raise CallError("cards alone are counted here: `As 10h`, or one name in quotes each")
    return parts[0][1]


def count_dict(count: Any) -> dict[str, object]:
    if hasattr(count, "value"):
        return {"value": count.value, "soft": count.soft, "bust": count.bust}
    return {"cost": count.cost, "melds": [list(meld) for meld in count.melds], "left": list(count.left)}


def count_text(count: Any) -> str:
    if hasattr(count, "value"):
        return f"{count.value}{', soft' if count.soft else ''}{', over' if count.bust else ''}"
    melds = "; ".join(", ".join(meld) for meld in count.melds) or "none"
    return f"melds: {melds}. Left: {', '.join(count.left) or 'none'}, which costs {count.cost}"
