"""Results of rounds that a test sends to a table's page itself, instead of waiting for cards."""

import json
from dataclasses import dataclass, field

from playwright.sync_api import WebSocketRoute

from support.visits import Visit

WATCH = """
  window.flights = []; window.tones = []; window.properties = new Set(); window.balances = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...of) {
    if (this.matches(".flight")) window.flights.push(of[0].at(-1).opacity === 0 ? "taken" : "paid");
    return animate.apply(this, of);
  };
  window.OscillatorNode = class extends OscillatorNode {
    constructor(audio, options) { super(audio, options); window.tones.push(options.frequency); }
  };
  window.announced = [];
  addEventListener("DOMContentLoaded", () => {
    const region = document.getElementById("announce");
    const hear = (changes) => changes.flatMap((change) => [...change.addedNodes])
      .forEach((one) => window.announced.push(one.textContent));
    if (region) new MutationObserver(hear).observe(region, { childList: true });
  });
  const own = ["offset", "computedOffset", "easing", "composite"];
  const look = () => {
    for (const one of document.getAnimations()) {
      for (const frame of one.effect.getKeyframes()) {
        for (const name of Object.keys(frame)) {
          if (!own.includes(name)) window.properties.add(name);
        }
      }
    }
    const shown = document.getElementById("balance")?.textContent;
    if (shown && window.balances.at(-1) !== shown) window.balances.push(shown);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""
"""Records flying chips, tones, announcements, animated properties and what the balance shows."""


@dataclass
class Table:
    """A visit to a table whose results are sent by the test."""

    me: Visit
    lines: list[WebSocketRoute] = field(default_factory=list)
    sent: int = 0

    def begin(self) -> None:
        page = self.me.page
        page.add_init_script(WATCH)
        page.route_web_socket("**/events**", lambda line: self.lines.append(line))
        self.me.sits_down("open")
        self.sent = page.evaluate("JSON.parse(island.textContent).view.sequence")
        page.wait_for_timeout(200)

    def settles(
        self, winner: str, totals: tuple[int, int], wagers: list[dict], cards: str = ""
    ) -> None:
        """Send the result of a round; `cards` are dealt to Player and Banker in turn."""
        page, number = self.me.page, int(self.me.text("#round"))
        net = sum(wager["net"] for wager in wagers)
        real = 100_000 + sum(wager["stake"] + wager["net"] for wager in wagers)
        money = {"bonus": 0, "sitting": None, "in_play": 0, "reported": []}
        page.unroute_all()
        page.route("**/mine", lambda it: it.fulfill(json={"real": real, **money}))
        page.evaluate("for (const one of [flights, tones, balances, announced]) one.splice(0)")
        dealt = [
            {"hand": ("player", "banker")[place % 2], "card": card, "position": place, "proof": []}
            for place, card in enumerate(cards.split())
        ]
        both = dict(zip(("player", "banker"), totals, strict=True))
        coup = "P:={} B:={}".format(*totals)
        decided = {"winner": winner, "round": number, "coup": coup}
        frame = {
            "after": self.sent,
            "through": self.sent + 2,
            "hash": "",
            "events": [
                {"sequence": self.sent + place, "type": name, "at": 0, "round": number} | more
                for place, name, more in (
                    (1, "CoupDecided", {"winner": winner}),
                    (2, "RoundSettled", {}),
                )
            ],
            "view": {
                "phase": "settled",
                "call": "settled",
                "round": number,
                "cards": dealt,
                "totals": both,
                "decided": decided,
                "last": decided,
            },
            "mine": {
                "round": number,
                "wagers": [],
                "result": wagers,
                "net": net if wagers else None,
            },
        }
        self.sent += 2
        self.lines[-1].send(json.dumps(frame))
        self.me.until("settled")
        page.wait_for_timeout(2500)

    def seen(self, what: str):
        return self.me.page.evaluate(f"[...{what}]")
