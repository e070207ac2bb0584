"""Views for the pit: the floor with its tables, alerts, and what awaits a decision."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from baccarat.core.cards import DECK_SIZE, Card
from baccarat.house import events as h
from baccarat.house.events import STREAM, Cash
from baccarat.house.people.roles import Role, has_two
from baccarat.house.safety.periods import Period, start_of
from baccarat.house.safety.profiles import Conduct
from baccarat.house.safety.record import is_excluded
from baccarat.house.table_plans import TablePlan
from baccarat.house.watch.in_words import event_in_words, text
from baccarat.service.monitors import is_decided
from baccarat.store import history
from baccarat.store.sqlstore import SqlStore
from baccarat.table import events as e
from baccarat.table.agreements import listed
from baccarat.table.four_eyes.proposals import LASTS, Proposals
from baccarat.table.four_eyes.proposals import proposals_after as after_event
from baccarat.table.four_eyes.subjects import Correct, Dispute
from baccarat.table.journal import table_stream
from baccarat.table.manual.checks import irregular
from baccarat.table.manual.in_words import alarm_in_words, doubt_in_words
from baccarat.table.state import TableState
from baccarat.web.schema import filled
from baccarat.web.schema import staff as s
from baccarat.web.server.site import Site
from baccarat.web.views.audit import Words, logged_since
from baccarat.web.views.floor.alerts import last_stop, names_of, notes, seen, with_ids
from baccarat.web.views.layout import layout_at
from baccarat.web.views.proposals import at_table, in_house
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.dealing import irregularity_in_words

PAUSES = 100
"""Number of newest pauses that are searched for the reason of the current pause."""
SHARED_BROWSERS = 200
"""Number of newest sign-ins with a shared browser that are shown until the pit decides."""
MAX_OF_A_KIND = 50
"""Maximum number of alerts of one type, newest first; all events are in the audit log."""


URGENCY = (
    *("cancel", "rectify", "error", "correct", "hand-over", "cash", "dispute", "bonus"),
    *("agreement", "limits", "account", "ambiguity", "listing", "partners"),
)
"""Kinds of matters that await a decision, the most urgent first."""


async def floor_view(site: Site, t: Catalogue) -> s.Floor:
    """Return the floor: its tables, alerts, what awaits a decision, and the day's money."""
    now, house, read = site.clock(), site.house, site.read
    words = (t, house.currency)
    since = start_of(Period.DAY, now, house.conduct.gaming_day)
    tables: list[s.TableOnFloor] = []
    alerts: list[Any] = []
    waiting: list[s.MatterAtTable] = []
    for plan in house.tables:
        state, at = await site.state(plan.id), {"table": plan.id, "name": plan.name}
        tables.append(await _table(site, plan, state, since, words))
        found = [
            *_alerts(tables[-1], state, since, *words),
            *await read(_noticed, state, since, words),
        ]
        alerts += _at(at, found)
        waiting += _at(at, [*_waiting(state, now, words), *await read(_suspected, state, words)])
    at = {"table": "", "name": house.name}
    waiting += _at(at, await read(_of_house, house.conduct, now, words))
    for table, alert in _since_start(site, t):
        alerts += _at({"table": table, "name": site.tables[table]}, [alert])
    waiting.sort(key=urgency)
    cash, large = await read(_cash, since, words)
    alerts += _at(at, [*large, *await read(_excluded, since, words)])
    names = await read(names_of)
    known = await read(seen, names)
    in_force = any(table["frozen"] for table in tables)
    return {
        "now": now,
        "since": since,
        "currency": house.currency,
        "once_in": house.result_alarm,
        "house": {
            "paid_in": cash[Cash.PAY_IN],
            "paid_out": cash[Cash.PAY_OUT],
            "turnover": sum(table["today"].turnover for table in tables),
            "result": sum(table["today"].result for table in tables),
        },
        "tables": tables,
        "alerts": with_ids(alerts, known),
        "waiting": waiting,
        "notes": await read(notes, names, known),
        "stop": await read(lambda store: last_stop(store, names, in_force=in_force)),
        "reasons": list(e.CancelReason),
        "too_few": await read(_too_few, now, t),
        "words": t("alert-bounds", n=house.result_alarm),
    }


def urgency(matter: s.MatterAtTable) -> tuple[int, int]:
    """Return the sort key of a matter: what holds up a round first, then what ends soonest."""
    kind = matter["kind"]
    name = str(matter["subject"]["kind"]) if kind == "proposal" else kind
    return URGENCY.index(name), matter.get("until") or matter.get("at") or 0


def _too_few(store: SqlStore, now: int, t: Catalogue) -> str | None:
    """Return a warning if no two members of the pit can decide together, as the rules require."""
    people = {person.account.id: person.account for person in history.staff(store)}
    if has_two(people, Role.PIT, now):
        return None
    active = [one for one in people.values() if one.role is Role.PIT and not one.suspended]
    return t("alert-too-few", n=len(active))


