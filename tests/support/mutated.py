"""Malformed shoe documents: valid ones, changed at random by a seed.

Some changes are to the values, some to the text (a key given twice, 1.0 for 1, NaN), some to the
bytes. The text is written here, so that it can contain what `json.dumps` would not write.
"""

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from baccarat import verifier
from baccarat.shoe import Burn
from baccarat.shoe.commitment import Source
from support.dealt_shoes import ABANDONED, contributions, dealt, sealed

Path = tuple[Any, ...]


class Raw(str):
    """Text that is written unchanged."""

    __slots__ = ()


@dataclass
class Pairs:
    """An object that may have duplicate keys."""

    items: list[tuple[Any, Any]]


NUMBERS = (
    *("-0", "0.0", "1.0", "1e0", "1E0", "-1", "01", "+1", "1.", ".5", "0x1", "1_0", "NaN"),
    *("Infinity", "-Infinity", "9007199254740991", "9007199254740992", "9007199254740993"),
    *("999999999999999", "1000000000000000", "4294967295", "4294967296", "1" * 400, "1e400"),
    *("1e-400", "-1e0", "0e0", "1.0000000000000000001", "24", "25", "51", "52", "10", "11"),
)
TEXTS = (
    *("", " ", "a", "ann ", "\x00", "\n", "\t", "\x7f", "\x85", "\xa0", "\xad", "é", "e\u0301"),
    *("\u0600", "\u061c", "\u115f", "\u180e", "\u200b", "\u200c", "\u200d", "\u200e", "\u2028"),
    *("\u202e", "\u2066", "\u2800", "\u3000", "\u3164", "\ue000", "\ufdd0", "\ufeff", "\ufff9"),
    *("\ufffc", "\ufffd", "\ufffe", "\uffff", "\U0001f600", "\U0001fae8", "\U0001fadf", "\u1c89"),
    *("\U0001e030", "\U00011f02", "\U00016d40", "\U0001cc00", "\U0002ebf0", "\U00031350", "\u0378"),
    *("\U000e0001", "\U000e0100", "\U000f0000", "\U0010ffff", "x" * 40, "x" * 41, "😀" * 40),
    *(
        "😀" * 41,
        "A" * 32,
        "A" * 64,
        "0" * 32,
        "0" * 63,
        "0" * 64,
        "0" * 65,
        "٠" * 64,
        "0" * 63 + "\n",
    ),
    *("As", "10d", "1s", "as", "AS", "As\n", "10", "Ｋh", "shoe", "shuffler", "none", "one"),
    *("first-card", "player", "banker", "dealt-out", "abandoned", "toString", "__proto__"),
)
RAW_TEXTS = (
    r'"\ud800"', r'"\udc00"', r'"\ud83d\ude00"', r'"\ude00\ud83d"', r'"\u0041"', r'"\/"', r'"\x41"',
    r'"\u00e"', r'"\u 041"', r'"\u+041"', r'"\u0000"', '"\t"', '"\x7f"', "'a'", '"a',
    r'"\"', '"\\\n"',
)  # fmt: skip
OTHERS = (None, True, False, [], {}, [[]], [None], {"a": 1}, [0], {"": None})
KEYS = ("more", "", "__proto__", "constructor", "toString", "hasOwnProperty", "0", "\u0000", "Seed")


def bases() -> list[dict[str, Any]]:
    """Return valid documents of every kind."""
    shoe, rules = sealed(1)
    given = contributions(shoe, 2)
    one, one_rules = sealed(2, burn=Burn.ONE)
    none, none_rules = sealed(3, burn=Burn.NONE)
    shuffler, shuffler_rules = sealed(4, source=Source.SHUFFLER)
    cut_short = frozenset({1})
    return [
        resealed({**dealt(shoe, rules, given, coups=0, ended=None), "burned": 0, "shown": None}),
        {
            **dealt(shoe, rules, given, coups=0, ended=None),
            "seed": None,
            "burned": 0,
            "shown": None,
        },
        dealt(shoe, rules, given, coups=1, ended=None),
        dealt(shoe, rules, given, coups=2, ended=ABANDONED),
        dealt(shoe, rules, given),
        dealt(one, one_rules, coups=3, ended=None, cut_short=cut_short),
        dealt(none, none_rules, coups=1, ended=ABANDONED),
        dealt(none, none_rules, coups=0, ended=None),
        dealt(shuffler, shuffler_rules, contributions(shuffler, 5)),
    ]


def resealed(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with matching hashes where possible, so that only the rest is faulty."""
    made = copy.deepcopy(document)
    try:
        commitment = verifier.h(
            "shoe",
            bytes.fromhex(made["shoe"]),
            bytes([("shoe", "shuffler").index(made["source"])]),
            verifier.u32(made["decks"]),
            verifier.u32(made["cut"]),
            bytes([("none", "one", "first-card").index(made["burn"])]),
            verifier.hashlib.sha256(made["rules"].encode()).digest(),
            bytes.fromhex(made["root"]),
        )
        parts = [verifier.u32(len(made["contributions"]))]
        for contribution in made["contributions"]:
            secret = (
                None if contribution["secret"] is None else bytes.fromhex(contribution["secret"])
            )
            if secret is not None:
                contribution["commitment"] = verifier.h("contribution", commitment, secret).hex()
            shown = bytes(33) if secret is None else b"\x01" + secret
            parts += [bytes.fromhex(contribution["commitment"]), shown]
        made["commitment"] = commitment.hex()
        if made["seed"] is not None:
            made["seed"] = verifier.h("seed", commitment, *parts).hex()
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        return document
    return made


def written(value: Any) -> str:
    """Return a value as JSON, or as almost JSON."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{written(k)}:{written(v)}" for k, v in value.items) + "}"
    if isinstance(value, dict):
        return written(Pairs(list(value.items())))
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=not isinstance(value, str) or not value.isprintable())


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    if isinstance(value, dict | list):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(below, (*path, key))


