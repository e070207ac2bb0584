"""Settlement: what each wager of a finished coup is paid, to the coin.

The house's result is computed as the negative of the player's, so a settlement always sums to zero.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from baccarat.core.cards import RANKS, SUITS, Card
from baccarat.core.coup import Coup, Deal
from baccarat.core.errors import GameError
from baccarat.core.facts import Shape
from baccarat.core.money import net_result
from baccarat.core.paytable import Outcomes
from baccarat.core.rulecard import Game
from baccarat.core.tableau import Hand
from baccarat.core.wagers import Wager, unpayable


@dataclass(frozen=True, slots=True)
class Settled:
    """One wager and its result."""

    wager: Wager
    net: int
    """The player's net win on this wager in coins; negative for a loss."""

    @property
    def returned(self) -> int:
        """Coins paid back to the player: stake and winnings, the stake alone, or nothing."""
        return self.wager.stake + self.net

    @property
    def house(self) -> int:
        """The house's net win on this wager in coins."""
        return -self.net

    @property
    def outcome(self) -> str:
        """'wins', 'stand-off' or 'loses'."""
        return "wins" if self.net > 0 else "loses" if self.net < 0 else "stand-off"


def settle(game: Game, coup: Coup, wagers: Iterable[Wager]) -> tuple[Settled, ...]:
    """Settle wagers by the game's pay table, with payouts rounded as the rule card declares.

    A stake that could not be paid exactly if it won is refused, even if the wager loses. Limits are
    not checked here, because they are checked when wagers are accepted.
    """
    pays = game.pay_table.pays(coup)
    rounding = game.card.limits.rounding
    settled = []
    for wager in wagers:
        pay = pays[game.bet(wager.bet).id]
        if refusal := unpayable(game.offers[wager.bet], wager.stake):
            raise GameError(refusal.words)
        settled.append(Settled(wager, net_result(wager.stake, pay, rounding)))
    return tuple(settled)


_BY_POINTS = tuple(Card(rank, SUITS[0]) for rank in RANKS[:10])
"""One card for each number of points; plain bets depend on nothing else about a third card."""


def decided(game: Game, deal: Deal) -> dict[str, Fraction]:
    """Return what each bet pays if the cards dealt so far already decide it; other bets are
    omitted."""
    if len(deal.player) < 2:
        return {}  # no bet is decided before the player's second card
    table, found = game.pay_table, dict[str, set[Fraction]]()
    plain = [group for group in table.groups if not group.hand_classes]
    for coup in _endings(deal) if plain else ():
        for bet, pays in table.pays(coup, plain).items():
            found.setdefault(bet, set()).add(pays)
    for group in table.groups:
        for outcome in _possible_outcomes(group, deal):
            for i, pay in zip(group.bets, group.pays[outcome], strict=True):
                found.setdefault(game.bets[i].id, set()).add(pay)
    return {bet: pays.pop() for bet, pays in found.items() if len(pays) == 1}


def _possible_outcomes(group: Outcomes, deal: Deal) -> set[int]:
    """Return the outcomes that a group of hand bets can still have; none for other groups."""
    classes = group.hand_classes
    if classes is None:
        return set()
    player, banker = (
        {(hand.start, hand.third, hand.kind) for hand in side.beginning(side.types_of(cards))}
        for side, cards in (
            (classes.hands.player, deal.player),
            (classes.hands.banker, deal.banker),
        )
    )
    found = set()
    for (p, x, kind), (b, y, other) in product(player, banker):
        place = classes.index.get(Shape(p, b, x, y))
        if place is not None:
            found.add(group.by_kinds[classes.hands.sign[kind][other]][place])
    return found


def _endings(deal: Deal) -> Iterable[Coup]:
    """Yield one example of every kind of coup that this deal can end in, for plain bets."""
    if deal.over:
        yield deal.coup
        return
    second = deal.turn.hand is Hand.BANKER and len(deal.banker) == 1
    for card in _second(deal.banker[0]) if second else _BY_POINTS:
        yield from _endings(deal.give(card))


def _second(first: Card) -> Iterable[Card]:
    """Yield candidates for a hand's second card.

    The candidates are every rank in a suit other than the first card's, then the first card itself
    if its suit is known.
    """
    other = SUITS[1] if first.suit == SUITS[0] else SUITS[0]
    yield from (Card(rank, other) for rank in RANKS)
    if first.suit is not None:
        yield first
