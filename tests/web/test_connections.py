"""Connections over a real socket: malformed, oversized and never-ending requests."""

import contextlib
import http.client
import json
import socket
import time

import pytest
from websockets.sync.client import connect

from baccarat.web.server import connections
from baccarat.web.server.problems import MEDIA_TYPE
from support.served import served

REQUEST = b"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running
        with running.client() as client:
            assert client.get("/health").is_success  # after all tests


def line_to(house) -> socket.socket:
    host, _, port = house.address.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=30)


def one_answer(line: socket.socket) -> bytes:
    """Read one answer up to the end of its JSON object."""
    answer = b""
    while not answer.endswith(b"}"):
        more = line.recv(4096)
        assert more, "the line was closed"
        answer += more
    return answer


def problem_code(line: socket.socket) -> str:
    """Return the code of the answered problem, after which the connection must be closed."""
    answer = b""
    while more := line.recv(4096):
        answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    document = json.loads(body)
    assert f"HTTP/1.1 {document['status']} ".encode() in head
    for header in (f"content-type: {MEDIA_TYPE}", "connection: close", "date:", "nosniff"):
        assert header.encode() in head.lower()
    return document["code"]


def test_clients_that_send_ten_megabytes_before_reading_see_why_they_are_refused(house):
    """Many clients do so. Regression: they found the connection closed."""
    port = int(house.address.rpartition(":")[2])
    for _ in range(3):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as plain:
            plain.request("POST", "/api/session", b"x" * 10_000_000, {"Connection": "close"})
            answer = plain.getresponse()
            assert (answer.status, answer.getheader("Content-Type")) == (413, MEDIA_TYPE)
            assert json.loads(answer.read())["code"] == "too-large"


def test_ten_megabytes_are_refused_before_they_are_read(house):
    """The answer comes before most of the body is sent."""
    with line_to(house) as line:
        line.sendall(REQUEST + b"Content-Length: 10485760\r\n\r\n" + b"x" * 1000)
        answer = one_answer(line)
    assert answer.startswith(b"HTTP/1.1 413")
    assert b'"code": "too-large"' in answer


def test_endless_headers_are_refused(house):
    with line_to(house) as line:
        line.sendall(REQUEST)
        with contextlib.suppress(ConnectionError):  # closed meanwhile
            for _ in range(1000):
                line.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")
            assert line.recv(12) == b"HTTP/1.1 400"


@pytest.mark.parametrize("words", [b"good evening\r\n\r\n", REQUEST + b"X: " + b"x" * 70_000])
def test_malformed_requests_are_answered_with_a_problem(house, words):
    with line_to(house) as line:
        line.sendall(words)
        assert problem_code(line) == "not-http"


@pytest.mark.parametrize(
    "begun", [b"GET /health HTT", REQUEST, REQUEST + b"Content-Length: 9\r\n\r\n{"]
)
def test_a_request_that_never_ends_times_out(house, monkeypatch, begun):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 1)
    with line_to(house) as line:
        line.sendall(begun)
        assert problem_code(line) == "too-slow"


def test_a_pipelined_request_that_never_ends_times_out(house, monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 1)
    with line_to(house) as line:
        whole = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        line.sendall(whole + REQUEST + b"Content-Length: 9\r\n\r\n{")
        answers = b""
        while more := line.recv(4096):
            answers += more
    assert answers.startswith(b"HTTP/1.1 200")
    assert b"HTTP/1.1 408" in answers


def test_every_request_has_its_own_timeout(house, monkeypatch):
    """Each is answered before its body arrives."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 5)
    body = b"Content-Length: 2\r\n\r\n"
    with line_to(house) as line:
        for _ in range(6):
            line.sendall(REQUEST.replace(b"session", b"nothing") + body)
            assert one_answer(line).startswith(b"HTTP/1.1 404")
            line.sendall(b"{}")
            time.sleep(1)


@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
def test_an_invalid_chunked_body_leaves_no_traceback(house, caplog, method):
    """The application already has the request when its body turns out to be invalid."""
    head = b" /health HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with line_to(house) as line:
        line.sendall(method + head + b"ZZZ\r\n")
        answer = b""
        while more := line.recv(4096):
            answer += more
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.endswith(b"}") is (method == b"GET")
    with house.client() as client:
        client.get("/health")  # by then the application has finished
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


HANDSHAKE = (
    b"GET /api/tables/open/events HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.mark.parametrize(
    "more", [b"Content-Length: 5\r\n\r\n", b"Cookie: " + b"x" * 9000 + b"\r\n\r\n"]
)
def test_a_handshake_that_the_websocket_library_rejects_is_answered(house, more):
    """The WebSocket library accepts less than HTTP allows, and gives no answer."""
    with line_to(house) as line:
        line.sendall(HANDSHAKE + more)
        assert problem_code(line) == "not-http"


def unread(address: tuple[str, int], requests: bytes) -> socket.socket:
    """Open a connection that requests much and reads nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect(address)
    line.sendall(requests)
    return line


MUCH = b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 40


@pytest.mark.parametrize("then", [b"", b"good evening\r\n\r\n"])
def test_a_client_that_reads_nothing_times_out(house, monkeypatch, then):
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 1)
    held = house.server.server_state.connections
    host, _, port = house.address.removeprefix("http://").partition(":")
    with unread((host, int(port)), MUCH + then):
        deadline = time.monotonic() + 20
        while not held:
            assert time.monotonic() < deadline, "it was never held"
        while held:
            assert time.monotonic() < deadline, "it is still held"
            time.sleep(0.05)


def test_an_idle_new_connection_is_closed_silently(house, monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 1)
    with line_to(house) as line:
        assert line.recv(1) == b""


def test_sending_slowly_does_not_extend_the_timeout(house, monkeypatch):
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 1)
    deadline = time.monotonic() + 20
    with line_to(house) as line, contextlib.suppress(ConnectionError):
        line.sendall(REQUEST)
        while time.monotonic() < deadline:
            line.sendall(b"X: x\r\n")
            time.sleep(0.05)
        raise AssertionError("it was listened to for twenty seconds")


def test_keep_alive_connections_and_sockets_stay_open(house, monkeypatch):
    events = f"{house.address.replace('http', 'ws')}/api/tables/open/events?after=0"
    with house.guest() as client:
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        with connect(events, additional_headers={"Cookie": cookies}) as following:
            monkeypatch.setattr(connections, "REQUEST_SECONDS", 1)
            for _ in range(2):
                time.sleep(1.2)
                assert client.get("/health").is_success
            assert following.ping().wait(30)
