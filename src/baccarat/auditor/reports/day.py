"""Compares the CSV file of a gaming day's report with figures recomputed from the journal.

The edge of a bet is not in the journal: a function that computes it is passed in.
"""

import csv
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from baccarat.auditor.books import Body
from baccarat.auditor.rows import Rows

Edge = Callable[[str, tuple[tuple[str, str], ...], str], Fraction]
"""Returns the house edge of a bet, given the rules, the terms agreed with the player and the id."""
Figures = defaultdict[str, Fraction]
Key = tuple[str, str]
"""`house`, `table`, `dealer` or `cashier`, and an id."""
AMOUNTS = frozenset(
    {"turnover", "result", "expected", "corrected", "dispute_payments", "paid_in", "paid_out"}
)
COUNTS = ("rounds", "errors", "cancelled", "corrections", "disputes", "large_wins")
OF_PLAY = (*COUNTS, "turnover", "result", "expected", "corrected", "dispute_payments")
OF_CASH = ("paid_in", "paid_out", "voids", "large_payments")


def check_report(rows: Rows, text: str, edge: Edge) -> list[str]:
    """Return every difference between a report and the journal; empty if there are none."""
    lines = list(csv.DictReader(text.splitlines()))
    try:
        (day,) = {date.fromisoformat(line["day"]) for line in lines}
    except (KeyError, ValueError):
        return ["it is not the report of one gaming day"]
    journal = [(stream, json.loads(body)) for stream, _, _, body in rows.journal]
    begins, ends = _bounds(day, journal)
    expected = _Day(journal, begins, ends, edge).lines
    found: list[str] = []
    for line in lines:
        key = (line.get("by", ""), line.get("id", ""))
        named = " ".join(filter(None, key))
        figures = expected.pop(key, None)
        if figures is None:
            found.append(f"{named}: the journal has nothing for this line")
            continue
        times = {"day": day.isoformat(), "begins": _utc(begins), "ends": _utc(ends)}
        for name, value in {**times, **_cells(key[0], figures)}.items():
            if line.get(name) != value:
                reported = line.get(name) or "nothing"
                found.append(f"{named}: {name} is {value}, but the report says {reported}")
    found += [f"{' '.join(filter(None, key))}: the line is missing" for key in expected]
    return found


def _bounds(day: date, journal: list[tuple[str, Body]]) -> tuple[int, int]:
    """Return when a gaming day began and ended, by the last settings recorded before its end."""
    zone, hour = "UTC", 0
    for stream, body in journal:
        if stream == "house" and body["type"] == "GamingDaySet":
            end = _start(day + timedelta(days=1), body["zone"], body["starts"])
            if body["at"] < end:
                zone, hour = body["zone"], body["starts"]
    return _start(day, zone, hour), _start(day + timedelta(days=1), zone, hour)


def _start(day: date, zone: str, hour: int) -> int:
    begins = datetime(day.year, day.month, day.day, hour, tzinfo=ZoneInfo(zone))
    return int(begins.timestamp()) * 1000


