"""Schemathesis over the OpenAPI document: every answer to every visitor is a documented one.

It generates valid and malformed requests; each is sent to a real server by every kind of permitted
visitor and by one who is not permitted, and answers are checked against the document. (Permissions
are tested in test_api.py.) Requests come from a fixed seed.
`EXAMPLES=100 pytest tests/web/test_openapi.py` makes more of them.
"""

import contextlib
import re
from collections import defaultdict

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks as openapi

from baccarat.auditor import audit, read_store
from baccarat.house.people import sign_in_lock
from baccarat.house.people.roles import MAY, Action, Role
from baccarat.table.codec import to_plain
from baccarat.web.identity.visitors import COOKIE
from baccarat.web.server.app import ROUTERS, documented, rule_of
from baccarat.web.server.problems import MEDIA_TYPE
from baccarat.web.server.site import Anyone
from baccarat.web.views.tables import view_of
from support.samples import amount
from support.served import Served, served

EXAMPLES = amount("EXAMPLES")
"""Examples for each endpoint and kind of request; half as many malformed ones, which are slow."""
PATIENCE = 120
"""Seconds to wait for an answer: generous, so that a busy machine does not fail a test."""
VISITORS = ["nobody", "guest", *Role]
CHECKS = [
    checks.not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_headers_conformance,
    openapi.response_schema_conformance,
    openapi.negative_data_rejection,
]
KNOWN = {"table": "open", "who": "the-player", "number": 1, "round": 1, "bet": "player"}
"""Existing values, which random ones would never match."""
KINDS = {
    "known names": (GenerationMode.POSITIVE, KNOWN),
    "any names": (GenerationMode.POSITIVE, {}),
    "known names, malformed": (GenerationMode.NEGATIVE, KNOWN),
    "malformed": (GenerationMode.NEGATIVE, {}),
}


def with_examples(examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("house")
    with served(folder) as running, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sign_in_lock, "MAX_WRONG", 10**9)  # more than ten wrong passwords are sent
        patch.setattr(sign_in_lock, "MAX_ANYWHERE", 10**9)
        yield running
    assert audit(read_store(f"sqlite:///{folder}/house.db")).findings == []


@pytest.fixture(scope="module")
def document(house):
    with house.client() as client:
        found = client.get("/openapi.json").json()
    # Credentials are not generated: each visitor sends their own.
    made = {"base-url": house.address, "generation": {"with-security-parameters": False}}
    config = SchemathesisConfig.from_dict(made)
    return schemathesis.openapi.from_dict(found, config=config)


@pytest.fixture(scope="module")
def visitors(house):
    return {who: headers_of(house, who) for who in VISITORS}


def headers_of(house: Served, who: str) -> dict[str, str]:
    """Return the headers of a visitor's requests."""
    if who == "nobody":
        return {}
    with house.guest() if who == "guest" else house.staff(who) as client:
        token, cookie = client.headers["X-CSRF-Token"], client.cookies[COOKIE]
    return {"X-CSRF-Token": token, "Cookie": f"{COOKIE}={cookie}"}


def operations(document) -> list:
    return [found.ok() for found in document.get_all_operations()]


def cases(operation, mode, known):
    given = {p.name: known[p.name] for p in operation.path_parameters if p.name in known}
    return operation.as_strategy(generation_mode=mode, path_parameters=given or None)


def filled_in(body, known):
    """Return the body with existing values where it names such things."""
    if isinstance(body, list):
        return [filled_in(one, known) for one in body]
    if isinstance(body, dict):
        return {name: known.get(name, filled_in(one, known)) for name, one in body.items()}
    return body


RULES = {
    f"{method} {route.path}": rule_of(route).rule
    for router in ROUTERS
    for route in router.routes
    for method in route.methods
}


def is_let_in(who: str, rule: Action | Anyone) -> bool:
    if rule in (Anyone.OPERATIONS, Anyone.SHOE):
        return False
    if isinstance(rule, Anyone):
        return rule is Anyone.EVERYBODY or who != "nobody"
    return who != "nobody" and rule in MAY[Role.PLAYER if who == "guest" else Role(who)]


def chances(who: str) -> int:
    return sum(is_let_in(who, rule) for rule in RULES.values())


