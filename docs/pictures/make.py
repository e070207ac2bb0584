"""Draws the pictures of the documentation anew: python docs/pictures/make.py

They are of the built-in posters. Draw them again when the poster's looks change.
"""

from pathlib import Path

import pypdfium2

from baccarat import load
from baccarat.poster.content import poster_of
from baccarat.poster.typeset import poster_pdf

HERE = Path(__file__).parent
WIDTH = 700
"""Pixels."""


def main() -> None:
    poster = poster_of(load("punto-banco").game(), verify_url="https://house.example/verify")
    page = pypdfium2.PdfDocument(poster_pdf(poster))[0]
    picture = page.render(scale=WIDTH / page.get_width()).to_pil()
    picture.quantize(colors=160).save(HERE / "poster.png", optimize=True)


if __name__ == "__main__":
    main()
