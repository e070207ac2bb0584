"""A coup: one deal, from first card to result.

`Deal` goes card by card and can be asked at any moment who gets the next one and why;
`deal_coup` runs it to the end. A finished `Coup` is a value, with a one-line notation
(`P:5hKd3c=8 B:7s2h=9`) that parses back.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from baccarat.core.cards import Card, parse_cards, total
from baccarat.core.errors import DealError
from baccarat.core.tableau import Hand, Tableau, Turn

_NOTATION = re.compile(r"P:(?P<player>\S+)=(?P<p>\d) B:(?P<banker>\S+)=(?P<b>\d)")
_EXAMPLE = "a coup is written P:5hKd3c=8 B:7s2h=9, two or three cards a hand, each with its total"


@dataclass(frozen=True, slots=True)
class Coup:
    """The cards of both hands when no more are drawn."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]

    @property
    def player_total(self) -> int:
        return total(self.player)

    @property
    def banker_total(self) -> int:
        return total(self.banker)

    @property
    def winner(self) -> str:
        """'player', 'banker' or 'tie': the hand nearer nine."""
        if self.player_total == self.banker_total:
            return "tie"
        return "player" if self.player_total > self.banker_total else "banker"

    def face(self) -> str:
        """The coup for people: Player 5♥ K♦ 3♣ (8), Banker 7♠ 2♥ (9)."""
        player, banker = (
            f"{' '.join(card.face() for card in hand)} ({total(hand)})"
            for hand in (self.player, self.banker)
        )
        return f"Player {player}, Banker {banker}"

    def __str__(self) -> str:
        player, banker = ("".join(map(str, hand)) for hand in (self.player, self.banker))
        return f"P:{player}={self.player_total} B:{banker}={self.banker_total}"


def parse_coup(text: str) -> Coup:
    """The inverse of `str(coup)`; refuses a total that its cards do not make."""
    match = _NOTATION.fullmatch(text.strip())
    if match is None:
        raise DealError(f"{text[:60]!r} is no coup: {_EXAMPLE}")
    coup = Coup(parse_cards(match["player"]), parse_cards(match["banker"]))
    for name, hand, written in (("P", coup.player, match["p"]), ("B", coup.banker, match["b"])):
        if not 2 <= len(hand) <= 3:
            raise DealError(f"{text[:60]!r}: {name} has {len(hand)} cards; {_EXAMPLE}")
        if total(hand) != int(written):
            raise DealError(f"{text[:60]!r}: {name} says {written}, its cards make {total(hand)}")
    return coup


@dataclass(frozen=True)
class Deal:
    """A coup in the making. Giving a card returns the next state; nothing is ever changed."""

    tableau: Tableau
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    @cached_property
    def turn(self) -> Turn:
        """Who gets the next card, and why; its hand is None when the coup is over."""
        return self.tableau.turn(
            [card.points for card in self.player], [card.points for card in self.banker]
        )

    @property
    def over(self) -> bool:
        return self.turn.hand is None

    def give(self, card: Card) -> "Deal":
        """The next card goes to whoever is due one."""
        if self.turn.hand is None:
            raise DealError(f"{card} is one card too many: {self.turn.why}")
        if self.turn.hand is Hand.PLAYER:
            return Deal(self.tableau, (*self.player, card), self.banker)
        return Deal(self.tableau, self.player, (*self.banker, card))

    @property
    def coup(self) -> Coup:
        """The finished coup."""
        if self.turn.hand is not None:
            raise DealError(f"the coup is not over: {self.turn.hand} is due a card")
        return Coup(self.player, self.banker)


def deal_coup(tableau: Tableau, cards: Iterable[Card]) -> Coup:
    """Deal one whole coup, taking from `cards` only what it needs."""
    deal, source = Deal(tableau), iter(cards)
    while not deal.over:
        card = next(source, None)
        if card is None:
            given = len(deal.player) + len(deal.banker)
            raise DealError(f"the cards ran out after {given}: {deal.turn.hand} is due one more")
        deal = deal.give(card)
    return deal.coup
