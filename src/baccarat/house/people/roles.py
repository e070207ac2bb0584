"""Who may do what: one table of roles and actions.

The one rule: what is not in the table is denied.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from baccarat.table.refusals import Code, Refused

LONGEST_NAME = 40
GUEST = "guest-"
"""How the ids of guests begin, and no others: their money is told apart by it."""
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,39})")


class Role(StrEnum):
    """What an account is for."""

    PLAYER = "player"
    DEALER = "dealer"
    SHOE = "shoe"
    """An electronic shoe, or a scanner: it tells cards and does nothing else."""
    PIT = "pit"
    CASHIER = "cashier"
    AUDITOR = "auditor"


class Action(StrEnum):
    """What can be done."""

    WAGER = "wager"
    CONTRIBUTE = "contribute to a shoe"
    SEE_OWN_MONEY = "see one's own wallet and results"
    DEAL = "deal at a table"
    TELL = "tell the cards of a table"
    REPORT = "report a dealer's error"
    REMEDY = "decide on a dealer's error"
    AGREE = "agree on terms with a player"
    DECIDE = "decide disputes"
    RESOLVE = "resolve ambiguities"
    LINK = "link players and part them"
    PAUSE = "pause and resume a table"
    CANCEL = "cancel a round"
    CONFIGURE = "change a table's settings"
    OPEN_ACCOUNT = "open, suspend and close accounts of the staff"
    PAY = "pay money in and out"
    CONFIRM_CASH = "confirm cash as the second person"
    GRANT_BONUS = "grant bonus money and take it back"
    PROTECT = "limit or exclude a player"
    PROTECT_ONESELF = "set one's own limits, take a break, exclude oneself"
    WATCH = "see results, alerts and significant events"
    SEE_ALL_MONEY = "see every wallet and the ledger"
    EXPORT = "export journals and heads"


MAY: dict[Role, frozenset[Action]] = {
    Role.PLAYER: frozenset(
        {
            *(Action.WAGER, Action.CONTRIBUTE, Action.SEE_OWN_MONEY, Action.PROTECT_ONESELF),
            Action.REPORT,
        }
    ),
    Role.DEALER: frozenset({Action.DEAL, Action.TELL, Action.REPORT}),
    Role.SHOE: frozenset({Action.TELL}),
    Role.PIT: frozenset(
        {
            *(Action.DEAL, Action.PAUSE, Action.CANCEL, Action.CONFIGURE, Action.OPEN_ACCOUNT),
            *(Action.GRANT_BONUS, Action.SEE_ALL_MONEY, Action.AGREE, Action.PROTECT),
            *(Action.DECIDE, Action.RESOLVE, Action.LINK, Action.REPORT, Action.REMEDY),
            *(Action.TELL, Action.WATCH, Action.CONFIRM_CASH),
        }
    ),
    Role.CASHIER: frozenset({Action.PAY, Action.CONFIRM_CASH}),
    Role.AUDITOR: frozenset({Action.SEE_ALL_MONEY, Action.EXPORT, Action.WATCH}),
}
"""The staff does not wager, and nobody but a player does."""
BY_TWO = frozenset({Role.PIT, Role.CASHIER})
"""Roles that can move money or confirm it: two people open, restore and close their accounts."""


@dataclass(frozen=True)
class Account:
    """Someone the house knows."""

    id: str
    role: Role
    name: str
    """As others see it."""
    guest: bool = False
    """Plays with play money, and has no password."""
    issued_by: tuple[str, ...] = ()
    """Everyone of the staff who took part in opening the account or issued its password, and those
    who did so for them: with these, its owner never counts as two people. The last one was shown
    the newest initial password. The operator is not listed."""
    suspended: bool = False
    """Suspended or closed: its owner does nothing, and confirms nothing."""
    closed: bool = False
    password_since: int = field(default=0, compare=False)
    """When its password was set."""

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise Refused(
                Code.NO_SUCH_ACCOUNT,
                f"{self.id[:50]!r} is no account's id: small letters, digits and hyphens, 1 to 40",
            )
        if self.guest != is_guest(self.id):
            raise Refused(
                Code.NO_SUCH_ACCOUNT, f"{self.id!r}: ids of guests, and no others, begin {GUEST!r}"
            )
        if not 0 < len(self.name) <= LONGEST_NAME or not self.name.isprintable():
            raise Refused(
                Code.NO_SUCH_ACCOUNT,
                f"{self.name[:50]!r} is no name: 1 to {LONGEST_NAME} printable characters",
            )


def is_guest(account: str) -> bool:
    """Does this id belong to a guest, who plays with play money?"""
    return account.startswith(GUEST)


def check_may(account: Account, action: Action) -> None:
    """Nothing, or Refused."""
    check_active(account)
    if action not in MAY.get(account.role, frozenset()):
        allowed = [role for role, actions in MAY.items() if action in actions]
        raise Refused(
            Code.NOT_ALLOWED,
            f"{account.name} ({account.role}) may not {action}: {' or '.join(allowed)} may",
        )


def check_two(first: Account, second: Account, people: Mapping[str, Account]) -> None:
    """Raise Refused unless these are two independent people, both of them active.

    `people` are the accounts of those who opened theirs or issued their passwords.
    """
    check_active(second)
    if first.suspended:
        words = f"the account of {first.name}, who proposed this, is suspended or closed: withdraw "
        raise Refused(Code.NEEDS_TWO_PEOPLE, f"{words}the proposal, and propose it again")
    shown = _shown(second, people)
    both = next((one for one in _shown(first, people) if one in shown), None)
    if both is not None:
        words = (
            f"{both} was shown the initial passwords of both {first.name} and {second.name}, or of "
            "those who were, so the two do not count as two people: somebody else must confirm"
        )
        raise Refused(Code.NEEDS_TWO_PEOPLE, words)
    for one, other in ((first, second), (second, first)):
        if other.id in one.issued_by:
            raise Refused(
                Code.NEEDS_TWO_PEOPLE,
                f"{other.name} took part in opening the account of {one.name} or issued its "
                "password, so the two do not count as two people: somebody else must confirm",
            )


def _shown(account: Account, people: Mapping[str, Account]) -> list[str]:
    """Who was shown the account's newest initial password, who was shown that one's, and so on."""
    found: list[str] = []
    known: Account | None = account
    while known is not None and known.issued_by and known.issued_by[-1] not in found:
        found.append(known.issued_by[-1])
        known = people.get(found[-1])
    return found


def check_active(account: Account) -> None:
    """Raise Refused if the account is suspended or closed."""
    if account.suspended:
        raise Refused(Code.NOT_ALLOWED, f"the account of {account.name} is suspended or closed")
