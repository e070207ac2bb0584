"""The worker process: runs computations requested over its standard input.

It is started by `pool` and runs as long as its input is open. A computation can only be stopped by
killing the process, so the process holds no state worth keeping.
"""

import contextlib
import importlib
import os
import pickle
import signal
import struct
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
    "baccarat.web.pages.games",
    *("baccarat.web.views.audit", "baccarat.web.views.games", "baccarat.web.views.layout"),
)
"""Modules whose functions are run here, and modules that they import lazily."""
LENGTH = struct.Struct(">Q")


def write(to: IO[bytes], value: Any) -> None:
    """Write a value, preceded by its length."""
    body = pickle.dumps(value)
    to.write(LENGTH.pack(len(body)) + body)
    to.flush()


def read(source: IO[bytes]) -> Any:
    """Return the next value, or raise EOFError if there is none."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    body = source.read(LENGTH.unpack(head)[0])
    return pickle.loads(body)  # noqa: S301  (from the other end of our own pipe)


def work(needed: Sequence[str] = NEEDED) -> None:
    """Answer requests until the input ends.

    An answer is ("done", value), ("refused", error) or ("failed", words).
    """
    asked = os.fdopen(os.dup(0), "rb")
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keep printed text out of the answers
    _be_modest()
    for module in needed:  # so that the first computation does not spend its time on it
        importlib.import_module(module)
    with contextlib.suppress(EOFError, BrokenPipeError):
        write(told, "ready")
        while True:
            module, name, arguments, seconds = read(asked)
            _ring(seconds)
            write(told, _answer(module, name, arguments))
            _ring(0)


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


def _be_modest() -> None:
    # numpy is fast enough here, and numba takes longer to load than most computations run.
    sys.modules["numba"] = None  # type: ignore[assignment]
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        os.nice(NICENESS)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _ring(seconds: int) -> None:
    """End this process after this many seconds, even if its parent is gone; 0 cancels that."""
    with contextlib.suppress(AttributeError):
        signal.alarm(seconds)
