"""Rules in words: what a card means is said, and only that."""

import pytest

from baccarat.core.words import bet_in_words, overlapping, rules_in_words
from baccarat.loader import built_in_cards, load
from documented import ROOT

EXAMPLES = sorted((ROOT / "examples" / "rule-cards").glob("*.toml"))
FIRST = "Where several lines of a bet apply, only the first of them counts."


def section(card, key, **readings) -> tuple[str, ...]:
    game = load(card).game({}, readings)
    return next(part.lines for part in rules_in_words(game) if part.key == key)


@pytest.mark.requirement("R22")
def test_the_line_that_counts_is_named_where_lines_overlap():
    game = load("no-commission").game()
    assert overlapping(game.bet("banker"), game) == (False, True, False)
    assert bet_in_words(game.bet("banker"), game) == (
        "Banker pays 1:2 when Banker wins and Banker's total is 6; otherwise pays 1:1 when Banker "
        "wins; returns the stake when the hands tie."
    )
    assert section("no-commission", "bets")[-1] == FIRST


@pytest.mark.parametrize("card", [*built_in_cards(), *EXAMPLES], ids=str)
def test_nothing_is_said_of_order_where_lines_never_meet(card):
    """Lines meet when some coup that the tableau deals makes two of them true."""
    game = load(card).game()
    meet = [bet for bet in game.bets if any(overlapping(bet, game))]
    assert (FIRST in section(card, "bets")) == bool(meet)
    for bet in game.bets:
        assert ("otherwise" in bet_in_words(bet, game)) == (bet in meet)
    if card in ("online", "commission", "double-chance", "punto-banco"):
        assert meet == []


@pytest.mark.requirement("R01", "R02", "R05", "R12", "R13")
@pytest.mark.parametrize("card", built_in_cards())
def test_the_deal_says_who_plays_whom_and_in_which_order_wagers_are_settled(card):
    lines = section(card, "deal")
    against, wagers, _, choice, *_, order = lines
    assert "against the house" in against
    assert wagers.endswith("after it, none is made, changed or taken back.")
    assert choice == "A hand has two or three cards; nobody chooses whether to draw."
    assert order.index("announced") < order.index("collected") < order.index("paid")


@pytest.mark.requirement("R24")
def test_r24_a_stake_comes_back_with_what_it_wins():
    words = "A winning stake comes back together with what it is paid."
    assert words in section("double-chance", "bets")


@pytest.mark.requirement("R27", "R28", "R29", "R32", "R34")
def test_who_may_wager_on_what_with_exclusions():
    lines = section("double-chance", "wagering")
    assert lines[-3:] == (
        "Player and Banker may not be combined in one coup; all other bets may be, several at "
        "once.",
        "UR WAY 0 to 9 need a wager on Banker, Player or Tie as well.",
        "Player, Banker, Tie and Three giving eight may each be made alone.",
    )
    assert "Stakes are multiples of 0.50 on Player, 1.00 on Banker." in lines


@pytest.mark.requirement("R33", "A12")
def test_who_may_wager_on_what_without_and_under_another_reading():
    both = "Any bets may be combined in one coup, Player and Banker too."
    assert section("fortune-six", "wagering")[-2:] == (
        both,
        "Every bet may be made alone: none needs another beside it.",
    )
    assert section("fortune-six", "wagering", A12="needs-main")[-3:] == (
        both,
        "Player pair, Banker pair and Fortune Six need a wager on Player or Banker as well.",
        "Player, Banker and Tie may each be made alone.",
    )
