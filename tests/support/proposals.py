"""Proposals that wait for a second person, as clients see them."""

from typing import Any

import httpx


def waiting(client: httpx.Client) -> list[dict[str, Any]]:
    """Return the proposals that the pit sees or, to a cashier, those about cash."""
    answer = client.get("/api/pit")
    if answer.status_code == 403:
        answer = client.get("/api/cashier/proposals")
    return [matter for matter in answer.json()["waiting"] if matter["kind"] == "proposal"]


def subjects(client: httpx.Client) -> list[dict[str, Any]]:
    return [one["subject"] for one in waiting(client)]


def seen(client: httpx.Client, subject: dict[str, Any]) -> dict[str, str]:
    """Return the header that confirms the proposal on a subject that the client sees now."""
    (found,) = [one["proposal"] for one in waiting(client) if one["subject"] == subject]
    return {"X-Proposal": found}


def withdraw(client: httpx.Client, subject: dict[str, Any]) -> None:
    """Withdraw the proposal on a subject."""
    path = f"/api/proposals/{seen(client, subject)['X-Proposal']}"
    assert client.delete(path).status_code == 204


def account(who: str) -> dict[str, Any]:
    return {"kind": "account", "account": who}


def cash(player: str) -> dict[str, Any]:
    return {"kind": "cash", "player": player}


def bonus(player: str) -> dict[str, Any]:
    return {"kind": "bonus", "player": player}
