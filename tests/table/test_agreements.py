"""Agreements with a player: both confirm, bets with agreed payouts need one, the letter is
exact."""

import json
import random
import threading
import uuid
from dataclasses import replace
from io import BytesIO

import pikepdf
import pypdfium2
import pytest

from baccarat.analysis.edges import analyse
from baccarat.auditor import audit, read_store
from baccarat.core.money import percent_string
from baccarat.core.wagers import Wager
from baccarat.house.housefile import House
from baccarat.house.ports import Done
from baccarat.house.table_plans import TablePlan
from baccarat.loader import load
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, rules_text
from baccarat.table.settings import Clock, StakeLimits
from baccarat.table.state import restore, snapshot
from support.by_hand import DEALER, HandHouse, hand_settings
from support.live import LiveTable, settings_for
from support.served import OPEN, PASSWORD, served, signed
from support.stores import Evening, new_database
from support.tampering import rewritten

CHANCE = settings_for("double-chance", decks=8)


TWO = (("double_chance", "2%"),)


def percent(value: str) -> tuple[tuple[str, str], ...]:
    return (("double_chance", value),)


def opened() -> LiveTable:
    table = LiveTable(CHANCE)
    table.until(e.RoundOpened)
    return table


def agree(table: LiveTable, value: str, player: str = "ann") -> None:
    table.do(c.ProposeAgreement(player, player, percent(value)))
    table.do(c.ConfirmAgreement(player, "pit", percent(value)))


def wager(table: LiveTable, bet: str = "player", *, accept: str = "") -> c.PlaceWagers:
    wagers = (Wager(bet, 10_000),) if bet else ()
    accepted = percent(accept) if accept else ()
    return c.PlaceWagers(table.state.round.number, "ann", wagers, accept=accepted)


def placed(table: LiveTable) -> e.WagersPlaced:
    (event,) = table.do(wager(table))
    return event


def refusal(table: LiveTable, command: c.Command) -> Refused:
    with pytest.raises(Refused) as found:
        table.do(command)
    return found.value


# ---- proposals ----------------------------------------------------------------------------------


@pytest.mark.requirement("R24")
@pytest.mark.parametrize(("first", "second"), [("ann", "pit"), ("pit", "ann")])
def test_r24_an_agreement_is_what_both_parties_have_confirmed(first, second):
    table = opened()
    (proposed,) = table.do(c.ProposeAgreement("ann", first, percent("5%")))
    assert proposed == e.AgreementProposed(table.now, "ann", percent("5%"), first)
    assert refusal(table, wager(table)).code is Code.AGREEMENT_NEEDED  # it is only proposed
    alone = refusal(table, c.ConfirmAgreement("ann", first, percent("5%")))
    assert alone.code is Code.NEEDS_TWO_PEOPLE
    other = refusal(table, c.ConfirmAgreement("ann", second, percent("6%")))
    assert other.code is Code.NO_SUCH_AGREEMENT
    assert "5%" in str(other)
    (made,) = table.do(c.ConfirmAgreement("ann", second, percent("5%")))
    assert (made.proposed_by, made.confirmed_by) == (first, second)
    again = refusal(table, c.ConfirmAgreement("ann", second, percent("5%")))
    assert again.code is Code.NO_SUCH_AGREEMENT


def test_two_members_of_staff_cannot_agree_for_the_player():
    table = opened()
    table.do(c.ProposeAgreement("ann", "pit", percent("5%")))
    found = refusal(table, c.ConfirmAgreement("ann", "boss", percent("5%")))
    assert found.code is Code.NEEDS_TWO_PEOPLE


@pytest.mark.requirement("R24")
@pytest.mark.parametrize(
    "values",
    [
        percent("1.99%"),
        percent("10.01%"),
        percent("half"),
        percent("0.05"),
        percent("0.1"),
        percent("20"),
        (("tie_odds", "8:1"),),
        (("x", "1"),),
        (),
        percent("5%") * 2,
        percent("7.77777%"),  # whole coins only on stakes above the limit
    ],
)
def test_r24_invalid_agreements_are_refused(values):
    table = opened()
    assert refusal(table, c.ProposeAgreement("ann", "ann", values)).code is Code.NO_SUCH_AGREEMENT
    assert table.state.agreements == {}


