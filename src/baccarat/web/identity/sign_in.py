"""Signing in: passwords are checked a few at a time, and wrong ones are counted.

A wrong id and a wrong password get the same response and take the same time. Wrong passwords are
counted by where they come from (`house.people.sign_in_lock`), so that strangers cannot lock out an
account's owner.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from starlette.requests import HTTPConnection

from baccarat.house.people import sign_in_lock as lock
from baccarat.house.people import sign_ins
from baccarat.house.people.passwords import hash_password, is_password
from baccarat.house.people.roles import Account
from baccarat.house.people.second_factor import SECRET_BYTES, SecondFactor, recovery_digest
from baccarat.house.ports import Job, Person
from baccarat.store.vault import Vault, VaultError, second_factor_id
from baccarat.table.refusals import Refused
from baccarat.web.identity.visitors import Visitors
from baccarat.web.server.guard import Limiter, Rates, address_of, place_of
from baccarat.web.server.problems import Fault, Problem

Hashed = TypeVar("Hashed")
HASHERS = 2
"""Number of passwords hashed at the same time; each needs 19 MiB of memory."""
MAX_HASHING = 50
"""Maximum passwords waiting to be hashed: two seconds' worth."""
KNOWN_AGAIN = 24 * 3_600_000
"""Milliseconds after which another sign-in from a known address renews its record."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Place:
    """Where a sign-in comes from, as digests of the account name and an origin."""

    browser: bool
    """Whether the name has signed in with this browser before."""
    here: str
    address: str
    anywhere: str


class SignIns:
    """Checks names and passwords."""

    def __init__(self, visitors: Visitors, rates: Rates, vault: Vault) -> None:
        self._visitors, self._clock, self._vault = visitors, visitors.clock, vault
        self._attempts = Limiter(rates.sign_in, self._clock, "sign-ins")
        self._attempts_from = Limiter(rates.sign_in_from, self._clock, "sign-ins-here")
        self._hashers = ThreadPoolExecutor(HASHERS, thread_name_prefix="hasher")
        self._hashing = 0
        """Number of passwords being hashed or waiting."""
        self._decoy_hash = hash_password("nobody has this password")

    def close(self) -> None:
        self._hashers.shutdown()

    async def hashed(self, password: str) -> str:
        return await self._hash_in_thread(hash_password, password)

    async def _hash_in_thread(self, function: Callable[..., Hashed], *arguments: str) -> Hashed:
        """Hash or compare a password in a worker thread, or raise a Problem if too many wait."""
        if self._hashing >= HASHERS + MAX_HASHING:
            raise Problem(Fault.BUSY, "busy-passwords", headers={"Retry-After": "5"})
        self._hashing += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._hashers, function, *arguments)
        finally:
            self._hashing -= 1

    async def check_address(self, connection: HTTPConnection, name: str) -> None:
        """Count an attempt against its address, or raise a Problem if there are too many."""
        await self._count(self._attempts_from, place_of(connection), connection, name)

    async def _count(
        self, limiter: Limiter, sender: str, connection: HTTPConnection, name: str
    ) -> None:
        """Count an attempt; if there are too many, log it and raise a Problem."""
        try:
            limiter.use(sender)
        except Problem:
            who = name if await self._visitors.account(name) else None  # see `check`
            extra = {"account": who, "address": address_of(connection), "why": "rate limit"}
            log.info("sign-in refused", extra=extra)
            raise

    async def check(
        self, connection: HTTPConnection, name: str, password: str, code: str | None = None
    ) -> tuple[Person, int]:
        """Return the person with this name and password, and the time at which a session begins.

        That time is before the password was checked, but not before it was chosen, so a password
        change during the check ends the session. `code` is their one-time code: empty if none was
        sent, and None for someone who is already signed in. Raise a Problem if the sign-in is
        refused.
        """
        place = self._place(connection, name)
        await self._count(self._attempts, place.here, connection, name)
        asked_at = self._clock()
        found, attempts, anywhere, known_at = await self._visitors.keeper.read(
            lambda store: (
                store.person_signing_in(name),
                store.attempts(place.here),
                store.attempts(place.anywhere),
                store.known_place(place.address),
            )
        )
        known = place.browser or (known_at is not None and asked_at < known_at + lock.KNOWN_MS)
        locks = [attempts.locked_until(asked_at)] if attempts else []
        if anywhere and not known:
            locks.append(anywhere.locked_until(asked_at, lock.MAX_ANYWHERE))
        until = max((until for until in locks if until is not None), default=None)
        # A password may be typed in the name field, so only names of existing accounts are logged.
        account = found.account.id if found else None
        who = {"account": account, "address": address_of(connection)}
        if until is not None:
            log.info("sign-in refused", extra={**who, "why": "locked"})
            raise _locked(until - asked_at)
        stored = found.password if found and found.password else self._decoy_hash
        right = await self._hash_in_thread(is_password, stored, password)
        counted = {place.here: lock.MAX_WRONG}
        if not known:
            counted[place.anywhere] = lock.MAX_ANYWHERE
        if found is None or found.password is None or not right:
            self._visitors.note(sign_ins.sign_in_failed(counted, account, self._clock))
            log.info("sign-in failed", extra={**who, "why": "wrong password"})
            raise Problem(Fault.WRONG_PASSWORD, "wrong-password")
        if code is not None and not await self._is_second_factor(found.account, code):
            self._visitors.note(sign_ins.sign_in_failed(counted, account, self._clock))
            log.info("sign-in failed", extra={**who, "why": "wrong code"})
            raise Problem(Fault.WRONG_CODE, "wrong-code")
        new = known_at is None or asked_at - known_at > KNOWN_AGAIN
        if attempts is not None or new:
            over, known_place = [place.here] if attempts else [], (place.address, asked_at)
            self._visitors.note(sign_ins.password_known(over, known_place if new else None))
        self._check_usable(found)
        return found, max(asked_at, found.since)

    async def _is_second_factor(self, account: Account, code: str) -> bool:
        """Use up a code, and return whether it was right; return True if the account needs none.

        Raise a Problem if the account needs a code and none was sent.
        """
        if not account.second_factor:
            return True
        if not code:
            raise Problem(Fault.CODE_NEEDED, "code-needed")
        secret_of = partial(self._vault.second_factor, account.id)
        job = sign_ins.check_code(account.id, code, secret_of, self._clock)
        (done,) = await self._visitors.keeper.commit(job)
        if isinstance(done, Exception) and not isinstance(done, Refused):
            raise done
        return not isinstance(done, Refused)

    def new_second_factor(self, account: Account) -> tuple[bytes, bytes]:
        """Return a new secret for an account, and the same secret encrypted."""
        secret = secrets.token_bytes(SECRET_BYTES)
        return secret, self._vault.encrypt(secret, second_factor_id(account.id))

    def set_second_factor(
        self, account: Account, sealed: bytes, code: str, recovery: list[str]
    ) -> Job:
        """Return the job that sets up a second factor with these recovery codes."""
        try:
            secret = self._vault.second_factor(account.id, sealed)
        except VaultError:  # changed, or made for another account
            raise Problem(Fault.WRONG_CODE, "wrong-code") from None
        new = SecondFactor(sealed, 0, tuple(map(recovery_digest, recovery)))
        return sign_ins.set_second_factor(account.id, new, secret, code, self._clock)

    def _check_usable(self, person: Person) -> None:
        """Raise a Problem if the account cannot be used.

        Called after the password was checked, so that only its owner learns this.
        """
        if person.account.suspended:
            raise Problem(Fault.SUSPENDED, "suspended")
        if person.given and self._clock() >= person.expires_at:
            raise Problem(Fault.EXPIRED_PASSWORD, "expired-password")

    def _place(self, connection: HTTPConnection, name: str) -> _Place:
        browser = name in self._visitors.accounts_of_browser(connection)
        network, digest = place_of(connection), self._visitors.sessions.place_digest
        here = f"{'browser' if browser else 'address'} {network}"
        places = (here, f"known {network}", "anywhere")
        return _Place(browser, *(digest(name, place) for place in places))


def _locked(left: int) -> Problem:
    """Return the problem for a locked sign-in; `left` is in milliseconds."""
    headers = {"Retry-After": str(-(-left // 1000))}
    minutes = -(-left // 60_000)
    return Problem(Fault.SIGN_IN_LOCKED, "sign-in-locked", headers=headers, minutes=minutes)
