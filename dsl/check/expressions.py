"""Operators, comparisons, conditions and literals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast

from trionfi.dsl.check.coerce import fit, fit_all, holds_cards, pair, report_type
from trionfi.dsl.check.context import Frame
from trionfi.dsl.check.dispatch import Part, infer, rule, take, truth
from trionfi.dsl.check.names import is_open, lacks, meld_named
from trionfi.dsl.check.spoken import spoken
from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.numbers import TOO_LARGE, read_whole, shortened
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    And,
    Arithmetic,
    CardsOf,
    Conditional,
    Const,
    Empty,
    Expr,
    Has,
    IsMeld,
    Joined,
    Member,
    Negative,
    Not,
    Or,
    Ordered,
    Rounded,
    Same,
    ToFraction,
    VariableValue,
    Within,
    Without,
    ZoneValue,
)
from trionfi.dsl.tree.words import COMPARISONS, Operator
from trionfi.dsl.types import (
    CARD,
    CARDS,
    COLLECTION_OF,
    ELEMENT_OF,
    FRACTION,
    NONE,
    NUMBER,
    OPTIONAL,
    RANK,
    SUIT,
    TRUTH,
    ZONES,
    Type,
    enum,
)

declare_codes(
    {
        "empty-range": "A range goes from the lower to the higher value.",
        "wrong-pair": "A comparison stands between two things of one kind.",
        "no-order": "Only numbers, ranks and other ordered things are higher or lower.",
        "missing-attribute": "What some cards lack cannot be put in order or added up.",
        "or-list": "`x is a or b` lists values of the kind of `x`; conditions beside it are written out.",
        "rounding": "A fraction is rounded before it is used as a number, and nothing else is rounded.",
    }
)

_ORDERED_KINDS = frozenset({"number", "fraction", "enum", "hand", "category"})
_CONDITIONS = frozenset(
    "is_ is_not is_empty is_not_empty is_between is_not_between in_ not_in compare".split()
    + "has has_every has_no not_ and_l or_l quantified".split()
)
_EMPTY_KINDS = frozenset({"cards", "zone", "zones", "players", "plays"})


# ---- literals


@rule("int")
def check_int(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    value, span = read_whole(_token(tree)), frame.span(tree)
    if value is None:
        frame.error("large-number", f"{shortened(_token(tree))} has more than 64 bits", span, TOO_LARGE)
        return None
    return Const(NUMBER, span, value)


@rule("negative")
def check_negative(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operand = _amount(frame, infer(frame, _child(tree)))
    if operand is None:
        return None
    span = frame.span(tree)
    if isinstance(operand, Const):
        return Const(NUMBER, span, -cast(int, operand.value))
    return Negative(operand.type, span, operand)


# ---- arithmetic


@rule("plus", "minus")
def check_sum(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operands = [infer(frame, _child(tree, i)) for i in (0, 1)]
    left, right = operands
    if left is None or right is None:
        return None
    if holds_cards(left) or holds_cards(right):
        return _joined(frame, tree, left, right)
    for operand in (left, right):
        if not is_orderable_everywhere(frame, operand, "added"):
            return None
    return _arithmetic(frame, tree, "+" if tree.data == "plus" else "-", left, right)


def _joined(frame: Frame, tree: Part, left: Expr, right: Expr) -> Expr | None:
    ours, theirs = fit(frame, left, CARDS), fit(frame, right, CARDS)
    if ours is None or theirs is None:
        return None
    node = Joined if tree.data == "plus" else Without
    return node(CARDS, frame.span(tree), ours, theirs)


_PRODUCTS: dict[str, Operator] = {"times": "*", "mod_": "mod", "over": "/"}


@rule("times", "mod_", "over")
def check_product(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    left, right = infer(frame, _child(tree)), infer(frame, _child(tree, 1))
    if left is None or right is None:
        return None
    operator = _PRODUCTS[tree.data]
    if operator != "*" and isinstance(right, Const) and right.value == 0:
        frame.error("wrong-type", "nothing can be divided by 0", right.span)
        return None
    if operator == "mod":
        whole_left, whole_right = fit(frame, left, NUMBER), fit(frame, right, NUMBER)
        if whole_left is None or whole_right is None:
            return None
        return Arithmetic(NUMBER, frame.span(tree), "mod", whole_left, whole_right)
    return _arithmetic(frame, tree, operator, left, right)


def _arithmetic(frame: Frame, tree: Part, operator: Operator, left: Expr, right: Expr) -> Expr | None:
    a, b = _amount(frame, left), _amount(frame, right)
    if a is None or b is None:
        return None
    if FRACTION in (a.type, b.type):
        a, b = _fraction(a), _fraction(b)
    result = FRACTION if operator == "/" else a.type
    return Arithmetic(result, frame.span(tree), operator, a, b)


def _amount(frame: Frame, expr: Expr | None) -> Expr | None:
    """A number or a fraction."""
    if expr is None or expr.type in (NUMBER, FRACTION):
        return expr
    report_type(frame, expr, NUMBER)
    return None


def _fraction(expr: Expr) -> Expr:
    if isinstance(expr, Const) and expr.type == NUMBER:
        return Const(FRACTION, expr.span, Fraction(cast(int, expr.value)))
    return expr if expr.type == FRACTION else ToFraction(FRACTION, expr.span, expr)


@rule("rounded")
def check_rounded(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operand = _amount(frame, infer(frame, _child(tree)))
    if operand is None:
        return None
    span = frame.span(tree)
    if operand.type == NUMBER:
        frame.error("rounding", "this is a whole number already", span, "leave `rounded` out")
        return None
    return Rounded(NUMBER, span, _token(tree, 1) == "up", operand)


# ---- comparisons


def sides(frame: Frame, left_tree: Part, right_tree: Part) -> tuple[Expr, Expr] | None:
    """Both sides of a comparison; a name that only the other side can explain is read after it."""
    if is_open(frame, left_tree) and not is_open(frame, right_tree):
        right = infer(frame, right_tree)
        left = infer(frame, left_tree, right.type) if right is not None else None
    else:
        left = infer(frame, left_tree)
        right = infer(frame, right_tree, left.type) if left is not None else None
    return None if left is None or right is None else (left, right)


@rule("is_", "is_not")
def check_is(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    left_tree, right_tree = _child(tree), _child(tree, 1)
    meld = meld_named(frame, right_tree)
    if meld is not None:
        cards = take(frame, left_tree, CARDS)
        return _said(tree, IsMeld(TRUTH, frame.span(tree), meld, cards)) if cards else None
    if right_tree.data == "or_l":
        message = "values after `is` are listed without parentheses: `x is a or b`"
        frame.error("or-list", message, frame.span(right_tree))
        return None
    both = sides(frame, left_tree, right_tree)
    return _said(tree, same(frame, *both, frame.span(tree))) if both else None


def _said(tree: Part, expr: Expr | None) -> Expr | None:
    """Turned round if the tree says `not`."""
    turned = tree.data in ("is_not", "is_not_between", "is_not_empty", "not_in")
    return Not(TRUTH, expr.span, expr) if turned and expr is not None else expr


def same(frame: Frame, left: Expr, right: Expr, span: Span) -> Expr | None:
    """`left is right`, if it can be asked."""
    if NONE in (left.type, right.type):
        return _is_none(frame, left, right, span)
    both = pair(frame, left, right)
    if both is None:
        _report_pair(frame, left, right)
        return None
    return Same(TRUTH, span, *both)


def _is_none(frame: Frame, left: Expr, right: Expr, span: Span) -> Expr | None:
    none, thing = (left, right) if left.type == NONE else (right, left)
    if thing.type in (CARDS, ZONES) or isinstance(thing, ZoneValue):
        frame.error("none-here", f"{spoken(thing.type)} may be empty, but never none", none.span, "ask `is empty`")
        return None
    if thing.type.kind not in OPTIONAL and not lacks(frame, thing) and not is_unset(thing):
        frame.error("none-here", f"{spoken(thing.type)} is never none", none.span)
        return None
    if thing.type.kind in OPTIONAL or is_unset(thing):
        none.type = thing.type
    return Same(TRUTH, span, left, right)


def is_unset(thing: Expr) -> bool:
    """Whether it is a number without a start, which rules that speak of its being none make none until it is set."""
    if not isinstance(thing, VariableValue) or thing.type != NUMBER or thing.variable.start or thing.variable.chips:
        return False
    thing.variable.unset = True
    return True


_COUNTED = frozenset({"zone", "zones", "cards", "players", "plays"})


def in_parentheses(text: str) -> str:
    return f"({text})" if " " in text else text


def _report_pair(frame: Frame, left: Expr, right: Expr) -> None:
    message = f"{spoken(left.type)} cannot be compared with {spoken(right.type)}"
    if right.type == NUMBER and left.type == RANK:
        report_type(frame, right, RANK)
        return
    if right.type == NUMBER and left.type.kind in _COUNTED:
        frame.error("wrong-pair", message, left.span, f"write `{in_parentheses(left.span.text)}.count`")
        return
    frame.error("wrong-pair", message, right.span, _pair_hint(frame, left, right))


def _pair_hint(frame: Frame, left: Expr, right: Expr) -> str:
    if left.type == TRUTH and right.type == NUMBER and frame.counting:
        return "if the count is compared, put the count in parentheses: `(count of ... where ...) > 1`"
    if COLLECTION_OF.get(right.type.kind) == left.type or COLLECTION_OF.get(left.type.kind) == right.type:
        return "whether one is among others is asked with `in`"
    if left.type.kind in ("zone", "zones") and right.type == CARD:
        return "ask `card in zone`, or compare its top card: `.top`"
    return ""


@rule("compare")
def check_compare(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operator = COMPARISONS[_token(tree, 1)]
    both = sides(frame, _child(tree), _child(tree, 2))
    if both is None:
        return None
    for side in both:
        if side.type == NONE:
            frame.error("none-here", "`none` is neither higher nor lower than anything", side.span)
            return None
    paired = pair(frame, *both)
    if paired is None:
        _report_pair(frame, *both)
        return None
    if not all(is_orderable(frame, side) for side in paired):
        return None
    return Ordered(TRUTH, frame.span(tree), operator, *paired)


def is_orderable(frame: Frame, expr: Expr) -> bool:
    """Whether values of it are higher and lower, on all cards; reports it if not."""
    if expr.type.kind in _ORDERED_KINDS:
        return is_orderable_everywhere(frame, expr, "put in order")
    hint = {"card": "compare their `.rank`", "total": "compare their `.value`"}.get(expr.type.kind, "")
    message = f"{spoken(expr.type)} has no order" if expr.type.kind != "cards" else "cards have no order"
    frame.error("no-order", message, expr.span, hint)
    return False


def is_orderable_everywhere(frame: Frame, expr: Expr, what: str) -> bool:
    """Whether every card has the attribute that `expr` reads, if it reads one; reports it if not."""
    if not lacks(frame, expr):
        return True
    message = f"some cards have no {expr.span.text.rpartition('.')[2]}, so it cannot be {what}"
    hint = "define one that every card has, under `attributes` of the deck"
    frame.error("missing-attribute", message, expr.span, hint)
    return False


@rule("is_between", "is_not_between")
def check_between(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operand = infer(frame, _child(tree))
    if operand is None:
        return None
    if operand.type.kind not in ("number", "fraction", "enum"):
        report_type(frame, operand, NUMBER)
        return None
    low, high = take(frame, _child(tree, 1), operand.type), take(frame, _child(tree, 2), operand.type)
    if low is None or high is None:
        return None
    if isinstance(low, Const) and isinstance(high, Const) and cast(int, low.value) > cast(int, high.value):
        message = f"nothing is in `{low.span.text}..{high.span.text}`: it begins above its end"
        span = Span(low.span.source, low.span.start, high.span.end)
        frame.error("empty-range", message, span, f"write `{high.span.text}..{low.span.text}`")
        return None
    return _said(tree, Within(TRUTH, frame.span(tree), operand, low, high))


@rule("in_", "not_in")
def check_in(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    collection = infer(frame, _child(tree, 1))
    if collection is None:
        return None
    item = infer(frame, _child(tree), ELEMENT_OF.get(collection.type.kind, CARD))
    if item is None:
        return None
    if collection.type.kind in ("zone", "zones") and item.type != ELEMENT_OF.get(collection.type.kind):
        collection = CardsOf(CARDS, collection.span, collection)
    element = ELEMENT_OF.get(collection.type.kind)
    if element is None:
        hint = "values are listed with `is`: `x is a or b`" if collection.type == item.type else ""
        message = f"`in` asks for one among several, and this is {spoken(collection.type)}"
        frame.error("wrong-pair", message, collection.span, hint)
        return None
    fitted = fit(frame, item, element)
    if fitted is None:
        return None
    return _said(tree, Member(TRUTH, frame.span(tree), fitted, collection))


@rule("is_empty", "is_not_empty")
def check_empty(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operand = infer(frame, _child(tree))
    if operand is None:
        return None
    if operand.type.kind not in _EMPTY_KINDS:
        hint = "ask `is none`" if operand.type.kind in OPTIONAL else ""
        frame.error("wrong-type", f"a zone or cards may be empty, this is {spoken(operand.type)}", operand.span, hint)
        return None
    return _said(tree, Empty(TRUTH, frame.span(tree), operand))


@rule("has", "has_every", "has_no")
def check_has(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    card = take(frame, _child(tree), CARD)
    what = _token(tree, 1)
    if what not in ("suit", "rank"):
        hint = f"write `.{what} is ...`"
        frame.error("wrong-type", "`has` asks for a suit or a rank", frame.span(tree.children[1]), hint)
        return None
    asked = cast(Literal["suit", "rank"], what)
    span = frame.span(tree)
    if tree.data != "has":
        amount: Literal["every", "no"] = "every" if tree.data == "has_every" else "no"
        return Has(TRUTH, span, asked, amount, card) if card else None
    value = take(frame, _child(tree, 2), SUIT if asked == "suit" else RANK)
    return Has(TRUTH, span, asked, "some", card, value) if card and value else None


# ---- and, or, not


@rule("not_")
def check_not(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operand = truth(frame, _child(tree))
    return Not(TRUTH, frame.span(tree), operand) if operand else None


@rule("and_l")
def check_and(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    operands = [truth(frame, cast(Part, child)) for child in tree.children]
    there = [operand for operand in operands if operand is not None]
    return And(TRUTH, frame.span(tree), there) if len(there) == len(operands) else None


@dataclass(slots=True)
class _Group:
    """One condition of an or-chain: `x is a` with the further values of its list, or any other condition."""

    tree: Part
    parts: list[Expr | None]
    left: Expr | None = None  # what an `is` compares

    @property
    def denied(self) -> bool:
        return self.tree.data in ("is_not", "is_not_between")

    def expr(self, frame: Frame) -> Expr | None:
        parts = [part for part in self.parts if part is not None]
        if len(parts) < len(self.parts):
            return None
        first = frame.span(self.tree)
        span = Span(first.source, first.start, parts[-1].span.end)
        # `x is not a or b` is neither: each of them is denied
        return parts[0] if len(parts) == 1 else (And if self.denied else Or)(TRUTH, span, parts)


@rule("or_l")
def check_or(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    """A chain of conditions, in which `x is a or b` goes on with values for the last `is`."""
    groups: list[_Group] = []
    for child in cast("list[Part]", tree.children):
        if child.data in _CONDITIONS or not groups:
            groups.append(_group(frame, child))
        else:
            _go_on(frame, groups, child)
    _warn_of_denials(frame, groups)
    conditions = [group.expr(frame) for group in groups]
    there = [condition for condition in conditions if condition is not None]
    if len(there) < len(conditions):
        return None
    return there[0] if len(there) == 1 else Or(TRUTH, frame.span(tree), there)


def _group(frame: Frame, tree: Part) -> _Group:
    condition = truth(frame, tree)
    asked = condition.operand if isinstance(condition, Not) else condition
    group = _Group(tree, [condition])
    if tree.data in ("is_", "is_not") and isinstance(asked, Same):
        group.left = asked.left
    elif tree.data in ("is_between", "is_not_between") and isinstance(asked, Within):
        group.left = asked.operand
    return group


def _go_on(frame: Frame, groups: list[_Group], tree: Part) -> None:
    """An operand that is no condition by its form: a value for the last `is`, or a truth after all."""
    last = groups[-1]
    if None in last.parts:
        return  # one message is enough for a list that begins wrong
    value = infer(frame, tree, last.left.type if last.left is not None else None)
    if value is None or value.type == TRUTH or last.left is None:
        groups.append(_Group(tree, [fit(frame, value, TRUTH)]))
        return
    if _draws(last.tree):
        frame.error("or-list", "what is compared with a list would be drawn anew for each value", last.left.span)
        last.parts.append(None)
        return
    condition = same(frame, last.left, value, frame.span(tree))
    last.parts.append(Not(TRUTH, condition.span, condition) if condition and last.denied else condition)


def _draws(tree: Part) -> bool:
    return any(query.children[0] == "random" for query in tree.find_data("select"))


def _warn_of_denials(frame: Frame, groups: list[_Group]) -> None:
    """`x is not a or x is not b` holds for every x."""
    denied = [group for group in groups if group.denied and None not in group.parts]
    subjects = [frame.span(_child(group.tree)).text for group in denied]
    for subject, group in zip(subjects[1:], denied[1:], strict=True):
        if subject in subjects[: denied.index(group)]:
            message = f"`{subject}` cannot be both, so one of these always holds"
            hint = f"for neither of them write `{subject} is not a or b`"
            frame.warning("or-list", message, frame.span(group.tree), hint)


# ---- conditional


@rule("cond")
def check_conditional(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    parts = cast("list[Part]", tree.children)
    conditions = [truth(frame, part) for part in parts[1:-1:2]]
    arms = [*parts[0:-1:2], parts[-1]]
    values = arm_values(frame, arms, wanted)
    if values is None or not all(conditions):
        return None
    pairs = [(asked, value) for asked, value in zip(conditions, values, strict=False) if asked is not None]
    return Conditional(values[-1].type, frame.span(tree), pairs, values[-1])


def arm_values(frame: Frame, arms: list[Part], wanted: Type | None) -> list[Expr] | None:
    """The values of arms as one type. Names that only a type explains are read last, by what the others are."""
    read: dict[int, Expr | None] = {}
    hint = wanted
    for i in sorted(range(len(arms)), key=lambda i: is_open(frame, arms[i])):
        if hint is None and is_open(frame, arms[i]):
            hint = _open_type(frame, arms, [expr for expr in read.values() if expr is not None])
        read[i] = infer(frame, arms[i], hint)
    return fit_all(frame, [read[i] for i in range(len(arms))], wanted)


def _open_type(frame: Frame, arms: list[Part], read: list[Expr]) -> Type | None:
    """What open arms are: of the type of the others, else the one enumeration that has all their names."""
    for expr in read:
        if expr.type not in (NONE, NUMBER):
            return expr.type
    words = {_token(arm) for arm in arms if arm.data == "name" and is_open(frame, arm)}
    holding = [one for one in frame.context.enumerations.values() if words <= set(one.members)]
    return enum(holding[0].name) if len(holding) == 1 else None


# ---- reading trees


def _child(tree: Part, index: int = 0) -> Part:
    return cast(Part, tree.children[index])


def _token(tree: Part, index: int = 0) -> str:
    return str(tree.children[index])
