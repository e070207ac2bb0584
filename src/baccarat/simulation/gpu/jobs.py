"""Running jobs on a GPU. Needs the extra `gpu` and an NVIDIA GPU.

Parts are identical to those computed on a CPU. Whole groups of shoes are dealt on the GPU, and the
remaining shoes of a chunk are dealt on the CPU.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from baccarat.core.cards import DECK_SIZE
from baccarat.core.errors import BaccaratError
from baccarat.shoe import Burn
from baccarat.simulation.automaton import automaton_of
from baccarat.simulation.gpu.packing import Packing, packing_of
from baccarat.simulation.inputs import running_counts, shoe_input
from baccarat.simulation.jobs import GROUP, Job, P, in_pieces, ranges
from baccarat.simulation.kernel import Counters
from baccarat.simulation.run import Run, Tally
from baccarat.simulation.true_count import MAX_TRUE_COUNT, Counted, CountRun

TALLIED, COUNTED = 1 << 19, 1 << 17
"""Number of shoes per chunk for each multiprocessor of the GPU, in simulations and in counting
runs. A chunk takes less than a tenth of a second on a large GPU, and is small enough for the
progress bar to move on a small one."""
SMALL = 1_000_000
"""Number of shoes that a thread of a CPU deals in about two seconds, the time it takes to start a
GPU."""
LONGEST_REASON = 200
THREADS = (1024, 512, 256, 128, 64)
"""Block sizes to try, largest first; the first one for which the shared memory suffices is used."""


@dataclass(frozen=True)
class Gpu:
    """A GPU."""

    name: str
    processors: int
    shared_memory: int
    """Maximum shared memory of a block, in bytes."""
    simulated: bool = False


@lru_cache(maxsize=1)
def find_gpu() -> Gpu:
    """Return the GPU of this machine, or raise BaccaratError if none is usable."""
    if find_spec("numba_cuda") is None:  # numba's own numba.cuda is a different package
        raise BaccaratError("a GPU needs numba-cuda: pip install 'baccarat[gpu]'")
    from numba import config, cuda

    if getattr(config, "ENABLE_CUDASIM", 0):
        return Gpu("the numba-cuda simulator", 1, 1 << 20, simulated=True)
    try:
        device = cuda.get_current_device()
    except Exception as error:  # drivers, contexts and memory each have their own exceptions
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        why = lines[min(1, len(lines) - 1)] if lines else type(error).__name__
        raise BaccaratError(f"no usable NVIDIA GPU on this machine: {why}") from error
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return Gpu(name, device.MULTIPROCESSOR_COUNT, device.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)


def why_not_on_gpu(job: Job[Any]) -> str | None:
    """Return the reason why no GPU can run this job, or None if one can."""
    if not isinstance(job, Run | CountRun) or (isinstance(job, Run) and job.by_place):
        return (
            "a GPU can run simulations (without results by position) and counting runs (without "
            "exact values): use the CPU for this job"
        )
    if isinstance(job, CountRun):
        largest = max(abs(int(tag * job.count.scale)) for tag in job.count.tags)
        if largest * job.rules.size * DECK_SIZE >= 1 << 31:
            return "these tags have too many decimals for a GPU: use the CPU"
    return None


def why_not(job: Job[Any]) -> str | None:
    """Return the reason why this machine cannot run a job on a GPU, or None if it can."""
    if reason := why_not_on_gpu(job):
        return reason
    try:
        find_gpu()
    except BaccaratError as error:
        return str(error)
    return None


def why_not_worthwhile(job: Job[Any], done: int, threads: int) -> str | None:
    """Return the reason why this machine should not use a GPU for the rest of a job, or None if it
    should."""
    left = job.units - done
    too_small = f"the CPU deals {left:,} shoes faster than a GPU starts" if left else None
    return why_not(job) or (too_small if left < SMALL * threads else None)


def chunk_of(job: Job[Any]) -> int:
    """Return the number of shoes per chunk for the GPU of this machine."""
    return find_gpu().processors * (TALLIED if isinstance(job, Run) else COUNTED)


def parts_on(job: Job[P], done: int, chunk: int | None) -> Iterator[P]:
    """Yield the remaining parts of a job, in order, computed on the GPU."""
    if reason := why_not(job):
        raise BaccaratError(reason)
    for first, count in ranges(job, done, chunk or chunk_of(job)):
        yield part(job, first, count)


def part(job: Any, first: int, count: int) -> Any:
    """Compute a part of a job; shoes beyond the last whole group are dealt on the CPU."""
    if reason := why_not_on_gpu(job):
        raise BaccaratError(reason)
    whole = count // GROUP * GROUP
    if not whole or (isinstance(job, Run) and job.cluster != GROUP):
        return job.part(first, count)
    with _gpu_errors():
        ready = _prepared(job)
        total = in_pieces(
            ready.part, first, whole, min(job.max_shoes_at_once, ready.max_shoes_at_once)
        )
    return total + job.part(first + whole, count - whole) if whole < count else total


def prepare(job: Any) -> None:
    """Compile a job's kernel in advance, so that its parts need not wait for the compiler."""
    if not isinstance(job, Run) or job.cluster == GROUP:
        with _gpu_errors():
            _prepared(job)


