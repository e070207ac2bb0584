"""Checks the coups and the corrected rounds of a table with real cards.

The correct coup is the one that the tableau gives for the cards in the order in which they were
drawn; any other settlement is a finding.
"""

from dataclasses import dataclass, field

from baccarat.auditor.amounts import money, net, purses, split
from baccarat.auditor.books import Body, Moves, names_in
from baccarat.auditor.coups import SIDES, Dealt, Tableau, deal, facts_of, total, written
from baccarat.auditor.disputes import DisputedRound
from baccarat.auditor.real_cards.shoe import CUT_OFF, CorrectableRound, Coup
from baccarat.auditor.real_cards.shoes import ShoeBooks
from baccarat.auditor.results import by_player, results_due, returned
from baccarat.auditor.rules import Rules

NO_TABLEAU: Tableau = dict.fromkeys(("naturals", "player_draws", "banker_draws"), ())
NO_CORRECTION = {"real": 0, "bonus": 0, "short": 0, "short_bonus": 0}
UNCONFIRMED = "a device's card was not recorded as sent, and the pit did not confirm the coup"


@dataclass
class RealCardBooks(ShoeBooks):
    """Checks a table whose coups are dealt by the server or by a dealer."""

    correctable: dict[int, CorrectableRound] = field(default_factory=dict)
    kept: list[CorrectableRound] = field(default_factory=list)
    """Rounds that are disputed later in the journal."""
    reports: dict[int, set[str]] = field(default_factory=dict)
    doubts: list[tuple[str, bool, int]] = field(default_factory=list)
    """Cards that the dealer must explain. For each: the card; whether it came during a coup, and
    not after a complete coup whose cards a device sent; and its place in the coup, or 0 if the
    device stated none."""
    contradicted: int | None = None
    """Number of the settled round that a device's card has just contradicted; the next event must
    report the error."""

    def check_event(self, sequence: int, kind: str, body: Body) -> Moves:
        number, self.contradicted = self.contradicted, None
        moves = super().check_event(sequence, kind, body)
        reported = kind == "ErrorReported" and body["round"] == number
        words = f"a device's card contradicted round {number}, but no error was reported"
        self.check(number is None or reported, words)
        return moves

    # ---- the coup --------------------------------------------------------------------------

    def on_RoundOpened(self, body: Body) -> None:
        super().on_RoundOpened(body)
        self.coup = Coup(bets=body.get("bets", True))
        if self.by_hand:
            self._by_its_dealer(body)
            self.check(
                body["closes_at"] == 0, "a clock was set to close the bets at a dealer's table"
            )
            self.check(not self.alarms, "a round was opened from a shoe that raised an alarm")
            known = any(self.cards.known)
            self.check(
                self.coup.bets != known,
                "bets were taken although the next card was known, or refused although it was not",
            )
            self.check(not self.cards.owed, "a card that was taken back was not burned")

    def on_WagersPlaced(self, body: Body) -> None:
        allowed = not self.by_hand or self.coup.bets or not body["wagers"]
        self.check(allowed, f"{body['player']} wagered on a round that was dealt without bets")
        owed = self.by_hand and self.cards.owed
        self.check(not owed, f"{body['player']} wagered when the next card may have been seen")
        queried = self.by_hand and self.doubts
        self.check(not queried, f"{body['player']} wagered while a card was in doubt")
        super().on_WagersPlaced(body)

    def on_BettingClosed(self, body: Body) -> None:
        super().on_BettingClosed(body)
        if self.by_hand:
            self._by_its_dealer(body)
            owed = self.coup.bets and self.cards.owed
            self.check(
                not owed,
                "a coup was begun although its first card may have been seen during betting",
            )

    def on_CardPlaced(self, body: Body) -> None:
        self._in_phase(body, "dealing", "decided")
        self._dealt_by(body)
        coup, card, hand = self.coup, body["card"], body["hand"]
        if not coup.drawn:
            self._follow()
            self.cards.begin_coup()
        meant = self._deal(coup.cards).due
        self.check(body["meant"] == meant, f"{card} belonged to {meant}, not {body['meant']}")
        coup.drawn.append((hand, card))
        coup.sent.append(body.get("device", False))
        coup.known = coup.known or not self._deal(coup.cards).due
        self.cards.order.append(card)
        self.cards.readings.enter([card], device=body.get("device", False))
        self._lay_out()
        self.announced(body, total(self.hands[hand]) if hand else 0)

    def on_IrregularityFound(self, body: Body) -> None:
        self._by_its_dealer(body)

    def on_CardInDoubt(self, body: Body) -> None:
        self._by_its_dealer(body)
        dealing = self.phase in ("dealing", "decided")
        surplus = self.coup.known and all(self.coup.sent)
        number, place = body.get("for_round"), body.get("for_place") or 0
        here = place if number == self.round else 0
        self.doubts.append((body["card"], dealing and not surplus, here))
        self.coup.reported = self.coup.reported or dealing
        past = self.correctable.get(number or 0)
        if past is not None and past.in_time and place > 0:
            settled = past.cards[place - 1 : place]
            self.contradicted = past.number if settled != [body["card"]] else None

    def on_CardExplained(self, body: Body) -> None:
        self._by_its_dealer(body)
        waits, in_coup, place = self.doubts.pop(0) if self.doubts else (None, False, 0)
        self.check(body["card"] == waits, f"{body['card']} was explained, but {waits} was in doubt")
        mistake, coup = body["was"] == "mistake", self.coup
        self.cards.owed += mistake
        self.cards.readings.ahead -= mistake and self.cards.readings.ahead > 0
        moved = body["was"] == "drawn" and (coup.known or 0 < place <= len(coup.drawn))
        coup.mistaken = coup.mistaken or (in_coup and (mistake or moved))

    def on_CoupRectified(self, body: Body) -> None:
        self._in_phase(body, "dealing", "decided")
        self._dealt_by(body)
        coup, drawn = self.coup, body["drawn"]
        recorded = coup.cards
        self.check(body["recorded"] == recorded, f"the cards had been recorded as {recorded}")
        dealt = self._deal(drawn)
        taken, excess = drawn[: len(dealt.whose)], drawn[len(dealt.whose) :]
        self.check(body["excess"] == excess, f"the excess cards were {excess}")
        self.check(body["hands"] == dealt.whose, f"the cards belong to {dealt.whose}")
        goes = self.cards.excess_goes(self.settings.get("excess"))
        self._goes(body["goes"], goes)
        self._by_the_pit(body, recorded)
        coup.known = coup.known or not dealt.due
        self.cards.owed += max(len(recorded) - len(drawn), 0)
        self.cards.rectify(taken, excess, goes)
        coup.sent = [
            at < len(recorded) and recorded[at] == card and coup.sent[at]
            for at, card in enumerate(taken)
        ]
        coup.drawn = list(zip(dealt.whose, taken, strict=True))
        self.phase = "dealing"
        self._lay_out()

    def _goes(self, goes: str, rule: str) -> None:
        self.check(goes == rule, f"under the house rules an excess card is {rule}, not {goes}")

    def _by_the_pit(self, body: Body, recorded: list[str]) -> None:
        """Check that two people changed a complete coup, and that the second did not deal it.

        Also check the coups and payments that the event records.
        """
        drawn, by, coup, number = body["drawn"], body.get("by", []), self.coup, self.round
        complete = coup.known or self.phase == "decided"
        changes = coup.mistaken or coup.differs_from_device(drawn)
        changes = changes or (complete and drawn != recorded)
        changes = changes or self.settings.get("inspector") is True
        if changes:
            self.check(len(by) == 2, f"rectify {number}: only one person changed a complete coup")
        else:
            self.check(
                not by, f"rectify {number}: two people decided, although the dealer does this alone"
            )
        if len(by) == 2:
            coup.mistaken = False
            self.check(by[1] not in coup.dealers, f"rectify {number}: {by[1]} dealt the coup")
            self.people(f"rectify {number}", by, alone=False)
        for cards, name in ((recorded, "before"), (drawn, "after")):
            dealt = self._deal(cards)
            over = not dealt.due
            right, said = written(dealt.hands) if over else "", body.get(f"coup_{name}", "")
            self.check(said == right, f"the coup {name} is {right or 'open'}, not {said}")
            paid = body.get(f"paid_{name}", [])
            due = self.wagers if over and changes else {}
            fits = by_player(paid).keys() == due.keys()
            self.check(fits, f"the money {name} is not recorded for exactly those who wagered")
            for result in paid:
                placed = due.get(result["player"], {"wagers": [], "agreed": []})
                nets = results_due(self.game, self._facts(dealt.hands), placed) if over else []
                self.compare_results(number, result["player"], nets, result["wagers"])

    def on_CoupDecided(self, body: Body) -> None:
        if self.by_hand:
            self._check_dealt(body, "the coup was decided")
            dealt = self._deal(self.coup.cards)
            as_meant = [hand for hand, _ in self.coup.drawn] == dealt.whose
            self.check(as_meant, "the coup was decided although cards are with the wrong hand")
            self.check(not dealt.due, "the coup was decided although a card was due")
            self.hands = dealt.hands
        super().on_CoupDecided(body)

    def _check_dealt(self, body: Body, what: str) -> None:
        self._dealt_by(body)
        self.check(not self.doubts, f"{what} although a card was in doubt")
        self.check(not self.coup.mistaken, UNCONFIRMED)

    def on_RoundSettled(self, body: Body) -> None:
        if self.by_hand and self.game is not None:
            self._check_dealt(body, "the round was settled")
            drawn = self.coup.cards
            settled = [card for hand in self.hands.values() for card in hand]
            self.check(sorted(drawn) == sorted(settled), "a card was drawn after the result")
            self._follow()
            cut_off = CUT_OFF in self.cards.rules or self.settings.get("error_cut_off", False)
            past = CorrectableRound(
                *(self.game, self.wagers, by_player(body["results"]), self.cards),
                *(self.cards.begin, drawn, self.coup.dealers, self.round),
                cut_off=bool(cut_off) or self.cards.shuffler,
            )
            self.correctable[self.round] = past
            if self.round in self.disputed:
                self.kept.append(past)
                self.past[self.round] = DisputedRound(
                    self.cards.rules, past.seen, past.wagers, past.results, body["at"], past.dealers
                )
            self.cards.end_coup(len(drawn))
            self.cards = self.cards.refilled()
        super().on_RoundSettled(body)

    def on_RoundCancelled(self, body: Body) -> None:
        if self.by_hand:
            coup = self.coup
            self.hands = self._deal(coup.cards).hands
            known = self.phase == "decided" or coup.known
            self.check(
                not known or coup.considered,
                "the round was cancelled without considering whether to rectify it",
            )
            self.out = bool(coup.dealers) or coup.reported
            # Not "dealing", because there is no shoe document to mark as cut short.
            self.phase = "decided" if known else "open"
            self.reports.pop(self.round, None)
            self.cards.end_coup(len(coup.drawn))
            if coup.drawn:
                self.cards = self.cards.refilled()
        super().on_RoundCancelled(body)

    # ---- errors ----------------------------------------------------------------------------

    def on_DisputeDecided(self, body: Body) -> None:
        self._check_final(body)
        super().on_DisputeDecided(body)

    def on_DisputeAnswered(self, body: Body) -> None:
        self._check_final(body)
        super().on_DisputeAnswered(body)

    def _check_final(self, body: Body) -> None:
        past = self.correctable.get(body["round"])
        open_to_reports = past is not None and past.cut_off and past.in_time
        reported = past is not None and body["round"] in self.reports
        self.check(
            not (open_to_reports or reported),
            "a dispute was decided while an error in the round could still be corrected",
        )
        paid = body["amount"] if "amount" in body else net(body["after"]) - net(body["before"])
        if paid:
            self.correctable.pop(body["round"], None)  # its result is final

    def on_ErrorReported(self, body: Body) -> None:
        number = body["round"]
        running = number == self.round and self.phase in ("dealing", "decided")
        settled = number in self.correctable and self.correctable[number].in_time
        self.check(running or settled, "an error was reported too late")
        self.reports.setdefault(number, set()).add(body["by"])

    def on_ReportDismissed(self, body: Body) -> None:
        self._decided_by_another(body, small=True)

    def on_RectificationConsidered(self, body: Body) -> None:
        self._in_phase(body, "dealing", "decided")
        self.check(self.phase == "decided" or self.coup.known, "no result was known")
        self.coup.considered = True

    def on_RoundCorrected(self, body: Body) -> None:
        past = self.correctable.get(body["round"])
        self._decided_by_another(body, small=body.get("alone") is None)
        if past is None:
            self.report("a round was corrected although its result stands")
            return
        drawn = body["drawn"]
        dealt = deal(past.game.tableau, drawn)
        taken, excess = drawn[: len(dealt.whose)], drawn[len(dealt.whose) :]
        self.check(body["excess"] == excess, f"the excess cards were {excess}")
        facts = facts_of(dealt.hands, past.game.tableau["naturals"])
        self.compare_coup(body, dealt.hands, facts)
        before = by_player(body.get("paid_before", ()))
        self.check(before == past.results, "the results before are not those that were settled")
        corrections, results = by_player(body["corrections"]), by_player(body["results"])
        self.has_won(body["round"], body["results"])
        self.check(
            results.keys() == past.wagers.keys(),
            "the new results are not for exactly those who wagered",
        )
        self.check(
            corrections.keys() <= past.wagers.keys(), "a player who had not wagered was corrected"
        )
        for player, placed in past.wagers.items():
            nets = results_due(past.game, facts, placed)
            recorded = results.get(player, {"wagers": []})["wagers"]
            self.compare_results(past.number, player, nets, recorded)
            correction = corrections.get(player, NO_CORRECTION)
            self._correct(player, placed, past, nets, correction)
        past.results = results
        if body["round"] in self.past:
            self.past[body["round"]].results = results
        self._reorder(past, taken, excess, body["goes"])

    def _reorder(
        self, past: CorrectableRound, kept: list[str], excess: list[str], goes: str
    ) -> None:
        """Update and check the shoe's cards after the cards of a settled coup were corrected."""
        shoe, size, follow = past.shoe, len(past.cards), past.following()
        here = not past.followed and not shoe.closed and self.phase == "ended"
        self._goes(goes, shoe.excess_goes(self.settings.get("excess")) if here else "burned")
        if shoe is self.cards and not shoe.closed:
            shoe.owed += max(size - len(kept) - len(excess) - len(follow), 0)
        for card, followed in zip(kept[size:], follow, strict=False):
            self.check(followed in (None, card), f"{followed} was next in the shoe, not {card}")
        past.reorder(kept, excess, goes, (*self.correctable.values(), *self.kept))

    def _correct(
        self, player: str, placed: Body, past: CorrectableRound, nets: list[Body], correction: Body
    ) -> None:
        """Check and post the difference between a player's results before and after."""
        old = split(returned(past.results[player]["wagers"]), placed)
        new = split(returned(nets), placed)
        fields = (("real", "short"), ("bonus", "short_bonus"))
        for purse, names, before, after in zip(purses(player), fields, old, new, strict=True):
            coins, short = (correction[name] for name in names)
            owed = after - before
            right = coins - short == owed and short >= 0 and (short == 0 or coins <= 0)
            words = (
                f"{player} was owed {money(owed)} of {purse.held} money, but {money(coins)} was "
                "moved"
            )
            self.check(right, f"round {past.number}: {words}")
            self.move(player, f"player:{player}/{purse.held}", coins)
            self.move(player, purse.errors, -short)
            self.move(player, purse.house, short - coins)
        self.returned += sum(new) - sum(old)

    def _decided_by_another(self, body: Body, *, small: bool) -> None:
        """Check that an error was reported, and that nobody who reported it decided on it.

        Two people are needed if a dealer of the round decides, or if the decision is not `small`.
        """
        past = self.correctable.get(body["round"])
        dealers, people = past.dealers if past else self.coup.dealers, names_in(body)
        alone = small and body["by"] not in dealers
        self.people(f"correct {body['round']}", people, alone=alone)
        reporters = self.reports.pop(body["round"], set())
        others = reporters and not reporters & set(people)
        self.check(others, "no one else had reported an error in this round")

    # ---- shared helpers --------------------------------------------------------------------

    def _rules_now(self) -> Rules:
        return Rules(self.cards.rules) if self.by_hand else super()._rules_now()

    def _follow(self) -> None:
        """Forget the rounds whose errors can no longer be reported, now that a coup has begun."""
        for past in self.correctable.values():
            past.followed, past.in_time = True, not past.cut_off and past.shoe is self.cards
        self.correctable = {
            number: past
            for number, past in self.correctable.items()
            if past.in_time or number in self.reports
        }

    def _dealt_by(self, body: Body) -> None:
        self._by_its_dealer(body)
        self.coup.dealers.add(body["dealer"])

    def _deal(self, cards: list[str]) -> Dealt:
        return deal(self.game.tableau if self.game else NO_TABLEAU, cards)

    def _lay_out(self) -> None:
        self.hands = {side: [card for to, card in self.coup.drawn if to == side] for side in SIDES}
