"""Errors of a dealer that are found after the round was settled: reports, and what they lead to.

R43: an error that was rectified or reported before the first card of the next coup is remedied,
then or later; neither by then, the coup and all that follow stand. Two people correct a round, and
neither of them reported it. The time of the report counts, not that of the remedy.
"""

from collections.abc import Sequence
from dataclasses import replace

from baccarat.core.cards import Card
from baccarat.core.coup import parse_coup
from baccarat.core.misdeals import name, perfect
from baccarat.core.money import format_coins
from baccarat.shoe.scanned import unseen
from baccarat.table import commands as c
from baccarat.table import events as e
from baccarat.table.conduct import ON_THE_TABLE, Decide, excess_goes, signs
from baccarat.table.floor import CardShoe, PastRound, corrected, out_corrected
from baccarat.table.phases import Phase
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import game_of
from baccarat.table.settings import Excess
from baccarat.table.settling import results_of
from baccarat.table.state import TableState
from baccarat.table.twopeople import Motion, correcting, propose, seconded

NO_ERROR = "no error"
"""How the terms of a proposal to dismiss reports begin; then come those who reported."""


def _report(state: TableState, command: c.ReportError, now: int) -> Sequence[e.Event]:
    current, past = state.round, state.floor.round(command.round)
    if command.round == current.number and current.phase in ON_THE_TABLE and state.by_hand:
        wagered = command.by in current.wagers
    elif past is not None and past.in_time:
        wagered = command.by in past.wagers
    else:
        raise _too_late(state, command.round)
    if not (command.staff or wagered):
        words = f"only who wagered on round {command.round}, the dealer or the pit can report it"
        raise Refused(Code.NOT_ALLOWED, words)
    if any(one.by == command.by for one in state.floor.reported(command.round)):
        return []  # said already
    return [e.ErrorReported(now, command.round, command.by, command.words)]


def reported_by(state: TableState, command: c.OpenDispute, now: int) -> Sequence[e.Event]:
    """A dispute that is opened in time brings the round to the pit's attention: it counts as a
    report, so that an error of it can still be put right when the next coup has begun."""
    number, player = command.round, command.player
    past = state.floor.round(number)
    said = any(one.by == player for one in state.floor.reported(number))
    if past is None or not past.in_time or said:
        return []
    return [e.ErrorReported(now, number, player, command.words)]


def open_to_errors(state: TableState, number: int) -> str:
    """Why nothing is decided yet that goes by the result of a round; nothing once it is final."""
    past = state.floor.round(number)
    if past is None:
        return ""
    wait = f"an error of round {number} can still be put right (R43)"
    if state.floor.reported(number):
        return f"{wait}: decide on what was reported first, then on the dispute"
    return f"{wait} until the first card of the next coup at this table: decide then"


def _dismiss(state: TableState, command: c.DismissReport, now: int) -> Sequence[e.Event]:
    number, by = command.round, command.by
    _check_reported(state, number, by)
    reports = state.floor.reported(number)
    if command.reports not in (None, len(reports)):
        words = f"round {number} has {len(reports)} reports now: read them all first"
        raise Refused(Code.STALE_VIEW, words)
    reporters = ", ".join(one.by for one in reports)
    motion = Motion(correcting(number), f"{NO_ERROR}: {reporters}", command.words, by)
    two = by in state.floor.dealers_of(number)
    first = seconded(state.proposals, motion, now) if two else ""
    if first is None:
        return propose(state.proposals, motion, now)
    return [e.ReportDismissed(now, number, by, command.words, first)]


def _consider(state: TableState, command: c.ConsiderRectification, now: int) -> Sequence[e.Event]:
    current = state.round
    under_way = command.round == current.number and current.phase in ON_THE_TABLE
    if not (under_way and state.by_hand and state.result_known):
        words = f"round {command.round} is not one whose result is known and not yet paid"
        raise Refused(Code.NO_SUCH_ROUND, words)
    return [e.RectificationConsidered(now, command.round, command.by, command.words)]


def _remedy(state: TableState, command: c.RemedyError, now: int) -> Sequence[e.Event]:
    new = settled_again(state, command, now)
    if not takes_two(state, new):
        return _and_signs(state, new)
    motion = Motion(correcting(command.round), _terms(state, new), _words(state, new), command.by)
    first = seconded(state.proposals, motion, now)
    if first is None:
        return propose(state.proposals, motion, now)
    return _and_signs(state, replace(new, first=first))


def _and_signs(state: TableState, new: e.RoundCorrected) -> Sequence[e.Event]:
    """A correction may show that nobody has shuffled."""
    past, shoe = state.floor.round(new.round), corrected(state.floor, new).shoe
    if past is None or shoe is None or shoe.shoe != past.shoe:
        return [new]
    return [new, *signs(state, shoe, shoe.out, past.start, state.floor.dealer, new.at)]


