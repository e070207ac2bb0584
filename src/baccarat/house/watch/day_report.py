"""The report of a gaming day: figures by table, dealer and cashier, folded from the journals.

Only real money is counted. A correction or a payment in a dispute counts on the day on which it is
made, whenever its round was played. The auditor recomputes every line from the journals.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from baccarat.core.money import decimal_string
from baccarat.house import events as h
from baccarat.house.people.roles import is_guest
from baccarat.house.safety.periods import UTC_DAY, GamingDay, day_start
from baccarat.house.watch.result_bounds import Line, Results, expected_result
from baccarat.shoe.commitment import Hex
from baccarat.table import events as e
from baccarat.table.four_eyes.terms import PaymentMethod

AT_TABLES = (
    *(e.RoundSettled, e.RoundCancelled, e.RoundCorrected, e.CoupRectified, e.IrregularityFound),
    *(e.DisputeOpened, e.DisputeDecided, e.DisputeAnswered, e.LargeWinPaid),
)
"""Events at tables that a report counts."""
PAYMENTS = (h.MoneyPaidIn, h.MoneyPaidOut, h.CashVoided)
IN_HOUSE = (*PAYMENTS, h.PlayerExcluded)
"""Events of the house's journal that a report counts."""
PLAY = (
    *("rounds", "turnover", "result", "expected", "hold", "errors", "cancelled", "corrections"),
    *("corrected", "disputes", "dispute_payments", "large_wins"),
)
CASH = ("paid_in", "paid_out", "voids", "large_payments")
COLUMNS = ("day", "begins", "ends", "by", "id", *PLAY, *CASH, "exclusions")
"""Columns of the CSV file. Amounts are in units of currency, and the hold is a percentage."""
MONEY = frozenset(
    {"turnover", "result", "expected", "corrected", "dispute_payments", "paid_in", "paid_out"}
)
"""Columns that are amounts, in coins."""


@dataclass
class Play:
    """Figures of a table, of a dealer or of all tables."""

    rounds: int = 0
    turnover: int = 0
    result: int = 0
    """Coins won by the house, after corrections; payments in disputes are counted separately."""
    stakes: Counter[Line] = field(default_factory=Counter)
    errors: int = 0
    """Dealing errors; the findings of one entry count as one error."""
    cancelled: int = 0
    corrections: int = 0
    """Coups rectified before they were paid, and rounds settled again."""
    corrected: int = 0
    """Coins that rounds settled again have cost the house; negative if it gained."""
    disputes: int = 0
    """Disputes opened."""
    dispute_payments: int = 0
    large_wins: int = 0

    @property
    def expected(self) -> int:
        """The house's expected result in whole coins, from the exact edge of every bet."""
        return round(expected_result(self.stakes))

    @property
    def hold(self) -> str:
        """The result as a percentage of the turnover; empty without a turnover."""
        return (
            decimal_string(Fraction(100 * self.result, self.turnover), 2) if self.turnover else ""
        )


@dataclass
class Cash:
    """Payments handled by a cashier, or by all of them."""

    by_method: dict[PaymentMethod, list[int]] = field(default_factory=dict)
    """Coins paid in and out by each method, less voids."""
    voids: int = 0
    large_payments: int = 0
    """Payments and voids that took two people."""

    @property
    def paid_in(self) -> int:
        return sum(coins for coins, _ in self.by_method.values())

    @property
    def paid_out(self) -> int:
        return sum(coins for _, coins in self.by_method.values())

    def take(self, event: h.MoneyPaidIn | h.MoneyPaidOut | h.CashVoided) -> None:
        """Add a payment or a void."""
        void = isinstance(event, h.CashVoided)
        paid_in = kind_of(event) is h.Cash.PAY_IN
        coins = self.by_method.setdefault(event.method, [0, 0])
        coins[0 if paid_in else 1] += -event.amount if void else event.amount
        self.voids += void
        self.large_payments += bool(event.first)


def kind_of(event: h.MoneyPaidIn | h.MoneyPaidOut | h.CashVoided) -> h.Cash:
    """Return the kind of a payment, or of the payment that is voided."""
    if isinstance(event, h.CashVoided):
        return event.paid
    return h.Cash.PAY_IN if isinstance(event, h.MoneyPaidIn) else h.Cash.PAY_OUT


def cashier_of(event: h.Payment) -> str:
    """Return the cashier who handled a payment, not the person who confirmed it."""
    return event.first or event.by


