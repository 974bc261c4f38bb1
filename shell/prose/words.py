"""English itself: names made readable, plurals, owners, verbs. It knows no tree and no game."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = [
    "amount",
    "article",
    "be",
    "cited",
    "human",
    "is_participle",
    "listed",
    "named",
    "of",
    "owned",
    "plural",
    "predicate",
    "sentence",
    "term",
    "without_the",
]

MODALS = {"may", "must", "can", "has", "is", "was", "will"}
NEGATED = {"must": "need not", "has": "does not have", "can": "cannot"}
# Adjectives, prepositions and the like that authors call numbers, players and cards by.
NO_NOUNS = frozenset(
    "above below over under before after up down out off on again still who which what high low big small free open "
    "best worst least most first last next done sure new old own other both "
    "than from with without by of becoming".split()
)
# Of cards these are said behind the noun: the cards dealt.
PARTICIPLES = frozenset("taken given thrown chosen drawn seen shown known won lost dealt".split())
SMALL_WORDS = {"to", "in", "at", "on", "all", "most", "least"}
# How rules are cited in comments and notes: `W10`, `W10.3, A7:`. A reader of the rules needs the words behind it.
CITED_IN_BRACKETS = re.compile(r" ?\([A-Z]\d+(\.\d+)?(, ?[A-Z]\d+(\.\d+)?)*\)")
CITED_BEFORE = re.compile(r"(?P<sign>[.;] )[A-Z]\d+(\.\d+)?(, ?[A-Z]\d+(\.\d+)?)*: (?P<next>\w)")
CITATION = re.compile(r"^[A-Z]\d+(\.\d+)?(, ?[A-Z]\d+(\.\d+)?)*(: ?|$|(?=, ))(, )?")


def cited(text: str) -> str:
    """A note without the rules that it cites, in front, in brackets, or before a part."""
    text = CITED_IN_BRACKETS.sub("", CITATION.sub("", text))
    return CITED_BEFORE.sub(lambda found: found["sign"] + next_letter(found), text).strip()


def next_letter(found: re.Match[str]) -> str:
    """What stands behind a citation: a sentence begins with a capital."""
    return found["next"].upper() if found["sign"] == ". " else found["next"]


def human(name: str) -> str:
    """`poker_cards`: poker cards."""
    return name.replace("_", " ").strip()


def term(name: str) -> str:
    """A name as a noun; in quotes where English would stumble over it."""
    words = human(name)
    first, *_, last = ["", *words.split()] if " " not in words else words.split()
    return f'"{words}"' if first in SMALL_WORDS or last in SMALL_WORDS or not is_noun(last) else words


def is_noun(word: str) -> bool:
    """Whether a word can stand alone behind an article: `the score`, not `the above` or `the played`."""
    return word not in NO_NOUNS and not is_participle(word) and not (word.endswith("eft") and len(word) > 4)


def is_participle(word: str) -> bool:
    return word in PARTICIPLES or (word.endswith("ed") and len(word) > 4)


def named(name: str, kind: str) -> str:
    """`the score`; of a name that is no noun what it is, too: `the number "above"`, `the cards dealt`."""
    words = term(name)
    if kind in ("card", "cards") and is_participle(human(name)):
        return f"the {kind} {human(name)}"
    return f"the {kind} {words}" if words.startswith('"') and kind else f"the {words}"


def plural(noun: str) -> str:
    if " of " in noun:
        head, _, rest = noun.partition(" of ")
        return f"{plural(head)} of {rest}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def amount(text: str, noun: str) -> str:
    """`1 card`, `3 cards`, `as many cards as the size`."""
    if " if " in text:
        return f"as many {plural(noun)} as this says ({text})"
    if not text.isdigit() and len(text) > 1:
        return f"as many {plural(noun)} as {text}"
    return f"{text} {noun if text == '1' else plural(noun)}"


def without_the(text: str) -> str:
    return text.removeprefix("the ")


def article(noun: str) -> str:
    """`a card`, `an option`."""
    noun = without_the(noun)
    if noun.startswith(("cards ", "players ")):
        return noun
    return f"{'an' if noun.lstrip(chr(34))[:1] in 'aeiou' else 'a'} {noun}"


def owned(owner: str, thing: str) -> str:
    """`the player's hand`, `the hand of a player who ...`."""
    if len(owner.split()) > 3 or " of " in owner or owner.endswith((")", '"')) or owner.startswith(("each ", "any ")):
        return f"the {of(thing)} {owner}"
    return f"{owner}' {thing}" if owner.endswith("s") else f"{owner}'s {thing}"


def of(noun: str) -> str:
    """`points of`; a name that ends so already is left as it is."""
    return noun if noun.endswith(" of") else f"{noun} of"


def is_plural(subject: str) -> bool:
    last = subject.rsplit(maxsplit=1)[-1].rstrip('"')
    if (
        any(word in subject for word in (" of ", " in ", " from "))
        or subject.startswith(("the number", "this "))
        or '"' in subject
    ):
        return False
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "'s"))


def be(subject: str, negative: bool = False) -> str:
    """`is` or `are`, as the subject wants it."""
    return f"{'are' if is_plural(subject) else 'is'}{' not' if negative else ''}"


def is_verb(word: str) -> bool:
    return word in MODALS or (word.endswith("s") and not word.endswith(("ss", "us")))


def infinitive(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes", "oes")) else verb[:-1]


def predicate(subject: str, name: str, negative: bool = False) -> str:
    """A truth about a subject as a clause: `the player may raise`, `it does not fit`, `the player is live`."""
    first, *rest = human(name).split()
    if not is_verb(first) and rest:
        return f'"{human(name)}" {"does not hold" if negative else "holds"} for {subject}'
    if not is_verb(first):
        return f"{subject} {be(subject, negative)} {human(name)}"
    if negative and first in MODALS:
        first = NEGATED.get(first, f"{first} not")
    elif negative:
        first = f"does not {infinitive(first)}"
    return " ".join([subject, first, *rest])


def listed(texts: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def sentence(text: str) -> str:
    """Begins with a capital and ends with a full stop, unless it ends with a sign of its own."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", ":", "?", "!", '."', ".)")) else ".")
