"""Views of the staff: accounts, their state, their tables and their last sign-in."""

from baccarat.house.people.roles import Account, Action, check_may
from baccarat.house.people.second_factor import in_base32, setup_address
from baccarat.house.ports import Person
from baccarat.store import history
from baccarat.web.schema import filled
from baccarat.web.schema import staff as s
from baccarat.web.schema.players import SecondFactorSecret
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


def second_factor_for(site: Site, account: Account) -> SecondFactorSecret:
    """Return a new secret with which someone can set up a second factor, or raise Refused."""
    check_may(account, Action.USE_SECOND_FACTOR)
    secret, sealed = site.sign_ins.new_second_factor(account)
    address = setup_address(secret, account.id, site.house.name)
    return {"secret": in_base32(secret), "address": address, "sealed": sealed.hex()}
