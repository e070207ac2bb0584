"""WebSocket connections: uvicorn's protocol with limits."""

from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

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