def settled_again(state: TableState, command: c.RemedyError, now: int) -> e.RoundCorrected:
    """The round as these cards would have it, or Refused; what each player has is not known here,
    so what it moves is still to be said (`house.corrections`)."""
    past = state.floor.round(command.round)
    if past is None:
        raise _too_late(state, command.round)
    _check_reported(state, command.round, command.by)
    meant = perfect(game_of(past.rules).tableau, command.drawn)
    if not meant.deal.over:
        turn = meant.deal.turn
        words = (
            f"{len(command.drawn)} cards do not finish the coup: {name(turn.hand)} is due one more "
            f"({turn.why}); add the card that followed in the shoe"
        )
        raise Refused(Code.WRONG_CARD, words)
    kept = command.drawn[: len(meant.turns)]
    shoe = state.floor.shoe
    here = shoe if shoe is not None and shoe.shoe == past.shoe else None
    between = past.in_time and here and state.round.phase.resting
    goes = excess_goes(state, past.rules) if between else Excess.BURNED
    fewer = len(command.drawn) < len(past.cards)
    if fewer and past.in_time and here and state.round.phase is Phase.OPEN and state.round.bets:
        words = (
            f"bets are open on round {state.round.number}, and a card that round {past.number} did "
            "not have may be the next one: settle it again after “no more bets”, or cancel first"
        )
        raise Refused(Code.WRONG_PHASE, words)
    if here is not None:
        _check_cards(here, past, kept, meant.excess if goes is Excess.BURNED else ())
    coup = meant.deal.coup
    return e.RoundCorrected(
        now,
        round=command.round,
        by=command.by,
        drawn=command.drawn,
        excess=meant.excess,
        goes=goes,
        coup=str(coup),
        winner=coup.winner,
        results=results_of(past.rules, coup, past.wagers),
        corrections=(),
        alone=command.alone,
        coup_before=str(perfect(game_of(past.rules).tableau, past.cards).deal.coup),
        paid_before=past.results,
    )


def takes_two(state: TableState, new: e.RoundCorrected) -> bool:
    """Return whether two people must decide: always, in a house that names an amount, because the
    coup was complete; and always for one who dealt the round."""
    return new.alone is not None or new.by in state.floor.dealers_of(new.round)


def _terms(state: TableState, new: e.RoundCorrected) -> str:
    """What the second person agrees to: the cards, then each player's result before and after.

    What a player no longer has to give back is not part of it: nobody decides on that, and who bets
    meanwhile cannot undo a proposal.
    """
    nets = _nets(state, new.round)
    moves = ", ".join(f"{one.player} {nets[one.player]} to {one.net}" for one in new.results)
    return f"{' '.join(map(str, new.drawn))}: {moves}"


def _words(state: TableState, new: e.RoundCorrected) -> str:
    before, after = (parse_coup(coup).face() for coup in (new.coup_before, new.coup))
    moved = format_coins(_moved(state, new))
    reports = "; ".join(f"{one.by}: {one.words}" for one in state.floor.reported(new.round))
    return (
        f"Correct round {new.round} from {before} to {after}: {moved} changes hands. "
        f"Reported by {reports}"
    )


def _moved(state: TableState, new: e.RoundCorrected) -> int:
    """What a correction moves, to players and from them, in coins."""
    nets = _nets(state, new.round)
    return sum(abs(one.net - nets[one.player]) for one in new.results)


def _nets(state: TableState, number: int) -> dict[str, int]:
    """Each player's result of a round, as it was paid."""
    past = state.floor.round(number)
    return {one.player: one.net for one in past.results} if past else {}


def _check_reported(state: TableState, number: int, by: str) -> None:
    reports = state.floor.reported(number)
    if not reports:
        if state.floor.round(number) is None and number != state.round.number:
            raise _too_late(state, number)
        words = f"no report of an error of round {number} waits: report it first"
        raise Refused(Code.WRONG_PHASE, words)
    if any(one.by == by for one in reports):
        words = f"{by} reported the error of round {number}: another person decides on it"
        raise Refused(Code.NEEDS_TWO_PEOPLE, words)


def _too_late(state: TableState, number: int) -> Refused:
    if not 0 < number <= state.round.number:
        return Refused(Code.NO_SUCH_ROUND, f"there has been no round {number} at this table")
    if number == state.round.number:
        words = (
            f"round {number} is {state.round.phase}: there is no error of it to be settled again"
        )
        return Refused(Code.WRONG_PHASE, words)
    waits = state.floor.reported(number)
    reported = "what was reported in time waits for the pit" if waits else "nothing waits"
    return Refused(
        Code.RESULT_STANDS,
        f"round {number} stands (R43): an error of it is reported before the first card of the "
        f"next coup or not at all, and {reported}",
    )


def _check_cards(
    shoe: CardShoe, past: PastRound, kept: Sequence[Card], burned: Sequence[Card]
) -> None:
    """Cards that a coup needs besides its own are those that followed; and all of them can be."""
    end = past.start + len(past.cards)
    more = kept[len(past.cards) :]
    came = (*shoe.out[end:], *shoe.known)
    for card, followed in zip(more, came, strict=False):
        if followed not in (None, card):
            words = f"{card.face()} did not follow in the shoe: {followed.face()} did"
            raise Refused(Code.WRONG_CARD, words)
    left = unseen(shoe.decks, out_corrected(shoe.out, past, kept, burned))
    for card in (*kept, *burned):
        if card.suit is None or left[card] < 0:
            words = f"{card.face()} cannot be: there are no more of it in {shoe.decks} decks"
            raise Refused(Code.WRONG_CARD, words)


REMEDIES: dict[type[c.Command], Decide] = {
    c.ReportError: _report,
    c.DismissReport: _dismiss,
    c.RemedyError: _remedy,
    c.ConsiderRectification: _consider,
}
