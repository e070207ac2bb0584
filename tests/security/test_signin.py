"""Signing in: password guessing, weak passwords and sessions."""

import json
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from baccarat.auditor import audit, read_store
from baccarat.house.people import sign_in_lock
from baccarat.house.people.sign_in_lock import MAX_WRONG
from baccarat.house.people.weak_passwords import weakness
from baccarat.web.identity import sign_in
from baccarat.web.identity.sessions import agent_of
from baccarat.web.identity.visitors import Sessions, digest_of
from baccarat.web.server.guard import Rate, network_of, shortened
from support.served import GENEROUS, PASSWORD, Ahead, served, signed, until
from support.stores import new_database

FEW = 25
"""Wrong passwords allowed from all addresses together in these tests; each attempt is slow."""
HOME, CAFE, FAR = "198.51.100.7", "203.0.113.9", "192.0.2.1"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("signin")) as found:
        yield found


def tried(house, name: str, password: str, address: str, **headers: str):
    """Try to sign in without cookies, through a local proxy, and wait until it is counted."""
    with house.client(**{"X-Forwarded-For": address, **headers}) as client:
        answer = client.post("/api/session", json={"account": name, "password": password})
    until(lambda: not house.is_writing())
    return answer


def code(answer) -> str:
    return answer.json()["code"] if answer.is_error else "in"


@contextmanager
def logged(name: str = "baccarat.web.identity"):
    """Collect log records while the context is open."""
    found: list[logging.LogRecord] = []
    handler, logger = logging.Handler(), logging.getLogger(name)
    handler.emit = found.append
    before = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield found
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


# ---- guessing ----------------------------------------------------------------------------------


@pytest.mark.requirement("G27")
def test_g27_password_guessing_locks_out_only_the_guessing_address(house):
    for name in ("the-pit", "nobody-there"):
        found = [code(tried(house, name, "wrong horse", CAFE)) for _ in range(MAX_WRONG)]
        assert found == ["wrong-password"] * MAX_WRONG
        assert code(tried(house, name, PASSWORD, CAFE)) == "sign-in-locked"
    assert code(tried(house, "the-pit", PASSWORD, HOME)) == "in"  # from a new address
    assert code(tried(house, "the-pit", PASSWORD, CAFE)) == "sign-in-locked"


@pytest.mark.requirement("G27")
def test_g27_guessing_from_many_addresses_does_not_lock_out_a_known_address(house, monkeypatch):
    assert sign_in_lock.MAX_ANYWHERE == 100  # that many attempts would take too long
    monkeypatch.setattr(sign_in_lock, "MAX_ANYWHERE", FEW)
    assert code(tried(house, "the-dealer", PASSWORD, HOME)) == "in"
    for n in range(FEW):
        answer = tried(house, "the-dealer", "wrong horse", f"10.0.{n // 5}.1")
        assert code(answer) == "wrong-password"
    assert code(tried(house, "the-dealer", PASSWORD, "10.1.0.1")) == "sign-in-locked"
    assert code(tried(house, "the-dealer", PASSWORD, HOME)) == "in"


def test_an_ipv6_network_counts_as_one_address(house):
    for n in range(MAX_WRONG):
        tried(house, "the-shoe", "wrong horse", f"2001:db8:1:2::{n + 1}")
    assert code(tried(house, "the-shoe", PASSWORD, "2001:db8:1:2::ff")) == "sign-in-locked"
    assert code(tried(house, "the-shoe", PASSWORD, "2001:db8:1:3::1")) == "in"
    assert network_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert (shortened("192.0.2.7"), shortened("2001:db8:1:2::1")) == (
        "192.0.2.0/24",
        "2001:db8:1::/48",
    )
    assert network_of("<script>") == "<script>"


def test_an_ipv6_network_shares_limits_for_sign_ins_and_new_accounts(tmp_path):
    rates = replace(GENEROUS, sign_in_from=Rate(3, 1), new_account=Rate(3, 1))
    found: dict[str, list[int]] = {}
    with served(tmp_path, rates=rates) as strict, logged() as lines:
        for n in range(5):
            with strict.client(**{"X-Forwarded-For": f"2001:db8:1:2::{n + 1}"}) as client:
                body = {"account": "the-pit", "password": PASSWORD}
                new = {
                    "id": f"new-{n}",
                    "name": f"New {n}",
                    "password": PASSWORD,
                    "born": "1990-05-05",
                }
                for path, sent in (("session", body), ("accounts", new), ("guests", None)):
                    answer = client.post(f"/api/{path}", json=sent)
                    found.setdefault(path, []).append(answer.status_code)
        with strict.client(**{"X-Forwarded-For": "2001:db8:1:3::1"}) as client:
            assert client.post("/api/guests").is_success
    assert found["session"] == [200] * 3 + [429] * 2
    assert sorted(found["accounts"] + found["guests"]) == [201] * 3 + [429] * 7
    refused = [(line.account, line.address, line.why) for line in lines if "refused" in line.msg]
    assert refused == [("the-pit", f"2001:db8:1:2::{n}", "rate limit") for n in (4, 5)]


