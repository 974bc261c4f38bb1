"""The script ./dev, as far as it goes without making an environment; .ci/run does the rest."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "dirname", "cat", "cksum", "sed", "mkdir", "rm", "sleep")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what ./dev reads, and a folder `bin` with the tools it may use and no Python."""
    for name in ("dev", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found
        (tmp_path / "bin" / tool).symlink_to(found)
    return tmp_path


def program(clone: Path, name: str, text: str) -> None:
    path = clone / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def dev(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(clone / "bin")}
    return subprocess.run(
        [clone / "dev", *arguments], capture_output=True, text=True, check=False, env=environment, cwd=clone.parent
    )


def test_a_python_that_is_too_old_is_named(clone: Path) -> None:
    program(clone, "python3", 'if [ "$1" = --version ]; then echo Python 3.9.2; else exit 1; fi')
    done = dev(clone, "trionfi", "list")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dev: Python 3.11 or later is needed; found Python 3.9.2\n"
    assert not (clone / ".venv.lock").exists()


def test_no_python_at_all(clone: Path) -> None:
    done = dev(clone, "test")
    assert done.returncode == 2
    assert "Python 3.11 or later is needed; found " in done.stderr


@pytest.mark.parametrize("arguments", [(), ("tset",)])
def test_how_it_is_called(clone: Path, arguments: tuple[str, ...]) -> None:
    done = dev(clone, *arguments)
    assert done.returncode == 2
    assert "./dev trionfi ARGS..." in done.stderr
    assert not (clone / ".venv").exists()


PYTHON = """
case "$*" in
    "-c "*) exit 0 ;;
    "-m venv "*) mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; echo made >&2 ;;
    "-m pip "*) echo "pip: $*" >&2 ;;
    *) echo "ran: $*" ;;
esac
"""


@pytest.fixture
def ready(clone: Path) -> Path:
    """With a program that plays Python: it says what it is asked to do."""
    program(clone, "python3.11", PYTHON)
    (clone / "bin" / "cp").symlink_to(shutil.which("cp") or "cp")
    return clone


def test_the_environment_is_made_once(ready: Path) -> None:
    first = dev(ready, "test", "-k", "x")
    assert first.returncode == 0
    assert first.stdout == "ran: -m pytest -k x\n"
    assert "pip: -m pip install" in first.stderr
    second = dev(ready, "test", "-k", "x")
    assert (second.stdout, second.stderr) == (first.stdout, "")


def test_it_is_made_anew_when_a_pin_changes(ready: Path) -> None:
    dev(ready, "test")
    pins = ready / "requirements.txt"
    pins.write_text(pins.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    assert "made" in dev(ready, "test").stderr


def test_a_failed_set_up_is_no_set_up(ready: Path) -> None:
    program(ready, "python3.11", PYTHON.replace('echo "pip: $*" >&2', "exit 7"))
    assert dev(ready, "test").returncode == 7
    assert not (ready / ".venv" / "stamp").exists()
    assert not (ready / ".venv.lock").exists()
