"""Decks: which cards there are, what they are called, in which order, and what is known of each.

A deck has up to three groups of cards: plain ones (suits by ranks, or ranks alone), named ones (`named:`), jokers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise

from trionfi.dsl.check import slots
from trionfi.dsl.check.context import Context, Frame, NameTable, fold
from trionfi.dsl.check.fields import entries, mapping_of, one_of, text, whole_number, words, wrong
from trionfi.dsl.check.kinds import declare_kinds
from trionfi.dsl.diagnostics import Diagnostics, declare_absences, declare_codes, did_you_mean
from trionfi.dsl.known import Known, StepBudget
from trionfi.dsl.limits import MOST_JOKERS
from trionfi.dsl.nodes import Mapping, Node, Scalar
from trionfi.dsl.numbers import read_whole
from trionfi.dsl.source import Source, Span
from trionfi.dsl.tree import (
    CardFace,
    CardNamed,
    Conditional,
    Const,
    Deck,
    Define,
    Expr,
    LocalValue,
    Ordered,
    Same,
)
from trionfi.dsl.types import CARD, NUMBER, TRUTH

declare_codes(
    {
        "no-cards": "A deck holds at least one card.",
        "rank-order": "Ranks that several decks have stand in one order in all of them.",
        "unknown-suit": "Colours name suits of their deck.",
        "unknown-alias": "An alias is another name for a card of its deck.",
    }
)
declare_absences("no-cards")

ORIENTATIONS = ["upright", "reversed"]
FACES = ["up", "down"]
ROTATIONS = ["half", "every_card"]
_SMALL_WORDS = frozenset({"of", "the", "and"})


@dataclass(slots=True, eq=False)
class DeckDraft:
    """A deck of the text with what is read of it so far."""

    name: str
    key: Span
    node: Mapping
    ranks: list[str] = field(default_factory=list)
    suits: list[str] = field(default_factory=list)
    named_suit: str = ""
    named: list[tuple[str, int]] = field(default_factory=list)  # name and number
    jokers: int = 0
    joker_slot: Scalar | None = None  # an expression: how many of the jokers are in
    oriented: bool = False
    aliases: dict[str, str] = field(default_factory=dict)
    alias_places: dict[str, Span] = field(default_factory=dict)
    kept: set[str] | None = None  # names of the cards that `keep` leaves, if that is known at once


# ---- reading


def read_decks(context: Context, sections: dict[str, Node]) -> list[DeckDraft]:
    """The decks of a ruleset as they are written."""
    if "decks" in sections:
        listed = [(entry.key.text.strip(), entry.key.span, entry.value) for entry in entries(sections["decks"])]
        listed = [one for one in listed if context.names.is_name(one[0], one[1])]
    else:
        listed = [("deck", sections["deck"].span, sections["deck"])] if "deck" in sections else []
    mappings = ((name, key, mapping_of(context, node, f"the deck `{name}`")) for name, key, node in listed)
    options = sections.get("options")
    return [_read_deck(context, name, key, node, options) for name, key, node in mappings if node is not None]


def _read_deck(context: Context, name: str, key: Span, node: Mapping, options: Node | None) -> DeckDraft:
    deck = DeckDraft(name, key, node)
    deck.ranks = _ranks(context, words(context, node.get("ranks"), "the ranks"))
    deck.suits = _texts(words(context, node.get("suits"), "the suits"))
    _place_ace(context, deck)
    if named := node.get("named"):
        _read_named(context, deck, named)
    _read_jokers(context, deck, options)
    orientations = words(context, node.get("orientations"), "the orientations")
    deck.oriented = _texts(orientations) == ORIENTATIONS
    if orientations and _texts(orientations) not in (ORIENTATIONS, ORIENTATIONS[:1]):
        wrong(context, orientations[0], "the orientations of cards are `[upright, reversed]`, or `[upright]` alone")
    _read_aliases(context, deck, node.get("aliases"))
    return deck


def _texts(scalars: Iterable[Scalar]) -> list[str]:
    return [scalar.text.strip() for scalar in scalars]


def _place_ace(context: Context, deck: DeckDraft) -> None:
    """`ace: high` puts the ace above all other ranks, `ace: low` below them."""
    node = deck.node.get("ace")
    where = one_of(context, node, "`ace`", ["high", "low"])
    if not where or node is None:
        return
    if "ace" not in deck.ranks:
        wrong(context, node, "this deck has no ace", f"its ranks are {', '.join(deck.ranks)}")
        return
    others = [rank for rank in deck.ranks if rank != "ace"]
    deck.ranks = [*others, "ace"] if where == "high" else ["ace", *others]


def _read_named(context: Context, deck: DeckDraft, node: Node) -> None:
    """Cards with a name of their own, numbered in order, of one suit or of none."""
    named = mapping_of(context, node, "`named`")
    if named is None:
        return
    deck.named_suit = text(context, named.get("suit"), "the suit of the named cards")
    number = named.get("number")
    first = whole_number(context, number, "the number of the first named card") if number else 0
    names = _texts(words(context, named.get("cards"), "the named cards"))
    deck.named = [(name, (first or 0) + i) for i, name in enumerate(names)]
    _read_aliases(context, deck, named.get("aliases"))


def _read_jokers(context: Context, deck: DeckDraft, options: Node | None) -> None:
    """`jokers: 2`, or an option: then there are as many as its range allows, and the option says how many are in."""
    node = deck.node.get("jokers")
    if node is None:
        return
    if isinstance(node, Scalar) and not node.text.strip().lstrip("-").isdigit():
        deck.joker_slot = node
        deck.jokers = _most_of_option(options, node.text.strip())
    else:
        deck.jokers = whole_number(context, node, "the number of jokers", 0, MOST_JOKERS) or 0


def _most_of_option(options: Node | None, name: str) -> int:
    """The top of an option's range, as far as jokers go."""
    option = options.get(name) if isinstance(options, Mapping) else None
    limits = option.get("range") if isinstance(option, Mapping) else None
    high = limits.text.rpartition("..")[2].strip() if isinstance(limits, Scalar) else ""
    return min(read_whole(high) or 0, MOST_JOKERS) if high.isdecimal() and high.isascii() else MOST_JOKERS


