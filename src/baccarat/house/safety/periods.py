"""Days, weeks and months in a house's time zone: when each begins and ends.

Times are milliseconds since 1970, days are numbered from 1 January 1970, and zones are minutes
ahead of UTC. Weeks begin on Monday. A period ends exactly when the next one begins.
"""

from calendar import monthrange
from datetime import date, datetime, timedelta, timezone
from enum import StrEnum
from functools import lru_cache

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
_DAY_0 = date(1970, 1, 1).toordinal()


class Period(StrEnum):
    """The period to which a limit applies."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


def start_of(period: Period, now: int, zone: int = 0) -> int:
    """Return the time at which the current period began."""
    return _first_day(period, (now + zone * MINUTE) // DAY) * DAY - zone * MINUTE


@lru_cache  # called for every wager, for the same few days
def _first_day(period: Period, day: int) -> int:
    match period:
        case Period.WEEK:
            return day - date_of(day).weekday()
        case Period.MONTH:
            return day - date_of(day).day + 1
    return day


def end_of(period: Period, now: int, zone: int = 0) -> int:
    """Return the time at which the next period begins."""
    days = {Period.DAY: 1, Period.WEEK: 7, Period.MONTH: 31}[period]
    return start_of(period, start_of(period, now, zone) + days * DAY, zone)


def months_after(now: int, months: int) -> int:
    """Return the time a number of months later; if that month has no such day, use its last day."""
    begun = date_of(now // DAY)
    years, month = divmod(begun.month - 1 + months, 12)
    year, month = begun.year + years, month + 1
    day = min(begun.day, monthrange(year, month)[1])
    return day_of(date(year, month, day)) * DAY + now % DAY


def age_at(born: int, now: int, zone: int = 0) -> int:
    """Return the age, in whole years, of a person at a given time in the house's time zone."""
    return age_on(born, (now + zone * MINUTE) // DAY)


@lru_cache(maxsize=16_384)  # called for every wager, mostly for the same players
def age_on(born: int, today: int) -> int:
    """Return the whole years between two days.

    Someone born on 29 February becomes a year older on 1 March in years that are not leap years.
    """
    now, birth = date_of(today), date_of(born)
    return now.year - birth.year - ((now.month, now.day) < (birth.month, birth.day))


def day_of(found: date) -> int:
    """Return the day number of a date; day 0 is 1 January 1970."""
    return found.toordinal() - _DAY_0


def date_of(day: int) -> date:
    """Return the date of a day number."""
    return date.fromordinal(day + _DAY_0)


def parse_date(text: str) -> int | None:
    """Return the day number of a date such as 1990-12-31, or None if it is invalid."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return day_of(found) if found.isoformat() == text else None


def time_of(at: int, zone: int = 0) -> datetime:
    """Return a time as a datetime in the house's time zone, for a message."""
    place = timezone(timedelta(minutes=zone))
    return datetime.fromtimestamp(0, place) + timedelta(milliseconds=at)
