"""Events of the house outside its tables: accounts, money and player protection.

House events have the same form as table events, but their own stream. A journal is never changed,
so nothing secret or personal is written to it: accounts appear only as ids, and names and dates of
birth are kept in separate database tables.
"""

from enum import StrEnum
from typing import Union

from baccarat.house import staff_events
from baccarat.house.cards.events import DECK_EVENTS
from baccarat.house.people.roles import Role
from baccarat.house.safety.periods import Period
from baccarat.table.codec import Decoder
from baccarat.table.events import EVENTS, OF_PROPOSALS, Event
from baccarat.table.four_eyes.terms import PaymentMethod

STREAM = "house"
OPERATOR = "the operator"
"""Used in place of an account id for the person who runs the server; not a valid id itself."""
HOUSE_FILE = "the house file"
"""Used in place of an account id for settings that the house file changes when a house starts."""


class LimitKind(StrEnum):
    """What a limit applies to."""

    DEPOSIT = "deposit"
    """Coins deposited."""
    LOSS = "loss"
    """Coins lost minus coins won, plus coins at stake."""
    TIME = "time"
    """Minutes played."""


class Owner(StrEnum):
    """Who set a limit. If both the player and the house set one, the stricter limit applies."""

    PLAYER = "player"
    HOUSE = "house"


class BonusEnd(StrEnum):
    """Why bonus money was returned to the house."""

    WITHDRAWAL = "withdrawal"
    """The player withdrew real money."""
    EXPIRY = "expiry"
    TAKEN_BACK = "taken-back"
    """The pit took the bonus back."""


class _OfAccount(Event, frozen=True):
    """Base class of events about one account."""

    account: str


class HouseOpened(Event, frozen=True):
    """The house was set up; this is always the first event of its journal."""

    name: str
    currency: str


class GamingDaySet(Event, frozen=True):
    """The house file changed when gaming days begin; until then, they begin at midnight UTC."""

    zone: str
    """Name of the house's time zone."""
    starts: int
    """Hour at which a gaming day begins."""
    by: str


class _ByStaff(_OfAccount, frozen=True):
    """Base class of actions on accounts, some of which need two people."""

    by: str
    first: str
    """Who proposed the action, if two people took it; otherwise empty."""


class AccountOpened(_ByStaff, frozen=True):
    """An account was opened for a player, a guest or a member of staff.

    If a player opened their own account, `by` is empty.
    """

    role: Role
    guest: bool


class GuestRegistered(_OfAccount, frozen=True):
    """A guest chose an ID, a name and a password, and keeps the account with all it contains."""


class Payment(_OfAccount, frozen=True):
    """Base class of payments that one person may make alone up to the house's limits."""

    amount: int
    by: str
    alone: int | None
    """Limit on what one person may handle alone for this player in a day; None for no limit."""
    first: str
    """Who proposed the payment, if two people made it; otherwise empty."""
    day: int
    """Start of the gaming day."""
    day_alone: int | None
    """Limit on what one person may handle alone for all players in a day; None for no limit."""


class _Paid(Payment, frozen=True):
    """Base class of payments that are not voids."""

    method: PaymentMethod = PaymentMethod.CASH
    reference: str = ""
    """Number of the card slip, transfer or cheque; may be empty."""


class MoneyPaidIn(_Paid, frozen=True):
    """A player paid in money at the cashier's desk."""


class MoneyPaidOut(_Paid, frozen=True):
    """The cashier paid out money to a player."""


class Cash(StrEnum):
    """Cash operations at the cashier's desk."""

    PAY_IN = "pay-in"
    PAY_OUT = "pay-out"


class CashVoided(Payment, frozen=True):
    """A payment entered by mistake was reversed; each payment can be voided only once."""

    paid: Cash
    """The operation that is voided."""
    entry: int
    """Number of the voided payment's entry in this journal."""
    words: str
    """Reason given."""
    method: PaymentMethod = PaymentMethod.CASH
    """How the voided payment was made."""


class PlayMoneyGiven(_OfAccount, frozen=True):
    """A guest was given play money."""

    amount: int


class BonusReleased(_OfAccount, frozen=True):
    """Bonus money became real money, because its wagering requirement was met."""

    amount: int
    by: str


class BonusOpened(Payment, frozen=True):
    """Bonus money was granted; it becomes real money once the wagering requirement is met.

    Two people are needed if more than `alone` is granted to the player in a day, or if one person
    would grant more than that alone in a day. `day_alone` is the limit on everything that one
    person may decide alone in a day: bonus money granted and taken back, and dispute payments.
    """

    wagering: int
    """The wagering requirement: coins of bonus money that must be staked in settled rounds."""
    expires_at: int


class BonusForfeited(_OfAccount, frozen=True):
    """Bonus money was returned to the house."""

    amount: int
    end: BonusEnd
    """Why the bonus money was returned."""
    by: str
    alone: int | None = None
    """Limit on what one person may take back alone, including bonus money staked at tables; None
    for no limit."""
    first: str = ""
    """Who proposed taking the bonus money back, if two people did so; otherwise empty."""
    staked: int = 0
    """Bonus money staked at tables at that time; any of it that is returned is also forfeited."""
    day: int = 0
    """Start of the gaming day, if the pit took the bonus money back."""
    day_alone: int | None = None
    """Limit on everything that one person may decide alone in a day: bonus money granted and taken
    back, and dispute payments; None for no limit."""


class _OfLimit(_OfAccount, frozen=True):
    limit: LimitKind
    period: Period
    owner: Owner


class LimitSet(_OfLimit, frozen=True):
    """A limit was set and applies at once; if it has no amount, the limit was removed."""

    amount: int | None
    by: str


