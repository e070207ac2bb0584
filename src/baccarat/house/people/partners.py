"""Partners: players who share the maximum of each bet (R36).

Players are linked when both name each other as partners, or when the pit links them. Betting in
step (`collusion`) and signing in with the same browser are only evidence for the pit, because a
link makes one player's exclusion apply to the other, and a cookie can be planted in a browser by
someone else. Links are transitive: a partner of one member of a group is a partner of all. Links
are checked in the wager's job, together with the partners' wagers on the round.
"""

from collections.abc import Iterable, Mapping, Sequence

from baccarat.core.text import Coins
from baccarat.core.wagers import NO_WAGERS, PlacedWagers
from baccarat.house import events as h
from baccarat.house.outcomes import DecisionContext, Outcome, in_house
from baccarat.house.people.roles import Role, person
from baccarat.house.safety import record as sf
from baccarat.table.commands import PlaceWagers
from baccarat.table.events import Event
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.state import TableState

MAX_TOGETHER = 50
"""Maximum size of a group; a larger group is more likely to share a device than a bankroll."""
MAX_NAMED = 20
"""Maximum number of a player's named partners who have not named the player in return."""


def others_of(safety: sf.Safety, known: Mapping[str, sf.Safety]) -> list[sf.Safety]:
    """Return the records of a player's partners; raise Refused if they were not read."""
    _check_read(safety.partners, known)
    return [known[partner] for partner in safety.partners]


def check_together(
    state: TableState,
    command: PlaceWagers,
    partners: Sequence[str],
    standing: Mapping[str, PlacedWagers],
) -> None:
    """Raise Refused if a wager and the partners' wagers together exceed the maximum of a bet.

    Wagers already placed stay valid (G36): a player who does not increase a stake is never refused.
    """
    game = table_game(state.rules, state.settings.limits)
    if not game.card.limits.partners_share_maximum:
        return
    mine = _stakes(standing.get(command.player, NO_WAGERS))
    theirs = [_stakes(standing[partner]) for partner in partners if partner in standing]
    for wager in command.wagers:
        others = sum(stakes.get(wager.bet, 0) for stakes in theirs)
        bet = game.bet(wager.bet)
        _, most = game.limits(bet)
        if others and wager.stake > mine.get(wager.bet, 0) and wager.stake + others > most:
            raise Refused(
                Code.PARTNERS_OVER_MAXIMUM,
                "partners-over-maximum",
                bet=bet.id,
                name=bet.name,
                stake=Coins(wager.stake),
                others=Coins(others),
                most=Coins(most),
                left=Coins(max(most - others, 0)),
            )


def _stakes(placed: PlacedWagers) -> dict[str, int]:
    return {wager.bet: wager.stake for wager in placed.wagers}


# ---- linking and unlinking ----------------------------------------------------------------------


def name_partner(at: DecisionContext, player: str, partner: str) -> Outcome:
    """Record that a player names a partner; once both have done so, they are linked.

    Any id can be named. The response is the same whether the id is a player's, a staff member's or
    unknown; otherwise it would reveal which accounts exist. Only players can name a partner in
    return.
    """
    _check_players(at, [player])
    mine = at.known[player]
    if player == partner:
        raise Refused(Code.NO_SUCH_ACCOUNT, "partner-is-self")
    if partner in mine.partners:
        return Outcome()
    if player in at.known[partner].named:
        return join(at, (player, partner), h.LinkReason.DECLARED, player, words="")
    if partner in mine.named:
        return Outcome()
    if len(mine.named) >= MAX_NAMED:
        raise Refused(Code.NOT_ALLOWED, "too-many-named", most=MAX_NAMED)
    return in_house(at, h.PartnerNamed(at.now, player, partner))


def share_browser(at: DecisionContext, player: str, others: Sequence[str]) -> Outcome:
    """Record for the pit, once, that a player signed in with a browser that others had used.

    This does not link the players. The cookie may have been planted by another person, who could
    otherwise exclude the player by excluding themselves.
    """
    _check_players(at, [player, *others])
    mine = at.known[player]
    seen = {*mine.partners, *mine.apart, *mine.shared}
    new = tuple(
        other for other in others if other not in seen and player not in at.known[other].shared
    )
    if not new or len(mine.shared) >= MAX_TOGETHER:
        return Outcome()
    return in_house(at, h.BrowserShared(at.now, player, new))


def join(
    at: DecisionContext, players: Sequence[str], why: h.LinkReason, by: str, words: str
) -> Outcome:
    """Link these players, and everyone already linked with them, into one group."""
    _check_players(at, players)
    ids, known = set(players), at.known
    if len(ids) < 2:
        raise Refused(Code.NO_SUCH_ACCOUNT, "link-one")
    circle = sorted(ids.union(*(known[player].partners for player in ids)))
    if len(circle) > MAX_TOGETHER:
        raise Refused(Code.NOT_ALLOWED, "group-too-large", count=len(circle), most=MAX_TOGETHER)
    _check_read(circle, known)
    changed = [
        h.PartnersChanged(at.now, player, others, why, by, words)
        for player in circle
        if (others := tuple(x for x in circle if x != player)) != known[player].partners
    ]
    return in_house(at, *changed)


def part(at: DecisionContext, players: Sequence[str], by: str, words: str) -> Outcome:
    """Unlink players who the pit has decided are not partners, and do not report them again."""
    _check_players(at, players)
    ids, known = sorted(set(players)), at.known
    touched = sorted(set(ids).union(*(known[player].partners for player in ids)))
    _check_read(touched, known)
    found: list[Event] = []
    for player in touched:
        # The given players have no partners from now on; the rest of the group stays linked.
        left = () if player in ids else tuple(x for x in known[player].partners if x not in ids)
        gone = set(ids) - {player} if player in ids else set[str]()
        if left != known[player].partners:
            found.append(h.PartnersChanged(at.now, player, left, h.LinkReason.PIT, by, words))
        apart = tuple(sorted({*known[player].apart, *gone}))
        if apart != known[player].apart:
            found.append(h.KeptApart(at.now, player, apart, by, words))
    return in_house(at, *found)


def _check_read(ids: Iterable[str], known: Mapping[str, sf.Safety]) -> None:
    if not set(ids) <= known.keys():
        raise Refused(Code.WRONG_PHASE, "partners-changed")


def _check_players(at: DecisionContext, ids: Iterable[str]) -> None:
    for account in (person(at.people, id_) for id_ in ids):
        if account.role is not Role.PLAYER or account.guest:
            raise Refused(Code.NO_SUCH_ACCOUNT, "not-a-player", name=account.name)
