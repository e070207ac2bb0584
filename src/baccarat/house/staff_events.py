"""Events of the house about its staff and the floor: assignments, second factors, alerts, notes.

They are part of the house's journal, and follow the same rules as the events in `house.events`.
"""

from baccarat.table.events import Event


class StaffAssigned(Event, frozen=True):
    """A member of staff was assigned to these tables, instead of those before."""

    account: str
    tables: tuple[str, ...]
    """The tables' ids; empty if the person may work at every table."""
    by: str
