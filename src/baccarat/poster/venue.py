"""The game and the venue of a table's poster, from the house file."""

from dataclasses import replace
from urllib.parse import quote

from baccarat.core.rulecard import Game
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.poster.content import Venue
from baccarat.shoe.commitment import Source
from baccarat.table.agreements import standing_offer
from baccarat.table.rules import card_id, table_game
from baccarat.table.settings import DummyRefund, Settings
from baccarat.wording.rules import OwnProcedures


def own_procedures(settings: Settings) -> OwnProcedures:
    """Return what the house adds to the rule card's procedures at a table."""
    return OwnProcedures(
        source=settings.source,
        error_cut_off=settings.error_cut_off,
        pays_decided_bets=settings.dummy is DummyRefund.BETTER,
    )


def game_offered(house: House, plan: TablePlan) -> Game:
    """Return the game as a table offers it: with its limits, odds, readings, standing
    offer and the house's notice."""
    settings = plan.settings
    offer = standing_offer(settings.rules, settings)
    game = table_game(settings.rules, settings.limits, offer, currency=house.currency)
    return replace(game, card=replace(game.card, notice=house.notice.on(game.card)))


def venue_of(house: House, plan: TablePlan, *, logo: bool = True) -> Venue:
    """Return the venue of a table's poster; `logo` is False for a web page."""
    limits, site = plan.settings.limits, house.address.rstrip("/")
    venue = Venue(
        house=house.name,
        table=plan.name,
        coup_maximum=limits.coup_maximum,
        seats=limits.seats,
        own=own_procedures(plan.settings),
        logo=house.logo if logo else b"",
    )
    if not site:
        return venue
    rules = f"{site}/rules/{quote(card_id(plan.settings.rules))}?table={quote(plan.id)}"
    committed = plan.settings.source is not Source.CARDS  # real cards can't be verified
    return replace(venue, rules_url=rules, verify_url=f"{site}/verify" if committed else "")
