"""Sign-in attempts: after too many wrong passwords in a row, a name is locked where they came from.

Wrong passwords are counted by name and place: an address, or a browser in which the name has signed
in before. So an attacker's guesses lock out the attacker, not the owner, who is elsewhere. Against
attackers with many addresses, they are also counted by name alone, over all places where the name
has not signed in before; once there are too many, only known places may sign in.

The count is by the name as typed, whether or not such an account exists, so a lock reveals nothing;
the store keeps digests only. Open sessions continue. A lock ends by itself, and attempts while it
lasts do not extend it.
"""

from dataclasses import dataclass
from typing import NamedTuple

MOST = 10
"""Wrong passwords in a row at one place before it is locked."""
MOST_ANYWHERE = 100
"""Wrong passwords in a row at all unknown places together before they are locked."""
LOCKED_MS = 15 * 60_000
"""How long a lock lasts; older wrong passwords do not count."""
KNOWN_MS = 90 * 24 * 3_600_000
"""How long an address counts as known after a sign-in from it."""


@dataclass(frozen=True)
class Attempts:
    """Wrong passwords in a row under one name."""

    wrong: int
    at: int
    """Time of the last one."""

    def locked_until(self, now: int, most: int | None = None) -> int | None:
        """Return when the lock ends, or None if it is not locked now."""
        until = self.at + LOCKED_MS
        return until if self.wrong >= (most or MOST) and now < until else None


def one_more(known: Attempts | None, now: int) -> Attempts:
    """Return the count after another wrong password."""
    counts = known is not None and now < known.at + LOCKED_MS
    return Attempts(known.wrong + 1 if known and counts else 1, now)


class OpenSession(NamedTuple):
    """A session in its owner's list; whether it is valid is decided by its signed cookie."""

    digest: str
    account: str
    begun: int
    seen: int
    """Time of the last request, to within some minutes."""
    address: str
    """Truncated IP address."""
    agent: str
    """Short description of the browser or program."""
