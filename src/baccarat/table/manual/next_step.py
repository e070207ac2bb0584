"""What the dealer does next, in words: the next call, and the steps of settling a round."""

from collections.abc import Mapping, Sequence

from baccarat.core.bets import STAND_OFF
from baccarat.core.coup import Coup, Winner
from baccarat.core.misdeals import IrregularityKind, deal_correctly
from baccarat.core.rulecard import Game
from baccarat.shoe import MAX_CARDS_IN_COUP, Burn
from baccarat.table.events import BurnReason, WagerResult
from baccarat.table.four_eyes.proposals import find_open
from baccarat.table.four_eyes.subjects import Rectify
from baccarat.table.manual import console_forms as forms
from baccarat.table.manual.card_shoe import CardShoe
from baccarat.table.manual.checks import ON_THE_TABLE, correct_deal, irregular
from baccarat.table.manual.in_words import alarm_in_words, doubt_in_words
from baccarat.table.phases import Phase
from baccarat.table.rules import game_of
from baccarat.table.settlement import results_of
from baccarat.table.state import TableState
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.dealing import faces, irregularity_in_words, reason_in_words
from baccarat.wording.rules import odds_in_words


def next_step(state: TableState, t: Catalogue) -> forms.Next:
    """Return the dealer's next call: its name, a few words in large type, and an instruction."""
    shoe, phase = state.manual.shoe, state.round.phase
    if not state.manual.dealer:
        return _step("take-table", t("console-no-dealer"), t)
    if state.manual.called:
        return _step("wait", t("console-called"), t, t("console-step-called"))
    if state.frozen:
        return _step("wait", t("console-frozen"), t)
    if state.paused and phase.resting:
        return _step("wait", t("console-paused"), t)
    if shoe is None:
        return _step("begin-shoe", t("console-begin-shoe"), t)
    if state.manual.doubts:
        fault = doubt_in_words(state.manual.doubts[0].event, t)
        return _step("explain", _remedied(fault, IrregularityKind.IN_DOUBT, t), t)
    if find_open(state.proposals, Rectify(state.round.number), state.at) and not phase.resting:
        return _step("wait", t("console-change-waits"), t)
    if found := irregular(state):
        fault = irregularity_in_words(found[0], t)
        return _step("rectify", _remedied(fault, found[0].kind, t), t)
    if phase.resting:
        return _between_rounds(state, shoe, t)
    return _in_round(state, t)


def _step(do: str, words: str, t: Catalogue, short: str = "") -> forms.Next:
    return {"do": do, "short": short or t(f"console-step-{do}"), "words": words}


def _in_round(state: TableState, t: Catalogue) -> forms.Next:
    phase, turn = state.round.phase, correct_deal(state).deal.turn
    if phase in ON_THE_TABLE and turn.hand is None and state.manual.mistaken:
        return _step("rectify", t("console-unconfirmed", cards=faces(state.manual.mistaken)), t)
    if phase is Phase.OPEN:
        key = "console-open" if state.round.bets else "console-no-bets"
        return _step("no-more-bets", t(key), t)
    if phase is Phase.DECIDED:
        key = "console-pay" if state.round.wagers else "console-pay-nothing"
        return _step("pay", t(key), t, _settling_in_short(state, t))
    why = reason_in_words(turn.reason, t)
    if turn.hand is None:
        return _step("result", t("console-coup-over", why=why), t)
    hand = t(f"table-{turn.hand}")
    words = t("console-next-card", hand=hand, why=why)
    return _step("card", words, t, t("console-step-card", hand=hand))


def _remedied(fault: str, kind: IrregularityKind, t: Catalogue) -> str:
    return t("console-wrong", fault=fault, remedy=t(f"remedy-{kind}"))


def shoe_alarm(state: TableState, t: Catalogue) -> str:
    """Return the alarm of the shoe in words, or ""."""
    return alarm_in_words(state.manual.alarm, t) if state.manual.alarm else ""


