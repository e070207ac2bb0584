"""Writes the golden evenings: make golden

One short evening for each kind of table, as a guest, a player, a dealer and the pit read it: every
event, and every fact of their views that changed, with those who read it. After a change to what
tables show or do, regenerate them and read the diff before committing it.
"""

import asyncio
from pathlib import Path
from typing import NamedTuple

from baccarat.shoe.commitment import Source
from baccarat.shoe.contributions import contribution_of
from baccarat.table.settings import Clock, Excess, Settings
from support.by_hand import hand_settings
from support.golden_evening import Evening, Script, played
from support.live import settings_for

HERE = Path(__file__).parent / "evenings"
CLOCK = Clock(betting=20_000, card=1_500, pause=5_000)
CONTRIBUTED = Clock(betting=20_000, card=1_500, pause=5_000, contribute=10_000, reveal=10_000)
SECRET = bytes(range(32))
TIE = 34
"""A seed whose second coup is a tie, eight all."""


async def shoe(evening: Evening) -> None:
    """A shoe to which a player contributes; a bet, a refusal, and a round that nobody bets on."""
    player, guest = evening.player, evening.guest
    found = await player.view()
    commitment = contribution_of(bytes.fromhex(found["shoe"]["commitment"]), SECRET)
    await evening.moment(
        "the player contributes to the shoe",
        player.sends("POST", "contributions", {"commitment": commitment.hex()}),
    )
    await asyncio.sleep(10)
    await evening.moment(
        "the player reveals the contribution",
        player.sends("PUT", "contributions", {"secret": SECRET.hex()}),
    )
    await evening.until("open", "the first round opens")
    await evening.moment("the guest bets less than the minimum", guest.bets(tie=100))
    await evening.moment("both bet", player.bets(banker=2_000, tie=500), guest.bets(player=2_500))
    await evening.moment("the player bets more on the tie", player.bets(banker=2_000, tie=1_000))
    await evening.until("closed", "betting closes")
    await evening.moment("the guest bets too late", guest.bets(player=5_000))
    await evening.until("settled", "the coup is dealt and settled")
    await evening.until("open", "the next round opens")
    await evening.until("settled", "nobody bets, and the coup is dealt")


async def shuffler(evening: Evening) -> None:
    """A shuffler, refilled for every coup; the pit pauses the table and cancels a round."""
    player, guest, pit = evening.player, evening.guest, evening.pit
    await evening.moment(
        "both bet", player.bets(banker=2_000, fortune_six=500), guest.bets(tie=500)
    )
    await evening.until("settled", "the coup is dealt and settled")
    await evening.until("open", "the next round opens")
    await evening.moment("the guest bets", guest.bets(player=2_500))
    reason = {"reason": "a glass was spilled"}
    await evening.moment("the pit pauses the table", pit.sends("POST", "pause", reason))
    cancel = pit.sends("POST", "rounds/2/cancel", {"reason": "shuffler-fault"})
    await evening.moment("the pit cancels the round", cancel)
    await evening.moment("the pit resumes the table", pit.sends("POST", "resume"))


async def real_cards(evening: Evening) -> None:
    """Real cards: a coup, a card on the wrong side, and an error that a player reports."""
    guest, player, dealer, pit = evening.people.values()
    await evening.moment(
        "the dealer takes the table and begins a shoe",
        dealer.calls("take-table"),
        dealer.sends("POST", "shoe"),
    )
    await evening.moment("place your bets", dealer.calls("place-your-bets"))
    await evening.moment("both bet", player.bets(banker=2_000, tie=500), guest.bets(player=2_500))
    await evening.moment("no more bets", dealer.calls("no-more-bets"))
    await evening.moment("four cards", dealer.deals("5h 7s Kd 5c"))
    await evening.moment("both draw", dealer.deals("3c 4s"))
    await evening.moment("the result", dealer.calls("result"))
    await evening.moment("the dealer pays", dealer.calls("pay"))
    await evening.moment(
        "the player reports an error",
        player.sends("POST", "rounds/1/errors", {"reason": "the last card was a 9"}),
    )
    await evening.moment(
        "the pit finds none",
        pit.sends("POST", "rounds/1/errors/dismissal", {"reason": "it was a 4", "reports": 1}),
    )
    await evening.moment(
        "a second round, and a card on the wrong side",
        dealer.calls("place-your-bets"),
        dealer.calls("no-more-bets"),
        dealer.deals("6h"),
        dealer.sends("POST", "cards", {"card": "9d", "hand": "player"}),
    )
    await evening.moment("the dealer puts it right", dealer.sends("POST", "rectification", {}))
    await evening.moment(
        "the dealer proposes a dummy round",
        dealer.sends("POST", "dummy", {"round": 2, "reason": "foreign-card", "words": "torn card"}),
    )
    cancel = pit.sends("POST", "rounds/2/cancel", {"reason": "foreign-card"})
    await evening.moment("the pit confirms it", cancel)


