"""The dealer's console: everything that a dealer needs to know, in the reader's language.

The console shows what to do next, which hand gets the next card and by which row of the tableau,
the totals, what is wrong and how to put it right, and how many cards are left in the shoe. Nothing
is decided here: a command is offered if `decide`, which also carries it out, does not refuse it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from baccarat.core.cards import DECK_SIZE, Card, total
from baccarat.core.misdeals import IrregularityKind
from baccarat.core.tableau import Hand
from baccarat.shoe import MAX_CARDS_IN_COUP
from baccarat.shoe.commitment import ID_SIZE
from baccarat.shoe.scanned import unseen, unseen_by_rank
from baccarat.shoe.unshuffled import alarm_length
from baccarat.table import commands as c
from baccarat.table.decide import decide
from baccarat.table.events import ActionProposed, CancelReason, CutBy
from baccarat.table.four_eyes import terms
from baccarat.table.four_eyes.proposals import digest, find_open
from baccarat.table.four_eyes.subjects import Cancel, Correct, HandOver, Rectify
from baccarat.table.manual import console_forms as forms
from baccarat.table.manual.card_shoe import CardShoe
from baccarat.table.manual.checks import ON_THE_TABLE, correct_deal, irregular
from baccarat.table.manual.corrections import reportable
from baccarat.table.manual.decisions import place_due
from baccarat.table.manual.in_words import doubt_in_words, report_in_words
from baccarat.table.manual.next_step import next_step, settling_steps, shoe_alarm
from baccarat.table.manual.options import choices
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of, stake_range, table_game
from baccarat.table.state import TableState
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.dealing import irregularity_in_words, reason_in_words

CALLS: dict[str, type[c.DealerCommand]] = {
    "take-table": c.TakeTable,
    "leave-table": c.LeaveTable,
    "call-floor": c.CallFloor,
    "place-your-bets": c.CallBets,
    "no-more-bets": c.CallNoMoreBets,
    "cut-card": c.ShowCutCard,
    "result": c.AnnounceResult,
    "pay": c.PayRound,
}
"""The dealer's calls that need no values other than the dealer's name."""


@dataclass(frozen=True)
class Reader:
    """The person at the console, who is not necessarily the dealer."""

    account: str
    pit: bool
    """Whether this person is a member of the pit."""
    t: Catalogue

    def may(self, state: TableState, command: c.Command) -> bool:
        """Return whether a command would be accepted now and would change something."""
        try:
            return bool(decide(state, command, state.at))
        except Refused:
            return False


def console(state: TableState, reader: Reader) -> forms.Console:
    """Return everything that the console shows to this reader."""
    manual, current, t = state.manual, state.round, reader.t
    sent = {place for place, device in enumerate(manual.sent, start=1) if device}
    return {
        "table": state.table,
        "sequence": state.sequence,
        "dealer": manual.dealer,
        "paused": state.paused,
        "called": _called(state, reader),
        "alarm": shoe_alarm(state, t),
        "round": current.number,
        "phase": current.phase,
        "next": next_step(state, t),
        "can": [*_can(state, reader)],
        "must_ask": manual.dealer not in ("", reader.account) and not reader.pit,
        "reportable": list(reportable(state)),
        "turn": _turn(state, t),
        "hands": _hands(state, t),
        "place": place_due(state),
        "drawn": [
            {"place": place, "card": str(card), "hand": hand, "sent": place in sent}
            for place, (hand, card) in enumerate(current.cards, start=1)
        ],
        "irregularities": _flags(state, t),
        "choices": choices(state, t),
        "reasons": list(CancelReason),
        "result_known": state.result_known and not current.phase.resting,
        "bets": _bets(state),
        "calling_off": _calling_off(state, reader),
        "rectifying": _rectifying(state, reader),
        "changes_alone": not (state.result_known or manual.mistaken or state.settings.inspector),
        "correcting": [*_correcting(state, reader)],
        "asked_for": [*_asked_for(state, reader)],
        "reports": [*_reports(state, reader)],
        "correctable": [
            {"round": one.number, "in_time": one.in_time, "cards": [str(c) for c in one.cards]}
            for one in manual.past
            if not one.followed or manual.reported(one.number)
        ],
        "limits": _limits(state),
        "wagers": {
            "players": len(current.wagers),
            "coins": sum(placed.staked for placed in current.wagers.values()),
        },
        "settling": settling_steps(state, t),
        "deck_set_due": state.settings_due(state.at).deck_sets,
        "shoe": None if manual.shoe is None else _shoe(state, manual.shoe, t),
    }


def _flags(state: TableState, t: Catalogue) -> list[forms.Flag]:
    """Return all irregularities; cards shown early are included until the coup's first card."""
    found = [
        (IrregularityKind.IN_DOUBT, 0, doubt_in_words(doubt.event, t))
        for doubt in state.manual.doubts
    ]
    wrong = (*irregular(state), *state.manual.early)
    found += [(one.kind, one.place, irregularity_in_words(one, t)) for one in wrong]
    return [
        {"kind": kind, "place": place, "words": words, "remedy": t(f"remedy-{kind}")}
        for kind, place, words in found
    ]


