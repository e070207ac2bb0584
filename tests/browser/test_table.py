"""The table in a real browser: play, refusals, lost connections, restarts, keyboard, phone."""

import json
import time

import pytest

from baccarat.analysis.edges import analyse
from baccarat.core.money import percent_string, ratio
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.loader import built_in_cards, load
from baccarat.table.rules import rules_text
from baccarat.table.settings import Clock, Settings, StakeLimits
from support.browser import DESK, PHONE, SECONDS, WALL, accessibility, overflow
from support.documented import ROOT
from support.live import settings_for
from support.samples import sample
from support.served import served
from support.visits import Visit, visiting

OPEN = Clock(betting=3_600_000, card=10, pause=10)
SWIFT = Clock(betting=400, card=5, pause=100)
SHORT = Clock(betting=1_500, card=20, pause=100)
CALM = Clock(betting=3_000, card=150, pause=1_500)
SHARED = Clock(betting=350, card=10, pause=60, contribute=2_000, reveal=2_000)
FOURTEEN = settings_for("punto-banco-2000", clock=OPEN, limits=StakeLimits(minimum=500))
"""Fourteen bets, none of which needs an agreement."""
TABLES = (
    TablePlan("open", "Open", FOURTEEN, guests=True),
    TablePlan("calm", "Calm", settings_for("punto-banco", clock=CALM), guests=True),
    TablePlan("double", "Double", settings_for("double-chance", clock=SHORT), guests=True),
    TablePlan("shared", "Shared", settings_for(clock=SHARED), guests=True),
)
HOUSE = House("The house", "GBP", 100_000, TABLES)
REFUSED = ("status of 422",)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("browser"), house=HOUSE) as running:
        yield running


STANDING = """() => {
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  const text = (id) => document.getElementById(id).textContent;
  return {
    cards: all(".slots .card", (one) => one.getAttribute("aria-label")),
    totals: all(".total", (one) => one.textContent),
    stakes: all(".spot", (one) => one.querySelector(".stake")?.textContent ?? ""),
    beads: all(".bead", (one) => one).length,
    round: text("round"), phase: document.getElementById("felt").dataset.phase,
    commitment: text("commitment"), left: text("shoe-words"),
    money: ["real", "in-play", "net"].map(text),
  };
}"""


def standing(visit) -> dict:
    """Return everything a page shows of a table between rounds."""
    return visit.page.evaluate(STANDING)


def show_the_same(one, other, *parts: str) -> None:
    """Wait for a settled round that both pages show alike: they draw at different times, and the
    second is read after the first."""
    deadline = time.monotonic() + SECONDS
    while True:
        seen = [standing(page) for page in (one, other)]
        first, second = ({part: page[part] for part in parts or page} for page in seen)
        if first == second and [page["phase"] for page in seen] == ["settled", "settled"]:
            return
        assert time.monotonic() < deadline, (first, second)
        one.page.wait_for_timeout(50)


PLAYS = r"""() => {
  const felt = document.getElementById("felt");
  const text = (id) => document.getElementById(id).textContent;
  window.played = { shoes: [], wagered: [], settled: [], words: [] };
  const look = () => {
    const { shoes, wagered, settled, words } = window.played;
    const said = text("shoe-words").replace(/^.* left\. ?/, "");
    if (words.at(-1) !== said) words.push(said);
    if (text("commitment") && shoes.at(-1) !== text("commitment")) shoes.push(text("commitment"));
    const round = Number(text("round"));
    if (felt.dataset.phase === "open" && wagered.at(-1) !== round) {
      wagered.push(round);
      document.querySelector(".spot.on-player").click();
      document.querySelector("#offer[open] #offer-accept")?.click();
      [...document.querySelectorAll(".spot")].at(-1).click();
    }
    const net = document.querySelector("#outcome .net");
    if (felt.dataset.phase === "settled" && net && settled.at(-1) !== round) settled.push(round);
  };
  new MutationObserver(look).observe(document.querySelector(".room"),
    { attributes: true, childList: true, subtree: true, characterData: true });
}"""
"""Puts a chip on two spots as soon as a round opens, and records what the page shows."""


ENDS = r"""() => {
  const { words } = window.played;
  const [last, after] = ["Last round of this shoe.", /shoe is (finished|being prepared)\./];
  return words.some((said, place) => said === last && after.test(words[place + 1]));
}"""
"""Whether the page announced the end of a shoe. A page that has fallen behind draws everything at
once, and may skip the announcement of the first shoe."""


@pytest.mark.parametrize("card", sample("CARDS", built_in_cards()))
def test_a_whole_shoe_of_every_card(browser, tmp_path, card):
    """Play to the end of a shoe and into the next, betting on as many rounds as possible."""
    plan = TablePlan(card, card, settings_for(card, clock=SWIFT), guests=True)
    house = House("The house", "GBP", 100_000, (plan,))
    with (
        served(tmp_path, house=house) as running,
        visiting(browser, running, expected=REFUSED) as me,
    ):
        me.sits_down(card)
        if me.page.locator("#offer").count():  # the page is loaded again with the agreed terms
            me.puts("player")
            me.page.wait_for_selector(".spot-agreed")
            me.page.wait_for_selector("html[data-ready]")
        me.page.evaluate(PLAYS)
        whole = "window.played.shoes.length >= 2 && window.played.settled.length >= 3"
        me.waits_for(f"{whole} && ({ENDS})()", seconds=180)
        played = me.page.evaluate("window.played")
        mine = me.asks("/api/me/rounds?limit=500")["rounds"]
        assert set(played["settled"]) <= {one["round"] for one in mine}
        assert len({wager["bet"] for one in mine for wager in one["wagers"]}) == 2


