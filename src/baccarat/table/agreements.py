"""Agreements: parameters of the card that the house and one player settle between them (R24).

One party proposes, the other confirms the very same values; both are events, and so is the end of
an agreement. What was agreed on holds from the next round on, so the terms of a round never change
once it is open. The one rule: a wager is made under the agreement in force when its round opened;
nobody chooses terms with a wager.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from baccarat.core.errors import GameError, one_of
from baccarat.core.money import parse_number, ratio
from baccarat.core.rulecard import Game, Parameter
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.settings import StakeLimits

Values = tuple[tuple[str, str], ...]
"""Names of parameters and what was agreed; none is no agreement."""


@dataclass(frozen=True)
class Terms:
    """What holds for a player from a round on; no values: as the table shows it to everyone."""

    values: Values
    from_round: int
    at: int
    """When it was agreed."""


@dataclass(frozen=True)
class Agreeing:
    """What stands between the house and one player."""

    proposed: Values = ()
    proposed_by: str = ""
    terms: tuple[Terms, ...] = ()
    """Those of the last round and those of the next, where they differ; the newest last."""

    def in_force(self, number: int) -> Values:
        """The values that a round is played under."""
        known = [one.values for one in self.terms if one.from_round <= number]
        return known[-1] if known else ()

    @property
    def newest(self) -> Terms | None:
        """What was agreed on last, whether its first round has come or not."""
        return self.terms[-1] if self.terms and self.terms[-1].values else None


NOTHING = Agreeing()


def after(agreeing: Agreeing, event: e.Event) -> Agreeing:
    """What stands after one more event."""
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
    """Of what came before, only what still holds until the new terms do."""
    before = [one for one in terms if one.from_round < new.from_round]
    return (*before[-1:], new)


def agreeable(game: Game) -> dict[str, Parameter]:
    """The parameters that a card leaves to an agreement with a player."""
    return {name: one for name, one in game.card.parameters.items() if one.set_by == "agreement"}


# ---- commands -----------------------------------------------------------------------------------


def propose(
    agreeing: Agreeing, command: c.ProposeAgreement, rules: str, limits: StakeLimits, now: int
) -> Sequence[e.Event]:
    """Either party says what it would agree on; a newer proposal takes the place of an older."""
    values = checked(command.values, rules, limits)
    if (values, command.by) == (agreeing.proposed, agreeing.proposed_by):
        return []
    return [e.AgreementProposed(now, command.player, values, command.by)]


def confirm(
    agreeing: Agreeing,
    command: c.ConfirmAgreement,
    rules: str,
    limits: StakeLimits,
    *,
    number: int,
    now: int,
) -> Sequence[e.Event]:
    """The other party agrees to exactly what was proposed."""
    values = checked(command.values, rules, limits)
    if not agreeing.proposed or values != agreeing.proposed:
        shown = in_words(agreeing.proposed) if agreeing.proposed else "nothing"
        raise Refused(
            Code.NO_SUCH_AGREEMENT,
            f"{in_words(values)} was not proposed: {shown} is; confirm that, or propose yours",
        )
    if (command.by == command.player) == (agreeing.proposed_by == command.player):
        raise Refused(
            Code.NEEDS_TWO_PEOPLE,
            f"{command.by} speaks for the party that proposed it: the other one confirms",
        )
    return [
        e.AgreementMade(
            now,
            player=command.player,
            values=values,
            from_round=number + 1,
            proposed_by=agreeing.proposed_by,
            confirmed_by=command.by,
        )
    ]


def decline(agreeing: Agreeing, command: c.DeclineAgreement, now: int) -> Sequence[e.Event]:
    """Either party takes a proposal off the table."""
    if not agreeing.proposed:
        return []
    return [e.AgreementDeclined(now, command.player, command.by)]


def end(agreeing: Agreeing, command: c.EndAgreement, *, number: int, now: int) -> Sequence[e.Event]:
    """Either party ends the agreement: from the next round on the table's own terms hold."""
    if agreeing.newest is None:
        return []
    return [e.AgreementEnded(now, command.player, command.by, number + 1)]


def checked(values: Values, rules: str, limits: StakeLimits) -> Values:
    """The values in one form, every parameter named once and in its range; or Refused."""
    known = agreeable(table_game(rules, limits))
    names = [name for name, _ in values]
    if sorted(names) != sorted(known):
        listed = ", ".join(names)[:60] or "nothing"
        can = f"{one_of(known)} can, all of it, once each" if known else "nothing can"
        raise Refused(Code.NO_SUCH_AGREEMENT, f"{listed} cannot be agreed on here: {can}")
    try:
        found = tuple(sorted((name, _written(known[name], text)) for name, text in values))
        game = table_game(rules, limits, found)
    except GameError as error:
        raise Refused(Code.NO_SUCH_AGREEMENT, str(error)) from error
    for offer in game.offers.values():
        if offer.smallest > offer.most:
            raise Refused(
                Code.NO_SUCH_AGREEMENT,
                f"{in_words(found)}: no stake on {offer.bet.name} within the limits would be paid "
                f"in whole coins (multiples of {offer.step} would); agree on a rounder figure",
            )
    return found


def _written(parameter: Parameter, text: str) -> str:
    """The value as people write it where that is exact, and as a fraction where it is not."""
    value = parameter.check(parse_number(text))
    shown = parameter.format(value)
    return shown if parse_number(shown) == value else ratio(value)


def in_words(values: Values) -> str:
    """double chance 5%"""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values)
