"""The auditor agrees with a correct house to the coin, and finds every change to it."""

import contextlib
import json
import random
import sqlite3
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.dialects import sqlite

from baccarat.auditor import Rows, audit, read_store
from baccarat.auditor.books import Books
from baccarat.auditor.coups import facts_of
from baccarat.auditor.rules import Rules
from baccarat.core.cards import Card
from baccarat.core.coup import Coup, parse_coup
from baccarat.core.errors import DealError, GameError
from baccarat.core.money import Rounding, format_coins, net_result
from baccarat.core.wagers import Wager
from baccarat.house import house_jobs, jobs
from baccarat.house.events import LimitKind
from baccarat.house.money import bonus, cash
from baccarat.house.people.roles import Account, Role
from baccarat.house.safety import requests
from baccarat.house.safety.periods import Period
from baccarat.loader import built_in_cards, load
from baccarat.shoe.commitment import Source
from baccarat.shoe.contributions import contribution_of
from baccarat.store import schema as s
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.codec import to_plain
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of, rules_text
from baccarat.table.settings import BetLimits, Clock, Settings, StakeLimits
from baccarat.table.wagers import WagerTerms
from support.documented import ROOT, run
from support.live import FAST, LiveTable, settings_for
from support.stores import Evening, new_database
from support.tampering import rewritten, set_all

EXAMPLES = sorted(str(path) for path in (ROOT / "examples" / "rule-cards").glob("*.toml"))


# ---- payouts -------------------------------------------------------------------------


def golden_coups() -> list[Coup]:
    lines = [
        line
        for path in sorted((ROOT / "tests" / "golden").glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("P:")
    ]
    return [parse_coup(" ".join(line.split()[:2])) for line in lines]


COUPS = golden_coups()


@pytest.mark.parametrize("card", [*built_in_cards(), *EXAMPLES])
def test_the_auditor_and_the_pay_table_agree_on_payouts(card):
    """Two implementations read one rule card; compare them on real coups, under every reading."""
    ambiguities = load(card).ambiguities
    settled = [{}] + [{a.id: reading.id} for a in ambiguities for reading in a.readings]
    for readings in settled:
        rules = rules_text(card, readings=readings)
        game, payer = game_of(rules), Rules(rules)
        assert set(payer.bets) == {bet.id for bet in game.bets}
        for coup in COUPS[:: 1 if not readings else 5]:
            if not dealt_by(game, coup):
                continue
            pays = game.pay_table.pays(coup)
            facts = facts_of(hands_of(coup.player, coup.banker), payer.tableau["naturals"])
            for bet in game.bets:
                # A stake that every payout of every card divides evenly.
                assert payer.net(bet.id, 4000, facts) == net_result(4000, pays[bet.id])


def hands_of(player, banker) -> dict[str, list[str]]:
    return {"player": [*map(str, player)], "banker": [*map(str, banker)]}


def dealt_by(game, coup: Coup) -> bool:
    with contextlib.suppress(DealError):
        return bool(game.pay_table.pays(coup))
    return False


@pytest.mark.parametrize("rounding", Rounding)
def test_the_auditor_rounds_as_the_house_does(rounding):
    payer = Rules(rules_text("punto-banco"))
    payer.rounding = str(rounding)
    facts = facts_of(hands_of(["2h", "2d"], ["4h", "5h"]), [8, 9])
    assert facts["winner"] == "banker"
    odds = load("punto-banco").game().bet("banker").lines[0].pays
    for stake in range(1, 60):
        expected = None  # a stake that the house refuses
        with contextlib.suppress(GameError):
            expected = net_result(stake, odds, rounding)
        assert payer.net("banker", stake, facts) == expected
    assert payer.net("nothing", 5, facts) is None


def test_facts_about_suits_and_third_cards():
    facts = facts_of(hands_of(["Kh", "Kh", "3c"], ["10h", "Kh"]), [8, 9])
    assert facts["player_perfect_pair"]
    assert facts["player_pair"]
    assert not facts["banker_pair"]
    assert (facts["player_third"], facts["banker_third"]) == (3, "none")
    assert Card("K", "h").points == 0


# ---- accepted wagers -----------------------------------------------------------------

NO_LIMITS = StakeLimits()
SHOWN = StakeLimits(
    1000, 50_000, 60_000, (BetLimits("tie", 500, 2000), BetLimits("banker", None, 4000))
)


@pytest.mark.parametrize("card", [*built_in_cards(), *EXAMPLES])
def test_the_auditor_and_the_house_accept_the_same_wagers(card):
    """Compare two implementations on random wagers, under every reading and limit."""
    ambiguities, rng = load(card).ambiguities, random.Random(Path(card).name)
    settled = [{}] + [{a.id: reading.id} for a in ambiguities for reading in a.readings]
    taken = 0
    for readings, shown in product(settled, (NO_LIMITS, SHOWN)):
        rules = rules_text(card, readings=readings)
        layout, bets = Rules(rules), [bet.id for bet in game_of(rules).bets]
        limits = to_plain(shown)
        if shown is SHOWN:
            limits = {**limits, "bets": [one for one in limits["bets"] if one["bet"] in bets]}
            shown = replace(SHOWN, bets=tuple(one for one in SHOWN.bets if one.bet in bets))
        live = LiveTable(Settings(rules, clock=Clock(10_000, 1_000, 3_000), limits=shown))
        live.until(e.RoundOpened)
        for _ in range(60):
            wagers = tuple(
                Wager(rng.choice([*bets, *bets, "nothing"]), rng.choice(STAKES))
                for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))
            )
            expected = is_taken(live, wagers)
            assert (not list(layout.broken(to_plain(wagers), (), limits))) == expected, wagers
            taken += expected and bool(wagers)
    assert taken > 10


