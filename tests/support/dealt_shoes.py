"""Sealed shoes dealt to their end, and the documents they leave behind."""

import random
from typing import Any

from baccarat.core.coup import Deal
from baccarat.shoe import Burn, shuffled
from baccarat.shoe.commitment import SealedShoe, Source, Terms
from baccarat.shoe.contributions import (
    Contribution,
    contribution_of,
    dealing_order,
    public_seed,
)
from baccarat.shoe.document import (
    ABANDONED,
    DEALT_OUT,
    CoupRecord,
    Reveal,
    ShoeRecord,
    document,
)
from baccarat.shoe.progress import Progress, new_shoe, new_shuffler
from baccarat.table.rules import game_of, rules_hash, rules_text


def sealed(
    seed: int,
    *,
    decks: int = 1,
    card: str = "punto-banco",
    source: Source = Source.SHOE,
    burn: Burn = Burn.FIRST_CARD,
    cut: int = 14,
) -> tuple[SealedShoe, str]:
    rng = random.Random(seed)
    rules = rules_text(card, parameters={"decks": str(decks)})
    shuffler = source is Source.SHUFFLER
    terms = Terms(
        shoe=rng.randbytes(16),
        source=source,
        decks=decks,
        cut=0 if shuffler else cut,
        burn=Burn.NONE if shuffler else burn,
        rules=rules_hash(rules),
    )
    return SealedShoe(terms, shuffled(decks=decks, randomness=rng), rng.randbytes(32)), rules


def contributions(shoe: SealedShoe, seed: int, *, count: int = 3) -> tuple[Contribution, ...]:
    """So many, the second of them withheld."""
    rng, made = random.Random(seed), []
    for i in range(count):
        name, secret = f"player {i} ♥", rng.randbytes(32)
        commitment = contribution_of(shoe.commitment, name, secret)
        made.append(Contribution(name, commitment, None if i == 1 else secret))
    return tuple(made)


def dealt(
    shoe: SealedShoe,
    rules: str,
    given: tuple[Contribution, ...] = (),
    *,
    coups: int | None = None,
    ended: str | None = DEALT_OUT,
    cut_short: frozenset[int] = frozenset(),
) -> dict[str, Any]:
    """The document after so many coups, or after all of them."""
    terms = shoe.terms
    order = dealing_order(public_seed(shoe.commitment, given), terms.cards)
    progress, shown = _begun(shoe, order)
    records: list[CoupRecord] = []
    while not progress.over and len(records) != coups:
        cards, deal, stop = [], Deal(game_of(rules).tableau), len(records) in cut_short
        while not deal.over and not (stop and len(cards) == 3):
            opened = shoe.open(order[progress.place])
            cards.append((deal.turn.hand, opened))
            deal, progress = deal.give(opened.card), progress.take()
        progress = progress.end_coup()
        records.append(CoupRecord(tuple(cards), cut_short=stop))
    if coups is not None and ended == DEALT_OUT:
        ended = ABANDONED
    return document(
        ShoeRecord(
            terms=terms,
            rules=rules,
            root=shoe.root,
            contributions=given,
            ready=True,
            burned=progress.burned,
            shown=shown,
            coups=tuple(records),
            ended=ended,
            reveal=Reveal(shoe.order, shoe.key) if ended else None,
        )
    )


def _begun(shoe: SealedShoe, order: tuple[int, ...]) -> tuple[Progress, Any]:
    terms = shoe.terms
    if terms.source is Source.SHUFFLER:
        return new_shuffler(terms.cards), None
    progress = new_shoe(
        size=terms.cards, cut=terms.cut, most_burned=terms.burn.most, burn=terms.burn
    )
    first = shoe.open(order[0])
    burned = terms.burn.taking(first.card)
    shown = first if terms.burn is Burn.FIRST_CARD else None
    return Progress(size=progress.size, cut=progress.cut, burned=burned), shown
