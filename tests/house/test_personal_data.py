"""Personal data: not in journals, exported on request, erased with the hash chain intact."""

import json
from collections.abc import Callable
from functools import partial

import pytest

from baccarat.auditor import audit, read_store
from baccarat.cli import main
from baccarat.house import jobs
from baccarat.house.money import cash
from baccarat.house.outcomes import Outcome
from baccarat.house.people import accounts, partners
from baccarat.house.people.roles import ERASED, Account, Role
from baccarat.house.personal_data import erase_person
from baccarat.house.ports import Clock, Job
from baccarat.house.safety.profiles import default_conduct
from baccarat.store.bookings import export_person
from baccarat.store.sqlstore import SqlStore
from baccarat.table.refusals import Refused
from support.live import GROWN
from support.proposals import account, seen, waiting
from support.served import Ahead, served, until
from support.stores import Evening, new_database


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/house.db"
    return new_database(request.getfixturevalue("server"))


def journals(store: SqlStore) -> bytes:
    """Return everything in all journals."""
    heads = store.heads()
    return b"".join(
        entry.body for head in heads for entry in store.entries(head.stream, limit=10**6)
    )


def handled(player: str, way: Callable[..., Outcome], coins: int, clock: Clock) -> Job:
    """Return the cashier's job to pay money in or out."""
    return jobs.about_player(player, clock, partial(way, amount=coins), by="till")


def named(player: str, partner: str, clock: Clock) -> Job:
    decide = partial(partners.name_partner, player=player, partner=partner)
    return jobs.about_players((player, partner), clock, decide, conduct=default_conduct())


def refused(evening: Evening, who: str) -> str:
    (done,) = evening.store.commit([erase_person(who, evening.clock)])
    assert isinstance(done, Refused)
    return str(done)


def test_a_person_is_exported_and_erased_and_the_hash_chain_stays_valid(address):
    evening = Evening(SqlStore.open(address)).open(ann=50_000)
    store, clock = evening.store, evening.clock
    evening.do(jobs.open_account(Account("zoe", Role.PLAYER, "Zoë Quill"), clock, born=GROWN))
    evening.do(handled("zoe", cash.pay_in, 2_000, clock))
    for pair in (("zoe", "ann"), ("ann", "zoe")):
        evening.do(named(*pair, clock))
    reply = export_person(store, "zoe")
    assert (reply["name"], reply["born"], reply["role"]) == ("Zoë Quill", "1930-01-01", "player")
    assert reply["balances"] == {"player:zoe/real": 2_000, "player:zoe/bonus": 0}
    assert [booking["amounts"] for booking in reply["bookings"]] == [{"player:zoe/real": 2_000}]
    assert json.loads(json.dumps(reply))["protection"]["born"] == GROWN
    assert "20.00 in the wallet or on tables. Pay it out first." in refused(evening, "zoe")
    evening.do(handled("zoe", cash.pay_out, 2_000, clock))
    evening.do(erase_person("zoe", clock))
    person = store.person("zoe")
    assert (person.account.name, person.password, person.account.closed) == (ERASED, None, True)
    reply = export_person(store, "zoe")
    assert (reply["name"], reply["born"], reply["sessions"]) == (ERASED, None, [])
    assert b"Quill" not in journals(store)
    assert evening.do(erase_person("zoe", clock)).head == store.head("house")  # once is enough
    (paid,) = store.commit([handled("zoe", cash.pay_in, 5, clock)])
    assert "is closed" in str(paid)
    (taken,) = store.commit([jobs.open_account(Account("zoe", Role.PLAYER, "Zo"), clock)])
    assert "The ID zoe is taken." in str(taken)
    store.close()
    assert audit(read_store(address)).findings == []


def test_a_staff_account_must_be_closed_before_it_is_erased(tmp_path):
    evening = Evening(SqlStore.open(f"sqlite:///{tmp_path}/house.db")).open(ann=5)
    clock = evening.clock
    assert "The account till is open. Close it first." in refused(evening, "till")
    evening.do(jobs.about_staff("till", jobs.OPERATOR, clock, accounts.close))
    evening.do(erase_person("till", clock))
    assert evening.store.person("till").account.name == ERASED
    guest = Account("guest-1", Role.PLAYER, "Guest", guest=True)
    evening.do(jobs.open_account(guest, clock))
    assert "is a guest" in refused(evening, "guest-1")
    evening.store.close()
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def test_the_commands_export_and_erase(tmp_path, capsys):
    path = f"{tmp_path}/house.db"
    evening = Evening(SqlStore.open(f"sqlite:///{path}")).open(ann=5)
    evening.do(handled("ann", cash.pay_out, 5, evening.clock))
    evening.store.close()
    assert main(["export-person", path, "ann"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "Ann"
    assert main(["erase-person", path, "ann"]) == 0
    assert capsys.readouterr().out == "Personal data erased: ann\n"
    assert main(["export-person", path, "nobody"]) == 2
    assert main(["erase-person", path, "till"]) == 2


def test_a_running_server_forgets_an_erased_person(tmp_path):
    with served(tmp_path) as house, house.player("zed") as zed, house.staff("cashier") as till:
        path = "/api/cashier/players/zed"
        assert till.get(path).json()["name"] == "Zed"
        assert zed.get("/api/me/balance").is_success
        assert main(["erase-person", f"{tmp_path}/house.db", "zed"]) == 0
        until(lambda: till.get(path).json()["name"] == ERASED)
        assert zed.get("/api/me/balance").status_code == 401


def test_an_erased_account_is_refused_where_clocks_differ(tmp_path):
    """By the server's clock the session began after its account was erased."""
    clock = Ahead(by=3_600_000)
    with (
        served(tmp_path, clock=clock) as house,
        house.player("zed") as zed,
        house.staff("cashier") as till,
    ):
        assert main(["erase-person", f"{tmp_path}/house.db", "zed"]) == 0
        until(lambda: till.get("/api/cashier/players/zed").json()["name"] == ERASED)
        for path in ("/api/me/balance", "/api/me/play", "/api/me/ledger"):
            assert zed.get(path).status_code in (401, 403), path


def test_a_proposed_name_is_not_journaled_and_is_deleted_with_the_proposal(tmp_path):
    body = {"id": "rhea", "name": "Rhea Quill", "role": "cashier"}
    with (
        served(tmp_path) as house,
        house.colleague("rita") as rita,
        house.colleague("ross") as ross,
    ):
        assert rita.post("/api/staff", json=body).json()["waits_for_second"]
        (matter,) = waiting(ross)
        assert (matter["terms"]["name"], matter["confirm"]["body"]) == ("Rhea Quill", body)
        assert "Rhea Quill" in ross.get("/pit/decisions").text
        other = {**body, "name": "Another Quill"}
        assert ross.post("/api/staff", json=other).json()["waits_for_second"], "other terms"
        done = rita.post("/api/staff", json=other, headers=seen(rita, account("rhea")))
        assert done.json()["waits_for_second"] is False
        assert house.store.person("rhea").account.name == "Another Quill"
        assert house.store.proposed_name("rhea") is None
        assert b"Quill" not in journals(house.store)
