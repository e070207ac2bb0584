"""Downloads as CSV or as one JSON object per line, with exact amounts and times.

CSV cells are escaped so that spreadsheets do not read them as formulas.
"""

import csv
import io
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from fastapi.responses import Response, StreamingResponse

CSV, NDJSON = "text/csv", "application/x-ndjson"
Form = Literal["csv", "json"]
Item = TypeVar("Item")


def download(*kinds: str, response_class: type[Response] = StreamingResponse) -> dict[str, Any]:
    """Return the options of an endpoint that sends a file of these types."""
    content = {kind: {"schema": {"type": "string"}} for kind in kinds}
    return {"response_class": response_class, "responses": {200: {"content": content}}}


def as_file(lines: AsyncIterator[str], name: str) -> StreamingResponse:
    """Return a response to be saved under a name: CSV, or one JSON object per line."""
    kind = f"{CSV}; charset=utf-8" if name.endswith(".csv") else NDJSON
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, headers=headers, media_type=kind)


async def in_pieces(
    ask: Callable[[Item | None], Awaitable[Sequence[Item]]],
) -> AsyncIterator[Sequence[Item]]:
    """Yield a long list in pieces. `ask` returns the piece after an item, or the first for None."""
    last = None
    while piece := await ask(last):
        yield piece
        last = piece[-1]


def records_file(
    kind: type[Any], pieces: AsyncIterator[Sequence[Any]], name: str, form: Form
) -> StreamingResponse:
    """Return values of a dataclass as a file, one per line."""
    columns = [field.name for field in fields(kind)]

    async def lines() -> AsyncIterator[str]:
        if form == "csv":
            yield csv_lines([columns])
        async for piece in pieces:
            if form == "csv":
                yield csv_lines(
                    [_CELLS.get(name, str)(getattr(record, name)) for name in columns]
                    for record in piece
                )
            else:
                yield "".join(
                    f"{json.dumps(vars(record), ensure_ascii=False)}\n" for record in piece
                )

    return as_file(lines(), f"{name}.{'csv' if form == 'csv' else 'ndjson'}")


def csv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV; cells that a spreadsheet would read as formulas are marked as text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([map(_as_text, row) for row in rows])
    return out.getvalue()


def _as_text(cell: str) -> str:
    number = re.fullmatch(r"-?\d+(\.\d+)?", cell)
    return f"'{cell}" if cell[:1] in set("=+-@\t\r\n") and not number else cell


def exact(coins: int) -> str:
    """Return an amount without currency or grouping, such as 1234.50 or -3.00."""
    return f"{'-' if coins < 0 else ''}{abs(coins) // 100}.{abs(coins) % 100:02}"


def moment(at: int) -> str:
    """Return a time as a UTC timestamp, to the millisecond."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")


_CELLS: Mapping[str, Callable[[Any], str]] = {"at": moment, "amount": exact}
