"""Connections: HTTP/1.1 as uvicorn reads it, with an end to waiting.

uvicorn waits for ever for the rest of a request, so that anybody could hold as many connections as
a process may have. Here a request comes whole within its time, and what is no request is answered
by a problem document like everything else.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from baccarat.web.guard import dress
from baccarat.web.problems import Fault, problem

REQUEST_SECONDS = 30
"""In which all of a request has come, from the opening of a connection or its first byte."""
LONGEST_HEADERS = 64 * 1024


class Connection(H11Protocol):
    """One client's, from request to request."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._too_slow)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._too_slow)
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._in_time()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._in_time()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn's words)
        headers = f"headers of more than {LONGEST_HEADERS:,} bytes"
        self._refuse(Fault.NOT_HTTP, f"this is no request of HTTP/1.1, or one with {headers}")

    def _in_time(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self.transport.close()  # browsers open connections that they may not need
            return
        words = f"the request did not come whole within {REQUEST_SECONDS} seconds: send it again"
        self._refuse(Fault.TOO_SLOW, words)

    def _refuse(self, fault: Fault, words: str) -> None:
        """The document, unless another answer has begun; and the end of the connection."""
        if not self.transport.is_closing() and self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = problem(fault, words, headers={"Connection": "close"})
            start = {"headers": [*self.server_state.default_headers, *answer.raw_headers]}
            dress(start, {"scheme": self.scheme})
            for event in (
                h11.Response(status_code=answer.status_code, headers=start["headers"]),
                h11.Data(data=bytes(answer.body)),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