PRICED = """() => {
  const [felt, hour] = ["felt", "hour"].map((id) => document.getElementById(id));
  const look = () => {
    if (felt.dataset.phase === "settled") window.priced ??= hour.textContent;
  };
  new MutationObserver(look).observe(felt, { attributes: true });
}"""
"""Records the displayed cost of the bets when they are settled."""


@pytest.mark.requirement("G12")
def test_the_page_shows_what_the_ledger_says(browser, house):
    """G12."""
    with visiting(browser, house) as me:
        me.sits_down("calm")
        me.puts("player")
        hour = me.text("#hour")
        me.page.evaluate(PRICED)
        me.waits_for("window.priced")
        assert me.page.evaluate("window.priced") == hour != "–"
        me.shows("#in-play", "£0.00")
        bookings = me.asks("/api/me/ledger")["bookings"]
        coins = sum(booking["amount"] for booking in bookings if booking["kind"] != "play-money")
        assert coins in (-2500, 0, 2500)
        assert me.text("#net") == {-2500: "−£25.00", 0: "£0.00", 2500: "+£25.00"}[coins]
        balance = sum(booking["amount"] for booking in bookings)
        assert me.text("#real") == f"£{balance / 100:,.2f}"
        me.shows("#balance", f"£{balance / 100:,.2f}")  # after a win, it counts up


def test_chips_are_placed_taken_back_doubled_and_repeated(browser, house):
    with visiting(browser, house, expected=REFUSED) as me:
        me.sits_down("open")
        me.spot("player").click()
        me.spot("player").click()
        assert me.stake("player") == "£50"
        me.page.locator(".rack-chip").nth(0).click()
        me.spot("tie").click()
        assert me.stake("tie") == "£5"
        me.page.click("#double")
        assert (me.stake("player"), me.stake("tie")) == ("£100", "£10")
        me.shows("#real", "£890.00")
        me.page.click("#undo")
        assert (me.stake("player"), me.stake("tie")) == ("£50", "£5")
        me.page.click("#clear")
        assert me.page.locator(".stake").count() == 0
        me.page.click("#undo")
        assert me.stake("player") == "£50"
        me.shows("#real", "£945.00")
        me.looks_at("/tables/open")  # accepted wagers are shown again
        assert (me.stake("player"), me.stake("tie")) == ("£50", "£5")


COVERED = """() => {
  const of = (id) => document.getElementById(id).getBoundingClientRect();
  const [box, dock] = [of("refusal"), of("dock")];
  const inside = box.top >= dock.top && box.bottom <= dock.bottom;
  return inside ? [] : [box.top, box.bottom, dock.top, dock.bottom];
}"""
"""Whether the refusal is shown inside the dock and covers no spot."""


def test_a_refused_wager_is_taken_back_and_the_rule_is_shown(browser, house):
    with visiting(browser, house, expected=REFUSED) as me:
        me.sits_down("open")
        me.spot("ur-way-3").click()
        me.page.wait_for_selector('#refusal[data-code="needs-another"]')
        assert "Bet Banker, Player or Tie first" in me.text("#refusal")
        rule = me.page.locator("#refusal a")
        assert "R28" in rule.inner_text()
        stated = rule.get_attribute("href")
        assert stated == "/rules/punto-banco-2000?table=open#wagering"
        assert 'id="wagering"' in me.page.request.get(stated).text()
        assert me.page.evaluate(COVERED) == []
        assert me.page.locator(".stake").count() == 0
        me.spot("player").click()
        me.spot("ur-way-3").click()
        me.spot("banker").click()
        me.page.wait_for_selector('#refusal[data-code="excluded"]')
        assert "can't be bet together" in me.text("#refusal")
        assert (me.stake("player"), me.stake("ur-way-3")) == ("£25", "£25")
        assert me.asks("/api/tables/open/wagers")["wagers"] == [
            {"bet": "player", "stake": 2500},
            {"bet": "ur-way-3", "stake": 2500},
        ]