def at(document: Any, path: Path) -> Any:
    for part in path:
        document = document[part]
    return document


def put(document: Any, path: Path, value: Any) -> Any:
    """Return a copy with another value at this place."""
    if not path:
        return value
    made = copy.copy(document)
    made[path[0]] = put(document[path[0]], path[1:], value)
    return made


def chosen(document: Any, rng: random.Random) -> Path:
    """Return a random place; every kind of place is equally likely."""
    kinds: dict[tuple[Any, ...], list[Path]] = {}
    for path in places(document):
        kinds.setdefault(tuple("#" if type(p) is int else p for p in path), []).append(path)
    return rng.choice(kinds[rng.choice(sorted(kinds))])


def another(value: Any, rng: random.Random) -> Any:
    """Return a replacement value, often of the same kind."""
    if type(value) is bool and rng.random() < 0.5:
        return not value
    if type(value) is int and rng.random() < 0.7:
        return rng.choice([Raw(rng.choice(NUMBERS)), value + 1, value - 1, rng.randrange(60)])
    if type(value) is str and rng.random() < 0.8:
        return rng.choice(
            [
                rng.choice(TEXTS),
                Raw(rng.choice(RAW_TEXTS)),
                value + rng.choice(TEXTS),
                value[1:],
                value.upper(),
                Raw(json.dumps(value).replace("a", "\\u0061")),
            ]
        )
    if type(value) is list and value and rng.random() < 0.8:
        i, j = rng.randrange(len(value)), rng.randrange(len(value))
        swapped = [*value]
        swapped[i], swapped[j] = swapped[j], swapped[i]
        return rng.choice([[*value, value[i]], value[:i] + value[i + 1 :], swapped, value[:i]])
    if type(value) is dict and value and rng.random() < 0.9:
        items, key = list(value.items()), rng.choice(sorted(value))
        return rng.choice(
            [
                Pairs([*items, (key, value[key])]),
                Pairs([*items, (key, rng.choice(OTHERS))]),
                Pairs([*items, (Raw(json.dumps(key).replace("e", "\\u0065")), value[key])]),
                Pairs([*items, (rng.choice(KEYS), rng.choice(OTHERS))]),
                Pairs(items[::-1]),
                {k: v for k, v in items if k != key},
            ]
        )
    pool = (*OTHERS, *map(Raw, NUMBERS), *TEXTS, *map(Raw, RAW_TEXTS), nested(rng))
    return rng.choice(pool)


def nested(rng: random.Random) -> Raw:
    """Return nested lists and objects, about as deep as allowed or much deeper."""
    depth = rng.choice([*range(40, 60), 1000, 100_000])
    if rng.random() < 0.5:
        return Raw("[" * depth + "]" * depth)
    return Raw('{"a":' * depth + "1" + "}" * depth)


def mutated_rules(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    rules = json.loads(document["rules"])
    path = ("tableau", *chosen(rules["tableau"], rng)) if rng.random() < 0.8 else chosen(rules, rng)
    text = written(put(rules, path, another(at(rules, path), rng)))
    return {**document, "rules": text}


def mutated_bytes(data: bytes, rng: random.Random) -> bytes:
    i = rng.randrange(len(data) + 1)
    j = min(len(data), i + rng.choice([0, 0, 1, 1, 2, 5, 100]))
    what = rng.choice(
        [
            bytes([rng.randrange(256)]),
            rng.choice([b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"0", b"-", b"e", b"."]),
            rng.choice([b" ", b"\t", b"\n", b"\r", b"\x0b", b"\x0c", b"\xc2\xa0", b"\xef\xbb\xbf"]),
            rng.choice(
                [b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98", b"//x\n"]
            ),
            data[i:j] * 2,
            b"",
        ]
    )
    return data[:i] + what + data[j:]


def mutated(seed: int, valid: list[dict[str, Any]]) -> bytes:
    """Return the mutated document of this seed."""
    rng = random.Random(seed)
    document: Any = rng.choice(valid)
    for _ in range(rng.choice([0, 1, 1, 1, 1, 2, 3])):
        if not isinstance(document, dict):
            break
        if rng.random() < 0.25 and isinstance(document.get("rules"), str):
            try:
                document = mutated_rules(document, rng)
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
        else:
            path = chosen(document, rng)
            document = put(document, path, another(at(document, path), rng))
        if rng.random() < 0.5 and type(document) is dict:
            document = resealed(document)
    data = written(document).encode("utf-8", "surrogatepass")
    for _ in range(rng.choice([0, 0, 0, 0, 1, 2])):
        data = mutated_bytes(data, rng)
    return data
