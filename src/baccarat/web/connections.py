"""Connections: HTTP/1.1 as uvicorn reads it, with an end to waiting.

uvicorn waits for ever for the rest of a request, and for a client to read its answer, so that
anybody could hold as many connections as a process may have. Here a request comes whole within its
time, who reads nothing is left, and what is no request is answered by a problem document like
everything else.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS

from baccarat.web.guard import dress
from baccarat.web.problems import Fault, problem

REQUEST_SECONDS = 30
"""In which all of a request has come since its first byte, and something since the connection."""
UNREAD_SECONDS = 120
"""In which a client has read so much of an answer that the rest of it can be sent."""
LONGEST_HEADERS = 64 * 1024


class Connection(H11Protocol):
    """One client's, from request to request: while it waits for one, a clock runs, uvicorn's for
    keeping it alive in between or ours."""

    _deadline: asyncio.TimerHandle | None = None
    _patience: asyncio.TimerHandle | None = None
    """With who reads nothing."""
    _begun = False
    """Has something come of a request, and not yet all of it?"""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
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
        if not getattr(self.transport.get_protocol(), "handshake_initiated", True):
            most = f"{MAX_NUM_HEADERS} headers of {MAX_LINE_LENGTH:,} bytes"
            words = f"this is no handshake of a WebSocket: a GET without a body, at most {most}"
            self._refuse(Fault.NOT_HTTP, words)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        self._stop_waiting_for_reader()
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
        headers = f"headers of more than {LONGEST_HEADERS:,} bytes"
        self._refuse(Fault.NOT_HTTP, f"this is no request of HTTP/1.1, or one with {headers}")

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

    def _refuse(self, fault: Fault, words: str) -> None:
        """The document, unless another answer has begun; and the end of the connection."""
        answering = self.conn.our_state is h11.SEND_RESPONSE
        if not self.transport.is_closing() and (answering or self.conn.our_state is h11.IDLE):
            if answering and self.cycle:  # whatever the application still says goes nowhere
                self.cycle.disconnected = True
                self.cycle.message_event.set()
            answer = problem(fault, words, headers={"Connection": "close"})
            start = {"headers": [*self.server_state.default_headers, *answer.raw_headers]}
            dress(start, {"scheme": self.scheme})
            response = h11.Response(status_code=answer.status_code, headers=start["headers"])
            self.transport.write(self.conn.send(response) or b"")
            if not (answering and self.scope["method"] == "HEAD"):
                self.transport.write(self.conn.send(h11.Data(data=bytes(answer.body))) or b"")
            self.conn.send(h11.EndOfMessage())
        self.transport.close()
        self._wait_for_reader()
