"""The baseline for events: a server that only sends a text to every open socket.

python benchmarks/bare_sockets.py PORT LENGTH
"""

import asyncio
import json
import sys
import time
from contextlib import suppress

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from baccarat.service.event_loop import run_loop

EVERY = 0.4
"""Seconds between messages."""
app = FastAPI()
sockets: set[WebSocket] = set()


@app.websocket("/api/tables/one/events")
async def events(socket: WebSocket) -> None:
    await socket.accept()
    sockets.add(socket)
    with suppress(WebSocketDisconnect):
        while True:
            await socket.receive_text()
    sockets.discard(socket)


async def main(port: int, length: int) -> None:
    config = uvicorn.Config(
        app, port=port, log_level="error", ws="websockets-sansio", ws_per_message_deflate=False
    )
    serving = asyncio.create_task(uvicorn.Server(config).serve())
    while not serving.done():
        await asyncio.sleep(EVERY)
        text = json.dumps({"at": time.time_ns() // 1_000_000, "rest": "x" * length})
        for socket in list(sockets):
            await socket.send_text(text)


if __name__ == "__main__":
    run_loop(main(int(sys.argv[1]), int(sys.argv[2])))