WAGERS = """async () => {
  const script = document.querySelector("script[src*='/table.js']");
  const { Wagers } = await import(new URL("wagers.js", script.src));
  const sent = [];
  window.fetch = (path, { body }) => new Promise((done) => sent.push((status, reply) => {
    done(new Response(JSON.stringify(reply), { status }));
    return body && JSON.parse(body).wagers.map(({ bet, stake }) => `${bet} ${stake}`).join(", ");
  }));
  const soon = () => new Promise((done) => setTimeout(done, 20));
  const answer = async (...reply) => {
    const asked = sent.shift()(...reply);
    await soon();
    return asked;
  };
  const said = [];
  let elsewhere = 0;
  const mine = new Wagers("open", {
    change() {}, refused: (problem) => said.push(problem.code), elsewhere: () => (elsewhere += 1),
  });
  const meant = () => mine.all.map(({ bet, stake }) => `${bet} ${stake}`).join(", ");
  const [seen, refused] = [{}, { code: "excluded" }];

  mine.update(1, true, [], 10);
  mine.add("player", 100);
  await soon();
  await answer(200, { first: 12, events: [] });
  mine.update(1, true, [], 11);
  seen.older = meant();
  mine.update(1, true, [{ bet: "player", stake: 100 }], 12);
  mine.update(1, true, [{ bet: "tie", stake: 5 }], 13);
  seen.elsewhere = meant(); // another page of the same player

  mine.add("banker", 20);
  await soon();
  mine.add("pair", 7);
  mine.add("banker", 30);
  await answer(422, refused);
  seen.refused = meant();
  seen.next = await answer(200, { first: 15, events: [] });
  mine.undo();
  seen.undone = meant();
  await soon();
  await answer(200, { first: 16, events: [] });
  mine.double();
  await soon();
  mine.undo();
  await answer(422, refused);
  seen.all = [meant(), [...said], sent.length];
  mine.update(1, false, [{ bet: "tie", stake: 5 }], 17);
  seen.closed = meant();

  // Only the bet that is named goes back, though others were placed in the same go.
  const naming = (code, bet, other) => ({ code, values: { bet, other } });
  mine.update(2, true, [], 20);
  mine.add("player", 100);
  await soon();
  mine.add("banker", 20);
  mine.add("tie", 5);
  mine.add("pair", 7);
  await answer(200, { first: 21, events: [] });
  await answer(422, naming("excluded", "player", "banker"));
  seen.named = await answer(200, { first: 22, events: [] });
  mine.undo();
  await soon();
  seen.without = await answer(200, { first: 23, events: [] });

  // Too much together: the last acts go back, one by one.
  mine.add("pair", 7);
  await soon();
  mine.add("big", 50);
  mine.add("small", 60);
  await answer(200, { first: 24, events: [] });
  await answer(409, { code: "insufficient-funds" });
  seen.less = await answer(409, { code: "insufficient-funds" });
  await soon();
  seen.purse = [meant(), sent.length];

  // Another window was quicker: what stands is shown, and nothing of mine is on top of it.
  mine.add("big", 1);
  await soon();
  mine.add("big", 1);
  const late = answer(409, { code: "wagers-changed" });
  seen.late = await late;
  await answer(200, { round: 2, sequence: 30, wagers: [{ bet: "tie", stake: 9 }] });
  seen.standing = [meant(), mine.canUndo, sent.length, elsewhere];
  mine.update(2, true, [{ bet: "tie", stake: 5 }], 29);
  seen.stale = [meant(), elsewhere];
  return seen;
}"""
"""The player's wagers when answers and events arrive in the given order."""


def test_only_refused_chips_are_removed_and_older_events_remove_none(browser, house):
    with visiting(browser, house) as me:
        me.sits_down("open")
        assert me.page.evaluate(WAGERS) == {
            "older": "player 100",
            "elsewhere": "tie 5",
            "refused": "tie 5, banker 30, pair 7",
            "next": "tie 5, banker 30, pair 7",
            "undone": "tie 5, pair 7",
            "all": ["tie 5, pair 7", ["excluded", "excluded"], 0],
            "closed": "tie 5",
            "named": "player 100, tie 5, pair 7",
            "without": "player 100, tie 5",
            "less": "player 100, tie 5, pair 7, big 50",
            "purse": ["player 100, tie 5, pair 7", 0],
            "late": "player 100, tie 5, pair 7, big 1",
            "standing": ["tie 9", False, 0, 2],
            "stale": ["tie 9", 2],
        }


CHANGED = "Your bets were changed in another window. These are your bets now."


def test_two_windows_of_one_player_never_overwrite_each_others_wagers(browser, house):
    with visiting(browser, house) as me:
        me.sits_down("open")
        other = Visit(me.page.context.new_page())
        other.looks_at("/tables/open")
        me.spot("player").click()
        other.shows('[data-bet="player"] .stake', "£25")  # at once, without a request
        assert other.text("#refusal") == CHANGED
        assert other.page.is_disabled("#undo")
        # A window that missed the change is refused, and then shows the current wagers.
        other.page.route_web_socket("**/events*", lambda _: None)  # a silent connection
        other.page.reload()
        other.page.wait_for_selector("html[data-ready]")
        me.puts("tie")
        assert other.page.locator('[data-bet="tie"] .stake').count() == 0
        other.spot("player").click()
        other.page.wait_for_selector('#refusal[data-code="wagers-changed"]')
        assert other.text("#refusal") == CHANGED
        assert (other.stake("player"), other.stake("tie")) == ("£25", "£25")
        other.spot("player").click()
        me.shows('[data-bet="player"] .stake', "£50")
        assert me.text("#refusal") == CHANGED
        assert me.asks("/api/tables/open/wagers")["wagers"] == [
            {"bet": "player", "stake": 5000},
            {"bet": "tie", "stake": 2500},
        ]