@contextmanager
def _gpu_errors() -> Iterator[None]:
    """Turn any failure of the GPU into a one-sentence BaccaratError.

    The GPU may be lost, have too little memory, or be too old for the kernel. Drivers, compilers
    and linkers each raise their own exceptions, with no common base.
    """
    try:
        yield
    except BaccaratError:
        raise
    except Exception as error:
        why = " ".join(str(error).split())[:LONGEST_REASON]
        raise BaccaratError(
            f"{find_gpu().name} failed ({type(error).__name__}: {why}): continue from the "
            "checkpoint, or use the CPU"
        ) from error


@lru_cache(maxsize=4)
def _prepared(job: Run | CountRun) -> "_Tallying | _Counting":
    return _Tallying(job) if isinstance(job, Run) else _Counting(job)


class _Launch:
    """A kernel compiled and configured for the GPU."""

    def __init__(self, kernel: Any, signature: Any, shared: Callable[[int], int]) -> None:
        self._kernel, here = kernel, find_gpu()
        if here.simulated:  # numba's simulator: few threads, because each one is a Python thread
            self.threads, self.blocks, self.registers = GROUP, 1, 0
            self.bytes = shared(self.threads)
            return
        from cuda.bindings import driver
        from numba.cuda.cudadrv.driver import driver as numba_driver

        self.threads = next((n for n in THREADS if shared(n) <= here.shared_memory), 0)
        if not self.threads:
            raise BaccaratError(
                f"{here.name} has {here.shared_memory} bytes of shared memory, but this game "
                f"needs {shared(THREADS[-1])}: use the CPU"
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


class _OnGpu:
    """A job on the GPU: the kernel's arguments and its launch configuration."""

    max_shoes_at_once = 1 << 40
    """Maximum number of shoes per launch: effectively unlimited, because counters are reset for
    every cluster."""

    def __init__(
        self, run: Run | CountRun, kernel: Any, shared: Callable[[int], int], *own_types: Any
    ) -> None:
        from numba import cuda, types

        self._cuda, self._run = cuda, run
        self.launch = _Launch(
            kernel,
            (
                *(types.uint64, types.uint64, types.int64),
                types.UniTuple(types.int64, 6),  # type: ignore[no-untyped-call]
                *(types.uint32[::1],) * 4,
                types.uint32[:, ::1],
                *own_types,
            ),
            shared,
        )

    def _load(self, packing: Packing, threads: int, *own_arrays: Any) -> None:
        """Copy the shoe, the automaton and this kernel's own arrays to the GPU."""
        from baccarat.simulation.gpu import kernel

        rules, lookup, hands = self._run.rules, self._run.lookup, self._run.hands_input
        shoe, hand_bets = shoe_input(rules, lookup.detail), hands is not None
        start = packing.packed(running_counts(rules.decks, lookup.detail))
        table, begins = kernel.table_for(automaton_of(lookup), threads, hand_bets=hand_bets)
        self._shoe = (
            *(shoe.size, shoe.needed, shoe.cut_at, shoe.coups_from_cut, begins[rules.burn]),
            len(lookup.classes),
        )
        cells, starts = (hands.cells, hands.starts) if hands else kernel.NO_HANDS
        arrays = (start, shoe.rejected, table, cells, starts, *own_arrays)
        self._arrays = [self._cuda.to_device(array) for array in arrays]

    def _counted(self, first: int, units: int, *more: Any) -> list[Any]:
        """Launch the kernel and return the arrays in `more`, filled with its counts."""
        given = [self._cuda.to_device(x) if isinstance(x, np.ndarray) else x for x in more]
        seed = np.uint64(self._run.seed)
        self.launch(seed, np.uint64(first), units, self._shoe, *self._arrays, *given)
        return [x.copy_to_host() for x in given if not isinstance(x, tuple)]


class _Tallying(_OnGpu):
    """A simulation run on the GPU."""

    def __init__(self, run: Run) -> None:
        from numba import types

        from baccarat.simulation.gpu import kernel

        lookup = run.lookup
        packing, cells = packing_of(run.rules.size), automaton_of(lookup).table.size
        super().__init__(
            run,
            kernel.tally_kernel(lookup.detail, packing, hand_bets=lookup.hands is not None),
            lambda threads: kernel.shared_bytes(cells, len(lookup.pays), threads),
            *(types.int64[:, ::1], types.int64[::1], types.int64[:, ::1]),
        )
        self._load(packing, self.launch.threads, np.ascontiguousarray(lookup.pays))

    def part(self, first: int, shoes: int) -> Tally:
        lookup, clusters = self._run.lookup, shoes // GROUP
        rows, bets = lookup.pays.shape
        tallies, sums = np.zeros(rows, np.int64), np.zeros((3, bets), np.int64)
        tallies, sums = self._counted(first, clusters, tallies, sums)
        by_place = np.empty((0, len(lookup.classes)))
        return Tally.of(shoes, clusters, Counters(tallies, sums, by_place))


class _Counting(_OnGpu):
    """A counting run on the GPU."""

    def __init__(self, run: CountRun) -> None:
        from numba import types

        from baccarat.simulation.gpu import kernel

        lookup, trigger = run.lookup, run.count.trigger(run.lookup.detail)
        packing, cells = packing_of(run.rules.size), automaton_of(lookup).table.size
        tags = kernel.tags_for(trigger.tags, lookup.detail)
        super().__init__(
            run,
            kernel.count_kernel(lookup.detail, packing, hand_bets=run.hands_input is not None),
            lambda _: kernel.count_shared_bytes(cells, len(lookup.pays), len(tags)),
            *(types.int32[::1], types.int64[::1]),
            types.UniTuple(types.int64, 4),  # type: ignore[no-untyped-call]
            *(types.int64[:, ::1], types.int64[::1]),
        )
        shown = int(run.rules.burn is Burn.FIRST_CARD)
        self._trigger = (trigger.least, trigger.per_card, trigger.scale, shown)
        self._load(packing, 1, tags, np.ascontiguousarray(lookup.pays[:, run.place]))
        # Maximum number of shoes, spread evenly over the blocks, for which no 32-bit counter
        # overflows.
        coups = run.rules.size // 4 + 1
        self.max_shoes_at_once = self.launch.blocks * ((1 << 31) // coups - self.launch.threads)

    def part(self, first: int, shoes: int) -> Counted:
        by_count = np.zeros((2 * MAX_TRUE_COUNT + 1, 3), np.int64)
        sums = np.zeros(6, np.int64)
        by_count, sums = self._counted(first, shoes, self._trigger, by_count, sums)
        return Counted(shoes, tuple(map(tuple, by_count.tolist())), tuple(sums.tolist()))