STAKES = [1, 20, 500, 501, 1000, 1001, 2000, 4000, 20_000, 100_000, 10**20]


def is_taken(live: LiveTable, wagers) -> bool:
    with contextlib.suppress(Refused):
        state, placing = live.state, c.PlaceWagers(1, "ann", wagers)
        WagerTerms(state).check(placing, live.now, state.round.wagers)
        return True
    return False


# ---- no tampering --------------------------------------------------------------------


def play(store: SqlStore, card: str, *, table: str, rounds: int, source: Source) -> Evening:
    """Play a few rounds with random wagers, cancellations, contributions and agreements."""
    clock = Clock(betting=10_000, card=1_000, pause=3_000, contribute=5_000, reveal=5_000)
    evening = Evening(store, settings_for(card, source=source, clock=clock), table=table)
    if store.person("ann") is None:
        evening.do(house_jobs.open_house("The house", "GBP", evening.clock))
        evening.open(ann=90_000, bob=40_000)
        evening.do(evening.about("bob", partial(bonus.grant, amount=30_000), by="pit"))
        evening.do(evening.job(c.PauseTable("pit", "")), evening.job(c.ResumeTable("pit")))
        evening.do(evening.about("ann", partial(cash.pay_out, amount=1_000), by="till"))
        guest = Account("guest-1", Role.PLAYER, "Guest", guest=True)
        evening.do(jobs.open_account(guest, evening.clock))
        evening.do(evening.about("guest-1", partial(cash.give_play_money, amount=50_000)))
    else:
        evening.do(evening.job(c.OpenTable(table, evening.settings)))
        evening.lease("here")
    if card == "double-chance":
        five = (("double_chance", "5%"),)
        evening.do(
            evening.job(c.ProposeAgreement("ann", "ann", five)),
            evening.job(c.ConfirmAgreement("ann", "pit", five)),
            evening.job(c.ProposeAgreement("bob", "pit", five)),
        )
    rng = random.Random(Path(card).name)
    bets = [bet.id for bet in game_of(evening.settings.rules).bets]
    for number in range(rounds):
        evening.step()
        contribute(evening)
        while evening.state.round.phase != "open":
            evening.step()
        for player, _ in product(("ann", "bob", "guest-1"), range(3)):
            chosen = rng.sample(bets, 2)
            wagers = tuple(Wager(bet, rng.choice([500, 1000, 2000, 4000])) for bet in chosen)
            accepts = card == "double-chance" and player == "guest-1"
            accept = (("double_chance", "2%"),) if accepts else ()
            command = c.PlaceWagers(evening.state.round.number, player, wagers, accept=accept)
            with contextlib.suppress(Refused):
                evening.do(evening.job(command))
        if number % 4 == 3:
            evening.step()
            evening.step()
            reason = e.CancelReason.MISDEAL
            for who in ("pit", "boss"):
                evening.do(evening.job(c.CancelRound(evening.state.round.number, reason, who)))
        else:
            evening.until("settled")
    return evening


def contribute(evening: Evening) -> None:
    """Two players contribute to a new shoe; one never reveals."""
    shoe = evening.state.shoe
    if shoe is None or shoe.phase != "contributing" or shoe.contributors:
        return
    for name in ("ann", "bob"):
        promise = contribution_of(shoe.committed.commitment, name.encode().ljust(32))
        evening.do(evening.job(c.CommitContribution(name, promise)))
    evening.step()
    evening.do(evening.job(c.RevealContribution("ann", b"ann".ljust(32))))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_unchanged_house_has_no_findings(kind, tmp_path, request):
    address = (
        f"sqlite:///{tmp_path}/house.db"
        if kind == "sqlite"
        else new_database(request.getfixturevalue("server"))
    )
    store = SqlStore.open(address)
    sources = [Source.SHOE, Source.SHUFFLER]
    cards = built_in_cards() if kind == "sqlite" else built_in_cards()[:2]
    for i, card in enumerate(cards):
        play(store, card, table=f"t{i}", rounds=5, source=sources[i % 2])
    report = audit(read_store(address))
    assert report.findings == []
    assert report.rounds == 4 * len(cards)
    assert report.wagers > 2 * len(cards)
    assert report.balances == {name: coins for name, coins in store.balances() if coins}
    assert report.heads == {h.stream: (h.sequence, h.hash.hex()) for h in store.heads()}
    store.close()


