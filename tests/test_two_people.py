"""Two people of the pit (G38): who is let into it, and how; much bonus money; the auditor's eye."""

import itertools
import os
from pathlib import Path

import pytest

from baccarat.auditor import audit, read_store
from baccarat.auditor.books import TableBooks
from baccarat.auditor.house import HouseBooks
from baccarat.cli import main
from baccarat.house.housefile import House
from served import HOUSE, PASSWORD, served, signed

DORA = {"id": "dora", "name": "Dora", "password": PASSWORD, "role": "pit"}
OWN = "a sentence of my own"
KEYS = itertools.count()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    with served(folder, house=House("House", "GBP", 100_000, HOUSE.tables[:1])) as found:
        yield found
    assert audit(read_store(f"sqlite:///{folder}/house.db")).findings == []


def key() -> dict[str, str]:
    return {"Idempotency-Key": f"two-{next(KEYS)}"}


def code(answer) -> str:
    assert answer.status_code >= 400, answer.text
    return answer.json()["code"]


def waits(answer) -> bool:
    """Does it wait for a second person?"""
    assert answer.is_success, answer.text
    return answer.json()["waits_for_second"]


def signed_in(house, name: str, password: str = PASSWORD):
    client = house.client()
    answer = client.post("/api/session", json={"account": name, "password": password})
    return signed(client, answer)


def subjects(pit) -> list[str]:
    return [one["subject"] for one in pit.get("/api/pit").json()["waiting"]]


@pytest.mark.requirement("G38")
def test_g38_two_people_open_an_account_of_the_pit(house):
    with house.staff("pit") as pit, house.colleague("pat") as pat:
        first = pit.post("/api/staff", json=DORA)
        assert (first.status_code, first.json()["waits_for_second"]) == (201, True)
        assert house.store.person("dora") is None
        assert code(pit.post("/api/staff", json=DORA)) == "needs-two-people"
        assert subjects(pit) == ["account dora"]
        assert pat.delete("/api/staff/dora/proposal").status_code == 204
        assert subjects(pit) == []
        assert waits(pat.post("/api/staff", json=DORA))  # nothing waited any more
        other = {**DORA, "name": "Somebody else"}
        assert waits(pit.post("/api/staff", json=other))  # other terms: proposed anew
        done = pat.post("/api/staff", json={**other, "password": "handed over"})
        assert (done.status_code, done.json()["waits_for_second"]) == (201, False)
        assert subjects(pit) == []
        assert code(pit.post("/api/staff", json=DORA)) == "id-taken"
        told = pit.get("/api/house/events", params={"topic": "two-people"}).json()["events"]
        assert any("An account of the pit, dora: done" in one["words"] for one in told)
    with signed_in(house, "dora", "handed over") as dora:
        assert dora.get("/api/session").json()["role"] == "pit"


@pytest.mark.requirement("G38")
def test_a_password_that_was_given_is_changed_before_anything_else(house):
    with house.staff("pit") as pit:
        body = {**DORA, "id": "dee", "role": "dealer"}
        assert pit.post("/api/staff", json=body).status_code == 201  # a dealer: one person's doing
    with signed_in(house, "dee") as dee, signed_in(house, "dee") as spy:
        assert dee.get("/api/session").json()["given_password"] is True
        for path in ("/api/tables/open/console", "/api/house/events"):
            assert code(dee.get(path)) == "given-password"
        assert dee.get("/dealer").headers["location"] == "/account"
        assert "Somebody else has chosen your password" in dee.get("/account").text
        same = {"old": PASSWORD, "new": PASSWORD}
        assert code(dee.put("/api/me/password", json=same)) == "not-allowed"
        assert dee.put("/api/me/password", json={"old": PASSWORD, "new": OWN}).status_code == 204
        assert dee.get("/api/session").json()["given_password"] is False
        assert code(dee.get("/api/tables/open/console")) == "wrong-phase"  # let in: no cards there
        # Whoever gave the password, and was signed in with it, is out.
        assert code(spy.get("/api/session")) == "not-signed-in"


@pytest.mark.requirement("G38")
def test_g38_bonus_money_above_what_one_person_decides_takes_two(house):
    path = "/api/accounts/ann/bonus"
    most = house.service.house.decide_alone
    with house.player("ann"), house.staff("pit") as pit, house.colleague("paul") as paul:
        small, much = {"amount": most}, {"amount": most + 1}
        assert not waits(pit.post(path, json=small, headers=key()))
        assert not waits(pit.delete(path, headers=key()))
        # What was granted today counts: small grants do not add up to a large one.
        assert waits(pit.post(path, json={"amount": 1}, headers=key()))
        assert pit.delete(f"{path}/proposal").status_code == 204
        assert waits(pit.post(path, json=much, headers=key()))
        assert code(pit.post(path, json=much, headers=key())) == "needs-two-people"
        assert subjects(pit) == ["bonus ann"]
        assert not waits(paul.post(path, json=much, headers=key()))
        assert house.store.balance("player:ann/bonus") == most + 1
        assert waits(paul.delete(path, headers=key()))
        assert not waits(pit.delete(path, headers=key()))
        assert house.store.balance("player:ann/bonus") == 0
        assert subjects(pit) == []


