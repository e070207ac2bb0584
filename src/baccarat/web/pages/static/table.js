// The page of a table: the view sent with the page, the socket that continues from there, and the parts
// that draw. Everything that happens arrives as an event; all parts draw from one state.

import { api, attempt, pause, Problem } from "./api.js";
import { Contribution } from "./contribute.js";
import { Felt } from "./felt.js";
import { begin, take } from "./game.js";
import { chooseBy, chosen, switchBy } from "./look.js";
import { $, h, island, serverNow, serverTimeIsPast, t } from "./page.js";
import { Panels } from "./panels.js";
import { payOut } from "./payout.js";
import { Prices } from "./prices.js";
import { Reality } from "./reality.js";
import { Report } from "./report.js";
import { DealNow, drawEndOfShoe } from "./rhythm.js";
import { Board } from "./roads.js";
import { useRulesSheet } from "./rules.js";
import { TableSocket } from "./socket.js";
import { endOf, play } from "./sound.js";
import { Spots } from "./spots.js";
import { Squeeze } from "./squeeze.js";
import { useTabs } from "./tabs.js";
import { Terms } from "./terms.js";
import { Wagers } from "./wagers.js";

const MONEY = new Set(["WagersPlaced", "RoundSettled", "RoundCancelled", "RoundCorrected", "ReportDismissed"]);
const CARDS = new Set(["CardOffered", "CardDealt", "CardPlaced"]);
const SHOWN = 8000; // how long a refusal is shown, in milliseconds
const KEYS = { u: "undo", c: "clear", d: "double", r: "repeat" };

// A connection can be dead without being closed. If an event that is due by the table's clock does not
// arrive, the API is asked; if it does not answer, or has more events, the socket is reconnected.
const GRACE = 4000;
const SILENCE = 30_000;
const ANSWER = 4000;
const WATCH = 2000;

class TablePage {
  #table = island.view.id;
  #path = `/tables/${this.#table}`;
  #last = `baccarat.last.${this.#table}`;
  #state = begin(island.view, island.mine);
  #termsFrom = Infinity; // the round from which new terms apply
  #drawnRoads = "";
  #stopped = null; // why the player may no longer wager
  #offline = false;
  #behind = 0; // the entry up to which events may be missing; 0 if none are
  #heard = serverNow(); // when the last frame arrived
  #timers = {};

