"""Files that are written whole or not at all.

What is written goes to a file beside, which takes the place of the old one at the very end: a
kill or a full disk leaves what was there before.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from baccarat.core.errors import BaccaratError


@contextmanager
def whole_file(path: Path, what: str = "") -> Iterator[BinaryIO]:
    """A file to write to, which becomes `path` when all went well; `what` it is, for errors."""
    if path.is_dir():
        raise BaccaratError(f"{path} is a folder: name a file in it, such as {path / 'report'}")
    check_folder(path, what)
    beside = path.with_name(f"{path.name}.new")
    try:
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # some disks only now find out that they are full
        beside.replace(path)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if not isinstance(error, OSError):
            raise
        name = f"{what} {path}".strip()
        raise BaccaratError(f"{name} cannot be written: {error.strerror or error}") from error


def check_folder(path: Path, what: str = "") -> None:
    """Refuse a file whose folder does not exist: better before the work than after it."""
    if not path.parent.is_dir():
        name = f"{what} {path}".strip()
        raise BaccaratError(f"{name} cannot be written: there is no folder {path.parent}")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step."""
    with whole_file(path) as file:
        file.write(data)


def folder(path: Path) -> Path:
    """The folder, made if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if path.is_file() else error.strerror
        raise BaccaratError(f"{path} cannot be a folder: {reason}") from error
    return path
