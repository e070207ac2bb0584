"""SHOE.json: everything that has been made public of one shoe, for anyone to verify.

In goes what was promised, contributed, dealt and revealed; out comes plain JSON in the format of
docs/fairness.md, which `baccarat verify` and any other implementation can read. The one rule: only
what is already public goes in. A shoe that has not ended has no reveal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from baccarat.core.cards import Card
from baccarat.core.tableau import Hand
from baccarat.shoe.commitment import OpenedCard, Terms, commitment_of
from baccarat.shoe.contributions import Contribution, public_seed

FORMAT, VERSION = "baccarat-shoe", 1
DEALT_OUT, ABANDONED = "dealt-out", "abandoned"


@dataclass(frozen=True)
class CoupRecord:
    """The cards of one coup in the order dealt."""

    cards: tuple[tuple[Hand, OpenedCard], ...]
    cut_short: bool = False
    """The round was cancelled before the coup was over."""


@dataclass(frozen=True)
class Reveal:
    """The secret of a shoe that has ended."""

    order: tuple[Card, ...]
    key: bytes


@dataclass(frozen=True)
class ShoeRecord:
    """All that is public of a shoe."""

    terms: Terms
    rules: str
    """Canonical content of the rules."""
    root: bytes
    contributions: tuple[Contribution, ...] = ()
    ready: bool = False
    """No more is contributed: the order of dealing is fixed."""
    burned: int = 0
    shown: OpenedCard | None = None
    """The card that said how many were burned."""
    coups: tuple[CoupRecord, ...] = ()
    ended: str | None = None
    reveal: Reveal | None = None


def document(record: ShoeRecord) -> dict[str, Any]:
    """The record as JSON values."""
    terms, commitment = record.terms, commitment_of(record.terms, record.root)
    seed = public_seed(commitment, record.contributions).hex() if record.ready else None
    return {
        "format": FORMAT,
        "version": VERSION,
        "shoe": terms.shoe.hex(),
        "source": str(terms.source),
        "decks": terms.decks,
        "cut": terms.cut,
        "burn": str(terms.burn),
        "rules": record.rules,
        "root": record.root.hex(),
        "commitment": commitment.hex(),
        "contributions": [_contribution(one) for one in record.contributions],
        "seed": seed,
        "burned": record.burned,
        "shown": record.shown and _opened(record.shown),
        "coups": [_coup(coup) for coup in record.coups],
        "ended": record.ended,
        "reveal": record.reveal and _reveal(record.reveal),
    }


def _contribution(one: Contribution) -> dict[str, Any]:
    secret = None if one.secret is None else one.secret.hex()
    return {"name": one.name, "commitment": one.commitment.hex(), "secret": secret}


def _opened(opened: OpenedCard) -> dict[str, Any]:
    return {
        "position": opened.position,
        "card": str(opened.card),
        "nonce": opened.nonce.hex(),
        "proof": [step.hex() for step in opened.proof],
    }


def _coup(coup: CoupRecord) -> dict[str, Any]:
    cards: Sequence[dict[str, Any]] = [
        {"hand": str(hand), **_opened(opened)} for hand, opened in coup.cards
    ]
    return {"cards": cards, "cut_short": coup.cut_short}


def _reveal(reveal: Reveal) -> dict[str, Any]:
    return {"key": reveal.key.hex(), "order": [str(card) for card in reveal.order]}
