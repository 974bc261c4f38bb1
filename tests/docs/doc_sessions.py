"""The sessions that pages show: files that are written, commands that are run, and what they print.

A session is what stands in a page's blocks, in order: ```` ```yaml file=NAME ```` writes a file, `add=NAME` adds to one, ```` ```sh ````
runs the lines that call Trionfi, and a ```` ```text ```` right behind shows what the last of them prints (`head=N`: its first N
lines; `turn=N`: what stands before the Nth prompt, `answer=A` being what is typed at all of them). `TRIONFI_WRITE_DOCS=1 ./dev test tests/docs` writes what is printed into the pages.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

WRITES = bool(os.environ.get("TRIONFI_WRITE_DOCS"))
CALL = "./dev trionfi "

_INFO = re.compile(r"\s*```text(.*)")  # of a block right behind
_PROMPT = re.compile(r"p[0-9]+> ?")
_BLOCK = re.compile(r"^```(\w+)(?: (.*))?\n([\s\S]*?)^```$", re.MULTILINE)
_ANSWERS = 400  # whoever is asked gives always the same, the first that is offered if the page says nothing


@dataclass(slots=True)
class Shown:
    """A block of output on a page: the calls before it, what is shown, and what the last call printed."""

    calls: list[str]
    shown: str
    printed: str
    start: int
    end: int

    @property
    def call(self) -> str:
        return self.calls[-1] if self.calls else ""


@dataclass(slots=True)
class Session:
    """What came of a page: its blocks of output, and the exit code of each call."""

    shown: list[Shown] = field(default_factory=list)
    codes: list[tuple[str, int]] = field(default_factory=list)


def play_session(page: Path, folder: Path, run: Callable[[list[str]], int]) -> Session:
    """Does in a folder what a page says."""
    session = Session()
    calls: list[str] = []
    printed = ""
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(text):
        kind, info, body = block[1], block[2] or "", block[3]
        if kind == "yaml" and info.startswith(("file=", "add=")):
            how, _, name = info.partition("=")
            with (folder / name).open("w" if how == "file" else "a", encoding="utf-8") as file:
                file.write(body)
        elif kind == "sh":
            calls = [line for line in body.splitlines() if line.startswith(CALL)]
            answer = _told(_INFO.match(text, block.end()), "answer", "1")
            for call in calls:
                code, printed = output_of(call, run, answer)
                session.codes.append((call, code))
        elif kind == "text" and calls:
            session.shown.append(Shown(calls, body, headed(printed, info), block.start(3), block.end(3)))
            calls = []
    return session


def output_of(call: str, run: Callable[[list[str]], int], answer: str) -> tuple[int, str]:
    """The exit code of a call, and what it prints on both streams."""
    arguments = shlex.split(call, comments=True)[2:]
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out), patch.object(sys, "stdin", io.StringIO(f"{answer}\n" * _ANSWERS)):
        code = run(arguments)
    return code, "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def headed(printed: str, info: str) -> str:
    """The part of it that is shown: its first lines, or what stands before the prompt of a turn."""
    lines = printed.splitlines(keepends=True)
    if turn := int(_told(info, "turn", "0")):
        prompts = [i for i, line in enumerate(lines) if _PROMPT.match(line)]
        start = next(i for i in range(prompts[turn - 2], len(lines)) if not lines[i].strip()) + 1
        return "".join(lines[start : prompts[turn - 1]]) + "p1>\n"
    wanted = int(_told(info, "head", "0")) or len(lines)
    return "".join(lines[:wanted]) + ("...\n" if len(lines) > wanted else "")


def _told(info: str | re.Match[str] | None, name: str, otherwise: str) -> str:
    """What the first line of a block says by a name: `head=20`."""
    written = info if isinstance(info, str) else info[1] if info else ""
    found = re.search(rf"\b{name}=(\S+)", written)
    return found[1] if found else otherwise


def write_page(page: Path, shown: list[Shown]) -> None:
    """Puts what was printed into the page."""
    text = page.read_text(encoding="utf-8")
    for one in reversed(shown):
        text = text[: one.start] + one.printed + text[one.end :]
    page.write_text(text, encoding="utf-8")
