"""Playing cards with effects, and what is asked of plays (docs/meaning.md, Plays and effects).

No effect has code of its own: a text is a number, and what its row in the table of effects says is a case of a switch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trionfi.dsl import tree
from trionfi.dsl.source import Span
from trionfi.dsl.types import CARD, NOTHING, NUMBER, PLAYER, PLAYS, Type
from trionfi.interpreter.native.builder import I1, I16, I64, Value, Variable, number, table
from trionfi.interpreter.native.frames import Apart
from trionfi.interpreter.native.lower_moves import lift_card, put_card
from trionfi.interpreter.native.lower_statements import call_with, each_number
from trionfi.interpreter.native.lower_truths import face_of
from trionfi.interpreter.native.lowering import Lower, Lowering
from trionfi.interpreter.native.play_record import UNSETTLED, most_plays, most_targets, plays_family
from trionfi.interpreter.native.plays import (
    aimed,
    by_text,
    card_of_thing,
    first_slot,
    has_targets,
    is_there,
    own_card_lies,
    renew,
    renew_if_dirty,
    value_of_thing,
)
from trionfi.interpreter.native.targets import (
    EXPRESSIONS,
    begin_choosing,
    choose_new_targets,
    choose_targets,
    chosen_slot,
    playable,
    playable_text,
    write_thing,
)
from trionfi.interpreter.native.targets import (
    STATEMENTS as CHOICES,
)
from trionfi.interpreter.native.values import Cards, Slot, Zones

# ---- playing a card


def lower_play_card(f: Lowering, node: tree.PlayCard) -> None:
    """Playing is a procedure of its own, the same wherever it is called."""
    player, card = (f.wanted(f.expression(one), one.span) for one in (node.player, node.card))
    call_with(f, playing(f, node.span), [player, card])


def playing(f: Lowering, span: Span) -> tree.Procedure:
    """The procedure that plays a card; what stops it is told at the place that calls it first."""
    key = ("playing",)
    if key not in f.build.kernels:
        player, card = tree.Local("player", PLAYER, 0, span), tree.Local("card", CARD, 1, span)
        made = Apart("play a card", [player, card], [player, card], NOTHING, span)
        made.body, made.asks = [PlayBody(span)], True
        f.build.kernels[key] = made
    found: tree.Procedure = f.build.kernels[key]
    return found


class PlayBody(tree.Statement):
    """The whole of `player plays card`."""


def lower_play_body(f: Lowering, node: PlayBody) -> None:
    seat, card = f.slot(local_of(f, 0)), f.slot(local_of(f, 1))
    text = f.new_slot(NUMBER)
    text.store(effect_of(f, card.load(), node.span))
    full = f.code.compare(">=", f.field("plays"), most_plays(f.rules))
    f.fail_when(full, "too-many-plays", node.span)
    f.leave_when_failed()
    begin_choosing(f)
    take_text(f, seat, text)
    others = [effect for effect in f.rules.effects if effect.becomes is None]
    with by_text(f, text.load(), others) as each:
        for effect in each:
            choose_targets(f, effect, seat.load())
    total, blocks, play = (f.new_slot(NUMBER) for _ in range(3))
    total.store(f.field("written"))
    blocks.store(number(0))
    give_new_targets(f, seat, text, blocks)
    play.store(f.field("plays"))
    enter(f, seat, card, text, total, blocks)
    move_to_plays(f, card.load(), node.span)
    run_when_chosen(f, seat, play)
    run_scripts(f, play, lambda effect: effect.when_played)
    f.set_field("play life", f.field("life", card.load()), play.load())
    f.set_field("named", 1, card.load())
    f.code.call(renew(f.build), [f.state])


def local_of(f: Lowering, place: int) -> tree.Local:
    assert f.made is not None
    return f.made.procedure.parameters[place]


def effect_of(f: Lowering, card: Value, span: Span) -> Value:
    """The effect of a card; one without stops the game."""
    effect = effect_number(f, card)
    return f.sound(effect, f.code.compare("<", effect, 0), "no-effect-card", span)


def effect_number(f: Lowering, card: Value) -> Value:
    of_face = {face: effect.index for effect in f.rules.effects for face in effect.faces}
    effects = [of_face.get(face, -1) for face in range(len(f.rules.faces))]
    return f.code.load(I16, table(f.build.module, "effects of faces", I16, effects), face_of(f, card))


def take_text(f: Lowering, seat: Slot, text: Slot) -> None:
    """An effect that takes another's text: the play is chosen, and its text is in force."""
    takers = [effect for effect in f.rules.effects if effect.becomes is not None]
    if not takers:
        return
    with by_text(f, text.load(), takers) as each:
        for effect in each:
            assert effect.becomes is not None
            choose_targets(f, effect, seat.load())
            slot = chosen_slot(f, chosen_before(f, effect.becomes.index))
            play = f.code.subtract(f.code.subtract(0, f.field("thing", slot)), 1)
            text.store(f.field("play text", play))
            begin_choosing(f)