def _at(table: dict[str, str], found: Iterable[Any]) -> list[Any]:
    """Return alerts or matters with the table they belong to; those of the house have no table."""
    return [{**table, **each} for each in found]


def _since_start(site: Site, t: Catalogue) -> Iterator[tuple[str, s.Alert]]:
    """Yield alerts about what was found when the server started, by table."""
    for table in site.service.sealed_off:
        yield table, _alert("sealed-off", t("alert-sealed-off"))
    for held in site.service.held:
        coins = t.money(held.coins, site.house.currency)
        words = t("alert-held", round=held.round, coins=coins)
        yield held.table, _alert("held", words, held.round)


def _alert(kind: str, words: str, *about: object) -> s.Alert:
    """Return an alert. `about` distinguishes it from others of its kind at the same table, whatever
    the language of its words."""
    return {"kind": kind, "words": words, "about": " ".join(map(str, about))}


async def _table(
    site: Site, plan: TablePlan, state: TableState, since: int, words: Words
) -> s.TableOnFloor:
    takings = await site.service.today.of(plan.id, site.clock())
    once_in, read, name_of = site.house.result_alarm, site.read, site.visitors.name_of
    layout = await layout_at(site, state, language=words[0].language)
    current, stream = state.round, table_stream(plan.id)
    return filled(
        s.TableOnFloor,
        state,
        id=plan.id,
        name=plan.name,
        pit=plan.pit,
        game=layout["card"],
        dealer=await name_of(state.manual.dealer) or state.manual.dealer or None,
        driven_by=None if state.by_hand else state.holder or None,
        called=state.manual.called is not None,
        phase=current.phase,
        round=current.number,
        players=len(current.wagers),
        staked=sum(placed.staked for placed in current.wagers.values()),
        shoe=_shoe(state),
        dealers=[
            {
                "dealer": dealer,
                "name": await name_of(dealer) or dealer,
                "rounds": takings.dealt[dealer],
                "errors": takings.errors[dealer],
            }
            for dealer in sorted({*takings.dealt, *takings.errors})
        ],
        # The first figures of a new card take a while, so a thread of the store computes them.
        today=await read(lambda _: takings.players.figures(once_in)),
        guests=await read(lambda _: takings.guests.figures(once_in)),
        voids=await read(
            lambda store: logged_since(store, stream, since, e.RoundCancelled, words=words)
        ),
    )


def _shoe(state: TableState) -> s.ShoeSize | None:
    """Return how far a shoe has been dealt."""
    if state.shoe is not None:
        progress = state.shoe.progress
        return filled(s.ShoeSize, progress, cut_card=progress.cut_card_out)
    shoe = state.manual.shoe
    if shoe is None:
        return None
    return filled(s.ShoeSize, shoe, size=shoe.decks * DECK_SIZE, cut_card=shoe.cut_card_out)


def _cash(store: SqlStore, since: int, words: Words) -> tuple[Counter[Cash], list[s.Alert]]:
    """Return totals paid in and out, net of voids, and alerts for payments that two people made."""
    sums: Counter[Cash] = Counter()
    after = history.first_since(store, STREAM, since) - 1
    kinds = (h.MoneyPaidIn, h.MoneyPaidOut, h.CashVoided)
    events = history.events_of(store, STREAM, *kinds, after=after)
    for event in events:
        match event:
            case h.MoneyPaidIn():
                sums[Cash.PAY_IN] += event.amount
            case h.MoneyPaidOut():
                sums[Cash.PAY_OUT] += event.amount
            case h.CashVoided():
                sums[event.paid] -= event.amount
    large = [event for event in reversed(events) if getattr(event, "first", "")]
    return sums, [
        _alert("cash", text(f"alert-{type(event).__name__}", *words, event), event.at)
        for event in large[:MAX_OF_A_KIND]
    ]


def _excluded(store: SqlStore, since: int, words: Words) -> list[s.Alert]:
    """Return alerts about players excluded today while they had bets on a round, newest first."""
    after = history.first_since(store, STREAM, since) - 1
    limit = MAX_OF_A_KIND
    found = history.newest_events(store, STREAM, h.PlayerExcluded, after=after, limit=limit)
    return [
        _alert("excluded", event_in_words(event, *words), event.at, event.account)
        for event in found
        if event.staked
    ]


def house_proposals(store: SqlStore, now: int) -> Proposals:
    """Return the proposals in the house's own journal that are waiting for a second person."""
    found: Proposals = ()
    after = history.first_since(store, STREAM, now - LASTS) - 1
    for event in history.events_of(store, STREAM, *e.OF_PROPOSALS, after=after):
        found = after_event(found, event)
    return tuple(proposal for proposal in found if now < proposal.until)


def _of_house(store: SqlStore, conduct: Conduct, now: int, words: Words) -> list[s.Matter]:
    """Return matters that do not belong to a table: proposals, and shared browsers."""
    proposals = in_house(store, house_proposals(store, now), conduct, now, words)
    return [*proposals, *_shared_browsers(store, now, words[0])]


