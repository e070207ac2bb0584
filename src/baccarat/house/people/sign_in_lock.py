"""Locks sign-ins for a name after too many wrong passwords in a row.

Wrong passwords are counted by name and place. A place is an IP address, or a browser in which the
name has signed in before. So an attacker's guesses lock out the attacker, not the owner, who is
elsewhere. Against attackers with many addresses, wrong passwords are also counted by name alone,
over all places where the name has not signed in before. Once there are too many, only known places
may sign in.

Wrong passwords are counted for the name as typed, whether or not such an account exists, so a lock
reveals nothing; the store keeps only digests. Open sessions continue. A lock expires by itself, and
attempts during a lock do not extend it.
"""

from dataclasses import dataclass
from typing import NamedTuple

MAX_WRONG = 10
"""Number of wrong passwords in a row at which one place is locked."""
MAX_ANYWHERE = 100
"""Number of wrong passwords in a row at which all unknown places are locked."""
LOCKED_MS = 15 * 60_000
"""How long a lock lasts; a count is also reset after this time without a wrong password."""
KNOWN_MS = 90 * 24 * 3_600_000
"""How long an address counts as known after a sign-in from it."""


@dataclass(frozen=True)
class Attempts:
    """Wrong passwords in a row under one name."""

    wrong: int
    at: int
    """Time of the last wrong password."""

    def locked_until(self, now: int, most: int | None = None) -> int | None:
        """Return when the lock ends, or None if there is no lock now."""
        until = self.at + LOCKED_MS
        return until if self.wrong >= (most or MAX_WRONG) and now < until else None


def count_wrong_password(known: Attempts | None, now: int) -> Attempts:
    """Return the count after another wrong password."""
    counts = known is not None and now < known.at + LOCKED_MS
    return Attempts(known.wrong + 1 if known and counts else 1, now)


class OpenSession(NamedTuple):
    """A session in its owner's list; the signed cookie decides whether the session is valid."""

    digest: str
    account: str
    begun: int
    seen: int
    """Time of the last request, accurate to a few minutes."""
    address: str
    """Truncated IP address."""
    agent: str
    """Short description of the browser or API client."""
