"""Roles and their permissions; any action that a role is not granted is denied."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import permutations

from baccarat.table.refusals import Code, Refused

LONGEST_NAME = 40
ERASED = "(erased)"
"""Replaces a name that was erased."""
GUEST = "guest-"
"""Prefix of all guests' ids and of no other ids; it identifies accounts with play money."""
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,39})")


class Role(StrEnum):
    """What an account is for."""

    PLAYER = "player"
    DEALER = "dealer"
    SHOE = "shoe"
    """An electronic shoe or scanner, which can only report cards."""
    PIT = "pit"
    CASHIER = "cashier"
    AUDITOR = "auditor"


class Action(StrEnum):
    """What an account can be allowed to do."""

    WAGER = "wager"
    CONTRIBUTE = "contribute to a shoe"
    SEE_OWN_MONEY = "see their own wallet and results"
    DEAL = "deal at a table"
    TELL = "enter the cards dealt at a table"
    REPORT = "report a dealer's error"
    REMEDY = "decide on a dealer's error"
    AGREE = "agree on terms with a player"
    DECIDE = "decide disputes"
    RESOLVE = "resolve ambiguities"
    LINK = "link and unlink players"
    PAUSE = "pause and resume a table"
    CANCEL = "cancel a round"
    CONFIGURE = "change a table's settings"
    KEEP_DECKS = "keep the log of deck sets"
    OPEN_ACCOUNT = "open, suspend and close staff accounts"
    PAY = "pay money in and out"
    CONFIRM_CASH = "confirm cash as the second person"
    GRANT_BONUS = "grant bonus money and take it back"
    PROTECT = "limit or exclude a player"
    PROTECT_ONESELF = "set their own limits, take a break, exclude themselves"
    WATCH = "see results, alerts and significant events"
    SEE_ALL_MONEY = "see every wallet and the ledger"
    EXPORT = "export journals and heads"
    USE_SECOND_FACTOR = "sign in with a second factor"


MAY: dict[Role, frozenset[Action]] = {
    Role.PLAYER: frozenset(
        {
            *(Action.WAGER, Action.CONTRIBUTE, Action.SEE_OWN_MONEY, Action.PROTECT_ONESELF),
            Action.REPORT,
        }
    ),
    Role.DEALER: frozenset({Action.DEAL, Action.TELL, Action.REPORT, Action.USE_SECOND_FACTOR}),
    Role.SHOE: frozenset({Action.TELL}),
    Role.PIT: frozenset(
        {
            *(Action.DEAL, Action.PAUSE, Action.CANCEL, Action.CONFIGURE, Action.OPEN_ACCOUNT),
            *(Action.GRANT_BONUS, Action.SEE_ALL_MONEY, Action.AGREE, Action.PROTECT),
            *(Action.DECIDE, Action.RESOLVE, Action.LINK, Action.REPORT, Action.REMEDY),
            *(Action.TELL, Action.WATCH, Action.CONFIRM_CASH, Action.KEEP_DECKS),
            Action.USE_SECOND_FACTOR,
        }
    ),
    Role.CASHIER: frozenset(
        {Action.PAY, Action.CONFIRM_CASH, Action.REPORT, Action.USE_SECOND_FACTOR}
    ),
    Role.AUDITOR: frozenset(
        {Action.SEE_ALL_MONEY, Action.EXPORT, Action.WATCH, Action.USE_SECOND_FACTOR}
    ),
}
"""Permissions of each role. Only players may wager; staff may not."""
BY_TWO = frozenset({Role.PIT, Role.CASHIER, Role.SHOE})
"""Roles that can make or confirm payments, or that report cards which a dealer alone cannot change.
Two people are needed to open, restore or close their accounts."""


