"""Describes cards in doubt, alarms and reported errors in words."""

from baccarat.table import events as e
from baccarat.wording.catalogue import Catalogue
from baccarat.wording.dealing import faces


def doubt_in_words(doubt: e.CardInDoubt, t: Catalogue) -> str:
    """Return which card a device sent and why it is in doubt, without a full stop."""
    number = doubt.round if doubt.for_round is None else doubt.for_round
    place = doubt.due if doubt.for_place is None else doubt.for_place
    values = {"due": _place(doubt.round, doubt.due, t), "sent": _place(number, place, t)}
    why = t(f"doubt-{doubt.why}", **values)
    return t("irregular-in-doubt", card=doubt.card.face(), why=why)


def _place(number: int, place: int, t: Catalogue) -> str:
    if place > 0:
        return t("place-in-coup", place=place, round=number)
    return t("place-exposed", place=1 - place, round=number)


def alarm_in_words(raised: e.AlarmRaised, t: Catalogue) -> str:
    """Return what is wrong with the shoe, without a full stop."""
    return t(
        f"alarm-{raised.sign or raised.alarm}",
        count=len(raised.cards),
        cards=faces(raised.cards),
        missing=len(raised.lacking),
        lacking=faces(raised.lacking),
    )


def report_in_words(report: e.ErrorReported, t: Catalogue) -> str:
    """Return a person's report in their own words, or a sentence about the device's card."""
    if report.card is None:
        return report.words
    return t("error-by-device", card=report.card.face(), place=report.place, round=report.round)
