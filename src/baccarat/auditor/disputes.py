"""Disputes again: what the wagers of a round come to under every reading that was open.

In go the text of the rules, the cards of a coup and those that followed, and a player's wagers; out
comes, for each combination of readings, what they come to. The one rule: read the rule card's file
format directly, and share nothing with the service that decided the dispute.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from baccarat import verifier
from baccarat.auditor.paying import Payer, facts_of

Readings = dict[str, str]
Seen = tuple[list[str], bool]
"""A coup's cards and those behind them as far as they have been seen by now; and whether no more of
them will be."""


class Unknown(Exception):
    """A card that this reading needs has not been seen."""


@dataclass
class PastRound:
    """A settled round that is disputed later."""

    rules: str
    seen: Callable[[], Seen]
    wagers: Mapping[str, Any]
    """By player: the event that placed them."""
    results: Mapping[str, Any]
    """By player."""


def promised(shoe: Mapping[str, Any], coup: int) -> Seen:
    """The cards from a coup on, of a shoe whose public document goes on growing."""
    order = verifier.shuffled_positions(bytes.fromhex(shoe["seed"]), 52 * shoe["decks"])
    seen = {card["position"]: card["card"] for coup in shoe["coups"] for card in coup["cards"]}
    if shoe["reveal"]:
        seen |= dict(enumerate(shoe["reveal"]["order"]))
    first = shoe["coups"][coup]["cards"][0]["position"]
    found: list[str] = []
    for position in order[order.index(first) :]:
        if position not in seen:
            break
        found.append(seen[position])
    return found, bool(shoe["ended"])


def combinations(rules: str) -> Iterator[Readings]:
    """Every combination of readings of the ambiguities that are open."""
    asked = [one for one in json.loads(rules)["card"].get("ambiguity", []) if _is_open(one)]
    for chosen in product(*([reading["id"] for reading in one["reading"]] for one in asked)):
        yield dict(zip((one["id"] for one in asked), chosen, strict=True))


def _is_open(ambiguity: Mapping[str, Any]) -> bool:
    return bool(ambiguity["status"] == "open")


def outcome(past: PastRound, player: str, readings: Readings) -> tuple[str, list[int]] | None:
    """The coup and each wager's net; None where the wagers could not have been made.

    Raises Unknown when it needs a card that has not been seen.
    """
    content = json.loads(past.rules)
    chosen = {**content["readings"], **readings}
    placed = past.wagers[player]
    bets = [_bet(content["card"], content["readings"], chosen, w["bet"]) for w in placed["wagers"]]
    if not _allowed(content["card"], chosen, [bet for bet in bets if bet]):
        return None
    cards, final = past.seen()
    hands = _dealt(_tableau(content, readings), cards)
    if hands is None:
        if final:
            return None
        raise Unknown
    payer = Payer(json.dumps({**content, "readings": chosen}))
    if payer.rounding == "refuse":
        payer.rounding = "up"
    facts = facts_of(*hands, payer.tableau["naturals"])
    written = " ".join(
        f"{letter}:{''.join(hand)}={facts[f'{name}_total']}"
        for letter, name, hand in zip("PB", ("player", "banker"), hands, strict=True)
    )
    nets = [
        payer.net(bet, wager["stake"], facts, placed["agreed"]) or 0 if bet else 0
        for bet, wager in zip(bets, placed["wagers"], strict=True)
    ]
    return written, nets


def _tableau(content: Mapping[str, Any], readings: Readings) -> dict[str, Any]:
    """The tableau in force, with the cells that these readings govern read as they say."""
    spelled = content["tableau"]
    draws = {tuple(cell) for cell in spelled["banker_draws"]}
    for one in content["card"].get("ambiguity", []):
        if one["id"] in readings:
            draws -= set(_cells(one.get("cells", [])))
            draws |= set(_cells(_reading(one, readings[one["id"]]).get("draws", [])))
    return {**spelled, "banker_draws": draws}


def _reading(ambiguity: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    (found,) = (one for one in ambiguity["reading"] if one["id"] == name)
    return dict(found)


def _cells(written: Sequence[str]) -> Iterator[tuple[int, int]]:
    for text in written:
        totals, _, given = text.partition("/")
        yield from product(_numbers(totals), _numbers(given))


def _numbers(text: str) -> Iterator[int]:
    for word in (part.strip() for part in text.split(",")):
        if word == "any":
            yield from range(10)
        elif word == "stood":
            yield verifier.STOOD
        else:
            low, _, high = word.partition("-")
            yield from range(int(low), int(high or low) + 1)


def _dealt(tableau: Mapping[str, Any], cards: Sequence[str]) -> tuple[list[str], list[str]] | None:
    hands: dict[str, list[str]] = {"player": [], "banker": []}
    points = {name: list[int]() for name in hands}
    for card in cards:
        hand = verifier.next_hand(points["player"], points["banker"], dict(tableau))
        if hand is None:
            break
        hands[hand].append(card)
        points[hand].append(min(1 + verifier.RANKS.index(card[:-1]), 10) % 10)
    if verifier.next_hand(points["player"], points["banker"], dict(tableau)) is not None:
        return None
    return hands["player"], hands["banker"]


def _standing(card: Mapping[str, Any], readings: Readings) -> dict[str, str]:
    """Every bet there is under these readings, and the card's bet that it stands for."""
    bets = {bet["id"]: bet["id"] for bet in card["bet"]}
    for one in card.get("ambiguity", []):
        instead = _reading(one, readings[one["id"]]).get("bet", [])
        for new in instead:
            bets.pop(new.get("replaces") or new["id"], None)
        bets |= {new["id"]: new.get("replaces") or new["id"] for new in instead}
    return bets


def _bet(card: Mapping[str, Any], before: Readings, chosen: Readings, name: str) -> str | None:
    origin, there = _standing(card, before)[name], _standing(card, chosen)
    alike = [bet for bet, of in there.items() if of == origin]
    if name in alike:
        return name
    return alike[0] if len(alike) == 1 else None


def _allowed(card: Mapping[str, Any], readings: Readings, bets: Sequence[str]) -> bool:
    """May these bets be wagered on together?"""
    there = _standing(card, readings)
    origins = {there[bet] for bet in bets}
    requires = {bet["id"]: bet.get("requires", []) for bet in card["bet"]}
    for one in card.get("ambiguity", []):
        governed = _reading(one, readings[one["id"]]).get("requires")
        if governed is not None:
            requires |= dict.fromkeys(one.get("requires", []), governed)
    for bet in card["bet"]:
        if bet["id"] in origins:
            if origins & set(bet.get("excludes", [])):
                return False
            if requires[bet["id"]] and not origins & set(requires[bet["id"]]):
                return False
    return True
