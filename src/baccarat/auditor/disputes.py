"""Recomputes disputes: the results of a round's wagers under every open reading."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from baccarat import verifier
from baccarat.auditor.coups import deal, facts_of, written
from baccarat.auditor.rules import Readings, Rules

Seen = tuple[list[str], bool]
"""A coup's cards with the known cards after it, and whether no more cards will become known."""


class Unknown(Exception):
    """A reading needs a card that has not been seen."""


@dataclass
class PastRound:
    """A settled round that is disputed later in the journal."""

    rules: str
    seen: Callable[[], Seen]
    wagers: Mapping[str, Any]
    """The event that placed the wagers, by player."""
    results: Mapping[str, Any]
    """The recorded result, by player."""


def promised(shoe: Mapping[str, Any], coup: int) -> Seen:
    """Return the known cards of a committed shoe, from the coup with this index on."""
    order = verifier.shuffled_positions(bytes.fromhex(shoe["seed"]), 52 * shoe["decks"])
    seen = {card["position"]: card["card"] for coup in shoe["coups"] for card in coup["cards"]}
    if shoe["reveal"]:
        seen |= dict(enumerate(shoe["reveal"]["order"]))
    first = shoe["coups"][coup]["cards"][0]["position"]
    known = takewhile(seen.__contains__, order[order.index(first) :])
    return [seen[position] for position in known], bool(shoe["ended"])


def outcome(past: PastRound, player: str, readings: Readings) -> tuple[str, list[int]] | None:
    """Return the coup and each wager's net result, or None if the wagers were not allowed.

    Raise Unknown if the coup needs a card that has not been seen.
    """
    before, rules, placed = Rules(past.rules), Rules(past.rules, readings), past.wagers[player]
    wagers = [(rules.bet_for(wager["bet"], before), wager["stake"]) for wager in placed["wagers"]]
    bets = [bet for bet, _ in wagers if bet]
    if any(rule for bet in bets for rule in rules.bad_company(bet, bets)):
        return None
    cards, final = past.seen()
    coup = deal(rules.tableau, cards)
    if coup.due:
        if final:
            return None
        raise Unknown
    if rules.rounding == "refuse":
        rules.rounding = "up"
    facts = facts_of(coup.hands, rules.tableau["naturals"])
    nets = [(bet and rules.net(bet, stake, facts, placed["agreed"])) or 0 for bet, stake in wagers]
    return written(coup.hands), nets


def in_words(readings: Readings) -> str:
    return ", ".join(f"{name} as {reading}" for name, reading in readings.items())
