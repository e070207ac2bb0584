"""Where sheets go: a whole file, or none and one clear sentence."""

import os
import tempfile
from pathlib import Path

from baccarat.core.errors import BaccaratError


def write(path: Path, data: bytes) -> None:
    """Write a file in one step: nobody ever sees half of it, and a failure leaves the old one."""
    if path.is_dir():
        raise BaccaratError(f"{path} is a folder: name a file in it, such as {path / 'sheet.pdf'}")
    if not path.parent.is_dir():
        raise BaccaratError(f"{path} cannot be written: there is no folder {path.parent}")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=path.suffix)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(0o666 & ~_umask())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink()
            raise
    except OSError as error:
        raise BaccaratError(f"{path} cannot be written: {error.strerror}") from error


def folder(path: Path) -> Path:
    """The folder, made if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if path.is_file() else error.strerror
        raise BaccaratError(f"{path} cannot be a folder for sheets: {reason}") from error
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
