"""Deck sets: counted and shuffled by two people for one shoe, in one place, never once retired."""

import pytest

from baccarat.auditor import Rows, audit
from baccarat.core.cards import parse_cards
from baccarat.house import jobs
from baccarat.house.cards import decks
from baccarat.store import history
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.events import CutBy
from baccarat.table.refusals import Code, Refused
from support.by_hand import DEALER, HandHouse, hand_settings
from support.simulated_house import rows_of
from support.tampering import rechained, set_fields, tampered

SERIALS = ("A1", "A2")


class DeckHouse(HandHouse):
    """A house with a table that needs a deck set for every shoe, and one red set of two decks."""

    def __post_init__(self) -> None:
        for name in ("hand", "other"):
            settings = hand_settings(decks=2, deck_sets=True)
            self.at(name, c.OpenTable(name, settings), c.TakeTable(DEALER))
        self.receive("red", SERIALS)

    def at(self, table: str, *commands: c.Command) -> None:
        for command in commands:
            self.now += 1
            self.commit(jobs.at_table(table, command, self.clock))
        self.state = self.store.state("table:hand")

    def receive(self, name: str, serials) -> None:
        self.commit(decks.receive(name, "red", serials, "pit", self.clock))

    def last(self, name: str = "red") -> str:
        known = history.deck_sets(self.store).get(name)
        return known.table if known else ""

    def prepare(self, name="red", table="hand", cards=104, shuffled_by=DEALER, by="pit") -> None:
        self.now += 1
        facts = (name, table, cards, shuffled_by, by)
        self.commit(decks.prepare(*facts, self.clock, last=self.last(name)))

    def retire(self, name: str = "red") -> None:
        self.now += 1
        self.commit(decks.retire(name, "worn", "pit", self.clock, last=self.last(name)))

    def begin(self, table: str = "hand", name: str = "red") -> None:
        self.at(table, c.BeginShoe(DEALER, bytes(16), name, CutBy.PLAYER))


def why(call, *args, **named) -> str:
    with pytest.raises(Refused) as refused:
        call(*args, **named)
    return refused.value.message.key.removeprefix("refusal-")


def test_a_shoe_is_begun_with_a_set_that_was_counted_and_shuffled_for_it():
    house = DeckHouse()
    assert why(house.at, "hand", c.BeginShoe(DEALER, bytes(16))) == "deck-set-needed"
    assert why(house.begin) == "deck-set-elsewhere"
    house.prepare()
    house.begin()
    (begun,) = history.events_of(house.store, "table:hand", e.ShoeBegun)
    assert (begun.deck_set, begun.cut_by) == ("red", CutBy.PLAYER)
    assert history.deck_sets(house.store)["red"].prepared == begun.prepared
    assert house.audited() == []


def test_the_cards_are_counted_again_before_the_next_shoe():
    house = DeckHouse()
    house.prepare()
    house.begin()
    house.at("hand", c.CloseShoe(DEALER))
    assert why(house.begin) == "deck-set-not-counted"
    house.prepare()
    house.begin()
    assert house.audited() == []


def test_a_set_is_in_one_place():
    house = DeckHouse()
    house.prepare()
    assert why(house.begin, "other") == "deck-set-elsewhere"
    house.begin()
    assert why(house.prepare, table="other") == "deck-set-in-shoe"
    assert why(house.retire) == "deck-set-in-shoe"
    house.at("hand", c.CloseShoe(DEALER))
    house.prepare(table="other")
    assert why(house.begin) == "deck-set-elsewhere"
    house.begin("other")
    assert house.audited() == []


def test_a_retired_set_is_not_used_again():
    house = DeckHouse()
    house.prepare()
    house.retire()
    assert why(house.begin) == "deck-set-retired"
    assert why(house.prepare) == "deck-set-retired"
    assert house.audited() == []


@pytest.mark.parametrize(
    ("prepared", "key"),
    [
        ({"cards": 103}, "cards-missing"),
        ({"shuffled_by": "pit"}, "shuffled-and-counted"),
        ({"shuffled_by": "till"}, "role"),
        ({"by": DEALER, "shuffled_by": "pit"}, "role"),
        ({"name": "blue"}, "no-deck-set"),
    ],
)
def test_one_person_counts_all_the_cards_and_another_shuffles_them(prepared, key):
    assert why(DeckHouse().prepare, **prepared) == key


