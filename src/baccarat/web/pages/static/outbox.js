// The dealer's actions that the server has not confirmed yet: sent one after the other, each with the
// idempotency key it got at the start, until its outcome is known. The outbox survives a reload of the
// page, so a card is recorded once, whatever happens to the connection or the tablet. An action with
// `after` in its body follows a journal entry: the one the dealer saw, or that of the action before it.

import { api, newKey, pause, Problem } from "./api.js";

const [SIGNED_OUT, BUSY] = [401, 429];

export class Outbox {
  #name;
  #waiting;
  #on;
  #running = false;
  #tries = 0; // how often the first item was sent without an answer

  /** `on`: done(answer), refused(problem, item, dropped), signedOut(), change(). */
  constructor(name, on) {
    [this.#name, this.#on] = [`baccarat.outbox.${name}`, on];
    this.#waiting = JSON.parse(sessionStorage.getItem(this.#name) ?? "[]");
  }

  /** Send what is left from before a reload. */
  begin() {
    this.#run();
  }

  /** The waiting items, in the order in which they are sent. */
  get waiting() {
    return this.#waiting;
  }

  /** Whether the last request got no answer. */
  get lost() {
    return this.#tries > 0;
  }

  /** Add a request to the outbox; `proposal` is the digest of the proposal that it confirms, if any. */
  put(method, path, body, proposal) {
    this.#keep([...this.#waiting, { key: newKey(), method, path, body, proposal }]);
    this.#run();
  }

  #keep(waiting, tries = this.#tries) {
    [this.#waiting, this.#tries] = [waiting, tries];
    sessionStorage.setItem(this.#name, JSON.stringify(waiting));
    this.#on.change();
  }

  /** Remove the item that was answered; the remaining items now follow its events. */
  #answered({ events, through }) {
    const [, ...rest] = this.#waiting;
    for (const { body } of rest) if (body?.after && events?.length) body.after = Math.max(body.after, through ?? 0);
    this.#keep(rest, 0);
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.#waiting.length) {
      const [item] = this.#waiting;
      try {
        const answer = await api(item.method, item.path, item.body, { key: item.key, proposal: item.proposal });
        this.#answered(answer);
        this.#on.done(answer);
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (problem.unknown || problem.status === BUSY) {
          this.#keep(this.#waiting, this.#tries + 1);
          await pause(this.#tries - 1);
          continue;
        }
        if (problem.status === SIGNED_OUT) return void this.#on.signedOut(); // it is sent after the next sign-in
        const [, ...dropped] = this.#waiting; // they assumed that this one would be accepted
        this.#keep([], 0);
        this.#on.refused(problem, item, dropped);
      }
    }
    this.#running = false;
  }
}
