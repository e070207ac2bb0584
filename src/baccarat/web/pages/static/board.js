// A display board for a screen in the room: results, roads, limits and shoes of some tables. It runs for
// days: it asks again after any failure, and reloads itself now and then to get a new version of the page.

import { api, Problem } from "./api.js";
import { card } from "./cards.js";
import { h, island, serverNow, shortMoney, t } from "./page.js";
import { road } from "./roads.js";

const EVERY = 2000; // milliseconds between requests
const PATIENCE = 10_000; // milliseconds until a request counts as lost
const RELOAD = 6 * 60 * 60 * 1000;
const ROADS = ["bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_pig"];
const single = island.board.tables.length === 1;
const path = `/board?${new URLSearchParams(island.asked.map((id) => ["table", id]))}`;
const started = performance.now();
let shown = island.board;

const part = (table, name) => document.querySelector(`[data-table="${table}"] [data-part="${name}"]`);

/** Replace a part's content if what it is drawn from has changed. */
function put(table, name, from, draw) {
  const [place, key] = [part(table, name), JSON.stringify(from)];
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...draw());
}

function result({ cards, totals, decided }) {
  const hands = ["player", "banker"].map((hand) => h("div", { class: `board-hand ${hand}${decided?.winner === hand ? " won" : ""}` },
    h("h3", {}, t(`board-${hand}`)), h("b", {}, cards.length ? String(totals[hand] ?? "") : "–"),
    h("div", { class: "board-cards" }, ...cards.filter((one) => one.hand === hand).map((one) => card(one.card)))));
  return [h("p", { class: `board-winner ${decided?.winner ?? ""}` }, decided ? t(`board-winner-${decided.winner}`) : ""), ...hands];
}

function limits({ bets }) {
  return bets.map(({ name, pays, minimum, maximum }) => h("div", {}, h("dt", {}, name, " ", h("small", {}, pays)),
    h("dd", {}, t("board-limits_of", { least: shortMoney(minimum), most: shortMoney(maximum) }))));
}

function shoe({ shoe: now, round, roads }) {
  const words = [t("board-round", { round }), t("board-coups", { count: roads.coups })];
  if (now) words.push(t("board-left", now), ...(now.to_come ? [t(`board-to_come-${now.to_come}`)] : []));
  return [words.join(" · ")];
}

function draw(board) {
  shown = board;
  for (const table of board.tables) {
    const { id, cards, totals, decided, roads, bets } = table;
    put(id, "result", [cards, totals, decided], () => result(table));
    put(id, "roads", [roads], () => (single ? ROADS : ROADS.slice(1, 2)).map((name) => road(name, roads[name], { columns: name === "bead_plate" ? 12 : name === "big_road" ? 30 : 18 })));
    put(id, "limits", bets, () => limits(table));
    put(id, "shoe", [table.shoe, table.round, roads.coups], () => shoe(table));
  }
  tick();
}

/** Draw the calls with their countdowns, by the server's clock. */
function tick() {
  for (const { id, call, due, takes_bets } of shown.tables) {
    const left = due ? Math.max(0, Math.ceil((due.at - serverNow()) / 1000)) : 0;
    const words = t(`lobby-call-${call}`, { left });
    const place = part(id, "call");
    if (place.textContent !== words) place.textContent = words;
    place.classList.toggle("open", takes_bets);
  }
}

async function follow() {
  try {
    const board = await api("GET", path, undefined, { signal: AbortSignal.timeout(PATIENCE) });
    const changed = board.tables.map(({ id }) => id).join() !== shown.tables.map(({ id }) => id).join();
    if (changed || performance.now() - started > RELOAD) return location.reload(); // the server answers
    draw(board);
    document.getElementById("lost").hidden = true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    document.getElementById("lost").hidden = false;
  }
  setTimeout(follow, EVERY);
}

draw(shown);
setTimeout(follow, EVERY);
setInterval(tick, 250);
document.documentElement.dataset.ready = "yes";
