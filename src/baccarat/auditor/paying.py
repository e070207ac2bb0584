"""What a wager pays, from the text of the rules in the journal.

In go the canonical rules, the cards of a coup and a wager; out come the coins it wins or loses. The
one rule: read the rule card's file format (docs/rule-cards.md) directly, condition by condition,
without compiling anything.
"""

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Facts = Mapping[str, int | str | bool]


class Payer:
    """The bets of one canonical content of rules."""

    def __init__(self, rules: str) -> None:
        content = json.loads(rules)
        self.tableau = content["tableau"]
        self.parameters = {name: number(text) for name, text in content["parameters"].items()}
        self.rounding = content["card"]["limits"].get("rounding", "refuse")
        self.bets = _bets(content["card"], content["readings"])

    def net(
        self, bet: str, stake: int, facts: Facts, agreed: Sequence[Sequence[str]] = ()
    ) -> int | None:
        """Coins won (or, below zero, lost); None when there is no such bet or no whole payout."""
        if bet not in self.bets:
            return None
        odds = self.odds(bet, facts, agreed)
        return -stake if odds is None else _payout(stake, odds, self.rounding)

    def odds(self, bet: str, facts: Facts, agreed: Sequence[Sequence[str]] = ()) -> Fraction | None:
        """What a bet pays on a coup, 0 for a stand-off; None when it loses."""
        parameters = {**self.parameters, **{name: number(value) for name, value in agreed}}
        for line in self.bets[bet]:
            if holds(line["when"], facts):
                return _odds(line["pays"], parameters)
        return None

    def payout(self, stake: int, odds: Fraction) -> int | None:
        """Coins won at these odds, rounded as the card says; None when it refuses to round."""
        return _payout(stake, odds, self.rounding)


def number(text: str | int) -> Fraction:
    """'8', '9:1', '10%', '0.1' or '1/10'."""
    words = str(text).strip()
    if words.endswith("%"):
        return Fraction(words[:-1]) / 100
    return Fraction(words.replace(":", "/"))


def agreeable(rules: str) -> dict[str, tuple[Fraction, Fraction]]:
    """The parameters that the card leaves to an agreement with a player, and their ranges."""
    return {
        name: (number(one["minimum"]), number(one["maximum"]))
        for name, one in json.loads(rules)["card"]["parameters"].items()
        if one.get("set_by") == "agreement"
    }


def facts_of(player: Sequence[str], banker: Sequence[str], naturals: Sequence[int]) -> Facts:
    """What can be said of a coup, from the cards of both hands."""
    p, b = ([points(card) for card in hand] for hand in (player, banker))
    p_total, b_total, p_start, b_start = (sum(x) % 10 for x in (p, b, p[:2], b[:2]))
    pairs = [_same(hand, slice(None, -1)) for hand in (player, banker)]
    perfect = [_same(hand, slice(None)) for hand in (player, banker)]
    return {
        "winner": "tie" if p_total == b_total else "player" if p_total > b_total else "banker",
        "player_total": p_total,
        "banker_total": b_total,
        "margin": abs(p_total - b_total),
        "player_cards": len(p),
        "banker_cards": len(b),
        "cards": len(p) + len(b),
        "player_natural": p_start in naturals,
        "banker_natural": b_start in naturals,
        "player_start": p_start,
        "banker_start": b_start,
        "player_third": p[2] if len(p) == 3 else "none",
        "banker_third": b[2] if len(b) == 3 else "none",
        "player_pair": pairs[0],
        "banker_pair": pairs[1],
        "player_perfect_pair": perfect[0],
        "banker_perfect_pair": perfect[1],
    }


def holds(condition: Mapping[str, Any], facts: Facts) -> bool:
    """Does a condition of a rule card hold?"""
    return all(_part_holds(name, value, facts) for name, value in condition.items())


def _part_holds(name: str, value: Any, facts: Facts) -> bool:
    if name == "all":
        return all(holds(part, facts) for part in value)
    if name == "any":
        return any(holds(part, facts) for part in value)
    if name == "not":
        return not holds(value, facts)
    fact = facts[name]
    if isinstance(value, dict):
        return isinstance(fact, int) and value.get("min", 0) <= fact <= value.get("max", 9)
    return fact in (value if isinstance(value, list) else [value])


def _bets(card: Mapping[str, Any], readings: Mapping[str, str]) -> dict[str, list[Any]]:
    """The lines of every bet, those that a reading puts in the place of others included."""
    bets = {bet["id"]: bet["lines"] for bet in card["bet"]}
    for ambiguity in card.get("ambiguity", []):
        chosen = readings[ambiguity["id"]]
        (reading,) = (one for one in ambiguity["reading"] if one["id"] == chosen)
        instead = reading.get("bet", [])
        for old in {new.get("replaces") or new["id"] for new in instead}:
            bets.pop(old, None)
        bets |= {new["id"]: new["lines"] for new in instead}
    return bets


def _odds(pays: str, parameters: Mapping[str, Fraction]) -> Fraction:
    if pays == "stand-off":
        return Fraction(0)
    return parameters[pays] if re.match("[a-z]", pays) else number(pays)


def _payout(stake: int, odds: Fraction, rounding: str) -> int | None:
    exact = stake * odds
    if exact.denominator == 1:
        return int(exact)
    low = exact.numerator // exact.denominator
    half = exact - low - Fraction(1, 2)
    up = {
        "down": False,
        "up": True,
        "half-up": half >= 0,
        "half-even": half > 0 or (half == 0 and low % 2 == 1),
    }
    return low + up[rounding] if rounding in up else None


def points(card: str) -> int:
    rank = card[:-1]
    return 0 if rank in ("10", "J", "Q", "K") else 1 if rank == "A" else int(rank)


def _same(hand: Sequence[str], part: slice) -> bool:
    return hand[0][part] == hand[1][part]
