"""Conditional requests: does the client already have what it asks for?

`If-None-Match` is read in one pass and in bounded length: it comes from anyone, and is read in the
event loop.
"""

from fastapi import Request

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
