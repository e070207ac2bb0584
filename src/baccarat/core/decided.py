"""Which bets the cards on the table have decided already, whatever comes next.

In goes a coup in the making, out come the bets that pay the same on every way it can end, and what
they pay. Cards that may still come are taken from all 52, those used up included: a bet is called
decided only if it is so beyond doubt. The one rule: what no card can change is decided.
"""

from collections.abc import Iterable
from fractions import Fraction

from baccarat.core.cards import RANKS, SUITS, Card
from baccarat.core.coup import Coup, Deal
from baccarat.core.rulecard import Game
from baccarat.core.tableau import Hand

_BY_POINTS = tuple(Card(rank, SUITS[0]) for rank in RANKS[:10])
"""One card for each number of points: of a third card, nothing else counts."""


def decided(game: Game, deal: Deal) -> dict[str, Fraction]:
    """Bet to what it pays; bets that a card can still change are left out."""
    if len(deal.player) < 2:
        return {}  # nothing that a bet can ask for is settled by two cards
    found: dict[str, set[Fraction]] = {}
    for coup in _endings(deal):
        for bet, pays in game.pay_table.pays(coup).items():
            found.setdefault(bet, set()).add(pays)
    return {bet: pays.pop() for bet, pays in found.items() if len(pays) == 1}


def _endings(deal: Deal) -> Iterable[Coup]:
    """A coup of every kind that this deal can become."""
    if deal.over:
        yield deal.coup
        return
    second = deal.turn.hand is Hand.BANKER and len(deal.banker) == 1
    for card in _second(deal.banker[0]) if second else _BY_POINTS:
        yield from _endings(deal.give(card))


def _second(first: Card) -> Iterable[Card]:
    """A second card of a hand: every rank, and the first card's also in its own suit."""
    other = SUITS[1] if first.suit == SUITS[0] else SUITS[0]
    yield from (Card(rank, other) for rank in RANKS)
    if first.suit is not None:
        yield first
