"""Checks and kernel inputs shared by all jobs that deal shoes."""

import hashlib
from dataclasses import asdict
from typing import Any

import numpy as np

from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation.automaton import automaton_of
from baccarat.simulation.dealing import GUARD, UNIT
from baccarat.simulation.kernel import GameInput, HandsInput, ShoeInput
from baccarat.simulation.lookup import Detail, Lookup, lookup_of
from baccarat.simulation.stream import rejected_below

MAX_SHOES = 10**15
MAX_SEED = (1 << 64) - 1


class DealtJob:
    """Base class of jobs that deal shoes of a game from a seed."""

    game: Game
    rules: ShoeRules
    seed: int

    def check(self, name: str, number: int, most: int) -> None:
        """Check the seed, the decks, and the number of shoes or sessions, which is called `name` in
        errors."""
        if not 1 <= number <= most:
            raise BaccaratError(f"the number of {name} must be between 1 and {most}, not {number}")
        if not 0 <= self.seed <= MAX_SEED:
            raise BaccaratError(f"the seed must be between 0 and {MAX_SEED}, not {self.seed}")
        if self.rules.decks != self.game.decks:
            raise BaccaratError(
                f"the shoe has {self.rules.decks} decks, but the game has {self.game.decks}: "
                "they must be equal"
            )

    @property
    def lookup(self) -> Lookup:
        return lookup_of(self.game.pay_table)

    @property
    def shoe_input(self) -> ShoeInput:
        return shoe_input(self.rules, self.lookup.detail)

    @property
    def game_input(self) -> GameInput:
        return game_input(self.rules, self.lookup)

    @property
    def hands_input(self) -> HandsInput | None:
        """The tables for hand bets; None if there are no such bets."""
        if (hands := self.lookup.hands) is None:
            return None
        return HandsInput(hands.cells, hands.starts, hands.groups, np.uint16(hands.no_card))

    def identity_with(self, **more: Any) -> dict[str, Any]:
        """Return everything that the result depends on: rules, shoe and seed, with `more` added."""
        rules = hashlib.sha256(automaton_of(self.lookup).table.tobytes())
        rules.update(repr(self.lookup.classes).encode())
        if hands := self.lookup.hands:
            rules.update(hands.cells.tobytes() + self.lookup.pays.tobytes())
        return {
            "card": self.game.card.id,
            "parameters": {name: ratio(value) for name, value in self.game.parameters.items()},
            "readings": dict(self.game.readings),
            "rules": rules.hexdigest(),
            "shoe": asdict(self.rules),
            "seed": self.seed,
            **more,
        }


def shoe_input(rules: ShoeRules, detail: Detail) -> ShoeInput:
    """Return the rules of a shoe as input for the kernels."""
    rejected = [rejected_below(rules.size - 2 * word) for word in range(rules.size // 2)]
    return ShoeInput(
        rules.size,
        rules.most_dealt,
        rules.cut_at,
        rules.coups_from_cut,
        rules.burn is Burn.FIRST_CARD,
        np.array(rejected, np.uint32),
        (running_counts(rules.decks, detail) + GUARD).astype(np.uint16),
    )


def game_input(rules: ShoeRules, lookup: Lookup) -> GameInput:
    """Return a game as input for the kernels."""
    table, begins = automaton_of(lookup).with_row_addresses(int(UNIT))
    return GameInput(int(lookup.detail), table, np.uint32(begins[rules.burn]), lookup.pays)


def full_counts(decks: int, detail: Detail) -> Any:
    """Return the number of cards of each code in a full shoe."""
    counts = np.full(detail, decks if detail is Detail.CARDS else 4 * decks, np.int64)
    if detail is Detail.POINTS:
        counts[0] *= 4
    return counts


def running_counts(decks: int, detail: Detail) -> Any:
    """Return the running counts of a full shoe: for each code except the last, the number of cards
    with that code or a lower one."""
    return np.cumsum(full_counts(decks, detail))[:-1]
