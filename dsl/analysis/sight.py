"""What the value of an expression gives away: which hidden things one would have to know to know it.

Whoever a thing is hidden from is said with *terms*: a term stands for a player (or a card, or a zone) as the text names
it, so that `player` in `player.hand` and the `player` who chooses are seen to be the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from trionfi.dsl.analysis.likeness import likeness
from trionfi.dsl.diagnostics import Diagnostic, ReadingStops, declare_codes
from trionfi.dsl.known import StepBudget
from trionfi.dsl.limits import MOST_FOLLOWED
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    And,
    Attribute,
    CallDefine,
    CardAt,
    CardAtIndex,
    CardNamed,
    CardsOf,
    Conditional,
    Const,
    Count,
    Domain,
    Empty,
    Expr,
    Fold,
    Has,
    Joined,
    LetIn,
    Local,
    LocalValue,
    MarkValue,
    Member,
    NextPlayer,
    Playable,
    Quantified,
    Same,
    Select,
    SetsOf,
    TopCards,
    VariableValue,
    Without,
    ZoneFamily,
    ZonesValue,
    ZoneValue,
)
from trionfi.dsl.tree.walk import nearest
from trionfi.dsl.types import CARDS, PLAYER

declare_codes({"too-many-ways": f"To follow who sees what takes at most {MOST_FOLLOWED:,} steps."})

Term = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class SecretSource:
    """Something hidden: what the text calls it, and the terms of those who know it."""

    what: Span
    knowers: frozenset[Term]


Secrets = frozenset[SecretSource]
Seen = dict[Term, frozenset[Term] | None]
NONE: Secrets = frozenset()


@dataclass(frozen=True, slots=True)
class Sight:
    """Of the value of an expression: the secrets in the value itself (of a thing: which one it is), in what its cards
    are, in where a card lies, in how many cards there are. `owner`: of a player who it is, of cards and zones whose.
    `key`: which thing it is, for what is asked of it elsewhere."""

    value: Secrets = NONE
    content: Secrets = NONE
    place: Secrets = NONE
    count: Secrets = NONE
    owner: Term | None = None
    key: Term | None = None
    family: ZoneFamily | None = None

    @property
    def all(self) -> Secrets:
        """What one learns from the thing with all its cards."""
        return self.value | self.content


PLAIN = Sight()
_BELONGS_TO_CARD = frozenset({"suit", "rank", "number", "orientation", "colour"})
_HOLDERS = frozenset({"cards", "zone", "zones"})


@dataclass(slots=True)
class Scene:
    """What is known while scripts are followed. `seen`: by thing, who has been shown it, None for everybody;
    `tops_up`: zones whose top card the play turns up, as patiences do. `strict`: what a card in a variable or among the
    targets of a play is, and where it lies, nobody knows before it is seen to lie face up."""

    seats: tuple[int, int]
    locals: dict[Local, Sight] = field(default_factory=dict)
    seen: Seen = field(default_factory=dict)
    tops_up: set[ZoneFamily] = field(default_factory=set)
    strict: bool = False
    alters: bool = True  # effects may change suits and ranks
    steps: StepBudget = field(default_factory=lambda: StepBudget(MOST_FOLLOWED))

    @property
    def size(self) -> int:
        """How much work it is to copy or to join it, in steps."""
        return 1 + (len(self.locals) + len(self.seen)) // 16

    def fork(self) -> Scene:
        return replace(self, locals=dict(self.locals), seen=dict(self.seen))

    def opened(self, *conditions: Expr | None) -> Scene:
        """The scene in which conditions hold: cards that they say lie face up are seen, players that they say are one
        and the same have one term."""
        held = [condition for condition in conditions if condition is not None]
        keys = [key for condition in held for key in self.face_up(condition)]
        names = [pair for condition in held for pair in self.same_players(condition)]
        if not keys and not names:
            return self
        scene = self.fork()
        scene.seen.update(dict.fromkeys(keys))
        for local, owner in names:
            scene.locals[local] = replace(scene.locals.get(local, Sight(key=("local", id(local)))), owner=owner)
        return scene

    def same_players(self, condition: Expr) -> Iterable[tuple[Local, Term]]:
        """Locals of which a condition says which player they are; of two locals the first keeps its term."""
        if isinstance(condition, And):
            for one in condition.operands:
                yield from self.same_players(one)
        elif isinstance(condition, Same):
            left, right = condition.left, condition.right
            if isinstance(left, LocalValue) and isinstance(right, LocalValue) and left.type == right.type == PLAYER:
                first, later = sorted((left, right), key=lambda side: side.local.index)
                owner = self.sight(first).owner
                if owner is not None:
                    yield later.local, owner

    def face_up(self, condition: Expr) -> Iterable[Term]:
        """The things of which a condition says that they lie face up."""
        if isinstance(condition, And):
            for one in condition.operands:
                yield from self.face_up(one)
        elif isinstance(condition, CallDefine):
            bound = self.bound(condition)
            yield from bound.face_up(condition.define.body)
        elif isinstance(condition, LetIn):
            yield from self.with_step(condition).face_up(condition.body)
        elif isinstance(condition, Same) and isinstance(condition.left, Attribute) and condition.left.name == "face":
            key = self.sight(condition.left.operand).key
            # members of `face`: up, down
            if key is not None and isinstance(condition.right, Const) and condition.right.value == 0:
                yield key

    def bound(self, call: CallDefine) -> Scene:
        """The scene inside a define that is called."""
        sights = [self.sight(one) for one in call.arguments]
        return replace(self, locals={**self.locals, **dict(zip(call.define.parameters, sights, strict=True))})

    # ---- expressions

    def sight(self, expr: Expr | None) -> Sight:
        if expr is None:
            return PLAIN
        self.spend(1, expr.span)
        rule = _RULES.get(type(expr))
        sight = rule(self, expr) if rule else self._plain(expr)
        if expr.type == PLAYER and sight.owner is None:
            return replace(sight, owner=("player", id(expr)))
        return sight

    def spend(self, steps: int, at: Span) -> None:
        """Nothing is let pass unseen: who has more to follow than can be followed is refused."""
        self.steps.spend(steps)
        if self.steps.left < 0:
            message = f"to see that nobody is shown what is hidden takes more than {MOST_FOLLOWED:,} steps"
            hint = "nest loops and calls less, and call procedures less often with other values"
            raise ReadingStops(Diagnostic("too-many-ways", message, at, "error", hint))

    def value(self, *exprs: Expr | None) -> Secrets:
        return NONE.union(*(self.sight(expr).value for expr in exprs))

    def _plain(self, expr: Expr) -> Sight:
        """A value made of others: whoever knows it may know them; of cards what they are, too."""
        return Sight(NONE.union(*(self.sight(part).all for part in nearest(expr, Expr))))

    def shown(self, sight: Sight) -> Sight:
        """The sight after what has been shown of the thing."""
        if sight.key is None or sight.key not in self.seen:
            return sight
        knowers = self.seen[sight.key]
        if knowers is None:
            return replace(sight, content=NONE, place=NONE)
        return replace(sight, content=known_to(sight.content, knowers))

    def see_const(self, expr: Const) -> Sight:
        return Sight(owner=self.seat(expr.value)) if expr.type.kind == "player" and expr.value is not None else PLAIN

    def seat(self, number: object) -> Term:
        return ("seat", 0 if self.seats == (1, 1) else number)

    def see_local_value(self, expr: LocalValue) -> Sight:
        sight = self.locals.get(expr.local, Sight(owner=("local", id(expr.local)), key=("local", id(expr.local))))
        return self.shown(sight)

    def see_variable_value(self, expr: VariableValue) -> Sight:
        """A variable that is not secret is public, whatever it was made from."""
        owner = self.sight(expr.owner)
        key: Term = ("variable", id(expr.variable), owner.owner or owner.key)
        secrets = NONE
        if expr.variable.secret and owner.owner is not None:
            secrets = frozenset({SecretSource(expr.span, frozenset({owner.owner}))})
        sight = Sight(owner.value | secrets, content=secrets, owner=key, key=key)
        return self.shown(self.doubtful(sight, expr))

    def doubtful(self, sight: Sight, expr: Expr) -> Sight:
        """A card of which it is not plain whether anybody knows it."""
        if not self.strict or expr.type.kind not in ("card", "cards"):
            return sight
        hidden = frozenset({SecretSource(expr.span, frozenset())})
        return replace(sight, content=sight.content | hidden, place=sight.place | hidden)

    def see_zone_value(self, expr: ZoneValue) -> Sight:
        return self._zone(expr, expr.family, expr.owner, expr.index)

    def see_zones_value(self, expr: ZonesValue) -> Sight:
        return self._zone(expr, expr.family, expr.owner, None)

    def _zone(self, expr: Expr, family: ZoneFamily, owner: Expr | None, index: Expr | None) -> Sight:
        whose = self.sight(owner)
        knowers = frozenset({whose.owner} if family.seen_by_owner and whose.owner is not None else ())
        hidden = frozenset({SecretSource(expr.span, knowers)})
        public = family.face == "up" or family.shape == "plays"
        key: Term = ("zone", id(family), whose.owner, likeness(index) if index is not None else None)
        sight = Sight(
            value=whose.value | self.value(index),
            content=NONE if public else hidden,
            count=NONE if family.counted else hidden,
            owner=whose.owner,
            key=key,
            family=family,
        )
        return self.shown(sight)

    def see_card_named(self, expr: CardNamed) -> Sight:
        return Sight(place=frozenset({SecretSource(expr.span, frozenset())}), key=("named", expr.face))

    def see_cards_of(self, expr: CardsOf) -> Sight:
        return self.sight(expr.source)

    def see_card_at(self, expr: CardAt) -> Sight:
        return self._top(self.sight(expr.zone))

    def see_top_cards(self, expr: TopCards) -> Sight:
        zone = self.sight(expr.zone)
        return replace(zone, value=zone.value | self.value(expr.amount), key=None)

    def _top(self, holder: Sight) -> Sight:
        """The top card of a zone, a row's place, or some cards."""
        content = NONE if holder.family in self.tops_up else holder.content
        key = ("top", holder.key) if holder.key else None
        return self.shown(Sight(holder.value, content, owner=holder.owner, key=key))

    def see_card_at_index(self, expr: CardAtIndex) -> Sight:
        cards = self.sight(expr.cards)
        key = ("at", cards.key, likeness(expr.index)) if cards.key else None
        return self.shown(Sight(cards.value | self.value(expr.index), cards.content, owner=cards.owner, key=key))

    def see_attribute(self, expr: Attribute) -> Sight:
        kind, name = expr.operand.type.kind, expr.name
        of = self.sight(expr.operand)
        if kind == "card":
            return self._of_card(of, name)
        if kind in _HOLDERS and name == "top":
            return self._top(of)
        if kind in _HOLDERS and name == "count":
            return Sight(of.value | of.count)
        if kind == "zone" and name == "owner":
            return Sight(of.value, owner=of.owner)
        if kind == "player" and expr.type.kind == "player":
            return Sight(of.value, owner=self.neighbour(name, of.owner))
        if kind == "player":
            return Sight(of.value, owner=(name, of.owner))
        return self.doubtful(Sight(of.all, content=of.content, key=(name, of.key) if of.key else None), expr)

    def _of_card(self, card: Sight, name: str) -> Sight:
        if name in _BELONGS_TO_CARD:
            return Sight(self.look(card, printed=name == "number" or (name != "orientation" and not self.alters)))
        if name in ("face", "deck"):
            return Sight(card.value)
        whole = card.value | card.place
        return Sight(whole, content=whole | card.content, owner=card.owner)

    def look(self, card: Sight, printed: bool = False) -> Secrets:
        """What one learns from what a card is now; `printed`: that it cannot change. What a card that is called by name
        is now tells of where it lies."""
        return card.all | card.place if self.strict and not printed else card.all

    def neighbour(self, name: str, of: Term | None) -> Term | None:
        """`left of p` and the like; of two players all of these are the other one."""
        if of is None or self.seats == (1, 1):
            return of
        if self.seats == (2, 2):
            name = "opponent"
            if of[0] == "seat":
                return ("seat", 1 - of[1]) if isinstance(of[1], int) else None
        if name == "opponent" and of[0] == "opponent":
            return of[1] if isinstance(of[1], tuple) else None
        return (name, of)

    def see_mark_value(self, expr: MarkValue) -> Sight:
        return Sight(self.look(self.sight(expr.card)))

    def see_has(self, expr: Has) -> Sight:
        return Sight(self.look(self.sight(expr.card), printed=not self.alters) | self.value(expr.value))

    def see_same(self, expr: Same) -> Sight:
        left, right = self.sight(expr.left), self.sight(expr.right)
        # whether two cards on the table are one and the same is plain to see; whether it is the king of cups is not
        by_name = isinstance(expr.left, CardNamed) or isinstance(expr.right, CardNamed)
        by_content = by_name or expr.left.type == CARDS
        if _is_none(expr.left) or _is_none(expr.right):
            return Sight(left.value | right.value)
        sides = [side for side in (expr.left, expr.right) if self.strict and not isinstance(side, CardNamed)]
        which = NONE.union(*(self.sight(side).place for side in sides))
        return Sight((left.all | right.all if by_content else left.value | right.value) | which)

    def see_playable(self, expr: Playable) -> Sight:
        """Whether another could play hangs on what he knows."""
        player, what = self.sight(expr.player), self.sight(expr.what)
        knowers = frozenset({player.owner} if player.owner is not None else ())
        hidden = frozenset({SecretSource(expr.span, knowers)}) if self.strict else NONE
        return Sight(player.all | what.all | hidden)

    def see_member(self, expr: Member) -> Sight:
        item, among = self.sight(expr.item), self.sight(expr.collection)
        if expr.item.type.kind == "card" and item.place:
            return Sight(item.value | among.all)
        return Sight(item.value | among.value)

    def see_empty(self, expr: Empty) -> Sight:
        operand = self.sight(expr.operand)
        return Sight(operand.value | operand.count)

    def see_and(self, expr: And) -> Sight:
        """`card.face is up` beside the rest makes the card known there."""
        scene = self.opened(expr)
        return Sight(scene.value(*expr.operands))

    def see_conditional(self, expr: Conditional) -> Sight:
        asked = self.value(*(condition for condition, _ in expr.arms))
        ways = [self.opened(condition).sight(value) for condition, value in expr.arms]
        both = self.either([*ways, self.sight(expr.otherwise)], ("if", id(expr)))
        return replace(both, value=both.value | asked)

    def either(self, sights: list[Sight], key: Term) -> Sight:
        """A value that is one of several."""
        first = sights[0]
        return Sight(
            NONE.union(*(one.value for one in sights)),
            NONE.union(*(one.content for one in sights)),
            NONE.union(*(one.place for one in sights)),
            NONE.union(*(one.count for one in sights)),
            first.owner if all(one.owner == first.owner for one in sights) else key,
            first.key if all(one.key == first.key for one in sights) else key,
            first.family if all(one.family is first.family for one in sights) else None,
        )

    def see_joined(self, expr: Joined | Without) -> Sight:
        return self.either([self.sight(expr.left), self.sight(expr.right)], ("joined", id(expr)))

    def see_call_define(self, expr: CallDefine) -> Sight:
        return self.bound(expr).sight(expr.define.body)

    def see_let_in(self, expr: LetIn) -> Sight:
        return self.with_step(expr).sight(expr.body)

    def with_step(self, expr: LetIn) -> Scene:
        """The scene in which a step of a define has its name."""
        return replace(self, locals={**self.locals, expr.local: self.sight(expr.value)})

    # ---- queries

    def within(self, domain: Domain) -> tuple[Scene, Sight, Secrets]:
        """The scene in which a domain's thing has its name and `where` holds; the thing; the secrets of going over."""
        source = self.sight(domain.source)
        key: Term = ("each", id(domain.local))
        if isinstance(domain.source, SetsOf):
            thing = Sight(NONE, source.content, source.place, owner=source.owner, key=key)
        elif domain.noun == "card":
            everywhere = frozenset({SecretSource(domain.span, frozenset())}) if domain.source is None else source.place
            thing = Sight(NONE, source.content, everywhere, owner=source.owner, key=key)
        elif domain.noun == "zone":
            thing = replace(source, value=NONE, key=key)
        else:
            thing = Sight(owner=self.seat(0) if self.seats == (1, 1) else key, key=key)
        scene = self.fork()
        scene.locals[domain.local] = thing
        asked = scene.value(domain.where) | source.value | source.count
        if domain.range is not None:
            asked |= self.value(domain.range.low) | self.value(domain.range.high) | self.value(domain.range.step)
        scene = scene.opened(domain.where)
        return scene, scene.shown(thing), asked

    def see_sets_of(self, expr: SetsOf) -> Sight:
        found = self.sight(expr.cards)
        return replace(found, value=found.value | self.value(expr.low) | self.value(expr.high), key=None)

    def see_quantified(self, expr: Quantified) -> Sight:
        scene, _, asked = self.within(expr.domain)
        return Sight(asked | scene.value(expr.condition))

    def see_count(self, expr: Count) -> Sight:
        return Sight(self.within(expr.domain)[2])

    def see_fold(self, expr: Fold) -> Sight:
        scene, _, asked = self.within(expr.domain)
        return Sight(asked | scene.value(expr.value))

    def see_select(self, expr: Select) -> Sight:
        scene, thing, asked = self.within(expr.domain)
        key: Term = ("select", id(expr))
        owner = key if expr.domain.noun == "player" and self.seats != (1, 1) else thing.owner
        value = asked | (scene.sight(expr.key).all if expr.key is not None else NONE)
        return replace(thing, value=value, owner=owner, key=key)

    def see_next_player(self, expr: NextPlayer) -> Sight:
        _, thing, asked = self.within(expr.domain)
        return replace(thing, value=asked | self.value(expr.after), owner=("next", id(expr)), key=None)


