"""The books of one stream, kept again from its events.

In go the events of a table or of the house in their order; out come the coins each of them moved,
and everything that should not have happened. The one rule: a settlement is recomputed from the
cards and the rules in the journal, never copied.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from baccarat import verifier
from baccarat.auditor.accepting import Layout, raised
from baccarat.auditor.dealing import won_already
from baccarat.auditor.disputes import PastRound, Unknown, combinations, outcome, promised
from baccarat.auditor.paying import Payer, agreeable, facts_of, number
from baccarat.auditor.words import money

Body = dict[str, Any]
Moves = dict[tuple[str, str], int]
"""(player, account) to coins."""
Away = dict[str, list[tuple[int, int]]]
"""Player to times, from and until, at which they may not wager."""
Linked = dict[str, list[tuple[int, frozenset[str]]]]
"""Player to times, and who counts as one with them from then on."""
Staff = dict[str, tuple[str, tuple[str, ...]]]
"""Who works in the house: their role, and who opened their account or issued its password, with
those who did so for them, the one who was shown the newest password last."""
NOBODY: tuple[str, tuple[str, ...]] = ("", ())
FOREVER = 1 << 62
SKEW = 1_000
"""Milliseconds by which clocks of servers may differ: which of two journals came first is not
known within them."""


@dataclass
class Books:
    """What every stream has: findings, and the coins that the last event moved."""

    stream: str
    findings: list[tuple[int, str]] = field(default_factory=list)
    sequence: int = 0
    at: int = 0
    moves: Moves = field(default_factory=dict)
    staff: Staff = field(default_factory=dict)
    """From the house's books."""
    house_read: bool = True
    """Were the house's books read to their end? Otherwise nobody is held to them: what clears
    somebody may be in the rest."""
    motions: dict[str, tuple[str, int]] = field(default_factory=dict)
    """What waits for a second person: who proposed it, and until when it waits."""

    def take(self, sequence: int, kind: str, body: Body) -> Moves:
        """One more event; returns the coins it moved."""
        self.sequence, self.moves = sequence, {}
        self.need(body["at"] >= self.at, "it happened before the event before it")
        self.at = body["at"]
        handler: Callable[[Body], None] | None = getattr(self, f"on_{kind}", None)
        if handler is None:
            self.say(f"an event {kind!r} does not belong here")
        else:
            handler(body)
        return {key: amount for key, amount in self.moves.items() if amount}

    def say(self, problem: str) -> None:
        self.findings.append((self.sequence, problem))

    def need(self, condition: object, problem: str) -> bool:
        if not condition:
            self.say(problem)
        return bool(condition)

    def move(self, player: str, account: str, amount: int) -> None:
        key = (str(player), account)  # whatever somebody wrote there
        self.moves[key] = self.moves.get(key, 0) + amount

    # ---- two people ------------------------------------------------------------------------

    def on_ActionProposed(self, body: Body) -> None:  # noqa: N802
        self.motions[body["subject"]] = (body["by"], body["until"])

    def on_ProposalEnded(self, body: Body) -> None:  # noqa: N802
        self.need(self.motions.pop(body["subject"], None), "nothing was proposed")

    def people(self, subject: str, by: list[str], *, alone: bool) -> None:
        """Two people where two are needed: the first has proposed it, in time, the second is of
        the pit (or handles cash, where it is about cash), and neither opened the other's account
        or issued its password."""
        if len(by) < 2:
            self.need(alone, f"{subject}: one person alone decided it")
            return
        proposed, until = self.motions.get(subject, ("", 0))
        seconded = len(set(by)) == 2 and by[0] == proposed and self.at < until
        self.need(seconded, f"{subject}: {by} did not propose and confirm it")
        if not self.house_read:
            return
        (_, first_by), (role, second_by) = (self.staff.get(one, NOBODY) for one in by)
        fits = role == "pit" or (subject.startswith("cash ") and role == "cashier")
        self.need(fits, f"{subject}: {by[1]}, who confirmed it, is not of the pit")
        apart = by[1] not in first_by and by[0] not in second_by
        self.need(apart, f"{subject}: one of {by} gave the other their account or password")
        same = self._shown(by[0]) & self._shown(by[1])
        self.need(not same, f"{subject}: one person was shown the passwords of both of {by}")

    def _shown(self, who: str) -> set[str]:
        """Who was shown the newest password of an account, who that one's, and so on."""
        found: set[str] = set()
        while (issuers := self.staff.get(who, NOBODY)[1]) and issuers[-1] not in found:
            who = issuers[-1]
            found.add(who)
        return found


