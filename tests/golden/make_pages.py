"""Writes the golden pages, posters as HTML: python tests/golden/make_pages.py

The digest is left out, because it changes with every comment in a card's file.
"""

from dataclasses import replace
from pathlib import Path

from baccarat.loader import load
from baccarat.poster.content import poster_of
from baccarat.poster.page import poster_page

HERE = Path(__file__).parent
PAGES = ("double-chance", "fortune-six")


def golden_page(name: str) -> str:
    poster = poster_of(load(name).game(), verify_url="https://house.example/verify")
    return poster_page(replace(poster, digest="(digest)"))


if __name__ == "__main__":
    for page in PAGES:
        (HERE / f"{page}.html").write_text(golden_page(page), encoding="utf-8")
