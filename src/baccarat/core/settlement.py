"""Settlement: what each wager of a finished coup is paid, to the coin.

The house's result is computed as the negative of the player's, so a settlement always sums to zero.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from baccarat.core.cards import RANKS, SUITS, Card
from baccarat.core.coup import Coup, Deal
from baccarat.core.errors import GameError
from baccarat.core.money import net_result
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
"""One card for each number of points, for third cards of which only the points matter."""


def decided(game: Game, deal: Deal) -> dict[str, Fraction]:
    """Return what each bet pays if the cards dealt so far already decide it; other bets are
    omitted."""
    if len(deal.player) < 2:
        return {}  # no bet is decided before the player's second card
    found: dict[str, set[Fraction]] = {bet.id: set() for bet in game.bets}
    for coup in _endings(deal, game.pay_table.examples or _BY_POINTS):
        for bet, pays in game.pay_table.pays(coup).items():
            found[bet].add(pays)
        if all(len(pays) > 1 for pays in found.values()):
            break
    return {bet: pays.pop() for bet, pays in found.items() if len(pays) == 1}


def _endings(deal: Deal, cards: Sequence[Card]) -> Iterator[Coup]:
    """Yield one example of every kind of coup that this deal can end in, if the bets distinguish
    only these third cards."""
    if deal.over:
        yield deal.coup
        return
    candidates = cards
    if deal.turn.hand is Hand.BANKER and len(deal.banker) == 1:
        # With pairs, bets can tell more second cards apart than third cards.
        seconds = tuple(_second(deal.banker[0]))
        candidates = seconds if cards is _BY_POINTS else (*seconds, *cards)
    for card in candidates:
        yield from _endings(deal.give(card), cards)


def _second(first: Card) -> Iterable[Card]:
    """Yield candidates for a hand's second card.

    They are every rank in a suit other than the first card's, then the first card itself if its
    suit is known.
    """
    other = SUITS[1] if first.suit == SUITS[0] else SUITS[0]
    yield from (Card(rank, other) for rank in RANKS)
    if first.suit is not None:
        yield first
