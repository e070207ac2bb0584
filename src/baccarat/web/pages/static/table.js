// The page of a table: the view that was handed over, the socket that goes on from there, and the
// parts that draw. Everything that happens comes in as an event; every part draws from one state.

import { api, Problem } from "./api.js";
import { Contribution } from "./contribute.js";
import { Felt } from "./felt.js";
import { begin, fold } from "./game.js";
import { choose, chosen } from "./look.js";
import { island, t } from "./page.js";
import { Panels } from "./panels.js";
import { Reality } from "./reality.js";
import { drawBoard } from "./roads.js";
import { TableSocket } from "./socket.js";
import { Spots } from "./spots.js";
import { Wagers } from "./wagers.js";

const $ = (id) => document.getElementById(id);
const table = island.view.id;
let state = begin(island.view, island.mine);

const felt = new Felt();
const panels = new Panels();
const reality = new Reality();
const wagers = state.mine && new Wagers(table, { change: drawWagers, refused: sayRefusal });
const spots = new Spots(state.layout, {
  place: (bet, coins) => wagers && (wagers.open ? wagers.add(bet, coins) : sayRefusal(new Problem(409, { detail: t("table.not_now") }))),
  remove: (bet) => wagers?.remove(bet),
});
const contribution = new Contribution(table, { refused: sayRefusal, chosen: () => contribution.follow(state.shoe) });

function tellWagers() {
  wagers?.told(state.round, state.phase === "open", state.mine.wagers);
}

function drawWagers() {
  spots.draw(state, wagers);
  panels.draw(state, wagers);
  if (!wagers) return;
  $("undo").disabled = !wagers.canUndo;
  $("clear").disabled = !wagers.open || wagers.total === 0;
  $("double").disabled = !wagers.open || wagers.total === 0;
  $("repeat").disabled = !wagers.open || wagers.total > 0 || lastWagers().length === 0;
}

function draw(options) {
  felt.draw(state, options);
  drawWagers();
}

// ---- what the house says -----------------------------------------------------------------------

function sayRefusal(problem) {
  if (reality.refused(problem)) return;
  $("refusal").textContent = problem.status === 0 ? t("table.no_answer") : problem.message;
  $("refusal").dataset.code = problem.code ?? "";
  clearTimeout(sayRefusal.timer);
  sayRefusal.timer = setTimeout(() => ($("refusal").textContent = ""), 8000);
}

function sayLine(words, kind) {
  $("line").hidden = !words;
  $("line").className = `line ${kind ?? ""}`;
  $("line").textContent = words;
}

async function refreshMine() {
  if (!state.mine) return;
  const { real, bonus, net, in_play } = await api("GET", `/tables/${table}/mine`);
  Object.assign(state.mine, { real, bonus, net, in_play });
  panels.draw(state, wagers);
  reality.follow();
}

async function refreshRoads() {
  state.roads = await api("GET", `/tables/${table}/roads`);
  drawBoard($("roads"), state.roads);
}

/** The whole view again: after a gap, or when the table has been set anew. */
async function refreshAll() {
  const [view, mine] = await Promise.all([
    api("GET", `/tables/${table}/view`), state.mine ? api("GET", `/tables/${table}/mine`) : null]);
  if (JSON.stringify(view.layout) !== JSON.stringify(state.layout)) return location.reload();
  state = { ...begin(view, mine), lastWagers: state.lastWagers };
  tellWagers();
  draw();
  drawBoard($("roads"), state.roads);
  return view.sequence;
}

const MONEY = new Set(["WagersPlaced", "RoundSettled", "RoundCancelled"]);
const ROADS = new Set(["CoupDecided", "ShoeCommitted"]);
const quietly = (promise) => promise.catch((problem) => {
  if (!(problem instanceof Problem)) throw problem;
});

function take(frame) {
  let [cards, closing] = [0, false];
  for (const event of frame.events) {
    if (event.type === "SettingsChanged") quietly(refreshAll());
    if (event.type === "BettingClosed") rememberWagers();
    fold(state, event);
    felt.announce(event, state);
    if (event.type.startsWith("Agreement")) document.dispatchEvent(new Event("agreement"));
    cards += event.type === "CardDealt";
    closing ||= event.type === "BettingClosed";
  }
  if (frame.stakes && frame.stakes.round === state.round) state.stakes = frame.stakes;
  tellWagers();
  // Whoever was away sees the cards lying there; only a card that is dealt now comes out of the shoe.
  draw({ moving: cards === 1 });
  const types = new Set(frame.events.map((event) => event.type));
  if ([...types].some((type) => MONEY.has(type))) quietly(refreshMine());
  if ([...types].some((type) => ROADS.has(type))) quietly(refreshRoads());
  contribution.follow(state.shoe);
}

// ---- what I do ---------------------------------------------------------------------------------

const LAST = `baccarat.last.${table}`;

function rememberWagers() {
  const placed = state.mine?.wagers ?? [];
  if (placed.length) sessionStorage.setItem(LAST, JSON.stringify(placed));
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

// Single keys, while the table has the focus: digits choose a chip, letters are the four acts.
const KEYS = { u: "undo", c: "clear", d: "double", r: "repeat" };
for (const place of [$("felt"), $("dock")]) {
  place.addEventListener("keydown", (event) => {
    if (!wagers || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) spots.choose(Number(event.key) - 1);
    else if (KEYS[event.key] && !$(KEYS[event.key]).disabled) ACTS[KEYS[event.key]]();
  });
}

$("guest")?.addEventListener("click", async () => {
  await api("POST", "/guests");
  location.reload();
});

$("four").checked = chosen("deck") === "four";
$("four").addEventListener("change", (event) => choose("deck", event.target.checked ? "four" : null));

// ---- begin -------------------------------------------------------------------------------------

tellWagers();
draw();
drawBoard($("roads"), state.roads);
contribution.follow(state.shoe);
if (state.mine) reality.follow();
setInterval(() => panels.tick(), 1000);
panels.tick();

if (island.session) {
  const socket = new TableSocket(table, state.sequence, {
    frame: take,
    lost: () => sayLine(t("table.lost"), "lost"),
    back: () => {
      sayLine(t("table.returned"), "back");
      quietly(refreshMine());
      setTimeout(() => sayLine(""), 5000);
    },
    gap: async () => {
      sayLine(t("table.gap"), "lost");
      const sequence = await refreshAll();
      socket.resume(sequence);
      sayLine(t("table.returned"), "back");
      setTimeout(() => sayLine(""), 5000);
    },
  });
} else {
  setInterval(() => quietly(refreshAll()), 2000);
}
document.documentElement.dataset.ready = "yes";
