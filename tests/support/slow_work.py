"""Functions for the workers of a pool, imported by name."""

import sys
import time
from pathlib import Path

from baccarat.core.errors import BaccaratError


def waits(seconds: float, _: int) -> float:
    time.sleep(seconds)
    return seconds


def refuses() -> None:
    raise BaccaratError("not this")


def dies() -> None:
    sys.exit("gone")


def fills(size: int) -> int:
    return len(bytearray(size))


def notes(file: str, number: int) -> int:
    """Write a line to the file, so that calls can be counted."""
    with Path(file).open("a") as lines:
        lines.write(f"{number}\n")
    time.sleep(0.1)
    return number


def modules(_: int) -> tuple[str, ...]:
    """Return the modules that were imported before anything was computed."""
    return tuple(sys.modules)
