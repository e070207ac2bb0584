"""Attempts to sign in: after so many wrong passwords in a row, nobody comes in under that name.

What is counted is what was typed, whether or not there is such an account, so that a lock tells
nothing; the store keeps a digest of it. Sessions that are open go on, and a browser in which the
name has signed in before is counted by itself, so nobody is kept out by a stranger's guesses. The
one rule: a lock ends by itself, and guesses while it lasts do not renew it.
"""

from dataclasses import dataclass

MOST = 10
"""Wrong passwords in a row."""
LOCKED_MS = 15 * 60_000
"""For so long; wrong passwords that are so long ago no longer count."""


@dataclass(frozen=True)
class Attempts:
    """Wrong passwords in a row under one name."""

    wrong: int
    at: int
    """When the last of them was."""

    def locked_until(self, now: int) -> int | None:
        """When somebody may come in again; None when they may now."""
        until = self.at + LOCKED_MS
        return until if self.wrong >= MOST and now < until else None


def one_more(known: Attempts | None, now: int) -> Attempts:
    """After another wrong password."""
    counts = known is not None and now < known.at + LOCKED_MS
    return Attempts(known.wrong + 1 if known and counts else 1, now)
