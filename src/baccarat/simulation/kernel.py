"""The compiled kernel: many shoes side by side, dealt, walked and counted.

A group of LANES shoes is dealt in step: first every lane's cards, then what follows from each. Both
are the functions of `stream` and `dealing`, which a graphics processor compiles too (`gpu_kernel`);
here every line is done for all lanes before the next, so that vector units and caches like it. The
clear twin of all this is `twin.py`; a test deals the same shoes with both.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from baccarat.simulation import dealing, stream

LANES = 64
"""Shoes dealt in step: enough to keep vector units busy, few enough to stay in the cache."""
SUITS = 52
"""With so many codes, suits matter."""
FEWEST_CARDS = 4
"""Of a coup: of so many cards in a row, one at most ends a coup."""
NO_CARD = np.uint16(255)

_jit = njit(cache=True, nogil=True, boundscheck=False)
_inline = njit(cache=True, nogil=True, inline="always")

U, MASK = stream.U, stream.MASK
_shared = stream.compiled(_inline, (stream.wide, stream.narrow, *stream.SHARED, *dealing.SHARED))
philox, places_of, words_of_block = (
    _shared[name] for name in ("philox", "places", "words_of_block")
)
redrawn = _jit(stream.rebound(stream.redrawn, **_shared))
sought, take, code_of, symbol_of = (
    _shared[name] for name in ("sought", "take", "code_of", "symbol_of")
)
step, mark_of = _shared["step"], _shared["mark_of"]


@_inline
def class_of(mark: Any) -> Any:
    """The class of the coup with a mark."""
    return np.uintp(mark >> np.uint16(2)) - np.uintp(1)


@_inline
def cards_of(mark: Any) -> Any:
    """The number of cards of the coup with a mark."""
    return FEWEST_CARDS + (np.int64(mark) & 3)


@_jit
def deal_group(
    seed: Any,
    first_shoe: Any,
    stride: Any,
    size: Any,
    needed: Any,
    start: Any,
    rejected: Any,
    words: Any,
    counts: Any,
    places: Any,
    codes: Any,
) -> None:
    """The first `needed` cards of LANES shoes, as codes in the stream's sorted order.

    The shoes are first_shoe, first_shoe + stride, and so on. counts[u] holds a word of running
    counts for each lane; `start` is what they are in a full shoe. words, counts, places and codes
    are room to work in.
    """
    rows = counts.shape[0]
    last = np.uint16(rows)
    for u in range(rows):
        for lane in range(LANES):
            counts[u, lane] = start[u]
    for number in range((needed + 1) // 2):
        word = number % 4
        if word == 0:
            for lane in range(LANES):
                shoe = U(first_shoe) + U(stride) * U(lane)
                words[0, lane], words[1, lane], words[2, lane], words[3, lane] = words_of_block(
                    number // 4, 0, shoe, seed
                )
        left, below = U(size - 2 * number) & MASK, rejected[number]
        thrown_away = np.uint32(0)
        for lane in range(LANES):
            one, two, fraction = places_of(U(words[word, lane]), left)
            places[0, lane], places[1, lane] = sought(one), sought(two)
            thrown_away |= np.uint32(np.uint32(fraction) < below)
        if thrown_away:
            for lane in range(LANES):
                _, _, fraction = places_of(U(words[word, lane]), left)
                if np.uint32(fraction) < below:
                    shoe = U(first_shoe) + U(stride) * U(lane)
                    one, two = redrawn(U(number), shoe, seed, left, U(below))
                    places[0, lane], places[1, lane] = sought(one), sought(two)
        first, second = 2 * number, 2 * number + 1
        for lane in range(LANES):
            codes[first, lane] = codes[second, lane] = 0
        for u in range(rows):
            for lane in range(LANES):
                count, holding = take(counts[u, lane], places[0, lane])
                codes[first, lane] += holding
                counts[u, lane], holding = take(count, places[1, lane])
                codes[second, lane] += holding
        for lane in range(LANES):
            codes[first, lane] = code_of(codes[first, lane], last)
            codes[second, lane] = code_of(codes[second, lane], last)


@_jit
def symbols_group(codes: Any, needed: Any, symbols: Any) -> None:
    """The automaton's symbols of all cards, where these are not their codes."""
    for place in range(min(2, needed)):
        for lane in range(LANES):
            symbols[place, lane] = symbol_of(codes[place, lane], NO_CARD)
    for place in range(2, needed):
        for lane in range(LANES):
            symbols[place, lane] = symbol_of(codes[place, lane], codes[place - 2, lane])


