"""Functions that map a position to a card, and a card to the next state.

* The cards left in a shoe are stored as running counts, one for each code except the last: the
  number of cards with this code or a lower one, with a guard bit above it.
* The code of the card at position k is the number of counts that are at most k. Subtracting k + 1
  from every count leaves the guard bit set for counts above k. These counts include the card, so
  each of them is reduced by one.
* A game is an automaton (`automaton`), stored as a table; each card takes one lookup.
* The outcome of bets on suits, colours, ranks and sums is looked up at the end of a coup (`hands`).

As written, the functions are for CPUs, which process one count of many shoes at a time. GPUs
process many counts of one shoe at a time, and store them as in `gpu.packing`; the other functions
are compiled for GPUs from the same source (`stream.with_globals`).
"""

from typing import Any

import numpy as np

word = np.uint16
GUARD_AT = word(15)
GUARD = word(1 << 15)


def target_count(place: Any) -> Any:
    """Return the value that a running count must reach to include the card at a position."""
    return word(word(place) + word(1))


def take(count: Any, wanted: Any) -> tuple[Any, Any]:
    """Remove the wanted card from a running count; return the new count, and 1 if it included the
    card, 0 if not."""
    holding = word(word(count - wanted) >> GUARD_AT)
    return word(count - holding), holding


def code_of(holding: Any, last: Any) -> Any:
    """Return the code of a card, given the sum over all counts of the second result of `take`."""
    return word(last - holding)


def symbol_of(code: Any, two_before: Any) -> Any:
    """Return the automaton's symbol for a card if suits matter: its rank, plus 13 if the card dealt
    two before it is identical."""
    return word(word(code >> word(2)) + word(13) * word(code == two_before))


UNIT = np.uint32(8)
"""States are addresses of rows, in units of this many columns."""
STATE = np.uint32(0xFFFF)
MARK_AT = np.uint32(16)


def step(table: Any, state: Any, symbol: Any) -> Any:
    """Return the next state and, in the high bits, the mark of the coup if this card ends one."""
    return table[np.uint32(np.uint32(np.uint32(state & STATE) * UNIT) + np.uint32(symbol))]


def mark_of(state: Any) -> Any:
    """Return the mark of the coup that has just ended, or 0 during a coup."""
    return np.uint32(state >> MARK_AT)


THIRDS = np.uint32(3)
"""The bits of a mark that say which hands have a third card."""
PLAYER_THIRD, BOTH_THIRDS, BANKER_THIRD = np.uint32(1), np.uint32(2), np.uint32(3)


def third_cards(mark: Any) -> Any:
    """Return the number of third cards in the coup with this mark."""
    thirds = np.uint32(mark & THIRDS)
    return np.uint32(thirds - np.uint32(2) * np.uint32(thirds == BANKER_THIRD))


def hand_at(cells: Any, start: Any, hand: Any) -> Any:
    """Return the number of a hand of three cards; see `hands`."""
    first, second, third = hand
    after_one = cells[np.uint32(start + np.uint32(first))]
    after_two = cells[np.uint32(after_one + np.uint32(second))]
    return cells[np.uint32(after_two + np.uint32(third))]


def outcome_of(cells: Any, starts: Any, group: Any, player: Any, banker: Any) -> Any:
    """Return the outcome of a group of hand bets, given both hands."""
    row = hand_at(cells, starts[group, 0], player)
    return cells[np.uint32(row + hand_at(cells, starts[group, 1], banker))]


COUNTING = (target_count, take, code_of)
"""For CPUs; GPUs have their own in `gpu.packing`."""
SHARED = (symbol_of, step, mark_of, third_cards, hand_at, outcome_of)
