"""The players' contributions: secrets that shuffle the committed order once more.

After the commitment is public, players commit to secrets of their own; when no more are accepted,
they reveal them by a deadline. All commitments and secrets together give a public seed, and the
seed gives one permutation of the committed order: the position of the card that is dealt at each
place. The byte encoding is defined in docs/reference/fairness.md.

The permutation is unbiased: random words that would favour some places are discarded.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from baccarat.core.errors import BaccaratError
from baccarat.shoe.commitment import SECRET_SIZE, Hex, number, tagged

WORD_SPAN = 1 << 32
WORDS_IN_A_BLOCK = 8


@dataclass(frozen=True)
class Contribution:
    """One player's contribution to the order of a shoe."""

    commitment: Hex
    secret: Hex | None = None
    """None until it is revealed, and for ever if it was not revealed in time."""


def contribution_of(shoe: bytes, secret: bytes) -> Hex:
    """Return what a player commits to for the shoe with this commitment."""
    if len(secret) != SECRET_SIZE:
        raise BaccaratError(f"a secret must have {SECRET_SIZE} bytes, not {len(secret)}")
    return tagged("contribution", shoe, secret)


def public_seed(shoe: bytes, contributions: Sequence[Contribution]) -> Hex:
    """Return the seed that all contributions to the shoe with this commitment give."""
    parts = [number(len(contributions))]
    for one in contributions:
        revealed = b"\0" + bytes(SECRET_SIZE) if one.secret is None else b"\1" + one.secret
        parts += [one.commitment, revealed]
    return tagged("seed", shoe, *parts)


@lru_cache(maxsize=64)
def dealing_order(seed: bytes, cards: int) -> tuple[int, ...]:
    """Return the committed position of the card at each place of the deal, from 0."""
    return permutation(cards, _words(seed))


def permutation(size: int, words: Iterable[int], *, span: int = WORD_SPAN) -> tuple[int, ...]:
    """Return a Fisher–Yates shuffle, from the last place down, by words uniform below `span`."""
    order, source = list(range(size)), iter(words)
    for place in range(size - 1, 0, -1):
        other = _below(place + 1, source, span)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def _below(bound: int, words: Iterator[int], span: int) -> int:
    """Return a number below the bound, discarding words in its last, incomplete multiple."""
    whole = span - span % bound
    return next(word for word in words if word < whole) % bound


def _words(seed: bytes) -> Iterator[int]:
    for block in count():
        data = tagged("words", seed, number(block))
        for i in range(WORDS_IN_A_BLOCK):
            yield int.from_bytes(data[4 * i : 4 * i + 4], "big")
