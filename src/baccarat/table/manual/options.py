"""What a dealer can choose between when a coup is irregular: the remedies, computed and in words.

In goes a state, out come choices in the order in which a console numbers them. Each way to put the
cards right has been asked of `conduct` first, so no choice is offered that would be refused. The
one rule: nothing is chosen here.
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
from baccarat.table.conduct import CONDUCT, irregular, meant, rectified, takes_two
from baccarat.table.floor import CardShoe
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.table.state import TableState


class Do(StrEnum):
    """What a choice does."""

    RECTIFY = "rectify"
    """These cards left the shoe, in this order."""
    TELL_AGAIN = "tell-again"
    """The card in this place was told wrongly: it is told again."""
    EXPLAIN = "explain"
    """This is what the card was that a device told."""
    CANCEL = "cancel"
    """The round has no result."""


@dataclass(frozen=True)
class Choice:
    """One of them."""

    do: Do
    words: str
    drawn: tuple[Card, ...] = ()
    place: int = 0
    """The card's number in the coup, from 1."""
    was: e.CardWas | None = None


_WAS = {
    e.CardWas.DRAWN: "It was drawn: it counts as the next card of the coup",
    e.CardWas.EXPOSED: "It was shown early: it is burned",
    e.CardWas.BURNED: "It is the card that was to be burned",
    e.CardWas.MISTAKE: "The device made a mistake: no such card left the shoe",
}


def choices(state: TableState) -> tuple[Choice, ...]:
    """What can be done about the cards on the table; nothing when nothing is wrong with them.
    A card in doubt comes first: it may be one of theirs."""
    if state.floor.doubts:
        return tuple(_explaining(state))
    found, shoe = irregular(state), state.floor.shoe
    unconfirmed = state.floor.mistaken and state.round.cards and meant(state).deal.over
    if not (found or unconfirmed) or shoe is None:
        return ()
    told = tuple(card for _, card in state.round.cards)
    cannot_be = (one.place for one in found if one.kind in (Wrong.IMPOSSIBLE, Wrong.NOT_NEXT))
    again = next(cannot_be, len(told))
    return (
        *_rectifying(state, shoe, _orders(shoe, told)),
        Choice(
            Do.TELL_AGAIN,
            f"{told[again - 1].face()} was told wrongly: tell card {again} again",
            place=again,
        ),
        Choice(Do.CANCEL, "It cannot be put right: a dummy round, without a result"),
    )


def _explaining(state: TableState) -> Iterator[Choice]:
    card = state.floor.doubts[0].card
    for was, words in _WAS.items():
        command = c.ExplainCard(state.floor.dealer, card, was)
        with suppress(Refused):
            CONDUCT[c.ExplainCard](state, command, state.at)
            yield Choice(Do.EXPLAIN, words, drawn=(card,), was=was)


def _orders(shoe: CardShoe, told: tuple[Card, ...]) -> Iterator[tuple[tuple[Card, ...], str]]:
    """Orders in which the cards may have left the shoe, and what was wrong with the telling then:
    as told, or with what was taken back."""
    yield told, ""
    due = [(at, card) for at, card in enumerate(shoe.known[: len(told)]) if card is not None]
    wrong = [(at, card) for at, card in due if told[at] != card]
    if wrong:
        meant = dict(wrong)
        mistold = ", ".join(f"{told[at].face()} was {card.face()}" for at, card in wrong)
        yield tuple(meant.get(at, card) for at, card in enumerate(told)), f"{mistold}. "
        first = wrong[0][0]
        back = [card for card in shoe.known[first:] if card is not None]
        untold = " ".join(card.face() for card in back)
        in_front = (*told[:first], *back, *told[first:])  # it goes in front of what was drawn
        yield in_front, f"{untold} came before {told[first].face()}. "


def _rectifying(
    state: TableState, shoe: CardShoe, orders: Iterable[tuple[tuple[Card, ...], str]]
) -> Iterator[Choice]:
    for drawn, why in orders:
        try:
            CONDUCT[c.RectifyCoup](state, c.RectifyCoup(state.floor.dealer, drawn), state.at)
            event = rectified(state, shoe, drawn, state.at)
        except Refused:
            continue
        two = " (the pit confirms it)" if takes_two(state, event) else ""
        yield Choice(Do.RECTIFY, why + _in_words(state, event) + two, drawn=drawn)


def _in_words(state: TableState, event: e.CoupRectified) -> str:
    """What it comes to: both hands, and where a card in excess goes."""
    deal = perfect(game_of(state.rules).tableau, event.drawn).deal
    hands = f"{_hand(Hand.PLAYER, deal.player)}; {_hand(Hand.BANKER, deal.banker)}"
    if not event.excess:
        return f"Reconstruct: {hands}"
    cards = " ".join(card.face() for card in event.excess)
    where = "next in the shoe, the next coup without bets" if event.goes.goes_back else "burned"
    return f"Take back {cards}, {where}: {hands}"


def _hand(hand: Hand, cards: Sequence[Card]) -> str:
    faces = " ".join(card.face() for card in cards)
    return f"{name(hand)} {faces} ({total(cards)})" if cards else f"{name(hand)} no card"
