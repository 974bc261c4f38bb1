"""Processes that answer blocks: in order, with errors, and gone afterwards."""

from __future__ import annotations

import os

import pytest

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


def test_no_worker_stays_behind() -> None:
    answers = in_processes(eval, (SLOW_FIRST,), BLOCKS, 2)
    process, _ = next(answers)
    answers.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
