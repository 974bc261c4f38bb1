"""The operations of the core, and what each takes, gives, reads and changes.

An operation never stops a game: what could go wrong is asked beforehand, by a `check`. The opaque ones at the end,
which evaluate hands, totals and melds, are the exception: they stop as their own text says.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, StrEnum, auto

__all__ = ["SIGNATURES", "Memory", "Op", "Signature"]


class Memory(Flag):
    """What of a game's state an operation reads or changes; operations on different parts may change places."""

    NOTHING = 0
    VARIABLES = auto()
    ZONES = auto()  # which cards lie where, in what order
    CARDS = auto()  # orientation, marks, face up or down, what effects have made of them
    KNOWLEDGE = auto()
    PLAYS = auto()
    CHANCE = auto()
    DECISION = auto()
    LOG = auto()
    STATISTICS = auto()
    PASSES = auto()  # how many passes of loops there were since the last decision
    STATE = VARIABLES | ZONES | CARDS | KNOWLEDGE | PLAYS


class Op(StrEnum):
    # numbers of 64 bits; the results of those that overflow are not defined
    ADD = "add"
    SUBTRACT = "subtract"
    MULTIPLY = "multiply"
    MODULO = "modulo"  # with the sign of the right side
    FLOOR_DIVIDE = "floor_divide"
    CEIL_DIVIDE = "ceil_divide"
    ADD_OVERFLOWS = "add_overflows"
    SUBTRACT_OVERFLOWS = "subtract_overflows"
    MULTIPLY_OVERFLOWS = "multiply_overflows"
    DIVIDE_OVERFLOWS = "divide_overflows"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    LESS = "less"
    AT_MOST = "at_most"
    WIDEN = "widen"
    WIDE_ADD = "wide_add"
    WIDE_FITS = "wide_fits"  # in 64 bits
    NARROW = "narrow"
    # fractions; none if one of the two numbers in lowest terms is beyond 64 bits
    TO_FRACTION = "to_fraction"
    FRACTION_ADD = "fraction_add"
    FRACTION_SUBTRACT = "fraction_subtract"
    FRACTION_MULTIPLY = "fraction_multiply"
    FRACTION_DIVIDE = "fraction_divide"
    FRACTION_NEGATE = "fraction_negate"
    FRACTION_LESS = "fraction_less"
    FRACTION_AT_MOST = "fraction_at_most"
    FRACTION_IS_ZERO = "fraction_is_zero"
    FLOOR = "floor"
    CEIL = "ceil"
    # any value
    SAME = "same"  # none is the same as none; hands: of one strength; lists: the same things in the same order
    IS_NONE = "is_none"
    UNWRAP = "unwrap"  # what is not none
    NOT = "not"
    AND = "and"
    OR = "or"
    SELECT = "select"
    # references
    INDEX = "index"  # the number of a thing, from 0
    THING = "thing"  # the thing of a number
    LOOKUP = "lookup"  # in a table that is told: a number for each thing, -1 for none
    # seats
    EVERYONE = "everyone"
    SEAT_COUNT = "seat_count"
    SEAT_ON = "seat_on"  # so many seats to the left of one
    HAS_SEAT = "has_seat"
    WITH_SEAT = "with_seat"
    # variables and options
    LOAD = "load"
    STORE = "store"
    HAS_SPOT = "has_spot"  # whether a zone is a place of the family that has one each
    OPTION = "option"
    IS_SET_BY_STACK = "is_set_by_stack"  # a stacked game says what this variable is, and has not said it yet
    STACKED_VALUE = "stacked_value"
    # cards
    NAMED_CARD = "named_card"
    FACE = "face"
    SUIT = "suit"
    RANK = "rank"
    HAS_SUIT = "has_suit"
    HAS_EVERY_SUIT = "has_every_suit"
    HAS_NO_SUIT = "has_no_suit"
    HAS_RANK = "has_rank"
    HAS_EVERY_RANK = "has_every_rank"
    HAS_NO_RANK = "has_no_rank"
    IS_REVERSED = "is_reversed"
    IS_UP = "is_up"
    MARK = "mark"
    KNOWS = "knows"
    ZONE_OF = "zone_of"
    ALIKE = "alike"  # the same thing, or copies of a face in one orientation, both known to the seat
    ALL_CARDS = "all_cards"
    # zones
    ZONE_AT = "zone_at"  # of a family, for an owner, a place
    ZONES_OF = "zones_of"  # all places of a family, for an owner
    ZONE_FAMILY = "zone_family"
    ZONE_OWNER = "zone_owner"
    ZONE_PLACE = "zone_place"
    ZONE_CAPACITY = "zone_capacity"
    ZONE_TURNS = "zone_turns"  # whether a card that enters is turned
    ZONE_IS_UP = "zone_is_up"
    ZONE_SEERS = "zone_seers"
    SIZE = "size"  # of a zone, a list, a set of seats
    CARD_AT = "card_at"  # counted from 0, from the bottom
    PLACE_IN = "place_in"  # of a card in its zone
    CARDS_IN = "cards_in"
    # lists; they do not change, but for those that are pushed to
    EMPTY = "empty"
    ITEM = "item"
    CONTAINS = "contains"
    SAME_CARDS = "same_cards"  # as sets
    JOINED = "joined"
    WITHOUT = "without"
    TOP_CARDS = "top_cards"
    SORTED = "sorted"
    FIRST_ITEMS = "first_items"  # so many of a list
    GROUPED = "grouped"  # things that are alike put together where the first of them is
    PLAYS = "plays"  # all that have been played and not ended, oldest first
    # sets of places of a list
    MATCHING = "matching"  # of the things for which a function says yes; without those for which it stops
    STOPS = "stops"  # whether a function may stop for one of the things
    WITH_PLACE = "with_place"
    NTH_PLACE = "nth_place"  # counted from 0
    # cards move and turn
    LIFT = "lift"
    LIFT_AT = "lift_at"  # the card at this place of a zone
    LIFT_ALL = "lift_all"  # the cards that were in a zone, in their order; they are nowhere now
    LIFT_EVERY = "lift_every"  # all cards of the game
    LAY = "lay"
    TURN = "turn"
    LEARN = "learn"
    KNOWN_BY = "known_by"  # by these seats and no others
    ORIENT = "orient"
    SET_MARK = "set_mark"
    SHUFFLE = "shuffle"
    ROTATE_HALF = "rotate_half"
    ROTATE_EACH = "rotate_each"
    LEAVE = "leave"  # a card's life ends: what is aimed at it is gone
    NEXT_CARD = "next_card"  # the card that a deal takes: the top one, or what is stacked
    # plays of cards with effects; the model (`effects/`) says what is in force, aimed at what, and what cards are now
    IS_PLAY = "is_play"  # whether the game's list has this play
    PLAYER_OF = "player_of"
    TEXT_OF = "text_of"  # the effect in force, never one that takes another's
    CARD_OF = "card_of"  # the play's card, while it lies where the play put it
    IN_FORCE = "in_force"
    HAS_TARGETS = "has_targets"  # in force, and a lasting part of it names a target
    TARGETS_NOW = "targets_now"  # of a play the n-th of its text's targets, from 0; none where the text has fewer
    TARGET = "target"  # a card where it lies, or a play, as something to aim at
    TARGET_CARD = "target_card"
    TARGET_PLAY = "target_play"
    IS_THERE = "is_there"  # a play, or a card that lies where it was aimed at
    NAMED_BY = "named_by"  # all that a play has named when it was made, in the order chosen
    ENTER_PLAY = "enter_play"  # with a list for each of the text's targets; then in one what it gives to other plays
    FINISH_PLAY = "finish_play"  # all has been done that is done once: from now on the card counts where it lies
    AIMED = "aimed"  # things that all plays have been aimed at and have given others
    END_PLAYS = "end_plays"  # for good
    CLEAR_PLAYS = "clear_plays"  # there are none any more
    # chance
    DRAW = "draw"
    LISTED_NUMBER = "listed_number"  # that a stacked game says is drawn next; none if it does not say
    BELOW = "below"  # by the stream of who asks
    # decisions
    NEW_MENU = "new_menu"
    OFFER = "offer"
    OFFER_PICK = "offer_pick"  # a thing to pick, and its place among the things
    PICK_MENU = "pick_menu"  # a menu to pick one of the things at these places of a list
    OFFER_DONE = "offer_done"  # to pick no more
    IS_OFFERED = "is_offered"  # the same line about the same things, up to copies that the seat knows
    OPTIONS = "options"  # how many
    STEPS = "steps"  # how many numbers there are to choose from; at most 2^32 are counted
    ASK = "ask"
    ASK_PICK = "ask_pick"
    ASK_NUMBER = "ask_number"
    ASK_SIDE = "ask_side"
    LINE = "line"
    ABOUT = "about"  # the n-th thing of an option
    IS_DONE = "is_done"
    PICKED_THING = "picked_thing"
    PICKED_PLACE = "picked_place"
    SEAL = "seal"
    UNSEAL = "unseal"
    HOLD_LOG = "hold_log"
    # strategies: what they are asked, and the option that they mean; none if there is no such one
    OFFERED = "offered"  # the things of a noun that options are about, each once
    LOWEST_OFFERED = "lowest_offered"
    HIGHEST_OFFERED = "highest_offered"
    LINE_NAMED = "line_named"  # by its label, as the ruleset writes it
    FIND_LINE = "find_line"
    FIND_LINE_ABOUT = "find_line_about"
    FIND_THING = "find_thing"  # also a number
    # what is told and counted
    SAY = "say"
    RENDER = "render"  # the values in an option's label
    SEE = "see"
    PASS = "pass"
    COUNT_HANDS = "count_hands"  # that may have to be tried; whether there are not too many
    # hands, totals, melds
    BEST_HAND = "best_hand"
    MAKE_HAND = "make_hand"
    HAND_LESS = "hand_less"
    HAND_AT_MOST = "hand_at_most"
    HAND_CATEGORY = "hand_category"
    TOTAL = "total"
    TOTAL_VALUE = "total_value"
    TOTAL_SOFT = "total_soft"
    TOTAL_BUST = "total_bust"
    ARRANGED = "arranged"
    ARRANGEMENT_COST = "arrangement_cost"
    ARRANGEMENT_MELDS = "arrangement_melds"
    ARRANGEMENT_LEFT = "arrangement_left"
    IS_MELD = "is_meld"