@_jit
def walk_group(
    symbols: Any, table: Any, start: Any, shoe: Any, states: Any, total: Any, seen: Any, coups: Any
) -> None:
    """The marks of every lane's coups, in order, into `seen`, and their numbers into `coups`.

    `start` is the state in which a shoe begins; states and total are room to work in.
    """
    _, needed, cut_at, last_coups = shoe[:4]
    for lane in range(LANES):
        states[lane], coups[lane] = start, 0
    go_on(symbols, table, 0, cut_at - 1, states, seen, coups)
    for lane in range(LANES):
        total[lane] = coups[lane] + last_coups
    go_on(symbols, table, cut_at - 1, needed, states, seen, coups)
    for lane in range(LANES):
        coups[lane] = total[lane]


@_jit
def go_on(
    symbols: Any, table: Any, place: Any, end: Any, states: Any, seen: Any, coups: Any
) -> None:
    """Every lane's coups that end from one place to before another, if the cards go on so long."""
    fours = place + (end - place) // FEWEST_CARDS * FEWEST_CARDS
    for four in range(place, fours, FEWEST_CARDS):
        for lane in range(LANES):
            a = step(table, states[lane], symbols[four, lane])
            b = step(table, a, symbols[four + 1, lane])
            c = step(table, b, symbols[four + 2, lane])
            d = step(table, c, symbols[four + 3, lane])
            states[lane] = d
            note(mark_of(a | b | c | d), lane, seen, coups)
    for one in range(fours, end):
        for lane in range(LANES):
            states[lane] = step(table, states[lane], symbols[one, lane])
            note(mark_of(states[lane]), lane, seen, coups)


@_inline
def note(mark: Any, lane: Any, seen: Any, coups: Any) -> None:
    """A lane's next coup, if there is a mark; no branch, since nobody can foretell it."""
    number = np.uintp(coups[lane])
    seen[lane, number] = mark
    coups[lane] = number + np.uintp(mark > 0)


@_inline
def first_place(symbols: Any, lane: Any, game: Any) -> Any:
    """Where a lane's first coup starts, after what is burned."""
    _, table, state, _ = game
    place = 0
    while state != 0:
        state = step(table, state, symbols[place, lane])
        place += 1
    return place


@_jit
def tally_group(seen: Any, coups: Any, lanes: Any, tallies: Any) -> None:
    """Count classes. Four lanes at once, each in its own row: a count must not wait for itself."""
    one, two, three = np.uintp(1), np.uintp(2), np.uintp(3)
    together = lanes - lanes % 4
    for lane in range(np.uintp(0), np.uintp(together), np.uintp(4)):
        fewest = min(
            min(coups[lane], coups[lane + one]), min(coups[lane + two], coups[lane + three])
        )
        for i in range(np.uintp(fewest)):
            tallies[0, class_of(seen[lane, i])] += 1
            tallies[1, class_of(seen[lane + one, i])] += 1
            tallies[2, class_of(seen[lane + two, i])] += 1
            tallies[3, class_of(seen[lane + three, i])] += 1
        for row in range(4):
            for i in range(fewest, coups[lane + np.uintp(row)]):
                tallies[row, class_of(seen[lane + np.uintp(row), i])] += 1
    for lane in range(together, lanes):
        for i in range(coups[lane]):
            tallies[0, class_of(seen[lane, i])] += 1