def test_a_page_that_loaded_slowly_shows_the_servers_time(browser, house):
    """Simulate an hour between the page and its scripts."""
    with visiting(browser, house) as me:
        me.page.add_init_script(
            """const now = performance.now.bind(performance);
            performance.now = () => now() + 3_600_000;"""
        )
        me.looks_at("/tables/calm")
        page = """async () => {
          const script = document.querySelector("script[src*='/table.js']");
          const { island, serverNow, setServerTime } = await import(new URL("page.js", script.src));
          const seen = [serverNow() - island.now];
          const here = performance.now();
          setServerTime(9_000_000_000_000, here - 40, here);  // the clock was set: start over
          setServerTime(9_000_000_000_010, here - 10, here + 30);  // agrees: the range gets smaller
          seen.push(serverNow() - 9_000_000_000_000 - (performance.now() - here));
          return seen;
        }"""
        since, corrected = me.page.evaluate(page)
        assert since >= 3_600_000
        assert 0 <= corrected <= 20


def test_players_without_money_see_where_to_pay_in(browser, house):
    with visiting(browser, house) as me:
        body = {"id": "penniless", "name": "Ann", "password": "a long sentence"}
        assert me.page.request.post("/api/accounts", data=body).ok
        me.looks_at("/tables/open")
        me.spot("player").click()
        me.page.wait_for_selector('#refusal[data-code="insufficient-funds"]')
        assert me.text("#refusal").endswith("Pay in at the cashier.")


IN_SIGHT = """() => {
  const dock = document.getElementById("dock").getBoundingClientRect();
  const beside = dock.left > document.getElementById("felt").getBoundingClientRect().right - 1;
  const bottom = beside ? innerHeight : dock.top;
  const seen = (one) => {
    const { top, bottom: end, left, right } = one.getBoundingClientRect();
    return top >= 0 && end <= bottom && left >= 0 && right <= innerWidth;
  };
  const of = (selector) => [...document.querySelectorAll(selector)];
  const parts = [".group.first .spot", ".rack-chip", ".act", "#clock", "#status", ".slot", "#time",
    "#staked", ".ways a", ".hand-head"];
  return parts.filter((part) => !of(part).length || !of(part).every((one) =>
    one.closest("#dock") ? one.getBoundingClientRect().bottom <= innerHeight : seen(one)));
}"""
"""The parts of the game that are not fully visible when the page opens."""


@pytest.mark.parametrize("size", [(360, 640), (568, 320), (740, 360)])
def test_a_phone_shows_cards_spots_chips_and_countdown_at_once(browser, house, size):
    with visiting(browser, house, size=size) as me:
        me.sits_down("open")
        assert me.page.evaluate(IN_SIGHT) == []
        assert overflow(me.page) == 0


def test_a_late_wager_is_refused_and_costs_nothing(browser, house):
    with visiting(browser, house, expected=REFUSED) as me:
        me.sits_down("calm")
        held = []
        me.page.route("**/wagers", lambda route: held.append(route))  # the line is slow
        while not held:
            me.until("open")
            me.spot("player").click()
            me.page.wait_for_timeout(300)
        me.page.wait_for_selector('#felt:not([data-phase="open"])')
        held[0].continue_()
        me.page.wait_for_selector("#refusal[data-code$='-closed'], #refusal[data-code$='-round']")
        assert me.page.locator(".stake").count() == 0
        assert me.asks("/api/me/balance")["real"] == 100_000


def test_players_with_bets_at_a_paused_table_see_it_and_can_withdraw(browser, house):
    with house.staff("pit") as pit, visiting(browser, house) as me:
        me.sits_down("open")
        me.puts("player")
        assert pit.post("/api/tables/open/pause", json={"reason": "a camera"}).is_success
        try:
            me.shows("#status", "The table is paused")
            assert me.text("#because").endswith("You can still take your bets back.")
            me.spot("tie").click()
            me.page.wait_for_selector('#refusal[data-code="table-paused"]')
            assert me.stake("player") == "£25"
            me.page.click("#clear")
            me.shows("#in-play", "£0.00")
        finally:
            assert pit.post("/api/tables/open/resume").is_success
        me.shows("#status", "Place your bets")


MAY_LEAVE = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"
"""Whether the house has answered every request of the page."""


def test_leaving_before_the_house_has_answered_asks_for_confirmation(browser, house):
    """Chips taken off on the page but not yet at the house would still be in play."""
    with visiting(browser, house) as me:
        me.sits_down("open")
        me.puts("player")
        asked, held = [], []
        me.page.on("dialog", lambda one: (asked.append(one.type), one.dismiss()))
        me.page.route("**/wagers", lambda route: held.append(route))  # the line is slow
        me.page.click("#clear")
        me.page.evaluate("void setTimeout(() => location.assign('/'))")
        me.page.wait_for_event("dialog")
        assert (asked, me.page.url[-12:]) == (["beforeunload"], "/tables/open")
        held[0].continue_()
        me.waits_for(MAY_LEAVE)
        assert me.asks("/api/tables/open/wagers")["wagers"] == []
        me.looks_at("/")
        assert asked == ["beforeunload"]


