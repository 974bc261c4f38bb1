"""Where a parse of script stopped, and what is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trionfi.dsl.diagnostics import declare_codes
from trionfi.dsl.grammar import words_of
from trionfi.dsl.indent import DEDENT, NEWLINE

if TYPE_CHECKING:
    from lark import Token

FORM_CODES = {
    "syntax": "Script follows the forms of the language.",
    "block": "What a line with a colon at its end begins stands below it, deeper, in one column.",
    "brackets": "Brackets and quotes are closed in the place where they are opened.",
    "operator": "Operators are words, or signs of plain arithmetic.",
    "and-or": "`and` and `or` in one condition are kept apart by parentheses.",
    "query": "A query within an expression stands in parentheses.",
    "menu": "Each line of a menu begins with its label in quotes.",
    "not-a-number": "Numbers are whole and written in digits.",
    "word-out-of-place": "A word of the language stands in its own places only.",
}
declare_codes(FORM_CODES)

ENDS = frozenset({NEWLINE, DEDENT, "$END"})


@dataclass(frozen=True, slots=True)
class ScriptSlip:
    """A mistake in a slot: what to say, and the characters of the slot's text that it is about."""

    code: str
    message: str
    start: int
    end: int
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ScriptStop:
    """Where a parse stopped: the words up to there (of the last statement in `statement`), the one that does not fit
    (`found`), and the kinds of words that would."""

    text: str
    rule: str
    statement: Sequence[Token]
    found: Token
    accepted: frozenset[str]

    @property
    def at(self) -> int:
        return self.found.start_pos or 0

    @property
    def end(self) -> int:
        return max(self.found.end_pos or 0, self.at)

    @property
    def before(self) -> str:
        """The statement up to the stop."""
        return self.text[self.statement[0].start_pos : self.at] if self.statement else ""

    @property
    def last(self) -> Token | None:
        return self.statement[-1] if self.statement else None

    @property
    def head(self) -> str:
        return str(self.statement[0]) if self.statement else ""

    @property
    def line_before(self) -> str:
        """The line up to the stop."""
        return self.text[self.text.rfind("\n", 0, self.at) + 1 : self.at]

    @property
    def words(self) -> list[str]:
        return [str(token) for token in self.statement]

    @property
    def wants_value(self) -> bool:
        return self.accepted >= {"INT", "STRING", "LPAR"}

    @property
    def rest(self) -> str:
        """The line from the stop on."""
        return self.text[self.at :].partition("\n")[0].rstrip("\r")

    def slip(self, code: str, message: str, hint: str = "") -> ScriptSlip:
        """A slip at the word that does not fit."""
        return ScriptSlip(code, message, self.at, self.end, hint)

    def slip_at(self, token: Token, code: str, message: str, hint: str = "") -> ScriptSlip:
        return ScriptSlip(code, message, token.start_pos or 0, token.end_pos or 0, hint)


# ---- forms of statements, as hints show them

FORMS = {
    "shuffle": "shuffle stock",
    "deal": "deal 5 from stock to player.hand",
    "move": "move lead to trick",
    "turn": "turn up upcard",
    "show": "show player.hand",
    "say": 'say "{player} passes"',
    "let": "let winner = leader.opponent",
    "add": "add 5 to player.score",
    "subtract": "subtract 1 from lives",
    "pay": "pay 5 from player.chips to pot",
    "return": "return winner",
    "end": "end game",
    "stop": "stop",
    "trigger": "trigger scoring",
    "pick": 'pick "fold"',
    "if": "if pot > 0:",
    "else": "else if pot > 0:",
    "while": "while pot > 0:",
    "repeat": "repeat 3 times:",
    "repeat until": "repeat until pot is 0:",
    "for": "for i from 1 to 7:",
    "for each": "for each card in player.hand:",
    "chooses as": "player chooses as betting:",
    "chooses number": "player chooses number from 1 to 10 as bet",
    "chooses orientation": "player chooses orientation of each card in player.hand",
    "chooses": "player chooses 1 card from player.hand as lead",
    "looks": "player looks at seen",
    "plays": "player plays card",
    "secretly": "each player secretly chooses:",
    "count": "count of players where player.live",
    "the": "the player with highest player.score",
    "all": "all players with highest player.score",
    "next": "next live player after dealer",
}
FORMS_OF_RULES = {
    "signature": "may_play(player p, card, suit led)",
    "targets": "0..3 cards from common",
    "alteration": "each target has suit hearts",
    "pattern": "3 alike, 2 alike",
    "order": "groups by card.rank",
}


def form_of(stop: ScriptStop) -> str:
    """The form of the statement, as an example; the form of the slot if it is none."""
    said = stop.words
    form = FORMS.get(" ".join(said[:2])) or FORMS.get(stop.head) or FORMS_OF_RULES.get(stop.rule, "")
    if stop.head in (*words_of("FOLD"), *words_of("SOFT_FOLD")):
        form = f"{stop.head} of player.bet for each player"
    for verb in ("chooses", "secretly", "looks", "plays"):
        if verb in said:
            behind = [*said, str(stop.found)][said.index(verb) + 1 :]
            form = FORMS.get(f"{verb} {behind[0]}", FORMS[verb])
            break
    return f"`{form}`" if form else ""
