"""The page of published side bets: every bet, sorted, chosen and compared."""

import asyncio
import html
import re
from fractions import Fraction

import pytest

from baccarat.figures.published import entries_of
from baccarat.loader import catalogue_cards, load
from baccarat.web.compute.pool import Pool
from baccarat.web.pages import catalogue
from baccarat.web.pages.catalogue import WIDTH, bet_row
from baccarat.web.server.problems import Fault, Problem
from support.served import served


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running


def rows(page: str) -> list[str]:
    """Return the text of each row of the table, without markup."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        html.unescape(re.sub(r"(<[^>]*>|\s)+", " ", row)).strip()
        for row in body.split("</tr>")[:-1]
    ]


def test_the_page_shows_every_bet_and_verdict(house):
    with house.client() as client:
        found = rows(client.get("/catalogue").text)
    entries = [entry for name in catalogue_cards() for entry in entries_of(load(name))]
    assert len(found) == len(entries)
    for row, entry in zip(found, entries, strict=True):
        assert row.startswith(f"{entry.bet.name} {entry.pays} ")
        for published in entry.published:
            verdict = "agrees" if published.agrees else f"differs: {published.reason}"
            assert f"{published.printed.replace('-', '−')} {verdict}" in row


def test_the_menu_leads_to_the_page(house):
    with house.client() as client:
        lobby, page = (client.get(address).text for address in ("/", "/catalogue?decks=8"))
    assert re.search(r'<a href="/catalogue" data-slow>Side bets</a>', lobby)
    assert re.search(r'<a href="/catalogue" aria-current="page" data-slow>Side bets</a>', page)


def test_bets_are_sorted_and_chosen_by_the_address(house):
    with house.client() as client:
        by_edge = rows(client.get("/catalogue?family=egalite&order=edge&decks=8").text)
        six = rows(client.get("/catalogue?family=number-of-cards&decks=6").text)
        assert client.get("/catalogue?decks=9").status_code == 422
        assert client.get("/catalogue?order=colour").status_code == 422
    assert by_edge[0].startswith("Egalite 7 45 6.389877%")
    assert by_edge[-1].startswith("Egalite 0 150 12.452652%")
    assert len(by_edge) == 10
    assert six[0].startswith("4-5-6: 4 1.5 5.268737%")


def test_chosen_bets_stand_side_by_side_and_stay_chosen(house):
    keys = ["lucky-7:super-lucky-7:by-cards", "egalite:egalite-7:"]
    with house.client() as client:
        page = html.unescape(client.get("/catalogue", params={"bet": keys}).text)
        many = client.get("/catalogue", params={"bet": ["x"] * 7})
    articles = re.findall(r"<h3>(.*?)</h3>", page)
    assert articles == ["Egalite 7", "Super Lucky 7"]
    assert page.count(" checked>") == 2
    assert "bet=egalite%3Aegalite-7%3A" in page, "links keep the choice"
    assert many.status_code == 422


def test_figures_are_computed_once(house, monkeypatch):
    with house.client() as client:
        first = client.get("/catalogue")
        monkeypatch.setattr(Pool, "_queued", lambda *_: pytest.fail("again"))
        again = client.get("/catalogue?order=hit")
    assert (first.status_code, again.status_code) == (200, 200)


def test_the_first_visitor_need_not_wait(monkeypatch):
    asked = []

    class Recording:
        async def run(self, client, function, *arguments):
            asked.append((function, arguments))
            if len(asked) == 3:
                raise Problem(Fault.BUSY, "computation-failed")

    monkeypatch.setattr(catalogue, "SECONDS_BEFORE", 0)
    asyncio.run(catalogue.compute_ahead(Recording()))
    first = catalogue_cards()[:3]
    assert asked == [(catalogue.rows_of, (name, 8, "en")) for name in first], (
        "it stops without an error"
    )


@pytest.mark.parametrize(("bet", "parts"), [("player-6-4-2-1", 7), ("banker-4-4-2-2", 6)])
def test_the_picture_is_the_return(bet, parts):
    entry = next(each for each in entries_of(load("dragon-bonus")) if each.bet.id == bet)
    picture = bet_row(entry, "en").picture
    assert len(picture.segments) == parts
    assert picture.fair == WIDTH
    assert picture.end == pytest.approx(float(entry.figures.return_to_player) * WIDTH, abs=0.01)
    assert sum(each.width for each in picture.segments) == pytest.approx(picture.end, abs=0.05)
    assert [each.opacity for each in picture.segments] == sorted(
        each.opacity for each in picture.segments
    )


def test_the_picture_of_a_bet_that_favours_the_bettor_goes_beyond_a_fair_bet():
    entry = next(each for each in entries_of(load("banker-six")) if each.figures.edge < 0)
    picture = bet_row(entry, "en").picture
    assert picture.end == WIDTH
    fair = WIDTH / entry.figures.return_to_player
    assert picture.fair == pytest.approx(float(Fraction(fair)), abs=0.01)