def test_two_browsers_at_one_table(browser, house):
    with visiting(browser, house) as ann, visiting(browser, house, size=PHONE) as bob:
        ann.sits_down("calm")
        bob.sits_down("calm")
        ann.puts("banker")
        bob.shows('[data-bet="banker"] .spot-all', "others £25")
        assert bob.page.locator(".stake").count() == 0
        ann.page.wait_for_selector(".net")
        assert bob.page.locator(".net").count() == 0
        show_the_same(ann, bob, "round", "cards", "totals", "beads", "commitment")


def test_cards_are_dealt_without_layout_shift_and_are_announced(browser, house):
    with visiting(browser, house) as me:
        me.sits_down("calm")
        me.watches_shifts()
        said = []
        me.page.expose_function("heard", lambda words: said.append(words))
        me.page.evaluate(
            """() => {
              const region = document.getElementById("announce");
              const hear = () => heard(region.textContent);
              new MutationObserver(hear).observe(region, { childList: true, subtree: true });
            }"""
        )
        me.puts("player")
        me.until("settled")
        me.until("open")
        assert me.shifted < 0.002  # of 0.1, which people notice
        heard = " ".join(said)
        assert "No more bets." in heard
        assert "Player: " in heard
        assert "Banker: " in heard
        assert "wins. Player" in heard or "Tie. Player" in heard


def test_nothing_reveals_a_card_that_is_still_face_down(browser, house):
    with visiting(browser, house) as me:
        me.sits_down("calm")
        me.page.evaluate(
            """() => {
              window.early = [];
              const moves = () => [...document.querySelectorAll(".slots .card")]
                .some((one) => one.getAnimations({ subtree: true }).length > 0);
              const look = (records) => {
                for (const { target } of records) if (moves()) window.early.push(target.id);
              };
              const parts = ["outcome", "total-player", "total-banker", "status"];
              for (const part of parts.map((id) => document.getElementById(id))) {
                new MutationObserver(look).observe(part, { childList: true });
              }
            }"""
        )
        me.until("open")
        me.page.wait_for_selector("#outcome .verdict")
        assert me.page.evaluate("window.early") == []


def test_reduced_motion_is_respected(browser, house):
    with visiting(browser, house, reduced_motion="reduce") as me:
        me.sits_down("calm")
        me.until("open")
        me.page.wait_for_selector(".slots .card")
        running = """document.querySelector(".felt").getAnimations({ subtree: true })
          .filter((one) => one.effect.getTiming().duration > 1).length"""
        assert me.page.evaluate(running) == 0


def test_a_dropped_connection_is_shown_and_nothing_is_lost(browser, house):
    with visiting(browser, house, expected=("WebSocket",)) as me:
        lines, held = [], []

        def pass_on(line):
            """The second connection is open for a while before it sends anything."""
            server = line.connect_to_server()
            lines.append(line)
            keep = len(lines) == 2
            server.on_message(lambda words: held.append(words) if keep else line.send(words))

        def one_more(route):
            reply = route.fetch().json()
            route.fulfill(json={**reply, "sequence": reply["sequence"] + 1})

        me.page.route_web_socket("**/events**", pass_on)
        me.sits_down("calm")
        me.puts("tie")
        me.page.route("**/roads", one_more)  # so that there is something to wait for
        lines[-1].close(code=1001)
        me.page.wait_for_selector(".line.lost:not([hidden])")
        me.shows("#line", "Reconnected. Catching up.")
        while not held:
            me.page.wait_for_timeout(50)
        lines[1].close(code=1001)  # the next connection sends what this one held back
        me.page.wait_for_selector(".line.back:not([hidden])")
        assert "You missed nothing" in me.text("#line")
        with visiting(browser, house) as other:
            other.page.context.add_cookies(me.page.context.cookies())
            other.looks_at("/tables/calm")
            show_the_same(me, other)


LINE = """
  window.said = [];
  addEventListener("DOMContentLoaded", () => {
    const line = document.getElementById("line");
    const look = () => line.hidden || window.said.push(...line.classList);
    if (line) new MutationObserver(look).observe(line, { attributes: true });
  });
"""
"""Records the connection status, which may be shown for only a quarter of a second."""


def test_a_silent_connection_is_noticed(browser, house):
    """The connection stays open, but events due by the table's clock do not arrive."""
    with visiting(browser, house) as me:
        lines = []

        def pass_on(line):
            server = line.connect_to_server()
            lines.append(line)
            dead = len(lines) == 1
            server.on_message(lambda words: None if dead else line.send(words))

        me.page.add_init_script(LINE)
        me.page.route_web_socket("**/events**", pass_on)
        me.sits_down("calm")
        me.waits_for("said.includes('lost')")
        me.waits_for("said.includes('back')")
        me.until("settled")
        assert len(lines) == 2


def test_after_a_gap_the_table_is_fetched_until_it_succeeds(browser, house):
    with visiting(browser, house, expected=("status of 503",)) as me:
        lines = []

        def lose_one(line):
            server = line.connect_to_server()
            lines.append(line)

            def on(message):
                lost = len(lines) == 1 and "BettingClosed" in message
                if not lost:
                    line.send(message)

            server.on_message(on)

        def away(route):
            route.fulfill(status=503, json={"code": "store-unavailable"})

        me.page.route_web_socket("**/events**", lose_one)
        me.page.route("**/api/tables/*", away, times=2)
        me.sits_down("calm")
        me.shows("#line", "Couldn't catch up yet. Trying again.")
        me.page.wait_for_selector(".line.back:not([hidden])")
        me.page.wait_for_selector('#felt[data-phase="settled"] .slot:nth-child(2) .card')