# ---- a tampered house ----------------------------------------------------------------


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A house without faults, whose last round is open and has stakes."""
    path = tmp_path_factory.mktemp("good") / "house.db"
    store = SqlStore.open(f"sqlite:///{path}")
    evening = play(store, "punto-banco", table="one", rounds=6, source=Source.SHOE)
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 1000)))
    store.close()
    return f"sqlite:///{path}"


def test_held_stakes_are_reported(good):
    report = audit(read_store(good))
    assert report.findings == []
    assert report.held == {"one": 1000}


def first(bodies, kind):
    return next(body for body in bodies if body["type"] == kind)


def settled(bodies):
    return next(b for b in bodies if b["type"] == "RoundSettled" and b["results"])


def change_net(stream, bodies):
    if stream == "table:one":
        settled(bodies)["results"][0]["wagers"][0]["net"] += 100


def change_player(stream, bodies):
    if stream == "table:one":
        settled(bodies)["results"][0]["player"] = "cat"


def double_player(stream, bodies):
    if stream == "table:one":
        results = settled(bodies)["results"]
        results.append(results[0])


def drop_player(stream, bodies):
    if stream == "table:one":
        settled(bodies)["results"].pop()


def change_terms(stream, bodies):
    if stream == "table:one":
        settled(bodies)["results"][0]["agreed"] = [["tie_odds", "90:1"]]


def settle_by_other_rules(stream, bodies):
    if stream == "table:one":
        settled(bodies)["rules"] = "00" * 32


def change_card(stream, bodies):
    if stream == "table:one":
        card = first(bodies, "CardDealt")["card"]
        card["card"] = "8h" if card["card"] != "8h" else "9h"


def change_winner(stream, bodies):
    if stream == "table:one":
        decided = first(bodies, "CoupDecided")
        decided["winner"] = "tie" if decided["winner"] != "tie" else "player"


def change_coup(stream, bodies):
    if stream == "table:one":
        decided = first(bodies, "CoupDecided")
        decided["coup"] = decided["coup"].replace("P:", "P:As", 1)


def late_wager(stream, bodies):
    if stream == "table:one":
        opened = first(bodies, "RoundOpened")
        opened["closes_at"] = opened["at"]


def take_seats_away(stream, bodies):
    if stream == "table:one":
        first(bodies, "TableOpened")["settings"]["limits"]["seats"] = 1


def drop_closing(stream, bodies):
    if stream == "table:one":
        bodies.remove(next(b for b in bodies if b["type"] == "BettingClosed"))


def change_deposit(stream, bodies):
    if stream == "house":
        first(bodies, "MoneyPaidIn")["amount"] += 1


def change_stake(stream, bodies):
    if stream == "table:one":
        first(bodies, "WagersPlaced")["wagers"][0]["stake"] += 20


def wager_on_something_unknown(stream, bodies):
    if stream == "table:one":
        first(bodies, "WagersPlaced")["wagers"][0]["bet"] = "nothing"


def wager_twice(stream, bodies):
    if stream == "table:one":
        wagers = first(bodies, "WagersPlaced")["wagers"]
        wagers.append(wagers[0])


def lower_the_limits(stream, bodies):
    if stream == "table:one":
        first(bodies, "TableOpened")["settings"]["limits"]["maximum"] = 1


def lower_the_limit_of_a_coup(stream, bodies):
    if stream == "table:one":
        first(bodies, "TableOpened")["settings"]["limits"]["coup_maximum"] = 1


def agree_on_something(stream, bodies):
    if stream == "table:one":
        first(bodies, "WagersPlaced")["agreed"] = [["tie_odds", "90:1"]]


def change_bonus(stream, bodies):
    if stream == "table:one":
        first(bodies, "WagersPlaced")["bonus"] += 10**6


def change_rules(stream, bodies):
    if stream == "table:one":
        opened = first(bodies, "TableOpened")["settings"]
        opened["rules"] = opened["rules"].replace('"9/1"', '"8/1"')


def settle_twice(stream, bodies):
    if stream == "table:one":
        place = next(i for i, b in enumerate(bodies) if b["type"] == "RoundSettled")
        bodies.insert(place, bodies[place])


def strange_event(stream, bodies):
    bodies.append({"type": "MoneyMade", "at": 10**15})


def broken_event(stream, bodies):
    bodies.append({"type": "RoundOpened", "at": 10**15})


def back_in_time(stream, bodies):
    bodies[-1]["at"] = 0


def skip_epoch(stream, bodies):
    if stream == "table:one":
        first(bodies, "LeaseTaken")["epoch"] = 3


CHANGES = [
    *(change_net, change_player, double_player, drop_player, change_card, change_winner),
    *(change_coup, late_wager, drop_closing, change_deposit, change_stake, change_bonus),
    *(take_seats_away, change_terms, settle_by_other_rules),
    *(wager_on_something_unknown, wager_twice, lower_the_limits, lower_the_limit_of_a_coup),
    *(agree_on_something, change_rules, settle_twice, strange_event, broken_event, back_in_time),
    skip_epoch,
]


def test_rewriting_without_a_change_has_no_findings(good):
    assert audit(rewritten(read_store(good), lambda *_: None)).findings == []


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_by_an_insider_who_recomputes_hashes_is_found(good, change):
    rows = read_store(good)
    heads = audit(rows).heads
    forged = rewritten(rows, change)
    assert audit(forged).findings
    if change not in (strange_event, broken_event):  # these only append to what was exported
        found = audit(forged, heads).findings
        assert any("was rewritten" in one or "ends before entry" in one for one in found)


def test_a_changed_payout_is_reported_with_the_recorded_and_the_correct_amount(good):
    """The ledger was changed to match, so it agrees with the journal but not with the rules."""
    rows = read_store(good)
    bodies = [json.loads(body) for name, _, _, body in rows.journal if name == "table:one"]
    value = settled(bodies)
    entry = 1 + next(at for at, body in enumerate(bodies) if body is value)
    player, wager = value["results"][0]["player"], value["results"][0]["wagers"][0]
    recorded, due = wager["net"] + 100, wager["net"]
    own = "play" if player.startswith("guest-") else "real"
    key = ("table:one", entry, player, f"player:{player}/{own}")
    moved = sum(row[4] for row in rows.postings if row[:4] == key)
    changed = [row for row in rows.postings if row[:4] != key] + [(*key, moved + 100)]
    found = audit(replace(rewritten(rows, change_net), postings=changed)).findings
    assert found == [
        f"table:one, entry {entry}: round {value['round']}: {player}'s "
        f"{format_coins(wager['stake'])} on {wager['bet']} is recorded as "
        f"{format_coins(recorded)}, but the rules give {format_coins(due)} net",
        f"table:one, entry {entry}: for {player}, {key[3]} changed by "
        f"{format_coins(moved + 100)} in the ledger, but by {format_coins(moved)} as recomputed "
        "from the journal",
    ]


def add_a_result(stream, bodies):
    if stream == "table:one":
        wagers = settled(bodies)["results"][0]["wagers"]
        wagers.append({"bet": "tie", "stake": 1000, "net": 8000})


def test_a_result_without_a_wager_is_found(good):
    found = audit(rewritten(read_store(good), add_a_result)).findings
    assert any(" results for " in one and one.endswith(" wagers") for one in found), found


def test_wagers_against_the_rules_are_reported(good):
    rows = read_store(good)
    for change, reply in (
        (wager_on_something_unknown, "is not a valid wager"),
        (wager_twice, "a bet is wagered on twice"),
        (lower_the_limits, "is outside the limits"),
        (lower_the_limit_of_a_coup, "on one coup"),
    ):
        found = audit(rewritten(rows, change)).findings
        assert any("against the rules" in one and reply in one for one in found), found


def adding(kind, value):
    """Return a change that adds an entry to the house's journal."""

    def change(stream, bodies):
        if stream == "house":
            bodies.append({"type": kind, "at": 10**14, **value})

    return change


