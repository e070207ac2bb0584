"""Reading the cookies of a request, at most `MOST_COOKIES` of them."""

from starlette.requests import HTTPConnection

MOST_COOKIES = 200
"""Maximum cookies read from a request: a browser sends at most 180 for one site."""


def cookie_in(connection: HTTPConnection, name: str) -> str:
    """Return the value of a cookie, or "" if the request does not have it."""
    value = ""
    for part in connection.headers.get("cookie", "").split(";", MOST_COOKIES)[:MOST_COOKIES]:
        key, _, sent = part.partition("=")
        if key.strip() == name:
            value = sent.strip()
    return value