def _read_aliases(context: Context, deck: DeckDraft, node: Node | None) -> None:
    for entry in entries(node):
        deck.aliases[entry.key.text.strip()] = text(context, entry.value, "the card of an alias")
        deck.alias_places[entry.key.text.strip()] = entry.value.span


# ---- what the decks are together


def declare_own_enumerations(context: Context) -> None:
    """Those that are the same in every game."""
    context.own_enumeration("orientation", ORIENTATIONS)
    context.own_enumeration("face", FACES)
    context.own_enumeration("rotation", ROTATIONS)


def declare_decks(context: Context, drafts: list[DeckDraft]) -> None:
    """Makes the enumerations of decks, suits and ranks, the faces, and the names by which scripts call cards."""
    context.own_enumeration("deck", [draft.name for draft in drafts])
    context.own_enumeration("suit", _union(_suits_of(draft) for draft in drafts))
    context.own_enumeration("rank", _ranks_of_all(context, drafts))
    for number, draft in enumerate(drafts):
        faces = [face for face in _faces(context, draft, number) if draft.kept is None or face.name in draft.kept]
        deck = Deck(draft.name, faces, draft.key, oriented=draft.oriented)
        if not faces:
            context.diagnostics.error("no-cards", f"the deck `{draft.name}` holds no card", draft.key)
        for face in faces:
            context.names.declare_card(face.name, len(context.faces))
            context.faces.append(face)
        _add_aliases(context, deck, draft)
        context.decks.append(deck)
    for index, face in enumerate(context.faces if len(drafts) > 1 else ()):
        for name in (face.name, face.short):
            if name:
                context.names.declare_card(f"{name} of {drafts[face.deck].name}", index)
    for index, face in enumerate(context.faces):
        if face.short:
            context.names.declare_card(face.short, index)


def _union(lists: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys(word for words in lists for word in words))