def test_a_session_that_has_ended_is_shown_as_such(browser, house):
    with visiting(browser, house, expected=("WebSocket", "status of 401")) as me:
        lines = []

        def pass_on(line):
            lines.append(line)
            line.connect_to_server()

        me.sits_down("open")
        me.page.context.clear_cookies()
        me.spot("player").click()
        me.shows(
            "#line",
            "Your session has ended. Sign in to bet. Sign in and return to this table",
        )
        assert accessibility(me.page) == []
        me.sits_down("open")
        token = me.asks("/api/session")["csrf_token"]
        me.page.request.delete("/api/session", headers={"X-CSRF-Token": token})  # another window
        me.page.wait_for_selector(".line.over")
        me.page.route_web_socket("**/events**", pass_on)
        me.sits_down("open")
        me.page.context.clear_cookies()
        lines[-1].close(code=1001)
        me.page.click("#line a")
        me.page.click("form#guest button")
        me.page.wait_for_url("**/tables/open")
        me.puts("player")


def test_visitors_see_why_guests_are_refused_and_nothing_flickers(browser, house):
    with visiting(browser, house, expected=("status of 429",)) as me:
        refusal = {"code": "rate-limited", "detail": "too many new accounts from this address"}
        me.page.route("**/api/guests", lambda it: it.fulfill(status=429, json=refusal), times=1)
        me.looks_at("/tables/open")
        me.page.evaluate("document.querySelector('#roads').firstElementChild.dataset.same = 'yes'")
        me.page.click("#guest")
        me.shows("#refusal", "Too many new accounts from this address")
        with me.page.expect_response("**/api/tables/*"):
            pass
        with me.page.expect_response("**/api/tables/*"):
            pass
        assert me.page.locator("#roads > [data-same]").count() == 1
        me.page.click("#guest")
        me.page.wait_for_selector("#rack")


def test_a_restarted_server_resumes_the_round(browser, tmp_path):
    plans = (TablePlan("open", "Open", settings_for(clock=OPEN), guests=True),)
    house = House("The house", "GBP", 100_000, plans)
    with served(tmp_path, house=house) as first:
        port = int(first.address.rpartition(":")[2])
        stack = visiting(browser, first, expected=("WebSocket", "ERR_CONNECTION", "Failed to load"))
        me = stack.__enter__()
        me.sits_down("open")
        me.puts("banker")
        me.shows("#in-play", "£25.00")
        before = standing(me)
    me.shows("#line", "The server is restarting. Your bets stand.")
    with served(tmp_path, house=house, port=port):
        me.page.wait_for_selector(".line.back:not([hidden])")
        assert standing(me) == before
        me.spot("banker").click()
        me.shows("#in-play", "£50.00")
        stack.__exit__(None, None, None)


def test_a_round_is_played_by_keyboard(browser, house):
    with visiting(browser, house) as me:
        me.looks_at("/")
        press = me.page.keyboard.press
        for _ in range(20):
            if me.page.evaluate("document.activeElement.id") == "guest":
                break
            press("Tab")
        press("Enter")
        me.page.wait_for_url("**/tables/*")
        me.looks_at("/tables/open")
        while me.page.evaluate("document.activeElement.dataset.bet") is None:
            press("Tab")
        press("1")
        press("Enter")
        first = me.page.evaluate("document.activeElement.dataset.bet")
        assert me.stake(first) == "£5"
        press("3")
        press("Space")
        assert me.stake(first) == "£105"
        press("Shift+U")
        assert me.stake(first) == "£5"
        press("e")
        assert me.page.locator("#prices[open] .price.asked").get_attribute("data-price") == first
        assert accessibility(me.page) == []
        press("Escape")
        assert me.page.evaluate("document.activeElement.dataset.bet") == first
        for key in ("d", "Enter"):  # held down, the key bets only once
            me.page.keyboard.down(key)
            me.page.keyboard.down(key)
            me.page.keyboard.up(key)
        assert me.stake(first) == "£110"
        press("Delete")
        assert me.page.locator(".stake").count() == 0
        seen = [first]  # Tab and arrows follow the spots from left to right
        for key in ("ArrowRight", "Tab"):
            press(key)
            seen.append(me.page.evaluate("document.activeElement.dataset.bet"))
        assert seen == ["player", "tie", "banker"]
        me.waits_for(MAY_LEAVE)
        left = [me.spot(bet).bounding_box()["x"] for bet in seen]
        assert left == sorted(left)
        me.page.evaluate("document.getElementById('single-keys').click()")
        me.looks_at("/tables/open")  # the choice is remembered
        assert not me.page.is_checked("#single-keys")
        me.spot(first).focus()
        for key in ("e", "3", "Enter"):
            press(key)
        assert me.page.locator("#prices[open]").count() == 0
        assert me.stake(first) == "£25"  # the default chip


