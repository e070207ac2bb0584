"""Dishonest staff and accomplices: split amounts, staked bonus money, parked money, one person in
two roles."""

import itertools
from dataclasses import replace
from functools import partial

import httpx
import pytest

from baccarat.auditor import audit, read_store
from baccarat.core.wagers import Wager
from support.racing import HAND, Race, racing
from support.samples import amount
from support.served import HOUSE, served
from support.stores import new_database

KEYS = itertools.count()
PLANS = tuple(table for table in HOUSE.tables if table.id in ("open", "members"))


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """Start a house with two tables where betting stays open."""
    folder = tmp_path_factory.mktemp("staff")
    with served(folder, house=replace(HOUSE, tables=PLANS)) as found:
        yield found
    assert audit(read_store(f"sqlite:///{folder}/house.db")).findings == []


def key() -> dict[str, str]:
    return {"Idempotency-Key": f"staff-{next(KEYS)}"}


def waits(answer: httpx.Response) -> bool:
    assert answer.is_success, answer.text
    return answer.json()["waits_for_second"]


def bet(player: httpx.Client, table: str, stake: int, *, way: str = "") -> httpx.Response:
    """Bet on Player; a stake of 0 withdraws the bet."""
    number = player.get(f"/api/tables/{table}").json()["round"]
    wagers = [{"bet": "player", "stake": stake}] if stake else []
    path, body = f"/api/tables/{table}/wagers{way}", {"round": number, "wagers": wagers}
    send = player.post if way else player.put
    return send(path, json=body, headers=key())


def grant(house, player: str, amount: int, *people: httpx.Client) -> None:
    """Grant bonus money, with a second person if necessary."""
    path = f"/api/accounts/{player}/bonus"
    for person in people:
        if not waits(person.post(path, json={"amount": amount}, headers=key())):
            return
    raise AssertionError("it still waits for a second person")


# ---- bonus money --------------------------------------------------------------------------------


@pytest.mark.requirement("G38")
def test_g38_removing_staked_bonus_money_above_the_limit_needs_two_people(house):
    """Regression: one person removed the 1.00 in the wallet, which ended the grant, so that the
    499.00 on the table was forfeited as well."""
    path = "/api/accounts/ann/bonus"
    with house.colleague("ida") as ida, house.colleague("ian") as ian, house.player("ann") as ann:
        grant(house, "ann", 50_000, ida, ian)
        assert bet(ann, "open", 49_900).is_success
        taken = partial(ida.delete, path, params={"reason": "it was a mistake"})
        assert waits(taken(headers=key()))
        (waiting,) = (matter for matter in ian.get("/api/pit").json()["waiting"])
        assert waiting["proposes"] == (
            "Take back all of ann's bonus money, including bets on tables: £500.00."
        )
        assert waiting["words"] == "it was a mistake"
        assert waiting["effect"]["money"] == [{"player": "ann", "before": 50_000, "after": 0}]
        confirms = {**key(), "X-Proposal": waiting["proposal"]}
        assert not waits(ian.delete(path, headers=confirms))
        assert house.store.balance("player:ann/bonus") == 0
        assert bet(ann, "open", 0).is_success  # the returned stake is forfeited
        assert ann.post("/api/me/bonus/review").is_success
        assert house.store.balance("player:ann/bonus") == 0


def test_bonus_money_that_is_all_staked_can_be_removed(house):
    with house.colleague("iva") as iva, house.player("abe") as abe:
        grant(house, "abe", 5_000, iva)
        assert bet(abe, "open", 5_000).is_success
        assert not waits(iva.delete("/api/accounts/abe/bonus", headers=key()))
        assert house.store.safety("abe").bonus.ended == "forfeited"
        assert bet(abe, "open", 0).is_success


@pytest.mark.requirement("G17")
def test_parking_real_money_at_a_table_does_not_turn_other_bets_into_bonus_bets(house):
    """Regression: a bet at another table was paid from bonus money and counted towards its release,
    while the real money was withdrawn again."""
    with house.colleague("ira") as ira, house.player("bea", 10_000) as bea:
        grant(house, "bea", 5_000, ira)
        assert bet(bea, "open", 9_000).is_success
        assert bet(bea, "members", 1_000).is_success  # covered by real money
        for way in ("", "/trial"):
            refused = bet(bea, "members", 2_000, way=way)
            assert refused.json()["code"] == "bonus-terms"
            assert refused.json()["detail"].startswith(
                "You have £90.00 of your own money on another table"
            )
        assert bet(bea, "open", 12_000).json()["code"] == "bonus-terms"  # nor the other way round
        assert house.store.balance("player:bea/bonus") == 5_000
        assert bet(bea, "open", 0).is_success
        assert bet(bea, "members", 12_000).is_success
        assert house.store.state("table:members").round.placed("bea").bonus == 2_000
        house.pay("bea", 3_000)
        assert bet(bea, "open", 3_000).is_success  # real money that came later
        assert bet(bea, "members", 11_500).is_success  # lowering a bet is never refused
        assert bet(bea, "members", 0).is_success
        assert bet(bea, "open", 0).is_success
        real, bonus = (house.store.balance(f"player:bea/{one}") for one in ("real", "bonus"))
        assert (real, bonus) == (13_000, 5_000)


