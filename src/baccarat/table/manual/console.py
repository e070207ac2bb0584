"""The dealer's console: at any moment all that a dealer needs to know, in words.

In goes a state, out come plain values: what is to be done next, who gets the next card and by which
row, totals, what is wrong and how it is put right, and what is left in the shoe. The one rule:
nothing is decided here; asking and doing share `conduct`.
"""

from collections.abc import Iterator, Sequence

from typing_extensions import TypedDict

from baccarat.core.cards import DECK_SIZE, Card, total
from baccarat.core.misdeals import Irregularity, Wrong, name, perfect
from baccarat.core.rulecard import Game
from baccarat.core.tableau import Hand
from baccarat.shoe import MOST_IN_A_COUP
from baccarat.shoe.commitment import ID_SIZE
from baccarat.shoe.scanned import unseen, unseen_by_rank
from baccarat.shoe.unshuffled import length
from baccarat.table import commands as c
from baccarat.table.choices import Choice, Do, choices
from baccarat.table.conduct import (
    CONDUCT,
    ON_THE_TABLE,
    called_mistakes,
    in_doubt,
    irregular,
    meant,
    place_due,
)
from baccarat.table.events import BurnReason, CancelReason, CardWas, WagerResult
from baccarat.table.floor import CardShoe
from baccarat.table.phases import Phase
from baccarat.table.refusals import Refused
from baccarat.table.rules import game_of
from baccarat.table.settling import results_of
from baccarat.table.state import TableState
from baccarat.table.twopeople import cancelling, handing_over, rectifying

CALLS: dict[str, type[c.Conducted]] = {
    "take-table": c.TakeTable,
    "leave-table": c.LeaveTable,
    "place-your-bets": c.CallBets,
    "no-more-bets": c.CallNoMoreBets,
    "cut-card": c.ShowCutCard,
    "result": c.AnnounceResult,
    "pay": c.PayRound,
}
"""What a dealer says that needs no more words."""

_REMEDY = {
    Wrong.WRONG_SIDE: "put it where it belongs, then rectify",
    Wrong.SWAPPED: "put both where they belong, then rectify",
    Wrong.EXTRA: "then rectify",
    Wrong.MISSING: "draw it",
    Wrong.IMPOSSIBLE: "rectify with the right card, or call the pit (foreign card)",
    Wrong.NOT_NEXT: "rectify with the card that was taken back in front",
    Wrong.EXPOSED: "it counts as burned",
    Wrong.IN_DOUBT: "say what it was",
}


class Next(TypedDict):
    """The one thing to do now: the call's name for the API, and words."""

    do: str
    words: str


class TurnTold(TypedDict):
    hand: Hand | None
    words: str


class HandTold(TypedDict):
    """A hand as it lies, and as it is meant to."""

    cards: list[str]
    total: int
    meant: list[str]
    meant_total: int


class HandsTold(TypedDict, total=False):
    """Nothing, while there is no shoe."""

    announce: str
    player: HandTold
    banker: HandTold


class DrawnTold(TypedDict):
    place: int
    card: str
    hand: Hand | None


class Flag(TypedDict):
    kind: Wrong
    place: int
    words: str
    remedy: str


class ChoiceTold(TypedDict):
    do: Do
    words: str
    drawn: list[str] | None
    place: int | None
    was: CardWas | None


class CallingOff(TypedDict):
    reason: str
    by: str
    words: str


class Rectifying(TypedDict):
    """A change of a complete coup that waits for the pit."""

    drawn: list[str]
    by: str
    words: str


class AskedFor(TypedDict):
    """A dealer who asks for the table."""

    dealer: str
    words: str
    until: int


class ReportTold(TypedDict):
    round: int
    by: str
    words: str


class Correctable(TypedDict):
    round: int
    in_time: bool
    cards: list[str]


class WagersOnTable(TypedDict):
    players: int
    coins: int


class BetToSettle(TypedDict):
    """Wagers that are treated alike, by bet: how many, what is staked, what moves."""

    bet: str
    name: str
    wagers: int
    staked: int
    coins: int


class Settling(TypedDict):
    do: str
    words: str
    bets: list[BetToSettle]


class ShoeOfCards(TypedDict):
    shoe: str
    decks: int
    cards: int
    out: int
    left: int
    face_down: int
    coups: int
    cut_card_out: bool
    last_coup: bool
    over: bool
    burn_due: BurnReason | None
    known: list[str]
    unseen_by_rank: dict[str, int]
    unseen: dict[str, int]
    alarm: str
    alarm_after: int


class Console(TypedDict):
    """All of it."""

    table: str
    sequence: int
    dealer: str
    paused: bool
    alarm: str
    round: int
    phase: Phase
    next: Next
    can: list[str]
    reportable: int | None
    turn: TurnTold | None
    hands: HandsTold
    drawn: list[DrawnTold]
    place: int
    shown_early: int
    irregularities: list[Flag]
    choices: list[ChoiceTold]
    reasons: list[CancelReason]
    result_known: bool
    bets: bool
    calling_off: CallingOff | None
    rectifying: Rectifying | None
    asked_for: list[AskedFor]
    reports: list[ReportTold]
    correctable: list[Correctable]
    wagers: WagersOnTable
    settling: list[Settling]
    shoe: ShoeOfCards | None


