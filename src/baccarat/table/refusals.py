"""Why a command is refused: stable codes for programs, words for people.

The order of `Code` is the precedence: a command against which there are several reasons is always
refused for the one that stands first. The one rule: a code never changes its meaning.
"""

from enum import StrEnum

from baccarat.core.errors import BaccaratError
from baccarat.core.text import Sentence, say
from baccarat.core.wagers import RefusedBy


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
    """The player, or who is linked with them, is excluded: by their own wish or the house's."""
    ON_A_BREAK = "on-a-break"
    """The player is, or who is linked with them."""
    REGISTER_SILENT = "register-silent"
    """The register of exclusions has not said that this player may play."""
    UNDER_AGE = "under-age"
    """Too young, or the date of birth is not known."""
    REALITY_CHECK = "reality-check"
    """It must be answered before the next wager."""
    TIME_LIMIT = "time-limit"
    NO_SUCH_ROUND = "no-such-round"
    """A wager is good for the open round only."""
    TABLE_PAUSED = "table-paused"
    BETTING_CLOSED = "betting-closed"
    WAGERS_CHANGED = "wagers-changed"
    """Other wagers of the player stand than the ones that were to be replaced."""
    NO_SEAT = "no-seat"
    """As many players as the table seats have wagered on this round."""
    WRONG_PHASE = "wrong-phase"
    """It is not the moment for it."""
    NOT_THE_DEALER = "not-the-dealer"
    """Another dealer has the table."""
    RESULT_STANDS = "result-stands"
    """R43: neither rectified nor reported before the first card of the next coup."""
    IRREGULAR = "irregular"
    """The coup is not as the tableau means it: rectify it first."""
    RECTIFY_FIRST = "rectify-first"
    """A decided round is cancelled only after it was considered to rectify it."""
    TOO_EARLY = "too-early"
    """It is the next thing to do, and its time has not come."""
    NO_SUCH_DISPUTE = "no-such-dispute"
    """It was not opened, or is decided."""
    ALREADY_DISPUTED = "already-disputed"
    NOTHING_OPEN = "nothing-open"
    """No rule that applies is open to another reading."""
    NOT_BEST = "not-best"
    """R46: a dispute is decided by the readings that are best for the player."""
    NO_SUCH_AGREEMENT = "no-such-agreement"
    """A parameter that is not the player's to agree on, or out of its range."""
    NO_SUCH_BET = "no-such-bet"
    BET_TWICE = "bet-twice"
    BAD_STAKE = "bad-stake"
    """Not a whole number of coins above zero."""
    OUTSIDE_LIMITS = "outside-limits"
    OFF_STEP = "off-step"
    """It would not be paid in whole coins."""
    EXCLUDED = "excluded"
    """Two bets that may not be combined."""
    NEEDS_ANOTHER = "needs-another"
    """A bet that needs a wager on another."""
    OVER_COUP_LIMIT = "over-coup-limit"
    BAD_AMOUNT = "bad-amount"
    """Money is a whole number of coins above zero; hours and months are what the house allows."""
    PARTNERS_OVER_MAXIMUM = "partners-over-maximum"
    """R36: partners share the maximum of a bet."""
    INSUFFICIENT_FUNDS = "insufficient-funds"
    STAKE_CAP = "stake-cap"
    """More than the house lets one player stake on a round."""
    DEPOSIT_LIMIT = "deposit-limit"
    LOSS_LIMIT = "loss-limit"
    BONUS_TERMS = "bonus-terms"
    """A grant that the profile does not allow, or a second one at the same time."""
    BONUS_BREACH = "bonus-breach"
    """Mostly bonus money on wagers of which one nearly always wins (R37)."""
    WRONG_CARD = "wrong-card"
    """Not the card whose turn it is, or its proof does not lead to the root."""
    WRONG_SECRET = "wrong-secret"  # noqa: S105
    """Not what was committed to."""
    ALREADY_CONTRIBUTED = "already-contributed"
    NEEDS_TWO_PEOPLE = "needs-two-people"
    STALE_VIEW = "stale-view"
    """What was decided on has changed since it was seen: look again."""
    BAD_SETTINGS = "bad-settings"


class Refused(BaccaratError):
    """A command that is not carried out; nothing has happened."""

    def __init__(self, code: Code, words: str | Sentence, **values: str | int) -> None:
        self.said = words if isinstance(words, Sentence) else say(words, **values)
        super().__init__(str(self.said))
        self.code = code


WAGER_CODES = {
    RefusedBy.NO_SUCH_BET: Code.NO_SUCH_BET,
    RefusedBy.TWICE: Code.BET_TWICE,
    RefusedBy.STAKE: Code.BAD_STAKE,
    RefusedBy.LIMITS: Code.OUTSIDE_LIMITS,
    RefusedBy.STEP: Code.OFF_STEP,
    RefusedBy.EXCLUDES: Code.EXCLUDED,
    RefusedBy.REQUIRES: Code.NEEDS_ANOTHER,
}
"""The core's rules for a set of wagers, in the core's order, which is also the order above."""