@dataclass
class TableBooks(Books):
    """Rounds, cards and stakes of one table."""

    table: str = ""
    rules: str = ""
    limits: Body = field(default_factory=dict)
    payer: Payer | None = None
    layout: Layout | None = None
    epoch: int = 0
    shoe: Body | None = None
    """Its public document, as far as it has got."""
    contributors: list[str] = field(default_factory=list)
    round: int = 0
    phase: str = "ended"
    closes_at: int = 0
    wagers: dict[str, Body] = field(default_factory=dict)
    won: dict[str, int] = field(default_factory=dict)
    """What players won in the round that was settled last, net."""
    proposed: dict[str, tuple[Any, str]] = field(default_factory=dict)
    """By player: values, and who would agree on them."""
    agreed: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    """By player: from which round on, and what was agreed; no values is no agreement."""
    hands: dict[str, list[str]] = field(default_factory=dict)
    disputed: set[int] = field(default_factory=set)
    """Rounds that are disputed somewhere in the journal: what they need is kept."""
    past: dict[int, PastRound] = field(default_factory=dict)
    disputes: dict[tuple[int, str], bool] = field(default_factory=dict)
    """(round, player): is it decided?"""
    rounds: int = 0
    settled_wagers: int = 0
    staked: int = 0
    returned: int = 0
    shoes: int = 0
    away: Away = field(default_factory=dict)
    """From the house's books."""
    linked: Linked = field(default_factory=dict)
    accounts: Mapping[str, Body] = field(default_factory=dict)
    by_hand: bool = False
    """Is the shoe one of real cards?"""
    out: bool = False
    """Was a card of the round told at a table of real cards?"""
    house_rules: Body = field(default_factory=dict)
    """For when something goes wrong; what is not said is as usual."""
    paused: set[str] = field(default_factory=set)
    """The switches that hold it: its own, the house's, or both."""

    def on_TableOpened(self, body: Body) -> None:  # noqa: N802
        self.need(self.sequence == 1, "a table opens once, at the beginning")
        self.table = body["table"]
        self.on_SettingsChanged(body)

    def on_SettingsChanged(self, body: Body) -> None:  # noqa: N802
        """Limits hold at once, rules from the next shoe on; two of the pit raise a maximum."""
        by = body.get("by", "")
        if by in self.staff:
            new = body["settings"]
            higher = raised(self.rules, self.limits, new["rules"], new["limits"])
            names = [name for name in (body.get("first"), by) if name]
            Books.people(self, "limits", names, alone=not higher)
        if body["settings"]["limits"] != self.limits:
            self.motions.pop("limits", None)
        self.rules, self.limits = body["settings"]["rules"], body["settings"]["limits"]
        self.house_rules = body["settings"].get("floor", {})

    def on_LeaseTaken(self, body: Body) -> None:  # noqa: N802
        self.need(body["epoch"] == self.epoch + 1, f"epoch {body['epoch']} after {self.epoch}")
        self.epoch = body["epoch"]

    def on_TablePaused(self, body: Body) -> None:  # noqa: N802
        """No wagers and nothing new; the round that runs goes on to its end."""
        self.paused.add(_switch(body))

    def on_TableResumed(self, body: Body) -> None:  # noqa: N802
        self.paused.discard(_switch(body))

    def _goes_on(self, what: str) -> None:
        for switch in sorted(self.paused):
            self.say(f"{what} while the {switch} was paused")

    def on_LargeWinPaid(self, body: Body) -> None:  # noqa: N802
        """It follows the settlement that it is about."""
        won = self.won.get(body["player"]) if body["round"] == self.round else None
        told = f"{money(body['net'])} was told as a win of {money(body['limit'])} or more"
        really = "nothing" if won is None else f"{money(won)}, net"
        self.need(
            won == body["net"] >= body["limit"],
            f"round {body['round']}: {told}, and {body['player']} won {really}",
        )

    def on_ResultUnusual(self, body: Body) -> None:  # noqa: N802
        outside = not body["low"] <= body["result"] <= body["high"]
        self.need(outside, "a result within its bounds was called unusual")

    def on_PartnersSuspected(self, body: Body) -> None:  # noqa: N802
        """Nothing moves."""

    on_DataLost = on_CutCardShown = on_ContributionsClosed = on_PartnersSuspected  # noqa: N815

    def on_BonusBreachFlagged(self, body: Body) -> None:  # noqa: N802
        """A flag is for the pit: nothing moves."""
        self._in_phase(body, "open")

    # ---- agreements ------------------------------------------------------------------------

    def on_AgreementProposed(self, body: Body) -> None:  # noqa: N802
        self.proposed[body["player"]] = (body["values"], body["by"])

    def on_AgreementDeclined(self, body: Body) -> None:  # noqa: N802
        self.need(self.proposed.pop(body["player"], None), "nothing was proposed")

    def on_AgreementMade(self, body: Body) -> None:  # noqa: N802
        player, values = body["player"], body["values"]
        proposal = self.proposed.pop(player, None)
        self.need(proposal == (values, body["proposed_by"]), "something else was proposed")
        sides = [body[name] == player for name in ("proposed_by", "confirmed_by")]
        self.need(sides[0] != sides[1], "one party alone made an agreement")
        ranges = agreeable(self.rules if self.shoe is None else self.shoe["rules"])
        for name, value in values:
            low, high = ranges.get(name, (1, 0))
            self.need(low <= number(value) <= high, f"{name} = {value} cannot be agreed on")
        self._agree(player, body["from_round"], values)

    def on_AgreementEnded(self, body: Body) -> None:  # noqa: N802
        self._agree(body["player"], body["from_round"], [])

    def _agree(self, player: str, start: int, values: Any) -> None:
        self.need(start == self.round + 1, "an agreement holds from the next round on")
        self.agreed.setdefault(player, []).append((start, values))

    # ---- the shoe --------------------------------------------------------------------------

    def on_ShoeCommitted(self, body: Body) -> None:  # noqa: N802
        self._goes_on("a shoe was begun")
        self.need(self.phase == "ended" and self.shoe is None, "a shoe during a shoe or a round")
        rules = hashlib.sha256(self.rules.encode()).hexdigest()
        self.need(body["rules"] == rules, "the shoe is committed to other rules than the table's")
        self.payer, self.layout = Payer(self.rules), Layout(self.rules)
        self.contributors = []
        names = ("shoe", "source", "decks", "cut", "burn", "root", "commitment")
        self.shoe = {
            "format": "baccarat-shoe",
            "version": 1,
            **{name: body[name] for name in names},
            "rules": self.rules,
            "contributions": [],
            "seed": None,
            "burned": 0,
            "shown": None,
            "coups": [],
            "ended": None,
            "reveal": None,
        }

    def on_ContributionCommitted(self, body: Body) -> None:  # noqa: N802
        new = {"name": body["name"], "commitment": body["commitment"], "secret": None}
        self.contributors.append(body["player"])
        self._document()["contributions"].append(new)

    def on_ContributionRevealed(self, body: Body) -> None:  # noqa: N802
        if self.need(body["player"] in self.contributors, "a reveal without a contribution"):
            place = self.contributors.index(body["player"])
            self._document()["contributions"][place]["secret"] = body["secret"]

    def on_ShoeReady(self, body: Body) -> None:  # noqa: N802
        self._document()["seed"] = body["seed"]

    def on_CardsBurned(self, body: Body) -> None:  # noqa: N802
        self._document().update(burned=body["count"], shown=body["shown"])

    def on_ShoeEnded(self, body: Body) -> None:  # noqa: N802
        self.need(self.phase == "ended", "a shoe ended during a round")
        reveal = {"key": body["key"], "order": body["order"]}
        document = self._document()
        document.update(ended=body["reason"], reveal=reveal)
        self._verify(document)
        self.shoe, self.shoes = None, self.shoes + 1

    def finish(self) -> None:
        """The shoe that is still being dealt is verified as far as it has got."""
        if self.shoe is not None:
            self._verify(self.shoe)

    def _verify(self, document: Body) -> None:
        try:
            for fault in verifier.verify(document).faults:
                self.say(f"shoe {document['shoe']}: {fault}")
        except verifier.Unreadable as error:
            self.say(f"shoe {document['shoe']}: {error}")

    def _document(self) -> Body:
        if self.shoe is None:
            self.say("there is no shoe")
            return {"contributions": [], "coups": [{"cards": []}]}
        return self.shoe

    # ---- disputes --------------------------------------------------------------------------

    def on_DisputeOpened(self, body: Body) -> None:  # noqa: N802
        number, player = body["round"], body["player"]
        past = self.past.get(number)
        self.need(past and player in past.results, f"{player} has no wager on round {number}")
        self.need((number, player) not in self.disputes, "it had been disputed before")
        self.disputes[number, player] = False

    def on_DisputeDecided(self, body: Body) -> None:  # noqa: N802
        number, player = body["round"], body["player"]
        opened = self.disputes.get((number, player)) is False
        if not self.need(opened and number in self.past, "no such dispute waits for a decision"):
            return
        self.disputes[number, player] = True
        past = self.past[number]
        self.need(body["before"] == past.results[player], "something else had been paid")
        more = _net(body["after"]) - _net(body["before"])
        self.people(f"dispute {number} {player}", body["by"], alone=more <= body["alone"])
        self.need(more >= 0, f"{player} was paid less than under the readings in force")
        best = self._best(past, player, body)
        if best is not None:
            self.need(
                _net(body["after"]) == best, f"the best for {player} comes to {money(best)}, net"
            )
        placed = past.wagers[player]
        backs = [_total(placed) + _net(body[name]) for name in ("before", "after")]
        bonus = [back * placed["bonus"] // _total(placed) for back in backs]
        own, _, house = own_money(player)
        for purse, source, change in (
            (own, house, (backs[1] - bonus[1]) - (backs[0] - bonus[0])),
            ("bonus", "house/bonus", bonus[1] - bonus[0]),
        ):
            self.move(player, f"player:{player}/{purse}", change)
            self.move(player, source, -change)

    def _best(self, past: PastRound, player: str, body: Body) -> int | None:
        """What the best combination comes to; the one that was chosen is recomputed on the way."""
        nets, chosen = [], dict(body["readings"])
        for readings in combinations(past.rules):
            try:
                found = outcome(past, player, readings)
            except Unknown:
                self.say(f"decided while {readings} needed cards that nobody had seen")
                return None
            if found is not None:
                nets.append(sum(found[1]))
            if readings == chosen:
                told = (body["coup"], [one["net"] for one in body["after"]["wagers"]])
                gives, recorded = (_coup_and_nets(one) for one in (found, told))
                self.need(found == told, f"{readings} gives {gives}, not {recorded}")
        return max(nets, default=None)

    def on_AmbiguityResolved(self, body: Body) -> None:  # noqa: N802
        self.people(f"ambiguity {body['ambiguity']}", body["by"], alone=False)

    def people(self, subject: str, by: list[str], *, alone: bool) -> None:
        """What was done about a subject ends what was proposed about it."""
        super().people(subject, by, alone=alone)
        self.motions.pop(subject, None)

    # ---- the round -------------------------------------------------------------------------

    def on_RoundOpened(self, body: Body) -> None:  # noqa: N802
        self._goes_on("a round was opened")
        self.need(self.phase == "ended", "a round was opened during a round")
        self.need(body["round"] == self.round + 1, f"round {body['round']} after {self.round}")
        ready = self.by_hand or (self.shoe and self.shoe["seed"])
        self.need(ready, "a round was opened before the shoe was ready")
        self.round, self.phase, self.closes_at = body["round"], "open", body["closes_at"]
        self.wagers, self.hands = {}, {"player": [], "banker": []}

    def on_WagersPlaced(self, body: Body) -> None:  # noqa: N802
        player, wagers = body["player"], body["wagers"]
        self._in_phase(body, "open")
        in_time = self.by_hand or body["at"] < self.closes_at
        self.need(in_time, f"a wager of {player} after no more bets")
        terms = [values for start, values in self.agreed.get(player, []) if start <= self.round]
        agreed = terms[-1] if terms and wagers else []
        self.need(body["agreed"] == agreed, f"a wager of {player} under terms nobody agreed on")
        if self.need(self.layout, "there is no shoe to wager on") and self.layout:
            for rule in self.layout.broken(wagers, body["agreed"], self.limits):
                self.say(f"wagers of {player} were taken against the rules: {rule}")
            self._together(player, body)
        total = sum(wager["stake"] for wager in wagers)
        self.need(0 <= body["bonus"] <= total, f"{money(body['bonus'])} of bonus in {money(total)}")
        before = set(self.wagers)
        self._hold(player, self.wagers.pop(player, None), sign=-1)
        if wagers:  # they can be withdrawn at any time until the bets are closed
            self._goes_on(f"{player} wagered")
            if self.house_read:
                self._may_wager(player, body["at"])
            seats = self.limits.get("seats")
            full = seats is not None and player not in before and len(before) >= seats
            self.need(not full, f"{player} wagered when all {seats} seats were taken")
            self.wagers[player] = body
            self._hold(player, body, sign=1)

    def _may_wager(self, player: str, now: int) -> None:
        """A player, and not one who is away."""
        is_player = self.accounts.get(player, {}).get("role") == "player"
        self.need(is_player, f"{player!r}, who is no player, wagered")
        away = any(start < now < end for start, end in self.away.get(player, ()))
        self.need(not away, f"{player} wagered during a break or an exclusion")
        self._alone_away(player, now)

    def _partners(self, player: str, now: int) -> frozenset[str]:
        """Who counts as one with a player; nobody within a moment of a link, or of its end."""
        partners: frozenset[str] = frozenset()
        for at, found in self.linked.get(player, ()):
            if abs(at - now) <= SKEW:
                return frozenset()
            partners = found if at < now else partners
        return partners

    def _alone_away(self, player: str, now: int) -> None:
        """A second account is no way round an exclusion: nobody wagers while a partner is away."""
        for one in sorted(self._partners(player, now)):
            away = any(start + SKEW < now < end - SKEW for start, end in self.away.get(one, ()))
            self.need(not away, f"{player} wagered while {one}, a partner, was on a break or away")

    def _together(self, player: str, body: Body) -> None:
        """Partners share the maximum of a bet (R36); what stood before the link stands."""
        partners = self._partners(player, body["at"])
        others: dict[str, int] = {}
        for one in partners & self.wagers.keys():
            for bet, stake in _stakes(self.wagers[one]).items():
                others[bet] = others.get(bet, 0) + stake
        before = _stakes(self.wagers.get(player, {"wagers": []}))
        if others and self.layout and self.house_read:
            for rule in self.layout.over_together(_stakes(body), before, others, self.limits):
                self.say(f"wagers of {player} were taken against the rules: {rule}")

    def on_BettingClosed(self, body: Body) -> None:  # noqa: N802
        self._in_phase(body, "open")
        self.need(body["at"] >= self.closes_at, "betting was closed early")
        self.phase = "dealing"

    def on_CardDealt(self, body: Body) -> None:  # noqa: N802
        self._in_phase(body, "dealing")
        if not self.hands["player"]:
            self._document()["coups"].append({"cards": [], "cut_short": False})
        card = {"hand": body["hand"], **body["card"]}
        self._document()["coups"][-1]["cards"].append(card)
        hand = self.hands[body["hand"]]
        hand.append(body["card"]["card"])
        points = sum(min(1 + verifier.RANKS.index(one[:-1]), 10) % 10 for one in hand) % 10
        self.need(body["total"] == points, f"a total of {body['total']} was announced: {points}")

    def on_CoupDecided(self, body: Body) -> None:  # noqa: N802
        self._in_phase(body, "dealing")
        self.phase = "decided"
        facts = self._facts()
        written = self._written(self.hands, facts)
        self.need(body["coup"] == written, f"the coup is {written}, not {body['coup']}")
        winner = facts["winner"]
        self.need(body["winner"] == winner, f"the winner is {winner}, not {body['winner']}")

    def on_RoundSettled(self, body: Body) -> None:  # noqa: N802
        self._in_phase(body, "decided")
        facts = self._facts()
        if self.round in self.disputed and self.shoe is not None:
            results = {one["player"]: one for one in body["results"]}
            place = len(self.shoe["coups"]) - 1
            seen = partial(promised, self.shoe, place)
            kept = PastRound(self.shoe["rules"], seen, dict(self.wagers), results)
            self.past[self.round] = kept
        self._end(body, lambda bet, stake, agreed: self._net(bet, stake, facts, agreed))
        self.won = {one["player"]: _net(one) for one in body["results"]}
        self.rounds += 1

    def on_RoundCancelled(self, body: Body) -> None:  # noqa: N802
        self._in_phase(body, "open", "dealing", "decided")
        if self.hands["player"] and self.phase == "dealing":
            self._document()["coups"][-1]["cut_short"] = True
        staked, most = sum(map(_total, self.wagers.values())), body.get("alone")
        out = self.phase == "decided" or bool(self.hands["player"]) or self.out
        self.out = False
        alone = not out and (most is None or staked <= most)
        self.people(f"cancel {body['round']}", body["by"], alone=alone)
        self._end(body, self._given_back(body))

    def _given_back(self, body: Body) -> Callable[[str, int, Any], int | None]:
        """What a wager on a cancelled round comes to: nothing, or a win that was sure already."""
        payer, hands = self.payer, (tuple(self.hands["player"]), tuple(self.hands["banker"]))
        better = self.house_rules.get("dummy") == "better" and body["reason"] != "foreign-card"
        if payer is None or not better or len(hands[0]) < 2:
            return lambda *_: 0

        def net(bet: str, stake: int, agreed: Any) -> int | None:
            odds = won_already(payer, bet, hands, agreed)
            return payer.payout(stake, odds) if odds else 0

        return net

    def _end(self, body: Body, net: Callable[[str, int, Any], int | None]) -> None:
        """Every wager's result is what it should be, everyone is there, and stakes go home."""
        results = {result["player"]: result for result in body["results"]}
        self.need(len(results) == len(body["results"]), "a player was settled twice")
        missing = sorted(results.keys() ^ self.wagers.keys())
        self.need(not missing, f"settled without having wagered, or not settled: {missing}")
        for player, placed in self.wagers.items():
            due = [
                {**wager, "net": net(wager["bet"], wager["stake"], placed["agreed"])}
                for wager in placed["wagers"]
            ]
            back = sum(one["stake"] + (one["net"] or 0) for one in due)
            recorded = results.get(player, {"wagers": []})["wagers"]
            self.compare_results(self.round, player, due, recorded)
            told_bonus = results.get(player, {"bonus": placed["bonus"]})["bonus"]
            words = f"bonus {money(told_bonus)} recorded, {money(placed['bonus'])} staked"
            self.need(told_bonus == placed["bonus"], f"{player}: {words}")
            self._pay(player, placed, back)
        self.phase, self.wagers = "ended", {}

    def compare_results(
        self, number: int, player: str, due: Sequence[Body], recorded: Sequence[Body]
    ) -> None:
        """Is every wager of a player recorded as what the rules make of it, and nothing else?"""
        for one in due:
            if one not in recorded:
                self.say(f"round {number}: {_told_apart(player, one, recorded)}")
        if len(recorded) > len(due):
            words = f"{len(recorded)} results of {player} are recorded, for {len(due)} wagers"
            self.say(f"round {number}: {words}")

    def _pay(self, player: str, placed: Body, back: int) -> None:
        total, bonus = _total(placed), placed["bonus"]
        bonus_back = back * bonus // total
        self._hold(player, placed, sign=-1)
        for purse, source, change in (
            (*own_money(player)[::2], (back - bonus_back) - (total - bonus)),
            ("bonus", "house/bonus", bonus_back - bonus),
        ):
            self.move(player, f"player:{player}/{purse}", change)
            self.move(player, source, -change)
        self.settled_wagers += len(placed["wagers"])
        self.staked += total
        self.returned += back

    def _hold(self, player: str, placed: Body | None, *, sign: int) -> None:
        if placed is None:
            return
        bonus = placed["bonus"]
        for purse, stakes, coins in (
            (*own_money(player)[:2], _total(placed) - bonus),
            ("bonus", "bonus-stakes", bonus),
        ):
            self.move(player, f"player:{player}/{purse}", -sign * coins)
            self.move(player, f"table:{self.table}/{stakes}", sign * coins)

    def _net(self, bet: str, stake: int, facts: Any, agreed: Any) -> int | None:
        return None if self.payer is None else self.payer.net(bet, stake, facts, agreed)

    def _written(self, hands: Mapping[str, Sequence[str]], facts: Any) -> str:
        return " ".join(
            f"{letter}:{''.join(hands[hand])}={facts[f'{hand}_total']}"
            for letter, hand in (("P", "player"), ("B", "banker"))
        )

    def _facts(self) -> Any:
        naturals = self.payer.tableau["naturals"] if self.payer else ()
        return facts_of(self.hands["player"], self.hands["banker"], naturals)

    def _in_phase(self, body: Body, *phases: str) -> None:
        self.need(body["round"] == self.round, f"round {body['round']} during {self.round}")
        self.need(self.phase in phases, f"it cannot happen while a round is {self.phase}")


def own_money(player: str) -> tuple[str, str, str]:
    """Purse, stakes and the house's side of it: guests play with play money."""
    if player.startswith("guest-"):
        return "play", "play-stakes", "house/play-money"
    return "real", "stakes", "house/bank"


def _told_apart(player: str, due: Body, recorded: Sequence[Body]) -> str:
    """A wager that is recorded as something else than the rules make of it."""
    there = [one for one in recorded if one.get("bet") == due["bet"]]
    told = " and ".join(
        money(one.get("net"))
        + ("" if one.get("stake") == due["stake"] else f" for a stake of {money(one.get('stake'))}")
        for one in there
    )
    comes = "nothing that can be paid" if due["net"] is None else f"{money(due['net'])}, net"
    wager = f"{money(due['stake'])} of {player} on {due['bet']}"
    return f"{wager} is recorded as {told or 'no result'}, and by the rules comes to {comes}"


def _coup_and_nets(found: tuple[str, Sequence[Any]] | None) -> str:
    return f"{found[0]} with {', '.join(map(money, found[1]))}, net" if found else "no such coup"


def _switch(body: Body) -> str:
    """A table is paused by itself, or with the house: each pause is lifted by itself."""
    return "house" if body.get("house") else "table"


def _stakes(placed: Body) -> dict[str, int]:
    return {wager["bet"]: wager["stake"] for wager in placed["wagers"]}


def _net(result: Body) -> int:
    return sum(wager["net"] for wager in result["wagers"])


def _total(placed: Body) -> int:
    return sum(wager["stake"] for wager in placed["wagers"])
