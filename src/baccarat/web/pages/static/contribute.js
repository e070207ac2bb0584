// The player's contribution to the shuffle: 32 random bytes for every new shoe, committed first and
// revealed when the list is closed. They are generated and kept in this page, so a page that is closed
// in between does not reveal them; the shoe's document shows that.

import { api, hex } from "./api.js";
import { h, island, t } from "./page.js";

const CHOICE = "baccarat.contribute";
const DONE = "baccarat.contributed";
const text = new TextEncoder();

/** Whether this window contributed to the shoe; other contributors may have the same name. */
export function contributedTo(shoe) {
  return shoe != null && sessionStorage.getItem(DONE) === shoe.shoe;
}

export class Contribution {
  #secret = null;
  #shoe = null;
  #box = document.getElementById("contribute");

  constructor(table, on) {
    this.table = table;
    this.on = on;
    if (!this.#box) return;
    if (!globalThis.crypto?.subtle) return this.#cannot();
    this.#box.checked = localStorage.getItem(CHOICE) === "yes";
    this.#box.addEventListener("change", () => {
      localStorage.setItem(CHOICE, this.#box.checked ? "yes" : "no");
      this.on.chosen();
    });
  }

  /** Hashing requires a secure context (https); without one, a note appears next to the checkbox. */
  #cannot() {
    this.#box.disabled = true;
    this.#box.closest("label").after(h("p", { class: "quiet", id: "contribute-why" }, t("common-insecure")));
    this.#box.setAttribute("aria-describedby", "contribute-why");
    this.#box = null;
  }

  /** Commit or reveal, as the shoe's phase requires. */
  async follow(shoe) {
    if (!this.#box || !shoe) return;
    try {
      if (shoe.phase === "contributing" && this.#box.checked && this.#shoe !== shoe.shoe) await this.#promise(shoe);
      if (shoe.phase === "revealing" && this.#secret && this.#shoe === shoe.shoe) await this.#reveal();
    } catch (problem) {
      this.on.refused(problem);
    }
  }

  async #promise(shoe) {
    this.#shoe = shoe.shoe;
    this.#secret = crypto.getRandomValues(new Uint8Array(32));
    // docs/reference/fairness.md: H("contribution", commitment, secret)
    const parts = [text.encode("baccarat/contribution/1"), [0], bytes(shoe.commitment), this.#secret];
    const hash = await crypto.subtle.digest("SHA-256", joined(parts));
    sessionStorage.setItem(DONE, shoe.shoe); // the event may arrive before the answer
    try {
      await api("POST", `/tables/${this.table}/contributions`, { commitment: hex(new Uint8Array(hash)) });
    } catch (problem) {
      sessionStorage.removeItem(DONE);
      throw problem;
    }
  }

  async #reveal() {
    const secret = hex(this.#secret);
    this.#secret = null;
    await api("PUT", `/tables/${this.table}/contributions`, { secret });
  }
}

function bytes(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
