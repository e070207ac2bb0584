"""The kernel for graphics processors: a shoe a thread, one card a step, the same cards as ever.

Every thread keeps the cards left in its shoe as running counts, several to a register, so that the
k-th card left is found by a subtraction for each register; an automaton says what each card means
(`automaton`), and counters in shared memory, a column of them for each thread, count the classes
of coups. No thread ever does anything else than its neighbours.

Random words, the places they stand for and the order of the cards are those of `stream`: the very
same functions.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import config, cuda, float64, int32, int64, uint32, uint64

from baccarat.core.cards import DECK_SIZE
from baccarat.core.errors import BaccaratError
from baccarat.simulation import counting, stream
from baccarat.simulation.automaton import Automaton
from baccarat.simulation.lookup import Detail
from baccarat.simulation.stream import BITS

CLUSTER = 64
"""Shoes taken together for standard errors, as on other processors."""
CARDS_PER_BLOCK = 2 * stream.WORDS_PER_BLOCK
LONGEST_BURN = 11
MOST_REGISTERS = {Detail.POINTS: 48, Detail.RANKS: 48, Detail.CARDS: 64}
"""Of a thread: a thousand of them are to fit on one processor, to hide what each waits for."""


class Layout(NamedTuple):
    """How running counts are packed: `fields` to a register, each with a guard bit on top."""

    bits: int
    fields: int
    registers: int

    @property
    def ones(self) -> int:
        return sum(1 << self.bits * i for i in range(self.fields))

    @property
    def guard(self) -> int:
        return self.ones << self.bits - 1

    def packed(self, counts: Any) -> Any:
        """Running counts (how many cards have this code or a lower one) as registers."""
        words = [self.guard] * self.registers
        for i, count in enumerate(counts):
            words[i // self.fields] += int(count) << self.bits * (i % self.fields)
        return np.array(words, np.uint32)


def shared_bytes(cells: int, classes: int, threads: int) -> int:
    """What a block of threads needs: the automaton, a column of counters each, and totals."""
    return 4 * (cells + (classes + 1) * threads + threads // CLUSTER * classes)


def layout_of(size: int, detail: Detail) -> Layout:
    """Three counts to a register for shoes of up to nine decks, two for larger ones."""
    bits = 10 if size < 512 else 16
    fields = 32 // bits
    return Layout(bits, fields, -(-(detail - 1) // fields))


def table_for(automaton: Automaton, detail: Detail, threads: int) -> Any:
    """The automaton's table with addresses instead of numbers.

    States are where their rows begin, classes where their counters do. The columns stand in the
    order in which `take` finds symbols: it counts the running counts that reach beyond a place.
    """
    rows, columns = automaton.table.shape
    states, classes = automaton.table & 0xFFFF, automaton.table >> 16
    table = states * np.uint32(columns) | (classes * np.uint32(threads)) << 16
    if rows * columns > 1 << 16 or int(classes.max()) * threads >= 1 << 16:
        raise BaccaratError("this game is too large for a graphics processor's shared memory")
    if detail is not Detail.CARDS:
        table[:, :detail] = table[:, :detail][:, ::-1]
    return np.ascontiguousarray(table.reshape(-1))


def tags_for(by_code: Any, detail: Detail) -> Any:
    """Tags by column of the table."""
    if detail is Detail.CARDS:
        return np.tile(by_code[::4], 2).astype(np.int32)
    return by_code[::-1].astype(np.int32)


def device(function: Any, inline: str = "always") -> Any:
    return cuda.jit(function, device=True, inline=inline)


def kernel_of(registers: int) -> Callable[[Any], Any]:
    """Compiles a kernel whose threads have so many registers at most."""
    simulated = getattr(config, "ENABLE_CUDASIM", 0)  # the simulator knows no registers
    limits = {} if simulated else {"max_registers": registers}
    compiled: Callable[[Any], Any] = cuda.jit(**limits)
    return compiled


@device
def wide(word: Any) -> Any:
    return uint64(word)


@device
def narrow(number: Any) -> Any:
    return uint32(number)


_in_32_bits = {"wide": wide, "narrow": narrow, "ONE": np.uint32(1)}
philox = device(stream.rebound(stream.philox, **_in_32_bits))
places = device(stream.rebound(stream.places, **_in_32_bits))


@device
def low_word(number: Any) -> Any:
    return uint32(number)


@device
def high_word(number: Any) -> Any:
    return uint32(uint64(number) >> BITS)


class Dealing(NamedTuple):
    """How the cards of a shoe are dealt and named, for one way of telling them apart."""

    two_places: Any
    take: Any
    symbol_of: Any
    burned: Any


@device
def pick(words: Any, word: Any) -> Any:
    if word < 2:
        return words[0] if word == 0 else words[1]
    return words[2] if word == 2 else words[3]


@lru_cache(maxsize=16)
def dealing(detail: Detail, layout: Layout) -> Dealing:
    """The functions that deal."""
    registers, rows = layout.registers, np.uint32(detail - 1)
    bits, top = np.uint32(layout.bits - 1), np.uint32(layout.bits * (layout.fields - 1))
    ones, guard = np.uint32(layout.ones), np.uint32(layout.guard)
    field = np.uint32((1 << layout.bits) - 1)
    points, suits = detail == 10, detail == 52

    def redraw(number: Any, shoe: Any, seed: Any, left: Any, rejected: Any) -> Any:
        """The places of a word whose first attempt was thrown away."""
        attempt = uint32(1)
        while True:
            words = philox(
                uint32(number >> uint32(2)),
                attempt,
                low_word(shoe),
                high_word(shoe),
                low_word(seed),
                high_word(seed),
            )
            word = pick(words, uint32(number & uint32(3)))
            one, two, fraction = places(word, left)
            if fraction >= rejected:
                return one, two
            attempt = uint32(attempt + uint32(1))

    redraw = device(redraw, inline="never")

    @device
    def two_places(word: Any, number: Any, shoe: Any, seed: Any, left: Any, rejected: Any) -> Any:
        """The places of the two cards that word `number` of a shoe orders."""
        one, two, fraction = places(word, left)
        below = rejected[number]
        if fraction < below:
            one, two = redraw(number, shoe, seed, left, below)
        return one, two

    @device
    def take(counts: Any, place: Any) -> Any:
        """How many running counts reach beyond a place; its card leaves the shoe."""
        wanted = uint32(uint32(place + uint32(1)) * ones)
        within = uint32(0)
        for i in range(registers):
            reached = uint32(uint32(uint32(counts[i] - wanted) & guard) >> bits)
            counts[i] = uint32(counts[i] - reached)
            within = uint32(within + reached)
        return uint32(uint32(uint32(within * ones) >> top) & field)

    @device
    def symbol_of(within: Any, last: Any) -> Any:
        """The column of the table; `last` are the two cards before, where suits matter."""
        if not suits:
            return within
        code = uint32(rows - within)
        symbol = uint32(uint32(code >> uint32(2)) + uint32(13) * uint32(code == last[1]))
        last[1] = last[0]
        last[0] = code
        return symbol

    @device
    def burned(within: Any) -> Any:
        """How many cards are burned when the first one says so."""
        code = int64(uint32(rows - within))
        rank = code // 4 if suits else code
        worth = rank if points else max(rank, 3) - 3
        return 1 + (worth if worth > 0 else 10)

    return Dealing(two_places, take, symbol_of, burned)


@lru_cache(maxsize=16)
def tally_kernel(detail: Detail, layout: Layout) -> Any:
    """The kernel that deals shoes and counts the classes of their coups."""
    two_places, take, symbol_of, burned = dealing(detail, layout)
    registers = layout.registers

    @device
    def step(shared: Any, state: Any, symbol: Any, counters: Any) -> Any:
        """One card on; a coup that ends is counted."""
        entry = shared[uint32(uint32(state & uint32(0xFFFF)) + symbol)]
        at = uint32(counters + uint32(entry >> uint32(16)))
        cuda.atomic.add(shared, at, uint32(1))  # its own column: one instruction, nobody waits
        return entry

    @device
    def two_cards(
        word: Any, number: Any, left: Any, shared: Any, state: Any, counters: Any, counts: Any,
        last: Any, rejected: Any, shoe: Any, seed: Any,
    ) -> Any:  # fmt: skip
        """The cards of one word, in the midst of a shoe."""
        one, two = two_places(word, number, shoe, seed, left, rejected)
        state = step(shared, state, symbol_of(take(counts, one), last), counters)
        return step(shared, state, symbol_of(take(counts, two), last), counters)

    @kernel_of(MOST_REGISTERS[detail])
    def kernel(
        seed: Any,
        first_shoe: Any,
        clusters: Any,
        shoe_input: Any,
        start: Any,
        rejected: Any,
        table: Any,
        pays: Any,
        tallies: Any,
        sums: Any,
    ) -> None:
        size, needed, cut_at, more, burn = shoe_input
        classes, bets = pays.shape
        cells, threads, thread = table.shape[0], cuda.blockDim.x, cuda.threadIdx.x
        together = threads // CLUSTER
        shared = cuda.shared.array(0, uint32)
        for i in range(thread, cells, threads):
            shared[i] = table[i]
        counters, totals = uint32(cells + thread), cells + (classes + 1) * threads
        counts, last = cuda.local.array(registers, uint32), cuda.local.array(2, uint32)
        for first in range(cuda.blockIdx.x * together, clusters, cuda.gridDim.x * together):
            for c in range(classes + 1):
                shared[counters + c * threads] = uint32(0)
            cuda.syncthreads()
            shoe = uint64(first_shoe) + uint64(first * CLUSTER + thread)
            key_0, key_1 = low_word(seed), high_word(seed)
            for i in range(registers):
                counts[i] = start[i]
            last[0] = last[1] = uint32(255)
            state, begin, left, dead = uint32(0), int64(max(burn, 0)), more, False
            for block in range((needed + CARDS_PER_BLOCK - 1) // CARDS_PER_BLOCK):
                words = philox(
                    uint32(block), uint32(0), low_word(shoe), high_word(shoe), key_0, key_1
                )
                number, n = uint32(4 * block), uint32(size - CARDS_PER_BLOCK * block)
                burnt = burn == 0 or CARDS_PER_BLOCK * block > LONGEST_BURN
                if burnt and CARDS_PER_BLOCK * (block + 1) < cut_at:
                    # Nothing is burned any more, and no coup is the last one.
                    state = two_cards(
                        words[0], number, n, shared, state,
                        counters, counts, last, rejected, shoe, seed,
                    )  # fmt: skip
                    state = two_cards(
                        words[1], uint32(number + uint32(1)), uint32(n - uint32(2)), shared, state,
                        counters, counts, last, rejected, shoe, seed,
                    )  # fmt: skip
                    state = two_cards(
                        words[2], uint32(number + uint32(2)), uint32(n - uint32(4)), shared, state,
                        counters, counts, last, rejected, shoe, seed,
                    )  # fmt: skip
                    state = two_cards(
                        words[3], uint32(number + uint32(3)), uint32(n - uint32(6)), shared, state,
                        counters, counts, last, rejected, shoe, seed,
                    )  # fmt: skip
                    continue
                for i in range(min(CARDS_PER_BLOCK, needed - CARDS_PER_BLOCK * block)):
                    word, place = uint32(i // 2), CARDS_PER_BLOCK * block + i
                    if i % 2 == 0:
                        left_now = uint32(n - uint32(i))
                        x, number_now = pick(words, word), uint32(number + word)
                        one, two = two_places(x, number_now, shoe, seed, left_now, rejected)
                    within = take(counts, one if i % 2 == 0 else two)
                    symbol = symbol_of(within, last)
                    if place == 0 and burn < 0:
                        begin = burned(within)
                    if begin <= place and not dead:
                        state = step(shared, state, symbol, counters)
                        if uint32(state >> uint32(16)) > 0 and place + 1 >= cut_at:
                            dead = left == 0
                            left -= 1
            cuda.syncthreads()
            # Of each cluster, the coups of each class: a thread for each.
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
                    coups += total
                    won += total * pays[c, bet]
                cuda.atomic.add(sums, (0, bet), won * coups)
                cuda.atomic.add(sums, (1, bet), won * won)
                if bet == 0:
                    cuda.atomic.add(sums, (2, 0), coups * coups)

    return kernel


FARTHEST = counting.FARTHEST
BINS = 2 * FARTHEST + 1
SUMS = 6


def count_shared_bytes(cells: int, classes: int, tags: int) -> int:
    """What a block of counting threads needs: automaton, tags, and a counter for every true count
    and class."""
    return 4 * (cells + tags + BINS * (classes + 1))


@lru_cache(maxsize=16)
def count_kernel(detail: Detail, layout: Layout) -> Any:
    """The kernel that counts cards through shoes, and wagers when the count says so."""
    two_places, take, symbol_of, burned = dealing(detail, layout)
    registers = layout.registers

    @kernel_of(MOST_REGISTERS[Detail.CARDS])
    def kernel(
        seed: Any,
        first_shoe: Any,
        shoes: Any,
        shoe_input: Any,
        start: Any,
        rejected: Any,
        table: Any,
        tags: Any,
        pays: Any,
        trigger: Any,
        by_count: Any,
        sums: Any,
    ) -> None:
        size, needed, cut_at, more, burn = shoe_input
        least, per_card, scale = trigger
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
        counts, last = cuda.local.array(registers, uint32), cuda.local.array(2, uint32)
        total = cuda.local.array(SUMS, int64)
        for i in range(SUMS):
            total[i] = 0
        for each in range(cuda.grid(1), shoes, cuda.gridsize(1)):
            shoe = uint64(first_shoe) + uint64(each)
            key_0, key_1 = low_word(seed), high_word(seed)
            for i in range(registers):
                counts[i] = start[i]
            last[0] = last[1] = uint32(255)
            state, begin, left, dead = uint32(0), int64(max(burn, 0)), more, False
            running, coups, wagers, won = int32(0), int32(0), int32(0), int64(0)
            wager, row = False, int32(0)
            face_down = begin
            for block in range((needed + CARDS_PER_BLOCK - 1) // CARDS_PER_BLOCK):
                words = philox(
                    uint32(block), uint32(0), low_word(shoe), high_word(shoe), key_0, key_1
                )
                for i in range(min(CARDS_PER_BLOCK, needed - CARDS_PER_BLOCK * block)):
                    word, place = uint32(i // 2), CARDS_PER_BLOCK * block + i
                    if i % 2 == 0:
                        number = uint32(uint32(4 * block) + word)
                        one, two = two_places(
                            pick(words, word), number, shoe, seed, uint32(size - place), rejected
                        )
                    within = take(counts, one if i % 2 == 0 else two)
                    symbol = symbol_of(within, last)
                    if place == 0 and burn < 0:
                        begin = burned(within)
                        face_down = begin - 1
                        running = shared[cells + int32(symbol)]
                    if place < begin or dead:
                        continue
                    if uint32(state & uint32(0xFFFF)) == 0:
                        unseen = int32(size - place + face_down)
                        wager = int64(running) * per_card >= int64(least) * unseen
                        row = (classes + 1) * bin_of(running, int32(scale) * unseen)
                    running += shared[cells + int32(symbol)]
                    state = uint32(shared[uint32(uint32(state & uint32(0xFFFF)) + symbol)])
                    ended = int32(state >> uint32(16))
                    if ended > 0:
                        cuda.atomic.add(shared, counters + row + ended, int32(1))
                        coups += 1
                        if wager:
                            wagers += 1
                            won += pays[ended - 1]
                        if place + 1 >= cut_at:
                            dead = left == 0
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
    """The row of a true count: running · 52 / cards, rounded down, within bounds."""
    above = int32(running * DECK_SIZE)
    true = int32(math.floor(float64(above) / float64(cards)))
    true = true - int32(true * cards > above) + int32((true + 1) * cards <= above)
    return min(max(true, -FARTHEST), FARTHEST) + FARTHEST
