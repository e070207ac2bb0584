"""The same work on a graphics processor. Needs the extra `gpu` and an NVIDIA card.

Parts are those of the job, digit for digit: whole groups of shoes are dealt on the card, what is
left over at the end of a chunk here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from baccarat.core.errors import BaccaratError
from baccarat.simulation.automaton import automaton_of
from baccarat.simulation.inputs import shoe_input
from baccarat.simulation.run import Run, Tally
from baccarat.simulation.work import GROUP, Job, P, ranges

CHUNK = 1 << 26
"""Shoes dealt at a time: less than a tenth of a second."""
THREADS = (1024, 512, 256, 128, 64)
"""Threads of a block: as many as their shared memory allows."""


def available() -> str | None:
    """The name of the card, or None where there is none (or no driver, or no extra)."""
    try:
        return _card().name
    except BaccaratError:
        return None


@dataclass(frozen=True)
class Card:
    """A graphics processor."""

    name: str
    processors: int
    shared_memory: int
    """Most that a block of threads can have, in bytes."""


@lru_cache(maxsize=1)
def _card() -> Card:
    try:
        from numba import cuda
        from numba.cuda.cudadrv.error import CudaSupportError
    except ModuleNotFoundError as error:
        raise BaccaratError(
            "a graphics processor needs numba-cuda: pip install 'baccarat[gpu]'"
        ) from error
    try:
        device = cuda.get_current_device()
    except CudaSupportError as error:
        why = " ".join(str(error).split()).partition(":")[2].strip() or str(error)
        raise BaccaratError(
            f"no NVIDIA card can be used here ({why}): leave --device out to use this processor"
        ) from error
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    most = device.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    return Card(name, device.MULTIPROCESSOR_COUNT, most)


def parts_on(job: Job[P], done: int, chunk: int | None) -> Iterator[P]:
    """The parts that are left of a job, in order, done on the card."""
    _card()
    part = _part_of(job)
    for first, count in ranges(job, done, chunk or CHUNK):
        whole = count // GROUP * GROUP
        if not whole:
            yield job.part(first, count)
            continue
        total = part(first, whole)
        yield total + job.part(first + whole, count - whole) if whole < count else total


def _part_of(job: Any) -> Callable[[int, int], Any]:
    if isinstance(job, Run) and job.cluster == GROUP and not job.by_place:
        return _Tallying(job).part
    raise BaccaratError(
        "this work is not done on a graphics processor (results by place, fewer than "
        "6,400 shoes, strategies, exact values): leave --device out"
    )


class _Launch:
    """A kernel, made ready for the card."""

    def __init__(self, kernel: Any, signature: Any, shared: Callable[[int], int]) -> None:
        from cuda.bindings import driver
        from numba.cuda.cudadrv.driver import driver as numba_driver

        card = _card()
        self._kernel = kernel
        self.threads = next((n for n in THREADS if shared(n) <= card.shared_memory), 0)
        if not self.threads:
            raise BaccaratError(
                f"{card.name} has {card.shared_memory} bytes of shared memory, and this game "
                f"needs {shared(THREADS[-1])}: leave --device out"
            )
        self.bytes = shared(self.threads)
        compiled = kernel.compile(signature)
        function = compiled._codelibrary.get_cufunc()
        attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        numba_driver.cuKernelSetAttribute(
            attribute, self.bytes, function.handle, function.device.id
        )
        self.blocks = compiled.max_cooperative_grid_blocks(self.threads, self.bytes)
        self.registers = compiled.regs_per_thread

    def __call__(self, *args: Any) -> None:
        self._kernel[self.blocks, self.threads, 0, self.bytes](*args)


class _Tallying:
    """A simulation run on the card."""

    def __init__(self, run: Run) -> None:
        from numba import cuda, types

        from baccarat.simulation import gpu_kernel

        self._cuda, self._run = cuda, run
        lookup, automaton = run.lookup, automaton_of(run.lookup)
        layout = gpu_kernel.layout_of(run.plan.size, lookup.detail)
        classes, self._bets = lookup.pays.shape
        signature = (
            *(types.uint64, types.uint64, types.int64),
            types.UniTuple(types.int64, 5),  # type: ignore[no-untyped-call]
            *(types.uint32[::1],) * 3,
            *(types.int64[:, ::1], types.int64[::1], types.int64[:, ::1]),
        )
        self.launch = _Launch(
            gpu_kernel.tally_kernel(lookup.detail, layout),
            signature,
            lambda threads: gpu_kernel.shared_bytes(automaton.table.size, classes, threads),
        )
        *numbers, rejected, start = shoe_input(run.plan, lookup.detail)
        self._shoe = tuple(int(number) for number in numbers)
        table = gpu_kernel.table_for(automaton, lookup.detail, self.launch.threads)
        arrays = (layout.packed(start), rejected, table, np.ascontiguousarray(lookup.pays))
        self._arrays = [cuda.to_device(array) for array in arrays]

    def part(self, first: int, shoes: int) -> Tally:
        cuda, classes = self._cuda, len(self._run.lookup.classes)
        tallies = cuda.to_device(np.zeros(classes, np.int64))
        sums = cuda.to_device(np.zeros((3, self._bets), np.int64))
        seed, clusters = np.uint64(self._run.seed), shoes // GROUP
        self.launch(seed, np.uint64(first), clusters, self._shoe, *self._arrays, tallies, sums)
        found, of_bets = tallies.copy_to_host(), sums.copy_to_host()
        return Tally(
            shoes,
            tuple(found.tolist()),
            clusters,
            int(of_bets[2, 0]),
            tuple((int(of_bets[0, bet]), int(of_bets[1, bet])) for bet in range(self._bets)),
        )
