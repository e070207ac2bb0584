"""The worker process: runs computations requested over its standard input.

It is started by `pool` and runs as long as its input is open. A computation can only be stopped by
killing the process, so the process holds no state worth keeping.
"""

import contextlib
import importlib
import os
import pickle
import signal
import sys
from collections.abc import Sequence
from typing import IO, Any

from baccarat.core.errors import BaccaratError
from baccarat.table.refusals import Code, Refused

NICENESS = 10
"""Lowers the priority of the process below that of the server, which drives the tables."""
MEMORY = 2 * 1024**3
NEEDED = (
    *("numpy", "baccarat.web.api.agreements", "baccarat.web.api.figures"),
    *("baccarat.web.pages.catalogue", "baccarat.web.pages.games"),
    *("baccarat.web.views.audit", "baccarat.web.views.games", "baccarat.web.views.layout"),
)
"""Modules whose functions are run here, and modules that they import lazily."""


def write(to: IO[bytes], value: Any) -> None:
    pickle.dump(value, to)
    to.flush()


def read(source: IO[bytes]) -> Any:
    """Return the next value, or raise EOFError if there is none."""
    return pickle.load(source)  # noqa: S301  (from the other end of our own pipe)


def work(needed: Sequence[str] = NEEDED) -> None:
    """Answer requests until the input ends.

    An answer is ("done", value), ("refused", error) or ("failed", reason).
    """
    asked = os.fdopen(os.dup(0), "rb")
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keep printed text out of the answers
    _limit_resources()
    for module in needed:  # imported now, so that it does not count towards the first time limit
        importlib.import_module(module)
    with contextlib.suppress(EOFError, BrokenPipeError):
        write(output, "ready")
        while True:
            module, name, arguments, seconds = read(asked)
            _set_timeout(seconds)
            write(output, _answer(module, name, arguments))
            _set_timeout(0)


def _answer(module: str, name: str, arguments: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "done", getattr(importlib.import_module(module), name)(*arguments)
    except Refused as refused:
        return "refused", refused
    except BaccaratError as error:
        return "refused", BaccaratError(str(error))
    except MemoryError:
        return "refused", Refused(Code.BAD_AMOUNT, "too-large")
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}"


def _limit_resources() -> None:
    # numpy is fast enough here, and numba takes longer to load than most computations run.
    sys.modules["numba"] = None  # type: ignore[assignment]
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        os.nice(NICENESS)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _set_timeout(seconds: int) -> None:
    """End this process after this many seconds, even if its parent is gone; 0 cancels the time
    limit."""
    with contextlib.suppress(AttributeError):
        signal.alarm(seconds)
