"""Processes that play blocks of games beside this one.

Plain child processes that speak pickles over their pipes: unlike `multiprocessing` they never run the caller's
main script again, so that `rules.simulate(workers=2)` works from a script without a guard, a notebook or a pipe.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event, local
from typing import Any, BinaryIO, TypeVar

__all__ = ["WorkerLost", "halted", "in_processes", "in_threads"]

Block = tuple[int, int]
Answer = TypeVar("Answer")
AHEAD = 4  # blocks that wait for each worker
HERE = local()  # of a thread: `halt`, the event that its work is no longer wanted

# The child looks for modules where this process does.
START = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from trionfi.interpreter.workers import serve
serve()
"""


class WorkerLost(RuntimeError):
    """A worker process ended before it had answered (killed, or out of memory)."""


class Worker:
    """One child process, which makes its player of blocks once and then answers block by block."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def prepare(self, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.send(sys.path)
        self.send((make, arguments))

    def send(self, thing: object) -> None:
        assert_pipe(self.process.stdin).write(pickle.dumps(thing))
        assert_pipe(self.process.stdin).flush()

    def ask(self, block: Block) -> Any:
        try:
            self.send(block)
            failed, answer = pickle.load(assert_pipe(self.process.stdout))
        except (EOFError, BrokenPipeError, pickle.UnpicklingError) as error:
            raise WorkerLost("a worker process has ended before its games were played") from error
        if failed:
            raise answer
        return answer

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


def assert_pipe(stream: Any) -> BinaryIO:
    if stream is None:
        raise WorkerLost("a worker process has no pipe")
    return stream  # type: ignore[no-any-return]


@contextmanager
def staff(count: int, make: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[list[Worker]]:
    """So many workers, which are gone afterwards whatever happens."""
    workers: list[Worker] = []
    try:
        for _ in range(count):
            workers.append(Worker())
            workers[-1].prepare(make, arguments)
        yield workers
    finally:
        for worker in workers:
            worker.stop()


def in_processes(
    make: Callable[..., Callable[[int, int], Answer]], arguments: tuple[Any, ...], blocks: Iterable[Block], count: int
) -> Iterator[Answer]:
    """The answers of `make(*arguments)` to each block (first game, number of games), in the order of the blocks."""
    with staff(count, make, arguments) as workers, ThreadPoolExecutor(count) as threads:
        idle: SimpleQueue[Worker] = SimpleQueue()
        for worker in workers:
            idle.put(worker)

        def play(block: Block) -> Answer:
            worker = idle.get()
            try:
                return worker.ask(block)  # type: ignore[no-any-return]
            finally:
                idle.put(worker)

        try:
            yield from in_order(threads, play, blocks, AHEAD * count)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.process.kill()  # so that a thread that waits for an answer ends, too


def in_threads(play: Callable[[int, int], Answer], blocks: Iterable[Block], count: int) -> Iterator[Answer]:
    """The answers of `play` to each block, in the order of the blocks; for work that lets other threads run.

    When nobody wants them any more (Ctrl-C, an error), the work that is under way sees `halted()`.
    """
    halt = Event()

    def work(block: Block) -> Answer:
        HERE.halt = halt
        return play(*block)

    with ThreadPoolExecutor(count) as threads:
        try:
            yield from in_order(threads, work, blocks, AHEAD * count)
        finally:
            halt.set()
            threads.shutdown(wait=False, cancel_futures=True)


def halted() -> bool:
    """Whether what this thread is working on is no longer wanted."""
    halt = getattr(HERE, "halt", None)
    return halt is not None and halt.is_set()


def in_order(
    threads: ThreadPoolExecutor, play: Callable[[Block], Answer], blocks: Iterable[Block], ahead: int
) -> Iterator[Answer]:
    """The answers in the order of the blocks, of which only so many are taken ahead: there may be millions."""
    waiting: deque[Future[Answer]] = deque()
    for block in blocks:
        waiting.append(threads.submit(play, block))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def serve() -> None:
    """What a child process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not stand among the answers
    make, arguments = pickle.load(requests)
    play = None
    while True:
        try:
            block = pickle.load(requests)
        except EOFError:
            return
        try:
            play = play or make(*arguments)
            answer = (False, play(*block))
        except Exception as error:  # noqa: BLE001  # it is raised where the block was asked for
            answer = (True, portable(error))
        answers.write(pickle.dumps(answer))
        answers.flush()


def portable(error: Exception) -> Exception:
    """The error itself if it survives the pipe, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001  # whatever hinders it
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
