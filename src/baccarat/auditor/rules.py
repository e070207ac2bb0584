"""Reads the rules of a shoe from the journal: what bets pay, and which wagers are allowed.

The rule-card format (docs/reference/rule-cards.md) is interpreted directly, condition by condition;
nothing is compiled.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from baccarat.auditor.amounts import money
from baccarat.auditor.coups import DECK, NAMES, POINTS, Facts, Hands, is_named, takes_more
from baccarat.verifier import STOOD

Bet = dict[str, Any]
Agreed = Sequence[Sequence[str]]
Limits = Mapping[str, Any]
Readings = Mapping[str, str]
MAX_COMBINATIONS = 1024
"""Maximum number of combinations of readings that a dispute may have."""


class Rules:
    """The rules of a shoe; `readings` replace the readings in force."""

    def __init__(self, text: str, readings: Readings | None = None) -> None:
        content = json.loads(text)
        self._card, self._readings = content["card"], {**content["readings"], **(readings or {})}
        self._ambiguities: list[Any] = self._card.get("ambiguity", [])
        self._limits = self._card["limits"]
        self.parameters = {name: number(text) for name, text in content["parameters"].items()}
        self.rounding = self._limits.get("rounding", "refuse")
        self.for_player = self._promises_disputes()
        self.bets = self._read_bets()
        names = self.agreeable().keys()
        self.needing = {
            name
            for name, bet in self.bets.items()
            if names & {line["pays"] for line in bet["lines"]}
        }
        """Bets whose odds depend on a parameter that is set by agreement."""
        self._spelled = content["tableau"]
        self.tableau = self._read_tableau(self._spelled, readings or {})

    # ---- readings --------------------------------------------------------------------------

    def open_readings(self) -> Iterator[Readings]:
        """Yield every combination of readings of the open ambiguities."""
        choices = {
            ambiguity["id"]: [reading["id"] for reading in ambiguity["reading"]]
            for ambiguity in self._ambiguities
            if ambiguity["status"] == "open"
        }
        for chosen in product(*choices.values()):
            yield dict(zip(choices, chosen, strict=True))

    def leaves(self, before: "Rules", name: str) -> bool:
        """Return whether adding the ambiguity `name` to the rules `before` changes nothing in play.

        The ambiguity must govern something that no other ambiguity governs, and its reading in
        force must be the rule as it was played.
        """
        (new,) = (ambiguity for ambiguity in self._ambiguities if ambiguity["id"] == name)
        known = {bet["id"] for bet in self._card["bet"]}
        apart = known.issuperset((*new.get("bets", ()), *new.get("requires", ()))) and all(
            _governed(new).isdisjoint(_governed(ambiguity)) for ambiguity in before._ambiguities
        )
        in_force = self._read_tableau(self._spelled, {name: new["in_force"]})
        played = in_force == before.tableau and self._terms() == before._terms()
        return apart and played and sum(1 for _ in self.open_readings()) <= MAX_COMBINATIONS

    def _terms(self) -> dict[str, Any]:
        """Return the bets by id, with odds as numbers unless a parameter sets them."""
        return {
            name: {
                **bet,
                "lines": [(line["when"], _named_odds(line["pays"])) for line in bet["lines"]],
            }
            for name, bet in self.bets.items()
        }

    def _promises_disputes(self) -> bool:
        """Return whether open ambiguities are decided in the player's favour."""
        promised = self._card.get("procedures", {}).get("disputes_for_player", False)
        return promised and any(ambiguity["status"] == "open" for ambiguity in self._ambiguities)

    def bet_for(self, name: str, before: "Rules") -> str | None:
        """Return the bet that corresponds to the bet `name` of the rules `before`.

        `before` are the same rules under other readings. Return None if no single bet corresponds.
        """
        origin = _origin(before.bets[name])
        alike = [id_ for id_, bet in self.bets.items() if _origin(bet) == origin]
        if name in alike:
            return name
        return alike[0] if len(alike) == 1 else None

    def _reading(self, ambiguity: Mapping[str, Any]) -> Mapping[str, Any]:
        chosen = self._readings[ambiguity["id"]]
        (found,) = (reading for reading in ambiguity["reading"] if reading["id"] == chosen)
        return dict(found)

    def _read_bets(self) -> dict[str, Bet]:
        """Return the bets by id, with the readings applied."""
        bets: dict[str, Bet] = {bet["id"]: dict(bet) for bet in self._card["bet"]}
        now: dict[str, list[str]] = {}
        for ambiguity in self._ambiguities:
            instead = self._reading(ambiguity).get("bet", [])
            before = {old: bets.pop(old) for old in {_origin(new) for new in instead}}
            for new in instead:
                bets[new["id"]] = {**before[_origin(new)], **new}
                now.setdefault(_origin(new), []).append(new["id"])
        for ambiguity in self._ambiguities:
            requires = self._reading(ambiguity).get("requires")
            for bet in bets.values():
                if requires is not None and _origin(bet) in ambiguity.get("requires", ()):
                    bet["requires"] = requires
        for bet in bets.values():
            for key in ("requires", "excludes"):
                bet[key] = [new for old in bet.get(key, ()) for new in now.get(old, [old])]
        return bets

    def _read_tableau(self, spelled: Mapping[str, Any], readings: Readings) -> dict[str, set[Any]]:
        """Return the tableau, with the given readings applied to the cells that they affect."""
        draws = {tuple(cell) for cell in spelled["banker_draws"]}
        for ambiguity in self._ambiguities:
            if ambiguity["id"] in readings:
                draws -= set(_cells(ambiguity.get("cells", [])))
                draws |= set(_cells(self._reading(ambiguity).get("draws", [])))
        others = {name: set(spelled[name]) for name in ("naturals", "player_draws")}
        return {**others, "banker_draws": draws}

    # ---- what bets pay ---------------------------------------------------------------------

    def net(self, bet: str, stake: int, facts: Facts, agreed: Agreed = ()) -> int | None:
        """Return the net result of a wager in coins, which is negative for a loss.

        Return None if the bet is unknown, or if the payout is not a whole number of coins.
        """
        if bet not in self.bets:
            return None
        odds = self.odds(bet, facts, agreed)
        return -stake if odds is None else self.payout(stake, odds)

    def odds(self, bet: str, facts: Facts, agreed: Agreed = ()) -> Fraction | None:
        """Return the odds that a bet pays on a coup: 0 for a stand-off, None for a loss."""
        for line in self.bets[bet]["lines"]:
            if holds(line["when"], facts):
                return self._priced(line["pays"], agreed)
        return None

    def further_cards(self, bet: str, hands: Hands) -> Sequence[str]:
        """Return cards that may follow these hands: one card for all those between which the bet
        cannot distinguish."""
        looks = [look for line in self.bets[bet]["lines"] for look in looks_of(line["when"], hands)]
        alike = {(POINTS[card], *(look(card) for look in looks)): card for card in DECK}
        return list(alike.values())

    def payout(self, stake: int, odds: Fraction) -> int | None:
        """Return the coins won at these odds, rounded as the rule card says.

        Return None if rounding would be needed and the rule card does not allow it.
        """
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
        return low + up[self.rounding] if self.rounding in up else None

    def agreeable(self) -> dict[str, tuple[Fraction, Fraction]]:
        """Return the ranges of the parameters that can be agreed with a player, by name."""
        return {
            name: (number(parameter["minimum"]), number(parameter["maximum"]))
            for name, parameter in self._card["parameters"].items()
            if parameter.get("set_by") == "agreement"
        }

    def offered(self, settings: Mapping[str, Any], key: str) -> dict[str, Fraction]:
        """Return the terms that a table offers to every player, or grants on request."""
        terms = {name: self.parameters[name] for name in self.agreeable()}
        for source in dict.fromkeys(("standing_offer", key)):
            terms |= {name: number(value) for name, value in settings.get(source, [])}
        return terms

    def _priced(self, pays: str, agreed: Agreed) -> Fraction:
        odds = _named_odds(pays)
        if isinstance(odds, Fraction):
            return odds
        return {**self.parameters, **{name: number(value) for name, value in agreed}}[odds]

    # ---- which wagers are allowed ----------------------------------------------------------

    def broken(
        self, wagers: Sequence[Mapping[str, Any]], agreed: Agreed, limits: Limits
    ) -> Iterator[str]:
        """Yield the reasons why a set of wagers should have been refused."""
        placed = [wager["bet"] for wager in wagers]
        if len(set(placed)) < len(placed):
            yield f"a bet is wagered on twice: {', '.join(sorted(placed))}"
        for wager in wagers:
            name, stake = wager["bet"], wager["stake"]
            if name not in self.bets or type(stake) is not int or stake <= 0:
                yield f"{money(stake)} on {name} is not a valid wager"
            else:
                yield from self._bad_stake(name, stake, agreed, limits)
                yield from self.combination_findings(name, placed)
                if not agreed and name in self.needing:
                    yield f"{name} pays a value that was not agreed"
        most, total = limits["coup_maximum"], sum(wager["stake"] for wager in wagers)
        if most is not None and total > most:
            yield f"{money(total)} on one coup is above the maximum of {money(most)}"

    def combination_findings(self, name: str, placed: Sequence[str]) -> Iterator[str]:
        """Yield a finding for each bet in `placed` that this bet excludes.

        Also yield a finding if the bet requires one of certain other bets and none is in `placed`.
        """
        bet = self.bets[name]
        for other in sorted(set(bet["excludes"]) & set(placed)):
            yield f"{name} and {other} cannot be combined"
        if bet["requires"] and not set(bet["requires"]) & set(placed):
            yield f"{name} requires a wager on {' or '.join(bet['requires'])}"

    def over_together(
        self,
        wagers: Mapping[str, int],
        before: Mapping[str, int],
        others: Mapping[str, int],
        limits: Limits,
    ) -> Iterator[str]:
        """Yield a finding for each bet on which a player and their partners exceed the maximum.

        Only bets on which the player has raised the stake are checked.
        """
        if not self._limits.get("partners_share_maximum", False):
            return
        for name, stake in wagers.items():
            high = self._range(name, limits)[1] if name in self.bets else 0
            together = stake + others.get(name, 0)
            if name in others and stake > before.get(name, 0) and together > high:
                shared = f"the shared maximum of {money(high)}"
                yield f"{money(together)} on {name} together with partners is above {shared}"

    def takes_more_than(self, before: "Rules", old: Limits, new: Limits) -> bool:
        """Return whether a maximum (of a bet, of a coup or of seats) was raised or removed."""
        if any(
            self._range(name, new)[1] > (before._range(name, old)[1] if name in before.bets else 0)
            for name in self.bets
        ):
            return True
        pairs = ((old.get(name), new.get(name)) for name in ("coup_maximum", "seats"))
        return any(was is not None and (now is None or now > was) for was, now in pairs)

    def _range(self, name: str, limits: Limits) -> tuple[int, int]:
        shown: Limits = next((own for own in limits["bets"] if own["bet"] == name), {})
        bet = self.bets[name]
        low, high = (
            shown.get(end) or _coins(bet.get(end)) or limits[end] or _coins(self._limits[end])
            for end in ("minimum", "maximum")
        )
        return low, high

    def _bad_stake(self, name: str, stake: int, agreed: Agreed, limits: Limits) -> Iterator[str]:
        low, high = self._range(name, limits)
        if not low <= stake <= high:
            yield f"{money(stake)} on {name} is outside the limits {money(low)} to {money(high)}"
        if self.rounding == "refuse":
            for line in self.bets[name]["lines"]:
                if (stake * self._priced(line["pays"], agreed)).denominator != 1:
                    odds = line["pays"]
                    yield f"{money(stake)} on {name} at {odds} does not pay a whole number of coins"


