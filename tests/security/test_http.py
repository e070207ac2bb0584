"""Attacks on the HTTP layer: ambiguous, oversized and expensive requests."""

import contextlib
import json
import re
import socket
import time

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from baccarat.web.server.connections import (
    LONGEST_HEADERS,
    LONGEST_PATH,
    LONGEST_QUERY,
    MAX_CHUNKS,
    Framing,
    Malformed,
)
from baccarat.web.server.guard import ConnectionCounter, network_of
from support.served import served, until

GET = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
STRANGER = "127.0.0.2"
"""Another address of this machine, which is not a trusted proxy."""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running
        with running.client() as client:
            assert client.get("/health").is_success  # after all tests


def line_to(house, source: str = "127.0.0.1") -> socket.socket:
    port = int(house.address.rpartition(":")[2])
    return socket.create_connection(("127.0.0.1", port), 30, (source, 0))


def answers_to(house, sent: bytes) -> bytes:
    """Return everything received until the server closes the connection."""
    with line_to(house) as line:
        line.sendall(sent)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while more := line.recv(65536):
                answer += more
    return answer


SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
AMBIGUOUS = {
    "length-and-coding": POST + b"Content-Length: 6\r\n" + CHUNKED + b"\r\n0\r\n\r\n" + SMUGGLED,
    "coding-and-length": POST + CHUNKED + b"Content-Length: 6\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "coding-in-1.0": POST.replace(b"1.1", b"1.0") + CHUNKED + b"\r\n0\r\n\r\n" + SMUGGLED,
    "bare-lf-throughout": GET.replace(b"\r\n", b"\n") + b"\n" + SMUGGLED,
    "bare-lf-in-one-header": GET + b"X-One: 1\nX-Two: 2\r\n\r\n" + SMUGGLED,
    "bare-lf-ends-the-head": GET + b"X-One: 1\r\n\n" + SMUGGLED,
    "bare-cr": GET + b"X-One: 1\rX-Two: 2\r\n\r\n" + SMUGGLED,
    "folded-by-a-blank": GET + b"X-One: 1\r\n 2\r\n\r\n" + SMUGGLED,
    "folded-by-a-tab": GET + b"X-One: 1\r\n\t2\r\n\r\n" + SMUGGLED,
    "bare-cr-in-a-chunk-extension": POST + CHUNKED + b"\r\n0;a\rb\r\n\r\n" + SMUGGLED,
    "bare-lf-ends-the-trailer": POST + CHUNKED + b"\r\n0\r\n\n" + SMUGGLED,
    "length-twice": POST + b"Content-Length: 2\r\n" * 2 + b"\r\n{}" + SMUGGLED,
    "folded-trailer": POST + CHUNKED + b"\r\n0\r\nX: 1\r\n 2\r\n\r\n" + SMUGGLED,
}


