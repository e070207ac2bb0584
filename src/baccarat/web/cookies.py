"""Read the cookies that this program sets.

The standard library takes quadratic time to unquote a value, and the framework lets it read every
request's cookies. The values here are never quoted, so `plain` leaves quoted ones out of a request
before anything else sees it, and `cookie_in` only splits the header.
"""

from collections.abc import Iterable

from starlette.requests import HTTPConnection

MOST = 200
"""Cookies of a request that are read: a browser sends at most 180 for one site."""


def plain(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return a request's headers with one Cookie header at most, without quoted values."""
    kept, cookies = [], b""
    for name, value in headers:
        if name == b"cookie":
            cookies += b";" + value
        else:
            kept.append((name, value))
    parts = [one for one in cookies.split(b";", MOST + 1)[1 : MOST + 1] if not _is_quoted(one)]
    return [*kept, (b"cookie", b";".join(parts))] if parts else kept


def _is_quoted(part: bytes) -> bool:
    text = part.decode("latin-1")  # as the framework reads it, and strips it
    return text[text.find("=") + 1 :].strip().startswith('"')


def cookie_in(connection: HTTPConnection, name: str) -> str:
    """Return the value of a cookie, or "" when the request has none of this name."""
    value = ""
    for part in connection.headers.get("cookie", "").split(";", MOST)[:MOST]:
        key, _, sent = part.partition("=")
        if key.strip() == name:
            value = sent.strip()
    return value
