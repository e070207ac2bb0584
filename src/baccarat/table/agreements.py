"""Agreements: card parameters that the house and one player settle between them (R24).

One party proposes and the other confirms exactly the same values; both are events, and so is the
end of an agreement. An agreement takes effect from the next round, so the terms of a round never
change once it is open. A wager is made under the agreement in force when its round opened; players
cannot choose terms with a wager.
"""

from dataclasses import dataclass, replace

from baccarat.core.errors import GameError
from baccarat.core.money import parse_number, ratio
from baccarat.core.printed import Parameter
from baccarat.core.rulecard import Game
from baccarat.core.text import Coins
from baccarat.table import events as e
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.settings import StakeLimits

Values = tuple[tuple[str, str], ...]
"""Parameter names and agreed values; empty without an agreement."""


@dataclass(frozen=True)
class Terms:
    """A player's terms from a round on; without values, the terms the table shows to everyone."""

    values: Values
    from_round: int
    at: int
    """When it was agreed."""


@dataclass(frozen=True)
class Agreeing:
    """The agreement and the proposal between the house and one player."""

    proposed: Values = ()
    proposed_by: str = ""
    terms: tuple[Terms, ...] = ()
    """Terms of the last round and of the next, where they differ; the newest last."""

    def in_force(self, number: int) -> Values:
        """Return the values that a round is played under."""
        known = [terms.values for terms in self.terms if terms.from_round <= number]
        return known[-1] if known else ()

    @property
    def newest(self) -> Terms | None:
        """The terms agreed last, even if their first round has not come."""
        return self.terms[-1] if self.terms and self.terms[-1].values else None


NOTHING = Agreeing()


def after(agreeing: Agreeing, event: e.Event) -> Agreeing:
    """Return the agreement and proposal after one more event."""
    match event:
        case e.AgreementProposed():
            return replace(agreeing, proposed=event.values, proposed_by=event.by)
        case e.AgreementDeclined():
            return replace(agreeing, proposed=(), proposed_by="")
        case e.AgreementMade():
            new = Terms(event.values, event.from_round, event.at)
            return Agreeing(terms=_with(agreeing.terms, new))
        case e.AgreementEnded():
            new = Terms((), event.from_round, event.at)
            return replace(agreeing, terms=_with(agreeing.terms, new))
    return agreeing


def _with(terms: tuple[Terms, ...], new: Terms) -> tuple[Terms, ...]:
    """Return the new terms, after the earlier ones that hold until these take effect."""
    before = [known for known in terms if known.from_round < new.from_round]
    return (*before[-1:], new)


def agreeable(game: Game) -> dict[str, Parameter]:
    """Return the parameters that a card leaves to an agreement with a player."""
    known = game.card.parameters
    return {name: known[name] for name in known if known[name].set_by == "agreement"}


def checked(values: Values, rules: str, limits: StakeLimits) -> Values:
    """Return the values in canonical form, or raise Refused.

    Each parameter must be given exactly once and in its range.
    """
    known = agreeable(table_game(rules, limits))
    if sorted(name for name, _ in values) != sorted(known):
        if not known:
            raise Refused(Code.NO_SUCH_AGREEMENT, "nothing-to-agree")
        names = ", ".join(known)
        raise Refused(Code.NO_SUCH_AGREEMENT, "agreement-incomplete", names=names)
    found = tuple(sorted((name, _written(known[name], text)) for name, text in values))
    game = table_game(rules, limits, found)
    for offer in game.offers.values():
        if offer.smallest > offer.most:
            raise Refused(
                Code.NO_SUCH_AGREEMENT,
                "agreement-unpayable",
                values=listed(found),
                bet=offer.bet.name,
                step=Coins(offer.step),
            )
    return found


def _written(parameter: Parameter, text: str) -> str:
    """Return the value as people write it if that is exact, otherwise as a fraction."""
    try:
        value = parameter.check(parse_number(text))
    except GameError as error:
        raise Refused(
            Code.NO_SUCH_AGREEMENT,
            "agreement-out-of-range",
            name=parameter.label,
            least=parameter.format(parameter.minimum),
            most=parameter.format(parameter.maximum),
        ) from error
    shown = parameter.format(value)
    return shown if parse_number(shown) == value else ratio(value)


def listed(values: Values) -> str:
    """Return the values alone, for a message."""
    return ", ".join(value for _, value in values)
