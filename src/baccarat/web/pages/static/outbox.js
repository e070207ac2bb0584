// What a dealer has done and the house does not know of yet: sent one after the other, each under
// the key it was given when it was done, until it is known what became of it. It outlives the page,
// so a card is told once, whatever happens to the connection or to the tablet.

import { api, newKey, Problem } from "./api.js";

const PATIENCE = [200, 500, 1000, 2000];
const [SIGNED_OUT, BUSY] = [401, 429];

export class Outbox {
  #name;
  #waiting;
  #on;
  #running = false;

  /** `on`: done(answer, item), refused(problem, item), waits(count, tries). */
  constructor(name, on) {
    [this.#name, this.#on] = [`baccarat.outbox.${name}`, on];
    this.#waiting = JSON.parse(sessionStorage.getItem(this.#name) ?? "[]");
  }

  /** Send what an earlier page has left. */
  begin() {
    this.#run();
  }

  get size() {
    return this.#waiting.length;
  }

  /** What waits, in the order in which it is sent. */
  get waiting() {
    return this.#waiting;
  }

  /** `then`: where it leads, for whoever puts the next one. */
  put(method, path, body, then = null) {
    this.#keep([...this.#waiting, { key: newKey(), method, path, body, then }]);
    this.#run();
  }

  #keep(waiting) {
    this.#waiting = waiting;
    sessionStorage.setItem(this.#name, JSON.stringify(waiting));
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    for (let tries = 0; this.#waiting.length; ) {
      const [item] = this.#waiting;
      this.#on.waits(this.#waiting.length, tries);
      try {
        const answer = await api(item.method, item.path, item.body, { key: item.key });
        this.#keep(this.#waiting.slice(1));
        tries = 0;
        this.#on.done(answer, item);
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (problem.unknown || problem.status === BUSY) {
          this.#on.waits(this.#waiting.length, tries + 1);
          await new Promise((done) => setTimeout(done, PATIENCE[Math.min(tries++, PATIENCE.length - 1)]));
          continue;
        }
        if (problem.status === SIGNED_OUT) { // nothing is lost: the next page sends it
          this.#running = false;
          return void this.#on.refused(problem, item);
        }
        // What was done after it was done in the belief that it had been taken.
        this.#keep([]);
        this.#on.refused(problem, item);
      }
    }
    this.#running = false;
    this.#on.waits(0, 0);
  }
}
