"""Concurrent requests: every decision uses the values inside the commit.

Each row of READ_BEFORE is a value that a request reads, or that somebody has looked at, before the
commit. Each is raced in two ways, on SQLite and on PostgreSQL with two servers: once with the other
request exactly in between, and `RACES` times (a few by default, 200 in `make prove`) at the same
moment. Afterwards every balance follows the rules, and the auditor agrees.
"""

import threading
from functools import partial
from pathlib import Path

import httpx
import pytest

from baccarat.core.cards import parse_cards
from baccarat.core.wagers import Wager
from baccarat.table import commands as c
from baccarat.table.four_eyes import terms
from support.by_hand import DEALER, HandTable
from support.proposals import account, bonus, seen, subjects
from support.racing import HAND, STREAM, Race, code, racing
from support.samples import amount
from support.stores import new_database

TRIES = amount("RACES")
STAKE = 4_500
MUCH = 100_000
ALONE = 20_000
MONEY = 1_000_000

READ_BEFORE = {
    "dispute": (
        "web.disputes reads the shoe of a round, then commits a decision or a new dispute",
        "a difference that a correction has paid already is paid again",
        "the job adds what has followed in the journal (View.later), under the table's lock",
    ),
    "decided twice": (
        "two people look at the same open dispute",
        "it is paid twice",
        "the table's state, inside the commit, says that it is closed",
    ),
    "ambiguity": (
        "somebody decides a dispute by the readings on the page",
        "an ambiguity that was listed or resolved meanwhile is left out, or counts twice",
        "what is listed is read inside the commit (Need.listed), under the house's lock",
    ),
    "proposal: dispute": (
        "the first person's proposal waits while the round is corrected",
        "the second pays the first's amount on another result",
        "the terms hold the readings, what was paid, what is due; other terms are another proposal",
    ),
    "proposal: correction": (
        "the first person's proposal holds the cards",
        "the second confirms the cards and moves other money",
        "the terms hold every player's result before and after",
    ),
    "proposal: dismissal": (
        "the first person's proposal waits while somebody else reports an error",
        "the second dismisses a report that neither has seen",
        "the terms hold those who have reported",
    ),
    "proposal: withdrawn or changed": (
        "the second person looks at a proposal on the page and clicks Confirm",
        "it is withdrawn or its amount changes meanwhile, and the click becomes a proposal of the "
        "second person's own, which the first completes: as the one who is shown the password",
        "the click names the proposal; inside the commit that very one is carried out, or nothing",
    ),
    "settings": (
        "web.staff read all settings and replaced them",
        "of two changes at once, to the clock and to the limits, one is lost",
        "the command holds what changes, and is put on the settings that stand inside the commit",
    ),
    "links": (
        "web.partners read who is linked with the players",
        "a link from a shared browser is dropped when another link comes first",
        "those who are linked are read inside the commit (Need.linked)",
    ),
    "agreement": (
        "a player looks at an offer and confirms it",
        "the player is bound to terms that were never shown",
        "the confirmation names its values, and they are compared inside the commit",
    ),
    "bonus: withdrawal": (
        "bonus money on tables is not in the wallet that the payment out looks at",
        "all real money leaves, and the grant survives",
        "the grant ends with the payment, wherever its money is (bonus.on_withdrawal)",
    ),
    "bonus: breach": (
        "web.safer tries a set of bets against the rule on bonus money (R37)",
        "two linked players each pass alone and breach it together",
        "links, grants and standing bets are read inside the commit",
    ),
    "limits": (
        "web.safer shows how much of a limit on losses is left",
        "bets at two tables at once pass it together",
        "the wallet and the limits are locked by each of the two bets",
    ),
    "balance": (
        "the cashier looks at a wallet and pays out",
        "two payments at once take more than there is",
        "the wallet is locked and read inside the commit",
    ),
}
"""What is read before: where, what would go wrong, and what is done about it.

Read before and harmless: the sum that one person may decide (`alone`) and the house's conduct come
from the server's own house file and are in the event; a clearance by the register of exclusions has
its time with it, and the commit checks how old it is; the dealer for whom a device sends a card and
the epoch and step of a driver are compared inside the commit; a preview of a correction is only
shown; accounts and their roles never change.
"""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("races")
    address = f"sqlite:///{folder}/house.db"
    if request.param == "postgresql":
        address = new_database(request.getfixturevalue("server"))
    with racing(address, folder, alone=ALONE) as found:
        yield found


