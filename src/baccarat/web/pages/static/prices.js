// The dialog with the exact cost of each bet. A click on the list of prices or a key on a spot opens it.
// The figures come from the server, and are applied to the player's stakes.

import { stakeOn } from "./game.js";
import { $, money, t } from "./page.js";

export class Prices {
  #drawn = null;

  constructor() {
    for (const button of document.querySelectorAll("[data-prices]")) {
      button.addEventListener("click", () => this.show(button.dataset.prices));
    }
    $("prices-close").addEventListener("click", () => $("prices").close());
    $("prices").addEventListener("click", ({ target }) => target === $("prices") && $("prices").close());
  }

  /** Show the prices of all bets, scrolled to this one. */
  show(bet) {
    if (!$("prices").open) $("prices").showModal();
    this.#fill();
    for (const one of document.querySelectorAll(".price.asked")) one.classList.remove("asked");
    const place = bet ? document.querySelector(`[data-price="${CSS.escape(bet)}"]`) : null;
    place?.classList.add("asked");
    (place ?? $("prices-title")).scrollIntoView({ block: "nearest" });
  }

  draw(state, wagers) {
    this.#drawn = { state, wagers };
    if ($("prices").open) this.#fill();
  }

  /** The cost of an hour, or of a coup at a table with a dealer, at the player's stake or else the minimum. */
  #fill() {
    const { state, wagers } = this.#drawn;
    const often = state.layout.rounds_an_hour === null ? "coup" : "hour";
    for (const bet of state.layout.groups.flatMap((group) => group.bets)) {
      const mine = stakeOn(state, wagers, bet.id);
      const stake = mine || bet.minimum;
      const of = (millionths) => money(Math.round((stake * millionths) / 1_000_000));
      document.querySelector(`[data-price="${CSS.escape(bet.id)}"] .price-hour`).textContent =
        t(`table-${often}_${mine ? "mine" : "least"}`, { stake: money(stake), cost: of(bet.hour), spread: of(bet.hour_deviation) });
    }
  }
}