@dataclass(frozen=True, slots=True)
class Signature:
    """`takes`: a word an argument (a kind, or a wildcard; a last one with `*` may stand any number of times); `gives`:
    a kind, `-` for nothing, or `as told`: the type of the name that it is given."""

    takes: tuple[str, ...]
    gives: str
    reads: Memory = Memory.NOTHING
    writes: Memory = Memory.NOTHING

    @property
    def is_pure(self) -> bool:
        return not self.reads and not self.writes


def _pure(text: str) -> Signature:
    return _signature(text)


def _signature(text: str, reads: Memory = Memory.NOTHING, writes: Memory = Memory.NOTHING) -> Signature:
    takes, _, gives = text.partition("->")
    return Signature(tuple(takes.split()), gives.strip(), reads, writes)


def _reads(memory: Memory) -> _Maker:
    return _Maker(reads=memory)


@dataclass(frozen=True, slots=True)
class _Maker:
    reads: Memory = Memory.NOTHING
    writes: Memory = Memory.NOTHING

    def __call__(self, text: str) -> Signature:
        return _signature(text, self.reads, self.writes)


_zones, _cards, _plays = _reads(Memory.ZONES), _reads(Memory.CARDS | Memory.PLAYS), _reads(Memory.PLAYS)
_variables, _knowledge = _reads(Memory.VARIABLES), _reads(Memory.KNOWLEDGE)
_sets_variable = _Maker(writes=Memory.VARIABLES)
_moves = _Maker(writes=Memory.ZONES)
_turns = _Maker(reads=Memory.CARDS, writes=Memory.CARDS | Memory.PLAYS)
_learns = _Maker(writes=Memory.KNOWLEDGE)
_draws = _Maker(reads=Memory.CHANCE, writes=Memory.CHANCE)
_shuffles = _Maker(Memory.STATE | Memory.CHANCE, Memory.ZONES | Memory.CARDS | Memory.PLAYS | Memory.CHANCE)
_asks = _Maker(Memory.STATE | Memory.CHANCE | Memory.DECISION, Memory.DECISION | Memory.LOG | Memory.PASSES)
_tells = _Maker(reads=Memory.STATE, writes=Memory.LOG)
_evaluates = _reads(Memory.CARDS | Memory.PLAYS | Memory.VARIABLES | Memory.ZONES)
_offer = _Maker(writes=Memory.DECISION)
_offered = _reads(Memory.DECISION)
_finds = _reads(Memory.DECISION | Memory.CARDS | Memory.PLAYS | Memory.KNOWLEDGE)
_makes_plays = _Maker(Memory.STATE, Memory.PLAYS | Memory.CARDS)

