"""Disputes over the API at a table without open ambiguities: answered, paid, listed."""

from datetime import UTC, datetime

import pytest

from baccarat.auditor import audit, read_store
from support.disputes import FRAGMENT, lose_a_round
from support.served import served

PAID, NOTHING = {"amount": 700, "reason": "We are sorry."}, {"reason": "The rule is clear."}
LISTED = {"question": "Is a Player bet kept?"}
RESOLVED = {"reason": "The sign is new."}
WITHDRAWN = {"reason": "There is no such sign."}


def opened(ann, *, win: bool = False, **more) -> str:
    """Lose or win a round and dispute it; return the address of the dispute for the pit."""
    number = lose_a_round(ann, win=win)
    body = {"reason": "the sign says so", **more}
    found = ann.post(f"/api/tables/fast/rounds/{number}/dispute", json=body)
    assert found.status_code == 201, found.text
    return f"/api/tables/fast/disputes/{number}/ann"


def code(response) -> str:
    return response.json()["code"]


@pytest.mark.requirement("R46", "G38")
def test_r46_a_dispute_in_the_players_own_words_from_opening_to_resolution(tmp_path):
    with (
        served(tmp_path) as house,
        house.player("ann", 50_000_000) as ann,
        house.player("bob", 1_000) as bob,
        house.colleague("boss") as boss,
        house.staff("cashier") as till,
        house.staff("pit") as pit,
    ):
        balance = lambda: ann.get("/api/me/balance").json()["real"]  # noqa: E731
        # Answered without payment, by one person.
        dispute = opened(ann)
        _shown(dispute, pit)
        for client in (ann, bob, till):
            assert code(client.post(f"{dispute}/answer", json=NOTHING)) == "not-allowed"
        assert pit.post(f"{dispute}/answer", json={**NOTHING, "amount": -1}).status_code == 422
        known = pit.post(f"{dispute}/answer", json=NOTHING).json()["dispute"]
        assert (known["decided"], known["answer"], known["paid"]) == (True, NOTHING["reason"], 0)
        # Paid by two people.
        dispute, before = opened(ann), balance()
        waits = pit.post(f"{dispute}/answer", json=PAID).json()["waits_for_second"]
        page = pit.get("/pit/decisions").text
        assert '<b class="badge is-open">1</b>' in page  # the dispute and its answer are one matter
        assert page.count(waits["proposal"]) == 2  # one form, to confirm or to withdraw it
        assert (waits["terms"]["amount"], waits["terms"]["answer"]) == (700, PAID["reason"])
        assert code(pit.post(f"{dispute}/answer", json=PAID)) == "needs-two-people"
        assert balance() == before
        confirm = {"X-Proposal": waits["proposal"]}
        other = {**PAID, "amount": 900}
        for changed in (other, {**PAID, "reason": "We are not sorry."}):
            found = boss.post(f"{dispute}/answer", json=changed, headers=confirm)
            assert code(found) == "stale-view"
        done = boss.post(f"{dispute}/answer", json=PAID, headers=confirm).json()
        assert (done["dispute"]["paid"], balance()) == (700, before + 700)
        (booked,) = (
            booking
            for booking in ann.get("/api/me/ledger").json()["bookings"]
            if booking["kind"] == "dispute"
        )
        assert booked["amounts"] == {"player:ann/real": 700}
        _listed(ann, bob, pit, boss)
        _withdrawn(ann, pit, boss)
        log = pit.get("/api/house/events", params={"topic": "override"}).text
        listed = ("AmbiguityListed", "ListedAmbiguityResolved", "ListedAmbiguityWithdrawn")
        for kind in ("DisputeAnswered", *listed):
            assert kind in log
    assert audit(read_store(f"sqlite:///{tmp_path}/house.db")).findings == []


