"""The game and the venue of a table's poster, from the house file."""

from dataclasses import replace
from urllib.parse import quote

from baccarat.core.rulecard import Game
from baccarat.house.housefile import House, TablePlan
from baccarat.poster.content import Venue
from baccarat.table.rules import card_id, table_game


def game_offered(house: House, plan: TablePlan) -> Game:
    """Return the game as a table offers it: with its limits, odds and readings."""
    return table_game(plan.settings.rules, plan.settings.limits, currency=house.currency)


def venue_of(house: House, plan: TablePlan, *, logo: bool = True) -> Venue:
    """Return the table as its poster names it. Pages need no logo."""
    limits, site = plan.settings.limits, house.address.rstrip("/")
    venue = Venue(
        house=house.name,
        table=plan.name,
        minimum_age=house.conduct.profile.minimum_age,
        coup_maximum=limits.coup_maximum,
        seats=limits.seats,
        logo=house.logo if logo else b"",
    )
    if not site:
        return venue
    rules = f"{site}/rules/{quote(card_id(plan.settings.rules))}?table={quote(plan.id)}"
    return replace(venue, rules_url=rules, verify_url=f"{site}/verify")
