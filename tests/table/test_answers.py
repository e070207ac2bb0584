"""Disputes in the player's own words at any table, answered by the pit with or without payment."""

import pytest

from baccarat.auditor import audit, read_store
from baccarat.core.wagers import Wager
from baccarat.loader import built_in_cards
from baccarat.store import bookings, history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.disputes.case import case_of
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import restore, snapshot
from support.by_hand import DEALER, HandHouse
from support.disputes import smudged
from support.live import FAST, LiveTable, settings_for
from support.stores import Evening
from support.tampering import rewritten, set_all


def lost_round(table: LiveTable, player: str = "ann") -> int:
    """Play rounds with a wager on the tie until it loses; return the number of the last round."""
    while True:
        number = table.until(e.RoundOpened).round
        table.do(c.PlaceWagers(number, player, (Wager("tie", 2000),)))
        table.until(e.RoundSettled)
        if case_of(table.events, number, player).result.net < 0:
            return number


def refusal(table: LiveTable, command: c.Command) -> Refused:
    with pytest.raises(Refused) as found:
        table.do(command)
    return found.value


LOOKED = "We looked at the cards."


def answer(number: int, amount: int = 0, by: str = "pit", words: str = LOOKED) -> c.AnswerDispute:
    return c.AnswerDispute(number, "ann", amount, words, by)


@pytest.mark.requirement("R46")
@pytest.mark.parametrize("card", built_in_cards())
def test_r46_every_table_accepts_a_dispute_in_the_players_own_words(card):
    table = LiveTable(settings_for(card))
    number = lost_round(table)
    (opened,) = table.do(c.OpenDispute(number, "ann", "I was promised a free bet"))
    assert opened.words == "I was promised a free bet"
    assert refusal(table, c.OpenDispute(number, "ann", "again")).code is Code.ALREADY_DISPUTED
    nothing = c.DecideDispute(number, "ann", (), 10_000, "no", "pit")
    assert refusal(table, nothing).code is Code.NOTHING_OPEN
    (answered,) = table.do(answer(number))
    assert (answered.amount, answered.by) == (0, ("pit",))
    (kept,) = table.state.disputes
    assert (kept.decided, kept.answer, kept.paid) == (True, "We looked at the cards.", 0)
    assert kept.decided_at == answered.at
    assert refusal(table, answer(number)).code is Code.NO_SUCH_DISPUTE
    assert restore(snapshot(table.state)) == table.state


@pytest.mark.requirement("R46", "G38")
def test_r46_the_amount_of_an_answer_needs_two_people():
    table = LiveTable(settings_for())
    number = lost_round(table)
    assert refusal(table, answer(number)).code is Code.NO_SUCH_DISPUTE
    table.do(c.OpenDispute(number, "ann", "unfair"))
    assert refusal(table, answer(number, -1)).code is Code.BAD_SETTINGS
    (proposal,) = table.do(answer(number, 500))
    assert proposal.terms.amount == 500
    assert refusal(table, answer(number, 500)).code is Code.NEEDS_TWO_PEOPLE
    ended, other = table.do(answer(number, 600, "boss"))
    assert (ended.why, other.terms.amount) == (e.ProposalEnd.REPLACED, 600)
    (answered,) = table.do(answer(number, 600))
    assert (answered.amount, answered.by) == (600, ("boss", "pit"))
    assert table.state.proposals == ()


@pytest.mark.requirement("R46", "G38")
def test_r46_two_people_agree_to_the_words_of_an_answer():
    """Other words are another proposal, also from the person who made the first one."""
    table = LiveTable(settings_for())
    number = lost_round(table)
    table.do(c.OpenDispute(number, "ann", "unfair"))
    table.do(answer(number, 500, words="A"))
    ended, other = table.do(answer(number, 500, words="B"))
    assert (ended.why, other.words) == (e.ProposalEnd.REPLACED, "B")
    ended, other = table.do(answer(number, 500, "boss", words="C"))
    assert (ended.why, other.by) == (e.ProposalEnd.REPLACED, "boss")
    (answered,) = table.do(answer(number, 500, words="C"))
    assert (answered.words, answered.by) == ("C", ("boss", "pit"))