def test_a_card_without_agreements_refuses_proposals():
    table = LiveTable(settings_for("punto-banco"))
    found = refusal(table, c.ProposeAgreement("ann", "ann", percent("5%")))
    assert str(found) == "Nothing in this table's rules can be agreed with a player."


@pytest.mark.parametrize(
    ("written", "kept"),
    [("5%", "5%"), ("5", "5%"), ("10", "10%"), ("1/20", "5%"), ("3/80", "3.75%")],
)
def test_agreed_values_are_stored_in_one_form(written, kept):
    table = opened()
    (event,) = table.do(c.ProposeAgreement("ann", "ann", percent(written)))
    assert event.values == percent(kept)
    assert table.do(c.ConfirmAgreement("ann", "pit", percent(kept)))


def test_a_fraction_that_is_not_a_decimal_percentage_is_kept():
    """One thirtieth: a decimal would be another value, and the table's maximum allows it."""
    table = LiveTable(settings_for("double-chance", limits=StakeLimits(maximum=100_000)))
    (event,) = table.do(c.ProposeAgreement("ann", "ann", percent("1/30")))
    assert event.values == percent("1/30")


def test_a_proposal_can_be_replaced_and_declined():
    table = opened()
    table.do(c.ProposeAgreement("ann", "ann", percent("5%")))
    assert table.do(c.ProposeAgreement("ann", "ann", percent("5%"))) == ()
    table.do(c.ProposeAgreement("ann", "pit", percent("3%")))
    found = refusal(table, c.ConfirmAgreement("ann", "pit", percent("5%")))
    assert "3%" in str(found)
    table.do(c.DeclineAgreement("ann", "ann"))
    assert table.do(c.DeclineAgreement("ann", "ann")) == ()
    assert refusal(table, c.ConfirmAgreement("ann", "ann", percent("3%")))
    assert table.do(c.EndAgreement("ann", "ann")) == ()


# ---- in force -----------------------------------------------------------------------------------


@pytest.mark.requirement("R24")
def test_r24_an_agreement_applies_at_once_but_never_changes_a_placed_bet():
    table = opened()
    agree(table, "5%")
    assert placed(table).agreed == percent("5%")  # no bet was placed before
    agree(table, "9%")
    agree(table, "10%")
    table.do(wager(table, ""))
    assert placed(table).agreed == percent("5%")
    table.until(e.RoundOpened)
    assert placed(table).agreed == percent("10%")
    for words in ("", " "):
        no = refusal(table, c.EndAgreement("ann", "pit", words))
        assert no.message.key == "refusal-explain-in-words"
    (ended,) = table.do(c.EndAgreement("ann", "pit", "The promotion is over."))
    assert ended.words == "The promotion is over."
    table.do(wager(table, ""))
    assert placed(table).agreed == percent("10%")
    table.until(e.RoundOpened)
    assert refusal(table, wager(table)).code is Code.AGREEMENT_NEEDED
    agree(table, "6%")
    table.do(c.EndAgreement("ann", "ann"))  # no bet is placed, so it ends at once
    assert refusal(table, wager(table)).code is Code.AGREEMENT_NEEDED


# ---- the standing offer -------------------------------------------------------------------------


@pytest.mark.requirement("A17")
def test_a17_a_bet_with_an_agreed_payout_needs_an_agreement():
    table = opened()
    for bet in ("player", "banker"):
        found = refusal(table, wager(table, bet))
        assert found.code is Code.AGREEMENT_NEEDED
        assert "standing offer of 2%" in str(found)
    for bet in ("tie", "3g8"):
        assert table.do(wager(table, bet))


