"""Ambiguities that the house lists after a dispute: open, decided for the player, resolved."""

import json
from dataclasses import dataclass
from functools import partial
from itertools import product
from textwrap import dedent

import pytest

from baccarat.auditor import audit, read_store
from baccarat.auditor.rules import fits_listed
from baccarat.core.errors import BaccaratError
from baccarat.house import ambiguities, jobs
from baccarat.house.outcomes import DecisionContext
from baccarat.house.safety.profiles import default_conduct
from baccarat.loader import built_in_cards, load
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.disputes.case import case_of
from baccarat.table.disputes.listed import Listed, Source, replayable
from baccarat.table.four_eyes.subjects import Ambiguity, Listing
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import rules_text, with_ambiguity
from support.disputes import FRAGMENT, SMUDGED
from support.documented import ROOT
from support.live import FAST, settings_for
from support.stores import Evening, new_database
from support.tampering import rewritten, set_all

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
        asked = {"source": source, "rules": rules, "question": QUESTION, "fragment": fragment}
        decide = partial(ambiguities.list_ambiguity, **asked, by=by)
        return jobs.about_listed(by, self.evening.clock, decide)

    def list_replayed(self, number: int, fragment: str = FRAGMENT) -> e.Event:
        """List an ambiguity with readings, which takes two people."""
        self.evening.do(self.listing(number, fragment))
        return self.evening.do(self.listing(number, fragment, "boss")).events[0]

    def resolving(self, by: str, name: str = "L1", words: str = "The sign is new."):
        decide = partial(ambiguities.resolve, name=name, words=words, by=by)
        return jobs.about_listed(by, self.evening.clock, decide)

    def withdrawing(self, by: str, name: str = "L1", words: str = "There is no such sign."):
        decide = partial(ambiguities.withdraw, name=name, words=words, by=by)
        return jobs.about_listed(by, self.evening.clock, decide)

    def by_two(self, job, name: str = "L1") -> None:
        """Let two people resolve or withdraw an ambiguity."""
        self.evening.now += 5_000  # later than everything before, by any clock
        self.evening.do(job("pit", name))
        self.evening.do(job("boss", name))
        self.evening.now += 5_000

    def findings(self) -> list[str]:
        address = self.evening.store.engine.url.render_as_string(hide_password=False)
        return audit(read_store(address)).findings

    def balance(self) -> int:
        return self.evening.store.balance("player:ann/real")


SIGN = "We looked at the sign."


def answer(number: int, amount: int = 0, by: str = "pit", words: str = SIGN) -> c.AnswerDispute:
    return c.AnswerDispute(number, "ann", amount, words, by)


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
    place.do(answer(other))  # it is not about the ambiguity
    place.by_two(place.resolving)
    assert isinstance(place.do(answer(cited))[0], e.ActionProposed)  # it was open then
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
    place.list_replayed(first)
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
    place.by_two(place.resolving)
    later = place.lost()
    assert refused(place, place.job(decision(later))) == "nothing-to-replay"
    (answered,) = place.do(answer(later))
    assert answered.listed == ()
    assert place.findings() == []


@pytest.mark.requirement("R46")
def test_r46_a_decision_and_a_resolution_in_one_commit_apply_in_order(place):
    """Open ambiguities are read inside the commit: its order decides, and the auditor agrees."""
    number = place.lost()
    place.list_replayed(number)
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


@pytest.mark.requirement("R46")
@pytest.mark.parametrize("decided_first", [True, False])
def test_r46_a_decision_and_a_withdrawal_at_the_same_time(decided_first, place):
    """The order in the commit decides: what was decided stays paid, the rest is answered."""
    number = place.lost()
    place.list_replayed(number)
    place.evening.do(place.withdrawing("pit"))
    place.do(decision(number))
    before = place.balance()
    together = [place.job(decision(number, by="boss")), place.withdrawing("boss")]
    results = place.evening.store.commit(together if decided_first else together[::-1])
    decided, withdrawn = results if decided_first else results[::-1]
    assert withdrawn.events[0].words == "There is no such sign."
    if decided_first:
        assert decided.events[0].listed == ("L1",)
    else:
        assert decided.message.key == "refusal-nothing-to-replay"
    assert place.balance() == before + (2000 if decided_first else 0)
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


