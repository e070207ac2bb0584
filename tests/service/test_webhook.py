"""Alerts sent on by a webhook: what is sent, its signature, and what happens without an answer."""

import asyncio
import hmac
import json
import random
from dataclasses import replace

import pytest

from baccarat.house.housefile import HouseFileError, read_house
from baccarat.service import webhook
from baccarat.service.environment import Environment
from baccarat.service.webhook import SIGNATURE, Webhook
from baccarat.store.sqlstore import ThreadedStore, system_clock
from baccarat.store.vault import Vault
from support.documented import ROOT
from support.served import HOUSE, closing_clients, served

SECRET = "a secret of the receiver"  # noqa: S105
PLAN = next(table for table in HOUSE.tables if table.id == "open")
SMALL = replace(HOUSE, tables=(PLAN,), webhook="http://localhost:9/alerts")


class Receiver:
    """Answers with these statuses, the last one again and again."""

    def __init__(self, *statuses: int) -> None:
        self.statuses, self.got = list(statuses), []

    async def __call__(self, body: bytes, headers: dict[str, str]) -> int:
        self.got.append((json.loads(body), headers, body))
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]


@pytest.fixture
def house(tmp_path):
    with served(tmp_path, house=replace(SMALL, webhook="")) as found, closing_clients(found):
        yield found


def sending(house, receiver: Receiver, holder: str = "a") -> list:
    """Look for alerts twice, send what waits, and return what was sent."""

    async def look() -> None:
        with ThreadedStore(house.store) as keeper:
            vault = Vault(bytes(32))
            environment = Environment(
                keeper, vault, system_clock, random.Random(1), holder, webhook_secret=SECRET
            )
            hook = Webhook(SMALL, environment, receiver)
            await hook.look()
            await hook.look()  # nothing is queued twice
            while not hook._waiting.empty():
                await hook.deliver(hook._waiting.get_nowait(), waits=(0, 0))

    asyncio.run(look())
    return receiver.got


def test_an_alert_is_sent_once_and_signed(house):
    house.staff("pit").post("/api/tables/open/pause", json={"reason": "a spill"})
    ((content, headers, body),) = sending(house, Receiver(204))
    assert content["words"] == "Table paused: a spill"
    assert (content["table"], content["kind"], content["who"]) == ("open", "TablePaused", "the-pit")
    assert content["id"].startswith("table:open/")
    at, signature = (part.partition("=")[2] for part in headers[SIGNATURE].split(","))
    due = hmac.digest(SECRET.encode(), at.encode() + b"." + body, "sha256").hex()
    assert signature == due


def test_retries_are_bounded_and_an_error_is_not_success(house):
    house.staff("pit").post("/api/tables/open/pause", json={"reason": "a spill"})
    assert len(sending(house, Receiver(500, 302, 200))) == 3  # a redirect is not followed
    assert len(sending(house, Receiver(500))) == 3  # given up after the retries


def test_only_one_server_sends(house):
    house.staff("pit").post("/api/tables/open/pause", json={"reason": "a spill"})
    assert sending(house, Receiver(204), holder="z") == []  # the running server's name comes first


def test_a_full_queue_drops_alerts_and_never_waits(house, monkeypatch, caplog):
    monkeypatch.setattr(webhook, "MAX_WAITING", 1)
    pit = house.staff("pit")
    for reason in ("first", "second"):
        pit.post("/api/tables/open/pause", json={"reason": reason})
        pit.post("/api/tables/open/resume")
    assert len(sending(house, Receiver(204))) == 1
    assert "alert not sent: too many are waiting" in caplog.text


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://alerts.example/baccarat", True),
        ("https://alerts.example:8443", True),
        ("http://localhost:9000/x", True),
        ("http://127.0.0.1/x", True),
        ("http://alerts.example/x", False),
        ("https://user:secret@alerts.example/", False),
        ("http://127.0.0.1.example.com/", False),
        ("file:///etc/passwd", False),
        ("ftp://alerts.example", False),
    ],
)
def test_only_allowed_addresses_are_accepted(address, allowed):
    text = (ROOT / "examples" / "house.toml").read_text(encoding="utf-8")
    text = f'webhook = "{address}"\n{text}'
    if allowed:
        assert read_house(text, name="house.toml", folder=ROOT / "examples").webhook == address
    else:
        with pytest.raises(HouseFileError, match="is not an allowed address"):
            read_house(text, name="house.toml", folder=ROOT / "examples")
