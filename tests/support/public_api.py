"""The library as a program uses it, with the type of every result: checked by mypy, and run."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import assert_type

import baccarat
from baccarat import (
    Analysis,
    BetFigures,
    Coup,
    Deal,
    Finding,
    Game,
    Refusal,
    Rounding,
    RuleCard,
    Settled,
    Shoe,
    figures,
)
from baccarat.simulation.run import Simulation


def use_games() -> Game:
    card = assert_type(baccarat.load("punto-banco"), RuleCard)
    assert_type(card.game(), Game)
    assert_type(card.game(tie_odds="8:1", readings={"A3": "literal"}), Game)
    assert_type(baccarat.check("punto-banco"), list[Finding])
    assert_type(baccarat.built_in_cards(), tuple[str, ...])
    assert_type(baccarat.catalogue_cards(), tuple[str, ...])
    assert_type(baccarat.__version__, str)
    return assert_type(card.game(decks=6), Game)


def use_figures(game: Game) -> None:
    assert_type(game.edge("banker"), Fraction)
    analysis: Mapping[str, BetFigures] = assert_type(game.analyse(), Analysis)
    assert_type(analysis["tie"].hit, Fraction)
    assert_type("tie" in analysis, bool)
    assert_type(list(analysis), list[str])
    cards = assert_type(baccarat.parse_cards("8x3, K"), tuple[baccarat.Card, ...])
    assert_type(game.analyse(removed=cards, stake=20, rounding=Rounding.DOWN), Analysis)
    assert_type(game.chances(player=cards[:2]).expectations["tie"], Fraction)
    assert_type(game.effects_of_removal()["tie"]["4"], Fraction | None)
    assert_type(game.effects_of_removal(by_suit=True)["tie"]["4h"], Fraction | None)
    assert_type(figures.compare([game, game]), figures.Comparison)
    assert_type(figures.par_sheet_of(game), figures.ParSheet)
    assert_type(next(figures.entries_of(game.card)), figures.Entry)
    assert_type(game.rules()[0].lines, tuple[str, ...])


def use_coups(game: Game) -> None:
    shoe = assert_type(game.shoe(seed=1), Shoe)
    coups = assert_type(list(shoe.coups()), list[Coup])
    assert_type(game.start_coup(), Deal)
    assert_type(game.deal_coup(baccarat.parse_cards("5 7 K 6 8")), Coup)
    assert_type(baccarat.parse_coup(str(coups[0])), Coup)
    assert_type(game.refusals({"banker": 2000}), list[Refusal])
    settled: Sequence[Settled] = game.settle(coups[0], {"banker": 2000})
    assert_type(settled[0].net, int)


def use_simulation(game: Game) -> None:
    assert_type(game.simulate(shoes=100, seed=1), Simulation)
