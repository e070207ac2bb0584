"""Opens accounts; suspends and closes staff accounts, and issues initial passwords for them.

One person may suspend an account. To grant access to an account or to close it, two members of the
pit are needed if its role is in `roles.BY_TWO`; otherwise one is enough. The operator's command
line never needs a second person.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec

from baccarat.house import events as h
from baccarat.house.outcomes import DecisionContext, Outcome, SideChanges, in_house
from baccarat.house.people.four_eyes import by_one_or_two
from baccarat.house.people.names import ProposedName, bad_name, check_name, check_no_imitation
from baccarat.house.people.roles import BY_TWO, Account, Action, Role, check_may
from baccarat.house.safety.periods import DAY
from baccarat.house.safety.record import Safety, check_age
from baccarat.house.staff_events import SecondFactorRemoved, StaffAssigned
from baccarat.table.events import Event
from baccarat.table.four_eyes import terms
from baccarat.table.four_eyes.proposals import TwoPersonAction
from baccarat.table.four_eyes.subjects import StaffAccount
from baccarat.table.refusals import Code, Refused

INITIAL_LASTS = DAY
"""How long an initial password is valid, in milliseconds."""


def open_account(
    account: Account,
    *,
    taken: bool,
    at: DecisionContext,
    born: int | None = None,
    by: str = "",
    namesake: bool = False,
    named: ProposedName | None = None,
    password: str | None = None,
    given: bool = False,
) -> Outcome:
    """Open an account under an id that has never been used: `taken` must be false.

    `namesake` is true if the name looks too similar to another: a player's name must not look like
    a staff member's, and a staff name must not look like anyone's. Players must be old enough. Two
    members of the pit open the accounts of the pit, cashiers and shoes; the operator's command line
    opens the first one. `named` is the proposed name, if a second person must confirm the account.
    `password` is a hash; if `given` is true, it is that of an initial password.
    """
    from_inside = by not in ("", h.OPERATOR)
    if from_inside:
        check_may(at.people[by], Action.OPEN_ACCOUNT)
    check_name(account.name)
    if account.role is Role.PLAYER and not account.guest:
        check_no_imitation(account.name)
        check_age(born, at.conduct, at.now, opening=True)
    if namesake and (account.role is Role.PLAYER or not taken):
        raise bad_name(account.name, "of-another")
    if taken:  # checked last: a refusal for another reason must not reveal which ids are taken
        raise Refused(Code.NO_SUCH_ACCOUNT, "id-taken", account=account.id)
    until = at.now + INITIAL_LASTS if given else 0

    def person(first: str) -> SideChanges:
        new = replace(account, issued_by=issuers(account, at.people, first, by))
        return SideChanges(person=new, password=password, since=at.now, expires_at=until)

    outcome = by_one_or_two(
        TwoPersonAction(
            StaffAccount(account.id),
            terms.OpenAccount(account.role, named.entry if named else 0),
            by,
        ),
        lambda first: h.AccountOpened(at.now, account.id, by, first, account.role, account.guest),
        two=account.role in BY_TWO and from_inside,
        at=replace(at, known={account.id: Safety(born=born)}),
        side_changes=person,
    )
    if outcome.side_changes is None:  # waiting for a second person
        return outcome._replace(side_changes=SideChanges(proposed_name=named))
    return outcome


def register_guest(
    guest: Account,
    sign_in_id: str,
    name: str,
    *,
    taken: bool,
    namesake: bool,
    born: int | None,
    password: str,
    at: DecisionContext,
) -> Outcome:
    """Give a guest's account an owner, who can sign in to it; its money and history stay.

    The owner must meet the same conditions as a player who opens an account. `taken` is true if
    another account has the ID, and `password` is a hash.
    """
    if not guest.guest or guest.registered:
        raise Refused(Code.NOT_ALLOWED, "already-registered")
    check_name(name)
    check_no_imitation(name)
    check_age(born, at.conduct, at.now, opening=True)
    if namesake:
        raise bad_name(name, "of-another")
    if taken:
        raise Refused(Code.NO_SUCH_ACCOUNT, "id-taken", account=sign_in_id)
    outcome = in_house(at, h.GuestRegistered(at.now, guest.id))
    return outcome._replace(
        safety={guest.id: msgspec.structs.replace(outcome.safety[guest.id], born=born)},
        side_changes=SideChanges(
            registered=(guest.id, sign_in_id, name), new_password=(guest.id, password, at.now)
        ),
    )


def issuers(account: Account, people: Mapping[str, Account], *names: str) -> tuple[str, ...]:
    """Return everyone who opened the account or issued its password, directly or indirectly.

    The list includes everyone who did so for the accounts of those people, because anyone who set
    up an account may be acting as its owner. The given names come last. If the operator's command
    line issued the password, no member of staff knows it, so the list is empty.
    """
    if h.OPERATOR in names:
        return ()
    new = [name for name in names if name]
    theirs = [other for name in new for other in people[name].issued_by]
    before = dict.fromkeys((*account.issued_by, *theirs))
    return (*(name for name in before if name not in (account.id, *new)), *new)


# ---- staff accounts -----------------------------------------------------------------------------


def issue_password(account: Account, by: str, at: DecisionContext, *, password: str) -> Outcome:
    """Replace a lost or expired password with an initial one, and end all sessions.

    `password` is the hash of the new password.
    """
    _check(account, by, at)
    expires_at = at.now + INITIAL_LASTS
    return _by_pit(
        account,
        terms.IssuePassword(),
        lambda first: h.PasswordIssued(at.now, account.id, by, first, expires_at),
        lambda first: SideChanges(
            new_password=(account.id, password, at.now),
            expires_at=expires_at,
            issued_by=(account.id, issuers(account, at.people, first, by)),
        ),
        by=by,
        at=at,
    )


def suspend(account: Account, by: str, at: DecisionContext, *, words: str) -> Outcome:
    """End the account's sessions and block it until the suspension is lifted.

    One person is enough for this.
    """
    _check(account, by, at)
    if account.suspended:
        return in_house(at)
    suspended = in_house(at, h.AccountSuspended(at.now, account.id, by, words))
    return suspended._replace(side_changes=SideChanges(suspended=(account.id, at.now)))


def lift_suspension(account: Account, by: str, at: DecisionContext) -> Outcome:
    """Let the account's owner sign in again."""
    _check(account, by, at)
    if not account.suspended:
        raise Refused(Code.NOT_ALLOWED, "not-suspended", name=account.name)
    return _by_pit(
        account,
        terms.LiftSuspension(),
        lambda first: h.SuspensionLifted(at.now, account.id, by, first),
        lambda _: SideChanges(suspended=(account.id, 0)),
        by=by,
        at=at,
    )


