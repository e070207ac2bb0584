"""The table's layout in a real browser: what is in sight at each size, tabs, phones."""

from dataclasses import replace

import pytest

from baccarat.house.housefile import default_house
from baccarat.loader import built_in_cards, load
from support.browser import accessibility, overflow
from support.samples import sample
from support.served import OPEN, served
from support.visits import visiting

BUILT_IN = default_house()
HOUSE = replace(
    BUILT_IN,
    tables=tuple(
        replace(plan, settings=replace(plan.settings, clock=OPEN)) for plan in BUILT_IN.tables
    ),
)
DESKTOPS = [(1280, 720), (1280, 800), (1920, 1080)]
PHONE, SMALL, LANDSCAPE = (390, 844), (360, 640), (844, 390)
THEMES = ("light", "dark")
GAMES = sorted(built_in_cards(), key=lambda card: -len(load(card).bets))
"""The built-in games, those with the most bets first."""
AUDITED = sample("GAMES", GAMES)
"""The games whose pages are also checked with axe-core."""
ROADS = ["bead-plate", "big-road", "big-eye-boy", "small-road", "cockroach-pig"]
IN_REACH = [".slot", ".spot", ".rack-chip", ".act:not(#deal-now)"]
"""On phones, "Deal now" takes the place of another button once it can be pressed."""
IN_SIGHT = [".slot", ".spot", ".rack-chip", ".act", "#purse", "#last", "#clock", "#panel-tabs"]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("layout"), house=HOUSE) as running:
        yield running


OUT_OF_SIGHT = """(selectors) => {
  const dock = document.getElementById("dock").getBoundingClientRect();
  const felt = document.getElementById("felt");
  return selectors.filter((selector) => {
    const found = [...document.querySelectorAll(selector)];
    return !found.length || !found.every((one) => {
      const { top, bottom, left, right, width } = one.getBoundingClientRect();
      const beside = left >= dock.right || right <= dock.left;
      const covered = felt.contains(one) && bottom > dock.top + 1 && !beside;
      const inside = top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
      return width > 0 && inside && !covered;
    });
  });
}"""
"""Selectors of elements that are outside the window or under the dock, without scrolling."""

CUT = """() => [...document.querySelectorAll(".room *:not(svg *)")].filter((one) => {
  const style = getComputedStyle(one);
  const hides = style.overflowX === "hidden" && style.textOverflow !== "ellipsis";
  return hides && !one.matches(".sr, .act span") && one.checkVisibility()
    && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 4);
}).map((one) => one.dataset.bet ?? (one.id || one.className))"""
"""Elements whose content is cut off."""


@pytest.mark.parametrize("game", GAMES)
def test_a_desktop_shows_cards_bets_dock_and_all_roads_without_scrolling(browser, house, game):
    with visiting(browser, house, size=DESKTOPS[0]) as me:
        me.sits_down(game)
        me.until("open")
        roads = [f"#roads .road.{name}" for name in ROADS]
        for width, height in DESKTOPS:
            me.page.set_viewport_size({"width": width, "height": height})
            assert me.page.evaluate(OUT_OF_SIGHT, IN_SIGHT + roads) == [], (width, height)
            assert (me.page.evaluate(CUT), overflow(me.page)) == ([], 0), (width, height)
        for theme in THEMES:
            me.page.emulate_media(color_scheme=theme)
            assert me.page.evaluate(OUT_OF_SIGHT, IN_SIGHT + roads) == [], theme
            assert game not in AUDITED or accessibility(me.page) == [], theme


@pytest.mark.parametrize("game", GAMES)
def test_phones_fit_every_game_with_a_big_road_above_the_dock(browser, house, game):
    with visiting(browser, house, size=PHONE, has_touch=True, is_mobile=True) as me:
        me.sits_down(game)
        me.until("open")
        for width, height in (PHONE, SMALL, LANDSCAPE):
            me.page.set_viewport_size({"width": width, "height": height})
            me.page.evaluate("document.getElementById('felt').scrollIntoView()")
            for theme in THEMES:
                me.page.emulate_media(color_scheme=theme)
                fits = (me.page.evaluate(CUT), overflow(me.page))
                assert fits == ([], 0), (width, height, theme)
                assert me.page.evaluate(OUT_OF_SIGHT, IN_REACH) == [], (width, height, theme)
                assert game not in AUDITED or accessibility(me.page) == [], (width, height, theme)
            strip = me.page.locator("#strip .road")
            if height < width:
                assert not strip.is_visible()
                continue
            shown, rack = strip.bounding_box(), me.page.locator("#rack").bounding_box()
            assert shown["width"] > width * 0.9
            assert shown["height"] >= 40
            assert shown["y"] + shown["height"] <= rack["y"] + 1


def test_figures_shoe_and_proofs_are_in_tabs(browser, house):
    with visiting(browser, house, size=DESKTOPS[0]) as me:
        me.sits_down("punto-banco")
        tabs, panels = me.page.locator("[role=tab]"), me.page.locator("[role=tabpanel]:visible")
        assert tabs.all_inner_texts() == ["Figures", "Shoe", "Proofs", "Options"]
        seen = []
        for place in range(4):
            tabs.nth(place).click()
            assert panels.count() == 1
            assert overflow(me.page) == 0
            seen.append(panels.get_attribute("id"))
        assert seen == ["panel-figures", "panel-shoe", "panel-proofs", "panel-options"]
        me.page.keyboard.press("ArrowRight")
        assert me.page.evaluate("document.activeElement.id") == "tab-figures"
        me.page.keyboard.press("ArrowLeft")
        me.page.keyboard.press("Home")
        assert panels.get_attribute("id") == "panel-figures"
        assert me.page.locator("[role=tab][tabindex='-1']").count() == 3