def with_listed(text: str, name: str, fragment: str) -> str:
    """Return the text of the rules with an ambiguity that the house has listed."""
    content = json.loads(text)
    (given,) = tomllib.loads(fragment)["ambiguity"]
    card = content["card"]
    card["ambiguity"] = [*card.get("ambiguity", []), {**given, "id": name}]
    content["readings"][name] = given["in_force"]
    return json.dumps(content)


def fits_listed(text: str, name: str, fragment: str) -> bool:
    """Return whether the readings of a listed ambiguity fit the rules of a round."""
    try:
        return Rules(with_listed(text, name, fragment)).leaves(Rules(text), name)
    except LookupError:  # these rules do not have a bet or parameter that it names
        return False


def _governed(ambiguity: Mapping[str, Any]) -> set[tuple[str, Any]]:
    """Return what an ambiguity governs: cells of the tableau, bets, and what bets require."""
    parts = {**ambiguity, "cells": _cells(ambiguity.get("cells", []))}
    return {(key, part) for key in ("cells", "bets", "requires") for part in parts.get(key, ())}


def holds(condition: Mapping[str, Any], facts: Facts) -> bool:
    """Return whether a condition of a rule card is true for the facts of a coup."""
    return all(_part_holds(name, value, facts) for name, value in condition.items())


