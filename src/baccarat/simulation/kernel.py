"""The compiled CPU kernel, which deals and counts many shoes in parallel.

A group of LANES shoes, one per lane, is processed together: first all cards of every lane are
dealt, then the coups are found. Both steps use the functions of `stream` and `dealing`, which are
also compiled for GPUs (`gpu.kernel`). Here every statement is executed for all lanes before the
next one, to make good use of vector units and caches. A test compares the shoes with those dealt in
plain Python.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from baccarat.simulation import dealing, stream

LANES = 64
"""Number of shoes dealt together: enough to keep vector units busy, few enough to stay in the
cache."""
CARD_CODES = 52
"""Number of card codes when suits matter."""
MIN_CARDS = 4
"""Minimum number of cards in a coup. At most one of this many consecutive cards ends a coup."""
NO_CARD = np.uint16(255)

_jit = njit(cache=True, nogil=True, boundscheck=False)
_inline = njit(cache=True, nogil=True, inline="always")

U, MASK = stream.U, stream.MASK
_shared = stream.compiled(
    _inline,
    (
        *(stream.wide, stream.narrow, stream.product, *stream.SHARED),
        *(*dealing.COUNTING, *dealing.SHARED),
    ),
)
philox, places_of, words_of_block = (
    _shared[name] for name in ("philox", "places", "words_of_block")
)
redrawn = _jit(stream.with_globals(stream.redrawn, **_shared))
target_count, take, code_of, symbol_of = (
    _shared[name] for name in ("target_count", "take", "code_of", "symbol_of")
)
step, mark_of, third_cards, outcome_of = (
    _shared[name] for name in ("step", "mark_of", "third_cards", "outcome_of")
)


class ShoeInput(NamedTuple):
    """The rules of a shoe, as input for the kernels."""

    size: Any
    needed: Any
    """Maximum number of cards dealt from a shoe."""
    cut_at: Any
    coups_from_cut: Any
    """Number of coups dealt, from the one in which the cut card comes out to the last."""
    shown: Any
    """Whether the first burned card is shown."""
    rejected: Any
    """[word]: the bound for rejection sampling; a word whose last fraction is below it is
    rejected."""
    start: Any
    """Running counts of a full shoe, each with a guard bit."""


class GameInput(NamedTuple):
    """An automaton, and the payments of its classes of coups."""

    detail: Any
    table: Any
    start: Any
    """State in which a shoe begins."""
    pays: Any
    """[class, bet]: net payment, in whole units of the bet; see `Lookup.pays`."""


class HandsInput(NamedTuple):
    """The tables for hand bets (`hands.HandTables`). Kernels take None if there are no such bets;
    the compiler then omits the corresponding code."""

    cells: Any
    starts: Any
    groups: Any
    no_card: Any


class Workspace(NamedTuple):
    """Working arrays for one group of shoes."""

    words: Any
    counts: Any
    places: Any
    codes: Any
    """[position, lane]: the code of every card dealt."""
    symbols: Any
    """[position, lane]: the automaton's symbol of every card; the same array as `codes` unless
    suits matter."""
    states: Any
    total: Any
    seen: Any
    """[lane, n]: the mark of the lane's n-th coup."""
    coups: Any
    """[lane]: number of coups."""


@_inline
def class_of(mark: Any) -> Any:
    """Return the class of the coup with this mark."""
    return np.uintp(mark >> np.uint16(2)) - np.uintp(1)


@_inline
def cards_of(mark: Any) -> Any:
    """Return the number of cards in the coup with this mark."""
    return MIN_CARDS + np.int64(third_cards(mark))


@_inline
def chosen(condition: Any, card: Any, other: Any) -> Any:
    """Return one of two cards, without a branch."""
    return np.uint16(other + np.uint16(condition) * np.uint16(card - other))


@_inline
def hands_of(codes: Any, place: Any, lane: Any, mark: Any, no_card: Any) -> Any:
    """Return the three cards of the player and of the banker in the coup that begins at a position
    and has this mark. A missing third card is `no_card`."""
    thirds, last = mark & dealing.THIRDS, codes.shape[0] - 1
    # These two may not be part of the coup. There is no branch, because the processor could not
    # predict it.
    fifth, sixth = codes[min(place + 4, last), lane], codes[min(place + 5, last), lane]
    both = thirds == dealing.BOTH_THIRDS
    player = chosen(both | (thirds == dealing.PLAYER_THIRD), fifth, no_card)
    banker = chosen(both, sixth, chosen(thirds == dealing.BANKER_THIRD, fifth, no_card))
    return (
        (codes[place, lane], codes[place + 2, lane], player),
        (codes[place + 1, lane], codes[place + 3, lane], banker),
    )


@_inline
def row_of(hands: Any, group: Any, codes: Any, place: Any, lane: Any, mark: Any) -> Any:
    """Return the row of `pays` for the outcome of a group of hand bets."""
    player, banker = hands_of(codes, place, lane, mark, hands.no_card)
    return np.uintp(outcome_of(hands.cells, hands.starts, group, player, banker))