@pytest.fixture
def race(house):
    """Provide the race; afterwards every coin must be accounted for."""
    yield house
    house.check()


@pytest.fixture(scope="module")
def staff(house):
    """Three members of the pit, the second on the second server."""
    with (
        house.one.staff("pit") as pit,
        house.two.colleague("boss") as boss,
        house.one.colleague("pat") as pat,
    ):
        yield pit, boss, pat


def test_every_value_read_before_the_commit_has_a_race_test():
    text = Path(__file__).read_text(encoding="utf-8")
    for name in READ_BEFORE:
        assert f"# race: {name}\n" in text, name


# ---- disputes and corrections --------------------------------------------------------------------


def disputed(race: Race, stake: int) -> tuple[str, int]:
    """A player who lost on Banker has disputed (and so reported) the round; the next coup has
    begun, so the card that another reading would have drawn is known."""
    name, client = race.player(MONEY)
    race.shoe()
    number = race.round("6h 2d Kc 3s", {name: [Wager("banker", stake)]})
    path = f"/api/tables/{HAND}/rounds/{number}/dispute"
    with client:
        assert client.post(path, json={"reason": "the banker was to draw"}).is_success
    race.round("4c 9d 4h 9s")
    return name, number


def decide(client: httpx.Client, number: int, name: str) -> httpx.Response:
    """Decide as the page proposes."""
    path = f"/api/tables/{HAND}/disputes/{number}/{name}"
    readings = client.get(path).json()["proposed"]["readings"]
    return client.post(f"{path}/decision", json={"readings": readings, "reason": "unclear"})


def correct(race: Race, client: httpx.Client, number: int) -> httpx.Response:
    """Correct the last card to a five, so that the banker wins."""
    path = f"/api/tables/{HAND}/rounds/{number}/errors"
    body = {"cards": ["6h", "2d", "Kc", "5s"], "reason": "a five"}
    return client.put(path, json=body, headers=race.key())


def until_decided(number: int, name: str, *people: httpx.Client) -> None:
    """Decide with as many people as needed, once the error report is decided."""
    for who in (*people, *people):
        answer = decide(who, number, name)
        found = answer.json().get("dispute")  # none if it was refused
        if code(answer) == "no-such-dispute" or (found and found["decided"]):
            return
    raise AssertionError(answer.text)


def is_paid_right(race: Race, number: int, name: str) -> bool:
    """Return whether the player was paid by the best open reading of the corrected round."""
    before, best = race.best(number, name)
    won = race.balance(name) - MONEY
    return won == best >= before


# race: dispute
@pytest.mark.requirement("R43", "R46")
def test_r46_a_decision_concurrent_with_a_correction_pays_the_difference_once(race, staff):
    """Regression: a bet of 45.00 whose correct result was +45.00 was paid +132.75."""
    pit, boss, pat = staff
    name, number = disputed(race, STAKE)
    assert correct(race, pat, number).is_success  # proposed, for the pit to confirm
    with race.between(race.two, STREAM, partial(correct, race, pit, number)):
        until_decided(number, name, boss)
    assert race.best(number, name) == (4_275, STAKE)
    assert race.balance(name) == MONEY + STAKE
    for _ in range(TRIES):
        name, number = disputed(race, STAKE)
        assert correct(race, pat, number).is_success
        corrected, decided = race.at_once(
            partial(correct, race, pit, number), partial(decide, boss, number, name)
        )
        assert corrected.is_success, corrected.text
        assert code(decided) in ("", "too-early")
        until_decided(number, name, boss)
        assert is_paid_right(race, number, name)


# race: decided twice
@pytest.mark.requirement("R46")
def test_r46_two_decisions_at_once_pay_once(race, staff):
    pit, boss, _ = staff
    name, number = decidable(race, pit)
    with race.between(race.two, STREAM, partial(decide, pit, number, name)):
        assert code(decide(boss, number, name)) == "no-such-dispute"
    assert is_paid_right(race, number, name)
    for _ in range(TRIES):
        name, number = decidable(race, pit)
        answers = race.at_once(*(partial(decide, one, number, name) for one in (pit, boss)))
        assert sorted(map(code, answers)) == ["", "no-such-dispute"]
        assert is_paid_right(race, number, name)