def test_a_deck_is_in_one_set_and_a_set_fits_the_game():
    house = DeckHouse()
    assert why(house.receive, "red", ("B1",)) == "deck-set-known"
    assert why(house.receive, "blue", ("A2", "B1")) == "serial-known"
    assert why(house.receive, "blue", ("B1", "B1")) == "serial-known"
    house.receive("blue", ("B1",))
    house.prepare("blue", cards=52)
    assert why(house.begin, name="blue") == "deck-set-size"


def test_a_changed_card_is_logged_with_its_reason():
    house = DeckHouse()
    (card,) = parse_cards("8h")
    house.commit(decks.change_card("red", card, "S9", "bent", "pit", house.clock, last=""))
    (change,) = history.deck_sets(house.store)["red"].changes
    assert (change.card, change.serial, change.words, change.by) == (card, "S9", "bent", "pit")
    nothing = decks.change_card("red", card, "S9", " ", "pit", house.clock, last="")
    assert why(house.commit, nothing) == "explain-in-words"
    assert house.audited() == []


def test_a_set_that_moved_meanwhile_is_looked_at_again():
    house = DeckHouse()
    house.prepare()
    stale = decks.retire("red", "worn", "pit", house.clock, last="")
    with pytest.raises(Refused) as refused:
        house.commit(stale)
    assert refused.value.code is Code.STALE_VIEW


def used() -> DeckHouse:
    """Return a house in which the red set was used for a shoe that is closed, and one begun."""
    house = DeckHouse()
    house.prepare()
    house.begin()
    house.at("hand", c.CloseShoe(DEALER))
    house.now += 1
    house.prepare()
    house.begin()
    return house


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"prepared": lambda _: 999}, "not counted for this shoe"),
        ({"deck_set": "", "prepared": 0}, "a shoe was begun without a deck set"),
        ({"cut_by": None}, "nobody cut the cards"),
        ({"deck_set": "blue"}, "not counted for this shoe"),
    ],
)
def test_the_audit_finds_a_shoe_without_a_count(change, finding):
    assert any(finding in found for found in tampered(used(), set_fields("ShoeBegun", **change)))


def test_the_audit_finds_cards_that_were_not_counted_since_the_last_shoe():
    first = []

    def same(kind: str, body: dict) -> None:
        if kind == "ShoeBegun":
            first.append(body["prepared"])
            body["prepared"] = first[0]

    assert any("not counted since" in found for found in tampered(used(), same))


def house_tampered(house: HandHouse, change) -> list[str]:
    """Return the auditor's findings for a changed house journal with recomputed hashes."""
    rows = rows_of(house.engine)
    entries, heads = rechained(rows, "house", change)
    return audit(Rows(entries, heads, rows.postings, rows.balances)).findings


@pytest.mark.parametrize(
    ("kind", "values", "finding"),
    [
        ("DeckSetPrepared", {"cards": 103}, "103 cards were counted, but the set has 104"),
        ("DeckSetPrepared", {"shuffled_by": "pit"}, "counted and shuffled the same cards"),
        ("DeckSetPrepared", {"shuffled_by": "till"}, "may not shuffle"),
        ("DeckSetPrepared", {"by": DEALER}, "only an active pit account"),
        ("DeckSetPrepared", {"table": "other"}, "not counted for this shoe"),
        ("DeckSetReceived", {"deck_set": "blue"}, "deck set red was never received"),
        ("DeckSetReceived", {"serials": ["A1"]}, "does not have 2 decks"),
    ],
)
def test_the_audit_recomputes_the_deck_log(kind, values, finding):
    found = house_tampered(used(), set_fields(kind, **values))
    assert any(finding in one for one in found), found


def test_the_audit_finds_a_retired_set_in_use():
    house = used()
    house.at("hand", c.CloseShoe(DEALER))
    house.retire()
    early = set_fields("DeckSetRetired", at=1)
    found = house_tampered(house, early)
    assert sum("had been retired" in one for one in found) == 2  # one for each shoe


def test_the_audit_finds_a_set_at_two_tables():
    house = DeckHouse()
    house.prepare()
    house.begin()
    house.now += 1
    house.receive("blue", ("B1", "B2"))
    house.prepare("blue", table="other")
    found = house_tampered(house, set_fields("DeckSetPrepared", deck_set="red"))
    assert any("was prepared for other while it was in use here" in one for one in found), found
