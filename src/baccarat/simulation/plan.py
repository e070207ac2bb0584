"""How the cards of a simulation are dealt: from shoes down to a cut card, or from a shuffler."""

from dataclasses import dataclass

from baccarat.core.cards import DECK_SIZE
from baccarat.core.errors import BaccaratError
from baccarat.core.rulecard import Game
from baccarat.shoe import CUT, Burn

MOST_CARDS = 6
"""A coup takes at most so many."""


@dataclass(frozen=True)
class ShoePlan:
    """Where a shoe begins and ends. A shuffler is a shoe of one coup."""

    decks: int
    cut: int = CUT
    """Cards behind the cut card."""
    burn: Burn = Burn.NONE
    coups_after_cut: int = 0
    """Coups played after the one in which the cut card came out."""
    shuffler: bool = False
    """Full again for every coup: no cut card, no burn."""

    def __post_init__(self) -> None:
        if self.shuffler and self.coups_after_cut:
            raise BaccaratError(
                f"a shuffler deals one coup and has no cut card: {self.coups_after_cut} after it "
                "cannot be (leave coups_after_cut out)"
            )
        reserve = MOST_CARDS * (1 + self.coups_after_cut) - 1
        deepest = self.size - self.burn.most - 1
        if not self.shuffler and not reserve <= self.cut <= deepest:
            raise BaccaratError(
                f"a cut card {self.cut} cards from the end of {self.size} does not work: "
                f"{reserve} to {deepest} is allowed (the last coup must not run out of cards)"
            )

    @property
    def size(self) -> int:
        return self.decks * DECK_SIZE

    @property
    def cut_at(self) -> int:
        """A coup starts while fewer cards than this are gone; 1 for a shuffler: one coup."""
        return 1 if self.shuffler else self.size - self.cut

    @property
    def last_coups(self) -> int:
        """Coups that end with `cut_at` cards gone or more; the shoe ends with the last of them."""
        return 1 + self.coups_after_cut

    @property
    def most_dealt(self) -> int:
        """No more cards than this ever leave the shoe."""
        return min(self.cut_at - 1 + MOST_CARDS * (1 + self.coups_after_cut), self.size)

    @property
    def certain_coups(self) -> int:
        """Coups that every shoe has. Only these are distributed like the first one: with a cut
        card, short coups get more coups in."""
        if self.shuffler:
            return 1
        return (self.cut_at - self.burn.most - 1) // MOST_CARDS + 1 + self.coups_after_cut


def shoe_plan(
    game: Game,
    *,
    cut: int = CUT,
    burn: Burn = Burn.NONE,
    coups_after_cut: int = 0,
    shuffler: bool = False,
) -> ShoePlan:
    """The plan for a game's shoe."""
    return ShoePlan(game.decks, cut, burn, coups_after_cut, shuffler)
