"""The minimum and maximum of every bet (R35): on the felt, at the console, and enforced."""

import secrets

import pytest

from baccarat.core.money import parse_coins
from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.shoe.commitment import Source
from baccarat.table.settings import StakeLimits
from support.browser import DESK, PHONE
from support.live import settings_for
from support.served import OPEN, served
from support.visits import visiting

LIMITS = StakeLimits(minimum=511, maximum=99_990, coup_maximum=80_051)
"""Not multiples of Banker's step; no maximum exceeds that of the whole coup."""
SOLD = settings_for("punto-banco-2000", clock=OPEN, limits=LIMITS)
REAL = settings_for("punto-banco-2000", source=Source.CARDS, limits=LIMITS)
HOUSE = House(
    "The house",
    "GBP",
    100_000,
    (
        TablePlan("felt", "Felt", SOLD, guests=True),
        TablePlan("real", "Real", REAL, guests=False),
    ),
)
BETS = 14
COVERED = """(spot) => {
  const part = (name) => spot.querySelector(`.spot-${name}`);
  const box = (element) => element.getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(part("limits"));
  const here = box(words);
  const others = ["chips", "all", "paid"].map(part).flatMap((one) => [one, ...one.children]);
  const overlaps = ({ left, right, top, bottom, width }) => width > 0 && left < here.right &&
    right > here.left && top < here.bottom - 1 && bottom > here.top + 1;
  return here.width === 0 || here.height < 8 || others.map(box).some(overlaps);
}"""
"""Return whether a spot hides its limits or covers them with chips, stakes or payouts."""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("limits"), house=HOUSE) as running:
        yield running


def stakes(words: str) -> tuple[int, int]:
    least, most = words.replace("£", "").replace(",", "").split("–")
    return parse_coins(least), parse_coins(most)


@pytest.mark.requirement("R35")
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_r35_every_spot_shows_its_minimum_and_maximum_with_and_without_chips(browser, house, size):
    with visiting(browser, house, size=size, expected=("status of 422",)) as me:
        me.sits_down("felt")
        me.until("open")
        spots = me.page.locator(".spot")
        assert spots.count() == BETS
        view = me.asks("/api/tables/felt")["layout"]["groups"]
        sent = {bet["id"]: (bet["minimum"], bet["maximum"]) for one in view for bet in one["bets"]}
        for stage in ("empty", "with chips"):
            for spot in spots.all():
                bet = spot.get_attribute("data-bet")
                words = spot.locator(".spot-limits")
                together = me.page.locator(f'.ring:has([data-bet="{bet}"]) .ring-limits')
                if together.count() and together.is_visible():  # the same limits for the whole ring
                    words = together
                else:
                    assert not spot.evaluate(COVERED), (bet, stage)
                shown = stakes(words.inner_text().removesuffix(" on each"))
                assert shown == sent[bet]
            for bet in [one for one in sent if one != "banker"]:
                me.spot(bet).press("Enter")
        assert me.page.locator(".spot .stake").count() == BETS - 1


@pytest.mark.requirement("R35")
def test_r35_the_limits_shown_on_felt_and_console_are_enforced(browser, house):
    with (
        visiting(browser, house) as me,
        house.staff("dealer") as dealer,
        house.player("lim", 10_000_000) as player,
        visiting(browser, house) as console,
    ):
        me.sits_down("felt")
        console.uses_session_of(dealer)
        console.looks_at("/dealer/real")
        view = player.get("/api/tables/felt").json()
        bets = {bet["id"]: bet for group in view["layout"]["groups"] for bet in group["bets"]}

        def taken(bet: str, stake: int) -> bool:
            """Place a bet, adding the smallest one on Tie if another bet is required."""
            beside = [("tie", bets["tie"]["minimum"])] if bets[bet]["requires"] else []
            wagers = [{"bet": one, "stake": coins} for one, coins in [(bet, stake), *beside]]
            body = {"round": view["round"], "wagers": wagers}
            key = {"Idempotency-Key": secrets.token_hex(8)}
            answer = player.put("/api/tables/felt/wagers", json=body, headers=key)
            assert answer.status_code in (200, 422), answer.text
            return answer.is_success

        assert len(bets) == BETS
        for bet, about in bets.items():
            least, most = stakes(me.spot(bet).locator(".spot-limits").inner_text())
            assert stakes(console.text(f'[data-limits="{bet}"] b')) == (least, most)
            step = about["step"]
            tried = [taken(bet, stake) for stake in (least, least - step, most, most + step)]
            assert tried == [True, False, True, False], bet
