"""What README shows is what one gets: its commands run, its rulesets play."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from trionfi.cli import run

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"`(\S+\.yaml)`:\n\n```yaml\n(.*?)```", TEXT, re.DOTALL))
COMMANDS = [
    shlex.split(line, comments=True)[2:]
    for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("./dev trionfi ")
]


def test_there_is_something_to_try() -> None:
    assert len(COMMANDS) > 5
    assert FILES


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_each_command_runs(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    if command[0] == "play":
        command = [*command, "--bot", "all=random"]
    assert run(command) == 0
    assert capsys.readouterr().out
