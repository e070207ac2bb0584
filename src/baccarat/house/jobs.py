"""Turns commands into jobs for the store: what each job reads, and the function that decides.

A job's clock is read inside the commit that makes the job durable; the time of the commit decides
whether a wager is in time. Nothing is decided here: tables, the desk and the house's other modules
decide.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial, reduce

import msgspec

from baccarat.core.errors import BaccaratError
from baccarat.house import ambiguities, desk
from baccarat.house.ambiguities import AllListed
from baccarat.house.cards.decks import with_deck_set
from baccarat.house.cards.events import DECK_EVENTS
from baccarat.house.events import OPERATOR, STREAM, PasswordChanged
from baccarat.house.money.ledger import bonus_account, real_account
from baccarat.house.money.wallets import Wallet
from baccarat.house.outcomes import Decision, DecisionContext, Outcome, PlayerRequest, SideChanges
from baccarat.house.people import accounts
from baccarat.house.people.names import ProposedName
from baccarat.house.people.roles import (
    BY_TWO,
    Account,
    Role,
    check_active,
    check_assigned,
    check_two,
    person,
)
from baccarat.house.ports import Clock, Job, Key, Need, View
from baccarat.house.safety.profiles import ANY_AMOUNT, Alone, Conduct, default_conduct
from baccarat.table import commands as c
from baccarat.table.disputes import replay
from baccarat.table.disputes.case import ShoeKnown, case_of
from baccarat.table.disputes.listed import with_listed
from baccarat.table.events import ActionProposed
from baccarat.table.four_eyes import proposals
from baccarat.table.four_eyes.subjects import Subject
from baccarat.table.journal import table_stream
from baccarat.table.refusals import Code, Refused
from baccarat.table.state import Dispute

LONGEST_KEY = 80


@dataclass(frozen=True)
class Sender:
    """What the sender of a command provides in addition to the command itself."""

    key: Key | None = None
    body: bytes = b""
    proposal: str | None = None
    """Digest of the proposal that the sender has seen and confirms. If it is given, either exactly
    this proposal is carried out or the command is refused."""
    reason: str = ""
    """Reason shown to the second person, if two people are needed."""

    def __post_init__(self) -> None:
        key = "-" if self.key is None else self.key.key
        if not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
            raise BaccaratError(
                f"{key[:LONGEST_KEY]!r} is not an idempotency key: use 1 to {LONGEST_KEY} "
                "printable characters, and a new key for every command"
            )


NO_SENDER = Sender()
ENDING = (c.SettleRound, c.PayRound, c.CancelRound, c.CallOff, c.RemedyError)
"""Commands that may move the money of everyone who wagered on a round."""
SECONDED = (
    *(c.CancelRound, c.ResolveAmbiguity, c.RemedyError, c.DismissReport),
    *(c.DecideDispute, c.AnswerDispute),
    c.ConfirmRectification,
    c.AdjustTable,
)
"""Commands that may need two people."""
CLOSING = (c.DecideDispute, c.AnswerDispute)
"""Commands that close a dispute."""


# ---- tables -------------------------------------------------------------------------------------


def at_table(
    table: str,
    command: c.Command,
    clock: Clock,
    *,
    sender: Sender = NO_SENDER,
    sealed: tuple[bytes, bytes] | None = None,
    conduct: Conduct | None = None,
    cleared_at: int | None = None,
    shoe: ShoeKnown | None = None,
) -> Job:
    """Return the job for a command at a table.

    `sealed` is the id and the encrypted secret of the shoe that the command commits to, if any. For
    a dispute, `shoe` has the events of the round's shoe that were read earlier. Later journal
    entries are read inside the commit, so that the case is up to date.

    A wager is checked against `conduct`, against `cleared_at` (when the exclusion register cleared
    the player), and against the wagers of linked players.
    """
    asked = _Asked(command, sender, sealed, conduct or default_conduct(), cleared_at, shoe)
    stream = table_stream(table)
    if isinstance(command, c.PlaceWagers):
        player = (command.player,)
        need = Need(stream, wallets=player, safety=player, linked=True, desk=True)
    else:
        need = Need(
            stream,
            wallets=(command.player,) if isinstance(command, CLOSING) else (),
            everyone=isinstance(command, ENDING),
            corrects=command.round if isinstance(command, c.RemedyError) else None,
            safety=(command.player, command.by) if isinstance(command, c.DecideDispute) else (),
            people=(*_acting(command), *_dealers(shoe)),
            proposals=isinstance(command, SECONDED),
            also=(STREAM,) if isinstance(command, c.OfDispute | c.BeginShoe) else (),
        )
    return Job(need, asked.work, sender.key, sender.body, clock=clock)


@dataclass(frozen=True)
class _Asked:
    """A command at a table, and the data sent with it."""

    command: c.Command
    sender: Sender
    sealed: tuple[bytes, bytes] | None
    conduct: Conduct
    cleared_at: int | None
    shoe: ShoeKnown | None

    def work(self, view: View) -> Outcome:
        """Carry out the command."""
        if isinstance(self.command, c.PlaceWagers) and view.desk is not None:
            balance = wallet(view, self.command.player)
            return view.desk.place(self.command, view.now, balance, self._protection(view))
        state, confirmed = view.state, self.sender.proposal
        standing = state.proposals if state else ()
        for account in _acting(self.command):
            if account in view.people:  # the operator, the house file and the alarm have no account
                check_active(view.people[account])
        if isinstance(self.command, c.TakeTable | c.HandOver) and state:
            new = view.people.get(self.command.dealer)
            check_assigned(new, state.table)
        outcome = self._by_two(view) if isinstance(self.command, SECONDED) else self._ask(view)
        left = outcome.state.proposals if outcome.state else ()
        proposals.check_confirmed(standing, confirmed, outcome.events, left)
        side_changes = None if self.sealed is None else SideChanges(sealed=self.sealed)
        return outcome._replace(side_changes=side_changes)

    def _by_two(self, view: View) -> Outcome:
        """Carry out a command that may need two people.

        If the command confirms a proposal but the two people are not independent, the second person
        acts alone where that is allowed. If it is not allowed, or if the sender explicitly confirms
        the proposal, raise Refused.
        """
        outcome, state = self._ask(view), view.state
        for event in outcome.events:
            if (names := proposals.proposer_and_confirmer(event)) is None:
                continue
            standing = state.proposals if state else ()
            proposal = proposals.carried_out(standing, event)
            try:
                first, second = (person(view.people, name) for name in names)
                check_two(first, second, view.people, proposal.at)
            except Refused:
                if state is None or self.sender.proposal is not None:
                    raise
                others = replace(state, proposals=proposals.without(standing, proposal.subject))
                outcome = self._ask(view._replace(state=others))
                if any(isinstance(event, ActionProposed) for event in outcome.events):
                    raise
        return outcome

    def _ask(self, view: View) -> Outcome:
        state, command = view.state, self.command
        if isinstance(command, c.DismissReport) and state:
            dealers = [view.people[dealer] for dealer in state.manual.dealers_of(command.round)]
            let_in = any(command.by in dealer.issued_by for dealer in dealers)
            command = msgspec.structs.replace(command, issued_dealer=let_in)
        if isinstance(command, c.BeginShoe) and command.deck_set and state:
            command = with_deck_set(command, state.table, view.house_events(DECK_EVENTS))
        owing: set[str] = set()
        if isinstance(command, c.RemedyError) and state:
            owing = state.may_be_corrected(command.round)
        return desk.at_table(
            state,
            command,
            view.now,
            self._protection(view),
            wallets={player: wallet(view, player) for player in owing},
            case=partial(self._case, view),
            reason=self.sender.reason,
        )

    def _protection(self, view: View) -> desk.Protection:
        return desk.Protection(self.conduct, view.safety, view.position, self.cleared_at)

    def _case(self, view: View) -> replay.Case:
        """Return the case of a dispute, including the table's newest journal entries."""
        command, shoe = self.command, self.shoe
        if shoe is None or not isinstance(command, c.OfDispute):
            raise ValueError(f"{type(command).__name__} needs the shoe of its round")
        events = shoe.with_later(view.later(shoe.through))
        case = case_of(events, command.round, command.player)
        if view.state is not None:
            dispute = view.state.dispute(command.round, command.player)
            if isinstance(command, c.OpenDispute):
                new = (command.round, command.player, view.now, command.words)
                dispute = Dispute(*new, cites=command.cites)
            case = with_listed(case, _listed(view), view.state.table, dispute)
        known = [view.people[dealer] for dealer in case.involved if dealer in view.people]
        return replace(case, involved=case.involved.union(*(one.issued_by for one in known)))


