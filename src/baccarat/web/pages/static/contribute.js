// My part in the shuffle: for every new shoe 32 random bytes, promised first, told when the list is
// closed. They are made here and kept in this page, so a page that is closed in between does not
// reveal; the shoe says so.

import { api, hex } from "./api.js";
import { h, island, t } from "./page.js";

const CHOICE = "baccarat.contribute";
const DONE = "baccarat.contributed";
const text = new TextEncoder();

/** Did this window contribute to the shoe? Others may have the same name. */
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

  /** Without a secure page there is no hash to promise by: that is said where it is asked. */
  #cannot() {
    this.#box.disabled = true;
    this.#box.closest("label").after(h("p", { class: "quiet", id: "contribute-why" }, t("common.insecure")));
    this.#box.setAttribute("aria-describedby", "contribute-why");
    this.#box = null;
  }

  /** Whatever the shoe now asks of me. */
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
    // docs/fairness.md: H("contribution", commitment, secret, name)
    const parts = [text.encode("baccarat/contribution/1"), [0], bytes(shoe.commitment), this.#secret, text.encode(island.session.name)];
    const hash = await crypto.subtle.digest("SHA-256", joined(parts));
    sessionStorage.setItem(DONE, shoe.shoe); // the table may tell it sooner than the answer comes
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
