"""Conditional requests (ETag, `If-None-Match`) and compression.

`If-None-Match` is read in one pass and up to a maximum length: anyone can send it, and it is read
in the event loop.
"""

import re
from dataclasses import dataclass

from fastapi import Request, Response

FOR_EVER = "public, max-age=31536000, immutable"
LONGEST = 4096
"""Maximum length of `If-None-Match`, in characters; a browser sends one tag, and a cache sends a
few."""


@dataclass(frozen=True)
class Content:
    """A file or document as it is sent, also in compressed form if that is smaller."""

    content: bytes
    zipped: bytes | None
    kind: str
    etag: str

    def sent(self, request: Request, caching: str) -> Response:
        """Return the content, compressed if accepted, or 304 if the client has it already."""
        if self.etag in tags_of(request):
            return not_modified(self.etag, caching)
        headers = {"ETag": self.etag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
        content = self.content
        if self.zipped is not None and takes_gzip(request):
            content, headers["Content-Encoding"] = self.zipped, "gzip"
        return Response(content, media_type=self.kind, headers=headers)


def tags_of(request: Request) -> list[str]:
    """Return the entity tags that the client has, without the prefix of weak tags.

    "*" never matches: it does not show that the client has this content.
    """
    sent = request.headers.get("if-none-match", "")
    if len(sent) > LONGEST:
        return []
    return [part.strip().removeprefix("W/") for part in sent.split(",")]


def not_modified(etag: str, caching: str, *, vary: str = "Accept-Encoding") -> Response:
    """Return a 304 response: the client has the newest version already."""
    return Response(status_code=304, headers={"ETag": etag, "Cache-Control": caching, "Vary": vary})


def takes_gzip(request: Request) -> bool:
    """Return whether the client accepts gzip; q=0 means it does not."""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() in ("gzip", "*"):
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", quality)
    return False
