"""Verify a shoe: `python verifier.py SHOE.json`, or `baccarat verify SHOE.json`.

One file, standard library only, sharing no code with the server whose shoes it judges: copy it,
read it, run it. The format, the bytes and the codes of faults are those of docs/fairness.md, and
whatever can be recomputed is recomputed.
"""

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NoReturn

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CODES = {rank + suit: 13 * s + r for s, suit in enumerate("shdc") for r, rank in enumerate(RANKS)}
SOURCES = ("shoe", "shuffler")
BURNS = ("none", "one", "first-card")
ENDS = ("dealt-out", "abandoned")
MOST_DECKS, MOST_CONTRIBUTIONS, LARGEST_FILE = 24, 10_000, 1 << 24
MOST_CARDS, MOST_CARDS_OF_A_COUP, MOST_STEPS = 52 * MOST_DECKS, 6, 32
LONGEST_NAME, MOST_DIGITS, DEEPEST = 100, 15, 50
STOOD = 10
OK, FAULTS, UNREADABLE = 0, 1, 2

BLANKS = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
CONSTANTS = {"true": True, "false": False, "null": None}
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000"
    "\ud800-\uf8ff\ufdd0-\ufdef\ufeff\ufff0-\ufffb\ufffe\uffff"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 15))
    + "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\U000f0000-\U0010ffff]"
)
"""Characters that no name has: by their numbers, as Python's tables change with its version."""
SURROGATE = re.compile("[\ud800-\udfff]")
UNWRITTEN = re.compile("[\x00-\x1f\ud800-\udfff]")
"""Characters that the text of the rules does not have."""


