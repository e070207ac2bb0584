"""From a sheet's content to a PDF: the only place that speaks to the typesetter.

Content goes in as JSON and is set as text; the templates hold no word of any game. One rule: the
same content gives the same bytes, on any machine.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typst

from baccarat.core.errors import BaccaratError
from baccarat.poster.content import Poster
from baccarat.poster.letter import Letter
from baccarat.poster.qr import qr_svg
from baccarat.poster.report import Report

TEMPLATES = Path(__file__).parent / "templates"
STANDARDS: "list[typst.PDFStandard]" = ["a-2a", "ua-1"]
"""PDF/A: fonts embedded, to be read in fifty years. PDF/UA: to be read aloud."""

_MISSING = re.compile(r'the text `"(.+?)"` could not be displayed')


class TypesettingError(BaccaratError):
    """Something that no font at hand can draw."""


def poster_pdf(poster: Poster, *, paper: str = "a4") -> bytes:
    """The poster as a PDF: one page where it fits."""
    data = asdict(poster) | {"qr": qr_svg(poster.verify_url)}
    return pdf("poster.typ", data, paper=paper)


def letter_pdf(letter: Letter, *, paper: str = "a4") -> bytes:
    """The letter as a PDF: one page."""
    return pdf("letter.typ", asdict(letter), paper=paper)


def report_pdf(report: Report, *, paper: str = "a4") -> bytes:
    """The audit report as a PDF."""
    return pdf("report.typ", asdict(report), paper=paper)


def pdf(template: str, data: Mapping[str, Any], **inputs: str) -> bytes:
    """A template filled with data. Fonts are the embedded ones; others only for what they lack."""
    inputs = {"data": json.dumps(data, ensure_ascii=False), **inputs}
    try:
        return _compiled(template, inputs, system_fonts=False)
    except TypesettingError:
        return _compiled(template, inputs, system_fonts=True)


def _compiled(template: str, inputs: dict[str, str], *, system_fonts: bool) -> bytes:
    try:
        # One for each sheet: it takes milliseconds, and threads need not share it.
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
            "install one that can, or write it in letters that are more common"
        ) from error
    assert isinstance(made, bytes)  # noqa: S101  (a PDF is one file)
    return made