def _ranks_of_all(context: Context, drafts: list[DeckDraft]) -> list[str]:
    """The ranks of all decks in one order, that of each deck."""
    lists: list[list[str]] = []
    for draft in drafts:
        if merged([*lists, _ranks_of(draft)]) is None:
            message = f"`{draft.name}` has its ranks in another order than the decks before it"
            hint = "give the ranks that stand otherwise names of their own"
            context.diagnostics.error("rank-order", message, draft.key, hint)
        else:
            lists.append(_ranks_of(draft))
    found = merged(lists)
    assert found is not None, "lists that fit"
    return _union([found, *(_ranks_of(draft) for draft in drafts)])


def merged(lists: Sequence[list[str]]) -> list[str] | None:
    """All words in an order that each list keeps, else in that of their first appearance; None if there is none."""
    words = _union(lists)
    place = {word: index for index, word in enumerate(words)}
    followers: dict[str, list[str]] = {word: [] for word in words}
    before = dict.fromkeys(words, 0)
    for one, other in (pair for each in lists for pair in pairwise(dict.fromkeys(each))):
        followers[one].append(other)
        before[other] += 1
    ready = [place[word] for word in words if not before[word]]
    found: list[str] = []
    while ready:
        found.append(words[heappop(ready)])
        for follower in followers[found[-1]]:
            before[follower] -= 1
            if not before[follower]:
                heappush(ready, place[follower])
    return found if len(found) == len(words) else None


def _suits_of(draft: DeckDraft) -> list[str]:
    """The suits of a deck, without those of a group of which nothing is kept."""
    plain = draft.suits if _keeps_plain(draft) else []
    named = [draft.named_suit] if draft.named_suit and _keeps(draft, (name for name, _ in draft.named)) else []
    return [*plain, *named]


def _ranks_of(draft: DeckDraft) -> list[str]:
    return draft.ranks if _keeps_plain(draft) else []


def _keeps_plain(draft: DeckDraft) -> bool:
    return _keeps(draft, (_plain_name(rank, suit) for suit in draft.suits or [""] for rank in draft.ranks))


def _keeps(draft: DeckDraft, names: Iterable[str]) -> bool:
    return draft.kept is None or any(name in draft.kept for name in names)


def _faces(context: Context, draft: DeckDraft, deck: int) -> list[CardFace]:
    """All cards of a deck: suit by suit, rank by rank; then the named ones; then jokers."""
    suits, ranks = context.enumerations["suit"].members, context.enumerations["rank"].members
    codes = _rank_codes(draft.ranks)
    initials = _suit_codes(draft.suits)
    faces = []
    for suit in draft.suits or [""]:
        for rank in draft.ranks:
            of_suit = suits.index(suit) if suit in suits else None
            of_rank = ranks.index(rank) if rank in ranks else None
            short = codes[rank] + initials.get(suit, "")
            faces.append(CardFace(_plain_name(rank, suit), deck, of_suit, of_rank, None, short))
    trump = suits.index(draft.named_suit) if draft.named_suit in suits else None
    faces += [CardFace(name, deck, trump, None, number) for name, number in draft.named]
    faces += [CardFace(name, deck, None, None, k) for k, name in enumerate(_joker_names(draft), 1)]
    return faces


def _plain_name(rank: str, suit: str) -> str:
    return f"{_titled(rank)} of {_titled(suit)}" if suit else _titled(rank)


def _joker_names(draft: DeckDraft) -> list[str]:
    return [f"Joker {k}" for k in range(1, draft.jokers + 1)] if draft.jokers > 1 else ["Joker"] * draft.jokers


def _titled(word: str) -> str:
    parts = word.replace("_", " ").split()
    return " ".join(part if part in _SMALL_WORDS else part[:1].upper() + part[1:] for part in parts)


def _ranks(context: Context, written: list[Scalar]) -> list[str]:
    """The ranks; `1..9` among them stands for no numbers, and whoever writes it wants all nine."""
    ranks: list[str] = []
    for one in written:
        ends = _RANGE_OF_RANKS.fullmatch(one.text.strip())
        if ends is None:
            ranks.append(one.text.strip())
            continue
        every = [str(number) for number in range(int(ends[1]), int(ends[2]) + 1)]
        message = f"each rank of a deck is written, and `{one.text.strip()}` would be one rank of that name"
        context.diagnostics.error("wrong-value", message, one.span, f"write `{', '.join(every)}`")
        ranks += every
    return ranks