def _dealers(shoe: ShoeKnown | None) -> tuple[str, ...]:
    """Return everyone who dealt from the shoe of a disputed round."""
    found = (getattr(event, "dealer", "") for event in (shoe.events if shoe else ()))
    return tuple(sorted({dealer for dealer in found if dealer}))


def _acting(command: c.Command) -> tuple[str, ...]:
    """Return the accounts that must be active: the sender's and, at a hand-over, the new dealer's.

    A card sent by an electronic shoe has already left the shoe, so it is accepted even if the
    dealer's account is suspended.
    """
    match command:
        case c.HandOver(accept=True):
            return (command.by, command.dealer)
        case c.PlaceCard(device=True) | c.ReadCard():
            return ()
        case c.DealerCommand():
            return (command.dealer,)
    by = getattr(command, "by", "")
    return (by,) if by else ()


# ---- players ------------------------------------------------------------------------------------


def about_player(
    player: str,
    clock: Clock,
    decide: Decision,
    *,
    by: str | None = None,
    conduct: Conduct | None = None,
    alone: Alone = ANY_AMOUNT,
    sender: Sender = NO_SENDER,
) -> Job:
    """Return a job about one player's money or protection, requested by the player or by staff.

    The job takes the same locks as a wager by the player, so the two never run concurrently. If a
    member of staff requests it, the job also reads that person's tallies, linked players and open
    proposals.
    """
    by = player if by is None else by
    staff = by != player

    def work(view: View) -> Outcome:
        request = PlayerRequest(
            **vars(_moment(view, conduct, sender)),
            player=person(view.people, player),
            by=person(view.people, by),
            balance=wallet(view, player),
            alone=alone,
            position=view.position,
            events=view.events,
        )
        return _confirmed(view, sender, decide(request))

    need = Need(
        STREAM,
        wallets=(player,),
        people=(player, by),
        safety=(player, by) if staff else (player,),
        linked=staff,
        proposals=staff,
    )
    return Job(need, work, sender.key, sender.body, clock=clock)