@pytest.mark.requirement("A17")
def test_a17_the_standing_offer_is_accepted_with_the_first_bet_and_applies_to_it():
    table = opened()
    made, bet = table.do(wager(table, accept="2%"))
    number = table.state.round.number
    assert made == e.AgreementMade(table.now, "ann", percent("2%"), number, e.THE_HOUSE, "ann")
    assert bet.agreed == percent("2%")
    assert table.do(wager(table, accept="2%")) == ()  # a repeated request changes nothing
    (bet,) = table.do(wager(table, "banker", accept="2"))
    assert bet.agreed == percent("2%")
    table.until(e.RoundOpened)
    assert placed(table).agreed == percent("2%")


def test_another_bet_does_not_prevent_accepting_the_offer():
    table = opened()
    table.do(wager(table, "tie"))
    made, bet = table.do(wager(table, accept="2%"))
    assert (made.from_round, bet.agreed) == (table.state.round.number, percent("2%"))


def test_an_offer_that_has_changed_is_not_accepted():
    table = opened()
    table.do(c.ChangeSettings(replace(CHANCE, standing_offer=percent("3%"))))
    found = refusal(table, wager(table, accept="2%"))
    assert found.code is Code.STALE_VIEW
    assert "standing offer is 3%" in str(found)
    assert "ann" not in table.state.agreements
    agree(table, "5%")
    held = refusal(table, wager(table, accept="3%"))
    assert (held.code, "already agreed on 5%" in str(held)) == (Code.STALE_VIEW, True)


def test_a_refused_bet_does_not_accept_the_offer():
    table = opened()
    wagers = (Wager("player", 1),)
    command = c.PlaceWagers(table.state.round.number, "ann", wagers, accept=percent("2%"))
    assert refusal(table, command).code is Code.OUTSIDE_LIMITS
    assert "ann" not in table.state.agreements


@pytest.mark.requirement("A17")
def test_a17_requests_up_to_the_house_limit_need_no_staff():
    table = LiveTable(replace(CHANCE, grants_up_to=percent("5%")))
    table.until(e.RoundOpened)
    (asked,) = table.do(c.ProposeAgreement("ann", "ann", percent("5.5%")))
    assert isinstance(asked, e.AgreementProposed)
    (made,) = table.do(c.ProposeAgreement("ann", "ann", percent("5%")))
    assert (made.proposed_by, made.confirmed_by) == ("ann", e.THE_HOUSE)
    assert table.state.agreeing("ann").proposed == ()  # instead of the first request
    assert table.do(c.ProposeAgreement("ann", "ann", percent("5%"))) == ()
    (offered,) = table.do(c.ProposeAgreement("ann", "pit", percent("4%")))
    assert isinstance(offered, e.AgreementProposed)  # the house cannot agree with itself
    assert placed(table).agreed == percent("5%")


def test_accepting_the_offer_keeps_a_pending_request_for_more():
    table = opened()
    table.do(c.ProposeAgreement("ann", "ann", percent("8%")))
    table.do(wager(table, accept="2%"))
    (made,) = table.do(c.ConfirmAgreement("ann", "pit", percent("8%")))
    assert made.from_round == table.state.round.number + 1


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"standing_offer": percent("11%")}, "between 2% and 10%"),
        ({"grants_up_to": percent("1%")}, "between 2% and 10%"),
        ({"standing_offer": percent("5%"), "grants_up_to": percent("4%")}, "grants only 4%"),
        ({"grants_up_to": (("tie_odds", "8:1"),)}, "can't be agreed"),
    ],
)
def test_invalid_offers_and_grants_are_refused(settings, words):
    with pytest.raises(Refused, match=words):
        LiveTable(replace(CHANCE, **settings))
    with pytest.raises(Refused, match="can't be agreed"):
        LiveTable(replace(settings_for("punto-banco"), standing_offer=percent("2%")))


def test_a_withdrawn_wager_has_no_terms():
    table = opened()
    agree(table, "5%")
    nothing = wager(table, "")
    assert table.do(nothing) == ()
    placed(table)
    (event,) = table.do(nothing)
    assert event.agreed == ()


