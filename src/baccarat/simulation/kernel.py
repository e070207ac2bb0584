"""The compiled kernel: many shoes side by side, dealt, looked up and counted.

A group of LANES shoes is dealt in step. First every lane's cards (the stream's k-th of those
left, found by comparing k with the running counts of all lanes at once), then for every place
the key of the six cards that would start there, then each lane is walked coup by coup. The clear
twin of all this is `twin.py`; a test deals the same shoes with both.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from baccarat.simulation import stream
from baccarat.simulation.lookup import KEYS

LANES = 64
"""Shoes dealt in step: enough to keep vector units busy, few enough to stay in the cache."""

PADDING = 6
"""Keys near the end of a shoe look at cards that are never dealt."""

_jit = njit(cache=True, nogil=True, boundscheck=False)
_inline = njit(cache=True, nogil=True, inline="always")

U, MASK, BITS = stream.U, stream.MASK, stream.BITS
_in_64_bits = {"wide": _inline(stream.wide), "narrow": _inline(stream.narrow)}
philox = _inline(stream.rebound(stream.philox, **_in_64_bits))
places_of = _inline(stream.rebound(stream.places, **_in_64_bits))


@_inline
def words_of_block(block: Any, attempt: Any, shoe: Any, seed: Any) -> Any:
    """The four words of one block of one shoe."""
    return philox(
        U(block), U(attempt), U(shoe) & MASK, U(shoe) >> BITS, U(seed) & MASK, U(seed) >> BITS
    )


@_jit
def redraw(block: Any, word: Any, shoe: Any, seed: Any, left: Any, rejected: Any) -> Any:
    """The two places of a word whose first attempt was thrown away."""
    attempt = U(1)
    while True:
        x = words_of_block(block, attempt, shoe, seed)[word]
        one, two, fraction = places_of(x, U(left))
        if fraction >= U(rejected):
            return one, two
        attempt += U(1)


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

    The shoes are first_shoe, first_shoe + stride, and so on.
    counts[u] holds, for each lane, how many cards with a code up to u are left; `start` is what
    they are in a full shoe. words, counts, places and codes are room to work in.
    """
    rows = counts.shape[0]
    for u in range(rows):
        for lane in range(LANES):
            counts[u, lane] = start[u]
    for number in range((needed + 1) // 2):
        word = number % 4
        if word == 0:
            for lane in range(LANES):
                a, b, c, d = words_of_block(
                    number // 4, 0, U(first_shoe) + U(stride) * U(lane), seed
                )
                words[0, lane], words[1, lane] = a, b
                words[2, lane], words[3, lane] = c, d
        left = size - 2 * number
        n, below = U(left) & MASK, rejected[number]
        thrown_away = np.uint32(0)
        for lane in range(LANES):
            one, two, fraction = places_of(U(words[word, lane]), n)
            places[0, lane], places[1, lane] = np.uint16(one), np.uint16(two)
            thrown_away |= np.uint32(np.uint32(fraction) < below)
        if thrown_away:
            for lane in range(LANES):
                _, _, fraction = places_of(U(words[word, lane]), n)
                if np.uint32(fraction) < below:
                    shoe = U(first_shoe) + U(stride) * U(lane)
                    one, two = redraw(number // 4, word, shoe, seed, left, below)
                    places[0, lane], places[1, lane] = np.uint16(one), np.uint16(two)
        for lane in range(LANES):
            places[2, lane] = rows * 257
        for u in range(rows):
            for lane in range(LANES):
                # Both cards of the word in one pass; their codes are the two bytes of places[2].
                count = counts[u, lane]
                first_within = np.uint16(places[0, lane] < count)
                count = np.uint16(count - first_within)
                second_within = np.uint16(places[1, lane] < count)
                counts[u, lane] = np.uint16(count - second_within)
                within = np.uint16(first_within + np.uint16(second_within << np.uint16(8)))
                places[2, lane] = np.uint16(places[2, lane] - within)
        for lane in range(LANES):
            codes[2 * number, lane] = places[2, lane] & np.uint16(255)
            codes[2 * number + 1, lane] = places[2, lane] >> np.uint16(8)


@_jit
def index_group(codes: Any, detail: Any, last: Any, points: Any, index: Any) -> None:
    """For every place up to `last`, where the lookup has the six cards that would start there.

    `points` is room for the points of every card (the codes themselves, where these are points);
    the sheets of pairs follow each other.
    """
    if detail != 10:
        for place in range(last + PADDING):
            for lane in range(LANES):
                code = codes[place, lane]
                rank = code if detail == 13 else code >> np.uint16(2)
                # Tens come first in sorted order, four ranks of them.
                points[place, lane] = np.uint16(max(rank, np.uint16(3)) - np.uint16(3))
    ten, hundred, thousand = np.uint16(10), np.uint16(100), np.uint16(1000)
    for place in range(last):
        for lane in range(LANES):
            p = np.uint16(points[place, lane] + points[place + 2, lane])
            p = np.uint16(p - ten * np.uint16(p >= ten))
            b = np.uint16(points[place + 1, lane] + points[place + 3, lane])
            b = np.uint16(b - ten * np.uint16(b >= ten))
            thirds = np.uint16(points[place + 4, lane] * ten + points[place + 5, lane])
            index[place, lane] = np.uint16(np.uint16(p * thousand + b * hundred) + thirds)
    if detail == 13:
        sheet, row = np.uint16(KEYS), np.uint16(2 * KEYS)
        for place in range(last):
            for lane in range(LANES):
                player = np.uint16(codes[place, lane] == codes[place + 2, lane])
                banker = np.uint16(codes[place + 1, lane] == codes[place + 3, lane])
                index[place, lane] += np.uint16(np.uint16(row * player) + np.uint16(sheet * banker))
    elif detail == 52:
        for place in range(last):
            for lane in range(LANES):
                player = pair_kind(codes[place, lane], codes[place + 2, lane])
                banker = pair_kind(codes[place + 1, lane], codes[place + 3, lane])
                index[place, lane] += np.uint32(KEYS) * np.uint32(np.uint32(3) * player + banker)


@_inline
def pair_kind(first: Any, second: Any) -> Any:
    """Of two codes of cards: 0 no pair, 1 the same rank, 2 the same rank and suit."""
    two = np.uint16(2)
    return np.uint32(np.uint32(first >> two == second >> two) + np.uint32(first == second))


@_jit
def walk_group(
    index: Any, entries: Any, begin: Any, cut_at: Any, more: Any, seen: Any, coups: Any
) -> None:
    """The entries of every lane's coups, in order, into `seen`, and their numbers into `coups`.

    Four lanes are walked at once: each step of one has to wait for the step before it.
    """
    four, three = np.uintp(4), np.uint16(3)
    for lane in range(np.uintp(0), np.uintp(LANES), four):
        lane_b, lane_c, lane_d = lane + np.uintp(1), lane + np.uintp(2), lane + np.uintp(3)
        a, b = np.uintp(begin[lane]), np.uintp(begin[lane_b])
        c, d = np.uintp(begin[lane_c]), np.uintp(begin[lane_d])
        n = np.uintp(0)
        while max(max(a, b), max(c, d)) < cut_at:
            entry_a, entry_b = entries[index[a, lane]], entries[index[b, lane_b]]
            entry_c, entry_d = entries[index[c, lane_c]], entries[index[d, lane_d]]
            seen[lane, n], seen[lane_b, n] = entry_a, entry_b
            seen[lane_c, n], seen[lane_d, n] = entry_c, entry_d
            a += four + np.uintp(entry_a & three)
            b += four + np.uintp(entry_b & three)
            c += four + np.uintp(entry_c & three)
            d += four + np.uintp(entry_d & three)
            n += np.uintp(1)
        coups[lane] = walk(index, entries, lane, a, cut_at, more, seen, n)
        coups[lane_b] = walk(index, entries, lane_b, b, cut_at, more, seen, n)
        coups[lane_c] = walk(index, entries, lane_c, c, cut_at, more, seen, n)
        coups[lane_d] = walk(index, entries, lane_d, d, cut_at, more, seen, n)


@_jit
def walk(
    index: Any, entries: Any, lane: Any, place: Any, cut_at: Any, more: Any, seen: Any, n: Any
) -> Any:
    """One lane from where it is to the end of its shoe; the number of its coups."""
    left = np.int64(more)
    while place < cut_at or left > 0:
        left -= np.int64(place >= cut_at)
        entry = entries[index[place, lane]]
        seen[lane, n] = entry
        place += np.uintp(4) + np.uintp(entry & np.uint16(3))
        n += np.uintp(1)
    return n


@_jit
def tally_group(seen: Any, coups: Any, lanes: Any, tallies: Any) -> None:
    """Count classes. Four lanes at once, each in its own row: a count must not wait for itself."""
    one, two, three = np.uintp(1), np.uintp(2), np.uintp(3)
    shift = np.uint16(2)
    together = lanes - lanes % 4
    for lane in range(np.uintp(0), np.uintp(together), np.uintp(4)):
        fewest = min(
            min(coups[lane], coups[lane + one]), min(coups[lane + two], coups[lane + three])
        )
        for i in range(np.uintp(fewest)):
            tallies[0, seen[lane, i] >> shift] += 1
            tallies[1, seen[lane + one, i] >> shift] += 1
            tallies[2, seen[lane + two, i] >> shift] += 1
            tallies[3, seen[lane + three, i] >> shift] += 1
        for row in range(4):
            for i in range(fewest, coups[lane + np.uintp(row)]):
                tallies[row, seen[lane + np.uintp(row), i] >> shift] += 1
    for lane in range(together, lanes):
        for i in range(coups[lane]):
            tallies[0, seen[lane, i] >> shift] += 1


@_jit
def begin_group(codes: Any, detail: Any, burn: Any, begin: Any) -> None:
    """Where each lane's first coup starts: `burn` cards on, or as the first card says (-1)."""
    for lane in range(LANES):
        begin[lane] = burn
        if burn < 0:
            rank = codes[0, lane] if detail < 52 else codes[0, lane] >> 2
            worth = rank if detail == 10 else max(rank, 3) - 3
            begin[lane] = 1 + (worth if worth > 0 else 10)


class Room(NamedTuple):
    """Room to work in, for one group of shoes."""

    words: Any
    counts: Any
    places: Any
    codes: Any
    """[place, lane]: every card dealt."""
    points: Any
    index: Any
    begin: Any
    """[lane]: where its first coup starts."""
    seen: Any
    """[lane, n]: what the lookup says of its n-th coup."""
    coups: Any
    """[lane]: how many there are."""


@_jit
def make_room(shoe: Any, lookup: Any, index: Any) -> Room:
    size, start = shoe[0], shoe[6]
    codes = np.zeros((size + 2 * PADDING, LANES), np.uint16)
    return Room(
        np.empty((4, LANES), np.uint32),
        np.empty((len(start), LANES), np.uint16),
        np.empty((3, LANES), np.uint16),
        codes,
        codes if lookup[0] == 10 else np.empty_like(codes),
        index,
        np.empty(LANES, np.int64),
        np.empty((LANES, size // 4 + 1), np.uint16),
        np.empty(LANES, np.int64),
    )


@_jit
def deal_coups(seed: Any, first_shoe: Any, stride: Any, shoe: Any, lookup: Any, room: Any) -> None:
    """Deal a group of shoes and find their coups: `seen` and `coups` of the room.

    shoe: (size, needed, cut_at, more, burn, rejected, start); lookup: (detail, entries, pays).
    """
    size, needed, cut_at, more, burn, rejected, start = shoe
    detail, entries, _ = lookup
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
    index_group(room.codes, detail, needed, room.points, room.index)
    begin_group(room.codes, detail, burn, room.begin)
    walk_group(room.index, entries, room.begin, np.uintp(cut_at), more, room.seen, room.coups)


@_jit
def simulate(
    seed: Any,
    first_shoe: Any,
    shoes: Any,
    shoe: Any,
    lookup: Any,
    cluster: Any,
    tallies: Any,
    sums: Any,
    by_place: Any,
    index: Any,
) -> None:
    """Deal some shoes and count their coups.

    tallies[class] counts coups. Shoes are clustered
    (`cluster` of them, from a multiple of it on) for standard errors: sums gets, for the number
    of coups n and each bet's result x, the sums of x·n and x·x over the clusters, and of n·n.
    by_place[place, class] counts by the coup's place in its shoe, unless it has no rows.
    """
    room = make_room(shoe, lookup, index)
    seen, coups, pays = room.seen, room.coups, lookup[2]
    group = np.zeros((4, len(tallies)), np.int64)
    for base in range(first_shoe, first_shoe + shoes, LANES):
        lanes = min(LANES, first_shoe + shoes - base)
        deal_coups(seed, base, 1, shoe, lookup, room)
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
                    by_place[i, seen[lane, i] >> np.uint16(2)] += 1


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
