"""What is declared and not needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset

Text = Callable[..., str]
Said = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("sections", "messages"),
    [
        ({"options": "{spare: {default: 1}}"}, ["spare > warning the option `spare` is never used [unused] (use it or drop it)"]),
        ({"variables": "{spare: 0}"}, ["spare > warning the variable `spare` is never used [unused] (use it or drop it)"]),
        ({"define": '{"spare()": 1}'}, ['spare > warning the define `spare` is never used [unused] (use it or drop it)']),
        ({"procedures": "{spare(): move stock to pile}"}, ["spare > warning the procedure `spare` is never used [unused] (use it or drop it)"]),
        ({"define": '{"one()": two(), "two()": 1}'}, [
            'one > warning the define `one` is never used [unused] (use it or drop it)',
            'two > warning the define `two` is never used [unused] (use it or drop it)',
        ]),
        ({"variables": "{note: 0}", "play": "|\n  note = 1\n  move stock to pile\n  move p1.hand to pile"}, ["note > warning `note` is set and never read [never-read] (read it somewhere, or drop it)"]),
        ({"variables": "{note: 0}", "result": "{score(player): note + player.hand.count}"}, ["note > warning `note` never changes [never-set] (set it in the play, or make it an option or a define)"]),
        ({"measures": "{when dealt: {size: stock.count}}"}, ["size > warning the event `dealt` is never triggered [unknown-event] (write `trigger dealt` in the play)"]),
        ({"measures": "{when dealt: {size: stock.count}}", "play": "|\n  deal 1 from stock to each hand\n  trigger deal_t\n  move stock to pile"}, ["size > warning the event `dealt` is never triggered [unknown-event] (did you mean `deal_t`?)"]),
    ],
)  # fmt: skip
def test_what_is_not_needed_is_a_warning(
    small_game: Text, said: Said, sections: dict[str, str], messages: list[str]
) -> None:
    assert said(small_game(**sections)) == messages


USED = [
    {"options": "{goal: {default: 1}}", "measures": "{rich: stock.count > goal}"},
    {"options": "{goal: {default: 2, multiple_of: chip}, chip: {default: 1}}", "measures": "{rich: stock.count > goal}"},
    {"define": '{"one()": two(), "two()": 1}', "tests": '\n  - "a":\n      expect: one() is 1'},
    {"variables": "{dealer: {kind: player}}"},
    {"variables": "{pot: {counts: chips}, chips: {per: player, counts: chips, start: 5}}",
     "play": "|\n  for each player: pay 1 from player.chips to pot\n  move stock to pile\n  move p1.hand to pile"},
    {"variables": "{note: 0}", "play": "|\n  note = 1\n  if note is 1: move stock to pile\n  move p1.hand to pile"},
    {"variables": "{note: 0}", "measures": "{seen: note}", "tests": '\n  - "a":\n      set: {note: 2}\n      expect: note is 2'},
    {"define": '{"even(card)": card.rank.place mod 2 is 0}',
     "rankings": "{hand_of: {of: 2 cards, categories: {Even: all evens, Rest: anything}}}"},
    {"options": "{packs: {default: 1, range: 1..2}}",
     "deck": "{ranks: [ace, 2, 3, 4, 5, 6], suits: [cups, swords], copies: packs}"},
]  # fmt: skip


@pytest.mark.parametrize("sections", USED)
def test_what_is_needed_somewhere_is_fine(small_game: Text, said: Said, sections: dict[str, str]) -> None:
    assert said(small_game(**sections)) == []


def test_what_a_library_or_a_parent_declares_is_nobodys_fault(tmp_path: Path, small_game: Text) -> None:
    (tmp_path / "spares.yaml").write_text(
        "trionfi: 1\nlibrary: Spares\ndefine:\n  spare(): 1\nvariables:\n  extra: 0\n"
    )
    (tmp_path / "parent.yaml").write_text(small_game(use="{spares: {}}", options="{odd: {default: true}}"))
    (tmp_path / "child.yaml").write_text("trionfi: 1\nname: Child\nextends: parent\noptions: {own: {default: 1}}\n")

    def told(name: str) -> list[str]:
        return [one.message for one in read_ruleset(str(tmp_path / f"{name}.yaml"))[1]]

    assert told("parent") == ["the option `odd` is never used"]
    assert told("child") == ["the option `own` is never used"]
