// An amount of money in the page. After a net win it counts up to its new value; any other change is shown at
// once, so that money returned in a losing round does not look like a win.

import { money, put } from "./page.js";

const AFTER = 900; // milliseconds: when the chips have arrived
const TIME = 800;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Amount {
  #id;
  #coins = null;

  constructor(id) {
    this.#id = id;
  }

  /** Show an amount; with `counting`, count up to it. */
  show(coins, { counting = false } = {}) {
    const before = this.#coins;
    if (coins === before) return;
    this.#coins = coins;
    if (counting && before !== null && coins > before && !still.matches && !document.hidden) this.#count(before, coins, performance.now() + AFTER);
    else put(this.#id, money(coins));
  }

  #count(from, to, begins) {
    requestAnimationFrame((now) => {
      if (this.#coins !== to) return; // another amount is shown by now
      const part = Math.min(1, Math.max(0, now - begins) / TIME);
      put(this.#id, money(from + Math.round((to - from) * (1 - (1 - part) ** 3))));
      if (part < 1) this.#count(from, to, begins);
    });
  }
}
