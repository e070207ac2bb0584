"""Static files: read once, compressed once, with addresses that depend on their content.

All files together have one digest, and their addresses begin with it (`/static/DIGEST/table.js`),
so that modules can import each other by relative names, a changed file changes every address, and
browsers can cache files for ever. Only files that existed at startup are served.
"""

import gzip
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from fastapi import APIRouter, Path, Request, Response

from baccarat.web.server.etags import FOR_EVER, Content
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import Visitor

TYPES = {
    "css": "text/css; charset=utf-8",
    "ico": "image/x-icon",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
"""Content types by file extension; other files are not served."""
MIN_COMPRESSED = 600
"""Size in bytes below which compression gains nothing."""

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)


@dataclass(frozen=True)
class Assets:
    """All static files, and their common digest."""

    found: dict[str, Content]
    digest: str

    def address(self, name: str) -> str:
        if name not in self.found:
            raise KeyError(f"static file {name!r} not found among {', '.join(self.found)}")
        return f"/static/{self.digest}/{name}"


@cache
def assets() -> Assets:
    """Return the files in `static/`."""
    folder = files(__package__).joinpath("static")
    named = sorted((file.name, file.read_bytes()) for file in folder.iterdir() if file.is_file())
    found = {
        name: asset(content, TYPES[name.rpartition(".")[2]])
        for name, content in named
        if name.rpartition(".")[2] in TYPES
    }
    whole = sha256(
        b"".join(f"{name}\0{content.etag}\0".encode() for name, content in found.items())
    )
    return Assets(found, whole.hexdigest()[:12])


def asset(content: bytes, kind: str) -> Content:
    zipped = gzip.compress(content, 9, mtime=0) if len(content) > MIN_COMPRESSED else None
    if zipped and len(zipped) >= len(content):  # a font is compressed already
        zipped = None
    return Content(content, zipped, kind, f'"{sha256(content).hexdigest()[:20]}"')


@routes.get("/static/{digest}/{name}")
async def static(
    request: Request, digest: str, name: str = Path(pattern=r"^[a-z0-9.-]{1,60}$")
) -> Response:
    """Send a static file under any digest: another server may have rendered the page."""
    found = assets().found.get(name)
    if found is None:
        raise Problem(Fault.NO_SUCH_PAGE, "no-such-page")
    caching = FOR_EVER if digest == assets().digest else "no-cache"
    return found.sent(request, caching)
