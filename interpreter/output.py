"""Files of rows: CSV, JSON lines, Parquet. A file appears under its name when it is whole, else not at all."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any

from trionfi.interpreter.rows import Column

__all__ = ["FileKindError", "check_file", "row_file"]

Rows = Sequence[Sequence[object]]
Writer = Callable[[Rows], None]


class FileKindError(ValueError):
    """A file that cannot be written as asked: an unknown ending, a folder that is not there, a missing extra."""


@contextmanager
def row_file(name: str | PathLike[str], columns: Sequence[Column]) -> Iterator[Writer]:
    """Gives a function that takes rows; the ending of the file's name says how they are written.

    Raises FileKindError.
    """
    path = check_file(name)
    opener = KINDS[path.suffix.lower()]
    part = path.with_name(f"{path.name}.part")
    try:
        with opener(part, columns) as write:
            yield write
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def check_file(name: str | PathLike[str]) -> Path:
    """That rows can be written there, before any game is played. Raises FileKindError."""
    path = Path(name)
    if path.suffix.lower() not in KINDS:
        raise FileKindError(f"a table of games is written to a file .csv, .jsonl or .parquet, not to `{path.name}`")
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise FileKindError("a .parquet file needs pyarrow: install trionfi[parquet]")
    if not path.parent.is_dir():
        raise FileKindError(f"there is no folder `{path.parent}`")
    if path.is_dir():
        raise FileKindError(f"`{path}` is a folder")
    return path


@contextmanager
def csv_file(path: Path, columns: Sequence[Column]) -> Iterator[Writer]:
    """With a line of titles; truths are `true` and `false`, what is not there is empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([column.title for column in columns])
        yield lambda rows: table.writerows([csv_cell(value) for value in row] for row in rows)


def csv_cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


@contextmanager
def json_lines_file(path: Path, columns: Sequence[Column]) -> Iterator[Writer]:
    """A JSON object a game."""
    titles = [column.title for column in columns]
    with path.open("w", encoding="utf-8") as file:
        yield lambda rows: file.writelines(json.dumps(dict(zip(titles, row, strict=True))) + "\n" for row in rows)


@contextmanager
def parquet_file(path: Path, columns: Sequence[Column]) -> Iterator[Writer]:
    """Needs the extra `parquet` (pyarrow)."""
    import pyarrow
    import pyarrow.parquet

    kinds: dict[str, Any] = {
        "truth": pyarrow.bool_(),
        "whole": pyarrow.int64(),
        "number": pyarrow.float64(),
        "text": pyarrow.string(),
    }
    schema = pyarrow.schema([(column.title, kinds[column.kind]) for column in columns])
    with pyarrow.parquet.ParquetWriter(path, schema) as file:

        def write(rows: Rows) -> None:
            values = zip(*rows, strict=True) if rows else [()] * len(columns)
            arrays = [pyarrow.array(column, kind) for column, kind in zip(values, schema.types, strict=True)]
            file.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))

        yield write


KINDS = {".csv": csv_file, ".jsonl": json_lines_file, ".parquet": parquet_file}
