"""The program's own files: their digest, and a check of them every day.

A laboratory approves a program as it was; its digest says which. The one rule: when a file is no
longer what it was, every table is stopped, with the reason in its journal; rounds under way end.
"""

import asyncio
import logging
from hashlib import sha256
from pathlib import Path

from baccarat.core.errors import BaccaratError
from baccarat.service.running import Service

DAY, AGAIN = 24 * 3600.0, 10.0
"""Seconds from one check to the next; until tables are stopped that could not be."""
PROGRAM = Path(__file__).parent.parent
CACHES = "__pycache__"
BY = "the program"

log = logging.getLogger(__name__)


def components(folder: Path = PROGRAM) -> dict[str, str]:
    """The SHA-256 of every file of the program, by its name."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and CACHES not in path.parts
    }


def digest_of(files: dict[str, str]) -> str:
    """One digest for all: the SHA-256 of the lines that `baccarat components --list` prints."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))
    return sha256(lines.encode()).hexdigest()


def check_approved(approved: str, folder: Path = PROGRAM) -> None:
    """Refuse to be another program than was approved."""
    found = digest_of(components(folder))
    if found != approved.lower():
        raise BaccaratError(
            f"this program's digest is {found}, and {approved} was approved: install that version, "
            "or give the digest of this one once it is approved"
        )


async def watch(
    service: Service,
    files: dict[str, str],
    *,
    folder: Path = PROGRAM,
    every: float = DAY,
) -> None:
    """Compare with what was there at the start, for as long as the server runs."""
    wait = every
    while True:
        await asyncio.sleep(wait)
        wait = every
        if changed := _changed(files, folder):
            log.critical("files of the program were changed", extra={"files": changed})
            reason = f"files of the program were changed: {changed}"
            try:
                await service.pause(by=BY, reason=reason)
            except Exception as error:  # the store is away: not for long, it is hoped
                log.error("the tables could not be stopped", extra={"why": str(error)})
                wait = min(every, AGAIN)


def _changed(files: dict[str, str], folder: Path) -> str:
    """Which files are not what they were; nothing when all are."""
    try:
        now = components(folder)
    except OSError as error:  # a file that cannot be read is not what it was
        return f"{error.filename} cannot be read"
    names = sorted(name for name in {*files, *now} if files.get(name) != now.get(name))
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if names[3:] else "")
