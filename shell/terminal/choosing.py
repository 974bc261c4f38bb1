"""One choice under way: what has been typed, what the bar is on, what is ticked. No screen.

Nothing is chosen beforehand: Enter takes what was moved to or typed. A letter acts at once only where neither cards
nor numbers are asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from trionfi.shell.lines import in_range, re_number, wanted
from trionfi.table.answers import amount_called, begun, first_options, is_begun_so, matching, meant, several
from trionfi.table.model import Menu, Option

__all__ = ["COMMANDS", "Choosing", "Reply"]

DONE = "done"
MOST_PASTED = 200  # signs
COMMANDS = ("undo", "hint", "rules", "help", "quit")


class Reply(NamedTuple):
    """`kind`: choose (labels), ask (about), or command (its word)."""

    kind: str
    labels: tuple[str, ...]


class Choosing:
    """`said`: what is to be told of the last key."""

    def __init__(self, menu: Menu) -> None:
        self.menu = menu
        self.typed = ""
        self.at: str | None = None  # the label under the bar
        self.ticked: list[str] = []
        self.said = ""
        self.put_in = ""  # a number that keys of moving wrote; what is typed then takes its place
        self.order: list[str] = []  # labels as they lie on the screen, where that is another order than the menu's
        self.sure = ""  # what is dangerous, and chosen if Enter comes once more

    # ---- what there is

    @property
    def asks(self) -> bool:
        return self.typed.startswith("?")

    @property
    def visible(self) -> list[Option]:
        """The options that fit what is typed."""
        is_between = self.menu.is_of_several and self.typed.endswith((" ", ","))
        if not self.typed.strip() or self.asks or is_between:
            return self.menu.offered
        return matching(self.menu, self.typed) or self.menu.offered

    @property
    def marked(self) -> list[str]:
        """What is ticked, and of what is being typed what is clear already."""
        if not self.menu.is_of_several or self.asks or not self.typed.strip():
            return self.ticked
        clear, _ = begun(self.menu, self.typed)
        return list(dict.fromkeys([*self.ticked, *(option.label for option in clear if option.label != DONE)]))

    @property
    def by_letter(self) -> bool:
        return self.menu.by_letter and not self.typed

    # ---- keys

    def press(self, key: str, character: str = "") -> Reply | None:
        """A key by its name, with the character that it types."""
        self.said = ""
        if key in STEPS or key in ("home", "end", "escape"):
            self.sure = ""
        if key == "enter":
            return self.enter()
        if key in STEPS:
            self.step(*STEPS[key])
        elif key in ("home", "end"):
            self.step_to(key == "end")
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "escape":
            self.typed, self.at, self.ticked = "", None, []
        elif key == "space" and not self.typed and self.menu.is_of_several:
            self.tick()
        elif character and character.isprintable():
            return self.type(character)
        return None

    def type(self, character: str) -> Reply | None:
        if self.by_letter and character != "?":
            return self.letter(character.casefold())
        if character != " " or self.typed:
            is_written = bool(self.put_in) and self.typed == self.put_in
            self.typed = character if is_written else self.typed + character
            self.put_in = ""
            self.at = None
        if character in " ," and self.menu.is_of_several and self.typed and not self.asks:
            self.check_typed()
        return None

    def check_typed(self) -> None:
        """Between two of several that are typed: whether they are there, and not too many."""
        _, nothing = begun(self.menu, self.typed)
        if nothing:
            self.said = f"`{nothing[-1].strip()}` is not offered"
        elif len(self.marked) > self.menu.most:
            self.said = f"only {self.menu.most} may be picked"

    def letter(self, letter: str) -> Reply | None:
        option = next((one for one in self.menu.offered if one.letter == letter), None)
        if option is not None:
            return self.take(option)
        self.said = f"`{letter}` is not one of these" if letter.strip() else "a letter chooses here, or Enter"
        return None

    def step(self, by: int, amount: int) -> None:
        """Moves the bar; a number goes up and down by its step, and from one usual amount to the next."""
        if self.menu.number is not None:
            self.step_number(-by if not amount else 0, amount)
            return
        labels = self.in_order([option.label for option in self.visible])
        if labels:
            move = by or amount
            place = labels.index(self.at) + move if self.at in labels else (0 if move > 0 else -1)
            self.at = labels[place % len(labels)]

    def step_to(self, last: bool) -> None:
        """To the first or the last, or the least or the most."""
        if self.menu.number is not None:
            self.typed = self.put_in = str(self.menu.number.most if last else self.menu.number.least)
        elif labels := self.in_order([option.label for option in self.visible]):
            self.at = labels[-1 if last else 0]

    def in_order(self, labels: list[str]) -> list[str]:
        places = {label: place for place, label in enumerate(self.order)}
        return sorted(labels, key=lambda label: places.get(label, len(places)))

    def step_number(self, up: int, amount: int) -> None:
        number = self.menu.number
        assert number is not None, "a number is asked for"
        now = int(self.typed) if re_number(self.typed) else None
        if amount:
            values = [one.value for one in number.amounts]
            later = [v for v in values if now is None or (v > now if amount > 0 else v < now)]
            now = (later[0] if amount > 0 else later[-1]) if later else now
        elif now is None:
            now = number.least if up > 0 else number.most
        else:
            now += up * number.step
            now -= (now - number.least) % number.step if now < number.most else 0
        if now is not None:
            self.typed = self.put_in = str(max(number.least, min(number.most, now)))

    def point(self, label: str) -> Reply | None:
        """A click: moves there; on what is under the bar already it chooses, of several it ticks."""
        self.said, self.typed = "", ""
        was_there, self.at = self.at == label, label
        if self.menu.is_of_several and label != DONE:
            self.tick()
            return None
        return self.enter() if was_there or self.menu.by_letter else None

    def tick(self) -> None:
        if self.at is None:
            self.said = "move to a card first, or type it"
        elif self.at in self.ticked:
            self.ticked.remove(self.at)
        elif self.at == DONE or len(self.ticked) < self.menu.most:
            self.ticked.append(self.at)
        else:
            self.said = f"only {self.menu.most} may be picked"

    def paste(self, text: str) -> None:
        """Its first line, behind what is typed."""
        self.said, self.at = "", None
        first = next((line for line in text.splitlines() if line.strip()), "")
        self.typed += "".join(sign for sign in " ".join(first.split()) if sign.isprintable())[:MOST_PASTED]

    # ---- Enter

    def enter(self) -> Reply | None:
        text = " ".join(self.typed.split())
        if self.asks:
            self.typed = ""
            return Reply("ask", (text[1:].strip(),))
        if text.casefold() in COMMANDS and not any(o.label.casefold() == text.casefold() for o in self.menu.offered):
            self.typed = ""
            return Reply("command", (text.casefold(),))
        if self.menu.number is not None:
            return self.enter_number(text)
        return self.enter_text(text) if text else self.enter_moved()

    def enter_number(self, text: str) -> Reply | None:
        if re_number(text) and in_range(self.menu, int(text)):
            return Reply("choose", (str(int(text)),))
        number = self.menu.number
        amount = amount_called(number, text) if number is not None and text else None
        if amount is not None:
            self.typed = str(amount)
            self.said = f"{text} is {amount}: Enter takes it"
            return None
        self.said = f"`{text}` is not offered; {wanted(self.menu)}" if text else wanted(self.menu)
        return None

    def enter_text(self, text: str) -> Reply | None:
        found = self.visible
        one = next((o for o in found if o.label == self.at), None) or meant(self.menu, text)
        if one is not None and one.label != self.at and not is_begun_so(one, text):
            self.at = one.label
            self.said = f"{one.label}? Enter takes it, Esc does not"
            return None
        if one is not None:
            self.typed = ""
            return self.take(one)
        listed = several(self.menu, text) if self.menu.is_of_several else None
        if listed is not None:
            self.ticked = list(dict.fromkeys([*self.ticked, *(option.label for option in listed)]))
            self.typed = ""
            return self.submit() if self.is_enough else None
        fitting = matching(self.menu, text)
        self.said = f"which one: {first_options(fitting)}?" if fitting else f"`{text}` is not offered"
        return None

    def enter_moved(self) -> Reply | None:
        option = next((one for one in self.menu.offered if one.label == self.at), None)
        if self.menu.is_of_several and (self.ticked or (option is not None and option.label != DONE)):
            if not self.is_enough and option is not None and option.label not in self.ticked:
                self.tick()
                return None
            return self.submit()
        if option is None:
            self.said = "nothing is chosen yet: move to it, or type it"
            return None
        return self.take(option)

    def take(self, option: Option) -> Reply | None:
        """One option: chosen, or of several ticked."""
        if self.menu.is_of_several and option.label != DONE:
            self.at = option.label
            if option.label not in self.ticked:
                self.tick()
            return None
        self.sure = self.sure if self.sure == option.label else ""
        if option.is_danger and not self.sure:
            self.sure, self.at = option.label, option.label
            self.said = f"{option.label}? the same once more does it, Esc does not"
            return None
        return Reply("choose", (*self.ticked, option.label) if option.label == DONE else (option.label,))

    @property
    def is_enough(self) -> bool:
        return len(self.ticked) >= max(1, self.menu.least)

    def submit(self) -> Reply | None:
        if not self.is_enough:
            left = self.menu.least - len(self.ticked)
            self.said = f"{left} more to pick"
            return None
        may_stop = self.menu.may_stop and DONE not in self.ticked
        return Reply("choose", (*self.ticked, DONE) if may_stop else tuple(self.ticked))


# What arrows do: along the options, or from one usual amount to the next.
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
