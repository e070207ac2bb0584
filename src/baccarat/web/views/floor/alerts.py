"""Views of alerts that someone has seen, notes between shifts, and emergency stops."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from baccarat.house.events import STREAM
from baccarat.house.staff_events import (
    AlertAcknowledged,
    EmergencyStopped,
    ShiftNoteWritten,
    StopExplained,
)
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.web.schema import staff as s

MAX_SEEN = 2_000
"""Number of newest acknowledgements that are read; older ones are of alerts no longer shown."""
NOTES = 8
"""Number of newest notes that are shown; all are in the journal."""
Seen = Mapping[str, s.Acknowledged]


def alert_id(*about: object) -> str:
    """Return the id of an alert or note, from what it is about."""
    return sha256(" ".join(map(str, about)).encode()).hexdigest()[:32]


def names_of(store: SqlStore) -> dict[str, str]:
    """Return the names of the staff by account; names are not in any journal."""
    return {person.account.id: person.account.name for person in history.staff(store)}


def seen(store: SqlStore, names: Mapping[str, str]) -> Seen:
    """Return who was the first to acknowledge each alert or note, by its id."""
    found: dict[str, s.Acknowledged] = {}
    for event in history.newest_events(store, STREAM, AlertAcknowledged, limit=MAX_SEEN):
        found[event.alert] = {"by": names.get(event.by, event.by), "at": event.at}
    return found


def with_ids(alerts: Iterable[Mapping[str, Any]], known: Seen) -> list[s.AlertAtTable]:
    """Return alerts with their ids; those that nobody has seen come first."""
    found: list[s.AlertAtTable] = []
    for alert in alerts:
        name = alert_id(alert["table"], alert["kind"], alert["about"])
        found.append(
            {
                "id": name,
                "kind": alert["kind"],
                "words": alert["words"],
                "table": alert["table"],
                "name": alert["name"],
                "acknowledged": known.get(name),
            }
        )
    return sorted(found, key=lambda alert: alert["acknowledged"] is not None)


def notes(store: SqlStore, names: Mapping[str, str], known: Seen) -> list[s.ShiftNote]:
    """Return the newest notes between shifts."""
    written = history.newest_events(store, STREAM, ShiftNoteWritten, limit=NOTES)
    return [
        {
            "id": (name := alert_id("note", note.at, note.words)),
            "at": note.at,
            "by": names.get(note.by, note.by),
            "words": note.words,
            "acknowledged": known.get(name),
        }
        for note in written
    ]


def last_stop(store: SqlStore, names: Mapping[str, str], *, in_force: bool) -> s.Stop | None:
    """Return the last emergency stop, if it is in force or its reason is missing."""
    stops = history.newest_events(store, STREAM, EmergencyStopped, limit=1)
    if not stops:
        return None
    (stop,) = stops
    reasons = history.newest_events(store, STREAM, StopExplained, limit=1)
    words = next((reason.words for reason in reasons if reason.at >= stop.at), None)
    if words is not None and not in_force:
        return None
    return {"at": stop.at, "by": names.get(stop.by, stop.by), "words": words}
