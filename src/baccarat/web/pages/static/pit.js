// The floor, kept up to date: figures are written where they stand; when something else has changed
// the page is loaded anew, unless somebody is filling in a form.

import { api } from "./api.js";
import { island, money, note, t } from "./page.js";

const EVERY = 3000;

function put(table, name, words) {
  const place = document.getElementById(`${table}-${name}`);
  if (place && place.textContent !== words) place.textContent = words;
}

function draw(told) {
  for (const one of told.tables) {
    put(one.id, "phase", t(`pit.phase.${one.paused ? "paused" : one.phase}`));
    put(one.id, "round", String(one.round));
    put(one.id, "players", String(one.players));
    put(one.id, "staked", money(one.staked));
    put(one.id, "left", one.shoe ? String(one.shoe.left) : "–");
    for (const kind of ["today", "guests"]) {
      put(one.id, `${kind}-turnover`, money(one[kind].turnover));
      put(one.id, `${kind}-result`, money(one[kind].result, { sign: true }));
    }
  }
}

function structure(told) {
  return JSON.stringify({
    tables: Object.fromEntries(told.tables.map((one) => [one.id, one.paused])),
    alerts: told.alerts.filter((one) => one.kind !== "result").map((one) => one.words),
    waiting: told.waiting.length,
  });
}

async function look() {
  const told = await api("GET", "/pit").catch(() => null);
  if (told) {
    draw(told);
    if (structure(told) !== JSON.stringify(island.live)) {
      if (document.activeElement?.closest("form")) note(t("pit.changed"));
      else location.reload();
    }
  }
  setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
