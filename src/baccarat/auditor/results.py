"""Computes a player's result in a round by the rules, and compares it with the recorded result."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from baccarat.auditor.amounts import money
from baccarat.auditor.books import Body
from baccarat.auditor.coups import Facts, endings
from baccarat.auditor.rules import Rules


def by_player(results: Sequence[Body]) -> dict[str, Body]:
    return {result["player"]: result for result in results}


def results_due(game: Rules | None, facts: Facts, placed: Body) -> list[Body]:
    """Return the results of a player's wagers by the rules; `net` is None if it cannot be paid."""
    return [
        {**bet, "net": game and game.net(bet["bet"], bet["stake"], facts, placed["agreed"])}
        for bet in placed["wagers"]
    ]


def returned(results: Sequence[Body]) -> int:
    return sum(result["stake"] + (result["net"] or 0) for result in results)


def cancellation_results(
    game: Rules | None, hands: Mapping[str, Sequence[str]], placed: Body
) -> list[Body]:
    """Return a player's results in a cancelled round.

    The stakes are returned. If a game is given, wins that no further card could have changed are
    paid as well.
    """

    def sure(bet: str, stake: int) -> int | None:
        if game is None:
            return 0
        odds: Fraction | None = None
        for facts in endings(game.tableau, hands, game.further_cards(bet, hands)):
            found = game.odds(bet, facts, placed["agreed"])
            if not found or found != (odds or found):
                return 0
            odds = found
        return game.payout(stake, odds) if odds else 0

    return [{**bet, "net": sure(bet["bet"], bet["stake"])} for bet in placed["wagers"]]


def wrong_result(player: str, due: Body, recorded: Sequence[Body]) -> str:
    """Return a finding about a wager whose recorded result is not what the rules give."""
    shown = " and ".join(
        money(other.get("net"))
        + (
            ""
            if other.get("stake") == due["stake"]
            else f" for a stake of {money(other.get('stake'))}"
        )
        for other in recorded
        if other.get("bet") == due["bet"]
    )
    gives = "an amount that cannot be paid" if due["net"] is None else f"{money(due['net'])} net"
    wager = f"{player}'s {money(due['stake'])} on {due['bet']}"
    return f"{wager} is recorded as {shown or 'no result'}, but the rules give {gives}"
