"""The kernel that plays sessions of a strategy, coup by coup, until time or money runs out.

Each lane is a session. Session s plays the shoes s·k, s·k + 1, …, where k is a number of shoes that
is always enough, so a session's cards depend only on the seed and the session's number.
`play_group` also runs as ordinary Python, so a strategy that cannot be compiled is played by the
same code.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from baccarat.shoe import MAX_CARDS_IN_COUP, Burn
from baccarat.simulation.kernel import (
    LANES,
    ShoeInput,
    cards_of,
    class_of,
    deal_coups,
    first_place,
    make_workspace,
    row_of,
)
from baccarat.simulation.sessions.strategies import (
    BANKER,
    FAILED,
    NO_BET,
    NOBODY,
    PLAYER,
    TIE,
    Seat,
)
from baccarat.simulation.stream import with_globals

_jit = njit(cache=True, nogil=True, boundscheck=False)

# Columns of a session's row.
BANKROLL, PLAYED, STAKE, RESULT, PEAK, FALL = range(6)
TURNOVER, WAGERS, LOSING, LONGEST, ENDED, WINNER = range(6, 12)
FIELDS = 12

PLAYING, RUINED, STOP_LOSS, STOP_WIN, OUT_OF_TIME = range(5)
BAD_BET, BAD_STAKE, NEEDS_ANOTHER_BET, RAISED = range(5, 9)
"""Together with those above, the states of a session; these four mean that the strategy made an
error."""

RUNS_KEPT = 8
"""Number of recent runs kept for each shoe, which is more than any derived road looks back."""

FIXED, LAST_WINNER, NOT_LAST_WINNER, ROAD = range(4)
"""Rules for choosing a bet."""

RED, BLUE = 1, 2

MAX_BURNED = Burn.FIRST_CARD.most


class Table(NamedTuple):
    """Winners, payments and limits, as arrays indexed by class of coups or by bet."""

    winners: Any
    pays: Any
    """[class, bet]: net payment in coins of a stake of one step."""
    unit_pays: Any
    """[class, bet]: net payment in coins of a stake of one unit."""
    steps: Any
    """[bet]: stake step."""
    fits: Any
    """[bet]: whether every multiple of the unit can be paid in whole coins."""
    alone: Any
    """[bet]: whether the bet may be placed without any other."""
    minimum: Any
    """[bet]: minimum stake."""
    maximum: Any
    """[bet]: maximum stake."""


class LimitsInput(NamedTuple):
    """Limits of a session, in coups and coins."""

    unit: int
    most_units: int
    """Cap on a strategy's stake in units: above any table's limit, and small enough not to
    overflow."""
    least: int
    """The bankroll in coins below which the player is ruined."""
    coups: int
    floor: int
    """Bankroll at or below which the player stops (stop-loss); negative if there is no
    stop-loss."""
    ceiling: int
    """Bankroll at or above which the player stops (stop-win)."""
    shuffler: bool
    """Whether a shuffler is used: every shoe then has one coup, and runs continue from one shoe to
    the next."""
    every: int
    """Number of coups between two recorded points of a bankroll path."""


class SelectionInput(NamedTuple):
    """The rule that proposes a bet."""

    rule: int
    bet: int
    """The bet proposed if the rule is FIXED."""
    player: int
    """The bet on Player, for the other rules."""
    banker: int
    """The bet on Banker, for the other rules."""
    columns_back: int
    """Number of columns that the derived road looks back, if the rule is ROAD."""


class Setting(NamedTuple):
    """All inputs that are the same for every session of a trial."""

    table: Table
    terms: LimitsInput
    choice: SelectionInput
    options: Any
    """The strategy's own settings."""
    shoe: Any
    game: Any


