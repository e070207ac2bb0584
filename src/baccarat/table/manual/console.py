"""The dealer's console: everything that a dealer needs to know at any moment, in words.

It shows what to do next, who gets the next card and by which row, totals, what is wrong and how to
put it right, and what is left in the shoe. Nothing is decided here: what the dealer can do is found
by asking the functions that carry out the commands (`CONDUCT`).
"""

from collections.abc import Iterator, Sequence

from baccarat.core.cards import DECK_SIZE, Card, total
from baccarat.core.coup import Winner
from baccarat.core.misdeals import Irregularity, Wrong, name, perfect
from baccarat.core.rulecard import Game
from baccarat.core.tableau import Hand
from baccarat.shoe import MOST_IN_A_COUP
from baccarat.shoe.commitment import ID_SIZE
from baccarat.shoe.scanned import unseen, unseen_by_rank
from baccarat.shoe.unshuffled import length
from baccarat.table import commands as c
from baccarat.table.events import ActionProposed, BurnReason, CancelReason, WagerResult
from baccarat.table.four_eyes import terms
from baccarat.table.four_eyes.proposals import digest, find_open
from baccarat.table.four_eyes.subjects import Cancel, Correct, HandOver, Rectify
from baccarat.table.manual.checks import ON_THE_TABLE, called_mistakes, in_doubt, irregular, meant
from baccarat.table.manual.console_forms import (
    AskedFor,
    BetToSettle,
    CallingOff,
    Console,
    Correcting,
    Flag,
    HandShown,
    HandsShown,
    NextCard,
    Proposed,
    Rectifying,
    Settling,
    ShoeOfCards,
)
from baccarat.table.manual.decisions import CONDUCT, place_due
from baccarat.table.manual.options import choices
from baccarat.table.manual.state import CardShoe
from baccarat.table.phases import Phase
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.table.settlement import results_of
from baccarat.table.state import TableState

CALLS: dict[str, type[c.Conducted]] = {
    "take-table": c.TakeTable,
    "leave-table": c.LeaveTable,
    "place-your-bets": c.CallBets,
    "no-more-bets": c.CallNoMoreBets,
    "cut-card": c.ShowCutCard,
    "result": c.AnnounceResult,
    "pay": c.PayRound,
}
"""Calls of a dealer that need no other values."""

_REMEDY = {
    Wrong.WRONG_SIDE: "put it where it belongs, then rectify",
    Wrong.SWAPPED: "put both where they belong, then rectify",
    Wrong.EXTRA: "then rectify",
    Wrong.MISSING: "draw it",
    Wrong.IMPOSSIBLE: "rectify with the correct card, or call the pit (foreign card)",
    Wrong.NOT_NEXT: "rectify with the card that was taken back first",
    Wrong.EXPOSED: "it counts as burned",
    Wrong.IN_DOUBT: "say what it was",
}


def console(state: TableState, asks: str) -> Console:
    """Return what the dealer sees; `asks` is the account at the console, perhaps not the dealer."""
    manual, current, (do, words) = state.manual, state.round, _due(state)
    sent = {place for place, device in enumerate(manual.sent, start=1) if device}
    return {
        "table": state.table,
        "sequence": state.sequence,
        "dealer": manual.dealer,
        "paused": state.paused,
        "alarm": manual.alarm,
        "round": current.number,
        "phase": current.phase,
        "next": {"do": do, "words": words},
        "can": [*_can(state, asks)],
        "reportable": _reportable(state),
        "turn": _turn(state),
        "hands": _hands(state),
        "place": place_due(state),
        "drawn": [
            {"place": place, "card": str(card), "hand": hand, "sent": place in sent}
            for place, (hand, card) in enumerate(current.cards, start=1)
        ],
        "irregularities": [_flag(one) for one in _flagged(state)],
        "choices": choices(state),
        "reasons": list(CancelReason),
        "result_known": state.result_known and not current.phase.resting,
        "bets": _bets(state),
        "calling_off": _calling_off(state),
        "rectifying": _rectifying(state),
        "changes_alone": not (state.result_known or manual.mistaken),
        "correcting": [*_correcting(state)],
        "asked_for": _asked_for(state),
        "reports": manual.reports,
        "correctable": [
            {"round": one.number, "in_time": one.in_time, "cards": [str(c) for c in one.cards]}
            for one in manual.past
        ],
        "wagers": {
            "players": len(current.wagers),
            "coins": sum(placed.staked for placed in current.wagers.values()),
        },
        "settling": _settling(state),
        "shoe": None if manual.shoe is None else _shoe(state, manual.shoe),
    }


def _flagged(state: TableState) -> tuple[Irregularity, ...]:
    """Return everything that is wrong, with cards that were shown early until a coup is dealt."""
    early = () if state.round.phase in ON_THE_TABLE else state.manual.early
    shown = tuple(Irregularity(Wrong.EXPOSED, 0, words) for words in early)
    return (*in_doubt(state), *irregular(state), *shown)


