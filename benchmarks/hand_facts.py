"""Measure the speed of the exact analysis for each kind of fact about suits, colours, ranks and
sums.

Run it as `python benchmarks/hand_facts.py`; it takes a minute. Each bet is counted for a full shoe,
in plain Python and compiled, and compared with punto banco, whose bets depend only on totals and
pairs. The last line is a card with a bet on every fact and on a count at every place. The
preparation (tables that depend on the bets, but not on the shoe) is shown separately. Times are
those of the processor, because machines are noisy.
"""

from dataclasses import replace
from statistics import median
from time import process_time
from typing import NamedTuple

import numpy as np

from baccarat.analysis.compiled_counts import Kernel
from baccarat.analysis.counts import counters
from baccarat.analysis.remaining import remaining_shoe
from baccarat.core.cards import DECK_SIZE
from baccarat.core.facts import FACTS
from baccarat.core.hand_facts.measures import PLACES
from baccarat.core.rulecard import Game
from baccarat.loader import check_text, load
from baccarat.loader.files import BUILT_IN

DECKS = 8
ROUNDS = 5
SHOES = 20
"""Number of shoes counted in one compiled call."""
PLAIN, COMPILED = 1000.0, 5.0
"""Targets in milliseconds, for any of the cards."""

SUITED = "player_total = 8, player_cards = 3, player_suits = 1"
KINDS = {
    "ranks of the first four cards": ["start_ranks = 1"],
    "suited king and queen": [
        'player_start_suits = 1, count = [{ of = "K", in = "player_start", is = 1 }, '
        '{ of = "Q", in = "player_start", is = 1 }]'
    ],
    "number of nines": ['count = { of = "9", in = "coup", min = 2 }'],
    "all cards red": ['count = { of = "black", in = "coup", is = 0 }'],
    "tie of one colour": ['winner = "tie", coup_colours = 1'],
    "all cards of one suit": ["coup_suits = 1"],
    "three of a kind": ["player_cards = 3, player_ranks = 1"],
    "suited three of a kind": ["player_cards = 3, player_ranks = 1, player_suits = 1"],
    "suited on both sides": [f"{SUITED}, banker_cards = 3, banker_suits = 1", SUITED],
    "consecutive ranks": ["player_cards = 3, player_consecutive = true"],
    "sum of a hand": ["player_sum = { min = 20 }"],
    "sum of the coup": ["coup_sum = { min = 30 }"],
}


def main() -> None:
    print(f"One bet, {DECKS} decks, in ms and as a multiple of punto banco\n")
    print(f"{'':30}{'plain':>9}{'':>7}{'compiled':>10}{'':>7}{'prepared':>10}")
    base = measured(load("punto-banco").game(decks=DECKS))
    show("punto banco", base, base)
    for name, conditions in KINDS.items():
        show(name, measured(game_of([conditions])), base)
    values = {name: fact.values[1] for name, fact in FACTS.items() if fact.measured}
    every = [
        *(f"{name} = {str(value).lower()}" for name, value in values.items()),
        *(f'count = {{ of = "9 red", in = "{place}", min = 1 }}' for place in PLACES),
    ]
    whole = measured(game_of([[condition] for condition in every]))
    show("a card with every fact", whole, base)


def game_of(bets: list[list[str]]) -> Game:
    """Return punto banco with bets on these conditions instead of its own."""
    text = "".join(
        f'\n[[bet]]\nid = "b{i}"\nname = "B"\nlines = ['
        + ", ".join(f'{{ when = {{ {when} }}, pays = "1:1" }}' for when in conditions)
        + "]\n"
        for i, conditions in enumerate(bets)
    )
    whole = (BUILT_IN / "punto-banco.toml").read_text(encoding="utf-8") + text
    game = check_text(whole, name="bets on cards").rule_card.game(decks=DECKS)
    return replace(game, bets=game.bets[-len(bets) :])


class Times(NamedTuple):
    """Milliseconds of processor time."""

    plain: float
    compiled: float
    prepared: float


def measured(game: Game) -> Times:
    """Count a full shoe in both ways, and check that the counts are the same."""
    begin = process_time()
    groups = counters(game.pay_table)
    prepared = process_time() - begin
    kernel, row = Kernel(game.pay_table), np.full(DECK_SIZE, DECKS)
    assert [counts.tolist() for counts in kernel.counts(row)] == [
        group.counts(remaining_shoe(game)) for group in groups
    ]
    rows = np.tile(row, (SHOES, 1))
    plain, fast = [], []
    for _ in range(ROUNDS):
        begin = process_time()
        for group in groups:
            group.counts(remaining_shoe(game))
        plain.append(process_time() - begin)
        begin = process_time()
        kernel.expectations(rows)
        fast.append((process_time() - begin) / SHOES)
    return Times(1e3 * median(plain), 1e3 * median(fast), 1e3 * prepared)


def show(name: str, times: Times, base: Times) -> None:
    plain = f"{times.plain:9.2f}{times.plain / base.plain:6.1f}×"
    fast = f"{times.compiled:10.3f}{times.compiled / base.compiled:6.0f}×"
    missed = "" if times.plain <= PLAIN and times.compiled <= COMPILED else "   MISSED"
    print(f"{name:30}{plain}{fast}{times.prepared:10.0f}{missed}")


if __name__ == "__main__":
    main()