def _part_holds(name: str, value: Any, facts: Facts) -> bool:
    if name == "all":
        return all(holds(part, facts) for part in value)
    if name == "any":
        return any(holds(part, facts) for part in value)
    if name == "not":
        return not holds(value, facts)
    if name == "count":
        counts = value if isinstance(value, list) else [value]
        return all(
            _is_in(facts.number(count["of"], count["in"]), count.get("is", count))
            for count in counts
        )
    return _is_in(facts[name], value)


def _is_in(fact: Any, value: Any) -> bool:
    """Return whether a fact has a value, one of several values, or a value in a range."""
    if isinstance(value, dict):
        return isinstance(fact, int) and value.get("min", 0) <= fact <= value.get("max", fact)
    return fact in (value if isinstance(value, list) else [value])


Look = Callable[[str], Any]
"""A property of a card on which a condition depends, apart from its points."""
LOOKS: Mapping[str, Look] = {
    "suits": lambda card: card[-1],
    "colours": lambda card: card[-1] in NAMES["red"],
    "ranks": lambda card: card[:-1],
    "consecutive": lambda card: card[:-1],
}


def looks_of(condition: Mapping[str, Any], hands: Hands) -> Iterator[Look]:
    """Yield the properties of further cards on which a condition depends, given the hands so
    far."""
    for name, value in condition.items():
        place, _, what = name.rpartition("_")
        if name in ("all", "any", "not"):
            for part in value if isinstance(value, list) else [value]:
                yield from looks_of(part, hands)
        elif name == "count":
            for count in value if isinstance(value, list) else [value]:
                if takes_more(count["in"], hands):
                    yield partial(is_named, of=count["of"])
        elif what == "pair" and takes_more(f"{place.partition('_')[0]}_start", hands):
            yield LOOKS["ranks"]
            if place.endswith("perfect"):
                yield LOOKS["suits"]
        elif what in LOOKS and takes_more(place, hands):
            yield LOOKS[what]