# ---- accounts -----------------------------------------------------------------------------------


def test_no_account_can_have_the_journals_id_of_the_house(house):
    """Its payments would look like the house's."""
    with house.client() as client, house.staff("pit") as pit:
        body = {"id": "house", "name": "Harry", "password": "a sentence of mine"}
        answer = client.post("/api/accounts", json={**body, "born": "1990-01-01"})
        assert answer.json()["code"] == "id-taken"
        staff = {"id": "house", "name": "Harry", "role": "dealer"}
        assert pit.post("/api/staff", json=staff).json()["code"] == "id-taken"


# ---- one person's daily limit -------------------------------------------------------------------

ALONE, DAY_ALONE = 10_000, 20_000
DUE = 9_000
"""The payment for a dispute over a bet of 45.00."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def race(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("day")
    address = f"sqlite:///{folder}/house.db"
    if request.param == "postgresql":
        address = new_database(request.getfixturevalue("server"))
    with racing(address, folder, alone=ALONE, day_alone=DAY_ALONE) as found:
        yield found
        found.check()


def disputed(race: Race) -> tuple[str, int]:
    """Let a player dispute a round, ready for a decision."""
    name, client = race.player(100_000)
    race.shoe()
    number = race.round("6h 2d Kc 3s", {name: [Wager("banker", 4_500)]})
    with client:
        path = f"/api/tables/{HAND}/rounds/{number}"
        assert client.post(f"{path}/dispute", json={"reason": "he draws"}).is_success
        race.round("4c 9d 4h 9s")
    with race.one.staff("pit") as pit:
        path = f"{path}/errors/dismissal"
        assert pit.post(path, json={"reason": "no error"}, headers=race.key()).is_success
    return name, number


def decide(client: httpx.Client, name: str, number: int) -> httpx.Response:
    path = f"/api/tables/{HAND}/disputes/{number}/{name}"
    readings = client.get(path).json()["proposed"]["readings"]
    return client.post(f"{path}/decision", json={"readings": readings, "reason": "unclear"})


def is_decided(answer: httpx.Response) -> bool:
    assert answer.is_success, answer.text
    return answer.json()["dispute"]["decided"]


@pytest.mark.requirement("G38", "R46")
def test_g38_disputes_and_bonus_money_share_one_persons_daily_limit(race):
    """Regression: one person could decide any number of disputes below the limit."""
    with race.one.colleague("dan") as dan, race.two.colleague("dot") as dot:
        for _ in range(2):
            assert is_decided(decide(dan, *disputed(race)))
        third = disputed(race)
        assert not is_decided(decide(dan, *third))
        other, client = race.player(0)
        client.close()
        path, body = f"/api/accounts/{other}/bonus", {"amount": DAY_ALONE - 2 * DUE}
        assert not waits(dan.post(path, json=body, headers=race.key()))
        assert waits(dan.delete(path, headers=race.key()))  # nothing is left of the daily limit
        assert is_decided(decide(dot, *third))  # confirmed
        decided = race.store.state(f"table:{HAND}")
        assert not [dispute for dispute in decided.disputes if not dispute.decided]
        # Decisions by two people do not count.
        assert is_decided(decide(dot, *disputed(race)))


@pytest.mark.requirement("G38", "R46")
def test_g38_a_simultaneous_dispute_and_bonus_do_not_exceed_the_daily_limit(race):
    for attempt in range(amount("RACES")):
        name = f"max-{attempt}"
        with race.one.colleague(name) as one, race.two.client() as two:
            two.cookies.update(one.cookies)
            two.headers["X-CSRF-Token"] = one.headers["X-CSRF-Token"]
            assert is_decided(decide(one, *disputed(race)))
            matter = disputed(race)
            other, client = race.player(0)
            client.close()
            path = f"/api/accounts/{other}/bonus"
            bonus = partial(two.post, path, json={"amount": 5_000}, headers=race.key())
            answers = race.at_once(partial(decide, one, *matter), bonus)
            alone = [is_decided(answers[0]), not waits(answers[1])]
            assert sorted(alone) == [False, True]
            used = race.store.safety(name).tallies["decided-alone/day"].amount
            assert used == DUE + (DUE if alone[0] else 5_000)
            if not alone[0]:
                with race.one.staff("pit") as pit:
                    assert is_decided(decide(pit, *matter))
