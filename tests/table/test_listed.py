"""Ambiguities that the house lists after a dispute: open, decided for the player, resolved."""

from dataclasses import dataclass
from textwrap import dedent

import pytest

from baccarat.auditor import audit, read_store
from baccarat.house import jobs
from baccarat.house.jobs import NO_SENDER, Sender
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.disputes.case import case_of
from baccarat.table.disputes.listed import Source
from baccarat.table.four_eyes.subjects import Ambiguity
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import with_ambiguity
from support.disputes import FRAGMENT
from support.documented import ROOT
from support.live import FAST, settings_for
from support.stores import Evening, new_database
from support.tampering import rewritten

QUESTION = "May the house keep a Player bet when the banker wins?"
REPLAYED = (("L1", "returned"),)


@dataclass
class Dispute:
    """A table at which a player disputes rounds."""

    evening: Evening

    @classmethod
    def at(cls, address: str) -> "Dispute":
        evening = Evening(SqlStore.open(address), settings_for(clock=FAST))
        return cls(evening.open(ann=500_000, bob=1))

    def lost(self, words: str = "the sign says so", cites: str = "") -> int:
        """Lose a round and dispute it; return its number."""
        evening = self.evening
        while True:
            evening.until("open")
            evening.do(evening.wager("ann", ("player", 2000)))
            evening.until("settled")
            number = evening.state.round.number
            evening.step()
            if self.case(number).result.net < 0:
                self.do(c.OpenDispute(number, "ann", words, cites))
                return number

    def case(self, number: int):
        entries = history.entries_around(self.evening.store, "table:one", number)
        return case_of([e.decode(entry.body) for entry in entries], number, "ann")

    def job(self, command: c.OfDispute):
        shoe = history.shoe_around(self.evening.store, "table:one", command.round)
        return self.evening.job(command, shoe=shoe)

    def do(self, command: c.OfDispute):
        return self.evening.do(self.job(command)).events

    def listing(self, number: int, fragment: str = "", by: str = "pit"):
        source, rules = Source("one", number, "ann"), self.case(number).rules
        return jobs.list_ambiguity(source, rules, QUESTION, fragment, by, self.evening.clock)

    def resolving(self, by: str, name: str = "L1", sender: Sender = NO_SENDER):
        clock = self.evening.clock
        return jobs.resolve_listed(name, "The sign is new.", by, clock, sender=sender)

    def resolve(self) -> None:
        self.evening.now += 5_000  # later than the last settled round by any clock
        self.evening.do(self.resolving("pit"))
        self.evening.do(self.resolving("boss"))
        self.evening.now += 5_000

    def findings(self) -> list[str]:
        address = self.evening.store.engine.url.render_as_string(hide_password=False)
        return audit(read_store(address)).findings

    def balance(self) -> int:
        return self.evening.store.balance("player:ann/real")


def answer(number: int, amount: int = 0, by: str = "pit") -> c.AnswerDispute:
    return c.AnswerDispute(number, "ann", amount, "We looked at the sign.", by)


def decision(number: int, readings=REPLAYED, by: str = "pit") -> c.DecideDispute:
    return c.DecideDispute(number, "ann", readings, 100_000, "It was not clear.", by)


def refused(place: Dispute, job) -> str:
    with pytest.raises(Refused) as found:
        place.evening.do(job)
    return found.value.message.key.removeprefix("refusal-")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    sqlite = request.param == "sqlite"
    found = Dispute.at(
        f"sqlite:///{tmp_path}/house.db"
        if sqlite
        else new_database(request.getfixturevalue("server"))
    )
    yield found
    found.evening.store.close()


@pytest.fixture
def local(tmp_path):
    found = Dispute.at(f"sqlite:///{tmp_path}/house.db")
    yield found
    found.evening.store.close()


