"""WebSocket connections: uvicorn's protocol with limits, and a faster way to send."""

import struct
from collections.abc import Callable

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.http11 import Request

FRAMES, FRAMES_A_SECOND = 64 * 1024, 4096
"""Bytes that a client may send on a WebSocket: at once, and for each second that it is open.

This allows ten bets a second.
"""


_TEXT = 0x81
"""First byte of a frame with a whole text message (RFC 6455)."""


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that limits what its client sends and reports when its connection is lost."""

    on_lost: Callable[[], None] | None = None
    _taken = 0
    """Number of bytes received since the socket opened."""
    _opened_at: float | None = None

    @property
    def is_ready(self) -> bool:
        """Whether a message can be sent at once: the socket is open, and its client reads."""
        return self.is_open and self.writable.is_set()

    @property
    def is_open(self) -> bool:
        closing = self.close_sent or self.transport.is_closing()
        return self.handshake_complete and not closing

    def push(self, text: bytes) -> None:
        """Send a text message that is encoded already; many sockets may share it.

        Nothing is encoded for each socket: a frame that a server sends is not masked.
        """
        size = len(text)
        if size < 126:
            head = struct.pack("!BB", _TEXT, size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", _TEXT, 126, size)
        else:
            head = struct.pack("!BBQ", _TEXT, 127, size)
        self.transport.write(head + text)

    def wake(self) -> None:
        """Make the application's `receive` return an empty message."""
        self.queue.put_nowait({"type": "websocket.receive", "text": ""})

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["state"]["socket"] = self

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
            self.conn.send_close(CloseCode.POLICY_VIOLATION, "too many messages")
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept":
            del self.request, self.response  # only the handshake needs them

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.on_lost is not None:
            self.on_lost()
