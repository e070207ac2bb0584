"""The dealer: from the step that is due and the shoe's secret to the command that takes it.

In go a state, the sealed shoe (which only the driving server can read) and the epoch; out comes a
command. `new_shoe` makes the secret, with randomness that is handed in and that has never seen a
wager. The one rule: of the secret, a command holds the one card that is dealt, and no more until
the shoe ends.
"""

from collections.abc import MutableSequence
from typing import Protocol

from baccarat.core.cards import Card
from baccarat.shoe import shuffled
from baccarat.shoe.commitment import ID_SIZE, KEY_SIZE, OpenedCard, SealedShoe
from baccarat.shoe.contributions import dealing_order
from baccarat.table import commands as c
from baccarat.table.decide import terms_of
from baccarat.table.pace import Do, Step
from baccarat.table.phases import NotNow
from baccarat.table.rules import game_of
from baccarat.table.settings import Settings
from baccarat.table.state import TableState


class Randomness(Protocol):
    """`random.SystemRandom` in a house, `random.Random` in a test."""

    def shuffle(self, cards: MutableSequence[Card], /) -> None: ...

    def randbytes(self, n: int, /) -> bytes: ...


def new_shoe(settings: Settings, randomness: Randomness) -> SealedShoe:
    """A shoe for a table of these settings."""
    terms = terms_of(settings, randomness.randbytes(ID_SIZE))
    order = shuffled(decks=game_of(settings.rules).decks, randomness=randomness)
    return SealedShoe(terms, order, randomness.randbytes(KEY_SIZE))


def command_for(step: Step, state: TableState, shoe: SealedShoe, *, epoch: int) -> c.Driven:
    """The command that takes a step; for COMMIT_SHOE the shoe is a new one."""
    match step.do:
        case Do.COMMIT_SHOE:
            return c.CommitShoe(epoch, shoe.terms, shoe.root)
        case Do.CLOSE_CONTRIBUTIONS:
            return c.CloseContributions(epoch)
        case Do.READY_SHOE:
            return c.ReadyShoe(epoch)
        case Do.BURN_CARDS:
            return c.BurnCards(epoch, _card_at(0, state, shoe))
        case Do.OPEN_ROUND:
            return c.OpenRound(epoch)
        case Do.CLOSE_BETTING:
            return c.CloseBetting(epoch)
        case Do.DEAL_CARD:
            place = state.shoe.progress.place if state.shoe else 0
            return c.DealCard(epoch, _card_at(place, state, shoe))
        case Do.SETTLE_ROUND:
            return c.SettleRound(epoch)
        case Do.END_SHOE:
            return c.EndShoe(epoch, shoe.key, shoe.order)


def _card_at(place: int, state: TableState, shoe: SealedShoe) -> OpenedCard:
    if state.shoe is None or state.shoe.seed is None or state.shoe.root != shoe.root:
        raise NotNow("this is not the shoe at the table: open the one that was committed to")
    return shoe.open(dealing_order(state.shoe.seed, shoe.terms.cards)[place])
