"""Misdeals: what a dealer did with the cards, against what the tableau means.

In go the cards in the order in which they left the shoe, each with the hand it was put with; out
come the irregularities, in words, and the coup that a perfect dealer makes of the same cards. The
one rule: the order in which cards leave the shoe is what counts. Where they were put can be put
right, so a rectified coup is always the one that this order gives.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.cards import Card
from baccarat.core.coup import Deal
from baccarat.core.tableau import Hand, Tableau, Turn

Placed = tuple[Hand | None, Card]
"""A card and the hand it was put with; None where nobody said (a shoe that reports its cards)."""


class Wrong(StrEnum):
    """What can be wrong with cards on a table."""

    WRONG_SIDE = "wrong-side"
    """A card lies with the other hand than the one it was meant for."""
    SWAPPED = "swapped"
    """Two cards lie in each other's place."""
    EXTRA = "extra"
    """A card was drawn when the coup was over."""
    MISSING = "missing"
    """The end was announced while a hand is due a card."""
    IMPOSSIBLE = "impossible"
    """There are no more such cards in so many decks."""
    NOT_NEXT = "not-next"
    """Another card than the one that was taken back and comes first."""
    EXPOSED = "exposed"
    """A card was shown before "no more bets"."""
    IN_DOUBT = "in-doubt"
    """A device told a card where none was due, and nobody has said yet what it was."""


@dataclass(frozen=True)
class Irregularity:
    """Something wrong, and where."""

    kind: Wrong
    place: int
    """The card's number in the coup, from 1."""
    words: str
    """What is wrong, and what would be right."""


@dataclass(frozen=True)
class Perfect:
    """What a perfect dealer makes of cards in the order of drawing."""

    deal: Deal
    turns: tuple[Turn, ...]
    """For each card that the coup takes: whose it is, and why."""
    excess: tuple[Card, ...]
    """Cards drawn when the coup was over."""

    @property
    def placed(self) -> tuple[Placed, ...]:
        """The cards of the coup, where they belong."""
        hands = {Hand.PLAYER: iter(self.deal.player), Hand.BANKER: iter(self.deal.banker)}
        return tuple((turn.hand, next(hands[turn.hand])) for turn in self.turns if turn.hand)


def perfect(tableau: Tableau, cards: Iterable[Card]) -> Perfect:
    """Deal cards as the tableau says, as far as they go."""
    deal, turns, excess = Deal(tableau), [], []
    for card in cards:
        if deal.over:
            excess.append(card)
        else:
            turns.append(deal.turn)
            deal = deal.give(card)
    return Perfect(deal, tuple(turns), tuple(excess))


def irregularities(
    tableau: Tableau, placed: Sequence[Placed], *, ended: bool = False
) -> tuple[Irregularity, ...]:
    """All that is wrong with the cards so far; `ended`: the dealer has announced the end."""
    meant = perfect(tableau, (card for _, card in placed))
    taken = len(meant.turns)
    wrong = [
        place
        for place, ((hand, _), turn) in enumerate(zip(placed, meant.turns, strict=False), start=1)
        if hand not in (None, turn.hand)
    ]
    found = list(_misplaced(placed, meant, wrong))
    for place, card in enumerate(meant.excess, start=taken + 1):
        words = f"{card.face()} is one card too many: {meant.deal.turn.why}. Take it back"
        found.append(Irregularity(Wrong.EXTRA, place, words))
    if ended and not meant.deal.over:
        found.append(missing(meant.deal, taken + 1))
    return tuple(sorted(found, key=lambda one: one.place))


def missing(deal: Deal, place: int) -> Irregularity:
    """The end was announced, and a card is due."""
    words = f"{name(deal.turn.hand)} is due a card: {deal.turn.why}. Draw it"
    return Irregularity(Wrong.MISSING, place, words)


def _misplaced(
    placed: Sequence[Placed], meant: Perfect, wrong: Sequence[int]
) -> Iterable[Irregularity]:
    """Cards on the wrong side: two by two where they took each other's place."""
    alone: list[int] = []
    for place in wrong:
        partner = next(
            (one for one in alone if placed[one - 1][0] is not placed[place - 1][0]), None
        )
        if partner is None:
            alone.append(place)
            continue
        alone.remove(partner)
        one, other = (placed[at - 1][1].face() for at in (partner, place))
        first, second = (name(meant.turns[at - 1].hand) for at in (partner, place))
        words = f"{one} and {other} took each other's place: {one} is {first}'s, {other} {second}'s"
        yield Irregularity(Wrong.SWAPPED, partner, words)
    for place in alone:
        hand, card = placed[place - 1]
        turn = meant.turns[place - 1]
        words = f"{card.face()} was put with {name(hand)} and is {name(turn.hand)}'s: {turn.why}"
        yield Irregularity(Wrong.WRONG_SIDE, place, words)


def name(hand: Hand | None) -> str:
    """A hand as a dealer calls it."""
    return "nobody" if hand is None else hand.value.capitalize()
