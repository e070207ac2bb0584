"""Measure the speed of the exact analysis of a remaining shoe, relative to a baseline.

Run it as `python benchmarks/analysis.py`; it takes ten seconds, or more if it has to compile. The
baseline (`floor.py`, called the floor) only counts how hands can end. A whole rule card takes more:
the counts of all outcomes and the expectation of every bet. Both run on one thread, in a compiled
loop over the same shoes, which are all different and have at least 20 cards. Machines are noisy, so
rounds are interleaved, every ratio is taken within a round, and the median is shown.
"""

from collections.abc import Callable
from fractions import Fraction
from statistics import median
from time import perf_counter

import numpy as np

from baccarat.analysis.compiled_counts import Kernel
from baccarat.analysis.counts import counters
from baccarat.analysis.edges import analyse
from baccarat.analysis.remaining import RemainingShoe
from baccarat.core.cards import DECK_SIZE, POINTS, RANKS, SUITS, Card
from baccarat.core.rulecard import Game
from baccarat.loader import built_in_cards, check_text, load
from baccarat.loader.files import BUILT_IN
from floor import CELLS, Ints, distributions

DECKS = 8
SHOES = 1000
IN_A_ROUND = 100
"""Number of shoes in one timed call: few enough that most calls are not interrupted."""
ROUNDS = 150
PYTHON_ROUNDS = 25
PLAIN, WITH_PAIRS, PYTHON = 2.0, 4.0, 3.0
"""Targets: multiples of the floor without and with costly pair bets; milliseconds in Python."""

SUITS_BET = """
[[bet]]
id = "either-pair"
name = "Either pair"
lines = [{ when = { any = [{ player_pair = true }, { banker_pair = true }] }, pays = "5:1" }]

[[bet]]
id = "perfect-pair"
name = "Perfect pair"
lines = [
  { when = { player_perfect_pair = true, banker_perfect_pair = true }, pays = "200:1" },
  { when = { player_perfect_pair = true }, pays = "25:1" },
  { when = { banker_perfect_pair = true }, pays = "25:1" },
]
"""
JOINT_BET = """
[[bet]]
id = "pair-and-win"
name = "Pair and win"
lines = [
  { when = { player_pair = true, winner = "player" }, pays = "15:1" },
  { when = { banker_pair = true, winner = "banker" }, pays = "12:1" },
]
"""
JOINT_SUITS_BET = """
[[bet]]
id = "perfect-win"
name = "Perfect win"
lines = [
  { when = { player_perfect_pair = true, banker_perfect_pair = true }, pays = "200:1" },
  { when = { player_perfect_pair = true, winner = "player" }, pays = "50:1" },
  { when = { banker_perfect_pair = true, winner = "banker", banker_cards = 3 }, pays = "40:1" },
]
"""


def main() -> None:
    cards = random_shoes()
    built_in = {name: load(name).game() for name in built_in_cards()}
    games = {
        **built_in,
        "+ either and perfect pair": with_bets(SUITS_BET),
        "+ pair and win": with_bets(JOINT_BET),
        "+ all these, suits and win": with_bets(SUITS_BET + JOINT_BET + JOINT_SUITS_BET),
    }
    kernels = {name: Kernel(game.pay_table) for name, game in games.items()}
    check(cards[0], kernels, games)
    floor = against_the_floor(cards, kernels, games)
    from_python(cards, kernels["punto-banco"], floor)
    in_python(cards, built_in)


def random_shoes() -> Ints:
    """Return different shoes, from nearly empty to full, each as 52 counts."""
    rng = np.random.default_rng(20)
    sizes = rng.integers(20, DECKS * DECK_SIZE, endpoint=True, size=SHOES)
    whole = [DECKS] * DECK_SIZE
    return np.array([rng.multivariate_hypergeometric(whole, size) for size in sizes], np.int64)


def with_bets(bets: str) -> Game:
    """Return punto banco with additional bets."""
    text = (BUILT_IN / "punto-banco.toml").read_text(encoding="utf-8")
    checked = check_text(text + bets, name="punto-banco and more")
    card = checked.draft.card() if checked.draft else None
    assert not checked.report.findings, checked.report.findings
    assert card is not None
    return card.game()


def by_rank(cards: Ints) -> Ints:
    ranks: Ints = cards.reshape(-1, len(RANKS), len(SUITS)).sum(axis=2)
    return ranks


def by_points(cards: Ints) -> Ints:
    points = np.zeros((len(cards), 10), np.int64)
    for i, rank in enumerate(RANKS):
        points[:, POINTS[rank]] += by_rank(cards)[:, i]
    return points


def remaining(cards: Ints) -> RemainingShoe:
    left = cards.reshape(len(RANKS), len(SUITS)).tolist()
    gone = {
        Card(rank, suit): DECKS - left[i][j]
        for i, rank in enumerate(RANKS)
        for j, suit in enumerate(SUITS)
    }
    return RemainingShoe(DECKS, {card: n for card, n in gone.items() if n})


