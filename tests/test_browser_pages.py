"""Pages to read and to fill in, in a real browser: what they say, and who can use them."""

import json
from pathlib import Path

import pytest

from baccarat import verifier
from browser import DESK, PHONE, WALL, accessibility, chromium, opened, overflow
from documented import ROOT
from served import served
from test_verifier import GOOD, SHOE, TEXT, changed, changes, one_of_each

VERIFY = """async (cases) => {
  const {verifyShoe} = await import('/static/any/verify.js');
  return Promise.all(cases.map(async (one) => (await verifyShoe(...one)).state));
}"""
EXAMPLE = Path(ROOT, "examples/shoes/one-deck.json")


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house")) as running:
        yield running


# ---- every page --------------------------------------------------------------------------------

PAGES = ("/verify",)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_for_everybody(browser, house, path):
    """No violation that axe-core knows, in both themes; nothing wider than the window."""
    for theme, sizes in (("light", (PHONE, DESK, WALL)), ("dark", (DESK,))):
        with opened(browser, house.address, color_scheme=theme) as page:
            page.goto(path, wait_until="networkidle")
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                assert overflow(page) <= 0, f"{path} at {width}"
            assert accessibility(page) == []


# ---- the verifier ------------------------------------------------------------------------------


def state_of(text: str, commitment: str | None) -> str:
    """What `baccarat verify` says."""
    try:
        verdict = verifier.verify(verifier.parse(text.encode()), commitment=commitment)
    except verifier.Unreadable:
        return "unreadable"
    return "faulty" if verdict.faults else "good"


def cases() -> list[tuple[str, str | None]]:
    """A good shoe, every kind of change to it, and what is no shoe at all."""
    found: list[tuple[str, str | None]] = [
        (TEXT, None),
        (TEXT, SHOE.commitment.hex()),
        (TEXT, "00" * 32),
        (EXAMPLE.read_text(), None),
        (json.dumps({**GOOD, "ended": None, "reveal": None}), None),
        *((text, None) for text in ("", "7", "{}", "[" * 1000, TEXT + "x", f"\ufeff{TEXT}")),
        (TEXT.replace('"version": 1', '"version": 1, "version": 1'), None),
        (TEXT.replace("player 0", "player \\ud800"), None),
    ]
    for paths in one_of_each().values():
        for path in dict.fromkeys(paths):
            value = GOOD
            for part in path:
                value = value[part]
            found += [
                (json.dumps(changed(path, other)), None)
                for other in changes(value)
                if not (type(other) is type(value) and other == value)
            ]
    return found


def test_the_browser_says_of_every_shoe_what_the_command_says(browser, house):
    """`verify.js` was written from docs/fairness.md alone: two programs, one verdict."""
    every = cases()
    assert len(every) > 400
    with opened(browser, house.address) as page:
        page.goto("/verify")
        told = page.evaluate(VERIFY, every)
    expected = [state_of(*one) for one in every]
    assert {"good", "faulty", "unreadable"} <= set(expected)
    wrong = [
        (text[:80], says)
        for (text, _), says, is_ in zip(every, told, expected, strict=True)
        if says != is_
    ]
    assert wrong == []


def test_one_card_is_proven_alone(browser, house):
    card = GOOD["coups"][0]["cards"][0]
    right = {**card, "root": GOOD["root"], "size": 52}
    wrong = [
        {**right, "position": (card["position"] + 1) % 52},
        {**right, "card": "Kh" if card["card"] != "Kh" else "Kd"},
        {**right, "proof": card["proof"][:-1]},
        {**right, "root": "00" * 32},
    ]
    with opened(browser, house.address) as page:
        page.goto("/verify")
        told = page.evaluate(
            "async (all) => {const {verifyCard} = await import('/static/any/verify.js');"
            "return Promise.all(all.map(verifyCard));}",
            [right, *wrong],
        )
    assert told == [True, False, False, False, False]


def test_a_visitor_checks_a_shoe_of_the_house_and_a_file(browser, house, tmp_path):
    with opened(browser, house.address) as page:
        page.goto("/verify?table=fast")
        page.click("#check")
        page.wait_for_selector(".step")
        assert "Nothing is wrong" in page.inner_text("#verdict")
        assert page.locator(".step.is-fault").count() == 0
        page.fill("#commitment", GOOD["commitment"])
        good = tmp_path / "good.json"
        good.write_text(TEXT)
        page.set_input_files("#file", good)
        page.wait_for_selector(".verdict.is-holds")
        assert page.locator(".step.is-holds").count() == page.locator(".step").count()
        page.click("summary")
        page.fill("#text", json.dumps({**GOOD, "burned": GOOD["burned"] + 1}))
        page.click("#check")
        page.wait_for_selector(".step.is-fault")
        assert "cards were burned, where the rule takes" in page.inner_text(".step.is-fault")
        assert accessibility(page) == []
