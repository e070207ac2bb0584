"""How much of a shoe has been dealt, without knowing its cards: burn, cut card, remaining coups.

A `Progress` is an immutable value: every step returns the next state.
"""

from dataclasses import dataclass, replace

from baccarat.core.errors import DealError
from baccarat.shoe.rules import ShoeRules


@dataclass(frozen=True)
class Progress:
    """The state of a shoe between two cards."""

    rules: ShoeRules
    burned: int = 0
    taken: int = 0
    """Number of cards dealt to coups, not counting burned cards."""
    coups: int = 0
    """Number of coups that have ended."""
    cut_card_out: bool = False
    coups_to_come: int | None = None
    """Number of coups still to be dealt; None until the coup in which the cut card came out has
    ended. Always known for a shuffler."""

    @property
    def size(self) -> int:
        """Number of cards in the shoe when it was new."""
        return self.rules.size

    @property
    def cut(self) -> int:
        """Number of cards behind the cut card; 0 for a shuffler."""
        return self.rules.cut

    @property
    def place(self) -> int:
        """Index, from 0, of the next card in the shoe."""
        return self.burned + self.taken

    @property
    def left(self) -> int:
        """Number of cards still in the shoe, including those behind the cut card."""
        return self.size - self.place

    @property
    def meets_cut_card(self) -> bool:
        """Whether the cut card comes out before the next card."""
        return not self.cut_card_out and self.place >= self.size - self.cut

    @property
    def last_coup(self) -> bool:
        """Whether the coup being dealt (or, between coups, the next one) is the last."""
        return self.coups_to_come == 1

    @property
    def over(self) -> bool:
        return self.coups_to_come == 0

    def take(self) -> "Progress":
        """Return the state after one card is dealt, and the cut card too if it lies in front of
        that card."""
        if self.over:
            raise DealError(f"the shoe is over after {self.coups} coups: start a new one")
        if not self.left:
            raise DealError(f"the shoe is empty after {self.taken} cards: end_coup was not called")
        out = self.cut_card_out or self.meets_cut_card
        return replace(self, taken=self.taken + 1, cut_card_out=out)

    def end_coup(self) -> "Progress":
        """Return the state after a coup has ended; the shoe is over after the last coup allowed by
        the cut card."""
        if self.over:
            raise DealError(f"the shoe is over after {self.coups} coups: no coup is being dealt")
        after = replace(self, coups=self.coups + 1)
        if self.coups_to_come is not None:
            return replace(after, coups_to_come=self.coups_to_come - 1)
        if self.cut_card_out or self.meets_cut_card:
            to_come = self.rules.coups_after_cut
            return replace(after, cut_card_out=True, coups_to_come=to_come)
        return after


def new_shoe(rules: ShoeRules) -> Progress:
    """Return the progress of a shoe before its burn."""
    return Progress(rules, coups_to_come=1 if rules.is_shuffler else None)
