"""Which wagers a table may take, from the text of the rules in the journal and the table's limits.

In go the canonical rules, the limits that the table shows, and a set of wagers with what was
agreed; out comes every rule that the set breaks. The one rule: read the rule card's file format
(docs/rule-cards.md) directly, as `paying.py` does.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from baccarat.auditor.paying import number
from baccarat.auditor.words import money

Bet = dict[str, Any]


class Layout:
    """The bets of one canonical content of rules, and what holds for wagers on them."""

    def __init__(self, rules: str) -> None:
        content = json.loads(rules)
        card = content["card"]
        self._parameters = {name: number(text) for name, text in content["parameters"].items()}
        self._limits = card["limits"]
        self._bets = _bets(card, content["readings"])

    def broken(
        self,
        wagers: Sequence[Mapping[str, Any]],
        agreed: Sequence[Sequence[str]],
        limits: Mapping[str, Any],
    ) -> Iterator[str]:
        """What should have kept a set of wagers out."""
        placed = [wager["bet"] for wager in wagers]
        if len(set(placed)) < len(placed):
            yield f"a bet has two wagers: {', '.join(sorted(placed))}"
        parameters = self._parameters | {name: number(value) for name, value in agreed}
        for wager in wagers:
            name, stake = wager["bet"], wager["stake"]
            if name not in self._bets or type(stake) is not int or stake <= 0:
                yield f"{money(stake)} on {name} is no wager"
            else:
                yield from self._stake(self._bets[name], stake, parameters, limits)
                yield from _company(self._bets[name], placed)
        most, total = limits["coup_maximum"], sum(wager["stake"] for wager in wagers)
        if most is not None and total > most:
            yield f"{money(total)} on one coup, of which {money(most)} may be staked"

    def over_together(
        self,
        wagers: Mapping[str, int],
        before: Mapping[str, int],
        others: Mapping[str, int],
        limits: Mapping[str, Any],
    ) -> Iterator[str]:
        """Bets on which a player staked more than before, and with partners over the maximum."""
        if not self._limits.get("partners_share_maximum", False):
            return
        for name, stake in wagers.items():
            high = self._range(self._bets[name], limits)[1] if name in self._bets else 0
            together = stake + others.get(name, 0)
            if name in others and stake > before.get(name, 0) and together > high:
                yield f"{money(together)} on {name} with partners, who share {money(high)}"

    def maxima(self, limits: Mapping[str, Any]) -> dict[str, int]:
        """The largest stake on each bet."""
        return {name: self._range(bet, limits)[1] for name, bet in self._bets.items()}

    def _range(self, bet: Bet, limits: Mapping[str, Any]) -> tuple[int, int]:
        shown: Mapping[str, Any] = next((o for o in limits["bets"] if o["bet"] == bet["id"]), {})
        low, high = (
            shown.get(end) or _coins(bet.get(end)) or limits[end] or _coins(self._limits[end])
            for end in ("minimum", "maximum")
        )
        return low, high

    def _stake(
        self, bet: Bet, stake: int, parameters: Mapping[str, Fraction], limits: Mapping[str, Any]
    ) -> Iterator[str]:
        low, high = self._range(bet, limits)
        if not low <= stake <= high:
            yield f"{money(stake)} on {bet['id']} is outside {money(low)} to {money(high)}"
        if self._limits.get("rounding", "refuse") == "refuse":
            for line in bet["lines"]:
                pays = line["pays"]
                if pays != "stand-off":
                    odds = parameters[pays] if pays in parameters else number(pays)
                    if (stake * odds).denominator != 1:
                        yield f"{money(stake)} on {bet['id']} at {pays} pays no whole coins"


def raised(
    rules: str, limits: Mapping[str, Any], new_rules: str, new_limits: Mapping[str, Any]
) -> bool:
    """Does a table take more than before on a bet, on a coup, or of players?"""
    before, after = Layout(rules).maxima(limits), Layout(new_rules).maxima(new_limits)
    if any(most > before.get(name, 0) for name, most in after.items()):
        return True
    for name in ("coup_maximum", "seats"):
        old, new = limits.get(name), new_limits.get(name)
        if old is not None and (new is None or new > old):
            return True
    return False


def _company(bet: Bet, placed: Sequence[str]) -> Iterator[str]:
    for other in sorted(set(bet.get("excludes", ())) & set(placed)):
        yield f"{bet['id']} and {other} may not be combined"
    needs = bet.get("requires", ())
    if needs and not set(needs) & set(placed):
        yield f"{bet['id']} needs one of {', '.join(needs)}"


def _bets(card: Mapping[str, Any], readings: Mapping[str, str]) -> dict[str, Bet]:
    """By id, as the readings have them."""
    bets: dict[str, Bet] = {bet["id"]: dict(bet) for bet in card["bet"]}
    now: dict[str, list[str]] = {}
    chosen = [
        (one, next(r for r in one["reading"] if r["id"] == readings[one["id"]]))
        for one in card.get("ambiguity", [])
    ]
    for _, reading in chosen:
        replaced = {new.get("replaces") or new["id"] for new in reading.get("bet", [])}
        before = {old: bets.pop(old) for old in replaced}
        for new in reading.get("bet", []):
            old = new.get("replaces") or new["id"]
            bets[new["id"]] = {**before[old], **new}
            now.setdefault(old, []).append(new["id"])
    for ambiguity, reading in chosen:
        for bet in bets.values():
            governed = (bet.get("replaces") or bet["id"]) in ambiguity.get("requires", ())
            if governed and reading.get("requires") is not None:
                bet["requires"] = reading["requires"]
    for bet in bets.values():
        for key in ("requires", "excludes"):
            bet[key] = [new for old in bet.get(key, ()) for new in now.get(old, [old])]
    return bets


def _coins(amount: object) -> int:
    """'2.50' to 250; nothing to 0."""
    return 0 if amount is None else int(Fraction(str(amount).replace(",", "")) * 100)
