"""How a shoe is dealt: its decks, cut card, burn and the coups after the cut card.

The live table, the terminal game, the simulator and its reference implementation all use these
rules. The defaults are defined only here.
"""

from dataclasses import dataclass
from enum import StrEnum

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.core.errors import BaccaratError

MAX_CARDS_IN_COUP = 6
"""Maximum cards in a coup."""


class Burn(StrEnum):
    """The rule for how many cards are discarded, unplayed, before the first coup."""

    NONE = "none"
    ONE = "one"
    """One card is burned, face down."""
    FIRST_CARD = "first-card"
    """The first card is shown, and as many more cards as its value are burned: ace 1, court cards
    10."""

    @property
    def most(self) -> int:
        """The largest number of cards that this rule can burn."""
        return {Burn.NONE: 0, Burn.ONE: 1, Burn.FIRST_CARD: 11}[self]

    def taking(self, first: Card) -> int:
        """Return the number of cards to burn, given the first card of the shoe."""
        return 1 + (first.points or 10) if self is Burn.FIRST_CARD else self.most


CUT = 14
BURN = Burn.FIRST_CARD
COUPS_AFTER_CUT = 1
"""Default number of coups played after the one in which the cut card comes out."""


@dataclass(frozen=True)
class ShoeRules:
    """How a shoe is dealt, from its burn to its last coup.

    The coup in which the cut card comes out is finished, and `coups_after_cut` more are played. If
    a coup ends just before the cut card, it counts as the coup in which the cut card came out. A
    shuffler, which is full again for every coup, is treated as a shoe of one coup; see
    `ShoeRules.shuffler`.
    """

    decks: int
    cut: int = CUT
    """Cards behind the cut card; 0 for a shuffler, which has none."""
    burn: Burn = BURN
    coups_after_cut: int = COUPS_AFTER_CUT

    def __post_init__(self) -> None:
        if self.decks < 1:
            raise BaccaratError(f"a shoe needs at least 1 deck, not {self.decks}")
        if self.is_shuffler and self.burn is Burn.NONE and not self.coups_after_cut:
            return
        least, most = MAX_CARDS_IN_COUP * self.coups_from_cut - 1, self.size - self.burn.most - 1
        if not (self.coups_after_cut >= 0 and least <= self.cut <= most):
            raise BaccaratError(
                f"the cut card must be {least} to {most} cards from the end, not {self.cut} "
                f"({self.size} cards, burn: {self.burn}, coups after the cut card: "
                f"{self.coups_after_cut})"
            )

    @classmethod
    def shuffler(cls, decks: int) -> "ShoeRules":
        """Return the rules of a shuffler: no cut card, no burn, one coup."""
        return cls(decks, 0, Burn.NONE, 0)

    @property
    def is_shuffler(self) -> bool:
        return self.cut == 0

    @property
    def size(self) -> int:
        """Cards in a new shoe."""
        return self.decks * DECK_SIZE

    @property
    def cut_at(self) -> int:
        """Number of cards in front of the cut card; 1 for a shuffler."""
        return 1 if self.is_shuffler else self.size - self.cut

    @property
    def coups_from_cut(self) -> int:
        """Number of coups dealt, from the one in which the cut card comes out to the last."""
        return 1 + self.coups_after_cut

    @property
    def most_dealt(self) -> int:
        """Maximum number of cards that can leave the shoe."""
        return min(self.cut_at - 1 + MAX_CARDS_IN_COUP * self.coups_from_cut, self.size)

    @property
    def certain_coups(self) -> int:
        """Number of coups that every shoe has, even if as many cards as possible are burned and
        every coup takes six.

        Only these coups have the same distribution as the first one: later coups occur only in
        shoes whose coups were short.
        """
        before_cut = (self.cut_at - self.burn.most - 1) // MAX_CARDS_IN_COUP
        return before_cut + self.coups_from_cut

    def __str__(self) -> str:
        if self.is_shuffler:
            return "a shuffler"
        coups = "1 coup" if self.coups_after_cut == 1 else f"{self.coups_after_cut} coups"
        cut = f"cut card {self.cut} cards from the end"
        return f"shoes, {cut}, burn: {self.burn}, {coups} after the cut card"
