"""Comparison of games: the edges of the bets they share, and the rules in which they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from baccarat.analysis.edges import BetFigures, of_full_shoe
from baccarat.core.rulecard import Game
from baccarat.core.tableau import STOOD, Tableau


@dataclass(frozen=True)
class ComparedBet:
    """A bet, and its figures in each game; bets with the same id count as the same bet."""

    id: str
    name: str
    figures: tuple[BetFigures | None, ...]
    """The figures in each game; None if the game does not offer the bet."""

    @property
    def shared(self) -> bool:
        """Whether every game offers the bet."""
        return None not in self.figures

    @property
    def same_payouts(self) -> bool:
        """Whether the games that offer the bet pay the same for it, under the same conditions."""
        offered = [each.bet for each in self.figures if each is not None]
        rules = {tuple((line.when, line.pays) for line in bet.lines) for bet in offered}
        return len(rules) == 1


@dataclass(frozen=True)
class ComparedCell:
    """A case in which the third-card rules of the games differ."""

    hand: str
    """'player' or 'banker'."""
    total: int
    third: int | None
    """Points of the player's third card, STOOD, or None if the case is the player's own draw."""
    draws: tuple[bool, ...]
    """Whether the hand draws, in each game."""


@dataclass(frozen=True)
class Comparison:
    """Several games side by side."""

    games: tuple[Game, ...]
    bets: tuple[ComparedBet, ...]
    """All bets of the games, beginning with those that every game offers."""
    cells: tuple[ComparedCell, ...]
    parameters: Mapping[str, tuple[Fraction | None, ...]]
    """Parameters whose values differ, with the value in each game; None if a game lacks one."""


def compare(games: Sequence[Game]) -> Comparison:
    """Compare games side by side."""
    analyses = [of_full_shoe(game) for game in games]
    names = {bet.id: bet.name for game in reversed(games) for bet in reversed(game.bets)}
    bets = [
        ComparedBet(id_, names[id_], tuple(analysis.figures.get(id_) for analysis in analyses))
        for id_ in dict.fromkeys(bet.id for game in games for bet in game.bets)
    ]
    bets.sort(key=lambda bet: not bet.shared)
    values = {
        name: tuple(game.parameters.get(name) for game in games)
        for name in dict.fromkeys(name for game in games for name in game.parameters)
    }
    return Comparison(
        tuple(games),
        tuple(bets),
        tuple(_differing_cells([game.tableau for game in games])),
        {name: each for name, each in values.items() if len(set(each)) > 1},
    )


def _differing_cells(tableaux: Sequence[Tableau]) -> list[ComparedCell]:
    """Return the cases in which some tableaux draw and others stand; on a natural, a hand
    stands."""
    cells = []
    for total in range(10):
        draws = tuple(total in t.player_draws - t.naturals for t in tableaux)
        cells.append(ComparedCell("player", total, None, draws))
    for total in range(10):
        for third in (*range(10), STOOD):
            draws = tuple(total not in t.naturals and t.draws(total, third) for t in tableaux)
            cells.append(ComparedCell("banker", total, third, draws))
    return [cell for cell in cells if len(set(cell.draws)) > 1]
