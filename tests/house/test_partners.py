"""Partners: declared, linked by the pit or sharing a browser; shared maximum; detector."""

import importlib.util
import random
import threading
import uuid
from contextlib import closing
from functools import partial

import pytest

from baccarat.auditor import audit, read_store
from baccarat.core.wagers import Wager
from baccarat.house import desk, jobs
from baccarat.house.events import LinkReason
from baccarat.house.housefile import House
from baccarat.house.money import cash
from baccarat.house.people import partners as linking
from baccarat.house.ports import Done
from baccarat.house.safety import requests
from baccarat.house.safety.periods import HOUR
from baccarat.house.safety.profiles import default_conduct
from baccarat.house.table_plans import TablePlan
from baccarat.house.watch.collusion import PASSES, SettledRound, suspicions
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.refusals import Code, Refused
from baccarat.table.settings import StakeLimits
from baccarat.web.identity.devices import Devices
from support.documented import ROOT
from support.live import settings_for
from support.served import OPEN, PASSWORD, served, signed
from support.stores import Evening, new_database

_SPEC = importlib.util.spec_from_file_location("crowds", ROOT / "benchmarks" / "partners.py")
crowds = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(crowds)

CONDUCT = default_conduct()
MOST = 100_000


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/house.db"
    return new_database(request.getfixturevalue("server"))


def opened(address: str, card: str = "punto-banco") -> Evening:
    store = SqlStore.open(address)
    settings = settings_for(card, limits=StakeLimits(maximum=MOST))
    evening = Evening(store, settings).open(ann=1_000_000, bob=1_000_000, cat=1_000_000)
    return evening.until("open")


def link(evening: Evening, *players: str, why: LinkReason = LinkReason.PIT):
    words = "they share a purse"
    return jobs.about_players(
        players,
        evening.clock,
        partial(linking.join, players=players, why=why, by="pit", words=words),
        conduct=CONDUCT,
    )


def part(evening: Evening, *players: str):
    return jobs.about_players(
        players,
        evening.clock,
        partial(linking.part, players=players, by="pit", words="they do not"),
        conduct=CONDUCT,
    )


def named(evening: Evening, player: str, partner: str):
    return jobs.about_players(
        (player, partner),
        evening.clock,
        partial(linking.name_partner, player=player, partner=partner),
        conduct=CONDUCT,
    )


def refusal(evening: Evening, job) -> Refused:
    (found,) = evening.store.commit([job])
    assert isinstance(found, Refused), found
    return found


def partners(evening: Evening, player: str) -> tuple[str, ...]:
    return evening.store.safety(player).partners


# ---- exclusions of partners ---------------------------------------------------------------------


@pytest.mark.requirement("G15")
@pytest.mark.parametrize("why", [LinkReason.DECLARED, LinkReason.PIT])
def test_g15_partners_of_an_excluded_player_can_neither_deposit_nor_wager(address, why):
    evening = opened(address)
    evening.do(link(evening, "ann", "bob", why=why))
    evening.do(evening.wager("bob", ("player", 500)))
    evening.do(evening.about("ann", partial(requests.exclude, months=6)))
    pay_in = evening.about("bob", partial(cash.pay_in, amount=500), by="till")
    for job, whose in (
        (evening.wager("bob", ("player", 600)), "yours"),
        (pay_in, "this player's"),
    ):
        reply = refusal(evening, job)
        assert reply.code is Code.SELF_EXCLUDED
        assert f"linked with {whose} is excluded" in str(reply)
        assert "ann" not in str(reply).lower().split()
    evening.do(evening.wager("bob"))  # wagers and money can be withdrawn
    evening.do(evening.about("bob", partial(cash.pay_out, amount=1_000_000), by="till"))
    evening.do(evening.wager("cat", ("player", 600)))
    evening.do(part(evening, "ann", "bob"))  # the pit found that they are different people
    evening.do(evening.about("bob", partial(cash.pay_in, amount=1_000), by="till"))
    evening.do(evening.wager("bob", ("player", 600)))
    assert audit(read_store(address)).findings == []
    evening.store.close()


