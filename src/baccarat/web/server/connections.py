"""HTTP/1.1 and WebSocket connections: uvicorn's protocols with timeouts and limits.

uvicorn waits indefinitely for the rest of a request, and for a client to read the response, so
anyone could use up all connections of a process. Here a request must arrive within a time limit,
clients that do not read are disconnected, and invalid requests are answered with a problem
document. The number of open connections per address is limited.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS

from baccarat.web.server.framing import Framing, Malformed
from baccarat.web.server.guard import ConnectionCounter, add_headers
from baccarat.web.server.problems import Fault, Problem, response_to

REQUEST_SECONDS = 30
"""Time limit for a whole request after its first byte, and for a first byte after connecting."""
UNREAD_SECONDS = 120
"""Time limit for a client to read enough of a response for the rest to be sent."""
FRAMES, FRAMES_A_SECOND = 64 * 1024, 256
"""Bytes that a client may send on a WebSocket: at once, and for each second that it is open.

Clients only need to send keep-alives.
"""


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
        if not self._begun:
            self._wait(begun=True)
        self._framing.add(data)
        self._advance()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._framing.is_empty and not self.transport.is_closing():
            self._unset_keepalive_if_required()
            self._wait(begun=True)
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
            else:  # the offer is ignored, and the parser would accept no further request
                self.parser = httptools.HttpRequestParser(self)
            return
        if self.parser.should_upgrade() and self._should_upgrade():
            self._refuse_handshake()  # it has a body

    def handle_websocket_upgrade(self) -> None:
        self._stop()
        super().handle_websocket_upgrade()
        following = self.transport.get_protocol()
        if isinstance(
            following, LimitedWebSocket
        ):  # from now on it is notified when the connection ends
            following.on_lost = self._leave
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
