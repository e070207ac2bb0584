"""Partners: players who count as one against the maximum of each bet (R36).

Players are linked when both say so or when the pit says so. What they do in step (`house.instep`)
and that they signed in with the same browser is evidence, on which the pit decides: a link lets one
player's exclusion hold for another, and a cookie can be put into a browser by somebody else. Linked
players are a circle: whoever is one with a member is one with all. The one rule: a link is judged
inside the wager's job, with the wagers that the partners have on the round.
"""

from collections.abc import Iterable, Mapping, Sequence

from baccarat.core.text import Coins
from baccarat.house import events as h
from baccarat.house import safety as sf
from baccarat.house.events import LinkReason
from baccarat.house.outcomes import Moment, Outcome
from baccarat.house.roles import Account, Role
from baccarat.house.safety import Safety
from baccarat.table.commands import PlaceWagers
from baccarat.table.events import Event
from baccarat.table.placed import NO_WAGERS, Placed
from baccarat.table.refusals import Code, Refused
from baccarat.table.rules import table_game
from baccarat.table.state import TableState

MOST_TOGETHER = 50
"""A circle that is larger says more about the device than about the players."""
MOST_NAMED = 20
"""Players whom one player can name before they say so themselves."""


def others_of(safety: Safety, known: Mapping[str, Safety]) -> list[Safety]:
    """What is known of those who count as one with a player; Refused when they were not read."""
    if not safety.partners:  # as nearly always
        return []
    _check_read(safety.partners, known)
    return [known[one] for one in safety.partners]


def check_together(
    state: TableState,
    command: PlaceWagers,
    partners: Sequence[str],
    standing: Mapping[str, Placed],
) -> None:
    """Nothing, or Refused: with the partners' wagers on a bet, one of these is over its maximum.

    What stands stands (G36): whoever stakes no more on a bet than before is never refused.
    """
    if not partners:
        return
    game = table_game(state.rules, state.settings.limits)
    if not game.card.limits.partners_share_maximum:
        return
    mine = _stakes(standing.get(command.player, NO_WAGERS))
    theirs = [_stakes(standing[one]) for one in partners if one in standing]
    for wager in command.wagers:
        others = sum(stakes.get(wager.bet, 0) for stakes in theirs)
        bet = game.bet(wager.bet)
        _, most = game.limits(bet)
        if others and wager.stake > mine.get(wager.bet, 0) and wager.stake + others > most:
            raise Refused(
                Code.PARTNERS_OVER_MAXIMUM,
                "{name}: {stake} and the {others} of your partners are over the maximum of {most}, "
                "which partners share (R36): {left} is left for you",
                bet=bet.id,
                name=bet.name,
                stake=Coins(wager.stake),
                others=Coins(others),
                most=Coins(most),
                left=Coins(max(most - others, 0)),
            )


def _stakes(placed: Placed) -> dict[str, int]:
    return {wager.bet: wager.stake for wager in placed.wagers}


# ---- linking and parting ------------------------------------------------------------------------


def name_partner(
    player: Account,
    partner: str,
    people: Mapping[str, Account],
    known: Mapping[str, Safety],
    at: Moment,
) -> Outcome:
    """A player says who plays with them; once both have, they are linked.

    Any id can be named, and the answer is the same for a player's, for one of the staff and for one
    that nobody has: otherwise it would tell which accounts there are. Only players can name back.
    """
    _check_players([player])
    if player.id == partner:
        raise Refused(Code.NO_SUCH_ACCOUNT, f"{player.id} is yourself: name someone else")
    if partner in known[player.id].partners:
        return Outcome((), ())
    if player.id in known[partner].named:
        both = [player, people[partner]]
        words = " and ".join(one.name for one in both) + " say so"
        return join(both, known, LinkReason.DECLARED, player.id, words, at)
    if partner in known[player.id].named:
        return Outcome((), ())
    if len(known[player.id].named) >= MOST_NAMED:
        words = f"you have named {MOST_NAMED} people who have not named you: ask the pit"
        raise Refused(Code.NOT_ALLOWED, words)
    return _outcome([h.PartnerNamed(at.now, player.id, partner)], known, at)


