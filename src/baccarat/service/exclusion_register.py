"""The register of exclusions: someone outside who knows who may not play anywhere.

A house names it in its file: an address that is asked over HTTP, or a file. What it says is good
for a while (`register_fresh`), and the wager's own job checks that. The one rule: it
fails closed. Whatever is not a clear "not excluded" is a no: an error, silence, any other answer.

Over HTTP it is sent `{"player": ID}` by POST and answers 200 with `{"excluded": false}` or `true`.
A file holds one id a line; what follows a `#` is a remark.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from baccarat.core.errors import BaccaratError
from baccarat.house.jobs import Clock
from baccarat.house.profile import Conduct
from baccarat.house.roles import Account
from baccarat.table.refusals import Code, Refused

PATIENCE = 3.0
"""Seconds for which an answer is waited for."""
MOST_KNOWN = 100_000
log = logging.getLogger(__name__)

Ask = Callable[[str], Awaitable[bool]]
"""Is this player excluded? Any error is raised."""


class Register:
    """Who was cleared, and when."""

    def __init__(self, conduct: Conduct, clock: Clock, ask: Ask | None = None) -> None:
        self._conduct, self._clock = conduct, clock
        self._ask = ask if ask is not None else _asking(conduct.register)
        self._cleared: dict[str, int] = {}

    async def cleared_at(self, account: Account) -> int | None:
        """When the register said that a player may play; None when it does not say so.

        Refused when it says that they are excluded. Guests play with play money and are not asked
        about; neither is anyone where the house has no register.
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
            log.warning("the register of exclusions did not answer", extra={"why": why})
            return None
        if excluded is not False:
            words = "the register of exclusions has you: you may not play here; ask the register"
            raise Refused(Code.SELF_EXCLUDED, words)
        if len(self._cleared) >= MOST_KNOWN:
            self._cleared.clear()
        self._cleared[account.id] = now
        return now


def _asking(register: str | None) -> Ask | None:
    if register is None:
        return None
    if register.startswith("file:"):
        path = Path(register.removeprefix("file:"))

        async def in_file(player: str) -> bool:
            return await asyncio.to_thread(is_listed, path, player)

        return in_file

    async def over_http(player: str) -> bool:
        return await ask_http(register, player)

    return over_http


def is_listed(path: Path, player: str) -> bool:
    """Is a player in a file of excluded ones?"""
    lines = path.read_text(encoding="utf-8").splitlines()
    return player in {line.partition("#")[0].strip() for line in lines}


async def ask_http(address: str, player: str) -> bool:
    """What a register over HTTP says."""
    import httpx  # only where a house has such a register

    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        answer = await client.post(address, json={"player": player})
    content = answer.json() if answer.status_code == 200 else None
    if not isinstance(content, dict) or type(content.get("excluded")) is not bool:
        raise BaccaratError(f"status {answer.status_code}: not an answer of a register")
    return bool(content["excluded"])
