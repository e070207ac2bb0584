"""The automatic dealer: builds the command for the step that is due, using the shoe's secret.

Only the driving server can read the sealed shoe. `new_shoe` creates it from the randomness that
is passed in, so it cannot depend on any wager. A command reveals only the card that it deals; the
rest of the secret is revealed when the shoe ends.
"""

from collections.abc import MutableSequence
from typing import Protocol

from baccarat.core.cards import Card
from baccarat.shoe import shuffled
from baccarat.shoe.commitment import ID_SIZE, KEY_SIZE, Hex, OpenedCard, SealedShoe
from baccarat.shoe.contributions import dealing_order
from baccarat.table import commands as c
from baccarat.table.automatic.decisions import terms_of
from baccarat.table.automatic.next_step import Step
from baccarat.table.phases import InvalidTransition
from baccarat.table.rules import game_of
from baccarat.table.settings import Settings
from baccarat.table.state import TableState


class Randomness(Protocol):
    """A random number generator: `random.SystemRandom` in production, `random.Random` in tests."""

    def shuffle(self, cards: MutableSequence[Card], /) -> None: ...

    def randbytes(self, n: int, /) -> bytes: ...


def new_shoe(settings: Settings, randomness: Randomness) -> SealedShoe:
    """Return a newly shuffled shoe for a table with these settings."""
    terms = terms_of(settings, Hex(randomness.randbytes(ID_SIZE)))
    order = shuffled(decks=game_of(settings.rules).decks, randomness=randomness)
    return SealedShoe(terms, order, Hex(randomness.randbytes(KEY_SIZE)))


def command_for(step: Step, state: TableState, shoe: SealedShoe, *, epoch: int) -> c.ServerCommand:
    """Return the command that carries out a step; for CommitShoe, `shoe` is the new shoe."""
    match step.command:
        case c.CommitShoe:
            return c.CommitShoe(epoch, shoe.terms, shoe.root)
        case c.BurnCards:
            return c.BurnCards(epoch, _card_at(0, state, shoe))
        case c.DealCard | c.OfferCard:
            place = state.shoe.progress.place if state.shoe else 0
            return step.command(epoch, _card_at(place, state, shoe))
        case c.EndShoe:
            return c.EndShoe(epoch, shoe.key, shoe.order)
    return step.command(epoch)


def _card_at(place: int, state: TableState, shoe: SealedShoe) -> OpenedCard:
    if state.shoe is None or state.shoe.seed is None or state.shoe.committed.root != shoe.root:
        raise InvalidTransition(
            "this is not the shoe at the table: open the one that was committed to"
        )
    return shoe.open(dealing_order(state.shoe.seed, shoe.terms.cards)[place])