@pytest.mark.requirement("R46", "G38")
def test_r46_two_people_list_readings_that_decide_every_dispute(place):
    number, other = place.lost(), place.lost()
    (proposal,) = place.evening.do(place.listing(number, FRAGMENT)).events
    assert (proposal.subject, proposal.terms.fragment) == (Listing("one", number, "ann"), FRAGMENT)
    assert refused(place, place.listing(number, FRAGMENT)) == "own-proposal"
    assert refused(place, place.job(decision(other))) == "nothing-to-replay"  # not listed yet
    changed = place.evening.do(place.listing(number, FRAGMENT + "# other", "boss")).events
    assert [type(event) for event in changed] == [e.ProposalEnded, e.ActionProposed]
    listed, ended = place.evening.do(place.listing(number, FRAGMENT + "# other")).events
    assert (listed.first, listed.by, ended.why) == ("boss", "pit", e.ProposalEnd.DONE)
    (known,) = history.listed(place.evening.store)
    assert known.by == ("boss", "pit")
    assert isinstance(place.do(decision(other))[0], e.ActionProposed)


@pytest.mark.requirement("R46", "G38")
def test_r46_two_people_withdraw_readings_that_were_listed_by_mistake(place):
    first, second, third = place.lost(), place.lost(), place.lost(cites="")
    place.list_replayed(first)
    place.do(decision(first))
    place.do(decision(first, by="boss"))
    place.do(decision(second))  # proposed, not decided
    before = place.balance()
    (proposal,) = place.evening.do(place.withdrawing("pit")).events
    assert (proposal.subject, proposal.words) == (Ambiguity("L1"), "There is no such sign.")
    assert refused(place, place.withdrawing("pit")) == "own-proposal"
    assert refused(place, place.job(answer(third))) == "answer-below-replay"  # still listed
    place.evening.now += 5_000
    withdrawn, ended = place.evening.do(place.withdrawing("boss")).events
    assert (withdrawn.first, withdrawn.by, ended.why) == ("pit", "boss", e.ProposalEnd.DONE)
    assert withdrawn.words == "There is no such sign."
    place.evening.now += 5_000
    assert refused(place, place.withdrawing("boss")) == "not-listed-in-house"
    assert refused(place, place.resolving("boss")) == "not-open-in-house"
    assert place.balance() == before  # what was decided stays paid
    assert refused(place, place.job(decision(second, by="boss"))) == "nothing-to-replay"
    for number in (second, third):  # the readings applied to these: one person cannot deny them
        place.do(answer(number))
        assert place.evening.state.dispute(number, "ann").decided is False
        (answered,) = place.do(answer(number, by="boss"))
        assert (answered.by, answered.listed) == (("pit", "boss"), ())
    later = place.lost()
    assert len(place.do(answer(later))[0].by) == 1  # opened after the withdrawal
    place.list_replayed(place.lost())  # the same readings can be listed again
    assert [one.id for one in history.listed(place.evening.store) if one.open] == ["L2"]
    assert place.findings() == []


@pytest.mark.requirement("R46")
def test_r46_a_resolved_ambiguity_can_still_be_withdrawn(local):
    first, early = local.lost(), local.lost()
    local.list_replayed(first)
    local.by_two(local.resolving)
    assert refused(local, local.job(answer(early))) == "answer-below-replay"
    local.by_two(local.withdrawing)
    for by in ("pit", "boss"):
        (done,) = local.do(answer(early, by=by))
    assert isinstance(done, e.DisputeAnswered)
    assert local.findings() == []