def test_the_queue_for_password_hashing_is_bounded(tmp_path, monkeypatch):
    let_go, compare = threading.Event(), sign_in.is_password

    def held(*given: str) -> bool:
        return let_go.wait(60) and compare(*given)

    with served(tmp_path, rates=GENEROUS) as busy, ThreadPoolExecutor(20) as threads:
        monkeypatch.setattr(sign_in, "MAX_HASHING", 2)
        until(lambda: code(tried(busy, "the-pit", PASSWORD, HOME)) == "in")
        monkeypatch.setattr(sign_in, "is_password", held)
        asked = [
            threads.submit(tried, busy, f"nobody-{n}", PASSWORD, f"10.2.0.{n}") for n in range(20)
        ]
        until(lambda: sum(one.done() for one in asked) == 20 - sign_in.HASHERS - 2)
        let_go.set()
        answers = [one.result() for one in asked]
        assert {code(answer) for answer in answers} == {"wrong-password", "busy"}
        assert {answer.status_code for answer in answers if code(answer) == "busy"} == {503}
        assert all("Retry-After" in answer.headers for answer in answers if code(answer) == "busy")
        assert code(tried(busy, "the-pit", PASSWORD, HOME)) == "in"


# ---- passwords ---------------------------------------------------------------------------------

WEAK = (
    *("password", "Password1!", "P@ssw0rd", "12345678", "qwertyuiop", "1qaz2wsx", "aaaaaaaa"),
    *("abcabcabc", "abcd1234", "letmein!!", "19900505", "Summer2026!", "baccarat1", "a1b2c3d4"),
    *("wendy-weak", "WENDY-WEAK 1", "Weakling77", "the house", "wendy.weak by the river"),
)


@pytest.mark.parametrize("password", WEAK)
def test_a_weak_password_is_refused(house, password):
    body = {"id": "wendy-weak", "name": "Weakling", "password": password, "born": "1990-05-05"}
    with house.client() as client:
        answer = client.post("/api/accounts", json=body)
    assert (answer.status_code, code(answer)) == (422, "weak-password")
    assert "Choose another" in answer.json()["detail"]


def test_a_changed_password_must_not_be_weak(house):
    with house.player("carl-change") as carl:
        for new in ("carl-change", "qwerty123"):
            answer = carl.put("/api/me/password", json={"old": PASSWORD, "new": new})
            assert code(answer) == "weak-password"
        answer = carl.put("/api/me/password", json={"old": PASSWORD, "new": "green tin roof"})
        assert answer.status_code == 204


@pytest.mark.parametrize(
    "password",
    ["correct horse", "tr0ub4dor&3", "x7fK!2pQ", "purple monkey dishwasher", "847362910384"],
)
def test_other_passwords_are_accepted(password):
    assert weakness(password, "ann", "Ann Smith", house="The house") is None


# ---- who signed in -----------------------------------------------------------------------------


