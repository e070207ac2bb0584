"""A poster as a page for the web: one file that needs no other, no script and no network.

It says what the printed poster says: both are drawn from the same `Poster`.
"""

from collections.abc import Iterable
from pathlib import Path

from baccarat.core.words import Section
from baccarat.poster.content import AGREED, BetRow, ClassicRow, Poster
from baccarat.poster.html import Html, tag
from baccarat.poster.qr import qr_svg

STYLE = Path(__file__).parent / "templates" / "poster.css"

WORDS = {"draws": "D", "stands": "S"}


def poster_page(poster: Poster) -> str:
    """The whole page."""
    head = Html.of(
        Html('<meta charset="utf-8">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="color-scheme" content="light dark">'),
        tag("title", f"{poster.name}: rules, odds and house edge"),
        Html(f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>"),
    )
    return f'<!doctype html>\n<html lang="en">\n<head>{head}</head>\n{_body(poster)}\n</html>\n'


def _body(poster: Poster) -> Html:
    suits = Html('♠ <span class="red">♥</span> <span class="red">♦</span> ♣')
    return tag(
        "body",
        tag(
            "header",
            tag("p", suits, class_="suits", aria_hidden="true"),
            tag("h1", poster.name),
            tag("p", poster.summary),
        ),
        tag(
            "main",
            tag("div", *map(_sentences, poster.rules), class_="half"),
            _coloured(poster),
            _classic(poster),
            _sentences(poster.edge),
            _bets(poster),
            _sentences(poster.wagering),
            _sentences(poster.procedures),
            _parameters(poster),
            _notice(poster),
            _verify(poster),
        ),
        tag(
            "footer",
            tag("p", poster.edition),
            tag("p", "SHA-256 of the rule card: ", tag("code", poster.digest))
            if poster.digest
            else None,
        ),
    )


def _sentences(section: Section | None) -> Html | None:
    if section is None:
        return None
    return _section(section.key, section.title, _points(section.lines))


def _section(key: str, title: str, *children: Html | None, wide: bool = False) -> Html:
    heading = tag("h2", title, id=key)
    kind = {"class_": "wide"} if wide else {}
    return tag("section", heading, *children, aria_labelledby=key, **kind)


def _points(lines: Iterable[str | Html]) -> Html:
    return tag("ul", *(tag("li", line) for line in lines))


def _table(caption: str, columns: Iterable[str], rows: Iterable[Html], class_: str) -> Html:
    head = tag("thead", tag("tr", *(tag("th", column, scope="col") for column in columns)))
    shown = tag("caption", caption)
    return tag(
        "div",
        tag("table", shown, head, tag("tbody", *rows), class_=class_),
        class_="scroll",
        tabindex="0",
        role="region",
        aria_label=caption,
    )


def _classic(poster: Poster) -> Html:
    def row(having: str, *cells: str) -> Html:
        return tag("tr", tag("th", having, scope="row"), *(tag("td", cell) for cell in cells))

    def natural(columns: int) -> Html | None:
        if not poster.tableau.naturals:
            return None
        cell = tag("td", "a natural: nobody draws", colspan=str(columns))
        return tag("tr", tag("th", poster.tableau.naturals, scope="row"), cell)

    def player(line: ClassicRow) -> Html:
        return row(line.having, line.draws or line.stands)

    def banker(line: ClassicRow) -> Html:
        return row(line.having, line.draws, line.stands)

    sheet = poster.tableau
    return _section(
        "tableau",
        "The tableau",
        _table(
            "Player's third card",
            ("Player having", "third card"),
            filter(None, (*map(player, sheet.player), natural(1))),
            "classic",
        ),
        _table(
            "Banker's third card, by what Player was given",
            ("Banker having", "draws when giving", "stands when giving"),
            filter(None, (*map(banker, sheet.banker), natural(2))),
            "classic",
        ),
    )


def _coloured(poster: Poster) -> Html:
    def cell(word: str) -> Html:
        return tag("td", tag("abbr", WORDS[word], title=word), class_=word)

    columns = str(len(poster.tableau.columns))
    rows = (
        tag(
            "tr",
            tag("th", row.total, scope="row"),
            *(
                map(cell, row.cells)
                if row.cells
                else [tag("td", "natural: nobody draws", colspan=columns, class_="natural")]
            ),
        )
        for row in poster.tableau.grid
    )
    legend = "D draws, S stands. 0: ten or court card. Stood: Player took none."
    return _section(
        "grid",
        "Banker's third card",
        _table(
            "Banker's total by Player's third card",
            ("Banker", *poster.tableau.columns),
            rows,
            "grid",
        ),
        tag("p", legend, class_="note"),
    )


def _bets(poster: Poster) -> Html:
    columns = ("bet", "when", "pays", "wins", "house edge", "stakes")
    rows = (row for bet in poster.bets for row in _bet_rows(bet))
    return _section(
        "bets",
        "The bets",
        _table("Every bet with its odds and its exact house edge", columns, rows, "bets"),
        *(tag("p", note, class_="note") for note in poster.bets_notes),
        wide=True,
    )


def _bet_rows(bet: BetRow) -> Iterable[Html]:
    span = str(len(bet.lines))
    kind = "edge against" if bet.edge.startswith("−") else "edge"
    for i, line in enumerate(bet.lines):
        pays = (tag("td", line.when), tag("td", line.pays, class_="pays"))
        if i:
            yield tag("tr", *pays)
            continue
        name = Html.of(
            f"{bet.name}*" if bet.assumed else bet.name,
            # Where the page is too narrow for a column of its own.
            tag("small", f"wins {bet.wins}", class_="narrow"),
        )
        yield tag(
            "tr",
            tag("th", name, scope="rowgroup" if len(bet.lines) > 1 else "row", rowspan=span),
            *pays,
            tag("td", bet.wins, rowspan=span, class_="number wins"),
            tag(
                "td",
                f"{bet.edge}{AGREED if bet.agreed else ''}",
                rowspan=span,
                class_=f"number {kind}",
            ),
            tag("td", bet.limits, rowspan=span, class_="number stakes"),
            class_="first",
        )


def _parameters(poster: Poster) -> Html | None:
    if not poster.parameters:
        return None
    lines = (
        Html.of(f"{row.meaning}: ", tag("strong", row.value), f" ({row.range})")
        for row in poster.parameters
    )
    return _section("parameters", poster.parameters_title, _points(lines))


def _notice(poster: Poster) -> Html | None:
    if poster.notice is None:
        return None
    badge = tag("p", poster.age, class_="age") if poster.age else None
    return _section(
        poster.notice.key, poster.notice.title, badge, _points(map(_linked, poster.notice.lines))
    )


def _linked(line: str) -> Html:
    """A line with its web addresses as links."""
    parts = [
        tag("a", word, href=f"https://{word}") if word.startswith("www.") else Html.of(word)
        for word in line.split(" ")
    ]
    return Html(" ".join(parts))


def _verify(poster: Poster) -> Html | None:
    if not poster.verify_url:
        return None
    code = tag("span", Html(qr_svg(poster.verify_url)), class_="qr", aria_hidden="true")
    link = tag("a", poster.verify_url, href=poster.verify_url)
    return _section("verify", "Check a shoe yourself", tag("p", code, link, class_="verify"))
