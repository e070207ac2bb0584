// The page of a table: the view that was handed over, the socket that goes on from there, and the
// parts that draw. Everything that happens comes in as an event; every part draws from one state.

import { api, Problem } from "./api.js";
import { Contribution } from "./contribute.js";
import { Felt } from "./felt.js";
import { ASKS, begin, byHand, fold, shoeCame, takesBets } from "./game.js";
import { chooseBy, chosen } from "./look.js";
import { h, island, serverNow, serverTimeIsPast, t } from "./page.js";
import { Panels } from "./panels.js";
import { Prices } from "./prices.js";
import { Reality } from "./reality.js";
import { Report } from "./report.js";
import { Board } from "./roads.js";
import { PATIENCE, TableSocket } from "./socket.js";
import { endOf, play } from "./sound.js";
import { Spots } from "./spots.js";
import { Wagers } from "./wagers.js";

const $ = (id) => document.getElementById(id);
const table = island.view.id;
let state = begin(island.view, island.mine);
let drawn = "";
let stopped = null; // why nothing more can be wagered, in words

const felt = new Felt();
const board = new Board($("roads"));
const panels = new Panels();
const prices = new Prices();
const reality = new Reality({ stopped: sayStopped });
const report = new Report(table);
const wagers = state.mine && new Wagers(table, {
  change: drawWagers, refused: sayRefusal, taken: unsayRefusal, elsewhere: () => say(t("table.elsewhere"), "wagers-changed"),
});
const spots = new Spots(state.layout, {
  place: (bet, coins) => wagers && (wagers.takes ? (play("chip"), wagers.add(bet, coins)) : sayRefusal(new Problem(409, { detail: stopped ?? t("table.not_now") }))),
  remove: (bet) => wagers?.remove(bet),
});
const contribution = new Contribution(table, { refused: sayRefusal, chosen: () => contribution.follow(state.shoe) });

// What has not been sent goes with the page: withdrawn wagers would stand. The browser asks first.
addEventListener("beforeunload", (event) => wagers?.waiting && event.preventDefault());

function tellWagers() {
  wagers?.told(state.round, takesBets(state), state.mine.wagers, state.sequence);
}

function drawWagers() {
  spots.draw(state, wagers);
  panels.draw(state, wagers);
  prices.draw(state, wagers);
  if (!wagers) return;
  $("undo").disabled = !wagers.canUndo;
  $("clear").disabled = !wagers.open || wagers.total === 0;
  $("double").disabled = !wagers.takes || wagers.total === 0;
  $("repeat").disabled = !wagers.takes || wagers.total > 0 || lastWagers().length === 0;
}

function draw(options) {
  felt.draw(state, options);
  report.draw(state);
  drawWagers();
}

/** The board, when there is something new on it. */
function drawRoads() {
  const key = JSON.stringify(state.roads);
  if (key !== drawn) board.draw(state.roads);
  drawn = key;
}

// ---- what the house says -----------------------------------------------------------------------

function sayRefusal(problem) {
  if (problem.over) sayOver();
  if (reality.refused(problem)) return;
  const nothing = problem.code === "insufficient-funds" && problem.document.values?.left?.coins === 0;
  const own = problem.status === 0 ? "no_answer" : nothing ? (island.session.guest ? "empty_guest" : "empty") : null;
  say(own ? t(`table.${own}`) : problem.message, problem.code, problem.document.rule);
}

/** Play is over for now, or not any more: the table stays, placing is off, withdrawing works. */
function sayStopped(words) {
  stopped = words;
  wagers.stopped = Boolean(words);
  $("stopped").hidden = !words;
  $("stopped").replaceChildren(...(words ? [`${words} ${t("reality.withdraw")} `, h("a", { href: "/account/limits" }, t("reality.to_limits"))] : []));
}

/** Say something of my wagers, for a while, and which rule says so. */
function say(words, code, rule) {
  $("refusal").replaceChildren(h("span", {}, words, ...(rule ? [" ", linkTo(rule)] : [])));
  $("refusal").dataset.code = code;
  clearTimeout(say.timer);
  say.timer = setTimeout(unsayRefusal, 8000);
}

/** Where a rule is stated, in a window of its own: nobody leaves the table for it. */
function linkTo({ number, place }) {
  const rules = `/rules/${encodeURIComponent(state.layout.card.id)}?table=${encodeURIComponent(table)}#${place}`;
  const name = t(`table.rule.${place}`);
  return h("a", { href: place === "limits" ? "/account/limits" : rules, target: "_blank", rel: "noopener" },
    number ? t("table.rule_number", { number, name }) : t("table.rule_named", { name }));
}

