"""Files of rows: what stands in them, and that none is left half done."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet
import pytest

from trionfi.interpreter.output import FileKindError, row_file
from trionfi.interpreter.rows import columns_of, row_of
from trionfi.interpreter.statistics import MeasureShape

SHAPES = [
    MeasureShape("carried", "truth"),
    MeasureShape("money", "number", repeated=True),
    MeasureShape("hand", "words", ("Flush", "Pair"), per_player=True),
]
COLUMNS = columns_of(SHAPES, 2)
GAME = SimpleNamespace(
    number=7,
    players=2,
    moves=[0, 1, 0],
    scores=[Fraction(3, 2), -1],
    winners=[0],
    measures={"carried": True, "money": {"count": 2, "sum": 9}, "hand": ["Flush", None]},
)
ROW = [7, 3, 1.5, -1, True, False, True, 2, 9, "Flush", None]


def write(path: Path) -> None:
    with row_file(path, COLUMNS) as take:
        take([row_of(GAME)])
        take([])
        take([row_of(GAME)])


def test_columns_and_row_belong_together() -> None:
    titles = [column.title for column in COLUMNS]
    assert titles == [
        "game",
        "decisions",
        "p1.score",
        "p2.score",
        "p1.won",
        "p2.won",
        "carried",
        "money.count",
        "money.sum",
        "p1.hand",
        "p2.hand",
    ]
    assert row_of(GAME) == ROW


def test_csv(tmp_path: Path) -> None:
    write(tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2
    assert rows[0]["p1.score"] == "1.5"
    assert (rows[0]["p1.won"], rows[0]["p2.won"], rows[0]["p2.hand"]) == ("true", "false", "")


def test_json_lines(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [list(row.values()) for row in rows] == [ROW, ROW]


def test_parquet(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "a.parquet")
    assert [list(row.values()) for row in table.to_pylist()] == [ROW, ROW]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_an_error_leaves_no_file_and_keeps_the_old_one(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    path.write_text("old", encoding="utf-8")

    def fails() -> None:
        with row_file(path, COLUMNS) as take:
            take([ROW])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.xls", r"a table of games is written to a file \.csv, \.jsonl or \.parquet, not to `a\.xls`"),
        ("missing/a.csv", "there is no folder `.*missing`"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_at_once(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(FileKindError, match=message), row_file(tmp_path / name, COLUMNS):
        pass


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trionfi.interpreter.output.find_spec", lambda name: None)
    with pytest.raises(FileKindError, match=r"install trionfi\[parquet\]"), row_file(tmp_path / "a.parquet", COLUMNS):
        pass