_RANGE_OF_RANKS = re.compile(r"([0-9]{1,2})\s*\.\.\s*([0-9]{1,2})")


def _rank_codes(ranks: list[str]) -> dict[str, str]:
    """`A`, `2`, `T`, `K` for ranks: the first letter that no rank above has taken."""
    codes: dict[str, str] = {}
    for rank in reversed(ranks):
        letters = ["T"] if rank == "10" else [rank] if rank.isdigit() else [c.upper() for c in rank if c.isalpha()]
        codes[rank] = next((letter for letter in letters if letter not in codes.values()), rank)
    return codes


def _suit_codes(suits: list[str]) -> dict[str, str]:
    """The first letters of the suits, if they differ."""
    initials = {suit: suit[:1].lower() for suit in suits}
    return initials if len(set(initials.values())) == len(suits) else dict.fromkeys(suits, "")


def _add_aliases(context: Context, deck: Deck, draft: DeckDraft) -> None:
    known = {fold(face.name): face for face in deck.faces}
    dropped = {fold(face.name) for face in _faces(context, draft, 0)} - set(known)
    for other, name in _all_aliases(deck, draft):
        face = known.get(fold(name))
        if face is not None:
            deck.aliases[fold(other)] = fold(name)
            context.names.declare_card(other, context.faces.index(face))
        elif fold(name) not in dropped:
            hint = did_you_mean(name, [face.name for face in deck.faces])
            place = draft.alias_places.get(other, draft.key)
            context.diagnostics.error("unknown-alias", f"the deck `{deck.name}` has no card `{name}`", place, hint)


def _all_aliases(deck: Deck, draft: DeckDraft) -> list[tuple[str, str]]:
    """Other names: those of the text, `10h` beside `Th`, `Joker` for the first of several."""
    tens = [("10" + face.short[1:], face.name) for face in deck.faces if face.short[:1] == "T" and len(face.short) == 2]
    jokers = [("Joker", "Joker 1")] if draft.jokers > 1 else []
    return [*draft.aliases.items(), *(tens if "10" in draft.ranks else []), *jokers]


# ---- colours


def read_colours(context: Context, drafts: list[DeckDraft]) -> dict[int, int]:
    """`colours: {red: [hearts, diamonds]}` of all decks: the colour of each suit, by number."""
    members: list[str] = []
    colours: dict[int, int] = {}
    for draft in drafts:
        for entry in entries(draft.node.get("colours")):
            colour = entry.key.text.strip()
            members += [colour] if colour not in members else []
            for suit in words(context, entry.value, f"the suits that are {colour}"):
                _colour_suit(context, draft, suit, members.index(colour), colours)
    context.own_enumeration("colour", members)
    return colours


def _colour_suit(context: Context, draft: DeckDraft, suit: Scalar, colour: int, colours: dict[int, int]) -> None:
    name = suit.text.strip()
    suits = context.enumerations["suit"].members
    if name in suits:
        colours[suits.index(name)] = colour
    elif name not in draft.suits and not _has_other_suits(draft, suit.span.source):
        hint = did_you_mean(name, draft.suits)
        context.diagnostics.error("unknown-suit", f"this deck has no suit `{name}`", suit.span, hint)


def _has_other_suits(draft: DeckDraft, source: Source) -> bool:
    """Whether a game gives a library's deck suits of its own: the library's colours name the old ones then."""
    suits = draft.node.get("suits")
    return suits is not None and suits.span.source is not source and source is not draft.node.span.source


# ---- attributes of cards, keep, copies


def declare_attributes(context: Context, drafts: list[DeckDraft]) -> list[Define]:
    """What decks say of their cards: defines of one card, written `card.major`."""
    defines: list[Define] = []
    places: set[tuple[str, int]] = set()
    for draft in drafts:
        for entry in entries(draft.node.get("attributes")):
            # two decks from one library have the same attributes
            place = entry.key.span.source.name, entry.key.span.start
            if place in places or not isinstance(entry.value, Scalar):
                continue
            places.add(place)
            define = _attribute(context, entry.key, entry.value)
            if context.names.declare(define.name, define, entry.key.span):
                defines.append(define)
    return defines


