"""Verify a shoe: `python verifier.py SHOE.json`, or `baccarat verify SHOE.json`.

This file needs only the standard library and shares no code with the server whose shoes it checks,
so anyone can copy, read and run it. The document format, the byte encoding and the fault codes are
defined in docs/reference/fairness.md. Everything that can be recomputed is recomputed.
"""

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NoReturn

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CODES = {rank + suit: 13 * s + r for s, suit in enumerate("shdc") for r, rank in enumerate(RANKS)}
SOURCES = ("shoe", "shuffler")
BURNS = ("none", "one", "first-card")
ENDS = ("dealt-out", "abandoned")
MAX_DECKS, MAX_CONTRIBUTIONS, LARGEST_FILE = 24, 10_000, 1 << 24
MAX_CARDS, MAX_CARDS_OF_A_COUP, MAX_STEPS = 52 * MAX_DECKS, 6, 32
MAX_DIGITS, DEEPEST = 15, 50
STOOD = 10
OK, FAULTS, UNREADABLE = 0, 1, 2

BLANKS = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
CONSTANTS = {"true": True, "false": False, "null": None}
SURROGATE = re.compile("[\ud800-\udfff]")
FORBIDDEN_CHARACTERS = re.compile("[\x00-\x1f\ud800-\udfff]")
"""Characters that must not occur in the text of the rules."""


