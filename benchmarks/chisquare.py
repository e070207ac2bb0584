"""Test 10⁹ simulated coups against exact analysis, and check that memory use is constant.

This is Pearson's chi-square test over every combination of the bets' payouts. It uses only the
coups that even the shortest shoe contains: later coups are not distributed like coups from a full
shoe, because a shoe whose coups use few cards has more coups before the cut card.

python benchmarks/chisquare.py [CARD …]
"""

import resource
import sys
from fractions import Fraction
from time import perf_counter

from baccarat import load
from baccarat.analysis.counts import outcome_chances
from baccarat.analysis.frequencies import fit
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.rulecard import Game
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation.execution import simulate
from baccarat.simulation.run import Run, Simulation

COUPS = 1_000_000_000
CARDS = ("punto-banco-2000", "commission")
SEED = 20_26
SUSPICIOUS = 1e-6


def run_of(game: Game, coups: int) -> Run:
    """Return a run with enough shoes for this many certain coups."""
    rules = ShoeRules(game.decks, burn=Burn.NONE, coups_after_cut=0)
    return Run(game, rules, SEED, -(-coups // rules.certain_coups), by_place=True)


def payment_chances(game: Game) -> dict[tuple[Fraction, ...], Fraction]:
    """Return the chance, on a full shoe, of every combination of the bets' net payments."""
    outcomes = game.pay_table.outcomes(range(len(game.bets)))
    return dict(outcome_chances(game.pay_table, outcomes, remaining_shoe(game)))


def certain_payments(done: Simulation) -> dict[tuple[Fraction, ...], int]:
    """Return how often each combination of net payments occurred among the certain coups."""
    counts: dict[tuple[Fraction, ...], int] = {}
    rows = done.tally.by_place[: done.run.rules.certain_coups]
    for coups, *column in zip(done.run.lookup.classes, *rows, strict=True):
        counts[coups.pays] = counts.get(coups.pays, 0) + sum(column)
    return counts


def peak() -> float:
    """Return the peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(cards: list[str]) -> None:
    for card in cards:
        game = load(card).game()
        chances = payment_chances(game)
        simulate(run_of(game, COUPS // 100))  # compile, and allocate everything that stays
        before, started = peak(), perf_counter()
        done = simulate(run_of(game, COUPS))
        seconds, after = perf_counter() - started, peak()
        seen = certain_payments(done)
        found = fit(seen, chances)
        note = "  SUSPICIOUS" if found.p_value < SUSPICIOUS else ""
        print(
            f"{card}: {sum(seen.values()):,} coups of {done.coups:,} in {done.tally.shoes:,} shoes"
        )
        print(f"  chi-square {found.statistic:.2f}, {found.freedom} degrees of freedom, ", end="")
        print(f"p = {found.p_value:.4f}{note}")
        print(f"  {seconds:.1f} s, {done.coups / seconds / 1e6:.0f} M coups/s, all cores")
        print(f"  peak memory {before:.1f} MiB at a hundredth of the coups, {after:.1f} MiB at all")


if __name__ == "__main__":
    main(sys.argv[1:] or list(CARDS))
