"""Display boards for the screens at the tables: no sign-in, and nobody's money.

A board never shows who has opened it. Its script requests the tables again every few seconds, so
that it recovers by itself after the server or the network was unavailable.
"""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from baccarat.web.pages.pages import Page
from baccarat.web.server.problems import Fault, Problem
from baccarat.web.server.site import Table, TheSite, Visitor
from baccarat.web.views.tables import board_view

routes = APIRouter(dependencies=[Visitor], include_in_schema=False)
FEW = 4
"""Number of tables up to which a board shows their cards."""
WEIGHTS = (0.2126, 0.7152, 0.0722)
"""How much red, green and blue contribute to the luminance of a colour."""
Tables = Annotated[list[str], Query(alias="table", max_length=100)]


@routes.get("/board")
async def several(site: TheSite, request: Request, tables: Tables = []) -> Response:  # noqa: B006
    """Show several tables on one screen: those named `?table=`, or all."""
    return await _show(site, request, tables)


@routes.get("/board/{table}")
async def board(table: Table, site: TheSite, request: Request) -> Response:
    return await _show(site, request, [table])


@routes.get("/house-logo")
async def logo(site: TheSite) -> Response:
    """Send the house's logo, which the house file names."""
    image = site.house.logo
    if not image:
        raise Problem(Fault.NO_SUCH_PAGE, "no-such-page")
    kind = "png" if image.startswith(b"\x89PNG") else "svg+xml"
    return Response(image, media_type=f"image/{kind}")


@routes.get("/house.css")
async def colours(site: TheSite) -> Response:
    """Send the house's colour from the house file, and the colour of text on it."""
    colour = site.house.colour
    if not colour:
        raise Problem(Fault.NO_SUCH_PAGE, "no-such-page")
    values = {"--house": colour, "--house-band": colour, "--house-ink": _ink(colour)}
    shown = "; ".join(f"{name}: {value}" for name, value in values.items())
    return Response(f".on-board {{ {shown} }}\n", media_type="text/css")


def _ink(colour: str) -> str:
    """Return white or black, whichever contrasts more with a colour (WCAG 2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    light = sum(weight * part for weight, part in zip(WEIGHTS, linear, strict=True))
    return "#ffffff" if 1.05 / (light + 0.05) > (light + 0.05) / 0.05 else "#000000"


async def _show(site: TheSite, request: Request, tables: Sequence[str]) -> Response:
    page = Page(request, viewer=None)
    view = await board_view(site, tables, page.t)
    count = len(view["tables"])
    return await page.show(
        "board.html",
        words=("board", "lobby", "roads", "cards"),
        data={"board": view, "asked": list(tables)},
        view=view,
        size="single" if count == 1 else "few" if count <= FEW else "many",
    )
