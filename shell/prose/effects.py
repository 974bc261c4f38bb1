"""Effects of cards: their text, what they are aimed at, and what they do."""

from __future__ import annotations

from typing import assert_never

from trionfi.dsl.tree import Alteration, Const, Effect, Procedure, Targets
from trionfi.shell.prose.queries import noun_phrase
from trionfi.shell.prose.statements import block_steps
from trionfi.shell.prose.steps import Step
from trionfi.shell.prose.voice import Called, Voice, renders
from trionfi.shell.prose.words import amount, article, human, named

__all__ = ["tells_scripts"]


@renders(Effect)
def tell_effect(voice: Voice, node: Effect) -> list[Step]:
    """The text that players read, then its parts."""
    voice.enter(node.locals)
    steps = [Step(f"{'Target' if one.single else 'Targets'}: {voice.say(one)}") for one in node.targets]
    scripts = tells_scripts(voice, node)
    steps += part(voice, "When it is played", node.when_played if scripts else None)
    steps += [Step(f"While in force: {voice.say(one)}") for one in node.alterations]
    for event, script in node.events.items() if scripts else ():
        steps += part(voice, f"If in force, when {human(event)} comes", script)
    if node.becomes is not None:
        steps.append(Step(f"It takes the text of {the(node.becomes)}, and is aimed anew"))
    if node.retargets is not None:
        steps.append(Step(f"New targets are chosen for each of {the(node.retargets)}, as many as before"))
    if node.negates is not None:
        when = "" if node.negates_if is None else f", if {voice.say(node.negates_if)}"
        steps.append(Step(f"While in force it silences {the(node.negates)}{when}"))
    return steps


def tells_scripts(voice: Voice, effect: Effect) -> bool:
    """Scripts are told with the course of play, and where the effect has no text of its own that tells them."""
    return voice.tells_course or not effect.text


def part(voice: Voice, head: str, script: Procedure | None) -> list[Step]:
    if script is None:
        return []
    voice.enter(script.locals)
    inside = block_steps(voice, script.body)
    if len(inside) == 1 and not inside[0].inside:
        return [Step(f"{head}: {inside[0].text}")]
    return [Step(head, inside)] if inside else []


def the(targets: Targets) -> str:
    """`the target`, `the targets`, or the name that the ruleset gave."""
    if targets.name != "targets":
        return named(targets.name, "card")
    return "the target" if targets.single else "the targets"


@renders(Targets)
def say_targets(voice: Voice, node: Targets) -> str:
    low, high = voice.say(node.low), None if node.high is None else voice.say(node.high)
    many = noun_phrase(voice, node.domain, many=True)
    name = "" if node.name == "targets" else f" ({the(node)})"
    if low == high:
        return f"{article(noun_phrase(voice, node.domain)) if low == '1' else f'{low} {many}'}{name}"
    if high is None:
        return f"{low} or more {many}{name}"
    return f"up to {high} {many}{name}" if low == "0" else f"{low} to {amount(high, many)}{name}"


@renders(Alteration)
def say_alteration(voice: Voice, node: Alteration) -> str:
    subject = "its own card" if node.of is None else f"each of {the(node.of)}" if not node.of.single else the(node.of)
    if node.card is not None:
        with voice.calling(node.card, Called("it", "its")):
            said = altered(voice, node)
    else:
        said = altered(voice, node)
    return f"{subject} {said}" + ("" if node.condition is None else f", if {voice.say(node.condition)}")


def altered(voice: Voice, node: Alteration) -> str:
    value = "" if node.value is None else voice.say(node.value)
    match node.kind:
        case "copy":
            return f"is a copy of {the(node.model) if node.model is not None else 'another card'}"
        case "every" | "no":
            return f"has {node.kind} {node.what}"
        case "some":
            return f"has {node.what} {value}" if isinstance(node.value, Const) else f"has as its {node.what} {value}"
        case "mark":
            return f"is marked {value}"
        case _:
            assert_never(node.kind)
