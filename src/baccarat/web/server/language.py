"""The visitor's language: the one chosen on a page, or else the browser's preferred one."""

import re
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from baccarat.wording.catalogue import DEFAULT, Catalogue, catalogue, languages

LANGUAGE = "baccarat_language"
"""Cookie with the chosen language; static/frame.js sets it."""
_QUALITY = re.compile(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*")


def words_for(request: HTTPConnection) -> Catalogue:
    """Return the catalogue in the visitor's language."""
    accepted = request.headers.get("accept-language", "")
    return catalogue(language_for(request.cookies.get(LANGUAGE, ""), accepted))


async def _words(request: HTTPConnection) -> Catalogue:
    return words_for(request)  # async, because FastAPI runs plain functions in a thread


Words = Annotated[Catalogue, Depends(_words)]


def language_for(chosen: str, accepted: str) -> str:
    """Return the chosen language if there is one, or the best of an Accept-Language header."""
    if chosen in languages():
        return chosen
    asked: list[tuple[float, str]] = []
    for part in accepted.lower().split(",")[:20]:
        name, _, rest = part.strip().partition(";")
        quality = _QUALITY.fullmatch(rest)
        asked.append((-float(quality[1]) if quality else -1.0 if not rest else 0.0, name.strip()))
    for weight, name in sorted(asked, key=lambda each: each[0]):
        for known in (name, name.partition("-")[0]):
            if weight < 0 and known in languages():
                return known
    return DEFAULT
