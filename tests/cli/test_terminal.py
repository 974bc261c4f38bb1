"""A call in a terminal of its own: the bar, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="a pseudo-terminal is a thing of Unix")

CALL = [sys.executable, "-c", "from trionfi.cli import main; main()"]
ENDLESS = [*CALL, "simulate", "kuhn", "-n", "100000000", "--engine", "reference", "--json"]


def read_until(terminal: int, text: str) -> str:
    """What the terminal shows, up to that text."""
    shown = ""
    while text not in shown:
        shown += os.read(terminal, 1024).decode()
    return shown


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_shows_the_results_so_far_and_leaves_nothing(tmp_path: Path, workers: int) -> None:
    terminal, end = pty.openpty()
    arguments = [*ENDLESS, "--workers", str(workers), "--out", str(tmp_path / "games.csv")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=end) as process:
        os.close(end)
        assert "[" in read_until(terminal, "of 100000000 games")
        process.send_signal(signal.SIGINT)
        shown = read_until(terminal, "stopped after")
        out, _ = process.communicate(timeout=60)
    os.close(terminal)
    assert process.returncode == 130
    assert "Traceback" not in shown
    assert json.loads(out)["games"] > 0
    assert list(tmp_path.iterdir()) == []