def _attribute(context: Context, key: Scalar, slot: Scalar) -> Define:
    define = Define(key.text.strip(), [], [], TRUTH, key.span, attribute=True)
    frame = Frame(context, define)
    define.parameters = [frame.add("card", CARD, key.span)]
    expected = context.kinds.get(define.name)
    context.later(define, lambda: slots.define_body(context, slot, frame, define, expected), slot.text)
    return define


def finish_decks(context: Context, drafts: list[DeckDraft]) -> None:
    """Reads `keep` and `copies`, once all names are known."""
    for deck, draft in zip(context.decks, drafts, strict=True):
        copies = draft.node.get("copies")
        if isinstance(copies, Scalar):
            deck.copies = slots.expression(context, copies, Frame(context), NUMBER)
        _read_keep(context, deck, draft)


def _read_keep(context: Context, deck: Deck, draft: DeckDraft) -> None:
    slot = draft.node.get("keep")
    frame = Frame(context)
    card = deck.keep_card = frame.add("card", CARD, draft.key)
    keep = None
    if isinstance(slot, Scalar) and draft.kept is None:
        keep = slots.condition(context, slot, frame)
    if draft.jokers and (keep is not None or draft.joker_slot is not None):
        keep = _with_jokers(context, deck, draft, keep, frame)
    deck.keep = keep
    deck.keep_locals = frame.locals if keep is not None else [card]


def _with_jokers(context: Context, deck: Deck, draft: DeckDraft, keep: Expr | None, frame: Frame) -> Expr | None:
    """`keep` is about the other cards; `jokers: OPTION` says how many of the jokers are in."""
    span = draft.joker_slot.span if draft.joker_slot else draft.key
    amount = slots.expression(context, draft.joker_slot, frame, NUMBER) if draft.joker_slot else None
    card = LocalValue(CARD, span, frame.locals[0])
    arms: list[tuple[Expr, Expr]] = []
    for index, face in enumerate(context.faces):
        if face.name in _joker_names(draft) and any(face is own for own in deck.faces):
            number = Const(NUMBER, span, face.number)
            is_in = Ordered(TRUTH, span, ">=", amount, number) if amount else Const(TRUTH, span, True)
            arms.append((Same(TRUTH, span, card, CardNamed(CARD, span, index)), is_in))
    return Conditional(TRUTH, span, arms, keep or Const(TRUTH, span, True))


# ---- what `keep` leaves whatever the options


def keep_at_once(drafts: list[DeckDraft], kinds: Node | None) -> None:
    """Finds the cards that stay where `keep` asks for nothing but the card, so that the others need not exist at all:
    they have no number, and ranks and suits that only they have are none of the game.

    The condition is read in a game of nothing but decks; if it does not stand there it is read later, with all names.
    """
    if not any("keep" in draft.node for draft in drafts):
        return
    diagnostics = Diagnostics()
    context = Context(diagnostics, NameTable(diagnostics))
    declare_own_enumerations(context)
    declare_decks(context, drafts)
    read_colours(context, drafts)
    declare_kinds(context, kinds)
    declare_attributes(context, drafts)
    steps = StepBudget()
    for deck, draft in zip(context.decks, drafts, strict=True):
        kept = _kept(context, deck, draft.node.get("keep"), steps)
        draft.kept = None if kept is None else kept | set(_joker_names(draft))


def _kept(context: Context, deck: Deck, slot: Node | None, steps: StepBudget) -> set[str] | None:
    if not isinstance(slot, Scalar):
        return None
    frame = Frame(context)
    card = frame.add("card", CARD, slot.span)
    condition = slots.condition(context, slot, frame)
    if condition is None:
        return None
    known = Known(faces=context.faces, ranks=context.enumerations["rank"], steps=steps)
    kept = set()
    for face in deck.faces:
        known.locals = {card: face}
        stays = known.is_true(condition)
        if stays is None:
            return None
        kept |= {face.name} if stays else set()
    return kept
