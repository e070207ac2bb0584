"""The committed shoe: documented bytes, an unbiased second shuffle, no undealt card revealed."""

import json
import random
import re
import traceback
from collections import Counter
from itertools import product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat import verifier
from baccarat.core.cards import Card, deck
from baccarat.core.errors import BaccaratError
from baccarat.shoe import Burn
from baccarat.shoe.commitment import CommitmentTerms, OpenedCard, SealedShoe, Source, proves
from baccarat.shoe.contributions import contribution_of, dealing_order, permutation
from support.dealt_shoes import sealed
from support.documented import ROOT

PAGE = (ROOT / "docs" / "reference" / "fairness.md").read_text(encoding="utf-8")
VECTORS = json.loads(re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1])


def test_the_verifier_computes_the_documented_test_vectors():
    """The vectors come from the other implementation, so that both agree on every byte."""
    v, key = VECTORS, bytes.fromhex(VECTORS["key"])
    nonces = [verifier.h("nonce", key, verifier.u32(p)) for p in range(52)]
    leaves = [verifier.leaf_of(p, str(card), nonces[p]) for p, card in enumerate(deck())]
    assert nonces[0].hex() == v["nonce of position 0"]
    assert leaves[0].hex() == v["leaf of position 0, card As"]
    node = verifier.h("node", bytes(32), bytes([1] * 32)).hex()
    assert node == v["node of 32 bytes 00 and 32 bytes 01"]
    root = verifier.root_of(leaves)
    assert root.hex() == v["root of one deck in the order of the card codes"]
    steps = [bytes.fromhex(step) for step in v["proof of position 25, card Kh"]]
    assert verifier.root_from(leaves[25], 25, 52, steps) == root
    terms = v["terms"]
    commitment = verifier.h(
        "shoe",
        bytes.fromhex(terms["shoe"]) + b"\0" + verifier.u32(1) + verifier.u32(14) + b"\2",
        bytes.fromhex(terms["SHA-256 of the rules"]),
        root,
    )
    assert commitment.hex() == v["commitment"]
    secret = bytes.fromhex(v["secret"])
    first = verifier.h("contribution", commitment, secret)
    assert first.hex() == v["contribution"]
    second = bytes.fromhex(v["second contribution, withheld"]) + bytes(33)
    seed = verifier.h("seed", commitment, verifier.u32(2), first, b"\1", secret, second)
    assert seed.hex() == v["seed"]
    assert verifier.shuffled_positions(seed, 52) == v["order of dealing"]


@pytest.mark.parametrize("decks", [1, 2, 3, 5, 8])
def test_a_proof_is_valid_only_for_its_position(decks):
    shoe, _ = sealed(decks, decks=decks)
    cards = shoe.terms.cards
    for position in range(cards):
        opened = shoe.open(position)
        assert proves(opened, cards=cards, root=shoe.root)
        elsewhere = OpenedCard((position + 1) % cards, opened.card, opened.nonce, opened.proof)
        assert not proves(elsewhere, cards=cards, root=shoe.root)
        longer = OpenedCard(position, opened.card, opened.nonce, (*opened.proof, bytes(32)))
        shorter = OpenedCard(position, opened.card, opened.nonce, opened.proof[:-1])
        for wrong in (longer, shorter):
            assert not proves(wrong, cards=cards, root=shoe.root)
    outside = OpenedCard(cards, Card("8", "h"), bytes(32), ())
    unknown = OpenedCard(0, Card("8"), bytes(32), ())
    assert not proves(outside, cards=cards, root=shoe.root)
    assert not proves(unknown, cards=cards, root=shoe.root)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 8))
def test_both_implementations_give_the_same_shuffle(seed, decks):
    order = dealing_order(seed, 52 * decks)
    assert sorted(order) == list(range(52 * decks))
    assert list(order) == verifier.shuffled_positions(seed, 52 * decks)


@pytest.mark.requirement("G07")
@pytest.mark.parametrize(("size", "span"), [(2, 2), (3, 4), (3, 8), (4, 6), (4, 4)])
def test_all_permutations_are_equally_likely(size, span):
    """Enumerate all sequences of words; one that ends early counts for all with that beginning."""
    found: Counter[tuple[int, ...]] = Counter()
    length = size - 1 + 3
    for words in product(range(span), repeat=length):
        used = list(words)
        try:
            found[permutation(size, used, span=span)] += 1
        except StopIteration:
            continue  # only rejected words: favours no permutation
    assert len(found) == factorial(size)
    assert len(set(found.values())) == 1


@pytest.mark.requirement("G07")
def test_words_that_would_cause_a_bias_are_rejected():
    biased = permutation(3, iter([3, 3, 1, 0]), span=4)
    assert biased == permutation(3, iter([1, 0]), span=4)


def test_an_undealt_card_is_never_shown():
    shoe, _ = sealed(3)
    assert "not shown" in repr(shoe)
    card = str(shoe.order[17])
    reply = [repr(shoe), str(shoe), f"{shoe}", repr([shoe])]
    try:
        SealedShoe(shoe.terms, shoe.order[1:], shoe.key)
    except BaccaratError:
        reply.append(traceback.format_exc())
    try:
        SealedShoe(shoe.terms, shoe.order, b"short")
    except BaccaratError:
        reply.append(traceback.format_exc())
    assert len(reply) == 6
    for text in reply:
        assert card not in re.findall(r"\b(?:10|[2-9AJQK])[shdc]\b", text)
        assert shoe.key.hex() not in text


def test_a_secret_of_the_wrong_size_is_refused():
    with pytest.raises(BaccaratError, match="a secret must have 32 bytes, not 3"):
        contribution_of(bytes(32), b"abc")


def test_the_same_cards_under_other_terms_have_another_commitment():
    shoe, _ = sealed(4)
    terms = shoe.terms
    others = [
        CommitmentTerms(bytes(16), terms.source, terms.decks, terms.cut, terms.burn, terms.rules),
        CommitmentTerms(
            terms.shoe, Source.SHUFFLER, terms.decks, terms.cut, terms.burn, terms.rules
        ),
        CommitmentTerms(terms.shoe, terms.source, terms.decks, 15, terms.burn, terms.rules),
        CommitmentTerms(terms.shoe, terms.source, terms.decks, terms.cut, Burn.NONE, terms.rules),
        CommitmentTerms(terms.shoe, terms.source, terms.decks, terms.cut, terms.burn, bytes(32)),
    ]
    made = {SealedShoe(other, shoe.order, shoe.key).commitment for other in [terms, *others]}
    assert len(made) == 6
    other_key = SealedShoe(terms, shoe.order, random.Random(9).randbytes(32))
    assert other_key.commitment != shoe.commitment