def with_money_moved(rows: Rows, kind: str, value: dict) -> Rows:
    """Add an entry that moves money, with a correct hash and matching postings and balances."""
    forged = rewritten(rows, adding(kind, value))
    sequence = sum(stream == "house" for stream, *_ in forged.journal)
    player, amount = value["account"], value["amount"]
    cash, bonus, own = "house/cash", "house/bonus", f"player:{player}/real"
    promised = f"player:{player}/bonus"
    moves = {
        "MoneyPaidIn": {cash: -amount, own: amount},
        "MoneyPaidOut": {cash: amount, own: -amount},
        "PlayMoneyGiven": {"house/play-money": -amount, f"player:{player}/play": amount},
        "BonusOpened": {bonus: -amount, promised: amount},
        "BonusForfeited": {bonus: amount, promised: -amount},
        "BonusReleased": {bonus: amount, "house/bank": -amount, promised: -amount, own: amount},
    }[kind]
    balances = dict(rows.balances)
    for account, coins in moves.items():
        balances[account] = balances.get(account, 0) + coins
    postings = [("house", sequence, player, account, coins) for account, coins in moves.items()]
    return replace(forged, postings=[*rows.postings, *postings], balances=list(balances.items()))


GIVEN = {"wagering": 0, "expires_at": 10**15}
FOR_THE_TILL, FOR_THE_PIT = (
    f"did what only an active {one} account may do" for one in ("cashier", "pit")
)


@pytest.mark.parametrize(
    ("kind", "player", "amount", "more", "found"),
    [
        ("MoneyPaidIn", "ann", 5, {"by": "till"}, []),
        ("MoneyPaidIn", "ghost", 5, {"by": "till"}, ["'ghost' was not a player with real money"]),
        ("MoneyPaidIn", "ann", 5, {"by": "nobody"}, [f"'nobody' {FOR_THE_TILL}"]),
        ("MoneyPaidIn", "ann", 5, {"by": "pit"}, [f"'pit' {FOR_THE_TILL}"]),
        ("MoneyPaidIn", "ann", 5, {"by": ""}, [f"'' {FOR_THE_TILL}"]),
        ("MoneyPaidIn", "ann", 5, {"by": "the operator"}, [f"'the operator' {FOR_THE_TILL}"]),
        (
            "MoneyPaidIn",
            "guest-1",
            5,
            {"by": "till"},
            ["'guest-1' was not a player with real money"],
        ),
        ("MoneyPaidIn", "pit", 5, {"by": "till"}, ["'pit' was not a player with real money"]),
        ("MoneyPaidIn", "ann", -5, {"by": "till"}, ["invalid amount -0.05: must be 0.01 or more"]),
        ("MoneyPaidIn", "ann", 0, {"by": "till"}, ["invalid amount 0.00: must be 0.01 or more"]),
        ("MoneyPaidOut", "ann", 5, {"by": "till"}, []),
        ("MoneyPaidOut", "ann", 5, {"by": "ann"}, [f"'ann' {FOR_THE_TILL}"]),
        ("MoneyPaidOut", "ann", -5, {"by": "till"}, ["invalid amount -0.05: must be 0.01 or more"]),
        ("PlayMoneyGiven", "guest-1", 5, {}, []),
        ("PlayMoneyGiven", "ann", 5, {}, ["'ann' was not a guest"]),
        ("PlayMoneyGiven", "guest-2", 5, {}, ["'guest-2' was not a guest"]),
        ("PlayMoneyGiven", "guest-1", -5, {}, ["invalid amount -0.05: must be 0.01 or more"]),
        ("BonusOpened", "bob", 5, {"by": "pit", **GIVEN}, []),
        ("BonusOpened", "bob", 5, {"by": "bob", **GIVEN}, [f"'bob' {FOR_THE_PIT}"]),
        (
            "BonusOpened",
            "eve",
            5,
            {"by": "pit", **GIVEN},
            ["'eve' was not a player with real money"],
        ),
        ("BonusForfeited", "bob", 5, {"by": "pit", "end": "taken-back"}, []),
        (
            "BonusForfeited",
            "bob",
            5,
            {"by": "till", "end": "taken-back"},
            [f"'till' {FOR_THE_PIT}"],
        ),
        ("BonusForfeited", "bob", 5, {"by": "house", "end": "expiry"}, []),
        ("BonusForfeited", "bob", 0, {"by": "house", "end": "withdrawal"}, []),
        (
            "BonusForfeited",
            "bob",
            5,
            {"by": "pit", "end": "expiry"},
            ["'pit' did what only the house itself does"],
        ),
        (
            "BonusForfeited",
            "bob",
            -5,
            {"by": "house", "end": "expiry"},
            ["invalid amount -0.05: must be 0.01 or more"],
        ),
        ("BonusReleased", "bob", 5, {"by": "house"}, []),
        ("BonusReleased", "bob", 5, {"by": "pit"}, ["'pit' did what only the house itself does"]),
        ("BonusReleased", "bob", 5, {"by": "bob"}, ["'bob' did what only the house itself does"]),
        ("BonusReleased", "bob", 0, {"by": "house"}, ["invalid amount 0.00: must be 0.01 or more"]),
    ],
    ids=range(30),
)
def test_money_is_moved_only_for_account_holders_and_by_permitted_staff(
    good, kind, player, amount, more, found
):
    rows = read_store(good)
    moved = with_money_moved(rows, kind, {"account": player, "amount": amount, **more})
    assert [finding.partition(": ")[2] for finding in audit(moved).findings] == found


