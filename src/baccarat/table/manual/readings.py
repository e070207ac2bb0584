"""What an electronic shoe has read of the cards that left it, and what the dealer has entered.

The shoe numbers the cards that it reads, from 1 for each shoe. Whichever of the two records a card
first, the other one must name the same card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from baccarat.core.cards import Card
from baccarat.shoe.scanned import CardsOut


@dataclass(frozen=True)
class Readings:
    """The readings of an electronic shoe.

    read: Number of cards that the shoe has read.
    unread: Cards that the dealer has entered but the shoe has not read yet, in order; None for a
        card that was face down.
    ahead: Number of cards that the shoe has read but nobody has entered yet.
    """

    read: int = 0
    unread: CardsOut = ()
    ahead: int = 0

    def agrees(self, card: Card) -> bool:
        """Return whether the next card that the shoe reads may be this one."""
        return not self.unread or self.unread[0] in (None, card)

    def after_reading(self) -> "Readings":
        if self.unread:
            return replace(self, read=self.read + 1, unread=self.unread[1:])
        return replace(self, read=self.read + 1, ahead=self.ahead + 1)

    def after_entry(self, faces: CardsOut, *, device: bool = False) -> "Readings":
        """Return the readings after cards were entered, or sent by a device without a number."""
        known = min(self.ahead, len(faces))
        unread = () if device else faces[known:]
        return replace(self, ahead=self.ahead - known, unread=(*self.unread, *unread))

    def after_mistake(self) -> "Readings":
        """Return the readings after a card was explained as a mistake of the shoe."""
        return replace(self, ahead=max(self.ahead - 1, 0))

    def after_change(self, recorded: int, faces: Sequence[Card | None]) -> "Readings":
        """Return the readings after the last `recorded` cards were replaced by other ones."""
        waiting = min(len(self.unread), recorded)
        before = self.unread[: len(self.unread) - waiting]
        return replace(self, unread=(*before, *faces[recorded - waiting :]))


NOTHING_READ = Readings()
