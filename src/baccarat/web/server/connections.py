"""Connections: HTTP/1.1 as uvicorn reads it, with an end to waiting.

uvicorn waits for ever for the rest of a request, and for a client to read its answer, so that
anybody could hold as many connections as a process may have. Here a request comes whole within its
time, who reads nothing is left, and what is no request is answered by a problem document like
everything else. An address has a bounded number of connections open.
"""

import asyncio
from collections.abc import Callable
from typing import Any, NoReturn

import h11
from h11._receivebuffer import ReceiveBuffer, blank_line_regex
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS

from baccarat.web.doors import Doors
from baccarat.web.guard import dress
from baccarat.web.problems import Fault, problem

REQUEST_SECONDS = 30
"""In which all of a request has come since its first byte, and something since the connection."""
UNREAD_SECONDS = 120
"""In which a client has read so much of an answer that the rest of it can be sent."""
LONGEST_HEADERS = 64 * 1024
MOST_HEADERS = 128
"""Lines of a request's head, or of a body's trailer; a WebSocket's handshake has no more either."""
_ALONE = "a line does not end in CR LF: send both, and neither alone"


class Lines(ReceiveBuffer):
    """h11's buffer, which takes the head of a request only in the one form that nobody misreads.

    h11 limits heads that are still incomplete, and takes bare line feeds, folded lines and a length
    beside a transfer coding. A proxy that reads those in another way sees other requests than this
    server does: they are refused.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fault = ""
        """What was wrong with the head, once it has been refused."""

    def maybe_extract_lines(self) -> list[bytearray] | None:
        if self._data.startswith(b"\n"):
            self._refuse(_ALONE)
        found = blank_line_regex.search(self._data, self._multiple_lines_search)
        if found is not None and (fault := _fault_of(self._data, found.end())):
            self._refuse(fault)
        return super().maybe_extract_lines()

    def maybe_extract_next_line(self) -> bytearray | None:
        """Return the line before a chunk, whose extension h11 does not look at."""
        line = super().maybe_extract_next_line()
        if line is not None and (b"\r" in line[:-2] or b"\n" in line[:-2]):
            self._refuse(_ALONE)
        return line

    def _refuse(self, fault: str) -> NoReturn:
        self.fault = fault
        raise h11.LocalProtocolError(fault)


def _fault_of(data: bytearray, length: int) -> str:
    """Return what is wrong with a head of this length, to its blank line; "" when nothing is."""
    if length > LONGEST_HEADERS:
        return f"its headers have {length:,} bytes: send at most {LONGEST_HEADERS:,}"
    head = bytes(data[:length])
    if head.count(b"\n") > MOST_HEADERS + 2:
        return f"it has more than {MOST_HEADERS} headers: send fewer"
    if not head.count(b"\n") == head.count(b"\r") == head.count(b"\r\n"):
        return _ALONE
    first, *lines = head.split(b"\r\n")
    if any(line.startswith((b" ", b"\t")) for line in lines):
        return "a header is folded over several lines: send it in one"
    names = {line.partition(b":")[0].lower() for line in lines}
    if b"transfer-encoding" in names:
        if b"content-length" in names:
            return "it has both Content-Length and Transfer-Encoding: send one of them"
        if first.endswith(b"HTTP/1.0"):
            return "HTTP/1.0 has no Transfer-Encoding: send Content-Length"
    return ""


class Following(WebSocketsSansIOProtocol):
    """A WebSocket, which tells when its connection is gone."""

    on_lost: Callable[[], None] | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()


class Connection(H11Protocol):
    """One client's, from request to request: while it waits for one, a clock runs, uvicorn's for
    keeping it alive in between or ours."""

    _deadline: asyncio.TimerHandle | None = None
    _patience: asyncio.TimerHandle | None = None
    """With who reads nothing."""
    _begun = False
    """Has something come of a request, and not yet all of it?"""
    doors: Doors | None = None
    """Counts the connections of each address; its server sets it."""
    _entered: str | None = None
    """The address that this connection counts for, while it does."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._lines = Lines()
        self.conn._receive_buffer = self._lines  # h11 lets nobody else choose

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if self.doors is not None:
            if not self.doors.enter(address):
                self._refuse(Fault.RATE_LIMITED, self.doors.words, {"Retry-After": "10"})
                return
            self._entered = address
        self._wait()

    def data_received(self, data: bytes) -> None:
        if not self._begun:
            self._wait(begun=True)
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self not in self.connections:  # it is a WebSocket's now
            return
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop()
        elif self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self._stop()
            if self.timeout_keep_alive_task is None:  # the rest of a body, after its answer
                self.timeout_keep_alive_task = self.loop.call_later(
                    self.timeout_keep_alive, self.timeout_keep_alive_handler
                )
        elif not self._begun:  # it had come behind another request
            self._unset_keepalive_if_required()
            self._wait(begun=True)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop()
        super().handle_websocket_upgrade(event)
        following = self.transport.get_protocol()
        if isinstance(following, Following):  # it is the one that hears of the end now
            following.on_lost = self._leave
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            most = f"{MAX_NUM_HEADERS} headers of {MAX_LINE_LENGTH:,} bytes"
            words = f"this is no handshake of a WebSocket: a GET without a body, at most {most}"
            self._refuse(Fault.NOT_HTTP, words)

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

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn's words)
        size = f"headers of more than {LONGEST_HEADERS:,} bytes"
        why = self._lines.fault or f"it is another protocol, malformed, or has {size}"
        self._refuse(Fault.NOT_HTTP, f"this is not a valid HTTP/1.1 request: {why}")

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
            self.transport.close()  # without a word: browsers open connections they may not need
            return
        words = f"the request did not come whole within {REQUEST_SECONDS} seconds: send it again"
        self._refuse(Fault.TOO_SLOW, words)

    def _leave(self) -> None:
        if self._entered is not None and self.doors is not None:
            self.doors.leave(self._entered)
            self._entered = None

    def _refuse(self, fault: Fault, words: str, more: dict[str, str] | None = None) -> None:
        """The document, unless another answer has begun; and the end of the connection."""
        answering = self.conn.our_state is h11.SEND_RESPONSE
        if not self.transport.is_closing() and (answering or self.conn.our_state is h11.IDLE):
            if answering and self.cycle:  # whatever the application still says goes nowhere
                self.cycle.disconnected = True
                self.cycle.message_event.set()
            answer = problem(fault, words, headers={"Connection": "close", **(more or {})})
            start = {"headers": [*self.server_state.default_headers, *answer.raw_headers]}
            dress(start, {"scheme": self.scheme})
            response = h11.Response(status_code=answer.status_code, headers=start["headers"])
            self.transport.write(self.conn.send(response) or b"")
            if not (answering and self.scope["method"] == "HEAD"):
                self.transport.write(self.conn.send(h11.Data(data=bytes(answer.body))) or b"")
            self.conn.send(h11.EndOfMessage())
        self.transport.close()
        self._wait_for_reader()
