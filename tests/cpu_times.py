"""How much processor time the tests of each folder take, those of their processes included: `./dev test` tells it at its
end. Of a machine that others use, too, it says more than a clock on the wall."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

import pytest

__all__ = ["pytest_runtest_logreport", "pytest_runtest_protocol", "pytest_runtest_teardown", "pytest_terminal_summary"]

WORTH_TELLING = 60  # seconds of all tests together
_started: dict[str, float] = {}
_folders: dict[str, float] = defaultdict(float)


def spent() -> float:
    """Seconds of this process, and of those that it has started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _started[item.nodeid] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    result = yield
    item.user_properties.append(("seconds", spent() - _started.pop(item.nodeid)))
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """With several workers: in the process that gathers what they report."""
    if report.when == "teardown":
        folder = report.nodeid.removeprefix("tests/").partition("/")[0]
        _folders[folder] += sum(value for name, value in report.user_properties if name == "seconds")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    total = sum(_folders.values())
    if total > WORTH_TELLING:
        longest = sorted(_folders.items(), key=lambda one: -one[1])
        told = ", ".join(f"{folder} {seconds:.0f}" for folder, seconds in longest)
        terminalreporter.write_line(f"processor time of the tests: {total:.0f} s ({told})")
