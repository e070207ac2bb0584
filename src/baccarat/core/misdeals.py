"""Misdeals: the cards on the table compared with what the tableau requires.

Only the order in which cards leave the shoe matters. A card placed with the wrong hand can be
moved, so the correct coup is the one that results from dealing in this order by the tableau.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from baccarat.core.cards import Card
from baccarat.core.coup import Deal
from baccarat.core.tableau import Hand, Tableau, Turn, TurnReason


class PlacedCard(NamedTuple):
    """A card on the table."""

    hand: Hand | None
    """The hand the card was placed with; None if unknown, as with a device that reports only
    cards."""
    card: Card


class IrregularityKind(StrEnum):
    """Kinds of irregularity in the cards on a table."""

    WRONG_SIDE = "wrong-side"
    """A card is with the wrong hand."""
    SWAPPED = "swapped"
    """Two cards are in each other's places."""
    EXTRA = "extra"
    """A card was drawn after the coup was over."""
    MISSING = "missing"
    """The coup was announced as over while a hand was still due a card."""
    IMPOSSIBLE = "impossible"
    """More copies of a card were dealt than the decks contain."""
    NOT_NEXT = "not-next"
    """A card was dealt ahead of one that was taken back and must be dealt first."""
    EXPOSED = "exposed"
    """A card was exposed before "no more bets"."""
    IN_DOUBT = "in-doubt"
    """A device reported a card when none was due, and nobody has explained it yet."""


@dataclass(frozen=True)
class Irregularity:
    """One irregularity; `wording.dealing` puts it into words.

    place: The card's number in the coup, from 1; 0 outside a coup.
    card: The card concerned; None if a card is missing.
    others: The card it was swapped with, or the cards taken back that must be dealt first.
    hand: The hand that the card belongs to, or that is due a card.
    reason: Why that hand gets the card, or why no card follows.
    """

    kind: IrregularityKind
    place: int
    card: Card | None
    others: tuple[Card, ...] = ()
    hand: Hand | None = None
    reason: TurnReason | None = None


@dataclass(frozen=True)
class CorrectDeal:
    """The result of dealing cards, in the order in which they were drawn, as the tableau
    requires."""

    deal: Deal
    turns: tuple[Turn, ...]
    """For each card of the coup: which hand it belongs to, and why."""
    excess: tuple[Card, ...]
    """Cards drawn after the coup was over."""

    @property
    def placed(self) -> tuple[PlacedCard, ...]:
        """The cards of the coup, each with the hand it belongs to."""
        hands = {Hand.PLAYER: iter(self.deal.player), Hand.BANKER: iter(self.deal.banker)}
        return tuple(
            PlacedCard(turn.hand, next(hands[turn.hand])) for turn in self.turns if turn.hand
        )


def deal_correctly(tableau: Tableau, cards: Iterable[Card]) -> CorrectDeal:
    """Deal all the cards as the tableau requires; cards drawn after the coup is over are excess."""
    deal, turns, excess = Deal(tableau), [], []
    for card in cards:
        if deal.over:
            excess.append(card)
        else:
            turns.append(deal.turn)
            deal = deal.give(card)
    return CorrectDeal(deal, tuple(turns), tuple(excess))


def irregularities(
    tableau: Tableau, placed: Sequence[PlacedCard], *, ended: bool = False
) -> tuple[Irregularity, ...]:
    """Return every irregularity so far; `ended` means the dealer announced the coup as over."""
    correct = deal_correctly(tableau, (put.card for put in placed))
    taken = len(correct.turns)
    found = list(_misplaced(placed, correct))
    over = correct.deal.turn.reason
    found += [
        Irregularity(IrregularityKind.EXTRA, place, card, reason=over)
        for place, card in enumerate(correct.excess, start=taken + 1)
    ]
    if ended and not correct.deal.over:
        found.append(missing(correct.deal, taken + 1))
    return tuple(sorted(found, key=lambda wrong: wrong.place))


def missing(deal: Deal, place: int) -> Irregularity:
    """Return the irregularity for a coup that was announced as over while a card was due."""
    turn = deal.turn
    return Irregularity(IrregularityKind.MISSING, place, None, hand=turn.hand, reason=turn.reason)


def _misplaced(placed: Sequence[PlacedCard], correct: CorrectDeal) -> Iterable[Irregularity]:
    """Yield the misplaced cards; two cards in each other's places are reported as one swap."""
    unmatched: list[tuple[int, PlacedCard, Turn]] = []
    for place, (put, turn) in enumerate(zip(placed, correct.turns, strict=False), start=1):
        if put.hand in (None, turn.hand):
            continue
        partner = next((wrong for wrong in unmatched if wrong[1].hand is not put.hand), None)
        if partner is None:
            unmatched.append((place, put, turn))
            continue
        unmatched.remove(partner)
        first_place, first, first_turn = partner
        others = (put.card,)
        yield Irregularity(
            IrregularityKind.SWAPPED, first_place, first.card, others, first_turn.hand
        )
    for place, put, turn in unmatched:
        yield Irregularity(IrregularityKind.WRONG_SIDE, place, put.card, (), turn.hand, turn.reason)