@pytest.mark.requirement("R46", "G38")
def test_r46_two_people_may_find_that_a_cited_ambiguity_does_not_concern_the_round(local):
    first = local.lost()
    local.evening.do(local.listing(first))
    cited = local.lost(cites="L1")
    assert isinstance(local.do(answer(cited))[0], e.ActionProposed)
    (answered,) = local.do(answer(cited, by="boss"))
    assert (answered.amount, answered.by) == (0, ("pit", "boss"))
    for by in ("pit", "boss"):  # but not of the dispute that it was listed for
        assert refused(local, local.job(answer(first, by=by))) == "answer-must-pay"
    assert local.findings() == []


@pytest.mark.requirement("R46", "G38")
def test_r46_a_proposal_lapses_when_an_ambiguity_is_listed_or_withdrawn(local):
    """Two people agree on the same facts: otherwise, the confirmation is a new proposal."""
    number = local.lost()
    local.do(answer(number, 300))
    local.evening.do(local.listing(number))
    for change in (None, local.withdrawing):
        if change:
            local.by_two(change)
        ended, proposed = local.do(answer(number, 300, "boss"))
        assert (ended.why, proposed.by) == (e.ProposalEnd.REPLACED, "boss")
        ended, proposed = local.do(answer(number, 300, "boss", "Again."))
        assert proposed.terms.grounds.withdrawn == (("L1",) if change else ())
    (answered,) = local.do(answer(number, 300, words="Again."))
    assert answered.by == ("boss", "pit")
    assert local.findings() == []


@pytest.mark.requirement("R46", "G38")
def test_r46_two_people_agree_to_the_words_of_a_resolution(local):
    local.evening.do(local.listing(local.lost()))
    for name, job in (("resolution", local.resolving), ("withdrawal", local.withdrawing)):
        local.evening.do(job("pit"))
        other = local.evening.do(job("boss", words="Something else.")).events[-1]
        assert getattr(other.terms, name) == "Something else."
        assert local.evening.do(job("pit", words="Something else.")).events[0].first == "boss"
    assert local.findings() == []


TIE = """
[[ambiguity]]
bets = ["tie"]
in_force = "nine"
status = "open"

[[ambiguity.reading]]
id = "nine"
text = "9 to 1."

[[ambiguity.reading.bet]]
id = "tie"
lines = [{ when = { winner = "tie" }, pays = "9:1" }]

[[ambiguity.reading]]
id = "ten"
text = "10 to 1."

[[ambiguity.reading.bet]]
id = "tie"
lines = [{ when = { winner = "tie" }, pays = "10:1" }]
"""
"""An ambiguity that fits no table at which `tie_odds` sets what a tie pays."""


