"""A player's play, for the pit: time, average bet, and the result against its expectation."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import isqrt

from msgspec.structs import replace

from baccarat.house.money.ledger import Kind
from baccarat.house.safety.periods import MINUTE, Period, start_of
from baccarat.house.safety.profiles import Conduct
from baccarat.house.safety.record import time_played
from baccarat.house.watch.result_bounds import Takings
from baccarat.store import bookings, history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import events as e

MAX_ROUNDS = 20_000
"""Maximum rounds of a player that are counted in a period."""


@dataclass(frozen=True)
class PlayerPlay:
    """A player's play in the current day, week or month; results are the player's."""

    period: Period
    minutes: int
    rounds: int
    average: int
    """Average total stake on a round, in coins."""
    turnover: int
    result: int
    expected: int
    deviation: int
    """One standard deviation of the result."""


def play_of(store: SqlStore, player: str, conduct: Conduct, now: int) -> list[PlayerPlay]:
    """Return a player's play in the current gaming day, week and month."""
    starts = {period: start_of(period, now, conduct.gaming_day) for period in Period}
    settled = _rounds(store, player, min(starts.values()))
    return [_play(store, player, conduct, now, period, settled) for period in Period]


def _rounds(store: SqlStore, player: str, since: int) -> list[bookings.Booking]:
    """Return a player's rounds since a time, settled and corrected, oldest first."""
    kinds, found = (Kind.SETTLE, Kind.CORRECT), []
    below = None
    while some := bookings.of_player(store, player, below=below, kinds=kinds, limit=1000):
        found += [booking for booking in some if booking.at >= since]
        below = some[-1].place
        if below.at < since or len(found) >= MAX_ROUNDS:
            break
    return found[::-1]


def _play(
    store: SqlStore,
    player: str,
    conduct: Conduct,
    now: int,
    period: Period,
    settled: list[bookings.Booking],
) -> PlayerPlay:
    since = start_of(period, now, conduct.gaming_day)
    figures: dict[str, Takings] = {}
    for booking in settled:
        event = booking.event
        if booking.at < since or not isinstance(event, e.RoundSettled | e.RoundCorrected):
            continue
        stream, own = booking.stream, replace(event, results=(booking.result,))
        takings = figures.setdefault(stream, Takings())
        takings.take(own, partial(history.rules_of, store, stream))
    played = [takings.players for takings in figures.values()]
    rounds, turnover = (
        sum(getattr(one, name) for one in played) for name in ("rounds", "turnover")
    )
    expected = sum((one.expected for one in played), Fraction(0))
    variance = sum((one.variance for one in played), Fraction(0))
    return PlayerPlay(
        period,
        time_played(store.safety(player), period, now, conduct.gaming_day) // MINUTE,
        rounds,
        turnover // rounds if rounds else 0,
        turnover,
        -sum(one.result for one in played),
        -round(expected),
        isqrt(round(variance)),
    )