@dataclass
class DayReport:
    """Figures of a gaming day."""

    day: str
    """The date on which the day began."""
    begins: int
    ends: int
    house: Play = field(default_factory=Play)
    tables: dict[str, Play] = field(default_factory=dict)
    dealers: dict[str, Play] = field(default_factory=dict)
    cage: Cash = field(default_factory=Cash)
    cashiers: dict[str, Cash] = field(default_factory=dict)
    exclusions: int = 0
    large: list[tuple[str, h.MoneyPaidIn | h.MoneyPaidOut | h.CashVoided | e.LargeWinPaid]] = field(
        default_factory=list
    )
    """Payments and voids that took two people, and large wins, each with its table, if any."""
    excluded: list[h.PlayerExcluded] = field(default_factory=list)
    _dealt: dict[tuple[str, int], str] = field(default_factory=dict)
    """The dealer of each round that was settled on this day, by table and round."""
    _error_at: dict[str, int] = field(default_factory=dict)
    """When the last error at a table was found; the findings of one entry have the same time."""

    def take_in_house(self, event: e.Event) -> None:
        """Add an event of the house's journal."""
        if isinstance(event, PAYMENTS):
            for cash in (self.cage, self.cashiers.setdefault(cashier_of(event), Cash())):
                cash.take(event)
            if event.first:
                self.large.append(("", event))
        elif isinstance(event, h.PlayerExcluded):
            self.exclusions += 1
            self.excluded.append(event)

    def take_at_table(self, table: str, event: e.Event, rules_of: Callable[[Hex], str]) -> None:
        """Add an event of a table's journal; `rules_of` returns the rules with a given hash."""
        match event:
            case e.RoundSettled():
                self._dealt[table, event.round] = event.dealer
                results = _real(event.results)
                stakes: Counter[Line] = Counter()
                for result in results:
                    for wager in result.wagers:
                        stakes[rules_of(event.rules), result.agreed, wager.bet] += wager.stake
                for play in self._lines(table, event.dealer):
                    play.rounds += 1
                    play.turnover += sum(stakes.values())
                    play.stakes.update(stakes)
                    play.result -= _net(results)
            case e.RoundCancelled():
                for play in self._lines(table, ""):
                    play.cancelled += 1
                    play.result -= _net(_real(event.results))
            case e.RoundCorrected():
                cost = _net(_real(event.results)) - _net(_real(event.paid_before))
                for play in self._lines(table, self._dealt.get((table, event.round), "")):
                    play.corrections += 1
                    play.corrected += cost
                    play.result -= cost
            case e.CoupRectified():
                for play in self._lines(table, event.dealer):
                    play.corrections += 1
            case e.IrregularityFound():
                if self._error_at.get(table) != event.at:
                    for play in self._lines(table, event.dealer):
                        play.errors += 1
                self._error_at[table] = event.at
            case _:
                self._of_player(table, event)

    def _of_player(self, table: str, event: e.Event) -> None:
        """Add a dispute or a large win."""
        disputed = e.DisputeOpened | e.DisputeDecided | e.DisputeAnswered | e.LargeWinPaid
        if not isinstance(event, disputed) or is_guest(event.player):
            return
        if isinstance(event, e.LargeWinPaid):
            self.large.append((table, event))
        for play in self._lines(table, self._dealt.get((table, event.round), "")):
            match event:
                case e.DisputeOpened():
                    play.disputes += 1
                case e.DisputeDecided():
                    play.dispute_payments += event.after.net - event.before.net
                case e.DisputeAnswered():
                    play.dispute_payments += event.amount
                case e.LargeWinPaid():
                    play.large_wins += 1

    def _lines(self, table: str, dealer: str) -> list[Play]:
        """Return the figures that an event at a table counts in."""
        dealt = [self.dealers.setdefault(dealer, Play())] if dealer else []
        return [self.house, self.tables.setdefault(table, Play()), *dealt]

    def rows(self) -> list[dict[str, int | str]]:
        """Return the report's lines: the house, then each table, dealer and cashier.

        Amounts are in coins. Figures that a line does not have are left out.
        """
        total = {**_fields(self.house, PLAY), **_fields(self.cage, CASH)}
        lines: list[tuple[str, str, Mapping[str, int | str]]] = [
            ("house", "", {**total, "exclusions": self.exclusions}),
            *(("table", name, _fields(play, PLAY)) for name, play in sorted(self.tables.items())),
            *(("dealer", name, _fields(play, PLAY)) for name, play in sorted(self.dealers.items())),
            *(
                ("cashier", name, _fields(cash, CASH))
                for name, cash in sorted(self.cashiers.items())
            ),
        ]
        return [{"by": by, "id": name, **figures} for by, name, figures in lines]


def _fields(figures: Play | Cash, names: Iterable[str]) -> dict[str, int | str]:
    return {name: getattr(figures, name) for name in names}


def _real(results: Results) -> Results:
    """Return the results of players with accounts; guests play with play money."""
    return [result for result in results if not is_guest(result.player)]


def _net(results: Results) -> int:
    return sum(result.net for result in results)


def gaming_day_of(day: int, changes: Iterable[h.GamingDaySet]) -> GamingDay:
    """Return the settings that apply to a day: the last ones recorded before the day ended."""
    found = UTC_DAY
    for change in changes:
        setting = GamingDay(change.zone, change.starts)
        if change.at < day_start(day + 1, setting):
            found = setting
    return found
