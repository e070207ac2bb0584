"""The alarm for a shoe that nobody has shuffled.

New decks come in factory order: suit by suit, rank by rank, up or down. A shoe in which that order
survives shows a run (cards of one suit, each a rank above or below the one before), and decks that
were all stacked alike show the same sequence again. `length(decks)` is how many such cards in a row
raise the alarm: the fewest for which a well shuffled shoe raises it less than once in a million.
The one rule: the rate of false alarms is computed, by bounds that hold exactly, and never guessed.

What it does not find: a shuffle that is only poor. That is a question for statistics of many shoes.
"""

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cache
from math import perm

from baccarat.core.cards import DECK_SIZE, RANKS, SUITS, Card

FALSE_ALARMS = Fraction(1, 1_000_000)
"""The most a well shuffled shoe may raise the alarm."""
_ORDER = {rank: place for place, rank in enumerate(RANKS)}


class Sign(StrEnum):
    """What a shoe in factory order shows."""

    RUN = "run"
    """One suit, rank by rank."""
    REPEAT = "repeat"
    """The same sequence as earlier in the shoe."""


def expected_runs(decks: int, cards: int) -> Fraction:
    """How often a shuffled shoe shows a run of so many cards, on average (exactly)."""
    size, starts = decks * DECK_SIZE, len(SUITS) * (len(RANKS) - cards + 1)
    if cards > len(RANKS):
        return Fraction(0)
    return Fraction(2 * (size - cards + 1) * starts * decks**cards, perm(size, cards))


def expected_repeats(decks: int, cards: int) -> Fraction:
    """At most so often does a shuffled shoe show the same so many cards twice, on average.

    Whatever lies in the first place, of the cards left at most decks - 1 are like each of its
    cards, one after the other.
    """
    size = decks * DECK_SIZE
    pairs = max(size - 2 * cards + 1, 0) * max(size - 2 * cards + 2, 0) // 2
    return Fraction(pairs * (decks - 1) ** cards, perm(size - cards, cards))


@cache
def length(decks: int) -> int:
    """So many cards in a row raise the alarm."""
    cards = 2
    while expected_runs(decks, cards) + expected_repeats(decks, cards) >= FALSE_ALARMS:
        cards += 1
    return cards


def sign(decks: int, out: Sequence[Card | None]) -> tuple[Sign, str] | None:
    """What the cards up to the last one have made plain, and in words."""
    enough = length(decks)
    if None in out[-enough:] or len(out) < enough:
        return None  # too few, or one among them is face down
    if (run := run_at(out)) >= enough:
        return Sign.RUN, f"{run} cards in factory order: {_faces(out[-run:])}"
    if (same := repeat_at(out)) >= enough:
        words = f"{same} cards in the same order as before in this shoe: {_faces(out[-same:])}"
        return Sign.REPEAT, words
    return None


def _faces(cards: Sequence[Card | None]) -> str:
    return " ".join(card.face() for card in cards if card is not None)


def run_at(out: Sequence[Card | None]) -> int:
    """How many cards, the last among them, follow one another in factory order."""
    best = 1
    for step in (1, -1):
        count = 1
        while count < len(out) and _follows(out[-count], out[-count - 1], step):
            count += 1
        best = max(best, count)
    return best


def repeat_at(out: Sequence[Card | None]) -> int:
    """How many cards, the last among them, came in the same order earlier, as a separate lot."""
    best, last = 0, len(out) - 1
    for end in range(last):
        count = 0
        while (
            count <= end
            and end < last - count  # the earlier lot ends before this one begins
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
