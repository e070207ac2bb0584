// The lobby: the state of the tables, requested every few seconds while the page is visible.

import { api, attempt } from "./api.js";
import { card } from "./cards.js";
import { Live } from "./live.js";
import { h, island, note, serverNow, t } from "./page.js";
import { road } from "./roads.js";

const EVERY = 2500;
const COLUMNS = 24;
const FAVOURITES = "baccarat_favourites"; // the server puts these tables first

const part = (table, name) => document.querySelector(`[data-table="${table}"] [data-part="${name}"]`);

function draw({ tables, mine }) {
  for (const table of tables) {
    part(table.id, "mine").hidden = !mine.includes(table.id);
    part(table.id, "note").textContent = noteOn(table);
    const drawn = part(table.id, "road");
    const key = `${table.shoe?.shoe ?? ""} ${JSON.stringify(table.big_road.at(-1) ?? "")} ${table.big_road.length}`;
    if (drawn.dataset.key !== key) {
      drawn.dataset.key = key;
      drawn.replaceChildren(road("big_road", table.big_road, { columns: COLUMNS }));
    }
    part(table.id, "counts").replaceChildren(...["banker", "player", "tie"].map(
      (side) => h("span", { class: side }, h("span", { class: "sr" }, `${t(`roads-count-${side}`)} `), String(table.statistics[side]))));
    part(table.id, "players").textContent = t(table.seated === 1 ? "lobby-one_seated" : "lobby-seated", { count: table.seated });
    if (table.free !== null) part(table.id, "seats").textContent = t(table.free ? "lobby-free" : "lobby-full", table);
    const gone = table.shoe ? (100 * (table.shoe.size - table.shoe.left)) / table.shoe.size : 0;
    part(table.id, "gone").setAttribute("width", gone.toFixed(1));
  }
  tick(tables);
}

/** The line above a table's road: the coup on the felt, or else which shoe the road is of. */
function noteOn({ decided, totals, last_shoe, statistics: { banker, player, tie } }) {
  if (decided) {
    const [low, high] = Object.values(totals).sort();
    return t("lobby-last_coup", { winner: t(`lobby-winner-${decided.winner}`), high, low });
  }
  if (last_shoe) return t("lobby-last_shoe");
  return banker + player + tie ? "" : t("lobby-no_coups");
}

/** Draw the calls with their countdowns, by the server's clock. */
function tick(tables) {
  for (const { id, call, due, takes_bets } of tables) {
    const place = part(id, "phase");
    const left = due ? Math.max(0, Math.ceil((due.at - serverNow()) / 1000)) : 0;
    const words = t(`lobby-call-${call}`, { left });
    if (place.textContent !== words) place.textContent = words;
    place.classList.toggle("open", takes_bets);
  }
}

for (const button of document.querySelectorAll(".filter button")) {
  button.addEventListener("click", () => {
    for (const other of document.querySelectorAll(".filter button")) other.setAttribute("aria-pressed", String(other === button));
    for (const seat of document.querySelectorAll(".seat")) seat.hidden = Boolean(button.dataset.game) && seat.dataset.game !== button.dataset.game;
  });
}

for (const star of document.querySelectorAll(".star")) {
  star.addEventListener("click", () => {
    star.setAttribute("aria-pressed", String(star.ariaPressed !== "true"));
    const chosen = [...document.querySelectorAll('.star[aria-pressed="true"]')].map((one) => one.dataset.favourite);
    document.cookie = `${FAVOURITES}=${chosen.join(".")}; path=/; max-age=31536000; samesite=lax`;
  });
}

document.getElementById("guest")?.addEventListener("click", async ({ target }) => {
  const session = await attempt(() => api("POST", "/guests"), { buttons: [target], refused: ({ message }) => note(message, "bad") });
  if (session) location.assign(target.dataset.to);
});

document.getElementById("hero-cards")?.append(card("9s"), card("Kh"), card("Ad"));
const live = new Live("/tables", island.lobby, draw);
draw(live.view);
live.poll(EVERY);
setInterval(() => tick(live.view.tables), 250);
document.documentElement.dataset.ready = "yes";
