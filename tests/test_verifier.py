"""The verifier: valid shoes pass, every kind of change is found, and no input crashes it."""

import ast
import copy
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat import verifier
from baccarat.core.cards import Card, deck
from baccarat.core.errors import BaccaratError
from baccarat.shoe import Burn
from baccarat.shoe.commitment import CommitmentTerms, SealedShoe, Source
from support.changed_shoes import (
    GOOD,
    RULES,
    SHOE,
    TEXT,
    changed,
    changes,
    kind_of,
    one_of_each,
    places,
)
from support.dealt_shoes import ABANDONED, contributions, dealt, sealed
from support.documented import ROOT, run


def faults(document: Any, commitment: str | None = None) -> list[str]:
    """Return the faults of a document; a malformed document has that fault."""
    try:
        again = verifier.parse(json.dumps(document).encode())
        return verifier.verify(again, commitment=commitment).faults
    except verifier.Unreadable as error:
        return [str(error)]


@pytest.mark.parametrize("burn", Burn)
@pytest.mark.parametrize("decks", [1, 2, 8])
def test_a_shoe_dealt_as_committed_has_no_faults(decks, burn):
    shoe, rules = sealed(decks, decks=decks, burn=burn)
    document = dealt(shoe, rules, contributions(shoe, 3))
    assert faults(document, shoe.commitment.hex()) == []


@given(st.integers(0, 10**6), st.integers(0, 5))
@settings(max_examples=15, deadline=None)
def test_open_and_abandoned_shoes_and_shufflers_have_no_faults(seed, coups):
    shoe, rules = sealed(seed)
    assert faults(dealt(shoe, rules, coups=coups, ended=None)) == []
    assert faults(dealt(shoe, rules, coups=coups, ended=ABANDONED)) == []
    assert faults(dealt(shoe, rules, cut_short=frozenset({coups}))) == []
    shuffler, rules = sealed(seed, source=Source.SHUFFLER)
    assert faults(dealt(shuffler, rules, contributions(shuffler, seed))) == []


def test_the_verdict_lists_what_is_not_proven_yet():
    verdict = verifier.verify(dealt(SHOE, RULES, coups=1, ended=None))
    assert any("compare it with the one you wrote down" in words for words in verdict.open)
    assert any("revealed when it ends" in words for words in verdict.open)
    verdict = verifier.verify(GOOD, commitment=SHOE.commitment.hex())
    assert verdict.open == []
    assert "the seed comes from 3 contributions, 1 not revealed" in verdict.proven


@pytest.mark.parametrize(("kind", "paths"), one_of_each().items(), ids=lambda x: str(x)[:40])
def test_every_change_to_a_good_document_is_found(kind, paths):
    for path in dict.fromkeys(paths):
        value = GOOD
        for part in path:
            value = value[part]
        for other in changes(value):
            if type(other) is type(value) and other == value:
                continue
            assert faults(changed(path, other)), f"{path}: {str(value)[:40]} → {str(other)[:40]}"


def test_a_change_to_valid_rules_is_found():
    rules = json.loads(GOOD["rules"])
    rules["tableau"]["player_draws"] = [0, 1, 2, 3, 4, 5, 6]
    found = faults({**GOOD, "rules": json.dumps(rules)})
    assert any("does not match these terms, rules and root" in fault for fault in found)


def test_two_cards_exchanged_between_coups_are_found():
    document = copy.deepcopy(GOOD)
    first, second = document["coups"][0]["cards"][0], document["coups"][1]["cards"][0]
    document["coups"][0]["cards"][0], document["coups"][1]["cards"][0] = second, first
    assert any(" was next" in fault for fault in faults(document))


def test_another_order_with_a_matching_root_is_not_the_published_one():
    other, rules = sealed(99)
    assert faults(dealt(other, rules), SHOE.commitment.hex()) == [
        "commitment: it is not the published one"
    ]


def test_a_shoe_that_is_not_whole_decks_is_found_at_its_reveal(monkeypatch):
    order = [*deck()]
    order[order.index(Card("8", "h"))] = Card("9", "h")
    with pytest.raises(BaccaratError, match="are not 1 whole decks") as refused:
        SealedShoe(SHOE.terms, tuple(order), SHOE.key)
    assert "9h" not in str(refused.value)
    monkeypatch.setattr(SealedShoe, "__post_init__", lambda self: None)
    cheat = SealedShoe(SHOE.terms, tuple(order), SHOE.key)
    found = faults(dealt(cheat, RULES))
    assert found == ["reveal: the shoe is not 1 whole deck; it has 0 × 8h"]


