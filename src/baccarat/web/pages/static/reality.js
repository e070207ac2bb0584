// Safer gambling at a table: the reality check, which must be answered before the next wager, the message
// when play is over for now (a break, an exclusion, a limit), and warnings of limits that are nearly
// reached. The check stays open until it is answered; players who may no longer play can stay and watch.
// The server sends and enforces all of this; this module only draws it.

import { api, attempt } from "./api.js";
import { h, money, note, serverNow, t } from "./page.js";

const STOPPED = new Set(["self-excluded", "on-a-break", "time-limit"]);
const BREAK_HOURS = 24;
const SELDOM = 5_000;

export function inWords(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  return t(minutes < 60 ? "reality-minutes" : "reality-hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

export class Reality {
  #dialog = null;
  #warned = new Set();
  #timer = 0;
  #soon = 0;
  #looked = -Infinity;
  #shown = null; // the figures in the open check
  #answers = 0; // number of answers sent; data requested before an answer is outdated
  #on;
  #stopped = null;

  /** `on`: stopped(words) when the player may no longer wager; stopped(null) when they may again. */
  constructor(on) {
    this.#on = on;
  }

  /** Handle a refused wager; return false if the reason is not one of those shown here. */
  refused(problem) {
    if (problem.code !== "reality-check" && !STOPPED.has(problem.code)) return false;
    this.#look(problem);
    return true;
  }

  /** Update the player's state after an event that concerns the player, but not too often. */
  follow() {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#look(), Math.max(0, this.#looked + SELDOM - performance.now()));
  }

  async #look(problem) {
    this.#looked = performance.now();
    const answers = this.#answers;
    const play = await attempt(() => api("GET", "/me/play"));
    if (!play || answers !== this.#answers) return;
    this.#warn(play.limits.filter((one) => one.warning));
    const stopped = play.blocked ?? (STOPPED.has(problem?.code) ? problem.message : null);
    if (stopped) return void this.#stop(stopped);
    if (this.#stopped) this.#goOn();
    if (play.reality_check.due) this.#check(play.sitting);
    else {
      if (this.#shown) this.#close(); // answered elsewhere
      this.#wait(play.reality_check.due_at);
    }
  }

  /** Warn once of each limit that is nearly reached, and again when more of it is used. */
  #warn(limits) {
    const warnings = limits.map(({ limit, period, used, amount }) => {
      const [part, whole] = [used, amount].map((one) => (limit === "time" ? inWords(one * 60_000) : money(one)));
      return `${t(`reality-warned-${limit}`, { used: part, amount: whole })} ${t(`reality-period-${period}`)}`;
    });
    for (const words of warnings) if (!this.#warned.has(words)) note(words, "bad");
    this.#warned = new Set(warnings);
  }

  /** Show the check when it is due, not only when a wager is refused. */
  #wait(at) {
    clearTimeout(this.#timer);
    if (at) this.#timer = setTimeout(() => this.#look(), Math.max(1000, Math.min(at - serverNow() + 500, 2 ** 31 - 1)));
  }

  /** Show the check with time and net result. A loss is shown as a loss, and open stakes separately. */
  #check(sitting) {
    const { net = 0, staked = 0, elapsed = 0 } = sitting ?? {};
    const open = this.#shown !== null;
    this.#shown = { net, staked };
    this.#wait(serverNow() + SELDOM); // meanwhile rounds may be settled, here and at other tables
    const figures = this.#figures(net, staked, inWords(elapsed));
    if (open) return void this.#dialog.querySelector("#check-figures").replaceWith(figures);
    const pause = h("button", { type: "button", class: "button ghost", id: "check-break" }, t("reality-break", { hours: BREAK_HOURS }));
    const go = h("button", { type: "button", class: "button", id: "check-on" }, t("reality-on"));
    const shown = this.#shown;
    this.#show(
      { closable: false },
      t("reality-title"),
      figures,
      h("p", { class: "quiet" }, t("reality-break_words")),
      h("p", { class: "acts-of-check" }, go, pause, h("a", { class: "button ghost", href: "/" }, t("reality-leave"))));
    this.#shown = shown;
    go.addEventListener("click", () => this.#answer("/me/reality-check", this.#shown));
    pause.addEventListener("click", () => this.#answer("/me/break", { hours: BREAK_HOURS }));
  }

  #figures(net, staked, time) {
    const result = net < 0 ? "lost" : net > 0 ? "won" : "even";
    const words = t(`reality-${result}`, { time, amount: money(Math.abs(net)) });
    const fact = (id, value, kind = "") => h("div", {}, h("dt", {}, t(`reality-${id}`)), h("dd", { id: `check-${id}`, class: kind }, value));
    return h("div", { id: "check-figures", "aria-live": "polite" },
      h("p", { class: "message", id: "check-words" }, staked ? `${words} ${t("reality-and_staked", { amount: money(staked) })}` : words),
      h("dl", { class: "facts" },
        fact("time", time), fact("net", money(net, { sign: true }), net < 0 ? "down" : ""), fact("staked", money(staked))));
  }

  /** Show once that play is over; when the dialog is closed, a line on the table remains. */
  #stop(words) {
    if (this.#stopped === words) return;
    this.#stopped = words;
    this.#on.stopped(words);
    const stay = h("button", { type: "button", class: "button ghost", id: "stopped-stay" }, t("reality-stay"));
    this.#show(
      { closable: true },
      t("reality-stopped"),
      h("p", { class: "message", id: "stopped-words" }, words),
      h("p", { class: "quiet" }, t("reality-stopped_words")),
      h("p", { class: "acts-of-check" },
        h("a", { class: "button", href: "/account/limits" }, t("reality-to_limits")), stay,
        h("a", { class: "button ghost", href: "/" }, t("reality-leave"))));
    stay.addEventListener("click", () => this.#close());
  }

  #goOn() {
    this.#stopped = null;
    this.#on.stopped(null);
    if (this.#dialog) this.#close();
  }

  async #answer(path, body) {
    const buttons = this.#dialog.querySelectorAll("button");
    await attempt(() => api("POST", path, body), { buttons, refused: ({ message }) => note(message, "bad") });
    this.#answers += 1;
    if (this.#dialog) this.#close();
    await this.#look(); // if the answer was refused, show the check again with current figures; also shows a break
  }

  #close() {
    const dialog = this.#dialog;
    this.#dialog = this.#shown = null;
    dialog.close();
    dialog.remove();
  }

  /** Show a dialog. If it must be answered, only its own buttons close it, not Escape. */
  #show({ closable }, title, ...parts) {
    if (this.#dialog) this.#close();
    const dialog = h("dialog", { class: "check", id: "check", "aria-labelledby": "check-title", closedby: closable ? "closerequest" : "none" },
      h("h2", { id: "check-title" }, title), ...parts);
    if (!closable) dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("close", () => {
      if (dialog !== this.#dialog) return;
      if (closable) this.#close();
      else dialog.showModal();
    });
    document.body.append(dialog);
    this.#dialog = dialog;
    dialog.showModal();
  }
}
