"""Tables of text: columns that fit a width, the least important ones left out; small bars of shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["BLOCKS", "HASHES", "Column", "bar", "table_lines"]

BLOCKS = " ▏▎▍▌▋▊▉█"  # eighths of a column
HASHES = " #"
GAP = 2
LEAST_BAR, MOST_BAR = 6, 24  # columns


@dataclass(frozen=True, slots=True)
class Column:
    """`weight`: where not all columns fit, the lightest are left out first; those of weight 0 stay."""

    title: str
    cells: Sequence[str]
    right: bool = True
    weight: int = 0

    @property
    def width(self) -> int:
        return max(len(self.title), *(len(cell) for cell in self.cells), 0)

    def placed(self, text: str) -> str:
        return text.rjust(self.width) if self.right else text.ljust(self.width)


def table_lines(
    columns: Sequence[Column], width: int, shares: Sequence[float] | None = None, signs: str = BLOCKS
) -> Iterator[str]:
    """A line of titles and a line a row; behind the last column bars of `shares` (0 to 1), where there is room."""
    kept = fitting(columns, width)
    room = min(MOST_BAR, width - needed(kept) - GAP)
    gap = " " * GAP
    yield gap.join(column.placed(column.title) for column in kept).rstrip()
    for row in range(len(columns[0].cells)):
        line = gap.join(column.placed(column.cells[row]) for column in kept)
        drawn = bar(shares[row], room, signs) if shares is not None and room >= LEAST_BAR else ""
        yield f"{line}{gap}{drawn}".rstrip()


def needed(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def fitting(columns: Sequence[Column], width: int) -> list[Column]:
    """The columns without the lightest ones, until they fit; those of one weight go together."""
    kept = list(columns)
    for weight in sorted({column.weight for column in columns} - {0}):
        if needed(kept) <= width:
            break
        kept = [column for column in kept if column.weight != weight]
    return kept


def bar(share: float, width: int, signs: str = BLOCKS) -> str:
    """A bar of a share of the width, as fine as the signs allow; something seen is never nothing."""
    steps = len(signs) - 1
    filled = round(max(0.0, min(1.0, share)) * width * steps)
    filled = max(filled, 1) if share > 0 else filled
    whole, rest = divmod(filled, steps)
    return signs[-1] * whole + (signs[rest] if rest else "")
