"""One house, one currency: rule cards in another currency need the table's own limits, and no page
or response shows an amount in another currency."""

import contextlib
import re
from dataclasses import replace

import pypdfium2
import pytest

from baccarat.cli import main
from baccarat.house import house_jobs
from baccarat.house.housefile import HouseFileError, default_house, read_house
from baccarat.house.ports import Done
from baccarat.loader import built_in_cards, load
from baccarat.poster.content import poster_of
from baccarat.store.sqlstore import SqlStore, system_clock
from baccarat.table.refusals import Refused
from baccarat.table.rules import foreign_limits, game_of, table_game
from baccarat.web.server.app import PAGES, ROUTERS
from baccarat.web.views.games import games_of
from support.documented import ROOT
from support.served import FAST, OPEN, served

HEAD = 'format = 1\nname = "x"\ncurrency = "GBP"\nplay_money = "1000"\n'
TABLE = '[[table]]\nid = "{id}"\nname = "{id}"\ncard = "{card}"\n'
LIMITS = 'minimum = "7"\nmaximum = "700"\n'
PAIRS = "".join(
    f'[[table.bet]]\nid = "{bet}"\nmaximum = "70"\n' for bet in ("player-pair", "banker-pair")
)
EUROS = TABLE.format(id="euros", card="commission")
OTHERS = re.compile(r"EUR|€|USD|HKD")
HTML, JSON = "text/html", "application/json"


def findings(text: str) -> list[str]:
    with pytest.raises(HouseFileError) as error:
        read_house(text, name="house.toml", folder=ROOT / "examples" / "rule-cards")
    return str(error.value).splitlines()[1:]


def test_a_card_in_another_currency_needs_the_tables_own_limits():
    (finding,) = findings(HEAD + EUROS)
    assert "the limits of commission are in EUR, and the house's currency is GBP" in finding
    assert "minimum, maximum, maximum of player-pair, maximum of banker-pair" in finding
    (finding,) = findings(HEAD + EUROS + LIMITS)
    assert finding.endswith("in GBP: maximum of player-pair, maximum of banker-pair")
    (finding,) = findings(HEAD + EUROS + PAIRS)
    assert finding.endswith("in GBP: minimum, maximum")
    assert read_house(HEAD + EUROS + LIMITS + PAIRS, name="house.toml").currency == "GBP"
    same = HEAD.replace("GBP", "EUR")
    assert read_house(same + EUROS, name="house.toml").currency == "EUR"
    (finding,) = findings(HEAD + TABLE.format(id="dollars", card="dragon-bonus.toml"))
    assert "are in USD" in finding