class Unreadable(Exception):
    """A document that is not in the format; the message says where, the code what kind of error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass
class Verdict:
    """What a verification found."""

    commitment: str = ""
    faults: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    """The kind of each fault, as docs/fairness.md lists them."""
    proven: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    """What this document does not prove yet."""

    def fault(self, code: str, words: str) -> None:
        self.faults.append(words)
        self.codes.append(code)


def verify(document: Any, *, commitment: str | None = None) -> Verdict:
    """Judge a document; `commitment` is the one that was published before the first wager."""
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
    """The largest power of two below the width: how many leaves lie on the left."""
    return 1 << ((width - 1).bit_length() - 1)


def root_of(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    left = split(len(leaves))
    return h("node", root_of(leaves[:left]), root_of(leaves[left:]))


def root_from(leaf: bytes, position: int, width: int, proof: list[bytes]) -> bytes | None:
    """The root that a proof leads to, or None when it has too many or too few steps."""
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
    """The committed position of the card at each place of the deal."""
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
    """JSON by the letter: no key twice, whole numbers only, bounded depth.

    `json.loads` takes NaN, floats, repeated keys and half characters, so only single strings are
    left to it.
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
        """The value that begins here; `depth` is that of an object or a list."""
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
            self.fail("not-json", "has half a character")
        self.at = found.end()
        return value

    def number(self) -> int:
        found = NUMBER.match(self.text, self.at)
        if not found:
            self.fail()
        digits: str = found[0]
        if digits == "-0" or not digits.removeprefix("-").isdigit():
            self.fail("bad-number", "has a number that is not whole, or not plainly written")
        if len(digits.removeprefix("-")) > MOST_DIGITS:
            self.fail("bad-number", f"has a number of more than {MOST_DIGITS} digits")
        self.at = found.end()
        return int(digits)

    def members(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.blanks()
        if self.take("}"):
            return found
        while True:
            self.blanks()
            key = self.string()
            if key in found:
                self.fail("key-twice", f"is ambiguous: {key[:40]!r} is given twice")
            self.blanks()
            if not self.take(":"):
                self.fail()
            found[key] = self.value(depth)
            self.blanks()
            if self.take("}"):
                return found
            if not self.take(","):
                self.fail()

    def elements(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self.blanks()
        if self.take("]"):
            return found
        while True:
            found.append(self.value(depth))
            self.blanks()
            if self.take("]"):
                return found
            if not self.take(","):
                self.fail()


def parse(data: bytes) -> Any:
    """The values of a document; one byte order mark at its beginning is skipped."""
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


def read_object(value: Any, keys: str, where: str) -> None:
    """It has these keys and no others."""
    names = keys.split()
    need(type(value) is dict, where, "an object")
    for name in names:
        if name not in value:
            raise Unreadable("missing", f"{where}: {name!r} is missing")
    for name in value:
        if name not in names:
            raise Unreadable("unknown-key", f"{where}: {str(name)[:40]!r} does not belong there")


def read_list(value: Any, most: int, where: str) -> None:
    need(type(value) is list and len(value) <= most, where, f"a list of at most {most:,}")


def read_hex(value: Any, size: int, where: str) -> None:
    right = f"{2 * size} lower-case hexadecimal digits"
    need(type(value) is str and len(value) == 2 * size, where, right)
    need(set(value) <= set("0123456789abcdef"), where, right)


def read_whole(value: Any, least: int, most: int, where: str) -> None:
    right = f"a whole number from {least} to {most}"
    need(type(value) is int and least <= value <= most, where, right)


def read_one_of(value: Any, known: tuple[str, ...], where: str) -> None:
    need(type(value) is str and value in known, where, " or ".join(known))


def read_card(value: Any, where: str, *, hand: bool) -> None:
    read_object(
        value, "hand position card nonce proof" if hand else "position card nonce proof", where
    )
    if hand:
        read_one_of(value["hand"], ("player", "banker"), f"{where}.hand")
    read_whole(value["position"], 0, MOST_CARDS - 1, f"{where}.position")
    need(type(value["card"]) is str and value["card"] in CODES, f"{where}.card", "a card")
    read_hex(value["nonce"], 32, f"{where}.nonce")
    read_list(value["proof"], MOST_STEPS, f"{where}.proof")
    for i, step in enumerate(value["proof"]):
        read_hex(step, 32, f"{where}.proof[{i}]")


def read_contribution(value: Any, where: str) -> None:
    read_object(value, "name commitment secret", where)
    name = value["name"]
    need(type(name) is str and 1 <= len(name) <= LONGEST_NAME, f"{where}.name", "a short text")
    need(not HIDDEN.search(name), f"{where}.name", "a text of visible characters")
    read_hex(value["commitment"], 32, f"{where}.commitment")
    if value["secret"] is not None:
        read_hex(value["secret"], 32, f"{where}.secret")


def read_coup(value: Any, where: str) -> None:
    read_object(value, "cards cut_short", where)
    read_list(value["cards"], MOST_CARDS_OF_A_COUP, f"{where}.cards")
    for i, card in enumerate(value["cards"]):
        read_card(card, f"{where}.cards[{i}]", hand=True)
    need(type(value["cut_short"]) is bool, f"{where}.cut_short", "true or false")


def read_reveal(value: Any) -> None:
    read_object(value, "key order", "reveal")
    read_hex(value["key"], 32, "reveal.key")
    read_list(value["order"], MOST_CARDS, "reveal.order")
    for i, card in enumerate(value["order"]):
        need(type(card) is str and card in CODES, f"reveal.order[{i}]", "a card")


def read_shape(d: Any) -> None:
    """Refuse what is not in the format, in the order of its keys, so the checks can rely on it."""
    if type(d) is not dict:
        raise Unreadable("no-object", "the document is not an object")
    read_object(
        d,
        "format version shoe source decks cut burn rules root commitment contributions seed burned "
        "shown coups ended reveal",
        "the document",
    )
    read_one_of(d["format"], ("baccarat-shoe",), "format")
    read_whole(d["version"], 1, 1, "version")
    read_hex(d["shoe"], 16, "shoe")
    read_one_of(d["source"], SOURCES, "source")
    read_whole(d["decks"], 1, MOST_DECKS, "decks")
    read_whole(d["cut"], 0, MOST_CARDS - 1, "cut")
    read_one_of(d["burn"], BURNS, "burn")
    need(type(d["rules"]) is str and not UNWRITTEN.search(d["rules"]), "rules", "one line of text")
    read_hex(d["root"], 32, "root")
    read_hex(d["commitment"], 32, "commitment")
    read_list(d["contributions"], MOST_CONTRIBUTIONS, "contributions")
    for i, one in enumerate(d["contributions"]):
        read_contribution(one, f"contributions[{i}]")
    if d["seed"] is not None:
        read_hex(d["seed"], 32, "seed")
    read_whole(d["burned"], 0, MOST_CARDS - 1, "burned")
    if d["shown"] is not None:
        read_card(d["shown"], "shown", hand=False)
    read_list(d["coups"], MOST_CARDS, "coups")
    for i, coup in enumerate(d["coups"]):
        read_coup(coup, f"coups[{i}]")
    if d["ended"] is not None:
        read_one_of(d["ended"], ENDS, "ended")
    if d["reveal"] is not None:
        read_reveal(d["reveal"])
    read_sizes(d, 52 * d["decks"])


def read_sizes(d: dict[str, Any], cards: int) -> None:
    """What depends on the number of cards in the shoe."""
    read_whole(d["cut"], 0, cards - 1, "cut")
    read_whole(d["burned"], 0, cards - 1, "burned")
    read_list(d["coups"], cards, "coups")
    for card in [d["shown"] or {"position": 0}, *(c for coup in d["coups"] for c in coup["cards"])]:
        read_whole(card["position"], 0, cards - 1, "a position")
    if d["reveal"] is not None:
        need(len(d["reveal"]["order"]) == cards, "reveal.order", f"{cards} cards")


def read_tableau(rules: str) -> dict[str, Any]:
    """The tableau in the text of the rules; lists are ascending, and nothing is in them twice."""
    try:
        content = Reader(rules).whole()
        need(type(content) is dict and "tableau" in content, "rules", "an object with a tableau")
        tableau = content["tableau"]
        read_object(tableau, "naturals player_draws banker_draws", "tableau")
        for name in ("naturals", "player_draws"):
            read_list(tableau[name], 10, name)
            for total in tableau[name]:
                read_whole(total, 0, 9, name)
        read_list(tableau["banker_draws"], 110, "banker_draws")
        for pair in tableau["banker_draws"]:
            need(type(pair) is list and len(pair) == 2, "banker_draws", "a list of pairs")
            read_whole(pair[0], 0, 9, "banker_draws")
            read_whole(pair[1], 0, STOOD, "banker_draws")
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
        verdict.fault("shuffler-terms", "cut: a shuffler has no cut card and burns none")
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
            f"commitment: it is not the one of these terms, rules and root; theirs is {computed}",
        )
    else:
        verdict.proven.append("the commitment is to these terms, these rules and this root")
    if published is None:
        verdict.open.append(
            "that this commitment is the one published before the first wager: "
            "compare it with the one you wrote down"
        )
    elif published.strip(" \t\n\r").lower() != d["commitment"]:
        verdict.fault("not-published", "commitment: it is not the one that was published")
    else:
        verdict.proven.append("the commitment is the one that was published")


def check_contributions(d: dict[str, Any], verdict: Verdict) -> list[int]:
    """Contributions and seed; returns the order of dealing, empty while there is none."""
    shoe, parts, missing = bytes.fromhex(d["commitment"]), [u32(len(d["contributions"]))], 0
    for i, one in enumerate(d["contributions"]):
        name, promised = one["name"].encode(), one["commitment"]
        if one["secret"] is None:
            missing += 1
            parts += [bytes.fromhex(promised), bytes(33), u32(len(name)), name]
            continue
        secret = bytes.fromhex(one["secret"])
        if h("contribution", shoe, secret, name).hex() != promised:
            verdict.fault(
                "other-secret",
                f"contributions[{i}]: the secret is not the one {one['name']!r} committed to",
            )
        parts += [bytes.fromhex(promised), b"\x01", secret, u32(len(name)), name]
    if len({one["commitment"] for one in d["contributions"]}) != len(d["contributions"]):
        verdict.fault("contribution-twice", "contributions: the same commitment is listed twice")
    if d["seed"] is None:
        if d["burned"] or d["shown"] or d["coups"] or d["ended"] == "dealt-out":
            words = "coups: cards were dealt before the order of dealing was fixed"
            verdict.fault("dealt-without-seed", words)
        verdict.open.append("the order of dealing: contributions are still being taken")
        return []
    seed = h("seed", shoe, *parts)
    if seed.hex() != d["seed"]:
        verdict.fault("other-seed", f"seed: these contributions make {seed.hex()}")
    count = len(d["contributions"])
    verdict.proven.append(f"the seed comes of {count} contributions, {missing} of them withheld")
    return shuffled_positions(seed, 52 * d["decks"])


def check_burn(d: dict[str, Any], verdict: Verdict) -> list[dict[str, Any]]:
    """The burn; returns the cards it took that are shown."""
    shown = d["shown"]
    begun = d["coups"] or d["burned"] or shown is not None or d["ended"] == "dealt-out"
    if not begun:
        return []
    if d["burn"] == "first-card":
        if shown is None:
            verdict.fault(
                "nothing-shown", "shown: the card that says how many are burned is missing"
            )
            return []
        value = min(1 + RANKS.index(shown["card"][:-1]), 10)
        expected = 1 + value
    else:
        expected = BURNS.index(d["burn"])
        if shown is not None:
            verdict.fault("shown-unasked", f"shown: a burn of {d['burn']!r} shows no card")
    if d["burned"] != expected:
        words = f"burned: {d['burned']} cards, where the rule takes {expected}"
        verdict.fault("burned-otherwise", words)
    else:
        verdict.proven.append(f"{expected} cards were burned, as the rule says")
    return [] if shown is None else [shown]


def check_cards(
    d: dict[str, Any], dealt: list[dict[str, Any]], order: list[int], verdict: Verdict
) -> None:
    """Each card lay where it was promised, and came out when it was its turn."""
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
                f"{what}: it lay at position {card['position']}, and it was the turn of "
                f"position {order[at]}",
            )
        else:
            good += proven
    if dealt and good == len(dealt):
        verdict.proven.append(
            f"{counted(good, 'card')} shown: each lay where promised, and came in its turn"
        )


