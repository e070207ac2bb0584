"""Views of the agreements with players at a table."""

from baccarat.house.people.roles import Account, Role
from baccarat.table.agreements import NOTHING, agreeable, in_words
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.state import TableState
from baccarat.web.schema.players import Agreeable, Agreement, Agreements
from baccarat.web.server.site import Site


async def player_of(site: Site, who: str) -> Account:
    account = await site.visitors.account(who)
    if account is None or account.role is not Role.PLAYER:
        raise Refused(Code.NO_SUCH_ACCOUNT, "no-player", account=who)
    return account


def agreement_of(state: TableState, player: str) -> Agreement:
    """Return a player's agreement, what is proposed, and what could be agreed on."""
    agreeing, number = state.agreements.get(player, NOTHING), state.round.number
    held, proposed = agreeing.in_force(number), agreeing.proposed
    later = agreeing.terms[-1] if agreeing.terms else None
    asked = agreeing.proposed_by == player
    words = [
        f"Agreed: {in_words(held)}." if held else "Nothing is agreed. The table's terms apply."
    ]
    agreement: Agreement = {
        "table": state.table,
        "player": player,
        "round": number,
        "in_force": dict(held) or None,
        "next": None,
        "proposed": None,
        "can_be_agreed": _can_be_agreed(state),
        "words": words,
    }
    if later and later.from_round > number:
        agreement["next"] = {"values": dict(later.values) or None, "from_round": later.from_round}
        terms = in_words(later.values) if later.values else "the table's own terms"
        words.append(f"From round {later.from_round}: {terms}.")
    if proposed:
        agreement["proposed"] = {"values": dict(proposed), "by": "player" if asked else "house"}
        who, other = ("The player", "the house") if asked else ("The house", "the player")
        words.append(f"{who} proposes {in_words(proposed)}; it applies once {other} confirms it.")
    return agreement


def _can_be_agreed(state: TableState) -> list[Agreeable]:
    """Return the parameters open to agreement, with their range and the table's own value."""
    game = table_game(state.rules, state.settings.limits)
    return [
        {
            "parameter": name,
            "meaning": parameter.meaning,
            "minimum": parameter.format(parameter.minimum),
            "maximum": parameter.format(parameter.maximum),
            "without": parameter.format(game.parameters[name]),
        }
        for name, parameter in agreeable(game).items()
    ]


async def agreements_at(site: Site, table: str) -> Agreements:
    """Return what is agreed with or proposed to each player at a table."""
    site.plan(table)
    state = await site.state(table)
    agreements = [agreement_of(state, player) for player in state.agreements]
    return {"table": table, "agreements": agreements}
