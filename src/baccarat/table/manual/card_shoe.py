"""A shoe of real cards: what has left it, what must be burned, and when it is over."""

from dataclasses import dataclass, replace

import msgspec

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.shoe import Burn
from baccarat.shoe.commitment import Hex
from baccarat.shoe.scanned import CardsOut
from baccarat.table import events as e
from baccarat.table.manual.readings import NOTHING_READ, Readings
from baccarat.table.phases import InvalidTransition
from baccarat.table.settings import Excess, Settings


@dataclass(frozen=True)
class LastBurn:
    """The last cards that were burned from a shoe; they can be corrected."""

    event: e.BurnedByHand
    start: int
    """Index in the shoe's `out` at which these cards begin."""
    least: int
    """Number of cards that had to be burned, whatever the first card was."""

    @property
    def end(self) -> int:
        return self.start + self.event.count


@dataclass(frozen=True)
class CardShoe:
    """A shoe of real cards."""

    shoe: Hex
    rules: str
    """Canonical content of the rules, which later changes to the settings do not affect."""
    decks: int
    shuffler: bool = False
    """Whether the cards are in a shuffling machine and go back into it after every coup."""
    deck_set: str = ""
    """The deck set that fills the shoe; empty if it was not recorded."""
    out: CardsOut = ()
    """Cards that have left the shoe, in order; None for a card that was face down."""
    start: int = 0
    """Index in `out` at which the current or the last coup begins."""
    known: CardsOut = ()
    """Cards that must be drawn in this coup, from its first card on, because they were taken back;
    None in places where any card may come."""
    burn_due: e.BurnReason | None = None
    owed: int = 0
    """Number of cards that were reported and then taken back. They may be the next cards, so
    the same number of cards must be burned before more bets are taken."""
    last_burn: LastBurn | None = None
    readings: Readings = NOTHING_READ
    cut_card_out: bool = False
    cut_after: int = 0
    """Number of complete coups when the cut card came out."""
    coups: int = 0
    coups_to_come: int | None = None
    """Number of coups still to be dealt; None until the cut card is out and its coup has ended."""

    def dealt(self, shoe: Hex) -> bool:
        """Return whether `out` contains the cards of the past rounds of a shoe."""
        return self.shoe == shoe and not self.shuffler

    @property
    def next_known(self) -> bool:
        """Whether the face of a card that is still in the shoe is known."""
        return any(card is not None for card in self.known)

    @property
    def burns(self) -> int:
        """Number of cards to burn when a burn is due; after a shuffle, more may be required.

        The cards in `known` are burned too, because owed cards may lie behind them.
        """
        return self.owed + len(self.known) if self.owed else 1

    @property
    def left(self) -> int:
        """Number of cards still in the shoe."""
        return self.decks * DECK_SIZE - len(self.out)

    @property
    def mostly_left(self) -> bool:
        """Whether more than half of the cards are still in the shoe."""
        return self.left > len(self.out)

    @property
    def over(self) -> bool:
        return self.coups_to_come == 0


def new_shoe(event: e.ShoeBegun, settings: Settings, owed: int) -> CardShoe:
    burns = settings.burn is not Burn.NONE and not event.shuffler
    due = e.BurnReason.AFTER_SHUFFLE if owed or burns else None
    facts = (event.shoe, settings.rules, event.decks, event.shuffler, event.deck_set)
    return CardShoe(*facts, burn_due=due, owed=owed)


def with_burn_due(shoe: CardShoe, cards: int) -> CardShoe:
    """Return a shoe from which this many more cards must be burned before more bets are taken.

    Cards were reported and then taken back, so they may be the next cards.
    """
    due = shoe.burn_due or e.BurnReason.TAKEN_BACK
    return replace(shoe, burn_due=due, owed=shoe.owed + cards) if cards > 0 else shoe


def after_burn(shoe: CardShoe, event: e.BurnedByHand) -> CardShoe:
    """Return the shoe after cards were burned.

    Cards that were taken back are burned first, and their faces are known although they lie face
    down. If a different card is exposed, the cards that were taken back are still the next ones.
    """
    if event.reason is e.BurnReason.EXPOSED and shoe.known[:1] not in ((), (None,), event.shown):
        last, readings = LastBurn(event, len(shoe.out), 1), shoe.readings.after_entry(event.shown)
        return replace(shoe, out=(*shoe.out, *event.shown), last_burn=last, readings=readings)
    faces: list[Card | None] = [*(event.shown or shoe.known[: event.count])]
    faces += [None] * (event.count - len(faces))
    early = event.reason is e.BurnReason.EXPOSED
    last = LastBurn(event, len(shoe.out), 1 if early else shoe.burns)
    due, owed = (shoe.burn_due, shoe.owed) if early else (None, 0)
    known = shoe.known[event.count :]
    shoe = replace(shoe, readings=shoe.readings.after_entry(tuple(faces)))
    return replace(
        shoe, out=(*shoe.out, *faces), known=known, burn_due=due, owed=owed, last_burn=last
    )


def after_burn_correction(shoe: CardShoe, event: e.BurnCorrected) -> CardShoe:
    """Return the shoe after the faces or the number of the cards burned last were corrected."""
    last = shoe.last_burn
    if last is None:
        raise InvalidTransition("no burned cards can be corrected")
    faces = (*event.shown, *[None] * (event.count - len(event.shown)))
    burn = msgspec.structs.replace(last.event, count=event.count, shown=event.shown)
    out = (*shoe.out[: last.start], *faces, *shoe.out[last.end :])
    readings = shoe.readings
    if len(shoe.out) == last.end:
        readings = readings.after_change(last.event.count, faces)
    return replace(shoe, out=out, readings=readings, last_burn=replace(last, event=burn))


def after_rectification(shoe: CardShoe, event: e.CoupRectified) -> CardShoe:
    """Return the shoe after a coup was rectified.

    A burned excess card is inserted before the coup, so that the coup's cards stay together.
    """
    drawn = event.drawn[: len(event.hands)]
    burned = event.excess if event.goes is Excess.BURNED else ()
    back = event.excess if event.goes is Excess.RETURNED else ()
    reported = len(drawn) - len(shoe.known)  # places without a known card
    shoe = with_burn_due(shoe, len(event.recorded) - len(event.drawn))
    before, behind = shoe.known[: len(drawn)], shoe.known[len(event.drawn) :]
    return replace(
        shoe,
        readings=shoe.readings.after_change(len(event.recorded), event.drawn),
        out=(*shoe.out[: shoe.start], *burned, *drawn),
        start=shoe.start + len(burned),
        known=(*before, *[None] * reported, *back, *behind),
    )


def after_coup(shoe: CardShoe, cards: int) -> CardShoe:
    """Return the shoe after a coup; the coup after the one with the cut card is the last.

    A shuffling machine takes all cards back.
    """
    if shoe.shuffler:
        return replace(shoe, coups=shoe.coups + 1, out=(), start=0, known=(), last_burn=None)
    shoe = replace(shoe, coups=shoe.coups + 1, known=shoe.known[cards:])
    if shoe.coups_to_come is not None:
        return replace(shoe, coups_to_come=shoe.coups_to_come - 1)
    return replace(shoe, coups_to_come=1) if shoe.cut_card_out else shoe