def chosen_before(f: Lowering, place: int) -> Value:
    """How many things have been chosen for the `targets` before."""
    total = number(0)
    for before in range(place):
        total = f.code.add(total, f.field("chosen", before))
    return total


def give_new_targets(f: Lowering, seat: Slot, text: Slot, blocks: Slot) -> None:
    """Of a text that gives new targets: a block for each play that was chosen, in the order of the picks."""
    givers = [effect for effect in f.rules.effects if effect.retargets is not None]
    if not givers:
        return
    texts = [effect for effect in f.rules.effects if effect.lasting]
    play, first = f.new_slot(NUMBER), f.new_slot(NUMBER)
    first.store(number(0))
    with by_text(f, text.load(), givers) as each:
        for effect in each:
            assert effect.retargets is not None
            first.store(chosen_before(f, effect.retargets.index))
            blocks.store(f.field("chosen", effect.retargets.index))
    with each_number(f, blocks.load) as (index, _):
        thing = f.field("thing", chosen_slot(f, f.code.add(first.load(), index)))
        play.store(f.code.subtract(f.code.subtract(0, thing), 1))
        write_thing(f, thing, local_of(f, 0).span)
        with by_text(f, f.field("play text", play.load()), texts) as each:
            for effect in each:
                choose_new_targets(f, effect, seat.load(), play.load())


def enter(f: Lowering, seat: Slot, card: Slot, text: Slot, total: Slot, blocks: Slot) -> None:
    """The play is the youngest of the list."""
    code, play, start = f.code, f.field("plays"), f.field("slots")
    values = {
        "player": seat.load(),
        "card": card.load(),
        "text": text.load(),
        "ended": 0,
        "in force": 1,
        "life": UNSETTLED,
        "start": start,
        "total": total.load(),
        "blocks": blocks.load(),
    }
    for name, value in values.items():
        f.set_field(f"play {name}", value, play)
    for place in range(most_targets(f.rules)):
        at = code.add(code.multiply(play, most_targets(f.rules)), place)
        f.set_field("play aimed", f.field("chosen", place), at)
    f.set_field("plays", code.add(play, 1))
    f.set_field("slots", code.add(start, f.field("written")))
    f.set_field("named", 1, card.load())
    with code.count(f.field("written")) as index:
        thing = f.field("thing", code.add(start, index))
        lies = code.both(code.compare(">=", thing, 0), is_there(f, thing))
        with code.when(lies):
            f.set_field("named", 1, card_of_thing(f, thing))
    f.set_field("dirty", 1)


def move_to_plays(f: Lowering, card: Value, span: Span) -> None:
    family = plays_family(f.rules)
    lift_card(f, card, span)
    site = f.build.error_site("zone-overfull", span, family)
    put_card(f, card, number(f.layout.plans[family].first), family, "", site)
    renew_if_dirty(f)


