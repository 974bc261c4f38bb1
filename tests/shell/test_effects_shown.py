"""Cards with effects at the table: what they do, what lies altered and why, what came of a round."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from at_table import Seat, at_table

from trionfi.interpreter.rules import Rules, load
from trionfi.shell.lines import OutOfInput

Sit = Callable[..., Any]
ROW = ["2s", "3d", "4h", "5c", "7h"]
TOWER = (
    "Takes the place of a card in your hand. It has no suit and no rank, but may be one of your five, for two points."
)


@pytest.fixture(scope="module")
def arcana() -> Rules:
    return load("arcana-poker")


def dealt(rules: Rules, one: list[str], other: list[str], **cards: list[str]) -> Any:
    dealt_cards = {"common": ROW, "p1.arcana_hand": one, "p2.arcana_hand": other}
    dealt_cards |= {name.replace("_", ".", 1): listed for name, listed in cards.items()}
    return rules.deal(players=2, seed=1, engine="reference", cards=dealt_cards, set={"starter": "p1"})


def passes(_game: object) -> int:
    return 0


def sat(sit: Sit, game: Any, answers: str, people: tuple[int, ...] = (0, 1), width: int = 80) -> str:
    """What is shown until the answers have been given."""
    table = sit(game, list(people), answers, width)
    with pytest.raises(OutOfInput):
        table.table.play([passes, passes])
    return str(table.out.getvalue())


def in_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_a_card_says_what_it_does_where_it_may_be_played(arcana: Rules, sit_down: Sit) -> None:
    game = dealt(arcana, ["The Tower", "The Moon", "Judgement"], ["The Sun", "The World", "The Fool"])
    shown = sat(sit_down, game, "")
    assert "  3  play The Moon: Up to three cards become clubs.\n" in shown
    assert f"2 play The Tower: {TOWER}" in in_one_line(shown)
    assert max(map(len, shown.splitlines())) <= 80


def test_a_card_that_cannot_be_played_is_explained_too(arcana: Rules, sit_down: Sit) -> None:
    game = dealt(arcana, ["The Tower", "The Moon", "Judgement"], ["The Sun", "The World", "The Fool"])
    shown = sat(sit_down, game, "? judge\n")
    assert "  play Judgement: there is nothing now that it could be aimed at\n" in shown
    assert "  Judgement: Destroy a played arcana and silence its play.\n" in shown
    assert "The Tower: Takes" not in shown.partition("? judge")[2]


def test_an_altered_card_says_what_it_is_now_and_why(arcana: Rules, sit_down: Sit) -> None:
    game = dealt(arcana, ["The Moon", "Death", "Justice"], ["The Sun", "The World", "The Lovers"])
    answers = "play The Moon\n4 of Hearts, done\nplay The Lovers\n7 of Hearts, done\nplay Death\n3 of Diamonds\n4 of Hearts\n?\n"
    shown = sat(sit_down, game, answers)
    assert "4 of Hearts: now 4 of clubs" in shown  # where it may be chosen again
    last = shown.rpartition("p2> ?\n")[2]
    assert "  4 of Hearts is now 4 of clubs: 1 The Moon\n" in last  # not Death, which only looks at it
    assert "  3 of Diamonds is now 4 of clubs: 3 Death\n" in last
    assert "  7 of Hearts is now 7 of every suit: 2 The Lovers\n" in last


def test_a_note_is_no_part_of_the_answer(arcana: Rules, sit_down: Sit) -> None:
    game = dealt(arcana, ["The Moon", "Death", "Justice"], ["The Sun", "The World", "The Lovers"])
    sat(sit_down, game, "play The Moon\n4 of Hearts\ndone\nplay The Sun\n4 of hearts\ndone\n")
    assert [label for _, _, label in game.labels if label != "done"] == [
        "play The Moon",
        "4 of Hearts",
        "play The Sun",
        "4 of Hearts",
    ]


def test_a_play_without_force_and_without_card_says_so(arcana: Rules, sit_down: Sit) -> None:
    game = dealt(arcana, ["The Moon", "Judgement", "Justice"], ["The Sun", "The World", "The Lovers"])
    shown = sat(sit_down, game, "play The Moon\n4 of Hearts, done\npass\nplay Judgement\nThe Moon\n")
    assert "  1 p1 The Moon (not in force, card gone): Up to three cards become clubs." in shown
    assert "  2 p1 Judgement: Destroy a played arcana and silence its play." in shown


def test_the_end_of_a_round_is_told(arcana: Rules, sit_down: Sit) -> None:
    game = dealt(
        arcana,
        ["The Hermit", "Death", "Justice"],
        ["The Sun", "The World", "The Lovers"],
        p1_hand=["2h", "3s", "9c", "Qd", "Kd"],
        p2_hand=["9d", "10d", "Jc", "Ks", "Ac"],
    )
    news = sat(sit_down, game, "play The Hermit\npass\npass\n").rpartition("p1> pass\n")[2]
    assert "p2 shows Jack of Clubs, Ace of Clubs, 9 of Diamonds, 10 of Diamonds, King of Spades" in in_one_line(news)
    assert "  p2 wins the round\n" in news  # ace to five
    assert "  p1 scores 4 in this round with Two Pair\n" in news
    assert "  p2 scores 10 in this round with Straight\n" in news


def test_what_goes_to_a_discard_is_told(arcana: Rules, sit_down: Sit) -> None:
    hands = {"p1_hand": ["2h", "3s", "9c", "Qd", "Kd"], "p2_hand": ["9d", "10d", "Jc", "Ks", "Ac"]}
    game = dealt(arcana, ["Temperance", "The Devil", "Justice"], ["The Sun", "The World", "The Lovers"], **hands)
    shown = sat(sit_down, game, "play Temperance\npass\nplay The Devil\n9 of Clubs, Queen of Diamonds\n")
    assert re.search(r"  p2 loses (9 of Diamonds|10 of Diamonds|Jack of Clubs|King of Spades|Ace of Clubs)\n", shown)
    assert "  p1 discards 9 of Clubs, Queen of Diamonds\n" in shown.rpartition("p1> ")[2]


def test_at_a_terminal_the_whole_text_is_below_the_options(arcana: Rules) -> None:
    game = dealt(arcana, ["The Tower", "The Moon", "Judgement"], ["The Sun", "The World", "The Fool"])

    async def look(seat: Seat) -> None:
        assert "for two points" not in seat.in_one_line
        await seat.press(*"tower", "down")
        assert TOWER in seat.in_one_line
        await seat.press("escape", *"?tower", "enter")
        await seat.until("what it does")
        assert f"The Tower: {TOWER}" in re.sub(r"[│\s]+", " ", seat.shown)

    at_table(game, [0], look, size=(60, 30))


def test_what_lay_open_when_it_was_chosen_is_told_by_name(arcana: Rules) -> None:
    """The Magician takes an open card and shuffles it away; what was chosen is told before he does (docs/meaning.md)."""
    game = dealt(arcana, ["The Magician"], ["The Star"])
    for wanted in ("play The Magician", "2 of Spades", "done"):
        game.apply(next(n for n, label in enumerate(game.decision.labels()) if label.startswith(wanted)))
    told = [entry["label"] for entry in game.view(1)["log"] if entry.get("decision") == "The Magician: targets"]
    assert told == ["2 of Spades", "done"]