class Unreadable(Exception):
    """Raised for a file or document that cannot be read; `code` is the kind of error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass
class Verdict:
    """The result of a verification."""

    commitment: str = ""
    faults: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    """The code of each fault, as listed in docs/reference/fairness.md."""
    proven: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    """What the document does not prove yet."""

    def fault(self, code: str, words: str) -> None:
        self.faults.append(words)
        self.codes.append(code)


def verify(document: Any, *, commitment: str | None = None) -> Verdict:
    """Check a document; `commitment` is the value that was published before the first wager, if
    known."""
    read_shape(document)
    tableau = read_tableau(document["rules"])
    verdict = Verdict(document["commitment"])
    check_terms(document, commitment, verdict)
    order = check_contributions(document, verdict)
    if order:
        dealt = check_burn(document, verdict)
        dealt += [card for coup in document["coups"] for card in coup["cards"]]
        check_cards(document, dealt, order, verdict)
        check_coups(document, tableau, verdict)
        check_end(document, verdict)
    check_reveal(document, verdict)
    return verdict


# ---- hashes -------------------------------------------------------------------------------------


def h(tag: str, *parts: bytes) -> bytes:
    return hashlib.sha256(b"baccarat/" + tag.encode() + b"/1\x00" + b"".join(parts)).digest()


def u32(value: int) -> bytes:
    return value.to_bytes(4, "big")


def leaf_of(position: int, card: str, nonce: bytes) -> bytes:
    return h("leaf", u32(position), bytes([CODES[card]]), nonce)


def split(width: int) -> int:
    """Return the number of leaves in the left subtree: the largest power of two below the width."""
    return 1 << ((width - 1).bit_length() - 1)


def root_of(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    left = split(len(leaves))
    return h("node", root_of(leaves[:left]), root_of(leaves[left:]))


def root_from(leaf: bytes, position: int, width: int, proof: list[bytes]) -> bytes | None:
    """Return the Merkle root that a proof leads to, or None if the proof is too long or too
    short."""
    if width == 1:
        return None if proof else leaf
    if not proof:
        return None
    left, sibling, below = split(width), proof[-1], proof[:-1]
    if position < left:
        inner = root_from(leaf, position, left, below)
        return inner and h("node", inner, sibling)
    inner = root_from(leaf, position - left, width - left, below)
    return inner and h("node", sibling, inner)


def shuffled_positions(seed: bytes, cards: int) -> list[int]:
    """Return the dealing order: for each card dealt, its position in the committed order."""
    positions, block, words = list(range(cards)), 0, list[int]()
    for last in range(cards - 1, 0, -1):
        while True:
            if not words:
                data = h("words", seed, u32(block))
                words = [int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % (last + 1):
                break
        other = word % (last + 1)
        positions[last], positions[other] = positions[other], positions[last]
    return positions


# ---- reading JSON -------------------------------------------------------------------------------


class Reader:
    """A strict JSON reader: no repeated keys, whole numbers only, bounded depth.

    `json.loads` accepts NaN, floats, repeated keys and unpaired surrogates, so it is used only for
    single strings.
    """

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def whole(self) -> Any:
        value = self.value(1)
        self.blanks()
        if self.at != len(self.text):
            self.fail()
        return value

    def fail(self, code: str = "not-json", words: str = "is not JSON") -> NoReturn:
        raise Unreadable(code, f"the document {words}, at character {self.at + 1}")

    def blanks(self) -> None:
        self.at += len(BLANKS.match(self.text, self.at)[0])  # type: ignore[index]

    def take(self, token: str) -> bool:
        found = self.text.startswith(token, self.at)
        self.at += len(token) * found
        return found

    def value(self, depth: int) -> Any:
        """Read the next value; `depth` is the nesting depth that an object or list here would
        have."""
        self.blanks()
        next_one = self.text[self.at : self.at + 1]
        if next_one == '"':
            return self.string()
        if next_one in ("{", "["):
            if depth > DEEPEST:
                self.fail("too-deep", f"is nested too deeply, more than {DEEPEST} levels")
            self.at += 1
            return self.members(depth + 1) if next_one == "{" else self.elements(depth + 1)
        for token, meaning in CONSTANTS.items():
            if self.take(token):
                return meaning
        return self.number()

    def string(self) -> str:
        found = STRING.match(self.text, self.at)
        if not found:
            self.fail()
        value: str = json.loads(found[0])
        if SURROGATE.search(value):
            self.fail("not-json", "has half of a surrogate pair")
        self.at = found.end()
        return value

    def number(self) -> int:
        found = NUMBER.match(self.text, self.at)
        if not found:
            self.fail()
        digits: str = found[0]
        if digits == "-0" or not digits.removeprefix("-").isdigit():
            self.fail("bad-number", "has a number that is not a plain whole number")
        if len(digits.removeprefix("-")) > MAX_DIGITS:
            self.fail("bad-number", f"has a number of more than {MAX_DIGITS} digits")
        self.at = found.end()
        return int(digits)

    def members(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in self.items("}"):
            key = self.string()
            if key in found:
                self.fail("key-twice", f"is ambiguous: the key {key[:40]!r} occurs twice")
            self.blanks()
            if not self.take(":"):
                self.fail()
            found[key] = self.value(depth)
        return found

    def elements(self, depth: int) -> list[Any]:
        return [self.value(depth) for _ in self.items("]")]

    def items(self, end: str) -> Iterator[None]:
        """Yield once for each item of an object or list, with the reader at its start, until
        `end`."""
        self.blanks()
        more = not self.take(end)
        while more:
            self.blanks()
            yield
            self.blanks()
            more = self.take(",")
            if not more and not self.take(end):
                self.fail()


def parse(data: bytes) -> Any:
    """Parse a JSON document, ignoring a byte order mark at the beginning."""
    if len(data) > LARGEST_FILE:
        raise Unreadable("too-large", f"the document has more than {LARGEST_FILE:,} bytes")
    try:
        text = data.decode("utf-8")
    except ValueError as error:
        raise Unreadable("not-json", f"the document is not JSON: {error}") from None
    return Reader(text.removeprefix("\ufeff")).whole()


# ---- the shape of a document --------------------------------------------------------------------


def need(condition: Any, where: str, right: str) -> None:
    if not condition:
        raise Unreadable("bad-value", f"{where} is not {right}")


Form = Callable[[Any, str], None]
"""A function (value, path in the document) that raises Unreadable if the value has the wrong
form."""


def form(right: str, holds: Callable[[Any], bool]) -> Form:
    """Return the form of values that satisfy `holds`; `right` describes them in errors."""
    return lambda value, where: need(holds(value), where, right)


def whole(least: int, most: int) -> Form:
    right = f"a whole number from {least} to {most}"
    return form(right, lambda value: type(value) is int and least <= value <= most)


def hexadecimal(size: int) -> Form:
    digits = re.compile(rf"[0-9a-f]{{{2 * size}}}")
    right = f"{2 * size} lower-case hexadecimal digits"
    return form(right, lambda value: type(value) is str and digits.fullmatch(value) is not None)


def one_of(*known: str) -> Form:
    return form(" or ".join(known), lambda value: type(value) is str and value in known)


def or_null(inner: Form) -> Form:
    return lambda value, where: None if value is None else inner(value, where)


def list_of(inner: Form, most: int) -> Form:
    def read(value: Any, where: str) -> None:
        right = f"a list of at most {most:,}"
        need(type(value) is list and len(value) <= most, where, right)
        for i, item in enumerate(value):
            inner(item, f"{where}[{i}]")

    return read


def object_of(**forms: Form) -> Form:
    """Return the form of an object with exactly these keys."""

    def read(value: Any, where: str) -> None:
        label = where or "the document"
        need(type(value) is dict, label, "an object")
        for name in forms:
            if name not in value:
                raise Unreadable("missing", f"{label}: {name!r} is missing")
        for name in value:
            if name not in forms:
                raise Unreadable("unknown-key", f"{label}: unknown key {name[:40]!r}")
        for name, inner in forms.items():
            inner(value[name], f"{where}.{name}" if where else name)

    return read


CARD = form("a card", lambda value: type(value) is str and value in CODES)
PLACE, HASH, TOTALS = whole(0, MAX_CARDS - 1), hexadecimal(32), list_of(whole(0, 9), 10)
OPENED = {"position": PLACE, "card": CARD, "nonce": HASH, "proof": list_of(HASH, MAX_STEPS)}
COUP = object_of(
    cards=list_of(object_of(hand=one_of("player", "banker"), **OPENED), MAX_CARDS_OF_A_COUP),
    cut_short=form("true or false", lambda value: type(value) is bool),
)
DOCUMENT = object_of(
    format=one_of("baccarat-shoe"),
    version=whole(1, 1),
    shoe=hexadecimal(16),
    source=one_of(*SOURCES),
    decks=whole(1, MAX_DECKS),
    cut=PLACE,
    burn=one_of(*BURNS),
    rules=form("one line of text", lambda v: type(v) is str and not FORBIDDEN_CHARACTERS.search(v)),
    root=HASH,
    commitment=HASH,
    contributions=list_of(object_of(commitment=HASH, secret=or_null(HASH)), MAX_CONTRIBUTIONS),
    seed=or_null(HASH),
    burned=PLACE,
    shown=or_null(object_of(**OPENED)),
    coups=list_of(COUP, MAX_CARDS),
    ended=or_null(one_of(*ENDS)),
    reveal=or_null(object_of(key=HASH, order=list_of(CARD, MAX_CARDS))),
)
"""The document format; keys are checked in this order."""
TABLEAU = object_of(
    naturals=TOTALS, player_draws=TOTALS, banker_draws=list_of(list_of(whole(0, STOOD), 2), 110)
)


def read_shape(d: Any) -> None:
    """Raise Unreadable if a document is not in the format, so that later checks can rely on it."""
    if type(d) is not dict:
        raise Unreadable("no-object", "the document is not an object")
    DOCUMENT(d, "")
    cards = 52 * d["decks"]
    place = whole(0, cards - 1)
    place(d["cut"], "cut")
    place(d["burned"], "burned")
    need(len(d["coups"]) <= cards, "coups", f"a list of at most {cards:,}")
    for card in [d["shown"] or {"position": 0}, *(c for coup in d["coups"] for c in coup["cards"])]:
        place(card["position"], "a position")
    if d["reveal"] is not None:
        need(len(d["reveal"]["order"]) == cards, "reveal.order", f"{cards} cards")


def read_tableau(rules: str) -> dict[str, Any]:
    """Parse the tableau from the text of the rules; its lists must be ascending, without
    duplicates."""
    try:
        content = Reader(rules).whole()
        need(type(content) is dict and "tableau" in content, "rules", "an object with a tableau")
        tableau = content["tableau"]
        TABLEAU(tableau, "tableau")
        for pair in tableau["banker_draws"]:
            need(len(pair) == 2 and pair[0] < STOOD, "banker_draws", "a list of pairs")
        for name, found in tableau.items():
            need(all(a < b for a, b in pairwise(found)), name, "ascending")
    except Unreadable as error:
        raise Unreadable(
            "no-tableau",
            f"rules is not JSON with a tableau of naturals, player_draws and banker_draws: {error}",
        ) from None
    return {
        "naturals": set(tableau["naturals"]),
        "player_draws": set(tableau["player_draws"]),
        "banker_draws": {(total, given) for total, given in tableau["banker_draws"]},
    }


# ---- the checks ---------------------------------------------------------------------------------


def check_terms(d: dict[str, Any], published: str | None, verdict: Verdict) -> None:
    if d["source"] == "shuffler" and (d["cut"] or d["burn"] != "none"):
        verdict.fault("shuffler-terms", "cut: a shuffler has no cut card and burns no cards")
    computed = h(
        "shoe",
        bytes.fromhex(d["shoe"]),
        bytes([SOURCES.index(d["source"])]),
        u32(d["decks"]),
        u32(d["cut"]),
        bytes([BURNS.index(d["burn"])]),
        hashlib.sha256(d["rules"].encode()).digest(),
        bytes.fromhex(d["root"]),
    ).hex()
    if computed != d["commitment"]:
        verdict.fault(
            "other-terms",
            f"commitment: it does not match these terms, rules and root, which give {computed}",
        )
    else:
        verdict.proven.append("the commitment matches these terms, rules and root")
    if published is None:
        verdict.open.append(
            "that this commitment is the one published before the first bet; "
            "compare it with the one you wrote down"
        )
    elif published.strip(" \t\n\r").lower() != d["commitment"]:
        verdict.fault("not-published", "commitment: it is not the published one")
    else:
        verdict.proven.append("the commitment is the published one")


def check_contributions(d: dict[str, Any], verdict: Verdict) -> list[int]:
    """Check the contributions and the seed; return the dealing order, or [] if it is not fixed
    yet."""
    shoe, parts, missing = bytes.fromhex(d["commitment"]), [u32(len(d["contributions"]))], 0
    for i, one in enumerate(d["contributions"]):
        promised = one["commitment"]
        if one["secret"] is None:
            missing += 1
            parts += [bytes.fromhex(promised), bytes(33)]
            continue
        secret = bytes.fromhex(one["secret"])
        if h("contribution", shoe, secret).hex() != promised:
            words = f"contributions[{i}]: the secret does not match its commitment"
            verdict.fault("other-secret", words)
        parts += [bytes.fromhex(promised), b"\x01", secret]
    if len({contribution["commitment"] for contribution in d["contributions"]}) != len(
        d["contributions"]
    ):
        verdict.fault("contribution-twice", "contributions: the same commitment is listed twice")
    if d["seed"] is None:
        if d["burned"] or d["shown"] or d["coups"] or d["ended"] == "dealt-out":
            words = "coups: cards were dealt before the dealing order was fixed"
            verdict.fault("dealt-without-seed", words)
        verdict.open.append("the dealing order (contributions are still being accepted)")
        return []
    seed = h("seed", shoe, *parts)
    if seed.hex() != d["seed"]:
        verdict.fault("other-seed", f"seed: these contributions give {seed.hex()}")
    count = len(d["contributions"])
    verdict.proven.append(
        f"the seed comes from {counted(count, 'contribution')}, {missing} not revealed"
    )
    return shuffled_positions(seed, 52 * d["decks"])


def check_burn(d: dict[str, Any], verdict: Verdict) -> list[dict[str, Any]]:
    """Check the number of burned cards; return those that are shown."""
    shown = d["shown"]
    begun = d["coups"] or d["burned"] or shown is not None or d["ended"] == "dealt-out"
    if not begun:
        return []
    if d["burn"] == "first-card":
        if shown is None:
            verdict.fault(
                "nothing-shown", "shown: the card that sets the number to burn is missing"
            )
            return []
        value = min(1 + RANKS.index(shown["card"][:-1]), 10)
        expected = 1 + value
    else:
        expected = BURNS.index(d["burn"])
        if shown is not None:
            verdict.fault("shown-unasked", f"shown: no card is shown with a burn of {d['burn']!r}")
    if d["burned"] != expected:
        words = f"burned: {counted(d['burned'], 'card')}, but the rule burns {expected}"
        verdict.fault("burned-otherwise", words)
    else:
        verdict.proven.append(f"{counted(expected, 'card')} burned, as the rule requires")
    return [] if shown is None else [shown]


def check_cards(
    d: dict[str, Any], dealt: list[dict[str, Any]], order: list[int], verdict: Verdict
) -> None:
    """Check that each card was at its committed position and was dealt in the right order."""
    root, cards, place, good = bytes.fromhex(d["root"]), 52 * d["decks"], d["burned"], 0
    for i, card in enumerate(dealt):
        is_shown = i == 0 and d["shown"] is not None
        at = 0 if is_shown else place
        place += not is_shown
        what = f"card {at + 1} of the shoe ({card['card']})"
        leaf = leaf_of(card["position"], card["card"], bytes.fromhex(card["nonce"]))
        steps = [bytes.fromhex(step) for step in card["proof"]]
        proven = root_from(leaf, card["position"], cards, steps) == root
        if not proven:
            verdict.fault("bad-proof", f"{what}: its proof does not lead to the root")
        if at >= cards:
            verdict.fault("no-card-left", f"{what}: the shoe has only {cards} cards")
        elif card["position"] != order[at]:
            verdict.fault(
                "not-its-turn",
                f"{what}: it was at position {card['position']}, but position {order[at]} was next",
            )
        else:
            good += proven
    if dealt and good == len(dealt):
        verdict.proven.append(
            f"{counted(good, 'card')} shown: each was in its committed position and came in order"
        )


def next_hand(player: list[int], banker: list[int], tableau: dict[str, Any]) -> str | None:
    """Return the hand that gets the next card, given the points of both; None if the coup is
    over."""
    if len(player) + len(banker) < 4:
        return "player" if len(player) == len(banker) else "banker"
    two_player, two_banker = sum(player[:2]) % 10, sum(banker[:2]) % 10
    if two_player in tableau["naturals"] or two_banker in tableau["naturals"]:
        return None
    if two_player in tableau["player_draws"] and len(player) == 2:
        return "player"
    given = player[2] if len(player) == 3 else STOOD
    if len(banker) == 2 and (two_banker, given) in tableau["banker_draws"]:
        return "banker"
    return None


def check_coups(d: dict[str, Any], tableau: dict[str, Any], verdict: Verdict) -> None:
    """Check that every card went to the correct hand, and that no card is extra or missing."""
    before = len(verdict.faults)
    for number, coup in enumerate(d["coups"], start=1):
        hands: dict[str, list[int]] = {"player": [], "banker": []}
        for card in coup["cards"]:
            due = next_hand(hands["player"], hands["banker"], tableau)
            if due is None or card["hand"] != due:
                verdict.fault(
                    "other-hand" if due else "card-too-many",
                    f"coup {number}: {card['card']} went to {card['hand']}, but the tableau "
                    + (f"gives it to {due}" if due else "gives no more cards"),
                )
                break
            points = 1 + RANKS.index(card["card"][:-1])
            hands[due].append(points if points < 10 else 0)
        else:
            over = next_hand(hands["player"], hands["banker"], tableau) is None
            last_of_open = number == len(d["coups"]) and d["ended"] is None
            if coup["cut_short"] and (over or not coup["cards"]):
                words = f"coup {number}: it is marked as cut short, but is not"
                verdict.fault("not-cut-short", words)
            if not over and not coup["cut_short"] and not last_of_open:
                verdict.fault("incomplete", f"coup {number}: a card is missing")
    if d["coups"] and len(verdict.faults) == before:
        short = sum(coup["cut_short"] for coup in d["coups"])
        verdict.proven.append(
            f"{counted(len(d['coups']), 'coup')} dealt by the tableau, {short} of them cut short"
        )


def check_end(d: dict[str, Any], verdict: Verdict) -> None:
    """Check that the shoe ended as stated: one coup after the coup in which the cut card came
    out."""
    cards, place, to_come = 52 * d["decks"], d["burned"], None
    if d["source"] == "shuffler":
        to_come = 1
    for number, coup in enumerate(d["coups"], start=1):
        if to_come == 0:
            verdict.fault("after-the-end", f"coup {number}: it was dealt after the shoe was over")
        if not coup["cards"] or to_come == 0:
            continue
        place += len(coup["cards"])
        if to_come is not None:
            to_come -= 1
        elif place >= cards - d["cut"]:
            to_come = 1
    if d["ended"] == "dealt-out" and to_come != 0:
        words = "ended: the shoe is marked as dealt out, but more coups were due"
        verdict.fault("ended-early", words)
    if d["ended"] == "abandoned" and to_come == 0:
        words = "ended: the shoe is marked as abandoned, but was dealt out"
        verdict.fault("abandoned-yet-over", words)
    if d["ended"] is not None:
        verdict.proven.append(f"the shoe ended as stated: {d['ended']}")


def check_reveal(d: dict[str, Any], verdict: Verdict) -> None:
    """Check that the revealed order matches the Merkle root and consists of whole decks."""
    reveal = d["reveal"]
    if (reveal is None) != (d["ended"] is None):
        if reveal is None:
            verdict.fault("not-revealed", "reveal: the shoe has ended but is not revealed")
        else:
            verdict.fault("revealed-early", "reveal: the shoe is revealed before its end")
    if reveal is None:
        verdict.open.append("that the shoe holds whole decks (its order is revealed when it ends)")
        return
    order, key = reveal["order"], bytes.fromhex(reveal["key"])
    nonces = [h("nonce", key, u32(position)) for position in range(len(order))]
    leaves = [leaf_of(i, card, nonces[i]) for i, card in enumerate(order)]
    if root_of(leaves).hex() != d["root"]:
        verdict.fault("other-root", "reveal: this order and key do not give the root")
    counts = Counter(order)
    odd = sorted(card for card in CODES if counts[card] != d["decks"])
    if odd:
        verdict.fault(
            "not-whole-decks",
            f"reveal: the shoe is not {counted(d['decks'], 'whole deck')}; it has "
            f"{counts[odd[0]]} × {odd[0]}",
        )
    verdict.proven.append(
        f"the shoe held {counted(d['decks'], 'whole deck')} in the committed order"
    )


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# ---- the command --------------------------------------------------------------------------------


def load(path: str) -> Any:
    """Read and parse a document file."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (keep imports few)
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unreadable("no-file", f"{path} cannot be read: {why}") from None
    return parse(data)


def report(verdict: Verdict) -> str:
    """Return the verdict in words; what was proven is listed only if there are no faults."""
    lines = [f"commitment {verdict.commitment}"]
    if not verdict.faults:
        lines += [f"  proven: {words}" for words in verdict.proven]
    lines += [f"  not proven: {words}" for words in verdict.open]
    lines += [f"  FAULT: {words}" for words in verdict.faults]
    count = len(verdict.faults)
    lines.append("all checks passed" if not count else f"{count} fault{'s' * (count > 1)} found")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Verify the public document of a shoe.")
    parser.add_argument("file", metavar="SHOE.json")
    parser.add_argument("--commitment", metavar="HEX", help="the commitment published before play")
    args = parser.parse_args(argv)
    try:
        verdict = verify(load(args.file), commitment=args.commitment)
    except Unreadable as error:
        print(f"verifier: {error}", file=sys.stderr)
        return UNREADABLE
    print(report(verdict))
    return FAULTS if verdict.faults else OK


if __name__ == "__main__":
    sys.exit(main())
