"""The PAR sheet of a game (probability accounting report), as test laboratories ask for it.

For each bet, it contains the combinations of every outcome, their probabilities and contributions
to the return, the volatility, how far the measured return may be from the exact one, and the
figures for other numbers of decks. All values are exact, except that square roots are rounded.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from baccarat.analysis.counts import total_sequences
from baccarat.analysis.edges import BetFigures, of_full_shoe, square_root
from baccarat.core.bets import LOSS, Bet, Line
from baccarat.core.rulecard import Game

ROUNDS = (10**4, 10**5, 10**6, 10**7)
QUANTILES = {
    "90%": Fraction("1.6448536270"),
    "95%": Fraction("1.9599639845"),
    "99%": Fraction("2.5758293035"),
}
"""Number of standard deviations around the mean that contain this share of a normal
distribution."""
VOLATILITY_CONFIDENCE = "90%"
"""The confidence level by which the volatility index is defined."""
BERRY_ESSEEN = Fraction("0.4748")
"""Constant of the Berry-Esseen theorem for identically distributed results (Shevtsova, 2011)."""
DIGITS = 12
"""Number of decimals of square roots."""
MAX_DECKS = 8
"""The largest shoe in the table by number of decks; numbers that the rule card does not allow are
left out."""


@dataclass(frozen=True)
class Outcome:
    """One of the ways in which a bet can end: one of its lines decides, or it loses."""

    line: Line | None
    """The line that decides; None for a loss."""
    combinations: int
    """Number of ordered six-card sequences with this outcome."""
    probability: Fraction

    @property
    def pays(self) -> Fraction:
        """Net win per unit staked."""
        return self.line.pays if self.line else LOSS

    @property
    def contribution(self) -> Fraction:
        """Contribution to the bettor's expected net win."""
        return self.pays * self.probability

    @property
    def returned(self) -> Fraction:
        """Contribution to the return to player, which includes the stake."""
        return (1 + self.pays) * self.probability


@dataclass(frozen=True)
class Band:
    """The range that contains the mean return of a number of rounds with a given confidence.

    The result of many rounds is approximately normal. `error` bounds how far the true confidence
    may be from the nominal one.
    """

    rounds: int
    confidence: str
    low: Fraction
    high: Fraction
    error: Fraction


@dataclass(frozen=True)
class ByDecks:
    """The main figures of a bet for a number of decks."""

    decks: int
    edge: Fraction
    hit: Fraction
    variance: Fraction


@dataclass(frozen=True)
class BetSheet:
    """The part of a PAR sheet about one bet."""

    figures: BetFigures
    outcomes: tuple[Outcome, ...]
    by_decks: tuple[ByDecks, ...]

    @property
    def bet(self) -> Bet:
        return self.figures.bet

    @property
    def volatility_index(self) -> Fraction:
        """The standard deviation of one round times the 90% quantile."""
        return QUANTILES[VOLATILITY_CONFIDENCE] * self.figures.standard_deviation(DIGITS)

    @property
    def bands(self) -> Iterator[Band]:
        """The confidence bands for each number of rounds and each level of confidence."""
        mean = self.figures.return_to_player
        for rounds in ROUNDS:
            deviation = square_root(self.figures.variance / rounds, DIGITS)
            error = min(Fraction(1), 2 * self._distance_from_normal(rounds))
            for confidence, quantile in QUANTILES.items():
                half = quantile * deviation
                yield Band(rounds, confidence, mean - half, mean + half, error)

    def _distance_from_normal(self, rounds: int) -> Fraction:
        """Return a bound on the difference between the distribution functions of the mean of this
        many results and of a normal variable (Berry-Esseen)."""
        mean, variance = self.figures.expectation, self.figures.variance
        if not variance:
            return Fraction(0)
        third = sum(
            (abs(pay - mean) ** 3 * chance for pay, chance in self.figures.distribution),
            Fraction(0),
        )
        return BERRY_ESSEEN * third / square_root(variance**3 * rounds, DIGITS)


@dataclass(frozen=True)
class ParSheet:
    """The PAR sheet of a game."""

    game: Game
    cards: int
    """Number of cards in the shoe."""
    total: int
    """Number of ordered six-card sequences."""
    bets: tuple[BetSheet, ...]


def par_sheet_of(game: Game) -> ParSheet:
    """Return the PAR sheet of a game."""
    analysis = of_full_shoe(game)
    outcomes = _outcomes(game)
    decks = [_with_decks(game, number) for number in _numbers_of_decks(game)]
    bets = tuple(
        BetSheet(
            figures,
            outcomes[name],
            tuple(_by_decks(other, of_full_shoe(other)[name]) for other in decks),
        )
        for name, figures in analysis.items()
    )
    return ParSheet(game, analysis.shoe.size, total_sequences(analysis.shoe.size), bets)


def _outcomes(game: Game) -> dict[str, tuple[Outcome, ...]]:
    """Return the outcomes of each bet.

    Lines that pay the same are counted separately, by analysing a game in which line n pays n.
    """
    numbered = replace(game, bets=tuple(map(_numbered, game.bets)))
    analysis = of_full_shoe(numbered)
    found = {}
    for bet in game.bets:
        chances = dict(analysis[bet.id].distribution)
        ways = [
            (line, chances.get(Fraction(n), Fraction(0))) for n, line in enumerate(bet.lines, 1)
        ]
        found[bet.id] = tuple(
            Outcome(line, int(chance * analysis.total), chance)
            for line, chance in (*ways, (None, chances.get(LOSS, Fraction(0))))
        )
    return found


def _numbered(bet: Bet) -> Bet:
    lines = (replace(line, pays=Fraction(n)) for n, line in enumerate(bet.lines, 1))
    return replace(bet, lines=tuple(lines))


def _numbers_of_decks(game: Game) -> Iterator[int]:
    decks = game.card.parameters["decks"]
    for number in range(1, MAX_DECKS + 1):
        if decks.minimum <= number <= decks.maximum:
            yield number


def _with_decks(game: Game, decks: int) -> Game:
    return Game.of(game.card, {**game.parameters, "decks": decks}, game.readings)


def _by_decks(game: Game, figures: BetFigures) -> ByDecks:
    return ByDecks(game.decks, figures.edge, figures.hit, figures.variance)
