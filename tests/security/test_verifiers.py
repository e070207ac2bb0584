"""The two verifiers give every document the same verdict, however it was changed.

`verifier.py` and `verify.js` share no line; both follow the grammar of docs/reference/fairness.md.
The named documents are those on which they disagreed before there was a grammar. `DOCUMENTS` sets
how many mutated documents are compared.
"""

import base64
import functools
import http.server
import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baccarat import verifier
from baccarat.loader import DEEPEST, built_in_cards
from baccarat.table.automatic import decisions
from baccarat.table.rules import rules_text
from baccarat.web.pages import assets
from support.browser import opened
from support.dealt_shoes import dealt, sealed
from support.documented import ROOT
from support.mutated import Raw, bases, mutated, resealed, written
from support.samples import amount

BASES = bases()
READY, BURNED_ONE, UNBURNED = BASES[0], BASES[5], BASES[7]
MANY = amount("DOCUMENTS")

VERIFY = """async (documents) => {
  const {verifyShoe} = await import('/verify.js');
  const reports = [];
  for (const one of documents) {
    const report = await verifyShoe(Uint8Array.from(atob(one), (c) => c.charCodeAt(0)));
    const codes = report.steps.flatMap(({findings}) => findings.map(({code}) => code));
    reports.push([report.state, ...new Set(codes)]);
  }
  return reports;
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def page(browser):
    """Open a page that can import `verify.js`; hashing needs a secure context, such as loopback."""
    static = Path(assets.__file__).parent / "static"
    handler = functools.partial(Quiet, directory=str(static))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}"
            with opened(browser, address, expected=("404",)) as visited:  # it asks for an icon
                visited.goto("/icon.svg")
                yield visited
        finally:
            server.shutdown()
            thread.join()


def by_javascript(page: Any, documents: list[bytes]) -> list[tuple[str, list[str]]]:
    reply: list[list[str]] = []
    for start in range(0, len(documents), 200):
        batch = documents[start : start + 200]
        reply += page.evaluate(VERIFY, [base64.b64encode(one).decode() for one in batch])
    return [(state, sorted(codes)) for state, *codes in reply]


def by_python(data: bytes) -> tuple[str, list[str]]:
    try:
        verdict = verifier.verify(verifier.parse(data))
    except verifier.Unreadable as error:
        return "unreadable", [error.code]
    return "faulty" if verdict.faults else "good", sorted(set(verdict.codes))


# ---- the documents they disagreed on -----------------------------------------------------------


def with_rules(change: Callable[[dict[str, Any]], Any], base: dict[str, Any] = READY) -> bytes:
    """Return a document with other rules and matching hashes."""
    content = json.loads(base["rules"])
    change(content)
    return as_bytes(resealed({**base, "rules": written(content)}))


def as_bytes(document: Any) -> bytes:
    return written(document).encode("utf-8", "surrogatepass")


def naturals(*values: Any) -> bytes:
    return with_rules(lambda content: content["tableau"].update(naturals=list(values)))


def deep(levels: int) -> Raw:
    return Raw("[" * levels + "]" * levels)


DISAGREED: dict[str, tuple[bytes, str]] = {
    "float-total": (naturals(Raw("8.0"), 9), "no-tableau"),
    "float-total-cut-off": (naturals(Raw("8.9"), 9), "no-tableau"),
    "exponent-total": (naturals(Raw("8e0"), 9), "no-tableau"),
    "text-total": (naturals("8", "9"), "no-tableau"),
    "true-for-a-total": (naturals(True, 8, 9), "no-tableau"),
    "total-out-of-range": (naturals(8, 9, 10), "no-tableau"),
    "negative-total": (naturals(-1, 8, 9), "no-tableau"),
    "totals-as-text": (
        with_rules(lambda content: content["tableau"].update(naturals="89")),
        "no-tableau",
    ),
    "totals-as-object": (
        with_rules(lambda content: content["tableau"].update(naturals={"8": 1, "9": 1})),
        "no-tableau",
    ),
    "nan-in-the-rules": (with_rules(lambda c: c.update(more=Raw("NaN"))), "no-tableau"),
    "infinity-in-the-rules": (with_rules(lambda c: c.update(more=Raw("-Infinity"))), "no-tableau"),
    "key-twice-in-the-rules": (
        as_bytes(resealed({**READY, "rules": '{"tableau":{},' + READY["rules"][1:]})),
        "no-tableau",
    ),
    "deep-rules": (with_rules(lambda content: content.update(more=deep(60))), "no-tableau"),
    "half-a-character-in-the-rules": (
        with_rules(lambda content: content.update(more=Raw('"\\ud800"'))),
        "no-tableau",
    ),
    "long-number-in-the-rules": (
        with_rules(lambda content: content.update(more=Raw("1" * 5000))),
        "no-tableau",
    ),
    "seed-missing-after-the-burn": (
        as_bytes({**BURNED_ONE, "seed": None, "coups": []}),
        "dealt-without-seed",
    ),
    "seed-missing-with-a-coup": (
        as_bytes({**UNBURNED, "seed": None, "coups": [{"cards": [], "cut_short": False}]}),
        "dealt-without-seed",
    ),
    "text-of-some-megabytes": (as_bytes({**READY, "shoe": "x" * (9 << 20)}), "bad-value"),
}
"""By name: the document, and its expected code (None if it is good)."""


def test_the_documents_they_disagreed_on_have_one_verdict(page):
    reply = by_javascript(page, [data for data, _ in DISAGREED.values()])
    by_name = dict(zip(DISAGREED, reply, strict=True))
    assert by_name == {name: by_python(data) for name, (data, _) in DISAGREED.items()}
    wrong = {
        name: by_name[name]
        for name, (_, code) in DISAGREED.items()
        if (code not in by_name[name][1] if code else by_name[name] != ("good", []))
    }
    assert wrong == {}


MALFORMED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not-json"),
    "not-utf-8": (b"\xff\xfe", "not-json"),
    "half-a-character-in-utf-8": (
        as_bytes(READY).replace(b"baccarat-shoe", b"baccarat-\xed\xa0\x80"),
        "not-json",
    ),
    "half-a-character-escaped": (as_bytes({**READY, "shoe": Raw('"\\udc00"')}), "not-json"),
    "nan": (as_bytes({**READY, "decks": Raw("NaN")}), "not-json"),
    "infinity": (as_bytes({**READY, "decks": Raw("Infinity")}), "not-json"),
    "leading-zero": (as_bytes({**READY, "decks": Raw("01")}), "not-json"),
    "comma-at-the-end": (as_bytes({**READY, "reveal": Raw("null,")}), "not-json"),
    "comment": (b"/* a shoe */" + as_bytes(READY), "not-json"),
    "other-blank": (b"\xc2\xa0" + as_bytes(READY), "not-json"),
    "two-marks": (b"\xef\xbb\xbf" * 2 + as_bytes(READY), "not-json"),
    "one-mark": (b"\xef\xbb\xbf" + as_bytes(READY), ""),
    "float": (as_bytes({**READY, "decks": Raw("1.0")}), "bad-number"),
    "exponent": (as_bytes({**READY, "decks": Raw("1e0")}), "bad-number"),
    "minus-zero": (as_bytes({**READY, "cut": Raw("-0")}), "bad-number"),
    "sixteen-digits": (as_bytes({**READY, "decks": Raw("1000000000000000")}), "bad-number"),
    "fifteen-digits": (as_bytes({**READY, "decks": Raw("100000000000000")}), "bad-value"),
    "key-twice": (as_bytes(READY).replace(b'"version":1', b'"version":1,"version":1'), "key-twice"),
    "key-twice-escaped": (
        as_bytes(READY).replace(b'"version":1', b'"version":1,"v\\u0065rsion":1'),
        "key-twice",
    ),
    "deep": (as_bytes({**READY, "shown": deep(50)}), "too-deep"),
    "as-deep-as-allowed": (as_bytes({**READY, "shown": deep(49)}), "bad-value"),
    "much-too-deep": (b"[" * 1_000_000, "too-deep"),
    "too-large": (b" " * (1 << 24) + as_bytes(READY), "too-large"),
    "list": (b"[]", "no-object"),
    "seed-left-out": (as_bytes({k: v for k, v in READY.items() if k != "seed"}), "missing"),
    "key-more": (as_bytes({**READY, "more": 1}), "unknown-key"),
    "key-of-every-object": (as_bytes({**READY, "__proto__": 1}), "unknown-key"),
    "capital-digits": (as_bytes({**READY, "root": READY["root"].upper()}), "bad-value"),
}


def test_malformed_documents_have_the_code_of_the_grammar(page):
    reply = by_javascript(page, [data for data, _ in MALFORMED.values()])
    found = dict(zip(MALFORMED, reply, strict=True))
    right = {
        name: ("unreadable", [code]) if code else ("good", [])
        for name, (_, code) in MALFORMED.items()
    }
    assert found == right
    assert {name: by_python(data) for name, (data, _) in MALFORMED.items()} == right


def test_mutated_documents_have_one_verdict(page):
    valid = [as_bytes(base) for base in BASES]
    assert {by_python(one)[0] for one in valid} == {"good"}
    documents = valid + [mutated(seed, BASES) for seed in range(MANY)]
    reply = by_javascript(page, documents)
    expected = [by_python(document) for document in documents]
    assert {state for state, _ in expected} == {"good", "faulty", "unreadable"}
    assert len({code for _, codes in expected for code in codes}) > 15
    wrong = {
        seed - len(valid): (says, is_)
        for seed, (says, is_) in enumerate(zip(reply, expected, strict=True))
        if says != is_
    }
    assert wrong == {}, "by seed: JavaScript, Python"


# ---- what the service makes --------------------------------------------------------------------


def test_a_table_accepts_no_more_contributions_than_the_grammar_allows():
    assert decisions.MAX_CONTRIBUTORS <= verifier.MAX_CONTRIBUTIONS


@pytest.mark.parametrize("card", built_in_cards())
def test_the_rules_of_every_card_are_within_the_grammar(card):
    shoe, rules = sealed(1, card=card)
    assert by_python(json.dumps(dealt(shoe, rules)).encode()) == ("good", [])


def test_rules_with_unusual_but_valid_text_are_within_the_grammar(tmp_path):
    """Rule cards may contain line breaks, joiners and any blanks."""
    path = tmp_path / "odd.toml"
    text = (ROOT / "src/baccarat/rulecards/punto-banco.toml").read_text()
    odd = 'name = "Punto \u200d\u00a0\u2028\\n\\t banco"'
    path.write_text(re.sub(r"^name = .*$", lambda _: odd, text, count=1, flags=re.MULTILINE))
    shoe, rules = sealed(1, card=str(path))
    assert "\u2028" in rules
    assert rules_text(str(path)) != rules_text("punto-banco")
    assert by_python(json.dumps(dealt(shoe, rules)).encode()) == ("good", [])
    assert DEEPEST + 2 <= verifier.DEEPEST
