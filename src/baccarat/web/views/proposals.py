"""Views of waiting proposals: what each would change, and how to confirm it.

Everything is computed from the current state of the table and the ledger, by the functions that
carry the proposal out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from msgspec.structs import replace

from baccarat.core.coup import Deal
from baccarat.core.errors import BaccaratError
from baccarat.core.misdeals import deal_correctly
from baccarat.core.wagers import PlacedWagers
from baccarat.house.events import BonusForfeited, BonusReleased
from baccarat.house.money.bonus import on_withdrawal
from baccarat.house.money.wallets import Wallet
from baccarat.house.outcomes import PlayerRequest
from baccarat.house.people.roles import Account, Role
from baccarat.house.safety.profiles import Conduct
from baccarat.house.watch.in_words import coup_in_words, proposal_in_words
from baccarat.store.sqlstore import SqlStore
from baccarat.table import commands as c
from baccarat.table.codec import to_plain
from baccarat.table.decide import cancellation_results
from baccarat.table.events import ActionProposed, PlayerResult
from baccarat.table.four_eyes import subjects as s
from baccarat.table.four_eyes import terms as t
from baccarat.table.four_eyes.proposals import digest
from baccarat.table.manual.checks import correct_deal
from baccarat.table.manual.corrections import rectified, settled_again
from baccarat.table.rules import game_of
from baccarat.table.settlement import results_of
from baccarat.table.state import TableState
from baccarat.web.schema import filled
from baccarat.web.schema.players import Waiting
from baccarat.web.schema.staff import Confirmation, Effect, Matter, MoneyMoved, StakesOf
from baccarat.web.server.site import API
from baccarat.web.views.audit import Words
from baccarat.web.views.money import balance_of
from baccarat.wording.catalogue import Catalogue


def waiting(proposal: ActionProposed) -> Waiting:
    """Return the view of a proposal that is waiting for a second person."""
    subject, terms = to_plain(proposal.subject), to_plain(proposal.terms)
    return filled(Waiting, proposal, subject=subject, terms=terms, proposal=digest(proposal))


def at_table(state: TableState, now: int, words: Words) -> list[Matter]:
    """Return the proposals at a table, for those who may confirm them."""
    return [
        _matter(proposal, effect_at_table(state, proposal, now, words[0]), words, state.table)
        for proposal in state.proposals
        if now < proposal.until
    ]


def in_house(
    store: SqlStore, proposals: Iterable[ActionProposed], conduct: Conduct, now: int, words: Words
) -> list[Matter]:
    """Return proposals that do not belong to a table, for those who may confirm them."""
    return [
        _matter(
            proposal,
            effect_in_house(store, proposal, conduct, now),
            words,
            **_name(store, proposal),
        )
        for proposal in proposals
    ]


def _name(store: SqlStore, proposal: ActionProposed) -> dict[str, str]:
    """Return the name of an account that would be opened; names are not in the journal."""
    match proposal:
        case ActionProposed(subject=s.StaffAccount(account=account), terms=t.OpenAccount()):
            known = store.proposed_name(account)
            return {"name": known.name if known else ""}
    return {}


def _matter(
    proposal: ActionProposed, effect: Effect | None, words: Words, table: str = "", **named: str
) -> Matter:
    shown = waiting(proposal)
    shown["terms"] |= named
    known = {
        "table": f"/tables/{table}",
        "words": proposal.words,
        **shown["subject"],
        **shown["terms"],
    }
    confirm = _confirmation(type(proposal.terms), known)
    more = {"proposes": proposal_in_words(proposal, *words), "effect": effect, "confirm": confirm}
    return cast("Matter", {"kind": "proposal", **shown, **more})


# ---- how to confirm them ------------------------------------------------------------------------


ROUND, STAFF, ACCOUNT = "{table}/rounds/{round}", "/staff/{account}", "/accounts/{player}"
PAID = {name: name for name in ("amount", "method", "reference")}
CONFIRM: dict[type, tuple[str, dict[str, str]]] = {
    t.CancelRound: (f"POST {ROUND}/cancel", {"reason": "reason"}),
    t.ChangeCoup: (f"POST {ROUND}/rectification", {"cards": "drawn"}),
    t.SettleAgain: (f"PUT {ROUND}/errors", {"cards": "cards"}),
    t.DismissReports: (f"POST {ROUND}/errors/dismissal", {"reason": "words"}),
    t.TakeTable: ("POST {table}/hand-over", {"dealer": "dealer"}),
    t.ChangeLimits: ("PUT {table}/settings", {"clock": "clock", "limits": "limits"}),
    t.ListAmbiguity: (
        "POST /tables/{table}/disputes/{round}/{player}/ambiguity",
        {name: name for name in ("question", "fragment")},
    ),
    t.ResolveListed: ("POST /ambiguities/{ambiguity}/resolution", {"reason": "words"}),
    t.WithdrawListed: ("POST /ambiguities/{ambiguity}/withdrawal", {"reason": "words"}),
    t.OpenAccount: ("POST /staff", {"id": "account", "role": "role", "name": "name"}),
    t.CloseAccount: (f"DELETE {STAFF}", {}),
    t.IssuePassword: (f"POST {STAFF}/password", {}),
    t.LiftSuspension: (f"DELETE {STAFF}/suspension", {}),
    t.RemoveSecondFactor: (f"DELETE {STAFF}/second-factor", {}),
    t.PayIn: (f"POST {ACCOUNT}/pay-in", PAID),
    t.PayOut: (f"POST {ACCOUNT}/pay-out", PAID),
    t.VoidCash: (f"POST {ACCOUNT}/payments/{{entry}}/void", {"reason": "reason"}),
    t.GrantBonus: (f"POST {ACCOUNT}/bonus", {name: name for name in ("amount", "times", "days")}),
    t.TakeBackBonus: (f"DELETE {ACCOUNT}/bonus", {}),
}
"""By type of terms: the request that confirms a proposal, and the fields of its subject and terms
that the body contains.