@pytest.mark.requirement("G15")
def test_g15_a_link_after_an_exclusion_or_a_break_counts_too(tmp_path):
    evening = opened(f"sqlite:///{tmp_path}/house.db")
    evening.do(evening.about("ann", partial(requests.take_break, hours=24)))
    evening.do(link(evening, "bob", "ann"), evening.wager("cat", ("tie", 500)))
    assert refusal(evening, evening.wager("bob", ("player", 600))).code is Code.ON_A_BREAK
    # Within one commit, an earlier link applies to a later wager.
    linked, wager = evening.store.commit(
        [link(evening, "cat", "bob"), evening.wager("cat", ("player", 600))]
    )
    assert isinstance(linked, Done)
    assert isinstance(wager, Refused), wager
    evening.now += 24 * HOUR
    evening.do(evening.about("bob", partial(cash.pay_in, amount=500), by="till"))
    evening.store.close()


@pytest.mark.requirement("G15")
def test_g15_exclusions_of_partners_and_wagers_race_without_deadlock(address):
    """Three servers lock the same partners, each for another player; no wager follows."""
    evening = opened(address)
    evening.do(link(evening, "ann", "bob", "cat"))
    found: dict[str, list] = {"bob": [], "cat": []}
    number = evening.state.round.number

    def play(player: str) -> None:
        with closing(SqlStore.open(address)) as store:
            for i in range(20):
                wagers = (Wager("player", 500 + 100 * i),)
                job = evening.job(c.PlaceWagers(number, player, wagers))
                found[player] += store.commit([job])

    threads = [threading.Thread(target=play, args=(one,)) for one in found]
    for thread in threads:
        thread.start()
    with closing(SqlStore.open(address)) as other:
        (done,) = other.commit([evening.about("ann", partial(requests.exclude, months=6))])
    for thread in threads:
        thread.join()
    assert isinstance(done, Done)
    for player, results in found.items():
        codes = [result.code if isinstance(result, Refused) else type(result) for result in results]
        assert codes == sorted(codes, key=lambda code: code is not Done), player  # none after it
        assert set(codes) <= {Done, Code.SELF_EXCLUDED}
        late = refusal(evening, evening.wager(player, ("player", 5_000)))
        assert late.code is Code.SELF_EXCLUDED
    evening.store.close()


# ---- shared limit -------------------------------------------------------------------------------


@pytest.mark.requirement("R36")
def test_r36_linked_players_share_the_maximum_of_each_bet(address):
    evening = opened(address)
    evening.do(evening.wager("ann", ("player", 60_000)))
    evening.do(link(evening, "ann", "bob"))
    found = refusal(evening, evening.wager("bob", ("player", 50_000)))
    assert found.code is Code.PARTNERS_OVER_MAXIMUM
    assert "You can bet up to 400.00." in str(found)
    evening.do(evening.wager("bob", ("player", 40_000)))
    evening.do(evening.wager("cat", ("player", 100_000)))  # not linked
    evening.do(evening.wager("bob", ("banker", 100_000)))  # another side, where no partner has bet
    assert refusal(evening, evening.wager("ann", ("banker", 2_000))).code
    evening.do(evening.wager("bob"))
    evening.do(evening.wager("ann", ("player", 100_000)))
    assert audit(read_store(address)).findings == []
    evening.store.close()


@pytest.mark.requirement("R36")
def test_r36_accepted_wagers_stand_when_players_are_linked(address):
    """G36: they exceed the maximum together before the link; afterwards they can only bet less."""
    evening = opened(address)
    evening.do(evening.wager("ann", ("player", 80_000)))
    evening.do(evening.wager("bob", ("player", 80_000)))
    evening.do(link(evening, "ann", "bob"))
    assert refusal(evening, evening.wager("ann", ("player", 81_000))).code
    evening.do(evening.wager("ann", ("player", 70_000)))
    evening.do(evening.wager("ann", ("player", 70_000), ("tie", 1_000)))
    evening.until("settled")
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 80_000)))
    assert refusal(evening, evening.wager("bob", ("player", 80_000))).code
    evening.store.close()


