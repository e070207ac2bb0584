"""Metrics in Prometheus' text form, of one server.

The one rule: counts and times, never names; whoever reads them learns nothing of any player.
"""

import math

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """What this server counts."""

    def __init__(self) -> None:
        self._all = CollectorRegistry()
        self.wagers = Counter(
            "baccarat_wagers", "Sets of wagers sent, by outcome", ["outcome"], registry=self._all
        )
        self.commit = Histogram(
            "baccarat_commit_seconds",
            "Commits that made something durable, each with all that went together",
            buckets=SECONDS,
            registry=self._all,
        )
        self.command = Histogram(
            "baccarat_command_seconds",
            "From a command to its answer, refusals too",
            buckets=SECONDS,
            registry=self._all,
        )
        self.rounds = Gauge(
            "baccarat_rounds_settled", "Rounds settled by this server", registry=self._all
        )
        self.tables = Gauge(
            "baccarat_tables_driven", "Tables whose lease it holds", registry=self._all
        )
        self.sockets = Gauge("baccarat_sockets", "Open WebSockets", registry=self._all)
        self.ledger = Gauge(
            "baccarat_ledger_sum_coins", "All balances together: always 0", registry=self._all
        )
        self.ledger_age = Gauge(
            "baccarat_ledger_sum_age_seconds", "How old that sum is", registry=self._all
        )
        self.ledger.set(math.nan)  # nobody has added up yet
        self.ledger_age.set(math.nan)

    def text(self) -> bytes:
        return generate_latest(self._all)
