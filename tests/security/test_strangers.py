"""What strangers cannot learn, and what is refused: staff ids, names, JSON keys, numbers."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from baccarat.house import jobs
from baccarat.house.events import OPERATOR
from baccarat.house.people.names import check_name, check_no_imitation, tidy
from baccarat.house.people.roles import Account, Role
from baccarat.house.ports import Done
from baccarat.store.sqlstore import SqlStore, system_clock
from baccarat.table.refusals import Refused
from support.documented import run
from support.served import HOUSE, PASSWORD, WATCHING, served
from support.stores import new_database


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("strangers")) as found:
        yield found


# ---- staff accounts ----------------------------------------------------------------------------


def test_naming_a_partner_reveals_nothing_about_accounts(house):
    """The answer is the same for a player's id, a staff id and an unknown one."""
    reply = []
    house.player("real-rita").close()
    for n, partner in enumerate(("real-rita", "the-pit", "the-cashier", "nobody-there")):
        with house.player(f"asker-{n}") as asker:
            answer = asker.post("/api/me/partners", json={"partner": partner})
            seen = asker.get("/api/me/partners")
            found = [answer.status_code, answer.text, seen.text]
            reply.append([str(one).replace(partner, "ID") for one in found])
    assert all(one == reply[0] for one in reply), reply
    assert reply[0][0] == "200"


@pytest.mark.parametrize("wrong", [{"name": "Rolf"}, {"born": "2020-01-01"}])
def test_an_invalid_account_request_does_not_reveal_whether_its_id_is_taken(house, wrong):
    """Otherwise ids could be tested without opening accounts, unnoticed by the house."""
    if SqlStore(house.store.engine).person("rolf") is None:
        house.colleague("rolf").close()
    body = {"name": "Nora", "password": PASSWORD, "born": "1990-01-01"}
    with house.client() as client:
        codes = [
            client.post("/api/accounts", json={**body, "id": name, **wrong}).json()["code"]
            for name in ("the-cashier", "nobody-there")
        ]
    assert codes[0] == codes[1] != "id-taken"


def test_a_partner_named_before_opening_an_account_can_confirm(house):
    with house.player("early-ed") as ed:
        ed.post("/api/me/partners", json={"partner": "late-lou"})
        with house.player("late-lou") as lou:
            reply = lou.post("/api/me/partners", json={"partner": "early-ed"}).json()
            assert reply["partners"] == ["early-ed"]
        assert ed.get("/api/me/partners").json()["partners"] == ["late-lou"]


def test_the_number_of_named_partners_is_limited(house):
    with house.player("namer-ned") as ned:
        answers = [ned.post("/api/me/partners", json={"partner": f"x{n}"}) for n in range(21)]
        assert [answer.is_success for answer in answers] == [True] * 20 + [False]


# ---- names -------------------------------------------------------------------------------------

BAD = {
    "blank": " ",
    "blanks": "   ",
    "no-break space": "\u00a0",
    "Hangul filler": "\u3164",
    "Braille blank": "\u2800",
    "zero width": "An\u200bn",
    "joiner": "An\u200dn",
    "bidi": "Ann\u202egnp",
    "only an accent": "\u0301",
    "accents": "A\u0301\u0302\u0303\u0304nn",
    "only signs": "...",
    "Cyrillic a": "\u0430nn",
    "Greek omicron": "B\u03bfb",
    "fullwidth": "\uff21nn",
    "mathematical": "\U0001d400nn",
    "ligature": "\ufb01nn",
    "variation selector": "Ann\ufe0f",
    "line feed": "An\nn",
}


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
def test_invisible_and_confusable_names_are_refused(house, name):
    body = {"id": "lookalike", "name": name, "password": PASSWORD, "born": "1990-05-05"}
    with house.client() as client, house.staff("pit") as pit:
        answers = [
            client.post("/api/accounts", json=body),
            pit.post("/api/staff", json={**_less(body, "born"), "role": "dealer"}),
        ]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
        assert "body.name" in [fault["where"] for fault in answer.json()["faults"]]


def _less(body: dict, key: str) -> dict:
    return {name: value for name, value in body.items() if name != key}


@pytest.mark.parametrize(
    "name",
    [
        *("Ann", "O'Brien", "Jean-Luc 2", "José", "Søren", "Αθηνά", "Анна", "Сара", "李小龍"),
        *("山田 Taro", "さくらサクラ", "김민수", "محمد", "प्रिया", "ẹ\u0301níyàn", "7"),
    ],
)
def test_ordinary_names_are_accepted(name):
    check_name(tidy(name))