@pytest.mark.requirement("R36")
def test_r36_partners_share_the_maximum_only_if_the_card_says_so(tmp_path):
    evening = opened(f"sqlite:///{tmp_path}/house.db", "online")
    evening.do(link(evening, "ann", "bob"))
    evening.do(evening.wager("ann", ("player", 80_000)))
    evening.do(evening.wager("bob", ("player", 80_000)))
    evening.store.close()


@pytest.mark.requirement("R36")
def test_r36_no_wager_exceeds_the_shared_maximum_in_a_race_with_the_link(address):
    """Two servers: whatever the order, a wager after the link is subject to it."""
    evening, other = opened(address), SqlStore.open(address)
    rng = random.Random(3)
    for _ in range(6):
        jobs = [
            evening.wager("ann", ("player", 60_000)),
            evening.wager("bob", ("player", 60_000)),
        ]
        linking = link(evening, "ann", "bob")
        rng.shuffle(jobs)
        results: list = []

        def linked(job=linking, into=results) -> None:
            into.extend(other.commit([job]))

        thread = threading.Thread(target=linked)
        thread.start()
        found = [evening.store.commit([job])[0] for job in jobs]
        thread.join()
        assert isinstance(results[0], Done), results
        placed = evening.state.round.wagers
        total = sum(one.staked for one in placed.values())
        refused = sum(isinstance(one, Refused) for one in found)
        assert total == 60_000 * (2 - refused)
        late = ("bob", 61_000) if "ann" in placed else ("ann", 41_000)
        raised = refusal(evening, evening.wager(late[0], ("player", late[1])))
        assert raised.code is Code.PARTNERS_OVER_MAXIMUM
        evening.do(part(evening, "ann", "bob"))
        evening.until("settled")
        evening.until("open")
    other.close()
    evening.store.close()


# ---- links --------------------------------------------------------------------------------------


@pytest.mark.requirement("R36")
def test_r36_a_declared_partnership_needs_both_players(tmp_path):
    evening = opened(f"sqlite:///{tmp_path}/house.db")
    evening.do(named(evening, "ann", "bob"))
    evening.do(named(evening, "ann", "bob"))
    assert partners(evening, "bob") == ()
    evening.do(named(evening, "bob", "ann"))
    assert (partners(evening, "ann"), partners(evening, "bob")) == (("bob",), ("ann",))
    assert evening.store.safety("ann").named == ()
    assert refusal(evening, named(evening, "ann", "ann")).code is Code.NO_SUCH_ACCOUNT
    evening.store.close()


def test_a_shared_browser_is_shown_to_the_pit_once_and_links_no_players(address):
    evening = opened(address)

    def shared(player: str, *others: str) -> int:
        job = jobs.about_players(
            (player, *others),
            evening.clock,
            partial(linking.share_browser, player=player, others=others),
            conduct=CONDUCT,
        )
        before = evening.store.head("house").sequence
        return evening.do(job).head.sequence - before

    assert shared("ann", "bob", "cat") == 1
    assert (partners(evening, "ann"), partners(evening, "bob")) == ((), ())
    assert evening.store.safety("ann").shared == ("bob", "cat")
    assert shared("ann", "bob") == shared("bob", "ann") == 0  # known already
    evening.do(evening.about("ann", partial(requests.exclude, months=6)))
    evening.do(evening.wager("bob", ("player", 500)))
    evening.do(part(evening, "bob", "cat"))
    assert shared("bob", "cat") == 0  # the pit has decided
    assert audit(read_store(address)).findings == []
    evening.store.close()