def test_a_card_turned_by_the_wrong_player_or_replaced_is_found(tmp_path):
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    clock = replace(FAST, squeeze=5_000)
    evening = Evening(store, settings_for(clock=clock)).open(ann=90_000, bob=40_000)
    while evening.state.round.phase != "open":
        evening.step()
    for player, stake in (("ann", 500), ("bob", 600)):
        evening.do(evening.job(c.PlaceWagers(1, player, (Wager("player", stake),))))
        evening.do(evening.job(c.AskToSqueeze(1, player)))
    evening.until("settled")
    store.close()
    rows = read_store(f"sqlite:///{tmp_path}/house.db")
    assert audit(rows).findings == []

    def forbid(stream, bodies):
        for body in bodies:
            body.get("settings", {}).get("clock", {}).pop("squeeze", None)

    def swap(stream, bodies):
        for body in bodies:
            if body["type"] == "CardOffered":
                body["peek"] = {**body["peek"], "card": "Ah"}

    def drop_the_dealt_card(stream, bodies):
        for place, body in enumerate(bodies):
            if body["type"] == "CardOffered":
                bodies[place + 1] = {**body}
                return

    for change, words in (
        (forbid, "where this is not allowed"),
        (set_all("SqueezeAsked", player="cat"), "cat asked without a bet"),
        (set_all("CardOffered", player="ann"), "ann was offered a card that bob may turn"),
        (set_all("CardOffered", hand="banker"), "bob was offered a card that"),
        (set_all("CardOffered", until=9_999_999_999_999), "time for turning the card is wrong"),
        (swap, "the card dealt is not the one that lay face down"),
        (drop_the_dealt_card, "a card already lies face down"),
    ):
        found = audit(rewritten(rows, change)).findings
        assert any(words in one for one in found), (words, found)


def test_cards_dealt_early_are_found_unless_everyone_with_a_bet_asked(tmp_path):
    store = SqlStore.open(f"sqlite:///{tmp_path}/house.db")
    evening = Evening(store, settings_for(deal_now=5_000)).open(ann=90_000, bob=40_000)
    while evening.state.round.phase != "open":
        evening.step()
    for player in ("ann", "bob"):
        evening.do(evening.job(c.PlaceWagers(1, player, (Wager("player", 500),))))
    for player in ("ann", "bob"):
        evening.do(evening.job(c.AskToDeal(1, player)))
    evening.until("settled")
    store.close()
    rows = read_store(f"sqlite:///{tmp_path}/house.db")
    assert audit(rows).findings == []

    def forbid(stream, bodies):
        for body in bodies:
            body.get("settings", {}).pop("deal_now", None)

    def require_longer_rounds(stream, bodies):
        for body in bodies:
            body.get("settings", {}).update(deal_now=9_000)

    def ask_twice(stream, bodies):
        for body in bodies:
            if body["type"] == "DealAsked":
                body["player"] = "ann"

    def ask_as_a_stranger(stream, bodies):
        for body in bodies:
            if body["type"] == "DealAsked":
                body["player"] = "cat"

    early = "betting was closed early"
    for change, words in (
        (forbid, "where this is not allowed"),
        (forbid, early),
        (require_longer_rounds, early),
        (ask_twice, early),
        (ask_as_a_stranger, "cat asked without a bet"),
    ):
        found = audit(rewritten(rows, change)).findings
        assert any(words in one for one in found), found


def test_accounts_opened_twice_and_wagers_of_staff_are_found(good):
    again = {"account": "ann", "role": "player", "guest": False}

    def open_as_a_cashier(stream, bodies):
        for body in bodies:
            if body["type"] == "AccountOpened" and body["account"] == "ann":
                body["role"] = "cashier"

    for change, reply in (
        (adding("AccountOpened", again), "ann was already open"),
        (adding("GuestRegistered", {"account": "ann"}), "'ann' is not a guest, or registered"),
        (adding("PersonErased", {"account": "guest-1", "by": "the operator"}), "no personal data"),
        (open_as_a_cashier, "'ann' wagered, but is not a player"),
    ):
        found = audit(rewritten(read_store(good), change)).findings
        assert any(reply in one for one in found), found


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("AccountOpened", {"account": 5, "role": "player", "guest": False}),
        ("AccountOpened", {"account": [5], "role": "player", "guest": False}),
        ("MoneyPaidIn", {"account": 5, "amount": 5, "by": "till"}),
        ("BreakTaken", {"account": 5, "until": 10**15}),
        (5, {}),
    ],
    ids=range(5),
)
def test_malformed_events_are_found_without_a_crash(good, kind, value):
    rows = read_store(good)
    forged = rewritten(rows, adding(kind, value))
    assert audit(replace(rows, journal=forged.journal, heads=forged.heads)).findings


def never_lift_its_own_pause(stream, bodies):
    if stream == "table:one":
        first(bodies, "TableResumed")["house"] = True


def never_lift_that_of_the_house(stream, bodies):
    if stream == "table:one":
        first(bodies, "TablePaused")["house"] = True


