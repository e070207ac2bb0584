"""Shoes of real cards, and settled rounds dealt from them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile

from baccarat.auditor.books import Body
from baccarat.auditor.coups import DECK
from baccarat.auditor.disputes import Seen
from baccarat.auditor.real_cards.readings import Readings
from baccarat.auditor.rules import Rules

RECONSTRUCTION = '"reconstruction":true'
"""Text in the rules that allows an excess card to go back into the shoe."""


CUT_OFF = '"errors_until_next_coup":true'
"""Text in the rules that makes results final at the first card of the next coup."""


@dataclass
class RealShoe:
    """A shoe of real cards, as recorded in the journal."""

    name: str = ""
    decks: int = 0
    rules: str = ""
    order: list[str | None] = field(default_factory=list)
    """Cards that have left the shoe, in order; None for a card that was face down."""
    begin: int = 0
    """Index in `order` at which the current coup begins."""
    known: list[str | None] = field(default_factory=list)
    """Cards that must be drawn in this coup, from its first card on, because they were taken back;
    None in places where any card may come."""
    dealing: bool = False
    """Whether a coup is in progress."""
    owed: int = 0
    """Number of cards that must be burned before the next bets, because as many were recorded and
    then taken back."""
    closed: bool = False
    shuffler: bool = False
    """Whether the cards go back into a shuffling machine after every coup."""
    burned: tuple[int, int, list[str], int] | None = None
    """The last burned cards: their index in `order`, their number, the faces that were shown, and
    the least number that had to be burned."""
    first_card: bool = False
    """Whether the last burn followed a shuffle, so that its first card may decide the number."""
    readings: Readings = field(default_factory=Readings)
    coups: int = 0
    """Number of coups that have ended."""
    cut_after: int | None = None
    """Number of complete coups when the cut card came out; None if it is not out."""

    @property
    def full_decks(self) -> Counter[str]:
        return Counter(dict.fromkeys(DECK, self.decks))

    def seen_from(self, start: int) -> Seen:
        """Return the cards from an index up to the first unseen card.

        Also return whether no more of them will become known.
        """
        drawn = len(self.order) - self.begin if self.dealing else 0
        left = self.order[start:]
        known = takewhile(bool, [*left, *self.known[drawn:]])
        return list(filter(None, known)), None in left or self.closed

    def burn(self, count: int, shown: list[str]) -> None:
        faces = [*(shown or self.known[:count])]
        faces += [None] * (count - len(faces))
        self.order += faces
        self.readings.enter(faces)
        self.known = self.known[count:]

    def begin_coup(self) -> None:
        self.begin, self.dealing = len(self.order), True

    def end_coup(self, cards: int) -> None:
        self.known, self.dealing = self.known[cards:], False
        self.coups += bool(cards)

    def refilled(self) -> "RealShoe":
        """Return the shoe for the next coup, after a shuffling machine has taken all cards back."""
        if not self.shuffler:
            return self
        self.closed = True
        next_shoe = RealShoe(self.name, self.decks, self.rules, owed=self.owed, shuffler=True)
        next_shoe.readings, next_shoe.coups = self.readings, self.coups
        return next_shoe

    def rectify(self, taken: list[str], excess: list[str], goes: str) -> None:
        """Update the shoe after a rectified coup kept the cards `taken` and gave up `excess`."""
        burned, back = _where(excess, goes)
        recorded = len(self.order) - self.begin
        self.readings.change(recorded, [*taken, *excess])
        self.order = [*self.order[: self.begin], *burned, *taken]
        self.begin += len(burned)
        held = [*self.known[: len(taken)], *[None] * (len(taken) - len(self.known))]
        self.known = [*held, *back, *self.known[len(taken) + len(excess) :]]

    def excess_goes(self, house_rule: object) -> str:
        """Return where an excess card goes: "returned" or "burned"."""
        return "returned" if house_rule == "returned" and RECONSTRUCTION in self.rules else "burned"


@dataclass
class CorrectableRound:
    """A settled round, kept while it can be corrected or is disputed."""

    game: Rules
    wagers: dict[str, Body]
    results: dict[str, Body]
    shoe: RealShoe
    start: int
    """Index in the shoe's `order` at which the round's cards begin."""
    cards: list[str]
    dealers: set[str]
    number: int
    cut_off: bool
    """Whether errors can be reported only until the first card of the next coup."""
    followed: bool = False
    """Whether another coup has begun since."""
    in_time: bool = True
    """Whether errors can still be reported."""

    def seen(self) -> Seen:
        """Return the coup's cards and the known cards after them.

        Also return whether no more cards will become known.
        """
        behind, final = self.shoe.seen_from(self.start + len(self.cards))
        return [*self.cards, *behind], final

    def reorder(
        self, kept: list[str], excess: list[str], goes: str, others: Iterable["CorrectableRound"]
    ) -> None:
        """Replace the coup's cards with the corrected ones, and shift later rounds of the shoe."""
        shoe, size = self.shoe, len(self.cards)
        burned, back = _where(excess, goes)
        more, follow = kept[size:], self.following()
        shoe.order = [*shoe.order[: self.start], *burned, *kept, *follow[len(more) :]]
        shift = len(burned) + len(kept[:size]) - size
        for other in {id(other): other for other in others}.values():
            if other.shoe is shoe and other.start > self.start:
                other.start += shift
        shoe.begin += shift if shoe.begin > self.start else len(burned)
        shoe.known = [*back, *shoe.known[max(len(more) - len(follow), 0) :]]
        self.start, self.cards = self.start + len(burned), kept

    def following(self) -> list[str | None]:
        """Return the cards that have left the shoe after the cards of this round."""
        return self.shoe.order[self.start + len(self.cards) :]


def _where(excess: list[str], goes: str) -> tuple[list[str], list[str]]:
    """Return the excess cards that are burned, and those that go back into the shoe."""
    return (excess, []) if goes == "burned" else ([], excess)


@dataclass
class Coup:
    """A round dealt by hand."""

    bets: bool = True
    """Whether wagers are accepted."""
    exposed: int = 0
    """Number of cards that were shown early since the round was opened."""
    drawn: list[tuple[str | None, str]] = field(default_factory=list)
    """The hand and the face of each card, in the order of drawing."""
    sent: list[bool] = field(default_factory=list)
    """For each card, whether a device sent exactly the recorded card."""
    dealers: set[str] = field(default_factory=set)
    known: bool = False
    """Whether the cards have ever made a complete coup, announced or not."""
    considered: bool = False
    """Whether someone has stated why the round cannot be rectified."""
    reported: bool = False
    """Whether a device has reported a card of the round after "no more bets"."""
    mistaken: bool = False
    """Whether the dealer rejected or moved a device's card without the pit confirming the coup."""

    @property
    def cards(self) -> list[str]:
        return [card for _, card in self.drawn]

    def differs_from_device(self, drawn: list[str]) -> bool:
        """Return whether `drawn` changes a card that a device sent."""
        recorded = self.cards
        return any(
            device and drawn[at : at + 1] != recorded[at : at + 1]
            for at, device in enumerate(self.sent)
        )
