"""What the declarations of a ruleset show about its cards, whatever is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trionfi.core.ir import Const, Let, Name, Operand
from trionfi.core.ops import Op
from trionfi.core.passes.folding import NO, YES
from trionfi.core.types import INT
from trionfi.dsl.tree import Ruleset

__all__ = ["Facts"]


@dataclass(frozen=True)
class Facts:
    """Facts of a ruleset."""

    rules: Ruleset | None

    @property
    def is_single(self) -> bool:
        """Whether no card has a copy."""
        return self.rules is not None and all(deck.copies is None for deck in self.rules.decks)

    @property
    def is_printed(self) -> bool:
        """Whether cards are always what is printed on them."""
        return self.rules is not None and not self.rules.effects

    def always_has(self, column: str) -> bool:
        """Whether each card has a suit, or a rank."""
        return self.is_printed and all(getattr(face, column) is not None for face in self.rules.faces)  # type: ignore[union-attr]

    def answer(self, let: Let, lets: Mapping[str, Let]) -> Operand | None:
        """What a let gives as far as the declarations show."""
        match let.op:
            case Op.IS_NONE:
                made = self.made(let.args[0], lets)
                if made in (Op.SUIT, Op.RANK) and self.always_has(str(made)):
                    return NO
            case Op.HAS_NO_SUIT | Op.HAS_NO_RANK:
                if self.always_has(let.op.removeprefix("has_no_")):
                    return NO
            case Op.ALIKE:
                if let.args[0] == let.args[1]:
                    return YES
            case Op.SEAT_COUNT:
                return self.seats()
            case _:
                pass
        return None

    def seats(self) -> Operand | None:
        """How many seats there are, if a game is always for so many."""
        if self.rules is None or self.rules.players[0] != self.rules.players[1]:
            return None
        return Const(self.rules.players[0], INT)

    @staticmethod
    def made(operand: Operand, lets: Mapping[str, Let]) -> Op | None:
        found = lets.get(operand.text) if isinstance(operand, Name) else None
        return None if found is None else found.op