IMITATIONS = {
    "plain": "The Pit",
    "joined": "the-pit",
    "dotted": "P.I.T.",
    "accented": "Th\u00e9 Pit",
    "digits": "Dea1er",
    "naught": "The H0use",
    "i for l": "Deaier",
    "guest": "GUEST",
    "Greek": "\u03a1\u0399\u03a4",
    "Cyrillic": "\u0420\u0406\u0422",
    "Cherokee": "\u13e2\u13a5\u13a2",
    "Lisu": "\ua4d1\ua4f2\ua4d4",
    "dotless": "P\u0131t",
    "phonetic": "De\u0251ler",
    "small capitals": "\u1d18\u026a\u1d1b",
}


@pytest.mark.parametrize("name", IMITATIONS.values(), ids=IMITATIONS)
def test_a_player_name_that_imitates_staff_is_refused(house, name):
    body = {"id": "imitator", "name": name, "password": PASSWORD, "born": "1990-05-05"}
    with house.client() as client:
        answer = client.post("/api/accounts", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
    account = Account("imitator", Role.PLAYER, name)
    (refused,) = house.store.commit([jobs.open_account(account, system_clock)])
    assert isinstance(refused, Refused)


@pytest.mark.parametrize("name", ["Peter Pitt", "Hause", "Анна", "Αθηνά", "Сара", "Dealey"])
def test_other_names_are_not_imitations(name):
    check_no_imitation(name, "The house")


ALIKE = {
    "the same": "Capa",
    "capitals": "CAPA",
    "Cyrillic": "\u0421\u0430\u0440\u0430",
    "accent": "Cap\u00e1",
    "dotted": "Ca.pa",
}


@pytest.mark.parametrize(
    ("role", "known", "name"),
    [
        *((Role.DEALER, "Capa", name) for name in ALIKE.values()),
        (Role.DEALER, "Dora Dealer", "D0ra DeaIer"),
        (Role.DEALER, "Marco", "rnarco"),
    ],
)
def test_a_name_that_looks_like_someone_elses_is_refused(house, role, known, name):
    """Regression: a dealer's own name could be taken."""
    account = Account(f"known-{known.lower()[:4]}", role, known)
    house.store.commit([jobs.open_account(account, system_clock, by=OPERATOR)])
    body = {"id": "imitator", "name": name, "password": PASSWORD, "born": "1990-05-05"}
    with house.client() as client, house.staff("pit") as pit:
        answers = [
            client.post("/api/accounts", json=body),
            pit.post("/api/staff", json={"id": "new-dan", "name": name, "role": "dealer"}),
        ]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
        similar = "is too similar to someone else's. Add something to tell them apart."
        assert similar in answer.json()["detail"]


def test_names_in_other_scripts_are_accepted_if_no_staff_name_looks_alike(tmp_path):
    """Regression: "Сара" was refused because all its letters look Latin."""
    names = ["Sara", "Сара", "राम", "रमा", "かき", "がき", "김민수", "김민주"]
    asked = [
        jobs.open_account(Account(f"p{n}", Role.PLAYER, name), system_clock)
        for n, name in enumerate(names)
    ]
    with closing(SqlStore.open(f"sqlite:///{tmp_path}/house.db")) as store:
        assert [type(done) for done in store.commit(asked)] == [Done] * len(names)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_only_one_of_several_confusable_staff_names_is_accepted(tmp_path, request, kind):
    """This holds within one commit, and on two servers at the same moment."""
    address = f"sqlite:///{tmp_path}/house.db"
    if kind == "postgresql":
        address = new_database(request.getfixturevalue("server"))
    alike = ("Mara", "MARA", "M\u00e1ra", "Rnara")
    names = [f"{name} {n}" for n in range(10) for name in alike]
    asked = [
        jobs.open_account(Account(f"p{n}", Role.DEALER, name), system_clock, by=OPERATOR)
        for n, name in enumerate(names)
    ]
    with closing(SqlStore.open(address)) as one, closing(SqlStore.open(address)) as other:
        together = one.commit(asked[:4])
        with ThreadPoolExecutor(2) as threads:
            ends = [
                threads.submit((one, other)[n % 2].commit, [job]) for n, job in enumerate(asked[4:])
            ]
        results = [*together, *(result for end in ends for result in end.result())]
        again = one.commit(asked)
    done = [name for name, end in zip(names, results, strict=True) if isinstance(end, Done)]
    assert len(done) == 10
    assert {name[-1] for name in done} == {*"0123456789"}
    assert not any(isinstance(end, Done) for end in again)


def test_players_can_share_names_so_that_refusals_reveal_no_players(house):
    """Regression: the refusal revealed to an anonymous visitor whose name was taken."""
    known = Account("maria", Role.PLAYER, "Maria Rossi")
    house.store.commit([jobs.open_account(known, system_clock)])
    with house.client() as client:
        body = {"id": "maria-2", "name": "Maria Rossi", "password": PASSWORD}
        young = client.post("/api/accounts", json={**body, "born": "2020-01-01"})
        assert young.json()["code"] == "under-age"
        assert client.post("/api/accounts", json={**body, "born": "1990-05-05"}).status_code == 201


def test_guests_share_one_name(house):
    with house.guest() as one, house.guest() as other:
        names = {client.get("/api/session").json()["name"] for client in (one, other)}
    assert names == {"Guest"}


def test_a_player_name_that_imitates_the_house_is_refused(tmp_path):
    with served(tmp_path, house=replace(HOUSE, name="Casino Royal")) as royal:
        body = {"id": "imitator", "name": "Cas1no R0yal", "password": PASSWORD}
        with royal.client() as client:
            answer = client.post("/api/accounts", json={**body, "born": "1990-05-05"})
        assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")


def test_blanks_in_a_name_are_tidied(house):
    body = {"id": "tidy-tom", "name": "  Tom  Tidy ", "password": PASSWORD}  # as a keyboard may add
    with house.client() as client:
        assert client.post("/api/accounts", json=body).json()["name"] == "Tom Tidy"


def test_the_house_refuses_confusable_names_without_the_api(house):
    """The command line opens accounts too, without the API's checks."""
    account = Account("odd-otto", Role.DEALER, "\u0430nn")
    (refused,) = house.store.commit([jobs.open_account(account, system_clock)])
    assert isinstance(refused, Refused)
    assert "alphabets" in str(refused)


# ---- keys --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        '{"account": "the-pit", "account": "the-dealer", "password": "correct horse"}',
        '{"account": "the-pit", "password": "correct horse", "password": "correct horse"}',
        '{"account": "the-pit", "password": "correct horse", "\\u0061ccount": "the-pit"}',
    ],
)
def test_a_body_with_a_duplicate_key_is_refused(house, body):
    with house.client() as client:
        headers = {"Content-Type": "application/json"}
        answer = client.post("/api/session", content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "not-json")
        assert "key twice" in answer.json()["detail"]