def _named_odds(pays: str) -> Fraction | str:
    """Return the odds that a line pays, or the name of the parameter that sets them."""
    if pays == "stand-off":
        return Fraction(0)
    return pays if re.match("[a-z]", pays) else number(pays)


def number(text: str | int) -> Fraction:
    """Return the value of a number such as '8', '9:1', '10%', '0.1' or '1/10'."""
    words = str(text).strip()
    if words.endswith("%"):
        return Fraction(words[:-1]) / 100
    return Fraction(words.replace(":", "/"))


def _coins(amount: object) -> int:
    """Return an amount in coins: 250 for '2.50', and 0 for None."""
    return 0 if amount is None else int(Fraction(str(amount).replace(",", "")) * 100)


def _origin(bet: Mapping[str, Any]) -> str:
    """Return the id of the bet that this bet replaces, or the bet's own id."""
    return str(bet.get("replaces") or bet["id"])


def _cells(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    for text in texts:
        totals, _, given = text.partition("/")
        yield from product(_numbers(totals), _numbers(given))


def _numbers(text: str) -> Iterator[int]:
    for word in (part.strip() for part in text.split(",")):
        if word == "any":
            yield from range(10)
        elif word == "stood":
            yield STOOD
        else:
            low, _, high = word.partition("-")
            yield from range(int(low), int(high or low) + 1)
