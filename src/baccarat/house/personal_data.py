"""Erases personal data. Journals never contain any, so their hash chains stay valid."""

import msgspec

from baccarat.core.text import Coins
from baccarat.house.events import OPERATOR, STREAM, PersonErased
from baccarat.house.jobs import wallet
from baccarat.house.outcomes import Outcome, SideChanges
from baccarat.house.people.roles import ERASED, Account, Role, person
from baccarat.house.ports import Clock, Job, Need, View
from baccarat.table.refusals import Code, Refused


def erase_person(account: str, clock: Clock) -> Job:
    """Return the operator's job that erases the personal data of an account.

    The job erases the name, date of birth, password and sessions. A player must have no money and
    no bets, and must not be excluded; a staff account must be closed.
    """

    def work(view: View) -> Outcome:
        known = person(view.people, account)
        if known.name == ERASED:
            return Outcome()
        _check(view, known)
        return Outcome(
            (PersonErased(view.now, account, OPERATOR),),
            safety={account: msgspec.structs.replace(view.safety[account], born=None)},
            side_changes=SideChanges(erased=(account, view.now)),
        )

    need = Need(STREAM, wallets=(account,), people=(account,), safety=(account,))
    return Job(need, work, clock=clock)


def _check(view: View, known: Account) -> None:
    account, now = known.id, view.now
    if not known.registered:
        raise Refused(Code.NOT_ALLOWED, "erase-guest", account=account)
    if known.role is not Role.PLAYER:
        if not known.closed:
            raise Refused(Code.NOT_ALLOWED, "erase-open", account=account)
        return
    position, held = view.position(account, now), wallet(view, account)
    coins = held.real + held.bonus + position.staked + position.staked_bonus
    if known.guest:  # play money has no value
        coins = position.staked
    if coins:
        raise Refused(Code.NOT_ALLOWED, "erase-money", account=account, coins=Coins(coins))
    if now < view.safety[account].excluded_until:
        raise Refused(Code.NOT_ALLOWED, "erase-excluded", account=account)
