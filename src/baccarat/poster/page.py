"""A poster as a web page: a single file without scripts or external resources.

The page has the same content as the printed poster, because both are rendered from the same
`Poster`.
"""

from base64 import b64encode
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from baccarat.poster.content import AGREED, Poster
from baccarat.poster.qr import qr_svg
from baccarat.wording.catalogue import catalogue

TEMPLATES = Path(__file__).parent / "templates"
STYLE = TEMPLATES / "poster.css"


def poster_page(poster: Poster) -> str:
    """Return the poster as a complete HTML page."""
    template = _ENVIRONMENT.get_template("poster.html")
    style, t = STYLE.read_text(encoding="utf-8"), catalogue(poster.language)
    drawings = {code.url: qr_svg(code.url) for code in poster.codes}
    logo = _data_url(bytes(poster.logo)) if poster.logo else ""
    page = template.render(poster=poster, style=style, qr=drawings, logo=logo, agreed=AGREED, t=t)
    return page.lstrip()


def _data_url(image: bytes) -> str:
    """Return a PNG or SVG image as a data: URL."""
    kind = "png" if image.startswith(b"\x89PNG") else "svg+xml"
    return f"data:image/{kind};base64,{b64encode(image).decode()}"


def _typographic(value: object) -> object:
    """Return text with typographic apostrophes; return markup and other values unchanged."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return value.replace("'", "’")
    return value


class _CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates, stored like numba's compiled kernels in `__pycache__`, if possible."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            Path(self.directory).mkdir(exist_ok=True)
            super().dump_bytecode(bucket)


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(TEMPLATES),
    bytecode_cache=_CompiledTemplates(str(Path(cache_from_source(str(STYLE))).parent)),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    finalize=_typographic,
)
