// The lobby: the tables as they stand, asked for every few seconds while somebody looks.

import { api, Problem } from "./api.js";
import { card } from "./cards.js";
import { h, island, note, serverNow, t } from "./page.js";
import { road } from "./roads.js";

const EVERY = 2500;
const COLUMNS = 24;
let tables = island.tables;

const part = (table, name) => document.querySelector(`[data-table="${table}"] [data-part="${name}"]`);

function draw() {
  for (const table of tables) {
    const drawn = part(table.id, "road");
    const key = `${table.shoe?.shoe ?? ""} ${JSON.stringify(table.big_road.at(-1) ?? "")} ${table.big_road.length}`;
    if (drawn.dataset.key !== key) {
      drawn.dataset.key = key;
      drawn.replaceChildren(road("big_road", table.big_road, { columns: COLUMNS }));
    }
    const { banker, player, tie } = table.statistics;
    part(table.id, "counts").replaceChildren(...[["banker", banker], ["player", player], ["tie", tie]].map(
      ([side, count]) => h("span", { class: side }, h("span", { class: "sr" }, `${t(`roads.count.${side}`)} `), String(count))));
    part(table.id, "players").textContent = t(table.seated === 1 ? "lobby.one_seated" : "lobby.seated", { count: table.seated });
    if (table.seats !== null) {
      const free = table.seats - table.wagering;
      part(table.id, "seats").textContent = free > 0 ? t("lobby.free", { free, seats: table.seats }) : t("lobby.full", { seats: table.seats });
    }
    const gone = table.shoe ? (100 * (table.shoe.size - table.shoe.left)) / table.shoe.size : 0;
    part(table.id, "gone").setAttribute("width", gone.toFixed(1));
  }
  tick();
}

/** Phases with their countdowns, on the server's clock. */
function tick() {
  for (const table of tables) {
    const place = part(table.id, "phase");
    const left = Math.max(0, Math.ceil((table.closes_at - serverNow()) / 1000));
    const byDealer = table.phase === "open" && table.closes_at === 0; // the dealer says when it closes
    const open = table.phase === "open" && (left > 0 || byDealer) && !table.paused && table.bets;
    const phase = table.paused ? "paused" : !table.shoe || table.shoe.phase !== "in-play" ? "shuffling" : table.phase;
    const words = open ? t(byDealer ? "lobby.phase.by_dealer" : "lobby.phase.open", { left }) : t(`lobby.phase.${phase === "open" ? "closed" : phase}`);
    if (place.textContent !== words) place.textContent = words;
    place.classList.toggle("open", open);
  }
}

async function refresh() {
  if (document.visibilityState !== "visible") return;
  try {
    ({ tables } = await api("GET", "/tables"));
    draw();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
  }
}

for (const button of document.querySelectorAll(".filter button")) {
  button.addEventListener("click", () => {
    for (const other of document.querySelectorAll(".filter button")) other.setAttribute("aria-pressed", String(other === button));
    for (const seat of document.querySelectorAll(".seat")) seat.hidden = Boolean(button.dataset.game) && seat.dataset.game !== button.dataset.game;
  });
}

document.getElementById("guest")?.addEventListener("click", async (event) => {
  event.target.disabled = true;
  try {
    await api("POST", "/guests");
    location.assign(event.target.dataset.to);
  } catch (problem) {
    event.target.disabled = false;
    note(problem.message, "bad");
  }
});

document.getElementById("hero-cards").append(card("9s"), card("Kh"), card("Ad"));
draw();
setInterval(refresh, EVERY);
setInterval(tick, 250);
document.documentElement.dataset.ready = "yes";
