// The squeeze: the player with the largest bet on a side turns its cards. The house decides who that is and for
// how long, and sends the card only to that player until it is turned.

import { api, attempt } from "./api.js";
import { back, face } from "./cards.js";
import { chosen, switchBy } from "./look.js";
import { $, h, t } from "./page.js";

const SIDES = new Set(["player", "banker"]);
const TURNS_AT = 0.55; // fraction of the card that must be uncovered to turn it
const STEP = 0.08; // fraction that an arrow key uncovers
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Squeeze {
  #path;
  #refused;
  #switch = $("squeeze-switch");
  #place = $("squeeze");
  #state = null;
  #asked = 0; // the round in which this page asked to turn cards
  #position = null; // the position of the card on offer
  #cover = null;
  #moved = [0, 0]; // how far the cover has moved, in widths and heights of the card
  #turned = false;

  constructor(table, { refused }) {
    this.#path = `/tables/${table}`;
    this.#refused = refused;
    if (!this.#place) return;
    switchBy(this.#switch, "squeeze", "turns");
    this.#switch.addEventListener("click", () => this.#ask());
    $("turn").addEventListener("click", () => this.turn());
    $("squeeze-card").addEventListener("keydown", (event) => this.#pressed(event));
    this.#followPointer($("squeeze-card"));
  }

  draw(state) {
    this.#state = state;
    if (!this.#place || !state.mine) return;
    this.#ask();
    const { peek } = state.mine;
    if (this.#position === (peek?.position ?? null)) return;
    this.#position = peek?.position ?? null;
    this.#place.hidden = !peek;
    if (!peek) return void $("squeeze-card").replaceChildren();
    this.#turned = false;
    this.#cover = back();
    $("squeeze-title").textContent = t(`table-squeeze_${state.squeeze.hand}`);
    $("squeeze-card").replaceChildren(h("div", { class: "card-front" }, face(peek.card)), this.#cover);
    this.#uncover(0, 0);
  }

  /** Turn the card for everyone, if there is one to turn. */
  async turn() {
    if (this.#position === null || this.#turned) return;
    this.#turned = true;
    this.#place.classList.add("turned");
    const turned = await attempt(() => api("POST", `${this.#path}/turn`, { round: this.#state.round }), { refused: this.#refused });
    if (turned) return;
    this.#turned = false;
    this.#uncover(0, 0);
  }

  /** Ask to turn the cards of this round, once the house holds a bet on a side. */
  #ask() {
    const { round, takes_bets, mine } = this.#state;
    const wants = chosen("squeeze") === "turns" && takes_bets && !mine.squeezing && this.#asked !== round;
    if (!wants || !mine.wagers.some(({ bet }) => SIDES.has(bet))) return;
    this.#asked = round;
    attempt(() => api("POST", `${this.#path}/squeeze`, { round }));
  }

  /** Move the cover off the card, in fractions of its width and height; turn the card once enough is uncovered. */
  #uncover(x, y) {
    this.#moved = [x, y];
    this.#place.classList.remove("turned");
    this.#cover.style.transform = `translate(${100 * x}%, ${100 * y}%)`;
    if (Math.max(Math.abs(x), Math.abs(y)) >= TURNS_AT) this.turn();
  }

  #followPointer(card) {
    let from = null;
    card.addEventListener("pointerdown", (event) => {
      if (this.#turned) return;
      from = [event.clientX, event.clientY];
      card.setPointerCapture(event.pointerId);
      card.classList.add("held");
    });
    card.addEventListener("pointermove", ({ clientX, clientY }) => {
      if (from && !this.#turned) this.#uncover((clientX - from[0]) / card.offsetWidth, (clientY - from[1]) / card.offsetHeight);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      card.addEventListener(end, () => {
        from = null;
        card.classList.remove("held");
        if (!this.#turned && this.#position !== null) this.#uncover(0, 0);
      });
    }
  }

  #pressed(event) {
    const way = ARROWS[event.key];
    if (!way && !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    if (!way) this.turn();
    else if (!this.#turned) this.#uncover(this.#moved[0] + STEP * way[0], this.#moved[1] + STEP * way[1]);
  }
}