def _can(state: TableState, asks: str) -> Iterator[str]:
    """Yield the calls that would not be refused now."""
    commands: dict[str, c.Conducted] = {
        **{name: call(asks) for name, call in CALLS.items()},
        "begin-shoe": c.BeginShoe(asks, bytes(ID_SIZE)),
        "close-shoe": c.CloseShoe(asks),
        "burn": c.BurnByHand(asks),
    }
    yield from (name for name, command in commands.items() if _caused(state, command))
    if asks == state.manual.dealer and not state.round.phase.resting:
        yield "cancel"
        if state.round.cards:
            yield "tell-again"


def _caused(state: TableState, command: c.Conducted) -> bool:
    try:
        return bool(CONDUCT[type(command)](state, command, state.at))
    except Refused:
        return False


def _reportable(state: TableState) -> int | None:
    """Return the round whose errors can be reported now: the last, until the next coup begins."""
    past = next((one.number for one in state.manual.past if one.in_time), None)
    under_way = state.round.phase in ON_THE_TABLE and state.by_hand
    return past or (state.round.number if under_way else None)


def _calling_off(state: TableState) -> CallingOff | None:
    """Return the cancellation that is waiting for a second person, if any."""
    waits = find_open(state.proposals, Cancel(state.round.number), state.at)
    if waits is None or not isinstance(waits.terms, terms.CancelRound):
        return None
    return {"reason": waits.terms.reason, **_proposed(waits)}


def _rectifying(state: TableState) -> Rectifying | None:
    waits = find_open(state.proposals, Rectify(state.round.number), state.at)
    if waits is None or not isinstance(waits.terms, terms.ChangeCoup):
        return None
    return {"drawn": [str(card) for card in waits.terms.drawn], **_proposed(waits)}


def _proposed(waits: ActionProposed) -> Proposed:
    return {"by": waits.by, "words": waits.words, "proposal": digest(waits)}


def _correcting(state: TableState) -> Iterator[Correcting]:
    """Yield decisions about reported errors that are waiting for a second person."""
    for number in dict.fromkeys(one.round for one in state.manual.reports):
        waits = find_open(state.proposals, Correct(number), state.at)
        if waits is None:
            continue
        cards = None
        if isinstance(waits.terms, terms.SettleAgain):
            cards = [str(card) for card in waits.terms.cards]
        yield {"round": number, "cards": cards, **_proposed(waits)}


def _asked_for(state: TableState) -> list[AskedFor]:
    """Return the requests for the table, the earliest first."""
    return [
        {"dealer": one.by, "words": one.words, "until": one.until, "proposal": digest(one)}
        for one in state.proposals
        if isinstance(one.subject, HandOver) and state.at < one.until
    ]


def _bets(state: TableState) -> bool:
    """Return whether this round or, between rounds, the next one takes bets."""
    shoe = state.manual.shoe
    return not (shoe and shoe.next_known) if state.round.phase.resting else state.round.bets


def _settling(state: TableState) -> list[Settling]:
    """Return the settlement steps in the order R13 requires; none until the result is known."""
    past = state.manual.round(state.round.number)
    if state.round.phase is Phase.DECIDED and not irregular(state):
        rules, coup = state.rules, meant(state).deal.coup
        results = results_of(rules, coup, state.round.wagers)
    elif past is not None and past.in_time:
        rules, results = past.rules, past.results
        coup = perfect(game_of(rules).tableau, past.cards).deal.coup
    else:
        return []
    who = "Tie" if coup.winner is Winner.TIE else f"{coup.winner.capitalize()} wins"
    words = f"{who}: Player {coup.player_total}, Banker {coup.banker_total}"
    made = [one for result in results for one in result.wagers]
    steps = {
        "collect": [one for one in made if one.net < 0],
        "give-back": [one for one in made if one.net == 0],
        "pay": [one for one in made if one.net > 0],
    }
    moves: list[Settling] = [
        {"do": do, "words": "", "bets": _by_bet(game_of(rules), alike)}
        for do, alike in steps.items()
    ]
    return [{"do": "announce", "words": words, "bets": []}, *moves]


def _by_bet(game: Game, wagers: Sequence[WagerResult]) -> list[BetToSettle]:
    by_bet = {
        bet: alike for bet in game.bets if (alike := [one for one in wagers if one.bet == bet.id])
    }
    return [
        {
            "bet": bet.id,
            "name": bet.name,
            "wagers": len(alike),
            "staked": sum(one.stake for one in alike),
            "coins": sum(abs(one.net) for one in alike),
        }
        for bet, alike in by_bet.items()
    ]


def _flag(one: Irregularity) -> Flag:
    return {"kind": one.kind, "place": one.place, "words": one.words, "remedy": _REMEDY[one.kind]}


def _turn(state: TableState) -> NextCard | None:
    """Return who gets the next card and by which row; None outside a coup."""
    if state.manual.shoe is None or state.round.phase not in ON_THE_TABLE:
        return None
    turn = meant(state).deal.turn
    words = f"{name(turn.hand)}: {turn.why}" if turn.hand else f"no more cards: {turn.why}"
    return {"hand": turn.hand, "words": words}


