"""What has happened in the house outside its tables: accounts, money, and players' protection.

Same form as a table's events, in a stream of its own. The one rule: nothing secret and nothing
personal but the name others see: a journal is never changed, so nothing in it can be forgotten.
"""

from dataclasses import dataclass
from enum import StrEnum

from baccarat.house.periods import Period
from baccarat.house.roles import Role
from baccarat.table.canonical import later
from baccarat.table.events import ActionProposed, Event, ProposalEnded, decode

STREAM = "house"
OPERATOR = "the operator"
"""Whoever runs the server, in the place of an account's id, which this cannot be."""


class LimitKind(StrEnum):
    """What can be limited."""

    DEPOSIT = "deposit"
    """Coins paid in."""
    LOSS = "loss"
    """Coins lost, less coins won, and what is at stake."""
    TIME = "time"
    """Minutes played."""


class Owner(StrEnum):
    """Whose limit it is: the stricter of the two holds."""

    PLAYER = "player"
    HOUSE = "house"


class BonusEnd(StrEnum):
    """Why bonus money went back to the house."""

    WITHDRAWAL = "withdrawal"
    """The player took real money home."""
    EXPIRY = "expiry"
    TAKEN_BACK = "taken-back"
    """By the pit."""


@dataclass(frozen=True)
class HouseOpened(Event):
    name: str
    currency: str


@dataclass(frozen=True)
class AccountOpened(Event):
    account: str
    role: Role
    name: str
    guest: bool
    by: str = later("")
    """Who of the staff has opened it; nobody for players, who open their own."""
    first: str = later("")
    """Who has proposed it, where two people open it."""


@dataclass(frozen=True)
class MoneyPaidIn(Event):
    account: str
    amount: int
    by: str
    alone: int | None = later(None)
    """The most that one person could have handled for the player in a day."""
    first: str = later("")
    """Who has proposed it, where two people handled it."""
    day: int = later(0)
    """When the gaming day began."""
    day_alone: int | None = later(None)
    """The most that one person could have handled alone for all players in a day."""


@dataclass(frozen=True)
class MoneyPaidOut(Event):
    account: str
    amount: int
    by: str
    alone: int | None = later(None)
    """The most that one person could have handled for the player in a day."""
    first: str = later("")
    """Who has proposed it, where two people handled it."""
    day: int = later(0)
    """When the gaming day began."""
    day_alone: int | None = later(None)
    """The most that one person could have handled alone for all players in a day."""


class Cash(StrEnum):
    """Operations at the cashier's."""

    PAY_IN = "pay-in"
    PAY_OUT = "pay-out"


@dataclass(frozen=True)
class CashVoided(Event):
    """A mistake at the cashier's, booked back; each operation is voided at most once."""

    account: str
    amount: int
    paid: Cash
    """What is voided."""
    entry: int
    """The number of its entry in this journal."""
    words: str
    by: str
    alone: int | None = later(None)
    """The most that one person could have handled for the player in a day."""
    first: str = later("")
    """Who has proposed it, where two people voided it."""
    day: int = later(0)
    """When the gaming day began."""
    day_alone: int | None = later(None)
    """The most that one person could have handled alone for all players in a day."""


@dataclass(frozen=True)
class PlayMoneyGiven(Event):
    account: str
    amount: int


@dataclass(frozen=True)
class BonusGranted(Event):
    account: str
    amount: int
    by: str


@dataclass(frozen=True)
class BonusReleased(Event):
    account: str
    amount: int
    by: str


@dataclass(frozen=True)
class BonusOpened(Event):
    """Bonus money that becomes real once so much of it has been wagered."""

    account: str
    amount: int
    wagering: int
    """Coins of bonus money to be staked in settled rounds."""
    expires_at: int
    by: str
    alone: int | None = later(None)
    """The most that one person could have granted in a day, to the player or to all of them."""
    first: str = later("")
    """Who has proposed it, where two people grant it."""
    day: int = later(0)
    """When the gaming day began."""


@dataclass(frozen=True)
class BonusForfeited(Event):
    account: str
    amount: int
    end: BonusEnd
    by: str
    alone: int | None = later(None)
    """The most that one person of the pit could have taken back."""
    first: str = later("")
    """Who has proposed it, where two people take it back."""
    staked: int = later(0)
    """Bonus money on tables at that time: what comes back of it is forfeited as well."""


@dataclass(frozen=True)
class LimitSet(Event):
    """It holds from here on; without an amount, there is none."""

    account: str
    limit: LimitKind
    period: Period
    owner: Owner
    amount: int | None
    by: str


@dataclass(frozen=True)
class LooserLimitAsked(Event):
    """It can be confirmed from a time on; until it is, nothing changes."""

    account: str
    limit: LimitKind
    period: Period
    owner: Owner
    amount: int | None
    from_at: int
    by: str


@dataclass(frozen=True)
class LooserLimitDropped(Event):
    """What was asked for is no longer wanted."""

    account: str
    limit: LimitKind
    period: Period
    owner: Owner
    by: str


