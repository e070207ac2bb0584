"""Fairness tests detect a generator with a small planted bias.

Two kinds of test are needed. Frequencies against exact chances, ten million coups of them, notice
a card that comes a third of a percent too often. They would never notice that no word is rejected
(one part in 25 000 at most), so that is counted word by word instead.
"""

import numpy as np
import pytest

from baccarat import load
from baccarat.analysis.frequencies import Fit, fit
from baccarat.shoe import ShoeRules
from baccarat.simulation import kernel
from baccarat.simulation.execution import simulate
from baccarat.simulation.run import Run
from baccarat.simulation.stream import U, rejected_below
from support import reference_shoes as reference
from support.biased import Words, deal, fair, simulation
from support.payments import certain_payments, payment_chances

SHOES = 150_000
ONCE_IN_A_MILLION = 1e-6
HOPELESS = 1e-12
LAST_WORD = np.uint64((1 << 32) - 1)


@pytest.fixture(scope="module")
def asked() -> Run:
    game = load("punto-banco-2000").game()
    return Run(game, ShoeRules(game.decks), seed=1, shoes=SHOES, by_place=True)


def verdict(asked: Run, words: Words) -> Fit:
    return fit(certain_payments(simulation(asked, words)), payment_chances(asked.game))


def one_card_favoured(seed: int) -> Words:
    """One word in 300 takes the last of the cards in sorted order, a nine."""
    random = np.random.default_rng(seed)

    def words(shoes: int, left: int) -> np.ndarray:
        return np.where(random.random(shoes) < 1 / 300, LAST_WORD, fair_words(shoes, left))

    fair_words = fair(seed)
    return words


def a_little_too_large(seed: int) -> Words:
    """Every word is 0.4% too large."""
    fair_words = fair(seed)

    def words(shoes: int, left: int) -> np.ndarray:
        found = fair_words(shoes, left)
        return np.minimum(found + found // np.uint64(250), LAST_WORD)

    return words


def test_fair_words_pass(asked):
    assert verdict(asked, fair(3)).p_value > ONCE_IN_A_MILLION
    assert (
        fit(certain_payments(simulate(asked)), payment_chances(asked.game)).p_value
        > ONCE_IN_A_MILLION
    )


@pytest.mark.requirement("G05")
@pytest.mark.parametrize("biased", [one_card_favoured, a_little_too_large])
def test_a_planted_bias_is_detected(asked, biased):
    assert verdict(asked, biased(3)).p_value < HOPELESS


def test_an_impossible_result_is_detected(asked):
    never = dict.fromkeys(payment_chances(asked.game), 0) | {(): 1}
    assert fit(never, payment_chances(asked.game)).p_value == 0


def test_the_biased_dealer_and_the_kernel_deal_the_same_cards(asked):
    """Given the same words, both deal alike."""
    size, needed = asked.rules.size, asked.rules.most_dealt
    shoe = asked.shoe_input._replace(rejected=np.zeros(size // 2, np.uint32))
    workspace = kernel.make_workspace(shoe, asked.game_input)
    kernel.deal_group(U(5), 0, 1, shoe, workspace)
    stream = np.array([_words_of(shoe, size // 2) for shoe in range(64)], np.uint64)
    dealt = deal(asked, lambda _, left: stream[:, (size - left) // 2], 64)
    assert np.array_equal(dealt[:needed], workspace.codes[:needed])


def _words_of(shoe: int, number: int) -> list[int]:
    blocks = [kernel.philox.py_func(*map(U, (block, 0, shoe, 0, 5, 0))) for block in range(52)]
    return [int(word) for block in blocks for word in block][:number]


def words_for_each_order(left: int, rejected: int) -> set[int]:
    """Return the numbers of words that give each order of the next two cards, without repeats.

    The two places of word x are the digits of ⌊x·m / 2³²⌋ with m = left·(left - 1); the word is
    rejected when the remainder is below `rejected`.
    """
    m, span = left * (left - 1), 1 << 32
    return {-(-(k + 1) * span // m) + -(k * span + rejected) // m for k in range(m)}


@pytest.mark.requirement("G07")
@pytest.mark.parametrize("left", [2, 3, 10, 51, 52, 104, 250, 415, 416])
def test_every_order_of_two_cards_has_the_same_number_of_words(left):
    assert words_for_each_order(left, rejected_below(left)) == {(1 << 32) // (left * (left - 1))}


def test_rejecting_too_few_words_is_detected():
    assert len(words_for_each_order(416, 0)) == 2
    assert len(words_for_each_order(416, rejected_below(416) - 416)) == 2


def test_places_are_the_digits_used_in_the_count():
    for left, number in ((416, 0), (250, 83), (4, 206)):
        for shoe in range(50):
            first, second = reference._two_places(left, number, 7, shoe)
            block, word = divmod(number, 4)
            x = int(kernel.philox.py_func(*map(U, (block, 0, shoe, 0, 7, 0)))[word])
            order, rest = divmod(x * left * (left - 1), 1 << 32)
            assert rest < rejected_below(left) or divmod(order, left - 1) == (first, second)
