"""One set of shoe rules: the same cards give the same coups in every implementation."""

import io
import json
import sys

import numpy as np
import pytest

from baccarat import load
from baccarat.cli import main, parser_of, play, simulate
from baccarat.cli.shared.shoe_options import rules_of
from baccarat.core.cards import Card
from baccarat.core.rulecard import Game
from baccarat.house.housefile import default_house
from baccarat.shoe import Burn, Shoe, ShoeRules
from baccarat.shoe.contributions import dealing_order
from baccarat.simulation import export, kernel
from baccarat.simulation.inputs import game_input, shoe_input
from baccarat.simulation.lookup import Detail
from baccarat.simulation.run import Run
from baccarat.table import events as e
from baccarat.table.automatic.decisions import shoe_rules
from support import reference_shoes as reference
from support.live import LiveTable, settings_for

DECKS = 2
CARDS = ["punto-banco", "online", "examples/rule-cards/pairs.toml"]


class Stacked:
    """Randomness that puts the cards in a given order."""

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.cards = cards

    def shuffle(self, cards: list[Card]) -> None:
        cards[:] = self.cards


def live_shoe(seed: int, **settings) -> tuple[tuple[Card, ...], list[str]]:
    """Return the cards of a live table's first shoe in the order dealt, and its coups."""
    table = LiveTable(settings_for("punto-banco", decks=DECKS, **settings), seed)
    ready = table.until(e.ShoeReady)
    ended = table.until(e.ShoeEnded)
    cards = tuple(ended.order[at] for at in dealing_order(ready.seed, len(ended.order)))
    return cards, [event.coup for event in table.events if isinstance(event, e.CoupDecided)]


def code_of(card: Card, detail: Detail) -> int:
    number = reference.SORTED_DECK.index(card)
    return {10: card.points, 13: number // 4, 52: number}[int(detail)]


def kernel_classes(run: Run, cards: tuple[Card, ...]) -> list[tuple[str, dict[str, object]]]:
    """Return winner and payments of the coups that the kernel deals from these cards."""
    lookup = run.lookup
    shoe, game = shoe_input(run.rules, lookup.detail), game_input(run.rules, lookup)
    workspace = kernel.make_workspace(shoe, game)
    codes = np.array([code_of(card, lookup.detail) for card in cards], np.uint16)
    workspace.codes[:] = codes[:, None]
    kernel.find_coups(shoe, game, workspace)
    marks = workspace.seen[0, : workspace.coups[0]]
    classes = [lookup.classes[int(kernel.class_of(mark))] for mark in marks]
    bets = [bet.id for bet in run.game.bets]
    return [(winner, dict(zip(bets, pays, strict=True))) for winner, pays in classes]


def assert_all_deal(game: Game, rules: ShoeRules, cards: tuple[Card, ...], coups: list[str]):
    """Check that terminal, simulator, reference and export deal these coups from these cards."""
    assert list(map(str, Shoe(cards, rules).deal_coups(game.tableau))) == coups
    dealer = play.Dealer(game, Stacked(cards), rules)
    dealt = []
    while not dealer.shoe.over:
        dealt.append(str(dealer.deal()[0][-1].coup))
    assert dealt == coups
    run = Run(game, rules, seed=1, shoes=1)
    codes = [code_of(card, Detail.CARDS) for card in cards]
    assert export._coups(run, codes[: rules.most_dealt]) == coups
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "shoe_cards", lambda *_: iter(cards))
        found = list(reference.shoe_coups(game, rules, 1, 0))
    assert list(map(str, found)) == coups
    assert kernel_classes(run, cards) == [
        (coup.winner, game.pay_table.pays(coup)) for coup in found
    ]


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_by_default_every_implementation_deals_like_a_live_table(card, seed):
    cards, coups = live_shoe(seed)
    assert_all_deal(load(card).game(decks=DECKS), ShoeRules(DECKS), cards, coups)


@pytest.mark.parametrize("burn", Burn)
@pytest.mark.parametrize("cut", [11, 30])
def test_every_implementation_agrees_under_other_shoe_rules(burn, cut):
    cards, coups = live_shoe(7, cut=cut, burn=burn)
    game = load("punto-banco").game(decks=DECKS)
    assert_all_deal(game, ShoeRules(DECKS, cut, burn), cards, coups)


@pytest.mark.parametrize("more", [0, 1, 3])
def test_every_implementation_agrees_on_coups_after_the_cut_card(more):
    game, rules = load("online").game(decks=1), ShoeRules(1, 30, Burn.ONE, more)
    cards = tuple(reference.shoe_cards(1, seed=5, shoe=2))
    coups = list(map(str, Shoe(cards, rules).deal_coups(game.tableau)))
    without = list(map(str, Shoe(cards, ShoeRules(1, 30, Burn.ONE, 0)).deal_coups(game.tableau)))
    assert coups[: len(without)] == without
    assert len(coups) == len(without) + more
    assert_all_deal(game, rules, cards, coups)


def test_the_defaults_are_the_same_everywhere():
    """Cut card at 14, burn by the first card, one coup after the cut card."""
    rules = ShoeRules(8, cut=14, burn=Burn.FIRST_CARD, coups_after_cut=1)
    assert ShoeRules(8) == rules
    assert shoe_rules(settings_for(decks=8)) == rules
    for table in default_house().tables:
        assert shoe_rules(table.settings) == ShoeRules(load(table.id).game().decks)
    game = load("punto-banco").game()
    for name, command in (("play", play), ("simulate", simulate)):
        parser = parser_of(name, command)
        assert rules_of(parser.parse_args(["punto-banco"]), game) == rules


def test_deal_shows_the_first_coup_that_play_deals(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert main(["play", "online", "--seed", "9", "--json"]) == 0
    played = json.loads(capsys.readouterr().out)["coup"]
    assert main(["deal", "online", "--seed", "9", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["coup"] == played
