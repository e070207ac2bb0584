"""Views of the staff: accounts, their state, their tables and their last sign-in."""

from baccarat.house.ports import Person
from baccarat.store import history
from baccarat.web.schema import filled
from baccarat.web.schema import staff as s
from baccarat.web.server.site import Site


async def colleagues(site: Site) -> list[s.Colleague]:
    found = await site.read(history.staff)
    return [
        filled(
            s.Colleague,
            person.account,
            account=person.account.id,
            state=_state(person),
            expires_at=person.expires_at or None,
            signed_in_at=person.signed_in or None,
        )
        for person in found
    ]


def _state(person: Person) -> str:
    if person.account.closed:
        return "closed"
    if person.account.suspended:
        return "suspended"
    return "initial-password" if person.given else "active"
