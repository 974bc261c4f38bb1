"""Decisions: menus, picks, numbers, orientations, and choices made in secret at the same time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from lark import Token

from trionfi.dsl.check.context import UNKNOWN, Frame
from trionfi.dsl.check.dispatch import Part, take, truth
from trionfi.dsl.check.labels import label_of
from trionfi.dsl.check.places import decision_place
from trionfi.dsl.check.queries import condition, make_domain, narrow
from trionfi.dsl.check.ranges import goes_up, read_range
from trionfi.dsl.check.statements import check_suite, statement
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.limits import MOST_THINGS
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    Choose,
    ChooseNumber,
    ChooseOrientation,
    Const,
    Domain,
    Expr,
    LocalValue,
    Menu,
    MenuItem,
    Place,
    Procedure,
    Secret,
    Statement,
    Variable,
    VariableValue,
)
from trionfi.dsl.tree.exclusion import exclude_each_other
from trionfi.dsl.types import CARDS, COLLECTION_OF, NUMBER, PLAYER, Type

declare_codes(
    {
        "choice": "A choice says how many of what from where.",
        "menu-line": "A line of a menu is about at most four things.",
        "menu-key": "The key of a line is one small letter, its own among the lines that may stand beside it.",
        "secret-place": "In secret each player chooses for a variable of their own.",
    }
)


Choice = Choose | ChooseNumber | ChooseOrientation
ChoiceRule = Callable[[Frame, Part, Expr, Span], "Choice | None"]


@statement("choose")
def check_choose(frame: Frame, tree: Part) -> Statement | None:
    player_tree, choice = cast("list[Part]", tree.children)
    player = _asked_player(frame, player_tree)
    return _CHOICES[choice.data](frame, choice, player, frame.span(tree))


def _asked_player(frame: Frame, tree: Part) -> Expr:
    """Who decides; after a report a stand-in, so that the choice itself is still checked."""
    frame.asks = True
    return take(frame, tree, PLAYER) or Expr(PLAYER, frame.span(tree))


def _finished(choice: Choice) -> Choice | None:
    return choice if type(choice.player) is not Expr else None


# ---- picks


@dataclass(slots=True)
class AskedAmount:
    low: Expr
    high: Expr | None
    single: bool


def check_pick_things(frame: Frame, tree: Part, player: Expr, span: Span) -> Choice | None:
    amount_tree, phrase, source, where, target_tree, such_that_tree = cast("list[Part | None]", tree.children)
    amount = read_amount(frame, cast(Part, amount_tree))
    with frame.query():
        domain = make_domain(frame, cast(Part, phrase), source, None, where, is_named=where is not None)
    if domain is None or amount is None or not _can_pick(frame, domain, amount, source):
        decision_place(frame, cast(Part, target_tree), UNKNOWN)
        return None
    type = domain.local.type if amount.single else COLLECTION_OF[domain.noun]
    placed = decision_place(frame, cast(Part, target_tree), type)
    if placed is None:
        return None
    name, target = placed
    note(frame, name, target.span, domain.noun, domain.local.type)
    choice = Choose(span, player, name, amount.low, amount.high, domain, target, amount.single)
    if such_that_tree is not None and not _read_such_that(frame, choice, such_that_tree):
        return None
    return _finished(choice)


def read_amount(frame: Frame, tree: Part) -> AskedAmount | None:
    """`1`, `n`, `0..3`, `1 or more`, `any`: how many are chosen. A plain 1 gives the thing itself."""
    span = frame.span(tree) if tree.children or tree.data == "amount" else Span(frame.span(tree).source, 0, 0)
    if tree.data == "any_number":
        return AskedAmount(Const(NUMBER, span, 0), None, False)
    ends = [take(frame, cast(Part, child), NUMBER) for child in tree.children]
    good = [end for end in ends if end is not None]
    if len(good) < len(ends):
        return None
    low, high = good[0], good[-1]
    if isinstance(low, Const) and isinstance(high, Const) and cast(int, low.value) > cast(int, high.value):
        message = f"{low.value}..{high.value} goes from more to fewer"
        frame.error("choice", message, span, f"write {high.value}..{low.value}")
        return None
    if tree.data == "at_least":
        return AskedAmount(low, None, False)
    return AskedAmount(low, high, len(good) == 1 and isinstance(low, Const) and low.value == 1)


def _can_pick(frame: Frame, domain: Domain, amount: AskedAmount, source: Part | None) -> bool:
    if domain.noun not in COLLECTION_OF and not amount.single:
        message = f"one {domain.local.type} is chosen at a time"
        frame.error("choice", message, domain.span, f"write `1 {domain.local.type}`")
        return False
    if domain.noun == "card" and source is None:
        frame.error("choice", "from where the cards are chosen is not said", domain.span, "write `from player.hand`")
        return False
    return True


def _read_such_that(frame: Frame, choice: Choose, tree: Part) -> bool:
    """A condition on the whole set, which bears the decision's name in it."""
    if choice.single or choice.domain.noun != "card":
        hint = "for one thing, `where` is enough"
        frame.error("choice", "`such that` is about a set of cards", frame.span(tree), hint)
        return False
    with frame.query():
        choice.chosen = frame.add(choice.decision, CARDS, choice.target.span, hides=True)
        choice.such_that = truth(frame, tree)
    if isinstance(choice.target, LocalValue):
        frame.read.add(choice.target.local)
    return choice.such_that is not None


