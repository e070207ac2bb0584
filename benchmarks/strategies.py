"""Measure the CPU time per coup of strategies and card counting, relative to the tally loop.

The tally loop deals shoes and counts the outcomes of their coups. A trial of a strategy deals coups
and also bets on them. Each runs on one thread; medians of interleaved rounds are shown.

python benchmarks/strategies.py
"""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import process_time

from baccarat import load
from baccarat.counting.study import study
from baccarat.shoe import ShoeRules
from baccarat.simulation.execution import Execution, run_job
from baccarat.simulation.run import Run
from baccarat.simulation.sessions.strategies import BUILT_IN
from baccarat.simulation.sessions.trial import SessionLimits, Trial

ROUNDS = 5
EXAMPLES = Path(__file__).parent.parent / "examples" / "rule-cards"
GAME = load("fortune-six").game()
RULES = ShoeRules(GAME.decks)
SESSIONS, COUPS = 16_384, 500
TERMS = SessionLimits(unit=2_000, bankroll=10**9, coups=COUPS, maximum=10**7)
SHOES = 102_400
FLAT_TARGET = 2.0
"""Maximum time of the flat strategy, as a multiple of the tally loop's."""


def tallying() -> int:
    return run_job(Run(GAME, RULES, 1, SHOES), Execution(threads=1)).coups


def playing(name: str) -> Callable[[], int]:
    asked = Trial(GAME, RULES, BUILT_IN[name], "banker", TERMS, 1, SESSIONS)
    return lambda: run_job(asked, Execution(threads=1)).coups


def counting() -> Callable[[], int]:
    game = load(EXAMPLES / "ez-baccarat.toml").game()
    asked = study(game, "dragon-7", at_least=Fraction(4))
    job = asked.counting(ShoeRules(game.decks), seed=1, shoes=SHOES)
    return lambda: run_job(job, Execution(threads=1)).coups


def main() -> None:
    subjects = {"tally": tallying, **{name: playing(name) for name in BUILT_IN}}
    subjects["count"] = counting()
    times: dict[str, list[float]] = {name: [] for name in subjects}
    coups = {name: call() for name, call in subjects.items()}  # compile and warm up
    for _ in range(ROUNDS):
        for name, call in subjects.items():
            started = process_time()
            call()
            times[name].append((process_time() - started) / coups[name])
    took = {name: median(all_of_them) for name, all_of_them in times.items()}
    print(
        f"{GAME.card.id}: nanoseconds of CPU time per coup, one thread; "
        f"medians of {ROUNDS} interleaved rounds"
    )
    for name, seconds in took.items():
        ratio = seconds / took["tally"]
        line = (
            f"{name:18} {seconds * 1e9:6.1f} ns = {1e-6 / seconds:5.0f} M coups/s, {ratio:4.2f} ×"
        )
        if name == "flat":
            line += f" the tally loop (target {FLAT_TARGET:g})"
            line += "" if ratio <= FLAT_TARGET else "  MISSED"
        print(line)


if __name__ == "__main__":
    main()
