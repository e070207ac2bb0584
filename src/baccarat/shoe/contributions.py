"""The players' part: secrets that shuffle the committed order once more.

After the commitment is public, players commit to secrets of their own; when no more are taken,
they reveal them by a deadline. All of it together makes a public seed, and the seed one permutation
of the committed order. In go the commitments and secrets, out comes the position of the card that
is dealt at each place. The byte encoding is docs/fairness.md.

The one rule: no bias. A random word that would favour some places is thrown away.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from baccarat.core.errors import BaccaratError
from baccarat.shoe.commitment import SECRET_SIZE, number, tagged

WORD_SPAN = 1 << 32
WORDS_IN_A_BLOCK = 8


@dataclass(frozen=True)
class Contribution:
    """One player's part in the order of a shoe."""

    name: str
    """As the player is called in public."""
    commitment: bytes
    secret: bytes | None = None
    """None until it is revealed, and for ever when it was not revealed in time."""


def contribution_of(shoe: bytes, name: str, secret: bytes) -> bytes:
    """What a player commits to, for the shoe of this commitment."""
    if len(secret) != SECRET_SIZE:
        raise BaccaratError(f"a secret of {len(secret)} bytes: it has {SECRET_SIZE}")
    return tagged("contribution", shoe, secret, name.encode())


def public_seed(shoe: bytes, contributions: Sequence[Contribution]) -> bytes:
    """What everything that was contributed to the shoe of this commitment comes to."""
    parts = [number(len(contributions))]
    for one in contributions:
        name = one.name.encode()
        revealed = b"\0" + bytes(SECRET_SIZE) if one.secret is None else b"\1" + one.secret
        parts += [one.commitment, revealed, number(len(name)), name]
    return tagged("seed", shoe, *parts)


@lru_cache(maxsize=64)
def dealing_order(seed: bytes, cards: int) -> tuple[int, ...]:
    """For every place of the deal, from 0, the committed position of its card."""
    return permutation(cards, _words(seed))


def permutation(size: int, words: Iterable[int], *, span: int = WORD_SPAN) -> tuple[int, ...]:
    """Fisher and Yates, from the last place down, by words that are uniform below `span`."""
    order, source = list(range(size)), iter(words)
    for place in range(size - 1, 0, -1):
        other = _below(place + 1, source, span)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def _below(bound: int, words: Iterator[int], span: int) -> int:
    """A number below the bound; words in the last, incomplete run of it are thrown away."""
    whole = span - span % bound
    return next(word for word in words if word < whole) % bound


def _words(seed: bytes) -> Iterator[int]:
    for block in count():
        data = tagged("words", seed, number(block))
        for i in range(WORDS_IN_A_BLOCK):
            yield int.from_bytes(data[4 * i : 4 * i + 4], "big")
