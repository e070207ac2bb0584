"""Verify a shoe: `python verifier.py SHOE.json`, or `baccarat verify SHOE.json`.

One file, standard library only, sharing no code with the server whose shoes it judges: copy it,
read it, run it. In goes the public document of a shoe; out come what is proven, what is not proven
yet, and every fault. The format and the bytes are those of docs/fairness.md.

The one rule: believe nothing that can be recomputed.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CODES = {rank + suit: 13 * s + r for s, suit in enumerate("shdc") for r, rank in enumerate(RANKS)}
SOURCES = ("shoe", "shuffler")
BURNS = ("none", "one", "first-card")
MOST_DECKS, MOST_CONTRIBUTIONS, LARGEST_FILE = 24, 10_000, 1 << 24
STOOD = 10
OK, FAULTS, UNREADABLE = 0, 1, 2

CARD_KEYS = {"position": int, "card": str, "nonce": str, "proof": list}
SHAPE = {
    "format": str, "version": int, "shoe": str, "source": str, "decks": int, "cut": int,
    "burn": str, "rules": str, "root": str, "commitment": str, "contributions": list,
    "seed": (str, type(None)), "burned": int, "shown": (dict, type(None)), "coups": list,
    "ended": (str, type(None)), "reveal": (dict, type(None)),
}  # fmt: skip


class Unreadable(Exception):
    """A document that is not in the format at all; the message says where and what is right."""


@dataclass
class Verdict:
    """What a verification found."""

    commitment: str = ""
    faults: list[str] = field(default_factory=list)
    proven: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    """What this document does not prove yet."""


def verify(document: Any, *, commitment: str | None = None) -> Verdict:
    """Judge a document; `commitment` is the one that was published before the first wager."""
    read_shape(document)
    verdict = Verdict(document["commitment"])
    tableau = check_terms(document, commitment, verdict)
    order = check_contributions(document, verdict)
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


# ---- the shape of a document --------------------------------------------------------------------


def need(condition: Any, where: str, right: str) -> None:
    if not condition:
        raise Unreadable(f"{where} is not {right}")


def read_object(value: Any, shape: dict[str, Any], where: str) -> None:
    need(type(value) is dict, where, "an object")
    for name in sorted(value.keys() ^ shape.keys()):
        need(name in value, where, f"complete: {name!r} is missing")
        need(name in shape, where, f"in the format: {str(name)[:40]!r} does not belong")
    for name, kinds in shape.items():
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        right = " or ".join("null" if kind is type(None) else kind.__name__ for kind in kinds)
        need(type(value[name]) in kinds, f"{where}.{name}", right)


def read_hex(value: Any, size: int, where: str) -> None:
    right = f"{2 * size} lower-case hexadecimal digits"
    need(type(value) is str and len(value) == 2 * size, where, right)
    need(set(value) <= set("0123456789abcdef"), where, right)


def read_card(value: Any, where: str, keys: dict[str, Any], cards: int) -> None:
    read_object(value, keys, where)
    need(0 <= value["position"] < cards, f"{where}.position", f"a position below {cards}")
    need(value["card"] in CODES, f"{where}.card", "one of the 52 cards")
    read_hex(value["nonce"], 32, f"{where}.nonce")
    need(len(value["proof"]) <= 32, f"{where}.proof", "a proof of at most 32 steps")
    for i, step in enumerate(value["proof"]):
        read_hex(step, 32, f"{where}.proof[{i}]")


def read_shape(d: Any) -> None:
    """Refuse whatever is not in the format, so that the checks need not be careful."""
    read_object(d, SHAPE, "the document")
    need((d["format"], d["version"]) == ("baccarat-shoe", 1), "format", "baccarat-shoe, version 1")
    need(d["source"] in SOURCES, "source", "shoe or shuffler")
    need(d["burn"] in BURNS, "burn", "none, one or first-card")
    need(d["ended"] in (None, "dealt-out", "abandoned"), "ended", "null, dealt-out or abandoned")
    need(1 <= d["decks"] <= MOST_DECKS, "decks", f"1 to {MOST_DECKS}")
    cards = 52 * d["decks"]
    need(0 <= d["cut"] < cards, "cut", f"0 to {cards - 1}")
    need(0 <= d["burned"] < cards, "burned", f"0 to {cards - 1}")
    need(d["rules"].isprintable(), "rules", "one line of printable text")
    for name, size in (("shoe", 16), ("root", 32), ("commitment", 32)):
        read_hex(d[name], size, name)
    if d["seed"] is not None:
        read_hex(d["seed"], 32, "seed")
    need(len(d["contributions"]) <= MOST_CONTRIBUTIONS, "contributions", "a list this short")
    for i, one in enumerate(d["contributions"]):
        where = f"contributions[{i}]"
        read_object(one, {"name": str, "commitment": str, "secret": (str, type(None))}, where)
        need(one["name"].isprintable(), f"{where}.name", "printable text")
        read_hex(one["commitment"], 32, f"{where}.commitment")
        if one["secret"] is not None:
            read_hex(one["secret"], 32, f"{where}.secret")
    if d["shown"] is not None:
        read_card(d["shown"], "shown", CARD_KEYS, cards)
    for i, coup in enumerate(d["coups"]):
        read_object(coup, {"cards": list, "cut_short": bool}, f"coups[{i}]")
        for j, card in enumerate(coup["cards"]):
            where = f"coups[{i}].cards[{j}]"
            read_card(card, where, {"hand": str, **CARD_KEYS}, cards)
            need(card["hand"] in ("player", "banker"), f"{where}.hand", "player or banker")
    if d["reveal"] is not None:
        read_object(d["reveal"], {"key": str, "order": list}, "reveal")
        read_hex(d["reveal"]["key"], 32, "reveal.key")
        need(len(d["reveal"]["order"]) == cards, "reveal.order", f"{cards} cards")
        for i, card in enumerate(d["reveal"]["order"]):
            need(type(card) is str and card in CODES, f"reveal.order[{i}]", "one of the 52 cards")


def read_tableau(rules: str) -> dict[str, Any]:
    try:
        tableau = json.loads(rules)["tableau"]
        return {
            "naturals": {int(total) for total in tableau["naturals"]},
            "player_draws": {int(total) for total in tableau["player_draws"]},
            "banker_draws": {(int(total), int(given)) for total, given in tableau["banker_draws"]},
        }
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise Unreadable(
            "rules is not JSON with a tableau of naturals, player_draws and banker_draws"
        ) from None


# ---- the checks ---------------------------------------------------------------------------------


def check_terms(d: dict[str, Any], published: str | None, verdict: Verdict) -> dict[str, Any]:
    tableau = read_tableau(d["rules"])
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
        verdict.faults.append(
            f"commitment: it is not the one of these terms, rules and root; theirs is {computed}"
        )
    else:
        verdict.proven.append("the commitment is to these terms, these rules and this root")
    if published is None:
        verdict.open.append(
            "that this commitment is the one published before the first wager: "
            "compare it with the one you wrote down"
        )
    elif published.strip().lower() != d["commitment"]:
        verdict.faults.append("commitment: it is not the one that was published")
    else:
        verdict.proven.append("the commitment is the one that was published")
    return tableau


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
            verdict.faults.append(
                f"contributions[{i}]: the secret is not the one {one['name']!r} committed to"
            )
        parts += [bytes.fromhex(promised), b"\x01", secret, u32(len(name)), name]
    if len({one["commitment"] for one in d["contributions"]}) != len(d["contributions"]):
        verdict.faults.append("contributions: the same commitment is listed twice")
    if d["seed"] is None:
        verdict.open.append("the order of dealing: contributions are still being taken")
        return []
    seed = h("seed", shoe, *parts)
    if seed.hex() != d["seed"]:
        verdict.faults.append(f"seed: these contributions make {seed.hex()}")
    count = len(d["contributions"])
    verdict.proven.append(f"the seed comes of {count} contributions, {missing} of them withheld")
    return shuffled_positions(seed, 52 * d["decks"])


def check_burn(d: dict[str, Any], verdict: Verdict) -> list[dict[str, Any]]:
    """The burn; returns the cards it took that are shown."""
    shown = d["shown"]
    begun = bool(d["coups"]) or d["burned"] or shown is not None
    if not begun:
        return []
    if d["burn"] == "first-card":
        if shown is None:
            verdict.faults.append("shown: the card that says how many are burned is missing")
            return []
        value = min(1 + RANKS.index(shown["card"][:-1]), 10)
        expected = 1 + value
    else:
        expected = BURNS.index(d["burn"])
        if shown is not None:
            verdict.faults.append(f"shown: a burn of {d['burn']!r} shows no card")
    if d["burned"] != expected:
        verdict.faults.append(f"burned: {d['burned']} cards, where the rule takes {expected}")
    else:
        verdict.proven.append(f"{expected} cards were burned, as the rule says")
    return [] if shown is None else [shown]


def check_cards(
    d: dict[str, Any], dealt: list[dict[str, Any]], order: list[int], verdict: Verdict
) -> None:
    """Each card lay where it was promised, and came out when it was its turn."""
    if dealt and not order:
        verdict.faults.append("coups: cards were dealt before the order of dealing was fixed")
        return
    root, cards, place, good = bytes.fromhex(d["root"]), 52 * d["decks"], d["burned"], 0
    for i, card in enumerate(dealt):
        is_shown = i == 0 and d["shown"] is not None
        at = 0 if is_shown else place
        place += not is_shown
        what = f"card {at + 1} of the shoe ({card['card']})"
        if at >= cards:
            verdict.faults.append(f"{what}: the shoe has only {cards} cards")
            return
        leaf = leaf_of(card["position"], card["card"], bytes.fromhex(card["nonce"]))
        steps = [bytes.fromhex(step) for step in card["proof"]]
        if root_from(leaf, card["position"], cards, steps) != root:
            verdict.faults.append(f"{what}: its proof does not lead to the root")
        elif card["position"] != order[at]:
            verdict.faults.append(
                f"{what}: it lay at position {card['position']}, and it was the turn of "
                f"position {order[at]}"
            )
        else:
            good += 1
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
                verdict.faults.append(
                    f"coup {number}: {card['card']} went to {card['hand']}, and the tableau "
                    + (f"gives it to {due}" if due else "gives no more cards")
                )
                break
            points = 1 + RANKS.index(card["card"][:-1])
            hands[due].append(points if points < 10 else 0)
        else:
            over = next_hand(hands["player"], hands["banker"], tableau) is None
            last_of_open = number == len(d["coups"]) and d["ended"] is None
            if coup["cut_short"] and (over or not coup["cards"]):
                verdict.faults.append(f"coup {number}: it is said to be cut short, and is not")
            if not over and not coup["cut_short"] and not last_of_open:
                verdict.faults.append(f"coup {number}: a card is missing")
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
        if d["cut"] or d["burn"] != "none":
            verdict.faults.append("cut: a shuffler has no cut card and burns none")
    for number, coup in enumerate(d["coups"], start=1):
        if to_come == 0:
            verdict.faults.append(f"coup {number}: the shoe was over before it")
            return
        place += len(coup["cards"])
        if to_come is not None:
            to_come -= 1
        elif place >= cards - d["cut"]:
            to_come = 1
    if d["ended"] == "dealt-out" and to_come != 0:
        verdict.faults.append("ended: the shoe is said to be dealt out, and more coups were due")
    if d["ended"] == "abandoned" and to_come == 0:
        verdict.faults.append("ended: the shoe is said to be abandoned, and was dealt out")
    if d["ended"] is not None:
        verdict.proven.append(f"the shoe ended when it is said to have ended: {d['ended']}")


def check_reveal(d: dict[str, Any], verdict: Verdict) -> None:
    """The whole order: it makes the root (so dealt cards are among it), and is whole decks."""
    reveal = d["reveal"]
    if (reveal is None) != (d["ended"] is None):
        what = "has ended and is not revealed" if reveal is None else "is revealed before its end"
        verdict.faults.append(f"reveal: the shoe {what}")
        return
    if reveal is None:
        verdict.open.append("that the shoe holds whole decks: it is revealed when it ends")
        return
    order, key = reveal["order"], bytes.fromhex(reveal["key"])
    nonces = [h("nonce", key, u32(position)) for position in range(len(order))]
    leaves = [leaf_of(i, card, nonces[i]) for i, card in enumerate(order)]
    if root_of(leaves).hex() != d["root"]:
        verdict.faults.append("reveal: this order and key do not make the root")
    counts = Counter(order)
    odd = sorted(card for card in CODES if counts[card] != d["decks"])
    if odd:
        verdict.faults.append(
            f"reveal: the shoe is not {counted(d['decks'], 'whole deck')}: {odd[0]} is in it "
            f"{counts[odd[0]]} times"
        )
    verdict.proven.append(
        f"the shoe held {counted(d['decks'], 'whole deck')} in the committed order"
    )


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# ---- the command --------------------------------------------------------------------------------


def load(path: str) -> Any:
    """The document of a file; duplicate keys and numbers that are no whole numbers are refused."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (one file, as few names as possible)
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(
            f"{path}: it cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None
    if len(data) > LARGEST_FILE:
        raise Unreadable(f"{path} is not a shoe: it has more than {LARGEST_FILE:,} bytes")
    return parse(data)


def parse(data: bytes) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            need(key not in found, "the document", f"clear: {key[:40]!r} is given twice")
            found[key] = value
        return found

    try:
        text = data.decode("utf-8").removeprefix("\ufeff")  # some editors begin files with a mark
        return json.loads(text, object_pairs_hook=once)
    except RecursionError:
        raise Unreadable("the document is nested too deeply: a shoe is not") from None
    except ValueError as error:
        raise Unreadable(f"the document is not JSON: {error}") from None


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
