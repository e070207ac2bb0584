"""Views of the agreements with players at a table."""

from collections.abc import Iterable

from baccarat.core.text import in_language
from baccarat.house.people.roles import Account, Role
from baccarat.poster import makes_pdfs
from baccarat.table.agreements import (
    NO_AGREEMENT,
    AgreedTerms,
    agreeable,
    granted_up_to,
    standing_offer,
)
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.state import TableState
from baccarat.web.schema.players import Agreeable, Agreement, AgreementLetter, Agreements
from baccarat.web.server.site import Site
from baccarat.wording.catalogue import Catalogue


async def player_of(site: Site, who: str) -> Account:
    account = await site.visitors.account(who)
    if account is None or account.role is not Role.PLAYER:
        raise Refused(Code.NO_SUCH_ACCOUNT, "no-player", account=who)
    return account


def agreement_of(state: TableState, player: str, t: Catalogue) -> Agreement:
    """Return a player's agreement, any proposal, and the terms that can be agreed."""
    agreeing, number = state.agreements.get(player, NO_AGREEMENT), state.round.number
    held, proposed = agreeing.in_force(number), agreeing.proposed
    later = agreeing.terms[-1] if agreeing.terms else None
    agreement: Agreement = {
        "table": state.table,
        "player": player,
        "round": number,
        "in_force": dict(held) or None,
        "next": None,
        "proposed": None,
        "ended": later.words or None if later else None,
        "can_be_agreed": _can_be_agreed(state, t.language),
    }
    if later and later.from_round > number:
        agreement["next"] = {"values": dict(later.values) or None, "from_round": later.from_round}
    if proposed:
        by = "player" if agreeing.proposed_by == player else "house"
        agreement["proposed"] = {"values": dict(proposed), "by": by}
    return agreement


def _can_be_agreed(state: TableState, language: str) -> list[Agreeable]:
    """Return the parameters open to agreement, with their range and what the house offers."""
    game = in_language(table_game(state.rules, state.settings.limits), language)
    offered = dict(standing_offer(state.rules, state.settings))
    granted = dict(granted_up_to(state.rules, state.settings))
    return [
        {
            "parameter": name,
            "name": parameter.label,
            "meaning": parameter.meaning,
            "minimum": parameter.format(parameter.minimum),
            "maximum": parameter.format(parameter.maximum),
            "offered": offered[name],
            "granted_up_to": granted[name],
        }
        for name, parameter in agreeable(game).items()
    ]


def in_words(values: Iterable[tuple[str, str]], can_be_agreed: Iterable[Agreeable]) -> list[str]:
    """Return agreed values, each with the name of its parameter."""
    names = {one["parameter"]: one["name"] for one in can_be_agreed}
    return [f"{names.get(parameter, parameter)} {value}" for parameter, value in values]


def agreed_now(state: TableState, t: Catalogue) -> dict[str, list[str]]:
    """Return the terms in force on the current round, in words, of each player who has any."""
    can_be_agreed = _can_be_agreed(state, t.language)
    return {
        player: in_words(values, can_be_agreed)
        for player in state.agreements
        if (values := state.agreed(player))
    }


async def agreements_of(site: Site, player: str, t: Catalogue) -> list[AgreementLetter]:
    """Return a player's agreements at all tables, past ones included, newest first at each table.

    The newest has the address of its letter (R51), if the server can make letters.
    """
    letters = makes_pdfs()
    found: list[AgreementLetter] = []
    for plan in site.house.tables:
        state = await site.state(plan.id)
        agreeing = state.agreements.get(player, NO_AGREEMENT)
        can_be_agreed = _can_be_agreed(state, t.language)
        ends = [(after.from_round - 1, after.at) for after in agreeing.terms[1:]]
        known = [
            *zip(agreeing.terms, [*ends, (None, None)], strict=False),
            *((made, (None, ended_at)) for made, ended_at in agreeing.replaced),
        ]
        reasons = {one.at: one.words for one in agreeing.terms}
        found += [
            {
                "table": plan.id,
                "name": plan.name,
                "values": dict(made.values),
                "terms": in_words(made.values, can_be_agreed),
                "from_round": made.from_round,
                "at": made.at,
                "last_round": last_round,
                "ended_at": ended_at,
                "ended": reasons.get(ended_at) or None if ended_at else None,
                "letter": f"/api/tables/{plan.id}/agreement/letter"
                if letters and ended_at is None
                else None,
            }
            for made, (last_round, ended_at) in sorted(known, key=_agreed_at, reverse=True)
            if made.values
        ]
    return found


def _agreed_at(known: tuple[AgreedTerms, object]) -> int:
    return known[0].at


async def agreements_at(site: Site, table: str, t: Catalogue) -> Agreements:
    """Return the agreements and proposals of all players at a table."""
    site.plan(table)
    state = await site.state(table)
    agreements = [agreement_of(state, player, t) for player in state.agreements]
    return {"table": table, "agreements": agreements}
