"""A second factor for staff: codes by time, recovery codes, and who may remove it."""

import base64
from dataclasses import replace

import httpx
import pytest
from sqlalchemy import select, update

from baccarat.auditor import audit, read_store
from baccarat.house.people import second_factor as sf
from baccarat.house.people.sign_in_lock import MAX_WRONG
from baccarat.store import schema as s
from support.served import HOUSE, PASSWORD, closing_clients, code, served, signed, until

PLAN = next(table for table in HOUSE.tables if table.id == "open")
SMALL = replace(HOUSE, tables=(PLAN,))


class Clock:
    """A clock that a test moves."""

    now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path, clock):
    with served(tmp_path, house=SMALL, clock=clock) as found, closing_clients(found):
        yield found
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def enrol(client: httpx.Client, clock: Clock) -> tuple[bytes, list[str]]:
    """Set up a second factor, and return its secret and the recovery codes."""
    new = client.post("/api/me/second-factor").json()
    secret = base64.b32decode(new["secret"])
    body = {"sealed": new["sealed"], "code": now_code(secret, clock), "password": PASSWORD}
    answer = client.put("/api/me/second-factor", json=body)
    assert answer.status_code == 200, answer.text
    return secret, answer.json()["recovery_codes"]


def now_code(secret: bytes, clock: Clock, steps: int = 0) -> str:
    return sf.code_at(secret, clock() // sf.STEP_MS + steps)


def sign_in(house, **more: str) -> httpx.Response:
    body = {"account": "the-dealer", "password": PASSWORD, **more}
    return house.client().post("/api/session", json=body)


@pytest.mark.parametrize(
    ("seconds", "digits"),
    # RFC 6238, appendix B, SHA-1: the last six of its eight digits
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
        (20000000000, "353130"),
    ],
)
def test_codes_are_those_of_the_rfc(seconds, digits):
    assert sf.code_at(b"12345678901234567890", seconds // 30) == digits


def test_a_code_counts_once_and_only_near_its_time():
    secret, now = bytes(range(sf.SECRET_BYTES)), 1_700_000_000_000
    step = now // sf.STEP_MS
    for drift, right in ((-2, False), (-1, True), (0, True), (1, True), (2, False)):
        assert (sf.step_of(secret, sf.code_at(secret, step + drift), now) is not None) is right
    assert sf.step_of(secret, sf.code_at(secret, step), now, after=step) is None
    assert sf.step_of(secret, sf.code_at(secret, step + 1), now, after=step) == step + 1


def test_signing_in_needs_a_code_that_was_not_used(house, clock):
    secret, _ = enrol(house.staff("dealer"), clock)
    assert code(sign_in(house)) == "code-needed"
    assert code(sign_in(house, code="000000")) == "wrong-code"
    assert code(sign_in(house, code=now_code(secret, clock))) == "wrong-code"  # from the set-up
    clock.now += sf.STEP_MS
    fresh = now_code(secret, clock)
    assert sign_in(house, code=f"{fresh[:3]} {fresh[3:]}").status_code == 200
    assert code(sign_in(house, code=fresh)) == "wrong-code"
    assert code(sign_in(house, password=fresh, code=fresh)) == "wrong-password"


def test_a_recovery_code_works_once(house, clock):
    _, codes = enrol(house.staff("dealer"), clock)
    assert len(set(codes)) == sf.RECOVERY_CODES
    assert sign_in(house, code=codes[0]).status_code == 200
    assert code(sign_in(house, code=codes[0])) == "wrong-code"
    assert sign_in(house, code=codes[1].upper()).status_code == 200


def test_wrong_codes_lock_the_sign_in_even_with_the_right_password(house, clock):
    secret, _ = enrol(house.staff("dealer"), clock)
    for _ in range(MAX_WRONG):
        assert code(sign_in(house)) == "code-needed"  # the right password does not reset the count
        assert code(sign_in(house, code="123456")) == "wrong-code"
        until(lambda: not house.is_writing())
    clock.now += sf.STEP_MS
    assert code(sign_in(house, code=now_code(secret, clock))) == "sign-in-locked"


def test_setting_up_needs_the_password_and_a_code_from_this_secret(house, clock):
    dealer = house.staff("dealer")
    new = dealer.post("/api/me/second-factor").json()
    right = now_code(base64.b32decode(new["secret"]), clock)
    body = {"sealed": new["sealed"], "code": right, "password": PASSWORD}
    for changed in ({"code": "000000"}, {"password": "another one"}, {"sealed": "00" * 40}):
        assert not dealer.put("/api/me/second-factor", json=body | changed).is_success
    other = house.staff("pit").put("/api/me/second-factor", json=body)
    assert code(other) == "wrong-code"  # the secret was made for another account
    assert sign_in(house).status_code == 200
    assert dealer.put("/api/me/second-factor", json=body).status_code == 200
    assert code(sign_in(house)) == "code-needed"


def test_players_and_shoes_have_no_second_factor(house):
    assert code(house.player("ann").post("/api/me/second-factor")) == "not-allowed"


def test_the_secret_is_in_no_journal_and_encrypted_in_the_store(house, clock):
    secret, codes = enrol(house.staff("dealer"), clock)
    sign_in(house, code=codes[0])
    until(lambda: not house.is_writing())
    with house.store.engine.connect() as connection:
        journal = b"".join(connection.execute(select(s.journal.c.body)).scalars())
        row = connection.execute(select(s.people).where(s.people.c.id == "the-dealer")).one()
    shown = f"{row}".encode()
    for hidden in (secret, sf.in_base32(secret).encode(), *(one.encode() for one in codes)):
        assert hidden not in journal
        assert hidden not in shown
    assert row.second_factor.hex().encode() not in journal


def test_one_person_removes_a_dealers_factor_and_two_a_cashiers(house, clock):
    enrol(house.staff("dealer"), clock)
    enrol(house.staff("cashier"), clock)
    pit, boss = house.staff("pit"), house.colleague("boss")
    answer = pit.delete("/api/staff/the-dealer/second-factor")
    assert answer.json() == {"waits_for_second": False}
    assert sign_in(house).status_code == 200
    assert code(pit.delete("/api/staff/the-dealer/second-factor")) == "not-allowed"
    for person, waits in ((pit, True), (boss, False)):
        answer = person.delete("/api/staff/the-cashier/second-factor", params={"reason": "lost"})
        assert answer.json() == {"waits_for_second": waits}
    assert sign_in(house, account="the-cashier").status_code == 200


def test_a_factor_removed_from_the_store_is_found(tmp_path, clock):
    with served(tmp_path, house=SMALL, clock=clock) as house, closing_clients(house):
        enrol(house.staff("dealer"), clock)
        until(lambda: not house.is_writing())
        with house.store.engine.begin() as connection:
            connection.execute(update(s.people).values(second_factor=None))
        assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == [
            "the-dealer: second factor False in the store, True in the journal"
        ]


def test_a_house_can_require_a_second_factor(tmp_path, clock):
    strict = replace(SMALL, second_factor=True)
    with served(tmp_path, house=strict, clock=clock) as house, closing_clients(house):
        pit = house.staff("pit")
        assert code(pit.get("/api/pit")) == "needs-second-factor"
        page = pit.get("/pit", headers={"Accept": "text/html"})
        assert page.headers["location"] == "/account/second-factor"
        secret, _ = enrol(pit, clock)
        assert pit.get("/api/pit").status_code == 200
        clock.now += sf.STEP_MS
        body = {"account": "the-pit", "password": PASSWORD, "code": now_code(secret, clock)}
        again = house.client()
        signed(again, again.post("/api/session", json=body))
        assert again.get("/api/pit").status_code == 200
        ann = house.player("ann")
        assert ann.get("/api/me/balance").status_code != 403
