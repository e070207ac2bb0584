"""Measure the speed of the exact analysis of sessions of 10,000 coups, compared with Monte Carlo.

Run it as `python benchmarks/sessions.py`. The Monte Carlo simulation is compiled, and draws one
random number per coup with SplitMix64. It plays a few thousand sessions to measure its speed; from
that, the time for a standard error of 1e-4 in the chance of ruin is extrapolated. Most people would
accept this accuracy. The error of the exact analysis is at most about 1e-11, which Monte Carlo
cannot reach.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.analysis.sessions import Session, session
from baccarat.core.wagers import Wager
from baccarat.loader import load

COUPS = 10_000
UNITS = 100
"""Bankroll, as a multiple of the stake."""
ACCURACY = 1e-4
"""Standard error of the chance of ruin that Monte Carlo must reach."""
SAMPLE = 4_000
"""Sessions played to measure the speed of Monte Carlo."""
TARGET = 100
"""Minimum factor by which the exact analysis must be faster than Monte Carlo."""

T = TypeVar("T")


def main() -> None:
    game = load("punto-banco").game()
    wagers = {
        "Player": [Wager("player", 1000)],
        "Banker": [Wager("banker", 1000)],
        "Tie": [Wager("tie", 1000)],
        "Banker and Player pair": [Wager("banker", 2000), Wager("player-pair", 500)],
    }
    print(f"{COUPS} coups, a bankroll of {UNITS} stakes; milliseconds, best of several")
    print(f"{'':24}{'final':>10}{'ruin':>10}{'with goal':>10}{'one drawdown':>14}")
    for name, placed in wagers.items():
        print(f"{name:24}{times(session(game, placed))}")
    player, banker = session(game, wagers["Player"]), session(game, wagers["Banker"])
    print("\nDrawdowns up to 500 stakes (Player: all depths; Banker: every tenth stake)")
    deep("Player", player, every=1000)
    deep("Banker", banker, every=10_000)
    against_monte_carlo(banker)


def times(played: Session) -> str:
    bankroll = UNITS * played.stake
    asked: list[tuple[int, Callable[[], object]]] = [
        (10, lambda: played.final(COUPS)),
        (10, lambda: played.ruin_curve(bankroll=bankroll, coups=COUPS)),
        (10, lambda: played.ruin_curve(bankroll=bankroll, coups=COUPS, goal=2 * bankroll)),
        (14, lambda: played.drawdown(COUPS, limit=2 * bankroll, every=2 * bankroll)),
    ]
    return "".join(f"{1000 * best(ask)[0]:{width}.2f}" for width, ask in asked)


def deep(name: str, played: Session, *, every: int) -> None:
    limit = 500 * played.stake
    seconds, drawdown = best(lambda: played.drawdown(COUPS, limit=limit, every=every), 1)
    median = int(drawdown.depths[drawdown.at_least > 0.5][-1]) / played.stake
    print(f"{name:24}{len(drawdown.depths)} depths in {seconds:.2f} s; median {median:.0f} stakes")


def best(ask: Callable[[], T], times: int = 5) -> tuple[float, T]:
    """Return the shortest time of several calls, after one to warm up, and the last result."""
    answer, seconds = ask(), []
    for _ in range(times):
        start = perf_counter()
        answer = ask()
        seconds.append(perf_counter() - start)
    return min(seconds), answer


def against_monte_carlo(played: Session) -> None:
    bankroll = UNITS * played.stake
    seconds, curve = best(lambda: played.ruin_curve(bankroll=bankroll, coups=COUPS))
    nets = np.array(list(played.distribution))
    cumulated = np.cumsum([float(chance) for chance in played.distribution.values()])
    limits = (cumulated[:-1] * 2.0**64).astype(np.uint64)
    spent, ruined = best(
        lambda: ruins(np.uint64(7), SAMPLE, nets, limits, bankroll, played.stake), 3
    )
    chance, seen = float(curve.ruined[-1]), ruined / SAMPLE
    needed = chance * (1 - chance) / ACCURACY**2
    slower = needed / SAMPLE * spent / seconds
    sigma = (chance * (1 - chance) / SAMPLE) ** 0.5
    print(f"\nBanker: ruin within {COUPS} coups {chance:.10f}, error at most {curve.error:.1e}")
    print(f"Monte Carlo, {SAMPLE} sessions: {seen:.4f}, {(seen - chance) / sigma:+.1f} sigma")
    print(f"  {1e6 * spent / SAMPLE:.1f} µs a session; {needed:.2g} sessions for {ACCURACY:g}")
    print(
        f"  {needed / SAMPLE * spent:.0f} s (extrapolated) against {1000 * seconds:.1f} ms: ",
        end="",
    )
    print(f"{slower:.0f} times slower, target {TARGET}: {'ok' if slower >= TARGET else 'MISSED'}")


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    return cast("Function", numba.njit(function))


@compiled
def ruins(
    seed: np.uint64,
    sessions: int,
    nets: NDArray[np.int64],
    limits: NDArray[np.uint64],
    bankroll: int,
    stake: int,
) -> int:
    """Simulate this many sessions of independent coups, and return how many end in ruin."""
    state, ruined = seed, 0
    for _ in range(sessions):
        money = bankroll
        for _ in range(COUPS):
            state += np.uint64(0x9E3779B97F4A7C15)
            z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            z ^= z >> np.uint64(31)
            which = 0
            for limit in limits:
                which += z >= limit
            money += nets[which]
            if money < stake:
                ruined += 1
                break
    return ruined


if __name__ == "__main__":
    main()
