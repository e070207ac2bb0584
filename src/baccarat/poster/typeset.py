"""Typesetting of sheets as PDFs; no other module uses Typst.

Content is passed to the templates as JSON and is never interpreted as markup. The templates contain
no text specific to a game. The same content gives the same bytes on any machine.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typst

from baccarat.core.errors import BaccaratError
from baccarat.poster.qr import qr_svg
from baccarat.wording.catalogue import catalogue

if TYPE_CHECKING:
    from baccarat.poster.content import Poster
    from baccarat.poster.day_report import DayReportContent
    from baccarat.poster.letter import Letter
    from baccarat.poster.par_sheet import ParSheetContent
    from baccarat.poster.report import Report

TEMPLATES = Path(__file__).parent / "templates"
STANDARDS: "list[typst.PDFStandard]" = ["a-2a", "ua-1"]
"""PDF/A for long-term archiving, with embedded fonts; PDF/UA for screen readers."""

_MISSING = re.compile(r'the text `"(.+?)"` could not be displayed')


class TypesettingError(BaccaratError):
    """Raised for a character that no available font can draw."""


def poster_pdf(poster: "Poster", *, paper: str = "a4") -> bytes:
    """Return the poster as a PDF, on one page if it fits."""
    drawings = [qr_svg(code.url) for code in poster.codes]
    return pdf("poster.typ", poster, paper, drawings, game=poster.name)


def letter_pdf(letter: "Letter", *, paper: str = "a4") -> bytes:
    """Return the letter as a one-page PDF."""
    return pdf("letter.typ", letter, paper, game=letter.game)


def report_pdf(report: "Report", *, paper: str = "a4") -> bytes:
    return pdf("report.typ", report, paper)


def par_sheet_pdf(content: "ParSheetContent", *, paper: str = "a4") -> bytes:
    return pdf("par-sheet.typ", content, paper)


def day_report_pdf(content: "DayReportContent", *, paper: str = "a4") -> bytes:
    return pdf("day-report.typ", content, paper)


def pdf(
    template: str,
    sheet: "Poster | Letter | Report | ParSheetContent | DayReportContent",
    paper: str,
    drawings: Sequence[str] = (),
    **values: str,
) -> bytes:
    """Return a sheet as a PDF, typeset with a template. `values` are the variables available to
    messages; messages that need other variables are left out. `drawings` are SVG images.

    System fonts are used only if the bundled fonts lack a character.
    """
    t = catalogue(sheet.language)
    own = (key for key in t if key.startswith(("rules-", f"{template.removesuffix('.typ')}-")))
    words = {key: t(key, **values) for key in own if t.variables(key) <= values.keys()}
    parts = {**asdict(sheet), **values, "words": words, "drawings": drawings}
    data = json.dumps(parts, ensure_ascii=False)
    inputs = {"data": data, "paper": paper}
    try:
        return _compiled(template, inputs, system_fonts=False)
    except TypesettingError:
        return _compiled(template, inputs, system_fonts=True)


def _compiled(template: str, inputs: dict[str, str], *, system_fonts: bool) -> bytes:
    try:
        # A compiler for each sheet costs only milliseconds, and need not be shared between threads.
        compiler = typst.Compiler(root=TEMPLATES, ignore_system_fonts=not system_fonts)
        made = compiler.compile(
            TEMPLATES / template,
            format="pdf",
            sys_inputs=inputs,
            pdf_standards=STANDARDS,
            timestamp=0,
        )
    except typst.TypstError as error:
        missing = _MISSING.search(error.message)
        if missing is None:
            raise
        raise TypesettingError(
            f"no font on this machine can draw {missing[1]!r}: "
            "install one that can, or use more common characters"
        ) from error
    assert isinstance(made, bytes)  # noqa: S101  (a PDF is one file)
    return made