def _between_rounds(state: TableState, shoe: CardShoe, t: Catalogue) -> forms.Next:
    if alarm := shoe_alarm(state, t):
        return _step("close-shoe", t("console-shoe-alarm", alarm=alarm), t)
    if shoe.over or shoe.left < MAX_CARDS_IN_COUP:
        return _step("close-shoe", t("console-shoe-over"), t)
    if shoe.burn_due is not None:
        return _burn_step(state, shoe, shoe.burn_due, t)
    key = "console-card-seen" if shoe.next_known else "console-place-bets"
    return _step("place-your-bets", t(key), t)


def _burn_step(state: TableState, shoe: CardShoe, due: BurnReason, t: Catalogue) -> forms.Next:
    """Return the burn that the house's rule, or a card that was taken back, requires."""
    count, burn = shoe.burns, state.settings.burn
    if due is BurnReason.AFTER_SHUFFLE and burn is Burn.FIRST_CARD:
        words = t("console-burn-first-card")
        return _step("burn", words, t, t("console-step-burn-first-card"))
    why = BurnReason.TAKEN_BACK if shoe.owed else due
    words = t("console-burn", why=why, count=count)
    return _step("burn", words, t, t("console-step-burn", count=count))


# ---- settling -----------------------------------------------------------------------------------


def settling_steps(state: TableState, t: Catalogue) -> list[forms.Settling]:
    """Return the settlement steps in the order that R13 requires; empty without a result."""
    past = state.manual.round(state.round.number)
    if state.round.phase is Phase.DECIDED and not irregular(state):
        rules, coup = state.rules, correct_deal(state).deal.coup
        results = results_of(rules, coup, state.round.wagers)
    elif past is not None and past.in_time:
        rules, results = past.rules, past.results
        coup = deal_correctly(game_of(rules).tableau, past.cards).deal.coup
    else:
        return []
    totals = {"player": coup.player_total, "banker": coup.banker_total}
    words = t("console-result", winner=coup.winner, **totals)
    if coup.winner is Winner.TIE:
        words = f"{words}. {_tie_pays(game_of(rules), coup, t)}"
    made = [wager for result in results for wager in result.wagers]
    steps = {
        "collect": [one for one in made if one.net < 0],
        "give-back": [one for one in made if one.net == 0],
        "pay": [one for one in made if one.net > 0],
    }
    moves: list[forms.Settling] = [
        {"do": do, "words": "", "bets": _by_bet(game_of(rules), alike)}
        for do, alike in steps.items()
    ]
    return [{"do": "announce", "words": words, "bets": []}, *moves]


def _by_bet(game: Game, wagers: Sequence[WagerResult]) -> list[forms.BetToSettle]:
    by_bet = {
        bet: alike
        for bet in game.bets
        if (alike := [wager for wager in wagers if wager.bet == bet.id])
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


def _tie_pays(game: Game, coup: Coup, t: Catalogue) -> str:
    """Return which bets a tie pays, with their odds, and which it leaves."""
    pays = game.pay_table.pays(coup)
    paid = [
        t("console-odds", bet=bet.name, odds=odds_in_words(pays[bet.id], t.language))
        for bet in game.bets
        if pays[bet.id] > 0
    ]
    left = [bet.name for bet in game.bets if pays[bet.id] == STAND_OFF]
    return _moves({"pay": paid, "give-back": left}, t)


def _settling_in_short(state: TableState, t: Catalogue) -> str:
    """Return what to collect and what to pay, such as "Collect Player. Pay Banker"."""
    steps = settling_steps(state, t)
    bets = {step["do"]: [bet["name"] for bet in step["bets"]] for step in steps}
    return _moves(bets, t) or t("console-no-wagers")


def _moves(bets: Mapping[str, Sequence[str]], t: Catalogue) -> str:
    return ". ".join(
        t(f"console-settle-{do}", bets=t.joined("and", names))
        for do, names in bets.items()
        if names
    )
