"""What can go wrong, in words a person can act on.

Every message names the offending value and says what would be right.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class BaccaratError(Exception):
    """Base of every error this package raises on purpose."""


class CardError(BaccaratError):
    """A string that is no card, or a card that the shoe does not hold."""


class GameError(BaccaratError):
    """A parameter, reading or bet that the rule card does not have or does not allow."""


class DealError(BaccaratError):
    """A card given after the coup was over, a coup without enough cards, a misdealt notation."""


def nearest(name: str, names: Iterable[str]) -> str:
    """' (did you mean …?)' for a misspelt name, or nothing when none is close."""
    close = get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def one_of(names: Iterable[str]) -> str:
    """'a, b or c': the allowed values, for the end of a message."""
    *most, last = list(names) or ["nothing"]
    return f"{', '.join(most)} or {last}" if most else last
