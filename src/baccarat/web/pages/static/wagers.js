// My wagers on the open round: what I mean, what the house has taken, and the way between them. The
// whole set is sent each time, one request at a time; the newest meaning wins. What the house refuses
// falls back to what it has taken, and the reason is shown in its words.

import { Problem, surely } from "./api.js";

export class Wagers {
  #table;
  #on;
  #taken = new Map();
  #meant = new Map();
  #before = [];
  #sending = false;
  #round = 0;
  #open = false;

  /** `on`: change(), refused(problem). */
  constructor(table, on) {
    this.#table = table;
    this.#on = on;
  }

  /** What the house says: the round, whether it is open, and the wagers it has taken. */
  told(round, open, wagers) {
    const taken = new Map(wagers.map(({ bet, stake }) => [bet, stake]));
    if (round !== this.#round) this.#before = [];
    const settledDown = round !== this.#round || !open || !this.#sending;
    this.#round = round;
    this.#open = open;
    this.#taken = taken;
    if (settledDown) this.#meant = new Map(taken);
    this.#on.change();
  }

  get open() {
    return this.#open;
  }

  get canUndo() {
    return this.#open && this.#before.length > 0;
  }

  get total() {
    return [...this.#meant.values()].reduce((sum, stake) => sum + stake, 0);
  }

  stake(bet) {
    return this.#meant.get(bet) ?? 0;
  }

  /** Has the house taken this stake, as it is shown? */
  isTaken(bet) {
    return this.#taken.get(bet) === this.#meant.get(bet);
  }

  get all() {
    return [...this.#meant].map(([bet, stake]) => ({ bet, stake }));
  }

  add(bet, coins) {
    this.#mean(new Map(this.#meant).set(bet, this.stake(bet) + coins));
  }

  remove(bet) {
    const next = new Map(this.#meant);
    if (next.delete(bet)) this.#mean(next);
  }

  clear() {
    if (this.#meant.size) this.#mean(new Map());
  }

  double() {
    if (this.#meant.size) this.#mean(new Map([...this.#meant].map(([bet, stake]) => [bet, 2 * stake])));
  }

  repeat(wagers) {
    if (wagers.length) this.#mean(new Map(wagers.map(({ bet, stake }) => [bet, stake])));
  }

  undo() {
    const last = this.#before.pop();
    if (last) this.#mean(last, { remember: false });
  }

  #mean(next, { remember = true } = {}) {
    if (!this.#open) return;
    if (remember) this.#before.push(this.#meant);
    this.#meant = next;
    this.#on.change();
    if (this.#sending) return;
    this.#sending = true;
    queueMicrotask(() => this.#send()); // what is meant in one go is sent in one go
  }

  async #send() {
    while (this.#open && !same(this.#meant, this.#taken)) {
      const [round, sent] = [this.#round, this.#meant];
      const wagers = [...sent].map(([bet, stake]) => ({ bet, stake }));
      try {
        const until = () => this.#open && this.#round === round;
        await surely("PUT", `/tables/${this.#table}/wagers`, { round, wagers }, { until });
        if (this.#round === round) this.#taken = sent;
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (this.#round === round) {
          this.#meant = new Map(this.#taken);
          this.#before.pop();
        }
        this.#on.refused(problem);
      }
      this.#on.change();
    }
    this.#sending = false;
  }
}

function same(one, other) {
  return one.size === other.size && [...one].every(([bet, stake]) => other.get(bet) === stake);
}
