"""The commitment to the order of a shoe, made before the first wager.

The commitment is computed from the cards in order, a secret key, and the terms under which they are
dealt; it is then published. When a card is dealt, a Merkle proof shows that it was at its committed
position. The byte encoding is defined only in docs/reference/fairness.md.

Undealt cards are never printed: a sealed shoe does not show its cards, not even in an error
message.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

from baccarat.core.cards import DECK_SIZE, Card, deck
from baccarat.core.errors import BaccaratError
from baccarat.shoe import COUPS_AFTER_CUT, Burn, ShoeRules

KEY_SIZE = SECRET_SIZE = 32
ID_SIZE = 16

_CODES = {card: code for code, card in enumerate(deck())}


class Hex(bytes):
    """Bytes that are displayed and stored as lower-case hex."""


class Source(StrEnum):
    """Where a table's cards come from."""

    SHOE = "shoe"
    """A shoe that runs down to its cut card."""
    SHUFFLER = "shuffler"
    """A shuffler, which is full again for every coup; each coup has its own commitment."""
    CARDS = "cards"
    """Real cards, dealt by a dealer, without a commitment to their order."""


@dataclass(frozen=True)
class CommitmentTerms:
    """The terms that a commitment includes in addition to the cards."""

    shoe: Hex
    """Identifier of the shoe, 16 bytes."""
    source: Source
    decks: int
    cut: int
    """Cards behind the cut card; 0 for a shuffler."""
    burn: Burn
    rules: Hex
    """SHA-256 of the canonical text of the rules by which the shoe is dealt."""

    @classmethod
    def of(cls, shoe: Hex, dealt: ShoeRules, rules: Hex) -> "CommitmentTerms":
        """Return the terms of a shoe that is dealt by these rules."""
        source = Source.SHUFFLER if dealt.is_shuffler else Source.SHOE
        terms = cls(shoe, source, dealt.decks, dealt.cut, dealt.burn, rules)
        if terms.dealt != dealt:
            raise BaccaratError(
                f"a committed shoe must have {COUPS_AFTER_CUT} coup after its cut card, not "
                f"{dealt.coups_after_cut}: the commitment has no field for another number"
            )
        return terms

    @property
    def dealt(self) -> ShoeRules:
        """The rules by which the shoe is dealt. Raise an error if the cut card leaves too few
        cards."""
        if self.source is Source.SHUFFLER:
            return ShoeRules.shuffler(self.decks)
        return ShoeRules(self.decks, self.cut, self.burn)

    @property
    def cards(self) -> int:
        return self.decks * DECK_SIZE

    def encode(self) -> bytes:
        """Return the terms as the bytes that the commitment hashes."""
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
    """A card that has left the shoe, with the proof that it was at its committed position.

    position: Its position, from 0, in the committed order.
    proof: The sibling hashes from its leaf up to the root.
    """

    position: int
    card: Card
    nonce: Hex
    proof: tuple[Hex, ...]


@dataclass(frozen=True, repr=False)
class SealedShoe:
    """A shoe with its secrets: the committed order, and the key from which the nonces are
    derived."""

    terms: CommitmentTerms
    order: tuple[Card, ...]
    key: Hex

    def __post_init__(self) -> None:
        # No message here may show a card of the shoe.
        if sorted(map(str, self.order)) != sorted(map(str, deck() * self.terms.decks)):
            raise BaccaratError(
                f"these {len(self.order)} cards are not {self.terms.decks} whole decks "
                f"({52 * self.terms.decks} cards): include every card of every deck once"
            )
        if len(self.key) != KEY_SIZE or len(self.terms.shoe) != ID_SIZE:
            raise BaccaratError(
                f"a sealed shoe must have a key of {KEY_SIZE} bytes and an id of {ID_SIZE} bytes, "
                f"not {len(self.key)} and {len(self.terms.shoe)}"
            )

    def __repr__(self) -> str:
        return f"SealedShoe({self.terms.shoe.hex()}, {len(self.order)} cards, not shown)"

    @cached_property
    def _levels(self) -> list[list[Hex]]:
        """The Merkle tree, from its leaves to its root."""
        levels = [[leaf(p, card, nonce_of(self.key, p)) for p, card in enumerate(self.order)]]
        while len(levels[-1]) > 1:
            levels.append(_level_above(levels[-1]))
        return levels

    @property
    def root(self) -> Hex:
        return self._levels[-1][0]

    @property
    def commitment(self) -> Hex:
        """The value to publish before the first wager."""
        return commitment_of(self.terms, self.root)

    def open(self, position: int) -> OpenedCard:
        """Return the card at a committed position, with its proof."""
        proof, place = [], position
        for level in self._levels[:-1]:
            if place ^ 1 < len(level):
                proof.append(level[place ^ 1])
            place //= 2
        return OpenedCard(
            position, self.order[position], nonce_of(self.key, position), tuple(proof)
        )


def number(value: int) -> bytes:
    """Return a whole number below 2³² as four bytes, most significant first."""
    return value.to_bytes(4, "big")


def tagged(tag: str, *parts: bytes) -> Hex:
    """Return the SHA-256 of a tag, a zero byte and the parts.

    The tag is a domain separator: it keeps different kinds of hashes apart.
    """
    return Hex(sha256(b"".join((f"baccarat/{tag}/1".encode(), b"\0", *parts))).digest())


def nonce_of(key: bytes, position: int) -> Hex:
    """Return the nonce that hides the card at this position until it is dealt or the key is
    revealed."""
    return tagged("nonce", key, number(position))


def leaf(position: int, card: Card, nonce: bytes) -> Hex:
    return tagged("leaf", number(position), bytes([_CODES[card]]), nonce)


def node(left: bytes, right: bytes) -> Hex:
    return tagged("node", left, right)


def commitment_of(terms: CommitmentTerms, root: bytes) -> Hex:
    return tagged("shoe", terms.encode(), root)


def proves(opened: OpenedCard, *, cards: int, root: bytes) -> bool:
    """Return whether the proof shows that the card was at its position in a Merkle tree of `cards`
    cards with this root."""
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


def _level_above(level: Sequence[Hex]) -> list[Hex]:
    """Return the next level of the Merkle tree: pairs are hashed; an unpaired last node is kept as
    is."""
    above = [node(*level[i : i + 2]) for i in range(0, len(level) - 1, 2)]
    return above + ([level[-1]] if len(level) % 2 else [])