def check(cards: Ints, kernels: dict[str, Kernel], games: dict[str, Game]) -> None:
    """Check that the timed code gives the same results as the plain Python analysis."""
    shoe = remaining(cards)
    for name, kernel in kernels.items():
        exact = [counter.counts(shoe) for counter in counters(games[name].pay_table)]
        assert [counts.tolist() for counts in kernel.counts(cards)] == exact
    cells = np.empty((1, len(CELLS)), np.int64)
    distributions(by_points(cards.reshape(1, -1)), cells)
    ties = sum(n for (_, _, p, b), n in zip(CELLS, cells[0].tolist(), strict=True) if p == b)
    tie = analyse(games["online"], shoe)["tie"]
    assert Fraction(ties, sum(cells[0].tolist())) == tie.hit


def against_the_floor(cards: Ints, kernels: dict[str, Kernel], games: dict[str, Game]) -> float:
    """Print the table of ratios, and return the time of the floor per shoe in seconds."""
    shoes = {10: by_points(cards), 13: by_rank(cards), 52: cards}
    cells = np.empty((IN_A_ROUND, len(CELLS)), np.int64)
    times: dict[str, list[float]] = {name: [] for name in ("floor", *kernels)}
    for begin in (i * IN_A_ROUND % SHOES for i in range(ROUNDS)):
        some = {n: rows[begin : begin + IN_A_ROUND] for n, rows in shoes.items()}
        times["floor"].append(seconds(distributions, some[10], cells) / IN_A_ROUND)
        for name, kernel in kernels.items():
            spent = seconds(kernel.expectations, some[kernel.fewest_counts])
            times[name].append(spent / IN_A_ROUND)
    print(f"A whole card, in a compiled loop over {SHOES} different shoes; floor = 1\n")
    print(f"{'':28}{'ratio':>8}{'target':>9}{'µs':>9}{'bets':>7}   shoe")
    print(f"{'floor: no bets, no pairs':28}{1:8.2f}{'':9}{median(times['floor']) * 1e6:9.2f}")
    for name, kernel in kernels.items():
        ratio = median(t / f for t, f in zip(times[name], times["floor"], strict=True))
        target = WITH_PAIRS if name.startswith("+") else PLAIN
        print(
            f"{name:28}{ratio:8.2f}{f'<= {target:.0f}':>9}{median(times[name]) * 1e6:9.2f}"
            f"{len(games[name].bets):7}{kernel.fewest_counts:5} counts{missed(ratio, target)}"
        )
    return median(times["floor"])


def from_python(cards: Ints, kernel: Kernel, floor: float) -> None:
    """Print the overhead of a call from Python."""
    many, one = [], []
    for begin in range(0, SHOES, IN_A_ROUND):
        some = by_rank(cards[begin : begin + IN_A_ROUND])
        many.append(seconds(kernel.expectations, some) / IN_A_ROUND)
        one.append(median(seconds(kernel.expectations, shoe) for shoe in some))
    each, alone = median(many), median(one)
    print("\npunto-banco, called from Python\n")
    print(f"{f'{IN_A_ROUND} shoes in a batch':28}{each / floor:8.2f}{'':9}{each * 1e6:9.2f} a shoe")
    print(f"{'one shoe a call':28}{alone / floor:8.2f}{'':9}{alone * 1e6:9.2f}")
    print(f"{'so a call costs':28}{'':17}{(alone - each) * 1e6:9.2f}")


def in_python(cards: Ints, games: dict[str, Game]) -> None:
    """Print the times of the plain Python code that `baccarat edge` uses."""
    counting: dict[str, list[float]] = {name: [] for name in games}
    analysing: dict[str, list[float]] = {name: [] for name in games}
    for row in cards[:PYTHON_ROUNDS]:
        for name, game in games.items():
            fresh, again = remaining(row), remaining(row)
            counted = sum(seconds(group.counts, fresh) for group in counters(game.pay_table))
            counting[name].append(counted * 1e3)
            analysing[name].append(seconds(analyse, game, again) * 1e3)
    print("\nThe same in plain Python: exact counts, and with them every figure as a fraction\n")
    print(f"{'':28}{'counts':>8}{'target':>9}{'figures':>9}   ms")
    for name in games:
        counted, analysed = median(counting[name]), median(analysing[name])
        print(
            f"{name:28}{counted:8.2f}{f'<= {PYTHON:.0f}':>9}{analysed:9.2f}"
            f"{missed(counted, PYTHON)}"
        )


def seconds(function: Callable[..., object], *arguments: object) -> float:
    begin = perf_counter()
    function(*arguments)
    return perf_counter() - begin


def missed(value: float, target: float) -> str:
    return "" if value <= target else "   MISSED"


if __name__ == "__main__":
    main()