def senders(turn: int, label: str, mode: GenerationMode, met: dict[str, set[int]]) -> list[str]:
    """Return all visitors permitted at an endpoint, and in turn one who is not: first one not
    refused anywhere yet, with the most permissions. A malformed request is malformed for all, so
    one permitted visitor sends it, in turn: first one who has not sent any yet, with the fewest
    permissions."""
    let_in, denied = [], []
    for who in VISITORS:
        (let_in if is_let_in(who, RULES[label]) else denied).append(who)
    if mode is GenerationMode.NEGATIVE and let_in:
        waiting = [who for who in let_in if 422 not in met[who]]
        let_in = [min(waiting, key=chances) if waiting else let_in[turn % len(let_in)]]
    if fresh := [who for who in denied if not met[who] & {401, 403}]:
        return [*let_in, max(fresh, key=chances)]
    return let_in + ([denied[turn % len(denied)]] if denied else [])


def signs_out(case) -> bool:
    return case.method == "DELETE" and case.path.endswith("/session")


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_matches_the_document(house, document, visitors, kind):
    (mode, known), met = KINDS[kind], defaultdict(set)
    with requests.Session() as session:
        for turn, operation in enumerate(operations(document)):
            sending = senders(turn, operation.label, mode, met)

            @with_examples(EXAMPLES if mode is GenerationMode.POSITIVE else -(-EXAMPLES // 2))
            @given(case=cases(operation, mode, known))
            def send(case):
                if mode is GenerationMode.POSITIVE:
                    case.body = filled_in(case.body, known)
                for who in sending:  # noqa: B023  (sent before the next one is made)
                    mine = headers_of(house, who) if signs_out(case) else visitors[who]
                    session.cookies.clear()
                    answer = case.call(session=session, headers=mine, timeout=PATIENCE)
                    met[who].add(answer.status_code)
                    case.validate_response(answer, checks=CHECKS, headers=mine)

            with contextlib.suppress(Unsatisfiable):  # nothing in it can be malformed
                send()
    # Each visitor has been permitted somewhere and refused somewhere.
    assert all(codes & {403, 401} for codes in met.values()), met
    if mode is GenerationMode.POSITIVE:
        assert all(codes & {200, 201, 204} for codes in met.values()), met
    else:
        assert all(422 in codes for codes in met.values()), met


def test_documented_credentials_are_those_required(house):
    reply = documented()
    known = {"session", "csrf_token", "operations_token", "shoe_key"}
    assert set(reply["components"]["securitySchemes"]) == known
    known = {"table": "open", "who": "the-player", "number": "1", "shoe": "0" * 32}
    with house.client() as stranger, house.guest() as guest:
        del guest.headers["X-CSRF-Token"]
        for path, method in ((path, one) for path, ways in reply["paths"].items() for one in ways):
            shown, label = reply["paths"][path][method]["security"], f"{method.upper()} {path}"
            assert (shown == []) == (RULES[label] is Anyone.EVERYBODY), label
            if shown == []:
                continue
            asked = re.sub(r"\{(\w+)\}", lambda part: known.get(part[1], "x"), path)
            by_token = {"operations_token", "shoe_key"} & set(shown[0])
            without = "needs-token" if by_token else "not-signed-in"
            assert stranger.request(method, asked).json()["code"] == without, label
            refused = guest.request(method, asked)
            lacks_token = refused.is_error and refused.json()["code"] == "no-csrf-token"
            assert lacks_token == ("csrf_token" in shown[0]), label


def _broken(*_, **__):
    raise ZeroDivisionError


async def _without_a_key(*args):
    reply = to_plain(await view_of(*args))
    del reply["phase"]
    return reply


def _of_another_form(*_, **__):
    from fastapi import Response

    return Response('{"code": 5}', 404, media_type=MEDIA_TYPE)


@pytest.mark.parametrize(
    ("where", "defect"),
    [
        ("baccarat.web.views.tables.table_view", _broken),
        ("baccarat.web.api.tables.view_of", _without_a_key),
        ("baccarat.web.server.problems.problem", _of_another_form),
    ],
)
def test_a_planted_defect_is_found(document, monkeypatch, where, defect):
    monkeypatch.setattr(where, defect)
    (operation,) = (one for one in operations(document) if one.label.endswith("/tables/{table}"))
    known = {"table": "nowhere" if defect is _of_another_form else "open"}

    @with_examples(1)
    @given(case=cases(operation, GenerationMode.POSITIVE, known))
    def send(case):
        case.validate_response(case.call(), checks=CHECKS)

    with pytest.raises(FailureGroup):
        send()
