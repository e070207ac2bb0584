"""Rules as text: complete for every card."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

import baccarat
from baccarat.analysis.audit import Verdict
from baccarat.core.facts import FACTS, CountTest
from baccarat.core.facts import Test as FactTest
from baccarat.core.hand_facts.measures import CARD_NAMES, PLACES
from baccarat.core.printed import NoteKind, Procedures
from baccarat.loader import built_in_cards, check_text, load
from baccarat.loader.files import find
from baccarat.wording.catalogue import catalogue
from baccarat.wording.rules import (
    bet_in_words,
    condition_in_words,
    overlapping,
    rules_in_words,
    source_in_words,
)
from support.documented import ROOT

EXAMPLES = sorted((ROOT / "examples" / "rule-cards").glob("*.toml"))
FIRST = "If several lines of a bet apply, only the first one counts."


def section(card, key, **readings) -> tuple[str, ...]:
    game = load(card).game(readings=readings)
    return next(part.lines for part in rules_in_words(game) if part.key == key)


@pytest.mark.requirement("R22")
def test_the_order_of_overlapping_payout_lines_is_stated():
    game = load("no-commission").game()
    assert overlapping(game.bet("banker"), game) == (False, True, False)
    assert bet_in_words(game.bet("banker"), game) == (
        "Banker pays 1:2 when Banker wins and Banker's total is 6; otherwise pays 1:1 when Banker "
        "wins; returns the stake when the hands tie."
    )
    assert section("no-commission", "bets")[-1] == FIRST


@pytest.mark.parametrize("card", [*built_in_cards(), *EXAMPLES], ids=str)
def test_no_order_is_stated_if_payout_lines_never_overlap(card):
    """Lines overlap if some coup satisfies two of them."""
    game = load(card).game()
    meet = [bet for bet in game.bets if any(overlapping(bet, game))]
    assert (FIRST in section(card, "bets")) == bool(meet)
    for bet in game.bets:
        assert ("otherwise" in bet_in_words(bet, game)) == (bet in meet)
    if card in ("online", "commission", "double-chance", "punto-banco"):
        assert meet == []


@pytest.mark.requirement("R01", "R02", "R05", "R12", "R13")
@pytest.mark.parametrize("card", built_in_cards())
def test_the_text_on_dealing_names_the_opponent_and_the_order_of_settlement(card):
    lines = section(card, "deal")
    against, wagers, _, choice, *_, order = lines
    assert "against the house" in against
    assert wagers == (
        "Bets are placed before the first card and are for one round. After the first card, bets "
        "can't be placed, changed or taken back."
    )
    assert choice == (
        "A hand has two or three cards. The rules decide whether it draws a third one; there is "
        "nothing to choose."
    )
    assert order.index("announced") < order.index("collected") < order.index("paid")


@pytest.mark.requirement("R24")
def test_r24_a_winning_stake_is_returned_with_the_winnings():
    words = (
        "A winning bet is returned together with the winnings. "
        "In every case not listed, the bet loses."
    )
    assert words in section("double-chance", "bets")


@pytest.mark.requirement("R27", "R28", "R29", "R32", "R34")
def test_betting_rules_with_exclusions():
    lines = section("double-chance", "wagering")
    assert lines[2:] == (
        "Bets on Player must be multiples of £0.50.",
        "Bets on Banker must be multiples of £1.00.",
        "Partners' bets are added together and can't go over the maximum.",
        "You can't bet on both Player and Banker in the same round.",
        "You can combine any other bets.",
        "To bet on UR WAY 0 to 9, you must also bet on Banker, Player or Tie.",
        "You can bet on Player, Banker, Tie or Three giving eight alone.",
    )


@pytest.mark.requirement("R33", "A12")
def test_betting_rules_without_exclusions_and_under_another_reading():
    both = "You can combine any bets in one round, even bets on opposite hands."
    assert section("fortune-six", "wagering")[-2:] == (
        both,
        "You can place any bet alone.",
    )
    assert section("fortune-six", "wagering", A12="needs-main")[-3:] == (
        both,
        "To bet on Player pair, Banker pair or Fortune Six, you must also bet on Player or Banker.",
        "You can bet on Player, Banker or Tie alone.",
    )


PREFIXES = ("phrase-", "rule-", "poster-", "letter-", "report-")


def test_every_message_about_rules_and_posters_is_used():
    """Also messages whose ids are put together from a prefix and a name."""
    package = Path(baccarat.__file__).parent
    files = [
        *(package / "poster").rglob("*.*"),
        *(
            package / name
            for name in (
                *("wording/rules.py", "wording/catalogue.py", "web/views/layout.py"),
                *("cli/audit.py", "web/pages/templates/audit.html"),
            )
        ),
    ]
    source = "\n".join(
        path.read_text("utf-8") for path in files if path.parent.name != "__pycache__"
    )
    starts = set(re.findall(r'"([a-z_]+-(?:[a-z]+[-_])?)(?:\{|" \+)', source))
    assert {"phrase-", "rule-", "rule-title-", "report-verdict-", "report-gift_"} <= starts
    names = {
        *(field.name for field in fields(Procedures)),
        *(verdict.name.lower() for verdict in Verdict),
        *NoteKind,
        *(f"{winner}-wins" for winner in FACTS["winner"].values),
        *(f"{fact}{end}" for fact in FACTS for end in ("", "-not", "-none")),
        *(f"count-{place}" for place in PLACES),
        *CARD_NAMES,
        *("resolved", "open"),
        *("region", "casino", "game"),
    }

    def is_used(key: str) -> bool:
        rests = (key.removeprefix(start) for start in starts if key.startswith(start))
        return f'"{key}"' in source or any(rest in names or f'"{rest}"' in source for rest in rests)

    about = [key for key in catalogue() if key.startswith(PREFIXES)]
    assert len(about) > 100
    assert [key for key in about if not is_used(key)] == []
    asked = set(re.findall(r'\bt\(\s*"([a-z]+-[a-z_-]*[a-z])"', source))
    assert [key for key in asked if key not in catalogue()] == []


@pytest.mark.parametrize(
    ("rounding", "words"),
    [
        ("down", "Payouts that are not whole coins are rounded down."),
        ("half-up", "Payouts are rounded to the nearest coin, and half a coin is rounded up."),
    ],
)
def test_the_rounding_of_payouts_is_stated(rounding, words):
    text = find("online").read_text(encoding="utf-8")
    old = 'maximum = "500.00"'
    text = text.replace(old, f'{old}\nrounding = "{rounding}"')
    game = check_text(text, name="x").draft.card().game()
    assert words in next(part.lines for part in rules_in_words(game) if part.key == "wagering")


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (FactTest("player_suits", frozenset({1})), "Player's hand is suited"),
        (FactTest("coup_sum", frozenset({10, 11, 12})), "the points of the coup add up to 10–12"),
        (
            FactTest("banker_consecutive", frozenset({False})),
            "the ranks of Banker's hand are not consecutive",
        ),
        (
            CountTest(("J", "Q", "K"), "coup", frozenset({6})),
            "the number of jacks, queens or kings in the coup is 6",
        ),
        (
            CountTest(("K",), "coup", frozenset({4, 5, 6})),
            "the number of kings in the coup is at least 4",
        ),
        (
            CountTest(("spades",), "player", frozenset({0})),
            "there are no spades in Player's hand",
        ),
        (
            CountTest(("9d", "hearts", "black"), "player_third", frozenset({0})),
            "Player's third card, if any, is not one of the 9♦, hearts or black cards",
        ),
        (
            CountTest(("J", "Q", "K"), "banker_third", frozenset({1})),
            "Banker's third card is one of the jacks, queens or kings",
        ),
        (FactTest("coup_colours", frozenset({1})), "all cards of the coup have the same colour"),
        (FactTest("start_ranks", frozenset({1})), "the first four cards have the same rank"),
        (
            FactTest("start_ranks", frozenset({2})),
            "the number of ranks in the first four cards is 2",
        ),
    ],
)
def test_conditions_on_cards_in_words(condition, words):
    assert condition_in_words(condition) == words


def test_every_fact_can_be_put_into_words():
    for fact in FACTS.values():
        for value in fact.values:
            assert condition_in_words(FactTest(fact.name, frozenset({value})))
    for place in PLACES:
        assert condition_in_words(CountTest(("red",), place, frozenset({0, 1})))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (load("punto-banco").source, "casino poster 004"),
        ("published odds of Lucky 6", "published odds of Lucky 6"),
        ("2026_rules.txt", "2026_rules.txt"),
    ],
)
def test_a_poster_is_named_by_its_number_and_any_other_source_as_written(source, words):
    assert source_in_words(source, catalogue()) == words