@pytest.mark.requirement("R46")
def test_r46_a_listed_ambiguity_is_paid_until_two_people_resolve_it(place):
    first = place.lost()
    listed = place.evening.do(place.listing(first)).events[0]
    assert (listed.ambiguity, listed.card, listed.round) == ("L1", "punto-banco", first)
    assert refused(place, place.listing(first)) == "already-listed"
    assert refused(place, place.job(answer(first))) == "answer-must-pay"
    assert refused(place, place.job(decision(first, ()))) == "nothing-to-replay"
    assert isinstance(place.do(answer(first, 300))[0], e.ActionProposed)
    before = place.balance()
    place.do(answer(first, 300, "boss"))
    assert place.balance() == before + 300
    cited, other = place.lost(cites="L1"), place.lost()
    assert refused(place, place.job(answer(cited))) == "answer-must-pay"
    place.do(answer(other))  # it is not about the ambiguity
    place.resolve()
    assert refused(place, place.job(answer(cited))) == "answer-must-pay"  # it was open then
    place.do(answer(cited, 1))
    place.do(answer(cited, 1, "boss"))
    later = place.lost()
    asked = c.OpenDispute(later, "ann", "again", "L1")
    assert refused(place, place.job(asked)) == "already-disputed"
    place.do(answer(later))
    assert place.findings() == []


@pytest.mark.requirement("R46")
def test_r46_readings_that_can_be_replayed_are_paid_by_replay(place):
    first, second = place.lost(), place.lost("the same")
    assert refused(place, place.job(decision(first))) == "nothing-to-replay"
    place.evening.do(place.listing(first, FRAGMENT))
    assert refused(place, place.job(answer(first))) == "answer-below-replay"
    assert refused(place, place.job(answer(second, 1_999))) == "answer-below-replay"
    assert refused(place, place.job(decision(first, (("L1", "loses"),)))) == "not-best"
    for number in (first, second):  # also a dispute opened before the listing
        before = place.balance()
        (proposed,) = place.do(decision(number))  # the house wrote the readings itself
        assert isinstance(proposed, e.ActionProposed)
        assert place.balance() == before
        decided = place.do(decision(number, by="boss"))[0]
        assert (decided.listed, decided.readings) == (("L1",), REPLAYED)
        assert place.balance() == before + 2000
    place.resolve()
    later = place.lost()
    assert refused(place, place.job(decision(later))) == "nothing-to-replay"
    (answered,) = place.do(answer(later))
    assert answered.listed == ()
    assert place.findings() == []


@pytest.mark.requirement("R46")
def test_r46_a_decision_and_a_resolution_in_one_commit_apply_in_order(place):
    """Open ambiguities are read inside the commit: its order decides, and the auditor agrees."""
    number = place.lost()
    place.evening.do(place.listing(number, FRAGMENT))
    place.evening.do(place.resolving("pit"))
    place.do(decision(number))
    second = place.job(decision(number, by="boss"))
    together = [place.job(answer(number)), place.resolving("boss"), second]
    low, resolved, decided = place.evening.store.commit(together)
    assert isinstance(low, Refused)
    assert resolved.events
    assert decided.events[0].listed == ("L1",)  # the round was settled while it was open
    other = place.lost()
    both = place.evening.store.commit([place.listing(other), place.job(answer(other))])
    assert both[0].events[0].ambiguity == "L2"
    assert both[1].message.key == "refusal-answer-must-pay"
    assert place.findings() == []