@pytest.mark.requirement("R46")
def test_r46_an_answer_never_pays_less_than_the_replay_of_an_open_rule():
    """The replay decides; an answer may only pay more, and needs two people."""
    table = LiveTable(smudged())
    number = lost_round(table)
    table.do(c.OpenDispute(number, "ann", "the sheet is smudged"))
    table.until(e.RoundSettled)  # every card that the replay needs is known
    low = refusal(table, answer(number))
    assert (low.code, low.message.key) == (Code.NOT_BEST, "refusal-answer-below-replay")
    due = low.message.values["due"]
    assert isinstance(table.do(answer(number, int(due)))[0], e.ActionProposed)


@pytest.mark.requirement("R46")
def test_r46_the_dealer_of_a_round_cannot_answer_alone():
    house = HandHouse()
    house.do(c.CallBets(DEALER))
    house.wager("ann", player=2000)
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("2h 9d 3c Ks")
    house.end()
    house.pay()
    house.do(c.OpenDispute(1, "ann", "the dealer misread it"))
    assert refusal(house, answer(1)).code is Code.TOO_EARLY  # it can still be corrected
    house.do(c.DismissReport(1, "boss", "the cards are right"))
    house.do(c.CallBets(DEALER))
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("2d 9c 3h Kc")
    (proposal,) = house.do(answer(1, by=DEALER))
    assert isinstance(proposal, e.ActionProposed)
    (answered,) = house.do(answer(1, by="pit"))
    assert answered.by == (DEALER, "pit")


# ---- in a store ---------------------------------------------------------------------------------


def disputed_evening(address: str) -> tuple[Evening, int]:
    evening = Evening(SqlStore.open(address), settings_for(clock=FAST)).open(ann=50_000, bob=1)
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 2000)))
    evening.until("settled")
    number = evening.state.round.number
    evening.step()
    do(evening, c.OpenDispute(number, "ann", "unfair"))
    return evening, number


def do(evening: Evening, command: c.OfDispute):
    shoe = history.shoe_around(evening.store, "table:one", command.round)
    return evening.do(evening.job(command, shoe=shoe))


@pytest.fixture(scope="module")
def paid_rows(tmp_path_factory):
    address = f"sqlite:///{tmp_path_factory.mktemp('paid')}/house.db"
    evening, number = disputed_evening(address)
    before = evening.store.balance("player:ann/real")
    do(evening, answer(number, 700))
    do(evening, answer(number, 700, "boss"))
    assert evening.store.balance("player:ann/real") == before + 700
    (booked,) = bookings.of_player(evening.store, "ann", kinds=["dispute"])
    assert (booked.round, booked.amounts) == (number, {"player:ann/real": 700})
    evening.store.close()
    return read_store(address)


@pytest.mark.requirement("R46", "G38")
@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (set_all("DisputeAnswered", by=["pit"]), "only one person decided it"),
        (set_all("DisputeAnswered", by=["boss", "pit"]), "not proposed and confirmed in time"),
        (set_all("DisputeAnswered", words="No."), "differs from what was proposed"),
        (set_all("DisputeAnswered", listed=["L1"]), "L1 was not part of"),
        (set_all("DisputeAnswered", amount=-1), "was paid a negative amount"),
        (set_all("DisputeAnswered", amount=900), "player:ann/real"),
        (set_all("DisputeAnswered", player="bob"), "no such dispute"),
    ],
)
def test_the_auditor_finds_changed_answers(change, finding, paid_rows):
    assert audit(paid_rows).findings == []
    found = audit(rewritten(paid_rows, change)).findings
    assert any(finding in one for one in found), found
