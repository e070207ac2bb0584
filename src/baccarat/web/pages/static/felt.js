// The felt: cards that come out of the shoe and turn over, totals, the call, the countdown. There are
// slots for all six cards from the start, so that the layout does not move when a card is dealt.

import { back, card, cardInWords, coupInWords, rowInWords } from "./cards.js";
import { $, h, money, put, serverNow, t } from "./page.js";

const HINTED = new Set(["by_dealer", "without_bets", "card_seen", "pausing"]); // calls that need an explanation
const ANNOUNCED = 5000; // milliseconds for which an announcement stays on the page
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Felt {
  #slots = {};
  #clocks = document.querySelectorAll(".clock");
  #shown = [];
  #outcome = "";
  #faceDown = null; // the card that a player is turning
  #turning = null; // the animation of the card being dealt, until it is face up
  #seen = []; // callbacks to run once it is face up

  constructor() {
    for (const hand of ["player", "banker"]) this.#slots[hand] = [...$(`cards-${hand}`).children];
  }

  /** Draw the state. With `moving`, new cards are animated from the shoe; otherwise they appear at once. */
  draw(state, { moving = false } = {}) {
    const first = !this.state;
    this.state = state;
    if (first) this.#tick();
    this.#drawCards(state, moving);
    if (!this.#turning) this.#drawText();
  }

  /** Call a function once the last card is face up, so that nothing reveals the result earlier. */
  onceSeen(act) {
    if (this.#turning) this.#seen.push(act);
    else act();
  }

  #lies(turning) {
    if (this.#turning !== turning) return;
    this.#turning = null;
    this.#drawText();
    for (const act of this.#seen.splice(0)) act();
  }

  #drawText() {
    const { state } = this;
    this.#drawTotals(state);
    this.#drawCall(state);
    this.#drawOutcome(state);
    this.#drawNotice(state);
    $("round").textContent = state.round;
    put("dealer", state.dealer ? t("table-dealer", { name: state.dealer }) : t("table-no_dealer"));
    $("felt").dataset.phase = state.phase;
  }

  #drawCards(state, moving) {
    const keys = state.cards.map((one, place) => `${one.hand} ${one.card} ${one.position ?? place}`);
    if (!this.#shown.every((key, place) => keys[place] === key)) {
      for (const slots of Object.values(this.#slots)) for (const slot of slots) slot.replaceChildren();
      this.#shown = [];
    }
    const taken = { player: 0, banker: 0 };
    state.cards.forEach((dealt, place) => {
      const slots = this.#slots[dealt.hand];
      if (!slots) return void (this.#shown[place] = keys[place]); // a card without a hand
      // After a dealer's error a hand may have more than three cards: they cover the third.
      const slot = slots[Math.min(taken[dealt.hand]++, slots.length - 1)];
      if (place < this.#shown.length) return;
      const element = card(dealt.card);
      const turned = this.#faceDown?.parentElement === slot;
      if (turned) this.#faceDown.remove();
      slot.append(element);
      this.#shown[place] = keys[place];
      if (moving) this.#comeOut(element, state.clock.card, { turned });
    });
    this.#drawFaceDown(state, this.#slots[state.squeeze?.hand]?.[taken[state.squeeze?.hand]], moving);
  }

  /** Draw the card that a player is turning, in its slot. */
  #drawFaceDown(state, slot, moving) {
    if (slot && this.#faceDown?.parentElement === slot) return;
    this.#faceDown?.remove();
    this.#faceDown = slot ? back() : null;
    slot?.append(this.#faceDown);
    this.#faceDown?.classList.toggle("watched", !state.mine?.peek);
    if (slot && moving) this.#fly(this.#faceDown, durationOf(state.clock.card));
  }

  /** Draw the totals; once a winner is known, its hand is lifted and the other is dimmed. A tie lifts both. */
  #drawTotals(state) {
    const winner = state.decided?.winner;
    for (const hand of ["player", "banker"]) {
      const wins = winner === hand || winner === "tie";
      $(`total-${hand}`).textContent = state.totals[hand] ?? "–";
      $(`total-${hand}`).classList.toggle("winner", wins);
      const { classList } = document.querySelector(`.hand.${hand}`);
      classList.toggle("wins", wins);
      classList.toggle("loses", Boolean(winner) && !wins);
    }
  }

  /** Animate a card from the shoe to its slot, then turn it over; a card that a player turns is already there.
   *  Only transforms are used, to avoid a new layout. */
  #comeOut(element, pace, { turned }) {
    if (still.matches) return;
    const duration = durationOf(pace);
    if (!turned) this.#fly(element, duration);
    const turning = element.firstElementChild.animate(
      [{ transform: "rotateY(180deg)" }, { transform: "rotateY(180deg)", offset: turned ? 0 : 0.5 }, { transform: "none" }],
      { duration, easing: "ease-in-out" });
    this.#turning = turning;
    turning.onfinish = () => this.#lies(turning);
    setTimeout(() => this.#lies(turning), duration + 500); // hidden pages do not run animations
  }

  #fly(element, duration) {
    if (still.matches) return;
    const from = $("clock").getBoundingClientRect();
    const to = element.getBoundingClientRect();
    const [x, y] = [from.left - to.left, from.top - to.top];
    element.animate(
      [{ transform: `translate(${x}px, ${y}px) rotate(18deg) scale(.8)`, opacity: 0 },
        { opacity: 1, offset: 0.15 },
        { transform: "none", offset: 0.6 }, { transform: "none" }],
      { duration, easing: "cubic-bezier(.2,.7,.2,1)" });
  }

  #drawCall(state) {
    const last = state.decided?.reason ? state.decided : state.cards.at(-1);
    $("status").textContent = t(`table-call-${state.call}`);
    const hint = state.squeeze ? t(`table-${state.mine?.peek ? "squeeze" : "squeezed"}_${state.squeeze.hand}`) : rowInWords(last);
    $("because").textContent = HINTED.has(state.call) ? t(`table-hint-${state.call}`) : hint;
  }

  #drawOutcome(state) {
    const net = state.mine?.net ?? null;
    // A net loss is always shown as a loss, even if one of the wagers has won.
    const kind = net === null ? "" : net > 0 ? "won" : net < 0 ? "lost" : "even";
    const lines = [];
    if (state.decided) lines.push(h("p", { class: `verdict ${state.decided.winner}` }, h("span", {}, t(`table-wins-${state.decided.winner}`)), " ", h("b", {}, score(state.decided.winner, state.totals))));
    if (state.phase === "cancelled") lines.push(h("p", { class: "verdict" }, t("table-cancelled")));
    if (kind) lines.push(h("p", { class: `net ${kind}` }, net ? t("table-mine", { result: money(net, { sign: true }) }) : t("table-even")));
    $("felt").dataset.net = kind;
    if (state.last) this.#drawLast(state, net);
    const words = lines.map((line) => line.textContent).join();
    if (words === this.#outcome) return; // drawn, and moving
    this.#outcome = words;
    $("outcome").replaceChildren(...lines);
  }

  /** Draw the last result in the dock, where it stays until the next result; the tab keeps what the player won or lost. */
  #drawLast({ id, last, round }, net) {
    const [name, of] = [`baccarat.net.${id}`, `${last.round} `];
    if (net !== null && last.round === round) sessionStorage.setItem(name, of + net);
    const kept = sessionStorage.getItem(name) ?? "";
    const mine = kept.startsWith(of) ? Number(kept.slice(of.length)) : null;
    $("last").replaceChildren(
      h("b", { class: `verdict ${last.winner}` }, `${t(`table-hand-${last.winner}`)} ${score(last.winner, totalsOf(last.coup))}`),
      ...(mine === null ? [] : [h("span", {}, mine ? money(mine, { sign: true }) : t("table-even"))]));
  }

  /** Show an error at a table with real cards, and how it was resolved. */
  #drawNotice(state) {
    put("notice", noticed(state));
  }

  /** Announce an event to screen readers. Each announcement is an element of its own, which is read once. */
  announce(event, state) {
    const words = announcement(event, state);
    if (!words) return;
    const line = h("p", {}, words);
    $("announce").append(line);
    setTimeout(() => line.remove(), ANNOUNCED);
  }

  #tick() {
    const due = this.state?.due?.of ? this.state.due : null;
    const left = due ? Math.max(0, due.at - serverNow()) : 0;
    const seconds = !due ? "" : left < 100_000 ? String(Math.ceil(left / 1000)) : `${Math.ceil(left / 60_000)}′`;
    const part = due ? Math.min(1, left / due.of) : 0;
    for (const clock of this.#clocks) {
      clock.classList.toggle("idle", !due);
      clock.classList.toggle("short", Boolean(due) && this.state.takes_bets && left < 5000);
      clock.querySelector("b").textContent = seconds;
      clock.querySelector(".sand").setAttribute("stroke-dasharray", `${(part * 100).toFixed(1)} 100`);
    }
    setTimeout(() => this.#tick(), due ? 100 : 300);
  }
}

/** How long a card takes to come out of the shoe and turn over, in milliseconds. */
function durationOf(pace) {
  return Math.min(750, pace * 0.8);
}

/** The totals of a coup such as "P:6h2c=8 B:KdKs=0". */
function totalsOf(coup) {
  const [player, banker] = [...coup.matchAll(/=(\d)/g)].map(([, total]) => Number(total));
  return { player, banker };
}

/** The totals, the winner's first. */
function score(winner, { player, banker }) {
  return t("table-score", winner === "banker" ? { first: banker, second: player } : { first: player, second: banker });
}

function noticed({ notice, mine }) {
  if (mine?.reported.length) return t("table-notice-reported", { round: mine.reported.at(-1) });
  switch (notice?.type) {
    case "IrregularityFound": return t("table-notice-irregular", notice);
    case "CoupRectified": return t("table-notice-rectified");
    case "RoundCorrected": {
      const moved = mine?.corrected ?? 0;
      const words = t("table-notice-corrected", { round: notice.round, winner: t(`table-wins-${notice.winner}`), coup: coupInWords(notice.coup) });
      return moved ? `${words} ${t(moved > 0 ? "table-notice-given" : "table-notice-taken", { amount: money(Math.abs(moved)) })}` : words;
    }
    case "ReportDismissed": return t("table-notice-dismissed", notice);
    case "AlarmRaised": return t("table-notice-alarm", notice);
    case "FloorCalled": return t("table-notice-called");
    default: return "";
  }
}

/** The text of an event; a result is announced only while it is shown. */
function announcement(event, { decided, mine, round, totals }) {
  switch (event.type) {
    case "RoundOpened": return t(event.bets === false ? "table-say-without" : "table-say-opened", { round: event.round });
    case "BettingClosed": return t("table-say-closed");
    case "CardOffered": return t(event.peek ? "table-say-turn" : `table-squeezed_${event.hand}`, { hand: t(`table-hand-${event.hand}`) });
    case "CardDealt": return cardAnnouncement(event, event.card.card);
    case "CardPlaced": return event.hand ? cardAnnouncement(event, event.card) : "";
    case "CoupDecided":
      if (event.round !== decided?.round) return "";
      return after(rowInWords(event), t("table-say-decided", { winner: t(`table-wins-${event.winner}`), ...totals }));
    case "RoundSettled": {
      const net = event.round === round ? mine?.net ?? null : null;
      return net === null ? "" : t(net > 0 ? "table-say-won" : net < 0 ? "table-say-lost" : "table-say-even", { amount: money(Math.abs(net)) });
    }
    case "RoundCancelled": return t("table-cancelled");
    case "CutCardShown": return t("table-say-cut");
    default: return ""; // other events are shown as notices
  }
}

function cardAnnouncement({ hand, total, reason }, card) {
  return after(rowInWords({ reason }), t("table-say-card", { hand: t(`table-hand-${hand}`), card: cardInWords(card), total }));
}

function after(row, words) {
  return row ? `${row}. ${words}` : words;
}