def decidable(race: Race, pit: httpx.Client, stake: int = STAKE) -> tuple[str, int]:
    """Let a player dispute a round whose result is final."""
    name, number = disputed(race, stake)
    path = f"/api/tables/{HAND}/rounds/{number}/errors/dismissal"
    assert pit.post(path, json={"reason": "no error"}, headers=race.key()).is_success
    return name, number


TIES = """
[[ambiguity]]
bets = ["tie"]
in_force = "eight"
status = "open"
reading = [{ id = "eight", text = "8:1." }, { id = "nine", text = "9:1.", bet = [
  { id = "tie", lines = [{ when = { winner = "tie" }, pays = "9:1" }] }] }]
"""


def list_ties(client: httpx.Client, number: int, name: str) -> httpx.Response:
    path = f"/api/tables/{HAND}/disputes/{number}/{name}/ambiguity"
    return client.post(path, json={"question": "What does a tie pay?", "fragment": TIES})


def resolve_listed(client: httpx.Client) -> httpx.Response:
    """Propose or confirm the resolution of the ambiguity that is open."""
    listed = client.get("/api/ambiguities").json()["ambiguities"]
    (known,) = (one["id"] for one in listed if one["resolved_at"] is None)
    return client.post(f"/api/ambiguities/{known}/resolution", json={"reason": "8:1"})


# race: ambiguity
@pytest.mark.requirement("R46")
def test_r46_a_decision_concurrent_with_a_listing_or_a_resolution(race, staff):
    """A decision considers all readings open at its commit, or is refused."""
    pit, boss, pat = staff
    name, number = decidable(race, pit)
    assert list_ties(pat, number, name).is_success  # proposed
    with race.between(race.two, STREAM, partial(list_ties, pit, number, name)):
        assert code(decide(boss, number, name)) == "not-best"
    until_decided(number, name, boss, pat)  # by the house's own readings
    assert is_paid_right(race, number, name)
    for one in (pat, pit):
        assert resolve_listed(one).is_success
    for _ in range(TRIES):
        name, number = decidable(race, pit)
        assert list_ties(pat, number, name).is_success
        listed, decided = race.at_once(
            partial(list_ties, pit, number, name), partial(decide, boss, number, name)
        )
        assert listed.is_success, listed.text
        assert code(decided) in ("", "not-best")
        other, second = decidable(race, pit)
        assert resolve_listed(pat).is_success
        resolved, decided = race.at_once(
            partial(resolve_listed, pit), partial(decide, boss, second, other)
        )
        assert resolved.is_success, resolved.text
        assert decided.is_success, decided.text  # the round was settled while it was open
        until_decided(number, name, boss, pat)
        until_decided(second, other, boss, pat)
        assert is_paid_right(race, number, name)
        assert is_paid_right(race, second, other)


# race: proposal: dispute
@pytest.mark.requirement("R46", "G38")
def test_g38_two_people_pay_only_what_is_due_after_the_correction(race, staff):
    """Both read before the correction and confirm after it. Regression: a bet of 1,000.00 whose
    correct result was +1,000.00 was paid +2,950.00."""
    _, boss, pat = staff
    name, number = disputed(race, MUCH)
    second = partial(decide, pat, number, name)
    # The second person has read before the first's request commits.
    read, go_on = threading.Event(), threading.Event()

    def corrected_meanwhile() -> None:
        read.set()
        go_on.wait(30)

    with race.between(race.one, STREAM, corrected_meanwhile):
        waiting = threading.Thread(target=second)

        def first_commits() -> None:
            waiting.start()
            read.wait(30)
            fix(race, number)

        with race.between(race.two, STREAM, first_commits):
            decide(boss, number, name)
        go_on.set()
        waiting.join()
    until_decided(number, name, boss, pat)
    assert race.balance(name) == MONEY + MUCH
    for _ in range(TRIES):
        name, number = disputed(race, MUCH)
        race.at_once(
            partial(fix, race, number),
            partial(decide, boss, number, name),
            partial(decide, pat, number, name),
        )
        until_decided(number, name, boss, pat)
        assert is_paid_right(race, number, name)
        assert race.balance(name) == MONEY + MUCH


def fix(race: Race, number: int) -> None:
    """Two people correct the round, directly in the store."""
    race.remedy(number, "6h 2d Kc 5s", "the-pit", "boss")