Disputes and ambiguities of a table are left out: people must see more before they confirm those.
"""


def _confirmation(kind: type, known: dict[str, Any]) -> Confirmation | None:
    if kind not in CONFIRM:
        return None
    send, fields = CONFIRM[kind]
    body = {name: known[field] for name, field in fields.items() if known[field] is not None}
    method, path = send.format(**known).split(" ")
    return {"send": f"{method} {API}{path}", "body": body or None}


# ---- what they change ---------------------------------------------------------------------------


def effect_at_table(
    state: TableState, proposal: ActionProposed, now: int, words: Catalogue
) -> Effect | None:
    """Return what a proposal about a round changes.

    Return None for other proposals, and for those that can no longer be carried out.
    """
    try:
        match proposal.subject, proposal.terms:
            case _, t.CancelRound() as terms:
                return _cancelling(state, terms, words)
            case _, t.ChangeCoup() as terms:
                return _rectifying(state, terms, now, words)
            case s.Correct(round=number), terms:
                return _correcting(state, number, terms, now, words)
    except BaccaratError:  # the proposal can no longer be carried out
        return None
    return None


def _cancelling(state: TableState, terms: t.CancelRound, words: Catalogue) -> Effect:
    wagers, deal = state.round.wagers, correct_deal(state).deal
    before = results_of(state.rules, deal.coup, wagers) if deal.over else None
    return Effect(
        cards_before=state.round.drawn,
        result_before=_result(deal, words),
        stakes=_stakes(wagers),
        money=_money(before, cancellation_results(state, terms.reason)),
    )


def _rectifying(
    state: TableState, terms: t.ChangeCoup, now: int, words: Catalogue
) -> Effect | None:
    if state.manual.shoe is None:
        return None
    new = rectified(state, state.manual.shoe, terms.drawn, now)
    return Effect(
        cards_before=new.recorded,
        cards_after=new.drawn,
        result_before=_coup(new.coup_before, words),
        result_after=_coup(new.coup_after, words),
        stakes=_stakes(state.round.wagers),
        money=_money(new.paid_before, new.paid_after),
    )


def _correcting(
    state: TableState, number: int, terms: t.ProposalTerms, now: int, words: Catalogue
) -> Effect | None:
    past = state.manual.round(number)
    if past is None:
        return None
    dealt = deal_correctly(game_of(past.rules).tableau, past.cards).deal
    seen = Effect(
        cards_before=past.cards,
        result_before=_result(dealt, words),
        stakes=_stakes(past.wagers),
        money=_money(past.results, past.results),
    )
    if not isinstance(terms, t.SettleAgain):
        return seen
    new = settled_again(state, c.RemedyError(number, "", terms.cards), now)
    money = _money(past.results, new.results)
    after = _coup(new.coup, words)
    return replace(seen, cards_after=new.drawn, result_after=after, money=money)


def effect_in_house(
    store: SqlStore, proposal: ActionProposed, conduct: Conduct, now: int
) -> Effect | None:
    """Return what a proposal about a player's money changes, or None for any other proposal."""
    change = _change(proposal.terms)
    match proposal.subject:
        case s.Cash(player=player):
            rows = _of_cash(store, player, change, conduct, now)
        case s.Bonus(player=player):
            has = balance_of(store, player)["bonus"]
            if change < 0:  # taking back covers stakes at tables too
                has += store.position(player, now).staked_bonus
            rows = [{"player": player, "before": has, "after": has + change}]
        case _:
            return None
    return Effect(money=rows)


