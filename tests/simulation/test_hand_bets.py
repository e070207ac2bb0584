"""Bets on suits, colours, ranks and sums in simulations: the same results as coups settled one by
one, and frequencies that agree with exact analysis."""

import json
from collections import Counter
from fractions import Fraction
from math import floor, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat import load
from baccarat.analysis.edges import analyse
from baccarat.cli import main
from baccarat.core.rulecard import Game
from baccarat.loader import catalogue_cards
from baccarat.shoe import Burn, ShoeRules
from baccarat.simulation.execution import Execution, simulate
from baccarat.simulation.lookup import CoupClass
from baccarat.simulation.run import Run, Simulation, Tally
from baccarat.simulation.sessions.strategies import strategy_named
from baccarat.simulation.sessions.trial import SessionLimits, Trial
from baccarat.simulation.true_count import MAX_TRUE_COUNT, Count, CountRun
from support import reference_shoes as reference
from support import synthetic
from support.conditions import BETS, Bets, analysable, every_fact, game_of, paid, quietly

HAND_BETS = [card for card in catalogue_cards() if any(load(card).game().pay_table.hand_bets)]
EVERY_FACT = synthetic.card_of(every_fact())
UNLIKELY = 1e-10


def game(card: str, decks: int = 8) -> Game:
    return (EVERY_FACT if card == "every fact" else load(card)).game(decks=decks)


# ---- Coups dealt and settled one by one ----


def plain_tally(run: Run, first: int, shoes: int) -> Tally:
    """Return the totals of some shoes, each a cluster, from coups that are settled one by one."""
    table, lookup = run.game.pay_table, run.lookup
    plain = [Fraction(0) if is_hand_bet else None for is_hand_bet in table.hand_bets]
    groups = [group for group in table.groups if group.hand_classes]
    classes, outcomes = Counter[int](), Counter[tuple[int, int]]()
    squares, sums = 0, [[0, 0] for _ in table.bets]
    for shoe in range(first, first + shoes):
        won, n = [Fraction(0)] * len(table.bets), 0
        for coup in reference.shoe_coups(run.game, run.rules, run.seed, shoe):
            by_id = table.pays(coup)
            pays = [by_id[bet.id] for bet in table.bets]
            own = tuple(
                pay if zero is None else zero for zero, pay in zip(plain, pays, strict=True)
            )
            classes[lookup.classes.index(CoupClass(coup.winner, own))] += 1
            for i, group in enumerate(groups):
                outcomes[i, group.pays.index(tuple(pays[bet] for bet in group.bets))] += 1
            won, n = [total + pay for total, pay in zip(won, pays, strict=True)], n + 1
        squares += n * n
        for both, total, unit in zip(sums, won, lookup.units, strict=True):
            both[0] += int(total * unit) * n
            both[1] += int(total * unit) ** 2
    return Tally(
        shoes,
        tuple(classes[i] for i in range(len(lookup.classes))),
        shoes,
        squares,
        tuple(map(tuple, sums)),
        (),
        tuple(
            outcomes[i, place] for i, group in enumerate(groups) for place in range(len(group.pays))
        ),
    )


@pytest.mark.parametrize("card", [*HAND_BETS, "every fact"])
@settings(max_examples=3, deadline=None)
@given(
    decks=st.integers(1, 8),
    cut=st.integers(11, 30),
    burn=st.sampled_from(Burn),
    more=st.integers(0, 1),
    seed=st.integers(0, 2**64 - 1),
    first=st.sampled_from([0, 64, 2**33]),
)
def test_the_kernel_agrees_with_the_reference(card, decks, cut, burn, more, seed, first):
    rules = ShoeRules(decks, cut=cut, burn=burn, coups_after_cut=more)
    run = Run(game(card, decks), rules, seed, shoes=3)
    assert run.part(first, 3) == plain_tally(run, first, 3)


