"""Statements as steps that a player follows."""

from __future__ import annotations

from collections.abc import Sequence

from trionfi.dsl.tree import (
    Assign,
    Call,
    Change,
    Conditional,
    Const,
    Deal,
    DealAround,
    EndGame,
    EndPlays,
    EndTarget,
    Expr,
    ForCount,
    ForEach,
    If,
    Local,
    LocalValue,
    Move,
    Orient,
    Pay,
    Pick,
    Place,
    PlayCard,
    RepeatTimes,
    RepeatUntil,
    Return,
    Say,
    Select,
    SetMark,
    Show,
    Shuffle,
    Statement,
    Stop,
    Trigger,
    TurnFace,
    TurnOver,
    VariableValue,
    While,
    ZonesValue,
    ZoneValue,
)
from trionfi.shell.prose.expressions import operand, truth_variable, zone_name
from trionfi.shell.prose.known import arms_that_may_hold, known
from trionfi.shell.prose.queries import each_of, noun_phrase, order_of, steps_of
from trionfi.shell.prose.steps import Step
from trionfi.shell.prose.voice import Voice, renders
from trionfi.shell.prose.words import amount, be, human, listed, term, without_the

__all__ = ["block_steps", "lower"]

FACES = {"up": ", face up", "down": ", face down", "": ""}
FIGURES = ("number", "truth", "fraction")
INLINE = 90  # columns; a longer step stands on a line of its own


def block_steps(voice: Voice, block: Sequence[Statement]) -> list[Step]:
    """The steps of a script; what nobody at the table does (events without effects) is left out."""
    steps = (voice.tell(statement) for statement in block)
    return [step for step in steps if step is not None]


def under(voice: Voice, head: str, block: Sequence[Statement], colon: str = ":") -> Step | None:
    """A step that introduces others; a single short one stands in the same sentence."""
    inside = block_steps(voice, block)
    if not inside:
        return None
    only = inside[0]
    if len(inside) == 1 and not only.inside and len(only.text) <= INLINE:
        return Step(f"{head}{colon} {lower(only.text)}")
    if len(inside) == 1 and only.inside and len(only.text) + len(head) <= INLINE and not only.choice:
        return Step(f"{head}{colon} {lower(only.text)}", only.inside)
    return Step(head, inside)


