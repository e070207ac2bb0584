"""10⁹ simulated coups against exact analysis, and memory that does not grow with them.

Pearson's chi-square over every combination of what the bets pay, on the coups that every shoe
surely has: later ones are not distributed as from a full shoe, because short coups get more of
them in before the cut card.

python benchmarks/chisquare.py [CARD …]
"""

import resource
import sys
from time import perf_counter

from baccarat import load
from baccarat.analysis.frequencies import fit, payment_chances
from baccarat.core.rulecard import Game
from baccarat.simulation.plan import shoe_plan
from baccarat.simulation.run import Run, simulate

COUPS = 1_000_000_000
CARDS = ("punto-banco-2000", "commission")
SEED = 20_26
SUSPICIOUS = 1e-6


def run_of(game: Game, coups: int) -> Run:
    """As many shoes as surely have so many coups that count."""
    plan = shoe_plan(game)
    return Run(game, plan, SEED, -(-coups // plan.certain_coups), by_place=True)


def peak() -> float:
    """The most memory this process ever had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(cards: list[str]) -> None:
    for card in cards:
        game = load(card).game()
        chances = payment_chances(game)
        simulate(run_of(game, COUPS // 100))  # compiled, and everything that stays is there
        before, started = peak(), perf_counter()
        done = simulate(run_of(game, COUPS))
        seconds, after = perf_counter() - started, peak()
        seen = done.certain_payments
        found = fit(seen, chances)
        told = "  SUSPICIOUS" if found.p_value < SUSPICIOUS else ""
        print(
            f"{card}: {sum(seen.values()):,} coups of {done.coups:,} in {done.tally.shoes:,} shoes"
        )
        print(f"  chi-square {found.statistic:.2f}, {found.freedom} degrees of freedom, ", end="")
        print(f"p = {found.p_value:.4f}{told}")
        print(f"  {seconds:.1f} s, {done.coups / seconds / 1e6:.0f} M coups/s, all cores")
        print(f"  peak memory {before:.1f} MiB at a hundredth of the coups, {after:.1f} MiB at all")


if __name__ == "__main__":
    main(sys.argv[1:] or list(CARDS))
