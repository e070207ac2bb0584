"""Work for the workers of a pool, who import it by name."""

import sys
import time

from baccarat.core.errors import BaccaratError


def waits(seconds: float, _: int) -> float:
    time.sleep(seconds)
    return seconds


def refuses() -> None:
    raise BaccaratError("not this")


def dies() -> None:
    sys.exit("gone")