class _Day:
    """Adds up the events of a gaming day."""

    def __init__(self, journal: list[tuple[str, Body]], begins: int, ends: int, edge: Edge) -> None:
        self.lines: dict[Key, Figures] = {("house", ""): defaultdict(Fraction)}
        self.edge = edge
        self.edges: dict[tuple[Any, ...], Fraction] = {}
        self.rules: dict[str, str] = {}
        self.dealers: dict[tuple[str, int], str] = {}
        self.error_at: dict[str, int] = {}
        handlers: dict[str, Callable[[str, Body], None]] = {
            "MoneyPaidIn": self._money_paid_in,
            "MoneyPaidOut": self._money_paid_out,
            "CashVoided": self._cash_voided,
            "PlayerExcluded": self._player_excluded,
            "RoundSettled": self._round_settled,
            "RoundCancelled": self._round_cancelled,
            "RoundCorrected": self._round_corrected,
            "CoupRectified": self._coup_rectified,
            "IrregularityFound": self._irregularity_found,
            "DisputeOpened": self._dispute_opened,
            "DisputeDecided": self._dispute_decided,
            "DisputeAnswered": self._dispute_answered,
            "LargeWinPaid": self._large_win_paid,
        }
        for stream, body in journal:
            if body["type"] in ("TableOpened", "SettingsChanged"):
                rules = body["settings"]["rules"]
                self.rules[hashlib.sha256(rules.encode()).hexdigest()] = rules
            if begins <= body["at"] < ends and body["type"] in handlers:
                handlers[body["type"]](stream.removeprefix("table:"), body)

    def add(self, *keys: Key, **figures: Fraction | int) -> None:
        """Add figures to the house's line and to the lines with these keys."""
        for key in (("house", ""), *(key for key in keys if key[1])):
            line = self.lines.setdefault(key, defaultdict(Fraction))
            for name, value in figures.items():
                line[name] += value

    def at_table(self, table: str, dealer: str, **figures: Fraction | int) -> None:
        self.add(("table", table), ("dealer", dealer), **figures)

    # ---- the cashiers --------------------------------------------------------------------------

    def cash(self, body: Body, way: str, sign: int = 1) -> None:
        cashier = body["first"] or body["by"]
        moved = {f"paid_{way}": sign * body["amount"], "large_payments": int(bool(body["first"]))}
        self.add(("cashier", cashier), **moved)

    def _money_paid_in(self, _: str, body: Body) -> None:
        self.cash(body, "in")

    def _money_paid_out(self, _: str, body: Body) -> None:
        self.cash(body, "out")

    def _cash_voided(self, _: str, body: Body) -> None:
        self.cash(body, body["paid"].removeprefix("pay-"), -1)
        self.add(("cashier", body["first"] or body["by"]), voids=1)

    def _player_excluded(self, *_: Any) -> None:
        self.add(exclusions=1)

    # ---- the tables ----------------------------------------------------------------------------

    def _round_settled(self, table: str, body: Body) -> None:
        dealer = self.dealers[table, body["round"]] = body.get("dealer", "")
        wagers = list(_wagers(body["results"]))
        self.at_table(
            table,
            dealer,
            rounds=1,
            turnover=sum(wager["stake"] for _, wager in wagers),
            result=-sum(wager["net"] for _, wager in wagers),
            expected=sum(
                (
                    wager["stake"] * self._edge(body["rules"], agreed, wager["bet"])
                    for agreed, wager in wagers
                ),
                Fraction(0),
            ),
        )

    def _edge(self, digest: str, agreed: tuple[tuple[str, str], ...], bet: str) -> Fraction:
        key = (digest, agreed, bet)
        if key not in self.edges:
            self.edges[key] = self.edge(self.rules[digest], agreed, bet)
        return self.edges[key]

    def _round_cancelled(self, table: str, body: Body) -> None:
        self.at_table(table, "", cancelled=1, result=-_net(body["results"]))

    def _round_corrected(self, table: str, body: Body) -> None:
        cost = _net(body["results"]) - _net(body["paid_before"])
        dealer = self.dealers.get((table, body["round"]), "")
        self.at_table(table, dealer, corrections=1, corrected=cost, result=-cost)

    def _coup_rectified(self, table: str, body: Body) -> None:
        self.at_table(table, body["dealer"], corrections=1)

    def _irregularity_found(self, table: str, body: Body) -> None:
        new = self.error_at.get(table) != body["at"]
        self.error_at[table] = body["at"]
        self.at_table(table, body["dealer"], errors=int(new))

    def of_player(self, table: str, body: Body, **figures: int) -> None:
        if not _is_guest(body["player"]):
            self.at_table(table, self.dealers.get((table, body["round"]), ""), **figures)

    def _dispute_opened(self, table: str, body: Body) -> None:
        self.of_player(table, body, disputes=1)

    def _dispute_decided(self, table: str, body: Body) -> None:
        paid = _net([body["after"]]) - _net([body["before"]])
        self.of_player(table, body, dispute_payments=paid)

    def _dispute_answered(self, table: str, body: Body) -> None:
        self.of_player(table, body, dispute_payments=body["amount"])

    def _large_win_paid(self, table: str, body: Body) -> None:
        self.of_player(table, body, large_wins=1)


def _is_guest(player: str) -> bool:
    return player.startswith("guest-")


def _wagers(results: list[Body]) -> Iterator[tuple[tuple[tuple[str, str], ...], Body]]:
    """Yield each wager of real money, with the terms agreed with its player."""
    for result in results:
        if not _is_guest(result["player"]):
            agreed = tuple((name, value) for name, value in result.get("agreed", ()))
            for wager in result["wagers"]:
                yield agreed, wager


def _net(results: list[Body]) -> int:
    return sum(wager["net"] for _, wager in _wagers(results))


def _cells(by: str, figures: Figures) -> dict[str, str]:
    """Return the cells that a line must have; those of other lines are empty."""
    play = by in ("house", "table", "dealer")
    cash = by in ("house", "cashier")
    cells = {name: _cell(name, figures[name]) if play else "" for name in OF_PLAY}
    cells |= {name: _cell(name, figures[name]) if cash else "" for name in OF_CASH}
    held = play and figures["turnover"]
    cells["hold"] = _decimal(100 * figures["result"] / figures["turnover"]) if held else ""
    cells["exclusions"] = str(figures["exclusions"]) if by == "house" else ""
    return cells


def _cell(name: str, value: Fraction) -> str:
    return _decimal(Fraction(round(value), 100)) if name in AMOUNTS else str(value)


def _decimal(value: Fraction) -> str:
    """Return a value with two decimals, rounded to the nearest, half to even."""
    cents = round(value * 100)
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


def _utc(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
