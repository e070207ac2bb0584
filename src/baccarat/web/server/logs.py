"""Structured logs: one JSON object per line, to standard error.

A line contains only what its caller named (a table, an account, a reason), never a body, a cookie
or a card. The level ERROR alerts the operators, so nothing that a visitor can cause is logged at
that level.
"""

import asyncio
import json
import logging
import sys
from typing import TextIO

_USUAL = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON, with everything passed as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        more = {name: value for name, value in vars(record).items() if name not in _USUAL}
        line = {
            "at": round(record.created * 1000),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
            **more,
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


_REFUSED = "ASGI callable returned without completing handshake."
_CAUSED = (
    "Cancel %s running task(s), timeout graceful shutdown exceeded",
    "Invalid UTF-8 sequence received from client.",
)


def without_visitor_errors(record: logging.LogRecord) -> bool:
    """Drop the uvicorn errors that visitors cause, or lower them to warnings.

    uvicorn reports every refused WebSocket as unanswered (github.com/Kludex/uvicorn pull request
    3138); the guard makes sure that each gets a response, and logs it. At shutdown, uvicorn reports
    how many requests it cancelled, and then reports each of them with a traceback.
    """
    if record.name != "uvicorn.error":
        return True
    if record.msg in _CAUSED:
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        record.exc_info = None
    cancelled = record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError)
    return record.msg != _REFUSED and not cancelled


def log_to(stream: TextIO | None = None) -> None:
    """Send this program's logs, and warnings from the packages it uses, to a stream.

    A terminal gets only warnings; anything else gets every request.
    """
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    handler.addFilter(without_visitor_errors)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    level = logging.WARNING if stream.isatty() else logging.INFO
    logging.getLogger("baccarat").setLevel(level)
