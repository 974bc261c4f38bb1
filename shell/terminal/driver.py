"""Textual's driver for a terminal that may go away: what cannot be written any more is dropped, and the table ends."""

from __future__ import annotations

from contextlib import suppress
from typing import IO, Any

from textual.driver import Driver

__all__ = ["forgiving"]


class Forgiving:
    """A stream that nobody may read any more."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError):
            self.stream.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self.stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def forgiving(driver: type[Driver]) -> type[Driver]:
    """The same driver, whose writing does not fail."""

    class ForgivingDriver(driver):  # type: ignore[misc, valid-type]
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            stream: Any = getattr(self, "_file", None)
            if stream is not None:
                setattr(self, "_file", Forgiving(stream))  # noqa: B010  # drivers without a terminal have none

        def stop_application_mode(self) -> None:
            with suppress(OSError):
                super().stop_application_mode()

    return ForgivingDriver
