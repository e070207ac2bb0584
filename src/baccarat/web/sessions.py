"""Sessions: a signed cookie that says who someone is, since when, and when last seen.

Any server that has the house's key can read it, so sessions outlive restarts and need no table. A
session ends after 30 idle minutes, after twelve hours, or when its owner signs out (which the
server that was told remembers). The one rule: nothing in a cookie is believed that was not signed
here.
"""

import asyncio
import base64
import contextlib
import hmac
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256

COOKIE = "baccarat_session"
IDLE_MS = 30 * 60_000
LONGEST_MS = 12 * 3_600_000
RENEW_MS = 60_000
"""A session that was seen longer ago than this gets a new cookie."""
REMEMBERED = 100_000
"""Sessions that were signed out of, remembered for as long as they might be shown."""


@dataclass(frozen=True)
class Session:
    """Who, and since when; times in milliseconds since 1970."""

    account: str
    id: str
    begun: int
    seen: int


class Sessions:
    """Makes and reads cookies under one key."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"baccarat/session/1", sha256)
        self._ended: dict[str, None] = {}
        self._watched: dict[str, set[asyncio.Event]] = {}

    def begin(self, account: str, now: int) -> Session:
        return Session(account, secrets.token_urlsafe(16), now, now)

    def end(self, session: Session) -> None:
        self._ended[session.id] = None
        for over in self._watched.get(session.id, ()):
            over.set()
        while len(self._ended) > REMEMBERED:
            self._ended.pop(next(iter(self._ended)))

    @contextlib.contextmanager
    def watched(self, session: Session) -> Iterator[asyncio.Event]:
        """For whoever serves it for long: set as soon as it is signed out of."""
        over = asyncio.Event()
        watching = self._watched.setdefault(session.id, set())
        watching.add(over)
        try:
            yield over
        finally:
            watching.discard(over)
            if not watching:
                self._watched.pop(session.id, None)

    def cookie(self, session: Session) -> str:
        fields = [session.account, session.id, session.begun, session.seen]
        text = base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")
        return f"{text}.{self._sign('cookie', text)}"

    def read(self, cookie: str, now: int) -> Session | None:
        """The session of a cookie; None when it is forged, damaged or over."""
        text, _, signature = cookie.partition(".")
        if not hmac.compare_digest(self._sign("cookie", text).encode(), signature.encode()):
            return None
        fields = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        session = Session(*fields)
        over = now - session.seen >= IDLE_MS or now - session.begun >= LONGEST_MS
        return None if over or session.id in self._ended else session

    def renewed(self, session: Session, now: int) -> Session | None:
        """The session as seen now, when its cookie should be sent anew."""
        return replace(session, seen=now) if now - session.seen >= RENEW_MS else None

    def begun_anew(self, session: Session, now: int) -> Session:
        """The same session, as if it began now: those that began before may be over."""
        return replace(session, begun=now, seen=now)

    def csrf_token(self, session: Session) -> str:
        """What only pages that could read our answers know."""
        return self._sign("csrf", session.id)

    def is_csrf_token(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(self.csrf_token(session).encode(), token.encode())

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.digest(self._key, f"{purpose}:{text}".encode(), sha256).hex()