def _can(state: TableState, reader: Reader) -> Iterator[str]:
    """Yield the names of the calls that would be accepted now."""
    asks = reader.account
    commands: dict[str, c.DealerCommand] = {
        **{name: call(asks) for name, call in CALLS.items()},
        "cut-card": c.ShowCutCard(asks, sure=True),
        "begin-shoe": _any_shoe(state, asks),
        "close-shoe": c.CloseShoe(asks),
        "burn": c.BurnByHand(asks),
    }
    yield from (name for name, command in commands.items() if reader.may(state, command))
    for name, undo in _undo(state, reader).items():
        if reader.may(state, undo):
            yield name
    dealing = asks == state.manual.dealer and not state.manual.called
    if dealing and not state.round.phase.resting:
        yield "cancel"
        if state.round.cards:
            yield "re-enter"


def _undo(state: TableState, reader: Reader) -> dict[str, c.Undo]:
    """Return the commands that undo what was entered, with the cards as they were entered."""
    by, last = (reader.account, reader.pit, "-"), state.manual.shoe and state.manual.shoe.last_burn
    shown = last.event.shown if last else ()
    return {"correct-burn": c.CorrectBurn(*by, shown), "undo-cut-card": c.UndoCutCard(*by)}


def _any_shoe(state: TableState, dealer: str) -> c.BeginShoe:
    """Return a command that begins a shoe with a deck set that was prepared for it."""
    decks = game_of(state.settings_due(state.at).rules).decks
    ready = state.manual.prepared + 1
    return c.BeginShoe(dealer, bytes(ID_SIZE), "any", CutBy.DEALER, ready, decks)


def _called(state: TableState, reader: Reader) -> forms.Called | None:
    """Return the dealer's call for the floor that the pit has not answered."""
    called = state.manual.called
    if called is None:
        return None
    answer = reader.may(state, c.AnswerFloor(reader.account, "", reader.pit))
    return {"dealer": called.dealer, "at": called.at, "may_answer": answer}


def _calling_off(state: TableState, reader: Reader) -> forms.CallingOff | None:
    """Return the cancellation that is waiting for a second person, if any."""
    number = state.round.number
    waits = find_open(state.proposals, Cancel(number), state.at)
    if waits is None or not isinstance(waits.terms, terms.CancelRound):
        return None
    reason, own = waits.terms.reason, waits.by == reader.account
    confirm = reader.pit and reader.may(state, c.CancelRound(number, reason, reader.account, 0))
    return {"reason": reason, **_proposed(waits, confirm=confirm, withdraw=own)}


def _rectifying(state: TableState, reader: Reader) -> forms.Rectifying | None:
    number, me = state.round.number, reader.account
    waits = find_open(state.proposals, Rectify(number), state.at)
    if waits is None or not isinstance(waits.terms, terms.ChangeCoup):
        return None
    drawn, withdraw = waits.terms.drawn, reader.pit or me == state.manual.dealer
    confirm = reader.pit and reader.may(state, c.ConfirmRectification(number, me, drawn))
    proposed = _proposed(waits, confirm=confirm, withdraw=withdraw)
    return {"drawn": [str(card) for card in drawn], **proposed}


def _proposed(waits: ActionProposed, *, confirm: bool, withdraw: bool) -> forms.Proposed:
    return {
        "by": waits.by,
        "words": waits.words,
        "proposal": digest(waits),
        "may_confirm": confirm,
        "may_withdraw": withdraw,
    }


def _correcting(state: TableState, reader: Reader) -> Iterator[forms.Correcting]:
    """Yield decisions about reported errors that are waiting for a second person."""
    for number in dict.fromkeys(report.round for report in state.manual.reports):
        waits = find_open(state.proposals, Correct(number), state.at)
        if waits is None:
            continue
        cards = None
        if isinstance(waits.terms, terms.SettleAgain):
            cards = [str(card) for card in waits.terms.cards]
        confirm = waits.by != reader.account and _may_decide(state, number, reader)
        yield {
            "round": number,
            "cards": cards,
            **_proposed(waits, confirm=confirm, withdraw=reader.pit),
        }


def _may_decide(state: TableState, number: int, reader: Reader) -> bool:
    """Return whether the reader may decide on a round's reported errors.

    The reader must be a member of the pit who has not reported an error in that round.
    """
    return reader.pit and all(one.by != reader.account for one in state.manual.reported(number))


