// Keeps the floor up to date: figures are updated in place; if anything else has changed, the page is
// reloaded, unless someone is filling in a form. A sound announces new alerts, if sounds are on.

import { Live } from "./live.js";
import { switchBy } from "./look.js";
import { $, island, money, note, put, t } from "./page.js";
import { playWhenAllowed } from "./sound.js";

const EVERY = 3000;
const HEARD = "baccarat_alerts";

function draw(view) {
  for (const table of view.tables) {
    put(`${table.id}-phase`, t(`pit-phase-${table.frozen ? "frozen" : table.paused ? "paused" : table.phase}`));
    put(`${table.id}-round`, String(table.round));
    put(`${table.id}-players`, String(table.players));
    put(`${table.id}-staked`, money(table.staked));
    put(`${table.id}-left`, table.shoe ? String(table.shoe.left) : "–");
    for (const kind of ["today", "guests"]) {
      put(`${table.id}-${kind}-turnover`, money(table[kind].turnover));
      put(`${table.id}-${kind}-result`, money(table[kind].result, { sign: true }));
    }
  }
  const now = structure(view);
  if (JSON.stringify(now) === JSON.stringify(island.live)) return;
  if (!editing()) return void location.reload();
  note(t("pit-changed"));
  announce(now);
}

/** Whether reloading would close or empty a form that someone is filling in. */
function editing() {
  const fields = [...document.querySelectorAll("form input, form textarea")];
  return Boolean(document.activeElement?.closest("form") || document.querySelector(".levers details[open]") || fields.some((field) => field.value !== field.defaultValue));
}

/** The values that only the server can draw, in the same form as `live` in web/pages/desks.py. */
function structure({ tables, alerts, notes, waiting, stop }) {
  const seen = (one) => [one.id, one.acknowledged !== null];
  return [tables.map((table) => [table.id, table.paused, table.frozen]), alerts.map(seen), notes.map(seen),
    waiting.length, stop && [stop.at, stop.words !== null]];
}

/** Play a sound if there is an alert or a decision that was not announced in this tab. */
function announce([, alerts, , waiting, stop]) {
  const before = JSON.parse(sessionStorage.getItem(HEARD) ?? '{"ids":[],"waiting":0}');
  const ids = alerts.filter(([, seen]) => !seen).map(([id]) => id);
  if (stop) ids.push(stop[0]);
  sessionStorage.setItem(HEARD, JSON.stringify({ ids, waiting }));
  if (ids.some((id) => !before.ids.includes(id)) || waiting > before.waiting) playWhenAllowed("alert");
}

switchBy($("sound"), "sound", "audible");
announce(island.live);
new Live("/pit", {}, draw).poll(EVERY);
