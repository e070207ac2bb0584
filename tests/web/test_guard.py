"""The guard around small test applications: interrupted ones, and ones that do not answer."""

import asyncio
import json
from collections.abc import Iterable

import pytest

from baccarat.web.server.guard import HEADERS, Guard

SCOPE = {"scheme": "http", "path": "/x"}
HALF = {"type": "http.request", "body": b"{", "more_body": True}
REST = {"type": "http.request", "body": b"}", "more_body": False}


async def reads(_, receive, __) -> None:
    """Like the framework, do nothing until the whole body has arrived."""
    while (await receive())["more_body"]:
        pass
    await asyncio.Event().wait()


async def acts(*_) -> None:
    """An endpoint that needs no body."""
    await asyncio.Event().wait()


async def silent(*_) -> None:
    """An application that does not answer."""


async def begins(_, __, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await asyncio.Event().wait()


def answered(app, scope: dict, *parts: dict, stops: bool = False) -> list[dict]:
    """Return what a client is sent; the server may stop after these parts of a request."""
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(message)

    async def ask() -> None:
        coming: asyncio.Queue[dict] = asyncio.Queue()
        for part in parts:
            coming.put_nowait(part)
        task = asyncio.create_task(Guard(app)({**SCOPE, **scope}, coming.get, send))
        await asyncio.wait({task}, timeout=0.1 if stops else 10)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled() == stops  # the guard does not swallow the cancellation

    asyncio.run(ask())
    return sent


def problem_in(sent: list[dict], kind: str = "http.response.start") -> tuple[int, str, str]:
    """Return status, code and detail of the answered problem."""
    start, body = sent
    assert start["type"] == kind
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= headers.items()
    document = json.loads(body["body"])
    if document["code"] == "stopping":
        assert (headers["connection"], headers["retry-after"]) == ("close", "1")
    return start["status"], document["code"], document["detail"]


KEY = [(b"idempotency-key", b"k")]
UNKNOWN = "The server is restarting, and it is not known whether this was done. "


@pytest.mark.parametrize(
    ("app", "method", "headers", "parts", "words"),
    [
        (reads, "PUT", KEY, [HALF], "The server is restarting, and nothing was done. Try again."),
        (reads, "PUT", KEY, [], "The server is restarting, and nothing was done. Try again."),
        (reads, "PUT", KEY, [HALF, REST], UNKNOWN + "Send it again with the same idempotency key."),
        (reads, "POST", [], [REST], UNKNOWN + "Check before you try again."),
        (acts, "POST", [], [HALF], UNKNOWN + "Check before you try again."),
        (acts, "GET", [], [], "The server is restarting. Try again."),
    ],
)
def test_requests_in_progress_when_the_server_stops_get_an_answer(
    app, method: str, headers: list, parts: Iterable[dict], words: str
):
    scope = {"type": "http", "method": method, "headers": headers}
    status, code, detail = problem_in(answered(app, scope, *parts, stops=True))
    assert (status, code) == (503, "stopping")
    assert detail == words


def test_an_answer_that_has_begun_is_cut_off():
    sent = answered(begins, {"type": "http", "method": "GET", "headers": []}, stops=True)
    assert [one["type"] for one in sent] == ["http.response.start"]


def test_a_socket_without_an_answer_is_an_internal_error(caplog):
    """uvicorn's own message is left out of the log."""
    sent = answered(silent, {"type": "websocket", "headers": []}, {"type": "websocket.connect"})
    assert problem_in(sent, "websocket.http.response.start")[:2] == (500, "internal")
    assert "/x did not answer a WebSocket" in caplog.text


async def mistakes(*_) -> None:
    """Wait for a task that was cancelled."""
    given_up = asyncio.get_running_loop().create_future()
    given_up.cancel()
    await given_up


def test_an_accidental_cancellation_is_an_internal_error(caplog):
    sent = answered(mistakes, {"type": "http", "method": "GET", "headers": []})
    assert problem_in(sent)[:2] == (500, "internal")
    assert "internal error" in caplog.text
