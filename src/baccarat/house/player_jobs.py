"""Jobs about a player's protection and bonus money: what `jobs` is for tables and money.

The one rule: each locks what a wager of the player locks (`jobs.about_player`), so that a wager is
either before it, or judged by it.
"""

from collections.abc import Callable, Iterable, Sequence

from baccarat.house import bonus, partners, protecting
from baccarat.house.events import STREAM, LimitKind, LinkReason
from baccarat.house.jobs import NOBODY, Case, Clock, Sender, about_player, person, written
from baccarat.house.outcomes import Moment, Outcome
from baccarat.house.periods import Period
from baccarat.house.ports import Job, Need, View, Write
from baccarat.house.profile import Conduct
from baccarat.house.safety import Position


def set_limit(
    player: str,
    limit: LimitKind,
    period: Period,
    amount: int | None,
    by: str,
    clock: Clock,
    *,
    conduct: Conduct | None = None,
) -> Job:
    """Set, ask for or drop a limit of the player's or, by the pit, of the house."""

    def ask(case: Case) -> Outcome:
        return protecting.set_limit(case.player, limit, period, amount, by=case.by, at=case.at)

    return about_player(player, by, clock, ask, conduct=conduct)


def give_birth_date(player: str, born: int, clock: Clock, *, conduct: Conduct | None = None) -> Job:
    """For the house alone: the event is without the date."""

    def ask(case: Case) -> Outcome:
        return protecting.give_birth_date(case.player, born, at=case.at)

    return about_player(player, player, clock, ask, conduct=conduct)


def choose_reality_check(
    player: str, every: int, clock: Clock, *, conduct: Conduct | None = None
) -> Job:
    def ask(case: Case) -> Outcome:
        return protecting.choose_reality_check(case.player, every, at=case.at)

    return about_player(player, player, clock, ask, conduct=conduct)


def answer_reality_check(
    player: str, shown: Position, clock: Clock, *, conduct: Conduct | None = None
) -> Job:
    """The player has seen these figures of the sitting; they must be those of the ledger now."""

    def ask(case: Case) -> Outcome:
        position = case.view.position(player, case.at.safety.since)
        return protecting.answer_reality_check(case.player, shown, position, at=case.at)

    return about_player(player, player, clock, ask, conduct=conduct)


def take_break(player: str, hours: int, clock: Clock, *, conduct: Conduct | None = None) -> Job:
    def ask(case: Case) -> Outcome:
        return protecting.take_break(case.player, hours, at=case.at)

    return about_player(player, player, clock, ask, conduct=conduct)


def exclude(
    player: str, months: int, by: str, clock: Clock, *, conduct: Conduct | None = None
) -> Job:
    """No play from here on."""

    def ask(case: Case) -> Outcome:
        position = case.view.position(player, case.at.now)
        staked = position.staked + position.staked_bonus
        return protecting.exclude(case.player, months, by=case.by, at=case.at, staked=staked)

    return about_player(player, by, clock, ask, conduct=conduct)


def ask_to_return(player: str, clock: Clock, *, conduct: Conduct | None = None) -> Job:
    def ask(case: Case) -> Outcome:
        return protecting.ask_to_return(case.player, at=case.at)

    return about_player(player, player, clock, ask, conduct=conduct)


def name_partner(player: str, partner: str, clock: Clock, *, conduct: Conduct) -> Job:
    """A player names another."""

    def ask(view: View, at: Moment) -> Outcome:
        known = person(view, player)
        return partners.name_partner(known, partner, view.people, view.safety, at)

    return _about_players((player, partner), clock, ask, conduct)


def share_browser(player: str, others: Sequence[str], clock: Clock, *, conduct: Conduct) -> Job:
    """A player signed in with a browser in which others had signed in before."""

    def ask(view: View, at: Moment) -> Outcome:
        known = [person(view, one) for one in others]
        return partners.share_browser(person(view, player), known, view.safety, at)

    return _about_players({player, *others}, clock, ask, conduct)


def link(
    players: Sequence[str],
    why: LinkReason,
    by: str,
    words: str,
    clock: Clock,
    *,
    conduct: Conduct,
) -> Job:
    """Players count as one from here on."""

    def ask(view: View, at: Moment) -> Outcome:
        known = [person(view, one) for one in players]
        return partners.join(known, view.safety, why, by, words, at)

    return _about_players(players, clock, ask, conduct)


def part(
    players: Sequence[str],
    by: str,
    words: str,
    clock: Clock,
    *,
    conduct: Conduct,
) -> Job:
    """Players do not count as one, and are not linked by what they do."""

    def ask(view: View, at: Moment) -> Outcome:
        known = [person(view, one) for one in players]
        return partners.part(known, view.safety, by, words, at)

    return _about_players(players, clock, ask, conduct)


def _about_players(
    players: Iterable[str],
    clock: Clock,
    ask: Callable[[View, Moment], Outcome],
    conduct: Conduct,
) -> Job:
    """A job that concerns some players and those who are linked with them, inside the commit."""
    ids = tuple(sorted(set(players)))

    def work(view: View) -> Write:
        at = Moment(max(clock(), view.at), view.head.sequence + 1, conduct)
        return written(ask(view, at), view)

    return Job(Need(STREAM, people=ids, safety=ids, linked=True), work)


def grant_bonus(
    player: str,
    amount: int,
    by: str,
    clock: Clock,
    *,
    times: int | None = None,
    days: int | None = None,
    alone: int | None = None,
    cash_alone: int | None = None,
    conduct: Conduct | None = None,
    sender: Sender = NOBODY,
) -> Job:
    """Bonus money on terms; the house's own where none are given. Above `alone`, by two people."""

    def ask(case: Case) -> Outcome:
        return bonus.grant(
            case.player,
            amount,
            times=times,
            days=days,
            balance=case.balance,
            staked=case.view.position(player, case.at.now).staked_bonus,
            by=case.by,
            at=case.at,
            alone=alone,
            cash_alone=cash_alone,
            granter=case.view.safety[by],
        )

    return about_player(
        player, by, clock, ask, conduct=conduct, sender=sender, proposals=True, staff=True
    )


def take_back_bonus(
    player: str,
    by: str,
    clock: Clock,
    *,
    alone: int | None = None,
    conduct: Conduct | None = None,
    sender: Sender = NOBODY,
) -> Job:
    def ask(case: Case) -> Outcome:
        return bonus.take_back(
            case.player, balance=case.balance, by=case.by, at=case.at, alone=alone
        )

    return about_player(player, by, clock, ask, conduct=conduct, sender=sender, proposals=True)


def review_bonus(player: str, clock: Clock, *, conduct: Conduct | None = None) -> Job:
    """Release bonus money whose terms are met, or take it back when its time is over."""

    def ask(case: Case) -> Outcome:
        return bonus.review(player, balance=case.balance, at=case.at)

    return about_player(player, player, clock, ask, conduct=conduct)
