"""What the foot of every page says about playing safely.

At a table it is what the table's card says, and the age that the house's profile asks for if that
is higher. Elsewhere it is the profile's age, and whatever a card adds under the names of its games:
a help line of one country is not given as the house's own. The one rule: nothing is said here that
neither a card nor the profile says.
"""

from dataclasses import dataclass
from functools import cache

from baccarat.house.housefile import TablePlan
from baccarat.table.rules import game_of


@dataclass(frozen=True)
class Notice:
    """An age, and what is said of some games alone; no games are named where it holds for all."""

    minimum_age: int
    older: tuple[tuple[int, tuple[str, ...]], ...]
    """A higher age, and the games that ask for it."""
    help: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    """Where to find it, and the games whose cards say so."""


@cache
def notice_of(plans: tuple[TablePlan, ...], law: int) -> Notice:
    """The notice of these tables, in a house whose profile asks for the age `law`."""
    cards = {card.name: card.notice for card in (game_of(p.settings.rules).card for p in plans)}
    ages: dict[int, tuple[str, ...]] = {}
    contacts: dict[str, tuple[str, ...]] = {}
    for game, notice in cards.items():
        age = max(notice.minimum_age or 0, law)
        ages[age] = (*ages.get(age, ()), game)
        for contact in notice.contacts:
            contacts[contact] = (*contacts.get(contact, ()), game)
    lines: dict[tuple[str, ...], tuple[str, ...]] = {}
    for contact, games in contacts.items():
        said_of = games if len(games) < len(cards) else ()
        lines[said_of] = (*lines.get(said_of, ()), contact)
    least = min(ages, default=law)
    older = tuple(one for one in sorted(ages.items()) if one[0] > least)
    return Notice(least, older, tuple((some, games) for games, some in lines.items()))