# race: proposal: correction
@pytest.mark.requirement("R43", "G38")
def test_g38_a_correction_is_confirmed_with_the_amounts_shown(race, staff):
    pit, boss, pat = staff
    for _ in range(TRIES):
        name, number = disputed(race, MUCH)
        answers = race.at_once(*(partial(correct, race, one, number) for one in (pit, boss, pat)))
        # The money is moved once, by two of the three.
        assert race.balance(name) == MONEY + 95_000, [answer.text for answer in answers]
    name, number = disputed(race, MUCH)
    assert correct(race, pit, number).is_success
    (waits,) = race.store.state(STREAM).proposals
    moved = (terms.Moved(name, -MUCH, 95_000),)
    cards = parse_cards("6h 2d Kc 5s")
    coups = "P:6hKc=6 B:2d3s=5", "P:6hKc=6 B:2d5s=7"
    assert waits.terms == terms.SettleAgain(cards, *coups, moved)
    assert correct(race, boss, number).is_success
    assert race.balance(name) == MONEY + 95_000


# race: proposal: withdrawn or changed
@pytest.mark.requirement("G38")
def test_g38_an_account_withdrawn_before_the_confirmation_is_not_opened(race, staff):
    pit, boss, _ = staff
    for attempt in range(TRIES + 1):
        who = f"c{next(race.names)}"
        body, subject = {"id": who, "name": who.title(), "role": "cashier"}, account(who)
        assert pit.post("/api/staff", json=body).json()["waits_for_second"]
        proposal = seen(boss, subject)
        confirm = partial(boss.post, "/api/staff", json=body, headers=proposal)
        withdraw = partial(pit.delete, f"/api/proposals/{proposal['X-Proposal']}")
        if attempt:
            _, answer = race.at_once(withdraw, confirm)
        else:
            with race.between(race.two, "house", withdraw):
                answer = confirm()
            assert answer.is_error
        assert code(answer) in ("", "stale-view")
        assert subject not in subjects(pit)
        assert (race.store.person(who) is None) == answer.is_error


@pytest.mark.requirement("G38")
def test_g38_bonus_money_staked_before_the_confirmation_is_still_removed(race, staff):
    pit, boss, _ = staff
    for attempt in range(TRIES + 1):
        name, player = race.player(0)
        race.grant(name, 2 * ALONE)
        path, subject = f"/api/accounts/{name}/bonus", bonus(name)
        assert pit.delete(path, headers=race.key()).json()["waits_for_second"]
        headers = {**race.key(), **seen(boss, subject)}
        confirm = partial(boss.delete, path, headers=headers)
        with player:
            stake = partial(bet, race, player, "a", ("player", 5_000))
            if attempt:
                _, answer = race.at_once(stake, confirm)
            else:
                with race.between(race.two, "house", stake):
                    answer = confirm()
            assert code(answer) == ""
            assert subject not in subjects(pit)
            assert race.bonus(name) == 0
            bet(race, player, "a")


@pytest.mark.requirement("G38", "R46")
def test_g38_a_decision_withdrawn_before_the_confirmation_is_not_made(race, staff):
    pit, boss, pat = staff
    name, number = decidable(race, pit, MUCH)
    path = f"/api/tables/{HAND}/disputes/{number}/{name}"
    subject = {"kind": "dispute", "round": number, "player": name}
    body = {"readings": pit.get(path).json()["proposed"]["readings"], "reason": "unclear"}
    send = partial(boss.post, f"{path}/decision", json=body)
    assert pat.post(f"{path}/decision", json=body).is_success
    late = seen(boss, subject)
    withdraw = partial(pat.delete, f"/api/proposals/{late['X-Proposal']}")
    with race.between(race.two, STREAM, withdraw):
        assert code(send(headers=late)) == "stale-view"
    assert subject not in subjects(boss)
    assert pat.post(f"{path}/decision", json=body).is_success
    assert code(send(headers=late)) == "stale-view"
    assert send(headers=seen(boss, subject)).json()["dispute"]["decided"]
    assert is_paid_right(race, number, name)


# ---- settings, links, agreements -----------------------------------------------------------------


