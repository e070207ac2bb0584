"""Computes the checksum of the program's own files, and checks the files daily.

A test laboratory approves one version of the program, identified by its checksum. If a file changes
while the server runs, every table is paused, with the reason in its journal; rounds in progress are
finished.
"""

import asyncio
import logging
from hashlib import sha256
from pathlib import Path

from baccarat.core.errors import BaccaratError
from baccarat.service.service import Service
from baccarat.wording.catalogue import catalogue

DAY, AGAIN = 24 * 3600.0, 10.0
"""Seconds between checks, and seconds to wait before retrying to pause the tables."""
PROGRAM = Path(__file__).parent.parent
CACHES = "__pycache__"
BY = "the program"

log = logging.getLogger(__name__)


def components(folder: Path = PROGRAM) -> dict[str, str]:
    """Return the SHA-256 of every file of the program, by its relative path."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and CACHES not in path.parts
    }


def digest_of(files: dict[str, str]) -> str:
    """Return one checksum of all files: the SHA-256 of the output of `baccarat checksum --list`."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))
    return sha256(lines.encode()).hexdigest()


def check_approved(approved: str, folder: Path = PROGRAM) -> None:
    """Raise BaccaratError if the checksum of this program is not the approved one."""
    found = digest_of(components(folder))
    if found != approved.lower():
        raise BaccaratError(
            f"this program's checksum is {found}, but {approved} was approved: install the "
            "approved version, or have this one approved"
        )


async def watch(
    service: Service, files: dict[str, str], *, folder: Path = PROGRAM, every: float = DAY
) -> None:
    """Compare the files with those at startup until cancelled; after a change, pause all tables."""
    wait = every
    while True:
        await asyncio.sleep(wait)
        wait = every
        if reason := _changes(files, folder):
            log.critical("program files changed", extra={"why": reason})
            try:
                await service.pause(by=BY, reason=reason)
            except Exception as error:  # store unavailable: retry soon
                log.error("tables not paused", extra={"why": str(error)})
                wait = min(every, AGAIN)


def _changes(files: dict[str, str], folder: Path) -> str:
    """Return a sentence with up to three changed files, for staff; empty if nothing changed."""
    t = catalogue()
    try:
        now = components(folder)
    except OSError as error:  # an unreadable file counts as changed
        return t("program-unreadable", file=str(error.filename))
    names = sorted(name for name in {*files, *now} if files.get(name) != now.get(name))
    more = max(len(names) - 3, 0)
    return t("program-changed", files=", ".join(names[:3]), more=more) if names else ""
