"""Endpoints for practice: coups with planted errors, and whether a dealer caught them.

The seed and the number determine an exercise. Nothing is stored, and no real table is involved.
"""

import random
from typing import Annotated

from fastapi import Depends, Path, Query

from baccarat.core.cards import deck
from baccarat.core.misdeals import IrregularityKind
from baccarat.house.people.roles import Action
from baccarat.table.events import CardInDoubt
from baccarat.table.manual.in_words import doubt_in_words
from baccarat.table.manual.practice import Exercise, Step, StepKind, exercise
from baccarat.web.schema import Routes
from baccarat.web.schema.staff import PracticeAnswer, PracticeCoup, PracticeStep
from baccarat.web.server.language import Words
from baccarat.web.server.site import API, Needs
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.dealing import faces, irregularity_in_words

routes = Routes(prefix=API, tags=["practice"], dependencies=[Depends(Needs(Action.DEAL))])
Seed = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="chooses the exercises")]
Which = Annotated[int, Path(ge=0, le=10_000, description="number of the exercise, from 0")]
CYCLE: tuple[IrregularityKind | None, ...] = (*IrregularityKind, None, None)
"""The errors of a cycle of exercises, in which every kind occurs once; None for no error."""


@routes.get("/practice/{seed}/{number}")
async def coup(seed: Seed, number: Which, t: Words) -> PracticeCoup:
    """Return a coup, step by step; most have an error."""
    return _coup(seed, number, t)


@routes.get("/practice/{seed}/{number}/answer")
async def answer(
    seed: Seed,
    number: Which,
    t: Words,
    step: Annotated[int, Query(ge=0, le=100, description="the step at which you stopped")] = 0,
    kind: Annotated[IrregularityKind | None, Query(description="the error you saw, if any")] = None,
) -> PracticeAnswer:
    """Return whether you caught the error, what it was, and how to put it right."""
    return _answer(seed, number, step, kind, t)


def _coup(seed: str, number: int, t: Catalogue) -> PracticeCoup:
    """Return the steps of an exercise in words, without saying what is wrong."""
    steps = _exercise(seed, number).steps
    return {"number": number, "steps": [_step(step, t) for step in steps]}


def _answer(
    seed: str, number: int, step: int, kind: IrregularityKind | None, t: Catalogue
) -> PracticeAnswer:
    """Return the planted error, and whether it was caught: named, and not before it happened."""
    planted = _exercise(seed, number)
    found, error = planted.found, planted.error
    really, words = None, t("practice-no_error")
    if isinstance(found, CardInDoubt):
        really, words = IrregularityKind.IN_DOUBT, doubt_in_words(found, t)
    elif found is not None:
        really, words = found.kind, irregularity_in_words(found, t)
    return {
        "caught": kind is really and (error is None or step >= error),
        "kind": really,
        "step": error,
        "words": words,
        "remedy": t(f"remedy-{really}") if really else "",
    }


def _exercise(seed: str, number: int) -> Exercise:
    cycle, place = divmod(number, len(CYCLE))
    kinds, cards = list(CYCLE), list(deck())
    random.Random(f"{seed} {cycle}").shuffle(kinds)  # noqa: S311  (no secret depends on it)
    random.Random(f"{seed} cards {number}").shuffle(cards)  # noqa: S311
    return exercise(tuple(cards), kinds[place])


def _step(step: Step, t: Catalogue) -> PracticeStep:
    words = t(f"practice-step-{step.kind}", cards=faces([card for card, _ in step.cards]))
    if step.kind is StepKind.CARDS:
        words = " ".join(
            t("practice-dealt", card=card.face(), hand=t(f"table-{hand}"))
            for card, hand in step.cards
        )
    return {
        "words": words,
        "paid": step.kind is StepKind.PAID,
        "cards": [{"card": str(card), "hand": hand} for card, hand in step.cards],
    }
