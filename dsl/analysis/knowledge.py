"""Options that hang on what the chooser cannot know.

The scripts are followed in order, through calls, with what has been shown on the way: `where` of a choice, `if` of an
option, its label, the ends of a number and `such that` may ask only for what is public or known to the chooser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from trionfi.dsl.analysis.sight import NONE, PLAIN, Scene, Secrets, SecretSource, Seen, Sight, Term, known_to
from trionfi.dsl.diagnostics import Diagnostic, Diagnostics, declare_codes
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Assign,
    Block,
    Call,
    CardsOf,
    Change,
    Choose,
    ChooseNumber,
    ChooseOrientation,
    Deal,
    DealAround,
    Domain,
    Effect,
    Expr,
    ForCount,
    ForEach,
    If,
    Joined,
    LocalValue,
    Menu,
    MenuItem,
    Move,
    Place,
    PlayCard,
    Procedure,
    RepeatTimes,
    RepeatUntil,
    Return,
    Ruleset,
    Secret,
    Show,
    Shuffle,
    Statement,
    TurnFace,
    TurnOver,
    While,
    ZoneFamily,
)
from trionfi.dsl.tree.walk import scripts

declare_codes({"hidden-choice": "What a player may choose hangs on nothing that the player cannot know."})


def check_knowledge(rules: Ruleset, diagnostics: Diagnostics) -> None:
    tops_up: set[ZoneFamily] = set()
    found = follow_scripts(rules, tops_up)
    # which piles have their top card turned up is known after the first time
    for one in follow_scripts(rules, tops_up) if found and tops_up else found:
        diagnostics.add(one)


def follow_scripts(rules: Ruleset, tops_up: set[ZoneFamily]) -> list[Diagnostic]:
    """What is found in all scripts; piles whose top card they turn up are added to `tops_up`."""
    follower = Follower(Scene(rules.players, tops_up=tops_up))
    follower.procedure(rules.play, [])
    for script in scripts(rules):
        if script not in follower.followed:
            follower.procedure(script, [_parameter(local) for local in script.parameters])
    for effect in rules.effects:
        follower.effect(effect)
    return follower.found


def _parameter(local: object) -> Sight:
    """What is known of the parameter of a procedure that nobody calls."""
    return Sight(owner=("local", id(local)), key=("local", id(local)))


@dataclass
class Follower:
    """Follows scripts, statement by statement, with what players know at each."""

    scene: Scene
    found: list[Diagnostic] = field(default_factory=list)
    told_of: set[tuple[str, str]] = field(default_factory=set)  # decisions with the cards that they may not ask
    results: dict[object, tuple[Sight, Seen]] = field(default_factory=dict)
    followed: set[Procedure] = field(default_factory=set)
    returned: list[Sight] = field(default_factory=list)

    @property
    def rules(self) -> Rules:
        """What statements do, those that matter here."""
        return RULES

    # ---- calls

    def procedure(self, procedure: Procedure, arguments: list[Sight]) -> Sight:
        """Follows a script with these arguments, once for all calls that are alike; what is known of its result."""
        self.followed.add(procedure)
        call = procedure, tuple(arguments), frozenset(self.scene.seen.items())
        if call in self.results:
            result, seen = self.results[call]
            self.scene.seen = dict(seen)
            return result
        before, self.returned = self.returned, []
        self.scene.locals.update(zip(procedure.parameters, arguments, strict=True))
        self.block(procedure.body)
        result = self.scene.either(self.returned, ("result", id(procedure))) if self.returned else PLAIN
        self.returned = before
        self.results[call] = result, dict(self.scene.seen)
        return result

    def follow_call(self, one: Call) -> None:
        result = self.procedure(one.procedure, [self.scene.sight(argument) for argument in one.arguments])
        # who it is is another one at each call
        self.set(one.target, replace(result, owner=("result", id(one)), key=("result", id(one))))

    def follow_return(self, one: Return) -> None:
        if one.call is not None:
            self.follow_call(one.call)
        self.returned.append(self.scene.sight(one.value))

    # ---- what becomes known

    def set(self, target: Place | None, sight: Sight) -> None:
        if isinstance(target, LocalValue):
            self.scene.locals[target.local] = sight

    def follow_assign(self, one: Assign) -> None:
        self.set(one.target, self.scene.sight(one.value))

    def follow_change(self, one: Change) -> None:
        if isinstance(one.target, LocalValue):
            before, amount = self.scene.sight(one.target), self.scene.value(one.amount)
            self.set(one.target, replace(before, value=before.value | amount))

    def follow_show(self, one: Show) -> None:
        to = self.scene.sight(one.to).owner if one.to is not None else None
        self.show(one.cards, frozenset({to}) if to is not None else None)

    def follow_turn_face(self, one: TurnFace) -> None:
        for cards in one.cards if one.up else []:
            self.show(cards, None)
            if (family := _topped(self.scene, cards)) is not None:
                self.scene.tops_up.add(family)

    def show(self, cards: Expr, to: frozenset[Term] | None) -> None:
        """Everybody, or some, know these cards from now on."""
        if isinstance(cards, Joined):
            self.show(cards.left, to)
            self.show(cards.right, to)
            return
        sight = self.scene.sight(cards)
        inner = cards.source if isinstance(cards, CardsOf) else cards
        if isinstance(inner, LocalValue):
            content = NONE if to is None else known_to(sight.content, to)
            self.scene.locals[inner.local] = replace(sight, content=content)
        if sight.key is not None:
            before = self.scene.seen.get(sight.key, frozenset())
            self.scene.seen[sight.key] = None if to is None or before is None else before | to

    def follow_move(self, one: Move) -> None:
        to = self.scene.sight(one.to)
        inner = one.cards.source if isinstance(one.cards, CardsOf) else one.cards
        if isinstance(inner, LocalValue):
            sight = self.scene.sight(inner)
            open_now = one.face == "up" or (to.family is not None and not to.content and not one.face)
            owner = frozenset({to.owner} if to.owner and to.family and to.family.seen_by_owner else ())
            content = NONE if open_now else known_to(sight.content, owner)
            self.scene.locals[inner.local] = replace(sight, content=content)
        self.forget(one.to)

    def follow_deal(self, one: Deal) -> None:
        self.forget(one.to)

    def follow_deal_around(self, one: DealAround) -> None:
        self._forget(lambda key: key[0] == "zone" and key[1] == id(one.family))

    def follow_turn_over(self, one: TurnOver) -> None:
        self.forget(one.to)

    def follow_shuffle(self, one: Shuffle) -> None:
        self.forget(one.zone)

    def forget(self, zone: Expr) -> None:
        """Other cards lie there now."""
        key = self.scene.sight(zone).key
        self._forget(lambda seen: key is None or seen == key or seen[1:2] == (key,))

    def _forget(self, gone: Callable[[Term], bool]) -> None:
        self.scene.seen = {key: who for key, who in self.scene.seen.items() if not gone(key)}

    # ---- ways

    def block(self, block: Block) -> None:
        for statement in block:
            self.scene.spend(self.scene.size, statement.span)
            rule = self.rules.get(type(statement))
            if rule is not None:
                rule(self, statement)

    def ways(self, scenes: list[Scene]) -> None:
        """Goes on from where several ways meet."""
        result = scenes[0]
        for scene in scenes[1:]:
            result.seen = {key: who for key, who in result.seen.items() if scene.seen.get(key, ()) == who}
            for local, sight in scene.locals.items():
                mine = result.locals.setdefault(local, sight)
                if mine is not sight and mine != sight:
                    result.locals[local] = result.either([mine, sight], ("either", id(local)))
            result.tops_up |= scene.tops_up
        self.scene = result

    def follow_if(self, one: If) -> None:
        before = self.scene
        ends = []
        for condition, body in one.arms:
            self.scene = before.opened(condition).fork()
            self.block(body)
            ends.append(self.scene)
        self.scene = before.fork()
        self.block(one.otherwise)
        self.ways([*ends, self.scene])

    def loop(self, body: Block) -> None:
        """Again with what the passes before have left, until they leave nothing new; at least twice. What is handed on
        reaches one more local at each pass."""
        learnt, before_that, passes = None, None, 0
        while before_that is None or (learnt != before_that and passes < 2 + len(self.scene.locals)):
            before_that, before = learnt, self.scene.fork()
            self.block(body)
            self.ways([self.scene, before])
            learnt = {one: (sight.all, sight.place, sight.count) for one, sight in self.scene.locals.items()}
            passes += 1

    def follow_loop(self, one: While | RepeatUntil | RepeatTimes) -> None:
        self.loop(one.body)

    def follow_for_count(self, one: ForCount) -> None:
        self.scene.locals[one.local] = PLAIN
        self.loop(one.body)

    def follow_for_each(self, one: ForEach) -> None:
        scene, thing, _ = self.scene.within(one.domain)
        self.scene = scene
        self.scene.locals[one.domain.local] = thing
        self.loop(one.body)

    # ---- decisions

    def follow_choose(self, one: Choose) -> None:
        chooser = self.chooser(one.player, one.decision)
        self.ask(chooser, self.scene.value(one.low, one.high), one.low.span)
        scene, thing = self.pick(chooser, one.domain)
        if one.such_that is not None and one.chosen is not None:
            scene.locals[one.chosen] = Sight(owner=thing.owner, key=("chosen", id(one)))
            self.ask(chooser, scene.value(one.such_that), one.such_that.span)
        owner = ("chosen", id(one)) if one.domain.noun == "player" else thing.owner
        self.set(one.target, replace(thing, value=NONE, owner=owner, key=("chosen", id(one))))

    def pick(self, chooser: Chooser, domain: Domain) -> tuple[Scene, Sight]:
        """What is picked from: `where` is known to the chooser, and of cards which they are."""
        scene, thing, asked = self.scene.within(domain)
        self.ask(chooser, asked, domain.where.span if domain.where is not None else domain.span)
        if domain.noun == "card":
            at = domain.source.span if domain.source is not None else domain.span
            self.ask(chooser, thing.content, at, offered=True)
        return scene, thing

    def effect(self, effect: Effect) -> None:
        """The targets of an effect, which its player chooses one after another."""
        player = effect.locals[0]
        self.scene.seen.clear()
        self.scene.locals[player] = _parameter(player)
        for targets in effect.targets:
            chooser = self.chooser(LocalValue(player.type, player.span, player), f"{effect.name}: {targets.name}")
            self.ask(chooser, self.scene.value(targets.low, targets.high), targets.low.span)
            thing = self.pick(chooser, targets.domain)[1]
            self.scene.locals[targets.local] = replace(thing, value=NONE, key=("target", id(targets)))

    def follow_play_card(self, one: PlayCard) -> None:
        """What an effect does may move any card."""
        self.scene.seen.clear()

    def follow_choose_number(self, one: ChooseNumber) -> None:
        chooser = self.chooser(one.player, one.decision)
        for end in (one.low, one.high, one.step):
            if end is not None:
                self.ask(chooser, self.scene.value(end), end.span)
        self.set(one.target, PLAIN)

    def follow_choose_orientation(self, one: ChooseOrientation) -> None:
        chooser = self.chooser(one.player, "orientation")
        _, thing, asked = self.scene.within(one.domain)
        self.ask(chooser, asked, one.domain.span)
        if one.domain.source is not None:
            self.ask(chooser, thing.content, one.domain.source.span, offered=True)

    def follow_menu(self, one: Menu) -> None:
        chooser = self.chooser(one.player, one.decision)
        before = self.scene
        ends = []
        for item in one.items:
            self.scene = before.fork()
            self.item(chooser, item)
            self.block(item.body)
            ends.append(self.scene)
        self.ways(ends)

    def item(self, chooser: Chooser, item: MenuItem) -> None:
        for domain in item.domains:
            self.scene, thing, asked = self.scene.within(domain)
            self.ask(chooser, asked, domain.where.span if domain.where is not None else domain.span)
            self.scene.locals[domain.local] = thing
        if item.condition is not None:
            self.ask(chooser, self.scene.value(item.condition), item.condition.span)
            self.scene = self.scene.opened(item.condition)
        for domain in item.domains:
            # a card that is gone over stands there by name
            if domain.noun == "card" and domain.source is not None:
                thing = self.scene.shown(self.scene.locals[domain.local])
                self.ask(chooser, thing.content, domain.source.span, offered=True)
                self.scene.locals[domain.local] = replace(thing, content=NONE)  # told once
        for part in item.label.parts:
            if not isinstance(part, str):
                shown = self.scene.sight(part)
                self.ask(chooser, shown.value if part.type.kind == "zone" else shown.all, part.span)

    def follow_secret(self, one: Secret) -> None:
        scene, thing, _ = self.scene.within(one.players)
        self.scene = scene
        self.scene.locals[one.players.local] = thing
        self.block(list(one.choices))

    def ask(self, chooser: Chooser, secrets: Secrets, at: Span, offered: bool = False) -> None:
        """Reports what the chooser does not know of what is asked."""
        hidden = sorted((one for one in secrets if not self.knows(chooser, one)), key=lambda one: one.what.start)
        if not hidden or (chooser.decision, hidden[0].what.text) in self.told_of:
            return
        self.told_of.add((chooser.decision, hidden[0].what.text))  # one look mends all that asks the same cards
        self.found.append(self.told(chooser, hidden[0], at, offered))

    def chooser(self, player: Expr, decision: str) -> Chooser:
        """Who chooses; that it is this player is plain to all from now on."""
        sight = self.scene.sight(player)
        if isinstance(player, LocalValue):
            self.scene.locals[player.local] = replace(sight, value=NONE)
        return Chooser(player, sight.owner, decision, sight.value)

    def told(self, chooser: Chooser, secret: SecretSource, at: Span, offered: bool) -> Diagnostic:
        who, what = chooser.name, secret.what.text
        if offered:
            message = f"`{chooser.decision}` offers the cards of `{what}`, which `{who}` cannot see"
        else:
            message = f"`{chooser.decision}` hangs on `{what}`, which `{who}` cannot see"
        look = f"`{who} looks at {what}`" if _is_part(secret.what, at) else f"a look of `{who}` at these cards"
        hint = f"let {look} stand before, or ask `card.face is up` beside it"
        return Diagnostic("hidden-choice", message, at, "error", hint)

    def knows(self, chooser: Chooser, secret: SecretSource) -> bool:
        if secret in chooser.who:
            return True
        if self.scene.seats == (1, 1):
            return bool(secret.knowers)
        return chooser.term is not None and chooser.term in secret.knowers


def _is_part(inner: Span, outer: Span) -> bool:
    """Whether names of the inner text mean the same where the outer stands: a define has names of its own for players,
    while a zone and a seat are called the same everywhere."""
    if "." not in inner.text or re.match(r"p[0-9]+\.", inner.text):
        return True
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end


@dataclass(frozen=True, slots=True)
class Chooser:
    """Who chooses."""

    expr: Expr
    term: Term | None
    decision: str
    who: Secrets  # what one must know to know who it is

    @property
    def name(self) -> str:
        return self.expr.local.name if isinstance(self.expr, LocalValue) else self.expr.span.text


def _topped(scene: Scene, cards: Expr) -> Any:
    """The family whose top card an expression names."""
    inner = cards.source if isinstance(cards, CardsOf) else cards
    operand = getattr(inner, "operand", None) or getattr(inner, "zone", None)
    if not isinstance(operand, Expr) or operand.type.kind != "zone":
        return None
    family = scene.sight(operand).family
    return family if family is not None and not family.face else None


Rules = Mapping[type[Statement], Callable[[Any, Any], None]]
RULES: Rules = {
    Call: Follower.follow_call,
    Return: Follower.follow_return,
    Assign: Follower.follow_assign,
    Change: Follower.follow_change,
    Show: Follower.follow_show,
    TurnFace: Follower.follow_turn_face,
    Move: Follower.follow_move,
    Deal: Follower.follow_deal,
    DealAround: Follower.follow_deal_around,
    TurnOver: Follower.follow_turn_over,
    Shuffle: Follower.follow_shuffle,
    If: Follower.follow_if,
    While: Follower.follow_loop,
    RepeatUntil: Follower.follow_loop,
    RepeatTimes: Follower.follow_loop,
    ForCount: Follower.follow_for_count,
    ForEach: Follower.follow_for_each,
    Choose: Follower.follow_choose,
    PlayCard: Follower.follow_play_card,
    ChooseNumber: Follower.follow_choose_number,
    ChooseOrientation: Follower.follow_choose_orientation,
    Menu: Follower.follow_menu,
    Secret: Follower.follow_secret,
}