def test_the_operator_opens_the_first_two_accounts_of_the_pit(house, monkeypatch, capsys):
    store = str(house.store.engine.url.database)
    monkeypatch.setenv("BACCARAT_PIT_PASSWORD", PASSWORD)
    assert main(["open-pit", store, "olga", "Olga"]) == 0
    assert "olga is of the pit" in capsys.readouterr().out
    assert main(["open-pit", store, "olga", "Olga"]) == 2
    assert "olga is taken" in capsys.readouterr().err
    assert main(["open-pit", "nowhere.db", "olga", "Olga"]) == 2
    assert not Path("nowhere.db").exists()
    monkeypatch.delenv("BACCARAT_PIT_PASSWORD")
    assert "BACCARAT_PIT_PASSWORD" not in os.environ
    with signed_in(house, "olga") as olga:
        assert code(olga.get("/api/pit")) == "given-password"
        assert olga.put("/api/me/password", json={"old": PASSWORD, "new": OWN}).is_success
        assert olga.get("/api/pit").status_code == 200


# ---- the auditor --------------------------------------------------------------------------------


def told(*events: tuple[str, dict], books=None) -> list[str]:
    """What the books of the house, or those that are given, find in events."""
    books = books or HouseBooks("house")
    for sequence, (kind, body) in enumerate(events, start=1):
        books.take(sequence, kind, {"at": sequence, **body})
    return [problem for _, problem in books.findings]


def opened(account: str, role: str = "pit", by: str = "the operator", first: str = ""):
    body = {"account": account, "role": role, "name": account, "guest": False, "by": by}
    return ("AccountOpened", {**body, "first": first} if first else body)


def proposed(subject: str, by: str):
    return ("ActionProposed", {"subject": subject, "terms": "", "words": "", "by": by, "until": 99})


def ended(subject: str, why: str = "done"):
    return ("ProposalEnded", {"subject": subject, "by": "pat", "why": why})


PIT = (opened("pit"), opened("pat"), opened("ann", "player"))
DOUBLE = (proposed("account dora", "pit"), opened("dora", by="pat", first="pit"))


def bonus(by: str, first: str = "", amount: int = 101):
    body = {"account": "ann", "amount": amount, "wagering": 0, "expires_at": 999, "by": by}
    return ("BonusOpened", {**body, "alone": 100, **({"first": first} if first else {})})


@pytest.mark.requirement("G38")
@pytest.mark.parametrize(
    ("events", "found"),
    [
        ((*PIT, *DOUBLE, ended("account dora")), ""),
        ((*PIT, opened("dora", by="pit")), "one person alone"),
        ((*PIT, opened("dora", by="pat", first="pit")), "did not propose"),
        ((*PIT, *DOUBLE, ended("account dora", "withdrawn")), "was not done so"),
        ((*PIT, proposed("account dora", "pit"), ended("account dora")), "was not done so"),
        ((*PIT, opened("dee", "dealer", by="pit")), ""),
        ((*PIT, opened("dee", "dealer", by="cash")), "cash, who is not of the pit"),
        ((*PIT, bonus("pit", amount=100)), ""),
        ((*PIT, bonus("pit")), "one person alone"),
        ((*PIT, proposed("bonus ann", "pit"), bonus("pat", "pit"), ended("bonus ann")), ""),
        ((*PIT, proposed("bonus ann", "pit"), bonus("pit", "pit")), "did not propose"),
    ],
)
def test_g38_the_auditor_sees_who_was_let_in_and_by_whom(events, found):
    problems = told(*events)
    assert [one for one in problems if found in one] if found else problems == []


@pytest.mark.requirement("G38")
@pytest.mark.parametrize(
    ("by", "found"),
    [
        (["pit", "pat"], ""),
        (["dee", "pat"], ""),
        (["dee", "pit"], "gave the other their account alone"),
        (["pit", "dee"], "dee, who confirmed it, is not of the pit"),
        (["pit", "nobody"], "nobody, who confirmed it, is not of the pit"),
    ],
)
def test_g38_the_auditor_sees_that_two_people_of_the_pit_are_two(by, found):
    staff = {"pit": ("pit", ""), "pat": ("pit", ""), "dee": ("dealer", "pit")}
    books = TableBooks("table:one", staff=staff)
    resolved = ("AmbiguityResolved", {"ambiguity": "a", "by": by})
    problems = told(proposed("ambiguity a", by[0]), resolved, books=books)
    assert [one for one in problems if found in one] if found else problems == []


AWAY = [
    opened("ann", "player"),
    opened("bob", "player"),
    opened("till", "cashier"),
    ("PartnersChanged", {"account": "bob", "partners": ["ann"]}),
    ("PlayerExcluded", {"account": "ann", "until": 10**12, "by": "ann"}),
]


@pytest.mark.requirement("G15")
def test_g15_the_auditor_sees_money_paid_in_for_an_account_linked_with_one_that_is_away():
    paid = ("MoneyPaidIn", {"account": "bob", "amount": 5, "by": "till"})
    assert told(*AWAY, paid) == ["bob paid money in while ann was on a break or excluded"]
    parted = ("PartnersChanged", {"account": "bob", "partners": []})
    assert told(*AWAY, parted, paid) == []


@pytest.mark.requirement("G15")
def test_g15_the_auditor_sees_a_wager_of_an_account_linked_with_one_that_is_away():
    def found(at: int) -> list[str]:
        books = TableBooks("table:one", phase="open", round=1, closes_at=10**9)
        books.linked, books.away = (
            {"bob": [(10_000, frozenset({"ann"}))]},
            {"ann": [(20_000, 10**9)]},
        )
        wager = {"round": 1, "player": "bob", "wagers": [{"bet": "tie", "stake": 5}], "bonus": 0}
        books.take(1, "WagersPlaced", {**wager, "agreed": [], "at": at})
        return [problem for _, problem in books.findings if "partner" in problem]

    assert found(50_000) == ["bob wagered while ann, a partner, was on a break or away"]
    assert found(15_000) == []
    assert found(20_500) == []  # within a second nobody can say which came first
