"""Games side by side: their bets, payouts, third-card rules and parameters."""

from dataclasses import replace
from fractions import Fraction

from baccarat.core.rulecard import Game
from baccarat.figures.comparison import ComparedCell, compare
from baccarat.loader import load


def game(card: str, **parameters: int) -> Game:
    return load(card).game(**parameters)


def test_bets_that_all_games_offer_come_first():
    found = compare([game("punto-banco"), game("online"), game("fortune-six")])
    shared = [bet.id for bet in found.bets if bet.shared]
    assert shared == ["player", "banker", "tie"]
    assert [bet.id for bet in found.bets][:3] == shared
    pair = next(bet for bet in found.bets if bet.id == "player-pair")
    assert [each is None for each in pair.figures] == [False, True, False]


def test_payouts_and_parameters_that_differ():
    found = compare([game("punto-banco"), game("no-commission")])
    assert [bet.id for bet in found.bets if not bet.same_payouts] == ["banker", "tie"]
    assert found.parameters == {"tie_odds": (9, None), "pair_odds": (11, None)}
    assert found.cells == ()
    banker = next(bet for bet in found.bets if bet.id == "banker")
    edges = [round(float(each.edge) * 100, 4) for each in banker.figures]
    assert edges == [1.0579, 1.4581]


def test_the_same_game_with_other_decks_differs_only_in_decks_and_edges():
    found = compare([game("main-bets"), game("main-bets", decks=1)])
    assert found.parameters == {"decks": (Fraction(8), Fraction(1))}
    assert all(bet.same_payouts and bet.shared for bet in found.bets)


def test_third_card_rules_that_differ():
    usual = game("main-bets")
    draws = usual.tableau.banker_draws
    other = replace(
        usual.tableau,
        banker_draws=draws - {(6, 6)},
        player_draws=usual.tableau.player_draws | {6},
    )
    found = compare([usual, replace(usual, tableau=other)])
    assert found.cells == (
        ComparedCell("player", 6, None, (False, True)),
        ComparedCell("banker", 6, 6, (True, False)),
    )
