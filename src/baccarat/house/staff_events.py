"""Events of the house about its staff and the floor: assignments, second factors, alerts, notes.

They are part of the house's journal, and follow the same rules as the events in `house.events`.
"""

from baccarat.table.events import Event


class StaffAssigned(Event, frozen=True):
    """A member of staff was assigned to these tables, which replace any earlier ones."""

    account: str
    tables: tuple[str, ...]
    """The tables' ids; empty if the person may work at every table."""
    by: str


class SecondFactorSet(Event, frozen=True):
    """A member of staff set up or replaced a second factor; its secret is not in any journal."""

    account: str


class SecondFactorRemoved(Event, frozen=True):
    """The second factor of an account was removed; its owner can sign in without it."""

    account: str
    by: str
    first: str
    """Who proposed it, if two people removed it; otherwise empty."""


class RecoveryCodeUsed(Event, frozen=True):
    """A member of staff signed in with a recovery code instead of a one-time code."""

    account: str
    left: int
    """Number of recovery codes that are left."""


class EmergencyStopped(Event, frozen=True):
    """Every table was frozen at once; the journal of each table says when."""

    by: str


class StopExplained(Event, frozen=True):
    """The reason for an emergency stop was given afterwards."""

    entry: int
    """Number of the entry of the stop in this journal."""
    words: str
    """Reason given."""
    by: str


class AlertAcknowledged(Event, frozen=True):
    """A member of the pit has seen an alert or a note."""

    alert: str
    """Digest of what the alert is about."""
    by: str


class ShiftNoteWritten(Event, frozen=True):
    """A member of the pit wrote a note for the next shift."""

    words: str
    by: str
