"""Files for people and spreadsheets: CSV, exact amounts, times.

The one rule: an amount is exact wherever it is written, and no cell is a formula.
"""

import csv
import io
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from fastapi.responses import StreamingResponse

CSV, NDJSON = "text/csv", "application/x-ndjson"


def documented(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """What the OpenAPI document says of a file that is sent."""
    return {200: {"content": {kind: {"schema": {"type": "string"}} for kind in kinds}}}


def as_file(lines: AsyncIterator[str], name: str) -> StreamingResponse:
    """Lines to be kept under a name: CSV, or one JSON object a line."""
    kind = f"{CSV}; charset=utf-8" if name.endswith(".csv") else NDJSON
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, headers=headers, media_type=kind)


def csv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV. What a spreadsheet would take for a formula is marked as text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([map(_as_text, row) for row in rows])
    return out.getvalue()


def _as_text(cell: str) -> str:
    number = re.fullmatch(r"-?\d+(\.\d+)?", cell)
    return f"'{cell}" if cell[:1] in set("=+-@\t\r\n") and not number else cell


def exact(coins: int) -> str:
    """An amount for programs: 1234.50, -3.00."""
    return f"{'-' if coins < 0 else ''}{abs(coins) // 100}.{abs(coins) % 100:02}"


def moment(at: int) -> str:
    """A time in UTC, to the millisecond."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
