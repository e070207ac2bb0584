"""The GPU kernels: one shoe per thread, one card per step, the same cards as on a CPU.

Every thread keeps the cards left in its shoe as running counts, several per register, and counts
the classes of coups in its own column of counters in shared memory. Threads do not diverge, except
at the end of coups if there are bets on suits, colours, ranks or sums (hand bets): then the last
cards are remembered, and the outcomes are looked up in tables in global memory.

Random words, positions, cards and the steps of the automaton come from `stream` and `dealing`,
compiled here for 32-bit words.
"""

import hashlib
import math
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import config, cuda, float64, int32, int64, uint32, uint64

from baccarat.core.cards import DECK_SIZE
from baccarat.core.errors import BaccaratError
from baccarat.shoe import Burn
from baccarat.simulation import dealing, stream, true_count
from baccarat.simulation.automaton import Automaton
from baccarat.simulation.gpu import packing
from baccarat.simulation.gpu.packing import Packing
from baccarat.simulation.lookup import Detail

CLUSTER = 64
"""Number of shoes combined into one sample for standard errors, as on the CPU."""
CARDS_PER_BLOCK = 2 * stream.WORDS_PER_BLOCK
MAX_REGISTERS = {Detail.POINTS: 48, Detail.RANKS: 48, Detail.CARDS: 64}
"""Maximum registers per thread: a thousand threads must fit on one multiprocessor to hide
latency."""
NO_CARD = np.uint32(255)
BYTE = np.uint32(8)
NO_HANDS = np.zeros(1, np.uint32), np.zeros((1, 2), np.uint32)
"""Passed to kernels in place of the tables for hand bets, if there are no such bets."""


