// The spots of the layout and the rack of chips: the player's stakes, the stakes of others, and what was
// paid. The spots are rendered from the rule card; nothing here depends on particular bets.

import { chip, stack } from "./chips.js";
import { h, money, put, shortMoney, t } from "./page.js";

const LONG_PRESS = 500; // milliseconds

export class Spots {
  #spots = new Map();
  #bets;
  #chips;
  #chosen = 0;
  #rack = document.getElementById("rack");

  /** `on`: place(bet, coins), remove(bet), explain(bet). */
  constructor(layout, on) {
    this.#chips = layout.chips;
    this.#bets = new Map(layout.groups.flatMap((group) => group.bets.map((bet) => [bet.id, bet])));
    for (const spot of document.querySelectorAll(".spot")) {
      const bet = spot.dataset.bet;
      const part = (name) => spot.querySelector(`.spot-${name}`);
      this.#spots.set(bet, { spot, chips: part("chips"), all: part("all"), why: part("why"), paid: part("paid"), share: part("share"), shown: "" });
      listenTo(spot, { tap: () => on.place(bet, this.chosen), explain: () => on.explain(bet) });
      spot.addEventListener("keydown", (event) => {
        if (event.key === "Delete" || event.key === "Backspace") on.remove(bet);
        if (event.key.startsWith("Arrow")) this.#walk(event, bet);
      });
    }
    if (this.#rack) this.#fillRack();
  }

  get chosen() {
    return this.#chips[this.#chosen];
  }

  #fillRack() {
    [...this.#rack.children].forEach((button, place) => {
      button.append(chip(this.#chips[place]));
      button.addEventListener("click", () => this.choose(place));
    });
    this.#rack.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.choose((this.#chosen + step + this.#chips.length) % this.#chips.length);
      this.#rack.children[this.#chosen].focus();
    });
    this.choose(Math.min(1, this.#chips.length - 1));
  }

  choose(place) {
    if (!this.#rack || place >= this.#chips.length) return;
    this.#chosen = place;
    [...this.#rack.children].forEach((button, i) => {
      button.setAttribute("aria-checked", String(i === place));
      button.tabIndex = i === place ? 0 : -1;
    });
  }

  /** Move the focus between spots with the arrow keys. */
  #walk(event, bet) {
    event.preventDefault();
    const order = [...this.#spots.keys()];
    const step = ["ArrowRight", "ArrowDown"].includes(event.key) ? 1 : -1;
    const next = order[(order.indexOf(bet) + step + order.length) % order.length];
    this.#spots.get(next).spot.focus();
  }

  /** Draw each spot that has changed. */
  draw(state, wagers) {
    const results = new Map((state.mine?.result ?? []).map((one) => [one.bet, one]));
    this.#drawShares(state.stakes);
    for (const [bet, one] of this.#spots) {
      const result = results.get(bet);
      const stake = result ? result.stake : wagers?.stake(bet) ?? 0;
      const others = Math.max(0, (state.stakes.bets[bet] ?? 0) - stake);
      const taken = result ? true : wagers?.isTaken(bet) ?? true;
      const why = stake || !wagers?.takes ? "" : this.#whyNot(bet, wagers);
      const key = [stake, others, taken, result?.net, Boolean(wagers), wagers?.takes, why].join();
      if (key === one.shown) continue;
      one.shown = key;
      one.spot.disabled = !wagers;
      one.spot.setAttribute("aria-disabled", String(!wagers?.takes));
      one.spot.setAttribute("aria-label", this.#words(bet, stake, result, why));
      one.spot.classList.toggle("barred", Boolean(why));
      one.why.textContent = why;
      one.spot.classList.toggle("closed", !wagers?.takes);
      one.chips.classList.toggle("waiting", !taken);
      const winnings = state.mine?.net > 0 && result?.net > 0 ? [stack(result.net, "winnings")] : [];
      one.chips.replaceChildren(...winnings, ...(stake ? [stack(stake), h("b", { class: "stake" }, shortMoney(stake))] : []));
      one.all.textContent = others ? t("table-others", { amount: shortMoney(others) }) : "";
      this.#drawPaid(one, result);
    }
  }

  /** Draw how the stakes of all players are divided between the main bets, and how many players have bet. */
  #drawShares({ players, bets }) {
    put("players", players ? t("table-players", { players }) : "");
    const main = [...this.#spots].filter(([, { share }]) => share);
    const all = main.reduce((sum, [bet]) => sum + (bets[bet] ?? 0), 0);
    for (const [bet, { share }] of main) {
      const part = all ? (bets[bet] ?? 0) / all : 0;
      share.classList.toggle("none", !all);
      share.firstChild.style.transform = `scaleX(${part.toFixed(3)})`;
      share.lastChild.textContent = part ? t("table-share", { percent: Math.round(100 * part) }) : "";
    }
  }

  /** Why a chip on this bet would be refused beside the player's other bets, or "". The server decides; the
   *  page shows what the layout says of the bet. */
  #whyNot(id, wagers) {
    const { requires, needs_words, excludes, excludes_words } = this.#bets.get(id);
    const staked = (bet) => wagers.stake(bet) > 0;
    if (excludes.some(staked)) return excludes_words;
    return needs_words && !requires.some(staked) ? needs_words : "";
  }

  /** Outline the spots of refused bets for a while. */
  refuse(bets, time) {
    for (const bet of bets) {
      const one = this.#spots.get(bet);
      one.spot.classList.add("refused");
      clearTimeout(one.timer);
      one.timer = setTimeout(() => one.spot.classList.remove("refused"), time);
    }
  }

  /** Draw what a wager paid. A returned stake is not shown as a win, and a loss is shown as a loss. */
  #drawPaid(one, result) {
    const kind = !result ? "" : result.net > 0 ? "won" : result.net < 0 ? "lost" : "back";
    one.spot.classList.remove("won", "lost", "back");
    if (kind) one.spot.classList.add(kind);
    one.paid.textContent = !result ? "" : result.net ? money(result.net, { sign: true }) : t("table-back");
  }

  #words(id, stake, result, why) {
    const parts = [this.#spots.get(id).spot.dataset.label];
    if (stake) parts.push(t("table-your_stake", { amount: money(stake) }));
    if (result) parts.push(result.net ? money(result.net, { sign: true }) : t("table-back"));
    if (why) parts.push(`${why}.`);
    return parts.join(" ");
  }
}

/** Tell a tap on a spot from one on its corner and from a long press; both of these explain the bet. */
function listenTo(spot, { tap, explain }) {
  let timer = 0;
  let long = false;
  spot.addEventListener("pointerdown", ({ pointerType }) => {
    long = false;
    if (pointerType === "mouse") return;
    timer = setTimeout(() => {
      long = true;
      explain();
    }, LONG_PRESS);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) spot.addEventListener(end, () => clearTimeout(timer));
  spot.addEventListener("contextmenu", (event) => event.preventDefault());
  spot.addEventListener("click", ({ target, detail }) => {
    if (target.closest(".spot-info")) explain();
    else if (!long || detail === 0) tap(); // keys and assistive technology send clicks without detail
  });
}