def console(state: TableState, asks: str) -> Console:
    """What the dealer sees; `asks` is the account at the console, who may not have the table."""
    floor, current = state.floor, state.round
    return {
        "table": state.table,
        "sequence": state.sequence,
        "dealer": floor.dealer,
        "paused": state.paused,
        "alarm": floor.alarm,
        "round": current.number,
        "phase": current.phase,
        "next": _next(state),
        "can": [*_can(state, asks)],
        "reportable": _reportable(state),
        "turn": _turn(state),
        "hands": _hands(state),
        "place": place_due(state),
        "shown_early": floor.exposed,
        "drawn": [
            {"place": place, "card": str(card), "hand": hand}
            for place, (hand, card) in enumerate(current.cards, start=1)
        ],
        "irregularities": [_flag(one) for one in _flagged(state)],
        "choices": [_chosen(one) for one in choices(state)],
        "reasons": list(CancelReason),
        "result_known": state.result_known and not current.phase.resting,
        "bets": _bets(state),
        "calling_off": _calling_off(state),
        "rectifying": _rectifying(state),
        "asked_for": _asked_for(state),
        "reports": [
            {"round": one.round, "by": one.by, "words": one.words} for one in floor.reports
        ],
        "correctable": [
            {"round": one.number, "in_time": one.in_time, "cards": [str(c) for c in one.cards]}
            for one in floor.past
        ],
        "wagers": {"players": len(current.wagers), "coins": _staked(state)},
        "settling": _settling(state),
        "shoe": None if floor.shoe is None else _shoe(state, floor.shoe),
    }


def _flagged(state: TableState) -> tuple[Irregularity, ...]:
    """All that is wrong, and cards that were shown early, until a coup is dealt."""
    early = () if state.round.phase in ON_THE_TABLE else state.floor.early
    shown = tuple(Irregularity(Wrong.EXPOSED, 0, words) for words in early)
    return (*in_doubt(state), *irregular(state), *shown)


def _can(state: TableState, asks: str) -> Iterator[str]:
    """What would not be refused now."""
    commands: dict[str, c.Conducted] = {
        **{name: call(asks) for name, call in CALLS.items()},
        "begin-shoe": c.BeginShoe(asks, bytes(ID_SIZE)),
        "close-shoe": c.CloseShoe(asks),
        "burn": c.BurnByHand(asks),
    }
    yield from (name for name, command in commands.items() if _caused(state, command))
    if asks == state.floor.dealer and not state.round.phase.resting:
        yield "cancel"
        if state.round.cards:
            yield "tell-again"


def _caused(state: TableState, command: c.Conducted) -> bool:
    try:
        return bool(CONDUCT[type(command)](state, command, state.at))
    except Refused:
        return False


def _reportable(state: TableState) -> int | None:
    """The round of which an error can be reported now: the last one, until the next coup begins."""
    past = next((one.number for one in state.floor.past if one.in_time), None)
    under_way = state.round.phase in ON_THE_TABLE and state.by_hand
    return past or (state.round.number if under_way else None)


def _calling_off(state: TableState) -> CallingOff | None:
    """A dummy round that waits for a second person."""
    waits = state.proposals.get(cancelling(state.round.number))
    if waits is None or state.at >= waits.until:
        return None
    return {"reason": waits.terms.split(" ")[0], "by": waits.by, "words": waits.words}


def _rectifying(state: TableState) -> Rectifying | None:
    waits = state.proposals.get(rectifying(state.round.number))
    if waits is None or state.at >= waits.until:
        return None
    drawn = waits.terms.split(" > ")[1].split(" ")
    return {"drawn": [card for card in drawn if card], "by": waits.by, "words": waits.words}


def _asked_for(state: TableState) -> list[AskedFor]:
    """Who asks for the table, the first first."""
    return [
        {"dealer": one.by, "words": one.words, "until": one.until}
        for subject, one in state.proposals.items()
        if subject == handing_over(one.by) and state.at < one.until
    ]


def _bets(state: TableState) -> bool:
    """Are there bets on this round or, between rounds, on the next?"""
    shoe = state.floor.shoe
    return not (shoe and shoe.next_known) if state.round.phase.resting else state.round.bets


def _chosen(one: Choice) -> ChoiceTold:
    return {
        "do": one.do,
        "words": one.words,
        "drawn": [str(card) for card in one.drawn] or None,
        "place": one.place or None,
        "was": one.was,
    }


