"""Subjects of proposals: on each subject, at most one proposal waits for a second person."""

from baccarat.table.codec import AccountId, Value


class _Subject(Value, frozen=True, tag_field="kind"):
    """The subject of a proposal, tagged with its kind."""


class Cancel(_Subject, frozen=True, tag="cancel"):
    """The cancellation of a round."""

    round: int


class Rectify(_Subject, frozen=True, tag="rectify"):
    """A change to the current coup that the pit must confirm."""

    round: int


class Correct(_Subject, frozen=True, tag="correct"):
    """A reported error in a round."""

    round: int


class HandOver(_Subject, frozen=True, tag="hand-over"):
    """A dealer's request for a table that another dealer has."""

    dealer: AccountId


class Limits(_Subject, frozen=True, tag="limits"):
    """A table's limits."""


class Dispute(_Subject, frozen=True, tag="dispute"):
    """A player's dispute over a round."""

    round: int
    player: AccountId


class Ambiguity(_Subject, frozen=True, tag="ambiguity"):
    """The reading of an ambiguous rule."""

    ambiguity: str


class Listing(_Subject, frozen=True, tag="listing"):
    """The listing of an ambiguity because of a dispute."""

    table: str
    round: int
    player: AccountId


class StaffAccount(_Subject, frozen=True, tag="account"):
    """A staff account."""

    account: AccountId


class Cash(_Subject, frozen=True, tag="cash"):
    """A cash payment to or from a player."""

    player: AccountId


class Bonus(_Subject, frozen=True, tag="bonus"):
    """A player's bonus money."""

    player: AccountId


OfRounds = Cancel | Rectify | Correct | Dispute
Subject = OfRounds | HandOver | Limits | Ambiguity | Listing | StaffAccount | Cash | Bonus
