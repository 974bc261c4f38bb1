"""Sets chosen as wholes are few enough to be listed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Text = Callable[..., str]
Said = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("amount", "capacity", "sets"),
    [
        ("0..5", "18", 0),
        ("0..5", "30", 174437),
        ("any", "17", 0),
        ("any", "18", 262144),
        ("1 or more", "18", 262144),
        ("2", "52", 0),
    ],
)
def test_sets_chosen_as_wholes(small_game: Text, said: Said, amount: str, capacity: str, sets: int) -> None:
    table = (
        f"{{stock: {{start: deck}}, hand: {{per: player, seen_by: owner, capacity: {capacity}}}, pile: {{face: up}}}}"
    )
    play = f"|\n  p1 chooses {amount} cards from p1.hand as set such that set.count is not 2\n  move set to pile"
    message = f"`set` may choose among {sets:,} sets, more than 131,072 [too-many-sets]"
    hint = "(let fewer cards be chosen)"
    found = said(small_game(deck="standard", table=table, play=play))
    assert [one.partition(" > ")[2] for one in found] == ([f"error {message} {hint}"] if sets else [])