class Room(NamedTuple):
    """Room to work in, for one group of shoes."""

    words: Any
    counts: Any
    places: Any
    codes: Any
    """[place, lane]: every card dealt."""
    symbols: Any
    """[place, lane]: the codes themselves, unless suits matter."""
    states: Any
    total: Any
    seen: Any
    """[lane, n]: the mark of its n-th coup."""
    coups: Any
    """[lane]: how many there are."""


@_jit
def make_room(shoe: Any, game: Any) -> Room:
    size, start = shoe[0], shoe[6]
    codes = np.empty((size, LANES), np.uint16)
    return Room(
        np.empty((4, LANES), np.uint32),
        np.empty((len(start), LANES), np.uint16),
        np.empty((2, LANES), np.uint16),
        codes,
        np.empty_like(codes) if game[0] == SUITS else codes,
        np.empty(LANES, np.uint32),
        np.empty(LANES, np.int64),
        np.empty((LANES, size // FEWEST_CARDS + 1), np.uint16),
        np.empty(LANES, np.int64),
    )


@_jit
def deal_coups(seed: Any, first_shoe: Any, stride: Any, shoe: Any, game: Any, room: Any) -> None:
    """Deal a group of shoes and find their coups: `seen` and `coups` of the room.

    shoe: (size, needed, cut_at, last_coups, burn, rejected, start); game: (detail, table, start,
    pays).
    """
    size, needed, _, _, _, rejected, start = shoe
    deal_group(
        seed,
        first_shoe,
        stride,
        size,
        needed,
        start,
        rejected,
        room.words,
        room.counts,
        room.places,
        room.codes,
    )
    follow_group(shoe, game, room)


@_jit
def follow_group(shoe: Any, game: Any, room: Any) -> None:
    """The coups of the cards that were dealt."""
    detail, table, start, _ = game
    if detail == SUITS:
        symbols_group(room.codes, shoe[1], room.symbols)
    walk_group(room.symbols, table, start, shoe, room.states, room.total, room.seen, room.coups)


@_jit
def simulate(
    seed: Any,
    first_shoe: Any,
    shoes: Any,
    shoe: Any,
    game: Any,
    cluster: Any,
    tallies: Any,
    sums: Any,
    by_place: Any,
) -> None:
    """Deal some shoes and count their coups.

    tallies[class] counts coups. Shoes are clustered
    (`cluster` of them, from a multiple of it on) for standard errors: sums gets, for the number
    of coups n and each bet's result x, the sums of x·n and x·x over the clusters, and of n·n.
    by_place[place, class] counts by the coup's place in its shoe, unless it has no rows.
    """
    room = make_room(shoe, game)
    seen, coups, pays = room.seen, room.coups, game[3]
    group = np.zeros((4, len(tallies)), np.int64)
    for base in range(first_shoe, first_shoe + shoes, LANES):
        lanes = min(LANES, first_shoe + shoes - base)
        deal_coups(seed, base, 1, shoe, game, room)
        if cluster == 1:
            for lane in range(lanes):
                group[:] = 0
                tally_group(seen[lane:], coups[lane:], 1, group)
                add_cluster(group, pays, tallies, sums)
        else:
            group[:] = 0
            tally_group(seen, coups, lanes, group)
            add_cluster(group, pays, tallies, sums)
        if by_place.shape[0] > 0:
            for lane in range(lanes):
                for i in range(min(coups[lane], by_place.shape[0])):
                    by_place[i, class_of(seen[lane, i])] += 1


@_jit
def add_cluster(group: Any, pays: Any, tallies: Any, sums: Any) -> None:
    """Add one cluster's tallies to the run's, and its products to the sums."""
    classes, bets = pays.shape
    n = 0
    for row in range(4):
        for number in range(classes):
            tallies[number] += group[row, number]
            n += group[row, number]
    for bet in range(bets):
        x = 0
        for number in range(classes):
            one = group[0, number] + group[1, number] + group[2, number] + group[3, number]
            x += one * pays[number, bet]
        sums[0, bet] += x * n
        sums[1, bet] += x * x
    sums[2, 0] += n * n
