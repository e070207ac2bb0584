"""Inspection of PDFs of posters, letters and reports: text, fonts, ink, validity."""

import re
from io import BytesIO

import pikepdf
import pypdfium2

POINTS = 72 / 25.4
"""Points in a millimetre."""


def squeezed(text: str) -> str:
    """Return text without what typesetting may change: spaces, line ends, kinds of apostrophe."""
    return re.sub(r"[\s\u200b\u00ad]|\ufffe", "", text.replace("’", "'").replace("\x02", ""))


class Pdf:
    """A parsed PDF."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._pages = pypdfium2.PdfDocument(data)
        self._texts = [page.get_textpage() for page in self._pages]

    def __len__(self) -> int:
        return len(self._pages)

    def text(self, page: int) -> str:
        return self._texts[page].get_text_bounded()

    @property
    def squeezed(self) -> str:
        """The text of all pages, squeezed."""
        return squeezed("".join(self.text(page) for page in range(len(self))))

    def letters(self) -> list[tuple[str, float]]:
        """Return all visible characters, each with its type size in points."""
        found = []
        for text in self._texts:
            for i in range(text.count_chars()):
                letter = chr(pypdfium2.raw.FPDFText_GetUnicode(text.raw, i))
                if not letter.isspace() and letter.isprintable():
                    found.append((letter, pypdfium2.raw.FPDFText_GetFontSize(text.raw, i)))
        return found

    @property
    def millimetres(self) -> tuple[int, int]:
        width, height = self._pages[0].get_size()
        return round(width / POINTS), round(height / POINTS)

    def outside(self, margin: float) -> list[str]:
        """Return texts that extend into the margin (millimetres) of a page, or off it."""
        found = []
        for page, text in zip(self._pages, self._texts, strict=True):
            width, height = page.get_size()
            for i in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(i)
                edge = margin * POINTS
                if left < edge or bottom < edge or right > width - edge or top > height - edge:
                    found.append(text.get_text_bounded(left, bottom, right, top))
        return found

    def overprinted(self) -> list[tuple[str, str]]:
        """Return pairs of texts that overlap."""
        found = []
        for text in self._texts:
            rects = [text.get_rect(i) for i in range(text.count_rects())]
            for i, a in enumerate(rects):
                for b in rects[:i]:
                    across = min(a[2], b[2]) - max(a[0], b[0])
                    down = min(a[3], b[3]) - max(a[1], b[1])
                    if across > 1 and down > 0.5 * min(a[3] - a[1], b[3] - b[1]):
                        found.append((text.get_text_bounded(*a), text.get_text_bounded(*b)))
        return found

    def ink(self, page: int) -> float:
        """Return how much of the page is not white, from 0 to 1."""
        picture = self._pages[page].render(scale=0.5, grayscale=True).to_numpy()
        return float((picture < 250).mean())

    def pixels(self, page: int, colour: tuple[int, int, int]) -> int:
        """Return how many pixels of a page have exactly this colour (red, green, blue)."""
        picture = self._pages[page].render(scale=3, rev_byteorder=True).to_numpy()[..., :3]
        return int((picture == colour).all(axis=2).sum())

    def problems(self) -> list[str]:
        """Return qpdf's errors, fonts that are not embedded and missing pictures."""
        with pikepdf.open(BytesIO(self.data)) as pdf:
            found = [str(problem) for problem in pdf.check_pdf_syntax()]
            for item in pdf.objects:
                font = isinstance(item, pikepdf.Dictionary) and "/FontName" in item
                if font and not any(str(key).startswith("/FontFile") for key in item):
                    found.append(f"{item['/FontName']} is not embedded")
                if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image":
                    found.append("a picture made of pixels")
        return found

    @property
    def standards(self) -> set[str]:
        """Return the standards that the PDF declares."""
        with pikepdf.open(BytesIO(self.data)) as pdf:
            xmp = pdf.Root.Metadata.read_bytes().decode("utf-8")
        part = re.search(r"<pdfaid:part>(\d)</pdfaid:part>", xmp)
        level = re.search(r"<pdfaid:conformance>(\w)<", xmp)
        reader = "pdfuaid:part>1<" in xmp
        return {
            f"A-{part[1]}{level[1].lower()}" if part and level else "",
            "UA-1" if reader else "",
        }

    def links(self) -> list[str]:
        with pikepdf.open(BytesIO(self.data)) as pdf:
            return [
                str(note.A.URI)
                for page in pdf.pages
                for note in page.get("/Annots", [])
                if "/A" in note
            ]
