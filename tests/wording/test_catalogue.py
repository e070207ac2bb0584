"""Catalogues: messages, plurals, numbers and money in a language."""

from datetime import datetime, timedelta, timezone

import pytest

from baccarat.core.errors import BaccaratError
from baccarat.core.text import Alternatives, Translated
from baccarat.wording import catalogue as catalogues
from baccarat.wording.catalogue import Catalogue, catalogue

DAYS = """
days = { $n ->
    [one] { $n } day
   *[other] { $n } days
}
round = Round { NUMBER($round, useGrouping: 0) }
script-a-plain = Bets
script-a-free = { $free } of { $seats }
script-a-days = { $n ->
    [one] a day
   *[other] { NUMBER($n, useGrouping: 0) } days
}
"""


def in_language(language: str) -> Catalogue:
    return Catalogue(language, {"a.ftl": DAYS})


def test_the_english_catalogue_is_valid():
    catalogue().check()


def test_one_line_of_text_is_read_as_the_parser_reads_it():
    text = "".join(path.read_text() for path in (catalogues.LOCALES / "en").glob("*.ftl"))
    text += "a = one  \nb =two [three] *\n\nc = four\n    five\nd = six\n# note\n"
    singly, whole = Catalogue("en", {"a.ftl": text}), Catalogue("en", {"a.ftl": text})
    whole.check()
    assert [singly._message(key) for key in singly] == [whole._message(key) for key in whole]


def test_a_missing_message_or_value_is_an_error():
    with pytest.raises(BaccaratError, match="did you mean 'frame-tables'"):
        catalogue()("frame-table")
    with pytest.raises(BaccaratError, match="'days'"):
        in_language("en")("days")


def test_a_long_value_is_truncated():
    shown = Catalogue("en", {"a.ftl": "why = Why: { $reason }"})("why", reason="x" * 5_000)
    assert shown == f"Why: {'x' * 1_999}…"


def test_plurals_and_numbers_follow_the_language():
    english, german = in_language("en"), in_language("de")
    assert [english("days", n=n) for n in (1, 2, 12_000)] == ["1 day", "2 days", "12,000 days"]
    assert german("days", n=12_000) == "12.000 days"
    assert english("round", round=12_000) == "Round 12000"
    assert english.variables("days") == {"n"}
    assert catalogue()("limits-every_minutes", minutes=1) == "Every 1 minute"


def test_scripts_get_texts_variables_and_choices():
    assert in_language("en").for_scripts("a") == {
        "a-plain": "Bets",
        "a-free": [{"name": "free"}, " of ", {"name": "seats"}],
        "a-days": [
            {
                "name": "n",
                "choices": {"one": "a day", "other": [{"name": "n", "grouping": False}, " days"]},
                "default": "other",
            }
        ],
    }


@pytest.mark.parametrize(
    ("language", "coins", "currency", "shown"),
    [
        ("en", -123_456, "GBP", "−£1,234.56"),
        ("en", 5, "XAU", "XAU\u00a00.05"),
        ("en", 123_456, "", "1,234.56"),
        ("de", -123_456, "EUR", "−1.234,56\u00a0€"),
        ("xx", 1_250, "GBP", "£12.50"),
    ],
)
def test_money_follows_the_language(language, coins, currency, shown):
    assert in_language(language).money(coins, currency) == shown


@pytest.mark.parametrize(
    ("language", "day", "time"),
    [
        ("en", "5 March 2026", "5 Mar 2026, 08:30 (UTC+02:00)"),
        ("fr", "5 mars 2026", "5 mars 2026, 08:30 (UTC+02:00)"),
    ],
)
def test_dates_lists_and_texts_of_cards_follow_the_language(language, day, time):
    patterns = """
pattern-date = { "d MMMM y" }
pattern-time = { "d MMM y, HH:mm ('UTC'xxx)" }
phrase-list = { $one }, { $other }
phrase-or = { $one } or { $other }
said = { $it }
"""
    t = Catalogue(language, {"a.ftl": patterns})
    at = datetime(2026, 3, 5, 8, 30, tzinfo=timezone(timedelta(hours=2)))
    assert (t("said", it=at.date()), t("said", it=at)) == (day, time)
    assert t("said", it=Alternatives(("Player", "Banker", "Tie"))) == "Player, Banker or Tie"
    assert t("said", it=Translated("Banker", {"fr": "Banque"})) == (
        "Banque" if language == "fr" else "Banker"
    )


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (
            "language-name = Strange\nlanguage-nam = x",
            "language-nam is not a message of en .did you mean",
        ),
        ("frame-age = x", "frame-skip is missing"),
        ("frame-age = x", "frame-age must have the variables: age"),
        ("frame-age", "not valid Fluent: 'frame-age'"),
        ("a = x\na = y", "a is defined twice"),
    ],
)
def test_a_catalogue_that_does_not_match_english_is_refused(tmp_path, monkeypatch, source, fault):
    first = catalogue()
    small = Catalogue(
        "en", {"a.ftl": "language-name = English\nframe-skip = Skip\nframe-age = { $age }"}
    )
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "a.ftl").write_text(source, "utf-8")
    monkeypatch.setattr(catalogues, "LOCALES", tmp_path)
    catalogues.catalogue.cache_clear()
    monkeypatch.setattr(
        catalogues, "catalogue", lambda language="en": small if language == "en" else first
    )
    with pytest.raises(BaccaratError, match=fault):
        catalogue("xx")