def test_an_agreement_that_no_longer_fits_the_table_is_reported():
    table = opened()
    agree(table, "10%")
    table.do(c.ChangeSettings(settings_for("punto-banco")))
    table.until(e.ShoeEnded)
    table.until(e.RoundOpened)
    found = refusal(table, wager(table))
    assert "no longer fits the rules of this table. Make a new one" in str(found)
    table.do(c.EndAgreement("ann", "ann"))
    table.until(e.RoundOpened)
    assert placed(table).agreed == ()


def test_agreements_survive_a_snapshot():
    table = opened()
    agree(table, "5%")
    table.do(c.ProposeAgreement("ann", "ann", percent("6%")))
    assert restore(snapshot(table.state)) == table.state


@pytest.mark.requirement("R24")
@pytest.mark.parametrize("seed", range(6))
def test_r24_property_every_wager_has_the_terms_agreed_before_it(seed):
    """Random actions of both parties and random wagers, compared with a model of plain values."""
    rng, table = random.Random(seed), opened()
    proposed: tuple[str, str] | None = None
    now, later = (), ()  # terms of this round and of the next

    def agreed(values: tuple) -> None:
        nonlocal now, later
        later = values
        if phase == "open" and not table.state.round.placed("ann").wagers:
            now = values

    for _ in range(300):
        number, phase = table.state.round.number, table.state.round.phase
        match rng.choice(
            ["propose", "confirm", "decline", "end", "wager", "accept", "step", "step"]
        ):
            case "propose":
                proposed = (f"{rng.randint(5, 20) / 2:g}%", rng.choice(["ann", "pit"]))
                table.do(c.ProposeAgreement("ann", proposed[1], percent(proposed[0])))
            case "confirm":
                by = rng.choice(["ann", "pit"])
                value = proposed[0] if proposed else "5%"
                if proposed and by != proposed[1]:
                    agreed(percent(value))
                    table.do(c.ConfirmAgreement("ann", by, percent(value)))
                    proposed = None
                else:
                    refusal(table, c.ConfirmAgreement("ann", by, percent(value)))
            case "decline":
                table.do(c.DeclineAgreement("ann", "pit"))
                proposed = None
            case "end":
                agreed(())
                table.do(c.EndAgreement("ann", "ann"))
            case "wager" | "accept" as action if phase == "open":
                wagers = (Wager("player", 20_000 * rng.randint(1, 5)),)
                accept = percent("2%") if action == "accept" else ()
                command = c.PlaceWagers(number, "ann", wagers, accept=accept)
                if accept and now not in ((), accept):
                    assert refusal(table, command).code is Code.STALE_VIEW
                elif not (accept or now):
                    assert refusal(table, command).code is Code.AGREEMENT_NEEDED
                else:
                    if not now:
                        now = later = accept
                    found = table.do(command)
                    assert all(event.agreed == now for event in found[-1:])
            case "step":
                table.step()
                if table.state.round.number > number:
                    now = later


# ---- in a store ---------------------------------------------------------------------------------


