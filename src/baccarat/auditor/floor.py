"""The books of a table of real cards: its dealers, its shoes, and rounds that were corrected.

In go the same events as in `books`, and those that only a dealer causes. The one rule: a coup is
what the tableau makes of the cards in the order of drawing; whatever else was settled is a finding.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from baccarat.auditor.accepting import Layout
from baccarat.auditor.books import Body, TableBooks, own_money
from baccarat.auditor.dealing import RANKS, SUITS, deal
from baccarat.auditor.disputes import PastRound, Seen
from baccarat.auditor.paying import Payer, facts_of, points
from baccarat.auditor.words import money

DECLARED = '"reconstruction":true'
"""In rules: a card too many can go back into the shoe."""


@dataclass
class RealShoe:
    """A shoe of real cards, as it has been told."""

    name: str = ""
    decks: int = 0
    rules: str = ""
    order: list[str | None] = field(default_factory=list)
    """Cards that have left it, in their order; None: face down."""
    begin: int = 0
    """Where in it the coup begins."""
    known: list[str | None] = field(default_factory=list)
    """Cards that must come, from the first of the coup on, because they were taken back."""
    dealing: bool = False
    """Is a coup under way?"""
    owed: int = 0
    """Cards to burn before the next bets: some were told and then taken back."""
    closed: bool = False

    def seen_from(self, start: int) -> Seen:
        """The cards from a place on, up to the first that nobody has seen; will more be?"""
        drawn = len(self.order) - self.begin if self.dealing else 0
        found: list[str] = []
        for card in self.order[start:]:
            if card is None:
                return found, True
            found.append(card)
        for card in self.known[drawn:]:
            if card is None:
                break
            found.append(card)
        return found, self.closed


@dataclass
class Past:
    """A settled round, as long as it can be corrected or is disputed."""

    payer: Payer
    wagers: dict[str, Body]
    results: dict[str, Body]
    shoe: RealShoe
    start: int
    """Where its cards begin among those that have left the shoe."""
    cards: list[str]
    dealers: set[str]
    number: int
    in_time: bool = True

    def seen(self) -> Seen:
        """Its cards and those behind them."""
        behind, final = self.shoe.seen_from(self.start + len(self.cards))
        return [*self.cards, *behind], final


@dataclass
class FloorBooks(TableBooks):
    """A table, whoever deals at it."""

    dealer: str = ""
    cards: RealShoe = field(default_factory=RealShoe)
    drawn: list[tuple[str | None, str]] = field(default_factory=list)
    """The coup's cards in their order, and where they were put."""
    correctable: dict[int, Past] = field(default_factory=dict)
    kept: list[Past] = field(default_factory=list)
    """Rounds that are disputed later."""
    reports: dict[int, set[str]] = field(default_factory=dict)
    considered: bool = False
    dealers: set[str] = field(default_factory=set)
    """Who has dealt the round."""
    known: bool = False
    """The round's cards have finished a coup, announced or not."""
    bets: bool = True
    """Are wagers taken on the round?"""
    alarms: list[str] = field(default_factory=list)
    doubts: list[tuple[str, bool]] = field(default_factory=list)
    """Cards that wait for the dealer to say what they were; did they come during a coup without a
    result?"""
    reported: bool = False
    """A device has reported a card of the round after “no more bets”."""
    mistaken: bool = False
    """The dealer called a device's card a mistake, and the pit has not confirmed the coup."""

    # ---- the dealer and the shoe -----------------------------------------------------------

    def on_DealerChanged(self, body: Body) -> None:  # noqa: N802
        before, dealer, by = self.dealer, body["dealer"], body.get("by", "")
        self.need(body["before"] == before, f"{before!r} had the table")
        pit = not self.house_read or self.staff.get(by, ("", ""))[0] == "pit"
        if before and not dealer:
            self.need(by == before and self.phase == "ended", f"{before!r} left during a round")
        elif before and by != dealer:
            asked, until = self.motions.get(f"hand-over {dealer}", ("", 0))
            self.need(asked == dealer and self.at < until, f"{dealer!r} did not ask for the table")
        if before and dealer:
            ok = (by == before) or pit
            self.need(ok, f"{by!r} handed the table of {before!r} over, and is not of the pit")
        for subject in [one for one in self.motions if one.startswith("hand-over ")]:
            del self.motions[subject]
        self.dealer = dealer

    def on_ShoeBegun(self, body: Body) -> None:  # noqa: N802
        self._by_its_dealer(body)
        self._goes_on("a shoe was begun")
        free = self.phase == "ended" and self.shoe is None and not self.by_hand
        self.need(free, "a shoe during a shoe or a round")
        rules = hashlib.sha256(self.rules.encode()).hexdigest()
        self.need(body["rules"] == rules, "the shoe is dealt by other rules than the table's")
        self.payer, self.layout, self.by_hand = Payer(self.rules), Layout(self.rules), True
        self.cards, self.alarms = RealShoe(body["shoe"], body["decks"], self.rules), []
        decks = self.payer.parameters.get("decks", body["decks"])
        self.need(decks == body["decks"], f"the rules say {decks} decks")

    def on_BurnedByHand(self, body: Body) -> None:  # noqa: N802
        self._by_its_dealer(body)
        exposed = body["reason"] == "exposed"
        between = self.phase == "ended" or (exposed and self.phase == "open")
        self.need(self.by_hand and between, "cards were burned during a coup")
        self.need(len(body["shown"]) <= body["count"], "more cards were shown than burned")
        shoe, count = self.cards, body["count"]
        if exposed and shoe.known[:1] not in (
            [],
            [None],
            body["shown"],
        ):  # what was taken back is still next
            shoe.order += body["shown"]
            return
        if not exposed and shoe.owed:
            left = shoe.decks * len(RANKS) * len(SUITS) - len(shoe.order)
            least = min(shoe.owed + len(shoe.known), left)
            self.need(count >= least, f"{least} cards were to be burned, not {count}")
            shoe.owed = 0
        faces = [*(body["shown"] or shoe.known[:count])]
        shoe.order += [*faces, *[None] * (count - len(faces))]
        shoe.known = shoe.known[count:]

    def on_AlarmRaised(self, body: Body) -> None:  # noqa: N802
        self.alarms.append(body["alarm"])

    def on_ShoeClosed(self, body: Body) -> None:  # noqa: N802
        self._by_its_dealer(body)
        shoe = self.cards
        self.need(self.by_hand and body["shoe"] == shoe.name, "another shoe was closed")
        self.need(self.phase == "ended", "a shoe ended during a round")
        seen = Counter(card for card in shoe.order if card) + Counter(body["rest"] or ())
        whole = Counter({rank + suit: shoe.decks for rank in RANKS for suit in SUITS})
        surplus = seen - whole
        lacking = whole - seen if body["rest"] is not None else Counter()
        self.need(Counter(body["surplus"]) == surplus, f"too many in the shoe: {dict(surplus)}")
        self.need(Counter(body["lacking"]) == lacking, f"missing in the shoe: {dict(lacking)}")
        self.need(body["seen"] == seen.total(), f"{seen.total()} cards were seen")
        wrong = surplus or lacking
        self.need(not wrong or "does-not-add-up" in self.alarms, "a false shoe raised no alarm")
        self.by_hand, self.shoes, shoe.closed = False, self.shoes + 1, True

    # ---- the coup --------------------------------------------------------------------------

    def on_RoundOpened(self, body: Body) -> None:  # noqa: N802
        super().on_RoundOpened(body)
        self.drawn, self.considered, self.known, self.dealers = [], False, False, set()
        self.reported = self.mistaken = False
        if self.by_hand:
            self._by_its_dealer(body)
            self.need(body["closes_at"] == 0, "a clock closes the bets of a dealer")
            self.need(not self.alarms, "a round was opened from a shoe that raised an alarm")
            known = any(self.cards.known)
            self.bets = body.get("bets", True)
            self.need(self.bets != known, "bets were taken on a card that had been seen")
            self.need(not self.cards.owed, "a card that was taken back was not burned")

    def on_WagersPlaced(self, body: Body) -> None:  # noqa: N802
        allowed = not self.by_hand or self.bets or not body["wagers"]
        self.need(allowed, f"{body['player']} wagered on a round that is dealt without bets")
        owed = self.by_hand and self.cards.owed
        self.need(not owed, f"{body['player']} wagered when the next card may have been seen")
        super().on_WagersPlaced(body)

    def on_BettingClosed(self, body: Body) -> None:  # noqa: N802
        super().on_BettingClosed(body)
        if self.by_hand:
            self._by_its_dealer(body)
            owed = self.bets and self.cards.owed
            self.need(not owed, "a coup was begun when its first card may have been bet on")

    def on_CardPlaced(self, body: Body) -> None:  # noqa: N802
        self._in_phase(body, "dealing", "decided")
        self._dealt_by(body)
        if not self.drawn:  # what was before the first card, and was not reported, stands
            self.correctable = {
                number: one for number, one in self.correctable.items() if number in self.reports
            }
            for one in self.correctable.values():
                one.in_time = False
            self.cards.begin, self.cards.dealing = len(self.cards.order), True
        card, hand = body["card"], body["hand"]
        whose = deal(self._tableau(), [*(one for _, one in self.drawn), card])[1]
        meant = whose[len(self.drawn)] if len(whose) > len(self.drawn) else None
        self.need(body["meant"] == meant, f"{card} was meant for {meant}, not {body['meant']}")
        self.drawn.append((hand, card))
        self.known = self.known or self._over([one for _, one in self.drawn])
        self.cards.order.append(card)
        total = sum(points(one) for to, one in self.drawn if to == hand) % 10 if hand else 0
        self.need(body["total"] == total, f"a total of {body['total']} was announced: {total}")
        self._lay_out()

    def on_IrregularityFound(self, body: Body) -> None:  # noqa: N802
        self._by_its_dealer(body)

    def on_CardInDoubt(self, body: Body) -> None:  # noqa: N802
        self._by_its_dealer(body)
        dealing = self.phase in ("dealing", "decided")
        self.doubts.append((body["card"], dealing and not self.known))
        self.reported = self.reported or dealing

    def on_CardExplained(self, body: Body) -> None:  # noqa: N802
        self._by_its_dealer(body)
        waits, in_coup = self.doubts.pop(0) if self.doubts else (None, False)
        self.need(body["card"] == waits, f"{body['card']} was explained, and {waits} waited")
        if body["was"] == "mistake":
            self.cards.owed += 1
            self.mistaken = self.mistaken or in_coup

    def on_CoupRectified(self, body: Body) -> None:  # noqa: N802
        self._in_phase(body, "dealing", "decided")
        self._dealt_by(body)
        told = [card for _, card in self.drawn]
        self.need(body["told"] == told, f"the cards had been told as {told}")
        drawn = body["drawn"]
        _, whose, taken = deal(self._tableau(), drawn)
        self.need(body["excess"] == drawn[taken:], f"in excess was {drawn[taken:]}")
        self.need(body["hands"] == whose, f"the cards belong to {whose}")
        goes = self._excess(self.cards)
        self.need(body["goes"] == goes, f"by the house rules a card in excess is {goes}")
        self._by_the_pit(body, told)
        self.known = self.known or self._over(drawn)
        self.cards.owed += max(len(told) - len(drawn), 0)
        burned, back = _where(drawn[taken:], goes)
        shoe = self.cards
        shoe.order = [*shoe.order[: shoe.begin], *burned, *drawn[:taken]]
        shoe.begin += len(burned)
        held = [*shoe.known[:taken], *[None] * (taken - len(shoe.known))]
        shoe.known = [*held, *back, *shoe.known[len(drawn) :]]
        self.drawn = list(zip(whose, drawn[:taken], strict=True))
        self.phase = "dealing"
        self._lay_out()

    def _by_the_pit(self, body: Body, told: list[str]) -> None:
        """A complete coup is changed by two people, and the second has not dealt it; what the event
        says of the coups and of the money is so."""
        drawn, by = body["drawn"], body.get("by", [])
        complete = self.known or self.phase == "decided"
        changes = self.mistaken or (complete and drawn != told)
        number = self.round
        if changes:
            self.need(len(by) == 2, f"rectify {number}: one person changed a complete coup")
        else:
            self.need(not by, f"rectify {number}: two people, where the dealer does it alone")
        if len(by) == 2:
            self.mistaken = False
            self.need(by[1] not in self.dealers, f"rectify {number}: {by[1]} dealt the coup")
            self.people(f"rectify {number}", by, alone=False)
        for cards, name in ((told, "before"), (drawn, "after")):
            over = self._over(cards)
            (player, banker), _, _ = deal(self._tableau(), cards)
            facts = facts_of(player, banker, self._tableau()["naturals"]) if over else None
            written = self._written({"player": player, "banker": banker}, facts) if over else ""
            said = body.get(f"coup_{name}", "")
            self.need(said == written, f"the coup {name} is {written or 'open'}, not {said}")
            paid = body.get(f"paid_{name}", [])
            due = self.wagers if over and changes else {}
            whose = {one["player"] for one in paid}
            self.need(whose == due.keys(), f"money {name} is recorded for others than wagered")
            for one in paid:
                placed = due.get(one["player"], {"wagers": [], "agreed": []})
                nets = [
                    {**bet, "net": self._net(bet["bet"], bet["stake"], facts, placed["agreed"])}
                    for bet in placed["wagers"]
                ]
                self.compare_results(number, one["player"], nets, one["wagers"])

    def on_CoupDecided(self, body: Body) -> None:  # noqa: N802
        if self.by_hand:
            self._dealt_by(body)
            self.need(not self.doubts, "the coup was decided although a card was in doubt")
            words = "a device's card was called a mistake, and the pit did not confirm the coup"
            self.need(not self.mistaken, words)
            cards = [card for _, card in self.drawn]
            hands, whose, taken = deal(self._tableau(), cards)
            as_meant = [hand for hand, _ in self.drawn] == whose and taken == len(cards)
            self.need(as_meant, "the coup was decided although it is not what the tableau means")
            self.need(self._over(cards), "the coup was decided although a card is due")
            self.hands = {"player": list(hands[0]), "banker": list(hands[1])}
        super().on_CoupDecided(body)

    def on_RoundSettled(self, body: Body) -> None:  # noqa: N802
        wagers = self.wagers
        if self.by_hand and self.payer is not None:
            self._dealt_by(body)
            self.need(not self.doubts, "the round was settled although a card was in doubt")
            told = [card for _, card in self.drawn]
            settled = [card for hand in self.hands.values() for card in hand]
            self.need(sorted(told) == sorted(settled), "a card was drawn after the result")
            results = {one["player"]: one for one in body["results"]}
            kept = {
                number: one for number, one in self.correctable.items() if number in self.reports
            }
            begin, dealers = self.cards.begin, self.dealers
            past = Past(self.payer, wagers, results, self.cards, begin, told, dealers, self.round)
            self.correctable = {**kept, self.round: past}
            if self.round in self.disputed:
                self.kept.append(past)
                self.past[self.round] = PastRound(self.cards.rules, past.seen, wagers, results)
            self._coup_ended(len(told))
        super().on_RoundSettled(body)

    def on_RoundCancelled(self, body: Body) -> None:  # noqa: N802
        if self.by_hand:
            cards = [card for _, card in self.drawn]
            hands = deal(self._tableau(), cards)[0]
            self.hands = {"player": list(hands[0]), "banker": list(hands[1])}
            known = self.phase == "decided" or self.known
            self.need(not known or self.considered, "nobody considered to rectify the round")
            self.out = bool(self.dealers) or self.reported
            self.phase = "decided" if known else "open"  # it has no document
            self.reports.pop(self.round, None)
            self._coup_ended(len(cards))
        super().on_RoundCancelled(body)

    # ---- errors ----------------------------------------------------------------------------

    def on_DisputeDecided(self, body: Body) -> None:  # noqa: N802
        past = self.correctable.get(body["round"])
        final = past is None or (not past.in_time and body["round"] not in self.reports)
        self.need(final, "a dispute was decided while an error of the round could be put right")
        super().on_DisputeDecided(body)

    def on_ErrorReported(self, body: Body) -> None:  # noqa: N802
        number = body["round"]
        running = number == self.round and self.phase in ("dealing", "decided")
        settled = number in self.correctable and self.correctable[number].in_time
        self.need(running or settled, "an error was reported after the next coup's first card")
        self.reports.setdefault(number, set()).add(body["by"])

    def on_ReportDismissed(self, body: Body) -> None:  # noqa: N802
        self._decided_by_another(body, small=True)

    def on_RectificationConsidered(self, body: Body) -> None:  # noqa: N802
        self._in_phase(body, "dealing", "decided")
        self.need(self.phase == "decided" or self.known, "no result was known")
        self.considered = True

    def on_RoundCorrected(self, body: Body) -> None:  # noqa: N802
        past = self.correctable.get(body["round"])
        self._decided_by_another(body, small=body.get("alone") is None)
        if past is None:
            self.say("a round was corrected that stands")
            return
        drawn = body["drawn"]
        (player, banker), _, taken = deal(past.payer.tableau, drawn)
        self.need(body["excess"] == drawn[taken:], f"in excess was {drawn[taken:]}")
        facts = facts_of(player, banker, past.payer.tableau["naturals"])
        written = self._written({"player": player, "banker": banker}, facts)
        self.need(body["coup"] == written, f"the coup is {written}, not {body['coup']}")
        self.need(body["winner"] == facts["winner"], f"the winner is {facts['winner']}")
        told = {one["player"]: one for one in body.get("paid_before", ())}
        self.need(told == past.results, "the results before are not those that were settled")
        corrections = {one["player"]: one for one in body["corrections"]}
        results = {one["player"]: one for one in body["results"]}
        self.need(results.keys() == past.wagers.keys(), "corrected for others than had wagered")
        self.need(corrections.keys() <= past.wagers.keys(), "corrected for somebody else")
        for one, placed in past.wagers.items():
            self._correct(one, placed, past, facts, results.get(one), corrections.get(one))
        past.results = results
        if body["round"] in self.past:
            self.past[body["round"]].results = results
        self._reorder(past, drawn[:taken], drawn[taken:], body["goes"])

    def _reorder(self, past: Past, kept: list[str], excess: list[str], goes: str) -> None:
        """The cards of the shoe once a coup has taken others than it was told."""
        shoe = past.shoe
        here = past.in_time and not shoe.closed and self.phase == "ended"
        rule = self._excess(shoe) if here else "burned"
        self.need(goes == rule, f"by the house rules a card in excess is {rule}")
        burned, back = _where(excess, goes)
        size, end = len(past.cards), past.start + len(past.cards)
        more, follow = kept[size:], shoe.order[end:]
        if shoe is self.cards and not shoe.closed:
            shoe.owed += max(size - len(kept) - len(excess) - len(follow), 0)
        for card, followed in zip(more, follow, strict=False):
            self.need(followed in (None, card), f"{followed} followed in the shoe, not {card}")
        found: list[str | None] = [*more, *follow[len(more) :]]
        shoe.order = [*shoe.order[: past.start], *burned, *kept[:size], *found]
        shift = len(burned) + len(kept[:size]) - size
        others = {id(one): one for one in (*self.correctable.values(), *self.kept)}
        for one in others.values():
            if one.shoe is shoe and one.start > past.start:
                one.start += shift
        shoe.begin += shift if shoe.begin > past.start else len(burned)
        shoe.known = [*back, *shoe.known[max(len(more) - len(follow), 0) :]]
        past.start, past.cards = past.start + len(burned), kept

    def _correct(
        self,
        player: str,
        placed: Body,
        past: Past,
        facts: Any,
        told: Body | None,
        correction: Body | None,
    ) -> None:
        """A player's result again, and the money between the two."""
        nets = [
            {**one, "net": past.payer.net(one["bet"], one["stake"], facts, placed["agreed"])}
            for one in placed["wagers"]
        ]
        self.compare_results(past.number, player, nets, told["wagers"] if told else [])
        old, new = (
            _split(sum(one["stake"] + (one["net"] or 0) for one in wagers), placed)
            for wagers in (past.results[player]["wagers"], nets)
        )
        moved = correction or {"real": 0, "bonus": 0, "short": 0, "short_bonus": 0}
        purse, _, bank = own_money(player)
        errors = "house/play-errors" if purse == "play" else "house/errors"
        for held, source, lost, at in (
            (purse, bank, errors, 0),
            ("bonus", "house/bonus", "house/bonus-errors", 1),
        ):
            coins = moved["bonus"] if at else moved["real"]
            short = moved["short_bonus"] if at else moved["short"]
            owed = new[at] - old[at]
            right = coins - short == owed and short >= 0 and (short == 0 or coins <= 0)
            words = f"{player} is owed {money(owed)} of {held} money, and {money(coins)} were moved"
            self.need(right, f"round {past.number}: {words}")
            self.move(player, f"player:{player}/{held}", coins)
            self.move(player, lost, -short)
            self.move(player, source, short - coins)
        self.returned += sum(new) - sum(old)

    def _decided_by_another(self, body: Body, *, small: bool) -> None:
        """By nobody who reported it, and by two where who dealt it decides or much is moved."""
        past = self.correctable.get(body["round"])
        dealers = past.dealers if past else self.dealers
        people = [name for name in (body.get("first"), body["by"]) if name]
        alone = small and body["by"] not in dealers
        self.people(f"correct {body['round']}", people, alone=alone)
        reporters = self.reports.pop(body["round"], set())
        others = reporters and not reporters & set(people)
        self.need(others, "not somebody else had reported an error of this round")

    # ---- what several of them need ---------------------------------------------------------

    def _excess(self, shoe: RealShoe) -> str:
        """Where a card too many goes."""
        back = self.house_rules.get("excess") == "returned" and DECLARED in shoe.rules
        return "returned" if back else "burned"

    def _coup_ended(self, cards: int) -> None:
        self.cards.known, self.cards.dealing = self.cards.known[cards:], False

    def _by_its_dealer(self, body: Body) -> None:
        named = body.get("dealer") == self.dealer != ""
        self.need(named, f"{self.dealer!r} has the table, not {body.get('dealer')!r}")

    def _dealt_by(self, body: Body) -> None:
        self._by_its_dealer(body)
        self.dealers.add(body["dealer"])

    def _tableau(self) -> Any:
        empty: dict[str, list[Any]] = {"naturals": [], "player_draws": [], "banker_draws": []}
        return self.payer.tableau if self.payer else empty

    def _over(self, cards: list[str]) -> bool:
        """Do the cards finish a coup?"""
        return deal(self._tableau(), [*cards, "As"])[2] <= len(cards)

    def _lay_out(self) -> None:
        self.hands = {
            side: [card for to, card in self.drawn if to == side] for side in ("player", "banker")
        }


def _where(excess: list[str], goes: str) -> tuple[list[str], list[str]]:
    """Cards in excess: those that are burned, those that are next in the shoe."""
    return (excess, []) if goes == "burned" else ([], excess)


def _split(back: int, placed: Body) -> tuple[int, int]:
    """Own and bonus money of what comes back."""
    total = sum(one["stake"] for one in placed["wagers"])
    bonus = back * placed["bonus"] // total
    return back - bonus, bonus
