"""Leases: which server drives a table.

Taking one appends `LeaseTaken` with the next epoch, in the same commit as the lease itself, so that
everything an older holder still sends is refused, whatever its clock says. The one rule: time only
says when a lease may be taken from someone; the epoch says who drives.
"""

from baccarat.house.desk import at_table
from baccarat.house.ports import Beside, Lease, View, Write
from baccarat.table.commands import TakeLease
from baccarat.table.events import encode
from baccarat.table.refusals import Code, Refused


def take(view: View, *, holder: str, now: int, term: int) -> Write:
    """Take the lease of a table that nobody holds, or whose holder has not renewed in time."""
    held = view.lease
    if held is not None and held.expires_at > now and held.holder != holder:
        raise Refused(
            Code.NOT_ALLOWED,
            f"{held.holder} drives this table for {held.expires_at - now} ms more: wait for it",
        )
    epoch = (view.state.epoch if view.state else 0) + 1
    outcome = at_table(view.state, TakeLease(epoch, holder), now)
    return Write(
        tuple(encode(event) for event in outcome.events),
        outcome.transactions,
        outcome.state,
        answer=str(epoch).encode(),
        beside=Beside(lease=Lease(epoch, holder, now + term)),
    )


def renew(view: View, *, epoch: int, now: int, term: int) -> Write:
    """Keep a lease; with a term of 0, give it up. No event: nothing has happened at the table."""
    held = view.lease
    if held is None or held.epoch != epoch:
        current = f"{held.holder} does, in epoch {held.epoch}" if held else "nobody does"
        raise Refused(Code.STALE_EPOCH, f"epoch {epoch} no longer drives this table: {current}")
    holder = held.holder if term else ""
    return Write(state=view.state, beside=Beside(lease=Lease(epoch, holder, now + term)))


def be_up(*, holder: str, now: int, term: int) -> Write:
    """A server says that it is up and would drive tables; with a term of 0, that it goes."""
    return Write(beside=Beside(up=(holder, now + term)))
