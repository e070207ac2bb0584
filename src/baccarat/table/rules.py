"""The rules a shoe is dealt by, as the journal keeps them.

In goes a rule card with the table's parameters and readings; out comes canonical text that holds
the whole card, not its hash alone, so that any round can be replayed for ever. The tableau that
the readings give is spelled out in it, for verifiers that know nothing of rule cards.

The one rule: the text is all there is. A game is made from it and from nothing else.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.money import ratio
from baccarat.core.rulecard import Bet, Game, RuleCard
from baccarat.core.tableau import Tableau
from baccarat.loader import content_of, load_content
from baccarat.table.canonical import canonical_text
from baccarat.table.settings import BetLimits, StakeLimits

VERSION = 1


def rules_text(
    card: str,
    *,
    parameters: Mapping[str, str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> str:
    """The canonical content of a card under the table's parameters and readings."""
    content = content_of(card)
    return _text(content, load_content(content, name=card).game(parameters, readings))


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
    """The next version of the card: this ambiguity has one reading, and the card says why."""
    content: dict[str, Any] = json.loads(text)
    game_of(text).card.ambiguity(ambiguity).reading(reading)
    card = content["card"]
    card["version"] += 1
    for one in card["ambiguity"]:
        if one["id"] == ambiguity:
            one.update(status="resolved", in_force=reading, resolution=words)
    readings = {**content["readings"], ambiguity: reading}
    made = load_content(card, name=str(card["id"])).game(content["parameters"], readings)
    return _text(card, made)


def card_id(text: str) -> str:
    return game_of(text).card.id


def rules_hash(text: str) -> bytes:
    return sha256(text.encode()).digest()


@lru_cache(maxsize=64)
def game_of(text: str, agreed: tuple[tuple[str, str], ...] = ()) -> Game:
    """The game of a canonical content, under what was agreed with a player besides."""
    content: dict[str, Any] = json.loads(text)
    if content.get("version") != VERSION:
        raise BaccaratError(
            f"rules of version {content.get('version')!r} cannot be read: this program knows "
            f"version {VERSION}; use a newer one"
        )
    name = str(content["card"].get("id"))
    card = load_content(content["card"], name=name)
    game = card.game({**content["parameters"], **dict(agreed)}, content["readings"])
    if _spelled_out(game.tableau) != content["tableau"]:
        raise BaccaratError(f"the rules of {name} spell out a tableau that is not their card's")
    return game


@lru_cache(maxsize=256)
def table_game(
    text: str,
    limits: StakeLimits,
    agreed: tuple[tuple[str, str], ...] = (),
    currency: str | None = None,
) -> Game:
    """The game as a table offers it: the card's limits exchanged for those the table shows.

    Where the game is put in words, `currency` is the house's.
    """
    game = game_of(text, agreed)
    return replace(
        game,
        card=card_at(game.card, limits, currency or game.card.currency),
        bets=_limited(game.bets, limits),
    )


def card_at(card: RuleCard, limits: StakeLimits, currency: str) -> RuleCard:
    """The card with the limits that a table shows, in the money of its house."""
    own = replace(
        card.limits,
        minimum=limits.minimum or card.limits.minimum,
        maximum=limits.maximum or card.limits.maximum,
    )
    return replace(card, currency=currency, limits=own, bets=_limited(card.bets, limits))


def _limited(bets: tuple[Bet, ...], limits: StakeLimits) -> tuple[Bet, ...]:
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
    """The limits that a table would take from a card in another currency, as keys of the table."""
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
