"""The kernel that plays sessions: a strategy at a table, coup by coup, until time or money is up.

Lanes are sessions. Session s plays the shoes s·k, s·k + 1, …, k of them being always enough, so a
session's cards depend on the seed and its number alone. `play_lane` is ordinary Python as well:
a strategy that cannot be compiled is played by the very same lines.
"""

from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from baccarat.simulation.kernel import LANES, deal_coups, make_room
from baccarat.simulation.strategies import BANKER, NO_BET, NOBODY, PLAYER, TIE, Seat

_jit = njit(cache=True, nogil=True, boundscheck=False)

# What is kept of a session, by place in its row.
BANKROLL, PLAYED, STAKE, RESULT, PEAK, FALL = range(6)
TURNOVER, WAGERS, LOSING, LONGEST, ENDED = range(6, 11)
FIELDS = 11

PLAYING, RUINED, STOP_LOSS, STOP_WIN, OUT_OF_TIME, BAD_BET, BAD_STAKE = range(7)
"""How a session ended; the last two are mistakes of the strategy."""

FIXED, LAST_WINNER, NOT_LAST_WINNER, ROAD = range(4)
"""Rules of choice."""

RED, BLUE = 1, 2


class Table(NamedTuple):
    """What a session is played for: arrays by class of coups or by bet."""

    winners: Any
    pays: Any
    """[class, bet]: net payment of a stake of one step."""
    unit_pays: Any
    """[class, bet]: net payment of a stake of one unit."""
    steps: Any
    """[bet]: stakes are multiples of it."""
    minimum: Any
    """[bet]"""
    maximum: Any
    """[bet]"""


class Terms(NamedTuple):
    """How long and how far a session goes, in coups and coins."""

    unit: int
    bankroll: int
    coups: int
    floor: int
    """At this bankroll or below, the player stops (stop-loss); below 0 for never."""
    ceiling: int
    """At this bankroll or above, the player stops (stop-win)."""
    flat: bool
    """One unit always: there is nothing to ask the strategy."""


class Choice(NamedTuple):
    """Which bet is proposed."""

    rule: int
    bet: int
    """When the rule is FIXED."""
    player: int
    banker: int
    """The bets that follow the winner."""
    columns_back: int
    """How many columns the derived road looks back, when the rule is ROAD."""


class Trigger(NamedTuple):
    """When a count says that a coup is worth a wager."""

    counts: bool
    tags: Any
    """[code]: tags of cards, times their scale."""
    least: int
    """Wager when running count × `per_card` reaches `least` × cards not seen yet."""
    per_card: int


@_jit
def add_to_runs(runs: Any, winner: Any) -> None:
    """Keep the lengths of the runs: runs[0] of them, from runs[2] on; runs[1] is the last side."""
    if winner == TIE:
        return
    if runs[0] > 0 and runs[1] == winner:
        runs[1 + runs[0]] += 1
    else:
        runs[0] += 1
        runs[1] = winner
        runs[1 + runs[0]] = 1


@_jit
def colour(runs: Any, place: Any, columns_back: Any) -> Any:
    """Of the derived road's entry for the last run's win number `place`; 0 when it has none."""
    last = runs[0] + 1
    before = runs[0] - 1
    if place == 1:
        if before < columns_back + 1:
            return 0
        return RED if runs[last - 1] == runs[last - 1 - columns_back] else BLUE
    if before < columns_back:
        return 0
    return BLUE if place == runs[last - columns_back] + 1 else RED


@_jit
def proposed(choice: Any, runs: Any) -> Any:
    """The bet that the rule of choice proposes, given the runs of the shoe so far."""
    if choice.rule == FIXED:
        return choice.bet
    if runs[0] == 0:
        return NO_BET
    side = runs[1]
    if choice.rule == NOT_LAST_WINNER:
        side = BANKER + PLAYER - side
    elif choice.rule == ROAD:
        length = runs[1 + runs[0]]
        now = colour(runs, length, choice.columns_back)
        if now == 0:
            return NO_BET
        if colour(runs, length + 1, choice.columns_back) != now:
            side = BANKER + PLAYER - side
    return choice.banker if side == BANKER else choice.player


