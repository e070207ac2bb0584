"""Long work in parts: on the threads of one machine or on a cluster, with the same result always.

In goes a job: numbered units of work (shoes, sessions) and what a range of them comes to. A part
holds whole numbers and parts are added up, so the result depends on the job alone: not on
threads, chunks, interruptions or machines. Out comes the sum, or as much of it as was done when
Ctrl-C was pressed.
"""

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from baccarat.core.errors import BaccaratError, one_of
from baccarat.files import check_folder, whole_file

GROUP = 64
"""Chunks are whole groups of so many units: those a kernel works on side by side."""
DEVICES = ("cpu", "gpu", "auto")
CHECKPOINT_FORMAT = 2
SECONDS_BETWEEN_CHECKPOINTS = 1.0


class Part(Protocol):
    """What a range of units came to: a dataclass of whole numbers."""

    @property
    def done(self) -> int:
        """How many units."""

    @property
    def coups(self) -> int:
        """How many coups were dealt in them."""

    def __add__(self, other: Self) -> Self: ...


def in_pieces(part: Callable[[int, int], Any], first: int, count: int, most: int) -> Any:
    """A part, done in pieces of at most so many units, whole groups each."""
    most = max(most // GROUP * GROUP, GROUP)
    pieces = [part(at, min(most, first + count - at)) for at in range(first, first + count, most)]
    return sum(pieces[1:], pieces[0])


def added(a: Sequence[int], b: Sequence[int]) -> Any:
    """Two rows of whole numbers, added number by number."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


P = TypeVar("P", bound=Part)
P_co = TypeVar("P_co", bound=Part, covariant=True)


class Stopped(BaccaratError):
    """Work that could not go on; `total` is what was done by then."""

    def __init__(self, words: str, total: Any) -> None:
        super().__init__(words)
        self.total = total


class Job(Protocol[P_co]):
    """Something to do in parts."""

    @property
    def units(self) -> int:
        """How many there are in all."""

    @property
    def chunk(self) -> int:
        """How many make a few hundredths of a second of work."""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything the result depends on."""

    def part(self, first: int, count: int) -> P_co:
        """What these units come to; `first` is a multiple of GROUP."""

    def restored(self, kept: dict[str, Any]) -> P_co:
        """A part as read back from a checkpoint; Key-, Type- or ValueError if it is none."""


Progress = Callable[[int, int], None]
"""Told how many units and coups are done: at the start (what a checkpoint brought), then after
every part."""


def do(
    job: Job[P],
    *,
    threads: int | None = None,
    chunk: int | None = None,
    cluster: str | None = None,
    device: str = "cpu",
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
    checkpoint: Path | None = None,
) -> P:
    """Do a job. Ctrl-C stops it early: what was done by then is returned.

    `cluster` is the address of a Dask scheduler; `chunk` is rounded up to whole groups; `device` is
    cpu, gpu, or auto: a graphics processor as long as there is one that does this work (`notice` is
    told when there is none any more). `Stopped` is raised when something failed after the first
    part: it holds what was done.
    """
    total = read_checkpoint(job, checkpoint) if checkpoint else None
    done = kept = total.done if total else 0
    if progress:
        progress(done, total.coups if total else 0)
    written = time.monotonic()
    try:
        here = threads or os.cpu_count() or 1
        where: dict[str, Any] = {"cluster": cluster, "device": device, "notice": notice}
        for part in _parts(job, done, here, chunk, **where):
            total = part if total is None else total + part
            if checkpoint and time.monotonic() - written >= SECONDS_BETWEEN_CHECKPOINTS:
                write_checkpoint(job, total, checkpoint)
                written, kept = time.monotonic(), total.done
            if progress:
                progress(total.done, total.coups)
    except KeyboardInterrupt:
        if total is None:
            raise
    except BaccaratError as error:
        if total is None:
            raise
        raise Stopped(str(error), total) from error
    assert total is not None  # noqa: S101  (a job has at least one unit)
    if checkpoint and kept < total.done:
        try:
            write_checkpoint(job, total, checkpoint)
        except BaccaratError as error:
            raise Stopped(str(error), total) from error
    return total


def ranges(job: Job[Any], done: int, chunk: int) -> Iterator[tuple[int, int]]:
    """(first, count) of the chunks that are left, in order."""
    whole = -(-chunk // GROUP) * GROUP
    for first in range(done, job.units, whole):
        yield first, min(whole, job.units - first)


def _parts(
    job: Job[P],
    done: int,
    threads: int,
    chunk: int | None,
    *,
    cluster: str | None,
    device: str,
    notice: Callable[[str], None] | None,
) -> Iterator[P]:
    if device not in DEVICES:
        raise BaccaratError(f"there is no device {device!r}: name {one_of(DEVICES)}")
    if cluster:
        from baccarat.simulation.cluster import parts_from  # needs the extra `cluster`

        yield from parts_from(cluster, job, done, chunk, device, notice)
        return
    if device != "cpu":
        from baccarat.simulation import gpu  # needs the extra `gpu`

        try:
            for part in gpu.parts_on(job, done, chunk):
                done += part.done
                yield part
            return
        except BaccaratError as error:
            if device == "gpu":
                raise
            if notice:
                notice(f"Going on with this processor: {error}")
    yield from _parts_here(job, ranges(job, done, chunk or job.chunk), threads)


def _parts_here(job: Job[P], left: Iterator[tuple[int, int]], threads: int) -> Iterator[P]:
    with ThreadPoolExecutor(threads) as pool:
        waiting: list[Future[P]] = []
        try:
            while True:
                for first, count in islice(left, 2 * threads - len(waiting)):
                    waiting.append(pool.submit(job.part, first, count))
                if not waiting:
                    return
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


def write_checkpoint(job: Job[P], total: P, path: Path) -> None:
    """Keep what is done: a kill leaves the old file or the new one."""
    kept = asdict(total)  # type: ignore[call-overload]
    data = {"format": CHECKPOINT_FORMAT, "job": job.identity, "done": kept}
    with whole_file(path, "the checkpoint") as file:
        file.write(json.dumps(data).encode())


def read_checkpoint(job: Job[P], path: Path) -> P | None:
    """What was done before; None when there is no such file yet."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        check_folder(path, "the checkpoint")
        return None
    except (OSError, ValueError) as error:
        raise BaccaratError(f"the checkpoint {path} cannot be read: {error}") from error
    if not isinstance(data, dict) or data.get("format") != CHECKPOINT_FORMAT:
        raise BaccaratError(f"{path} is no checkpoint of this program: name another file")
    if data.get("job") != json.loads(json.dumps(job.identity)):
        raise BaccaratError(
            f"the checkpoint {path} is of another run: name another file, or remove it"
        )
    try:
        total = job.restored(data["done"])
        total + job.part(0, 1)  # the same shape as any part of the job
    except (KeyError, TypeError, ValueError) as error:
        raise BaccaratError(f"the checkpoint {path} is damaged: remove it") from error
    return total
