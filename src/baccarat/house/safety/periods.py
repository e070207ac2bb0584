"""Gaming days, weeks and months: when each begins and ends in a house's time zone.

Times are milliseconds since 1970, and days are numbered from 1 January 1970. A gaming day begins at
an hour that the house chooses and has its date at that hour; it has 23 or 25 hours when clocks
change. Weeks begin on Monday. A period ends exactly when the next one begins.
"""

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
_DAY_0 = date(1970, 1, 1).toordinal()


class Period(StrEnum):
    """The period to which a limit applies."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class GamingDay(NamedTuple):
    """When the days of a house begin."""

    zone: str = "UTC"
    """Name of the house's time zone, such as Europe/Athens."""
    starts: int = 0
    """Hour at which a day begins, by the clocks of that zone."""


UTC_DAY = GamingDay()


def start_of(period: Period, now: int, gaming_day: GamingDay = UTC_DAY) -> int:
    """Return the time at which the current period began."""
    return day_start(_first_day(period, day_at(now, gaming_day)), gaming_day)


def end_of(period: Period, now: int, gaming_day: GamingDay = UTC_DAY) -> int:
    """Return the time at which the next period begins."""
    days = {Period.DAY: 1, Period.WEEK: 7, Period.MONTH: 31}[period]
    first = _first_day(period, day_at(now, gaming_day))
    return day_start(_first_day(period, first + days), gaming_day)


def day_at(now: int, gaming_day: GamingDay = UTC_DAY) -> int:
    """Return the number of the gaming day at a given time."""
    today = calendar_day(now, gaming_day)
    return today if now >= day_start(today, gaming_day) else today - 1


@lru_cache(maxsize=1024)  # called for every wager, for the same few days
def day_start(day: int, gaming_day: GamingDay = UTC_DAY) -> int:
    """Return the time at which a gaming day begins.

    If clocks skip its hour, the day begins when they are changed; if the hour occurs twice, the day
    begins with the first.
    """
    begins = datetime.combine(date_of(day), time(gaming_day.starts), ZoneInfo(gaming_day.zone))
    return int(begins.timestamp()) * 1000


@lru_cache(maxsize=1024)
def _first_day(period: Period, day: int) -> int:
    match period:
        case Period.WEEK:
            return day - date_of(day).weekday()
        case Period.MONTH:
            return day - date_of(day).day + 1
    return day


def calendar_day(now: int, gaming_day: GamingDay = UTC_DAY) -> int:
    """Return the number of the day on a calendar in the house's time zone, from midnight."""
    return day_of(time_of(now, gaming_day).date())


def months_after(now: int, months: int) -> int:
    """Return the time a number of months later; if that month has no such day, use its last day."""
    begun = date_of(now // DAY)
    years, month = divmod(begun.month - 1 + months, 12)
    year, month = begun.year + years, month + 1
    day = min(begun.day, monthrange(year, month)[1])
    return day_of(date(year, month, day)) * DAY + now % DAY


def age_at(born: int, now: int, gaming_day: GamingDay = UTC_DAY) -> int:
    """Return the age, in whole years, of a person at a given time in the house's time zone."""
    return age_on(born, calendar_day(now, gaming_day))


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


def time_of(at: int, gaming_day: GamingDay = UTC_DAY) -> datetime:
    """Return a time as a datetime in the house's time zone."""
    moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)
    return moment.astimezone(ZoneInfo(gaming_day.zone))
