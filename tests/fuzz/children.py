"""Trials in child processes: what kills, fills or stops a child is a finding like any other, and names its trial.

Children are forked from one warm process. Each is limited in memory and, trial by trial, in processor time.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import resource
import select
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

SECONDS = 120  # of processor time that a trial may take: tests under many options compile a module for each
PATIENCE = 20  # by what the watchdog's time is longer, since others may use the machine
MEMORY = 1536 << 20  # bytes that a child may take beyond what it begins with
TRIALS_A_CHILD = 1000
HERE = str(Path(__file__).parent)


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong: `kind` (exception, difference, hang, crash, memory), `sign` by which findings of one cause are told
    to be one, and all that there is to say."""

    kind: str
    sign: str
    story: str


Result = str | Found
Work = Callable[[int], str]  # does trial number n; gives a word


class Child:
    """A process that does the trials `numbers`, one after another, and tells of each."""

    def __init__(self, work: Work, numbers: Iterator[int], seconds: int = SECONDS) -> None:
        self.numbers, self.seconds = numbers, seconds
        self.log = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        self.current: int | None = None
        self.heard = time.monotonic()
        reading, writing = os.pipe()
        self.process = os.fork()
        if not self.process:
            os.close(reading)
            self._live(work, os.fdopen(writing, "w", encoding="utf-8"))
        os.close(writing)
        self.answers, self.rest, self.over = reading, b"", False

    # ---- in the child

    def _live(self, work: Work, answers: IO[str]) -> None:
        try:
            with Path(os.devnull).open("r+b") as nothing:
                os.dup2(nothing.fileno(), 0)
            limit_memory()
            faulthandler.enable(self.log, all_threads=False)
            faulthandler.register(signal.SIGXCPU, self.log, all_threads=False, chain=True)
            for number in self.numbers:
                allow_seconds(self.seconds)
                print(json.dumps([number, None]), file=answers, flush=True)
                print(json.dumps([number, tried(work, number)]), file=answers, flush=True)
        finally:
            os._exit(0)

    # ---- in the parent

    def hear(self) -> Iterator[tuple[int, Result]]:
        """The results that have come; at the end of the child also what has ended it, and then `over`."""
        self.heard = time.monotonic()
        data = os.read(self.answers, 1 << 16)
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            number, told = json.loads(line)
            self.current = number if told is None else None
            if told is not None:
                yield number, told if isinstance(told, str) else Found(**told)
        if not data:
            yield from self._end()

    def _end(self) -> Iterator[tuple[int, Result]]:
        _, status = os.waitpid(self.process, 0)
        os.close(self.answers)
        self.over = True
        if self.current is not None:
            self.log.seek(0)
            yield self.current, self._killed_by(status, self.log.read())
        self.log.close()

    def _killed_by(self, status: int, story: str) -> Found:
        sign = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if sign in (signal.SIGXCPU, signal.SIGKILL):
            return Found("hang", f"hang in {stage_in(story)}", story)
        how = signal.Signals(sign).name if sign else f"exit {status}"
        return Found("crash", f"{how} in {stage_in(story)}", story)

    def is_silent(self) -> bool:
        return time.monotonic() - self.heard > self.seconds * PATIENCE

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)


def limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def allow_seconds(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds, resource.RLIM_INFINITY))


def tried(work: Work, number: int) -> Any:
    """The word of a trial, or the finding as a mapping."""
    try:
        return work(number)
    except BaseException as error:  # noqa: BLE001  # whatever comes is a finding
        return asdict(found_in(error))
    finally:
        gc.collect(0)


def found_in(error: BaseException) -> Found:
    what = getattr(error, "what", "")
    story = "".join(traceback.format_exception(error))[-6000:]
    if what:
        return Found("difference", f"difference: {what}", str(error))
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        frame for frame in frames if "/site-packages/" not in frame.filename and "/lib/python" not in frame.filename
    ]
    stage = next((frame.name for frame in reversed(ours) if frame.filename.startswith(HERE)), "?")
    if isinstance(error, (RecursionError, MemoryError)):
        return Found(
            "memory" if isinstance(error, MemoryError) else "exception", f"{type(error).__name__} in {stage}", story
        )
    at = ours[-1] if ours else None
    where = f"{Path(at.filename).name}:{at.name}" if at and not at.filename.startswith(HERE) else stage
    told = f" {str(error)[:60]}" if where == stage else ""
    return Found("exception", f"{type(error).__name__} in {where}{told}", story)


def stage_in(story: str) -> str:
    """The innermost function of the trial in what faulthandler has written, and the function below it."""
    names = [line.rpartition(" in ")[2].strip() for line in story.splitlines() if " in " in line and "File" in line]
    files = [line for line in story.splitlines() if " in " in line and "File" in line]
    place = next((index for index, line in enumerate(files) if HERE in line and "children" not in line), None)
    if place is None:
        return names[0] if names else "?"
    return " < ".join(names[max(0, place - 1) : place + 1])


def run_all(work: Work, numbers: range, workers: int = 1, seconds: int = SECONDS) -> Iterator[tuple[int, Result]]:
    """The result of every trial, in the order in which they come."""
    left = [list(numbers[start::workers]) for start in range(workers)]
    children: dict[int, tuple[Child, int]] = {}

    def begin(queue: int) -> None:
        if left[queue]:
            child = Child(work, iter(left[queue][:TRIALS_A_CHILD]), seconds)
            children[child.answers] = (child, queue)

    for queue in range(workers):
        begin(queue)
    while children:
        for handle in select.select(list(children), [], [], 5)[0]:
            child, queue = children[handle]
            for number, result in child.hear():
                left[queue].remove(number)
                yield number, result
            if child.over:
                del children[handle]
                begin(queue)
        for child, _ in children.values():
            if child.is_silent():
                child.kill()


def run_one(work: Callable[[], str], seconds: int = SECONDS) -> Result:
    """One trial in a child of its own."""
    return next(result for _, result in run_all(lambda _: work(), range(1), seconds=seconds))
