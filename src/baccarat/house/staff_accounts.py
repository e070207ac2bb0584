"""Accounts of the staff: initial passwords, suspensions, closing.

Suspending takes one person. What gives access or takes it away for good takes two people of the
pit where the account can move money or confirm it (`roles.BY_TWO`), and one for all others. The
operator's command line needs nobody else.
"""

from collections.abc import Callable, Mapping

from baccarat.house import events as h
from baccarat.house.outcomes import Moment, Outcome, in_house
from baccarat.house.periods import DAY
from baccarat.house.roles import BY_TWO, Account, Action, Role, check_may
from baccarat.house.seconding import decided
from baccarat.table.events import Event
from baccarat.table.refusals import Code, Refused
from baccarat.table.twopeople import Motion, opening

INITIAL_LASTS = DAY
"""How long an initial password can be used."""
OPEN, CLOSE, PASSWORD, LIFT = "open", "close", "password", "lift"
"""What a proposal about an account is for: the first word of its terms."""


def issuers(account: Account, people: Mapping[str, Account], *names: str) -> tuple[str, ...]:
    """Everyone who opened the account or issued its password, and everyone who did so for them,
    with these names last: anyone who was let in by somebody may be that somebody."""
    new = [one for one in names if one not in ("", h.OPERATOR)]
    theirs = [other for one in new for other in people[one].issued_by]
    before = dict.fromkeys((*account.issued_by, *theirs))
    return (*(one for one in before if one not in (account.id, *new)), *new)


def issue_password(account: Account, *, by: str, at: Moment) -> Outcome:
    """A new initial password, in the place of one that was lost or has expired."""
    _check(account, by, at)
    expires_at = at.now + INITIAL_LASTS
    return _decided(
        account,
        PASSWORD,
        f"Issue a new password to {account.name} ({account.id}, {account.role})",
        lambda first: h.PasswordIssued(at.now, account.id, by, expires_at, first),
        by=by,
        at=at,
    )


def suspend(account: Account, words: str, *, by: str, at: Moment) -> Outcome:
    """One person is enough: nobody signs in with the account until the suspension is lifted."""
    _check(account, by, at)
    if account.suspended:
        return in_house(at)
    return in_house(at, h.AccountSuspended(at.now, account.id, by, words))


def lift(account: Account, *, by: str, at: Moment) -> Outcome:
    """End a suspension."""
    _check(account, by, at)
    if not account.suspended:
        raise Refused(Code.NOT_ALLOWED, f"the account of {account.name} is not suspended")
    return _decided(
        account,
        LIFT,
        f"Lift the suspension of {account.name} ({account.id}, {account.role})",
        lambda first: h.SuspensionLifted(at.now, account.id, by, first),
        by=by,
        at=at,
    )


def close(account: Account, *, by: str, at: Moment) -> Outcome:
    """Somebody of the staff has left."""
    _check(account, by, at)
    return _decided(
        account,
        CLOSE,
        f"Close the account of {account.name} ({account.id}, {account.role})",
        lambda first: h.AccountClosed(at.now, account.id, by, first),
        by=by,
        at=at,
    )


def _decided(
    account: Account, what: str, words: str, make: Callable[[str], Event], *, by: str, at: Moment
) -> Outcome:
    two = account.role in BY_TWO and by != h.OPERATOR
    return decided(Motion(opening(account.id), what, words, by), make, two=two, at=at)


def _check(account: Account, by: str, at: Moment) -> None:
    """Only accounts of colleagues, by those who may, and none that is closed."""
    if by != h.OPERATOR:
        check_may(at.people[by], Action.OPEN_ACCOUNT)
    if account.role is Role.PLAYER:
        words = f"{account.name} is a player, whose account stays open for money: exclude them"
        raise Refused(Code.NOT_ALLOWED, words)
    if account.id == by:
        words = f"{account.name} cannot do this to their own account: another member of the pit can"
        raise Refused(Code.NOT_ALLOWED, words)
    if account.closed:
        words = f"the account of {account.name} is closed: open another under a new id"
        raise Refused(Code.NOT_ALLOWED, words)
