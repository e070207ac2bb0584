"""Agreements: parameters of the rule card that the house and one player agree on (R24, A17).

One party proposes values and the other party confirms exactly the same values. Two kinds of
agreement need no member of staff: any player may accept the table's standing offer together with a
bet, and a request up to the table's limit is granted at once. A bet whose odds depend on an
agreed value is refused without an agreement.

The proposal, the confirmation and the end of an agreement are all events. New terms never change a
bet that has been placed: if they would affect one of the player's bets in the open round, they
apply from the next round on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from baccarat.core.errors import GameError
from baccarat.core.money import parse_number, ratio
from baccarat.core.printed import Parameter
from baccarat.core.rulecard import Game
from baccarat.core.text import Coins
from baccarat.table import events as e
from baccarat.table.codec import Values
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of, table_game
from baccarat.table.settings import Settings, StakeLimits

MAX_TERMS = 20
"""Number of terms, past ones included, that are kept for each player."""


@dataclass(frozen=True)
class AgreedTerms:
    """Parameter values that apply to a player from a given round on; empty if none are agreed."""

    values: Values
    from_round: int
    at: int
    """When the terms were agreed."""
    words: str = ""
    """Why an agreement ended, if these terms are empty."""


@dataclass(frozen=True)
class PlayerAgreement:
    """The agreement between the house and one player, and the open proposal, if any."""

    proposed: Values = ()
    proposed_by: str = ""
    terms: tuple[AgreedTerms, ...] = ()
    """The terms of past rounds, of the current round and, if they differ, of the next, in order."""
    replaced: tuple[tuple[AgreedTerms, int], ...] = ()
    """Terms that were replaced before their first round ended, each with the time of the
    replacement."""

    def in_force(self, number: int) -> Values:
        """Return the agreed values that apply to the round with this number."""
        known = [terms.values for terms in self.terms if terms.from_round <= number]
        return known[-1] if known else ()

    @property
    def newest(self) -> AgreedTerms | None:
        """The latest agreement, even if its first round has not begun; None if it has ended."""
        return self.terms[-1] if self.terms and self.terms[-1].values else None


NO_AGREEMENT = PlayerAgreement()


AgreementEvent = e.AgreementProposed | e.AgreementDeclined | e.AgreementMade | e.AgreementEnded


def agreement_after(agreement: PlayerAgreement, event: AgreementEvent) -> PlayerAgreement:
    """Return the agreement and proposal after one more event."""
    match event:
        case e.AgreementProposed():
            return replace(agreement, proposed=event.values, proposed_by=event.by)
        case e.AgreementDeclined():
            return replace(agreement, proposed=(), proposed_by="")
        case e.AgreementMade():
            made = _with(agreement, AgreedTerms(event.values, event.from_round, event.at))
            if event.proposed_by == e.THE_HOUSE:  # standing offer accepted: a proposal stays open
                return made
            return replace(made, proposed=(), proposed_by="")
        case e.AgreementEnded():
            return _with(agreement, AgreedTerms((), event.from_round, event.at, event.words))


def _with(agreement: PlayerAgreement, new: AgreedTerms) -> PlayerAgreement:
    """Return the agreement with new terms, which replace those that would begin at the same time or
    later."""
    before = [known for known in agreement.terms if known.from_round < new.from_round]
    gone = [(known, new.at) for known in agreement.terms if known.from_round >= new.from_round]
    return replace(
        agreement,
        terms=(*before, new)[-MAX_TERMS:],
        replaced=(*agreement.replaced, *gone)[-MAX_TERMS:],
    )


def agreeable(game: Game) -> dict[str, Parameter]:
    """Return the parameters that the rule card lets the house and a player agree on."""
    known = game.card.parameters
    return {name: known[name] for name in known if known[name].set_by == "agreement"}


@lru_cache(maxsize=64)
def bets_by_agreement(rules: str) -> frozenset[str]:
    """Return the ids of the bets whose odds depend on a parameter that is set by agreement."""
    game = game_of(rules)
    names = agreeable(game).keys()
    paid = {bet.id: {line.parameter for line in bet.lines} for bet in game.bets}
    return frozenset(bet for bet, parameters in paid.items() if parameters & names)


def standing_offer(rules: str, settings: Settings) -> Values:
    """Return the terms that any player may accept at the table; empty if nothing can be agreed."""
    game, given = game_of(rules), dict(settings.standing_offer)
    return tuple(
        (name, given.get(name) or _format_value(parameter, game.parameters[name]))
        for name, parameter in sorted(agreeable(game).items())
    )


def granted_up_to(rules: str, settings: Settings) -> Values:
    """Return the highest values that the house grants automatically on request."""
    given = dict(settings.grants_up_to)
    return tuple((name, given.get(name, own)) for name, own in standing_offer(rules, settings))


def is_granted(values: Values, rules: str, settings: Settings) -> bool:
    """Return whether the house grants these values automatically on request."""
    most = dict(granted_up_to(rules, settings))
    return all(parse_number(value) <= parse_number(most[name]) for name, value in values)


def check_offers(settings: Settings) -> None:
    """Raise Refused if the standing offer or the grants are invalid, or if the offer exceeds the
    grants."""
    rules, limits = settings.rules, settings.limits
    for given in (settings.standing_offer, settings.grants_up_to):
        canonical_values(dict(given), game_of(rules))
    offer, most = standing_offer(rules, settings), granted_up_to(rules, settings)
    for values in filter(None, (offer, most)):
        checked(values, rules, limits)
    if not is_granted(offer, rules, settings):
        shown = {"offer": listed(offer), "grants": listed(most)}
        raise Refused(Code.BAD_SETTINGS, "grants-below-offer", **shown)


def canonical_values(values: Mapping[str, str], game: Game) -> Values:
    """Convert values that a person entered to canonical form, or raise Refused."""
    known = agreeable(game)
    for name in values:
        if name not in known:
            raise Refused(Code.NO_SUCH_AGREEMENT, "cannot-be-agreed", name=name)
    return tuple(sorted((name, _parsed(known[name], text)) for name, text in values.items()))


def checked(values: Values, rules: str, limits: StakeLimits) -> Values:
    """Return the values in canonical form, or raise Refused.

    Each agreeable parameter must be given exactly once, with a value in its range, and every bet
    must still have a stake whose payouts are whole coins.
    """
    known = agreeable(table_game(rules, limits))
    if sorted(name for name, _ in values) != sorted(known):
        if not known:
            raise Refused(Code.NO_SUCH_AGREEMENT, "nothing-to-agree")
        names = ", ".join(known)
        raise Refused(Code.NO_SUCH_AGREEMENT, "agreement-incomplete", names=names)
    found = tuple(sorted((name, _parsed(known[name], text)) for name, text in values))
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


def _parsed(parameter: Parameter, text: str) -> str:
    try:
        return _format_value(parameter, parameter.parse(text))
    except GameError as error:
        raise Refused(
            Code.NO_SUCH_AGREEMENT,
            "agreement-out-of-range",
            name=parameter.label[:1].upper() + parameter.label[1:],
            least=parameter.format(parameter.minimum),
            most=parameter.format(parameter.maximum),
            value=text.strip(),
        ) from error


def _format_value(parameter: Parameter, value: Fraction) -> str:
    """Return a value in the parameter's display format if that is exact, else as a fraction."""
    shown = parameter.format(value)
    return shown if parse_number(shown) == value else ratio(value)


def listed(values: Values) -> str:
    """Return the values without their names, separated by commas, for use in a message."""
    return ", ".join(value for _, value in values)
