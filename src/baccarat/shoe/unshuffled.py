"""The alarm for a shoe that was not shuffled.

New decks come in factory order: suit by suit, rank by rank, up or down. If this order survives, the
shoe shows a run: cards of one suit, each one rank above (or each one below) the card before. If all
decks were stacked alike, the shoe shows the same sequence twice.

`alarm_length(decks)` is the number of such cards in a row that raises the alarm. It is the smallest
number at which, by exact bounds, fewer than one in a million well-shuffled shoes raise a false
alarm.

The alarm does not detect a shuffle that is merely poor; detecting one takes statistics over many
shoes.
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cache
from math import perm

from baccarat.core.cards import DECK_SIZE, RANKS, SUITS, Card

FALSE_ALARMS = Fraction(1, 1_000_000)
"""Upper bound on the rate of false alarms for a well-shuffled shoe."""
_ORDER = {rank: place for place, rank in enumerate(RANKS)}


class UnshuffledSign(StrEnum):
    """A sign that a shoe is in factory order."""

    RUN = "run"
    """Consecutive cards of one suit, rank by rank."""
    REPEAT = "repeat"
    """The same sequence of cards as earlier in the shoe."""


def expected_runs(decks: int, cards: int) -> Fraction:
    """Return the exact expected number of runs of this length in a shuffled shoe."""
    size, starts = decks * DECK_SIZE, len(SUITS) * (len(RANKS) - cards + 1)
    if cards > len(RANKS):
        return Fraction(0)
    return Fraction(2 * (size - cards + 1) * starts * decks**cards, perm(size, cards))


def expected_repeats(decks: int, cards: int) -> Fraction:
    """Return an upper bound on the expected repeats of a sequence this long in a shuffled shoe.

    Whatever the first sequence is, at most decks - 1 of the remaining cards are equal to each of
    its cards.
    """
    size = decks * DECK_SIZE
    pairs = max(size - 2 * cards + 1, 0) * max(size - 2 * cards + 2, 0) // 2
    return Fraction(pairs * (decks - 1) ** cards, perm(size - cards, cards))


@cache
def alarm_length(decks: int) -> int:
    """Return how many cards in a row raise the alarm."""
    cards = 2
    while expected_runs(decks, cards) + expected_repeats(decks, cards) >= FALSE_ALARMS:
        cards += 1
    return cards


def find_sign(
    decks: int, out: Sequence[Card | None]
) -> tuple[UnshuffledSign, tuple[Card, ...]] | None:
    """Return the sign that the shoe is unshuffled, with the last cards that show it, or None."""
    enough = alarm_length(decks)
    if None in out[-enough:] or len(out) < enough:
        return None  # too few cards, or one of them is face down
    for found, count in (
        (UnshuffledSign.RUN, run_at(out)),
        (UnshuffledSign.REPEAT, repeat_at(out)),
    ):
        if count >= enough:
            return found, tuple(card for card in out[-count:] if card is not None)
    return None


def run_at(out: Sequence[Card | None]) -> int:
    """Return how many of the last cards follow each other in factory order."""
    best = 1
    for step in (1, -1):
        count = 1
        while count < len(out) and _follows(out[-count], out[-count - 1], step):
            count += 1
        best = max(best, count)
    return best


def repeat_at(out: Sequence[Card | None]) -> int:
    """Return how many of the last cards already came earlier in the same order, without overlap."""
    best, last = 0, len(out) - 1
    for end in range(last):
        count = 0
        while (
            count <= end
            and end < last - count  # the earlier cards end before these begin
            and out[last - count] is not None
            and out[end - count] == out[last - count]
        ):
            count += 1
        best = max(best, count)
    return best


def _follows(card: Card | None, before: Card | None, step: int) -> bool:
    if card is None or before is None or card.suit != before.suit:
        return False
    return _ORDER[card.rank] - _ORDER[before.rank] == step
