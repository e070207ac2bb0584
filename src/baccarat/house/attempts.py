"""Attempts to sign in: after some wrong passwords in a row, a name is locked where they came from.

Wrong passwords are counted by name and place: an address, or a browser in which the name has
signed in before. So a stranger's guesses lock the stranger out, and not the owner, who is
elsewhere. Against somebody with many addresses they are also counted by name alone, over all places
where the name has not signed in before; once these are too many, only known places are let in.

What is counted is what was typed, whether or not there is such an account, so that a lock tells
nothing; the store keeps digests. Sessions that are open go on. A lock ends by itself, and guesses
while it lasts do not renew it.
"""

from dataclasses import dataclass

MOST = 10
"""Wrong passwords in a row at one place."""
MOST_ANYWHERE = 100
"""Wrong passwords in a row at all places where the name has not signed in before."""
LOCKED_MS = 15 * 60_000
"""How long a lock lasts; wrong passwords longer ago than this no longer count."""
KNOWN_MS = 90 * 24 * 3_600_000
"""How long an address is known after somebody signed in there."""


@dataclass(frozen=True)
class Attempts:
    """Wrong passwords in a row under one name."""

    wrong: int
    at: int
    """When the last of them was."""

    def locked_until(self, now: int, most: int | None = None) -> int | None:
        """When somebody may come in again; None when they may now."""
        until = self.at + LOCKED_MS
        return until if self.wrong >= (most or MOST) and now < until else None


def one_more(known: Attempts | None, now: int) -> Attempts:
    """After another wrong password."""
    counts = known is not None and now < known.at + LOCKED_MS
    return Attempts(known.wrong + 1 if known and counts else 1, now)
