"""Events of the house outside its tables: accounts, money, and player protection.

They have the same form as a table's events, in a stream of their own. A journal is never changed,
so nothing secret or personal is written to it: accounts appear by id only, and names and dates of
birth are kept in separate database tables.
"""

from enum import StrEnum
from typing import Union

from baccarat.house.people.roles import Role
from baccarat.house.safety.periods import Period
from baccarat.table.codec import Decoder
from baccarat.table.events import EVENTS, OF_PROPOSALS, Event

STREAM = "house"
OPERATOR = "the operator"
"""Stands for the person who runs the server, in place of an account id; it is not a valid id."""
HOUSE_FILE = "the house file"
"""Stands for the house file, as the author of settings that change when a house starts."""


class LimitKind(StrEnum):
    """What a limit applies to."""

    DEPOSIT = "deposit"
    """Coins paid in."""
    LOSS = "loss"
    """Coins lost minus coins won, plus coins at stake."""
    TIME = "time"
    """Minutes played."""


class Owner(StrEnum):
    """Who set a limit; the stricter of the two applies."""

    PLAYER = "player"
    HOUSE = "house"


class BonusEnd(StrEnum):
    """Why bonus money was returned to the house."""

    WITHDRAWAL = "withdrawal"
    """The player withdrew real money."""
    EXPIRY = "expiry"
    TAKEN_BACK = "taken-back"
    """The pit took it back."""


class _OfAccount(Event, frozen=True):
    """Base class of events about one account."""

    account: str


class HouseOpened(Event, frozen=True):
    """The house was set up: always the first event of its journal."""

    name: str
    currency: str


class _ByStaff(_OfAccount, frozen=True):
    """Base class of what one person may do for some accounts, and two for others."""

    by: str
    first: str
    """Who proposed it, if two people did it."""


class AccountOpened(_ByStaff, frozen=True):
    """An account was opened for a player, a guest or a member of staff.

    Players open their own: `by` is empty.
    """

    role: Role
    guest: bool


class Payment(_OfAccount, frozen=True):
    """Base class of money that one person may handle alone up to the house's limits."""

    amount: int
    by: str
    alone: int | None
    """Limit on what one person may handle alone for this player in a day; None for no limit."""
    first: str
    """Who proposed it, if two people handled it."""
    day: int
    """Start of the gaming day."""
    day_alone: int | None
    """Limit on what one person may handle alone for all players in a day; None for no limit."""


class MoneyPaidIn(Payment, frozen=True):
    """Money that a player brought to the cashier."""


class MoneyPaidOut(Payment, frozen=True):
    """Money that the cashier paid out to a player."""


class Cash(StrEnum):
    """Cash operations at the cashier's desk."""

    PAY_IN = "pay-in"
    PAY_OUT = "pay-out"


class CashVoided(Payment, frozen=True):
    """A payment entered by mistake was reversed; each payment can be voided only once."""

    paid: Cash
    """The operation that is voided."""
    entry: int
    """Number of its entry in this journal."""
    words: str
    """Reason given."""


class PlayMoneyGiven(_OfAccount, frozen=True):
    """A guest was given play money."""

    amount: int


class BonusReleased(_OfAccount, frozen=True):
    """Bonus money became real money."""

    amount: int
    by: str


class BonusOpened(Payment, frozen=True):
    """Bonus money was granted; it becomes real money once the required amount has been wagered.

    Here `alone` limits what one person may grant alone in a day, to one player and in total, and
    `day_alone` what one person may decide alone in a day: bonus money granted and taken back, and
    dispute payments.
    """

    wagering: int
    """Coins of bonus money that must be staked in settled rounds."""
    expires_at: int


class BonusForfeited(_OfAccount, frozen=True):
    """Bonus money was returned to the house."""

    amount: int
    end: BonusEnd
    """Why it was returned."""
    by: str
    alone: int | None = None
    """Limit on what one person may take back alone, including money on tables, or None."""
    first: str = ""
    """Who proposed it, if two people took it back."""
    staked: int = 0
    """Bonus money on tables at that time; whatever is returned from it is also forfeited."""
    day: int = 0
    """Start of the gaming day, if the pit took it back."""
    day_alone: int | None = None
    """Limit on what one person may decide alone in a day: bonus money granted and taken back, and
    dispute payments; None for no limit."""


class _OfLimit(_OfAccount, frozen=True):
    limit: LimitKind
    period: Period
    owner: Owner