@pytest.mark.requirement("R24")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_r24_agreements_racing_wagers_never_change_an_open_round(kind, tmp_path, request):
    """One server accepts wagers while another makes and ends agreements."""
    sqlite = f"sqlite:///{tmp_path}/house.db"
    address = sqlite if kind == "sqlite" else new_database(request.getfixturevalue("server"))
    store, other = SqlStore.open(address), SqlStore.open(address)
    evening = Evening(store, settings_for("double-chance", decks=8)).open(ann=10_000_000)
    rng = random.Random(kind)
    stop, failures = threading.Event(), []

    turn = 0

    def agreeing() -> None:
        nonlocal turn
        while not stop.is_set() and turn < 2_000:
            turn += 1
            values = percent(f"{3 + turn % 8}%")  # not the standing offer, which needs no pit
            given = (
                [evening.job(c.ProposeAgreement("ann", "ann", values))],
                [evening.job(c.ConfirmAgreement("ann", "pit", values))],
                [evening.job(c.EndAgreement("ann", "pit", "over"))] if turn % 3 == 0 else [],
            )
            for jobs in given:
                failures.extend(one for one in other.commit(jobs) if not isinstance(one, Done))
                stop.wait(0.01)  # with SQLite, a busy writer starves the others

    thread = threading.Thread(target=agreeing)
    thread.start()
    try:
        for played in range(40):
            if played >= 4 and turn >= 4:
                break
            evening.until("open")
            for _ in range(4):
                stake = 10_000 * rng.randint(1, 10)
                for accept in ((), TWO) * 5:  # an agreement may begin or end between two tries
                    job = evening.wager("ann", ("player", stake), accept=accept)
                    (taken,) = store.commit([job])
                    if isinstance(taken, Done):
                        break
                assert isinstance(taken, Done)
            evening.until("settled")
    finally:
        stop.set()
        thread.join()
    assert failures == []
    events = [json.loads(entry.body) for entry in store.entries("table:one", limit=100_000)]
    under: dict[int, set[str]] = {}
    for event in events:
        if event["type"] == "WagersPlaced":
            under.setdefault(event["round"], set()).add(str(event["agreed"]))
    assert all(len(terms) == 1 for terms in under.values())
    assert len(set().union(*under.values())) > 1
    report = audit(read_store(address))
    assert report.findings == []
    store.close()
    other.close()


# ---- the auditor --------------------------------------------------------------------------------


def agreed_evening(path) -> str:
    address = f"sqlite:///{path}/house.db"
    store = SqlStore.open(address)
    evening = Evening(store, settings_for("double-chance", decks=8)).open(ann=1_000_000)
    evening.do(evening.job(c.ProposeAgreement("ann", "ann", percent("5%"))))
    evening.do(evening.job(c.ConfirmAgreement("ann", "pit", percent("5%"))))
    evening.do(evening.job(c.ProposeAgreement("ann", "pit", percent("6%"))))
    evening.do(evening.job(c.DeclineAgreement("ann", "pit")))
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 10_000)))
    evening.until("settled")
    evening.do(evening.job(c.EndAgreement("ann", "ann")))
    store.close()
    return address


def _set(kind, **new):
    def change(stream, bodies):
        for body in bodies:
            if body["type"] == kind:
                body.update(new)
                return

    return change


def _without_agreement(stream, bodies):
    """Let the bet be accepted although the agreement was another player's."""
    _set("AgreementMade", player="bob")(stream, bodies)
    _set("WagersPlaced", agreed=[])(stream, bodies)


@pytest.mark.requirement("A17")
def test_a17_the_auditor_uses_the_rules_of_the_shoe_on_the_table():
    """With real cards too, changed rules apply to agreements from the next shoe on."""
    house = HandHouse(hand_settings("double-chance"))
    better = rules_text("double-chance", parameters={"decks": "8", "double_chance": "3%"})
    house.do(c.ChangeSettings(replace(house.settings, rules=better)))
    house.do(c.CallBets(DEALER))
    assert house.do(wager(house, accept="2%"))
    assert house.audited() == []
    house.do(c.CallNoMoreBets(DEALER))
    house.deal("6h Kd 2c 9s")
    house.end()
    house.pay()
    house.do(c.CloseShoe(DEALER, None))
    house.do(c.EndAgreement("ann", "ann"))
    house.do(c.BeginShoe(DEALER, bytes([1]) * 16))
    house.do(c.CallBets(DEALER))
    assert house.do(wager(house, accept="3%"))
    assert house.audited() == []


@pytest.mark.requirement("A17")
def test_a17_the_auditor_finds_a_bet_that_needed_an_agreement(tmp_path):
    found = audit(rewritten(read_store(agreed_evening(tmp_path)), _without_agreement)).findings
    assert any("player pays a value that was not agreed" in one for one in found), found