SIGNATURES: dict[Op, Signature] = {
    Op.ADD: _pure("int int -> int"),
    Op.SUBTRACT: _pure("int int -> int"),
    Op.MULTIPLY: _pure("int int -> int"),
    Op.MODULO: _pure("int int -> int"),
    Op.FLOOR_DIVIDE: _pure("int int -> int"),
    Op.CEIL_DIVIDE: _pure("int int -> int"),
    Op.ADD_OVERFLOWS: _pure("int int -> bool"),
    Op.SUBTRACT_OVERFLOWS: _pure("int int -> bool"),
    Op.MULTIPLY_OVERFLOWS: _pure("int int -> bool"),
    Op.DIVIDE_OVERFLOWS: _pure("int int -> bool"),
    Op.MINIMUM: _pure("int int -> int"),
    Op.MAXIMUM: _pure("int int -> int"),
    Op.LESS: _pure("int int -> bool"),
    Op.AT_MOST: _pure("int int -> bool"),
    Op.WIDEN: _pure("int -> wide"),
    Op.WIDE_ADD: _pure("wide wide -> wide"),
    Op.WIDE_FITS: _pure("wide -> bool"),
    Op.NARROW: _pure("wide -> int"),
    Op.TO_FRACTION: _pure("int -> fraction"),
    Op.FRACTION_ADD: _pure("fraction fraction -> fraction?"),
    Op.FRACTION_SUBTRACT: _pure("fraction fraction -> fraction?"),
    Op.FRACTION_MULTIPLY: _pure("fraction fraction -> fraction?"),
    Op.FRACTION_DIVIDE: _pure("fraction fraction -> fraction?"),
    Op.FRACTION_NEGATE: _pure("fraction -> fraction?"),
    Op.FRACTION_LESS: _pure("fraction fraction -> bool"),
    Op.FRACTION_AT_MOST: _pure("fraction fraction -> bool"),
    Op.FRACTION_IS_ZERO: _pure("fraction -> bool"),
    Op.FLOOR: _pure("fraction -> int"),
    Op.CEIL: _pure("fraction -> int"),
    Op.SAME: _pure("any any -> bool"),
    Op.IS_NONE: _pure("any -> bool"),
    Op.UNWRAP: _pure("any -> as told"),
    Op.NOT: _pure("bool -> bool"),
    Op.AND: _pure("bool bool -> bool"),
    Op.OR: _pure("bool bool -> bool"),
    Op.SELECT: _pure("bool any any -> as told"),
    Op.INDEX: _pure("reference -> int"),
    Op.THING: _pure("int -> as told"),
    Op.LOOKUP: _pure("number -> as told"),
    Op.EVERYONE: _pure("-> seats"),
    Op.SEAT_COUNT: _pure("-> int"),
    Op.SEAT_ON: _pure("seat int -> seat"),
    Op.HAS_SEAT: _pure("seats seat -> bool"),
    Op.WITH_SEAT: _pure("seats seat -> seats"),
    Op.LOAD: _variables("reference* -> as told"),
    Op.STORE: _sets_variable("any reference* -> -"),
    Op.HAS_SPOT: _pure("zone -> bool"),
    Op.OPTION: _pure("-> as told"),
    Op.IS_SET_BY_STACK: _draws("reference* -> bool"),
    Op.STACKED_VALUE: _reads(Memory.CHANCE)("reference* -> as told"),
    Op.NAMED_CARD: _cards("-> card"),
    Op.FACE: _cards("card -> int"),
    Op.SUIT: _cards("card -> as told"),
    Op.RANK: _cards("card -> as told"),
    Op.HAS_SUIT: _cards("card member -> bool"),
    Op.HAS_EVERY_SUIT: _cards("card -> bool"),
    Op.HAS_NO_SUIT: _cards("card -> bool"),
    Op.HAS_RANK: _cards("card member -> bool"),
    Op.HAS_EVERY_RANK: _cards("card -> bool"),
    Op.HAS_NO_RANK: _cards("card -> bool"),
    Op.IS_REVERSED: _cards("card -> bool"),
    Op.IS_UP: _cards("card -> bool"),
    Op.MARK: _cards("card -> as told"),
    Op.KNOWS: _knowledge("seat card -> bool"),
    Op.ZONE_OF: _zones("card -> zone?"),
    Op.ALIKE: _reads(Memory.CARDS | Memory.PLAYS | Memory.KNOWLEDGE)("any any seat -> bool"),
    Op.ALL_CARDS: _pure("-> cards"),
    Op.ZONE_AT: _pure("any* -> zone"),
    Op.ZONES_OF: _pure("reference* -> zones"),
    Op.ZONE_FAMILY: _pure("zone -> int"),
    Op.ZONE_OWNER: _pure("zone -> seat?"),
    Op.ZONE_PLACE: _pure("zone -> int"),
    Op.ZONE_CAPACITY: _pure("zone -> int"),
    Op.ZONE_TURNS: _pure("zone -> bool"),
    Op.ZONE_IS_UP: _pure("zone -> bool"),
    Op.ZONE_SEERS: _pure("zone -> seats"),
    Op.SIZE: _zones("sized -> int"),
    Op.CARD_AT: _zones("zone int -> card"),
    Op.PLACE_IN: _zones("zone card -> int"),
    Op.CARDS_IN: _zones("zone -> cards"),
    Op.EMPTY: _pure("-> as told"),
    Op.ITEM: _pure("list int -> as told"),
    Op.CONTAINS: _pure("list any -> bool"),
    Op.SAME_CARDS: _pure("cards cards -> bool"),
    Op.JOINED: _pure("cards cards -> cards"),
    Op.WITHOUT: _pure("cards cards -> cards"),
    Op.TOP_CARDS: _zones("zone int -> cards"),
    Op.SORTED: _pure("list -> as told"),
    Op.FIRST_ITEMS: _pure("list int -> as told"),
    Op.GROUPED: _reads(Memory.CARDS | Memory.PLAYS | Memory.KNOWLEDGE)("list seat -> as told"),
    Op.PLAYS: _plays("-> plays"),
    Op.MATCHING: _reads(Memory.STATE)("list any* -> places"),
    Op.STOPS: _reads(Memory.STATE)("list any* -> bool"),
    Op.WITH_PLACE: _pure("places int -> places"),
    Op.NTH_PLACE: _pure("places int -> int"),
    Op.LIFT: _moves("card -> -"),
    Op.LIFT_AT: _moves("zone int -> -"),
    Op.LIFT_ALL: _moves("zone -> cards"),
    Op.LIFT_EVERY: _moves("-> -"),
    Op.LAY: _moves("zone card int -> -"),
    Op.TURN: _Maker(writes=Memory.CARDS)("card bool -> -"),
    Op.LEARN: _Maker(reads=Memory.KNOWLEDGE, writes=Memory.KNOWLEDGE)("card seats -> -"),
    Op.KNOWN_BY: _learns("card seats -> -"),
    Op.ORIENT: _turns("card bool -> -"),
    Op.SET_MARK: _turns("card member -> -"),
    Op.SHUFFLE: _shuffles("zone -> -"),
    Op.ROTATE_HALF: _shuffles("zone -> -"),
    Op.ROTATE_EACH: _shuffles("zone -> -"),
    Op.LEAVE: _Maker(Memory.STATE, Memory.PLAYS | Memory.CARDS)("card -> -"),
    Op.NEXT_CARD: _shuffles("zone zone -> card"),
    Op.IS_PLAY: _plays("play -> bool"),
    Op.PLAYER_OF: _plays("play -> seat"),
    Op.TEXT_OF: _plays("play -> effect"),
    Op.CARD_OF: _plays("play -> card?"),
    Op.IN_FORCE: _plays("play -> bool"),
    Op.HAS_TARGETS: _plays("play -> bool"),
    Op.TARGETS_NOW: _plays("play int -> list[target]"),
    Op.TARGET: _plays("reference -> target"),
    Op.TARGET_CARD: _pure("target -> card?"),
    Op.TARGET_PLAY: _pure("target -> play?"),
    Op.IS_THERE: _plays("target -> bool"),
    Op.NAMED_BY: _plays("play -> list[target]"),
    Op.AIMED: _plays("-> int"),
    Op.ENTER_PLAY: _makes_plays("seat card list* -> play"),
    Op.FINISH_PLAY: _makes_plays("play -> -"),
    Op.END_PLAYS: _makes_plays("plays -> -"),
    Op.CLEAR_PLAYS: _makes_plays("-> -"),
    Op.DRAW: _draws("int -> int"),
    Op.LISTED_NUMBER: _draws("-> int?"),
    Op.BELOW: _draws("int -> int"),
    Op.NEW_MENU: _offer("-> menu"),
    Op.OFFER: _offer("menu any* -> -"),
    Op.OFFER_PICK: _offer("menu any int -> -"),
    Op.PICK_MENU: _offer("list places -> menu"),
    Op.OFFER_DONE: _offer("menu -> -"),
    Op.IS_DONE: _offered("menu int -> bool"),
    Op.PICKED_THING: _offered("menu int -> as told"),
    Op.PICKED_PLACE: _offered("menu int -> int"),
    Op.IS_OFFERED: _reads(Memory.DECISION | Memory.STATE)("menu seat any* -> bool"),
    Op.OPTIONS: _offered("menu -> int"),
    Op.STEPS: _pure("int int int -> int"),
    Op.ASK: _asks("seat menu any* -> int"),
    Op.ASK_PICK: _asks("seat menu list int -> int"),
    Op.ASK_NUMBER: _asks("seat int int int -> int"),
    Op.ASK_SIDE: _asks("seat card -> member[orientation]"),
    Op.LINE: _offered("menu int -> int"),
    Op.ABOUT: _offered("menu int -> as told"),
    Op.SEAL: _Maker(writes=Memory.LOG)("-> -"),
    Op.UNSEAL: _Maker(writes=Memory.LOG)("-> -"),
    Op.HOLD_LOG: _Maker(Memory.KNOWLEDGE, Memory.LOG)("bool -> -"),
    Op.OFFERED: _offered("-> as told"),
    Op.LOWEST_OFFERED: _offered("-> int?"),
    Op.HIGHEST_OFFERED: _offered("-> int?"),
    Op.LINE_NAMED: _pure("-> label"),
    Op.FIND_LINE: _offered("label? -> int?"),
    Op.FIND_LINE_ABOUT: _finds("label? any -> int?"),
    Op.FIND_THING: _finds("any -> int?"),
    Op.SAY: _tells("any* -> -"),
    Op.RENDER: _Maker(writes=Memory.LOG)("any* -> -"),
    Op.SEE: _Maker(writes=Memory.STATISTICS)("any seat* -> -"),
    Op.PASS: _Maker(Memory.PASSES, Memory.PASSES)("-> bool"),
    Op.COUNT_HANDS: _Maker(Memory.ZONES | Memory.PASSES, Memory.PASSES)("cards* -> bool"),
    Op.BEST_HAND: _evaluates("any* -> as told"),
    Op.MAKE_HAND: _pure("category any* -> as told"),
    Op.HAND_LESS: _pure("hand? hand? -> bool"),
    Op.HAND_AT_MOST: _pure("hand? hand? -> bool"),
    Op.HAND_CATEGORY: _pure("hand -> as told"),
    Op.TOTAL: _evaluates("cards -> as told"),
    Op.TOTAL_VALUE: _pure("total -> int"),
    Op.TOTAL_SOFT: _pure("total -> bool"),
    Op.TOTAL_BUST: _pure("total -> bool"),
    Op.ARRANGED: _evaluates("cards -> as told"),
    Op.ARRANGEMENT_COST: _pure("arrangement -> int"),
    Op.ARRANGEMENT_MELDS: _pure("arrangement -> sets"),
    Op.ARRANGEMENT_LEFT: _pure("arrangement -> cards"),
    Op.IS_MELD: _evaluates("cards -> bool"),
}