@_jit
def play_lane(
    decide: Any,
    options: Any,
    memory: Any,
    table: Any,
    terms: Any,
    choice: Any,
    trigger: Any,
    codes: Any,
    size: Any,
    begin: Any,
    first_seen: Any,
    entries: Any,
    coups: Any,
    runs: Any,
    row: Any,
    path: Any,
    every: Any,
) -> None:
    """Play one shoe of a session; `row` is what is kept of it, `path` its bankroll now and then.

    entries[:coups] is what the lookup says of the shoe's coups, codes are its cards, the first
    `begin` of them burned, the first `first_seen` of those face up.
    """
    bankroll, played, stake, result = row[BANKROLL], row[PLAYED], row[STAKE], row[RESULT]
    peak, fall, turnover, wagers = row[PEAK], row[FALL], row[TURNOVER], row[WAGERS]
    losing, longest, ended = row[LOSING], row[LONGEST], PLAYING
    point = played // every
    next_point = (point + 1) * every if point < len(path) else -1
    runs[0] = 0
    winner, place, count = NOBODY, begin, 0
    if trigger.counts:
        for i in range(first_seen):
            count += trigger.tags[codes[i]]
    for coup in range(coups):
        left = size - place + begin - first_seen
        bet = choice.bet if choice.rule == FIXED else proposed(choice, runs)
        if trigger.counts and count * trigger.per_card < trigger.least * left:
            bet = NO_BET
        units = 1
        if not terms.flat:
            seat = Seat(bet, coup, played, winner, stake, result, bankroll, terms.unit, count, left)
            bet, units = decide(seat, options, memory)
        if not NO_BET <= bet < len(table.steps):
            ended, stake = BAD_BET, bet
            break
        if units < 0:
            ended, stake = BAD_STAKE, units
            break
        entry = np.int64(entries[np.uintp(coup)])
        kind = entry >> 2
        stake, result = 0, 0
        if bet != NO_BET and units > 0:
            maximum = table.maximum[bet]
            stake = min(units, maximum) * terms.unit
            if stake <= maximum and stake <= bankroll:
                result = units * table.unit_pays[np.uintp(kind), np.uintp(bet)]
            else:
                step = table.steps[bet]
                steps = min(maximum, bankroll) // step
                stake = steps * step
                result = steps * table.pays[kind, bet]
                if stake < table.minimum[bet]:
                    ended = RUINED
                    break
            # Nobody can foretell who wins, a processor neither: no branches from here on.
            bankroll += result
            turnover += stake
            wagers += 1
            losing = (losing + (result < 0)) * (result <= 0)
            longest = max(longest, losing)
            peak = max(peak, bankroll)
            fall = max(fall, peak - bankroll)
        winner = table.winners[np.uintp(kind)]
        if choice.rule != FIXED:
            add_to_runs(runs, winner)
        taken = 4 + (entry & 3)
        if trigger.counts:
            for i in range(place, place + taken):
                count += trigger.tags[codes[i]]
        place += taken
        played += 1
        if played == next_point:
            path[point] = bankroll
            point += 1
            next_point = (point + 1) * every if point < len(path) else -1
        if bankroll >= terms.ceiling:
            ended = STOP_WIN
            break
        if bankroll <= terms.floor:
            ended = STOP_LOSS
            break
        if played == terms.coups:
            ended = OUT_OF_TIME
            break
    row[BANKROLL], row[PLAYED], row[STAKE], row[RESULT] = bankroll, played, stake, result
    row[PEAK], row[FALL], row[TURNOVER], row[WAGERS] = peak, fall, turnover, wagers
    row[LOSING], row[LONGEST], row[ENDED] = losing, longest, ended


@_jit
def play(
    decide: Any,
    options: Any,
    memory: Any,
    table: Any,
    terms: Any,
    choice: Any,
    trigger: Any,
    seed: Any,
    first_session: Any,
    shoes_each: Any,
    shoe: Any,
    lookup: Any,
    index: Any,
    rows: Any,
    paths: Any,
    every: Any,
) -> None:
    """Play a session for each of `rows`, and note the paths of the first few."""
    size, burn = shoe[0], shoe[4]
    room = make_room(shoe, lookup, index)
    runs = np.empty(size // 4 + 3, np.int64)
    nowhere = np.empty(0, np.int64)
    for base in range(0, len(rows), LANES):
        lanes = min(LANES, len(rows) - base)
        memory[:] = 0
        for number in range(shoes_each):
            playing = 0
            for lane in range(lanes):
                playing += rows[base + lane, ENDED] == PLAYING
            if playing == 0:
                break
            first = (first_session + base) * shoes_each + number
            deal_coups(seed, first, shoes_each, shoe, lookup, room)
            for lane in range(lanes):
                if rows[base + lane, ENDED] == PLAYING:
                    play_lane(
                        decide,
                        options,
                        memory[lane],
                        table,
                        terms,
                        choice,
                        trigger,
                        room.codes[:, lane],
                        size,
                        room.begin[lane],
                        1 if burn < 0 else 0,
                        room.seen[lane],
                        room.coups[lane],
                        runs,
                        rows[base + lane],
                        paths[base + lane] if base + lane < len(paths) else nowhere,
                        every,
                    )


def begin_sessions(rows: Any, bankroll: int) -> None:
    """Everything that is kept of sessions, as they start."""
    rows[:] = 0
    rows[:, BANKROLL] = rows[:, PEAK] = bankroll


def play_in_python(*args: Any) -> None:
    """`play` for a strategy that is not compiled: the same lines, only the dealing compiled."""
    uncompiled = {**globals(), "play_lane": play_lane.py_func}
    FunctionType(play.py_func.__code__, uncompiled)(*args)