@pytest.mark.requirement("R24")
@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (_set("WagersPlaced", agreed=[]), "terms that were not agreed"),
        (_set("WagersPlaced", agreed=[["double_chance", "6%"]]), "terms that were not agreed"),
        (_set("AgreementMade", confirmed_by="ann"), "not confirmed by the other party"),
        (_set("AgreementMade", values=[["double_chance", "6%"]]), "something else was proposed"),
        (_set("AgreementProposed", by="pit"), "something else was proposed"),
        (_set("AgreementMade", from_round=0), "must start with round 1"),
        (
            _set("AgreementMade", values=[["double_chance", "11%"]]),
            "is not allowed in an agreement",
        ),
        (_set("AgreementEnded", from_round=1), "must start with round 2"),
        (_set("AgreementEnded", by="pit", words=" "), "without giving a reason"),
        (_set("AgreementMade", proposed_by="the house"), "other than the standing offer"),
        (_set("AgreementMade", confirmed_by="the house"), "granted more than the house grants"),
    ],
)
def test_the_auditor_finds_agreements_that_were_changed(change, finding, tmp_path):
    rows = read_store(agreed_evening(tmp_path))
    assert audit(rows).findings == []
    found = audit(rewritten(rows, change)).findings
    assert any(finding in one for one in found), found


# ---- the API ------------------------------------------------------------------------------------

LOW = StakeLimits(minimum=750)
FLOOR = House(
    "The corner house",
    "GBP",
    100_000,
    (
        TablePlan("chance", "Chance", replace(CHANCE, clock=OPEN, limits=LOW), guests=True),
        TablePlan("quick", "Quick", settings_for("double-chance", clock=Clock(150, 5, 20)), True),
        TablePlan("plain", "Plain", settings_for(clock=OPEN), guests=True),
    ),
)


@pytest.fixture(scope="module")
def floor(tmp_path_factory):
    with served(tmp_path_factory.mktemp("agreements"), house=FLOOR) as house:
        yield house


@pytest.fixture
def ann(floor):
    client = floor.client()
    name = f"ann-{uuid.uuid4().hex[:8]}"
    body = {"id": name, "name": "Ann <b>", "password": PASSWORD}
    signed(client, client.post("/api/accounts", json=body))
    client.name = name
    with client, floor.staff("cashier") as till:
        key = {"Idempotency-Key": name}
        till.post(f"/api/accounts/{name}/pay-in", json={"amount": 100_000}, headers=key)
        yield client


MINE = "/api/tables/chance/agreement"
FIVE = {"values": {"double_chance": "5%"}}


@pytest.mark.requirement("R24")
def test_r24_an_agreement_is_requested_confirmed_and_shown(floor, ann):
    table = ann.get(MINE).json()["can_be_agreed"]
    shown = ("minimum", "maximum", "offered", "granted_up_to")
    assert [tuple(one[name] for name in shown) for one in table] == [("2%", "10%", "2%", "2%")]
    asked = ann.post(MINE, json=FIVE).json()
    assert asked["proposed"] == {**FIVE, "by": "player"}
    assert ann.post(f"{MINE}/confirm", json=FIVE).json()["code"] == "needs-two-people"
    with floor.staff("pit") as pit, floor.staff("dealer") as dealer:
        theirs = f"/api/tables/chance/agreements/{ann.name}"
        assert dealer.post(f"{theirs}/confirm", json=FIVE).json()["code"] == "not-allowed"
        made = pit.post(f"{theirs}/confirm", json=FIVE).json()
        assert (made["in_force"], made["next"]) == (FIVE["values"], None)
        listed = pit.get("/api/tables/chance/agreements").json()["agreements"]
        found = [one["in_force"] for one in listed if one["player"] == ann.name]
        assert found == [FIVE["values"]]
        assert ann.get(MINE).json() == made
        nobody = pit.post("/api/tables/chance/agreements/the-pit", json=FIVE)
        assert nobody.json()["code"] == "no-such-account"
        assert pit.delete(theirs).json()["code"] == "bad-settings"  # without a reason
        ended = pit.delete(theirs, params={"reason": "The promotion is over."}).json()
        assert ended["in_force"] is None  # no bet is placed
        assert ended["ended"] == "The promotion is over."
    assert ann.get("/api/tables/plain/agreement").json()["can_be_agreed"] == []


