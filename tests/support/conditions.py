"""Games with any bets whatever: conditions as in a rule card, without the checks of its lines.

Random conditions are over the whole vocabulary.
"""

from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase, reject, settings
from hypothesis import strategies as st

from baccarat.auditor.coups import facts_of
from baccarat.auditor.rules import holds
from baccarat.core.bets import Bet, Line
from baccarat.core.errors import GameError
from baccarat.core.facts import FACTS
from baccarat.core.hand_facts.measures import CARD_NAMES, PLACES
from baccarat.core.rulecard import Game
from baccarat.loader.findings import Report
from baccarat.loader.kinds import read_condition
from support import reference as ref
from support import synthetic

Raw = dict[str, Any]
Bets = list[list[tuple[Raw, int]]]
"""For each bet its lines: a condition, and what it pays to 1."""


@cache
def _plain_game(decks: int) -> Game:
    return synthetic.card().game(decks=decks)


def game_of(bets: Bets, decks: int = 8) -> Game:
    """The synthetic game with these bets, b0, b1 and so on, instead of its own."""
    made = []
    for i, lines in enumerate(bets):
        read = []
        for raw, pays in lines:
            report = Report({(): 1})
            condition = read_condition(raw, ("when",), report)
            assert not report.findings, report.findings
            read.append(Line(condition, Fraction(pays)))
        names = {"id": f"b{i}", "name": "B", "short": "B", "group": "main", "order": i}
        made.append(Bet(**names, lines=tuple(read)))
    game = _plain_game(decks)
    return Game(
        card=game.card,
        parameters=game.parameters,
        readings=game.readings,
        tableau=game.tableau,
        bets=tuple(made),
    )


NATURALS = (8, 9)


def values_of(values: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    one = st.sampled_from(values)
    several = st.lists(one, min_size=1, max_size=3, unique=True)
    if isinstance(values[-1], bool) or len(values) < 2:
        return one
    return (
        one | several | st.builds(lambda n: {"min": n}, one) | st.builds(lambda n: {"max": n}, one)
    )


@st.composite
def counts(draw: st.DrawFn) -> Raw:
    place = draw(st.sampled_from(list(PLACES)))
    of = draw(st.lists(st.sampled_from(list(CARD_NAMES)), min_size=1, max_size=4))
    asked = draw(values_of(tuple(range(PLACES[place].most_cards + 1))))
    count = {"of": " ".join(of), "in": place}
    return {"count": count | (asked if isinstance(asked, dict) else {"is": asked})}


HAND_BETS = [fact for fact in FACTS.values() if fact.measured]
PLAIN = [fact for fact in FACTS.values() if not fact.measured and fact.name != "winner"]
TESTS = st.one_of(
    counts(),
    st.sampled_from(HAND_BETS).flatmap(
        lambda fact: st.fixed_dictionaries({fact.name: values_of(fact.values)})
    ),
    st.sampled_from(PLAIN).flatmap(
        lambda fact: st.fixed_dictionaries({fact.name: st.sampled_from(fact.values)})
    ),
)
CONDITIONS = st.recursive(
    TESTS,
    lambda inner: (
        st.fixed_dictionaries({"not": inner})
        | st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=3)})
    ),
    max_leaves=4,
)
BETS = st.lists(
    st.lists(st.tuples(CONDITIONS, st.sampled_from([5, 2, 1, 0])), min_size=1, max_size=2),
    min_size=1,
    max_size=2,
)
quietly = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking takes minutes
)


def analysable(bets: Bets, decks: int) -> Game:
    """The game with these bets; conditions that distinguish too many hands are not tried."""
    game = game_of(bets, decks)
    try:
        game.pay_table.outcomes(range(len(bets)))
    except GameError as error:
        if "too many kinds of hands" not in str(error):
            raise
        reject()
    return game


def paid(bets: Bets, player: ref.Hand, banker: ref.Hand) -> tuple[int, ...]:
    """What the auditor says each bet pays."""
    hands = {
        side: [f"{rank}{suit}" for rank, suit in hand]
        for side, hand in (("player", player), ("banker", banker))
    }
    facts = facts_of(hands, NATURALS)
    return tuple(next((pays for raw, pays in lines if holds(raw, facts)), -1) for lines in bets)


def every_fact() -> str:
    """The text of a rule card with the usual bets, and one on every fact and on a count at every
    place."""
    values = {name: fact.values[1] for name, fact in FACTS.items() if fact.measured}
    conditions = [
        *(f"{name} = {str(value).lower()}" for name, value in values.items()),
        *(f'count = {{ of = "9 red", in = "{place}", min = 1 }}' for place in PLACES),
    ]
    bets = [synthetic.bet(f"b{i}", [(when, "3:2")]) for i, when in enumerate(conditions)]
    return synthetic.HEAD + synthetic.BANKER + "".join(bets)
