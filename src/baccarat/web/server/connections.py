"""HTTP/1.1 and WebSocket connections: uvicorn's protocols with timeouts and limits.

uvicorn waits indefinitely for the rest of a request, and for a client to read the response, so
anyone could use up all connections of a process. Here a request must arrive within a time limit,
clients that do not read are disconnected, and invalid requests are answered with a problem
document. The number of open connections per address is limited.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

import h11
from h11._receivebuffer import ReceiveBuffer, blank_line_regex
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS

from baccarat.web.server.guard import ConnectionCounter, add_headers
from baccarat.web.server.problems import Fault, Problem, response_to

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
FRAMES, FRAMES_A_SECOND = 64 * 1024, 256
"""Bytes that a client may send on a WebSocket: at once, and for each second that it is open.

Clients only need to send keep-alives.
"""
MAX_CHUNKS = 1_000
"""Maximum number of chunks in a body; each takes as long to read as a small request."""
_ALONE = "a line does not end in CR LF; send both characters"
_CONTROLS = bytes({*range(32), 127} - set(b"\t\r\n"))


class StrictReceiveBuffer(ReceiveBuffer):
    """h11's receive buffer, restricted to request heads that cannot be misread.

    h11 limits the size of incomplete heads only, and accepts bare line feeds, folded lines and
    Content-Length together with Transfer-Encoding. A proxy may interpret these forms differently
    and see different requests than this server does (request smuggling), so they are refused.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fault = ""
        """What is wrong with the head, if it was refused."""
        self._chunks = 0
        """Chunks received of the current body."""

    def maybe_extract_lines(self) -> list[bytearray] | None:
        if self._data.startswith(b"\n"):
            self._refuse(_ALONE)
        found = blank_line_regex.search(self._data, self._multiple_lines_search)
        if found is not None and (fault := _fault_of(self._data, found.end())):
            self._refuse(fault)
        self._chunks = 0
        return super().maybe_extract_lines()

    def maybe_extract_next_line(self) -> bytearray | None:
        """Return the next chunk header, checked because h11 does not check chunk extensions."""
        line = super().maybe_extract_next_line()
        self._chunks += line is not None
        if self._chunks > MAX_CHUNKS:
            self._refuse(f"the body has more than {MAX_CHUNKS:,} chunks; send larger ones")
        if line is not None and (b"\r" in line[:-2] or b"\n" in line[:-2]):
            self._refuse(_ALONE)
        return line

    def _refuse(self, fault: str) -> NoReturn:
        self.fault = fault
        raise h11.LocalProtocolError(fault)


def _fault_of(data: bytearray, length: int) -> str:
    """Return what is wrong with a head that ends, blank line included, at `length`; "" if valid."""
    if length > LONGEST_HEADERS:
        return f"the headers have {length:,} bytes; send at most {LONGEST_HEADERS:,}"
    head = bytes(data[:length])
    if head.count(b"\n") > MAX_HEADERS + 2:
        return f"it has more than {MAX_HEADERS} headers; send fewer"
    if not head.count(b"\n") == head.count(b"\r") == head.count(b"\r\n"):
        return _ALONE
    if head.translate(None, _CONTROLS) != head:  # h11 may take quadratic time
        return "a header has a control character; remove it"
    first, *lines = head.split(b"\r\n")
    path, _, query = first.partition(b"?")
    if len(path) > LONGEST_PATH or len(query) > LONGEST_QUERY:
        most = f"{LONGEST_PATH:,} bytes before the question mark and {LONGEST_QUERY:,} after it"
        return f"the first line is too long; send at most {most}"
    if any(line.startswith((b" ", b"\t")) for line in lines):
        return "a header is folded over several lines; send it in one"
    names = Counter(line.partition(b":")[0].lower() for line in lines)
    if names[b"content-length"] > 1:
        return "it has Content-Length twice; send it once"
    if b"transfer-encoding" in names:
        if b"content-length" in names:
            return "it has both Content-Length and Transfer-Encoding; send one of them"
        if first.endswith(b"HTTP/1.0"):
            return "HTTP/1.0 has no Transfer-Encoding; send Content-Length"
    return ""


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that limits what its client sends and reports when its connection is lost."""

    on_lost: Callable[[], None] | None = None
    _taken = 0
    """Bytes received since it opened."""
    _opened_at: float | None = None

    def data_received(self, data: bytes) -> None:
        if self._opened_at is None:  # the handshake
            self._opened_at = self.loop.time()
            super().data_received(data)
            return
        self._taken += len(data)
        if self._taken > FRAMES + (self.loop.time() - self._opened_at) * FRAMES_A_SECOND:
            self._hang_up()
        elif not self.transport.is_closing():
            super().data_received(data)

    def _hang_up(self) -> None:
        """Close the socket without parsing the data, because parsing can take longer than
        sending."""
        if self.transport.is_closing():
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.POLICY_VIOLATION})
        if self.handshake_complete and not self.close_sent:
            self.conn.send_close(CloseCode.POLICY_VIOLATION, "this socket accepts no messages")
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()


class Connection(H11Protocol):
    """An HTTP/1.1 connection that always has a timeout while it waits for a request.

    Between requests it is uvicorn's keep-alive timeout; otherwise it is one of ours.
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
        self._buffer = StrictReceiveBuffer()
        self.conn._receive_buffer = self._buffer  # h11 has no option for this

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
        if not self._begun:
            self._wait(begun=True)
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self not in self.connections:  # the connection now belongs to a WebSocket
            return
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop()
        elif self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self._stop()
            if self.timeout_keep_alive_task is None:  # the response came before the end of the body
                self.timeout_keep_alive_task = self.loop.call_later(
                    self.timeout_keep_alive, self.timeout_keep_alive_handler
                )
        elif not self._begun:  # pipelined behind another request
            self._unset_keepalive_if_required()
            self._wait(begun=True)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop()
        super().handle_websocket_upgrade(event)
        following = self.transport.get_protocol()
        if isinstance(
            following, LimitedWebSocket
        ):  # from now on it is notified when the connection ends
            following.on_lost = self._leave
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            most = f"{MAX_NUM_HEADERS} headers of {MAX_LINE_LENGTH:,} bytes"
            words = f"Not a WebSocket handshake. Send a GET without a body and at most {most}."
            self._refuse(Problem(Fault.NOT_HTTP, words))

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

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn's signature)
        size = f"has headers of more than {LONGEST_HEADERS:,} bytes"
        why = self._buffer.fault or f"it is malformed, uses another protocol, or {size}"
        self._refuse(Problem(Fault.NOT_HTTP, f"Not a valid HTTP/1.1 request: {why}."))

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

    def _refuse(self, why: Problem) -> None:
        """Send a problem document, unless a response has begun, and close the connection."""
        answering = self.conn.our_state is h11.SEND_RESPONSE
        if not self.transport.is_closing() and (answering or self.conn.our_state is h11.IDLE):
            if answering and self.cycle:  # discard what the application still sends
                self.cycle.disconnected = True
                self.cycle.message_event.set()
            why.headers["Connection"] = "close"
            answer = response_to(why)
            start = {"headers": [*self.server_state.default_headers, *answer.raw_headers]}
            add_headers(start, {"scheme": self.scheme})
            response = h11.Response(status_code=answer.status_code, headers=start["headers"])
            self.transport.write(self.conn.send(response) or b"")
            if not (answering and self.scope["method"] == "HEAD"):
                self.transport.write(self.conn.send(h11.Data(data=bytes(answer.body))) or b"")
            self.conn.send(h11.EndOfMessage())
        self.transport.close()
        self._wait_for_reader()
