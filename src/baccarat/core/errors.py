"""The exceptions of this package, and helpers that build their messages.

Every message names the offending value and says what is allowed instead.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

T = TypeVar("T")


class BaccaratError(Exception):
    """Base class of every error this package raises deliberately."""


class CardError(BaccaratError):
    """Raised for a string that is not a card, or a card that the shoe does not contain."""


class GameError(BaccaratError):
    """Raised for a parameter, reading or bet that the rule card does not have or does not allow."""


class UnknownBetError(GameError, KeyError):
    """Raised for a bet that the game does not have."""

    __str__ = Exception.__str__  # KeyError would put quotes around the message


class DealError(BaccaratError):
    """Raised for a card dealt after the end of a coup, too few cards for a coup, or a coup in
    invalid notation."""


def nearest(name: str, names: Iterable[str]) -> str:
    """Return ' (did you mean …?)' with the closest of `names`, or '' if none is similar."""
    close = get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""


def one_of(names: Iterable[str]) -> str:
    """Join names as 'a, b or c'."""
    return _joined(names, "or")


def all_of(names: Iterable[str]) -> str:
    """Join names as 'a, b and c'."""
    return _joined(names, "and")


def _joined(names: Iterable[str], word: str) -> str:
    *most, last = list(names) or ["nothing"]
    return f"{', '.join(most)} {word} {last}" if most else last


def find(owner: str, kind: str, name: str, known: Mapping[str, T]) -> T:
    """Look up a name in `known`; raise GameError, naming the owner, if it is missing."""
    if name not in known:
        raise GameError(unknown(owner, kind, name, known))
    return known[name]


def unknown(owner: str, kind: str, name: str, known: Iterable[str]) -> str:
    """Return the error message for a name that is not in `known`, with a list of the known
    names."""
    names = list(known)
    choice = f"choose {one_of(names)}" if names else "it has none"
    return f"{owner} has no {kind} {name!r}{nearest(name, names)}: {choice}"
