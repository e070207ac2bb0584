"""Conditional requests and compression: what a client already has, and in which form it takes more.

`If-None-Match` is read in one pass and in bounded length: it comes from anyone, and is read in the
event loop.
"""

import re

from fastapi import Request, Response

FOR_EVER = "public, max-age=31536000, immutable"
LONGEST = 4096
"""Characters of `If-None-Match` that are read; a browser sends one tag, a cache a few."""


def tags_of(request: Request) -> list[str]:
    """Return the entity tags that the client has, without the mark of a weak one."""
    sent = request.headers.get("if-none-match", "")
    if len(sent) > LONGEST:
        return []
    return [part.strip().removeprefix("W/") for part in sent.split(",")]


def is_known(request: Request, *etags: str) -> bool:
    """Return whether the client has one of these, or says that anything will do (`*`)."""
    return any(tag == "*" or tag in etags for tag in tags_of(request))


def not_modified(etag: str, caching: str, *, vary: str = "Accept-Encoding") -> Response:
    """Tell the client that it has the newest already."""
    return Response(status_code=304, headers={"ETag": etag, "Cache-Control": caching, "Vary": vary})


def takes_gzip(request: Request) -> bool:
    """Does the browser say so, and not that it would rather not (q=0)?"""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() in ("gzip", "*"):
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", quality)
    return False