/** What was refused before is no longer of interest. */
function unsayRefusal() {
  clearTimeout(say.timer);
  $("refusal").textContent = "";
}

function sayLine(words, kind, ...more) {
  clearTimeout(sayLine.timer);
  $("line").hidden = !words;
  $("line").className = `line ${kind ?? ""}`;
  $("line").replaceChildren(words, ...more);
  if (kind === "back") sayLine.timer = setTimeout(() => sayLine(""), 5000);
}

function sayOver() {
  socket?.close();
  const back = `/sign-in?back=${encodeURIComponent(location.pathname)}`;
  sayLine(`${t("table.over")} `, "over", h("a", { href: back }, t("table.over_in")));
}

async function refreshMine() {
  if (!state.mine) return;
  const { real, bonus, sitting, in_play } = await api("GET", `/tables/${table}/mine`);
  Object.assign(state.mine, { real, bonus, sitting, in_play });
  panels.draw(state, wagers);
  reality.follow();
}

/** Roads and how far the shoe has come; the answer is the entry of the journal they stand at. */
async function refreshRoads() {
  const { roads, shoe, sequence } = await api("GET", `/tables/${table}/roads`);
  state.roads = roads;
  if (shoe && shoe.shoe === state.shoe?.shoe) shoeCame(state, shoe);
  drawRoads();
  panels.draw(state, wagers);
  return sequence;
}

/** The whole view again: after a gap, when cards were put elsewhere, or terms have changed. */
async function refreshAll({ anew = false } = {}) {
  const [view, mine] = await Promise.all([
    api("GET", `/tables/${table}`), state.mine ? api("GET", `/tables/${table}/mine`) : null]);
  if (JSON.stringify(view.layout) !== JSON.stringify(state.layout)) {
    location.reload();
    return new Promise(() => {}); // this page is over
  }
  if (anew || view.sequence >= state.sequence) {
    // What is said of a round may be more to me than to everybody.
    const mineToo = socket && state.notice?.until >= view.round;
    state = { ...begin(view, mine), notice: mineToo ? state.notice : view.notice };
  }
  tellWagers();
  draw();
  drawRoads();
  return state.sequence;
}

const MONEY = new Set(["WagersPlaced", "RoundSettled", "RoundCancelled", "RoundCorrected"]);
const ROADS = new Set(["CoupDecided", "CutCardShown", "ShoeCommitted", "ShoeBegun", "RoundCancelled"]);
const CARDS = new Set(["CardDealt", "CardPlaced"]);
const quietly = (promise) => promise.catch((problem) => {
  if (!(problem instanceof Problem)) throw problem;
  if (problem.over && island.session) sayOver();
});

/** What has happened just now, for whoever wants to hear it. */
function sound(types) {
  if (types.has("BettingClosed")) play("closed");
  if ([...CARDS].some((type) => types.has(type))) play("card");
  if (types.has("RoundSettled")) felt.onceSeen(() => play(endOf((state.mine?.result ?? []).reduce((sum, one) => sum + one.net, 0))));
}

function take(frame) {
  const types = new Set();
  let [cards, asks] = [0, false];
  for (const event of frame.events) {
    if (event.type === "BettingClosed") closing();
    if (!fold(state, event)) continue;
    serverTimeIsPast(event.value.at);
    felt.announce(event, state);
    if (event.type.startsWith("Agreement")) document.dispatchEvent(new Event("agreement"));
    types.add(event.type);
    cards += CARDS.has(event.type);
    asks ||= event.type === "RoundOpened" && event.value.round >= (state.terms_from ?? Infinity);
  }
  state.sequence = Math.max(state.sequence, frame.through);
  if (frame.stakes && frame.stakes.round === state.round) state.stakes = frame.stakes;
  tellWagers();
  if (cards <= 1) sound(types);
  // Whoever was away sees the cards lying there; only a card that is dealt now comes out of the shoe.
  draw({ moving: cards === 1 });
  const any = (kinds) => [...types].some((type) => kinds.has(type));
  if (asks || any(ASKS)) quietly(refreshAll());
  if (any(MONEY)) quietly(refreshMine());
  if (any(ROADS)) felt.onceSeen(() => quietly(refreshRoads()));
  contribution.follow(state.shoe);
  sayCaughtUp();
}

// ---- what I do ---------------------------------------------------------------------------------

const LAST = `baccarat.last.${table}`;

/** What stands is remembered. */
function closing() {
  const placed = state.mine?.wagers ?? [];
  if (placed.length) sessionStorage.setItem(LAST, JSON.stringify(placed));
  unsayRefusal();
}

