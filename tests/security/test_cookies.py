"""Cookies: their attributes, and planted cookies."""

import pytest

from support.served import PASSWORD, served, signed

HTTPS = {"X-Forwarded-Proto": "https"}
"""As sent by a proxy on this machine."""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("cookies")) as found:
        yield found


def set_cookies(answer) -> list[str]:
    return answer.headers.get_list("set-cookie")


def new(client, name: str, **headers: str):
    body = {"id": name, "name": name.title(), "password": PASSWORD, "born": "1990-05-05"}
    return client.post("/api/accounts", json=body, headers=headers)


def test_over_https_cookies_are_for_this_host_only(house):
    with house.client() as client:
        for cookie in set_cookies(new(client, "secure-sue", **HTTPS)):
            assert cookie.startswith(("__Host-baccarat_session=", "__Host-baccarat_device="))
            parts = set(cookie.split("; "))
            assert {"Secure", "Path=/", "HttpOnly", "SameSite=Lax"} <= parts
            assert not any(part.lower().startswith("domain") for part in parts)
    with house.client() as client:
        made = set_cookies(new(client, "plain-pat"))
        assert [one.partition("=")[0] for one in made] == ["baccarat_session", "baccarat_device"]
        assert not any("Secure" in one for one in made)


def test_over_https_a_cookie_without_the_host_prefix_is_ignored(house):
    """A page of a subdomain can set any cookie for the whole domain, except one with the prefix."""
    with house.client() as client:
        signed(client, new(client, "planted-pia"))
        session = client.cookies["baccarat_session"]
    for name, status in (("baccarat_session", 401), ("__Host-baccarat_session", 200)):
        with house.client(Cookie=f"{name}={session}", **HTTPS) as client:
            assert client.get("/api/session").status_code == status


def test_a_planted_device_cookie_does_not_exclude_the_victim(house):
    """The attacker's cookie is planted in the victim's browser; then the attacker is excluded."""
    attacker, victim = house.client(), house.player("victim-vic", 10_000)
    signed(attacker, new(attacker, "attacker-al"))
    planted = attacker.cookies["baccarat_device"]
    with house.client(Cookie=f"baccarat_device={planted}") as theirs:
        body = {"account": "victim-vic", "password": PASSWORD}
        assert theirs.post("/api/session", json=body).is_success
    assert attacker.post("/api/me/exclusion", json={"months": 6}).is_success
    assert victim.get("/api/me/play").json()["blocked"] is None
    assert victim.get("/api/me/partners").json()["partners"] == []
    with house.staff("cashier") as till:
        key = {"Idempotency-Key": "a planted cookie"}
        path = "/api/accounts/victim-vic/pay-in"
        assert till.post(path, json={"amount": 500}, headers=key).is_success
    with house.staff("pit") as pit:  # the pit is shown it, and decides
        waiting = pit.get("/api/pit").json()["waiting"]
        assert ["victim-vic", "attacker-al"] in [one.get("players") for one in waiting]
    attacker.close()
    victim.close()


def test_cookies_are_never_quoted(house):
    """A quoted value is not read: unquoting takes quadratic time in the standard library."""
    for n in range(3):  # lengths with each kind of base64 padding
        with house.client() as client:
            cookies = set_cookies(new(client, f"quoted-{'q' * n}"))
            assert len(cookies) == 2
            assert not any('"' in cooky for cooky in cookies)


def test_hsts_includes_subdomains(house):
    with house.client() as client:
        reply = client.get("/api/tables", headers=HTTPS).headers["Strict-Transport-Security"]
        assert reply == "max-age=31536000; includeSubDomains"
        assert "Strict-Transport-Security" not in client.get("/api/tables").headers