def share_browser(
    player: Account, others: list[Account], known: Mapping[str, Safety], at: Moment
) -> Outcome:
    """A player signed in with a browser in which others had before: the pit is shown it once.

    Nobody is linked by it. The cookie that shows it can have been put there by another person, who
    would otherwise exclude the player by excluding themselves.
    """
    _check_players([player, *others])
    mine = known[player.id]
    seen = {*mine.partners, *mine.apart, *mine.shared}
    new = tuple(
        one.id for one in others if one.id not in seen and player.id not in known[one.id].shared
    )
    if not new or len(mine.shared) >= MOST_TOGETHER:
        return Outcome((), ())
    return _outcome([h.BrowserShared(at.now, player.id, new)], known, at)


def join(
    players: list[Account],
    known: Mapping[str, Safety],
    why: LinkReason,
    by: str,
    words: str,
    at: Moment,
) -> Outcome:
    """These players, and those who are linked with them already, are one circle from here on."""
    _check_players(players)
    ids = {one.id for one in players}
    if len(ids) < 2:
        raise Refused(Code.NO_SUCH_ACCOUNT, "a link takes two players: name another")
    if why is LinkReason.DEVICE:
        raise Refused(Code.NOT_ALLOWED, "a shared browser links nobody: the pit decides")
    circle = sorted(ids.union(*(known[one].partners for one in ids)))
    if len(circle) > MOST_TOGETHER:
        words = f"{len(circle)} players would be linked: at most {MOST_TOGETHER} are; look at them"
        raise Refused(Code.NOT_ALLOWED, words)
    _check_read(circle, known)
    changed = [
        h.PartnersChanged(at.now, one, others, why, by, words)
        for one in circle
        if (others := tuple(x for x in circle if x != one)) != known[one].partners
    ]
    return _outcome(changed, known, at)


def part(
    players: list[Account], known: Mapping[str, Safety], by: str, words: str, at: Moment
) -> Outcome:
    """The pit finds that these are no partners: it is not shown them again."""
    _check_players(players)
    ids = sorted({one.id for one in players})
    touched = sorted(set(ids).union(*(known[one].partners for one in ids)))
    _check_read(touched, known)
    found: list[Event] = []
    for one in touched:
        # Each of these is alone from here on; the others of a circle stay together without them.
        left = () if one in ids else tuple(x for x in known[one].partners if x not in ids)
        gone = set(ids) - {one} if one in ids else set[str]()
        if left != known[one].partners:
            found.append(h.PartnersChanged(at.now, one, left, LinkReason.PIT, by, words))
        apart = tuple(sorted({*known[one].apart, *gone}))
        if apart != known[one].apart:
            found.append(h.KeptApart(at.now, one, apart, by, words))
    return _outcome(found, known, at)


def circle_of(players: Iterable[str], known: Mapping[str, Safety]) -> set[str]:
    """All whom a link of these players would concern."""
    ids = set(players)
    return ids.union(*(known[one].partners for one in ids))


def _outcome(events: Iterable[Event], known: Mapping[str, Safety], at: Moment) -> Outcome:
    changed: dict[str, Safety] = {}
    made = tuple(events)
    for event in made:
        account: str = event.account  # type: ignore[attr-defined]
        changed[account] = sf.after(changed.get(account, known[account]), event, at.conduct.zone)
    return Outcome(made, (), safety=changed)


def _check_read(ids: Iterable[str], known: Mapping[str, Safety]) -> None:
    if not set(ids) <= known.keys():
        raise Refused(Code.WRONG_PHASE, "their partners have just changed: send it again")


def _check_players(players: Iterable[Account]) -> None:
    for one in players:
        if one.role is not Role.PLAYER or one.guest:
            words = f"{one.name} is no player with an account: guests and staff have no partners"
            raise Refused(Code.NO_SUCH_ACCOUNT, words)
