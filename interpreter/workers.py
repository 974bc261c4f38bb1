"""Processes that play blocks of games beside this one.

Plain child processes that speak pickles over their pipes: unlike `multiprocessing` they never run the caller's
main script again, so that `rules.simulate(workers=2)` works from a script without a guard, a notebook or a pipe.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import subprocess
import sys
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from threading import Event, Lock, Thread, local
from typing import Any, BinaryIO, TypeVar

__all__ = ["WorkerLost", "halted", "in_processes", "in_threads"]

Block = tuple[int, int]
Answer = TypeVar("Answer")
AHEAD = 4  # blocks that wait for each worker
GLANCE = 0.5  # seconds between two looks at a worker that has not answered
GLANCES = 6  # so often it is seen stopped before it is given up: Ctrl-Z and `fg` stop all for a moment
HERE = local()  # of a thread: `halt`, the event that its work is no longer wanted
ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

# The child looks for modules where this process does.
START = """
import pickle, sys
try:
    sys.path[:] = pickle.load(sys.stdin.buffer)
except EOFError:
    sys.exit()
from trionfi.interpreter.workers import serve
serve()
"""


class WorkerLost(RuntimeError):
    """A worker process ended before it had answered (killed, or out of memory), or somebody has stopped it."""


class Worker:
    """One child process, which makes its player of blocks once and then answers block by block."""

    def __init__(self) -> None:
        with undisturbed():
            self.process = subprocess.Popen(
                [sys.executable, "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )

    def prepare(self, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        with suppress(BrokenPipeError):  # who has ended already is found lost at the first question
            self.send(sys.path)
            self.send((make, arguments))

    def send(self, thing: object) -> None:
        assert_pipe(self.process.stdin).write(pickle.dumps(thing))
        assert_pipe(self.process.stdin).flush()

    def ask(self, block: Block) -> Any:
        try:
            self.send(block)
            self.await_answer()
            failed, answer = pickle.load(assert_pipe(self.process.stdout))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise WorkerLost(f"a worker process has ended before its games were played{self.ending()}") from error
        if failed:
            raise answer
        return answer

    def await_answer(self) -> None:
        """Raises WorkerLost if the process stays stopped (SIGSTOP) meanwhile."""
        seen = 0
        answers = assert_pipe(self.process.stdout)
        while hasattr(os, "waitid") and not select.select([answers], [], [], GLANCE)[0]:
            seen = seen + 1 if self.is_stopped() else 0
            if seen == GLANCES:
                raise WorkerLost("a worker process was stopped before its games were played")

    def is_stopped(self) -> bool:
        try:
            return os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return False

    def ending(self) -> str:
        """` (SIGKILL)`, if a signal ended it."""
        with suppress(subprocess.TimeoutExpired, ValueError):
            return f" ({signal.Signals(-self.process.wait(GLANCE)).name})"
        return ""

    def stop(self) -> None:
        self.process.kill()
        with suppress(OSError, ValueError):  # what was still to be sent to it
            self.process.communicate()


@contextmanager
def undisturbed() -> Iterator[None]:
    """A child that begins here is not ended by Ctrl-C and the like, which are for who asked; that one ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def assert_pipe(stream: Any) -> BinaryIO:
    if stream is None:
        raise WorkerLost("a worker process has no pipe")
    return stream  # type: ignore[no-any-return]


class Staff:
    """So many workers. One that is lost is replaced, until all are dismissed."""

    def __init__(self, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.make, self.arguments = make, arguments
        self.workers: list[Worker] = []
        self.idle: SimpleQueue[Worker] = SimpleQueue()
        self.lock = Lock()
        self.dismissed = False

    def hire(self) -> Worker:
        with self.lock:
            if self.dismissed:
                raise WorkerLost("no more games are wanted")
            worker = Worker()
            self.workers.append(worker)
        worker.prepare(self.make, self.arguments)
        return worker

    def play(self, block: Block) -> Any:
        """The answer of whoever is idle. If that one is lost another plays the games; if that, too, WorkerLost."""
        worker = self.idle.get()
        try:
            return worker.ask(block)
        except WorkerLost as lost:
            worker.stop()
            worker = self.hire()
            answer = worker.ask(block)
            warnings.warn(f"{lost}; another has played them", RuntimeWarning, stacklevel=2)
            return answer
        finally:
            self.idle.put(worker)

    def dismiss(self) -> None:
        """Ends all, so that threads that wait for their answers end, too."""
        with self.lock:
            self.dismissed = True
            for worker in self.workers:
                worker.process.kill()


def in_processes(
    make: Callable[..., Callable[[int, int], Answer]], arguments: tuple[Any, ...], blocks: Iterable[Block], count: int
) -> Iterator[Answer]:
    """The answers of `make(*arguments)` to each block (first game, number of games), in the order of the blocks."""
    staff = Staff(make, arguments)
    try:
        with ThreadPoolExecutor(count) as threads:
            try:
                for _ in range(count):
                    staff.idle.put(staff.hire())
                yield from in_order(threads, staff.play, blocks, AHEAD * count)
            finally:
                threads.shutdown(wait=False, cancel_futures=True)
                staff.dismiss()
    finally:
        for worker in staff.workers:
            worker.stop()


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
    """What a child process does, until nobody asks any more: then it ends, in the midst of a game if need be."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not stand among the answers
    asked: SimpleQueue[Any] = SimpleQueue()
    Thread(target=listen, args=(requests, asked), daemon=True).start()
    make, arguments = asked.get()
    play = None
    while True:
        block = asked.get()
        try:
            play = play or make(*arguments)
            answer = (False, play(*block))
        except Exception as error:  # noqa: BLE001  # it is raised where the block was asked for
            answer = (True, portable(error))
        try:
            answers.write(pickle.dumps(answer))
            answers.flush()
        except BrokenPipeError:
            os._exit(0)


def listen(requests: BinaryIO, asked: SimpleQueue[Any]) -> None:
    while True:
        try:
            asked.put(pickle.load(requests))
        except (EOFError, pickle.UnpicklingError):
            os._exit(0)
        except Exception:  # noqa: BLE001  # what hinders it, say a module that is not found here
            traceback.print_exc()
            os._exit(1)


def portable(error: Exception) -> Exception:
    """The error itself if it survives the pipe, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001  # whatever hinders it
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
