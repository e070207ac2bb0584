// The rhythm of a table: asking for the cards before the betting time is over, and the end of a shoe.

import { api, attempt } from "./api.js";
import { $, h, t } from "./page.js";

/** The button with which a player asks for the cards. The house decides when everyone has asked. */
export class DealNow {
  #button = $("deal-now");
  #state = null;

  constructor(table, { refused }) {
    this.#button?.addEventListener("click", async () => {
      await attempt(() => api("POST", `/tables/${table}/deal-now`, { round: this.#state.round }), { buttons: [this.#button], refused });
      this.draw(this.#state);
    });
  }

  /** Enable the button for a player whose bets the house holds, and count who is ready. */
  draw(state) {
    this.#state = state;
    if (!this.#button) return;
    const { deal_now: asked, mine, stakes, takes_bets } = state;
    const possible = asked !== null && takes_bets && mine.wagers.length > 0;
    const waits = possible && mine.asked;
    const players = Math.max(stakes.players, 1);
    this.#button.disabled = !possible || waits;
    this.#button.ariaPressed = String(waits);
    this.#button.firstElementChild.textContent = possible && players > 1 ? `${asked}/${players}` : "▶";
    this.#button.title = possible ? t(waits ? "table-deal_asked" : "table-deal_now", { asked, players }) : "";
  }
}

/** Show on the felt that the cut card is out and how many rounds are left, and then the shoe's counts. */
export function drawEndOfShoe({ shoe, last_shoe }) {
  const coming = shoe?.to_come ? t(`table-to_come-${shoe.to_come}`) : "";
  const place = $("shoe-end");
  const key = coming || JSON.stringify(last_shoe);
  place.hidden = !coming && !last_shoe;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  if (coming) place.replaceChildren(h("span", { class: "cut-card", "aria-hidden": "true" }), h("span", {}, coming));
  else if (last_shoe) place.replaceChildren(h("span", {}, t("table-last_shoe", last_shoe), h("span", { class: "runs" }, ` ${t("table-last_runs", last_shoe)}`)));
}
