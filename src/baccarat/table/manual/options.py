"""The choices that a dealer has when a coup is irregular, described in the dealer's language.

Choices are in the order in which a console numbers them. Each way to put the cards right is tried
with the functions that carry out the commands, so no choice is offered that would be refused. The
dealer makes the choice.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.cards import Card, total
from baccarat.core.misdeals import IrregularityKind, deal_correctly
from baccarat.core.tableau import Hand
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.manual.card_shoe import CardShoe
from baccarat.table.manual.checks import correct_deal, irregular
from baccarat.table.manual.corrections import needs_pit, rectified, rectify
from baccarat.table.manual.decisions import DECISIONS
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.table.state import TableState
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.dealing import faces


class ChoiceAction(StrEnum):
    """What a choice does."""

    RECTIFY = "rectify"
    """Rectify the coup: `drawn` are the cards that left the shoe, in order."""
    RE_ENTER = "re-enter"
    """Report the card in `place` again, because it was reported wrongly."""
    EXPLAIN = "explain"
    """Explain a card that a device reported; `was` is the explanation."""
    CANCEL = "cancel"
    """Cancel the round."""


@dataclass(frozen=True)
class Choice:
    """One of the dealer's choices."""

    do: ChoiceAction
    words: str
    drawn: tuple[Card, ...] | None = None
    place: int | None = None
    """The card's number in the coup, from 1."""
    was: e.CardExplanation | None = None
    takes_two: bool = False


def choices(state: TableState, t: Catalogue) -> tuple[Choice, ...]:
    """Return the dealer's choices for irregular cards; empty if nothing is wrong.

    A card in doubt must be explained first, because it may belong to the coup.
    """
    if state.manual.doubts:
        return tuple(_explaining(state, t))
    found, shoe = irregular(state), state.manual.shoe
    unconfirmed = state.manual.mistaken and state.round.cards and correct_deal(state).deal.over
    if not (found or unconfirmed) or shoe is None:
        return ()
    cards = state.round.drawn
    cannot_be = (
        one.place
        for one in found
        if one.kind in (IrregularityKind.IMPOSSIBLE, IrregularityKind.NOT_NEXT)
    )
    again = next(cannot_be, len(cards))
    wrongly = t("choice-re-enter", card=cards[again - 1].face(), place=again)
    return (
        *_rectifying(state, shoe, cards, t),
        Choice(ChoiceAction.RE_ENTER, wrongly, place=again),
        Choice(ChoiceAction.CANCEL, t("choice-cancel")),
    )


def _explaining(state: TableState, t: Catalogue) -> Iterator[Choice]:
    card = state.manual.doubts[0].event.card
    for was in e.CardExplanation:
        command = c.ExplainCard(state.manual.dealer, card, was)
        with suppress(Refused):
            DECISIONS[c.ExplainCard](state, command, state.at)
            yield Choice(ChoiceAction.EXPLAIN, t(f"choice-was-{was}"), drawn=(card,), was=was)


def _orders(
    shoe: CardShoe, cards: tuple[Card, ...], t: Catalogue
) -> Iterator[tuple[tuple[Card, ...], list[str]]]:
    """Yield each order in which the cards may have left the shoe, with its errors in words.

    Cards that were taken back earlier had to come first. If the reported cards differ from them,
    either the reported cards were misread, or the cards taken back came first, unreported.
    """
    yield cards, []
    due = [(at, card) for at, card in enumerate(shoe.known[: len(cards)]) if card is not None]
    wrong = [(at, card) for at, card in due if cards[at] != card]
    if wrong:
        meant = dict(wrong)
        misread = [
            t("choice-misread", card=cards[at].face(), was=card.face()) for at, card in wrong
        ]
        yield tuple(meant.get(at, card) for at, card in enumerate(cards)), misread
        first = wrong[0][0]
        back = [card for card in shoe.known[first:] if card is not None]
        in_front = (*cards[:first], *back, *cards[first:])  # `back` came before the others
        yield in_front, [t("choice-came-first", cards=faces(back), card=cards[first].face())]


def _rectifying(
    state: TableState, shoe: CardShoe, cards: tuple[Card, ...], t: Catalogue
) -> Iterator[Choice]:
    for drawn, misreported in _orders(shoe, cards, t):
        try:
            why = " ".join(misreported)
            rectify(state, c.RectifyCoup(state.manual.dealer, drawn, why), state.at)
            event = rectified(state, shoe, drawn, state.at)
        except Refused:
            continue
        two = needs_pit(state, event)
        words = [*misreported, _in_words(state, event, t)]
        if two:
            words.append(t("choice-takes-two"))
        yield Choice(ChoiceAction.RECTIFY, " ".join(words), drawn=drawn, takes_two=two)


def _in_words(state: TableState, event: e.CoupRectified, t: Catalogue) -> str:
    """Return the outcome in words: both hands, and where an excess card goes."""
    deal = deal_correctly(game_of(state.rules).tableau, event.drawn).deal
    hands = "; ".join((_hand(Hand.PLAYER, deal.player, t), _hand(Hand.BANKER, deal.banker, t)))
    if not event.excess:
        return t("choice-reconstruct", hands=hands)
    return t("choice-take-back", cards=faces(event.excess), goes=event.goes, hands=hands)


def _hand(hand: Hand, cards: Sequence[Card], t: Catalogue) -> str:
    key = "choice-hand" if cards else "choice-hand-empty"
    return t(key, hand=t(f"table-{hand}"), cards=faces(cards), total=total(cards))