def _shown(dispute: str, pit) -> None:
    """The pit sees the round as it was dealt, and can open it."""
    case, number = pit.get(dispute).json(), dispute.split("/")[-2]
    again = pit.get(f"/api/tables/fast/rounds/{number}").json()["events"]
    (result,) = (event for event in again if "coup" in event)
    found = tuple(case[name] for name in ("coup", "winner", "settled_at"))
    assert found == (result["coup"], result["winner"], again[-1]["at"])
    page = pit.get("/pit/decisions").text
    assert case["face"] in page
    assert f"<b>{case['winner'].capitalize()} wins</b>" in page
    assert f'href="/history/fast/{number}"' in page
    assert pit.get(f"/history/fast/{number}").status_code == 200


def list_readings(dispute: str, pit, boss) -> list[dict]:
    """List readings that can be replayed: the second person confirms what the page shows."""
    body = {**LISTED, "fragment": FRAGMENT}
    before = pit.get("/api/ambiguities").json()["ambiguities"]
    proposed = pit.post(f"{dispute}/ambiguity", json=body).json()
    assert (proposed["ambiguities"], proposed["waits_for_second"]) == (before, True)
    assert code(pit.post(f"{dispute}/ambiguity", json=body)) == "needs-two-people"
    waiting = boss.get("/api/pit").json()["waiting"]
    (asked,) = (one for one in waiting if one.get("subject", {}).get("kind") == "listing")
    assert asked["confirm"] == {"send": f"POST {dispute}/ambiguity", "body": body}
    page = boss.get("/pit/decisions").text
    assert f'data-send="POST {dispute.removeprefix("/api")}/ambiguity" data-keyed' in page
    head = {"X-Proposal": asked["proposal"]}
    other = {**body, "fragment": FRAGMENT + "#"}
    assert code(boss.post(f"{dispute}/ambiguity", json=other, headers=head)) == "stale-view"
    listed = boss.post(f"{dispute}/ambiguity", json=body, headers=head).json()
    assert listed["waits_for_second"] is False
    return listed["ambiguities"]


def _withdrawn(ann, pit, boss) -> None:
    """Readings listed by mistake: withdrawn by two people, who say why; the player sees it."""
    dispute = opened(ann)
    known = list_readings(dispute, pit, boss)
    name = next(one["id"] for one in known if one["resolved_at"] is None)
    address = f"/api/ambiguities/{name}/withdrawal"
    assert code(ann.post(address, json=WITHDRAWN)) == "not-allowed"
    reply = pit.post(address, json=WITHDRAWN).json()
    found = reply["ambiguities"]
    assert reply["waits_for_second"] is True
    waits = next(one["waits_for_second"] for one in found if one["id"] == name)
    assert waits["terms"]["kind"] == "withdraw-listed"
    assert code(pit.post(address, json=WITHDRAWN)) == "needs-two-people"
    page = boss.get("/pit/decisions").text
    assert page.count(f"POST /ambiguities/{name}/withdrawal") == 1  # the proposal is shown once
    states = [page.index(f'id="listed-{one}"') for one in (name, "L1")]
    assert states == sorted(states)  # open ones first
    head = {"X-Proposal": waits["proposal"]}
    found = boss.post(address, json=WITHDRAWN, headers=head).json()["ambiguities"]
    (known,) = (one for one in found if one["id"] == name)
    assert (known["withdrawal"], known["withdrawn_by"]) == (
        WITHDRAWN["reason"],
        ["the-pit", "boss"],
    )
    page = ann.get("/rules/punto-banco").text
    assert [f'id="listed-{one}"' in page for one in ("L1", name)] == [True, False]
    number = int(dispute.split("/")[-2])
    mine = ann.get(f"/api/tables/fast/rounds/{number}/dispute").json()
    (shown,) = mine["withdrawn"]
    assert (shown["id"], shown["withdrawal"]) == (name, WITHDRAWN["reason"])
    assert name not in [one["id"] for one in mine["listed"]]
    assert pit.post(f"{dispute}/answer", json=NOTHING).json()["waits_for_second"]
    assert boss.post(f"{dispute}/answer", json=NOTHING).json()["dispute"]["decided"]


