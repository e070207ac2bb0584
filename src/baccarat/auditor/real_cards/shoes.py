"""Checks the dealers and the shoes of a table with real cards."""

from collections import Counter
from dataclasses import dataclass, field

from baccarat.auditor.books import Body, Moves
from baccarat.auditor.coups import points
from baccarat.auditor.real_cards.shoe import Coup, RealShoe
from baccarat.auditor.table import TableBooks

FROZEN = frozenset(
    {
        *("WagersPlaced", "RoundOpened", "BettingClosed", "CardPlaced", "BurnedByHand"),
        *("CutCardShown", "CoupDecided", "RoundSettled", "ShoeBegun", "ShoeClosed"),
        *("CardExplained", "FloorCalled"),
    }
)
"""Events that cannot happen between a dealer's call for the floor and the pit's answer."""
FOREVER = 1 << 62


@dataclass
class ShoeBooks(TableBooks):
    """Checks who deals at a table with real cards, and from which shoes."""

    dealer: str = ""
    called: str = ""
    """The dealer who called the floor, until the pit answers."""
    cards: RealShoe = field(default_factory=RealShoe)
    coup: Coup = field(default_factory=Coup)
    alarms: list[str] = field(default_factory=list)
    disputed_reading: tuple[str | None, str] | None = None
    """The card that was entered and the one that was read, if a dispute must follow."""
    must_freeze: bool = False
    """Whether the next event must freeze the table."""
    deck_set: str = ""
    """The deck set in the last shoe, if it was recorded."""
    prepared: int = 0
    """Entry of the house's journal that recorded its count and shuffle."""
    begun_at: int = 0

    def check_event(self, sequence: int, kind: str, body: Body) -> Moves:
        alone = kind == "CoupRectified" and not body.get("by")
        frozen = self.called and (kind in FROZEN or alone)
        self.check(not frozen, f"{kind} while the table was frozen by a call for the floor")
        missed = self.disputed_reading and kind != "ReadingDisputed"
        self.check(not missed, "a card that the shoe read differently was not disputed")
        self.disputed_reading = self.disputed_reading if not missed else None
        freezes, self.must_freeze = self.must_freeze, False
        self.check(not freezes or kind == "FloorCalled", "a disputed card did not freeze the table")
        return super().check_event(sequence, kind, body)

    def on_DealerChanged(self, body: Body) -> None:
        before, dealer, by = self.dealer, body["dealer"], body.get("by", "")
        self.check(body["before"] == before, f"the dealer at the table was {before!r}")
        pit = self._in_pit(by)
        self.check(not self.called or pit, "the dealer changed while the table was frozen")
        self.check_assigned(dealer)
        if before and not dealer:
            self.check(by == before and self.phase == "ended", f"{before!r} left during a round")
        elif before and by != dealer:
            asked, until = self.open_proposals.get(f"hand-over {dealer}", ("", 0))
            self.check(asked == dealer and self.at < until, f"{dealer!r} did not ask for the table")
        if before and dealer:
            ok = (by == before) or pit
            self.check(ok, f"{by!r}, who is not in the pit, handed over the table of {before!r}")
        for subject in [
            subject for subject in self.open_proposals if subject.startswith("hand-over ")
        ]:
            del self.open_proposals[subject]
        self.dealer = dealer

    def on_FloorCalled(self, body: Body) -> None:
        self._by_its_dealer(body)
        self.called = body["dealer"]

    def on_FloorAnswered(self, body: Body) -> None:
        by = body["by"]
        self.check(self.called, "a call for the floor was answered, but nobody had called")
        self.check(by not in (self.called, self.dealer), f"{by!r} answered their own call")
        self.check(self._in_pit(by), f"{by!r}, who is not in the pit, answered a call")
        self.called = ""

    def on_ShoeBegun(self, body: Body) -> None:
        self._by_its_dealer(body)
        self.begun_at = body["at"]
        words = "the rules of the shoe are not the table's"
        self.begin_shoe(body, words, free=not self.by_hand)
        self.by_hand, self.alarms = True, []
        # Cards of the last shoe must still be burned, in case the new shoe was not shuffled.
        owed = self.cards.owed + len(self.cards.known)
        facts = (body["shoe"], body["decks"], self.rules)
        self.cards = RealShoe(*facts, owed=owed, shuffler=body.get("shuffler", False))
        machine = self.settings.get("shuffler") is True
        self.check(self.cards.shuffler == machine, "it says wrongly whether a machine shuffles")
        decks = self.game.parameters.get("decks", body["decks"]) if self.game else None
        self.check(decks == body["decks"], f"the rules require {decks} decks, not {body['decks']}")
        self.deck_set, self.prepared = body.get("deck_set", ""), body.get("prepared", 0)
        needed = self.settings.get("deck_sets") is True
        self.check(self.deck_set or not needed, "a shoe was begun without a deck set")
        if self.deck_set and self.house_read:
            self.report_all(self.deck_log.begin(self.table, body))

    def on_BurnedByHand(self, body: Body) -> None:
        self._by_its_dealer(body)
        exposed = body["reason"] == "exposed"
        before_coup = self.phase == "open" or (self.phase == "dealing" and not self.coup.drawn)
        between = self.phase == "ended" or (exposed and before_coup)
        self.check(self.by_hand and between, "cards were burned during a coup")
        chosen = exposed and self.phase == "dealing" and self.coup.exposed
        self.check(not chosen, "a second card was called exposed after betting had closed")
        self.coup.exposed += exposed
        shoe, count, shown = self.cards, body["count"], body["shown"]
        self.check(len(shown) <= count, "more cards were shown than burned")
        least = shoe.owed + len(shoe.known) if shoe.owed and not exposed else 1
        shoe.burned = (len(shoe.order), count, shown, least)
        shoe.first_card = body["reason"] == "after-shuffle"
        if exposed and shoe.known[:1] not in ([], [None], shown):
            shoe.readings.enter(shown)
            shoe.order += shown  # the card that was taken back is still the next one
            return
        if not exposed and shoe.owed:
            left = shoe.full_decks.total() - len(shoe.order)
            least = min(shoe.owed + len(shoe.known), left)
            self.check(count >= least, f"at least {least} cards had to be burned, not {count}")
            shoe.owed = 0
        shoe.burn(count, shown)

    def on_BurnCorrected(self, body: Body) -> None:
        """Check who corrected the cards burned last, and how many had to be burned."""
        shoe, shown = self.cards, body["shown"]
        if not self.check(shoe.burned, "no cards were burned") or shoe.burned is None:
            return
        start, count, before, least = shoe.burned
        self.check(body["entered"] == before, f"the burned cards had been entered as {before}")
        followed = len(shoe.order) > start + count
        self._undone_by(body, alone=not followed)
        due = count
        if shoe.first_card and self.settings.get("burn") == "first-card" and shown:
            by_rule = 1 + (points(shown[0]) or 10)
            due = min(max(least, by_rule), shoe.full_decks.total() - start)
        self.check(body["count"] == due, f"{due} cards had to be burned, not {body['count']}")
        self.check(not followed or due == count, "cards have left the shoe since the burn")
        if not followed:
            shoe.readings.change(count, [*shown, *[None] * (body["count"] - len(shown))])
        shoe.order[start : start + count] = [*shown, *[None] * (body["count"] - len(shown))]
        shoe.burned = (start, body["count"], shown, least)

    def on_CardRead(self, body: Body) -> None:
        """Check a card that the electronic shoe read against the card that the dealer entered."""
        self._by_its_dealer(body)
        due = self.cards.readings.read + 1
        self.check(body["number"] == due, f"reading {body['number']} is not number {due}")
        entered, card = self.cards.readings.take()
        self.check(body["entered"] == entered, "it says wrongly whether the card was entered")
        if card not in (None, body["card"]):
            self.disputed_reading = (card, body["card"])

    def on_ReadingDisputed(self, body: Body) -> None:
        self._by_its_dealer(body)
        found, self.disputed_reading = self.disputed_reading, None
        said = (body["entered"], body["read"])
        entered_later = found is None and body["read"] in self.coup.cards and said[0] != said[1]
        self.check(found == said or entered_later, "the shoe and the dealer did not disagree")
        self.must_freeze = not self.called

    def on_CutCardShown(self, body: Body) -> None:
        if self.by_hand:
            self._by_its_dealer(body)
            self.check(not self.cards.shuffler, "a shuffling machine has no cut card")
            self.cards.cut_after = self._complete_coups()

    def on_CutCardTakenBack(self, body: Body) -> None:
        """Check who took back the cut card: only the pit may do so once a coup is completed."""
        self.check(self.cards.cut_after is not None, "the cut card was not out")
        self._undone_by(body, alone=self._complete_coups() == self.cards.cut_after)
        self.cards.cut_after = None

    def _complete_coups(self) -> int:
        return self.cards.coups + (self.coup.known and self.phase != "ended")

    def _undone_by(self, body: Body, *, alone: bool) -> None:
        """Check that an entry was undone by the dealer, where that is allowed, or by the pit."""
        by = body["by"]
        alone = alone and not self.called and self.settings.get("inspector") is not True
        allowed = alone if by == self.dealer else self._in_pit(by)
        self.check(allowed, f"{by!r} changed an entry that only the pit may change")

    def on_AlarmRaised(self, body: Body) -> None:
        self.alarms.append(body["alarm"])

    def on_ShoeClosed(self, body: Body) -> None:
        self._by_its_dealer(body)
        shoe = self.cards
        self.check(self.by_hand and body["shoe"] == shoe.name, "another shoe was closed")
        self.check(self.phase == "ended", "a shoe ended during a round")
        seen = Counter(card for card in shoe.order if card) + Counter(body["rest"] or ())
        surplus = seen - shoe.full_decks
        lacking = shoe.full_decks - seen if body["rest"] is not None else Counter()
        counted = (
            ("surplus", surplus, "extra cards in"),
            ("lacking", lacking, "cards missing from"),
        )
        for name, cards, words in counted:
            self.check(Counter(body[name]) == cards, f"the {words} the shoe are {dict(cards)}")
        words = f"{seen.total()} cards were seen, not {body['seen']}"
        self.check(body["seen"] == seen.total(), words)
        wrong = surplus or lacking
        self.check(
            not wrong or "does-not-add-up" in self.alarms, "a shoe with wrong cards raised no alarm"
        )
        self.by_hand, self.shoes, shoe.closed = False, self.shoes + 1, True
        self._end_use(body["at"])

    def finish(self) -> None:
        super().finish()
        if self.by_hand:
            self._end_use(FOREVER)

    def _end_use(self, at: int) -> None:
        """Check that nobody prepared the deck set for another shoe while it was in this one."""
        if self.deck_set and self.house_read:
            found = self.deck_log.elsewhere(self.deck_set, self.prepared, self.begun_at, at)
            self.report_all(found)

    def _in_pit(self, account: str) -> bool:
        return not self.house_read or self.staff.get(account, ("", ""))[0] == "pit"

    def _by_its_dealer(self, body: Body) -> None:
        named = body.get("dealer") == self.dealer != ""
        self.check(
            named, f"the dealer at the table was {self.dealer!r}, not {body.get('dealer')!r}"
        )
