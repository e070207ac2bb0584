// The dialog with the odds, limits and exact cost of each bet, or of some. A click on the list of prices opens
// it, and so do a spot's ⓘ, a long press and a key.
// The figures come from the server, and are applied to the player's stakes.

import { stakeOn } from "./game.js";
import { $, money, t } from "./page.js";

export class Prices {
  #drawn = null;

  /** `on`: remove(bet). */
  constructor(on) {
    for (const button of document.querySelectorAll("[data-prices]")) {
      button.addEventListener("click", () => this.show(...button.dataset.prices.split(" ").filter(Boolean)));
    }
    for (const button of document.querySelectorAll("[data-remove]")) {
      button.addEventListener("click", () => {
        on.remove(button.dataset.remove);
        $("prices").close();
      });
    }
    $("prices-close").addEventListener("click", () => $("prices").close());
    $("prices").addEventListener("click", ({ target }) => target === $("prices") && $("prices").close());
  }

  /** Show the prices of these bets; without any, of all. */
  show(...bets) {
    if (!$("prices").open) $("prices").showModal();
    this.#fill();
    for (const price of document.querySelectorAll("[data-price]")) price.classList.toggle("asked", bets.includes(price.dataset.price));
    $("prices").classList.toggle("some", bets.length > 0);
    $("prices").scrollTop = 0;
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
      const place = document.querySelector(`[data-price="${CSS.escape(bet.id)}"]`);
      if (wagers) place.querySelector(".price-back").hidden = !wagers.open || !wagers.stake(bet.id);
      place.querySelector(".price-hour").textContent =
        t(`table-${often}_${mine ? "mine" : "least"}`, { stake: money(stake), cost: of(bet.hour), spread: of(bet.hour_deviation) });
    }
  }
}