def next_hand(player: list[int], banker: list[int], tableau: dict[str, Any]) -> str | None:
    """Who is due the next card, given the points of both hands; None when the coup is over."""
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
    """Every card went to the hand that the tableau says, and no coup has one too many or few."""
    before = len(verdict.faults)
    for number, coup in enumerate(d["coups"], start=1):
        hands: dict[str, list[int]] = {"player": [], "banker": []}
        for card in coup["cards"]:
            due = next_hand(hands["player"], hands["banker"], tableau)
            if due is None or card["hand"] != due:
                verdict.fault(
                    "other-hand" if due else "card-too-many",
                    f"coup {number}: {card['card']} went to {card['hand']}, and the tableau "
                    + (f"gives it to {due}" if due else "gives no more cards"),
                )
                break
            points = 1 + RANKS.index(card["card"][:-1])
            hands[due].append(points if points < 10 else 0)
        else:
            over = next_hand(hands["player"], hands["banker"], tableau) is None
            last_of_open = number == len(d["coups"]) and d["ended"] is None
            if coup["cut_short"] and (over or not coup["cards"]):
                words = f"coup {number}: it is said to be cut short, and is not"
                verdict.fault("not-cut-short", words)
            if not over and not coup["cut_short"] and not last_of_open:
                verdict.fault("incomplete", f"coup {number}: a card is missing")
    if d["coups"] and len(verdict.faults) == before:
        short = sum(coup["cut_short"] for coup in d["coups"])
        verdict.proven.append(
            f"{counted(len(d['coups']), 'coup')} dealt by the tableau, {short} of them cut short"
        )