def about_players(
    players: Iterable[str],
    clock: Clock,
    decide: Callable[[DecisionContext], Outcome],
    *,
    conduct: Conduct | None = None,
) -> Job:
    """Return a job about these players and the players linked with them."""
    ids = tuple(sorted(set(players)))
    need = Need(STREAM, people=ids, safety=ids, linked=True)
    return Job(need, lambda view: decide(_moment(view, conduct)), clock=clock)


# ---- accounts ------------------------------------------------------------------------------------


def open_account(
    account: Account,
    clock: Clock,
    *,
    password: str | None = None,
    born: int | None = None,
    by: str = "",
    conduct: Conduct | None = None,
    given: bool = False,
    sender: Sender = NO_SENDER,
) -> Job:
    """Return the job that opens an account with a hashed password and a date of birth.

    The date of birth is not written to the journal. If `given` is true, the password is an initial
    one: it expires, and its owner must change it at the first sign-in.
    """

    def work(view: View) -> Outcome:
        at, waits = _moment(view, conduct, sender), view.proposed_name(account.id)
        named = ProposedName(account.id, account.name, at.sequence)
        named = waits if waits and waits.name == account.name else named
        alike = set() if account.guest else view.namesakes(account.name)
        if account.role is Role.PLAYER:  # refusing a player's name would reveal who plays here
            alike -= {Role.PLAYER}
        ask = partial(accounts.open_account, account, at=at, by=by, born=born, named=named)
        taken = account.id == STREAM or view.taken(account.id)  # journals use that id themselves
        ask = partial(ask, taken=taken, namesake=bool(alike))
        return _confirmed(view, sender, ask(password=password, given=given))

    need = Need(
        STREAM,
        people=(account.id, by) if by else (account.id,),
        safety=(account.id,),
        proposals=account.role in BY_TWO,
    )
    return Job(need, work, sender.key, sender.body, clock=clock)


