"""Refusals and problems: each has a message, with all the values that it needs."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import baccarat
from baccarat.house.people.names import RESERVED, check_name, check_no_imitation
from baccarat.house.people.roles import MAY, Account, Action, Role, check_may
from baccarat.house.people.weak_passwords import weakness
from baccarat.table.refusals import Refused
from baccarat.web.server.problems import ENGLISH, Fault, Problem
from baccarat.wording.catalogue import catalogue

PACKAGES = ("house", "service", "store", "web")
WHO = {
    Role.PLAYER: "players",
    Role.DEALER: "dealers",
    Role.SHOE: "the table's shoe",
    Role.PIT: "the pit",
    Role.CASHIER: "cashiers",
    Role.AUDITOR: "the auditor",
}


def raised() -> Iterator[tuple[str, str, str, set[str]]]:
    """Yield where a refusal or problem is made, its message, and the names of its values."""
    folder = Path(baccarat.__file__).parent
    english = {f"Fault.{fault.name}" for fault in ENGLISH}
    for path in (path for name in PACKAGES for path in sorted((folder / name).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            kind = {"Refused": "refusal", "Problem": "problem"}.get(node.func.id)
            if kind is None or ast.unparse(node.args[0]) in english:
                continue
            values = {each.arg for each in node.keywords} - {"headers"}
            keys = [each for each in ast.walk(node.args[1]) if isinstance(each, ast.Constant)]
            for key in keys:
                yield f"{path.name}:{node.lineno}", f"{kind}-{key.value}", str(kind), values


def test_every_refusal_and_problem_has_its_message_and_its_values():
    found = list(raised())
    assert len(found) > 100
    t = catalogue()
    assert [f"{where} {key}" for where, key, _, _ in found if key not in t] == []
    lacking = [f"{where} {key}" for where, key, _, given in found if not t.variables(key) <= given]
    assert lacking == []


def test_every_message_is_used():
    path = Path(baccarat.__file__).parent / "wording" / "locale" / "en" / "refusals_house.ftl"
    messages = {
        line.split(" =")[0] for line in path.read_text("utf-8").splitlines() if " = " in line
    }
    mine = {key for key in messages if key.startswith(("refusal-", "problem-"))}
    by_name = {  # raised in a ValueError, chosen in a variable, or taken by response_to
        *("refusal-excluded-until", "refusal-excluded-returning", "refusal-self-excluded"),
        *("problem-store-unavailable", "problem-internal", "problem-audit-took-too-long"),
        *("problem-unprintable", "problem-bad-date"),
        *("problem-value-missing", "problem-value-not-whole"),
        *("problem-value-too-short", "problem-value-too-long"),
        *("problem-value-too-small", "problem-value-too-large"),
    }
    assert mine - {key for _, key, _, _ in raised()} == by_name


@pytest.mark.parametrize("action", Action)
def test_a_refusal_names_the_roles_that_are_permitted(action):
    other = next(role for role in Role if action not in MAY[role])
    with pytest.raises(Refused) as refused:
        check_may(Account("ann", other, "Ann"), action)
    words = str(refused.value)
    assert words.startswith("Only ")
    for role, who in WHO.items():
        assert (who in words.split(" can ")[0].split(" have ")[0]) == (action in MAY[role]), words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "Use 1 to 40 characters for a name."),
        ("a" * 41, "Use 1 to 40 characters for a name."),
        ("An\u115fn", "contains invisible characters. Remove them."),
        ("Ann  B", "The name Ann  B has extra spaces. Use single spaces between words."),
        ("Ａnn", "contains special forms of letters. Use ordinary ones."),
        ("--", "The name -- needs a letter or a digit."),
        ("q\u0323\u0325\u0331", "has too many accents on one letter. Remove some."),
        ("Аnn", "mixes letters from several alphabets. Use only one."),
    ],
)
def test_a_refused_name_is_explained(name, words):
    with pytest.raises(Refused) as refused:
        check_name(name)
    assert str(refused.value).endswith(words)


def test_a_name_of_the_house_is_refused():
    for name in RESERVED:
        with pytest.raises(Refused, match=r"looks like a name used by the house\. Choose another"):
            check_no_imitation(name)


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("x ann smith x", "This password contains your account ID or name."),
        ("smith12", "This password is little more than your name."),
        ("19900505", "This password is a short number."),
        ("Password1!", "This password is one of the most common."),
        ("abcabcabc", "This password is a keyboard pattern or repeats itself."),
    ],
)
def test_a_weak_password_is_explained(password, words):
    why = weakness(password, "ann-smith", "Ann Smith")
    problem = Problem(Fault.WEAK_PASSWORD, "weak-password", why=why)
    advice = "Choose another, such as a few words that only you would put together."
    assert str(problem) == f"{words} {advice}"
