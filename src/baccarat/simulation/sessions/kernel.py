"""The kernel that plays sessions: a strategy at a table, coup by coup, until time or money is up.

Lanes are sessions. Session s plays the shoes s·k, s·k + 1, …, k of them being always enough, so a
session's cards depend on the seed and its number alone. `play_group` is ordinary Python as well:
a strategy that cannot be compiled is played by the very same lines.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from baccarat.shoe import Burn
from baccarat.simulation.kernel import LANES, cards_of, class_of, deal_coups, first_place, make_room
from baccarat.simulation.plan import MOST_CARDS
from baccarat.simulation.strategies import BANKER, FAILED, NO_BET, NOBODY, PLAYER, TIE, Seat
from baccarat.simulation.stream import rebound

_jit = njit(cache=True, nogil=True, boundscheck=False)

# What is kept of a session, by place in its row.
BANKROLL, PLAYED, STAKE, RESULT, PEAK, FALL = range(6)
TURNOVER, WAGERS, LOSING, LONGEST, ENDED, WINNER = range(6, 12)
FIELDS = 12

PLAYING, RUINED, STOP_LOSS, STOP_WIN, OUT_OF_TIME = range(5)
BAD_BET, BAD_STAKE, NEEDS_COMPANY, RAISED = range(5, 9)
"""How a session ended; the latter four are mistakes of the strategy."""

RUNS_KEPT = 8
"""Of the runs of a shoe, as many as any road looks back to, and more."""

FIXED, LAST_WINNER, NOT_LAST_WINNER, ROAD = range(4)
"""Rules of choice."""

RED, BLUE = 1, 2

MOST_BURNED = Burn.FIRST_CARD.most


class Table(NamedTuple):
    """What a session is played for: arrays by class of coups or by bet."""

    winners: Any
    pays: Any
    """[class, bet]: net payment of a stake of one step."""
    unit_pays: Any
    """[class, bet]: net payment of a stake of one unit."""
    steps: Any
    """[bet]: stakes are multiples of it."""
    fits: Any
    """[bet]: are all multiples of the unit stakes that can be paid?"""
    alone: Any
    """[bet]: may it be wagered on without another?"""
    minimum: Any
    """[bet]"""
    maximum: Any
    """[bet]"""


class Terms(NamedTuple):
    """How long and how far a session goes, in coups and coins."""

    unit: int
    most_units: int
    """More than any table takes, few enough to be multiplied."""
    least: int
    """Whoever has less is ruined."""
    coups: int
    floor: int
    """At this bankroll or below, the player stops (stop-loss); below 0 for never."""
    ceiling: int
    """At this bankroll or above, the player stops (stop-win)."""
    shuffler: bool
    """A table whose shoes are of one coup each: its results go on from one to the next."""


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

    tags: Any
    """[code]: tags of cards, times their scale."""
    least: int
    """Wager when running count × `per_card` reaches `least` × cards not seen yet."""
    per_card: int


@_jit
def add_to_runs(runs: Any, winner: Any) -> None:
    """Keep the lengths of the last runs: runs[0] of them, from runs[2] on; runs[1] is the side."""
    if winner == TIE:
        return
    if runs[0] > 0 and runs[1] == winner:
        runs[1 + runs[0]] += 1
        return
    if runs[0] == RUNS_KEPT:
        for i in range(2, 1 + RUNS_KEPT):
            runs[i] = runs[i + 1]
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
    """The bet that a rule of choice proposes, given the runs of the shoe so far."""
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
def play_group(
    decide: Any,
    options: Any,
    memory: Any,
    table: Any,
    terms: Any,
    choice: Any,
    trigger: Any,
    size: Any,
    burn: Any,
    game: Any,
    room: Any,
    runs: Any,
    rows: Any,
    paths: Any,
    every: Any,
) -> None:
    """Play one shoe of each session that still goes on.

    `rows` are what is kept of the sessions, `paths` the bankrolls of the first few of them now
    and then. `decide` is None for flat wagers and `trigger` without a count: the compiler then
    leaves out what they would need.
    """
    codes, shuffler = room.codes, terms.shuffler
    for lane in range(len(rows)):
        if rows[lane, ENDED] != PLAYING:
            continue
        bankroll, played = rows[lane, BANKROLL], rows[lane, PLAYED]
        stake, result = rows[lane, STAKE], rows[lane, RESULT]
        peak, fall = rows[lane, PEAK], rows[lane, FALL]
        turnover, wagers = rows[lane, TURNOVER], rows[lane, WAGERS]
        losing, longest, ended = rows[lane, LOSING], rows[lane, LONGEST], PLAYING
        points = paths.shape[1] if lane < len(paths) else 0
        point = played // every
        next_point = (point + 1) * every if point < points else -1
        place = first_place(room.symbols, lane, game)
        # Of the cards burned, a first one that says how many is seen.
        face_down = place - 1 if burn < 0 else place
        winner, count = rows[lane, WINNER] if shuffler else NOBODY, 0
        if trigger is not None and burn < 0:
            count = trigger.tags[codes[0, lane]]
        own, own_runs = memory[lane], runs[lane]
        if not shuffler:  # a new shoe forgets; a shuffler's table goes on
            own_runs[0] = 0
        for coup in range(room.coups[lane]):
            bet = choice.bet if choice.rule == FIXED else proposed(choice, own_runs)
            unseen = size - place + face_down
            if trigger is not None:  # the compiler looks for just this, alone
                bet = bet if count * trigger.per_card >= trigger.least * unseen else NO_BET
            units = 1
            if decide is not None:
                so_far = played if shuffler else coup
                seat = Seat(
                    bet, so_far, played, winner, stake, result, bankroll, terms.unit, count, unseen
                )
                bet, units = decide(seat, options, own)
                if not NO_BET <= bet < len(table.steps):
                    ended, stake = RAISED if bet == FAILED else BAD_BET, bet
                    break
                if bet != NO_BET and not table.alone[bet]:
                    ended, stake = NEEDS_COMPANY, bet
                    break
                if units < 0:
                    ended, stake = BAD_STAKE, units
                    break
            mark = room.seen[lane, coup]
            kind = class_of(mark)
            stake, result = 0, 0
            if bet != NO_BET and units > 0:
                maximum = table.maximum[bet]
                stake = min(units, terms.most_units) * terms.unit
                if stake <= maximum and stake <= bankroll and table.fits[bet]:
                    result = units * table.unit_pays[np.uintp(kind), np.uintp(bet)]
                else:
                    step = table.steps[bet]
                    stake = min(max(min(stake, maximum), table.minimum[bet]), bankroll)
                    steps = stake // step
                    stake = steps * step
                    result = steps * table.pays[kind, bet]
                    if stake < table.minimum[bet]:
                        ended, stake, result = RUINED, 0, 0
                        break
                # Nobody can foretell who wins, a processor neither: no branches from here on.
                bankroll += result
                turnover += stake
                wagers += 1
                losing = (losing + (result < 0)) * (result <= 0)
                longest = max(longest, losing)
                peak = max(peak, bankroll)
                fall = max(fall, peak - bankroll)
            winner = table.winners[kind]
            if choice.rule != FIXED:
                add_to_runs(own_runs, winner)
            taken = cards_of(mark)
            if trigger is not None:
                for i in range(place, place + taken):
                    count += trigger.tags[codes[i, lane]]
            place += taken
            played += 1
            if played == next_point:
                paths[lane, point] = bankroll
                point += 1
                next_point = (point + 1) * every if point < points else -1
            if bankroll >= terms.ceiling:
                ended = STOP_WIN
                break
            if bankroll < terms.least:
                ended = RUINED
                break
            if bankroll <= terms.floor:
                ended = STOP_LOSS
                break
            if played == terms.coups:
                ended = OUT_OF_TIME
                break
        rows[lane, BANKROLL], rows[lane, PLAYED] = bankroll, played
        rows[lane, STAKE], rows[lane, RESULT] = stake, result
        rows[lane, PEAK], rows[lane, FALL] = peak, fall
        rows[lane, TURNOVER], rows[lane, WAGERS] = turnover, wagers
        rows[lane, LOSING], rows[lane, LONGEST] = losing, longest
        rows[lane, ENDED], rows[lane, WINNER] = ended, winner


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
    game: Any,
    rows: Any,
    paths: Any,
    every: Any,
) -> None:
    """Play a session for each of `rows`, and note the paths of the first few."""
    size, _, cut_at, _, burn, rejected, start = shoe
    room = make_room(shoe, game)
    runs = np.zeros((LANES, 2 + RUNS_KEPT), np.int64)
    for base in range(0, len(rows), LANES):
        group = rows[base : base + LANES]
        memory[:] = 0
        runs[:] = 0
        for number in range(shoes_each):
            coups_left = 0
            for lane in range(len(group)):
                if group[lane, ENDED] == PLAYING:
                    coups_left = max(coups_left, terms.coups - group[lane, PLAYED])
            if coups_left == 0:
                break
            # The last shoe of a session need not be dealt to its end.
            enough = MOST_BURNED + MOST_CARDS * coups_left
            last_start = enough - MOST_CARDS
            begun = shoe
            if last_start < cut_at:
                begun = (size, enough, last_start + 1, 1, burn, rejected, start)
            first = (first_session + base) * shoes_each + number
            deal_coups(seed, first, shoes_each, begun, game, room)
            play_group(
                decide,
                options,
                memory,
                table,
                terms,
                choice,
                trigger,
                size,
                burn,
                game,
                room,
                runs,
                group,
                paths[base : base + LANES],
                every,
            )


def begin_sessions(rows: Any, bankroll: int) -> None:
    """Everything that is kept of sessions, as they start."""
    rows[:] = 0
    rows[:, BANKROLL] = rows[:, PEAK] = bankroll
    rows[:, WINNER] = NOBODY


def play_in_python(*args: Any) -> None:
    """`play` for a strategy that is not compiled: the same lines, only the dealing compiled."""
    rebound(play.py_func, play_group=play_group.py_func)(*args)
