"""Events of the squeeze: a player turns the cards of their side."""

from baccarat.core.tableau import Hand
from baccarat.shoe.commitment import OpenedCard
from baccarat.table.codec import AccountId, Time
from baccarat.table.events.rounds import OfRound


class SqueezeAsked(OfRound, frozen=True):
    """A player with a bet asked to turn the cards of their side."""

    player: AccountId


class CardOffered(OfRound, frozen=True):
    """The next card was laid face down for the player who turns it; nobody else sees it yet.

    hand: The hand that the card belongs to.
    peek: The card, with its proof.
    until: When the card is dealt face up if the player has not turned it.
    """

    hand: Hand
    player: AccountId
    peek: OpenedCard
    until: Time