class LimitSet(_OfLimit, frozen=True):
    """A limit was set and applies at once; without an amount, the limit was removed."""

    amount: int | None
    by: str


class LooserLimitAsked(_OfLimit, frozen=True):
    """A looser limit was requested; until it is confirmed, from `from_at` on, nothing changes."""

    amount: int | None
    from_at: int
    by: str


class LooserLimitDropped(_OfLimit, frozen=True):
    """A request for a looser limit was withdrawn."""

    by: str


class BirthDateGiven(_OfAccount, frozen=True):
    """The player gave their date of birth; the date itself is not in any journal."""


class RealityCheckChosen(_OfAccount, frozen=True):
    """The player chose an interval between reality checks, in minutes; 0 for the house's own."""

    every: int


class RealityCheckAnswered(_OfAccount, frozen=True):
    """The player answered a reality check; these figures were shown, and correct at that time."""

    since: int
    lost: int
    """Coins lost in settled rounds of this sitting; negative if the player won."""
    staked: int
    """Coins at stake in rounds that are not settled."""


class BreakTaken(_OfAccount, frozen=True):
    """The player took a break and cannot bet until it ends."""

    until: int


class PlayerExcluded(_OfAccount, frozen=True):
    """The player is excluded until `until`, and after that until they have asked to return."""

    until: int
    by: str
    staked: int
    """Coins that the player had on rounds in progress, which are played to their end."""


class ReturnAsked(_OfAccount, frozen=True):
    """The player asked to play again after an exclusion, which ends at `from_at`."""

    from_at: int


class LinkReason(StrEnum):
    """Why players were linked."""

    DECLARED = "declared"
    """Both players declared it."""
    PIT = "pit"


class PartnerNamed(_OfAccount, frozen=True):
    """The player named another as a partner; it takes effect once the other does the same."""

    partner: str


class PartnersChanged(_OfAccount, frozen=True):
    """From now on the player and these partners count as one against the maximum of each bet."""

    partners: tuple[str, ...]
    why: LinkReason
    by: str
    words: str
    """Reason given."""


class KeptApart(_OfAccount, frozen=True):
    """The pit found that these players are not partners of the player."""

    others: tuple[str, ...]
    by: str
    words: str
    """Reason given."""


class BrowserShared(_OfAccount, frozen=True):
    """The player signed in with a browser in which these players had signed in before.

    This does not link them: the pit looks at it and decides.
    """

    others: tuple[str, ...]


class SignInFailed(_OfAccount, frozen=True):
    """Someone entered a wrong password for an account."""


class SignInsLocked(_OfAccount, frozen=True):
    """There were too many wrong passwords in a row: sign-ins are locked for a while."""

    wrong: int
    until: int


class PasswordChanged(_OfAccount, frozen=True):
    """The password was changed by someone who knew the old one."""


class PasswordIssued(_ByStaff, frozen=True):
    """A member of staff was issued an initial password, to be changed first; their sessions end."""

    expires_at: int


class AccountSuspended(_OfAccount, frozen=True):
    """Nobody can sign in to the account until the suspension is lifted; its sessions end."""

    by: str
    words: str
    """Reason given."""


class SuspensionLifted(_ByStaff, frozen=True):
    """The suspension of an account was lifted; its owner can sign in again."""


class AccountClosed(_ByStaff, frozen=True):
    """A staff account was closed: nobody can sign in to it again, and its id is not reused."""


class PersonErased(_OfAccount, frozen=True):
    """An account's name, date of birth, password and sessions were erased; its id is not reused."""

    by: str


class SignedIn(_OfAccount, frozen=True):
    """A member of staff signed in; their address is only in the server's log."""

    session: str
    """A digest, which cannot be used to sign in."""


class SignedOut(_OfAccount, frozen=True):
    """A session ended, on every server."""

    session: str
    """A digest, which cannot be used to sign in."""


class ClockChanged(Event, frozen=True):
    """A server's clock jumped, forwards or (if negative) backwards."""

    server: str
    milliseconds: int


_BASES = (Event, _OfAccount, _ByStaff, Payment, _OfLimit)
HOUSE_EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (*globals().values(), *OF_PROPOSALS)
    if isinstance(kind, type) and issubclass(kind, Event) and kind not in _BASES
}
"""Every event of the house journal by its name, proposals included."""


_EVENTS: Decoder[Event] = Decoder(Union[tuple((EVENTS | HOUSE_EVENTS).values())])  # noqa: UP007


def decode(data: bytes) -> Event:
    """Decode an event of any journal."""
    return _EVENTS.decode(data)
