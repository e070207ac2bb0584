"""Agreements: parameters of the rule card that the house and one player agree on (R24).

One party proposes values and the other party confirms exactly the same values. The proposal, the
confirmation and the end of an agreement are all events. An agreement takes effect from the next
round, so the terms of a round never change once it is open. A wager is made under the agreement in
force when its round opened; players cannot choose terms with a wager.
"""

from dataclasses import dataclass, replace

from baccarat.core.errors import GameError
from baccarat.core.money import parse_number, ratio
from baccarat.core.printed import Parameter
from baccarat.core.rulecard import Game
from baccarat.core.text import Coins
from baccarat.table import events as e
from baccarat.table.codec import Values
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.settings import StakeLimits


@dataclass(frozen=True)
class Terms:
    """Parameter values that apply to a player from a given round.

    Empty values mean the terms that the table shows to everyone.
    """

    values: Values
    from_round: int
    at: int
    """When the terms were agreed."""


@dataclass(frozen=True)
class Agreeing:
    """The agreement and the proposal between the house and one player."""

    proposed: Values = ()
    proposed_by: str = ""
    terms: tuple[Terms, ...] = ()
    """The terms of the current round and, if they differ, those of the next; the newest last."""

    def in_force(self, number: int) -> Values:
        """Return the agreed values that apply to the round with this number."""
        known = [terms.values for terms in self.terms if terms.from_round <= number]
        return known[-1] if known else ()

    @property
    def newest(self) -> Terms | None:
        """The latest agreement, even if its first round has not begun; None if it has ended."""
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
    """Return the terms in force until the new terms take effect, followed by the new terms."""
    before = [known for known in terms if known.from_round < new.from_round]
    return (*before[-1:], new)


def agreeable(game: Game) -> dict[str, Parameter]:
    """Return the parameters that the rule card lets the house and a player agree on."""
    known = game.card.parameters
    return {name: known[name] for name in known if known[name].set_by == "agreement"}


def checked(values: Values, rules: str, limits: StakeLimits) -> Values:
    """Return the values in canonical form, or raise Refused.

    Each agreeable parameter must be given exactly once, with a value in its range.
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
    """Return a value in the parameter's display format if that is exact, else as a fraction."""
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
    """Return the values without their names, separated by commas, for use in a message."""
    return ", ".join(value for _, value in values)
