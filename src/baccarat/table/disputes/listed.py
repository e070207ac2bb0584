"""Ambiguities that the house has listed because of a dispute (R46).

A rule card never changes because of a dispute. The house lists the ambiguity in its own journal
instead, in words and, if possible, with readings that can be replayed. Until two people resolve it,
and for rounds settled before that, disputes over it are decided in the player's favour.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from baccarat.core.errors import BaccaratError
from baccarat.table.disputes.replay import MOST_COMBINATIONS, Case, open_questions
from baccarat.table.rules import card_id, with_ambiguity


@dataclass(frozen=True)
class Source:
    """The dispute that an ambiguity was listed for."""

    table: str
    round: int
    player: str


@dataclass(frozen=True)
class Listed:
    """An ambiguity that the house has listed."""

    id: str
    card: str
    """Id of the rule card."""
    question: str
    fragment: str
    """The ambiguity as a rule card would state it, in TOML; empty if it cannot be replayed."""
    source: Source
    at: int
    by: str
    resolved_at: int = 0
    """When two people resolved it; 0 while it is open."""
    resolution: str = ""
    resolved_by: tuple[str, ...] = ()

    def governs(self, card: str, settled_at: int) -> bool:
        """Return whether it applies to disputes over a round of this card settled at this time."""
        return self.card == card and not 0 < self.resolved_at < settled_at


def governed(case: Case, listed: Sequence[Listed], table: str, cites: str) -> Case:
    """Return the case with the listed ambiguities that apply to it.

    Those whose readings can be replayed under the rules of the shoe are added to these rules. The
    others apply only if the dispute cites them, or if they were listed because of it.
    """
    rules, replayed, cited = case.rules, list[str](), list[str]()
    card, source = card_id(rules), Source(table, case.round, case.result.player)
    for one in listed:
        if not one.governs(card, case.settled_at):
            continue
        try:
            rules = replayable(rules, one.id, one.fragment)
            replayed.append(one.id)
        except BaccaratError:
            if one.id == cites or one.source == source:
                cited.append(one.id)
    return replace(case, rules=rules, listed=tuple(replayed), cited=tuple(cited))


def replayable(rules: str, name: str, fragment: str) -> str:
    """Add a listed ambiguity to the rules, or raise BaccaratError if it cannot be replayed."""
    found = with_ambiguity(rules, name, fragment)
    count = prod(len(one.readings) for one in open_questions(found))
    if count > MOST_COMBINATIONS:
        raise BaccaratError(
            f"the open ambiguities would have {count:,} combinations of readings; at most "
            f"{MOST_COMBINATIONS:,} can be compared: resolve some first"
        )
    return found
