"""Noun phrases and queries: what goes over cards, players, zones and members, one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, assert_never, cast

from lark import Token, Tree

from trionfi.dsl.check.coerce import fit
from trionfi.dsl.check.context import UNKNOWN, Frame
from trionfi.dsl.check.dispatch import Part, infer, rule, take, truth
from trionfi.dsl.check.expressions import is_orderable, is_orderable_everywhere
from trionfi.dsl.check.ranges import goes_up, read_range, read_sizes
from trionfi.dsl.check.spoken import owner_of, spoken
from trionfi.dsl.diagnostics import declare_codes, did_you_mean
from trionfi.dsl.source import Span
from trionfi.dsl.tree import (
    AllPlays,
    And,
    CallDefine,
    ColumnValue,
    Count,
    Define,
    Domain,
    Expr,
    Fold,
    KindColumn,
    Local,
    LocalValue,
    NextPlayer,
    Offered,
    Quantified,
    Select,
    SetsOf,
    Variable,
    VariableValue,
)
from trionfi.dsl.tree.words import EXTREMES, GATHERINGS, QUANTIFIERS, SELECTIONS, Gathering, Selection
from trionfi.dsl.types import (
    CARD,
    CARD_SETS,
    CARDS,
    COLLECTION_OF,
    NUMBER,
    PLAY,
    PLAYER,
    PLAYS,
    RANK,
    SUIT,
    TRUTH,
    ZONE,
    Type,
)

declare_codes(
    {
        "phrase": "A noun phrase is [adjective] noun [name]: `live player p`.",
        "adjective": "An adjective is a truth that each thing has, or a define of one thing.",
        "source": "What is gone over must be a set of the things named.",
        "no-chance-here": "Chance is drawn only in scripts, and not in a question asked of many things.",
    }
)

Noun = Literal["player", "team", "suit", "rank", "enum", "card", "zone", "play", "cards", "number"]

_NOUN_TYPES: dict[str, Type] = {
    "player": PLAYER,
    "card": CARD,
    "zone": ZONE,
    "team": Type("team"),
    "play": PLAY,
    "suit": SUIT,
    "rank": RANK,
}
WAYS = {"leftwards": False, "rightwards": True}
_WITHOUT_SOURCE = frozenset({"team", "suit", "rank", "enum", "number"})


@dataclass(slots=True)
class Phrase:
    """A noun phrase: what it goes over, what a thing is called, and the adjective, if there is one."""

    noun: Noun
    type: Type
    name: str
    name_span: Span
    adjective: Token | None
    span: Span
    rightwards: bool = False


def turned(frame: Frame, words: list[Token]) -> tuple[list[Token], bool]:
    """The words of a phrase without the one that says which way round the table a round goes; and whether it goes to
    the right."""
    if len(words) > 1 and words[-1] in WAYS:
        return words[:-1], WAYS[words[-1]]
    return words, frame.context.rightwards


def noun_type(frame: Frame, word: str) -> tuple[str, Type] | None:
    """The noun (in the singular) that a word is, with the type of its things."""
    for singular in (str(word), word.removesuffix("s")):
        type = _NOUN_TYPES.get(singular) or frame.context.kinds.get(singular)
        if type is not None:
            return singular, type
    return None


def read_phrase(frame: Frame, tree: Part) -> Phrase | None:
    """Tells adjective, noun and name apart; reports words that are no noun phrase."""
    words, rightwards = cast("list[Token]", tree.children), frame.context.rightwards
    if any(noun_type(frame, word) == ("player", PLAYER) for word in words[:-1]):
        words, rightwards = turned(frame, words)
    at = 0 if noun_type(frame, words[0]) else 1
    known = noun_type(frame, words[at]) if at < len(words) else None
    if known is None or len(words) > at + 2:
        _report_phrase(frame, words, tree, known is not None)
        return None
    singular, type = known
    noun = cast(Noun, singular if singular in _NOUN_TYPES else "enum")
    named = words[at + 1] if at + 1 < len(words) else None
    name = str(named) if named is not None else singular
    adjective = words[0] if at else None
    goes = rightwards and noun == "player"
    return Phrase(noun, type, name, frame.span(named or words[at]), adjective, frame.span(tree), goes)


def _report_phrase(frame: Frame, words: list[Token], tree: Part, has_noun: bool) -> None:
    if has_noun:
        message = f"`{frame.span(tree).text}` has a word too many"
        frame.error("phrase", message, frame.span(words[-1]), "one adjective, a noun and a name: `live player p`")
        return
    wrong = words[min(1, len(words) - 1)]
    if any(noun_type(frame, word) for word in words[2:]):
        message = f"`{frame.span(tree).text}` has two adjectives"
        frame.error("phrase", message, frame.span(wrong), "put one behind: `live player p where ...`")
        return
    hint = did_you_mean(wrong.removesuffix("s"), [*_NOUN_TYPES, *frame.context.kinds])
    hint = hint or _form_of(str(wrong)) or "nouns are card, player, zone, suit, rank, team and the game's kinds"
    frame.error("phrase", f"`{wrong}` is no noun", frame.span(wrong), hint)


def _form_of(word: str) -> str:
    """How things are written that are no noun by themselves."""
    forms = {"number": "number n from 1 to 6", "set": "set of 2 cards some in player.hand"}
    form = forms.get(word.removesuffix("s"))
    return f"write `{form}`" if form else ""


# ---- domains


def make_domain(
    frame: Frame,
    phrase_tree: Part,
    source_tree: Part | None = None,
    starting_tree: Part | None = None,
    where_tree: Part | None = None,
    *,
    is_named: bool = True,
) -> Domain | None:
    """What is gone over. Adds its local to the innermost scope, also when something is wrong with it.

    Not `is_named`: nothing can speak of the thing, so that its name may be in use outside (`count of live players`).
    """
    if phrase_tree.data == "numbers":
        return _make_numbers(frame, phrase_tree, source_tree, starting_tree, where_tree)
    if phrase_tree.data == "card_sets":
        return _make_sets(frame, phrase_tree, source_tree, starting_tree, where_tree)
    phrase = read_phrase(frame, phrase_tree)
    if phrase is None:
        last = cast("list[Token]", phrase_tree.children)[-1]
        known = noun_type(frame, last)
        frame.add(known[0] if known else str(last), UNKNOWN, frame.span(last))
        return None
    source, good = read_source(frame, phrase, source_tree)
    starting = _starting(frame, phrase, starting_tree)
    good = good and (starting is not None or starting_tree is None)
    if source is not None and source.type == CARD_SETS:
        phrase.noun, phrase.type = "cards", CARDS
    local = frame.add(phrase.name, phrase.type, phrase.name_span, hides=not is_named)
    domain = Domain(phrase.noun, local, phrase.span, source, starting, rightwards=phrase.rightwards)
    good = narrow(frame, domain, phrase.adjective, where_tree) and good
    return domain if good else None


def _make_numbers(
    frame: Frame, tree: Part, source_tree: Part | None, starting_tree: Part | None, where_tree: Part | None
) -> Domain | None:
    """`number n from 1 to 13 step 2`; the name may be left out, and is `number` then."""
    span, named = frame.span(tree), cast("Token | None", tree.children[0])
    found = read_range(frame, cast("list[Part | None]", tree.children[1:]))
    name_span = frame.span(named) if named is not None else span
    phrase = Phrase("number", NUMBER, str(named or "number"), name_span, None, span)
    good = read_source(frame, phrase, source_tree)[1] and found is not None and goes_up(frame, found)
    good = good and (starting_tree is None or _starting(frame, phrase, starting_tree) is not None)
    domain = Domain("number", frame.add(phrase.name, NUMBER, name_span), span, range=found)
    return domain if narrow(frame, domain, None, where_tree) and good else None


def _make_sets(
    frame: Frame, tree: Part, source_tree: Part | None, starting_tree: Part | None, where_tree: Part | None
) -> Domain | None:
    """`sets of 2..5 cards some in five`; a set is called `cards` if it has no name."""
    size_tree, phrase_tree = cast("list[Part]", tree.children)
    phrase, sizes = read_phrase(frame, phrase_tree), read_sizes(frame, size_tree)
    cards = take(frame, source_tree, CARDS) if source_tree is not None else None
    name = "cards" if phrase is None or phrase.name == phrase.noun else phrase.name
    local = frame.add(name, CARDS, phrase.name_span if phrase is not None else frame.span(tree))
    good = phrase is not None and _are_cards(frame, phrase, source_tree)
    good = good and (starting_tree is None or _starting(frame, cast(Phrase, phrase), starting_tree) is not None)
    if phrase is None or sizes is None or cards is None:
        return None
    domain = Domain("cards", local, frame.span(tree), SetsOf(CARD_SETS, frame.span(tree), *sizes, cards))
    return domain if narrow(frame, domain, None, where_tree) and good else None


def _are_cards(frame: Frame, phrase: Phrase, source_tree: Part | None) -> bool:
    """Whether a set is of cards, and is said to be of which."""
    if phrase.noun != "card":
        named = "" if phrase.name == phrase.noun else f" {phrase.name}"
        frame.error("source", f"sets are of cards, not of {phrase.noun}s", phrase.span, f"write `cards{named}`")
    elif phrase.adjective is not None:
        hint = "ask it behind: `where every card in cards where ...`"
        frame.error("adjective", "the cards of a set have no adjective", frame.span(phrase.adjective), hint)
    elif source_tree is None:
        frame.error("source", "of which cards is not said", phrase.span, "write `sets of 2 cards in player.hand`")
    else:
        return True
    return False


def read_source(frame: Frame, phrase: Phrase, tree: Part | None) -> tuple[Expr | None, bool]:
    """The set that is gone over, and whether it is good."""
    if tree is None:
        if phrase.noun == "zone":
            frame.error("source", "of which zones is not said", phrase.span, "write `each zone in tableau`")
            return None, False
        return (AllPlays(PLAYS, phrase.span) if phrase.noun == "play" else None), True
    if _is_offered(frame, tree):
        return _offered(frame, phrase, frame.span(tree))
    if phrase.noun in _WITHOUT_SOURCE:
        frame.error("source", f"all of them are gone over; `in` is not for {phrase.noun}s", frame.span(tree))
        return None, False
    source = infer(frame, tree, COLLECTION_OF[phrase.noun])
    if source is None or (source.type == CARD_SETS and phrase.noun == "card"):
        return source, source is not None
    fitted = fit(frame, source, COLLECTION_OF[phrase.noun])
    return fitted, fitted is not None


def _offered(frame: Frame, phrase: Phrase, span: Span) -> tuple[Expr | None, bool]:
    """`options` as what the phrase goes over, if the decision offers such things."""
    decision = frame.decision
    if decision is not None and phrase.noun not in decision.nouns:
        nouns = " and ".join(f"{noun}s" for noun in sorted(decision.nouns)) or "no things"
        frame.error("source", f"`{decision.name}` offers {nouns}, not {phrase.noun}s", span)
        return None, False
    kind = COLLECTION_OF.get(phrase.noun, Type("members", phrase.type.name))
    return Offered(kind, span, phrase.noun, phrase.type), True


def _is_offered(frame: Frame, tree: Part) -> bool:
    return frame.kind == "strategy" and tree.data == "name" and tree.children[0] == "options"


def _starting(frame: Frame, phrase: Phrase, tree: Part | None) -> Expr | None:
    if tree is None:
        return None
    if phrase.noun != "player":
        frame.error("source", "`starting` is for players only", frame.span(tree))
        return None
    return take(frame, tree, PLAYER)


def narrow(frame: Frame, domain: Domain, adjective: Token | None, where_tree: Part | None) -> bool:
    """Folds adjective and `where` into `domain.where`; false after a report."""
    adjectival = read_adjective(frame, adjective, domain.local) if adjective is not None else None
    asked = condition(frame, where_tree) if where_tree is not None else None
    domain.where = _both(adjectival, asked)
    return (adjective is None or adjectival is not None) and (where_tree is None or asked is not None)


def condition(frame: Frame, tree: Part) -> Expr | None:
    """A condition that is asked of many things."""
    frame.queries += 1
    asked = truth(frame, tree)
    frame.queries -= 1
    return asked


def _both(first: Expr | None, second: Expr | None) -> Expr | None:
    if first is None or second is None:
        return first or second
    rest = second.operands if isinstance(second, And) else [second]
    return And(TRUTH, second.span, [first, *rest])


def read_adjective(frame: Frame, word: Token, local: Local) -> Expr | None:
    """`live` in `each live player`: a truth that each has, or a define of one."""
    span = frame.span(word)
    thing = frame.names.lookup(str(word), frame.source)
    if not isinstance(thing, Define):
        thing = frame.names.belonging(owner_of(local.type), str(word))
    frame.read.add(local)
    value = LocalValue(local.type, span, local)
    if isinstance(thing, Define):
        return _define_adjective(frame, thing, value, span)
    if isinstance(thing, Variable) and thing.type == TRUTH:
        return VariableValue(TRUTH, span, thing, value)
    if isinstance(thing, KindColumn) and thing.type == TRUTH:
        return ColumnValue(TRUTH, span, thing, value)
    _report_adjective(frame, str(word), local, span, thing is not None)
    return None


def _define_adjective(frame: Frame, define: Define, value: Expr, span: Span) -> Expr | None:
    frame.calls.append((define, span))
    type = frame.context.settle(define, span)
    if frame.is_misfit(define):
        return None
    if [one.type for one in define.parameters] == [value.type] and type == TRUTH:
        return CallDefine(TRUTH, span, define, [value])
    if type != UNKNOWN:
        message = f"`{define.name}` is no adjective here: that is a define of one {value.type} that is true or false"
        frame.error("adjective", message, span)
    return None


def _report_adjective(frame: Frame, word: str, local: Local, span: Span, known: bool) -> None:
    kind = owner_of(local.type)
    if known:
        frame.error("adjective", f"`{word}` is not true or false of a {local.type}, so it is no adjective", span)
        return
    if word in ("other", "rest", "remaining") and kind == "player":
        hint = "say whom it leaves out: `for each player where player is not leader`"
        frame.error("adjective", f"there is no adjective `{word}`", span, hint)
        return
    truths = [name for name, one in frame.names.belongings.get(kind, {}).items() if _is_truth(one.thing)]
    things = [one.thing for one in frame.names.globals.values()]
    defines = [one.name for one in things if isinstance(one, Define) and len(one.parameters) == 1]
    frame.error("adjective", f"there is no adjective `{word}`", span, did_you_mean(word, [*truths, *defines]))


def _is_truth(thing: object) -> bool:
    return isinstance(thing, Variable | Define | KindColumn) and thing.type == TRUTH


# ---- queries


@rule("quantified")
def check_quantified(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    quantifier, phrase, source, asked_tree = tree.children
    with frame.query():
        domain = make_domain(frame, cast(Part, phrase), cast("Part | None", source))
        asked = truth(frame, cast(Part, asked_tree)) if asked_tree is not None else _adjective_alone(frame, domain)
    if domain is None or asked is None:
        return None
    return Quantified(TRUTH, frame.span(tree), QUANTIFIERS[str(quantifier)], domain, asked)


def _adjective_alone(frame: Frame, domain: Domain | None) -> Expr | None:
    """`any live player`: what is asked is the adjective."""
    if domain is None:
        return None
    asked, domain.where = domain.where, None
    if asked is None:
        hint = f"say it behind `where`, or with an adjective: `any live {domain.local.type}`"
        frame.error("phrase", "what is asked of each is not said", domain.span, hint)
    return asked


@rule("count")
def check_count(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    phrase, source, where = cast("list[Part | None]", tree.children)
    before, frame.counting = frame.counting, where is not None
    with frame.query():
        domain = make_domain(frame, cast(Part, phrase), source, None, where, is_named=where is not None)
    frame.counting = before
    return Count(NUMBER, frame.span(tree), domain) if domain else None


@rule("fold")
def check_fold(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    word, value_tree, phrase, source, where = tree.children
    operator = GATHERINGS[str(word)]
    with frame.query():
        domain = make_domain(frame, cast(Part, phrase), cast("Part | None", source), None, cast("Part | None", where))
        value = infer(frame, cast(Part, value_tree))
    if domain is None or value is None or not _can_fold(frame, operator, value):
        return None
    return Fold(value.type, frame.span(tree), operator, value, domain)


def _can_fold(frame: Frame, operator: Gathering, value: Expr) -> bool:
    match operator:
        case "sum":
            return _can_sum(frame, value)
        case "highest" | "lowest" | "median":
            return is_orderable(frame, value)
        case _:
            assert_never(operator)


def _can_sum(frame: Frame, value: Expr) -> bool:
    if value.type.kind not in ("number", "fraction"):
        hint = "count them: `count of ... where ...`" if value.type == TRUTH else ""
        frame.error("wrong-type", f"only numbers have a sum, this is {spoken(value.type)}", value.span, hint)
        return False
    return is_orderable_everywhere(frame, value, "added")


@rule("select")
def check_select(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    word, phrase, source, starting, where, best, key_tree = cast("list[Any]", tree.children)
    which = SELECTIONS[str(word)]
    last, phrase = _last_of(frame, phrase) if which == "the" else (False, phrase)
    span = frame.span(tree)
    may = which != "random" or may_draw(frame, span)
    is_named = where is not None or key_tree is not None
    with frame.query():
        domain = make_domain(frame, phrase, source, starting, where, is_named=is_named)
        key = infer(frame, key_tree) if key_tree is not None else None
    if domain is None or not may or (key_tree is not None and (key is None or not is_orderable(frame, key))):
        return None
    type = _selected_type(frame, which, domain, span)
    end = EXTREMES[str(best)] if best else None
    return Select(type, span, which, domain, end, key, last) if type else None


def _last_of(frame: Frame, tree: Part) -> tuple[bool, Part]:
    """`the last live player`: the phrase without `last`. With an adjective so called it is not plain what is meant."""
    words = cast("list[Token]", tree.children)
    if len(words) < 2 or words[0] != "last" or noun_type(frame, words[0]) is not None:
        return False, tree
    kinds = [found[1] for word in words[1:] if (found := noun_type(frame, word)) is not None]
    own = frame.names.lookup("last", frame.source)
    if isinstance(own, Define) or any(frame.names.belonging(owner_of(kind), "last") for kind in kinds):
        message = "`last` is an adjective of this game, and `the last` of several means the one that comes last"
        frame.error("adjective", message, frame.span(words[0]), "give the adjective another name")
    return True, Tree(tree.data, words[1:], tree.meta)  # type: ignore[arg-type]


def _selected_type(frame: Frame, which: Selection, domain: Domain, span: Span) -> Type | None:
    match which:
        case "the" | "random":
            return domain.local.type
        case "all":
            return _type_of_all(frame, domain, span)
        case _:
            assert_never(which)


def _type_of_all(frame: Frame, domain: Domain, span: Span) -> Type | None:
    if domain.noun in ("card", "player", "zone", "play"):
        return COLLECTION_OF[domain.noun]
    message = f"`all` gives cards, players, zones or plays, no set of {domain.local.type}s"
    frame.error("source", message, span, "`any`, `every`, `count of` and `for each` go over them")
    return None


def may_draw(frame: Frame, span: Span) -> bool:
    """Whether chance may be drawn here; reports it if not."""
    if frame.kind == "script" and not frame.queries:
        return True
    hint = "draw it in a script first: `let drawn = random ...`"
    if frame.kind == "strategy":
        hint = "`if chance(1, 2):` is true half of the time, and a strategy that picks nothing picks at random"
    frame.error("no-chance-here", "`random` draws anew each time it is read, so it stands in scripts only", span, hint)
    return False


@rule("next_")
def check_next(frame: Frame, tree: Part, wanted: Type | None) -> Expr | None:
    phrase, after_tree, where = cast("list[Part | None]", tree.children)
    after = take(frame, cast(Part, after_tree), PLAYER)
    with frame.query():
        domain = make_domain(frame, cast(Part, phrase), None, None, where, is_named=where is not None)
    if domain is None or after is None:
        return None
    if domain.noun != "player":
        frame.error("source", "`next ... after` goes round the players", domain.span, "write `next player after p`")
        return None
    return NextPlayer(PLAYER, frame.span(tree), domain, after)
