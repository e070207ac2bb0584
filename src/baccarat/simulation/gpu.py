"""The same work on a graphics processor. Needs the extra `gpu` and an NVIDIA card.

Parts are those of the job, digit for digit: whole groups of shoes are dealt on the card, what is
left over at the end of a chunk here.
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
from baccarat.simulation.automaton import automaton_of
from baccarat.simulation.counting import FARTHEST, Counted, CountRun
from baccarat.simulation.inputs import burn_of, shoe_input
from baccarat.simulation.run import Run, Tally
from baccarat.simulation.work import GROUP, Job, P, in_pieces, ranges

TALLIED, COUNTED = 1 << 19, 1 << 17
"""Shoes dealt at a time for each processor of the card: less than a tenth of a second on a large
one, few enough for the bar to move on a small one."""
LONGEST_REASON = 200
THREADS = (1024, 512, 256, 128, 64)
"""Threads of a block: as many as their shared memory allows."""


@dataclass(frozen=True)
class Card:
    """A graphics processor."""

    name: str
    processors: int
    shared_memory: int
    """Most that a block of threads can have, in bytes."""
    simulated: bool = False


@lru_cache(maxsize=1)
def card() -> Card:
    """The card of this machine; BaccaratError when there is none that can be used."""
    if find_spec("numba_cuda") is None:  # numba has a numba.cuda of its own, which is not it
        raise BaccaratError("a graphics processor needs numba-cuda: pip install 'baccarat[gpu]'")
    from numba import config, cuda

    if getattr(config, "ENABLE_CUDASIM", 0):
        return Card("the simulator of numba-cuda", 1, 1 << 20, simulated=True)
    try:
        device = cuda.get_current_device()
    except Exception as error:  # drivers, contexts, memory: each has errors of its own
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        why = lines[min(1, len(lines) - 1)] if lines else type(error).__name__
        raise BaccaratError(f"no NVIDIA card can be used here: {why}") from error
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return Card(name, device.MULTIPROCESSOR_COUNT, device.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)


def unsuited(job: Job[Any]) -> str | None:
    """Why no graphics processor does this job; None when one can."""
    if not isinstance(job, Run | CountRun) or (isinstance(job, Run) and job.by_place):
        return (
            "graphics processors do simulations (not by place) and counts (not their exact "
            "values): leave --device out for other work"
        )
    if isinstance(job, CountRun):
        largest = max(abs(int(tag * job.count.scale)) for tag in job.count.tags)
        if largest * job.plan.size * DECK_SIZE >= 1 << 31:
            return "these tags are too fine for a graphics processor: leave --device out"
    return None


def why_not(job: Job[Any]) -> str | None:
    """Why a job is not done on a graphics processor here; None when it can be."""
    if reason := unsuited(job):
        return reason
    try:
        card()
    except BaccaratError as error:
        return str(error)
    return None


def chunk_of(job: Job[Any]) -> int:
    """Shoes at a time, for the card of this machine."""
    return card().processors * (TALLIED if isinstance(job, Run) else COUNTED)


def parts_on(job: Job[P], done: int, chunk: int | None) -> Iterator[P]:
    """The parts that are left of a job, in order, done on the card."""
    if reason := why_not(job):
        raise BaccaratError(reason)
    for first, count in ranges(job, done, chunk or chunk_of(job)):
        yield part(job, first, count)


def part(job: Any, first: int, count: int) -> Any:
    """A part of a job; what is no whole group of shoes is dealt here."""
    if reason := unsuited(job):
        raise BaccaratError(reason)
    whole = count // GROUP * GROUP
    if not whole or (isinstance(job, Run) and job.cluster != GROUP):
        return job.part(first, count)
    with _failing_in_words():
        ready = _prepared(job)
        total = in_pieces(ready.part, first, whole, min(job.most_at_once, ready.most_at_once))
    return total + job.part(first + whole, count - whole) if whole < count else total


def prepare(job: Any) -> None:
    """Compile what a job needs, so that its parts need not wait for it."""
    if not isinstance(job, Run) or job.cluster == GROUP:
        with _failing_in_words():
            _prepared(job)


@contextmanager
def _failing_in_words() -> Iterator[None]:
    """A card that is lost, has too little memory, or is too old for the kernel: one sentence.

    Drivers, compilers and linkers each have errors of their own, with nothing in common.
    """
    try:
        yield
    except BaccaratError:
        raise
    except Exception as error:
        why = " ".join(str(error).split())[:LONGEST_REASON]
        raise BaccaratError(
            f"{card().name} failed ({type(error).__name__}: {why}): go on from the checkpoint, or "
            "leave --device out"
        ) from error


@lru_cache(maxsize=4)
def _prepared(job: Run | CountRun) -> "_Tallying | _Counting":
    return _Tallying(job) if isinstance(job, Run) else _Counting(job)


class _Launch:
    """A kernel, made ready for the card."""

    def __init__(self, kernel: Any, signature: Any, shared: Callable[[int], int]) -> None:
        self._kernel, here = kernel, card()
        if here.simulated:  # a few threads, each a thread of Python
            self.threads, self.blocks, self.registers = GROUP, 1, 0
            self.bytes = shared(self.threads)
            return
        from cuda.bindings import driver
        from numba.cuda.cudadrv.driver import driver as numba_driver

        self.threads = next((n for n in THREADS if shared(n) <= here.shared_memory), 0)
        if not self.threads:
            raise BaccaratError(
                f"{here.name} has {here.shared_memory} bytes of shared memory, and this game "
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

    most_at_once = 1 << 40
    """Its counters are emptied after every cluster."""

    def __init__(self, run: Run) -> None:
        from numba import cuda, types

        from baccarat.simulation import gpu_kernel

        self._cuda, self._run = cuda, run
        lookup, automaton = run.lookup, automaton_of(run.lookup)
        packing = gpu_kernel.packing_of(run.plan.size)
        classes, self._bets = lookup.pays.shape
        signature = (
            *(types.uint64, types.uint64, types.int64),
            types.UniTuple(types.int64, 5),  # type: ignore[no-untyped-call]
            *(types.uint32[::1],) * 3,
            *(types.int64[:, ::1], types.int64[::1], types.int64[:, ::1]),
        )
        self.launch = _Launch(
            gpu_kernel.tally_kernel(lookup.detail, packing),
            signature,
            lambda threads: gpu_kernel.shared_bytes(automaton.table.size, classes, threads),
        )
        *numbers, _, rejected, start = shoe_input(run.plan, lookup.detail, packing)
        table, begins = gpu_kernel.table_for(automaton, self.launch.threads)
        self._shoe = (*map(int, numbers), begins[burn_of(run.plan)])
        arrays = (start, rejected, table, np.ascontiguousarray(lookup.pays))
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


class _Counting:
    """Counting on the card."""

    def __init__(self, run: CountRun) -> None:
        from numba import cuda, types

        from baccarat.simulation import gpu_kernel

        self._cuda, self._run = cuda, run
        lookup, automaton = run.lookup, automaton_of(run.lookup)
        detail, classes = lookup.detail, len(lookup.classes)
        packing = gpu_kernel.packing_of(run.plan.size)
        by_code, least, per_card = run.count.trigger(detail)
        tags = gpu_kernel.tags_for(by_code, detail)
        signature = (
            *(types.uint64, types.uint64, types.int64),
            types.UniTuple(types.int64, 5),  # type: ignore[no-untyped-call]
            *(types.uint32[::1],) * 3,
            *(types.int32[::1], types.int64[::1]),
            types.UniTuple(types.int64, 4),  # type: ignore[no-untyped-call]
            *(types.int64[:, ::1], types.int64[::1]),
        )
        self.launch = _Launch(
            gpu_kernel.count_kernel(detail, packing),
            signature,
            lambda _: gpu_kernel.count_shared_bytes(automaton.table.size, classes, len(tags)),
        )
        *numbers, burn, rejected, start = shoe_input(run.plan, detail, packing)
        table, begins = gpu_kernel.table_for(automaton, 1)
        self._shoe = (*map(int, numbers), begins[burn_of(run.plan)])
        self._trigger = (int(least), int(per_card), run.count.scale, int(burn < 0))
        pays = np.ascontiguousarray(lookup.pays[:, run.place])
        arrays = (start, rejected, table, tags, pays)
        self._arrays = [cuda.to_device(array) for array in arrays]

    @property
    def most_at_once(self) -> int:
        """Shoes in which no counter of 32 bits can overflow: blocks share them evenly."""
        coups = self._run.plan.size // 4 + 1
        return self.launch.blocks * ((1 << 31) // coups - self.launch.threads)

    def part(self, first: int, shoes: int) -> Counted:
        cuda = self._cuda
        by_count = cuda.to_device(np.zeros((2 * FARTHEST + 1, 3), np.int64))
        sums = cuda.to_device(np.zeros(6, np.int64))
        seed = np.uint64(self._run.seed)
        self.launch(
            seed, np.uint64(first), shoes, self._shoe, *self._arrays, self._trigger, by_count, sums
        )
        found = tuple(map(tuple, by_count.copy_to_host().tolist()))
        return Counted(shoes, found, tuple(sums.copy_to_host().tolist()))