def note(frame: Frame, name: str, span: Span, kind: str, type: Type | None = None) -> None:
    """Enters a decision, for strategies and for the list of decisions."""
    decision = frame.names.decision(name, span)
    decision.kinds.add(kind)
    if type is not None:
        decision.thing_types[kind] = type
        decision.nouns.add(kind)


# ---- numbers and orientations


def check_pick_number(frame: Frame, tree: Part, player: Expr, span: Span) -> Choice | None:
    """A range; with a condition the numbers for which it holds are options, like any other things."""
    called, *ends, where_tree, target_tree = cast("list[Any]", tree.children)
    if where_tree is None and called is not None:
        hint = f"write `where ...` behind the range, or leave `{called}` out"
        frame.error("choice", "the name of a number is for a condition behind it", frame.span(called), hint)
    with frame.query():
        found = read_range(frame, ends, closed=True)
        where = _number_where(frame, called, where_tree, span) if where_tree is not None else None
    placed = decision_place(frame, cast(Part, target_tree), NUMBER)
    if placed is None or found is None or (where_tree is not None and where is None):
        return None
    name, target = placed
    note(frame, name, target.span, "number")
    if where is None:
        return _finished(ChooseNumber(span, player, name, found.low, found.high, found.step, target))
    if not goes_up(frame, found):
        return None
    frame.names.decisions[name].nouns.add("number")
    where.range = found
    one = Const(NUMBER, span, 1)
    return _finished(Choose(span, player, name, one, one, where, target, single=True))


def _number_where(frame: Frame, called: Token | None, tree: Part, span: Span) -> Domain | None:
    """The numbers for which a condition holds; their range is still to come."""
    local = frame.add(str(called or "number"), NUMBER, frame.span(called) if called is not None else span)
    domain = Domain("number", local, span)
    return domain if narrow(frame, domain, None, tree) else None


def check_pick_orientation(frame: Frame, tree: Part, player: Expr, span: Span) -> Choice | None:
    phrase, source = cast("list[Part]", tree.children)
    with frame.query():
        domain = make_domain(frame, phrase, source, is_named=False)
    if domain is None:
        return None
    if domain.noun != "card":
        frame.error("choice", f"cards have an orientation, a {domain.local.type} has none", domain.span)
        return None
    note(frame, "orientation", span, "orientation")
    return _finished(ChooseOrientation(span, player, domain))


_CHOICES: dict[str, ChoiceRule] = {
    "pick_things": check_pick_things,
    "pick_number": check_pick_number,
    "pick_orientation": check_pick_orientation,
}


# ---- menus


@statement("menu")
def check_menu(frame: Frame, tree: Part) -> Statement | None:
    player = _asked_player(frame, cast(Part, tree.children[0]))
    name = cast(Token, tree.children[1])
    frame.is_free(str(name), frame.span(name), but=(Procedure,))
    note(frame, str(name), frame.span(name), "menu")
    lines = [_menu_item(frame, cast(Part, child), str(name)) for child in tree.children[2:]]
    items = [item for item in lines if item is not None]
    if len(items) < len(lines) or type(player) is Expr:
        return None
    keys = [frame.span(cast(Part, part)) for child in tree.children[2:] if (part := cast(Part, child).children[1])]
    _check_keys(frame, [item for item in items if item.key], keys)
    return Menu(frame.span(tree), player, str(name), items)


