// The player's wagers on the open round: what they intend, what the server has accepted, and how the two
// are synchronised. The whole set is sent each time, with the one it replaces, one request at a time. If
// a set is refused, only the cause is taken back: the bet that the refusal names, or the last action.
// What was placed since then stays. The player may also wager in another window: its wagers are shown
// here and never overwritten. An event that is older than the last answer is ignored.

import { api, apiWithRetries, attempt, Problem } from "./api.js";

/** Refusals because of the total: without the last action, the wagers may be accepted. */
const TOO_MUCH = new Set(["over-coup-limit", "stake-cap", "partners-over-maximum", "insufficient-funds", "loss-limit", "bonus-breach"]);

export class Wagers {
  #table;
  #on;
  #taken = new Map();
  #takenAt = 0; // the journal entry that accepted them
  #meant = new Map();
  #before = []; // earlier intended sets, for undo
  #settled = 0; // how many of those are older than the accepted set
  #sending = false;
  #round = 0;
  #open = false;
  #offline = false; // nothing can be sent, and the accepted wagers are shown
  #stopped = false; // no more may be staked; all wagers together may be withdrawn

  /** `on`: change(), accepted(): terms that the player accepts with the bets, refused(problem, bets): these bets were taken back, elsewhere(): wagers were placed in another window. */
  constructor(table, on) {
    this.#table = table;
    this.#on = on;
  }