@_jit
def deal_group(seed: Any, first_shoe: Any, stride: Any, shoe: Any, workspace: Any) -> None:
    """Deal the cards of LANES shoes into `workspace.codes`, in the stream's sorted order.

    The numbers of the shoes are first_shoe, first_shoe + stride, and so on. counts[u] holds
    a word of running counts for each lane.
    """
    counts, start = workspace.counts, shoe.start
    for u in range(counts.shape[0]):
        for lane in range(LANES):
            counts[u, lane] = start[u]
    for block in range((shoe.needed + 7) // 8):
        deal_block(block, seed, first_shoe, stride, shoe, workspace)


@_jit
def deal_block(
    block: Any, seed: Any, first_shoe: Any, stride: Any, shoe: Any, workspace: Any
) -> None:
    """Deal the eight cards of a block of random words, or as many as are needed, to every lane.

    The compiler makes better use of vector registers here than in one function for all blocks."""
    words, counts, places, codes = (
        workspace.words,
        workspace.counts,
        workspace.places,
        workspace.codes,
    )
    rows = counts.shape[0]
    last = np.uint16(rows)
    for lane in range(LANES):
        number_of_shoe = U(first_shoe) + U(stride) * U(lane)
        words[0, lane], words[1, lane], words[2, lane], words[3, lane] = words_of_block(
            block, 0, number_of_shoe, seed
        )
    for number in range(4 * block, min(4 * block + 4, (shoe.needed + 1) // 2)):
        word = number % 4
        left, below = U(shoe.size - 2 * number) & MASK, shoe.rejected[number]
        thrown_away = np.uint32(0)
        for lane in range(LANES):
            one, two, fraction = places_of(U(words[word, lane]), left)
            places[0, lane], places[1, lane] = target_count(one), target_count(two)
            thrown_away |= np.uint32(np.uint32(fraction) < below)
        if thrown_away:
            for lane in range(LANES):
                _, _, fraction = places_of(U(words[word, lane]), left)
                if np.uint32(fraction) < below:
                    number_of_shoe = U(first_shoe) + U(stride) * U(lane)
                    one, two = redrawn(U(number), number_of_shoe, seed, left, U(below))
                    places[0, lane], places[1, lane] = target_count(one), target_count(two)
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
    """Compute the automaton's symbols for all cards; this is needed only if suits matter."""
    for place in range(min(2, needed)):
        for lane in range(LANES):
            symbols[place, lane] = symbol_of(codes[place, lane], NO_CARD)
    for place in range(2, needed):
        for lane in range(LANES):
            symbols[place, lane] = symbol_of(codes[place, lane], codes[place - 2, lane])


@_jit
def find_coups(shoe: Any, game: Any, workspace: Any) -> None:
    """Find the coups in the cards that were dealt: write the marks of every lane's coups, in order,
    to `workspace.seen`, and their number to `workspace.coups`."""
    if game.detail == CARD_CODES:
        symbols_group(workspace.codes, shoe.needed, workspace.symbols)
    states, total, coups = workspace.states, workspace.total, workspace.coups
    for lane in range(LANES):
        states[lane], coups[lane] = game.start, 0
    record_coups(0, shoe.cut_at - 1, game.table, workspace)
    for lane in range(LANES):
        total[lane] = coups[lane] + shoe.coups_from_cut
    record_coups(shoe.cut_at - 1, shoe.needed, game.table, workspace)
    for lane in range(LANES):
        coups[lane] = total[lane]


@_jit
def record_coups(place: Any, end: Any, table: Any, workspace: Any) -> None:
    """Record every lane's coups that end at a position from `place` up to, but not including,
    `end`, ignoring the end of the shoe."""
    symbols, states, seen, coups = (
        workspace.symbols,
        workspace.states,
        workspace.seen,
        workspace.coups,
    )
    fours = place + (end - place) // MIN_CARDS * MIN_CARDS
    for four in range(place, fours, MIN_CARDS):
        for lane in range(LANES):
            a = step(table, states[lane], symbols[four, lane])
            b = step(table, a, symbols[four + 1, lane])
            c = step(table, b, symbols[four + 2, lane])
            d = step(table, c, symbols[four + 3, lane])
            states[lane] = d
            record_coup(mark_of(a | b | c | d), lane, seen, coups)
    for last in range(fours, end):
        for lane in range(LANES):
            states[lane] = step(table, states[lane], symbols[last, lane])
            record_coup(mark_of(states[lane]), lane, seen, coups)


@_inline
def record_coup(mark: Any, lane: Any, seen: Any, coups: Any) -> None:
    """Record a lane's next coup if `mark` is not 0. There is no branch, because the processor could
    not predict it."""
    number = np.uintp(coups[lane])
    seen[lane, number] = mark
    coups[lane] = number + np.uintp(mark > 0)


@_inline
def first_place(symbols: Any, lane: Any, game: Any) -> Any:
    """Return the position of the first card of a lane's first coup, which is the number of burned
    cards."""
    state, place = game.start, 0
    while state != 0:
        state = step(game.table, state, symbols[place, lane])
        place += 1
    return place


@_jit
def tally_group(seen: Any, coups: Any, lanes: Any, tallies: Any) -> None:
    """Count the classes of coups. Four lanes are counted at once, each in its own row, so that an
    increment never waits for the previous one."""
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


@_jit
def tally_hands(hands: Any, game: Any, workspace: Any, lane: Any, tallies: Any) -> None:
    """Count the outcomes of hand bets in one lane."""
    codes, seen = workspace.codes, workspace.seen
    place = first_place(workspace.symbols, lane, game)
    for coup in range(workspace.coups[lane]):
        mark = seen[lane, coup]
        player, banker = hands_of(codes, place, lane, mark, hands.no_card)
        for group in range(len(hands.starts)):
            row = outcome_of(hands.cells, hands.starts, group, player, banker)
            tallies[np.uintp(row)] += 1
        place += cards_of(mark)


@_jit
def make_workspace(shoe: Any, game: Any) -> Workspace:
    codes = np.empty((shoe.size, LANES), np.uint16)
    return Workspace(
        np.empty((4, LANES), np.uint32),
        np.empty((len(shoe.start), LANES), np.uint16),
        np.empty((2, LANES), np.uint16),
        codes,
        np.empty_like(codes) if game.detail == CARD_CODES else codes,
        np.empty(LANES, np.uint32),
        np.empty(LANES, np.int64),
        np.empty((LANES, shoe.size // MIN_CARDS + 1), np.uint16),
        np.empty(LANES, np.int64),
    )


@_jit
def deal_coups(
    seed: Any, first_shoe: Any, stride: Any, shoe: Any, game: Any, workspace: Any
) -> None:
    """Deal a group of shoes and write their coups to `workspace.seen` and `workspace.coups`."""
    deal_group(seed, first_shoe, stride, shoe, workspace)
    find_coups(shoe, game, workspace)


class Counters(NamedTuple):
    """The totals of a simulation run."""

    tallies: Any
    """[class]: number of coups; the outcomes of hand bets follow the classes."""
    sums: Any
    """Sums over all clusters of x·n and x·x for each bet, and of n·n, where n is the number of
    coups in a cluster and x is the bet's result in the cluster."""
    by_place: Any
    """[position, class]: number of coups by their position in the shoe; no rows if not
    requested."""


@_jit
def simulate(
    seed: Any,
    first_shoe: Any,
    shoes: Any,
    shoe: Any,
    game: Any,
    hands: Any,
    cluster: Any,
    counters: Any,
) -> None:
    """Deal some shoes and count their coups.

    For standard errors, shoes are combined into clusters of `cluster` shoes, each starting at a
    shoe number that is a multiple of `cluster`.
    """
    workspace = make_workspace(shoe, game)
    seen, coups, by_place = workspace.seen, workspace.coups, counters.by_place
    group = np.zeros((4, len(counters.tallies)), np.int64)
    for base in range(first_shoe, first_shoe + shoes, LANES):
        lanes = min(LANES, first_shoe + shoes - base)
        deal_coups(seed, base, 1, shoe, game, workspace)
        if cluster == 1:
            for lane in range(lanes):
                group[:] = 0
                tally_group(seen[lane:], coups[lane:], 1, group)
                if hands is not None:
                    tally_hands(hands, game, workspace, lane, group[0])
                add_cluster(group, coups[lane], game.pays, counters)
        else:
            group[:] = 0
            tally_group(seen, coups, lanes, group)
            if hands is not None:
                for lane in range(lanes):
                    tally_hands(hands, game, workspace, lane, group[lane % 4])
            add_cluster(group, coups[:lanes].sum(), game.pays, counters)
        if by_place.shape[0] > 0:
            for lane in range(lanes):
                for i in range(min(coups[lane], by_place.shape[0])):
                    by_place[i, class_of(seen[lane, i])] += 1


@_jit
def add_cluster(group: Any, n: Any, pays: Any, counters: Any) -> None:
    """Add the tallies of one cluster of `n` coups to the run's totals, and their products to the
    sums for standard errors."""
    tallies, sums = counters.tallies, counters.sums
    classes, bets = pays.shape
    for row in range(4):
        for number in range(classes):
            tallies[number] += group[row, number]
    for bet in range(bets):
        x = 0
        for number in range(classes):
            coups = group[0, number] + group[1, number] + group[2, number] + group[3, number]
            x += coups * pays[number, bet]
        sums[0, bet] += x * n
        sums[1, bet] += x * x
    sums[2, 0] += n * n