@pytest.mark.requirement("R24")
def test_r24_a_wager_over_the_api_has_the_agreed_terms(floor, ann):
    table = "/api/tables/quick"
    ten = {"values": {"double_chance": "10%"}}
    with floor.staff("pit") as pit:
        pit.post(f"{table}/agreements/{ann.name}", json=ten)
    confirmed = ann.post(f"{table}/agreement/confirm", json=ten).json()
    assert confirmed["in_force"] or confirmed["next"]
    for attempt in range(400):
        state = ann.get(table).json()
        body = {"round": state["round"], "wagers": [{"bet": "player", "stake": 1000}]}
        key = {"Idempotency-Key": f"k{attempt}"}
        if ann.put(f"{table}/wagers", json=body, headers=key).is_error:
            continue  # not yet, or between rounds
        events = ann.get(f"{table}/rounds/{state['round']}").json()["events"]
        (mine,) = (event for event in events if event["type"] == "WagersPlaced")
        assert mine["agreed"] == [["double_chance", "10%"]]
        break
    else:
        pytest.fail("no wager was taken")
    # The pit's page also uses the agreed terms.
    game = game_of(FLOOR.tables[1].settings.rules, (("double_chance", "10%"),))
    with floor.staff("pit") as pit:
        for _ in range(400):
            (reply,) = (one for one in pit.get("/api/pit").json()["tables"] if one["id"] == "quick")
            if reply["today"]["rounds"]:
                break
    expected = round(1000 * analyse(game)["player"].edge)
    assert (reply["today"]["turnover"], reply["today"]["expected"]) == (1000, expected)
    assert expected != round(1000 * analyse(load("double-chance").game())["player"].edge)
    ann.delete(f"{table}/agreement")
    listed = ann.get("/api/me/agreements").json()["agreements"]
    (ended,) = (one for one in listed if one["table"] == "quick")
    assert (ended["values"], ended["letter"]) == (ten["values"], None)
    assert ended["from_round"] <= state["round"] <= ended["last_round"]
    assert ended["at"] <= ended["ended_at"]


@pytest.mark.requirement("A17")
@pytest.mark.requirement("R51")
def test_a17_from_the_first_bet_to_the_letter_over_the_api(floor, ann):
    """Without staff, the offer is read, accepted with a bet, applied to it, and has a letter."""
    table = "/api/tables/chance"
    view = ann.get(table).json()
    offer = view["layout"]["offer"]
    edges = analyse(load("double-chance").game(double_chance="2%"))
    assert offer["values"] == {"double_chance": "2%"}
    assert {one["bet"]: one["exact_edge"] for one in offer["bets"]} == {
        bet: str(edges[bet].edge) for bet in ("player", "banker")
    }
    body = {"round": view["round"], "wagers": [{"bet": "player", "stake": 1000}]}

    def put(**more):
        key = {"Idempotency-Key": uuid.uuid4().hex}
        return ann.put(f"{table}/wagers", json={**body, **more}, headers=key).json()

    assert put()["code"] == "agreement-needed"
    assert put(accept={"double_chance": "3%"})["code"] == "stale-view"
    assert ann.get("/api/me/agreements").json()["agreements"] == []
    taken = put(accept=offer["values"])
    assert [event["type"] for event in taken["events"]] == ["AgreementMade", "WagersPlaced"]
    assert ann.get(MINE).json()["in_force"] == offer["values"]
    (listed,) = ann.get("/api/me/agreements").json()["agreements"]
    assert (listed["name"], listed["from_round"]) == ("Chance", view["round"])
    assert (listed["ended_at"], listed["last_round"]) == (None, None)
    assert ann.get(listed["letter"]).content.startswith(b"%PDF")
    assert put(wagers=[])["in"] is False