def test_groups_of_partners_grow_and_split(tmp_path):
    evening = opened(f"sqlite:///{tmp_path}/house.db")
    evening.do(link(evening, "ann", "bob"))
    evening.do(link(evening, "bob", "cat"))
    assert partners(evening, "ann") == ("bob", "cat")
    before = evening.store.head("house")
    assert evening.do(link(evening, "ann", "cat")).head == before
    evening.do(part(evening, "ann", "bob"))
    assert [partners(evening, one) for one in ("ann", "bob", "cat")] == [(), (), ()]
    assert evening.store.safety("ann").apart == ("bob",)
    evening.do(link(evening, "ann", "bob"))
    assert partners(evening, "ann") == ("bob",)
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []
    evening.store.close()


def test_a_link_includes_players_linked_in_the_meantime(tmp_path):
    evening = opened(f"sqlite:///{tmp_path}/house.db")
    late = link(evening, "ann", "bob")
    evening.do(link(evening, "bob", "cat"))
    evening.do(late)
    assert partners(evening, "ann") == ("bob", "cat")
    assert partners(evening, "cat") == ("ann", "bob")
    assert refusal(evening, link(evening, "ann", "ann")).code is Code.NO_SUCH_ACCOUNT
    evening.store.close()


# ---- the detector -------------------------------------------------------------------------------


@pytest.mark.requirement("R36")
def test_r36_the_detector_finds_most_partners_with_few_false_alarms():
    """The figures in docs/guides/disputes.md come from more tables; these come first."""
    found = crowds.rates(16)
    assert found["false alarms, tables"] == 0
    assert found["pairs found"] >= 0.9
    assert found["groups of three found"] >= 0.9
    assert found["pairs found: together with a stranger"] == 0


def rounds_of(count: int, sides) -> list[SettledRound]:
    rng = random.Random(1)
    return [SettledRound(n, rng.choice(["player", "banker"]), sides(n, rng)) for n in range(count)]


def test_habits_alone_are_not_evidence():
    """Two strangers who always bet on Banker exceed the maximum together in every round."""
    maximum = {"player": 1000, "banker": 1000}
    always = rounds_of(200, lambda *_: {"ann": {"banker": 900}, "bob": {"banker": 900}})
    assert suspicions(always, maximum) == []

    def together(_, rng):
        side = rng.choice(["player", "banker"])
        return {"ann": {side: 900}, "bob": {side: 900}, "cat": {rng.choice([*maximum]): 900}}

    (found,) = suspicions(rounds_of(60, together), maximum)
    assert found.players == ("ann", "bob")
    assert (found.rounds, found.same, len(found.passed)) == (60, 60, 60)
    assert found.most == 1800


def test_betting_in_step_below_the_maximum_is_not_reported():
    maximum = {"player": 1000, "banker": 1000}

    def small(n, rng):
        side, coins = rng.choice(["player", "banker"]), 900 if n < PASSES - 1 else 400
        return {"ann": {side: coins}, "bob": {side: coins}}

    assert suspicions(rounds_of(80, small), maximum) == []


# ---- the API ------------------------------------------------------------------------------------

