"""A dispute in the player's own words, in a real browser: answered, listed, replayed, resolved."""

import pytest

from support.browser import PHONE, accessibility, opened, overflow, use_session
from support.disputes import FRAGMENT, lose_a_round
from support.served import HOUSE, served


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with served(tmp_path_factory.mktemp("house"), house=HOUSE) as running:
        yield running


def does(page, form: str, button: str | None = None) -> None:
    """Submit a form and wait until the page has reloaded."""
    with page.expect_navigation():
        found = page.locator(form)
        (found.get_by_role("button", name=button) if button else found.locator("button")).click()
    page.wait_for_selector("html[data-ready]")


def disputes(page, number: int, words: str) -> str:
    """Dispute a round on its page; return the id of its part of the pit's page."""
    page.goto(f"/history/fast/{number}")
    page.fill("#dispute-reason", words)
    assert (accessibility(page), overflow(page)) == ([], 0)
    page.click("#dispute-form button")
    page.wait_for_selector('#dispute[data-state="open"]')
    return f"#dispute-fast-{number}-ann"


def lists(first, second, matter: str) -> None:
    """List a dispute with readings: the second person sees them and confirms."""
    first.click(f"{matter} details:has(.listing) summary")
    first.fill(f"{matter} .listing [name=question]", "Is a Player bet kept?")
    first.fill(f"{matter} .listing [name=fragment]", FRAGMENT)
    does(first, f"{matter} .listing")
    assert "A second person must confirm" in first.inner_text(matter)
    assert first.locator(f"{matter} .listing").count() == 0
    second.goto("/pit/decisions")
    asked = 'article:has(form[data-send$="/ambiguity"]):has(pre)'
    assert "It is returned." in second.inner_text(asked)
    assert (accessibility(second), overflow(second)) == ([], 0)
    does(second, f"{asked} form", "Confirm")
    first.goto("/pit/decisions")


@pytest.mark.requirement("R46", "G38")
def test_r46_an_ambiguity_listed_by_mistake_is_withdrawn_and_the_player_sees_why(browser, tmp_path):
    with (
        served(tmp_path, house=HOUSE) as house,
        house.player("ann", 50_000_000) as ann,
        house.staff("pit") as pit,
        house.colleague("boss") as boss,
        opened(browser, house.address, size=PHONE) as mine,
        opened(browser, house.address, size=PHONE) as first,
        opened(browser, house.address) as second,
    ):
        for page, client in ((mine, ann), (first, pit), (second, boss)):
            use_session(page, client)
        number = lose_a_round(ann)
        matter = disputes(mine, number, "The sign says that it is returned")
        first.goto("/pit/decisions")
        lists(first, second, matter)
        first.click("#listed-L1 details:has(.withdrawing) summary")
        first.fill("#listed-L1 .withdrawing [name=reason]", "There is no such sign.")
        does(first, "#listed-L1 .withdrawing")
        assert "Proposed: withdraw it" in first.inner_text("#listed-L1")
        assert (accessibility(first), overflow(first)) == ([], 0)
        second.goto("/pit/decisions")
        does(second, "form[data-proposal][data-send$='L1/withdrawal']", "Confirm")
        assert "There is no such sign." in second.inner_text("#listed-L1")
        assert second.locator("#listed-L1 form").count() == 0
        assert "until it was withdrawn" in second.inner_text(matter)
        mine.goto(f"/history/fast/{number}")
        assert "There is no such sign." in mine.inner_text("#dispute-withdrawn-L1")
        assert (accessibility(mine), overflow(mine)) == ([], 0)


@pytest.mark.requirement("R46", "G38")
def test_r46_any_round_is_disputed_answered_listed_and_resolved(browser, house):
    with (
        house.player("ann", 50_000_000) as ann,
        house.staff("pit") as pit,
        house.colleague("boss") as boss,
        opened(browser, house.address, size=PHONE) as mine,
        opened(browser, house.address, size=PHONE) as first,
        opened(browser, house.address) as second,
    ):
        for page, client in ((mine, ann), (first, pit), (second, boss)):
            use_session(page, client)
        # Answered in text by one person.
        matter = disputes(mine, lose_a_round(ann), "The dealer promised me a free bet")
        first.goto("/pit/decisions")
        assert "promised me a free bet" in first.inner_text(matter)
        assert first.locator(f"{matter} .deciding").count() == 0  # there is nothing to replay
        first.fill(f"{matter} .answering textarea", "Nobody promised that.")
        assert (accessibility(first), overflow(first)) == ([], 0)
        does(first, f"{matter} .answering")
        assert first.locator(matter).count() == 0
        mine.reload()
        assert "Nobody promised that." in mine.inner_text("#dispute-decision")
        # Paid by two people, who see the same words.
        matter = disputes(mine, lose_a_round(ann), "I want my stake back")
        first.goto("/pit/decisions")
        first.fill(f"{matter} .answering textarea", "We are sorry.")
        first.fill(f"{matter} .answering [name=amount]", "7.50")
        does(first, f"{matter} .answering")
        assert "Another person must confirm it" in first.inner_text(matter)
        second.goto("/pit/decisions")
        assert "£7.50" in second.inner_text(matter)
        does(second, f"{matter} .answering", "Confirm")
        mine.goto("/history/disputes")
        assert "£7.50" in mine.inner_text("#disputes")
        assert "We are sorry." in mine.inner_text("#disputes")
        assert (accessibility(mine), overflow(mine)) == ([], 0)
        # Listed with readings, paid by replay, resolved by two people.
        matter = disputes(mine, lose_a_round(ann), "The sign says that it is returned")
        first.goto("/pit/decisions")
        lists(first, second, matter)
        assert "Is a Player bet kept?" in first.inner_text("#listed-L1")
        assert "Listed by the-pit, boss" in first.inner_text("#listed-L1")
        assert (accessibility(first), overflow(first)) == ([], 0)
        first.fill(f"{matter} .deciding [name=reason]", "It was not clear.")
        does(first, f"{matter} .deciding")
        assert "Another person must confirm it" in first.inner_text(matter)
        second.goto("/pit/decisions")
        second.fill(f"{matter} .deciding [name=reason]", "It was not clear.")
        does(second, f"{matter} .deciding", "Confirm")
        mine.goto("/history/disputes")
        assert "£20.00" in mine.inner_text("#disputes")
        number = lose_a_round(ann)
        mine.goto(f"/history/fast/{number}")
        mine.select_option("#dispute-cites", "L1")
        first.fill("#listed-L1 .resolving [name=reason]", "The sign is new.")
        does(first, "#listed-L1 .resolving")
        second.goto("/pit/decisions")
        does(second, "form[data-proposal][data-send$='L1/resolution']", "Confirm")
        assert "The sign is new." in second.inner_text("#listed-L1")
        assert second.locator("#listed-L1 .resolving").count() == 0
