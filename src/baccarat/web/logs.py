"""Structured logs: one JSON object a line, to standard error.

The one rule: a line holds what its caller named (a table, an account, a reason) and never a body, a
cookie or a card.
"""

import json
import logging
import sys
from typing import TextIO

_USUAL = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """A record as one line of JSON, with everything that was given as `extra`."""

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


def log_to(stream: TextIO | None = None) -> None:
    """Send this program's logs there, and those of the packages it uses when they warn.

    Whoever looks at a terminal wants to see warnings; a file gets every request.
    """
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    level = logging.WARNING if stream.isatty() else logging.INFO
    logging.getLogger("baccarat").setLevel(level)
