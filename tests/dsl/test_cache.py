"""What is kept between runs: read again, bounded, and never taken from anybody else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trionfi.dsl import cache
from trionfi.dsl.cache import read_cached, write_cached

POSIX = pytest.mark.skipif(os.name == "nt", reason="users and modes are those of POSIX")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return tmp_path / "caches" / "trionfi"


@pytest.fixture
def kept(folder: Path) -> Path:
    """The file of `room/name`, which holds `data`."""
    write_cached("room/name", b"data")
    assert read_cached("room/name") == b"data"
    return folder / "room" / "name"


def test_what_is_kept_is_read_again(folder: Path) -> None:
    for name, data in (("name", b"one"), ("room/name", b"\0two\n"), ("name", b"")):
        write_cached(name, data)
        assert read_cached(name) == data
    assert read_cached("other") is None
    assert sorted(path.name for path in folder.rglob("*")) == ["name", "name", "room"]


def test_a_file_under_another_name_is_none(kept: Path) -> None:
    kept.rename(kept.with_name("other"))
    assert read_cached("room/other") is None


@POSIX
def test_folders_and_files_are_the_users_own(kept: Path) -> None:
    modes = [path.stat().st_mode & 0o777 for path in (kept.parents[1], kept.parent, kept)]
    assert modes == [0o700, 0o700, 0o600]


@POSIX
@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602])
def test_a_file_that_others_may_write_is_none(kept: Path, mode: int) -> None:
    kept.chmod(mode)
    assert read_cached("room/name") is None
    write_cached("room/name", b"anew")
    assert read_cached("room/name") == b"anew"


@POSIX
@pytest.mark.parametrize("level", [0, 1])
def test_a_folder_that_others_may_write_is_none_until_it_is_closed(kept: Path, level: int) -> None:
    kept.parents[level].chmod(0o777)
    assert read_cached("room/name") is None
    write_cached("room/other", b"more")
    assert kept.parents[level].stat().st_mode & 0o777 == 0o700
    assert read_cached("room/name") == b"data"


@POSIX
def test_what_is_of_another_user_is_none(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    assert read_cached("room/name") is None
    write_cached("room/name", b"anew")
    assert kept.read_bytes().endswith(b"data"), "nothing is written into a folder of another user"


@POSIX
@pytest.mark.parametrize("part", ["file", "folder"])
def test_a_link_is_none(kept: Path, part: str) -> None:
    path = kept if part == "file" else kept.parent
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))
    assert read_cached("room/name") is None
    write_cached("room/name", b"anew")
    elsewhere = path.with_name("elsewhere")
    assert (elsewhere if part == "file" else elsewhere / "name").read_bytes().endswith(b"data")
    assert read_cached("room/name") == (b"anew" if part == "file" else None)


@POSIX
def test_a_pipe_is_none_and_keeps_nobody_waiting(kept: Path) -> None:
    kept.unlink()
    os.mkfifo(kept)
    code = "from trionfi.dsl.cache import read_cached; print(read_cached('room/name'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert run.stdout == "None\n"


def test_a_folder_in_the_place_of_a_file_is_none(kept: Path) -> None:
    kept.unlink()
    kept.mkdir()
    assert read_cached("room/name") is None
    write_cached("room/name", b"data")
    assert [path.name for path in kept.parent.iterdir()] == ["name"], "what was written aside is gone"


def test_a_relative_folder_is_not_obeyed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    write_cached("name", b"data")
    assert list(here.iterdir()) == []
    # nor where the library would give one
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: Path("caches"))
    write_cached("name", b"data")
    assert list(here.iterdir()) == []
    assert read_cached("name") is None


def test_the_oldest_files_go_where_there_are_too_many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 4)
    for number in range(4):
        write_cached(f"room/{number}", b"")
        os.utime(folder / "room" / str(number), (number, number))
    assert len(list((folder / "room").iterdir())) == 4
    write_cached("room/last", b"")
    assert {path.name for path in (folder / "room").iterdir()} == {"3", "last"}


def test_the_oldest_files_go_where_they_are_too_large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 1000)
    for number in range(4):
        write_cached(f"room/{number}", bytes(200))
        if (path := folder / "room" / str(number)).exists():
            os.utime(path, (number, number))
    assert {path.name for path in (folder / "room").iterdir()} == {"3"}
    write_cached("room/vast", bytes(501))
    assert read_cached("room/vast") is None


def test_a_file_that_has_grown_vast_is_not_read(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", kept.stat().st_size - 1)
    assert read_cached("room/name") is None
