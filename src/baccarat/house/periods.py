"""Days, weeks and months of a house: where the one begins that a moment lies in.

In go milliseconds since 1970 and the house's distance from UTC in minutes, out comes the moment a
period began, or ends. Weeks begin on Monday, months on their first day. The one rule: whole numbers
only; a period ends exactly where the next begins, so no moment is in two of them or in none.
"""

from enum import StrEnum
from functools import lru_cache

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
_THURSDAY = 3
"""1 January 1970 was one; weeks begin on Monday."""


class Period(StrEnum):
    """What a limit is for."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


def start_of(period: Period, now: int, zone: int = 0) -> int:
    """When the period began that a moment lies in; the zone is minutes ahead of UTC."""
    return _first_day(period, (now + zone * MINUTE) // DAY) * DAY - zone * MINUTE


@lru_cache  # everyone who wagers asks about the same few days
def _first_day(period: Period, day: int) -> int:
    match period:
        case Period.WEEK:
            return day - (day + _THURSDAY) % 7
        case Period.MONTH:
            year, month, _ = date_of(day)
            return day_of(year, month, 1)
    return day


def end_of(period: Period, now: int, zone: int = 0) -> int:
    """When the next one begins."""
    start = start_of(period, now, zone)
    match period:
        case Period.DAY:
            return start + DAY
        case Period.WEEK:
            return start + 7 * DAY
        case _:
            return start_of(period, start + 32 * DAY, zone)


def months_after(now: int, months: int) -> int:
    """The same time of day so many months later; on the month's last day where it is shorter."""
    year, month, day = date_of(now // DAY)
    count = 12 * year + month - 1 + months
    year, month = count // 12, count % 12 + 1
    following = day_of(year + month // 12, month % 12 + 1, 1)
    return min(day_of(year, month, 1) + day - 1, following - 1) * DAY + now % DAY


def age_at(born: int, now: int, zone: int = 0) -> int:
    """Whole years since a day; who was born on 29 February is older on 1 March."""
    year, month, day = date_of((now + zone * MINUTE) // DAY)
    born_year, *birthday = date_of(born)
    return year - born_year - ([month, day] < birthday)


def day_of(year: int, month: int, day: int) -> int:
    """The number of a day of the Gregorian calendar, 0 being 1 January 1970."""
    year, month = (year, month) if month > 2 else (year - 1, month + 12)
    # A year that begins in March has its leap day last: months then follow one formula.
    days = 365 * year + year // 4 - year // 100 + year // 400
    return days + (153 * (month - 3) + 2) // 5 + day - 1 - 719_468


def date_of(day: int) -> tuple[int, int, int]:
    """Year, month and day of a day's number."""
    day += 719_468
    era, day = divmod(day, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += 400 * era
    return (year, month + 3, day + 1) if month < 10 else (year + 1, month - 9, day + 1)


def parse_date(text: str) -> int | None:
    """The number of a day written 1990-12-31; None when there is no such day."""
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(
        part.isascii() and part.isdigit() for part in parts
    ):
        return None
    year, month, day = (int(part) for part in parts)
    number = day_of(year, month, day) if 1 <= month <= 12 and day else None
    return number if number is not None and date_of(number) == (year, month, day) else None


def minutes_in_words(count: int) -> str:
    """1 minute, 90 minutes."""
    return f"{count} minute{'' if count == 1 else 's'}"


def in_words(at: int, zone: int = 0) -> str:
    """A moment for people: 2026-11-15 08:30 (UTC+02:00)."""
    minutes = at // MINUTE + zone
    year, month, day = date_of(minutes // 1440)
    hours, sign = abs(zone), "-" if zone < 0 else "+"
    told = f" (UTC{sign}{hours // 60:02}:{hours % 60:02})" if zone else " (UTC)"
    return f"{year:04}-{month:02}-{day:02} {minutes // 60 % 24:02}:{minutes % 60:02}{told}"
