"""Jobs of the pit on the floor: emergency stops, alerts that someone has seen, and shift notes."""

from collections.abc import Callable

from baccarat.house.events import STREAM
from baccarat.house.outcomes import Outcome
from baccarat.house.people.roles import Action, check_may
from baccarat.house.ports import Clock, Job, Need, View
from baccarat.house.staff_events import (
    AlertAcknowledged,
    EmergencyStopped,
    ShiftNoteWritten,
    StopExplained,
)
from baccarat.table.events import Event
from baccarat.table.refusals import Code, Refused

MAX_STOPS = 2**31
"""Maximum number of emergency stops to read; no journal has this many."""


def stopped(by: str, clock: Clock) -> Job:
    """Return the job that records an emergency stop, whose reason is asked for afterwards."""
    return _by_pit(by, lambda view: EmergencyStopped(view.now, by), clock)


def explain_stop(by: str, words: str, clock: Clock) -> Job:
    """Return the job that records the reason for the last emergency stop."""

    def explained(view: View) -> Event:
        stops = view.events(EmergencyStopped, 0, MAX_STOPS)
        known = {
            event.entry
            for _, event in view.events(StopExplained, 0, MAX_STOPS)
            if isinstance(event, StopExplained)
        }
        if not stops or stops[-1][0] in known:
            raise Refused(Code.NOT_ALLOWED, "no-stop")
        return StopExplained(view.now, stops[-1][0], words, by)

    return _by_pit(by, explained, clock)


def acknowledge(by: str, alert: str, clock: Clock) -> Job:
    """Return the job that records that someone has seen an alert or a note."""
    return _by_pit(by, lambda view: AlertAcknowledged(view.now, alert, by), clock)


def write_note(by: str, words: str, clock: Clock) -> Job:
    """Return the job that writes a note for the next shift."""
    return _by_pit(by, lambda view: ShiftNoteWritten(view.now, words, by), clock)


def _by_pit(by: str, make: Callable[[View], Event], clock: Clock) -> Job:
    def work(view: View) -> Outcome:
        check_may(view.people[by], Action.PAUSE)
        return Outcome((make(view),))

    return Job(Need(STREAM, people=(by,)), work, clock=clock)
