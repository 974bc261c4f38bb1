"""Files of rows: what stands in them, and that none is left half done."""

from __future__ import annotations

import csv
import json
import os
import resource
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


def test_two_runs_with_one_name_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with row_file(path, COLUMNS) as first:
        first([ROW])
        with row_file(path, COLUMNS) as second:
            second([ROW, ROW])
        assert len(path.read_text(encoding="utf-8").splitlines()) == 3
        first([ROW] * 4)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 6
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_neighbours_file_is_left_alone(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"a.{ending}.part").write_text("mine", encoding="utf-8")
    write(tmp_path / f"a.{ending}")
    assert (tmp_path / f"a.{ending}.part").read_text(encoding="utf-8") == "mine"
    assert len(list(tmp_path.iterdir())) == 2


def test_of_a_link_the_file_is_replaced_to_which_it_leads(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "real.csv", tmp_path / "a.csv"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert len(target.read_text(encoding="utf-8").splitlines()) == 3
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.csv", "real.csv", "there"]


def test_a_file_keeps_its_rights_and_a_new_one_has_those_of_the_process(tmp_path: Path) -> None:
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.touch()
    old.chmod(0o640)
    mask = os.umask(0o027)
    try:
        write(old)
        write(new)
    finally:
        os.umask(mask)
    assert (old.stat().st_mode & 0o777, new.stat().st_mode & 0o777) == (0o640, 0o640)


def test_what_cannot_be_replaced_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    (tmp_path / "folder.csv").mkdir()
    for name, message in {"pipe": "a device or a pipe", "loop": "leads back to itself", "folder": "a folder"}.items():
        with pytest.raises(FileKindError, match=message), row_file(tmp_path / f"{name}.csv", COLUMNS):
            pass


@pytest.mark.skipif(os.geteuid() == 0, reason="to root nothing is forbidden")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.touch(0o444)
    with pytest.raises(FileKindError, match="may not be written"):
        write(path)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_full_disk_is_told_with_the_name_and_leaves_nothing(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    path.write_text("old", encoding="utf-8")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def write_much() -> None:
        with row_file(path, COLUMNS) as take:
            for number in range(2000):
                take([[number, *ROW[1:]]])

    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(OSError, match="too large") as full:
            write_much()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert full.value.filename == str(path)
    assert list(tmp_path.iterdir()) == [path]
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