@pytest.mark.requirement("R46", "G38")
def test_r46_two_people_resolve_a_listed_ambiguity(place):
    number = place.lost()
    assert refused(place, place.resolving("pit")) == "not-open-in-house"
    place.evening.do(place.listing(number))
    (proposal,) = place.evening.do(place.resolving("pit")).events
    assert (proposal.subject, proposal.terms.question) == (Ambiguity("L1"), QUESTION)
    assert refused(place, place.resolving("pit")) == "own-proposal"
    resolved, ended = place.evening.do(place.resolving("boss")).events
    assert (resolved.first, resolved.by, ended.why) == ("pit", "boss", e.ProposalEnd.DONE)
    assert refused(place, place.resolving("boss")) == "not-open-in-house"
    (known,) = history.listed(place.evening.store)
    assert (known.resolution, known.resolved_by) == ("The sign is new.", ("pit", "boss"))


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('status = "open"', 'status = "resolved"\nresolution = "so"', "status"),
        ('in_force = "loses"', 'in_force = "returned"', "as it was played"),
        ('in_force = "loses"', 'in_force = "nix"', "nix"),
        ('bets = ["player"]', "", "governs nothing"),
        ('bets = ["player"]', 'bets = ["nix"]', "nix"),
        ("[[ambiguity]]", "[ambiguity]", "exactly one"),
        ('id = "any-name"', 'id = "any-name"\nsisters = ["/etc/passwd"]', "sisters"),
        ("[[ambiguity]]", 'name = "x"\n[[ambiguity]]', "exactly one"),
        ('"stand-off"', '"stand-', "TOML"),
    ],
)
def test_only_readings_that_fit_the_card_are_listed(old, new, fault, local):
    number = local.lost()
    with pytest.raises(Refused) as found:
        local.evening.do(local.listing(number, FRAGMENT.replace(old, new, 1)))
    assert found.value.code is Code.BAD_SETTINGS
    assert fault in found.value.message.values["fault"]


def test_a_listed_ambiguity_leaves_the_rules_of_the_shoe_as_they_are(local):
    number = local.lost()
    before = local.case(number).rules
    local.evening.do(local.listing(number, FRAGMENT))
    assert local.case(number).rules == before
    assert with_ambiguity(before, "L1", FRAGMENT) != before


# ---- the auditor --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Return a house with L1 as text and L2 with replays, paid and resolved; a later answer."""
    address = f"sqlite:///{tmp_path_factory.mktemp('listed')}/house.db"
    place = Dispute.at(address)
    first = place.lost()
    place.evening.do(place.listing(first))
    second = place.lost()
    place.evening.do(place.listing(second, FRAGMENT))
    place.evening.now += 5_000
    place.do(decision(second, (("L2", "returned"),)))
    place.do(decision(second, (("L2", "returned"),), "boss"))
    place.do(answer(first, 2_000))
    place.do(answer(first, 2_000, "boss"))
    place.resolve()
    place.evening.do(place.resolving("pit", "L2"))
    place.evening.do(place.resolving("boss", "L2"))
    place.evening.now += 5_000
    place.do(answer(place.lost()))
    place.evening.store.close()
    return read_store(address)


def _set(kind: str, **values):
    def changed(_stream, bodies):
        for body in bodies:
            if body["type"] == kind:
                body.update(values)

    return changed


@pytest.mark.requirement("R46", "G38")
@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (_set("DisputeDecided", listed=[]), "L2 was open, but was not replayed"),
        (_set("DisputeDecided", listed=["L9"]), "L9 was not an open ambiguity"),
        (_set("DisputeDecided", readings=[["L2", "loses"]]), "gives"),
        (_set("DisputeDecided", by=["boss"]), "only one person decided it"),
        (_set("DisputeAnswered", amount=0), "although L1 was open"),
        (_set("DisputeAnswered", amount=100), "is owed at least"),
        (_set("DisputeAnswered", by=["boss"]), "only one person decided it"),
        (_set("AmbiguityListed", by="ann"), "only an active pit account may do"),
        (_set("ListedAmbiguityResolved", first=""), "only one person decided it"),
        (_set("ListedAmbiguityResolved", ambiguity="L7"), "L7 was not open"),
    ],
)
def test_the_auditor_finds_changed_ambiguities(change, finding, rows):
    assert audit(rows).findings == []
    found = audit(rewritten(rows, change)).findings
    assert any(finding in one for one in found), found


def test_the_readings_in_the_guide_can_be_listed():
    guide = (ROOT / "docs/guides/disputes.md").read_text(encoding="utf-8")
    fragment = dedent(guide.partition("  ```toml\n")[2].partition("  ```")[0])
    rules = settings_for().rules
    assert with_ambiguity(rules, "L1", fragment) != rules