@pytest.mark.parametrize(
    ("change", "switch"),
    [(never_lift_its_own_pause, "table"), (never_lift_that_of_the_house, "house")],
)
def test_shoes_rounds_and_wagers_at_a_paused_table_are_found(good, change, switch):
    found = {
        finding.partition(": ")[2]
        for finding in audit(rewritten(read_store(good), change)).findings
    }
    done = ("a shoe was begun", "a round was opened")
    wagered = [f"{player} wagered" for player in ("ann", "bob", "guest-1")]
    assert found == {f"{what} while the {switch} was paused" for what in (*done, *wagered)}


def test_a_paused_table_ends_its_round_and_wagers_on_it_can_be_withdrawn(tmp_path):
    address = f"sqlite:///{tmp_path}/house.db"
    store = SqlStore.open(address)
    evening = Evening(store).open(ann=50_000, bob=50_000).until("open")
    evening.do(*(evening.wager(one, ("player", 1_000)) for one in ("ann", "bob")))
    for house in (False, True):
        evening.do(evening.job(c.PauseTable("pit", "", house=house)))
    evening.do(evening.wager("ann"))
    evening.until("settled")
    for house in (True, False):
        evening.do(evening.job(c.ResumeTable("pit", house=house)))
    evening.until("open")
    store.close()
    rows = read_store(address)
    assert audit(rows).findings == []

    def stake_again(stream, bodies):
        for body in bodies:
            if body["type"] == "WagersPlaced" and not body["wagers"]:
                body["wagers"] = [{"bet": "player", "stake": 2_000}]

    found = audit(rewritten(rows, stake_again)).findings
    for switch in ("table", "house"):
        assert any(one.endswith(f"ann wagered while the {switch} was paused") for one in found)


