"""Checks the agreements between the house and the players of one table."""

from dataclasses import dataclass, field
from typing import Any

from baccarat.auditor.books import Body, Books
from baccarat.auditor.rules import Rules, number

THE_HOUSE = "the house"
"""Stands for the house if no member of staff made the agreement."""


@dataclass
class AgreementBooks(Books):
    """Checks the proposals and agreements at a table."""

    rules: str = ""
    """Rules of the table's next shoe."""
    shoe: Body | None = None
    """The public document of the shoe, covering the events so far."""
    settings: Body = field(default_factory=dict)
    round: int = 0
    phase: str = "ended"
    wagers: dict[str, Body] = field(default_factory=dict)
    proposed: dict[str, tuple[Any, str]] = field(default_factory=dict)
    """Proposed values and their proposer, by player."""
    agreed: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    """First round and values of each agreement, by player; empty values end an agreement."""

    def on_AgreementProposed(self, body: Body) -> None:
        self.proposed[body["player"]] = (body["values"], body["by"])

    def on_AgreementDeclined(self, body: Body) -> None:
        self.check(self.proposed.pop(body["player"], None), "nothing was proposed")

    def on_AgreementMade(self, body: Body) -> None:
        player, values, rules = body["player"], body["values"], self._rules_now()
        sides = [body[name] == player for name in ("proposed_by", "confirmed_by")]
        self.check(sides[0] != sides[1], "an agreement was not confirmed by the other party")
        known = {name: number(value) for name, value in values}
        if body["proposed_by"] == THE_HOUSE:  # any other proposal stays open
            offer = rules.offered(self.settings, "standing_offer")
            self.check(known == offer, f"{player} accepted terms other than the standing offer")
        elif body["confirmed_by"] == THE_HOUSE:
            self.proposed.pop(player, None)
            most = rules.offered(self.settings, "grants_up_to")
            granted = all(value <= most.get(name, -1) for name, value in known.items())
            self.check(granted, f"{player} was granted more than the house grants automatically")
        else:
            proposal = self.proposed.pop(player, None)
            self.check(proposal == (values, body["proposed_by"]), "something else was proposed")
        ranges = rules.agreeable()
        for name, value in values:
            low, high = ranges.get(name, (1, 0))
            self.check(
                low <= number(value) <= high, f"{name} = {value} is not allowed in an agreement"
            )
        self._agree(player, body["from_round"], values)

    def on_AgreementEnded(self, body: Body) -> None:
        explained = body["by"] == body["player"] or body["words"].strip()
        self.check(explained, "the house ended an agreement without giving a reason")
        self._agree(body["player"], body["from_round"], [])

    def _agree(self, player: str, start: int, values: Any) -> None:
        """Record new terms, which may not change the terms of a bet in the open round."""
        placed = {wager["bet"] for wager in self.wagers.get(player, {}).get("wagers", [])}
        free = self.phase == "open" and not placed & self._rules_now().needing
        begins = self.round if free else self.round + 1
        self.check(start == begins, f"the terms of {player} must start with round {begins}")
        self.agreed.setdefault(player, []).append((start, values))

    def _rules_now(self) -> Rules:
        return Rules(self.rules if self.shoe is None else self.shoe["rules"])
