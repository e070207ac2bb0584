"""The reasons for third cards, and irregularities in dealing real cards, in words."""

from collections.abc import Iterable

from baccarat.core.cards import Card
from baccarat.core.misdeals import Irregularity
from baccarat.core.tableau import TurnReason
from baccarat.wording.catalogue import Catalogue


def reason_in_words(reason: TurnReason, t: Catalogue) -> str:
    """Return, in the catalogue's language, why a hand gets a card or why no card follows, without a
    full stop."""
    values = {"player": reason.player, "banker": reason.banker, "given": reason.given}
    return t(f"script-cards-row-{reason.row}", **values)


def irregularity_in_words(wrong: Irregularity, t: Catalogue) -> str:
    """Return, in the catalogue's language, what went wrong, without a full stop."""
    return t(
        f"irregular-{wrong.kind}",
        card=wrong.card.face() if wrong.card else "",
        others=faces(wrong.others),
        count=len(wrong.others),
        hand=wrong.hand or "",
        reason=reason_in_words(wrong.reason, t) if wrong.reason else "",
    )


def faces(cards: Iterable[Card]) -> str:
    return " ".join(card.face() for card in cards)
