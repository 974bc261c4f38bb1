"""What is made when it is first wanted, and by one thread only: rules may be shared by threads.

One lock for all: making one thing asks for others, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import RLock
from typing import Any, Generic, TypeVar, overload

__all__ = ["made_once", "made_property"]

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")

MAKING = RLock()


def made_once(known: dict[Key, Thing], key: Key, make: Callable[[], Thing]) -> Thing:
    """The thing of a key, made by the first who asks; who asks meanwhile waits for it."""
    if key not in known:
        with MAKING:
            if key not in known:
                known[key] = make()
    return known[key]


class made_property(Generic[Thing]):  # noqa: N801  written as `property` is
    """`functools.cached_property` under the one lock; locks of their own could wait for one another."""

    def __init__(self, make: Callable[[Any], Thing]) -> None:
        self.make, self.name, self.__doc__ = make, make.__name__, make.__doc__

    @overload
    def __get__(self, thing: None, owner: type) -> made_property[Thing]: ...
    @overload
    def __get__(self, thing: object, owner: type) -> Thing: ...
    def __get__(self, thing: object | None, owner: type) -> made_property[Thing] | Thing:
        # asked only until the thing has a value of its own under this name
        return self if thing is None else made_once(thing.__dict__, self.name, lambda: self.make(thing))
