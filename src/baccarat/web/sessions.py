"""Sessions: a signed cookie that says who someone is, since when, and when last seen.

Any server that has the house's key can read it, so sessions outlive restarts and no table is asked
whether one holds; the store only lists them for their owners. A session ends after 30 idle minutes,
after twelve hours, or when its owner ends it or changes the password in another one (both are in
the house's journal: `web.watching`). The one rule: nothing in
a cookie is believed that was not signed here.
"""

import asyncio
import base64
import contextlib
import hmac
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256

COOKIE = "baccarat_session"
IDLE_MS = 30 * 60_000
LONGEST_MS = 12 * 3_600_000
FORGOTTEN_MS = LONGEST_MS + 3_600_000
"""Sign-outs and new passwords are remembered this long: the clocks of servers may differ."""
RENEW_MS = 60_000
"""A session that was seen longer ago than this gets a new cookie."""


class End(StrEnum):
    """Why a session is no longer served."""

    OVER = "over"
    """Signed out of, or its account was closed."""
    OLD = "old"
    """As far as is known here; a newer cookie may have been given elsewhere."""


@dataclass(frozen=True)
class Session:
    """Who, and since when; times in milliseconds since 1970."""

    account: str
    id: str
    begun: int
    seen: int


@dataclass
class Watch:
    """A session that is served for long, as its newest cookie has it, until it ends."""

    session: Session
    over: asyncio.Event = field(default_factory=asyncio.Event)
    why: End | None = None

    def end(self, why: End) -> None:
        self.why = self.why or why
        self.over.set()


class Sessions:
    """Makes and reads cookies under one key."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"baccarat/session/1", sha256)
        self._ended: dict[str, int] = {}
        """By digest, when it ended."""
        self._chosen: dict[str, int] = {}
        """By account, when its password was last changed."""
        self._watched: dict[str, list[Watch]] = {}

    def begin(self, account: str, now: int) -> Session:
        return Session(account, secrets.token_urlsafe(16), now, now)

    def end(self, digest: str, now: int) -> None:
        """The session of this digest was signed out of, here or elsewhere."""
        self._ended.setdefault(digest, now)
        for watch in self._watched.get(digest, ()):
            watch.end(End.OVER)
        _forget_old(self._ended, now)

    def has_ended(self, digest: str) -> bool:
        """Is it known here that somebody signed out of it?"""
        return digest in self._ended

    def password_changed(self, account: str, at: int) -> None:
        """Sessions of the account that began before are old from here on."""
        at = max(at, self._chosen.pop(account, 0))
        self._chosen[account] = at
        _forget_old(self._chosen, at)

    def is_old(self, session: Session, now: int) -> bool:
        """For too long unseen, too long ago begun, or with a password that is no more."""
        chosen = self._chosen.get(session.account, 0)
        idle, lasted = now - session.seen, now - session.begun
        return idle >= IDLE_MS or lasted >= LONGEST_MS or session.begun < chosen

    @contextlib.contextmanager
    def watched(self, session: Session) -> Iterator[Watch]:
        """For whoever serves it for long, and is told when it ends."""
        watch, digest = Watch(session), digest_of(session)
        watching = self._watched.setdefault(digest, [])
        watching.append(watch)
        try:
            yield watch
        finally:
            watching.remove(watch)
            if not watching:
                self._watched.pop(digest, None)

    def all_watched(self) -> list[Watch]:
        return [watch for watching in self._watched.values() for watch in watching]

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
        digest = digest_of(session)
        if self.is_old(session, now) or digest in self._ended:
            return None
        self._seen(digest, session)
        return session

    def renewed(self, session: Session, now: int) -> Session | None:
        """The session as seen now, when its cookie should be sent anew."""
        if now - session.seen < RENEW_MS:
            return None
        seen = replace(session, seen=now)
        self._seen(digest_of(session), seen)
        return seen

    def begun_anew(self, session: Session, now: int) -> Session:
        """The same session, as if it began now: those that began before may be over."""
        anew = replace(session, begun=now, seen=now)
        self._seen(digest_of(session), anew)
        return anew

    def place_digest(self, name: str, place: str) -> str:
        """What the store keeps of a name that somebody typed, and of where they did."""
        return self._sign("name at", f"{place} {name}")

    def csrf_token(self, session: Session) -> str:
        """What only pages that could read our answers know."""
        return self._sign("csrf", session.id)

    def is_csrf_token(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(self.csrf_token(session).encode(), token.encode())

    def _seen(self, digest: str, session: Session) -> None:
        for watch in self._watched.get(digest, ()):
            known = watch.session
            begun, seen = max(known.begun, session.begun), max(known.seen, session.seen)
            watch.session = replace(known, begun=begun, seen=seen)

    def _sign(self, purpose: str, text: str) -> str:
        return hmac.digest(self._key, f"{purpose}:{text}".encode(), sha256).hex()


def digest_of(session: Session) -> str:
    """What a journal may say of a session: nobody makes its cookie from this."""
    return sha256(session.id.encode()).hexdigest()[:32]


def _forget_old(remembered: dict[str, int], now: int) -> None:
    """Forget what no longer matters, oldest first: sessions of that time are over anyway.

    Never by count: anyone can sign out often enough to make the server forget others.
    """
    while remembered and now - next(iter(remembered.values())) > FORGOTTEN_MS:
        remembered.pop(next(iter(remembered)))
