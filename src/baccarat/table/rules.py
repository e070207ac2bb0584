"""The rules by which a shoe is dealt, as canonical text that is kept in the journal.

The text contains the whole rule card with the table's parameters and readings, not only a hash, so
that any round can be replayed at any time. It also spells out the tableau that results from the
readings, for verifiers that know nothing about rule cards. A game is built from this text alone.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeVar

from baccarat.core.bets import BaseBet
from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Game, RuleCard
from baccarat.core.tableau import Tableau
from baccarat.loader import Finding, content_of, load_content, load_with_ambiguity, parse_toml
from baccarat.shoe.commitment import Hex
from baccarat.table.codec import Values, canonical_text
from baccarat.table.settings import BetLimits, StakeLimits

VERSION = 1
AnyBet = TypeVar("AnyBet", bound=BaseBet)


def rules_text(
    card: str,
    *,
    parameters: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> str:
    """Return the canonical text of a rule card with the table's parameters and readings."""
    content = content_of(card)
    return _text(content, Game.of(load_content(content, name=card), parameters, readings))


def _text(content: dict[str, Any], game: Game) -> str:
    return canonical_text(
        {
            "version": VERSION,
            "card": content,
            "parameters": {name: ratio(value) for name, value in game.parameters.items()},
            "readings": dict(game.readings),
            "tableau": _spelled_out(game.tableau),
        }
    )


def resolved(text: str, ambiguity: str, reading: str, words: str) -> str:
    """Return the next version of the rules, in which this ambiguity has the given reading."""
    content: dict[str, Any] = json.loads(text)
    game_of(text).card.ambiguity(ambiguity).reading(reading)
    card = content["card"]
    card["version"] += 1
    for one in card["ambiguity"]:
        if one["id"] == ambiguity:
            one.update(status="resolved", in_force=reading, resolution=words)
    readings = {**content["readings"], ambiguity: reading}
    made = Game.of(load_content(card, name=str(card["id"])), content["parameters"], readings)
    return _text(card, made)


def ambiguity_in(fragment: str) -> dict[str, Any]:
    """Return the ambiguity in a TOML fragment; raise BaccaratError unless there is exactly one."""
    parsed = parse_toml(fragment)
    if isinstance(parsed, Finding):
        raise BaccaratError(str(parsed))
    match parsed:
        case {"ambiguity": [dict() as given]} if len(parsed) == 1:
            return given
    raise BaccaratError("write exactly one [[ambiguity]], with its readings")


@lru_cache(maxsize=64)
def with_ambiguity(text: str, name: str, question: str, fragment: str) -> str:
    """Return the rules with one more open ambiguity, written in TOML as in a rule card.

    Raise BaccaratError if the fragment is not valid, or if its reading in force would change the
    game. The ambiguity gets the id `name` and this question.
    """
    given = ambiguity_in(fragment)
    if given.get("status") != "open" or "sisters" in given:
        raise BaccaratError('write status = "open", and leave out sisters')
    content: dict[str, Any] = json.loads(text)
    card = content["card"]
    new = {**given, "id": name, "question": question}
    card["ambiguity"] = [*card.get("ambiguity", ()), new]
    loaded, readings = load_with_ambiguity(card, fragment), content["readings"]
    made = Game.of(loaded, content["parameters"], {**readings, name: given["in_force"]})
    played = game_of(text)
    if (made.tableau, made.bets) != (played.tableau, played.bets):
        raise BaccaratError("the reading in force must be the rule as it was played: correct it")
    return _text(card, made)


def card_id(text: str) -> str:
    return game_of(text).card.id


@lru_cache(maxsize=64)
def rules_hash(text: str) -> Hex:
    return Hex(sha256(text.encode()).digest())


@lru_cache(maxsize=64)
def game_of(text: str, agreed: Values = ()) -> Game:
    """Return the game that the canonical text describes, with parameters agreed with a player."""
    content: dict[str, Any] = json.loads(text)
    if content.get("version") != VERSION:
        raise BaccaratError(
            f"cannot read rules of version {content.get('version')!r}, only of version {VERSION}: "
            "use a newer program"
        )
    name = str(content["card"].get("id"))
    card = load_content(content["card"], name=name)
    game = Game.of(card, {**content["parameters"], **dict(agreed)}, content["readings"])
    if _spelled_out(game.tableau) != content["tableau"]:
        raise BaccaratError(f"the rules of {name} contain a tableau that does not match their card")
    return game


@lru_cache(maxsize=256)
def table_game(
    text: str,
    limits: StakeLimits,
    agreed: Values = (),
    currency: str | None = None,
) -> Game:
    """Return the game as a table offers it, with the table's limits in place of the rule card's.

    `currency` is the house's currency; it is needed only to describe the game in words.
    """
    game = game_of(text, agreed)
    return game_at(game, limits, currency or game.card.currency)


def game_at(game: Game, limits: StakeLimits, currency: str) -> Game:
    """Return the game with the table's limits, in the house's currency."""
    card = card_at(game.card, limits, currency)
    return replace(game, card=card, bets=_limited(game.bets, limits))


def card_at(card: RuleCard, limits: StakeLimits, currency: str) -> RuleCard:
    """Return the rule card with the table's limits, in the house's currency."""
    own = replace(
        card.limits,
        minimum=limits.minimum or card.limits.minimum,
        maximum=limits.maximum or card.limits.maximum,
    )
    return replace(card, currency=currency, limits=own, bets=_limited(card.bets, limits))


def stake_range(game: Game, limits: StakeLimits, bet: str) -> tuple[int, int]:
    """Return the smallest and the largest stake that the table accepts on a bet (R35).

    A maximum for the whole coup also limits each bet.
    """
    offer = game.offers[bet]
    if limits.coup_maximum is not None:
        offer = offer._replace(most=min(offer.most, limits.coup_maximum))
    return offer.smallest, offer.largest


def _limited(bets: tuple[AnyBet, ...], limits: StakeLimits) -> tuple[AnyBet, ...]:
    own = {one.bet: one for one in limits.bets}
    return tuple(
        replace(
            bet,
            minimum=own[bet.id].minimum or bet.minimum,
            maximum=own[bet.id].maximum or bet.maximum,
        )
        if bet.id in own
        else bet
        for bet in bets
    )


def foreign_limits(game: Game, limits: StakeLimits, currency: str) -> list[str]:
    """Return the names of limits that a table would take from a rule card in another currency."""
    if game.card.currency == currency:
        return []
    found = [name for name in ("minimum", "maximum") if getattr(limits, name) is None]
    own = {one.bet: one for one in limits.bets}
    for bet in game.bets:
        mine = own.get(bet.id, BetLimits(bet.id))
        found += [
            f"{name} of {bet.id}"
            for name in ("minimum", "maximum")
            if getattr(bet, name) is not None and getattr(mine, name) is None
        ]
    return found


def _spelled_out(tableau: Tableau) -> dict[str, Any]:
    return {
        "naturals": sorted(tableau.naturals),
        "player_draws": sorted(tableau.player_draws),
        "banker_draws": [list(cell) for cell in sorted(tableau.banker_draws)],
    }
