"""A worker: a process that computes what it is asked for over its standard input.

It is started by `pool` and lives as long as its input is open. What it computes can be stopped only
by ending the process, so it keeps nothing that would be missed.
"""

import contextlib
import importlib
import os
import pickle
import signal
import struct
import sys
from typing import IO, Any

from baccarat.core.errors import BaccaratError

NICENESS = 10
"""Tables are dealt first."""
MEMORY = 2 * 1024**3
NEEDED = (
    *("numpy", "baccarat.web.figures", "baccarat.web.pages.odds", "baccarat.web.pages.rules"),
)
"""Modules whose functions are computed here, and what they import late."""
LENGTH = struct.Struct(">Q")


def write(to: IO[bytes], value: Any) -> None:
    """Send a value, after its length."""
    body = pickle.dumps(value)
    to.write(LENGTH.pack(len(body)) + body)
    to.flush()


def read(source: IO[bytes]) -> Any:
    """Return the next value; EOFError when there will be none."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    body = source.read(LENGTH.unpack(head)[0])
    return pickle.loads(body)  # noqa: S301  (from the other end of a pipe of our own)


def work() -> None:
    """Answer requests until there are no more: ("done", value), ("refused", words) or ("failed",
    words)."""
    asked = os.fdopen(os.dup(0), "rb")
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed does not get between the answers
    _be_modest()
    for module in NEEDED:  # before the time of the first computation begins
        importlib.import_module(module)
    write(told, "ready")
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            module, name, arguments, seconds = read(asked)
            _ring(seconds)
            write(told, _answer(module, name, arguments))
            _ring(0)


def _answer(module: str, name: str, arguments: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "done", getattr(importlib.import_module(module), name)(*arguments)
    except BaccaratError as error:
        return "refused", str(error)
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}"


def _be_modest() -> None:
    # numpy's steps are quick enough here, and a compiler takes longer to load than most answers.
    sys.modules["numba"] = None  # type: ignore[assignment]
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        os.nice(NICENESS)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _ring(seconds: int) -> None:
    """End this process then, even if the one that started it is gone."""
    with contextlib.suppress(AttributeError):
        signal.alarm(seconds)