def lower(text: str) -> str:
    """Goes on within a sentence."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


# ---- cards


@renders(Shuffle)
def tell_shuffle(voice: Voice, node: Shuffle) -> Step:
    turned = ""
    if isinstance(node.rotation, Const):
        turned = f" and turn {voice.say(node.rotation)} of the cards upside down at random"
    elif node.rotation is not None:
        turned = f" and turn cards upside down at random, as {voice.say(node.rotation)} says"
    return Step(f"Shuffle {voice.say(node.zone)}{turned}")


@renders(Deal)
def tell_deal(voice: Voice, node: Deal) -> Step:
    up_to = "up to " if node.up_to else ""
    cards = amount(voice.say(node.amount), "card")
    places = ", a place each" if isinstance(node.to, ZonesValue) else ""
    return Step(f"Deal {up_to}{cards} from {voice.say(node.source)} to {voice.say(node.to)}{places}{FACES[node.face]}")


@renders(DealAround)
def tell_deal_around(voice: Voice, node: DealAround) -> Step:
    up_to = "up to " if node.up_to else ""
    cards = amount(voice.say(node.amount), "card")
    turns = "" if cards == "1 card" else ", one at a time"
    whose = f"{noun_phrase(voice, node.players)}'s {zone_name(node.family.name)}"
    order = order_of(voice, node.players)
    return Step(f"Deal {up_to}{cards} from {voice.say(node.source)} to each {whose}{turns}{order}{FACES[node.face]}")


@renders(Move)
def tell_move(voice: Voice, node: Move) -> Step:
    where = "under" if node.bottom else "to"
    return Step(f"Move {cards_of(voice, node.cards)} {where} {voice.say(node.to)}{FACES[node.face]}")


def cards_of(voice: Voice, cards: Expr) -> str:
    """Of a zone: its cards; all that there are, if nothing is said of them."""
    if isinstance(cards, Select) and cards.which == "all" and cards.domain.source is None and not cards.domain.where:
        return "all cards of the game"
    inner = getattr(cards, "source", cards)
    if isinstance(inner, ZoneValue | ZonesValue):
        return f"all cards of {voice.say(inner)}".replace(" cards of the taken cards", " taken cards")
    return voice.say(cards)


@renders(TurnFace)
def tell_turn_face(voice: Voice, node: TurnFace) -> Step:
    return Step(f"Turn {listed([voice.say(one) for one in node.cards])} face {'up' if node.up else 'down'}")


@renders(TurnOver)
def tell_turn_over(voice: Voice, node: TurnOver) -> Step:
    return Step(f"Turn {voice.say(node.source)} over onto {voice.say(node.to)}")


@renders(Orient)
def tell_orient(voice: Voice, node: Orient) -> Step:
    return Step(f"Turn {voice.say(node.cards)} {voice.say(node.orientation)}")


@renders(SetMark)
def tell_set_mark(voice: Voice, node: SetMark) -> Step:
    return Step(f"{voice.owned(node.card, term(node.mark.name))} becomes {voice.say(node.value)}")


@renders(Show)
def tell_show(voice: Voice, node: Show) -> Step:
    if node.to is None:
        return Step(f"Show {voice.say(node.cards)} to everybody")
    return Step(f"{voice.say(node.to)} looks at {voice.say(node.cards)}")


@renders(Say)
def tell_say(voice: Voice, node: Say) -> Step:
    return Step(f"Say: {voice.say(node.label)}")


# ---- what is kept in mind


@renders(Assign)
def tell_assign(voice: Voice, node: Assign) -> Step:
    target, value = node.target, node.value
    if isinstance(target, VariableValue) and target.type.kind == "truth":
        return Step(truth_set(voice, target, value))
    if isinstance(target, LocalValue) and target.type.kind == "truth":
        if known(value) is not None:
            return Step(f"{kept_name(target)} {'holds' if known(value) else 'does not hold'} from now on")
        return Step(f"{kept_name(target)} holds if {voice.say(value)}")
    name = place(voice, target)
    if node.by_lot:
        return Step(f"{name} is drawn by lot: {voice.say(value)}")
    if isinstance(value, Const) and value.value is None:
        return Step(f"There is no {without_the(name)} now" if name.startswith("the ") else f"{name}: none now")
    verb = be(name) if isinstance(target, LocalValue) else "become" if be(name) == "are" else "becomes"
    if isinstance(target, LocalValue) and name.startswith(f"the {target.type.kind} "):
        verb = "is at first" if isinstance(value, Const) else verb
    if isinstance(value, Conditional):
        return Step(f"{name} {verb}: {voice.say(value)}")
    return Step(f"{name} {verb} {voice.say(value)}")


def place(voice: Voice, target: Place) -> str:
    return voice.say(target)


def truth_set(voice: Voice, target: VariableValue, value: Expr) -> str:
    """`the player is folded from now on`."""
    if not isinstance(value, Const):
        whole = truth_variable(voice, target, negative=False)
        return f"From now on {whole} if {voice.say(value)}, and not otherwise"
    if target.owner is None:
        return f'"{term(target.variable.name)}" {"holds" if value.value else "does not hold"} from now on'
    return f"{truth_variable(voice, target, negative=not value.value)} from now on"


@renders(Change)
def tell_change(voice: Voice, node: Change) -> Step:
    verb, where = ("Take", "from") if node.subtract else ("Add", "to")
    return Step(f"{verb} {operand(voice, node.amount)} {where} {voice.say(node.target)}")


@renders(Pay)
def tell_pay(voice: Voice, node: Pay) -> Step:
    if voice.say(node.amount) == voice.say(node.source):
        return Step(f"Pay all of {voice.say(node.source)} to {voice.say(node.to)}")
    return Step(f"Pay {operand(voice, node.amount)} from {voice.say(node.source)} to {voice.say(node.to)}")


# ---- the course


@renders(Call)
def tell_call(voice: Voice, node: Call) -> Step:
    return Step(call_text(voice, node))


def call_text(voice: Voice, node: Call) -> str:
    pairs = list(zip(node.procedure.parameters, node.arguments, strict=True))
    said = [voice.say(argument) for local, argument in pairs if local.type.kind not in FIGURES]
    figures = [figure(voice, local, given) for local, given in pairs if local.type.kind in FIGURES]
    whom = (f" for {listed(said)}" if said else "") + (f" with {listed(figures)}" if figures else "")
    given = "" if node.target is None else f"; its result is {place(voice, node.target)} from now on"
    if node.target is not None and node.target.type.kind == "truth":
        given = f"; its result is kept as {kept_name(node.target)}"
    return f"Do {voice.section(node.procedure)}{whom}{given}"


def figure(voice: Voice, local: Local, given: Expr) -> str:
    """`3 as n`; only `n` where it is called so here, too."""
    said = voice.say(given)
    if local.type.kind == "truth" and not isinstance(given, Const):
        said = f"whether {said}"
    return said if said == local.name else f"{said} as {term(local.name)}"


def kept_name(target: Place) -> str:
    return f'"{human(target.variable.name if isinstance(target, VariableValue) else target.local.name)}"'


@renders(Return)
def tell_return(voice: Voice, node: Return) -> Step:
    if node.call is not None:
        return Step(f"{call_text(voice, node.call)}; this ends here with the same result")
    if node.value is None:
        return Step("This ends here")
    colon = ":" if isinstance(node.value, Conditional) else ""
    return Step(f"This ends here with the result{colon} {voice.say(node.value)}")


@renders(Stop)
def tell_stop(voice: Voice, node: Stop) -> Step:
    return Step("This is not repeated any more")


@renders(EndGame)
def tell_end_game(voice: Voice, node: EndGame) -> Step:
    return Step("The game ends")


@renders(Trigger)
def tell_trigger(voice: Voice, node: Trigger) -> Step | None:
    """What only measures read is nothing to the players."""
    effects = [effect.name for effect in voice.ruleset.effects if node.event in effect.events]
    if not effects:
        return None
    return Step(
        f"{listed(effects)}, if in force, take{'s' if len(effects) == 1 else ''} effect now, in the order of play"
    )


@renders(PlayCard)
def tell_play_card(voice: Voice, node: PlayCard) -> Step:
    return Step(f"{voice.say(node.player)} plays {voice.say(node.card)} and its effect happens")


@renders(EndPlays)
def tell_end_plays(voice: Voice, node: EndPlays) -> Step:
    return Step("All effects are over and every card is as printed again")


@renders(EndTarget)
def tell_end_target(voice: Voice, node: EndTarget) -> Step:
    return Step(f"{voice.say(node.target)} is out of force for good")


@renders(If)
def tell_if(voice: Voice, node: If) -> Step | None:
    """One arm in its sentence; several as a list of cases."""
    steps = []
    arms, last = arms_that_may_hold(node.arms, node.otherwise)
    if not arms and last:
        inside = block_steps(voice, last)
        return inside[0] if len(inside) == 1 else Step("Then", inside)
    for number, (condition, block) in enumerate(arms):
        word = "Otherwise, if" if number else "If"
        step = under(voice, f"{word} {voice.say(condition)}", block, ",")
        steps += [] if step is None else [step]
    otherwise = under(voice, "Otherwise", last, ",")
    steps += [] if otherwise is None else [otherwise]
    if len(steps) < 2:
        return steps[0] if steps else None
    if not any(step.inside for step in steps) and sum(len(step.text) for step in steps) <= 3 * INLINE:
        return Step(". ".join(step.text.removesuffix(".") for step in steps))
    return Step("It depends", steps)


@renders(While)
def tell_while(voice: Voice, node: While) -> Step | None:
    return under(voice, f"As long as {voice.say(node.condition)}", node.body)


@renders(RepeatUntil)
def tell_repeat_until(voice: Voice, node: RepeatUntil) -> Step | None:
    return under(voice, f"Repeat this until {voice.say(node.condition)}", node.body)


@renders(RepeatTimes)
def tell_repeat_times(voice: Voice, node: RepeatTimes) -> Step | None:
    return under(voice, f"Repeat this {amount(voice.say(node.amount), 'time')}", node.body)


@renders(ForEach)
def tell_for_each(voice: Voice, node: ForEach) -> Step | None:
    return under(voice, f"For {each_of(voice, node.domain)}", node.body)


@renders(ForCount)
def tell_for_count(voice: Voice, node: ForCount) -> Step | None:
    name = voice.name(node.local).subject
    ends = f"from {voice.say(node.low)} to {voice.say(node.high)}{steps_of(voice, node.step)}"
    return under(voice, f"For {name} {ends}", node.body)


# ---- strategies


@renders(Pick)
def tell_pick(voice: Voice, node: Pick) -> Step:
    about = "" if node.thing is None else f" with {voice.say(node.thing)}"
    return Step(f"Choose {voice.say(node.value)}{about}, if it is offered")
