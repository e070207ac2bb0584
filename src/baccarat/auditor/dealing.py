"""Cards dealt again as a perfect dealer deals them, from the tableau in the journal.

In go cards as text in the order in which they left the shoe; out come the hands they belong to,
and what was drawn too many. The one rule: only the tableau that is spelled out in the rules counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from baccarat.auditor.paying import Payer, facts_of, points

Hands = tuple[tuple[str, ...], tuple[str, ...]]
SUITS = "shdc"
RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")


def next_hand(tableau: Mapping[str, Any], player: Sequence[str], banker: Sequence[str]) -> str:
    """'player', 'banker' or, when the coup is over, ''."""
    if len(player) + len(banker) < 4:
        return "banker" if len(player) > len(banker) else "player"
    p, b = (sum(points(card) for card in hand[:2]) % 10 for hand in (player, banker))
    if p in tableau["naturals"] or b in tableau["naturals"] or len(banker) == 3:
        return ""
    draws = p in tableau["player_draws"]
    if draws and len(player) == 2:
        return "player"
    given = points(player[2]) if draws else 10
    return "banker" if [b, given] in tableau["banker_draws"] else ""


def deal(tableau: Mapping[str, Any], cards: Sequence[str]) -> tuple[Hands, list[str], int]:
    """Both hands, whose each card is, and how many cards the coup takes."""
    hands: dict[str, list[str]] = {"player": [], "banker": []}
    whose: list[str] = []
    for card in cards:
        hand = next_hand(tableau, hands["player"], hands["banker"])
        if not hand:
            break
        hands[hand].append(card)
        whose.append(hand)
    return (tuple(hands["player"]), tuple(hands["banker"])), whose, len(whose)


def won_already(payer: Payer, bet: str, hands: Hands, agreed: Any) -> Any:
    """The odds of a bet that every card still to come leaves as they are; None if it is open."""
    found = {payer.odds(bet, facts, agreed) for facts in _endings(payer.tableau, *hands)}
    return found.pop() if len(found) == 1 else None


def _endings(
    tableau: Mapping[str, Any], player: tuple[str, ...], banker: tuple[str, ...]
) -> Iterator[Any]:
    hand = next_hand(tableau, player, banker)
    if not hand:
        yield facts_of(player, banker, tableau["naturals"])
        return
    any_card = len(player) + len(banker) < 4
    for rank in RANKS if any_card else RANKS[:10]:  # of a third card only its points count
        for suit in SUITS if any_card else "s":
            more = (rank + suit,)
            if hand == "player":
                yield from _endings(tableau, player + more, banker)
            else:
                yield from _endings(tableau, player, banker + more)
