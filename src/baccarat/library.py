"""The public `RuleCard`, `Game` and `Shoe`: a game's rules, exact figures, shoes, settlement and
simulation on one object.

>>> from baccarat import load
>>> game = load("punto-banco").game(decks=6)
>>> game
<Game punto-banco, 6 decks, 5 bets>
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from baccarat import loader
from baccarat.analysis.edges import Analysis, Effects, analyse, effects_of_removal
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core import rulecard
from baccarat.core.cards import Card
from baccarat.core.coup import Coup, Deal, deal_coup
from baccarat.core.money import Rounding
from baccarat.core.settlement import Settled, settle
from baccarat.core.wagers import Refusal, Wager, refusals
from baccarat.loader.findings import Finding
from baccarat.shoe import Shoe as LiveShoe
from baccarat.shoe import ShoeRules, shuffled

if TYPE_CHECKING:
    from baccarat.analysis.audit import CardAudit
    from baccarat.analysis.mid_coup import Chances
    from baccarat.simulation.run import Simulation
    from baccarat.wording.rules import Section


class RuleCard(rulecard.RuleCard):
    """A house's game as data; `game` chooses values for what the rule card leaves open."""

    def game(
        self, /, *, readings: Mapping[str, str] | None = None, **parameters: Fraction | str | int
    ) -> "Game":
        """Return the game with these parameters and readings; those not given take the card's
        defaults."""
        return Game.of(self, parameters, readings)


@dataclass(frozen=True, repr=False)
class Game(rulecard.Game):
    """A rule card with its parameters and readings chosen, and everything that can be done with
    it."""

    __hash__ = rulecard.Game.__hash__

    def edge(self, bet: str) -> Fraction:
        """Return the exact house edge of a bet on a full shoe."""
        return self.analyse()[bet].edge

    def analyse(
        self,
        *,
        removed: Iterable[Card] = (),
        stake: int | None = None,
        rounding: Rounding | None = None,
    ) -> Analysis:
        """Return the exact figures of every bet.

        The shoe is full except for the removed cards. If a stake in coins is given, its payouts are
        rounded by the policy `rounding`.
        """
        return analyse(self, remaining_shoe(self, removed), stake=stake, rounding=rounding)

    def chances(
        self,
        *,
        player: Sequence[Card] = (),
        banker: Sequence[Card] = (),
        removed: Sequence[Card] = (),
    ) -> "Chances":
        """Return the chance of each result and the expectation of each bet, given the cards dealt
        so far."""
        from baccarat.analysis.mid_coup import chances  # slow to import

        return chances(self, player=player, banker=banker, removed=removed)

    def effects_of_removal(self, *, removed: Iterable[Card] = (), by_suit: bool = False) -> Effects:
        """Return, for each bet and rank, how the expectation changes if one card of that rank is
        removed; with `by_suit`, for each of the 52 cards, such as "9d"."""
        return effects_of_removal(self, remaining_shoe(self, removed), by_suit=by_suit)

    def rules(self, *, language: str = "en") -> "tuple[Section, ...]":
        """Return all the rules in words, section by section."""
        from baccarat.wording.rules import rules_in_words  # slow to import

        return rules_in_words(self, language=language)

    def start_coup(self) -> Deal:
        """Return a coup before its first card; deal it card by card with `give`."""
        return Deal(self.tableau)

    def deal_coup(self, cards: Iterable[Card]) -> Coup:
        """Deal one whole coup, taking only as many cards from `cards` as the coup needs."""
        return deal_coup(self.tableau, cards)

    def shoe(self, *, seed: int) -> "Shoe":
        """Return a shuffled shoe, dealt as at a live table; the same seed gives the same shoe."""
        return Shoe(self, seed)

    def refusals(self, stakes: Mapping[str, int]) -> list[Refusal]:
        """Return every reason why these stakes (bet id to coins) are not accepted together."""
        return refusals(self, _wagers(stakes))

    def settle(self, coup: Coup, stakes: Mapping[str, int]) -> tuple[Settled, ...]:
        """Settle stakes (bet id to coins) on a finished coup.

        A stake that could not be paid exactly if it won is refused, even if the bet loses. Limits
        and combinations are not checked here: `refusals` returns what a table would not accept.
        """
        return settle(self, coup, _wagers(stakes))

    def simulate(
        self, *, shoes: int, seed: int, threads: int | None = None, cluster: str | None = None
    ) -> "Simulation":
        """Simulate whole shoes, dealt as at a live table. Needs the extra `lab`.

        The same seed gives the same result on any number of threads and on a cluster. `cluster` is
        the address of a Dask scheduler and needs the extra `cluster`.
        """
        from baccarat.simulation.execution import Execution, simulate
        from baccarat.simulation.run import Run

        run = Run(self, ShoeRules(self.decks), seed, shoes)
        return simulate(run, Execution(threads=threads, cluster=cluster))


class Shoe(LiveShoe):
    """One shuffled shoe of a game, dealt down to its cut card as at a live table."""

    def __init__(self, game: Game, seed: int) -> None:
        order = shuffled(decks=game.decks, randomness=Random(seed))  # noqa: S311  (no real money)
        super().__init__(order, ShoeRules(game.decks))
        self._game = game

    def __repr__(self) -> str:
        return f"<Shoe {self._game.card.id}, {self.left} cards left>"

    @property
    def left(self) -> int:
        """Number of cards still in the shoe, including those behind the cut card."""
        return self.progress.left

    @property
    def burned(self) -> int:
        """Number of cards burned before the first coup."""
        return self.progress.burned

    def coups(self) -> Iterator[Coup]:
        """Deal the remaining coups, one by one."""
        return self.deal_coups(self._game.tableau)


def load(card: str | Path) -> RuleCard:
    """Load a built-in rule card by its id, or any rule card by the path of its file."""
    loaded = loader.load(card)
    return RuleCard(**{field.name: getattr(loaded, field.name) for field in fields(loaded)})


def check(card: str | Path) -> list[Finding]:
    """Return all faults of a rule card, as `baccarat check` prints them."""
    checked = loader.read_card(card)
    check_soundness(checked)
    return checked.findings


def check_soundness(checked: loader.Checked) -> None:
    """Add to the findings those faults of the rule card that only exact figures reveal."""
    from baccarat.analysis.soundness import unsound_bets  # slow to import

    if checked.draft is not None and (card := checked.draft.card()) is not None:
        checked.add_faults_of_bets(unsound_bets(card))


def audit(card: rulecard.RuleCard) -> "CardAudit":
    """Check every printed figure of a rule card, and try every reading of every ambiguity."""
    from baccarat.analysis import audit as audits  # slow to import

    sisters = dict.fromkeys(name for found in card.ambiguities for name in found.sisters)
    return audits.audit(card, {name: loader.load(name) for name in sisters})


def _wagers(stakes: Mapping[str, int]) -> list[Wager]:
    return [Wager(bet, stake) for bet, stake in stakes.items()]
