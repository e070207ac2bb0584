// What a bet costs, exactly: one click from the list of prices, one key from the spot. The figures
// were written by the server; the stakes are mine.

import { money, t } from "./page.js";

const $ = (id) => document.getElementById(id);

export class Prices {
  #drawn = null;

  constructor() {
    for (const button of document.querySelectorAll("[data-prices]")) {
      button.addEventListener("click", () => this.show(button.dataset.prices));
    }
    $("prices-close").addEventListener("click", () => $("prices").close());
    $("prices").addEventListener("click", ({ target }) => target === $("prices") && $("prices").close());
  }

  /** The prices of all bets, this one first to be seen. */
  show(bet) {
    if (!$("prices").open) $("prices").showModal();
    this.#fill();
    for (const one of document.querySelectorAll(".price.asked")) one.classList.remove("asked");
    const place = bet ? document.querySelector(`[data-price="${CSS.escape(bet)}"]`) : null;
    place?.classList.add("asked");
    (place ?? $("prices-title")).scrollIntoView({ block: "nearest" });
  }

  draw(state, wagers) {
    this.#drawn = { layout: state.layout, wagers };
    if ($("prices").open) this.#fill();
  }

  /** An hour at my stake, or at the smallest one while there is none. */
  #fill() {
    const { layout, wagers } = this.#drawn;
    for (const bet of layout.groups.flatMap((group) => group.bets)) {
      const mine = wagers?.stake(bet.id) ?? 0;
      const stake = mine || bet.minimum;
      const of = (millionths) => money(Math.round((stake * millionths) / 1_000_000));
      document.querySelector(`[data-price="${CSS.escape(bet.id)}"] .price-hour`).textContent =
        t(mine ? "table.hour_mine" : "table.hour_least", { stake: money(stake), cost: of(bet.hour), spread: of(bet.hour_deviation) });
    }
  }
}
