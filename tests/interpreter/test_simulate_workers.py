"""Processes that answer blocks: in order, with errors, and gone afterwards."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from trionfi.interpreter import workers
from trionfi.interpreter.workers import WorkerLost, in_processes

BLOCKS = [(first, 5) for first in range(0, 60, 5)]

# What a worker makes of these texts plays a block.
SLOW_FIRST = "lambda first, count: __import__('time').sleep(0.05 * (first == 0)) or (__import__('os').getpid(), first)"
FAILS = "lambda first, count: first // (first - 10)"
DIES = "lambda first, count: __import__('os')._exit(3)"
UNPICKLABLE = "lambda first, count: (_ for _ in ()).throw(type('Strange', (Exception,), {})('odd'))"


def play(text: str) -> list[object]:
    return list(in_processes(eval, (text,), BLOCKS, 2))


def test_answers_come_in_the_order_of_the_blocks() -> None:
    answers = list(in_processes(eval, (SLOW_FIRST,), BLOCKS, 2))
    assert [first for _, first in answers] == [first for first, _ in BLOCKS]
    processes = {process for process, _ in answers}
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_an_error_in_a_worker_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError, match="division"):
        play(FAILS)


def test_an_error_that_no_pipe_carries_says_the_same() -> None:
    with pytest.raises(RuntimeError, match="Strange: odd"):
        play(UNPICKLABLE)


def test_a_worker_that_dies_is_reported() -> None:
    with pytest.raises(WorkerLost, match="ended before its games were played"):
        play(DIES)


ONCE = "not __import__('os').path.exists({flag!r}) and open({flag!r}, 'w') and __import__('os').{does}"
PLAYS = "lambda first, count: (first == 20 and {once}, first)"
LOSSES = {
    "_exit(3)": "has ended",
    "kill(os.getpid(), 9)": "has ended .* \\(SIGKILL\\)",
    "kill(os.getpid(), 19)": "was stopped",
}


@pytest.mark.parametrize("does", LOSSES)
def test_the_games_of_a_worker_that_is_lost_are_played_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str
) -> None:
    monkeypatch.setattr(workers, "GLANCE", 0.05)
    once = ONCE.format(flag=str(tmp_path / "flag"), does=does.replace("os.", "__import__('os')."))
    with pytest.warns(RuntimeWarning, match=f"{LOSSES[does]}.*; another has played them"):
        answers = list(in_processes(eval, (PLAYS.format(once=once),), BLOCKS, 2))
    assert [first for _, first in answers] == [first for first, _ in BLOCKS]


def test_a_worker_whose_master_is_gone_ends_in_the_midst_of_its_games() -> None:
    worker = workers.Worker()
    worker.prepare(eval, ("lambda first, count: __import__('time').sleep(60)",))
    worker.send((0, 1))
    worker.process.stdin.close()  # type: ignore[union-attr]
    try:
        assert worker.process.wait(20) == 0
    finally:
        worker.process.kill()
        worker.process.stdout.close()  # type: ignore[union-attr]


def test_signals_are_for_who_asked_and_not_for_the_workers() -> None:
    worker = workers.Worker()
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            worker.process.send_signal(number)  # it has hardly begun
        worker.prepare(eval, ("lambda first, count: first",))
        assert worker.ask((7, 1)) == 7
    finally:
        worker.stop()


def test_no_worker_stays_behind() -> None:
    answers = in_processes(eval, (SLOW_FIRST,), BLOCKS, 2)
    process, _ = next(answers)
    answers.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
