"""How far a shoe has run, without its cards: the burn, the cut card, the coups still to come.

In go the number of cards and "a card was taken", "a coup has ended"; out comes what is left and
whether the shoe is over. A value: every step returns the next one. The one rule: the cut card ends
the shoe. The coup in which it comes out is finished, and one more is played; when a coup ends just
before it, it is taken out then, and the next coup is the last.
"""

from dataclasses import dataclass, replace

from baccarat.core.errors import BaccaratError, DealError

MOST_IN_A_COUP = 6
SMALLEST_CUT = 2 * MOST_IN_A_COUP - 1
"""The coup in which the cut card comes out may take five cards from behind it, and one more coup
follows: these two must never run out of cards."""


@dataclass(frozen=True)
class Progress:
    """A shoe between two cards."""

    size: int
    """Cards in the shoe when it was new."""
    cut: int
    """Cards behind the cut card; 0 for a shuffler, which has none."""
    burned: int = 0
    taken: int = 0
    """Cards dealt to coups; burned ones are not among them."""
    coups: int = 0
    """Coups dealt to their end."""
    cut_card_out: bool = False
    coups_to_come: int | None = None
    """Known once the coup in which the cut card came out has ended."""

    @property
    def place(self) -> int:
        """The place, from 0, of the card that comes next."""
        return self.burned + self.taken

    @property
    def left(self) -> int:
        """Cards still in the shoe, those behind the cut card included."""
        return self.size - self.place

    @property
    def meets_cut_card(self) -> bool:
        """Does the cut card come out on the way to the next card?"""
        return not self.cut_card_out and self.place >= self.size - self.cut

    @property
    def last_coup(self) -> bool:
        """Is the coup that comes next, or is being dealt, the last one?"""
        return self.coups_to_come == 1

    @property
    def over(self) -> bool:
        return self.coups_to_come == 0

    def take(self) -> "Progress":
        """One card goes to a coup. The cut card comes out when it is met on the way to it."""
        if self.over:
            raise DealError(f"the shoe is over after {self.coups} coups: start a new one")
        if not self.left:
            raise DealError(f"the shoe is empty after {self.taken} cards: end_coup was not said")
        out = self.cut_card_out or self.meets_cut_card
        return replace(self, taken=self.taken + 1, cut_card_out=out)

    def end_coup(self) -> "Progress":
        """A coup has been dealt to its end: after the cut card, one more, then the shoe is over."""
        if self.over:
            raise DealError(f"the shoe is over after {self.coups} coups: no coup is being dealt")
        after = replace(self, coups=self.coups + 1)
        if self.coups_to_come is not None:
            return replace(after, coups_to_come=self.coups_to_come - 1)
        if self.cut_card_out or self.meets_cut_card:
            return replace(after, cut_card_out=True, coups_to_come=1)
        return after


def new_shoe(*, size: int, cut: int, most_burned: int, burn: str) -> Progress:
    """A shoe before its burn; refused when its cut card leaves no room for two coups."""
    deepest = size - most_burned - 1
    if not SMALLEST_CUT <= cut <= deepest:
        allowed = f"{SMALLEST_CUT} to {deepest} is allowed"
        if deepest < SMALLEST_CUT:
            allowed = f"it needs at least {SMALLEST_CUT + most_burned + 1}"
        raise BaccaratError(
            f"a cut card {cut} cards from the end does not fit a shoe of {size} cards "
            f"(burn: {burn}): {allowed}"
        )
    return Progress(size=size, cut=cut)


def new_shuffler(size: int) -> Progress:
    """A shuffler is full for every coup, and one coup is all it deals before it is full again."""
    return Progress(size=size, cut=0, coups_to_come=1)
