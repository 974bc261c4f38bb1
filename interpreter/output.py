"""Files of rows: CSV, JSON lines, Parquet. A file appears under its name when it is whole, else not at all."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from io import TextIOWrapper
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from trionfi.interpreter.rows import RowColumn
from trionfi.interpreter.whole_file import whole_file

__all__ = ["FileKindError", "check_file", "row_file"]

Rows = Sequence[Sequence[object]]
Writer = Callable[[Rows], None]


class FileKindError(ValueError):
    """A file that cannot be written as asked: an unknown ending, a folder that is not there, a missing extra."""


@contextmanager
def row_file(name: str | PathLike[str], columns: Sequence[RowColumn]) -> Iterator[Writer]:
    """Gives a function that takes rows; the ending of the file's name says how they are written.

    Raises FileKindError.
    """
    path = check_file(name)
    write_rows = KINDS[path.suffix.lower()]
    with whole_file(path) as file, write_rows(file, columns) as write:
        yield write


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
    if Path(os.path.realpath(path)).is_symlink():
        raise FileKindError(f"`{path}` is a link that leads back to itself")
    if path.exists() and not path.is_file():
        raise FileKindError(f"`{path}` is a device or a pipe, not a file that can be replaced")
    if path.exists() and not os.access(path, os.W_OK):
        raise FileKindError(f"`{path}` may not be written")
    return path


@contextmanager
def csv_rows(file: BinaryIO, columns: Sequence[RowColumn]) -> Iterator[Writer]:
    """With a line of titles; truths are `true` and `false`, what is not there is empty."""
    with as_text(file) as text:
        table = csv.writer(text, lineterminator="\n")
        table.writerow([column.title for column in columns])
        yield lambda rows: table.writerows([csv_cell(value) for value in row] for row in rows)


def csv_cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


@contextmanager
def json_rows(file: BinaryIO, columns: Sequence[RowColumn]) -> Iterator[Writer]:
    """A JSON object a game."""
    titles = [column.title for column in columns]
    with as_text(file) as text:
        yield lambda rows: text.writelines(json.dumps(dict(zip(titles, row, strict=True))) + "\n" for row in rows)


@contextmanager
def as_text(file: BinaryIO) -> Iterator[TextIO]:
    text = TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        yield text
    finally:
        text.detach()  # which writes what is left; the file itself is not closed here


@contextmanager
def parquet_rows(file: BinaryIO, columns: Sequence[RowColumn]) -> Iterator[Writer]:
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
    with pyarrow.parquet.ParquetWriter(file, schema) as table:

        def write(rows: Rows) -> None:
            values = zip(*rows, strict=True) if rows else [()] * len(columns)
            arrays = [pyarrow.array(column, kind) for column, kind in zip(values, schema.types, strict=True)]
            table.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))

        yield write


KINDS = {".csv": csv_rows, ".jsonl": json_rows, ".parquet": parquet_rows}