def known_to(secrets: Secrets, knowers: frozenset[Term]) -> Secrets:
    """The secrets when some more know them."""
    return frozenset(replace(secret, knowers=secret.knowers | knowers) for secret in secrets)


def _is_none(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is None


_RULES: dict[type, Callable[[Scene, Any], Sight]] = {
    Const: Scene.see_const,
    LocalValue: Scene.see_local_value,
    VariableValue: Scene.see_variable_value,
    ZoneValue: Scene.see_zone_value,
    ZonesValue: Scene.see_zones_value,
    CardNamed: Scene.see_card_named,
    CardsOf: Scene.see_cards_of,
    CardAt: Scene.see_card_at,
    CardAtIndex: Scene.see_card_at_index,
    TopCards: Scene.see_top_cards,
    Attribute: Scene.see_attribute,
    MarkValue: Scene.see_mark_value,
    Has: Scene.see_has,
    Same: Scene.see_same,
    Member: Scene.see_member,
    Empty: Scene.see_empty,
    And: Scene.see_and,
    Conditional: Scene.see_conditional,
    Joined: Scene.see_joined,
    Without: Scene.see_joined,
    CallDefine: Scene.see_call_define,
    LetIn: Scene.see_let_in,
    Quantified: Scene.see_quantified,
    Count: Scene.see_count,
    Fold: Scene.see_fold,
    Select: Scene.see_select,
    SetsOf: Scene.see_sets_of,
    NextPlayer: Scene.see_next_player,
    Playable: Scene.see_playable,
}
