// Keeps the floor up to date: figures are updated in place; if anything else has changed, the page is
// reloaded, unless someone is filling in a form.

import { Live } from "./live.js";
import { island, money, note, put, t } from "./page.js";

const EVERY = 3000;

function draw(view) {
  for (const table of view.tables) {
    put(`${table.id}-phase`, t(`pit-phase-${table.paused ? "paused" : table.phase}`));
    put(`${table.id}-round`, String(table.round));
    put(`${table.id}-players`, String(table.players));
    put(`${table.id}-staked`, money(table.staked));
    put(`${table.id}-left`, table.shoe ? String(table.shoe.left) : "–");
    for (const kind of ["today", "guests"]) {
      put(`${table.id}-${kind}-turnover`, money(table[kind].turnover));
      put(`${table.id}-${kind}-result`, money(table[kind].result, { sign: true }));
    }
  }
  if (structure(view) === JSON.stringify(island.live)) return;
  if (editing()) note(t("pit-changed"));
  else location.reload();
}

/** Whether reloading would close or empty a form that someone is filling in. */
function editing() {
  const fields = [...document.querySelectorAll("form input, form textarea")];
  return Boolean(document.activeElement?.closest("form") || document.querySelector(".levers details[open]") || fields.some((field) => field.value !== field.defaultValue));
}

/** The values that only the server can draw, in the same form as `live` in web/pages/desks.py. */
function structure({ tables, alerts, waiting }) {
  const shown = alerts.filter((alert) => alert.kind !== "result");
  return JSON.stringify([tables.map((table) => [table.id, table.paused]), shown.map((alert) => alert.words), waiting.length]);
}

new Live("/pit", {}, draw).poll(EVERY);
