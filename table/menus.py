"""What a player is asked, as a menu: options with letters, notes and reasons; a number with its usual amounts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from trionfi.dsl import tree
from trionfi.dsl.tree.walk import walk
from trionfi.interpreter.decision import DONE, Decision, Missing
from trionfi.interpreter.game import Game
from trionfi.table.answers import words_of_cards
from trionfi.table.letters import letters_of, line_key, menus_of
from trionfi.table.model import Amount, Menu, Number, Option
from trionfi.table.notes import option_notes
from trionfi.table.picking import labels_later
from trionfi.table.telling import other_verb
from trionfi.table.words import spoken

if TYPE_CHECKING:
    from trionfi.interpreter.decision import Option as GameOption
    from trionfi.table.pictures import Pictures

__all__ = ["Menus"]

ZONE_KEYS = re.compile(r"[\w.]+(?:\[\d+\])?")
WITH_CARDS = {"card", "cards", "zone"}


class Menus:
    """Makes the menus of one ruleset."""

    def __init__(self, pictures: Pictures) -> None:
        self.pictures = pictures
        self.ruleset = pictures.ruleset
        self.letters = letters_of(self.ruleset)
        self.about_cards = {menu.decision for menu in menus_of(self.ruleset) if is_about_cards(menu)}

    def menu(self, game: Game, view: Mapping[str, Any], missing: Sequence[Missing] = ()) -> Menu:
        """What is asked now. `view` is that of who is asked, `missing` what is not offered."""
        decision = game.decision
        assert decision is not None, "nothing is asked of a game that is over"
        if decision.is_number:
            return self.of_number(decision, view, game.labels[-1] if game.labels else None)
        later = labels_later(game, decision)
        options = self.offered(decision) + [Option(label, None, card=label) for label in later]
        options = self.noted(options, view)
        known = {option.label for option in options}
        options += [Option(one.label, None, reason=one.reason) for one in missing if one.label not in known]
        may_stop = DONE in known
        return Menu(
            seat=f"p{decision.player + 1}",
            decision=decision.name,
            title=self.title(decision, view, may_stop),
            options=tuple(options),
            by_letter=self.is_by_letter(decision, options),
            least=0 if may_stop else 1 if decision.left == 1 else decision.left,
            most=decision.left,
            picked=tuple(decision.picked),
            may_stop=may_stop,
        )

    # ---- options

    def offered(self, decision: Decision) -> list[Option]:
        labels = decision.labels()
        return [
            Option(
                label=label,
                move=move,
                letter=self.letter(decision, option),
                is_danger=ends_the_game(option),
                card=label if is_card(option) else "",
            )
            for move, (label, option) in enumerate(zip(labels, decision.options, strict=True))
        ]

    def noted(self, options: Sequence[Option], view: Mapping[str, Any]) -> list[Option]:
        """With what the cards do, or have become, and what they may be called."""
        from dataclasses import replace

        faces, notes = self.pictures.faces, {}
        if self.ruleset.effects:
            notes = option_notes(self.ruleset, view, faces, [option.label for option in options])
        return [
            replace(
                option, note=notes.get(option.label, ""), words=words_of_cards(self.about(option.label, view), faces)
            )
            for option in options
        ]

    def about(self, label: str, view: Mapping[str, Any]) -> str:
        """A label with the cards that are meant: of piles alone, their top cards."""
        faces = self.pictures.faces
        if faces.named_in(label):
            return label
        tops = (
            faces.name(n) for key in ZONE_KEYS.findall(label) for n in view["zones"].get(key, [])[-1:] if n is not None
        )
        return ", ".join((label, *tops))

    def letter(self, decision: Decision, option: GameOption) -> str:
        if option.item is not None and not option.item.domains:
            return self.letters.get(line_key(decision.name, option.item.label.template), "")
        if option.label == DONE and not option.things:
            return "d"
        is_word = len(option.things) == 1 and option.things[0].noun != "number"
        return self.letter_of_word.get(option.label, "") if is_word else ""

    @cached_property
    def letter_of_word(self) -> dict[str, str]:
        """Of the members of enumerations, if none of the same begins with the same letter."""
        letters: dict[str, str] = {}
        for enumeration in self.ruleset.enumerations.values():
            first = [member[:1].casefold() for member in enumeration.members]
            letters |= {m: x for m, x in zip(enumeration.members, first, strict=True) if first.count(x) == 1}
        return letters

    def is_by_letter(self, decision: Decision, options: Sequence[Option]) -> bool:
        """Neither cards nor places are chosen, and every option has a letter of its own."""
        things = [thing for option in decision.options if option.item is None for thing in option.things]
        letters = [option.letter for option in options if option.is_offered]
        return (
            decision.left == 1
            and decision.name not in self.about_cards
            and not any(thing.noun in WITH_CARDS for thing in things)
            and all(letters)
            and len(set(letters)) == len(letters)
        )

    def title(self, decision: Decision, view: Mapping[str, Any], may_stop: bool) -> str:
        head = spoken(decision.name)
        if decision.card is not None:
            number = view["decision"].get("card")
            head += f" of {'a card' if number is None else self.pictures.faces.face(number).name}"
        if decision.left > 1:
            more = " more" if decision.picked else ""
            return f"{head}: {'up to ' if may_stop else ''}{decision.left}{more}"
        return head

    # ---- numbers

    def of_number(self, decision: Decision, view: Mapping[str, Any], before: tuple[int, str, str] | None) -> Menu:
        """`before`: the choice before this one: its seat, decision and label."""
        low, high, step = decision.low or 0, decision.high or 0, decision.step or 1
        number = Number(low, high, step, tuple(self.amounts(decision, view)))
        steps = f" in steps of {step}" if step != 1 else ""
        word = before[2] if before is not None and before[0] == decision.player else ""
        name = other_verb(word, decision.name) or spoken(decision.name)
        title = f"{name}: only {low}" if low == high else f"{name}: a number from {low} to {high}{steps}"
        return Menu(f"p{decision.player + 1}", decision.name, title, number=number)

    def amounts(self, decision: Decision, view: Mapping[str, Any]) -> list[Amount]:
        """The least, half of what lies on the table, all of it, the most: those that may be said."""
        low, high = decision.low or 0, decision.high or 0
        if low == high:
            return [Amount("only", low)]
        found = [Amount("least", low)]
        pot = self.pictures.figures.pot(view["variables"])
        for word, value in (("half the pot", pot // 2), ("the pot", pot)):
            if low < value < high and fitted(decision, value) not in (low, found[-1].value):
                found.append(Amount(word, fitted(decision, value)))
        return [*found, Amount("most", high)]


def fitted(decision: Decision, value: int) -> int:
    """The nearest number below that may be said."""
    low, step = decision.low or 0, decision.step or 1
    return low + max(0, value - low) // step * step


def is_card(option: GameOption) -> bool:
    return option.item is None and len(option.things) == 1 and option.things[0].noun == "card"


def ends_the_game(option: GameOption) -> bool:
    return option.item is not None and any(isinstance(node, tree.EndGame) for node in walk(option.item.body))


def is_about_cards(menu: tree.Menu) -> bool:
    return any(domain.noun in WITH_CARDS for item in menu.items for domain in item.domains)