def _menu_item(frame: Frame, tree: Part, decision: str) -> MenuItem | None:
    """A line of a menu: label, `for each` things or `if`, and what then happens."""
    label_token, suite = cast(Token, tree.children[0]), cast(Part, tree.children[-1])
    key_part, *parts = cast("list[Part | None]", tree.children[1:-1])
    middle = [part for part in parts if part is not None]
    each = [part for part in middle if part.data == "one_of"]
    asked = next((part for part in middle if part.data != "one_of"), None)
    if len(each) > MOST_THINGS:
        hint = "let them be chosen one after the other"
        frame.error("menu-line", f"a line is about at most {MOST_THINGS} things", frame.span(each[MOST_THINGS]), hint)
    with frame.scope():
        made = [make_domain(frame, *cast("list[Part]", part.children)) for part in each]
        condition_read = condition(frame, asked) if asked is not None else None
        label = label_of(frame, label_token)
        body = check_suite(frame, suite)
    domains = [domain for domain in made if domain is not None]
    known = frame.names.decisions[decision]
    known.nouns.update(domain.noun for domain in domains)
    if label is not None:
        known.templates.append(label.template)
    if len(domains) < len(made) or label is None or body is None or (asked is not None and condition_read is None):
        return None
    key = _menu_key(frame, key_part, domains) if key_part is not None else ""
    return None if key is None else MenuItem(label, domains, condition_read, body, frame.span(tree), key)


def _menu_key(frame: Frame, tree: Part, domains: Sequence[Domain]) -> str | None:
    """The letter that a line is to have; a line about things is many options, which are called by their things."""
    token = cast(Token, tree.children[-1])
    span, letter = frame.span(token), str(token)
    if domains:
        frame.error("menu-key", "a line about things has no key", span, "its options are called by their things")
    elif not re.fullmatch("[a-z]", letter):
        frame.error("menu-key", f"a key is one small letter, and `{letter}` is none", span)
    else:
        return letter
    return None


def _check_keys(frame: Frame, items: Sequence[MenuItem], spans: Sequence[Span]) -> None:
    """Lines that may stand together are told apart by their keys."""
    for place, (item, span) in enumerate(zip(items, spans, strict=True)):
        same = next((one for one in items[:place] if item.key and one.key == item.key), None)
        if same is not None and not exclude_each_other(same, item):
            message = f"`{same.label.template}` has the key `{item.key}` already"
            frame.error("menu-key", message, span, "take another letter")


# ---- at the same time


@statement("secret")
def check_secret(frame: Frame, tree: Part) -> Statement | None:
    phrase, starting, where, *choice_trees = cast("list[Part | None]", tree.children)
    frame.asks = True
    with frame.scope():
        domain = make_domain(frame, cast(Part, phrase), None, starting, where)
        if domain is None or domain.noun != "player":
            _report_choosers(frame, domain)
            return None
        chooser = LocalValue(PLAYER, domain.span, domain.local)
        before = set(frame.sealed)
        choices = [_secret_choice(frame, cast(Part, one), chooser) for one in choice_trees]
        frame.sealed = before
    good = [choice for choice in choices if choice is not None]
    return Secret(frame.span(tree), domain, good) if len(good) == len(choices) else None


def _report_choosers(frame: Frame, domain: Domain | None) -> None:
    if domain is not None:
        frame.error("choice", "players choose", domain.span, "write `each player secretly chooses:`")


def _secret_choice(frame: Frame, tree: Part, chooser: LocalValue) -> Choice | None:
    choice = _CHOICES[tree.data](frame, tree, chooser, frame.span(tree))
    if choice is None or isinstance(choice, ChooseOrientation):
        return choice
    if not _is_own(choice.target, chooser):
        name = chooser.local.name
        hint = f"keep it in a variable `per: player`: `as {name}.{choice.decision}`"
        frame.error("secret-place", "each player needs a place of their own for the choice", choice.target.span, hint)
        frame.read.update(frame.lets)
        return None
    frame.sealed.add(_variable_of(choice.target))
    return choice


def _is_own(target: Place, chooser: LocalValue) -> bool:
    """Whether it is a variable of the player who chooses."""
    if not isinstance(target, VariableValue):
        return False
    return isinstance(target.owner, LocalValue) and target.owner.local is chooser.local


def _variable_of(target: Place) -> Variable:
    return cast(VariableValue, target).variable