def test_contributions_that_do_not_fit_are_found():
    other, _ = sealed(5)
    assert any(
        "does not match its commitment" in f
        for f in faults(dealt(SHOE, RULES, contributions(other, 1)))
    )
    one = contributions(SHOE, 1)[0]
    assert any("listed twice" in fault for fault in faults(dealt(SHOE, RULES, (one, one))))


def test_undealt_cards_exchanged_in_the_reveal_are_found():
    document = json.loads(TEXT)
    shown = [card for coup in document["coups"] for card in coup["cards"]] + [document["shown"]]
    order, dealt_at = document["reveal"]["order"], {card["position"] for card in shown}
    a, b = [p for p in range(52) if p not in dealt_at][:2]
    order[a], order[b] = order[b], order[a]
    assert faults(document) == ["reveal: this order and key do not give the root"]


def test_a_burn_against_the_rule_is_found(monkeypatch):
    monkeypatch.setattr(Burn, "taking", lambda burn, first: 3)
    shoe, rules = sealed(11, burn=Burn.ONE)
    assert faults(dealt(shoe, rules)) == ["burned: 3 cards, but the rule burns 1"]


def test_a_shuffler_deals_one_coup():
    shuffler, rules = sealed(7, source=Source.SHUFFLER)
    document = dealt(shuffler, rules)
    twice = {**document, "coups": document["coups"] * 2}
    assert any("it was dealt after the shoe was over" in fault for fault in faults(twice))


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_no_document_crashes_the_verifier(data):
    json_values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=5,
    )
    path = data.draw(st.sampled_from(sorted({kind_of(p): p for p in places(GOOD)}.items())))[1]
    faults(changed(path, data.draw(json_values)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b"{}", "'format' is missing"),
        (b'{"a": 1, "a": 2}', "occurs twice"),
        (b"7", "not an object"),
        (b"1" * 5000, "more than 15 digits"),
        (json.dumps({**GOOD, "rules": "{}"}).encode(), "rules is not JSON with a tableau"),
        (json.dumps({**GOOD, "rules": '{"tableau": {"naturals": [Infinity]}}'}).encode(), "rules"),
    ],
)
def test_documents_that_are_not_shoes_are_refused(tmp_path, data, message):
    file = tmp_path / "SHOE.json"
    file.write_bytes(data)
    status, printed, complaint = run(f"baccarat verify {file}")
    assert (status, printed) == (2, "")
    assert message in complaint


def test_the_verify_command_reports_faults(tmp_path):
    file = tmp_path / "SHOE.json"
    file.write_text(TEXT)
    assert run(f"baccarat verify {file} --commitment {GOOD['commitment']}")[0] == 0
    status, printed, _ = run(f"baccarat verify {file} --commitment {'0' * 64} --json")
    assert status == 1
    assert json.loads(printed)["faults"] == ["commitment: it is not the published one"]
    assert run(f"baccarat verify {tmp_path}/missing.json")[0] == 2
    file.write_bytes(b" " * (verifier.LARGEST_FILE + 1))
    assert "more than" in run(f"baccarat verify {file}")[2]


def test_the_verifier_runs_alone(tmp_path):
    """Copy the file elsewhere and run it without site packages."""
    program = shutil.copy(verifier.__file__, tmp_path / "verifier.py")
    (tmp_path / "SHOE.json").write_text(TEXT)
    (tmp_path / "bad.json").write_text(json.dumps({**GOOD, "burned": GOOD["burned"] + 1}))
    for name, status, reply in (
        ("SHOE.json", 0, "all checks passed"),
        ("bad.json", 1, "FAULT"),
        ("none.json", 2, "cannot be read"),
    ):
        done = subprocess.run(
            [sys.executable, "-I", "-S", program, tmp_path / name], capture_output=True, text=True
        )
        assert done.returncode == status
        assert reply in done.stdout + done.stderr


def test_the_verifier_shares_no_code_with_the_server():
    tree = ast.parse(Path(verifier.__file__).read_text(encoding="utf-8"))
    imported = {
        name.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
    } | {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    allowed = {"argparse", "hashlib", "json", "re", "sys", "collections", "dataclasses"}
    allowed |= {"collections.abc", "itertools", "typing"}
    assert imported <= allowed


def test_the_example_shoe_is_good():
    status, printed, _ = run(f"baccarat verify {ROOT}/examples/shoes/one-deck.json")
    assert status == 0
    assert "the shoe held 1 whole deck in the committed order" in printed


def test_terms_are_part_of_the_commitment():
    for name, value in (("cut", 15), ("burn", Burn.ONE), ("decks", 2), ("shoe", bytes(16))):
        other = CommitmentTerms(**{**SHOE.terms.__dict__, name: value})
        assert other.encode() != SHOE.terms.encode()