def check_end(d: dict[str, Any], verdict: Verdict) -> None:
    """The cut card: the coup in which it comes out is finished, and one more is played."""
    cards, place, to_come = 52 * d["decks"], d["burned"], None
    if d["source"] == "shuffler":
        to_come = 1
    for number, coup in enumerate(d["coups"], start=1):
        if to_come == 0:
            verdict.fault("after-the-end", f"coup {number}: the shoe was over before it")
        if not coup["cards"] or to_come == 0:
            continue
        place += len(coup["cards"])
        if to_come is not None:
            to_come -= 1
        elif place >= cards - d["cut"]:
            to_come = 1
    if d["ended"] == "dealt-out" and to_come != 0:
        words = "ended: the shoe is said to be dealt out, and more coups were due"
        verdict.fault("ended-early", words)
    if d["ended"] == "abandoned" and to_come == 0:
        words = "ended: the shoe is said to be abandoned, and was dealt out"
        verdict.fault("abandoned-yet-over", words)
    if d["ended"] is not None:
        verdict.proven.append(f"the shoe ended when it is said to have ended: {d['ended']}")


def check_reveal(d: dict[str, Any], verdict: Verdict) -> None:
    """The whole order: it makes the root (so dealt cards are among it), and is whole decks."""
    reveal = d["reveal"]
    if (reveal is None) != (d["ended"] is None):
        if reveal is None:
            verdict.fault("not-revealed", "reveal: the shoe has ended and is not revealed")
        else:
            verdict.fault("revealed-early", "reveal: the shoe is revealed before its end")
    if reveal is None:
        verdict.open.append("that the shoe holds whole decks: it is revealed when it ends")
        return
    order, key = reveal["order"], bytes.fromhex(reveal["key"])
    nonces = [h("nonce", key, u32(position)) for position in range(len(order))]
    leaves = [leaf_of(i, card, nonces[i]) for i, card in enumerate(order)]
    if root_of(leaves).hex() != d["root"]:
        verdict.fault("other-root", "reveal: this order and key do not make the root")
    counts = Counter(order)
    odd = sorted(card for card in CODES if counts[card] != d["decks"])
    if odd:
        verdict.fault(
            "not-whole-decks",
            f"reveal: the shoe is not {counted(d['decks'], 'whole deck')}: {odd[0]} is in it "
            f"{counts[odd[0]]} times",
        )
    verdict.proven.append(
        f"the shoe held {counted(d['decks'], 'whole deck')} in the committed order"
    )


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# ---- the command --------------------------------------------------------------------------------


def load(path: str) -> Any:
    """The document of a file."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (one file, as few names as possible)
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unreadable("no-file", f"{path}: it cannot be read: {why}") from None
    return parse(data)


def report(verdict: Verdict) -> str:
    """The verdict for people; proofs of a faulty document are not worth listing."""
    lines = [f"commitment {verdict.commitment}"]
    if not verdict.faults:
        lines += [f"  proven: {words}" for words in verdict.proven]
    lines += [f"  not proven: {words}" for words in verdict.open]
    lines += [f"  FAULT: {words}" for words in verdict.faults]
    count = len(verdict.faults)
    lines.append("every check holds" if not count else f"{count} fault{'s' * (count > 1)} found")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Verify the public document of a shoe.")
    parser.add_argument("file", metavar="SHOE.json")
    parser.add_argument("--commitment", metavar="HEX", help="the one published before play")
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