@pytest.mark.requirement("R51")
def test_r51_an_agreement_that_ends_before_its_first_round_is_still_listed(floor, ann):
    ann.post(MINE, json={"values": {"double_chance": "2"}})
    with floor.staff("pit") as pit:
        page = pit.get("/pit/decisions").text
        assert "<details><summary>End agreement</summary>" in page, "it takes two clicks"
        ends = {"reason": "The promotion is over."}
        pit.delete(f"/api/tables/chance/agreements/{ann.name}", params=ends)
        log = pit.get("/api/house/events", params={"topic": "settings"}).text
    assert "Reason: The promotion is over." in log
    (ended,) = ann.get("/api/me/agreements").json()["agreements"]
    assert (ended["values"], ended["last_round"]) == ({"double_chance": "2%"}, None)
    assert ended["at"] <= ended["ended_at"]
    assert ended["letter"] is None
    assert ended["ended"] == "The promotion is over."
    page = ann.get("/account").text
    assert "Ended before it applied to a round:" in page
    assert "Reason: The promotion is over." in page
    assert "The promotion is over." in ann.get("/tables/chance").text
    assert ann.get(MINE).json()["in_force"] is None


@pytest.mark.requirement("A17")
def test_a17_a_request_up_to_the_offer_is_granted_at_once(floor, ann):
    assert "A request for 2% is granted at once" in ann.get("/tables/chance").text
    made = ann.post(MINE, json={"values": {"double_chance": "2"}}).json()
    assert (made["in_force"], made["proposed"]) == ({"double_chance": "2%"}, None)
    refused = ann.post(MINE, json={"values": {"double_chance": "0.1"}}).json()
    assert refused["detail"].startswith("“0.1” can't be agreed. Double chance must")


@pytest.mark.requirement("R51")
def test_r51_the_letter_of_an_agreement_has_the_exact_edges(floor, ann, monkeypatch):
    pool, by_workers = floor.server.config.app.state.site.pool, []
    run = pool.run

    def counted(client, function, *arguments, **more):
        by_workers.append(function.__name__)
        return run(client, function, *arguments, **more)

    monkeypatch.setattr(pool, "run", counted)
    assert ann.get(f"{MINE}/letter").json()["code"] == "no-such-agreement"
    value = "3.75%"
    body = {"values": {"double_chance": value}}
    ann.post(MINE, json=body)
    with floor.staff("pit") as pit:
        pit.post(f"/api/tables/chance/agreements/{ann.name}/confirm", json=body)
        handed = pit.get(f"/api/tables/chance/agreements/{ann.name}/letter")
    mine = ann.get(f"{MINE}/letter")
    assert mine.headers["content-type"] == "application/pdf"
    assert mine.content == handed.content
    assert by_workers.count("letter_made") == 2
    with pikepdf.open(BytesIO(mine.content)) as pdf:
        assert len(pdf.pages) == 1
    page = pypdfium2.PdfDocument(mine.content)[0].get_textpage().get_text_range()
    edges = analyse(load("double-chance").game(double_chance=value))
    for bet in ("player", "banker"):
        assert percent_string(edges[bet].edge) in page
    assert value in page
    assert "Ann <b>" in page
    assert "The corner house" in page
    assert "at the table Chance" in page
    assert "Bet £8 on Player" in page  # the table's minimum, as whole coins can be paid on it


@pytest.mark.requirement("R51")
def test_r51_without_the_typesetter_the_letter_is_refused(floor, ann, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "baccarat.poster.typeset", None)
    ann.post(MINE, json=FIVE)
    with floor.staff("pit") as pit:
        pit.post(f"/api/tables/chance/agreements/{ann.name}/confirm", json=FIVE)
    answer = ann.get(f"{MINE}/letter")
    assert (answer.status_code, answer.json()["code"]) == (501, "not-installed")
    assert "baccarat[poster]" in answer.json()["detail"]
    [listed] = ann.get("/api/me/agreements").json()["agreements"]
    assert listed["letter"] is None
    for page in ("/account", "/tables/chance", "/rules/double-chance?table=chance"):
        shown = ann.get(page).text
        assert "/letter" not in shown
        assert "/poster" not in shown
        assert "You get a letter" not in shown
