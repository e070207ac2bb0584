"""Practice coups: the planted error is the one that a real table flags at that step."""

import random

import pytest

from baccarat.core.cards import deck
from baccarat.core.misdeals import IrregularityKind
from baccarat.table import events as e
from baccarat.table.manual.practice import Exercise, StepKind, exercise


def shuffled(seed: int):
    cards = list(deck())
    random.Random(seed).shuffle(cards)
    return tuple(cards)


def kind_of(found: Exercise) -> IrregularityKind | None:
    if isinstance(found.found, e.CardInDoubt):
        return IrregularityKind.IN_DOUBT
    return found.found.kind if found.found else None


@pytest.mark.parametrize("kind", [*IrregularityKind, None])
def test_every_kind_of_error_can_be_planted_and_is_what_a_table_flags(kind):
    for seed in range(60):
        found = exercise(shuffled(seed), kind)
        assert kind_of(found) is kind, seed
        assert (found.error is None) is (kind is None)
        assert found.steps[-1].kind is StepKind.PAID
        if found.error is not None:
            assert found.error < len(found.steps) - 1, "the dealer goes on"


def test_the_same_cards_give_the_same_exercise():
    cards = shuffled(1)
    assert exercise(cards, IrregularityKind.EXTRA) == exercise(cards, IrregularityKind.EXTRA)
    assert exercise(cards, None) != exercise(shuffled(2), None)
