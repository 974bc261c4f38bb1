"""Rankings and decks at random, with everything that a ranking can ask for."""

from __future__ import annotations

from random import Random
from typing import Any

from made_rankings import (
    GROUP_LOCAL,
    HAND_LOCAL,
    POKER,
    PROPERTIES,
    RANK,
    SPAN,
    Deck,
    any_card,
    count,
    highest,
    pattern_ranking,
    prop,
    rank_of,
    reads,
)

from trionfi.dsl import tree
from trionfi.dsl.types import NUMBER, TRUTH, Type

WORDS = ["2", "3", "4", "5", "6", "7", "8", "9", "ace"]


def special(card: dict[str, Any], _: Any) -> bool:
    return bool(card.get("special"))


def turned(_: Any, look: Any) -> bool:
    return bool(look.reversed)


def orientation(_: Any, look: Any) -> int:
    return int(look.reversed)


def colour(_: Any, look: Any) -> int | None:
    return None if not look.suits else (look.suits.bit_length() - 1) % 2


def strength(_: Any, look: Any) -> int:
    return 7 * (look.rank or 0) % 11 - 3


FURTHER = {
    **PROPERTIES,
    "colour": prop("colour", colour, Type("enum", "colour")),
    "orientation": prop("orientation", orientation, Type("enum", "orientation")),
    "special": prop("special", special, TRUTH),
}


def a_deck(random: Random) -> Deck:
    ranks = WORDS[-random.randint(4, 9) :]
    if random.random() < 0.3:
        ranks = [ranks[-1], *ranks[:-1]]
    suits = ["a", "b", "c", "d", "e"][: random.randint(2, 5)]
    cards = [{"suit": s, "rank": r} for s in range(len(suits)) for r in range(len(ranks))]
    lacking = random.random()
    if lacking < 0.2:
        cards += [{}, {}]
    elif lacking < 0.4:
        cards += [{"suit": 0}, {"rank": 1}, {"suit": 1}]
    for card in random.sample(cards, 4):
        card["special"] = True
    kept = sorted(random.sample(range(len(cards)), len(cards) - random.choice([0, 0, 3])))
    return Deck(ranks, suits, cards, oriented=random.random() < 0.4, kept=kept)


def categories(random: Random, size: tuple[int, int]) -> dict[str, str]:
    made = [", ".join(facts(random, size)) for _ in range(random.randint(2, 7))]
    if random.random() < 0.7:
        made.append("anything")
    return {f"category {number}": text for number, text in enumerate(made)}


def facts(random: Random, size: tuple[int, int]) -> list[str]:
    low, high = size
    found = []
    parts = random.choice([(), (), ("alike",), ("alike",), ("alike", "alike"), ("run",), ("run",), ("alike", "run")])
    if random.random() < 0.05:
        parts = ("alike", "alike", "alike")
    room = high
    for part in parts:
        least = random.randint(1 if part == "run" else 2, 3) if random.random() < 0.8 else room
        least = min(max(1, least), max(1, room))
        most = least if random.random() < 0.85 else least + 1
        amount = f"{least}" if most == least else f"{least}..{most}"
        found.append(f"run of {amount}" if part == "run" else f"{amount} alike")
        room -= least
    if parts == ("run",) and random.random() < 0.7:
        found = [f"run of {high}"]
    for name in ("suit", "colour", "orientation"):
        if random.random() < 0.15:
            found.append(f"same {name}")
    if random.random() < 0.15:
        found.append(f"{random.randint(low, high)} cards")
    if random.random() < 0.1:
        found.append(random.choice(["all special", "1 special", "0..1 special"]))
    return found or ["anything"]


def with_newer(random: Random, texts: dict[str, str], size: tuple[int, int]) -> dict[str, str]:
    """Some of the categories with groups in runs, different values, or nothing beside their parts."""
    return {name: newer(random, text, size[1]) for name, text in texts.items()}


def newer(random: Random, text: str, high: int) -> str:
    chance = random.random()
    if chance < 0.2:
        few = random.choice(["1", "2", "1..2", "2..3"])
        return f"run of {few} groups of 2 alike{random.choice(['', ', nothing else', ', 2 alike', ', same colour'])}"
    if chance < 0.4:
        some = random.choice(["1", "2", "3", "2..3", f"{high}"])
        others = "" if text == "anything" else f"{text}, "
        return f"{others}{some} different {random.choice(['suit', 'rank', 'colour'])}s"
    has_parts = "alike" in text or "run" in text
    return f"{text}, nothing else" if chance < 0.5 and has_parts else text


def orders(random: Random) -> dict[str, Any]:
    rank = reads(rank_of, RANK)
    groups: list[tree.Expr] = [rank]
    if random.random() < 0.3:
        groups.append(reads(turned, TRUTH))
    if random.random() < 0.3:
        groups.append(count(GROUP_LOCAL, special))
    if random.random() < 0.1:
        groups.insert(0, count(GROUP_LOCAL, turned))
    if random.random() < 0.1:
        groups = []
    values = [any_card(special), count(HAND_LOCAL, special), highest(strength)]
    head = (random.choice(values),) if random.random() < 0.2 else ()
    tail = (random.choice(values),) if random.random() < 0.2 else ()
    return {"groups": groups, "head": head, "tail": tail}


def like_poker(random: Random) -> tree.PatternRanking:
    """Hands of five (or four) cards, categories of poker and a few more, in any order."""
    high = random.choice([4, 5, 5, 5])
    pool = {name: text for name, text in POKER.items() if high == 5 or name not in ("Full House",)}
    pool |= {
        "Five": f"{high} alike",
        "Suited Pair": "2 alike, same suit",
        "One Suit": "same suit",
        "Low Pair": "2 alike",
    }
    names = random.sample(list(pool), random.randint(4, len(pool)))
    texts = {name: pool[name].replace("5", str(high)) for name in names}
    flavour = random.random()
    return pattern_ranking(
        texts,
        size=(high, high),
        properties=FURTHER,
        alike=("rank", "orientation") if flavour < 0.3 else ("rank",),
        groups=[reads(rank_of, RANK), *([reads(turned, TRUTH)] if flavour < 0.3 else [])],
        ace=(random.random() < 0.5, random.random() < 0.8),
        best_low=0.5 < flavour < 0.6,
        head=(any_card(special),) if 0.2 < flavour < 0.5 else (),
    )


def a_ranking(random: Random) -> tree.PatternRanking:
    if random.random() < 0.5:
        return like_poker(random)
    high = random.randint(2, 5)
    size = (high, high) if random.random() < 0.6 else (random.randint(0, high), high)
    alike = random.choice([("rank",), ("rank",), ("rank", "orientation"), ("suit",), ("rank", "suit")])
    more: dict[str, Any] = {}
    chance = random.random()
    if chance < 0.1:
        more["wild"] = reads(special, TRUTH)
    elif chance < 0.2:
        more["wild_suit"] = reads(special, TRUTH)
    if random.random() < 0.15:
        more["best_low"] = True
    if random.random() < 0.1:
        few = tree.Const(NUMBER, SPAN, 2)
        more["qualifier"] = tree.Ordered(TRUTH, SPAN, "<=", count(HAND_LOCAL, special), few)
    texts = categories(random, size)
    return pattern_ranking(
        with_newer(random, texts, size) if random.random() < 0.5 else texts,
        size=size,
        properties=FURTHER,
        alike=alike,
        ace=(random.random() < 0.5, random.random() < 0.7),
        last=(1, 2) if random.random() < 0.1 else (),
        **orders(random),
        **more,
    )


__all__ = ["a_deck", "a_ranking"]
