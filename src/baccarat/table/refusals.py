"""Reasons for refusing a command: stable codes for programs, words for people.

The order of `Code` is the precedence: if there are several reasons against a command, it is always
refused for the first of them. A code never changes its meaning.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.text import Choice, Coins
from baccarat.core.wagers import Refusal, RefusedBy
from baccarat.wording.catalogue import Catalogue, catalogue


class Code(StrEnum):
    """Every reason for which a table or the house refuses, in order of precedence."""

    NOT_ALLOWED = "not-allowed"
    """The role does not permit it."""
    NO_SUCH_ACCOUNT = "no-such-account"
    NO_SUCH_TABLE = "no-such-table"
    KEY_REUSED = "key-reused"
    """The idempotency key was used for something else."""
    STALE_EPOCH = "stale-epoch"
    """Another server drives this table now."""
    SELF_EXCLUDED = "self-excluded"
    """The player, or someone linked with them, is excluded by their own wish or by the house."""
    ON_A_BREAK = "on-a-break"
    """The player, or someone linked with them, is taking a break."""
    REGISTER_SILENT = "register-silent"
    """The exclusion register has not confirmed that this player may play."""
    UNDER_AGE = "under-age"
    """The player is too young, or the date of birth is not known."""
    REALITY_CHECK = "reality-check"
    """A reality check must be answered before the next wager."""
    TIME_LIMIT = "time-limit"
    NO_SUCH_ROUND = "no-such-round"
    """The command does not apply to this round; wagers are only for the open round."""
    TABLE_PAUSED = "table-paused"
    BETTING_CLOSED = "betting-closed"
    WAGERS_CHANGED = "wagers-changed"
    """The player's wagers are not the ones that were to be replaced."""
    NO_SEAT = "no-seat"
    """All seats are taken by players who have wagered on this round."""
    WRONG_PHASE = "wrong-phase"
    """Not possible at this moment."""
    NOT_THE_DEALER = "not-the-dealer"
    """Another dealer has the table."""
    RESULT_STANDS = "result-stands"
    """R43: no error was rectified or reported before the first card of the next coup."""
    IRREGULAR = "irregular"
    """The coup does not follow the tableau, or a card is unexplained: put that right first."""
    RECTIFY_FIRST = "rectify-first"
    """A decided round can be cancelled only after rectifying it was considered."""
    TOO_EARLY = "too-early"
    """It is the next step, but its time has not come."""
    NO_SUCH_DISPUTE = "no-such-dispute"
    """The dispute was not opened, or has been decided."""
    ALREADY_DISPUTED = "already-disputed"
    NOTHING_OPEN = "nothing-open"
    """No rule that applies is open to another reading."""
    NOT_BEST = "not-best"
    """R46: a dispute is decided by the readings that are best for the player."""
    NO_SUCH_AGREEMENT = "no-such-agreement"
    """The parameter cannot be agreed on with a player, or the value is out of range."""
    NO_SUCH_BET = "no-such-bet"
    BET_TWICE = "bet-twice"
    BAD_STAKE = "bad-stake"
    """Not a whole number of coins above zero."""
    OUTSIDE_LIMITS = "outside-limits"
    OFF_STEP = "off-step"
    """The stake could not be paid in whole coins."""
    EXCLUDED = "excluded"
    """The two bets may not be combined."""
    NEEDS_ANOTHER = "needs-another"
    """The bet requires a wager on another bet."""
    OVER_COUP_LIMIT = "over-coup-limit"
    BAD_AMOUNT = "bad-amount"
    """Money must be a whole number of coins above zero; hours and months as the house allows."""
    PARTNERS_OVER_MAXIMUM = "partners-over-maximum"
    """R36: partners share the maximum of a bet."""
    INSUFFICIENT_FUNDS = "insufficient-funds"
    BONUS_TERMS = "bonus-terms"
    """A grant that the profile does not allow, a second grant at the same time, or bonus money
    staked while the player has real money at another table."""
    STAKE_CAP = "stake-cap"
    """More than the house lets one player stake on a round."""
    DEPOSIT_LIMIT = "deposit-limit"
    LOSS_LIMIT = "loss-limit"
    BONUS_BREACH = "bonus-breach"
    """Mostly bonus money on wagers of which at least one nearly always wins (R37)."""
    WRONG_CARD = "wrong-card"
    """Not the card that is due, or its proof does not lead to the root."""
    WRONG_SECRET = "wrong-secret"  # noqa: S105
    """Not the secret that was committed to."""
    ALREADY_CONTRIBUTED = "already-contributed"
    NEEDS_TWO_PEOPLE = "needs-two-people"
    STALE_VIEW = "stale-view"
    """What the decision is about has changed since it was seen: look again."""
    BAD_SETTINGS = "bad-settings"


Value = str | int | Choice | date
"""A value in a message. Amounts are `Coins`, and times are datetimes in the house's zone."""


@dataclass(frozen=True)
class Message:
    """A message of the catalogue, with the values of its variables."""

    key: str
    values: Mapping[str, Value]

    def text(self, t: Catalogue, currency: str = "") -> str:
        """Return the message in a language."""
        shown = {
            name: t.money(value, currency) if isinstance(value, Coins) else value
            for name, value in self.values.items()
        }
        return t(self.key, **shown)

    @property
    def plain_values(self) -> dict[str, Any]:
        """The values for programs: amounts as {"coins": 500}, times in ISO format."""
        return {name: _plain(value) for name, value in self.values.items()}

    @classmethod
    def of_plain(cls, key: str, values: Mapping[str, Any]) -> "Message":
        """Return a message without times from its plain values."""
        amounts = {n: Coins(v["coins"]) for n, v in values.items() if isinstance(v, dict)}
        return cls(key, {**values, **amounts})


def _plain(value: Value) -> Any:
    match value:
        case Coins():
            return {"coins": int(value)}
        case date():
            return value.isoformat()
    return value


class Refused(BaccaratError):
    """A command was refused; nothing has changed. The reason is the message `refusal-KEY`."""

    def __init__(self, code: Code, key: str, **values: Value) -> None:
        super().__init__(code, key)
        self.code, self.key = code, key
        self.message = Message(f"refusal-{key}", values)

    def __str__(self) -> str:
        return self.text(catalogue())

    def text(self, t: Catalogue, currency: str = "") -> str:
        """Return the reason in a language."""
        return self.message.text(t, currency)


WAGER_CODES = {
    RefusedBy.NO_SUCH_BET: Code.NO_SUCH_BET,
    RefusedBy.TWICE: Code.BET_TWICE,
    RefusedBy.STAKE: Code.BAD_STAKE,
    RefusedBy.LIMITS: Code.OUTSIDE_LIMITS,
    RefusedBy.STEP: Code.OFF_STEP,
    RefusedBy.EXCLUDES: Code.EXCLUDED,
    RefusedBy.REQUIRES: Code.NEEDS_ANOTHER,
}
"""Codes of the core's rules for a set of wagers, in the core's order, which is also that of
`Code`."""


def refused_by(refusal: Refusal) -> Refused:
    """Return the refusal of wagers by a rule of the core."""
    code = WAGER_CODES[refusal.rule]
    return Refused(code, code, **dict(refusal.values))