@dataclass(frozen=True)
class Account:
    """A person, device or guest known to the house."""

    id: str
    role: Role
    name: str
    """Display name."""
    guest: bool = False
    """Whether the account plays with play money; it has no password until it is registered."""
    issued_by: tuple[str, ...] = ()
    """Staff who took part in opening the account or issued its password, and those who did so for
    their accounts. The account's owner and any of these people do not count as two people. The last
    person in the list was shown the newest initial password. The operator is not listed; once the
    operator's command line has issued the password, the list is empty."""
    suspended: bool = False
    """Whether the account is suspended or closed, so that its owner cannot do anything."""
    closed: bool = False
    password_since: int = field(default=0, compare=False)
    """When the account's password was set."""
    sign_in_id: str = ""
    """The ID that a guest chose when registering; empty for all other accounts."""
    tables: tuple[str, ...] = field(default=(), compare=False)
    """Tables that a member of staff is assigned to; empty for every table."""
    second_factor: bool = field(default=False, compare=False)
    """Whether the owner needs a one-time code to sign in."""

    @property
    def registered(self) -> bool:
        """Whether the account has an owner who can sign in to it."""
        return not self.guest or bool(self.sign_in_id)

    @property
    def known_as(self) -> str:
        """The ID that the owner signs in with."""
        return self.sign_in_id or self.id

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise Refused(Code.NO_SUCH_ACCOUNT, "bad-id", account=self.id[:50])
        if self.guest != is_guest(self.id):
            raise Refused(Code.NO_SUCH_ACCOUNT, "guest-id", account=self.id, prefix=GUEST)
        if not 0 < len(self.name) <= LONGEST_NAME or not self.name.isprintable():
            fault = "length" if self.name.isprintable() else "invisible"
            raise Refused(
                Code.NO_SUCH_ACCOUNT, "bad-name", why=fault, name=self.name[:50], most=LONGEST_NAME
            )


def person(people: Mapping[str, Account], account: str) -> Account:
    """Return an account, or raise Refused if it does not exist."""
    if account not in people:
        raise Refused(Code.NO_SUCH_ACCOUNT, "no-account", account=account)
    return people[account]


@lru_cache(maxsize=16_384)  # called for every wager, mostly for the same players
def is_guest(account: str) -> bool:
    """Return whether an id belongs to a guest, who plays with play money."""
    return account.startswith(GUEST)


def check_may(account: Account, action: Action) -> None:
    """Raise Refused unless the account is active and its role permits the action."""
    check_active(account)
    if action not in MAY.get(account.role, frozenset()):
        raise Refused(Code.NOT_ALLOWED, "role", action=action.name.lower())


def check_two(
    first: Account, second: Account, people: Mapping[str, Account], proposed_at: int
) -> None:
    """Raise Refused unless these are two independent people with active accounts.

    `people` includes the accounts of everyone who opened these two accounts or issued their
    passwords. A proposal that is older than the proposer's password is refused, because it may come
    from someone who knew the previous password.
    """
    check_active(second)
    if first.suspended:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "proposer-suspended", name=first.name)
    if proposed_at < first.password_since:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "proposer-changed", name=first.name)
    shown = _shown(second, people)
    both = next((one for one in _shown(first, people) if one in shown), None)
    if both is not None:
        raise Refused(
            Code.NEEDS_TWO_PEOPLE, "same-issuer", issuer=both, first=first.name, second=second.name
        )
    for one, other in ((first, second), (second, first)):
        if other.id in one.issued_by:
            raise Refused(
                Code.NEEDS_TWO_PEOPLE, "issued-by-other", issuer=other.name, name=one.name
            )


def has_two(people: Mapping[str, Account], role: Role, now: int) -> bool:
    """Return whether two independent people with this role could decide together."""
    active = [one for one in people.values() if one.role is role and not one.suspended]
    for first, second in permutations(active, 2):
        with suppress(Refused):
            check_two(first, second, people, now)
            return True
    return False


def _shown(account: Account, people: Mapping[str, Account]) -> list[str]:
    """Return the chain of people who were shown initial passwords.

    The first was shown this account's newest initial password, the second was shown that of the
    first, and so on.
    """
    found: list[str] = []
    known: Account | None = account
    while known is not None and known.issued_by and known.issued_by[-1] not in found:
        found.append(known.issued_by[-1])
        known = people.get(found[-1])
    return found


def check_assigned(account: Account | None, table: str) -> None:
    """Raise Refused if the account is that of a dealer who is assigned only to other tables."""
    if account is None or account.role is not Role.DEALER:
        return
    if account.tables and table not in account.tables:
        raise Refused(Code.NOT_ALLOWED, "not-assigned", name=account.name, table=table)


def check_active(account: Account) -> None:
    """Raise Refused if the account is suspended or closed."""
    if account.suspended:
        raise Refused(Code.NOT_ALLOWED, "suspended", name=account.name)
