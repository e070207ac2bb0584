"""Atomic writing of files: a file is written completely or not at all.

Data is written to a temporary file in the same folder, which replaces the old file at the very end.
If the process is killed or the disk is full, the old file remains.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, cast

from baccarat.core.errors import BaccaratError


@contextmanager
def whole_file(path: Path, what: str = "") -> Iterator[BinaryIO]:
    """Open a temporary file that replaces `path` on success; `what` describes it in errors.

    A symbolic link stays, and its target is replaced. A device or a pipe is written to directly. An
    existing file keeps its permissions.
    """
    if path.is_dir():
        raise BaccaratError(f"{path} is a folder: give a file in it, such as {path / 'report'}")
    check_folder(path, what)
    target = path.resolve()
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
        else:
            with _atomic_replacement(target) as file:
                yield file
    except OSError as error:
        name = f"{what} {path}".strip()
        raise BaccaratError(f"{name} cannot be written: {error.strerror or error}") from error


@contextmanager
def _atomic_replacement(target: Path) -> Iterator[BinaryIO]:
    """Open a temporary file in the target's folder; it replaces the target at the end."""
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    with NamedTemporaryFile(
        dir=target.parent, prefix=f".{target.name}.", suffix=".new", delete=False
    ) as file:
        beside = Path(file.name)
        try:
            yield cast("BinaryIO", file)
            file.flush()
            os.fsync(file.fileno())  # some disks report that they are full only now
            beside.chmod(mode)
            beside.replace(target)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_folder(path: Path, what: str = "") -> None:
    """Raise BaccaratError if the file's folder does not exist, before any work is done."""
    if not path.parent.is_dir():
        name = f"{what} {path}".strip()
        raise BaccaratError(f"{name} cannot be written: the folder {path.parent} does not exist")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    with whole_file(path) as file:
        file.write(data)


def folder(path: Path) -> Path:
    """Create the folder if it does not exist, and return it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if path.is_file() else error.strerror
        raise BaccaratError(f"{path} cannot be created as a folder: {reason}") from error
    return path