def _settling(state: TableState) -> list[Settling]:
    """What is done with the wagers once the result is known, in this order (R13)."""
    past = state.floor.round(state.round.number)
    if state.round.phase is Phase.DECIDED and not irregular(state):
        rules, coup = state.rules, meant(state).deal.coup
        results = results_of(rules, coup, state.round.wagers)
    elif past is not None and past.in_time:
        rules, results = past.rules, past.results
        coup = perfect(game_of(rules).tableau, past.cards).deal.coup
    else:
        return []
    who = "Tie" if coup.winner == "tie" else f"{coup.winner.capitalize()} wins"
    words = f"{who}: Player {coup.player_total}, Banker {coup.banker_total}"
    made = [one for result in results for one in result.wagers]
    lost, back, won = (
        [one for one in made if one.net < 0],
        [one for one in made if one.net == 0],
        [one for one in made if one.net > 0],
    )
    steps = (("collect", lost), ("give-back", back), ("pay", won))
    moves: list[Settling] = [
        {"do": do, "words": "", "bets": _by_bet(game_of(rules), alike)} for do, alike in steps
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


def _staked(state: TableState) -> int:
    return sum(placed.staked for placed in state.round.wagers.values())


def _flag(one: Irregularity) -> Flag:
    return {
        "kind": one.kind,
        "place": one.place,
        "words": one.words,
        "remedy": _REMEDY[one.kind],
    }


def _turn(state: TableState) -> TurnTold | None:
    """Who gets the next card, and by which row; None outside a coup."""
    if state.floor.shoe is None or state.round.phase not in (
        *(Phase.CLOSED, Phase.DEALING, Phase.DECIDED),
    ):
        return None
    turn = meant(state).deal.turn
    words = f"{name(turn.hand)}: {turn.why}" if turn.hand else f"no more cards: {turn.why}"
    return {"hand": turn.hand, "words": words}


def _hands(state: TableState) -> HandsTold:
    """Both hands as the cards lie, and as they are meant to, with what to announce."""
    if state.floor.shoe is None:
        return {}
    lie = {hand: [card for to, card in state.round.cards if to is hand] for hand in Hand}
    deal = meant(state).deal
    right = {Hand.PLAYER: deal.player, Hand.BANKER: deal.banker}
    if state.round.phase.resting:
        right = {hand: tuple(cards) for hand, cards in lie.items()}
    said = [f"{name(hand)} {total(cards)}" for hand, cards in right.items() if cards]
    player, banker = (_hand(lie[hand], right[hand]) for hand in (Hand.PLAYER, Hand.BANKER))
    return {"announce": ", ".join(said), "player": player, "banker": banker}


def _hand(lies: Sequence[Card], meant: Sequence[Card]) -> HandTold:
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
    """Cards that come first from the shoe, and have not come yet."""
    told = [] if state.round.phase.resting else [card for _, card in state.round.cards]
    for at, card in enumerate(shoe.known):
        if card is not None and told[at : at + 1] != [card]:
            yield card


def _next(state: TableState) -> Next:
    do, words = _due(state)
    return {"do": do, "words": words}


def _due(state: TableState) -> tuple[str, str]:
    shoe, phase = state.floor.shoe, state.round.phase
    if not state.floor.dealer:
        return "take-table", "Nobody deals here: take the table."
    if state.paused and phase.resting:
        return "wait", "The table is paused: the pit lets it go on."
    if shoe is None:
        return "begin-shoe", "Shuffle, cut, and begin a shoe."
    if waiting := in_doubt(state):
        return "explain", f"{waiting[0].words}. Say what it was."
    if _rectifying(state) is not None and not phase.resting:
        return "wait", "A change of this complete coup waits for the pit. Wait, or take it back."
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
            if turn.hand is None and state.floor.mistaken:
                said = called_mistakes(state)
                return "rectify", f"{said[0].upper()}{said[1:]}: ask the pit to confirm the coup."
            if turn.hand is None:
                return "result", f"The coup is over: {turn.why}. Announce the result."
            return "card", f"Next card to {name(turn.hand)}: {turn.why}."
        case Phase.DECIDED:
            return "pay", "Collect what is lost, then pay."
    if shoe.alarm or shoe.over or shoe.left < MOST_IN_A_COUP:
        return "close-shoe", f"{shoe.alarm or 'The shoe is over'}: close it."
    if shoe.burn_due is not None:
        owed = shoe.owed and shoe.burn_due is not BurnReason.AFTER_SHUFFLE
        why = BurnReason.TAKEN_BACK if owed else shoe.burn_due
        return "burn", _BURN[why].format(count=shoe.burns)
    if shoe.next_known:
        words = "Deal this coup without bets, because the next card has been seen. Open the round."
        return "place-your-bets", words
    return "place-your-bets", "Say “place your bets”."


_BURN = {
    BurnReason.AFTER_SHUFFLE: "Burn after the shuffle: show the first card where the house does.",
    BurnReason.DEALER_CHANGE: "A new dealer: burn one card.",
    BurnReason.EXPOSED: "Burn the card that was shown.",
    BurnReason.TAKEN_BACK: "A card was taken back and may be the next one: burn {count} face down.",
}
