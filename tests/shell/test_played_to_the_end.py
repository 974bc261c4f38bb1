"""Games of the library played to their ends at the table, by keys; what must be seen is seen at each choice."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from at_table import Seat, at_table

from trionfi.interpreter.rules import load
from trionfi.shell.terminal.painting import Painter
from trionfi.table.model import Card

from ..by_day import LARGE

PICTURES = os.environ.get("TRIONFI_KEEP_PICTURES", "")  # a folder for what the screen shows, to be looked at
LIBRARY = sorted(path.stem for path in (Path(__file__).parents[2] / "rulesets").glob("*.yaml"))
SIZES = [(80, 24), (100, 40), (60, 20)]
GAMES = [(name, size) for name in LIBRARY for size in SIZES]
BY_DAY = [("leduc", SIZES[2]), ("casino-twenty-one", SIZES[0])]
SHORT = {  # a game of one hand or a few
    "target": 4,
    "goal": 1,
    "above": 0,
    "rounds": 1,
    "games": 1,
    "most_moves": 20,
    "most_plays": 12,
    "knock_at": 100,
}
MOST = 200  # choices; none of these games takes as many


def short_game(name: str) -> Any:
    known = load(name).ruleset.options
    return load(name, {key: value for key, value in SHORT.items() if key in known}).start(seed=8, engine="reference")


def words_of(painter: Painter, card: Card) -> list[str]:
    """Patterns of which one is drawn, wherever the card lies."""
    cards = painter.cards(80)
    if cards.is_small(card):
        return [re.escape(cards.small(card))]
    words = [word for word in card.name.split() if word not in ("of", "The")]
    number = painter.faces.faces[card.name].number
    numeral = [rf"\b({card.rank}|{number})\b"] if card.rank else []
    initials = [f"{words[0][:2]} {words[1][0]}"] if " of " in card.name else []
    return [*numeral, *(word[:4] for word in words), *initials]


def is_drawn(painter: Painter, card: Card, table: str) -> bool:
    return any(re.search(word, table) for word in words_of(painter, card))


def missing_from(seat: Seat) -> list[str]:
    """What the screen does not show and should."""
    app, shown = seat.app, seat.shown
    picture, menu = app.picture, app.choosing.menu
    table = "\n".join(shown.split("\n")[:-2])
    missing = []
    piles = [zone for row in picture.grid for cell in row for zone in cell if zone.cards and zone.form != "fan"]
    for zone in [*piles, *(zone for one in picture.seats for zone in one.zones if zone.mark == "led")]:
        top = zone.cards[-1]
        if not top.is_back and not is_drawn(app.painter, top, table):
            missing.append(f"{zone.key}: {top.key}")
    missing += [figure.word for figure in picture.figures if figure.word.split()[0] not in table]
    missing += [card.key for card in picture.hand if not is_drawn(app.painter, card, table)]
    if app.history:
        first = app.painter.option(app.history[-1]).split()[0]
        missing += [] if first in table else [f"news {first}"]
    if menu.number is not None:
        missing += [str(a.value) for a in menu.number.amounts if str(a.value) not in table]
    elif not (listed := [option for option in app.options.shown if app.painter.option(option.label)[:6] in table]):
        missing += [] if any(held.label for held in app.held) else ["options"]
    elif len(listed) < len(app.options.shown) and " of " not in shown:
        missing.append("options are left out, and nothing says so")
    return missing


async def choose(seat: Seat, random: Random) -> None:
    """By keys, what a choice wants."""
    choosing = seat.app.choosing
    menu = choosing.menu
    if menu.number is not None:
        await seat.press_at_once("right" if random.random() < 0.8 else "end", "enter")
    elif menu.is_of_several:
        await choose_several(seat, random)
    else:
        options = [option for option in menu.offered if not option.is_danger] or menu.offered
        option = random.choice(options)
        if menu.by_letter:
            await seat.press(*([option.letter] * (2 if option.is_danger else 1)))
        else:
            await move_to(seat, option.label, *(["enter"] * (2 if option.is_danger else 1)))


async def choose_several(seat: Seat, random: Random) -> None:
    choosing = seat.app.choosing
    menu = choosing.menu
    for option in random.sample(menu.offered, len(menu.offered)):
        if len(choosing.ticked) < max(1, menu.least) and option.label != "done":
            await move_to(seat, option.label, "space")
    await seat.press_at_once("enter")


async def move_to(seat: Seat, label: str, *then: str) -> None:
    """The shorter way round."""
    choosing = seat.app.choosing
    labels = choosing.in_order([option.label for option in choosing.visible])
    here = labels.index(choosing.at) if choosing.at in labels else -1
    there = labels.index(label)
    right = there - here if there > here else there - here + len(labels)
    left = len(labels) - right + (choosing.at is None)
    await seat.press_at_once(*(["right"] * right if right <= left else ["left"] * left))
    assert choosing.at == label, f"the bar is on {choosing.at}"
    await seat.press_at_once(*then)


@pytest.mark.parametrize(("name", "size"), GAMES if LARGE else BY_DAY, ids=str)
def test_a_game_is_played_to_its_end_by_keys(name: str, size: tuple[int, int]) -> None:
    random = Random(f"{name} {size}")
    game = short_game(name)
    prefix = f"{name}-{size[0]}x{size[1]}"

    async def play(seat: Seat) -> None:
        await play_on(seat, prefix, random)
        await read_the_end(seat, prefix)

    bots = [lambda one: random.randrange(one.decision.count)] * game.players
    app = at_table(game, [0], play, bots=bots, size=size)
    assert app.session.game.over


async def play_on(seat: Seat, prefix: str, random: Random) -> None:
    """To the end of the game."""
    app, made, pages = seat.app, 0, 0
    while not app.session.game.over:
        if app.answer is None or app.answer.done() or len(app.screen_stack) > 1:
            await seat.press_at_once("enter")  # a trick, a page
            pages += 1
            assert pages < 50 * MOST, seat.shown
            continue
        if missing_from(seat):
            await seat.pilot.pause(0.1)  # the parts may still be finding their places
        assert (missing := missing_from(seat)) == [], f"{missing} after {made}:\n{seat.shown}"
        keep(f"{prefix}-{made:03}", seat)
        assert made < MOST, "the game does not end"
        await make_choice(seat, random)
        made += 1


async def make_choice(seat: Seat, random: Random) -> None:
    moves = list(seat.app.session.game.moves)
    await choose(seat, random)
    for _ in range(50):
        if seat.app.session.game.moves != moves:
            break
        await seat.pilot.pause(0.01)
    assert seat.app.session.game.moves != moves, f"{seat.app.said}\n{seat.shown}"


async def read_the_end(seat: Seat, prefix: str) -> None:
    """The last page, which may be longer than the screen."""
    for _ in range(MOST):
        if "any key ends the game" in seat.shown:
            break
        await seat.press_at_once(*(["enter"] if "─ any key ─" in seat.shown or seat.app.waiting else []))
    assert "any key ends the game" in seat.shown
    for _ in range(MOST):
        if "score: " in seat.shown:
            break
        await seat.press_at_once("down")
    keep(f"{prefix}-999", seat)
    scores = re.search(r"score: .*", seat.in_one_line)
    assert scores is not None
    assert all(score in scores.group() for score in map(str, seat.app.session.game.scores))


def keep(stem: str, seat: Seat) -> None:
    if PICTURES:
        (Path(PICTURES) / f"{stem}.txt").write_text(seat.shown + "\n", encoding="utf-8")