def test_duplicate_keys_in_nested_objects_are_refused(house):
    with house.guest() as guest:
        number = guest.get("/api/tables/open").json()["round"]
        body = '{"round": %d, "wagers": [{"bet": "player", "stake": 500, "stake": 100000}]}'
        headers = {"Content-Type": "application/json", "Idempotency-Key": "twice"}
        answer = guest.put("/api/tables/open/wagers", content=body % number, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "not-json")


# ---- figures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [22, 40, 4_000])
def test_a_huge_number_is_refused_as_malformed(house, digits):
    """Regression: it could not be formatted, which was an internal error with an alert."""
    number = 10**digits
    asked = [
        {"round": 1, "wagers": [{"bet": "player", "stake": number}]},
        {"round": number, "wagers": []},
    ]
    with house.guest() as guest:
        for body in asked:
            path, keys = "/api/tables/open/wagers", {"Idempotency-Key": "large"}
            answer = guest.put(path, json=body, headers=keys)
            assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    with house.staff("pit") as pit:
        for terms in ({"amount": number}, {"times": number}, {"days": -number}):
            path, body = "/api/accounts/nobody-there/bonus", {"amount": 1, **terms}
            answer = pit.post(path, json=body, headers={"Idempotency-Key": "large"})
            assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


def test_metrics_and_server_details_need_a_token(house):
    with house.guest() as guest:
        shown = guest.get("/metrics")
        assert (shown.status_code, shown.json()["code"]) == (401, "needs-token")
        assert shown.headers["WWW-Authenticate"] == "Bearer"
        assert guest.get("/ready").json() == {"ready": True}
        for wrong in ("Bearer", "Bearer x", "Basic " + WATCHING["Authorization"][7:]):
            headers = {"Authorization": wrong}
            assert guest.get("/metrics", headers=headers).status_code == 401
            assert guest.get("/ready", headers=headers).json() == {"ready": True}
        assert "baccarat_wagers" in guest.get("/metrics", headers=WATCHING).text
        assert "driving" in guest.get("/ready", headers=WATCHING).json()


def test_without_a_configured_token_nobody_can_read_metrics(house, monkeypatch):
    monkeypatch.setattr(house.server.config.app.state.site, "_operations_token", None)
    with house.client() as client:
        for shown in (WATCHING, {"Authorization": "Bearer None"}):
            assert client.get("/metrics", headers=shown).status_code == 401
            assert client.get("/ready", headers=shown).json() == {"ready": True}


def test_a_short_operations_token_is_refused(tmp_path, monkeypatch):
    short = tmp_path / "token"
    short.write_text("hunter2\n")
    status, _, complaint = run(f"baccarat serve --port 0 --operations-token '{short}'")
    assert (status, "at least 16 random ASCII characters" in complaint) == (2, True)
    monkeypatch.setenv("BACCARAT_OPERATIONS_TOKEN", "")
    assert run("baccarat serve --port 0")[0] == 2
    status, _, complaint = run(f"baccarat serve --port 0 --operations-token '{tmp_path}/none'")
    assert (status, "cannot read the operations token" in complaint) == (2, True)
