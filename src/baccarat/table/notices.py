"""Notices: what the house's own watch has seen at a table, each written down once.

A watch looks again and again, on every server; what it has seen before causes nothing. The one
rule: a notice decides nothing. People read it, and do what they find right.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from baccarat.table import events as e

MOST_KEPT = 100
"""Of a table; older ones are in the journal."""


@dataclass(frozen=True)
class Notice:
    """What was seen, by a key that says what would be the same."""

    key: str
    at: int
    words: str
    players: tuple[str, ...] = ()


def key_of(event: e.Event) -> str:
    match event:
        case e.PartnersSuspected():
            return f"partners {' '.join(event.players)}"
        case e.ResultUnusual():
            return f"result {event.money} {event.since}"
        case e.DataLost():
            return f"lost {event.words}"
    raise TypeError(f"{type(event).__name__} is no notice")


def notice(standing: Sequence[Notice], event: e.Event) -> Sequence[e.Event]:
    """The event, unless it was noticed before; a group within a known one was, too."""
    key = key_of(event)
    if any(one.key == key for one in standing):
        return []
    if isinstance(event, e.PartnersSuspected):
        group = set(event.players)
        if any(group <= set(one.players) for one in standing):
            return []
    return [event]


def after(standing: tuple[Notice, ...], event: e.Event) -> tuple[Notice, ...]:
    """What is known after one more notice."""
    words = event.words if isinstance(event, e.PartnersSuspected | e.DataLost) else ""
    players = event.players if isinstance(event, e.PartnersSuspected) else ()
    return (*standing[-MOST_KEPT + 1 :], Notice(key_of(event), event.at, words, players))