def _shared_browsers(store: SqlStore, now: int, t: Catalogue) -> Iterator[s.Matter]:
    """Yield accounts that share a browser, unless the pit has decided whether they are partners."""
    for event in history.newest_events(store, STREAM, h.BrowserShared, limit=SHARED_BROWSERS):
        player = event.account
        others = [other for other in event.others if not is_decided(store, (player, other))]
        if not others:
            continue
        words = t("event-BrowserShared", account=player, others=", ".join(others))
        for account in (player, *others):
            safety = store.safety(account)
            if is_excluded(safety, now) or now < safety.break_until:
                words += f" {t('alert-away', account=account)}"
        yield {"kind": "partners", "words": words, "at": event.at, "players": [player, *others]}


def _alerts(
    shown: s.TableOnFloor, state: TableState, since: int, t: Catalogue, currency: str
) -> list[s.Alert]:
    """Return alerts about a table's result today, its dealing errors and its shoe."""
    found = [
        _alert("result", text(key, t, currency, figures), key, since)
        for figures, key in (
            (shown["today"], "alert-result"),
            (shown["guests"], "alert-result-guests"),
        )
        if figures.outside
    ]
    number = state.round.number
    wrong = [
        *(doubt_in_words(doubt.event, t) for doubt in state.manual.doubts),
        *(irregularity_in_words(one, t) for one in irregular(state)),
    ]
    found += [
        _alert("irregular", t("alert-irregular", round=number, words=one), number, place)
        for place, one in enumerate(wrong)
    ]
    if called := state.manual.called:
        words = t("alert-called", dealer=shown["dealer"] or called.dealer)
        found.insert(0, _alert("called", words, called.at))
    shoe = state.manual.shoe
    if shoe is not None and (alarm := state.manual.alarm):
        found.append(_alert("shoe", t("alert-shoe", words=alarm_in_words(alarm, t)), alarm.at))
    return found


def _noticed(store: SqlStore, state: TableState, since: int, words: Words) -> list[s.Alert]:
    """Return alerts about pauses of the table or the house, and about today's large wins."""
    stream = table_stream(state.table)
    pauses = (
        history.newest_events(store, stream, e.TablePaused, limit=PAUSES) if state.paused else []
    )
    paused = []
    for key, holds, house in (
        ("alert-house-paused", state.house_paused, True),
        ("alert-paused", state.itself_paused, False),
    ):
        pause = next((pause for pause in pauses if pause.house is house), None)
        if pause is not None and holds and not pause.frozen:  # a stop is shown for the whole house
            t, reason = words[0], pause.reason
            if pause.by == e.THE_ALARM and state.manual.alarm:
                reason = alarm_in_words(state.manual.alarm, t)
            shown = t(f"{key}-for", reason=reason) if reason else t(key)
            paused.append(_alert("paused", shown, pause.at))
    wins = logged_since(store, stream, since, e.LargeWinPaid, words=words, limit=MAX_OF_A_KIND)
    return [*paused, *(_alert("large-win", win.words, win.sequence) for win in wins)]


def _suspected(store: SqlStore, state: TableState, words: Words) -> list[s.Matter]:
    """Return players who bet in step, unless the pit has decided whether they are partners."""
    return [
        _matter("partners", seen, "players", "at", words=event_in_words(seen, *words))
        for seen in state.alerts
        if isinstance(seen, e.PartnersSuspected) and not is_decided(store, seen.players)
    ]


def reported_cards(state: TableState, number: int) -> Sequence[Card]:
    """Return the cards of a round, in the order in which they were reported."""
    past = state.manual.round(number)
    if past is not None:
        return past.cards
    return state.round.drawn if state.round.number == number else ()


def _waiting(state: TableState, now: int, words: Words) -> list[s.Matter]:
    """Return what awaits a decision by the pit at a table."""
    found = at_table(state, now, words)
    proposed = {proposal.subject for proposal in state.proposals if now < proposal.until}
    found += [
        _matter(
            "dispute",
            dispute,
            *("round", "player", "at"),
            proposed=Dispute(dispute.round, dispute.player) in proposed,
        )
        for dispute in state.disputes
        if not dispute.decided
    ]
    found += [
        _matter(
            "error",
            report,
            *("round", "by"),
            cards=reported_cards(state, report.round),
            proposed=Correct(report.round) in proposed,
        )
        for report in state.manual.reports
    ]
    found += [
        {
            "kind": "agreement",
            "player": player,
            "values": dict(agreeing.proposed),
            "words": listed(agreeing.proposed),
        }
        for player, agreeing in state.agreements.items()
        if agreeing.proposed and agreeing.proposed_by == player
    ]
    return found


def _matter(kind: str, source: object, *names: str, **more: Any) -> s.Matter:
    """Return a matter that awaits a decision, with the named fields of its source."""
    fields = {name: getattr(source, name) for name in names}
    return filled(s.Matter, source, kind=kind, **fields, **more)
