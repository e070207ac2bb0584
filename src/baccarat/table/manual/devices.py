"""Decisions on the cards that an electronic shoe reads.

A card that the dealer has not entered yet is entered for the dealer. If the dealer has entered it,
the two must agree; if they do not, the table is frozen until a member of the pit answers.
"""

from baccarat.core.cards import Card
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.manual import checks
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState


def check_number(state: TableState, command: c.ReadCard) -> None:
    """Raise Refused unless a reading is the next one of its shoe."""
    due = checks.shoe_of(state, command).readings.read + 1
    if command.number != due:
        raise Refused(Code.WRONG_CARD, "reading-number", number=command.number, due=due)


def disagreement(state: TableState, dealer: str, entered: Card, read: Card, now: int) -> e.Events:
    """Return the events that record a disagreement and freeze the table."""
    found = e.ReadingDisputed(now, state.round.number, dealer, entered, read)
    return [found] if state.manual.called else [found, e.FloorCalled(now, dealer)]


def read_otherwise(state: TableState, command: c.PlaceCard) -> Card | None:
    """Return the card that a device read, if a person enters a different one; otherwise None.

    A card entered without a place is compared with all cards of the coup, because some of them
    may have arrived while the person was typing.
    """
    sent = [
        card if device else None
        for card, device in zip(state.round.drawn, state.manual.sent, strict=False)
    ]
    if command.device or not any(sent) or state.round.phase not in checks.ON_THE_TABLE:
        return None
    if command.after is not None:
        late = command.after < state.round.moved_by and sent[-1] is not None
        return sent[-1] if late and command.card not in sent else None
    here = command.round in (state.round.number, None) and command.place is not None
    place = command.place if here and command.place is not None else 0
    read = sent[place - 1] if 0 < place <= len(sent) else None
    return None if read == command.card else read
