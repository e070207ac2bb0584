"""What a waiting proposal would change: what its second person sees before deciding.

Everything is computed from the table and the ledger as they are now, by the functions that carry
the proposal out.
"""

from collections.abc import Mapping, Sequence

from baccarat.core.cards import parse_card
from baccarat.core.coup import parse_coup
from baccarat.core.errors import BaccaratError
from baccarat.core.misdeals import perfect
from baccarat.house import cash
from baccarat.house.bonus import TAKING_BACK, on_withdrawal
from baccarat.house.events import BonusForfeited, BonusReleased
from baccarat.house.outcomes import Moment
from baccarat.house.profile import Conduct
from baccarat.house.wallets import Wallet
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.conduct import meant, rectified
from baccarat.table.decide import given_back
from baccarat.table.events import CancelReason, PlayerResult
from baccarat.table.placed import Placed
from baccarat.table.remedies import NO_ERROR, settled_again
from baccarat.table.rules import game_of
from baccarat.table.settling import results_of
from baccarat.table.state import TableState
from baccarat.table.twopeople import Proposal
from baccarat.web.answers.staff import Effect, MoneyMoved, StakesOf
from baccarat.web.mine import balance_of


def effect_at_table(state: TableState, subject: str, one: Proposal, now: int) -> Effect | None:
    """Return what a proposal at a table changes; None when it changes no coup."""
    kind, *about = subject.split(" ")
    try:
        match kind:
            case "cancel":
                return _cancelling(state, one)
            case "rectify":
                return _rectifying(state, one, now)
            case "correct":
                return _correcting(state, int(about[0]), one, now)
    except BaccaratError:  # the table has moved on, and the proposal can no longer be carried out
        return None
    return None


def _cancelling(state: TableState, one: Proposal) -> Effect:
    wagers, deal = state.round.wagers, meant(state).deal
    reason = CancelReason(one.terms.split(" ")[0])
    before = results_of(state.rules, deal.coup, wagers) if deal.over else None
    return {
        "cards_before": [str(card) for _, card in state.round.cards],
        "cards_after": None,
        "result_before": deal.coup.face() if deal.over else None,
        "result_after": None,
        "stakes": _stakes(wagers),
        "money": _money(before, given_back(state, reason)),
    }


def _rectifying(state: TableState, one: Proposal, now: int) -> Effect | None:
    drawn = tuple(parse_card(card) for card in one.terms.split(" > ")[1].split())
    if state.floor.shoe is None:
        return None
    new = rectified(state, state.floor.shoe, drawn, now)
    return {
        "cards_before": [str(card) for card in new.told],
        "cards_after": [str(card) for card in new.drawn],
        "result_before": _face(new.coup_before),
        "result_after": _face(new.coup_after),
        "stakes": _stakes(state.round.wagers),
        "money": _money(new.paid_before, new.paid_after),
    }


def _correcting(state: TableState, number: int, one: Proposal, now: int) -> Effect | None:
    past = state.floor.round(number)
    if past is None:
        return None
    dealt = perfect(game_of(past.rules).tableau, past.cards).deal
    seen: Effect = {
        "cards_before": [str(card) for card in past.cards],
        "cards_after": None,
        "result_before": dealt.coup.face() if dealt.over else None,
        "result_after": None,
        "stakes": _stakes(past.wagers),
        "money": _money(past.results, past.results),
    }
    if one.terms.startswith(NO_ERROR):
        return seen
    drawn = tuple(parse_card(card) for card in one.terms.partition(":")[0].split())
    new = settled_again(state, c.RemedyError(number, "", drawn), now)
    return {
        **seen,
        "cards_after": [str(card) for card in new.drawn],
        "result_after": _face(new.coup),
        "money": _money(past.results, new.results),
    }


def effect_in_house(
    store: SqlStore, subject: str, one: Proposal, conduct: Conduct, now: int
) -> Effect | None:
    """Return what a proposal about a player's money changes; None for any other."""
    kind, _, player = subject.partition(" ")
    if kind not in ("cash", "bonus"):
        return None
    balance, change = balance_of(store, player), _change(kind, one.terms)
    has, released = balance["real"] if kind == "cash" else balance["bonus"], 0
    rows: list[MoneyMoved] = []
    if kind == "cash" and change < 0:
        at = Moment(now, 0, conduct, store.safety(player))
        for event in on_withdrawal(
            player,
            Wallet(**balance),
            at,
            staked=lambda: store.position(player, now).staked_bonus,
        ):
            if isinstance(event, BonusReleased):
                released += event.amount
                rows.append({"player": player, "before": event.amount, "after": 0, "bonus": True})
            elif isinstance(event, BonusForfeited):
                lost = event.amount + event.staked
                rows.append({"player": player, "before": lost, "after": 0, "bonus": True})
    return {
        "cards_before": [],
        "cards_after": None,
        "result_before": None,
        "result_after": None,
        "stakes": None,
        "money": [{"player": player, "before": has, "after": has + released + change}, *rows],
    }


def _change(kind: str, terms: str) -> int:
    """Return by how much the balance changes, from terms such as "out 500", "void 12 500 out" for
    cash, "500 3 30" (amount, times, days) or "back 500" for bonus money."""
    first, *rest = terms.split(" ")
    if kind == "bonus":
        return -int(rest[0]) if first == TAKING_BACK else int(first)
    way, amount = (rest[2], rest[1]) if first == cash.VOID else (first, rest[0])
    return int(amount) if way == cash.IN else -int(amount)


def _stakes(wagers: Mapping[str, Placed]) -> list[StakesOf]:
    return [
        {
            "player": player,
            "bets": {wager.bet: wager.stake for wager in placed.wagers},
        }
        for player, placed in sorted(wagers.items())
        if placed.wagers
    ]


def _money(
    before: Sequence[PlayerResult] | None, after: Sequence[PlayerResult]
) -> list[MoneyMoved]:
    """Each player's result of the round; nobody knows that of a coup that is not complete."""
    nets = {one.player: one.net for one in before or ()}
    later = {one.player: one.net for one in after}
    return [
        {"player": one, "before": nets.get(one), "after": later.get(one)}
        for one in sorted({*nets, *later})
    ]


def _face(coup: str) -> str | None:
    return parse_coup(coup).face() if coup else None