def test_listed_readings_that_do_not_fit_the_round_do_not_prevent_a_listing():
    rules = rules_text("punto-banco")
    other = Listed("L1", "punto-banco", QUESTION, TIE, Source("two", 1, "bob"), 1, ("pit",))
    asked = {"source": Source("one", 1, "ann"), "rules": rules, "question": QUESTION, "by": "pit"}
    at = DecisionContext(1, 1, default_conduct())
    (proposal,) = ambiguities.list_ambiguity((other,), at, fragment=FRAGMENT, **asked).events
    assert isinstance(proposal, e.ActionProposed)
    with pytest.raises(Refused):
        ambiguities.list_ambiguity((other,), at, fragment=TIE, **asked)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('status = "open"', 'status = "resolved"\nresolution = "so"', "status"),
        ('in_force = "loses"', 'in_force = "returned"', "as it was played"),
        ('in_force = "loses"', 'in_force = "nix"', "nix"),
        ('bets = ["player"]', "", "governs nothing"),
        ('bets = ["player"]', 'bets = ["nix"]', "nix"),
        ("[[ambiguity]]", "[ambiguity]", "exactly one"),
        ('status = "open"', 'status = "open"\nsisters = ["/etc/passwd"]', "sisters"),
        ("[[ambiguity]]", 'name = "x"\n[[ambiguity]]', "exactly one"),
        ('"stand-off"', '"stand-', "TOML"),
        ('status = "open"', 'status = "open"\nquestion = "Another?"', "a question of its own"),
    ],
)
def test_only_readings_that_fit_the_card_are_listed(old, new, fault, local):
    number = local.lost()
    with pytest.raises(Refused) as found:
        local.evening.do(local.listing(number, FRAGMENT.replace(old, new, 1)))
    assert found.value.code is Code.BAD_SETTINGS
    assert fault in found.value.message.values["fault"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('bets = ["player"]', 'bets = ["nix"]'),
        ('in_force = "loses"', 'in_force = "nix"'),
        ('text = "It is returned."', "text = 7"),
        ('winner = "player"', 'winner = "nix"'),
        ('"stand-off"', '"stand-'),
    ],
)
def test_a_fault_is_reported_with_its_line_in_the_text_that_was_typed(old, new, local):
    text = FRAGMENT.replace(old, new, 1)
    line = next(n for n, words in enumerate(text.split("\n"), start=1) if new in words)
    number = local.lost()
    with pytest.raises(Refused) as found:
        local.evening.do(local.listing(number, text))
    fault = found.value.message.values["fault"]
    assert f"line {line}: " in fault
    assert "ambiguity[" not in fault  # only one was typed


@pytest.mark.requirement("R46")
def test_r46_the_question_is_the_one_that_the_pit_asked(local):
    number = local.lost()
    asked = FRAGMENT.replace("[[ambiguity]]", f'[[ambiguity]]\nquestion = "{QUESTION}"', 1)
    local.list_replayed(number, asked)  # the same question may be repeated
    rules = local.case(number).rules
    for fragment in (FRAGMENT, asked):
        found = json.loads(with_ambiguity(rules, "L9", QUESTION, fragment))
        assert found["card"]["ambiguity"][-1]["question"] == QUESTION


def test_a_listed_ambiguity_leaves_the_rules_of_the_shoe_as_they_are(local):
    number = local.lost()
    before = local.case(number).rules
    local.list_replayed(number)
    assert local.case(number).rules == before
    assert with_ambiguity(before, "L1", QUESTION, FRAGMENT) != before


# ---- the auditor --------------------------------------------------------------------------------


def test_the_auditor_expects_no_readings_that_overlap_with_resolved_ones(local):
    first, early = local.lost(), local.lost()
    local.list_replayed(first)
    local.by_two(local.resolving)
    local.list_replayed(local.lost())
    local.evening.now += 5_000
    local.do(decision(early))
    decided = local.do(decision(early, by="boss"))[0]
    assert decided.listed == ("L1",)
    assert local.findings() == []


ROWS = """
[[ambiguity]]
cells = ["2/stood"]
in_force = "draws"
status = "open"

[[ambiguity.reading]]
id = "draws"
text = "Yes."
draws = ["2/stood"]

[[ambiguity.reading]]
id = "stands"
text = "No."
stands = ["2/stood"]
"""
COMPANY = """
[[ambiguity]]
requires = ["banker"]
in_force = "alone"
status = "open"

[[ambiguity.reading]]
id = "alone"
text = "No."
requires = []

[[ambiguity.reading]]
id = "together"
text = "Yes."
requires = ["tie"]
"""
WRITTEN = {
    "player": FRAGMENT,
    "tie": TIE,
    "tie at ten": TIE.replace('"nine"', '"ten"', 1),
    "tie at its parameter": TIE.replace('"9:1"', '"tie_odds"'),
    "pair": FRAGMENT.replace('"player"]', '"player-pair"]')
    .replace("banker wins", "suits differ")
    .replace('id = "player"', 'id = "player-pair"'),
    "rows": ROWS,
    "rows as not played": ROWS.replace('in_force = "draws"', 'in_force = "stands"'),
    "company": COMPANY,
    "company as not played": COMPANY.replace('in_force = "alone"', 'in_force = "together"'),
}