class LooserLimitAsked(_OfLimit, frozen=True):
    """A looser limit was requested; it applies once it is confirmed, at `from_at` or later."""

    amount: int | None
    from_at: int
    by: str


class LooserLimitDropped(_OfLimit, frozen=True):
    """A request for a looser limit was withdrawn."""

    by: str


class BirthDateGiven(_OfAccount, frozen=True):
    """The player gave their date of birth; the date itself is not in any journal."""


class RealityCheckChosen(_OfAccount, frozen=True):
    """The player chose the minutes between reality checks; 0 means the house's interval."""

    every: int


class RealityCheckAnswered(_OfAccount, frozen=True):
    """The player answered a reality check that showed these figures."""

    since: int
    lost: int
    """Net loss in settled rounds of this sitting, in coins; negative if the player won."""
    staked: int
    """Coins at stake in rounds that are not settled."""


class BreakTaken(_OfAccount, frozen=True):
    """The player took a break and cannot bet until it ends."""

    until: int


class PlayerExcluded(_OfAccount, frozen=True):
    """The player was excluded at least until `until`, and after that until they ask to return."""

    until: int
    by: str
    staked: int
    """Coins that the player had staked on rounds in progress, which are played to their end."""


class ReturnAsked(_OfAccount, frozen=True):
    """The player asked to play again after an exclusion; the exclusion ends at `from_at`."""

    from_at: int


class LinkReason(StrEnum):
    """Why players were linked."""

    DECLARED = "declared"
    """Both players declared that they are partners."""
    PIT = "pit"


class PartnerNamed(_OfAccount, frozen=True):
    """The player named a partner; they are linked once the partner names the player too."""

    partner: str


class PartnersChanged(_OfAccount, frozen=True):
    """The player's partners changed; partners share the maximum of each bet."""

    partners: tuple[str, ...]
    why: LinkReason
    by: str
    words: str
    """Reason given."""


class KeptApart(_OfAccount, frozen=True):
    """The pit decided that these players are not partners of the player."""

    others: tuple[str, ...]
    by: str
    words: str
    """Reason given."""


class BrowserShared(_OfAccount, frozen=True):
    """The player signed in with a browser in which these other players had signed in before.

    This alone does not link the players; the pit decides.
    """

    others: tuple[str, ...]


class SignInFailed(_OfAccount, frozen=True):
    """Someone entered a wrong password for an account."""


class SignInsLocked(_OfAccount, frozen=True):
    """After too many wrong passwords in a row, sign-ins were locked until `until`."""

    wrong: int
    until: int


class PasswordChanged(_OfAccount, frozen=True):
    """The password was changed by someone who entered the old one."""


class PasswordIssued(_ByStaff, frozen=True):
    """A member of staff was issued an initial password, and their sessions ended.

    The password must be changed at the first sign-in.
    """

    expires_at: int


class AccountSuspended(_OfAccount, frozen=True):
    """An account was suspended: its sessions ended, and nobody can sign in to it."""

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
    """A member of staff signed in; the IP address is only in the server's log."""

    session: str
    """Digest of the session, which cannot be used to sign in."""


class SignedOut(_OfAccount, frozen=True):
    """A session was ended, on every server."""

    session: str
    """Digest of the session, which cannot be used to sign in."""


class AmbiguityListed(Event, frozen=True):
    """The pit listed an ambiguity in a rule card in response to a dispute.

    Until it is resolved or withdrawn, disputes over it are decided in the player's favour, at every
    table with this rule card.
    """

    ambiguity: str
    """Its id: the letter L and a number."""
    card: str
    version: int
    """Version of the rule card that the disputed round was dealt under."""
    question: str
    """What the rules leave open."""
    fragment: str
    """An `[[ambiguity]]` in the format of rule cards, with readings that can be replayed; empty if
    there are none."""
    table: str
    round: int
    player: str
    """The player who disputed the round."""
    by: str
    first: str = ""
    """Who proposed it; empty if it has no readings, because then one person may list it alone."""


class ListedAmbiguityResolved(Event, frozen=True):
    """Two people resolved a listed ambiguity, for all rounds settled from then on."""

    ambiguity: str
    card: str
    words: str
    """How and why it was resolved."""
    by: str
    first: str
    """Who proposed it."""


class ListedAmbiguityWithdrawn(Event, frozen=True):
    """Two people withdrew an ambiguity that should not have been listed.

    Open disputes are decided without it; disputes already decided stay as they are.
    """

    ambiguity: str
    card: str
    words: str
    """Why it was withdrawn."""
    by: str
    first: str
    """Who proposed it."""


class FootageNoted(Event, frozen=True):
    """The pit noted where the cameras' recording of a round is found."""

    table: str
    round: int
    reference: str
    by: str


class KeyRotated(Event, frozen=True):
    """The key that protects undealt cards, second factors and sessions was replaced."""

    mark: str
    """Identifier of the new key, which does not reveal it."""
    by: str


class ClockChanged(Event, frozen=True):
    """A server's clock jumped by `milliseconds`: forwards or, if negative, backwards."""

    server: str
    milliseconds: int


_BASES = (Event, _OfAccount, _ByStaff, Payment, _Paid, _OfLimit)
HOUSE_EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (*globals().values(), *vars(staff_events).values(), *OF_PROPOSALS, *DECK_EVENTS)
    if isinstance(kind, type) and issubclass(kind, Event) and kind not in _BASES
}
"""Every event class of the house journal, by its name; proposals are included."""


_EVENTS: Decoder[Event] = Decoder(Union[tuple((EVENTS | HOUSE_EVENTS).values())])  # noqa: UP007


def decode(data: bytes) -> Event:
    """Decode an event of a table's journal or of the house journal."""
    return _EVENTS.decode(data)
