"""What is tried by day of what is tried for acceptance (`TRIONFI_TEST_SIZE`): the same today and tomorrow."""

from __future__ import annotations

import os
from zlib import crc32

SIZE = float(os.environ.get("TRIONFI_TEST_SIZE", "1").replace("full", "100"))
LARGE = SIZE > 1


def of_the_day(name: object, one_of: int = 3) -> bool:
    """Whether this is tried by day, too, as one of so many: by its name or text, whatever stands beside it."""
    return LARGE or crc32(str(name).encode()) % one_of == 0
