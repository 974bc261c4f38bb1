"""What must not be off the screen, at any size: the open cards of the middle, the pot, what happened last, the hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from trionfi.interpreter.rules import load
from trionfi.shell.ink import width_of
from trionfi.shell.terminal.hand import Hand, HandCard, sizes
from trionfi.shell.terminal.painting import Painter, plan
from trionfi.table.course import Course
from trionfi.table.model import Table

GAMES = {
    "two-win": 3, "arcana-poker": 2, "tarot-tennessee": 2, "tennessee-for-two": 2, "hearts": 4, "euchre": 4,
    "gin-rummy": 2, "crazy-eights": 3, "klondike": 1, "casino-twenty-one": 2, "no-limit-holdem": 4,
}  # fmt: skip
SIZES = [(60, 20), (80, 24), (100, 40), (200, 60)]


def rows_of(painter: Painter, table: Table, width: int, height: int) -> tuple[list[str], int, str]:
    """The lines of the table, the rows of the news, the hand."""
    hand = Hand(painter.cards(width), width)
    rows = plan(width, height, sizes(hand, table.hand), 9, painter.need(table, width))
    frame = 2 if rows.has_frames else 0
    text = painter.table(table, width - rows.beside - frame, rows.table)
    held = [HandCard(card, "") for card in table.hand]
    drawn = (hand.large(held) if rows.is_large else hand.small(held)).plain
    assert len(drawn.splitlines()) <= max(1, rows.hand)
    assert rows.table + rows.news + rows.hand + rows.menu + 3 + frame <= height
    return text.plain.split("\n"), rows.news or rows.table, drawn


@pytest.mark.parametrize("name", GAMES)
def test_what_one_must_see_is_on_the_screen_at_every_size(name: str) -> None:
    random = Random(name)
    game: Any = load(name).start(players=GAMES[name], seed=6, engine="reference")
    course = Course(game, [0])
    painter = Painter(course.pictures.faces, has_colours=False)
    looked = 0
    for _ in range(45):
        if game.decision is None or looked > 6:
            break
        game.apply(random.randrange(game.decision.count))
        course.follow(game)
        if game.decision is None or game.decision.player != 0:
            continue
        looked += 1
        table = course.table(0)
        for width, height in SIZES:
            lines, news, hand = rows_of(painter, table, width, height)
            assert max(map(width_of, lines)) <= width
            assert news >= 2
            shown, cards = " ".join(lines), painter.cards(width)
            middle = [zone for row in table.grid for cell in row for zone in cell if zone.cards and zone.form != "fan"]
            for card in [zone.cards[-1] for zone in middle if zone.known]:
                words = [cards.small(card)] if cards.is_small(card) else [card.rank, card.name.split()[-1][:4]]
                assert any(word in shown for word in words), (width, height, words, lines)
            for figure in table.figures:
                assert figure.cards or figure.word.split()[0] in shown
            for card in table.hand:
                words = [cards.small(card)] if cards.is_small(card) else [f"{card.rank} ", card.name.split()[0][:5]]
                assert any(word in hand for word in words), (width, height, words, hand)
    assert looked
