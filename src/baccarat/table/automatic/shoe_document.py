"""SHOE.json: everything public about one shoe, for anyone to verify.

The file is plain JSON in the format of docs/reference/fairness.md, which `baccarat verify` and any
other implementation can read. It is built from public events alone, so anyone who has the journal
can build it. Until the shoe ends, the file has no `reveal`.
"""

from collections.abc import Iterable
from typing import Any

from baccarat.core.errors import BaccaratError
from baccarat.table import events as e
from baccarat.table.codec import to_plain

FORMAT, VERSION = "baccarat-shoe", 1
TERMS = ("shoe", "source", "decks", "cut", "burn", "root", "commitment")


def shoe_document(events: Iterable[e.Event], shoe: bytes) -> dict[str, Any]:
    """Return the document of the shoe with this id, covering the events so far."""
    rules, document = "", None
    for event in events:
        if isinstance(event, e.TableOpened | e.SettingsChanged):
            rules = event.settings.rules
        elif isinstance(event, e.ShoeCommitted) and event.shoe == shoe:
            document = _Document(event, rules)
        elif document is not None and document.content["ended"] is None:
            document.take(event)
    if document is None:
        raise BaccaratError(f"this journal has no shoe {shoe.hex()}")
    plain: dict[str, Any] = to_plain(document.content)
    return plain


class _Document:
    """A document that is being built from the events of its shoe."""

    def __init__(self, committed: e.ShoeCommitted, rules: str) -> None:
        self._contributions: dict[str, dict[str, Any]] = {}
        """By player."""
        self._coups: dict[int, dict[str, Any]] = {}
        """By round."""
        self._decided: set[int] = set()
        self.content: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            **{name: getattr(committed, name) for name in TERMS},
            "rules": rules,
            "contributions": [],
            "seed": None,
            "burned": 0,
            "shown": None,
            "coups": [],
            "ended": None,
            "reveal": None,
        }

    def take(self, event: e.Event) -> None:
        match event:
            case e.ContributionCommitted():
                new = {"commitment": event.commitment, "secret": None}
                self._contributions[event.player] = new
                self.content["contributions"].append(new)
            case e.ContributionRevealed():
                self._contributions[event.player]["secret"] = event.secret
            case e.ShoeReady():
                self.content["seed"] = event.seed
            case e.CardsBurned():
                self.content |= {"burned": event.count, "shown": event.shown}
            case e.CardDealt():
                if event.round not in self._coups:
                    self._coups[event.round] = {"cards": [], "cut_short": False}
                    self.content["coups"].append(self._coups[event.round])
                card = {"hand": event.hand, **vars(event.card)}
                self._coups[event.round]["cards"].append(card)
            case e.CoupDecided():
                self._decided.add(event.round)
            case e.RoundCancelled() if event.round in self._coups.keys() - self._decided:
                self._coups[event.round]["cut_short"] = True
            case e.ShoeEnded():
                reveal = {"key": event.key, "order": event.order}
                self.content |= {"ended": event.reason, "reveal": reveal}
