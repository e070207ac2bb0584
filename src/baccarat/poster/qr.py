"""QR codes as SVG, for PDFs and web pages."""

import re
from io import BytesIO
from urllib.parse import urlsplit

from baccarat.core.errors import BaccaratError

LONGEST_URL = 300
"""Maximum characters in an address; a longer one makes a code too fine for a phone to read across a
table."""

_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?"
    r"|[0-9a-f:.]*:[0-9a-f:.]*"  # an IPv6 address, which is written in brackets
)


def qr_svg(url: str) -> str:
    """Return the QR code of an address, or '' if the address is empty."""
    if not url:
        return ""
    if not _is_address(url):
        raise BaccaratError(
            f"{url[:60]!r} cannot be a QR code: write https://HOST/… without spaces, in at "
            f"most {LONGEST_URL} ASCII characters"
        )
    return qr_code(url)


def qr_code(text: str) -> str:
    """Return a text as a QR code."""
    import segno  # only needed for sheets with a code

    code = segno.make(text, error="m", micro=False)
    drawing = BytesIO()
    code.save(
        drawing, kind="svg", border=0, omitsize=True, xmldecl=False, nl=False, dark="#1d1d1b",
        svgclass=None, lineclass=None,
    )  # fmt: skip
    return drawing.getvalue().decode("ascii")


def _is_address(url: str) -> bool:
    """Return whether this is an http(s) address with a valid host that QR readers can handle."""
    if len(url) > LONGEST_URL or not re.fullmatch(r"https?://[!-~]+", url):
        return False
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    return port != 0 and bool(_HOST.fullmatch(parts.hostname or ""))
