"""Views for dealers: the console, and previews of corrections."""

from collections.abc import Sequence
from typing import Literal

from baccarat.core.cards import Card
from baccarat.core.errors import CardError
from baccarat.core.text import in_language
from baccarat.house.cards.decks import DeckSet
from baccarat.house.desk import with_corrections
from baccarat.house.money.wallets import Wallet
from baccarat.house.people.roles import MAY, Account, Action, Role
from baccarat.house.watch.in_words import coup_in_words
from baccarat.shoe.scanned import scan_card
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.events import RoundCorrected
from baccarat.table.journal import table_stream
from baccarat.table.manual.console import Reader, console
from baccarat.table.manual.corrections import settled_again, takes_two
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import TableState
from baccarat.web.schema import filled
from baccarat.web.schema.staff import (
    CardChange,
    ConsoleView,
    CorrectionSeen,
    DeckLog,
    DeckSetView,
)
from baccarat.web.server.site import Site
from baccarat.web.views.agreements import agreed_now
from baccarat.web.views.money import balance_of
from baccarat.web.views.proposals import at_table
from baccarat.wording.catalogue import Catalogue


async def preview_of(
    site: Site, table: str, number: int, cards: str, by: str, t: Catalogue
) -> CorrectionSeen:
    """Return what a correction would change, without carrying it out. The changes are computed by
    the same functions that carry it out, from the players' current balances.
    """
    stream, now = table_stream(site.plan(table).id), site.clock()
    command = c.RemedyError(number, by, scanned_cards(cards.split()), site.house.decide_alone)

    def asked(store: SqlStore) -> tuple[TableState, RoundCorrected]:
        state = store.state(stream)
        if state is None:
            raise Refused(Code.NO_SUCH_TABLE, "table-not-opened")
        past = state.manual.round(number)
        players = past.wagers if past else ()
        wallets = {player: Wallet(**balance_of(store, player)) for player in players}
        return state, with_corrections(settled_again(state, command, now), wallets)

    state, new = await site.read(asked)
    past = state.manual.round(number)
    before = {result.player: result.net for result in past.results} if past else {}
    moves = {moved.player: moved.real + moved.bonus for moved in new.corrections}
    lost = {moved.player: moved.short + moved.short_bonus for moved in new.corrections}
    return {
        "round": number,
        "coup": new.coup,
        "face": coup_in_words(new.coup, t),
        "excess": new.excess,
        "goes": new.goes,
        "takes_two": takes_two(state, new),
        "players": [
            {
                "player": result.player,
                "before": before[result.player],
                "after": result.net,
                "moves": moves.get(result.player, 0),
                "lost": lost.get(result.player, 0),
            }
            for result in new.results
        ],
        "lost": sum(lost.values()),
    }


async def deck_log(site: Site) -> DeckLog:
    """Return all deck sets, those in use first."""
    sets = (await site.read(history.deck_sets)).values()
    states = {plan.id: await site.state(plan.id) for plan in site.house.tables}
    shown = [_deck_set(known, states.get(known.table)) for known in sets]
    return {"deck_sets": sorted(shown, key=lambda one: (one["state"] == "retired", one["id"]))}


def _deck_set(known: DeckSet, at: TableState | None) -> DeckSetView:
    prepared, manual = known.preparation, at.manual if at else None
    state: Literal["not-counted", "ready", "in-shoe", "retired"] = "not-counted"
    if known.retired:
        state = "retired"
    elif manual and manual.shoe and manual.shoe.deck_set == known.id:
        state = "in-shoe"
    elif manual and known.prepared > manual.prepared:
        state = "ready"
    return {
        "id": known.id,
        "colour": known.colour,
        "serials": known.serials,
        "cards": known.cards,
        "received_at": known.received_at,
        "table": known.table,
        "counted_by": prepared.by if prepared else "",
        "shuffled_by": prepared.shuffled_by if prepared else "",
        "prepared_at": prepared.at if prepared else 0,
        "state": state,
        "changes": [filled(CardChange, change) for change in known.changes],
        "retired": known.retired.words if known.retired else "",
    }


async def console_of(site: Site, table: str, by: Account, t: Catalogue) -> ConsoleView:
    """Return the console as this person sees it, with display names of dealers."""
    state = await site.state(table)
    if not state.by_hand:
        raise Refused(Code.WRONG_PHASE, "deals-by-itself", table=table)
    shown = in_language(console(state, Reader(by.id, by.role is Role.PIT, t)), t.language)
    name_of = site.visitors.name_of
    waiting = at_table(state, site.clock(), (t, site.house.currency))
    asking = [request["by"] for request in shown["asked_for"]]
    return {
        **shown,
        "deck_sets": [
            one["id"]
            for one in (await deck_log(site))["deck_sets"]
            if one["state"] == "ready" and one["table"] == table
        ],
        "dealer_name": await name_of(state.manual.dealer),
        "names": {dealer: name for dealer in asking if (name := await name_of(dealer))},
        "agreed": [
            {"player": await name_of(player) or player, "terms": terms}
            for player, terms in agreed_now(state, t).items()
        ],
        "proposals": {matter["proposal"]: matter["proposes"] for matter in waiting},
        "effects": {
            matter["proposal"]: effect
            for matter in waiting
            if (effect := matter["effect"]) and Action.REMEDY in MAY[by.role]
        },
    }


def scanned_card(text: str) -> Card:
    try:
        return scan_card(text)
    except CardError as error:
        raise Refused(Code.WRONG_CARD, "not-a-card", card=text[:20]) from error


def scanned_cards(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(scanned_card(text) for text in texts)
