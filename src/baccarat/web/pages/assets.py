"""Static files: read once, compressed once, named by what they hold.

All files together have one digest, and their addresses begin with it (`/static/DIGEST/table.js`):
modules import each other by relative names, a changed file changes every address, and a browser
keeps what it has for ever. The one rule: nothing is served that was not there at the start.
"""

import gzip
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter, Depends, Path, Request, Response

from baccarat.web.etags import FOR_EVER, is_known, takes_gzip
from baccarat.web.problems import Fault, Problem
from baccarat.web.site import Anyone, Needs

TYPES = {
    "css": "text/css; charset=utf-8",
    "ico": "image/x-icon",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
"""By the end of the name; a file of another kind is not served."""
WORTH_IT = 600
"""Bytes below which compressing gains nothing."""

routes = APIRouter(dependencies=[Depends(Needs(Anyone.EVERYBODY))], include_in_schema=False)


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    content: bytes
    zipped: bytes | None
    kind: str
    etag: str


@dataclass(frozen=True)
class Assets:
    """All of them."""

    found: dict[str, Asset]
    digest: str

    def address(self, name: str) -> str:
        if name not in self.found:
            raise KeyError(f"there is no static file {name!r}: it has {', '.join(self.found)}")
        return f"/static/{self.digest}/{name}"


@cache
def assets() -> Assets:
    """What lies in `static/`."""
    folder = files(__package__).joinpath("static")
    named = sorted((one.name, one.read_bytes()) for one in folder.iterdir() if one.is_file())
    found = {
        name: asset(content, TYPES[name.rpartition(".")[2]])
        for name, content in named
        if name.rpartition(".")[2] in TYPES
    }
    whole = sha256(b"".join(f"{name}\0{one.etag}\0".encode() for name, one in found.items()))
    return Assets(found, whole.hexdigest()[:12])


def asset(content: bytes, kind: str) -> Asset:
    zipped = gzip.compress(content, 9, mtime=0) if len(content) > WORTH_IT else None
    return Asset(content, zipped, kind, f'"{sha256(content).hexdigest()[:20]}"')


@routes.get("/static/{digest}/{name}")
async def static(
    request: Request, digest: str, name: str = Path(pattern=r"^[a-z0-9.-]{1,60}$")
) -> Response:
    """A static file. An older digest is answered too: another server may have made the page."""
    found = assets().found.get(name)
    if found is None:
        raise Problem(Fault.NO_SUCH_PAGE, f"there is no static file {name}")
    caching = FOR_EVER if digest == assets().digest else "no-cache"
    return sent(request, found, caching=caching)


def sent(request: Request, found: Asset, *, caching: str) -> Response:
    """A file to a browser: compressed if it can take that, or "you have it already"."""
    headers = {"ETag": found.etag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if is_known(request, found.etag):
        return Response(status_code=304, headers=headers)
    if found.zipped is not None and takes_gzip(request):
        headers["Content-Encoding"] = "gzip"
        return Response(found.zipped, media_type=found.kind, headers=headers)
    return Response(found.content, media_type=found.kind, headers=headers)