def test_sign_ins_are_logged_with_account_and_address_but_the_journal_has_no_address(house):
    with logged() as lines:
        assert code(tried(house, "the-auditor", "wrong horse", FAR)) == "wrong-password"
        assert code(tried(house, "hunter2", "wrong horse", FAR)) == "wrong-password"
        assert code(tried(house, "the-auditor", PASSWORD, FAR)) == "in"
    reply = [(line.getMessage(), line.account, line.address) for line in lines]
    assert reply == [
        ("sign-in failed", "the-auditor", FAR),
        ("sign-in failed", None, FAR),  # a password is often typed in the wrong field
        ("signed in", "the-auditor", FAR),
    ]
    entries = [entry.body.decode() for entry in house.store.entries("house", limit=100_000)]
    assert not any(address in body for body in entries for address in (FAR, HOME, CAFE))
    (signed_in,) = [entry for entry in entries if "SignedIn" in entry and "the-auditor" in entry]
    assert json.loads(signed_in)["session"] == lines[-1].session


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_sessions_are_listed_and_ended_by_their_owner_on_every_server(tmp_path, request, kind):
    address = f"sqlite:///{tmp_path}/house.db"
    if kind == "postgresql":
        address = new_database(request.getfixturevalue("server"))
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    with served(tmp_path, address=address) as one, served(tmp_path, address=address) as two:
        here = one.player("sam-sessions")
        with two.client(**{"X-Forwarded-For": FAR, "User-Agent": firefox}) as there:
            body = {"account": "sam-sessions", "password": PASSWORD}
            signed(there, there.post("/api/session", json=body))
            until(lambda: not one.is_writing() and not two.is_writing())
            mine, other = here.get("/api/me/sessions").json()["sessions"]
            assert (mine["this"], other["this"]) == (True, False)
            assert (other["agent"], other["address"]) == ("Firefox (Linux)", "192.0.2.0/24")
            with one.player("eve-ends") as eve:  # not another person's
                assert code(eve.delete(f"/api/me/sessions/{other['id']}")) == "no-such-page"
                assert len(eve.get("/api/me/sessions").json()["sessions"]) == 1
            assert there.get("/api/session").is_success
            assert here.delete(f"/api/me/sessions/{other['id']}").status_code == 204
            until(lambda: code(there.get("/api/session")) == "not-signed-in")
            assert [s["id"] for s in here.get("/api/me/sessions").json()["sessions"]] == [
                mine["id"]
            ]
        assert here.delete(f"/api/me/sessions/{mine['id']}").status_code == 204  # like signing out
        assert code(here.get("/api/me/sessions")) == "not-signed-in"
        assert one.store.sessions("sam-sessions") == []
        here.close()
    assert audit(read_store(address)).findings == []


def test_a_session_that_only_opens_pages_stays_on_the_list(tmp_path):
    clock = Ahead()
    with (
        served(tmp_path, clock=clock) as house,
        house.player("pia-pages") as pia,
        house.client(Accept="text/html") as pages,
    ):
        body = {"account": "pia-pages", "password": PASSWORD}
        signed(pages, pages.post("/api/session", json=body))
        for _ in range(4):
            clock.by += 20 * 60_000
            assert pages.get("/account").status_code == 200
            pia.get("/api/session").raise_for_status()
            until(lambda: not house.is_writing())
        assert len(pia.get("/api/me/sessions").json()["sessions"]) == 2


def test_a_new_password_ends_other_sessions(house):
    with house.player("nell-new") as nell, house.client() as other:
        body = {"account": "nell-new", "password": PASSWORD}
        signed(other, other.post("/api/session", json=body))
        until(lambda: not house.is_writing())
        assert len(nell.get("/api/me/sessions").json()["sessions"]) == 2
        assert nell.put("/api/me/password", json={"old": PASSWORD, "new": "green tin roof"})
        assert len(nell.get("/api/me/sessions").json()["sessions"]) == 1


def test_an_ended_session_stays_ended_after_many_other_sign_outs():
    """Regression: it was valid again after 100,000 other sign-outs."""
    sessions, now = Sessions(bytes(32)), 1_000_000_000_000
    mine = sessions.begin("ann", now)
    sessions.end(digest_of(mine), now)
    sessions.password_changed("ben", now)
    others = sessions.begin("ben", now - 1)
    for n in range(100_001):
        sessions.end(f"{n:032x}", now + n)
        sessions.password_changed(f"other-{n}", now + n)
    for one in (mine, others):
        assert (
            sessions.read(sessions.cookie(replace(one, seen=now + 200_000)), now + 200_000) is None
        )
    later = now + 24 * 3_600_000
    spent = time.process_time()
    sessions.end("ff" * 16, later)
    sessions.password_changed("zoe", later)
    assert time.process_time() - spent < 3, "a tenth of a second; quadratic, it took 20"
    assert (len(sessions._ended), len(sessions._chosen)) == (1, 1), "what is over is forgotten"


def test_user_agents_are_shortened():
    chrome = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36"
    assert agent_of(chrome) == "Chrome (Windows)"
    assert agent_of(chrome + " Edg/126.0") == "Edge (Windows)"
    assert agent_of("python-httpx/0.28") == "python-httpx"
    assert agent_of("") == agent_of("<b>") == ""
