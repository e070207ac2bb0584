"""A QR code as an SVG drawing: the same for paper and web."""

from io import BytesIO

from baccarat.core.errors import BaccaratError

LONGEST_URL = 300
"""Characters. Longer ones make a code too fine for a telephone across a table."""


def qr_svg(url: str) -> str:
    """The code of an address, or nothing when there is none."""
    if not url:
        return ""
    if len(url) > LONGEST_URL or not url.startswith(("https://", "http://")) or not url.isascii():
        raise BaccaratError(
            f"{url[:60]!r} is no address for a QR code: write https://… in at most "
            f"{LONGEST_URL} ASCII characters"
        )
    import segno  # only sheets with a code need it

    code = segno.make(url, error="m", micro=False)
    drawing = BytesIO()
    code.save(
        drawing, kind="svg", border=0, omitsize=True, xmldecl=False, nl=False, dark="#1d1d1b",
        svgclass=None, lineclass=None,
    )  # fmt: skip
    return drawing.getvalue().decode("ascii")