@dataclass(frozen=True)
class BirthDateGiven(Event):
    """The player has said when they were born; the date itself is in no journal."""

    account: str


@dataclass(frozen=True)
class RealityCheckChosen(Event):
    """So often, in minutes, from here on; 0 for no oftener than the house asks."""

    account: str
    every: int


@dataclass(frozen=True)
class RealityCheckAnswered(Event):
    """The player has seen for how long they play, and how they stand: these figures, which were
    shown to them and are true at the answer."""

    account: str
    since: int
    lost: int
    """Coins, in settled rounds of this sitting; below zero, won."""
    staked: int = later(0)
    """Coins at stake in rounds that are not settled."""


@dataclass(frozen=True)
class BreakTaken(Event):
    account: str
    until: int


@dataclass(frozen=True)
class PlayerExcluded(Event):
    """From here on, at least until; after that, until the player has asked to return."""

    account: str
    until: int
    by: str
    staked: int = later(0)
    """Coins that the player had on rounds under way; these are played to their end."""


@dataclass(frozen=True)
class ReturnAsked(Event):
    """An exclusion that is over ends at a time, because the player wants to play again."""

    account: str
    from_at: int


class LinkReason(StrEnum):
    """Why players count as one."""

    DECLARED = "declared"
    """They say so, both of them."""
    PIT = "pit"
    DEVICE = "device"
    """They signed in with the same browser. Older journals have such links; none is made today,
    because somebody else can put a cookie into a browser (`BrowserShared`)."""


@dataclass(frozen=True)
class PartnerNamed(Event):
    """A player says that another plays with them; it counts once the other says so too."""

    account: str
    partner: str


@dataclass(frozen=True)
class PartnersChanged(Event):
    """From here on the player counts as one with these, against the maximum of each bet."""

    account: str
    partners: tuple[str, ...]
    why: LinkReason
    by: str
    words: str


@dataclass(frozen=True)
class KeptApart(Event):
    """The pit has found that the player is no partner of these."""

    account: str
    others: tuple[str, ...]
    by: str
    words: str


@dataclass(frozen=True)
class BrowserShared(Event):
    """The player signed in with a browser in which these players had signed in before.

    It links nobody: the pit looks at it and decides.
    """

    account: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class SignInFailed(Event):
    """Somebody did not know the password of an account."""

    account: str


@dataclass(frozen=True)
class SignInsLocked(Event):
    """So many did not know it, one after the other, that nobody signs in for a while."""

    account: str
    wrong: int
    until: int


@dataclass(frozen=True)
class PasswordChanged(Event):
    """By whoever knew the old one."""

    account: str


@dataclass(frozen=True)
class PasswordIssued(Event):
    """A new initial password for one of the staff, who must change it first; their sessions end."""

    account: str
    by: str
    expires_at: int
    first: str = later("")
    """Who has proposed it, where two people issue it."""


@dataclass(frozen=True)
class AccountSuspended(Event):
    """Nobody signs in with it until the suspension is lifted, and its sessions end."""

    account: str
    by: str
    words: str


@dataclass(frozen=True)
class SuspensionLifted(Event):
    account: str
    by: str
    first: str = later("")
    """Who has proposed it, where two people lift it."""


@dataclass(frozen=True)
class AccountClosed(Event):
    """Somebody of the staff has left: nobody signs in with it again, and its id stays taken."""

    account: str
    by: str
    first: str = later("")
    """Who has proposed it, where two people close it."""


@dataclass(frozen=True)
class SignedIn(Event):
    """Somebody of the staff signed in; from which address is only in the log of the server."""

    account: str
    session: str
    """A digest: nobody comes in with it."""


@dataclass(frozen=True)
class SignedOut(Event):
    """A session is over, at every server."""

    account: str
    session: str
    """A digest: nobody comes in with it."""


@dataclass(frozen=True)
class ClockChanged(Event):
    """A server's clock has jumped, forwards or (below zero) backwards."""

    server: str
    milliseconds: int


HOUSE_EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        *(HouseOpened, AccountOpened, MoneyPaidIn, MoneyPaidOut, CashVoided, PlayMoneyGiven),
        *(BonusGranted, BonusReleased, BonusOpened, BonusForfeited),
        *(LimitSet, LooserLimitAsked, LooserLimitDropped),
        *(BirthDateGiven, RealityCheckChosen, RealityCheckAnswered),
        *(BreakTaken, PlayerExcluded, ReturnAsked),
        *(PartnerNamed, PartnersChanged, KeptApart, BrowserShared),
        *(SignInFailed, SignInsLocked, PasswordChanged, AccountClosed, ClockChanged),
        *(SignedIn, SignedOut, PasswordIssued, AccountSuspended, SuspensionLifted),
        *(ActionProposed, ProposalEnded),
    )
}


def decode_house(data: bytes) -> Event:
    return decode(data, HOUSE_EVENTS)
