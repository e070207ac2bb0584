"""HTTP/1.1 connections: uvicorn's protocol with timeouts, limits and stricter checks.

uvicorn waits indefinitely for the rest of a request, and for a client to read the response, so
anyone could use up all connections of a process. Here a request must arrive within a time limit,
clients that do not read are disconnected, and invalid requests are answered with a problem
document. The number of open connections per address is limited.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS

from baccarat.web.server.guard import ConnectionCounter, add_headers
from baccarat.web.server.problems import Fault, Problem, response_to
from baccarat.web.server.websocket import LimitedWebSocket

REQUEST_SECONDS = 30
"""Time limit for a whole request after its first byte, and for a first byte after connecting."""
UNREAD_SECONDS = 120
"""Time limit for a client to read enough of a response for the rest to be sent."""
LONGEST_HEADERS = 64 * 1024
MAX_HEADERS = 128
"""Maximum header lines in a request, or in a body's trailer; also the WebSocket library's limit."""
LONGEST_PATH, LONGEST_QUERY = 1024, 4096
"""Maximum bytes of a request's first line before and after its question mark.

The path is compared with every route, and the query is read, before any rate limit applies.
"""
MAX_CHUNKS = 1_000
"""Maximum number of chunks in a body; each takes as long to read as a small request."""
_ALONE = "a line does not end in CR LF; send both characters"
_CONTROLS = bytes({*range(32), 127} - set(b"\t\r\n"))
_CODING = b"transfer-encoding"
_BLANK_LINE = re.compile(rb"\n\r?\n")
_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")


class Malformed(Exception):
    """A request that is invalid, ambiguous or over a limit; the text says why."""


class Framing:
    """Splits the bytes that arrive on a connection into the parts of its requests.

    The parser (llhttp) accepts some requests that a proxy may read differently, and then the proxy
    and this server see different requests (request smuggling). It also sets no limits. Here every
    part of a request is delimited and checked before the parser gets it.
    """

    def __init__(self) -> None:
        self._data = bytearray()
        self._searched = 0
        """Number of bytes of a head or trailer that were searched and contain no blank line."""
        self._left = 0
        """Number of bytes of the body or chunk that are still to come."""
        self._chunks: int | None = None
        """Number of chunks received of the current body; None if the body is not chunked."""
        self._next: Callable[[], bytes] = self._head

    def add(self, data: bytes) -> None:
        self._data += data

    @property
    def is_between_requests(self) -> bool:
        """Whether the next part is the head of a request."""
        return self._next == self._head

    @property
    def is_empty(self) -> bool:
        return not self._data

    def part(self) -> bytes:
        """Return the next part of a request, empty if it has not arrived, or raise Malformed."""
        return self._next()

    def _head(self) -> bytes:
        head = self._lines()
        if head:
            first, *lines = head.split(b"\r\n")
            self._left, self._chunks = _body_of(first, lines)
            self._next = self._chunk if self._chunks is not None else self._body
            self._end_body()
        return head

    def _body(self) -> bytes:
        part = self._taken(self._left)
        self._left -= len(part)
        self._end_body()
        return part

    def _end_body(self) -> None:
        if not self._left:
            self._next = self._head if self._chunks is None else self._chunk

    def _chunk(self) -> bytes:
        """Return the line before a chunk."""
        end = self._data.find(b"\n") + 1
        if not end:
            if len(self._data) > LONGEST_HEADERS:
                raise Malformed("a chunk's first line is too long; leave out its extensions")
            return b""
        line = self._taken(end)
        found = _CHUNK.fullmatch(line)
        if found is None:
            raise Malformed("a chunk does not begin with its size and CR LF")
        self._chunks = (self._chunks or 0) + 1
        if self._chunks > MAX_CHUNKS:
            raise Malformed(f"the body has more than {MAX_CHUNKS:,} chunks; send larger ones")
        size = int(found[1], 16)
        self._left = size + 2  # the chunk and its CR LF
        self._next = self._body if size else self._trailer
        return line

    def _trailer(self) -> bytes:
        """Return the blank line after the last chunk; the fields before it are dropped."""
        if self._data == b"\r":
            return b""
        if self._data.startswith(b"\r\n"):
            self._next = self._head
            return self._taken(2)
        if not self._lines():
            return b""
        self._next = self._head
        return b"\r\n"

    def _lines(self) -> bytes:
        """Return the lines up to the next blank line, once they have arrived."""
        if self._data.startswith(b"\n"):
            raise Malformed(_ALONE)
        found = _BLANK_LINE.search(self._data, self._searched)
        length = found.end() if found else len(self._data)
        if length > LONGEST_HEADERS:
            raise Malformed(f"its headers are longer than {LONGEST_HEADERS:,} bytes; send fewer")
        if found is None:
            self._searched = max(0, length - 2)
            return b""
        self._searched = 0
        lines = self._taken(length)
        _check_lines(lines)
        return lines

    def _taken(self, length: int) -> bytes:
        part = bytes(self._data[:length])
        del self._data[:length]
        return part


def _check_lines(lines: bytes) -> None:
    """Raise Malformed if the lines of a head or trailer could be misread."""
    count = lines.count(b"\r\n")
    if count > MAX_HEADERS + 2:
        raise Malformed(f"it has more than {MAX_HEADERS} headers; send fewer")
    if not lines.count(b"\n") == lines.count(b"\r") == count:
        raise Malformed(_ALONE)
    if lines.translate(None, _CONTROLS) != lines:
        raise Malformed("a header has a control character; remove it")
    if b"\n " in lines or b"\n\t" in lines:
        raise Malformed("a header is folded over several lines; send it in one")


def _body_of(first: bytes, lines: Sequence[bytes]) -> tuple[int, int | None]:
    """Return the length of a request's body, and 0 as the number of chunks if it is chunked.

    Raise Malformed if the first line or the headers leave this in doubt.
    """
    path, _, query = first.partition(b"?")
    if len(path) > LONGEST_PATH or len(query) > LONGEST_QUERY:
        most = f"{LONGEST_PATH:,} bytes before the question mark and {LONGEST_QUERY:,} after it"
        raise Malformed(f"the first line is too long; send at most {most}")
    if not first.endswith((b" HTTP/1.1", b" HTTP/1.0")):
        raise Malformed("it uses another protocol; send HTTP/1.1")
    names = [line.partition(b":")[0].lower() for line in lines]
    if first.endswith(b"1.1") and names.count(b"host") != 1:
        raise Malformed("it must have one Host header")
    if names.count(b"content-length") > 1:
        raise Malformed("it has Content-Length twice; send it once")
    if _CODING in names:
        if b"content-length" in names:
            raise Malformed("it has both Content-Length and Transfer-Encoding; send one of them")
        if first.endswith(b"1.0"):
            raise Malformed("HTTP/1.0 has no Transfer-Encoding; send Content-Length")
        codings = [line for line, name in zip(lines, names, strict=True) if name == _CODING]
        if [_value(line).lower() for line in codings] != [b"chunked"]:
            raise Malformed("its Transfer-Encoding is not supported; use chunked")
        return 0, 0
    if b"content-length" in names:
        length = _value(lines[names.index(b"content-length")])
        if not length.isdigit() or len(length) > 15:
            raise Malformed("its Content-Length is not a number of bytes")
        return int(length), None
    return 0, None


def _value(line: bytes) -> bytes:
    return line.partition(b":")[2].strip(b" \t")


class Connection(HttpToolsProtocol):
    """An HTTP/1.1 connection that always has a timeout while it waits for a request.

    Between requests it is uvicorn's keep-alive timeout; otherwise it is one of ours. Requests are
    answered one after the other: a pipelined request is not parsed before its turn.
    """

    _deadline: asyncio.TimerHandle | None = None
    _patience: asyncio.TimerHandle | None = None
    """Timer that disconnects a client if it does not read its response."""
    _begun = False
    """Whether part of a request has arrived, but not all of it."""
    doors: ConnectionCounter | None = None
    """Counter of connections per address, set by the server."""
    _entered: str | None = None
    """The address that this connection is counted for, or None if it is not counted."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._framing = Framing()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if self.doors is not None:
            if not self.doors.enter(address):
                self._refuse(self.doors.full())
                return
            self._entered = address
        self._wait()

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        if self.transport.is_closing():
            return
        self._framing.add(data)
        self._advance()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._framing.is_empty and not self.transport.is_closing():
            self._unset_keepalive_if_required()
            self._advance()

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _advance(self) -> None:
        """Parse what has arrived, up to the end of the request that is answered next."""
        framing = self._framing
        try:
            while not (framing.is_between_requests and (framing.is_empty or self._is_answering)):
                part = framing.part()
                if not part:
                    if not self._begun:
                        self._wait(begun=True)
                    return
                self._parse(part)
                if self.transport.get_protocol() is not self or self.transport.is_closing():
                    return
        except Malformed as error:
            self._refuse_request(str(error))
            return
        except httptools.HttpParserError:
            self._refuse_request("it is malformed or uses another protocol")
            return
        self._stop()  # the request is complete
        if not framing.is_empty:
            self.flow.pause_reading()
        elif not self._is_answering and self.timeout_keep_alive_task is None:
            # The response was complete before the request.
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def _parse(self, part: bytes) -> None:
        try:
            self.parser.feed_data(part)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
            else:  # ignore it; the old parser would accept no further request
                self.parser = httptools.HttpRequestParser(self)
            return
        if self.parser.should_upgrade() and self._should_upgrade():
            self._refuse_handshake()  # it has a body

    def handle_websocket_upgrade(self) -> None:
        self._stop()
        super().handle_websocket_upgrade()
        following = self.transport.get_protocol()
        if isinstance(following, LimitedWebSocket) and self._entered is not None and self.doors:
            # From now on, the socket is notified when the connection ends; this object is freed.
            following.on_lost = partial(self.doors.leave, self._entered)
            self._entered = None
        if not getattr(following, "handshake_initiated", True):
            self._refuse_handshake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        self._stop_waiting_for_reader()
        self._leave()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        self._stop_waiting_for_reader()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._wait_for_reader()

    def _wait(self, *, begun: bool = False) -> None:
        self._stop()
        self._begun = begun
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._too_slow)

    def _stop(self) -> None:
        self._begun = False
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _wait_for_reader(self) -> None:
        self._stop_waiting_for_reader()
        if self.transport.get_write_buffer_size():
            self._patience = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def _stop_waiting_for_reader(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _too_slow(self) -> None:
        if not self._begun:
            self.transport.close()  # without a response: browsers open connections in advance
            return
        words = f"The request did not arrive in full within {REQUEST_SECONDS} s. Send it again."
        self._refuse(Problem(Fault.TOO_SLOW, words))

    def _leave(self) -> None:
        if self._entered is not None and self.doors is not None:
            self.doors.leave(self._entered)
            self._entered = None

    def _refuse_request(self, why: str) -> None:
        self._refuse(Problem(Fault.NOT_HTTP, f"Not a valid HTTP/1.1 request: {why}."))

    def _refuse_handshake(self) -> None:
        most = f"{MAX_NUM_HEADERS} headers of {MAX_LINE_LENGTH:,} bytes"
        words = f"Not a WebSocket handshake. Send a GET without a body and at most {most}."
        self._refuse(Problem(Fault.NOT_HTTP, words))

    def _refuse(self, why: Problem) -> None:
        """Send a problem document, unless a response has begun, and close the connection."""
        self._stop()
        answering = self._is_answering
        if not self.transport.is_closing() and not (answering and self.cycle.response_started):
            if answering:  # discard what the application still sends
                self.cycle.disconnected = True
                self.cycle.message_event.set()
            why.headers["Connection"] = "close"
            answer = response_to(why)
            start = {"headers": [*self.server_state.default_headers, *answer.raw_headers]}
            add_headers(start, {"scheme": self.scheme})
            lines = [b"%b: %b\r\n" % header for header in start["headers"]]
            head = b"".join([STATUS_LINE[answer.status_code], *lines, b"\r\n"])
            is_head = answering and self.scope["method"] == "HEAD"
            self.transport.write(head if is_head else head + bytes(answer.body))
        self.transport.close()
        self._wait_for_reader()