@_jit
def add_to_runs(runs: Any, winner: Any) -> None:
    """Update the lengths of the last runs with a winner. runs[0] is the number of runs, runs[1] is
    the side that won last, and the lengths begin at runs[2]."""
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
    """Return the colour of the derived road's entry for win number `place` of the last run, or 0 if
    there is no entry."""
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
    """Return the bet that the rule proposes, given the runs of the shoe so far."""
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
    trigger: Any,
    hands: Any,
    setting: Any,
    workspace: Any,
    memory: Any,
    runs: Any,
    rows: Any,
    paths: Any,
) -> None:
    """Play one shoe of each session that has not ended.

    `rows` holds the state of the sessions, and `paths` holds the bankrolls of the first few
    sessions at regular intervals. `decide` is None for flat betting, `trigger` is None if no cards
    are counted, and `hands` is None if there are no hand bets; the compiler then omits the
    corresponding code.
    """
    table, terms, choice, shoe = setting.table, setting.terms, setting.choice, setting.shoe
    codes, shuffler, every, options = workspace.codes, terms.shuffler, terms.every, setting.options
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
        place = first_place(workspace.symbols, lane, setting.game)
        # Burned cards are unseen, except a first card that is shown to set how many are burned.
        face_down = place - 1 if shoe.shown else place
        winner, count = rows[lane, WINNER] if shuffler else NOBODY, 0
        if trigger is not None and shoe.shown:
            count = trigger.tags[codes[0, lane]]
        own, own_runs = memory[lane], runs[lane]
        if not shuffler:  # runs start again with a new shoe, but continue with a shuffler
            own_runs[0] = 0
        for coup in range(workspace.coups[lane]):
            bet = choice.bet if choice.rule == FIXED else proposed(choice, own_runs)
            unseen = shoe.size - place + face_down
            if trigger is not None:  # numba prunes the branch only if this is the whole condition
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
                    ended, stake = NEEDS_ANOTHER_BET, bet
                    break
                if units < 0:
                    ended, stake = BAD_STAKE, units
                    break
            mark = workspace.seen[lane, coup]
            kind = class_of(mark)
            row = np.uintp(kind)
            stake, result = 0, 0
            if bet != NO_BET and units > 0:
                if hands is not None:
                    group = hands.groups[bet]
                    row = row_of(hands, group, codes, place, lane, mark) if group >= 0 else row
                maximum = table.maximum[bet]
                stake = min(units, terms.most_units) * terms.unit
                if stake <= maximum and stake <= bankroll and table.fits[bet]:
                    result = units * table.unit_pays[row, np.uintp(bet)]
                else:
                    step = table.steps[bet]
                    stake = min(max(min(stake, maximum), table.minimum[bet]), bankroll)
                    steps = stake // step
                    stake = steps * step
                    result = steps * table.pays[row, bet]
                    if stake < table.minimum[bet]:
                        ended, stake, result = RUINED, 0, 0
                        break
                # No branches from here on, because the processor could not predict who wins.
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
    trigger: Any,
    hands: Any,
    setting: Any,
    seed: Any,
    first_session: Any,
    shoes_each: Any,
    memory: Any,
    rows: Any,
    paths: Any,
) -> None:
    """Play a session for each row of `rows`, and record the bankroll paths of the first few."""
    shoe, terms = setting.shoe, setting.terms
    workspace = make_workspace(shoe, setting.game)
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
            enough = MAX_BURNED + MAX_CARDS_IN_COUP * coups_left
            last_start = enough - MAX_CARDS_IN_COUP
            begun = shoe
            if last_start < shoe.cut_at:
                begun = ShoeInput(
                    shoe.size,
                    enough,
                    last_start + 1,
                    np.int64(1),
                    shoe.shown,
                    shoe.rejected,
                    shoe.start,
                )
            first = (first_session + base) * shoes_each + number
            deal_coups(seed, first, shoes_each, begun, setting.game, workspace)
            noted = paths[base : base + LANES]
            play_group(decide, trigger, hands, setting, workspace, memory, runs, group, noted)


def begin_sessions(rows: Any, bankroll: int) -> None:
    """Initialise the rows of new sessions with this bankroll."""
    rows[:] = 0
    rows[:, BANKROLL] = rows[:, PEAK] = bankroll
    rows[:, WINNER] = NOBODY


def play_in_python(*args: Any) -> None:
    """Run `play` for a strategy that is not compiled: the same code, with only dealing compiled."""
    with_globals(play.py_func, play_group=play_group.py_func)(*args)
