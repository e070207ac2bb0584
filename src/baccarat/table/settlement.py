"""Computes the results of a round's wagers, for a coup or for a cancelled round.

Each player's wagers are settled with the parameters agreed with that player.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from baccarat.core.coup import Coup, Deal
from baccarat.core.money import net_result
from baccarat.core.rulecard import Game
from baccarat.core.settlement import decided, settle
from baccarat.core.wagers import PlacedWagers, Wager
from baccarat.table import events as e
from baccarat.table.codec import Values
from baccarat.table.rules import game_of

Nets = Callable[[Game, list[Wager]], Iterable[int]]
Made = tuple[Wager, ...]


def results_of(
    rules: str, coup: Coup, wagers: Mapping[str, PlacedWagers]
) -> tuple[e.PlayerResult, ...]:
    """Return each player's results when the wagers are settled by a coup."""
    return _results(rules, wagers, lambda game, made: [bet.net for bet in settle(game, coup, made)])


def stakes_back(rules: str, wagers: Mapping[str, PlacedWagers]) -> tuple[e.PlayerResult, ...]:
    """Return each player's results when all stakes are returned."""
    return _results(rules, wagers, lambda _, made: [0] * len(made))


def stakes_and_sure_wins(
    rules: str, deal: Deal, wagers: Mapping[str, PlacedWagers]
) -> tuple[e.PlayerResult, ...]:
    """Return each player's results when bets that have already won are paid.

    The stakes on all other bets are returned.
    """

    def nets(game: Game, made: list[Wager]) -> Iterable[int]:
        known, rounding = decided(game, deal), game.card.limits.rounding
        for wager in made:
            pays = known.get(wager.bet, Fraction(0))
            yield net_result(wager.stake, pays, rounding) if pays > 0 else 0

    return _results(rules, wagers, nets)


def _results(
    rules: str, wagers: Mapping[str, PlacedWagers], nets: Nets
) -> tuple[e.PlayerResult, ...]:
    alike: dict[Values, set[Made]] = {}  # many players have equal wagers; settle each set once
    for placed in wagers.values():
        alike.setdefault(placed.agreed, set()).add(placed.wagers)
    known: dict[tuple[Values, Made], tuple[e.WagerResult, ...]] = {}
    for agreed, sets in alike.items():
        won = iter(nets(game_of(rules, agreed), [wager for made in sets for wager in made]))
        for made in sets:
            settled = tuple(e.WagerResult(wager.bet, wager.stake, next(won)) for wager in made)
            known[agreed, made] = settled
    return tuple(
        e.PlayerResult(player, known[placed.agreed, placed.wagers], placed.bonus, placed.agreed)
        for player, placed in sorted(wagers.items())
    )
