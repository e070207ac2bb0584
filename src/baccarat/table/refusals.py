"""Reasons for refusing a command: stable codes for API clients, messages for people.

The order of `Code` is the precedence: if there are several reasons against a command, it is always
refused for the first of them. A code never changes its meaning.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.core.text import Alternatives, Coins
from baccarat.core.wagers import Refusal, RefusedBy
from baccarat.wording.catalogue import Catalogue, catalogue


class Code(StrEnum):
    """Every reason for which a table or the house refuses a command, in order of precedence."""

    NOT_ALLOWED = "not-allowed"
    """The account's role does not permit the command."""
    NO_SUCH_ACCOUNT = "no-such-account"
    """The id is unknown, invalid or already taken, or the account is of another kind."""
    NO_SUCH_DECK_SET = "no-such-deck-set"
    """The deck set is unknown, retired, or already recorded."""
    NO_SUCH_TABLE = "no-such-table"
    """The house has no table with this id."""
    KEY_REUSED = "key-reused"
    """The idempotency key was already used for a different command."""
    STALE_EPOCH = "stale-epoch"
    """Another server drives this table now."""
    SELF_EXCLUDED = "self-excluded"
    """The player or a linked partner is excluded, at their own request or by the house."""
    ON_A_BREAK = "on-a-break"
    """The player or a linked partner is taking a break."""
    REGISTER_SILENT = "register-silent"
    """The exclusion register has not confirmed that this player may play."""
    UNDER_AGE = "under-age"
    """The player is too young, or the player's date of birth is not known."""
    REALITY_CHECK = "reality-check"
    """A reality check must be answered before the next wager."""
    TIME_LIMIT = "time-limit"
    """The player has reached a limit on the time of play."""
    NO_SUCH_ROUND = "no-such-round"
    """The command does not apply to this round; for example, wagers need the open round."""
    TABLE_PAUSED = "table-paused"
    """The table or the whole house is paused."""
    BETTING_CLOSED = "betting-closed"
    """The round no longer takes bets, or is dealt without bets."""
    WAGERS_CHANGED = "wagers-changed"
    """The player's current wagers differ from those that the command was to replace."""
    NO_SEAT = "no-seat"
    """All seats are taken by players who have wagered on this round."""
    WRONG_PHASE = "wrong-phase"
    """The command is not possible in the current phase."""
    NOT_THE_DEALER = "not-the-dealer"
    """The sender is not the dealer of this table."""
    RESULT_STANDS = "result-stands"
    """R43: errors in the round can no longer be reported, and none was reported in time."""
    ALREADY_REPORTED = "already-reported"
    """The sender has already reported an error in the round, or enough reports are waiting."""
    IRREGULAR = "irregular"
    """The coup does not follow the tableau, or a card is in doubt; this must be put right first."""
    RECTIFY_FIRST = "rectify-first"
    """A round whose result is known can be cancelled only with a reason for not rectifying it."""
    TOO_EARLY = "too-early"
    """The command is the next step, but the step is not due yet."""
    NO_SUCH_DISPUTE = "no-such-dispute"
    """The dispute was not opened, or has been decided."""
    ALREADY_DISPUTED = "already-disputed"
    """The round is already disputed or listed, or the player has too many undecided disputes."""
    NOTHING_OPEN = "nothing-open"
    """No rule that applies to the round has an open ambiguity, or the one named is not open."""
    NOT_BEST = "not-best"
    """R46: while a rule is ambiguous, a dispute over it must be decided in the player's favour."""
    NO_SUCH_AGREEMENT = "no-such-agreement"
    """The parameter cannot be set by an agreement, or the agreed value is not valid."""
    AGREEMENT_NEEDED = "agreement-needed"
    """A17: the bet's odds depend on a value that the player has not agreed to yet."""
    NO_SUCH_BET = "no-such-bet"
    """The table does not offer this bet."""
    BET_TWICE = "bet-twice"
    """The request has two wagers on one bet."""
    BAD_STAKE = "bad-stake"
    """The stake is not a positive whole number of coins."""
    OUTSIDE_LIMITS = "outside-limits"
    """R35: a stake is below the minimum or above the maximum of its bet."""
    OFF_STEP = "off-step"
    """A win with this stake could not be paid in whole coins."""
    EXCLUDED = "excluded"
    """Two of the bets may not be combined."""
    NEEDS_ANOTHER = "needs-another"
    """The bet requires a wager on another bet."""
    OVER_COUP_LIMIT = "over-coup-limit"
    """R35: the stakes together are above the table's maximum for a round."""
    BAD_AMOUNT = "bad-amount"
    """An amount of money is not a positive whole number of coins, or a number is out of range."""
    PARTNERS_OVER_MAXIMUM = "partners-over-maximum"
    """R36: the player and their partners together would exceed the maximum of a bet."""
    INSUFFICIENT_FUNDS = "insufficient-funds"
    """The wallet or bankroll does not cover the amount."""
    BONUS_TERMS = "bonus-terms"
    """A bonus is not allowed, another is open, or real money is staked at another table."""
    STAKE_CAP = "stake-cap"
    """The stakes are more than the house allows one player in a round."""
    DEPOSIT_LIMIT = "deposit-limit"
    """The payment would exceed a limit on deposits."""
    LOSS_LIMIT = "loss-limit"
    """The wagers could take the player over a limit on losses."""
    BONUS_BREACH = "bonus-breach"
    """R37: mostly bonus money is staked, on wagers of which at least one nearly always wins."""
    WRONG_CARD = "wrong-card"
    """The card is not the one that is due, or its proof does not lead to the committed root."""
    WRONG_SECRET = "wrong-secret"  # noqa: S105
    """The secret does not match the commitment."""
    ALREADY_CONTRIBUTED = "already-contributed"
    """The player has already contributed to this shoe, or it takes no more contributions."""
    NEEDS_TWO_PEOPLE = "needs-two-people"
    """Another person must do or confirm this."""
    STALE_VIEW = "stale-view"
    """The facts have changed since the sender saw them."""
    BAD_SETTINGS = "bad-settings"
    """A table cannot have these settings, or a decision has an invalid value."""