LINKED = House(
    "The house",
    "GBP",
    100_000,
    (
        TablePlan("one", "One", settings_for(clock=OPEN), guests=True),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("partners"), house=LINKED) as found:
        yield found


def new_player(house, client=None):
    client = client or house.client()
    name = f"p{uuid.uuid4().hex[:8]}"
    body = {"id": name, "name": name, "password": PASSWORD}
    signed(client, client.post("/api/accounts", json=body))
    return client, name


@pytest.mark.requirement("R36")
def test_r36_accounts_that_share_a_browser_are_shown_to_the_pit(house):
    client, first = new_player(house)
    _, second = new_player(house, client)
    reply = client.get("/api/me/partners").json()
    assert reply["partners"] == []  # a browser alone links nobody
    other, third = new_player(house)
    assert other.get("/api/me/partners").json()["partners"] == []
    guest = client.post("/api/guests")
    assert guest.status_code == 201
    signed(client, guest)
    assert client.get("/api/me/partners").json()["partners"] == []  # guests have none
    with house.staff("pit") as pit:
        (seen,) = [
            matter
            for matter in pit.get("/api/pit").json()["waiting"]
            if second in matter["players"]
        ]
        assert (seen["kind"], seen["players"]) == ("partners", [second, first])
        assert seen["words"] == f"{second} signed in with a browser that {first} had used."
        body = {"players": [first, second], "reason": "mother and son"}
        parted = pit.post("/api/partners/apart", json=body).json()["players"]
        assert parted[first] == {"partners": [], "apart": [second]}
        left = [
            matter
            for matter in pit.get("/api/pit").json()["waiting"]
            if second in matter["players"]
        ]
        assert left == []
    client.cookies.clear()
    for name in (first, second):
        sign_in = {"account": name, "password": PASSWORD}
        signed(client, client.post("/api/session", json=sign_in))
    assert client.get("/api/me/partners").json()["partners"] == []  # the pit has decided
    assert third
    client.close()
    other.close()


@pytest.mark.requirement("R36")
def test_r36_the_pit_sees_the_evidence_and_links(house):
    (ann, a), (bob, b) = new_player(house), new_player(house)
    with house.staff("pit") as pit, house.staff("dealer") as dealer:
        assert dealer.get("/api/tables/one/suspicions").json()["code"] == "not-allowed"
        assert pit.get("/api/tables/one/suspicions").json()["suspicions"] == []
        body = {"players": [a, b], "reason": "they share chips"}
        assert pit.post("/api/partners", json=body).json()["players"][a]["partners"] == [b]
        assert ann.get("/api/me/partners").json()["partners"] == [b]
        assert bob.post("/api/me/partners", json={"partner": a}).json()["partners"] == [a]
    ann.close()
    bob.close()


@pytest.mark.requirement("R36")
@pytest.mark.parametrize("checks", [True, False])
def test_r36_the_audit_finds_partners_over_the_maximum(tmp_path, monkeypatch, checks):
    """With the house's own check, and without it."""
    address = f"sqlite:///{tmp_path}/house.db"
    evening = opened(address)
    evening.do(evening.wager("cat", ("banker", 80_000)))
    evening.do(evening.wager("ann", ("banker", 80_000)))
    evening.do(link(evening, "ann", "bob", "cat"))
    evening.now += 5_000
    evening.do(evening.wager("ann", ("banker", 70_000)))  # lower than before, so it stands
    evening.do(evening.wager("bob", ("player", 90_000)))
    evening.do(evening.wager("cat", ("banker", 80_000), ("tie", 500)))
    more = evening.wager("ann", ("player", 20_000))
    if checks:
        with pytest.raises(Refused, match="partners"):
            evening.do(more)
    else:
        monkeypatch.setattr(desk, "check_together", lambda *_: None)
        evening.do(more)
    evening.store.close()
    found = audit(read_store(address)).findings
    assert [one.partition("rules: ")[2] for one in found] == (
        []
        if checks
        else ["1,100.00 on player together with partners is above the shared maximum of 1,000.00"]
    )


def test_the_detector_reads_the_journal(tmp_path):
    from baccarat.service.monitors import settled_rounds

    evening = opened(f"sqlite:///{tmp_path}/house.db")
    evening.do(evening.wager("ann", ("player", 60_000), ("tie", 2_000)))
    evening.do(evening.job(c.PlaceWagers(1, "bob", (Wager("banker", 70_000),))))
    evening.until("settled")
    (found,) = settled_rounds(evening.store, "table:one")
    assert found.stakes == {"ann": {"player": 60_000, "tie": 2_000}, "bob": {"banker": 70_000}}
    assert found.winner in ("player", "banker", "tie")
    evening.store.close()


def test_a_device_cookie_is_encrypted_and_authenticated():
    devices = Devices(bytes(32))
    sealed = devices.seal(["ann", "bob"])
    assert devices.open(sealed) == ["ann", "bob"]
    assert b"ann" not in sealed.encode()
    for forged in ("", "x", sealed[:-4] + "AAAA", Devices(b"1" * 32).seal(["ann"]), "é"):
        assert devices.open(forged) == []
    assert len(devices.open(devices.seal([str(n) for n in range(30)]))) == 10
