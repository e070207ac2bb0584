// My wagers on the open round: what I mean, what the house has taken, and the way between them. The
// whole set is sent each time, one request at a time; the newest meaning wins. What the house refuses
// is taken back, what was placed since then stays, and the reason is shown in the house's words. Events
// may come long after the answers: one that is older than an answer changes nothing.

import { Problem, surely } from "./api.js";

export class Wagers {
  #table;
  #on;
  #taken = new Map();
  #takenAt = 0; // the entry of the journal that took them
  #meant = new Map();
  #before = []; // what was meant before, for undo
  #settled = 0; // so many of those are older than what is taken
  #sending = false;
  #round = 0;
  #open = false;

  /** `on`: change(), refused(problem). */
  constructor(table, on) {
    this.#table = table;
    this.#on = on;
  }

  /** What the journal says through an entry: the round, whether it is open, and what it has taken. */
  told(round, open, wagers, through) {
    const another = round !== this.#round;
    if (another) [this.#before, this.#settled, this.#takenAt] = [[], 0, 0];
    this.#round = round;
    this.#open = open;
    if (through >= this.#takenAt) {
      this.#taken = new Map(wagers.map(({ bet, stake }) => [bet, stake]));
      if (another || !open || !this.#sending) this.#meant = new Map(this.#taken);
    }
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
      const [round, sent, already] = [this.#round, this.#meant, this.#before.length];
      const wagers = [...sent].map(([bet, stake]) => ({ bet, stake }));
      try {
        const until = () => this.#open && this.#round === round;
        const { first } = await surely("PUT", `/tables/${this.#table}/wagers`, { round, wagers }, { until });
        if (this.#round === round) [this.#taken, this.#takenAt, this.#settled] = [sent, first, already];
        this.#on.taken?.();
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (this.#round === round) this.#takeBack(sent, already);
        this.#on.refused(problem);
      }
      this.#on.change();
    }
    this.#sending = false;
  }

  /** `sent` was refused: what it would have changed is taken back, here and in what undo goes back to. */
  #takeBack(sent, already) {
    const since = this.#before.slice(already).map((one) => without(one, sent, this.#taken));
    this.#before = [...this.#before.slice(0, Math.min(this.#settled, already)), ...since];
    this.#meant = without(this.#meant, sent, this.#taken);
  }
}

/** What is meant, less what was refused: only what came on top of `sent` is kept on top of `taken`. */
function without(meant, sent, taken) {
  const kept = new Map();
  for (const bet of new Set([...meant.keys(), ...taken.keys()])) {
    const [now, then, had] = [meant, sent, taken].map((one) => one.get(bet) ?? 0);
    const stake = now >= then ? had + now - then : Math.min(now, had);
    if (stake) kept.set(bet, stake);
  }
  return kept;
}

function same(one, other) {
  return one.size === other.size && [...one].every(([bet, stake]) => other.get(bet) === stake);
}
