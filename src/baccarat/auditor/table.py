"""Checks one table: its settings, shoes, rounds and disputes.

Settlements are always recomputed from the cards and the rules in the journal.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from baccarat import verifier
from baccarat.auditor.agreements import AgreementBooks
from baccarat.auditor.amounts import money, purses, split, total
from baccarat.auditor.books import Body, Books, Moves, names_in
from baccarat.auditor.coups import SIDES, Facts, Hands, facts_of, written
from baccarat.auditor.coups import total as points_of
from baccarat.auditor.disputes import SKEW, DisputeBooks, DisputedRound, committed_cards
from baccarat.auditor.results import (
    by_player,
    cancellation_results,
    results_due,
    returned,
    wrong_result,
)
from baccarat.auditor.rules import Rules

DOCUMENT = {
    "format": "baccarat-shoe",
    "version": 1,
    "seed": None,
    "burned": 0,
    "shown": None,
    "ended": None,
    "reveal": None,
}
"""The public document of a new shoe, without the fields of its commitment."""
COMMITTED = ("shoe", "source", "decks", "cut", "burn", "root", "commitment")

PLAY = frozenset(
    {
        *(
            "WagersPlaced",
            "RoundOpened",
            "BettingClosed",
            "CardDealt",
            "CardPlaced",
            "BurnedByHand",
        ),
        *("CoupDecided", "RoundSettled", "ShoeCommitted", "ShoeBegun"),
    }
)
"""Events that cannot happen between an emergency stop and its end."""


@dataclass
class TableBooks(AgreementBooks, DisputeBooks):
    """Checks the rounds, cards and stakes of one table."""

    unchecked: ClassVar[frozenset[str]] = frozenset(
        {"DataLost", "CutCardShown", "ContributionsClosed", "PartnersSuspected"}
    )
    skew: ClassVar[int] = SKEW
    limits: Body = field(default_factory=dict)
    game: Rules | None = None
    """Rules of the current shoe."""
    epoch: int = 0
    contributions: dict[str, Body] = field(default_factory=dict)
    """Contributions to the current shoe, by player."""
    closes_at: int = 0
    opened_at: int = 0
    asked: set[str] = field(default_factory=set)
    """Players who asked for the cards in this round."""
    squeezing: list[str] = field(default_factory=list)
    """Players who asked to turn cards in this round."""
    offered: Body | None = None
    """The event of the card that lies face down."""
    hands: dict[str, list[str]] = field(default_factory=dict)
    rounds: int = 0
    settled_wagers: int = 0
    staked: int = 0
    returned: int = 0
    shoes: int = 0
    by_hand: bool = False
    """Whether the shoe has real cards."""
    out: bool = False
    """Whether a card of the round has been recorded, at a table with real cards."""
    paused: set[str] = field(default_factory=set)
    """Pauses in force: "table", "house" or both."""

    stopped: bool = False
    """Whether the house was stopped in an emergency, so that nothing may be dealt or paid."""

    def check_event(self, sequence: int, kind: str, body: Body) -> Moves:
        self.sequence = sequence
        self.check(not self.stopped or kind not in PLAY, f"{kind} after an emergency stop")
        return super().check_event(sequence, kind, body)

    # ---- the table -------------------------------------------------------------------------

    def on_TableOpened(self, body: Body) -> None:
        self.check(self.sequence == 1, "a table opens once, at the beginning")
        self.table = body["table"]
        self.on_SettingsChanged(body)

    def on_SettingsChanged(self, body: Body) -> None:
        """Apply the settings, and check that two people agreed if a maximum was raised."""
        new = body["settings"]
        if body.get("by", "") in self.staff:
            before, after = Rules(self.rules), Rules(new["rules"])
            higher = after.takes_more_than(before, self.limits, new["limits"])
            Books.people(self, "limits", names_in(body), alone=not higher)
        if new["limits"] != self.limits:
            self.open_proposals.pop("limits", None)
        self.rules, self.limits = new["rules"], new["limits"]
        self.settings = new

    def on_LeaseTaken(self, body: Body) -> None:
        epoch = body["epoch"]
        self.check(epoch == self.epoch + 1, f"epoch {epoch} follows epoch {self.epoch}")
        self.epoch = epoch

    def on_TablePaused(self, body: Body) -> None:
        """Record a pause, during which no wagers are taken and no rounds are opened."""
        self.paused.add(_pause_scope(body))
        self.stopped = self.stopped or bool(body.get("frozen"))

    def on_TableResumed(self, body: Body) -> None:
        self.paused.discard(_pause_scope(body))
        self.stopped = self.stopped and not body.get("house")

    def _goes_on(self, what: str) -> None:
        for switch in sorted(self.paused):
            self.report(f"{what} while the {switch} was paused")

    def on_LargeWinPaid(self, body: Body) -> None:
        """Check a large win against the preceding settlement, correction or decision."""
        won = self.won.get((body["round"], body["player"]))
        reported = f"{money(body['net'])} was reported as a win of {money(body['limit'])} or more"
        really = "nothing" if won is None else f"{money(won)} net"
        self.check(
            won == body["net"] >= body["limit"],
            f"round {body['round']}: {reported}, but {body['player']} won {really}",
        )

    def on_ResultUnusual(self, body: Body) -> None:
        outside = not body["low"] <= body["result"] <= body["high"]
        self.check(outside, "a result within its bounds was reported as unusual")

    def on_BonusBreachFlagged(self, body: Body) -> None:
        self._in_phase(body, "open")

    # ---- the shoe --------------------------------------------------------------------------

    def begin_shoe(self, body: Body, words: str, *, free: bool = True) -> None:
        """Begin a shoe of either kind; report `words` if its rules are not the table's rules."""
        self._goes_on("a shoe was begun")
        free = free and self.phase == "ended" and self.shoe is None
        self.check(free, "a shoe was begun during a round or another shoe")
        self.rules_hash = hashlib.sha256(self.rules.encode()).hexdigest()
        self.check(body["rules"] == self.rules_hash, words)
        self.game = Rules(self.rules)

    def on_ShoeCommitted(self, body: Body) -> None:
        self.begin_shoe(body, "the rules that the shoe commits to are not the table's")
        self.contributions = {}
        self.shoe = {
            **DOCUMENT,
            **{name: body[name] for name in COMMITTED},
            "rules": self.rules,
            "contributions": [],
            "coups": [],
        }

    def on_ContributionCommitted(self, body: Body) -> None:
        new = {"commitment": body["commitment"], "secret": None}
        self.contributions[body["player"]] = new
        self._document()["contributions"].append(new)

    def on_ContributionRevealed(self, body: Body) -> None:
        new = self.contributions.get(body["player"], {})
        self.check(new, "a secret was revealed without a contribution")
        new["secret"] = body["secret"]

    def on_ShoeReady(self, body: Body) -> None:
        self._document()["seed"] = body["seed"]

    def on_CardsBurned(self, body: Body) -> None:
        self._document().update(burned=body["count"], shown=body["shown"])

    def on_ShoeEnded(self, body: Body) -> None:
        self.check(self.phase == "ended", "a shoe ended during a round")
        reveal = {"key": body["key"], "order": body["order"]}
        document = self._document()
        document.update(ended=body["reason"], reveal=reveal)
        self._verify(document)
        self.shoe, self.shoes = None, self.shoes + 1

    def finish(self) -> None:
        """Verify the part of the current shoe that has been dealt."""
        if self.shoe is not None:
            self._verify(self.shoe)

    def _verify(self, document: Body) -> None:
        try:
            faults: Sequence[object] = verifier.verify(document).faults
        except verifier.Unreadable as error:
            faults = [error]
        for fault in faults:
            self.report(f"shoe {document['shoe']}: {fault}")

    def _document(self) -> Body:
        if self.shoe is None:
            self.report("no shoe is in use")
            return {"contributions": [], "coups": [{"cards": []}]}
        return self.shoe

    # ---- the round -------------------------------------------------------------------------

    def on_RoundOpened(self, body: Body) -> None:
        self._goes_on("a round was opened")
        self.check(self.phase == "ended", "a round was opened during a round")
        self.check(
            body["round"] == self.round + 1, f"round {body['round']} follows round {self.round}"
        )
        ready = self.by_hand or (self.shoe and self.shoe["seed"])
        self.check(ready, "a round was opened before the shoe was ready")
        self.round, self.phase, self.closes_at = body["round"], "open", body["closes_at"]
        self.opened_at, self.asked, self.squeezing = body["at"], set(), []
        self.wagers, self.hands = {}, {side: [] for side in SIDES}

    def on_WagersPlaced(self, body: Body) -> None:
        player, wagers = body["player"], body["wagers"]
        self._in_phase(body, "open")
        in_time = self.by_hand or body["at"] < self.closes_at
        self.check(in_time, f"{player} wagered after betting had closed")
        terms = [values for start, values in self.agreed.get(player, []) if start <= self.round]
        agreed = terms[-1] if terms and wagers else []
        self.check(body["agreed"] == agreed, f"{player} wagered under terms that were not agreed")
        if self.check(self.game, "wagers were placed without a shoe") and self.game:
            broken = [*self.game.broken(wagers, body["agreed"], self.limits)]
            for rule in broken + self._over_together(self.game, player, body):
                self.report(f"wagers of {player} were accepted against the rules: {rule}")
        bonus, staked = body["bonus"], total(body)
        self.check(
            0 <= bonus <= staked, f"{money(bonus)} of bonus money in a stake of {money(staked)}"
        )
        before = set(self.wagers)
        self._hold(player, self.wagers.pop(player, None), sign=-1)
        if wagers:  # withdrawing is allowed until betting closes
            self._goes_on(f"{player} wagered")
            if self.house_read:
                self._may_wager(player, body["at"])
            seats = self.limits.get("seats")
            full = seats is not None and player not in before and len(before) >= seats
            self.check(not full, f"{player} wagered when all {seats} seats were taken")
            self.wagers[player] = body
            self._hold(player, body, sign=1)

    def _may_wager(self, player: str, now: int) -> None:
        """Check that the account is a player's, and that the player and all partners may play.

        Partners are checked so that a second account cannot be used to evade an exclusion.
        """
        is_player = self.accounts.get(player, {}).get("role") == "player"
        self.check(is_player, f"{player!r} wagered, but is not a player")
        away = any(start < now < end for start, end in self.away.get(player, ()))
        self.check(not away, f"{player} wagered during a break or an exclusion")
        for other in sorted(self._partners(player, now)):
            away = any(start + SKEW < now < end - SKEW for start, end in self.away.get(other, ()))
            words = f"{player} wagered while {other}, a partner, was on a break or excluded"
            self.check(not away, words)

    def _partners(self, player: str, now: int) -> frozenset[str]:
        """Return a player's partners; empty if a link began or ended within `SKEW` of `now`."""
        partners: frozenset[str] = frozenset()
        for at, found in self.linked.get(player, ()):
            if abs(at - now) <= SKEW:
                return frozenset()
            partners = found if at < now else partners
        return partners

    def _over_together(self, game: Rules, player: str, body: Body) -> list[str]:
        """Return findings about stakes raised above the maximum that partners share (R36)."""
        others: Counter[str] = Counter()
        for partner in self._partners(player, body["at"]) & self.wagers.keys():
            others.update(_stakes(self.wagers[partner]))
        if not others or not self.house_read:
            return []
        before = _stakes(self.wagers.get(player, {"wagers": []}))
        return [*game.over_together(_stakes(body), before, others, self.limits)]

    def on_BettingClosed(self, body: Body) -> None:
        self._in_phase(body, "open")
        due = body["at"] >= self.closes_at or self._dealt_now(body["at"])
        self.check(due, "betting was closed early")
        self.phase = "dealing"

    def on_DealAsked(self, body: Body) -> None:
        self._in_phase(body, "open")
        allowed = self.settings.get("deal_now") is not None
        self.check(allowed, "the cards were asked for where this is not allowed")
        self.check(body["player"] in self.wagers, f"{body['player']} asked without a bet")
        self.asked.add(body["player"])

    def _dealt_now(self, now: int) -> bool:
        """Return whether betting may close early: everyone asked, and the round is long enough."""
        least = self.settings.get("deal_now")
        if least is None or not self.wagers or not self.wagers.keys() <= self.asked:
            return False
        return bool(now >= self.opened_at + max(0, least - self.settings["clock"]["pause"]))

    def on_SqueezeAsked(self, body: Body) -> None:
        self._in_phase(body, "open")
        allowed = bool(self.settings["clock"].get("squeeze"))
        self.check(allowed, "a player asked to turn cards where this is not allowed")
        self.check(body["player"] in self.wagers, f"{body['player']} asked without a bet")
        self.squeezing.append(body["player"])

    def on_CardOffered(self, body: Body) -> None:
        """Check who was offered a card: the player with the largest stake on its hand."""
        self._in_phase(body, "dealing")
        self.check(self.offered is None, "a card already lies face down")
        stakes = {
            player: _stakes(self.wagers.get(player, {"wagers": []})).get(body["hand"], 0)
            for player in self.squeezing
        }
        right = max(stakes, key=lambda player: stakes[player], default="nobody")
        words = f"{body['player']} was offered a card that {right} may turn"
        self.check(right == body["player"] and stakes[right] > 0, words)
        longest = body["at"] + self.settings["clock"].get("squeeze", 0)
        self.check(body["until"] == longest, "the time for turning the card is wrong")
        self.offered = body

    def on_CardDealt(self, body: Body) -> None:
        self._in_phase(body, "dealing")
        offered = self.offered and (self.offered["hand"], self.offered["peek"])
        same = offered in (None, (body["hand"], body["card"]))
        self.check(same, "the card dealt is not the one that lay face down")
        self.offered = None
        if not self.hands["player"]:
            self._document()["coups"].append({"cards": [], "cut_short": False})
        card = {"hand": body["hand"], **body["card"]}
        self._document()["coups"][-1]["cards"].append(card)
        hand = self.hands[body["hand"]]
        hand.append(body["card"]["card"])
        self.announced(body, points_of(hand))

    def announced(self, body: Body, points: int) -> None:
        self.check(
            body["total"] == points, f"the total is {points}, but {body['total']} was announced"
        )

    def on_CoupDecided(self, body: Body) -> None:
        self._in_phase(body, "dealing")
        self.phase = "decided"
        self.compare_coup(body, self.hands, self._facts(self.hands))

    def compare_coup(self, body: Body, hands: Hands, facts: Facts) -> None:
        """Check the coup and the winner that an event announces."""
        for name, right in (("coup", written(hands)), ("winner", facts["winner"])):
            self.check(body[name] == right, f"the {name} is {right}, not {body[name]}")

    def on_RoundSettled(self, body: Body) -> None:
        self._in_phase(body, "decided")
        if self.round in self.disputed and self.shoe is not None:
            seen = partial(committed_cards, self.shoe, len(self.shoe["coups"]) - 1)
            results = by_player(body["results"])
            facts = (self.shoe["rules"], seen, self.wagers, results, body["at"])
            self.past[self.round] = DisputedRound(*facts)
        by_these = body["rules"] == self.rules_hash
        self.check(by_these, "the round was settled by rules other than its shoe's")
        self._end(body, partial(results_due, self.game, self._facts(self.hands)))
        self.has_won(body["round"], body["results"])
        self.rounds += 1

    def on_RoundCancelled(self, body: Body) -> None:
        self._in_phase(body, "open", "dealing", "decided")
        self.check(self.offered is None, "the round was cancelled with a card face down")
        if self.hands["player"] and self.phase == "dealing":
            self._document()["coups"][-1]["cut_short"] = True
        staked, most = sum(map(total, self.wagers.values())), body.get("alone")
        out = self.phase == "decided" or bool(self.hands["player"]) or self.out
        self.out = False
        alone = not out and (most is None or staked <= most)
        self.people(f"cancel {body['round']}", body["by"], alone=alone)
        self.has_won(body["round"], body["results"])
        better = self.settings.get("dummy") == "better" and body["reason"] != "foreign-card"
        decided = self.game if better and len(self.hands["player"]) >= 2 else None
        self._end(body, partial(cancellation_results, decided, self.hands))

    def _end(self, body: Body, due: Callable[[Body], list[Body]]) -> None:
        """Check that the event contains the correct results for every player, and post them."""
        results = by_player(body["results"])
        self.check(len(results) == len(body["results"]), "a player was settled twice")
        missing = sorted(results.keys() ^ self.wagers.keys())
        self.check(not missing, f"settled without a wager, or not settled: {', '.join(missing)}")
        for player, placed in self.wagers.items():
            recorded = results.get(player, {**placed, "wagers": []})
            right = due(placed)
            self.compare_results(self.round, player, right, recorded["wagers"])
            words = f"bonus {money(recorded['bonus'])} recorded, {money(placed['bonus'])} staked"
            self.check(recorded["bonus"] == placed["bonus"], f"{player}: {words}")
            terms = recorded.get("agreed", []) == placed["agreed"]
            self.check(terms, f"{player}: settled under terms other than those of the wagers")
            staked, back = total(placed), returned(right)
            self._hold(player, placed, sign=-1)
            self.change(player, placed, staked, back)
            self.settled_wagers += len(placed["wagers"])
            self.staked += staked
            self.returned += back
        self.phase, self.wagers = "ended", {}

    def compare_results(
        self, number: int, player: str, due: Sequence[Body], recorded: Sequence[Body]
    ) -> None:
        """Check that each wager of a player has exactly one result, the one that the rules give."""
        for result in due:
            if result not in recorded:
                self.report(f"round {number}: {wrong_result(player, result, recorded)}")
        if len(recorded) > len(due):
            words = f"{player} has {len(recorded)} results for {len(due)} wagers"
            self.report(f"round {number}: {words}")

    def _hold(self, player: str, placed: Body | None, *, sign: int) -> None:
        if placed is None:
            return
        for purse, coins in zip(purses(player), split(total(placed), placed), strict=True):
            self.move(player, f"player:{player}/{purse.held}", -sign * coins)
            self.move(player, f"table:{self.table}/{purse.stakes}", sign * coins)

    def _facts(self, hands: Hands) -> Facts:
        return facts_of(hands, self.game.tableau["naturals"] if self.game else ())

    def _in_phase(self, body: Body, *phases: str) -> None:
        self.check(
            body["round"] == self.round, f"it names round {body['round']} during round {self.round}"
        )
        self.check(self.phase in phases, f"not allowed while the round is {self.phase}")


def _pause_scope(body: Body) -> str:
    """Return what a pause applies to: "table" or "house". Each pause is lifted separately."""
    return "house" if body.get("house") else "table"


def _stakes(placed: Body) -> dict[str, int]:
    return {wager["bet"]: wager["stake"] for wager in placed["wagers"]}
