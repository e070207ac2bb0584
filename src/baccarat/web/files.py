"""Files for people and spreadsheets: CSV, exact amounts, times.

The one rule: an amount is exact wherever it is written, and no cell is a formula.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime


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