def close(account: Account, by: str, at: DecisionContext) -> Outcome:
    """End the account's sessions and block it for good."""
    _check(account, by, at)
    return _by_pit(
        account,
        terms.CloseAccount(),
        lambda first: h.AccountClosed(at.now, account.id, by, first),
        lambda _: SideChanges(
            new_password=(account.id, None, at.now), suspended=(account.id, at.now)
        ),
        by=by,
        at=at,
    )


def remove_second_factor(account: Account, by: str, at: DecisionContext) -> Outcome:
    """Remove the second factor of someone who can no longer use it."""
    _check(account, by, at)
    if not account.second_factor:
        raise Refused(Code.NOT_ALLOWED, "no-second-factor", name=account.name)
    return _by_pit(
        account,
        terms.RemoveSecondFactor(),
        lambda first: SecondFactorRemoved(at.now, account.id, by, first),
        lambda _: SideChanges(second_factor=(account.id, None)),
        by=by,
        at=at,
    )


def assign(account: Account, by: str, at: DecisionContext, *, tables: tuple[str, ...]) -> Outcome:
    """Assign a dealer or a member of the pit to these tables or, if there are none, to all."""
    _check(account, by, at)
    if account.role not in (Role.DEALER, Role.PIT):
        raise Refused(Code.NOT_ALLOWED, "no-assignments", name=account.name)
    if account.tables == tables:
        return in_house(at)
    assigned = in_house(at, StaffAssigned(at.now, account.id, tables, by))
    return assigned._replace(side_changes=SideChanges(assigned=(account.id, tables)))


def _by_pit(
    account: Account,
    what: terms.ProposalTerms,
    make: Callable[[str], Event],
    side_changes: Callable[[str], SideChanges],
    *,
    by: str,
    at: DecisionContext,
) -> Outcome:
    two = account.role in BY_TWO and by != h.OPERATOR
    action = TwoPersonAction(StaffAccount(account.id), what, by)
    return by_one_or_two(action, make, two=two, at=at, side_changes=side_changes)


def _check(account: Account, by: str, at: DecisionContext) -> None:
    """Raise Refused unless the person may manage this account.

    It must be an open staff account other than the person's own.
    """
    if by != h.OPERATOR:
        check_may(at.people[by], Action.OPEN_ACCOUNT)
    if account.role is Role.PLAYER:
        raise Refused(Code.NOT_ALLOWED, "player-account", name=account.name)
    if account.id == by:
        raise Refused(Code.NOT_ALLOWED, "own-account", name=account.name)
    if account.closed:
        raise Refused(Code.NOT_ALLOWED, "staff-closed", name=account.name)
