"""Jobs about the house itself: its opening, its gaming day, its cameras and its clocks."""

from baccarat.house.events import (
    HOUSE_FILE,
    STREAM,
    ClockChanged,
    FootageNoted,
    GamingDaySet,
    HouseOpened,
)
from baccarat.house.outcomes import Outcome
from baccarat.house.people.roles import Action, check_may
from baccarat.house.ports import Clock, Job, Need, View
from baccarat.house.safety.periods import UTC_DAY, GamingDay
from baccarat.table.refusals import Code, Refused

MAX_CHANGES = 2**31
"""Maximum number of changes of the gaming day to read; no journal has this many."""


def open_house(name: str, currency: str, clock: Clock, gaming_day: GamingDay = UTC_DAY) -> Job:
    """Return the job that opens a house, or records a change of its gaming day if it is open.

    The currency of an opened house cannot be changed.
    """

    def work(view: View) -> Outcome:
        known = UTC_DAY
        for _, event in view.events(GamingDaySet, 0, MAX_CHANGES):
            if isinstance(event, GamingDaySet):
                known = GamingDay(event.zone, event.starts)
        changed = () if known == gaming_day else (GamingDaySet(view.now, *gaming_day, HOUSE_FILE),)
        if view.head.sequence:
            for _, opened in view.events(HouseOpened, 0, 1):
                if isinstance(opened, HouseOpened) and opened.currency != currency:
                    raise Refused(
                        Code.BAD_SETTINGS, "currency", held=opened.currency, currency=currency
                    )
            return Outcome(changed)
        return Outcome((HouseOpened(view.now, name, currency), *changed))

    return Job(Need(STREAM), work, clock=clock)


def note_footage(table: str, number: int, reference: str, by: str, clock: Clock) -> Job:
    """Return the job that notes where the cameras' recording of a round is found."""

    def work(view: View) -> Outcome:
        check_may(view.people[by], Action.REMEDY)
        return Outcome((FootageNoted(view.now, table, number, reference, by),))

    return Job(Need(STREAM, people=(by,)), work, clock=clock)


def clock_changed(server: str, milliseconds: int, clock: Clock) -> Job:
    """Return the job that records that a server's clock jumped."""

    def work(view: View) -> Outcome:
        return Outcome((ClockChanged(view.now, server, milliseconds),))

    return Job(Need(STREAM), work, clock=clock)
