"""Metrics of one server, in Prometheus text format.

They contain counts and times but no names, so they reveal nothing about any player.
"""

import math

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """Counters, gauges and histograms of this server."""

    def __init__(self) -> None:
        self._all = CollectorRegistry()
        self.wagers = Counter(
            "baccarat_wagers", "Requests to place bets, by outcome", ["outcome"], registry=self._all
        )
        self.commit = self._times("commit", "Duration of commits, each of one or more commands")
        self.command = self._times("command", "Time from a command to its response or refusal")
        self.rounds = self._gauge("rounds_settled", "Rounds settled by this server")
        self.tables = self._gauge("tables_driven", "Tables that this server runs")
        self.sockets = self._gauge("sockets", "Open WebSockets")
        self.ledger = self._gauge("ledger_sum_coins", "Sum of all balances: must be 0")
        self.ledger_age = self._gauge("ledger_sum_age_seconds", "Age of the sum of all balances")
        self.ledger.set(math.nan)  # not summed yet
        self.ledger_age.set(math.nan)

    def _gauge(self, name: str, words: str) -> Gauge:
        return Gauge(f"baccarat_{name}", words, registry=self._all)

    def _times(self, name: str, words: str) -> Histogram:
        return Histogram(f"baccarat_{name}_seconds", words, buckets=SECONDS, registry=self._all)

    def text(self) -> bytes:
        return generate_latest(self._all)
