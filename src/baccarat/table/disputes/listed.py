"""Ambiguities that the house has listed because of a dispute (R46).

A rule card never changes because of a dispute. The house lists the ambiguity in its own journal
instead, in words and, if possible, with readings that can be replayed. Until two people resolve it,
and for rounds settled before that, disputes over it are decided in the player's favour. Two people
can withdraw an ambiguity that should not have been listed. Disputes are then decided without it,
but where it applied, nobody may deny a payment alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from baccarat.core.errors import BaccaratError
from baccarat.table.disputes.replay import MAX_COMBINATIONS, Case, open_questions
from baccarat.table.rules import card_id, with_ambiguity
from baccarat.table.state import Dispute


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
    by: tuple[str, ...]
    resolved_at: int = 0
    """When two people resolved it; 0 if they have not."""
    resolution: str = ""
    resolved_by: tuple[str, ...] = ()
    withdrawn_at: int = 0
    """When two people withdrew it; 0 if they have not."""
    withdrawal: str = ""
    withdrawn_by: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        return not (self.resolved_at or self.withdrawn_at)

    def covers(self, card: str, settled_at: int) -> bool:
        """Return whether the ambiguity concerns rounds of the card settled at this time."""
        return self.card == card and not 0 < self.resolved_at < settled_at

    def applies_to(self, card: str, settled_at: int) -> bool:
        """Return the same as `covers`, but False if the ambiguity has been withdrawn."""
        return self.covers(card, settled_at) and not self.withdrawn_at

    def withdrawn_during(self, dispute: Dispute | None) -> bool:
        """Return whether the ambiguity was withdrawn while the dispute was undecided."""
        if dispute is None or dispute.at > self.withdrawn_at:
            return False
        return not dispute.decided or self.withdrawn_at <= dispute.decided_at


def with_listed(case: Case, listed: Sequence[Listed], table: str, dispute: Dispute | None) -> Case:
    """Return the case with the listed ambiguities that govern it.

    Those whose readings can be replayed under the rules of the shoe are added to these rules. The
    others apply only if the dispute cites them, or if they were listed because of it.
    """
    rules, card = case.rules, card_id(case.rules)
    replayed, owed, cited, withdrawn = list[str](), list[str](), list[str](), list[str]()
    source, cites = Source(table, case.round, case.result.player), dispute and dispute.cites
    for one in listed:
        if not one.covers(card, case.settled_at):
            continue
        with_it = with_readings(rules, one)
        if one.withdrawn_at:
            concerns = with_it or one.source == source or one.id == cites
            if concerns and one.withdrawn_during(dispute):
                withdrawn.append(one.id)
        elif with_it:
            rules = with_it
            replayed.append(one.id)
        elif one.source == source:
            owed.append(one.id)
        elif one.id == cites:
            cited.append(one.id)
    return replace(
        case,
        rules=rules,
        listed=tuple(replayed),
        owed=tuple(owed),
        cited=tuple(cited),
        withdrawn=tuple(withdrawn),
    )


def with_readings(rules: str, one: Listed) -> str | None:
    """Return the rules with an ambiguity; None if it has no readings or they do not fit."""
    try:
        return replayable(rules, one.id, one.question, one.fragment) if one.fragment else None
    except BaccaratError:
        return None


def replayable(rules: str, name: str, question: str, fragment: str) -> str:
    """Add a listed ambiguity to the rules, or raise BaccaratError if it cannot be replayed."""
    found = with_ambiguity(rules, name, question, fragment)
    count = prod(len(question.readings) for question in open_questions(found))
    if count > MAX_COMBINATIONS:
        raise BaccaratError(
            f"the open ambiguities would have {count:,} combinations of readings; at most "
            f"{MAX_COMBINATIONS:,} can be compared: resolve some first"
        )
    return found