@given(BETS, st.integers(0, 2**64 - 1))
@settings(quietly, max_examples=20)
def test_random_bets_pay_what_the_auditor_says(bets: Bets, seed: int):
    asked = analysable(bets, 2)
    run = Run(asked, ShoeRules(2), seed, shoes=2)
    won = [0] * len(bets)
    for shoe in range(2):
        for coup in reference.shoe_coups(asked, run.rules, seed, shoe):
            hands = (
                tuple((card.rank, card.suit) for card in hand)
                for hand in (coup.player, coup.banker)
            )
            won = [total + pay for total, pay in zip(won, paid(bets, *hands), strict=True)]
    done = simulate(run)
    assert [bet.mean * done.coups for bet in done.bets] == won


def test_results_do_not_depend_on_threads_or_chunks(tmp_path):
    asked = Run(game("every fact"), ShoeRules(8), seed=11, shoes=6_500, by_place=True)
    whole = simulate(asked, Execution(threads=1)).tally
    file = tmp_path / "run.json"
    for chunk in (64, 1000):
        assert simulate(asked, Execution(threads=2, chunk=chunk)).tally == whole
    simulate(asked, Execution(checkpoint=file))
    assert simulate(asked, Execution(checkpoint=file)).tally == whole
    # In clusters of one shoe, only the sums for standard errors are different.
    parts = [Run(asked.game, asked.rules, 11, 64).part(first, 64) for first in range(0, 6_400, 64)]
    parts.append(Run(asked.game, asked.rules, 11, 100).part(6_400, 100))
    total = sum(parts[1:], parts[0])
    assert (total.classes, total.outcomes) == (whole.classes, whole.outcomes)


# ---- Exact analysis ----


def surprise(seen: int, coups: int, chance: Fraction) -> float:
    """Return an upper bound on the probability of a count at least as far from the expected one, on
    the same side (Chernoff)."""
    if chance in (0, 1):
        return 1.0 if seen == chance * coups else 0.0
    share, p = seen / coups, float(chance)
    terms = ((share, p), (1 - share, 1 - p))
    return float(np.exp(-coups * sum(q * log(q / expected) for q, expected in terms if q)))


def unlikely(done: Simulation) -> list[str]:
    """Return the bets whose payments occur with frequencies that exact analysis cannot explain.
    Coups must be independent."""
    lookup, figures = done.run.lookup, analyse(done.run.game)
    counts = (*done.tally.classes, *done.tally.outcomes)
    groups = [] if lookup.hands is None else lookup.hands.groups.tolist()
    sizes = [len(lookup.classes)]
    sizes += [len(group.pays) for group in done.run.game.pay_table.groups if group.hand_classes]
    ends = np.cumsum(sizes).tolist()
    found = []
    for i, (bet, exact) in enumerate(figures.items()):
        group = (groups[i] if groups else -1) + 1
        rows = range(ends[group] - sizes[group], ends[group])
        seen = Counter[Fraction]()
        for row in rows:
            seen[Fraction(int(lookup.pays[row, i]), lookup.units[i])] += counts[row]
        assert sum(seen.values()) == done.coups
        chances = dict(exact.distribution)
        if any(
            surprise(seen[pay], done.coups, chances.get(pay, Fraction(0))) < UNLIKELY
            for pay in chances.keys() | seen.keys()
        ):
            found.append(bet)
    return found


@given(BETS, st.integers(0, 2**64 - 1))
@settings(quietly, max_examples=20)
def test_random_bets_agree_with_exact_analysis(bets: Bets, seed: int):
    """Every coup is dealt from a full shoe, so coups are independent."""
    asked = analysable(bets, 8)
    done = simulate(Run(asked, ShoeRules.shuffler(8), seed, 200_000))
    assert unlikely(done) == []


@pytest.mark.parametrize("card", [*HAND_BETS, "every fact"])
def test_frequencies_agree_with_exact_analysis(card):
    done = simulate(Run(game(card), ShoeRules.shuffler(8), 2026, 1_000_000))
    assert unlikely(done) == []
    for bet, exact in zip(done.bets, analyse(done.run.game).values(), strict=True):
        if exact.variance:
            error = (float(exact.variance) / done.coups) ** 0.5
            assert bet.standard_error == pytest.approx(error, rel=0.25)


def test_a_wrong_condition_is_noticed():
    """As a control, the same test must fail when the bet is on a slightly different condition."""
    right = game_of([[({"player_suits": 1, "player_cards": 3}, 5)]])
    wrong = game_of([[({"player_colours": 1, "player_cards": 3, "player_total": 8}, 5)]])
    done = simulate(Run(wrong, ShoeRules.shuffler(8), 1, 200_000))
    assert unlikely(done) == []
    assert unlikely(Simulation(Run(right, done.run.rules, 1, 200_000), done.tally)) == ["b0"]