def shared_bytes(cells: int, classes: int, threads: int) -> int:
    """Return the bytes of shared memory that a block needs: the automaton, a column of counters per
    thread, and totals. The outcomes of hand bets count as classes."""
    return 4 * (cells + (classes + 1) * threads + threads // CLUSTER * classes)


def table_for(
    automaton: Automaton, threads: int, *, hand_bets: bool = False
) -> tuple[Any, dict[Burn, int]]:
    """Return the automaton's table and initial states, with addresses of counters instead of marks;
    marks are kept if `hand_bets` is true."""
    table, begins = automaton.with_row_addresses(1)
    if hand_bets:
        return table, begins
    classes = table >> 18
    if int(classes.max()) * threads >= 1 << 16:
        raise BaccaratError("this game is too large for a GPU's shared memory")
    return table & 0xFFFF | (classes * np.uint32(threads)) << 16, begins


def tags_for(by_code: Any, detail: Detail) -> Any:
    """Convert tags by card code to tags by automaton symbol."""
    by_symbol = np.tile(by_code[::4], 2) if detail is Detail.CARDS else by_code
    return by_symbol.astype(np.int32)


SIMULATED = bool(getattr(config, "ENABLE_CUDASIM", 0))
"""Whether numba's CUDA simulator is used. It has no register limit, and calls plain functions
faster than device functions."""


def device(function: Any, inline: str = "always") -> Any:
    return function if SIMULATED else cuda.jit(function, device=True, inline=inline)


def kernel_of(registers: int, *of: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles a kernel with at most this many registers per thread, or
    loads it from disk. `of` is everything that the kernel's closure depends on."""

    def compiled(function: Any) -> Any:
        if SIMULATED:
            return cuda.jit(function)
        kernel = cuda.jit(function, max_registers=registers)
        kernel._cache = _disk_cache(function, (registers, *of))
        return kernel

    return compiled


def _disk_cache(function: Any, key: tuple[Any, ...]) -> Any:
    """Return a cache on disk for a kernel. numba's own cache is of no use here: its key contains
    device functions, which differ between processes."""
    from numba.cuda.dispatcher import CUDACache

    sources = hashlib.sha256()
    for module in (__file__, dealing.__file__, packing.__file__, stream.__file__):
        sources.update(Path(module).read_bytes())

    class DiskCache(CUDACache):  # type: ignore[misc]
        def _index_key(self, signature: Any, codegen: Any) -> Any:
            versions = codegen.magic_tuple(), version("numba-cuda"), version("numba")
            return signature, *versions, sources.hexdigest(), key

    return DiskCache(function)


def wide(word: Any) -> Any:
    return uint64(word)


def narrow(number: Any) -> Any:
    return uint32(number)


def product(one: Any, other: Any) -> Any:
    """Return the high and the low word of the product of two words. The compiler does not recognise
    a product of two 32-bit words in the general form."""
    one, other = uint32(one), uint32(other)
    return uint32(cuda.libdevice.umulhi(one, other)), uint32(one * other)


_product = stream.product if SIMULATED else product
_stream = stream.compiled(device, (wide, narrow, _product, *stream.SHARED))
places, words_of_block, one_of = (_stream[name] for name in ("places", "words_of_block", "one_of"))
redrawn = device(stream.with_globals(stream.redrawn, **_stream), inline="never")


_hands = stream.compiled(device, (dealing.third_cards, dealing.hand_at, dealing.outcome_of))
third_cards, outcome_of = _hands["third_cards"], _hands["outcome_of"]


@device
def recent_card(recent: Any, number: Any) -> Any:
    """Return one of the last eight cards, which are stored one per byte; the last is number 0."""
    return uint32(uint64(recent >> uint64(BYTE * number)) & uint64(NO_CARD))


@device
def hands_of(recent: Any, mark: Any, no_card: Any) -> Any:
    """Return the three cards of the player and of the banker in the coup that has just ended with
    this mark. A missing third card is `no_card`."""
    thirds, after = uint32(mark & dealing.THIRDS), uint32(third_cards(mark))
    both, player, banker = thirds == dealing.BOTH_THIRDS, uint32(no_card), uint32(no_card)
    if both or thirds == dealing.PLAYER_THIRD:
        player = recent_card(recent, uint32(both))
    if both or thirds == dealing.BANKER_THIRD:
        banker = recent_card(recent, uint32(0))
    return (
        (recent_card(recent, after + uint32(3)), recent_card(recent, after + uint32(1)), player),
        (recent_card(recent, after + uint32(2)), recent_card(recent, after), banker),
    )


class Dealing(NamedTuple):
    """Device functions that deal cards and step the automaton, compiled for one level of detail and
    one packing."""

    two_codes: Any
    symbol_of: Any
    step: Any
    mark_of: Any


@lru_cache(maxsize=16)
def dealing_of(detail: Detail, counts_in: Packing, *, hand_bets: bool) -> Dealing:
    """Compile the device functions for one level of detail and one packing, with or without hand
    bets."""
    names = stream.compiled(device, dealing.SHARED, word=uint32, UNIT=np.uint32(1))
    counting = stream.compiled(device, packing.SHARED, word=uint32, **counts_in.names)
    target_count, take, holding_of, code_of = (counting[f.__name__] for f in packing.SHARED)
    symbol_of_suits, suits = names["symbol_of"], detail == Detail.CARDS
    registers, last = counts_in.words(detail), counts_in.last(detail)
    per_sum = counts_in.words_per_sum

    @device
    def two_codes(
        word: Any, number: Any, left: Any, shoe: Any, seed: Any, rejected: Any, counts: Any
    ) -> Any:
        """Return the two cards that word `number` of a shoe selects, and remove them from the
        counts."""
        one, two, fraction = places(word, left)
        below = rejected[number]
        if fraction < below:
            one, two = redrawn(number, shoe, seed, left, below)
        one, two = target_count(one), target_count(two)
        first = second = first_sum = second_sum = uint32(0)
        for i in range(registers):
            count, guards = take(counts[i], one)
            first_sum = uint32(first_sum + guards)
            counts[i], guards = take(count, two)
            second_sum = uint32(second_sum + guards)
            if i % per_sum == per_sum - 1 or i == registers - 1:
                first = uint32(first + holding_of(first_sum))
                second = uint32(second + holding_of(second_sum))
                first_sum = second_sum = uint32(0)
        return code_of(first, last), code_of(second, last)

    @device
    def symbol_of(code: Any, before: Any, recent: Any) -> Any:
        """Return the column of the transition table for a card; `before` holds the last two cards
        if suits matter, and `recent` the last eight if there are hand bets, one per byte."""
        if hand_bets:
            recent[0] = uint64(uint64(recent[0] << uint64(BYTE)) | uint64(code))
        if not suits:
            return code
        symbol = symbol_of_suits(code, before[1])
        before[1] = before[0]
        before[0] = code
        return symbol

    return Dealing(two_codes, symbol_of, names["step"], names["mark_of"])


@lru_cache(maxsize=16)
def tally_kernel(detail: Detail, counts_in: Packing, *, hand_bets: bool) -> Any:
    """Return the kernel that deals shoes and counts the classes of their coups."""
    two_codes, symbol_of, step, mark_of = dealing_of(detail, counts_in, hand_bets=hand_bets)
    registers, no_card = counts_in.words(detail), np.uint32(detail)

    @device
    def count(state: Any, shared: Any, counters: Any, cells: Any, starts: Any, recent: Any) -> None:
        """Count a coup that ends; otherwise increment a dummy counter, to avoid divergence."""
        mark = mark_of(state)
        if not hand_bets:
            cuda.atomic.add(shared, uint32(counters + mark), uint32(1))
            return
        threads = uint32(cuda.blockDim.x)
        cuda.atomic.add(shared, uint32(counters + uint32(mark >> 2) * threads), uint32(1))
        if mark > 0:
            player, banker = hands_of(recent[0], mark, no_card)
            for group in range(starts.shape[0]):
                row = uint32(outcome_of(cells, starts, group, player, banker) + uint32(1))
                cuda.atomic.add(shared, uint32(counters + row * threads), uint32(1))

    @device
    def four_cards(
        word: Any, next_word: Any, number: Any, left: Any, shared: Any, state: Any, counters: Any,
        counts: Any, before: Any, rejected: Any, shoe: Any, seed: Any, cells: Any, starts: Any,
        recent: Any,
    ) -> Any:  # fmt: skip
        """Deal the four cards of two words, before the cut card is reached, and count any coup that
        ends. At most one of four cards ends a coup, so at most one of the states has a mark."""
        one, two = two_codes(word, number, left, shoe, seed, rejected, counts)
        after_one = step(shared, state, symbol_of(one, before, recent))
        if hand_bets:
            count(after_one, shared, counters, cells, starts, recent)
        after_two = step(shared, after_one, symbol_of(two, before, recent))
        if hand_bets:
            count(after_two, shared, counters, cells, starts, recent)
        number, left = uint32(number + uint32(1)), uint32(left - uint32(2))
        one, two = two_codes(next_word, number, left, shoe, seed, rejected, counts)
        after_three = step(shared, after_two, symbol_of(one, before, recent))
        if hand_bets:
            count(after_three, shared, counters, cells, starts, recent)
        state = step(shared, after_three, symbol_of(two, before, recent))
        ended = state if hand_bets else uint32(after_one | after_two | after_three | state)
        count(ended, shared, counters, cells, starts, recent)
        return state

    @kernel_of(MAX_REGISTERS[Detail.CARDS if hand_bets else detail], detail, counts_in, hand_bets)
    def kernel(
        seed: Any,
        first_shoe: Any,
        clusters: Any,
        shoe_input: Any,
        start: Any,
        rejected: Any,
        table: Any,
        hand_cells: Any,
        starts: Any,
        pays: Any,
        tallies: Any,
        sums: Any,
    ) -> None:
        size, needed, cut_at, last_coups, start_state, plain = shoe_input
        classes, bets = pays.shape
        cells, threads, thread = table.shape[0], cuda.blockDim.x, cuda.threadIdx.x
        together = threads // CLUSTER
        shared = cuda.shared.array(0, uint32)
        for i in range(thread, cells, threads):
            shared[i] = table[i]
        counters, totals = uint32(cells + thread), cells + (classes + 1) * threads
        counts, before = cuda.local.array(registers, uint32), cuda.local.array(2, uint32)
        recent = cuda.local.array(1, uint64)
        for first in range(cuda.blockIdx.x * together, clusters, cuda.gridDim.x * together):
            for c in range(classes + 1):
                shared[counters + c * threads] = uint32(0)
            cuda.syncthreads()
            shoe = uint64(first_shoe) + uint64(first * CLUSTER + thread)
            for i in range(registers):
                counts[i] = start[i]
            before[0] = before[1] = NO_CARD
            state, left = uint32(start_state), last_coups
            for block in range((needed + CARDS_PER_BLOCK - 1) // CARDS_PER_BLOCK):
                words = words_of_block(uint32(block), uint32(0), shoe, seed)
                number, n = uint32(4 * block), uint32(size - CARDS_PER_BLOCK * block)
                if CARDS_PER_BLOCK * (block + 1) < cut_at:
                    # The cut card has not been reached, so no coup can be the last one.
                    state = four_cards(
                        words[0], words[1], number, n, shared, state,
                        counters, counts, before, rejected, shoe, seed, hand_cells, starts, recent,
                    )  # fmt: skip
                    number, n = uint32(number + uint32(2)), uint32(n - uint32(4))
                    state = four_cards(
                        words[2], words[3], number, n, shared, state,
                        counters, counts, before, rejected, shoe, seed, hand_cells, starts, recent,
                    )  # fmt: skip
                    continue
                for i in range(min(CARDS_PER_BLOCK, needed - CARDS_PER_BLOCK * block)):
                    word, place = uint32(i // 2), CARDS_PER_BLOCK * block + i
                    if i % 2 == 0:
                        one, two = two_codes(
                            one_of(words, word), uint32(number + word), uint32(n - uint32(i)),
                            shoe, seed, rejected, counts,
                        )  # fmt: skip
                    symbol = symbol_of(one if i % 2 == 0 else two, before, recent)
                    if left > 0:
                        state = step(shared, state, symbol)
                        count(state, shared, counters, hand_cells, starts, recent)
                        if place + 1 >= cut_at and mark_of(state) > 0:
                            left -= 1
            cuda.syncthreads()
            # Sum the coups of each class for each cluster, one thread per class and cluster.
            here = min(together, clusters - first)
            for item in range(thread, here * classes, threads):
                cluster, c = item // classes, item % classes
                column = cells + (c + 1) * threads + cluster * CLUSTER
                total = uint32(0)
                for j in range(CLUSTER):
                    total = uint32(total + shared[column + (j + thread) % CLUSTER])
                shared[totals + item] = total
                cuda.atomic.add(tallies, c, int64(total))
            cuda.syncthreads()
            for item in range(thread, here * bets, threads):
                cluster, bet = item // bets, item % bets
                coups, won = int64(0), int64(0)
                for c in range(classes):
                    total = int64(shared[totals + cluster * classes + c])
                    coups += total if not hand_bets or c < plain else int64(0)
                    won += total * pays[c, bet]
                cuda.atomic.add(sums, (0, bet), won * coups)
                cuda.atomic.add(sums, (1, bet), won * won)
                if bet == 0:
                    cuda.atomic.add(sums, (2, 0), coups * coups)

    return kernel


MAX_TRUE_COUNT = true_count.MAX_TRUE_COUNT
BINS = 2 * MAX_TRUE_COUNT + 1
SUMS = 6


def count_shared_bytes(cells: int, classes: int, tags: int) -> int:
    """Return the bytes of shared memory that a block of a counting run needs: the automaton, the
    tags, and a counter for every true count and class."""
    return 4 * (cells + tags + BINS * (classes + 1))


@lru_cache(maxsize=16)
def count_kernel(detail: Detail, counts_in: Packing, *, hand_bets: bool) -> Any:
    """Return the kernel that keeps a card count through each shoe and wagers whenever the count
    reaches the trigger."""
    two_codes, symbol_of, step, mark_of = dealing_of(detail, counts_in, hand_bets=hand_bets)
    registers, no_card = counts_in.words(detail), np.uint32(detail)

    @kernel_of(MAX_REGISTERS[Detail.CARDS], detail, counts_in, hand_bets)
    def kernel(
        seed: Any,
        first_shoe: Any,
        shoes: Any,
        shoe_input: Any,
        start: Any,
        rejected: Any,
        table: Any,
        hand_cells: Any,
        starts: Any,
        tags: Any,
        pays: Any,
        trigger: Any,
        by_count: Any,
        sums: Any,
    ) -> None:
        size, needed, cut_at, last_coups, start_state, _ = shoe_input
        least, per_card, scale, shown = trigger
        classes = pays.shape[0]
        cells, kinds, threads = table.shape[0], tags.shape[0], cuda.blockDim.x
        thread = cuda.threadIdx.x
        shared = cuda.shared.array(0, int32)
        for i in range(thread, cells, threads):
            shared[i] = int32(table[i])
        for i in range(thread, kinds, threads):
            shared[cells + i] = tags[i]
        counters = cells + kinds
        for i in range(thread, BINS * (classes + 1), threads):
            shared[counters + i] = 0
        cuda.syncthreads()
        counts, before = cuda.local.array(registers, uint32), cuda.local.array(2, uint32)
        recent, total = cuda.local.array(1, uint64), cuda.local.array(SUMS, int64)
        for i in range(SUMS):
            total[i] = 0
        for each in range(cuda.grid(1), shoes, cuda.gridsize(1)):
            shoe = uint64(first_shoe) + uint64(each)
            for i in range(registers):
                counts[i] = start[i]
            before[0] = before[1] = NO_CARD
            state, left, burning = uint32(start_state), last_coups, start_state != 0
            running, coups, wagers, won = int32(0), int32(0), int32(0), int64(0)
            wager, row, face_down = False, int32(0), int32(0)
            for block in range((needed + CARDS_PER_BLOCK - 1) // CARDS_PER_BLOCK):
                words = words_of_block(uint32(block), uint32(0), shoe, seed)
                for i in range(min(CARDS_PER_BLOCK, needed - CARDS_PER_BLOCK * block)):
                    word, place = uint32(i // 2), CARDS_PER_BLOCK * block + i
                    if i % 2 == 0:
                        one, two = two_codes(
                            one_of(words, word), uint32(uint32(4 * block) + word),
                            uint32(size - place), shoe, seed, rejected, counts,
                        )  # fmt: skip
                    symbol = symbol_of(one if i % 2 == 0 else two, before, recent)
                    if left == 0:
                        continue
                    tag = shared[cells + int32(symbol)]
                    if burning:
                        state = uint32(step(shared, state, symbol))
                        burning = state != 0
                        if place < shown:
                            running += tag
                        else:
                            face_down += 1
                        continue
                    if uint32(state & dealing.STATE) == 0:
                        unseen = int32(size - place + face_down)
                        wager = int64(running) * per_card >= int64(least) * unseen
                        row = (classes + 1) * bin_of(running, int32(scale) * unseen)
                    running += tag
                    state = uint32(step(shared, state, symbol))
                    ended = int32(mark_of(state))
                    if ended > 0:
                        if hand_bets:
                            player, banker = hands_of(recent[0], uint32(ended), no_card)
                            ended = int32(outcome_of(hand_cells, starts, 0, player, banker)) + 1
                        cuda.atomic.add(shared, counters + row + ended, int32(1))
                        coups += 1
                        if wager:
                            wagers += 1
                            won += pays[ended - 1]
                        if place + 1 >= cut_at:
                            left -= 1
            total[0] += coups
            total[1] += wagers
            total[2] += won
            total[3] += int64(wagers) * wagers
            total[4] += won * wagers
            total[5] += won * won
        for i in range(SUMS):
            cuda.atomic.add(sums, i, total[i])
        cuda.syncthreads()
        for i in range(thread, BINS * classes, threads):
            row, c = i // classes, i % classes
            n = int64(shared[counters + row * (classes + 1) + c + 1])
            cuda.atomic.add(by_count, (row, 0), n)
            cuda.atomic.add(by_count, (row, 1), n * pays[c])
            cuda.atomic.add(by_count, (row, 2), n * pays[c] * pays[c])

    return kernel


@device
def bin_of(running: Any, cards: Any) -> Any:
    """Return the row for a true count, which is running · 52 / cards, rounded down and clamped."""
    above = int32(running * DECK_SIZE)
    true = int32(math.floor(float64(above) / float64(cards)))
    true = true - int32(true * cards > above) + int32((true + 1) * cards <= above)
    return min(max(true, -MAX_TRUE_COUNT), MAX_TRUE_COUNT) + MAX_TRUE_COUNT
