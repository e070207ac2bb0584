// The player's agreement at this table: what both parties have confirmed, what one of them proposes, the
// standing offer and the letter. Every request is answered with the current state; the pit's actions
// arrive over the socket. A bet that needs an agreement is placed once the player accepts the offer.

import { api, attempt } from "./api.js";
import { $, h, island, list, note, t } from "./page.js";

const path = `/tables/${encodeURIComponent(island.view.id)}/agreement`;
const inWords = (values) => (values ? list(Object.values(values)) : t("terms-none"));

export class Terms {
  #standing = island.terms;
  #offer = island.view.layout.offer;
  #needing = new Set(); // bets that need an agreement
  #accepted = null; // the offer, from the player's tap until the agreement arrives
  #waiting = () => {}; // what to do once the player accepts
  #last = Promise.resolve(); // one request at a time, so that no older answer replaces a newer one

  constructor() {
    if (!$("terms")) return; // nothing can be agreed, or nobody plays
    for (const { bet } of this.#offer.bets) this.#needing.add(bet);
    this.#listen();
    this.#draw();
    if ($("terms-slider")) this.#slide();
  }

  /** The terms to send with a bet, if the player has just accepted them. */
  get accepted() {
    return this.#accepted ?? undefined;
  }

  /** Act at once, or when the player has accepted the offer if one of these bets needs an agreement. */
  before(bets, act) {
    const agreed = this.#accepted || this.#standing?.in_force;
    if (agreed || !bets.some((bet) => this.#needing.has(bet))) return act();
    this.#waiting = act;
    if (!$("offer").open) $("offer").showModal();
  }

  /** Whether an agreement applies, now or from the next round on. */
  get #agreed() {
    const { in_force: held, next } = this.#standing;
    return Boolean(next ? next.values : held);
  }

  /** Bets were refused, so nothing has been agreed. */
  refused() {
    this.#accepted = null;
  }

  #listen() {
    $("terms-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = [...event.target.querySelectorAll("[data-parameter]")];
      this.#step("POST", "", { values: Object.fromEntries(fields.map((one) => [one.dataset.parameter, one.value.trim()])) });
    });
    $("terms-confirm").addEventListener("click", () => this.#step("POST", "/confirm", { values: this.#standing.proposed.values }));
    $("terms-decline").addEventListener("click", () => this.#step("DELETE", "/proposal"));
    $("terms-end").addEventListener("click", () => this.#step("DELETE", ""));
    $("offer-no").addEventListener("click", () => $("offer").close());
    $("offer-accept").addEventListener("click", () => {
      $("offer").close();
      this.#accepted = this.#offer.values;
      this.#waiting();
    });
    document.addEventListener("agreement", () =>
      this.#queue(async () => {
        const before = this.#standing, accepted = this.#accepted, had = this.#agreed;
        await this.#send("GET", "");
        const changed = (...parts) => parts.some((part) => JSON.stringify(this.#standing[part]) !== JSON.stringify(before[part]));
        if (had && !this.#agreed && this.#standing.ended) {
          const words = t("terms-ended", { words: this.#standing.ended });
          note(words);
          $("terms-fault").textContent = words; // stays after the note has gone
        } else if (changed("in_force", "next")) note(t(!accepted ? "terms-changed" : $("terms-letter") ? "terms-agreed_letter" : "terms-agreed"));
        else if (changed("proposed") && this.#standing.proposed?.by === "house") {
          note(t("terms-offered"));
          $("tab-terms").click();
        }
      }),
    );
  }

  #draw() {
    const { in_force: held, next, proposed, ended } = this.#standing;
    const facts = [["terms-now", inWords(held)]];
    if (next) facts.push(["terms-next", t("terms-from_round", { values: inWords(next.values), round: next.from_round })]);
    if (ended && !this.#agreed) facts.push(["terms-ended_why", ended]);
    if (proposed) facts.push([`terms-proposed-${proposed.by}`, inWords(proposed.values)]);
    $("terms-now").replaceChildren(...facts.map(([key, words]) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, words))));
    $("terms").dataset.state = proposed ? `proposed-${proposed.by}` : held || next?.values ? "agreed" : "none";
    $("terms-offer").hidden = Boolean(held);
    const mark = held ? t("terms-spot_agreed", { terms: this.#named(held) }) : t("terms-spot_offer");
    for (const spot of document.querySelectorAll(".spot-offer")) spot.textContent = mark;
    $("terms-confirm").hidden = proposed?.by !== "house";
    $("terms-decline").hidden = !proposed;
    $("terms-decline").textContent = t(proposed?.by === "player" ? "terms-withdraw" : "terms-decline");
    $("terms-end").hidden = !this.#agreed;
    const letter = $("terms-letter"); // missing if the server can't make PDFs
    if (letter) letter.hidden = $("terms-end").hidden;
  }

  /** Agreed values, each with the name of its parameter. */
  #named(values) {
    const names = new Map(this.#standing.can_be_agreed.map(({ parameter, name }) => [parameter, name]));
    return list(Object.entries(values).map(([parameter, value]) => `${names.get(parameter)} ${value}`));
  }

  /** Keep the slider and the field alike, and show what the chosen percentage costs and what happens next. */
  #slide() {
    const { possible } = this.#offer;
    const [slider, field] = [$("terms-slider"), document.querySelector("[data-parameter]")];
    const show = (chosen) => {
      if (!chosen) return void ($("terms-choice").textContent = "");
      const edges = Object.entries(chosen.edges).map(([bet, edge]) => t("terms-choice_edge", { bet, edge }));
      $("terms-choice").textContent = [...edges, t(`terms-choice-${chosen.granted ? "granted" : "pit"}`)].join(" ");
      slider.setAttribute("aria-valuetext", chosen.value);
    };
    const follow = () => {
      const typed = field.value.replaceAll(/[%\s]/g, "");
      const place = possible.findIndex(({ value }) => value === `${typed}%`);
      if (place >= 0) slider.value = place;
      show(possible[place]);
    };
    slider.addEventListener("input", () => {
      field.value = possible[slider.value].value;
      show(possible[slider.value]);
    });
    field.addEventListener("input", follow);
    follow();
  }

  async #send(method, end, body) {
    const answer = await attempt(() => api(method, `${path}${end}`, body), { refused: ({ message }) => ($("terms-fault").textContent = message) });
    if (!answer) return;
    this.#standing = answer;
    if (answer.in_force) this.#accepted = null;
    this.#draw();
  }

  #queue(action) {
    this.#last = this.#last.then(action, action);
  }

  #step(method, end, body) {
    $("terms-fault").textContent = "";
    this.#queue(() => this.#send(method, end, body));
  }
}
