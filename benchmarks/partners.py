"""Simulate how often the collusion detector suspects honest players, and how often it finds
partners.

    python benchmarks/partners.py --tables 2000

Players are generated from fixed seeds, so the figures are the same on every machine.
`tests/house/test_partners.py` runs a small part of this; docs/guides/disputes.md quotes the
figures.
"""

import argparse
import random
from collections.abc import Callable

from baccarat.core.coup import Winner
from baccarat.house.watch.collusion import SettledRound, suspicions

MAXIMUM = {"player": 100_000, "banker": 100_000}
SHOE = 80
"""Rounds in an eight-deck shoe."""
Style = Callable[[random.Random, list[str]], str]


def _other(side: str) -> str:
    return "player" if side == "banker" else "banker"


def _last(_: random.Random, results: list[str]) -> str:
    return results[-1] if results else "banker"


def _against(_: random.Random, results: list[str]) -> str:
    return _other(results[-1]) if results else "player"


def _streak(_: random.Random, results: list[str]) -> str:
    """Bet on a side that won twice in a row; otherwise bet against the last winner."""
    if len(results) < 2:
        return "banker"
    return results[-1] if results[-1] == results[-2] else _other(results[-1])


def _any(rng: random.Random, _: list[str]) -> str:
    return "banker" if rng.random() < 0.55 else "player"


STYLES: tuple[tuple[Style, int], ...] = (
    (lambda *_: "banker", 25),
    (lambda *_: "player", 10),
    (_last, 20),
    (_against, 10),
    (_streak, 10),
    (_any, 25),
)


class Guest:
    """A player with a betting style, a usual stake, and a chance of sitting rounds out."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name = name
        self.style = rng.choices([style for style, _ in STYLES], [n for _, n in STYLES])[0]
        self.share = rng.choice([0.05, 0.1, 0.25, 0.5, 0.75, 1.0])
        self.absent = rng.choice([0.0, 0.1, 0.3])

    def side(self, rng: random.Random, results: list[str]) -> str:
        """Return the side chosen by the player's style or, in 5% of cases, the other side."""
        chosen = self.style(rng, results)
        return _other(chosen) if rng.random() < 0.05 else chosen


def evening(
    seed: int, *, guests: int = 12, partners: int = 0, rounds: int = SHOE
) -> list[SettledRound]:
    """Return the rounds of a shoe with honest guests and with partners who bet on the same side."""
    rng = random.Random(seed)
    crowd = [Guest(f"guest{i}", rng) for i in range(guests)]
    share = 0.7 if partners == 2 else 0.45
    results: list[str] = []
    found = []
    for number in range(1, rounds + 1):
        stakes: dict[str, dict[str, int]] = {}
        for guest in crowd:
            if rng.random() >= guest.absent:
                coins = int(MAXIMUM["player"] * guest.share * rng.choice([0.5, 1.0]))
                stakes[guest.name] = {guest.side(rng, results): coins}
        ours = rng.choice(["player", "banker"])
        for i in range(partners):
            if rng.random() >= 0.1:
                side = _other(ours) if rng.random() < 0.02 else ours
                coins = int(MAXIMUM["player"] * share * rng.choice([0.9, 1.0, 1.2]))
                stakes[f"partner{i}"] = {side: coins}
        winner = rng.choices(list(Winner), [446, 458, 95])[0]
        found.append(SettledRound(number, winner, stakes))
        if winner is not Winner.TIE:
            results.append(winner)
    return found


def rates(tables: int, *, first: int = 0) -> dict[str, float]:
    """Return the share of honest tables with a false alarm, and of tables with partners found."""
    honest = sum(bool(suspicions(evening(first + i), MAXIMUM)) for i in range(tables))
    shares = {"false alarms, tables": honest / tables}
    for partners, name in ((2, "pairs found"), (3, "groups of three found")):
        wanted = {f"partner{i}" for i in range(partners)}
        hits = strangers = 0
        for i in range(tables):
            found = suspicions(evening(first + i, partners=partners), MAXIMUM)
            hits += any(set(one.players) == wanted for one in found)
            strangers += any(not set(one.players) <= wanted for one in found)
        shares[name] = hits / tables
        shares[f"{name}: together with a stranger"] = strangers / tables
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    for name, share in rates(parser.parse_args().tables).items():
        print(f"{name}: {share:.2%}")


if __name__ == "__main__":
    main()
