"""Printed sheets: posters, letters, reports and PAR sheets, as PDF and HTML.

Each sheet is first built as a plain value (such as `content` or `par_sheet`) and then rendered.
Rendering adds no content, and never interprets text as markup.
"""

from baccarat.poster.content import Poster, poster_of

__all__ = ["PAPERS", "Poster", "makes_pdfs", "poster_of", "poster_page", "poster_pdf"]

PAPERS = ("a4", "a3", "letter")
"""The supported paper sizes."""


def makes_pdfs() -> bool:
    """Return whether the extra `poster` is installed, without which no PDF can be made."""
    try:
        import baccarat.poster.typeset  # noqa: F401
    except ImportError:
        return False
    return True


def poster_page(poster: Poster) -> str:
    """Return the poster as a single-file web page. Needs the extra `poster`."""
    from baccarat.poster import page

    return page.poster_page(poster)


def poster_pdf(poster: Poster, *, paper: str = PAPERS[0]) -> bytes:
    """Return the poster as a PDF, on one page if it fits. Needs the extra `poster`."""
    from baccarat.poster import typeset

    return typeset.poster_pdf(poster, paper=paper)
