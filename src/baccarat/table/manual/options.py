"""The choices of a dealer when a coup is irregular: remedies, computed and in words.

Choices are in the order in which a console numbers them. Each way to put the cards right is tried
on the functions that carry out the commands, so that no choice is offered that would be refused.
Nothing is chosen here.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.cards import Card, total
from baccarat.core.misdeals import Wrong, name, perfect
from baccarat.core.tableau import Hand
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.manual.checks import irregular, meant
from baccarat.table.manual.corrections import needs_pit, rectified, rectify
from baccarat.table.manual.decisions import CONDUCT
from baccarat.table.manual.state import CardShoe
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.table.settings import Excess
from baccarat.table.state import TableState


class Do(StrEnum):
    """What a choice does."""

    RECTIFY = "rectify"
    """These cards left the shoe, in this order."""
    TELL_AGAIN = "tell-again"
    """The card in this place was reported wrongly, and is reported again."""
    EXPLAIN = "explain"
    """What the card reported by a device was."""
    CANCEL = "cancel"
    """The round has no result."""


@dataclass(frozen=True)
class Choice:
    """A choice of the dealer."""

    do: Do
    words: str
    drawn: tuple[Card, ...] | None = None
    place: int | None = None
    """The card's number in the coup, from 1."""
    was: e.CardWas | None = None
    takes_two: bool = False


_WAS = {
    e.CardWas.DRAWN: "It was drawn and is the next card of the coup",
    e.CardWas.EXPOSED: "It was exposed and is burned",
    e.CardWas.BURNED: "It is the card that had to be burned",
    e.CardWas.MISTAKE: "The device made a mistake: no such card left the shoe",
}


def choices(state: TableState) -> tuple[Choice, ...]:
    """Return what can be done about the cards on the table; empty if nothing is wrong with them.

    A card in doubt comes first, because it may belong to the coup.
    """
    if state.manual.doubts:
        return tuple(_explaining(state))
    found, shoe = irregular(state), state.manual.shoe
    unconfirmed = state.manual.mistaken and state.round.cards and meant(state).deal.over
    if not (found or unconfirmed) or shoe is None:
        return ()
    cards = tuple(card for _, card in state.round.cards)
    cannot_be = (one.place for one in found if one.kind in (Wrong.IMPOSSIBLE, Wrong.NOT_NEXT))
    again = next(cannot_be, len(cards))
    return (
        *_rectifying(state, shoe, _orders(shoe, cards)),
        Choice(
            Do.TELL_AGAIN,
            f"{cards[again - 1].face()} was entered wrongly: enter card {again} again",
            place=again,
        ),
        Choice(Do.CANCEL, "It cannot be put right: cancel the round"),
    )


def _explaining(state: TableState) -> Iterator[Choice]:
    card = state.manual.doubts[0].card
    for was, words in _WAS.items():
        command = c.ExplainCard(state.manual.dealer, card, was)
        with suppress(Refused):
            CONDUCT[c.ExplainCard](state, command, state.at)
            yield Choice(Do.EXPLAIN, words, drawn=(card,), was=was)


def _orders(shoe: CardShoe, cards: tuple[Card, ...]) -> Iterator[tuple[tuple[Card, ...], str]]:
    """Yield each order in which the cards may have left the shoe, and what was then misreported.

    Where the cards taken back earlier do not match these, either these were misread or the cards
    taken back came first.
    """
    yield cards, ""
    due = [(at, card) for at, card in enumerate(shoe.known[: len(cards)]) if card is not None]
    wrong = [(at, card) for at, card in due if cards[at] != card]
    if wrong:
        meant = dict(wrong)
        misread = ", ".join(f"{cards[at].face()} was {card.face()}" for at, card in wrong)
        yield tuple(meant.get(at, card) for at, card in enumerate(cards)), f"{misread}. "
        first = wrong[0][0]
        back = [card for card in shoe.known[first:] if card is not None]
        missing = " ".join(card.face() for card in back)
        in_front = (*cards[:first], *back, *cards[first:])  # they go in front of what was drawn
        yield in_front, f"{missing} came before {cards[first].face()}. "


def _rectifying(
    state: TableState, shoe: CardShoe, orders: Iterable[tuple[tuple[Card, ...], str]]
) -> Iterator[Choice]:
    for drawn, why in orders:
        try:
            rectify(state, c.RectifyCoup(state.manual.dealer, drawn), state.at)
            event = rectified(state, shoe, drawn, state.at)
        except Refused:
            continue
        two = needs_pit(state, event)
        words = why + _in_words(state, event) + (" (the pit must confirm it)" if two else "")
        yield Choice(Do.RECTIFY, words, drawn=drawn, takes_two=two)


def _in_words(state: TableState, event: e.CoupRectified) -> str:
    """Return the outcome in words: both hands, and where an excess card goes."""
    deal = perfect(game_of(state.rules).tableau, event.drawn).deal
    hands = f"{_hand(Hand.PLAYER, deal.player)}; {_hand(Hand.BANKER, deal.banker)}"
    if not event.excess:
        return f"Reconstruct: {hands}"
    cards = " ".join(card.face() for card in event.excess)
    back = event.goes is Excess.RETURNED
    where = "next in the shoe, next coup without bets" if back else "burned"
    return f"Take back {cards} ({where}): {hands}"


def _hand(hand: Hand, cards: Sequence[Card]) -> str:
    faces = " ".join(card.face() for card in cards)
    return f"{name(hand)} {faces} ({total(cards)})" if cards else f"{name(hand)} without cards"