def test_the_what_if_button_shows_the_next_road_entries_while_pressed(browser, house):
    with visiting(browser, house) as me:
        me.looks_at("/tables/open")
        banker, player = (me.page.locator(f".what-if.{side}") for side in ("banker", "player"))
        seen = me.page.locator(".would-be")
        banker.click()
        assert me.page.locator(".would-be .banker").count() == seen.count() == 2
        player.focus()  # the other one is released
        assert (seen.count(), banker.get_attribute("aria-pressed")) == (0, "false")
        me.page.keyboard.press("Space")
        assert me.page.locator(".would-be .player").count() == seen.count() == 2
        assert player.get_attribute("aria-pressed") == "true"
        assert accessibility(me.page) == []
        me.page.keyboard.press("Escape")
        assert seen.count() == 0
        me.looks_at("/tables/double")  # results arrive, and focus is kept
        banker.focus()
        me.page.keyboard.press("Space")
        coups = int(me.text(".counts .coups dd"))
        me.waits_for(f"Number(document.querySelector('.counts .coups dd').textContent) !== {coups}")
        assert me.page.evaluate("document.activeElement.dataset.winner") == "B"
        assert banker.get_attribute("aria-pressed") == "true"
        assert seen.count() >= 2


TONES = """
  window.tones = [];
  window.OscillatorNode = class extends OscillatorNode {
    constructor(audio, options) { super(audio, options); window.tones.push(options.frequency); }
  };
"""


def test_a_net_loss_never_looks_or_sounds_like_a_win(browser, house):
    """First a round where one bet wins less than the others lose, then a winning round."""
    with visiting(browser, house) as me:
        me.page.add_init_script(TONES)
        lines = []
        me.page.route_web_socket("**/events**", lambda line: lines.append(line))  # the test sends
        me.sits_down("open")
        sequence = me.page.evaluate("JSON.parse(island.textContent).view.sequence")
        number = int(me.text("#round"))
        wagers = [
            {"bet": "player", "stake": 5000, "net": -5000},
            {"bet": "tie", "stake": 500, "net": 4500},
        ]

        def settle(after: int) -> list[int]:
            """Send the end of the round to the page, and return the tones it plays."""
            settled = {"at": 0, "round": number, "results": [{"wagers": wagers}]}
            events = [{"sequence": after + 1, "type": "RoundSettled", **settled}]
            net = sum(wager["net"] for wager in wagers)
            mine = {"round": number, "wagers": [], "result": wagers, "net": net}
            frame = {"after": after, "through": after + 1, "hash": "", "events": events}
            frame["mine"] = {**mine, "corrected": 0, "reported": []}
            me.page.evaluate("tones.splice(0)")
            lines[-1].send(json.dumps(frame))
            me.page.wait_for_selector(".net.won" if wagers[0]["net"] > 0 else ".net.lost")
            if me.page.get_attribute("#sound", "aria-pressed") == "true":
                me.waits_for("tones.length > 0")
            return me.page.evaluate("tones")

        me.page.wait_for_timeout(100)
        assert settle(sequence) == []
        me.page.click("#sound")
        me.page.wait_for_timeout(300)
        (loss,) = settle(sequence + 1)
        assert me.text(".net") == "You: −£5.00"
        assert me.page.locator(".net.won").count() == 0
        assert me.spot("tie").locator(".spot-paid").inner_text() == "+£45.00"
        wagers[0]["net"] = 5000
        win = settle(sequence + 2)
        assert len(win) == 3
        assert loss < min(win)


def test_the_proof_of_a_card_is_verified_on_the_page(browser, house):
    with visiting(browser, house) as me:
        me.sits_down("calm")
        me.until("settled")
        me.page.click("#tab-proofs")
        me.page.click(".proof >> nth=0 >> text=Verify")
        me.shows(".verdict-text >> nth=0", "Proof is valid.")


def test_a_page_without_web_crypto_says_why_it_cannot_verify_or_contribute(browser, house):
    """As on a closed network over plain HTTP."""
    with visiting(browser, house) as me:
        me.page.add_init_script("delete Crypto.prototype.subtle")
        me.sits_down("shared")
        assert "https" in me.text("#contribute-why")
        assert me.page.is_disabled("#contribute")
        me.sits_down("calm")
        assert me.page.locator("#contribute").count() == 0  # this table takes no contributions
        me.until("settled")
        me.page.click("#tab-proofs")
        me.page.click(".proof >> nth=0 >> text=Verify")
        assert "https" in me.text(".verdict-text >> nth=0")


def test_a_player_contributes_randomness_to_the_shoe(browser, house):
    with visiting(browser, house, expected=REFUSED) as me:
        me.sits_down("shared")
        me.page.click("#tab-shoe")
        me.page.check("#contribute")
        me.shows("#contributions", "Randomness in this shoe from: Guest (you).")
        me.until("open")
        shoe = me.asks("/api/tables/shared")["shoe"]["shoe"]
        (mine,) = me.asks(f"/api/shoes/{shoe}")["contributions"]
        assert mine["secret"] is not None