Value = str | int | Alternatives | date
"""A value in a message. Amounts are `Coins`; times are datetimes in the house's time zone."""


@dataclass(frozen=True)
class Message:
    """The key of a message in the catalogue, with the values of its variables."""

    key: str
    values: Mapping[str, Value]

    def text(self, t: Catalogue, currency: str = "") -> str:
        """Return the text of the message in the catalogue's language."""
        shown = {
            name: t.money(value, currency) if isinstance(value, Coins) else value
            for name, value in self.values.items()
        }
        return t(self.key, **shown)

    @property
    def plain_values(self) -> dict[str, Any]:
        """The values for API clients: amounts as {"coins": 500}, times in ISO format."""
        return {name: _plain(value) for name, value in self.values.items()}

    @classmethod
    def of_plain(cls, key: str, values: Mapping[str, Any]) -> "Message":
        """Return a message from its plain values, which must not include times."""
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
        """Return the reason in the catalogue's language."""
        return self.message.text(t, currency)


LONGEST_WORDS = 500


def check_words(words: str) -> None:
    """Raise Refused if an explanation is empty or too long."""
    if not 0 < len(words.strip()) <= LONGEST_WORDS:
        raise Refused(Code.BAD_SETTINGS, "explain-in-words", most=LONGEST_WORDS)


WAGER_CODES = {
    RefusedBy.NO_SUCH_BET: Code.NO_SUCH_BET,
    RefusedBy.TWICE: Code.BET_TWICE,
    RefusedBy.STAKE: Code.BAD_STAKE,
    RefusedBy.LIMITS: Code.OUTSIDE_LIMITS,
    RefusedBy.STEP: Code.OFF_STEP,
    RefusedBy.EXCLUDES: Code.EXCLUDED,
    RefusedBy.REQUIRES: Code.NEEDS_ANOTHER,
}
"""The code for each rule by which the core refuses wagers. The core checks its rules in the same
order as `Code` lists them."""


def refused_by(refusal: Refusal) -> Refused:
    """Return the `Refused` error for wagers that a rule of the core refuses."""
    code = WAGER_CODES[refusal.rule]
    return Refused(code, code, **dict(refusal.values))
