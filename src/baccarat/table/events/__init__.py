"""Events of a table: plain values with names in the past tense and a canonical form.

The journal contains only events, and a table's state follows from them. Events contain only what is
public: a card once it is dealt, and the rest of the shoe when the shoe ends. The exception is a
card that a player may turn, which only that player sees before it is dealt. Events caused by a
dealer at a table with real cards contain the dealer's name. An event that has been written never
changes its meaning; a new meaning needs a new event or a new version.
"""

from typing import Union

from baccarat.table.codec import Decoder
from baccarat.table.codec import encode as encode
from baccarat.table.events import real_cards, rounds, squeeze
from baccarat.table.events.base import *
from baccarat.table.events.real_cards import *
from baccarat.table.events.rounds import *
from baccarat.table.events.squeeze import *
from baccarat.table.four_eyes.terms import CancelReason as CancelReason

EVENTS: dict[str, type[Event]] = {
    name: kind
    for name, kind in (vars(rounds) | vars(squeeze) | vars(real_cards)).items()
    if isinstance(kind, type) and issubclass(kind, Event) and kind not in (Event, OfRound)
}
"""Every event class, by its name."""


_EVENTS: Decoder[Event] = Decoder(Union[tuple(EVENTS.values())])  # noqa: UP007


def decode(data: bytes) -> Event:
    """Return the event with these canonical bytes; raise NotCanonical for any other bytes."""
    return _EVENTS.decode(data)