def run_when_chosen(f: Lowering, seat: Slot, play: Slot) -> None:
    """What each effect does with its targets: cards that lie where they were chosen, each once."""
    if f.rules.when_chosen is None:
        return
    code, start = f.code, f.field("play start", play.load())
    room, count = f.list_room(Type("cards")), Variable(code, I64)
    count.set(0)
    with code.count(f.field("written")) as index:
        add_card(f, f.field("thing", code.add(start, index)), room, count)
    cards = Cards(room, f.small(count.get(), f.layout.cards.count))
    call_with(f, f.rules.when_chosen, [seat.load(), code.add(play.load(), 1), cards])


def add_card(f: Lowering, thing: Value, room: Value, count: Variable) -> None:
    """A card that is there joins a list, once."""
    code, new = f.code, Variable(f.code, I1)
    new.set(code.both(code.compare(">=", thing, 0), is_there(f, thing)))
    card = card_of_thing(f, thing)
    with code.count(count.get()) as index:
        with code.when(code.compare("==", code.load(f.layout.card_kind, room, index, signed=False), card)):
            new.set(0)
    with code.when(new.get()):
        code.store(f.layout.card_kind, card, room, count.get())
        count.add(1)


# ---- scripts


def run_scripts(f: Lowering, play: Slot, script: Callable[[tree.Effect], tree.Procedure | None]) -> None:
    """Runs the script of a play's text, if it has one."""
    effects = [effect for effect in f.rules.effects if script(effect) is not None]
    with by_text(f, f.field("play text", play.load()), effects) as each:
        for effect in each:
            procedure = script(effect)
            assert procedure is not None
            call_with(f, procedure, arguments_of(f, effect, play.load()))


def arguments_of(f: Lowering, effect: tree.Effect, play: Value) -> list[Any]:
    """What a script of a play is given: its player, the play, and its targets that are still there."""
    given: list[Any] = [f.field("play player", play), f.code.add(play, 1)]
    for targets in effect.targets:
        listed = targets_there(f, targets, play)
        given.append(first_of(f, listed) if targets.single else listed)
    return given


def targets_there(f: Lowering, targets: tree.Targets, play: Value) -> Cards | Zones:
    code, is_card = f.code, targets.domain.noun == "card"
    room, count = f.list_room(Type("cards") if is_card else PLAYS), Variable(code, I64)
    kind = f.layout.card_kind if is_card else I16
    count.set(0)
    first = first_slot(f, play, targets.index)
    with code.count(aimed(f, play, targets.index)) as index:
        thing = f.field("now", code.add(first, index))
        code.store(kind, value_of_thing(f, thing), room, count.get())
        count.add(code.number_of(is_there(f, thing)))
    if is_card:
        return Cards(room, f.small(count.get(), f.layout.cards.count))
    return Zones(f.small(count.get(), most_plays(f.rules)), pointer=room)


def first_of(f: Lowering, listed: Cards | Zones) -> Value:
    kind = f.layout.card_kind if isinstance(listed, Cards) else I16
    found = Variable(f.code, I64)
    found.set(-1)
    with f.code.when(f.code.compare(">", listed.count, 0)):
        found.set(f.code.load(kind, listed.pointer, 0, signed=False))
    return f.small(found.get(), 1 << 15)


def run_event(f: Lowering, event: str) -> None:
    """`when EVENT` of every play in force, in the order of play."""
    if not any(event in effect.events for effect in f.rules.effects):
        return
    play = f.new_slot(NUMBER)
    with each_number(f, lambda: f.field("plays")) as (index, _):
        play.store(index)
        with f.code.when(f.code.compare("!=", f.field("play in force", index), 0)):
            run_scripts(f, play, lambda effect: effect.events.get(event))


