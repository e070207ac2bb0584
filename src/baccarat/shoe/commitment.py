"""The promise: the order of a shoe, committed to before the first wager.

In go the cards in their order, a secret key and the terms they are dealt under; out come one
commitment for everybody to write down, and for each card, when it is dealt, a proof that it lay
where it was promised. The byte encoding is docs/fairness.md; nothing else defines it.

The one rule: what has not been dealt is never printed. A sealed shoe does not show its cards, not
even in an error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

from baccarat.core.cards import DECK_SIZE, Card, deck
from baccarat.core.errors import BaccaratError
from baccarat.shoe import Burn

HASH_SIZE = KEY_SIZE = SECRET_SIZE = 32
ID_SIZE = 16

_CODES = {card: code for code, card in enumerate(deck())}


class Source(StrEnum):
    """Where a table's cards come from."""

    SHOE = "shoe"
    """Runs down to its cut card."""
    SHUFFLER = "shuffler"
    """Full again for every coup: each coup has a commitment of its own."""
    CARDS = "cards"
    """Real cards, dealt by a dealer: nothing is promised of their order, and nothing committed."""


@dataclass(frozen=True)
class Terms:
    """What is promised besides the cards."""

    shoe: bytes
    """Sixteen bytes that name the shoe."""
    source: Source
    decks: int
    cut: int
    """Cards behind the cut card; 0 for a shuffler."""
    burn: Burn
    rules: bytes
    """SHA-256 of the canonical content of the rules it is dealt by."""

    @property
    def cards(self) -> int:
        return self.decks * DECK_SIZE

    def encode(self) -> bytes:
        """The terms as the commitment hashes them."""
        return b"".join(
            (
                self.shoe,
                bytes([list(Source).index(self.source)]),
                number(self.decks),
                number(self.cut),
                bytes([list(Burn).index(self.burn)]),
                self.rules,
            )
        )


@dataclass(frozen=True)
class OpenedCard:
    """A card that has left the shoe, with the proof that it lay where it was promised."""

    position: int
    """Its position, from 0, in the committed order."""
    card: Card
    nonce: bytes
    proof: tuple[bytes, ...]
    """The sibling hashes from its leaf up to the root."""


@dataclass(frozen=True, repr=False)
class SealedShoe:
    """A shoe with its secret: the committed order, and the key that its nonces come from."""

    terms: Terms
    order: tuple[Card, ...]
    key: bytes

    def __post_init__(self) -> None:
        # No message here may show a card of the shoe.
        if sorted(map(str, self.order)) != sorted(map(str, deck() * self.terms.decks)):
            raise BaccaratError(
                f"these {len(self.order)} cards are not the {52 * self.terms.decks} of whole "
                "decks: "
                "seal every card of every deck once"
            )
        if len(self.key) != KEY_SIZE or len(self.terms.shoe) != ID_SIZE:
            raise BaccaratError(
                f"a shoe is sealed with a key of {KEY_SIZE} bytes and an id of {ID_SIZE}, "
                f"not {len(self.key)} and {len(self.terms.shoe)}"
            )

    def __repr__(self) -> str:
        return f"SealedShoe({self.terms.shoe.hex()}, {len(self.order)} cards, not shown)"

    @cached_property
    def _levels(self) -> list[list[bytes]]:
        """The tree from its leaves to its root."""
        levels = [
            [leaf(p, card, nonce_of(self.key, p)) for p, card in enumerate(self.order)],
        ]
        while len(levels[-1]) > 1:
            levels.append(_level_above(levels[-1]))
        return levels

    @property
    def root(self) -> bytes:
        return self._levels[-1][0]

    @property
    def commitment(self) -> bytes:
        """The one value to publish, and to write down."""
        return commitment_of(self.terms, self.root)

    def open(self, position: int) -> OpenedCard:
        """The card at a committed position, with its proof."""
        proof, place = [], position
        for level in self._levels[:-1]:
            if place ^ 1 < len(level):
                proof.append(level[place ^ 1])
            place //= 2
        return OpenedCard(
            position, self.order[position], nonce_of(self.key, position), tuple(proof)
        )


def number(value: int) -> bytes:
    """A whole number below 2³² as four bytes, most significant first."""
    return value.to_bytes(4, "big")


def tagged(tag: str, *parts: bytes) -> bytes:
    """SHA-256 of a tag, a zero byte and the parts: no two kinds of hash can be confused."""
    return sha256(b"".join((f"baccarat/{tag}/1".encode(), b"\0", *parts))).digest()


def nonce_of(key: bytes, position: int) -> bytes:
    """What hides the card at a position: known for dealt cards, and for all once the key is."""
    return tagged("nonce", key, number(position))


def leaf(position: int, card: Card, nonce: bytes) -> bytes:
    return tagged("leaf", number(position), bytes([_CODES[card]]), nonce)


def node(left: bytes, right: bytes) -> bytes:
    return tagged("node", left, right)


def commitment_of(terms: Terms, root: bytes) -> bytes:
    return tagged("shoe", terms.encode(), root)


def proves(opened: OpenedCard, *, cards: int, root: bytes) -> bool:
    """Did the card lie at its position, in the tree of so many cards with this root?"""
    if not 0 <= opened.position < cards or opened.card not in _CODES:
        return False
    current, place, width = leaf(opened.position, opened.card, opened.nonce), opened.position, cards
    siblings = list(opened.proof)
    while width > 1:
        if place ^ 1 < width:
            if not siblings:
                return False
            sibling = siblings.pop(0)
            current = node(sibling, current) if place & 1 else node(current, sibling)
        place, width = place // 2, (width + 1) // 2
    return not siblings and current == root


def _level_above(level: Sequence[bytes]) -> list[bytes]:
    """Neighbours are hashed together; one without a neighbour goes up as it is."""
    above = [node(*level[i : i + 2]) for i in range(0, len(level) - 1, 2)]
    return above + ([level[-1]] if len(level) % 2 else [])
