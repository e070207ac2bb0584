"""Jobs for signing in and out: they record wrong passwords and sessions."""

from collections.abc import Callable, Mapping, Sequence

from baccarat.house.events import STREAM, SignedIn, SignedOut, SignInFailed, SignInsLocked
from baccarat.house.outcomes import Outcome, SideChanges
from baccarat.house.people.roles import Account, Role, check_active, person
from baccarat.house.people.second_factor import SecondFactor, recovery_digest, step_of
from baccarat.house.people.sign_in_lock import OpenSession, count_wrong_password
from baccarat.house.ports import Clock, Job, Need, View
from baccarat.house.staff_events import RecoveryCodeUsed, SecondFactorSet
from baccarat.table.events import Event
from baccarat.table.refusals import Code, Refused

SecretOf = Callable[[bytes], bytes]
"""Decrypts the secret of an account's second factor."""


def sign_in_failed(counted: Mapping[str, int], account: str | None, clock: Clock) -> Job:
    """Return the job that counts a wrong password; `account` is None if no account has the name.

    `counted` maps digests of the name and a place to the number of wrong passwords allowed there.
    """

    def work(view: View) -> Outcome:
        now = view.now
        new = {name: count_wrong_password(view.attempts.get(name), now) for name in counted}
        events: list[Event] = []
        if account is not None:
            events.append(SignInFailed(now, account))
            for name, most in counted.items():
                until = new[name].locked_until(now, most)
                if until is not None and new[name].wrong == most:
                    events.append(SignInsLocked(now, account, most, until))
        return Outcome(events, side_changes=SideChanges(attempts={**new}))

    return Job(Need(STREAM, attempts=tuple(counted)), work, clock=clock)


def password_known(forgiven: Sequence[str], known_place: tuple[str, int] | None) -> Job:
    """Return the job that resets counts after a correct password, and remembers the place."""
    side_changes = SideChanges(attempts=dict.fromkeys(forgiven), known_place=known_place)
    return Job(Need(STREAM), lambda _: Outcome(side_changes=side_changes))


def check_code(account: str, code: str, secret_of: SecretOf, clock: Clock) -> Job:
    """Return the job that uses up a one-time code or a recovery code, or refuses a wrong one."""

    def work(view: View) -> Outcome:
        known = view.second_factors.get(account)
        if known is None:  # removed since the account was read
            raise Refused(Code.NOT_ALLOWED, "wrong-code")
        step = step_of(secret_of(known.sealed), code, view.now, after=known.last_step)
        if step is not None:
            used = known._replace(last_step=step)
            return Outcome(side_changes=SideChanges(second_factor=(account, used)))
        digest = recovery_digest(code)
        if digest not in known.recovery:
            raise Refused(Code.NOT_ALLOWED, "wrong-code")
        left = tuple(other for other in known.recovery if other != digest)
        return Outcome(
            (RecoveryCodeUsed(view.now, account, len(left)),),
            side_changes=SideChanges(second_factor=(account, known._replace(recovery=left))),
        )

    return Job(Need(STREAM, people=(account,)), work, clock=clock)


def set_second_factor(
    account: str, new: SecondFactor, secret: bytes, code: str, clock: Clock
) -> Job:
    """Return the job that sets up a second factor, once its owner has entered a code from it."""

    def work(view: View) -> Outcome:
        check_active(person(view.people, account))
        step = step_of(secret, code, view.now)
        if step is None:
            raise Refused(Code.NOT_ALLOWED, "wrong-code")
        side_changes = SideChanges(second_factor=(account, new._replace(last_step=step)))
        return Outcome((SecondFactorSet(view.now, account),), side_changes=side_changes)

    return Job(Need(STREAM, people=(account,)), work, clock=clock)


def session_begun(account: Account, session: OpenSession, clock: Clock) -> Job:
    """Return the job that lists a new session; staff sessions are also recorded in the journal."""

    def work(view: View) -> Outcome:
        staff = account.role is not Role.PLAYER
        signed_in = SignedIn(view.now, account.id, session.digest)
        if not staff:
            return Outcome(side_changes=SideChanges(session=session))
        seen = SideChanges(session=session, signed_in=(account.id, view.now))
        return Outcome((signed_in,), side_changes=seen)

    return Job(Need(STREAM), work, clock=clock)


def session_seen(session: OpenSession) -> Job:
    """Return the job that records when a session was last used."""
    return Job(Need(STREAM), lambda _: Outcome(side_changes=SideChanges(session=session)))


def signed_out(account: str, session: str, clock: Clock) -> Job:
    """Return the job that ends the session with this digest."""

    def work(view: View) -> Outcome:
        signed_out = SignedOut(view.now, account, session)
        return Outcome((signed_out,), side_changes=SideChanges(ended=session))

    return Job(Need(STREAM), work, clock=clock)
