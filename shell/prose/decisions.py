"""What players choose, as steps: pick, number, orientation, menu, all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.dsl.tree import Choose, ChooseNumber, ChooseOrientation, Menu, MenuItem, Secret, VariableValue
from trionfi.shell.prose.queries import called, each_of, noun_phrase, steps_of
from trionfi.shell.prose.statements import block_steps
from trionfi.shell.prose.steps import Step
from trionfi.shell.prose.voice import Voice, renders
from trionfi.shell.prose.words import article, human, term

__all__: list[str] = []


@renders(Choose)
def tell_choose(voice: Voice, node: Choose) -> Step:
    return Step(f"{voice.say(node.player)} chooses {chosen(voice, node)}")


def chosen(voice: Voice, node: Choose) -> str:
    with voice.subject(node.player):
        things = how_many(voice, node)
        such = "" if node.such_that is None else f", such that {voice.say(node.such_that)}"
    return f"{things}{such}{name_of(node)}"


def how_many(voice: Voice, node: Choose) -> str:
    """`1 card in their hand`, `up to 3 cards`, `any number of cards`."""
    low, high = voice.say(node.low), None if node.high is None else voice.say(node.high)
    if low == high == "1":
        return article(noun_phrase(voice, node.domain))
    many = noun_phrase(voice, node.domain, many=True)
    if high is None:
        return f"any number of {many}" if low == "0" else f"{low} or more {many}"
    if low == high:
        return f"{low} {many}" if low is None or low.isdigit() else f"{many}, as many as {low}"
    return (
        f"up to {high} {noun_phrase(voice, node.domain) if high == '1' else many}"
        if low == "0"
        else f"{low} to {high} {many}"
    )


def name_of(node: Choose | ChooseNumber) -> str:
    """What the choice is called from now on, where it is not plain from the words."""
    name = node.target.variable.name if isinstance(node.target, VariableValue) else node.target.local.name
    return "" if len(name) == 1 else f" (the {term(name)})"


@renders(ChooseNumber)
def tell_choose_number(voice: Voice, node: ChooseNumber) -> Step:
    return Step(f"{voice.say(node.player)} chooses {number_chosen(voice, node)}")


def number_chosen(voice: Voice, node: ChooseNumber) -> str:
    with voice.subject(node.player):
        low, high = voice.say(node.low), voice.say(node.high)
        step = steps_of(voice, node.step)
    return f"a number from {low} to {high}{step}{name_of(node)}"


@renders(ChooseOrientation)
def tell_choose_orientation(voice: Voice, node: ChooseOrientation) -> Step:
    return Step(f"{voice.say(node.player)} chooses {orientation_chosen(voice, node)}")


def orientation_chosen(voice: Voice, node: ChooseOrientation) -> str:
    with voice.subject(node.player):
        return f"for each {noun_phrase(voice, node.domain)} whether it is upright or reversed"


@renders(Menu)
def tell_menu(voice: Voice, node: Menu) -> Step:
    items = [voice.tell(item) for item in node.items]
    one = "one of these" if len(items) > 1 else "this"
    return Step(f"{voice.say(node.player)} chooses {one} ({human(node.decision)})", items)


@renders(MenuItem)
def tell_menu_item(voice: Voice, node: MenuItem) -> Step:
    """`"play [card]" for a card in the hand, if it fits: then what happens`."""
    things = [f" for {article(noun_phrase(voice, domain))}{called(voice, domain)}" for domain in node.domains]
    condition = "" if node.condition is None else f", if {voice.say(node.condition)}"
    inside = block_steps(voice, node.body)
    head = f"{voice.say(node.label)}{' and'.join(things)}{condition}"
    if len(inside) == 1 and not inside[0].inside:
        return Step(f"{head}: {inside[0].text}", choice=True)
    return Step(head, inside, choice=True)


@renders(Secret)
def tell_secret(voice: Voice, node: Secret) -> Step:
    """All choices of one player in one sentence; the player is who they are asked of."""
    with voice.calling(node.players.local, voice.name(node.players.local)._replace(owner="their")):
        said = [SECRET[type(choice)](voice, choice) for choice in node.choices]
    return Step(
        f"{each_of(voice, node.players)} chooses in secret, before anyone sees what others chose: {'; '.join(said)}"
    )


SECRET: dict[type, Callable[[Voice, Any], str]] = {
    Choose: chosen,
    ChooseNumber: number_chosen,
    ChooseOrientation: orientation_chosen,
}
