// The felt: cards that come out of the shoe and turn over, totals, the call, the countdown. Places
// for all six cards are there from the start, so that nothing moves when one is dealt.

import { card, cardInWords } from "./cards.js";
import { h, money, serverNow, t } from "./page.js";

const $ = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Felt {
  #slots = {};
  #shown = [];
  #said = "";

  constructor() {
    for (const hand of ["player", "banker"]) this.#slots[hand] = [...$(`cards-${hand}`).children];
    this.#tick();
  }

  /** Draw the state. `moving`: cards that are new come out of the shoe; otherwise they just lie there. */
  draw(state, { moving = false } = {}) {
    this.state = state;
    this.#drawCards(state, moving);
    this.#drawCall(state);
    this.#drawOutcome(state);
    $("round").textContent = state.round;
    $("felt").dataset.phase = state.phase;
  }

  #drawCards(state, moving) {
    const same = this.#shown.every((one, place) => state.cards[place]?.position === one);
    if (!same || state.cards.length < this.#shown.length) {
      for (const slots of Object.values(this.#slots)) for (const slot of slots) slot.replaceChildren();
      this.#shown = [];
    }
    const taken = { player: 0, banker: 0 };
    state.cards.forEach((dealt, place) => {
      const slot = this.#slots[dealt.hand][taken[dealt.hand]++];
      if (place < this.#shown.length) return;
      const element = card(dealt.card);
      slot.replaceChildren(element);
      this.#shown.push(dealt.position);
      if (moving) this.#comeOut(element, state.clock.card);
    });
    for (const hand of ["player", "banker"]) {
      const last = state.cards.findLast((one) => one.hand === hand);
      $(`total-${hand}`).textContent = last ? last.total : "–";
      $(`total-${hand}`).classList.toggle("winner", state.decided?.winner === hand);
      document.querySelector(`.hand.${hand}`).classList.toggle("wins", state.decided?.winner === hand);
    }
  }

  /** From the shoe to its place, then over. Only transforms move: nothing else is laid out again. */
  #comeOut(element, pace) {
    if (still.matches) return;
    const from = $("clock").getBoundingClientRect();
    const to = element.getBoundingClientRect();
    const [x, y] = [from.left - to.left, from.top - to.top];
    const duration = Math.min(750, pace * 0.8);
    element.animate(
      [{ transform: `translate(${x}px, ${y}px) rotate(18deg) scale(.8)`, opacity: 0 },
        { opacity: 1, offset: 0.15 },
        { transform: "none", offset: 0.6 }, { transform: "none" }],
      { duration, easing: "cubic-bezier(.2,.7,.2,1)" });
    element.firstElementChild.animate(
      [{ transform: "rotateY(180deg)" }, { transform: "rotateY(180deg)", offset: 0.5 }, { transform: "none" }],
      { duration, easing: "ease-in-out" });
  }

  #drawCall(state) {
    $("status").textContent = callOf(state);
    const last = state.cards.at(-1);
    $("because").textContent = state.phase === "open" ? t("table.lagging") : last?.row || "";
    $("because").hidden = false;
  }

  #drawOutcome(state) {
    const place = $("outcome");
    const result = state.mine?.result;
    const lines = [];
    if (state.decided) lines.push(h("p", { class: `verdict ${state.decided.winner}` }, t(`table.wins.${state.decided.winner}`)));
    if (state.phase === "cancelled") lines.push(h("p", { class: "verdict" }, t("table.cancelled")));
    if (result?.length) {
      const net = result.reduce((sum, one) => sum + one.net, 0);
      // A net loss is never dressed up, whatever one of the wagers has won.
      const kind = net > 0 ? "won" : net < 0 ? "lost" : "back";
      lines.push(h("p", { class: `net ${kind}` }, net ? money(net, { sign: true }) : t("table.back")));
    }
    place.replaceChildren(...lines);
  }

  /** Say an event to whoever listens. */
  announce(event, state) {
    const words = said(event, state);
    if (!words) return;
    this.#said = this.#said && $("announce").dataset.busy ? `${this.#said} ${words}` : words;
    $("announce").textContent = this.#said;
    $("announce").dataset.busy = "yes";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => delete $("announce").dataset.busy, 400);
  }

  #tick() {
    const due = this.state?.due;
    const left = due ? Math.max(0, due.at - serverNow()) : 0;
    const clock = $("clock");
    clock.classList.toggle("idle", !due);
    clock.classList.toggle("short", Boolean(due) && this.state.phase === "open" && left < 5000);
    const seconds = due ? String(Math.ceil(left / 1000)) : "";
    if ($("seconds").textContent !== seconds) $("seconds").textContent = seconds;
    const part = due?.of ? Math.min(1, left / due.of) : 0;
    clock.querySelector(".sand").setAttribute("stroke-dasharray", `${(part * 100).toFixed(1)} 100`);
    setTimeout(() => this.#tick(), due ? 100 : 300);
  }
}

function callOf(state) {
  if (state.paused && ["none", "settled", "cancelled"].includes(state.phase)) return t("table.call.paused");
  const shoe = state.shoe?.phase ?? "absent";
  if (["none", "settled", "cancelled"].includes(state.phase) && shoe !== "in-play") {
    if (state.phase === "none" || !state.decided || shoe !== "absent") return t(`table.shoe_call.${shoe}`);
  }
  return t(`table.call.${state.phase}`);
}

function said(event, state) {
  const { type, value } = event;
  switch (type) {
    case "RoundOpened": return t("table.say.opened", { round: value.round });
    case "BettingClosed": return t("table.say.closed");
    case "CardDealt": {
      const words = t("table.say.card", { hand: t(`table.hand.${value.hand}`), card: cardInWords(value.card.card), total: value.total });
      return value.row ? `${value.row}. ${words}` : words;
    }
    case "CoupDecided": return t("table.say.decided", { winner: t(`table.wins.${value.winner}`), ...totals(state) });
    case "RoundSettled": {
      const result = state.mine?.result;
      if (!result?.length) return "";
      const net = result.reduce((sum, one) => sum + one.net, 0);
      return t(net > 0 ? "table.say.won" : net < 0 ? "table.say.lost" : "table.say.back", { amount: money(Math.abs(net)) });
    }
    case "RoundCancelled": return t("table.cancelled");
    case "CutCardShown": return t("table.say.cut");
    default: return "";
  }
}

function totals(state) {
  const total = (hand) => state.cards.findLast((one) => one.hand === hand)?.total ?? 0;
  return { player: total("player"), banker: total("banker") };
}