def register_guest(
    guest: str,
    sign_in_id: str,
    name: str,
    clock: Clock,
    *,
    password: str,
    born: int | None,
    conduct: Conduct,
) -> Job:
    """Return the job that registers a guest under an ID, with a hashed password.

    The date of birth is not written to the journal.
    """

    def work(view: View) -> Outcome:
        known = person(view.people, guest)
        taken = sign_in_id == STREAM or view.taken(sign_in_id)
        namesake = bool(view.namesakes(name) - {Role.PLAYER})
        return accounts.register_guest(
            known,
            sign_in_id,
            name,
            taken=taken,
            namesake=namesake,
            born=born,
            password=password,
            at=_moment(view, conduct),
        )

    need = Need(STREAM, people=(guest,), safety=(guest,))
    return Job(need, work, clock=clock)


def about_listed(
    by: str,
    clock: Clock,
    decide: Callable[[AllListed, DecisionContext], Outcome],
    *,
    sender: Sender = NO_SENDER,
) -> Job:
    """Return a job about the ambiguities that the house lists."""

    def work(view: View) -> Outcome:
        check_active(person(view.people, by))
        at = _moment(view, None, sender)
        return _confirmed(view, sender, decide(_listed(view), at))

    need = Need(STREAM, people=(by,), proposals=True)
    return Job(need, work, clock=clock)


def withdraw_proposal(subject: Subject, by: str, clock: Clock, *, sender: Sender) -> Job:
    """Return the job that withdraws a house proposal, provided it is the one the sender saw."""

    def work(view: View) -> Outcome:
        ended = proposals.withdraw(view.proposals, subject, by, view.now)
        return _confirmed(view, sender, Outcome(ended))

    return Job(Need(STREAM, proposals=True), work, clock=clock)


def change_password(account: str, password: str, clock: Clock, *, known_since: int) -> Job:
    """Return the job that sets a new hashed password for someone who entered the old one.

    `known_since` is when the old password was set. If the password was changed after that, or the
    account was suspended or closed, nothing is changed.
    """

    def work(view: View) -> Outcome:
        now, known = view.now, person(view.people, account)
        check_active(known)
        if known.password_since != known_since:
            raise Refused(Code.NOT_ALLOWED, "password-changed")
        side_changes = SideChanges(new_password=(account, password, now))
        return Outcome((PasswordChanged(now, account),), side_changes=side_changes)

    return Job(Need(STREAM, people=(account,)), work, clock=clock)


def about_staff(
    account: str,
    by: str,
    clock: Clock,
    decide: Callable[[Account, str, DecisionContext], Outcome],
    *,
    sender: Sender = NO_SENDER,
) -> Job:
    """Return a job about a staff account, requested by the pit or by the operator."""

    def work(view: View) -> Outcome:
        known = person(view.people, account)
        if by != OPERATOR:
            person(view.people, by)
        at = _moment(view, None, sender)
        return _confirmed(view, sender, decide(known, by, at))

    return Job(Need(STREAM, people=(account, by), proposals=True), work, clock=clock)


# ---- what jobs share ----------------------------------------------------------------------------


def wallet(view: View, player: str) -> Wallet:
    """Return a player's real and bonus money."""
    balances = view.balances
    return Wallet(balances.get(real_account(player), 0), balances.get(bonus_account(player), 0))


def _listed(view: View) -> AllListed:
    """Return the ambiguities that the house has listed."""
    found = (event for _, event in view.house_events(ambiguities.EVENTS))
    return reduce(ambiguities.listed_after, found, ())


def _confirmed(view: View, sender: Sender, outcome: Outcome) -> Outcome:
    """Return the outcome, or raise Refused if it does not carry out the confirmed proposal."""
    left = reduce(proposals.proposals_after, outcome.events, view.proposals)
    proposals.check_confirmed(view.proposals, sender.proposal, outcome.events, left)
    return outcome


def _moment(view: View, conduct: Conduct | None, sender: Sender = NO_SENDER) -> DecisionContext:
    return DecisionContext(
        view.now,
        view.head.sequence + 1,
        conduct or default_conduct(),
        proposals=view.proposals,
        people=view.people,
        reason=sender.reason,
        confirming=sender.proposal is not None,
        known=view.safety,
    )