@pytest.mark.parametrize("sent", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_an_ambiguous_request_is_refused_and_the_connection_closed(house, sent):
    answer = answers_to(house, sent)
    assert answer.startswith(b"HTTP/1.1 400"), answer[:200]
    assert len(re.findall(rb"HTTP/1.1 \d", answer)) == 1, "nothing behind it is read"
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"connection: close" in head.lower()
    assert json.loads(body)["code"] == "not-http"


def test_a_body_in_too_many_chunks_is_refused(house):
    """Regression: 60,000 chunks of one byte blocked the event loop for half a second."""
    few, many = (b"1\r\n{\r\n" * n + b"0\r\n\r\n" for n in (900, 60_000))
    end = b"Connection: close\r\n\r\n"
    assert b'"not-json"' in answers_to(house, POST + CHUNKED + end + few)
    taken = answers_to(house, POST + CHUNKED + b"\r\n" + few + POST + CHUNKED + end + few)
    assert taken.count(b'"not-json"') == 2, "each request has as many"
    refused = answers_to(house, POST + CHUNKED + b"\r\n" + many)
    assert b'"not-http"' in refused or not refused  # bytes still being sent may cut off the answer
    framing = Framing()
    framing.add(POST + CHUNKED + b"\r\n" + b"1\r\n{\r\n" * 2 * MAX_CHUNKS)
    parts = iter(framing.part, b"")
    assert len([*zip(range(1 + 2 * MAX_CHUNKS), parts, strict=False)]) == 2_001
    with pytest.raises(Malformed, match="send larger ones"):
        next(parts)


def test_the_refusal_says_what_to_change(house):
    answer = answers_to(house, AMBIGUOUS["length-and-coding"])
    assert (
        "Content-Length and Transfer-Encoding"
        in json.loads(answer.partition(b"\r\n\r\n")[2])["detail"]
    )


LONG = b"X-Long: " + b"x" * (LONGEST_HEADERS - 300) + b"\r\n"


@pytest.mark.parametrize(
    "head",
    [
        GET + LONG + LONG + b"\r\n",
        GET + b"A: b\r\n" * 200 + b"\r\n",
        POST + CHUNKED + b"\r\n0\r\n" + LONG + LONG + b"\r\n",
    ],
    ids=["long", "many", "trailer"],
)
def test_headers_that_arrive_in_one_read_are_also_limited(house, head):
    framing = Framing()
    framing.add(head)
    with pytest.raises(Malformed, match="headers"):
        for _ in iter(framing.part, b""):
            pass
    assert answers_to(house, head).startswith(b"HTTP/1.1 400")


def test_headers_just_below_the_limits_are_accepted(house):
    head = GET + LONG + b"A: b\r\n" * 10 + b"Connection: close\r\n\r\n"
    assert answers_to(house, head).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "target",
    [
        "/api/tables/" + "a" * LONGEST_PATH,
        "/api/tables/open/rounds?" + "a%3d&" * (LONGEST_QUERY // 5),
    ],
    ids=["path", "query"],
)
def test_a_long_request_line_is_refused(house, target):
    """Regression: 60,000 bytes took a tenth of a second to parse before the limit applied."""
    end = b"Connection: close\r\n\r\n"
    for method in ("GET", "POST"):
        refused = answers_to(
            house, GET.replace(b"GET /health", f"{method} {target}".encode()) + end
        )
        assert refused.startswith(b"HTTP/1.1 400")
        assert b"first line is too long" in refused
        taken = answers_to(house, GET.replace(b"/health", target[:-100].encode()) + end)
        assert b"first line" not in taken


# ---- Open connections of one address ----


def test_connections_per_address_are_limited(house, monkeypatch):
    monkeypatch.setattr(house.server.config.http_protocol_class.doors, "most", 5)
    with contextlib.ExitStack() as open_ones:
        held = [open_ones.enter_context(line_to(house, STRANGER)) for _ in range(5)]
        for line in held:
            line.sendall(GET + b"\r\n")
            assert line.recv(12) == b"HTTP/1.1 200"
        with line_to(house, STRANGER) as line:
            assert line.recv(12) == b"HTTP/1.1 429"
        with line_to(house, "127.0.0.3") as line:  # other addresses are not affected
            line.sendall(GET + b"\r\n")
            assert line.recv(12) == b"HTTP/1.1 200"
        held[0].close()
        until(lambda: _is_let_in(house))


def _is_let_in(house) -> bool:
    with line_to(house, STRANGER) as line:
        line.sendall(GET + b"\r\n")
        return line.recv(12) == b"HTTP/1.1 200"


def _cookie(client: httpx.Client) -> str:
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


def test_a_websocket_counts_until_it_is_closed(house, monkeypatch):
    doors = house.server.config.http_protocol_class.doors
    monkeypatch.setattr(doors, "most", 3)
    events = f"{house.address.replace('http', 'ws')}/api/tables/open/events?after=0"
    with house.guest() as client, contextlib.ExitStack() as open_ones:
        asked = {"additional_headers": {"Cookie": _cookie(client)}, "source_address": (STRANGER, 0)}
        followers = [open_ones.enter_context(connect(events, **asked)) for _ in range(3)]
        with line_to(house, STRANGER) as line:
            assert line.recv(12) == b"HTTP/1.1 429"
        followers[0].close()
        until(lambda: doors._open[STRANGER] < 3)
        with connect(events, **asked):
            pass
    until(lambda: not doors._open)


@pytest.mark.parametrize("frame", ["text", "ping", "fragment"])
def test_a_websocket_on_which_the_client_sends_too_much_is_closed(house, frame):
    """Regression: one guest's small frames took all of the server's time."""
    sent = {"text": b"\x81", "ping": b"\x89", "fragment": b"\x00"}[frame] + b"\x80" + bytes(4)
    address = house.address.replace("http", "ws") + "/api/tables/open/events?after=0"
    with house.guest() as guest:
        cookies = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
        with connect(address, additional_headers={"Cookie": cookies}) as socket_:
            line = socket_.socket
            with contextlib.suppress(OSError):
                line.sendall(b"\x01\x80" + bytes(4) if frame == "fragment" else b"")
                for _ in range(1_000):
                    line.sendall(sent * 1_000)
                raise AssertionError("it was let go on")
        site = house.server.config.app.state.site
        until(lambda: not site.sockets)


def test_behind_a_proxy_the_forwarded_address_is_counted(house, monkeypatch):
    """All connections come from the proxy, so the limit applies to forwarded addresses."""
    guard = _guard(house)
    monkeypatch.setattr(guard._doors, "most", 2)
    events = f"{house.address.replace('http', 'ws')}/api/tables/open/events?after=0"

    def asked(address: str) -> dict:
        return {"additional_headers": {"Cookie": cookie, "X-Forwarded-For": address}}

    with house.guest() as client, contextlib.ExitStack() as open_ones:
        cookie = _cookie(client)
        for _ in range(2):
            open_ones.enter_context(connect(events, **asked("192.0.2.7")))
        with pytest.raises(InvalidStatus) as refused:
            connect(events, **asked("192.0.2.7"))
        assert refused.value.response.status_code == 429
        answer = client.get("/health", headers={"X-Forwarded-For": "192.0.2.7"})
        assert (answer.status_code, answer.json()["code"]) == (429, "rate-limited")
        assert "Retry-After" in answer.headers
        with connect(events, **asked("192.0.2.8")):
            assert client.get("/health").is_success
    until(lambda: not guard._doors._open)


def _guard(house):
    found = house.server.config.app.middleware_stack
    while not hasattr(found, "_doors"):
        found = found.app
    return found


def test_an_ipv6_network_counts_as_one_address():
    doors = ConnectionCounter(2)
    assert [doors.enter(f"2001:db8::{n}") for n in range(3)] == [True, True, False]
    assert doors.enter("2001:db8:0:1::1")
    doors.leave("2001:db8::0")
    assert doors.enter("2001:db8::3")
    assert network_of("::ffff:192.0.2.1") == "192.0.2.1"


# ---- Input that could take superlinear time ----


def test_blanks_in_if_none_match_are_parsed_in_linear_time(house):
    """Regression: 60,000 blanks blocked the event loop for five seconds."""
    address = (
        httpx.get(house.address, timeout=30).text.partition('href="/static/')[2].partition('"')[0]
    )
    spent = time.process_time()
    with house.client() as client:
        for blanks in (" " * 60_000, " ," * 30_000, '"' * 60_000, "W/" * 30_000):
            head = {"If-None-Match": f"x{blanks}x"}
            assert client.get(f"/static/{address}", headers=head).status_code == 200
        etag = client.get(f"/static/{address}").headers["etag"]
        for blanks in (" " * 3_900, " ," * 1_950):  # short enough to be parsed completely
            head = {"If-None-Match": f'"x"{blanks}, {etag}'}
            assert client.get(f"/static/{address}", headers=head).status_code == 304
    assert time.process_time() - spent < 4, "quadratic: twenty seconds"


@pytest.mark.parametrize("character", [b"\0", b"\v", b"\f"])
@pytest.mark.parametrize("start", [GET, POST + CHUNKED + b"\r\n0\r\n"], ids=["head", "trailer"])
def test_blanks_before_a_control_character_are_parsed_in_linear_time(house, start, character):
    """Regression: it took 17 seconds to refuse 60,000 of them."""
    begun = time.process_time()
    answer = answers_to(house, start + b"A:" + b" " * 60_000 + character + b"\r\n\r\n")
    assert time.process_time() - begun < 2
    assert answer.startswith(b"HTTP/1.1 400")
    assert "control character" in json.loads(answer.partition(b"\r\n\r\n")[2])["detail"]


LENGTH = 15_000
"""Length of the shorter input; the longer one is four times as long, and below every limit."""


def _headers(name: str, unit: str):
    def ask(client: httpx.Client, n: int) -> httpx.Response:
        return client.get("/", headers={name: f"x{unit * (n // len(unit))}x"})

    return ask


def _quoted_cookie(name: str):
    """A quoted value of escapes, which the standard library parses in quadratic time."""

    def ask(client: httpx.Client, n: int) -> httpx.Response:
        value = '"' + "\\a" * (n // 2) + '"'
        return client.get("/", headers={"Cookie": f"{name}{value}".encode("latin-1")})

    return ask


def _body(path: str, made):
    def ask(client: httpx.Client, n: int) -> httpx.Response:
        return client.post(path, content=made(n), headers={"Content-Type": "application/json"})

    return ask


PROBES = {
    **{
        f"{name}: {unit!r}": _headers(name, unit)
        for name, unit in [
            *(("Accept-Language", " "), ("Accept-Language", "en;q=0,"), ("Accept-Language", ";q")),
            *(("Accept-Encoding", ", "), ("Accept-Encoding", "gzip;q= "), ("Accept", "a/b;q=0,")),
            *(("Cookie", "a=b; "), ("Cookie", ";"), ("Origin", "http://")),
            *(("X-Forwarded-For", "1.2.3.4,"), ("X-Forwarded-For", ":"), ("Content-Type", "; a=")),
            *(("Idempotency-Key", "k"), ("If-None-Match", " "), ("If-None-Match", '"a" ,')),
        ]
    },
    **{
        f"quoted cookie {name!a}": _quoted_cookie(name)
        for name in ("", "a=", "a=\xa0", "baccarat_session=", "baccarat_device=", "baccarat_look=")
    },
    "path": lambda client, n: client.get("/api/tables/" + "a" * n),
    "slashes": lambda client, n: client.get("/" + "a/" * (n // 2)),
    "percent": lambda client, n: client.get("/" + "%2e" * (n // 3)),
    "query": lambda client, n: client.get("/odds?" + "game=&" * (n // 6)),
    "number": lambda client, n: client.get("/api/tables/open/rounds?before=" + "9" * n),
    "nesting": _body("/api/odds", lambda n: b"[" * n),
    "objects": _body("/api/odds", lambda n: b'{"a":' * (n // 5)),
    "digits": _body("/api/sessions", lambda n: b'{"coups": ' + b"9" * n + b"}"),
    "exponent": _body("/api/sessions", lambda n: b'{"coups": 1e' + b"9" * n + b"}"),
    "keys": _body(
        "/api/odds", lambda n: json.dumps(dict.fromkeys(map(str, range(n // 12)))).encode()
    ),
    "text": _body("/api/odds", lambda n: json.dumps({"game": "é" * (n // 6)}).encode()),
    "wagers": _body(
        "/api/sessions", lambda n: json.dumps({"wagers": [{"bet": "player"}] * (n // 20)}).encode()
    ),
}


@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES)
def test_no_input_takes_quadratic_time(house, probe):
    with house.client() as client:
        probe(client, 100)
        spent = []
        for length in (LENGTH, 4 * LENGTH):
            begun = time.process_time()
            for _ in range(3):
                assert probe(client, length).status_code < 500
            spent.append(time.process_time() - begun)
    assert spent[1] < 10 * spent[0] + 1, spent
