"""Players' contributions: a commit-reveal scheme that shuffles the committed order once more.

After the shoe's commitment is published, players commit to secrets of their own. Once no more
contributions are accepted, they must reveal their secrets by a deadline. A public seed is hashed
from all commitments and revealed secrets, and the seed determines the dealing order: a permutation
of the committed positions. The byte encoding is defined in docs/reference/fairness.md.

The permutation is unbiased because random words are drawn by rejection sampling.
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
    """None until the player reveals it; it stays None if the player misses the deadline."""


def contribution_of(shoe: bytes, secret: bytes) -> Hex:
    """Return the hash of a player's secret, bound to the shoe whose commitment is `shoe`."""
    if len(secret) != SECRET_SIZE:
        raise BaccaratError(f"a secret must have {SECRET_SIZE} bytes, not {len(secret)}")
    return tagged("contribution", shoe, secret)


def public_seed(shoe: bytes, contributions: Sequence[Contribution]) -> Hex:
    """Return the public seed computed from the shoe's commitment `shoe` and all contributions."""
    parts = [number(len(contributions))]
    for contribution in contributions:
        revealed = (
            b"\0" + bytes(SECRET_SIZE)
            if contribution.secret is None
            else b"\1" + contribution.secret
        )
        parts += [contribution.commitment, revealed]
    return tagged("seed", shoe, *parts)


@lru_cache(maxsize=64)
def dealing_order(seed: bytes, cards: int) -> tuple[int, ...]:
    """Return the dealing order: for each card dealt, its position in the committed order, from
    0."""
    return permutation(cards, _words(seed))


def permutation(size: int, words: Iterable[int], *, span: int = WORD_SPAN) -> tuple[int, ...]:
    """Return a Fisher–Yates shuffle of 0 to size - 1, from the end down; `words` are uniform below
    `span`."""
    order, source = list(range(size)), iter(words)
    for place in range(size - 1, 0, -1):
        other = _below(place + 1, source, span)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def _below(bound: int, words: Iterator[int], span: int) -> int:
    """Return a uniform number below the bound, by rejection sampling of words below `span`."""
    whole = span - span % bound
    return next(word for word in words if word < whole) % bound


def _words(seed: bytes) -> Iterator[int]:
    for block in count():
        data = tagged("words", seed, number(block))
        for i in range(WORDS_IN_A_BLOCK):
            yield int.from_bytes(data[4 * i : 4 * i + 4], "big")