def _hands(state: TableState) -> HandsShown:
    """Return both hands as the cards lie and as they should, with what to announce."""
    if state.manual.shoe is None:
        return {}
    lie = {hand: [card for to, card in state.round.cards if to is hand] for hand in Hand}
    deal = meant(state).deal
    right = {Hand.PLAYER: deal.player, Hand.BANKER: deal.banker}
    if state.round.phase.resting:
        right = {hand: tuple(cards) for hand, cards in lie.items()}
    totals = [f"{name(hand)} {total(cards)}" for hand, cards in right.items() if cards]
    player, banker = (_hand(lie[hand], right[hand]) for hand in (Hand.PLAYER, Hand.BANKER))
    return {"announce": ", ".join(totals), "player": player, "banker": banker}


def _hand(lies: Sequence[Card], meant: Sequence[Card]) -> HandShown:
    return {
        "cards": [str(card) for card in lies],
        "total": total(lies),
        "meant": [str(card) for card in meant],
        "meant_total": total(meant),
    }


def _shoe(state: TableState, shoe: CardShoe) -> ShoeOfCards:
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
        "last_coup": shoe.coups_to_come == 1,
        "over": shoe.over or shoe.left < MOST_IN_A_COUP,
        "burn_due": shoe.burn_due,
        "known": [str(card) for card in _taken_back(state, shoe)],
        "unseen_by_rank": unseen_by_rank(shoe.decks, shoe.out),
        "unseen": {str(card): count for card, count in left.items()},
        "alarm": shoe.alarm,
        "alarm_after": length(shoe.decks),
    }


def _taken_back(state: TableState, shoe: CardShoe) -> Iterator[Card]:
    """Yield the cards that must come first from the shoe and have not come yet."""
    reported = [] if state.round.phase.resting else [card for _, card in state.round.cards]
    for at, card in enumerate(shoe.known):
        if card is not None and reported[at : at + 1] != [card]:
            yield card


def _due(state: TableState) -> tuple[str, str]:
    shoe, phase = state.manual.shoe, state.round.phase
    if not state.manual.dealer:
        return "take-table", "Nobody is dealing at this table. Take it."
    if state.paused and phase.resting:
        return "wait", "The table is paused. Ask the pit to resume it."
    if shoe is None:
        return "begin-shoe", "Shuffle, cut, and begin a shoe."
    if waiting := in_doubt(state):
        return "explain", f"{waiting[0].words}. Say what it was."
    if _rectifying(state) is not None and not phase.resting:
        return (
            "wait",
            "A change to this complete coup is waiting for the pit. Wait, or withdraw it.",
        )
    found = irregular(state)
    if found:
        return "rectify", f"{found[0].words}. {_REMEDY[found[0].kind].capitalize()}."
    match phase:
        case Phase.OPEN if not state.round.bets:
            return "no-more-bets", "Deal this coup without bets: say “no more bets”."
        case Phase.OPEN:
            return "no-more-bets", "Bets are open: say “no more bets” when it is time."
        case Phase.CLOSED | Phase.DEALING:
            turn = meant(state).deal.turn
            if turn.hand is None and state.manual.mistaken:
                return _unconfirmed(state)
            if turn.hand is None:
                return "result", f"The coup is over: {turn.why}. Announce the result."
            return "card", f"Next card to {name(turn.hand)}: {turn.why}."
        case Phase.DECIDED if state.manual.mistaken:
            return _unconfirmed(state)
        case Phase.DECIDED:
            return "pay", "Collect the losing bets, then pay the winning ones."
    if shoe.alarm:
        return "close-shoe", f"Close the shoe: {shoe.alarm}."
    if shoe.over or shoe.left < MOST_IN_A_COUP:
        return "close-shoe", "The shoe is over. Close it."
    if shoe.burn_due is not None:
        owed = shoe.owed and shoe.burn_due is not BurnReason.AFTER_SHUFFLE
        why = BurnReason.TAKEN_BACK if owed else shoe.burn_due
        return "burn", _BURN[why].format(count=shoe.burns)
    if shoe.next_known:
        words = "Deal this coup without bets, because the next card has been seen. Open the round."
        return "place-your-bets", words
    return "place-your-bets", "Say “place your bets”."


def _unconfirmed(state: TableState) -> tuple[str, str]:
    return "rectify", f"{called_mistakes(state)}. Ask the pit to confirm the coup."


_BURN = {
    BurnReason.AFTER_SHUFFLE: "Burn after the shuffle. Show the first card if house rules say so.",
    BurnReason.DEALER_CHANGE: "The dealer has changed: burn one card.",
    BurnReason.EXPOSED: "Burn the exposed card.",
    BurnReason.TAKEN_BACK: "A card was taken back and may be the next one: burn {count} face down.",
}