function lastWagers() {
  return JSON.parse(sessionStorage.getItem(LAST) ?? "[]");
}

const ACTS = {
  undo: () => wagers.undo(),
  clear: () => wagers.clear(),
  double: () => wagers.double(),
  repeat: () => wagers.repeat(lastWagers()),
};
if (wagers) for (const [id, act] of Object.entries(ACTS)) $(id).addEventListener("click", act);

// Single keys, small or capital, while the table has the focus: digits choose a chip, letters are the
// four acts, and E shows what the bet costs that has the focus.
const KEYS = { u: "undo", c: "clear", d: "double", r: "repeat" };
for (const place of [$("felt"), $("dock")]) {
  place.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat) { // a key that is held down stakes once
      if (["Enter", " "].includes(event.key)) event.preventDefault();
      return;
    }
    if (chosen("keys") === "ignored") return;
    const key = event.key.toLowerCase();
    if (key === "e") prices.show(event.target.closest("[data-bet]")?.dataset.bet);
    if (!wagers) return;
    if (/^[1-9]$/.test(key)) spots.choose(Number(key) - 1);
    else if (KEYS[key] && !$(KEYS[key]).disabled) ACTS[KEYS[key]]();
  });
}

$("guest")?.addEventListener("click", async ({ target }) => {
  target.disabled = true;
  try {
    await api("POST", "/guests");
    location.reload();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    target.disabled = false;
    sayRefusal(problem);
  }
});

chooseBy($("four"), "deck", { ticked: "four" });
chooseBy($("sound"), "sound", { ticked: "audible" });
chooseBy($("single-keys"), "keys", { unticked: "ignored" });

// ---- begin -------------------------------------------------------------------------------------

const pause = (tries) => new Promise((done) => setTimeout(done, PATIENCE[Math.min(tries, PATIENCE.length - 1)]));
let behind = 0; // the entry up to which something may have been missed; 0 when nothing was

/** The line is there again: nothing was missed once everything has come that there was by then. */
async function catchUp() {
  sayLine(t("table.connected"), "lost");
  behind = Infinity;
  for (let tries = 0; behind === Infinity; tries++) {
    try {
      behind = await refreshRoads();
      await refreshMine();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.over) return void sayOver();
      await pause(tries);
    }
  }
  sayCaughtUp();
}

function sayCaughtUp() {
  if (!behind || state.sequence < behind) return;
  behind = 0;
  sayLine(t("table.returned"), "back");
}

/** Something is missing: the whole view again, for as long as it takes. */
async function takeAnew() {
  sayLine(t("table.gap"), "lost");
  for (let tries = 0; ; tries++) {
    try {
      return void socket.resume(await refreshAll({ anew: true }));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.over) return void sayOver();
      sayLine(t("table.gap_again"), "lost");
      await pause(tries);
    }
  }
}

tellWagers();
draw();
drawRoads();
contribution.follow(state.shoe);
if (state.mine) {
  reality.follow();
  document.addEventListener("visibilitychange", () => document.hidden || reality.follow());
}
setInterval(() => panels.tick(), 1000);
panels.tick();

const socket = island.session && new TableSocket(table, state.sequence, {
  frame: take,
  lost: ({ restarting }) => sayLine(t(restarting ? "table.restarting" : "table.lost"), "lost"),
  back: catchUp,
  gap: takeAnew,
  over: sayOver,
});

// A line can be dead without a word. When what is due by the table's clock does not come, somebody is
// asked; who does not answer, or knows of more than has come, is not on this line any more.
const GRACE = 4000;
const SILENCE = 30_000;
const ANSWER = 4000;

function expected() {
  if (state.due) return state.due.at;
  const nobodyKnows = byHand(state) || state.paused;
  return state.moved_at + (nobodyKnows ? SILENCE : Math.max(state.clock.card, state.clock.pause));
}

async function listen() {
  if (!behind && serverNow() > expected() + GRACE) {
    const had = state.sequence;
    try {
      const { sequence } = await api("GET", `/tables/${table}/roads`, undefined, { signal: AbortSignal.timeout(ANSWER) });
      await pause(1);
      if (sequence > had && state.sequence === had) socket.drop();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.unknown) socket.drop();
    }
    await pause(PATIENCE.length);
  }
  setTimeout(listen, 1000);
}
if (socket) listen();

/** Whoever only looks asks for the view every few seconds. */
async function watch() {
  try {
    await refreshAll();
    sayLine("");
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    sayLine(t("table.lost"), "lost");
  }
  setTimeout(watch, 2000);
}
if (!socket) setTimeout(watch, 2000);
document.documentElement.dataset.ready = "yes";