# ---- Counts, sessions and commands ----

SUITED = [
    [({"winner": "banker"}, 1)],
    [({"player_suits": 1, "player_cards": 3}, 8), ({"banker_suits": 1}, 2)],
    [({"coup_sum": {"min": 25}}, 4)],
]


@pytest.mark.parametrize("burn", Burn)
@pytest.mark.parametrize("bet", ["b0", "b1", "b2"])
def test_counts_agree_with_plain_counting(bet, burn):
    asked, rules = game_of(SUITED, 2), ShoeRules(2, burn=burn)
    tags = tuple(map(Fraction, (1, 0, 1, -1, -2, -1, -1, 2, 2, 0)))
    run = CountRun(asked, rules, bet, Count(tags, Fraction(1, 2)), seed=9, shoes=20)
    wagers, won, by_count = 0, Fraction(0), Counter[int]()
    for shoe in range(20):
        cards = list(reference.shoe_cards(2, 9, shoe))
        place, seen = burn.taking(cards[0]), cards[:1] if burn is Burn.FIRST_CARD else []
        for coup in reference.shoe_coups(asked, rules, 9, shoe):
            true = sum(tags[(c.points - 1) % 10] for c in seen) / Fraction(104 - len(seen), 52)
            by_count[min(floor(true), MAX_TRUE_COUNT)] += 1
            if true >= Fraction(1, 2):
                wagers, won = wagers + 1, won + asked.pay_table.pays(coup)[bet]
            taken = len(coup.player) + len(coup.banker)
            seen, place = seen + cards[place : place + taken], place + taken
    found = simulate(run)
    assert (found.wagering.wagers, found.wagering.won) == (wagers, won)
    assert {at.true_count: at.coups for at in found.counts} == by_count


IN_TURN = """
MEMORY = 1

def decide(seat, options, memory):
    memory[0] += 1
    return memory[0] % 3, 1
"""


@pytest.mark.parametrize("burn", Burn)
@pytest.mark.parametrize("bet", ["b0", "b1", "b2", None])
def test_sessions_agree_with_settlement(bet, burn, tmp_path):
    """A fixed bet, and a strategy that bets on all three in turn."""
    asked, rules = game_of(SUITED, 2), ShoeRules(2, burn=burn)
    strategy = strategy_named("flat")
    if bet is None:
        file = tmp_path / "turns.py"
        file.write_text(IN_TURN, encoding="utf-8")
        strategy = strategy_named(str(file))
    limits = SessionLimits(unit=100, bankroll=100_000, coups=50)
    trial = Trial(asked, rules, strategy, bet or "b0", limits, seed=5, sessions=20)
    nets = Counter[int]()
    for session in range(20):
        coups = [
            coup
            for shoe in range(session * trial.shoes_each, (session + 1) * trial.shoes_each)
            for coup in reference.shoe_coups(asked, rules, 5, shoe)
        ][:50]
        ids = [bet or f"b{number % 3}" for number in range(1, 51)]
        paid_out = (asked.pay_table.pays(coup)[b] for coup, b in zip(coups, ids, strict=True))
        nets[int(100 * sum(paid_out))] += 1
    assert simulate(trial).tally.results == nets


@pytest.mark.parametrize("card", ["colours", "matching-dragon"])
def test_commands_take_cards_with_hand_bets(capsys, card, tmp_path):
    export = tmp_path / "shoes.txt"
    words = ["--seed", "5", "--json"]
    assert main(["simulate", card, "--shoes", "300", "--export", str(export), *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(found["results"].values()) == found["coups"]
    assert len(found["bets"]) == len(load(card).game().bets)
    assert main(["records", "--card", card, str(export), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["coups"] == found["coups"]
    bet = found["bets"][0]["id"]
    session = ["--coups", "50", "--strategy", "flat", "--sessions", "100", "--bankroll", "1000"]
    assert main(["session", card, "--wagers", f"{bet} 10", *session, *words]) == 0
