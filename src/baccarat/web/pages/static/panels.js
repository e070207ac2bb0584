// Panels beside the table: the player's money and time, the cost of bets, the shoe, the proof of each card.

import { Amount } from "./amount.js";
import { face } from "./cards.js";
import { contributedTo } from "./contribute.js";
import { stakeOn } from "./game.js";
import { $, h, island, list, money, put, serverNow, t } from "./page.js";

export class Panels {
  #proofs = new Map();
  #sitting = null;
  #balance = new Amount("balance");
  #purse = new Amount("purse");
  #hours = new Map([...document.querySelectorAll("[data-cost]")].map((row) => [row.dataset.cost, row.querySelector(".hour")]));

  draw(state, wagers) {
    this.#money(state, wagers);
    this.#costs(state, wagers);
    this.#shoe(state);
    this.#proofList(state);
  }

  #money({ mine }, wagers) {
    if (!mine) return;
    const counting = mine.net > 0;
    this.#balance.show(mine.real, { counting });
    if (!island.session.guest) put("balance-note", mine.bonus ? t("common-and_bonus", { amount: money(mine.bonus) }) : "");
    put("purse-name", t(mine.bonus ? "table-with_bonus" : "table-balance"));
    this.#purse.show(mine.real + mine.bonus, { counting });
    put("real", money(mine.real));
    put("bonus", money(mine.bonus));
    put("in-play", money(mine.in_play));
    put("staked", money(wagers?.total ?? 0));
    this.#sitting = mine.sitting;
    const net = mine.sitting?.net ?? 0;
    put("net", net ? money(net, { sign: true }) : money(0));
    $("net")?.classList.toggle("down", net < 0);
    $("net")?.classList.toggle("up", net > 0);
  }

  /** Draw the time of this sitting, by the server's clock; it begins with the first wager. */
  tick() {
    if (!island.session) return;
    const { since = 0, elapsed = 0, over = true } = this.#sitting ?? {};
    const seconds = Math.max(0, Math.floor((over ? elapsed : serverNow() - since) / 1000));
    const pad = (number) => String(number).padStart(2, "0");
    put("time", `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`);
  }

  /** Draw the cost of the player's stakes; the server sends the cost per coin of each bet, in millionths. */
  #costs(state, wagers) {
    let all = 0;
    for (const group of state.layout.groups) {
      for (const bet of group.bets) {
        const cost = Math.round((stakeOn(state, wagers, bet.id) * bet.hour) / 1_000_000);
        all += cost;
        const [cell, words] = [this.#hours.get(bet.id), cost ? money(cost) : "–"];
        if (cell.textContent !== words) cell.textContent = words;
      }
    }
    put("hour", all ? money(all) : "–");
  }

  #shoe(state) {
    const { shoe } = state;
    const [size, left] = [shoe?.size ?? 1, shoe?.left ?? 0];
    $("gone").setAttribute("width", shoe ? (200 * (size - left)) / size : 0);
    $("cut-mark").setAttribute("x", shoe?.cut ? 200 - (200 * shoe.cut) / size : -10);
    const words = shoe ? t("table-left", { left, size }) : t("table-no_shoe");
    put("shoe-words", shoe?.to_come ? `${words} ${t(`table-to_come-${shoe.to_come}`)}` : words);
    put("commitment", shoe?.commitment ?? "");
    const names = shoe?.contributors ?? [];
    const mine = contributedTo(shoe) ? names.indexOf(island.session?.name) : -1;
    const shown = names.map((name, place) => (place === mine ? t("table-and_you", { name }) : name));
    put("contributions", names.length ? t("table-contributed", { names: list(shown) }) : t("table-uncontributed"));
  }

  /** Draw the proofs of the cards; those of the last coup stay until the next card is dealt. */
  #proofList(state) {
    if (!$("proofs") || !state.cards.length) return;
    const positions = new Set(state.cards.map((one) => one.position));
    const same = positions.size === this.#proofs.size && [...positions].every((one) => this.#proofs.has(one));
    if (same) return;
    this.#proofs = new Map(state.cards.map((one) => [one.position, this.#proofs.get(one.position) ?? proof(one, state.shoe)]));
    $("proofs").replaceChildren(...this.#proofs.values());
  }
}

function proof(dealt, shoe) {
  const verdict = h("span", { class: "verdict-text", role: "status" });
  const details = h("details", {},
    h("summary", {}, t("table-position", { position: dealt.position })),
    h("dl", { class: "facts" },
      h("div", { class: "tall" }, h("dt", {}, t("table-nonce")), h("dd", {}, h("code", {}, dealt.nonce))),
      h("div", { class: "tall" }, h("dt", {}, t("table-path")), h("dd", {}, h("code", {}, dealt.proof.join(" "))))));
  const item = h("li", { class: "proof" }, h("span", { class: "little-card" }, face(dealt.card)), details);
  if (shoe) {
    const button = h("button", { type: "button", class: "button ghost small" }, t("table-verify"));
    button.addEventListener("click", () => check(dealt, shoe, verdict));
    item.append(button, verdict);
  }
  return item;
}

/** Verify a card with the independent verifier (docs/reference/fairness.md), which is loaded on demand. */
async function check(dealt, shoe, verdict) {
  if (!globalThis.crypto?.subtle) return void (verdict.textContent = t("common-insecure"));
  const { verifyCard } = await import("./verify.js");
  const holds = await verifyCard({ position: dealt.position, card: dealt.card, nonce: dealt.nonce,
    proof: dealt.proof, root: shoe.root, size: shoe.size });
  verdict.textContent = t(holds ? "table-holds" : "table-fails");
  verdict.className = `verdict-text ${holds ? "up" : "down"}`;
}