def test_a_changed_row_of_the_journal_is_found(good):
    rows = read_store(good)
    for place in (0, 5, len(rows.journal) // 2, len(rows.journal) - 1):
        stream, sequence, digest, body = rows.journal[place]
        edited = [*rows.journal]
        edited[place] = (stream, sequence, digest, body.replace(b'"at":', b'"at": '))
        found = audit(Rows(edited, rows.heads, rows.postings, rows.balances)).findings
        assert any("this entry or the one before it was changed" in one for one in found)
        shorter = [*rows.journal[:place], *rows.journal[place + 1 :]]
        assert audit(Rows(shorter, rows.heads, rows.postings, rows.balances)).findings


CHANGED = "its hash does not match: this entry or the one before it was changed"
MISSING = "entry {} was expected here: entries are missing"


@pytest.mark.parametrize("stream", ["house", "table:one"])
def test_after_a_break_in_a_journal_only_the_break_is_reported(good, stream):
    """Accounts opened after the break are not reported as unknown, nor later index entries,
    bookings and payments as unfounded."""
    rows = read_store(good)
    exported = audit(rows).heads
    places = [place for place, row in enumerate(rows.journal) if row[0] == stream]
    for at, place in enumerate(places, start=1):
        name, sequence, digest, body = rows.journal[place]
        edited = [*rows.journal]
        edited[place] = (name, sequence, digest, body.replace(b'"at":', b'"at": '))
        found = audit(replace(rows, journal=edited), exported).findings
        assert found == [f"{stream}, entry {at}: {CHANGED}"]
        shorter = [*rows.journal[:place], *rows.journal[place + 1 :]]
        found = audit(replace(rows, journal=shorter)).findings
        if place == places[-1]:
            words = f"the head is entry {at}, but the journal ends at entry {at - 1}"
            assert found == [f"{stream}: its head is not its last entry: {words}"]
        else:
            assert found == [f"{stream}, entry {at + 1}: {MISSING.format(at)}"]
    without = [row for row in rows.journal if row[0] != stream]
    found = audit(replace(rows, journal=without)).findings
    words = f"the head is entry {len(places)}, but the journal has no entries"
    assert found == [f"{stream}: its head is not its last entry: {words}"]


def test_everything_before_a_break_is_compared(good):
    rows = read_store(good)
    places = [place for place, row in enumerate(rows.journal) if row[0] == "table:one"]
    name, sequence, digest, _ = rows.journal[places[-1]]
    edited = [*rows.journal]
    edited[places[-1]] = (name, sequence, digest, b"{}")
    found = audit(
        replace(rows, journal=edited, marks=[], transactions=[], played=[], postings=[])
    ).findings
    for reply in (
        "table:one, entry 1: missing from the index of TableOpened events",
        "a transaction of ann is missing from the ledger",
        "ann: has transactions in table:one, but the store does not list them there",
        "by 0.00 in the ledger",
    ):
        assert any(reply in one for one in found), reply


def broken_at(rows: Rows, stream: str, entry: int) -> Rows:
    """Remove one entry of a journal."""
    return replace(rows, journal=[row for row in rows.journal if row[:2] != (stream, entry)])


def test_after_a_break_the_report_lists_what_was_not_compared(good):
    rows = read_store(good)
    assert audit(rows).not_compared == []
    report = audit(broken_at(rows, "table:one", 20))
    assert report.not_compared == [
        "table:one cannot be read from entry 20 on: the events there were not checked, and their "
        "transactions, postings and index were not compared with the journal",
        "balances were compared with the ledger instead of the journal of table:one after the "
        "break",
    ]
    reply = audit(broken_at(rows, "house", 3)).not_compared
    assert any("accounts and safety records of players were not compared" in one for one in reply)
    staked = next(
        entry
        for stream, entry, _, body in rows.journal
        if stream == "table:one" and b'"WagersPlaced"' in body
    )
    assert audit(broken_at(rows, "table:one", staked + 1)).held == {}
    assert audit(rows).held


def test_a_break_does_not_hide_changes_to_balances_or_ledger(good):
    """Regression: a raised balance was missed as soon as any journal had a break."""
    rows = read_store(good)
    broken = broken_at(rows, "table:one", 20)
    (break_,) = audit(broken).findings
    raised = [(name, coins + 10_000 * (name == BOB)) for name, coins in rows.balances]
    found = audit(replace(broken, balances=raised)).findings
    held = dict(rows.balances)[BOB]
    words = "in the journal (by the ledger where the journal cannot be read)"
    assert found == [
        break_,
        f"{BOB}: {format_coins(held + 10_000)} in the store, {format_coins(held)} {words}",
    ]
    for stream, reply in (
        ("house", "as recomputed from the journal"),
        ("table:one", "not to zero"),
    ):
        last = max(row for row in rows.postings if row[0] == stream)
        changed = [(*row[:4], row[4] + 77 * (row == last)) for row in rows.postings]
        found = audit(replace(broken, postings=changed)).findings
        assert any(f"{stream}, entry {last[1]}: " in one and reply in one for one in found), found


def test_confirmations_are_not_judged_if_the_house_journal_is_incomplete():
    by = ["pit", "dora"]
    for house_read in (True, False):
        books = Books("table:one", house_read=house_read)
        books.check_event(
            1,
            "ActionProposed",
            {"at": 1, "subject": {"kind": "x"}, "by": "pit", "until": 9, "terms": {}},
        )
        books.people("x", by, alone=False)
        assert [message for _, message in books.findings] == (
            ["x: dora, who confirmed it, is not in the pit"] if house_read else []
        )


def test_a_truncated_journal_is_found_by_an_exported_head(good):
    rows = read_store(good)
    exported = audit(rows).heads
    kept = [row for row in rows.journal if row[0] == "house"]
    heads = [row for row in rows.heads if row[0] == "house"]
    moved = [row for row in rows.postings if row[0] == "house"]
    coins = {}
    for *_, account, amount in moved:
        coins[account] = coins.get(account, 0) + amount
    consistent = Rows(kept, heads, moved, list(coins.items()))
    assert audit(consistent).findings == []
    assert "which was exported as its head" in audit(consistent, exported).findings[0]


@pytest.fixture
def copy(good, tmp_path):
    path = tmp_path / "copy.db"
    path.write_bytes(Path(good.removeprefix("sqlite:///")).read_bytes())
    store = SqlStore.open(f"sqlite:///{path}")
    yield store
    store.close()


BOB = "player:bob/real"
ANN, BANK = s.balances.c.account == "player:ann/real", s.postings.c.account == "house/bank"


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (update(s.balances).where(ANN).values(balance=9), "0.09 in the store"),
        (insert(s.balances).values(account="player:eve/real", balance=5), "player:eve/real: 0.05"),
        (update(s.postings).where(BANK).values(amount=77), "by 0.77 in the"),
        (s.postings.delete().where(BANK), "by 0.00 in the"),
        (update(s.heads).values(sequence=1), "its head is not its last entry"),
        (update(s.people).values(role="pit"), "ann: pit in the store, player in the journal"),
        (update(s.people).values(id="eve").where(s.people.c.id == "ann"), "eve: player in the"),
        (s.people.delete(), "ann: no account in the store, player in the journal"),
        (update(s.people).values(guest=True), "ann: guest 1 in the store, False in the journal"),
        (text("UPDATE people SET guest = 'abc'"), "guest-1: guest -9"),
        (update(s.people).values(issued_by="pit"), "boss: issued by 'pit' in the store, '' in the"),
        (update(s.people).values(suspended=True), "boss: suspended True in the store, False in"),
        (
            text("UPDATE transactions SET kind = 'pay-in'"),
            "ann is a pay-in in the ledger, but a stake",
        ),
        (
            text("UPDATE transactions SET kind = 'stake'"),
            "ann is a stake in the ledger, but a settle",
        ),
        (
            text("UPDATE transactions SET kind = 3"),
            "bob is a 3 in the ledger, but a bonus-grant in",
        ),
        (text("UPDATE transactions SET block = 1"), "the postings of ann are in the wrong block"),
        (text("UPDATE postings SET block = 1"), "the postings of ann are in the wrong block"),
        (text("UPDATE postings SET block = 'x'"), "the postings of ann are in the wrong block"),
        (s.marks.delete(), "table:one, entry 1: missing from the index of TableOpened events"),
        (
            update(s.marks).values(kind="Nothing"),
            "entry 1: indexed as Nothing, but is another event in the journal",
        ),
        (
            insert(s.marks).values(stream="house", kind="X", sequence=999),
            "house, entry 999: indexed as X",
        ),
        (s.heads.delete(), "the head is missing, but the journal ends at entry"),
        (s.played.delete(), "ann: has transactions in house, but the store"),
        (insert(s.played).values(player="ann", stream="table:x"), "no transactions in table:x"),
        (text("DELETE FROM transactions"), "a transaction of ann is missing from the ledger"),
        (text("UPDATE postings SET amount = 'abc'"), "in the ledger, but by"),
        (text("UPDATE balances SET balance = 'abc'"), "not a number in the store"),
        (text("UPDATE heads SET hash = 'abc'"), ", with different hashes"),
        (text("UPDATE journal SET body = replace(body, '5', '9')"), "its hash does not match"),
        (text("UPDATE journal SET body = '{' WHERE sequence = 3"), "its hash does not match"),
        (text("UPDATE journal SET body = 12 WHERE sequence = 3"), "its hash does not match"),
        (text("UPDATE journal SET sequence = 'x' WHERE sequence = 3"), "entries are missing"),
    ],
    ids=range(32),
)
def test_changed_rows_of_the_ledger_are_found(copy, statement, message):
    address = copy.engine.url.render_as_string()
    copy.close()
    made = statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
    found = changed_by_hand(address, str(made))
    assert any(message in one for one in found), found


def changed_by_hand(address: str, statement: str) -> list[str]:
    """Change the file directly, without foreign key checks."""
    with contextlib.closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as by_hand:
        by_hand.execute("PRAGMA ignore_check_constraints=ON")
        by_hand.execute(statement)
        by_hand.commit()
    return audit(read_store(address)).findings