# race: settings
@pytest.mark.requirement("G36")
def test_g36_simultaneous_changes_of_clock_and_limits_are_both_kept(race, staff):
    pit, boss, _ = staff
    path = "/api/tables/a/settings"

    def clock(who: httpx.Client, pause: int) -> httpx.Response:
        body = {"clock": {**pit.get("/api/tables/a").json()["clock"], "pause": pause}}
        return who.put(path, json=body, headers=race.key())

    def limits(who: httpx.Client, minimum: int) -> httpx.Response:
        return who.put(path, json={"limits": {"minimum": minimum}}, headers=race.key())

    def stand() -> tuple[int, int]:
        settings = race.store.state("table:a").settings
        return settings.clock.pause, settings.limits.minimum

    with race.between(race.two, "table:a", partial(clock, pit, 77)):
        assert limits(boss, 1_000).is_success
    assert stand() == (77, 1_000)
    for number in range(TRIES):
        answers = race.at_once(
            partial(clock, pit, 100 + number), partial(limits, boss, 500 + 100 * (number % 3))
        )
        assert all(answer.is_success for answer in answers)
        assert stand() == (100 + number, 500 + 100 * (number % 3))
    assert limits(pit, 500).is_success


# race: links
@pytest.mark.requirement("R36")
def test_r36_simultaneous_links_form_one_group(race, staff):
    pit, boss, _ = staff

    def three() -> list[str]:
        found = []
        for _ in range(3):
            name, client = race.player(0)
            client.close()
            found.append(name)
        return found

    def link(who: httpx.Client, *players: str) -> httpx.Response:
        return who.post("/api/partners", json={"players": players, "reason": "one purse"})

    for attempt in range(TRIES + 1):
        ann, bob, cat = three()
        first, second = partial(link, pit, bob, cat), partial(link, boss, ann, bob)
        if attempt:
            answers = race.at_once(first, second)
        else:
            with race.between(race.two, "house", first):
                answers = [second()]
        assert all(answer.is_success for answer in answers), [answer.text for answer in answers]
        for one in (ann, bob, cat):
            others = {ann, bob, cat} - {one}
            assert set(race.store.safety(one).partners) == others


# race: agreement
@pytest.mark.requirement("R24")
def test_r24_a_player_is_bound_only_to_the_terms_they_confirmed(race, staff):
    pit, boss, _ = staff
    five, three = ({"values": {"double_chance": one}} for one in ("5%", "3%"))
    name, player = race.player(0)
    offers, mine = f"/api/tables/chance/agreements/{name}", "/api/tables/chance/agreement"
    with player:
        assert pit.post(offers, json=five).is_success
        confirm = partial(player.post, f"{mine}/confirm", json=five)
        with race.between(race.one, "table:chance", partial(boss.post, offers, json=three)):
            assert code(confirm()) == "no-such-agreement"
        for _ in range(TRIES):
            player.delete(mine)
            assert pit.post(offers, json=five).is_success
            _, yes = race.at_once(partial(boss.post, offers, json=three), confirm)
            newest = race.store.state("table:chance").agreements[name].newest
            if yes.is_success:
                assert newest.values == (("double_chance", "5%"),)
            else:
                assert code(yes) == "no-such-agreement"
                assert newest is None


# ---- wallets -------------------------------------------------------------------------------------


def bet(race: Race, client: httpx.Client, table: str, *wagers: tuple[str, int]) -> httpx.Response:
    number = race.store.state(f"table:{table}").round.number
    body = {"round": number, "wagers": [{"bet": one, "stake": stake} for one, stake in wagers]}
    return client.put(f"/api/tables/{table}/wagers", json=body, headers=race.key())


def pay_out(race: Race, till: httpx.Client, name: str, amount: int) -> httpx.Response:
    path = f"/api/accounts/{name}/pay-out"
    return till.post(path, json={"amount": amount}, headers=race.key())


# race: bonus: withdrawal
def test_withdrawing_real_money_ends_a_bonus_even_if_it_is_staked(race):
    """Bonus money is staked at one table and real money at another; the real money is returned and
    paid out."""
    with race.two.staff("cashier") as till:
        for attempt in range(TRIES + 1):
            name, player = race.player(0)
            race.grant(name, 5_000)
            with player:
                stake = partial(bet, race, player, "b", ("player", 5_000))
                pay = partial(pay_out, race, till, name, 10_000)
                if attempt:
                    race.pay_in(name, 10_000)
                    race.at_once(stake, pay)
                else:
                    assert stake().is_success
                    race.pay_in(name, 10_000)
                    assert bet(race, player, "a", ("player", 10_000)).is_success
                    with race.between(race.two, "house", partial(bet, race, player, "a")):
                        assert pay().is_success
                paid = race.balance(name) + staked(race, name)[0] == 0
                assert race.store.safety(name).bonus.ended == ("forfeited" if paid else "")
                if paid:
                    bet(race, player, "b")  # the returned stake cannot be used
                    assert code(bet(race, player, "b", ("player", 1_000))) == "insufficient-funds"
                    assert player.post("/api/me/bonus/review").is_success
                    assert (race.balance(name), race.bonus(name)) == (0, 0)
                for table in ("a", "b"):
                    bet(race, player, table)