def lower_end_plays(f: Lowering, node: tree.EndPlays) -> None:
    with f.code.count(f.field("slots")) as slot:
        thing = f.field("thing", slot)
        with f.code.when(f.code.compare(">=", thing, 0)):
            f.set_field("named", 0, card_of_thing(f, thing))
    with f.code.count(f.field("plays")) as play:
        f.set_field("named", 0, f.field("play card", play))
    for name in ("plays", "slots"):
        f.set_field(name, 0)
    f.code.call(renew(f.build), [f.state])


def lower_end_target(f: Lowering, node: tree.EndTarget) -> None:
    value = f.expression(node.target)
    if isinstance(value, Zones):
        with f.code.count(value.count) as index:
            end_play(f, f.code.load(I16, value.pointer, index), node.span)
    else:
        with f.code.when(f.code.compare(">=", value, 0)):
            end_play(f, value, node.span)
    f.code.call(renew(f.build), [f.state])


def end_play(f: Lowering, number_: Value, span: Span) -> None:
    f.set_field("play ended", 1, play_called(f, number_, span))


# ---- values


def play_called(f: Lowering, number_: Value, span: Span) -> Value:
    """The play of a number, from 0; a number that no play has stops the game."""
    outside = f.code.either(f.code.compare("<", number_, 1), f.code.compare(">", number_, f.field("plays")))
    return f.code.subtract(f.sound(number_, outside, "no-such-play", span, instead=1), 1)


def lower_all_plays(f: Lowering, node: tree.AllPlays) -> Zones:
    room, count = f.list_room(PLAYS), f.field("plays")
    with f.code.count(count) as index:
        f.code.store(I16, f.code.add(index, 1), room, index)
    return Zones(f.small(count, most_plays(f.rules)), pointer=room)


def lower_playable(f: Lowering, node: tree.Playable) -> Value:
    player = f.wanted(f.expression(node.player), node.player.span)
    what = f.wanted(f.expression(node.what), node.what.span)
    effect = what if node.what.type.kind == "effect" else effect_number(f, what)
    if isinstance(node.what, tree.Const):
        assert isinstance(node.what.value, int)
        return f.code.call(playable(f.build, node.what.value), [f.state, player])
    return f.code.call(playable_text(f.build), [f.state, effect, player])


def play_attribute(f: Lowering, node: tree.Attribute) -> Any:
    number_ = f.wanted(f.expression(node.operand), node.operand.span)
    return OF_PLAY[node.name](f, play_called(f, number_, node.span))


def own_card(f: Lowering, play: Value) -> Value:
    card = f.code.choose(own_card_lies(f, play), f.field("play card", play), -1)
    return f.small(card, f.layout.cards.count)


def target_cards(f: Lowering, play: Value) -> Cards:
    code, start = f.code, f.field("play start", play)
    room, count = f.list_room(Type("cards")), Variable(code, I64)
    count.set(0)
    with code.count(f.field("play total", play)) as index:
        add_card(f, f.field("now", code.add(start, index)), room, count)
    return Cards(room, f.small(count.get(), f.layout.cards.count))


OF_PLAY: dict[str, Callable[[Lowering, Value], Any]] = {
    "number": lambda f, play: f.small(f.code.add(play, 1), 1 << 15),
    "player": lambda f, play: f.small(f.field("play player", play), f.layout.seats),
    "effect": lambda f, play: f.small(f.field("play text", play), len(f.rules.effects)),
    "in_force": lambda f, play: f.code.compare("!=", f.field("play in force", play), 0),
    "has_targets": lambda f, play: f.code.call(has_targets(f.build), [f.state, play]),
    "card": own_card,
    "targets": target_cards,
}

TABLE: dict[type, Lower] = {
    tree.AllPlays: lower_all_plays,
    tree.Playable: lower_playable,
    **EXPRESSIONS,
}
STATEMENTS: dict[type, Lower] = {
    tree.PlayCard: lower_play_card,
    PlayBody: lower_play_body,
    tree.EndPlays: lower_end_plays,
    tree.EndTarget: lower_end_target,
    **CHOICES,
}
