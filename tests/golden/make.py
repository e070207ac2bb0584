"""Writes the golden shoes, one whole shoe for every built-in card: python tests/golden/make.py

A golden file starts with card, decks, seed and cut; then one line for each coup has its notation
and the net win of a unit on every bet, as num/den. Regenerate them only when a rule card changes,
and read the diff before committing it.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from baccarat.core.cards import Card, deck
from baccarat.core.coup import Deal
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game
from baccarat.loader import built_in_cards, load

HERE = Path(__file__).parent
CUT = 14
"""Cards behind the cut card. No coup begins when only these are left; none are burned."""


def shuffled(decks: int, seed: int) -> list[Card]:
    """Return whole decks, suit by suit, after a Fisher-Yates shuffle from last to first. Only

    `Random.random` is used: it is the one method that Python promises not to change.
    """
    cards, rng = list(deck()) * decks, Random(seed)
    for last in range(len(cards) - 1, 0, -1):
        place = int(rng.random() * (last + 1))
        cards[last], cards[place] = cards[place], cards[last]
    return cards


def deals(game: Game, cards: list[Card], cut: int) -> Iterator[Deal]:
    """Yield coups from the front of the shoe until the cut card is reached."""
    dealt = 0
    while len(cards) - dealt > cut:
        deal = Deal(game.tableau)
        while not deal.over:
            deal = deal.give(cards[dealt])
            dealt += 1
        yield deal


def golden(name: str) -> str:
    """Return the text of a card's golden file."""
    game = load(name).game()
    seed = sum(name.encode())
    lines = [f"# card {name}", f"# decks {game.decks}", f"# seed {seed}", f"# cut {CUT}"]
    for deal in deals(game, shuffled(game.decks, seed), CUT):
        pays = game.pay_table.pays(deal.coup)
        lines.append(f"{deal.coup} " + " ".join(f"{b.id}={ratio(pays[b.id])}" for b in game.bets))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for card_id in built_in_cards():
        (HERE / f"{card_id}.txt").write_text(golden(card_id), encoding="utf-8")