@pytest.mark.requirement("G15")
@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "DELETE FROM safety WHERE player = 'ann'",
            "ann: player/loss/day None in the store, 50.00",
        ),
        ("DELETE FROM safety WHERE player = 'bob'", "bob: excluded until None in the store, "),
        ("UPDATE safety SET body = ''", "cat: on a break until None in the store, "),
        ("UPDATE safety SET body = 'x'", "cat: protection unreadable in the store"),
        ("UPDATE safety SET body = replace(body, '5000', '9000')", "day 90.00 in the store, 50.00"),
    ],
    ids=range(5),
)
def test_removed_player_protection_is_found(tmp_path, statement, message):
    address = f"sqlite:///{tmp_path}/house.db"
    store = SqlStore.open(address)
    evening = Evening(store).open(ann=50_000, bob=50_000, cat=50_000)
    day, now = Period.DAY, evening.clock
    for amount in (7_000, 5_000):
        evening.do(
            jobs.about_player(
                "ann",
                now,
                partial(requests.set_limit, limit=LimitKind.LOSS, period=day, amount=amount),
            )
        )
    evening.do(jobs.about_player("bob", now, partial(requests.exclude, months=6)))
    evening.do(jobs.about_player("cat", now, partial(requests.take_break, hours=24)))
    evening.until("open")
    evening.do(evening.wager("ann", ("player", 1_000)))
    evening.until("settled")
    store.close()
    assert audit(read_store(address)).findings == []
    found = changed_by_hand(address, statement)
    assert any(message in one for one in found), found


def test_the_audit_house_command(good, copy, tmp_path):
    status, printed, _ = run(f"baccarat audit-house {good} --export-heads {tmp_path}/heads.json")
    assert status == 0
    assert "No faults found: every balance matches." in printed
    assert "10.00 held for a round that has not ended" in printed
    with copy.engine.begin() as connection:
        connection.execute(
            text("UPDATE balances SET balance = 3 WHERE account = 'player:ann/real'")
        )
    address = copy.engine.url.render_as_string()
    status, printed, _ = run(
        f"baccarat audit-house {address} --compare-heads {tmp_path}/heads.json"
    )
    assert status == 1
    assert "FAULT: player:ann/real: 0.03 in the store" in printed
    status, printed, _ = run(f"baccarat audit-house {address} --json")
    assert json.loads(printed)["findings"]
    assert json.loads(printed)["not_compared"] == []
    changed_by_hand(address, "DELETE FROM journal WHERE stream = 'table:one' AND sequence = 20")
    status, printed, _ = run(f"baccarat audit-house {address}")
    assert status == 1
    assert "NOT COMPARED: table:one cannot be read from entry 20 on: " in printed
    assert "held for a round" not in printed


def test_an_audit_with_findings_does_not_overwrite_exported_heads(good, copy, tmp_path):
    address, kept = copy.engine.url.render_as_string(), tmp_path / "heads.json"
    command = f"baccarat audit-house {address} --compare-heads {kept} --export-heads {kept}"
    status, *_ = run(f"baccarat audit-house {good} --export-heads {kept}")
    assert status == 0
    evidence = kept.read_bytes()
    assert run(command)[0] == 0
    assert kept.read_bytes() == evidence
    changed_by_hand(
        address, "DELETE FROM journal WHERE sequence = (SELECT max(sequence) FROM journal)"
    )
    for also in ("", " --json"):
        status, printed, complaint = run(command + also)
        assert (status, "ends before entry" in printed) == (1, True)
        assert f"heads not written, because faults were found; {kept} is unchanged" in complaint
        assert kept.read_bytes() == evidence
    status, *_ = run(f"baccarat audit-house {address} --export-heads {tmp_path}/new.json")
    assert (status, (tmp_path / "new.json").exists()) == (1, False)


def test_a_failed_export_of_heads_keeps_the_old_file(good, tmp_path, monkeypatch):
    kept = tmp_path / "heads.json"
    command = f"baccarat audit-house {good} --export-heads {kept}"
    assert run(command)[0] == 0
    evidence = kept.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        status, _, complaint = run(f"{command} --compare-heads {kept}")
    assert (status, complaint) == (
        2,
        f"baccarat: {kept} cannot be written: No space left on device\n",
    )
    assert kept.read_bytes() == evidence
    assert list(tmp_path.iterdir()) == [kept]
    status, _, complaint = run(f"{command}/heads.json")
    assert (status, "does not exist" in complaint) == (2, True)


def test_exporting_heads_to_a_full_disk_is_reported(good, full_disk):
    before = sorted(full_disk.iterdir())
    status, _, complaint = run(f"baccarat audit-house {good} --export-heads {full_disk}/heads.json")
    assert (status, "heads.json cannot be written: No space left" in complaint) == (2, True)
    assert sorted(full_disk.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("house.db", "store 'house.db' does not exist"),
        ("mysql://x", "is not a store: write sqlite"),
        ("sqlite:////nowhere.db", "cannot be read: no such file"),
        ("postgresql://127.0.0.1:1/x", "cannot be read"),
        ("sqlite:///{folder}/bad.db", "not a database"),
        ("{good} --compare-heads {folder}/none.json", "cannot read "),
        ("{good} --compare-heads {folder}/bad.db", "contains no journal heads"),
    ],
)
def test_a_database_that_cannot_be_audited_is_refused(good, tmp_path, words, message):
    (tmp_path / "bad.db").write_text("nothing of the kind " * 99)
    status, printed, complaint = run(
        f"baccarat audit-house {words.format(good=good, folder=tmp_path)}"
    )
    assert (status, printed) == (2, "")
    assert message in complaint
