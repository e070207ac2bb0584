"""A coup: one deal, from first card to result.

`Deal` takes one card at a time and always knows which hand gets the next card and why; `deal_coup`
deals a whole coup. A finished `Coup` is a value with a one-line notation (`P:5hKd3c=8 B:7s2h=9`)
that `parse_coup` reads back.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from baccarat.core.cards import Card, parse_cards, total
from baccarat.core.errors import DealError
from baccarat.core.tableau import Hand, Tableau, Turn

_NOTATION = re.compile(r"P:(?P<player>\S+)=(?P<p>\d) B:(?P<banker>\S+)=(?P<b>\d)")
_EXAMPLE = "write it as P:5hKd3c=8 B:7s2h=9, two or three cards in each hand and then its total"


class Winner(StrEnum):
    """The result of a coup."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"

    @staticmethod
    def of(player: int, banker: int) -> "Winner":
        """Return the hand with the higher total, or a tie."""
        return _BY_SIGN[(player > banker) - (player < banker)]

    @property
    def letter(self) -> str:
        """The letter for this result on a road: 'P', 'B' or 'T'."""
        return self.value[0].upper()

    __repr__ = str.__repr__  # so that a dictionary keyed by winner prints plain names


_BY_SIGN = (Winner.TIE, Winner.PLAYER, Winner.BANKER)
"""The winner, indexed by the sign of the difference between the totals: 0, 1 or -1."""


@dataclass(frozen=True, slots=True, repr=False)
class Coup:
    """The cards of both hands of a finished coup."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]

    @property
    def player_total(self) -> int:
        return total(self.player)

    @property
    def banker_total(self) -> int:
        return total(self.banker)

    @property
    def winner(self) -> Winner:
        """The hand with the higher total, or a tie."""
        return Winner.of(self.player_total, self.banker_total)

    def face(self) -> str:
        """Return the coup as displayed, such as 'Player 5♥ K♦ 3♣ (8), Banker 7♠ 2♥ (9)'."""
        player, banker = (
            f"{' '.join(card.face() for card in hand)} ({total(hand)})"
            for hand in (self.player, self.banker)
        )
        return f"Player {player}, Banker {banker}"

    def __repr__(self) -> str:
        return f"<Coup {self}>"

    def __str__(self) -> str:
        player, banker = ("".join(map(str, hand)) for hand in (self.player, self.banker))
        return f"P:{player}={self.player_total} B:{banker}={self.banker_total}"


def parse_coup(text: str) -> Coup:
    """Parse the output of `str(coup)`; raise DealError if a total does not match its cards."""
    match = _NOTATION.fullmatch(text.strip())
    if match is None:
        raise DealError(f"{text[:60]!r} is not a coup: {_EXAMPLE}")
    coup = Coup(parse_cards(match["player"]), parse_cards(match["banker"]))
    for name, hand, written in (("P", coup.player, match["p"]), ("B", coup.banker, match["b"])):
        if not 2 <= len(hand) <= 3:
            raise DealError(f"{text[:60]!r}: {name} has {len(hand)} cards; {_EXAMPLE}")
        if total(hand) != int(written):
            words = f"{name} is written as {written}, but its cards total {total(hand)}"
            raise DealError(f"{text[:60]!r}: {words}")
    return coup


@dataclass(frozen=True)
class Deal:
    """A coup in progress. It is immutable: `give` returns the next state."""

    tableau: Tableau
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    @cached_property
    def turn(self) -> Turn:
        """Which hand gets the next card, and why. The hand is None when the coup is over."""
        return self.tableau.turn(
            [card.points for card in self.player], [card.points for card in self.banker]
        )

    @property
    def over(self) -> bool:
        return self.turn.hand is None

    def give(self, card: Card) -> "Deal":
        """Return the next state, after giving this card to the hand whose turn it is."""
        if self.turn.hand is None:
            raise DealError(f"{card} is one card too many: the coup is over")
        if self.turn.hand is Hand.PLAYER:
            return Deal(self.tableau, (*self.player, card), self.banker)
        return Deal(self.tableau, self.player, (*self.banker, card))

    @property
    def coup(self) -> Coup:
        """The finished coup. Raise DealError if a card is still due."""
        if self.turn.hand is not None:
            raise DealError(f"the coup is not over: {self.turn.hand} is due a card")
        return Coup(self.player, self.banker)


def deal_coup(tableau: Tableau, cards: Iterable[Card]) -> Coup:
    """Deal one whole coup, taking only as many cards from `cards` as the coup needs."""
    deal, source = Deal(tableau), iter(cards)
    while not deal.over:
        card = next(source, None)
        if card is None:
            given = len(deal.player) + len(deal.banker)
            raise DealError(f"the cards ran out after {given}: {deal.turn.hand} is due one more")
        deal = deal.give(card)
    return deal.coup