def _listed(ann, bob, pit, boss) -> None:
    """List as text, then with readings; decide for the player; resolve; answer again."""
    first, second = opened(ann), opened(ann)
    for client in (ann, bob):
        assert code(client.post(f"{first}/ambiguity", json=LISTED)) == "not-allowed"
        assert code(client.get("/api/ambiguities")) == "not-allowed"
    nobody = first.replace("/ann", "/bob")
    assert code(pit.post(f"{nobody}/ambiguity", json=LISTED)) == "no-such-dispute"
    (known,) = pit.post(f"{first}/ambiguity", json=LISTED).json()["ambiguities"]
    assert (known["id"], known["card"], known["resolved_at"]) == ("L1", "punto-banco", None)
    assert code(pit.post(f"{first}/answer", json=NOTHING)) == "not-best"
    rules = "/rules/punto-banco?table=fast"
    assert LISTED["question"] in bob.get(rules).text
    assert RESOLVED["reason"] not in bob.get(rules).text
    bad = {**LISTED, "fragment": "[[ambiguity]]"}
    assert code(pit.post(f"{second}/ambiguity", json=bad)) == "bad-settings"
    listed = list_readings(second, pit, boss)
    assert [one["id"] for one in listed] == ["L1", "L2"]
    assert listed[1]["by"] == ["the-pit", "boss"]
    shown = pit.get(second).json()
    assert (shown["bound"], shown["proposed"]["due"]) == (True, 2_000)
    assert [one["id"] for one in shown["listed"]] == ["L1", "L2"]
    readings = {"readings": shown["proposed"]["readings"], "reason": "It was not clear."}
    waits = pit.post(f"{second}/decision", json=readings).json()
    assert (waits["dispute"]["decided"], bool(waits["waits_for_second"])) == (False, True)
    done = boss.post(f"{second}/decision", json=readings).json()
    assert done["dispute"]["paid"] == 2_000
    for client in (pit, boss):
        client.post(f"{first}/answer", json={**PAID, "amount": 2_000})
    won = opened(ann, win=True)
    page = pit.get("/pit/decisions").text
    assert (page.count("Decide: nothing more is due"), "£0.00</button>" in page) == (1, False)
    assert "settled at +£20.00" in page
    assert pit.get(won).json()["proposed"]["due"] == 0
    assert pit.post(f"{won}/decision", json=readings | {"readings": {"L2": "loses"}}).is_success
    number = lose_a_round(ann)
    wrong = {"reason": "so", "cites": "L7"}
    path = f"/api/tables/fast/rounds/{number}/dispute"
    assert code(ann.post(path, json=wrong)) == "nothing-open"
    for name in ("L1", "L2"):
        address = f"/api/ambiguities/{name}/resolution"
        assert code(ann.post(address, json=RESOLVED)) == "not-allowed"
        found = pit.post(address, json=RESOLVED).json()["ambiguities"]
        waits = {one["id"]: one["waits_for_second"] for one in found}[name]
        assert code(pit.post(address, json=RESOLVED)) == "needs-two-people"
        done = boss.post(address, json=RESOLVED, headers={"X-Proposal": waits["proposal"]})
        resolved_at = done.json()["ambiguities"][-1]["resolved_at"]
        assert code(boss.post(address, json=RESOLVED)) == "nothing-open"
    page = bob.get(rules).text
    assert page.count(RESOLVED["reason"]) == 2
    assert f'datetime="{datetime.fromtimestamp(resolved_at / 1000, UTC).isoformat()}"' in page
    assert all(
        ambiguity["resolved_at"] for ambiguity in pit.get("/api/ambiguities").json()["ambiguities"]
    )
    assert pit.post(f"{opened(ann)}/answer", json=NOTHING).json()["dispute"]["decided"]
