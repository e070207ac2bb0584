"""The exclusion register: an external register of people who may not play anywhere.

The house file gives the address of an HTTP service, or a file. A response is valid for a limited
time (`register_fresh`), which the job that places a wager checks. The check fails closed: an error,
a timeout or any response other than a clear "not excluded" prevents play.

An HTTP register receives `{"player": ID}` by POST and responds with status 200 and
`{"excluded": false}` or `{"excluded": true}`. A file contains one id per line; text after a `#` is
a comment.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from baccarat.core.errors import BaccaratError
from baccarat.house.people.roles import Account
from baccarat.house.ports import Clock
from baccarat.house.safety.profiles import Conduct
from baccarat.table.refusals import Code, Refused

PATIENCE = 3.0
"""Timeout for a response, in seconds."""
MAX_KNOWN = 100_000
log = logging.getLogger(__name__)

Ask = Callable[[str], Awaitable[bool]]
"""A function that returns whether a player is excluded, or raises an error."""


class Register:
    """Queries the exclusion register, and caches when each player was cleared."""

    def __init__(self, conduct: Conduct, clock: Clock, ask: Ask | None = None) -> None:
        self._conduct, self._clock = conduct, clock
        self._ask = ask if ask is not None else _asking(conduct.register)
        self._cleared: dict[str, int] = {}

    async def cleared_at(self, account: Account) -> int | None:
        """Return when the register cleared a player, or None if it did not respond.

        Raise Refused if the player is excluded. Guests, who play with play money, are not checked;
        for them, and if the house has no register, return None.
        """
        if self._ask is None or account.guest:
            return None
        now = self._clock()
        known = self._cleared.get(account.id)
        if known is not None and 0 <= now - known < self._conduct.register_fresh:
            return known
        self._cleared.pop(account.id, None)
        try:
            async with asyncio.timeout(PATIENCE):
                excluded = await self._ask(account.id)
        except Exception as error:
            why = f"{type(error).__name__} {error}"
            log.warning("exclusion register did not answer", extra={"why": why})
            return None
        if excluded is not False:
            raise Refused(Code.SELF_EXCLUDED, "in-register")
        if len(self._cleared) >= MAX_KNOWN:
            self._cleared.clear()
        self._cleared[account.id] = now
        return now


def _asking(register: str | None) -> Ask | None:
    if register is None:
        return None
    if register.startswith("file:"):
        path = Path(register.removeprefix("file:"))
        return lambda player: asyncio.to_thread(is_listed, path, player)
    return partial(ask_http, register)


def is_listed(path: Path, player: str) -> bool:
    """Return whether a player's id is in a file of excluded players."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return player in {line.partition("#")[0].strip() for line in lines}


async def ask_http(address: str, player: str) -> bool:
    """Return whether an HTTP register lists a player; raise an error if its answer is not valid."""
    import httpx  # only needed for an HTTP register

    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        answer = await client.post(address, json={"player": player})
    content = answer.json() if answer.status_code == 200 else None
    if not isinstance(content, dict) or type(content.get("excluded")) is not bool:
        raise BaccaratError(f"invalid response from the register (status {answer.status_code})")
    return bool(content["excluded"])
