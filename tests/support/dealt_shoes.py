"""Sealed shoes dealt to their end, and the documents they leave behind."""

import random
from dataclasses import replace
from typing import Any

from baccarat.core.coup import Deal
from baccarat.shoe import Burn, ShoeRules, shuffled
from baccarat.shoe.commitment import CommitmentTerms, Hex, SealedShoe, Source
from baccarat.shoe.contributions import (
    Contribution,
    contribution_of,
    dealing_order,
    public_seed,
)
from baccarat.shoe.progress import Progress, new_shoe
from baccarat.table.codec import to_plain
from baccarat.table.rules import game_of, rules_hash, rules_text

DEALT_OUT, ABANDONED = "dealt-out", "abandoned"


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
    dealt = ShoeRules.shuffler(decks) if shuffler else ShoeRules(decks, cut, burn)
    terms = CommitmentTerms.of(Hex(rng.randbytes(16)), dealt, rules_hash(rules))
    return SealedShoe(terms, shuffled(decks=decks, randomness=rng), Hex(rng.randbytes(32))), rules


def contributions(shoe: SealedShoe, seed: int, *, count: int = 3) -> tuple[Contribution, ...]:
    """Return `count` contributions, the second of them withheld."""
    rng, made = random.Random(seed), []
    for i in range(count):
        secret = Hex(rng.randbytes(32))
        commitment = contribution_of(shoe.commitment, secret)
        made.append(Contribution(commitment, None if i == 1 else secret))
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
    """Return the document after this number of coups, or after all of them."""
    terms = shoe.terms
    seed = public_seed(shoe.commitment, given)
    order = dealing_order(seed, terms.cards)
    progress, shown = _begun(shoe, order)
    records: list[dict[str, Any]] = []
    while not progress.over and len(records) != coups:
        cards, deal, stop = [], Deal(game_of(rules).tableau), len(records) in cut_short
        while not deal.over and not (stop and len(cards) == 3):
            opened = shoe.open(order[progress.place])
            cards.append({"hand": deal.turn.hand, **vars(opened)})
            deal, progress = deal.give(opened.card), progress.take()
        progress = progress.end_coup()
        records.append({"cards": cards, "cut_short": stop})
    if coups is not None and ended == DEALT_OUT:
        ended = ABANDONED
    return to_plain(
        {
            "format": "baccarat-shoe",
            "version": 1,
            **vars(terms),
            "rules": rules,
            "root": shoe.root,
            "commitment": shoe.commitment,
            "contributions": [vars(contribution) for contribution in given],
            "seed": seed,
            "burned": progress.burned,
            "shown": shown,
            "coups": records,
            "ended": ended,
            "reveal": {"key": shoe.key, "order": shoe.order} if ended else None,
        }
    )


def _begun(shoe: SealedShoe, order: tuple[int, ...]) -> tuple[Progress, Any]:
    terms = shoe.terms
    first = shoe.open(order[0])
    burned = terms.burn.taking(first.card)
    shown = first if terms.burn is Burn.FIRST_CARD else None
    return replace(new_shoe(terms.dealt), burned=burned), shown
