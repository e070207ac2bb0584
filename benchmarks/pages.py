"""Measure the cost of the table page in a browser: python benchmarks/pages.py

This serves a house with one fast table and visits the table with Chromium, which must be installed.
It measures the bytes transferred, first paint, layout shift, frame times while cards and chips
move, the main thread's CPU time per card, and the time from the timestamp of an event (by the
server's clock) to the pixels that show it. First paint and frame times have limits relative to a
plain document and to the same page at rest, in the same run.
"""

import json
import shutil
import statistics
import tempfile
import threading
import time
from typing import Any

from playwright.sync_api import Page, sync_playwright

from baccarat.house.housefile import House
from baccarat.house.table_plans import TablePlan
from baccarat.service.event_loop import run_loop
from baccarat.table.rules import rules_text
from baccarat.table.settings import Clock, Settings
from baccarat.web.server.process import listening_at, serve

ROUNDS = 6
LARGEST = 150_000
"""Maximum bytes transferred for the page."""
PAINTED = 8
"""Maximum first paint, relative to a plain document from the same server."""
MOVING = 1.25
"""Maximum mean frame time while cards and chips move, relative to the page at rest."""
SHIFTED = 0.001
"""Maximum layout shift."""
PLAIN = "/api/tables"
CLOCK = Clock(betting=1_000, card=800, pause=800)

PAINTS = """() => new Promise((done) => {
  new PerformanceObserver((list) => {
    const first = list.getEntries().find((one) => one.name === "first-contentful-paint");
    if (first) done(first.startTime);
  }).observe({ type: "paint", buffered: true });
})"""

# The time at which a card is drawn is recorded in the next frame; its event says when it was dealt.
WATCH = """() => {
  window.lags = []; window.frames = { moving: [], resting: [] }; window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
  }).observe({ type: "layout-shift" });
  let last = performance.now();
  const frame = (now) => {
    const moving = document.getAnimations().some((one) => one.effect.target.closest(".felt"));
    window.frames[moving ? "moving" : "resting"].push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const slots = document.querySelector(".hands");
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]);
    const dealt = added.some((one) => one.classList?.contains("card"));
    if (dealt) requestAnimationFrame(() => window.lags.push(Date.now()));
  }).observe(slots, { childList: true, subtree: true });
}"""

BET = """() => {
  if (document.querySelector(".stake")) return;
  for (const bet of ["player", "tie"]) {
    document.querySelector(`[data-phase="open"] [data-bet="${bet}"]`)?.click();
  }
}"""
"""Places bets once in each round, so that chips move at its end."""


def main() -> None:
    plan = TablePlan(
        "quick", "Quick", Settings(rules_text("punto-banco-2000"), clock=CLOCK), guests=True
    )
    house = House("The house", "GBP", 100_000, (plan,))
    with tempfile.TemporaryDirectory() as folder, listening_at("127.0.0.1", 0) as at:
        addresses: list[str] = []
        running = serve(
            house,
            store=f"sqlite:///{folder}/house.db",
            key=lambda _: bytes(32),
            at=at,
            announce=addresses.append,
            warn=print,
        )
        threading.Thread(target=run_loop, args=(running,), daemon=True).start()
        while not addresses:
            time.sleep(0.05)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            context = browser.new_context(
                base_url=addresses[0], viewport={"width": 1440, "height": 900}
            )
            context.request.post("/api/guests")
            report(context.new_page())
            browser.close()


def report(page: Page) -> None:
    sizes: list[int] = []
    events: list[int] = []

    def received(frame: Any) -> None:
        received = json.loads(frame)["events"]
        events.extend(one["at"] for one in received if one["type"] == "CardDealt")

    page.on("requestfinished", lambda one: sizes.append(sum(_bytes(one.sizes()))))
    page.on("websocket", lambda socket: socket.on("framereceived", received))
    for _ in range(2):  # the first visit starts the browser's processes
        page.goto(PLAIN)
    plain = page.evaluate(PAINTS)
    sizes.clear()
    page.goto("/tables/quick")
    page.wait_for_selector("html[data-ready]")
    transferred, painted = sum(sizes), page.evaluate(PAINTS)
    print(f"transferred      {transferred:>9,} bytes in {len(sizes)} requests")
    print(f"first paint      {painted:>9.0f} ms; {painted / plain:.1f} times a plain document's")
    page.evaluate(WATCH)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    busy, began = busy_of(session), len(events)
    while len(events) < ROUNDS * 5:
        page.evaluate(BET)
        page.wait_for_timeout(200)
    page.wait_for_timeout(500)
    per_card = (busy_of(session) - busy) * 1000 / (len(events) - began)
    shifted, lags = page.evaluate("[window.shifted, window.lags]")
    moving, resting = page.evaluate("[window.frames.moving, window.frames.resting]")
    slower = statistics.mean(moving) / statistics.mean(resting)
    took = sorted(drawn - at for at, drawn in zip(events[-len(lags) :], lags, strict=False))
    print(f"layout shift     {shifted:>9.4f}")
    print(f"frames a second  {1000 / statistics.mean(moving):>9.1f} while cards and chips move")
    print(f"frame time       {slower:>9.2f} times that of the page at rest")
    print(f"main thread      {per_card:>9.1f} ms of CPU time per card in total")
    print(f"slow frames      {sum(frame > 34 for frame in moving):>9} of {len(moving)}")
    print(
        f"event to pixels  {took[len(took) // 2]:>9} ms median, {took[len(took) * 95 // 100]} p95"
    )
    assert transferred < LARGEST, f"the page takes {transferred} bytes: must be at most {LARGEST}"
    assert painted < PAINTED * plain, f"first paint after {painted:.0f} ms"
    assert shifted < SHIFTED, f"the layout shifts by {shifted}"
    assert slower < MOVING, f"frames take {slower:.2f} times as long while something moves"


def busy_of(session: Any) -> float:
    """Return the CPU time of the page's main thread in seconds, which load does not affect."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float({metric["name"]: metric["value"] for metric in metrics}["TaskDuration"])


def _bytes(sizes: Any) -> tuple[int, int]:
    return sizes["responseHeadersSize"], sizes["responseBodySize"]


if __name__ == "__main__":
    main()