def _of_cash(
    store: SqlStore, player: str, change: int, conduct: Conduct, now: int
) -> list[MoneyMoved]:
    balance, released = balance_of(store, player), 0
    rows: list[MoneyMoved] = []
    if change < 0:
        account = Account(player, Role.PLAYER, player)
        request = PlayerRequest(
            now,
            0,
            conduct,
            known={player: store.safety(player)},
            player=account,
            by=account,
            balance=Wallet(**balance),
            position=store.position,
        )
        for event in on_withdrawal(request):
            if isinstance(event, BonusReleased):
                released += event.amount
                rows.append({"player": player, "before": event.amount, "after": 0, "bonus": True})
            elif isinstance(event, BonusForfeited):
                lost = event.amount + event.staked
                rows.append({"player": player, "before": lost, "after": 0, "bonus": True})
    has = balance["real"]
    return [{"player": player, "before": has, "after": has + released + change}, *rows]


def _change(terms: t.ProposalTerms) -> int:
    """Return by how many coins a balance changes."""
    match terms:
        case t.PayIn(amount=amount) | t.VoidCash(amount=amount) | t.GrantBonus(amount=amount):
            return amount
        case t.PayOut(amount=amount) | t.TakeBackBonus(amount=amount):
            return -amount
    return 0


def _stakes(wagers: Mapping[str, PlacedWagers]) -> list[StakesOf]:
    return [
        {"player": player, "bets": {wager.bet: wager.stake for wager in placed.wagers}}
        for player, placed in sorted(wagers.items())
        if placed.wagers
    ]


def _money(
    before: Sequence[PlayerResult] | None, after: Sequence[PlayerResult]
) -> list[MoneyMoved]:
    """Return each player's result before and after; `before` is None if the coup is incomplete."""
    nets = {result.player: result.net for result in before or ()}
    later = {result.player: result.net for result in after}
    return [
        {"player": player, "before": nets.get(player), "after": later.get(player)}
        for player in sorted({*nets, *later})
    ]


def _result(deal: Deal, words: Catalogue) -> str | None:
    return coup_in_words(str(deal.coup), words) if deal.over else None


def _coup(coup: str, words: Catalogue) -> str | None:
    return coup_in_words(coup, words) if coup else None
