"""Leases, which determine the server that drives a table.

Taking a lease appends `LeaseTaken` with the next epoch in the same commit as the lease itself. So
any command that an earlier holder still sends is refused, whatever its clock says. Time only
decides when another server may take over a lease.
"""

from baccarat.house import desk
from baccarat.house.events import STREAM
from baccarat.house.outcomes import Lease, Outcome, SideChanges
from baccarat.house.ports import Clock, Job, Need, View
from baccarat.house.safety.profiles import default_conduct
from baccarat.table.commands import TakeLease
from baccarat.table.journal import table_stream
from baccarat.table.refusals import Code, Refused


def take(table: str, holder: str, clock: Clock, *, term: int) -> Job:
    """Return the job that takes a table's lease, unless another server holds an unexpired lease."""

    def work(view: View) -> Outcome:
        held, now = view.lease, view.now
        if held is not None and held.expires_at > now and held.holder != holder:
            left = held.expires_at - now
            raise Refused(Code.NOT_ALLOWED, "table-held", holder=held.holder, milliseconds=left)
        epoch = (view.state.epoch if view.state else 0) + 1
        protection = desk.Protection(default_conduct(), view.safety, view.position)
        outcome = desk.at_table(view.state, TakeLease(epoch, holder), now, protection)
        return outcome._replace(side_changes=SideChanges(lease=Lease(epoch, holder, now + term)))

    return Job(Need(table_stream(table), lease=True), work, clock=clock)


def renew(table: str, epoch: int, clock: Clock, *, term: int) -> Job:
    """Return the job that renews a lease, or gives it up if the term is 0.

    The job appends no event, because nothing changes at the table.
    """

    def work(view: View) -> Outcome:
        held = view.lease
        if held is None or held.epoch != epoch:
            raise Refused(Code.STALE_EPOCH, "lease-lost", epoch=epoch)
        lease = Lease(epoch, held.holder if term else "", view.now + term)
        return Outcome(side_changes=SideChanges(lease=lease))

    return Job(Need(table_stream(table), lease=True), work, clock=clock)


def heartbeat(holder: str, clock: Clock, *, term: int) -> Job:
    """Return the job that announces a server as available or, if the term is 0, as leaving."""
    return Job(
        Need(STREAM),
        lambda _: Outcome(side_changes=SideChanges(heartbeat=(holder, clock() + term))),
    )