async def card_returned(evening: Evening) -> None:
    """Real cards: one card too many is returned and the next coup is dealt without bets."""
    guest, dealer = evening.guest, evening.dealer
    await evening.moment(
        "a coup in which the dealer draws a card too many",
        dealer.calls("take-table"),
        dealer.sends("POST", "shoe"),
        dealer.calls("place-your-bets"),
        guest.bets(player=2_500),
        dealer.calls("no-more-bets"),
        dealer.deals("6h Kd 2c Ks"),
        dealer.sends("POST", "cards", {"card": "9s", "round": 1, "place": 5}),
    )
    await evening.moment("the dealer puts it right", dealer.sends("POST", "rectification", {}))
    await evening.moment("the round is paid", dealer.calls("result"), dealer.calls("pay"))
    await evening.moment("a coup without bets", dealer.calls("place-your-bets"))
    await evening.moment("the guest bets all the same", guest.bets(player=2_500))
    await evening.moment(
        "it is dealt",
        dealer.calls("no-more-bets"),
        dealer.deals("9s Kh Kc Qs"),
        dealer.calls("result"),
        dealer.calls("pay"),
    )


async def double_chance(evening: Evening) -> None:
    """Double Chance: the player and the pit agree on terms; a guest accepts the standing offer."""
    player, guest, pit = evening.player, evening.guest, evening.pit
    asked, offered = ({"values": {"double_chance": value}} for value in ("8%", "5%"))
    await evening.moment("the player asks for terms", player.sends("POST", "agreement", asked))
    offer = pit.sends("POST", "agreements/player", offered)
    await evening.moment("the pit offers others", offer)
    accept = player.sends("POST", "agreement/confirm", offered)
    await evening.moment("the player accepts", accept)
    await evening.moment("both bet", player.bets(player=2_000), guest.bets(player=2_000))
    accepts = guest.bets({"double_chance": "2%"}, player=2_000)
    await evening.moment("the guest accepts the standing offer", accepts)
    await evening.until("settled", "the coup is settled")
    await evening.until("open", "the next round opens")
    bets = {"player": 2_000, "ur_way_8": 500}
    await evening.moment("both bet the same", player.bets(**bets), guest.bets(**bets))
    await evening.until("settled", "a tie, which pays on the terms of each")
    await evening.moment("the player ends the agreement", player.sends("DELETE", "agreement"))


class Kind(NamedTuple):
    """A kind of table: its settings, what happens there, and the seed of its cards."""

    settings: Settings
    script: Script
    seed: int = 1


EVENINGS = {
    "shoe": Kind(settings_for("punto-banco", decks=8, clock=CONTRIBUTED), shoe),
    "shuffler": Kind(
        settings_for("fortune-six", decks=8, clock=CLOCK, source=Source.SHUFFLER), shuffler
    ),
    "real-cards": Kind(hand_settings(), real_cards),
    "card-returned": Kind(hand_settings(excess=Excess.RETURNED), card_returned),
    "double-chance": Kind(
        settings_for("double-chance", decks=8, clock=CLOCK), double_chance, seed=TIE
    ),
}


def golden_evening(name: str) -> str:
    kind = EVENINGS[name]
    return f"# {kind.script.__doc__}\n\n{played(*kind)}"


if __name__ == "__main__":
    for name in EVENINGS:
        (HERE / f"{name}.txt").write_text(golden_evening(name), encoding="utf-8")