def test_the_default_house_gives_every_table_its_limits():
    house = default_house()
    assert len(house.tables) == len(built_in_cards()) == 7
    for plan in house.tables:
        settings = plan.settings
        game = table_game(settings.rules, settings.limits, currency=house.currency)
        assert foreign_limits(game_of(settings.rules), settings.limits, house.currency) == []
        card = load(plan.id).game()
        assert [game.limits(bet) for bet in game.bets] == [card.limits(bet) for bet in card.bets]
        assert not OTHERS.search(str(poster_of(game)))


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A house in pounds with two tables whose rule card is in euros."""
    second = EUROS.replace('"euros"', '"open"') + LIMITS + PAIRS
    made = read_house(HEAD + EUROS + LIMITS + PAIRS + second, name="house.toml")
    plans = [
        replace(plan, settings=replace(plan.settings, clock=clock))
        for plan, clock in zip(made.tables, (FAST, OPEN), strict=True)
    ]
    with served(tmp_path_factory.mktemp("house"), house=replace(made, tables=tuple(plans))) as it:
        yield it


def test_a_letter_is_in_the_houses_currency_and_within_the_tables_limits(tmp_path):
    """The card of double chance is in pounds, from 5.00."""
    table = TABLE.format(id="chance", card="double-chance") + 'minimum = "20"\nmaximum = "700"\n'
    bets = "".join(
        f'[[table.bet]]\nid = "{bet.id}"\nmaximum = "70"\n'
        for bet in load("double-chance").game().bets
        if bet.id.startswith(("ur-way", "3g8"))
    )
    made = read_house(HEAD.replace("GBP", "EUR") + table + bets, name="house.toml")
    agreed = {"values": {"double_chance": "5%"}}
    with (
        served(tmp_path, house=made) as house,
        house.player("ann") as ann,
        house.staff("pit") as pit,
    ):
        assert ann.post("/api/tables/chance/agreement", json=agreed).is_success
        path = "/api/tables/chance/agreements/ann"
        assert pit.post(f"{path}/confirm", json=agreed).is_success
        letter = pypdfium2.PdfDocument(pit.get(f"{path}/letter").content)
        text = "".join(page.get_textpage().get_text_range() for page in letter)
    assert "Bet €20 on Player in each of 100 rounds" in " ".join(text.split())
    assert not re.search("GBP|£", text)


def test_the_currency_of_a_house_cannot_be_changed(tmp_path, capsys):
    """Otherwise every balance would be in another currency after a restart."""
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    with contextlib.closing(store):
        for _ in range(2):
            (done,) = store.commit([house_jobs.open_house("x", "GBP", system_clock)])
            assert isinstance(done, Done)
        (refused,) = store.commit([house_jobs.open_house("x", "EUR", system_clock)])
        assert isinstance(refused, Refused)
        assert "is in GBP, but the house file has EUR" in str(refused)
    (tmp_path / "house.toml").write_text(HEAD.replace("GBP", "EUR") + EUROS, encoding="utf-8")
    given = ["--house", str(tmp_path / "house.toml"), "--store", str(tmp_path / "house.db")]
    key = ["--key", str(tmp_path / "key"), "--port", "0"]
    assert main(["serve", *given, *key]) == 2
    assert "The money in this store is in GBP" in capsys.readouterr().err


def test_limits_of_the_table_are_shown_in_the_houses_currency(house):
    with house.client(Accept="text/html") as client:
        page = client.get("/rules/commission?table=euros").text
        assert "£7–£700" in page
        assert "£7–£70<" in page
        for path in ("/rules/commission", "/rules/online"):  # limits belong to tables
            assert "£7–" not in client.get(path).text
            assert "Bets are from" not in client.get(path).text
        assert "Bet £7 on Banker" in page
        unplayed = client.get("/rules/online").text  # in euros, and not offered at any table here
        assert "Bet £1 on" in unplayed
    shown = house.service.house
    assert {game.card.currency for game in games_of(shown).values()} == {"GBP"}


def test_the_pit_cannot_return_to_card_limits_in_another_currency(house):
    limits = {"minimum": 800, "maximum": 60_000}
    pairs = [{"bet": bet, "maximum": 6_000} for bet in ("player-pair", "banker-pair")]
    clock = {"betting": 3_600_000, "card": 10, "pause": 10}
    with house.staff("pit") as pit:
        for number, some in enumerate(({}, limits, {"bets": pairs})):
            answer = pit.put(
                "/api/tables/open/settings",
                json={"clock": clock, "limits": some},
                headers={"Idempotency-Key": f"settings {number}"},
            )
            assert answer.json()["code"] == "bad-settings"
            assert "not in GBP" in answer.json()["detail"]


def test_no_page_or_response_shows_another_currency(house):
    """Read every address as every role that may read it, with data present.

    The rules in a shoe's document are the rule card itself, and are skipped.
    """
    with house.player("ann", 100_000) as ann:
        number = ann.get("/api/tables/open").json()["round"]
        body = {"round": number, "wagers": [{"bet": "banker", "stake": 1_000}]}
        key = {"Idempotency-Key": "ann"}
        assert ann.put("/api/tables/open/wagers", json=body, headers=key).is_success
        shoe = ann.get("/api/tables/open/shoes").json()["shoes"][0]["shoe"]
        roles = ("pit", "dealer", "cashier")
        people = [house.client(), house.guest(), ann, *map(house.staff, roles)]
        places = {
            "table": ["euros", "open"],
            "card": list(built_in_cards()),
            "shoe": [shoe],
            "who": ["ann"],
            "number": ["1"],
            "round": ["1"],
            "player": ["ann"],
        }
        read, wrong = set(), set()
        for path, accept in _addresses(places):
            for person in people:
                answer = person.get(path, headers={"Accept": accept})
                if answer.status_code == 200:
                    read.add(path)
                    text = re.sub(r'"rules": ?"(?:[^"\\]|\\.)*"', "", answer.text)
                    if OTHERS.search(text):
                        wrong.add(path)
        for one in people:
            one.close()
    assert wrong == set()
    assert len(read) > 60
    assert {"/rules/commission", "/api/tables/euros", f"/api/shoes/{shoe}", "/"} <= read


def _addresses(places: dict[str, list[str]]) -> set[tuple[str, str]]:
    """Return every address with the media type that its readers accept."""
    found = {(f"/rules/{card}?table=euros", HTML) for card in places["card"]}
    for router, accept in [*((one, JSON) for one in ROUTERS), *((page, HTML) for page in PAGES)]:
        for route in router.routes:
            if "GET" in (getattr(route, "methods", None) or ()):
                some = [re.sub(r":\w+}", "}", route.path)]
                for name, values in places.items():
                    some = [
                        one.replace(f"{{{name}}}", value)
                        for one in some
                        for value in (values if f"{{{name}}}" in one else values[:1])
                    ]
                found.update((p, accept) for p in some if "{" not in p and "events" not in p)
    return found