def _reports(state: TableState, reader: Reader) -> Iterator[forms.Reported]:
    for report in state.manual.reports:
        number = report.round
        waits = find_open(state.proposals, Correct(number), state.at) is not None
        yield {
            "round": number,
            "by": report.by,
            "words": report_in_words(report, reader.t),
            "may_decide": not waits and _may_decide(state, number, reader),
        }


def _asked_for(state: TableState, reader: Reader) -> Iterator[forms.AskedFor]:
    """Yield other dealers' open requests to take over the table, the earliest first."""
    for proposal in state.proposals:
        if isinstance(proposal.subject, HandOver) and state.at < proposal.until:
            confirm = reader.may(state, c.HandOver(proposal.by, reader.account, reader.pit))
            withdraw = reader.pit or reader.account in (state.manual.dealer, proposal.by)
            yield {
                "until": proposal.until,
                **_proposed(proposal, confirm=confirm, withdraw=withdraw),
            }


def _bets(state: TableState) -> bool:
    """Return whether the current round (between rounds, the next one) takes bets."""
    shoe = state.manual.shoe
    return not (shoe and shoe.next_known) if state.round.phase.resting else state.round.bets


def _limits(state: TableState) -> list[forms.BetRange]:
    """Return the limits and stakes of every bet, in the order of the rule card (R35)."""
    limits = state.settings.limits
    game = table_game(state.rules, limits)
    ranges = {bet: stake_range(game, limits, bet.id) for bet in game.bets}
    staked = Counter[str]()
    for placed in state.round.wagers.values():
        staked.update({wager.bet: wager.stake for wager in placed.wagers})
    return [
        {
            "bet": bet.id,
            "name": bet.name,
            "minimum": least,
            "maximum": most,
            "staked": staked[bet.id],
        }
        for bet, (least, most) in ranges.items()
    ]


def _turn(state: TableState, t: Catalogue) -> forms.NextCard | None:
    """Return the hand that gets the next card, and why; None outside a coup."""
    if state.manual.shoe is None or state.round.phase not in ON_THE_TABLE:
        return None
    turn = correct_deal(state).deal.turn
    return {"hand": turn.hand, "words": reason_in_words(turn.reason, t)}


def _hands(state: TableState, t: Catalogue) -> forms.HandsShown:
    """Return both hands as they lie and as they should lie, and the words to announce."""
    if state.manual.shoe is None:
        return {}
    lie = {hand: [card for to, card in state.round.cards if to is hand] for hand in Hand}
    deal = correct_deal(state).deal
    right = {Hand.PLAYER: deal.player, Hand.BANKER: deal.banker}
    if state.round.phase.resting:
        right = {hand: tuple(cards) for hand, cards in lie.items()}
    totals = [
        t("console-total", hand=t(f"table-{hand}"), total=total(cards))
        for hand, cards in right.items()
        if cards
    ]
    player, banker = (_hand(lie[hand], right[hand]) for hand in (Hand.PLAYER, Hand.BANKER))
    return {"announce": ", ".join(totals), "player": player, "banker": banker}


def _hand(lies: Sequence[Card], meant: Sequence[Card]) -> forms.HandShown:
    return {
        "cards": [str(card) for card in lies],
        "total": total(lies),
        "meant": [str(card) for card in meant],
        "meant_total": total(meant),
    }


def _shoe(state: TableState, shoe: CardShoe, t: Catalogue) -> forms.ShoeOfCards:
    left = unseen(shoe.decks, shoe.out)
    return {
        "shoe": shoe.shoe.hex(),
        "decks": shoe.decks,
        "cards": shoe.decks * DECK_SIZE,
        "out": len(shoe.out),
        "left": shoe.left,
        "face_down": sum(card is None for card in shoe.out),
        "coups": shoe.coups,
        "cut_card_out": shoe.cut_card_out,
        "mostly_left": shoe.mostly_left,
        "last_coup": shoe.coups_to_come == 1,
        "over": shoe.over or shoe.left < MAX_CARDS_IN_COUP,
        "burn_due": shoe.burn_due,
        "known": [str(card) for card in _taken_back(state, shoe)],
        "unseen_by_rank": unseen_by_rank(shoe.decks, shoe.out),
        "unseen": {str(card): count for card, count in left.items()},
        "alarm": shoe_alarm(state, t),
        "alarm_after": alarm_length(shoe.decks),
    }


def _taken_back(state: TableState, shoe: CardShoe) -> Iterator[Card]:
    """Yield the cards that were taken back and must be drawn next."""
    reported = () if state.round.phase.resting else state.round.drawn
    for at, card in enumerate(shoe.known):
        if card is not None and reported[at : at + 1] != (card,):
            yield card