  #felt = new Felt();
  #board = new Board($("roads"), $("strip"));
  #panels = new Panels();
  #prices = new Prices({ remove: (bet) => this.#wagers?.remove(bet) });
  #reality = new Reality({ stopped: (words) => this.#showStopped(words) });
  #report = new Report(this.#table);
  #dealNow = new DealNow(this.#table, { refused: (problem) => this.#showRefusal(problem) });
  #squeeze = new Squeeze(this.#table, { refused: (problem) => this.#showRefusal(problem) });
  #terms = new Terms();
  #wagers = this.#state.mine && new Wagers(this.#table, {
    change: () => this.#drawWagers(),
    accepted: () => this.#terms.accepted,
    refused: (problem, bets) => this.#showRefusal(problem, bets),
    elsewhere: () => this.#showMessage(t("table-elsewhere"), "wagers-changed"),
  });
  #spots = new Spots(this.#state.layout, {
    place: (bet, coins) => this.#place(bet, coins),
    remove: (bet) => this.#wagers?.remove(bet),
    explain: (bet) => this.#prices.show(bet),
  });
  #contribution = new Contribution(this.#table, {
    refused: (problem) => this.#showRefusal(problem), chosen: () => this.#contribution.follow(this.#state.shoe),
  });
  #socket = null;
  #acts = {
    undo: () => this.#wagers.undo(),
    clear: () => this.#wagers.clear(),
    double: () => this.#wagers.double(),
    repeat: () => this.#repeat(),
  };

  begin() {
    this.#listenToThePlayer();
    this.#updateWagers();
    this.#draw();
    this.#drawRoads();
    this.#contribution.follow(this.#state.shoe);
    if (this.#state.mine) {
      this.#reality.follow();
      document.addEventListener("visibilitychange", () => document.hidden || this.#reality.follow());
    }
    setInterval(() => this.#panels.tick(), 1000);
    this.#panels.tick();
    if (island.session) this.#followTheSocket();
    else setTimeout(() => this.#watch(), WATCH);
    document.documentElement.dataset.ready = "yes";
  }

  // ---- drawing ---------------------------------------------------------------------------------

  #updateWagers() {
    const { round, takes_bets, mine, sequence } = this.#state;
    this.#wagers?.update(round, takes_bets, mine.wagers, sequence);
  }

  #drawWagers() {
    const wagers = this.#wagers;
    for (const part of [this.#spots, this.#panels, this.#prices]) part.draw(this.#state, wagers);
    if (!wagers) return;
    const smallest = Math.min(...this.#state.layout.groups.flatMap((group) => group.bets.map((bet) => bet.minimum)));
    const { real, in_play } = this.#state.mine;
    if ($("broke")) $("broke").hidden = real + in_play >= smallest;
    this.#dealNow.draw(this.#state, wagers);
    $("undo").disabled = !wagers.canUndo;
    $("clear").disabled = !wagers.open || wagers.total === 0;
    $("double").disabled = !wagers.takes || wagers.total === 0;
    $("repeat").disabled = !wagers.takes || wagers.total > 0 || this.#lastWagers().length === 0;
  }

  #draw(options) {
    this.#felt.draw(this.#state, options);
    this.#felt.onceSeen(() => drawEndOfShoe(this.#state));
    this.#report.draw(this.#state);
    this.#squeeze.draw(this.#state);
    this.#drawWagers();
  }

  /** Draw the roads if they have changed. */
  #drawRoads() {
    const key = JSON.stringify(this.#state.roads);
    if (key !== this.#drawnRoads) this.#board.draw(this.#state.roads);
    this.#drawnRoads = key;
  }

  // ---- messages --------------------------------------------------------------------------------

  #showRefusal(problem, bets = []) {
    this.#terms.refused();
    if (problem.over) this.#showSessionOver();
    if (this.#reality.refused(problem)) return;
    this.#spots.refuse(bets, SHOWN);
    const nothing = problem.code === "insufficient-funds" && problem.document.values?.left?.coins === 0;
    const words = nothing ? t(island.session.guest ? "table-empty_guest" : "table-empty") : problem.message;
    this.#showMessage(words, problem.code, problem.document.rule);
  }

  /** Show that play is over for now, or possible again: placing is disabled, withdrawing still works. */
  #showStopped(words) {
    this.#stopped = words;
    this.#wagers.stopped = Boolean(words);
    $("stopped").hidden = !words;
    $("stopped").replaceChildren(...(words ? [`${words} ${t("reality-withdraw")} `, h("a", { href: "/account/limits" }, t("reality-to_limits"))] : []));
  }

  /** Show a message about the player's wagers for a while, with a link to the rule behind it. Others stay. */
  #showMessage(words, code, rule) {
    const line = h("span", {}, words, ...(rule ? [" ", this.#linkTo(rule)] : []));
    for (const other of [...$("refusal").children]) if (other.textContent === line.textContent) other.remove();
    $("refusal").append(line);
    $("refusal").dataset.code = code;
    setTimeout(() => line.remove(), SHOWN);
  }

  /** A link to a rule in the sheet, or to a page that opens in a new window so that the player stays at the table. */
  #linkTo({ number, place }) {
    const rules = `/rules/${encodeURIComponent(this.#state.layout.card.id)}?table=${encodeURIComponent(this.#table)}#${place}`;
    const name = t(`table-rule-${place}`);
    const limits = place === "limits";
    return h("a", { href: limits ? "/account/limits" : rules, target: "_blank", rel: "noopener", "data-rules": !limits },
      number ? t("table-rule_number", { number, name }) : t("table-rule_named", { name }));
  }

  #showLine(words, kind, ...more) {
    clearTimeout(this.#timers.line);
    $("line").hidden = !words;
    $("line").className = `line ${kind ?? ""}`;
    $("line").replaceChildren(words, ...more);
    if (kind === "back") this.#after("line", 5000, () => this.#showLine(""));
  }

  #showSessionOver() {
    this.#socket?.close();
    const back = `/sign-in?back=${encodeURIComponent(location.pathname)}`;
    this.#showLine(`${t("table-over")} `, "over", h("a", { href: back }, t("table-over_in")));
  }

  #after(name, wait, act) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(act, wait);
  }

  // ---- requests --------------------------------------------------------------------------------

  async #refreshMine() {
    if (!this.#state.mine) return;
    const { real, bonus, sitting, in_play, reported } = await api("GET", `${this.#path}/mine`);
    Object.assign(this.#state.mine, { real, bonus, sitting, in_play, reported });
    this.#draw();
    this.#reality.follow();
  }

  /** The number of the last entry of the table's journal. */
  async #newest(options) {
    return (await api("GET", `${this.#path}/roads`, undefined, options)).sequence;
  }

  /** Fetch the whole view again, after a gap or when the table or the player's terms have changed. */
  async #refreshAll({ force = false } = {}) {
    const [view, mine] = await Promise.all([
      api("GET", this.#path), this.#state.mine ? api("GET", `${this.#path}/mine`) : null]);
    if (JSON.stringify(view.layout) !== JSON.stringify(this.#state.layout)) {
      location.reload();
      return new Promise(() => {}); // the page is being reloaded
    }
    if (force || view.sequence >= this.#state.sequence) this.#state = begin(view, mine);
    this.#updateWagers();
    this.#draw();
    this.#drawRoads();
    return this.#state.sequence;
  }

  #quietly(request) {
    return attempt(request, { refused: ({ over }) => over && island.session && this.#showSessionOver() });
  }

  // ---- events ----------------------------------------------------------------------------------

  #take(frame) {
    const events = frame.events.filter((event) => event.sequence > this.#state.sequence);
    const types = new Set(events.map((event) => event.type));
    const cards = events.filter((event) => CARDS.has(event.type)).length;
    this.#heard = serverNow();
    this.#remember(events);
    take(this.#state, frame);
    for (const event of events) {
      serverTimeIsPast(event.at);
      this.#felt.announce(event, this.#state);
      if (event.type.startsWith("Agreement")) document.dispatchEvent(new Event("agreement"));
      if (event.from_round) this.#termsFrom = event.from_round;
    }
    this.#updateWagers();
    if (cards <= 1) this.#sound(types);
    // Only a card that is dealt now is animated; after a lost connection, cards appear at once.
    this.#draw({ moving: cards === 1 });
    this.#felt.onceSeen(() => this.#drawRoads());
    if (types.has("RoundSettled")) this.#felt.onceSeen(() => payOut(this.#state.mine ?? {}));
    this.#contribution.follow(this.#state.shoe);
    this.#askAbout(types);
    this.#showCaughtUp();
  }

  /** Request what frames do not contain: the player's money, and the cost of bets under new terms. */
  #askAbout(types) {
    if ([...types].some((type) => MONEY.has(type))) this.#quietly(() => this.#refreshMine());
    const agreed = types.has("AgreementMade") || types.has("AgreementEnded");
    const begins = types.has("RoundOpened") || (agreed && !this.#state.mine?.wagers.length);
    const otherTerms = begins && this.#state.round >= this.#termsFrom;
    if (otherTerms || types.has("SettingsChanged")) this.#quietly(() => this.#refreshAll());
  }

  #sound(types) {
    if (types.has("BettingClosed")) play("closed");
    if ([...CARDS].some((type) => types.has(type))) play("card");
    if (types.has("RoundSettled")) this.#felt.onceSeen(() => play(endOf(this.#state.mine?.net)));
  }

  /** Remember the wagers at the close of betting, so that they can be repeated. */
  #remember(events) {
    if (!events.some((event) => event.type === "BettingClosed")) return;
    const changed = events.findLast((event) => event.type === "WagersPlaced");
    const placed = changed?.wagers ?? this.#state.mine?.wagers ?? [];
    if (this.#state.mine && placed.length) sessionStorage.setItem(this.#last, JSON.stringify(placed));
  }

  #lastWagers() {
    return JSON.parse(sessionStorage.getItem(this.#last) ?? "[]");
  }

  // ---- input -----------------------------------------------------------------------------------

  #place(bet, coins) {
    const wagers = this.#wagers;
    if (!wagers) return;
    if (!wagers.takes) return void this.#showRefusal(new Problem(409, { detail: this.#offline ? t("table-offline") : this.#stopped ?? t("table-not_now") }));
    this.#terms.before([bet], () => {
      play("chip");
      wagers.add(bet, coins);
    });
  }

  #repeat() {
    const last = this.#lastWagers();
    this.#terms.before(last.map(({ bet }) => bet), () => this.#wagers.repeat(last));
  }

  #listenToThePlayer() {
    // Unsent changes are lost with the page (withdrawn wagers would stand), so the browser asks first.
    addEventListener("beforeunload", (event) => this.#wagers?.waiting && event.preventDefault());
    if (this.#wagers) for (const [id, act] of Object.entries(this.#acts)) $(id).addEventListener("click", act);
    for (const place of [$("felt"), $("dock")]) place.addEventListener("keydown", (event) => this.#pressed(event));
    $("guest")?.addEventListener("click", async ({ target }) => {
      const session = await attempt(() => api("POST", "/guests"), { buttons: [target], refused: (problem) => this.#showRefusal(problem) });
      if (session) location.reload();
    });
    $("refill")?.addEventListener("click", async ({ target }) => {
      const refilled = await attempt(() => api("POST", "/me/play-money"), { buttons: [target], refused: (problem) => this.#showRefusal(problem) });
      target.disabled = false;
      if (refilled) this.#quietly(() => this.#refreshMine());
    });
    useTabs($("panel-tabs"));
    useRulesSheet();
    chooseBy($("four"), "deck", { ticked: "four" });
    switchBy($("sound"), "sound", "audible");
    $("sound").addEventListener("click", () => play("chip"));
    chooseBy($("single-keys"), "keys", { unticked: "ignored" });
  }

  /** Handle single keys, lower or upper case, while the table has the focus: digits choose a chip, letters
   *  are the four actions, T turns a card, and E shows the cost of the focused bet. */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat) { // a key held down stakes only once
      if (["Enter", " "].includes(event.key)) event.preventDefault();
      return;
    }
    if (chosen("keys") === "ignored") return;
    const key = event.key.toLowerCase();
    if (key === "t") this.#squeeze.turn();
    if (key === "e") this.#prices.show(event.target.closest("[data-bet]")?.dataset.bet);
    if (!this.#wagers) return;
    if (/^[1-9]$/.test(key)) this.#spots.choose(Number(key) - 1);
    else if (KEYS[key] && !$(KEYS[key]).disabled) this.#acts[KEYS[key]]();
  }

  // ---- the connection --------------------------------------------------------------------------

  #followTheSocket() {
    this.#socket = new TableSocket(this.#table, this.#state.sequence, {
      frame: (frame) => this.#take(frame),
      lost: ({ restarting }) => {
        this.#setOffline(true);
        this.#showLine(t(restarting ? "table-restarting" : "table-lost"), "lost");
      },
      back: () => this.#catchUp(),
      gap: () => this.#refetch(),
      over: () => this.#showSessionOver(),
    });
    this.#listen();
  }

  /** Retry until it works; return false if the session is over. */
  async #persist(act, failed = () => {}) {
    for (let tries = 0; ; tries++) {
      try {
        await act();
        return true;
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        if (problem.over) return this.#showSessionOver(), false;
        failed();
        await pause(tries);
      }
    }
  }

  /** After reconnecting, wait until everything up to the journal's current end has arrived. */
  async #catchUp() {
    this.#showLine(t("table-connected"), "lost");
    this.#behind = Infinity;
    const caught = await this.#persist(async () => {
      const sequence = await this.#newest();
      await this.#refreshMine();
      this.#behind = sequence;
    });
    if (caught) this.#showCaughtUp();
  }

  #showCaughtUp() {
    if (!this.#behind || this.#state.sequence < this.#behind) return;
    this.#behind = 0;
    this.#setOffline(false);
    this.#showLine(t("table-returned"), "back");
  }

  /** While offline, no chips are taken, and the wagers that the house holds are shown. */
  #setOffline(yes) {
    this.#offline = yes;
    if (this.#wagers) this.#wagers.offline = yes;
  }

  /** After a gap, fetch the whole view again, with retries. */
  async #refetch() {
    this.#showLine(t("table-gap"), "lost");
    await this.#persist(
      async () => this.#socket.resume(await this.#refreshAll({ force: true })),
      () => this.#showLine(t("table-gap_again"), "lost"));
  }

  async #listen() {
    const expected = this.#state.due?.at ?? this.#heard + SILENCE;
    if (!this.#behind && serverNow() > expected + GRACE) {
      const had = this.#state.sequence;
      const newest = () => this.#newest({ signal: AbortSignal.timeout(ANSWER) });
      const sequence = await attempt(newest, { refused: ({ unknown }) => unknown && this.#socket.drop() });
      await pause(1);
      if (sequence > had && this.#state.sequence === had) this.#socket.drop();
      await pause(Infinity);
    }
    setTimeout(() => this.#listen(), 1000);
  }

  /** Request the view every few seconds, for a visitor without a session. */
  async #watch() {
    const sequence = await attempt(() => this.#refreshAll());
    if (sequence === null) this.#showLine(t("table-lost"), "lost");
    else this.#showLine("");
    setTimeout(() => this.#watch(), WATCH);
  }
}

new TablePage().begin();
