"""Slips and mischief in a ruleset's text: words, lines and numbers dropped, doubled, swapped and replaced.

Each mutation takes a text and dice and gives another text. Most texts are refused by the checker; what is wanted is that
they are refused well, and that those that are not play alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from trionfi.dsl.grammar import words

from .sources import a_source

TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')
NAME = re.compile(r"[A-Za-z_]\w*")
NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")
MOST_STEPS = 4  # mutations of one text

NUMBERS = """0 -1 1 2 3 7 10 20 52 63 64 65 100 255 256 1000 4095 4096 4097 32767 65535 65536 65537 1000000 2147483647 2147483648
4294967295 4294967296 1000000000000 1000000000000000000 9223372036854775806 9223372036854775807 9223372036854775808
18446744073709551616 -9223372036854775808 -9223372036854775809 99999999999999999999999 007 1e18 0x10 1_000 1.5 1/2""".split()
# Words that belong together: one in the place of another is often still right.
KINDS = [
    "player players card cards zone zones suit suits rank ranks play plays team number truth chips".split(),
    "highest lowest sum".split(),
    "any no every the all random".split(),
    "up down".split(),
    "and or".split(),
    "is has in".split(),
    "< > <= >=".split(),
    "+ - * / mod".split(),
    "p1 p2 p3 left_ right_ player none".split(),
    "top bottom count value number place next previous owner zone depth suit rank face".split(),
    "hand stock pile table row piles per start face seen_by capacity counts counted kind most".split(),
    "true false none yes no on off null ~".split(),
    "stop return".split(),
    "face: per: start: kind: most: range: choices: default: seen_by: row: piles: plays: capacity: up: down:".split(),
    "while until if".split(),
    "shuffle deal move turn show say let add subtract pay end stop return pick trigger".split(),
]
STATEMENTS = """stop
return
end game
shuffle stock
let extra_one = 1
let extra_two = random player
say "x"
if 1 is 1: stop
repeat 3 times: stop
while 1 is 1: stop
for each player: stop
for i from 3 to 1: stop
end plays
trigger over
p1 chooses as question: {"a": stop}
p1 chooses number from 0 to 3 as asked
""".splitlines()
SIGNS = ["\t", "\x1b[31m", "\x07", "\x85", "\u202e", "\u200b", "é", "🂡", "\r", "\0", "\\", "'", '"', "{", "}", "[", "]", "|",
         ">", "&a", "*a", "!!x", "%", "@", "`", "#", " # ", "---", "...", "? ", "- ", ": "]  # fmt: skip

Mutation = Callable[[str, Random], str]


def mutated(text: str, dice: Random) -> str:
    """The text after one to some mutations."""
    for _ in range(1 if dice.random() < 0.5 else dice.randint(2, MOST_STEPS)):
        text = dice.choices(list(MUTATIONS), list(MUTATIONS.values()))[0](text, dice)
    return text


# ---- words


def replaced(text: str, spot: re.Match[str], by: str) -> str:
    return text[: spot.start()] + by + text[spot.end() :]


def a_spot(text: str, dice: Random, pattern: re.Pattern[str] = TOKEN) -> re.Match[str] | None:
    spots = list(pattern.finditer(text))
    return dice.choice(spots) if spots else None


def drop_word(text: str, dice: Random) -> str:
    spot = a_spot(text, dice)
    return text if spot is None else replaced(text, spot, "")


def double_word(text: str, dice: Random) -> str:
    spot = a_spot(text, dice)
    return text if spot is None else replaced(text, spot, f"{spot.group()} {spot.group()}")


def swap_words(text: str, dice: Random) -> str:
    """A word and the next, or one some words on."""
    spots = list(TOKEN.finditer(text))
    if len(spots) < 2:
        return text
    at = dice.randrange(len(spots) - 1)
    other = min(len(spots) - 1, at + dice.choice([1, 1, 1, 2, 3, 8]))
    one, two = spots[at], spots[other]
    if one is two:
        return text
    return text[: one.start()] + two.group() + text[one.end() : two.start()] + one.group() + text[two.end() :]


def other_word_of_the_language(text: str, dice: Random) -> str:
    spot = a_spot(text, dice, NAME)
    return text if spot is None else replaced(text, spot, dice.choice(sorted(words())))


def word_of_the_same_kind(text: str, dice: Random) -> str:
    kind = dice.choice(KINDS)
    spots = [spot for spot in re.finditer(r"\w+:?|[<>]=?|[-+*/]", text) if spot.group() in kind]
    if not spots:
        return text
    return replaced(text, dice.choice(spots), dice.choice(kind).rstrip("_"))


def other_name(text: str, dice: Random) -> str:
    """A name of the text for another."""
    spot, other = a_spot(text, dice, NAME), a_spot(text, dice, NAME)
    return text if spot is None or other is None else replaced(text, spot, other.group())


def other_word_of_the_text(text: str, dice: Random) -> str:
    spot, other = a_spot(text, dice), a_spot(text, dice)
    return text if spot is None or other is None else replaced(text, spot, other.group())


def edge_number(text: str, dice: Random) -> str:
    spot = a_spot(text, dice, NUMBER)
    return text if spot is None else replaced(text, spot, dice.choice(NUMBERS))


def near_number(text: str, dice: Random) -> str:
    spot = a_spot(text, dice, NUMBER)
    return (
        text if spot is None else replaced(text, spot, str(max(0, int(spot.group()) + dice.choice([-2, -1, 1, 2, 5]))))
    )


def strange_sign(text: str, dice: Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(SIGNS) + text[at:]


def drop_signs(text: str, dice: Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + text[at + dice.choice([1, 1, 1, 2, 10, 100]) :]


def cut_short(text: str, dice: Random) -> str:
    return text[: dice.randrange(len(text) + 1)]


# ---- lines


def on_lines(change: Callable[[list[str], int, Random], None]) -> Mutation:
    """A mutation that changes a list of lines near a place."""

    def mutation(text: str, dice: Random) -> str:
        lines = text.split("\n")
        change(lines, dice.randrange(len(lines)), dice)
        return "\n".join(lines)

    mutation.__name__ = change.__name__
    return mutation


def drop_lines(lines: list[str], at: int, dice: Random) -> None:
    del lines[at : at + dice.choice([1, 1, 1, 2, 5])]


def double_lines(lines: list[str], at: int, dice: Random) -> None:
    count = dice.choice([1, 1, 2, 4])
    lines[at:at] = lines[at : at + count]


def swap_lines(lines: list[str], at: int, dice: Random) -> None:
    other = dice.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def move_line(lines: list[str], at: int, dice: Random) -> None:
    line = lines.pop(at)
    lines.insert(dice.randrange(len(lines) + 1), line)


def indent_lines(lines: list[str], at: int, dice: Random) -> None:
    by = dice.choice([-4, -2, -2, -1, 1, 2, 2, 4, 8])
    for place in range(at, min(len(lines), at + dice.choice([1, 1, 2, 6]))):
        line = lines[place]
        lines[place] = " " * by + line if by > 0 else line[min(-by, len(line) - len(line.lstrip(" "))) :]


def further_statement(lines: list[str], at: int, dice: Random) -> None:
    depth = len(lines[at]) - len(lines[at].lstrip(" "))
    lines.insert(at + dice.choice([0, 1]), " " * depth + dice.choice(STATEMENTS))


def foreign_lines(lines: list[str], at: int, dice: Random) -> None:
    """Some lines of another text."""
    other = a_source(dice).text.split("\n")
    start = dice.randrange(len(other))
    lines[at:at] = other[start : start + dice.choice([1, 1, 2, 5, 12])]


def foreign_section(text: str, dice: Random) -> str:
    """A whole section of another text, in place of the one of that name or besides all."""
    mine, others = sections(text), sections(a_source(dice).text)
    if not others:
        return text
    name = dice.choice(list(others))
    if name in mine and dice.random() < 0.8:
        return text.replace(mine[name], others[name], 1)
    return f"{text.rstrip()}\n{others[name]}"


def sections(text: str) -> dict[str, str]:
    """The text of each section, by its name."""
    parts = re.split(r"^(?=[a-z][a-z ]*:)", text, flags=re.MULTILINE)
    return {part.partition(":")[0]: part for part in parts if ":" in part}


def spliced(text: str, dice: Random) -> str:
    """The first lines of this text and the last of another."""
    one, other = text.split("\n"), a_source(dice).text.split("\n")
    return "\n".join(one[: dice.randrange(len(one) + 1)] + other[dice.randrange(len(other)) :])


# Mutations and how often each is taken.
MUTATIONS: dict[Mutation, int] = {
    drop_word: 8,
    double_word: 4,
    swap_words: 6,
    other_word_of_the_language: 4,
    word_of_the_same_kind: 16,
    other_name: 14,
    other_word_of_the_text: 6,
    edge_number: 12,
    near_number: 10,
    strange_sign: 3,
    drop_signs: 3,
    cut_short: 1,
    on_lines(drop_lines): 8,
    on_lines(double_lines): 6,
    on_lines(swap_lines): 4,
    on_lines(move_line): 6,
    on_lines(indent_lines): 5,
    on_lines(further_statement): 8,
    on_lines(foreign_lines): 3,
    foreign_section: 3,
    spliced: 1,
}
