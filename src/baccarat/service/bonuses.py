"""Bonus money after a settlement: what has met its terms is the player's own.

In goes the answer to a command at a table, whoever sent it: the clock, or a dealer. The one rule:
every settlement comes through here; what fails is done at the next one, at a payment out, or when
the player asks.
"""

import json

from baccarat.house import player_jobs
from baccarat.house.ports import Done, Result
from baccarat.service.world import World


async def release(world: World, result: Result) -> None:
    """Review the bonus money of everyone who staked some in the round that this has ended."""
    if not isinstance(result, Done) or result.repeated:
        return
    if b'"RoundSettled"' not in result.answer and b'"RoundCancelled"' not in result.answer:
        return
    events = json.loads(result.answer)["events"]
    settled = [one for one in events if one["type"] in ("RoundSettled", "RoundCancelled")]
    players = [
        one["player"] for event in settled for one in event["value"]["results"] if one.get("bonus")
    ]
    if players:
        await world.keeper.commit(*(player_jobs.review_bonus(one, world.clock) for one in players))