def fits(rules: str, fragment: str) -> bool:
    try:
        return bool(replayable(rules, "L1", QUESTION, fragment))
    except BaccaratError:
        return False


@pytest.mark.parametrize("odds", ["8", "9"])
@pytest.mark.parametrize("card", [*built_in_cards(), SMUDGED])
def test_the_auditor_agrees_with_the_table_on_which_readings_fit(card, odds):
    known = load(card).parameters
    parameters = {name: value for name, value in {"tie_odds": odds}.items() if name in known}
    rules = rules_text(card, parameters=parameters)
    first = next(one for one in WRITTEN.values() if fits(rules, one))
    texts, found = [rules, with_ambiguity(rules, "L2", QUESTION, first)], set()
    for text, fragment in product(texts, WRITTEN.values()):
        found.add(fits(text, fragment))
        assert fits_listed(text, "L1", fragment) == fits(text, fragment), fragment
    assert found == {True, False}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A house with L1 in words, L2 by replay; both paid, both resolved; a later answer.

    Two people answered without a payment a dispute that cites L3, and one for which L4 was listed
    and withdrawn.
    """
    address = f"sqlite:///{tmp_path_factory.mktemp('listed')}/house.db"
    place = Dispute.at(address)
    first = place.lost()
    place.evening.do(place.listing(first))
    second = place.lost()
    place.list_replayed(second)
    place.evening.now += 5_000
    place.do(decision(second, (("L2", "returned"),)))
    place.do(decision(second, (("L2", "returned"),), "boss"))
    place.do(answer(first, 2_000))
    place.do(answer(first, 2_000, "boss"))
    place.by_two(place.resolving)
    place.by_two(place.resolving, "L2")
    place.do(answer(place.lost()))
    place.evening.do(place.listing(place.lost()))
    cited, mistaken = place.lost(cites="L3"), place.lost()
    place.list_replayed(mistaken)
    place.by_two(place.withdrawing, "L4")
    for number, by in product((cited, mistaken), ("pit", "boss")):
        place.do(answer(number, by=by))
    place.evening.store.close()
    return read_store(address)


@pytest.mark.requirement("R46", "G38")
@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (set_all("DisputeDecided", listed=[]), "L2 was open, but was not replayed"),
        (set_all("DisputeDecided", listed=["L9"]), "L9 was not an open ambiguity"),
        (set_all("DisputeDecided", readings=[["L2", "loses"]]), "gives"),
        (set_all("DisputeDecided", by=["boss"]), "only one person decided it"),
        (set_all("DisputeAnswered", amount=0), "although L1 was open"),
        (set_all("DisputeAnswered", amount=100), "is owed at least"),
        (set_all("DisputeAnswered", by=["boss"]), "only one person decided it"),
        (set_all("AmbiguityListed", by="ann"), "only an active pit account may do"),
        (set_all("ListedAmbiguityResolved", first=""), "only one person decided it"),
        (set_all("ListedAmbiguityResolved", ambiguity="L7"), "L7 was not open"),
        (set_all("AmbiguityListed", {"ambiguity": "L2"}, first=""), "only one person decided it"),
        (set_all("ListedAmbiguityWithdrawn", first=""), "only one person decided it"),
        (set_all("ListedAmbiguityWithdrawn", ambiguity="L7"), "L7 was not listed"),
        (set_all("ListedAmbiguityWithdrawn", ambiguity="L2"), "L4 was open, but was not replayed"),
        (set_all("DisputeAnswered", {"amount": 0}, by=["boss"]), "although L3 was open"),
        (set_all("DisputeAnswered", {"amount": 0}, by=["boss"]), "L4 had been withdrawn"),
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
    assert with_ambiguity(rules, "L1", QUESTION, fragment) != rules