def staked(race: Race, name: str) -> tuple[int, int]:
    """Return real and bonus money staked at tables."""
    placed = [race.store.state(f"table:{one}").round.placed(name) for one in ("a", "b")]
    return sum(one.real for one in placed), sum(one.bonus for one in placed)


# race: bonus: breach
@pytest.mark.requirement("R37")
def test_r37_linked_players_cannot_breach_the_rule_by_betting_simultaneously(race):
    for attempt in range(TRIES + 1):
        (ann, one), (bob, two) = race.player(0), race.player(0)
        two.base_url = race.two.address
        race.grant(ann, 5_000)
        race.grant(bob, 5_000)
        race.link(ann, bob)
        with one, two:
            first = partial(bet, race, one, "a", ("player", 5_000))
            second = partial(bet, race, two, "a", ("banker", 5_000))
            if attempt:
                codes = sorted(map(code, race.at_once(first, second)))
            else:
                with race.between(race.two, "table:a", first):
                    codes = ["", code(second())]
            assert codes == ["", "bonus-breach"]
            assert bet(race, one, "a").is_success
            assert bet(race, two, "a").is_success


# race: limits
@pytest.mark.requirement("G14")
def test_g14_simultaneous_bets_at_two_tables_do_not_exceed_a_loss_limit(race):
    for attempt in range(TRIES + 1):
        name, player = race.player(100_000)
        with player:
            limit = {"amount": 10_000}
            assert player.put("/api/me/limits/loss/day", json=limit).is_success
            second = race.two.client(**{"X-CSRF-Token": player.headers["X-CSRF-Token"]})
            second.cookies = player.cookies
            with second:
                calls = (
                    partial(bet, race, player, "a", ("player", 8_000)),
                    partial(bet, race, second, "b", ("player", 8_000)),
                )
                if attempt:
                    codes = sorted(map(code, race.at_once(*calls)))
                else:
                    with race.between(race.two, "table:b", calls[0]):
                        codes = ["", code(calls[1]())]
                assert codes == ["", "loss-limit"], codes
                assert staked(race, name) == (8_000, 0)
                assert race.balance(name) == 92_000
                for table in ("a", "b"):
                    bet(race, player, table)


# race: balance
def test_two_simultaneous_payments_do_not_exceed_the_balance(race):
    with race.one.staff("cashier") as here, race.two.staff("cashier") as there:
        for attempt in range(TRIES + 1):
            name, player = race.player(10_000)
            player.close()
            calls = [partial(pay_out, race, one, name, 6_000) for one in (here, there)]
            if attempt:
                codes = sorted(map(code, race.at_once(*calls)))
            else:
                with race.between(race.two, "house", calls[0]):
                    codes = ["", code(calls[1]())]
            assert codes == ["", "insufficient-funds"]
            assert race.balance(name) == 4_000


# race: proposal: dismissal
@pytest.mark.requirement("R43", "G38")
def test_g38_a_report_that_arrives_meanwhile_is_not_dismissed():
    table = HandTable()
    table.do(c.CallBets(DEALER))
    for who in ("ann", "bob"):
        table.do(c.PlaceWagers(1, who, (Wager("player", 1_000),)))
    table.do(c.CallNoMoreBets(DEALER))
    table.deal("6h Kd 2c Ks")
    table.end()
    table.pay()
    table.do(c.ReportError(1, "ann", "a card was another"))
    (first,) = table.do(c.DismissReport(1, DEALER, "there was none"))
    assert first.terms == terms.DismissReports(("ann",))
    table.do(c.ReportError(1, "bob", "a card was another"))
    _, second = table.do(c.DismissReport(1, DEALER, "there was none"))
    assert second.terms == terms.DismissReports(("ann", "bob"))