  /** Apply the journal's state at an entry: the round, whether it is open, and the accepted wagers. */
  update(round, open, wagers, through) {
    const another = round !== this.#round;
    if (another) [this.#before, this.#settled, this.#takenAt] = [[], 0, 0];
    this.#round = round;
    this.#open = open;
    if (through >= this.#takenAt) {
      const [before, standing] = [this.#taken, mapOf(wagers)];
      this.#taken = standing;
      if (another || !open) this.#meant = new Map(standing);
      else if (!this.#sending && !same(before, standing)) this.#elsewhere();
    }
    this.#on.change();
  }

  /** Adopt wagers that were placed in another window; there is nothing left to undo. */
  #elsewhere() {
    this.#meant = new Map(this.#taken);
    [this.#before, this.#settled] = [[], 0];
    this.#on.elsewhere?.();
  }

  get open() {
    return this.#open && !this.#offline;
  }

  set offline(yes) {
    this.#offline = yes;
    this.#on.change();
  }

  /** What is shown: what the player intends, or while offline, what the server holds. */
  get #shown() {
    return this.#offline ? this.#taken : this.#meant;
  }

  /** Whether more can be staked. Wagers can be withdrawn as long as the round is open. */
  get takes() {
    return this.open && !this.#stopped;
  }

  set stopped(yes) {
    this.#stopped = yes;
    this.#on.change();
  }

  /** Whether the server has not answered the latest change yet. */
  get waiting() {
    return this.#sending;
  }

  get canUndo() {
    return this.takes && this.#before.length > 0;
  }

  get total() {
    return [...this.#shown.values()].reduce((sum, stake) => sum + stake, 0);
  }

  stake(bet) {
    return this.#shown.get(bet) ?? 0;
  }

  /** Whether the server has accepted the stake that is shown. */
  isTaken(bet) {
    return this.#taken.get(bet) === this.#shown.get(bet);
  }

  get all() {
    return listOf(this.#shown);
  }

  add(bet, coins) {
    this.#mean(new Map(this.#meant).set(bet, this.stake(bet) + coins));
  }

  remove(bet) {
    const next = new Map(this.#meant);
    if (next.delete(bet) && !(this.#stopped && next.size)) this.#mean(next);
  }

  clear() {
    if (this.#meant.size) this.#mean(new Map());
  }

  double() {
    if (this.#meant.size) this.#mean(new Map([...this.#meant].map(([bet, stake]) => [bet, 2 * stake])));
  }

  repeat(wagers) {
    if (wagers.length) this.#mean(mapOf(wagers));
  }

  undo() {
    const last = this.#before.pop();
    if (last) this.#mean(last, { remember: false });
  }

  #mean(next, { remember = true } = {}) {
    if (!this.open) return;
    if (remember) this.#before.push(this.#meant);
    this.#meant = next;
    this.#on.change();
    if (this.#sending) return;
    this.#sending = true;
    queueMicrotask(() => this.#send()); // changes made in the same task are sent together
  }

  async #send() {
    while (this.#open && !same(this.#meant, this.#taken)) {
      const [round, sent, already] = [this.#round, this.#meant, this.#before.length];
      const body = { round, wagers: listOf(sent), replaces: listOf(this.#taken), accept: this.#on.accepted?.() };
      try {
        const until = () => this.#open && this.#round === round;
        const { first, events } = await apiWithRetries("PUT", `/tables/${this.#table}/wagers`, body, { until });
        const at = first + Math.max(0, events.findIndex(({ type }) => type === "WagersPlaced"));
        if (this.#round === round) [this.#taken, this.#takenAt, this.#settled] = [sent, at, already];
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (problem.code === "wagers-changed") await this.#lookAgain(round);
        else {
          const bets = this.#round === round ? this.#takeBack(sent, already, problem) : [];
          this.#on.refused(problem, bets);
        }
      }
      this.#on.change();
    }
    this.#sending = false;
  }

  /** Fetch the accepted wagers, because they differ from those known here. */
  async #lookAgain(round) {
    const found = await attempt(() => api("GET", `/tables/${this.#table}/wagers`)); // if it failed, the socket will update it
    if (found?.round === this.#round && found.sequence >= this.#takenAt) {
      [this.#taken, this.#takenAt] = [mapOf(found.wagers), found.sequence];
    }
    if (this.#round === round) this.#elsewhere();
  }

  /** Take back the cause of a refusal of `sent`, in the intended set and in the sets for undo. Return its bets. */
  #takeBack(sent, already, problem) {
    const kept = this.#before.slice(0, Math.min(this.#settled, already));
    const acts = this.#before.slice(kept.length, already);
    const bet = changedLast([...acts, sent], problem.bets) ?? null;
    const without = (one) => (bet === null ? one : withStake(one, bet, this.#taken.get(bet)));
    const earlier = TOO_MUCH.has(problem.code) ? acts.findLast((one) => !same(one, sent)) : null;
    const instead = bet === null ? earlier ?? this.#taken : without(sent);
    const since = [...this.#before.slice(already), this.#meant].map((one) => onTopOf(instead, one, sent));
    const all = [...kept, ...(instead === this.#taken ? [] : acts.map(without)), ...since];
    this.#meant = all.pop();
    this.#before = all.filter((one, place) => !same(one, all[place + 1] ?? this.#meant));
    this.#settled = Math.min(this.#settled, this.#before.length);
    return [...sent].filter(([one, stake]) => stake > (instead.get(one) ?? 0)).map(([one]) => one);
  }
}

/** Which of these bets was changed last, or null. */
function changedLast(sets, bets) {
  for (let place = sets.length - 1; place > 0; place--) {
    const changed = bets.find((bet) => sets[place].get(bet) !== sets[place - 1].get(bet));
    if (changed !== undefined) return changed;
  }
  return null;
}

function withStake(set, bet, stake) {
  const changed = new Map(set);
  if (stake) changed.set(bet, stake);
  else changed.delete(bet);
  return changed;
}

/** Apply the changes made since `sent` to the set `instead`, which replaces it. */
function onTopOf(instead, meant, sent) {
  const kept = new Map();
  for (const bet of new Set([...meant.keys(), ...instead.keys()])) {
    const [now, then, had] = [meant, sent, instead].map((one) => one.get(bet) ?? 0);
    const stake = now >= then ? had + now - then : Math.min(now, had);
    if (stake) kept.set(bet, stake);
  }
  return kept;
}

function mapOf(wagers) {
  return new Map(wagers.map(({ bet, stake }) => [bet, stake]));
}

function listOf(set) {
  return [...set].map(([bet, stake]) => ({ bet, stake }));
}

function same(one, other) {
  return one.size === other.size && [...one].every(([bet, stake]) => other.get(bet) === stake);
}
