"""A QR code as an SVG drawing: the same for paper and web."""

import re
from io import BytesIO
from urllib.parse import urlsplit

from baccarat.core.errors import BaccaratError

LONGEST_URL = 300
"""Characters. Longer ones make a code too fine for a telephone across a table."""

_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?"
    r"|[0-9a-f:.]*:[0-9a-f:.]*"  # an address of IPv6, which stands in brackets
)


def qr_svg(url: str) -> str:
    """The code of an address, or nothing when there is none."""
    if not url:
        return ""
    if not _is_address(url):
        raise BaccaratError(
            f"{url[:60]!r} is no address for a QR code: write https://HOST/… without blanks, in at "
            f"most {LONGEST_URL} ASCII characters"
        )
    import segno  # only sheets with a code need it

    code = segno.make(url, error="m", micro=False)
    drawing = BytesIO()
    code.save(
        drawing, kind="svg", border=0, omitsize=True, xmldecl=False, nl=False, dark="#1d1d1b",
        svgclass=None, lineclass=None,
    )  # fmt: skip
    return drawing.getvalue().decode("ascii")


def _is_address(url: str) -> bool:
    """http or https, a host that can exist, nothing that a reader of codes would stop at."""
    if len(url) > LONGEST_URL or not re.fullmatch(r"https?://[!-~]+", url):
        return False
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    return port != 0 and bool(_HOST.fullmatch(parts.hostname or ""))
