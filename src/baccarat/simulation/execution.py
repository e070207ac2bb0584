"""Running jobs on the threads of this machine, on a GPU or on a cluster.

The result is the same everywhere. After Ctrl-C, the result so far is returned; if it was saved in a
checkpoint file, the job can be resumed later.
"""

import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from baccarat.core.errors import BaccaratError, one_of
from baccarat.files import check_folder, whole_file
from baccarat.simulation.jobs import Job, P, R_co, Simulated, ranges

DEVICES = ("cpu", "gpu", "auto")
CHECKPOINT_FORMAT = 3
SECONDS_BETWEEN_CHECKPOINTS = 1.0


class Stopped(BaccaratError):
    """Raised when a job fails partway; `total` is the sum of the parts done by then."""

    def __init__(self, words: str, total: Any) -> None:
        super().__init__(words)
        self.total = total


Progress = Callable[[int, int], None]
"""Function called with the numbers of units and coups done: once at the start (0, or those of a
checkpoint), then after every part."""


@dataclass(frozen=True)
class Execution:
    """Where and how a job runs. The result does not depend on these settings."""

    threads: int | None = None
    """Number of threads on this machine; one per core if None."""
    cluster: str | None = None
    """Address of a Dask scheduler whose workers are used instead."""
    device: str = "cpu"
    """"cpu", "gpu", or "auto": a GPU if one can run this job and would be faster, otherwise the
    CPU."""
    chunk: int | None = None
    """Number of units per part, rounded up to whole groups; the job's own default if None."""
    checkpoint: Path | None = None
    """File in which progress is saved."""
    progress: Progress | None = None
    notice: Callable[[str], None] | None = None
    """Function called with a message if "auto" continues without a GPU."""

    def __post_init__(self) -> None:
        if self.device not in DEVICES:
            raise BaccaratError(f"unknown device {self.device!r}: choose {one_of(DEVICES)}")


LOCAL = Execution()
"""Execution on all cores of this machine."""


def run_job(job: Job[P], how: Execution = LOCAL) -> P:
    """Run a job and return the sum of its parts. After Ctrl-C, return the sum of the parts done by
    then.

    If something fails after the first part, raise `Stopped`, which holds the sum so far.
    """
    checkpoint, progress = how.checkpoint, how.progress
    total = read_checkpoint(job, checkpoint) if checkpoint else None
    done = kept = total.done if total else 0
    if progress:
        progress(done, total.coups if total else 0)
    written = time.monotonic()
    try:
        for part in _parts(job, done, how):
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


def simulate(job: Simulated[P, R_co], how: Execution = LOCAL) -> R_co:
    """Run a job and return its result."""
    return job.result(run_job(job, how))


def _parts(job: Job[P], done: int, how: Execution) -> Iterator[P]:
    if how.cluster:
        from baccarat.simulation.cluster import parts_from  # needs the extra `cluster`

        yield from parts_from(how.cluster, job, done, how.chunk, how.device, how.notice)
        return
    threads = how.threads or os.cpu_count() or 1
    if how.device != "cpu":
        from baccarat.simulation.gpu import jobs as gpu  # needs the extra `gpu`

        try:
            if how.device == "auto" and (reason := gpu.why_not_worthwhile(job, done, threads)):
                raise BaccaratError(reason)
            for part in gpu.parts_on(job, done, how.chunk):
                done += part.done
                yield part
            return
        except BaccaratError as error:
            if how.device == "gpu":
                raise
            if how.notice:
                how.notice(f"Continuing on the CPU: {error}")
    yield from _parts_here(job, ranges(job, done, how.chunk or job.chunk), threads)


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
    """Save the sum so far atomically: if the process is killed, either the old file or the new one
    remains."""
    kept = asdict(total)  # type: ignore[call-overload]
    data = {"format": CHECKPOINT_FORMAT, "job": job.identity, "done": kept}
    with whole_file(path, "the checkpoint") as file:
        file.write(json.dumps(data).encode())


def read_checkpoint(job: Job[P], path: Path) -> P | None:
    """Return the sum saved in a checkpoint, or None if the file does not exist yet."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        check_folder(path, "the checkpoint")
        return None
    except (OSError, ValueError) as error:
        raise BaccaratError(f"the checkpoint {path} cannot be read: {error}") from error
    if not isinstance(data, dict) or data.get("format") != CHECKPOINT_FORMAT:
        raise BaccaratError(f"{path} is not a checkpoint of this program: choose another file")
    if data.get("job") != json.loads(json.dumps(job.identity)):
        raise BaccaratError(
            f"the checkpoint {path} is from another run: choose another file, or delete it"
        )
    try:
        part = job.part(0, 1)
        total = type(part).restored(data["done"])
        total + part  # fails unless it has the same structure as a part of the job
    except (KeyError, TypeError, ValueError) as error:
        raise BaccaratError(f"the checkpoint {path} is damaged: delete it") from error
    return total
