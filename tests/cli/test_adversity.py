"""Full disks, closed pipes, signals, processes that are killed: a clear line, the right exit code, nothing left over."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import sleep
from typing import Any

import pytest

CALL = [sys.executable, "-c", "from trionfi.cli import main; main()"]
LONG = ["simulate", "kuhn", "-n", "100000000", "--engine", "reference", "--json"]
NEEDS_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")


def start(arguments: Sequence[str], **settings: Any) -> subprocess.Popen[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
    return subprocess.Popen([*CALL, *arguments], text=True, **pipes)


def said_by(arguments: Sequence[str], **settings: Any) -> tuple[int, str | None, str | None]:
    """Exit code, stdout, stderr."""
    with start(arguments, **settings) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


# ---- stdout and stderr


@NEEDS_FULL
@pytest.mark.parametrize("arguments", [["list"], ["simulate", "kuhn", "-n", "5", "--json"], ["--version"]])
def test_a_full_disk_behind_stdout(arguments: list[str]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        code, _, err = said_by(arguments, stdout=full)
    assert (code, err) == (1, "trionfi: stdout: No space left on device\n")


@pytest.mark.parametrize("arguments", [["list"], ["explain", "two-win"]])
def test_stdout_that_nobody_reads(arguments: list[str]) -> None:
    """What is short is written when the command has ended, what is long in its midst."""
    reader, writer = os.pipe()
    os.close(reader)
    code, _, err = said_by(arguments, stdout=writer)
    os.close(writer)
    assert (code, err) == (1, "trionfi: stdout: nobody reads any more (the pipe is closed)\n")


def test_stdout_that_is_closed() -> None:
    code, _, err = said_by(["list"], stdout=None, preexec_fn=lambda: os.close(1))
    assert (code, err) == (1, "trionfi: stdout: Bad file descriptor\n")


def test_stderr_that_is_closed_changes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").touch()

    def close() -> None:
        os.close(0)
        os.close(2)

    calls = {"simulate nothing -n 5": 2, "simulate kuhn -n 5": 0, "test empty.yaml": 1}
    for words, wanted in calls.items():
        code, out, _ = said_by(words.split(), cwd=tmp_path, stderr=None, preexec_fn=close)
        assert code == wanted, words
        assert bool(out) == (wanted == 0), words


def test_stderr_that_nobody_reads() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    code, out, _ = said_by(["simulate", "kuhnn", "-n", "5"], stderr=writer)
    os.close(writer)
    assert (code, out) == (2, "")


# ---- signals


def wait_for_rows(folder: Path) -> None:
    while not any(file.stat().st_size for file in folder.iterdir() if file.name.startswith(".games.csv.")):
        sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_signal_shows_what_was_played_and_leaves_nothing(tmp_path: Path, number: int, workers: int) -> None:
    (tmp_path / "games.csv").write_text("old", encoding="utf-8")
    with start([*LONG, "--workers", str(workers), "--out", "games.csv"], cwd=tmp_path) as process:
        wait_for_rows(tmp_path)
        children = children_of(process.pid)
        assert len(children) == (workers if workers > 1 else 0)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    data = json.loads(out)
    assert (process.returncode, err) == (128 + number, f"stopped after {data['games']} of 100000000 games\n")
    assert data["games"] > 0
    assert [file.name for file in tmp_path.iterdir()] == ["games.csv"]
    assert (tmp_path / "games.csv").read_text(encoding="utf-8") == "old"
    assert all(map(is_gone, children))


def children_of(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def test_a_signal_ends_other_commands_with_a_line(tmp_path: Path) -> None:
    script = "import os, signal; import trionfi.shell.listing as it; "
    script += (
        "it.show_list = lambda as_json: os.kill(os.getpid(), signal.SIGTERM); from trionfi.cli import main; main()"
    )
    ended = subprocess.run([sys.executable, "-c", script, "list"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (143, "", "trionfi: ended by SIGTERM\n")


def test_a_signal_that_is_ignored_stays_so() -> None:
    script = "import signal; from trionfi.shell.stopping import stop_on_signals; stop_on_signals()\n"
    script += "print([signal.getsignal(number) is signal.SIG_IGN for number in (signal.SIGHUP, signal.SIGTERM)])"
    ended = subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout == "[True, False]\n"


# ---- workers, and a disk that is full


def test_a_worker_that_is_killed_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    words = ["simulate", "kuhn", "-n", "800", "--seed", "4", "--engine", "reference", "--json"]
    with start([*words, "--workers", "2", "--out", "games.csv"], cwd=tmp_path) as process:
        wait_for_part(tmp_path)
        while len(children_of(process.pid)) < 2:
            sleep(0.01)
        os.kill(children_of(process.pid)[0], signal.SIGKILL)
        out, err = process.communicate(timeout=60)
    said = "trionfi: a worker process has ended before its games were played (SIGKILL); another has played them\n"
    assert (process.returncode, err) == (0, said)
    assert json.loads(out) == json.loads(said_by(words)[1] or "")
    assert len((tmp_path / "games.csv").read_text(encoding="utf-8").splitlines()) == 801


def wait_for_part(folder: Path) -> None:
    while not list(folder.iterdir()):
        sleep(0.01)


def test_a_full_disk_keeps_the_old_file_and_shows_what_was_played(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("old", encoding="utf-8")
    limit = (8192, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
    code, out, err = said_by(
        [*LONG, "--workers", "1", "--out", "games.csv"],
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    data = json.loads(out or "")
    assert (code, err) == (1, "trionfi: games.csv: File too large\n")
    assert data["games"] > 0
    assert [file.name for file in tmp_path.iterdir()] == ["games.csv"]
    assert (tmp_path / "games.csv").read_text(encoding="utf-8") == "old"