BET = """
[[bet]]
id = "{group}-{n}"
name = "Banker wins with {n} or so"
short = "{n}"
group = "{group}"
order = {n}
lines = [{{ when = {{ winner = "banker", banker_total = {total} }}, pays = "25:1" }}]
"""
GROUPS = {"thirty": {"seven": 7, "eight": 8, "twelve": 12}, "crowd": {"crowd": 27}}
"""Possible rule cards: thirty bets, in groups of every shape."""
CROWDED = """() => {
  const spots = [...document.querySelectorAll(".spot")];
  const found = [];
  spots.forEach((one, place) => {
    const a = one.getBoundingClientRect();
    if (Math.min(a.width, a.height) < 44) found.push(`${one.dataset.bet}: ${a.width}, ${a.height}`);
    const name = one.querySelector(".spot-name");
    if (name.scrollWidth > a.width) found.push(`${one.dataset.bet} is cut`);
    for (const other of spots.slice(place + 1)) {
      const b = other.getBoundingClientRect();
      const x = Math.abs(a.left + a.right - b.left - b.right) / 2;
      const y = Math.abs(a.top + a.bottom - b.top - b.bottom) / 2;
      const [wide, high] = [(a.width + b.width) / 2 - 1, (a.height + b.height) / 2 - 1];
      const round = getComputedStyle(one).borderRadius === "50%"; // on phones, a ring is a grid
      const circles = round && one.parentElement === other.parentElement;
      const apart = circles ? Math.hypot(x, y) >= wide : x >= wide || y >= high;
      if (!apart) found.push(`${one.dataset.bet} lies on ${other.dataset.bet}`);
    }
  });
  return found;
}"""


def test_the_layout_of_any_card_has_room_for_every_bet(browser, tmp_path):
    base = (ROOT / "examples" / "rule-cards" / "long-shots.toml").read_text()
    base = base[: base.index('[[bet]]\nid = "', base.index('id = "tie"'))]
    plans = []
    for card, groups in GROUPS.items():
        bets = [
            BET.format(group=group, n=n, total=n % 9 + 1)
            for group, count in groups.items()
            for n in range(count)
        ]
        path = tmp_path / f"{card}.toml"
        path.write_text(base.replace('id = "long-shots"', f'id = "{card}"') + "".join(bets))
        settings = Settings(rules_text(str(path)), clock=OPEN)
        plans.append(TablePlan(card, card, settings, guests=True))
    plans.append(TablePlan("double", "Double", settings_for("double-chance", clock=OPEN), True))
    house = House("The house", "GBP", 100_000, tuple(plans))
    with served(tmp_path, house=house) as running, visiting(browser, running) as me:
        me.page.request.post("/api/guests")
        for plan in plans:
            me.looks_at(f"/tables/{plan.id}")
            for width in (360, 768, 1280, 2560):
                me.page.set_viewport_size({"width": width, "height": 900})
                assert (me.page.evaluate(CROWDED), overflow(me.page)) == ([], 0), (plan.id, width)


@pytest.mark.requirement("R24")
def test_r24_agreed_terms_are_shown_on_the_spots_with_their_edge(browser, house):
    agreed = {"values": {"double_chance": "5%"}}
    with visiting(browser, house, expected=REFUSED) as me, house.staff("pit") as pit:
        me.sits_down("double")
        before = me.text('[data-bet="banker"] .spot-edge')
        who = me.page.evaluate("JSON.parse(island.textContent).session.account")
        offer = f"/api/tables/double/agreements/{who}"
        assert pit.post(offer, json=agreed).is_success
        me.page.click("#terms-confirm")
        me.shows('[data-bet="banker"] .spot-agreed', "agreed with you: double chance 5%")
        edge = analyse(load("double-chance").game(decks="1", double_chance="5%"))["banker"].edge
        after = me.text('[data-bet="banker"] .spot-edge')
        assert after == f"house edge {percent_string(edge, 2)}" != before
        me.page.click("#tab-figures")
        me.page.click("[data-prices='banker']")
        exact = me.page.locator("[data-price='banker'] code").inner_text()
        assert exact == ratio(edge)
        assert me.page.locator(".spot-agreed").count() == 2
        assert (accessibility(me.page), overflow(me.page)) == ([], 0)


@pytest.mark.parametrize(
    ("size", "themes"),
    [(DESK, ("light", "dark")), (PHONE, ("dark",)), (WALL, ())],
    ids=str,
)
def test_pages_are_accessible_and_fit(browser, house, size, themes):
    """A wall display shows the desktop layout, only larger, so only its fit is checked."""
    with visiting(browser, house, size=size, expected=("status of 404",)) as me:

        def check(path):
            for theme in themes:
                me.page.emulate_media(color_scheme=theme)
                assert accessibility(me.page) == [], (path, theme)
            assert overflow(me.page) <= 0, path

        for path in ("/", "/tables/open", "/nowhere"):
            me.page.goto(path)
            check(path)
        me.sits_down("open")
        me.spot("player").click()
        check("wagering")
        me.page.click(".act[data-prices]")
        assert "£25.00 on every round" in me.text("[data-price='player'] .price-hour")
        check("prices")
        me.page.click("#prices-close")
        me.looks_at("/tables/calm")
        me.until("settled")
        check("settled")
