// Chips as SVG: an edge with eight marks, a ring, the value. A chip's colour depends on its value alone, so
// that it is the same at every table.

import { island, svg, t } from "./page.js";

const RISE = 3.6;
const values = () => island.view?.layout.chips ?? [];

function label(coins) {
  const units = coins / 100;
  if (units >= 1_000_000) return t("common-million", { count: units / 1_000_000 });
  if (units >= 1000) return t("common-thousand", { count: units / 1000 });
  return units < 1 ? `${island.money.point}${units.toFixed(2).slice(2)}` : String(units);
}

/** One chip of radius 20, centred at the origin. */
export function chipDrawing(coins) {
  const text = label(coins);
  return svg("g", { class: `chip chip-${coins}` },
    svg("circle", { class: "chip-rim", r: 20 }),
    svg("circle", { class: "chip-marks", r: 17.4, pathLength: 16 }),
    svg("circle", { class: "chip-face", r: 13 }),
    svg("text", { class: "chip-value", y: text.length > 3 ? 3.2 : 4, "text-anchor": "middle",
      "font-size": text.length > 3 ? 9 : text.length > 2 ? 10.5 : 12.5 }, text));
}

export function chip(coins) {
  return svg("svg", { class: "chip-picture", viewBox: "-21 -21 42 42", "aria-hidden": "true" }, chipDrawing(coins));
}

/** The chips of an amount, the largest first; a remainder smaller than any chip appears only in the label. */
function inChips(coins) {
  const found = [];
  for (const value of [...values()].reverse()) {
    while (coins >= value && found.length < 40) {
      found.push(value);
      coins -= value;
    }
  }
  return found;
}

/** The stack of chips of an amount: at most five are drawn, the largest at the bottom. */
export function stack(coins, kind = "") {
  const drawn = inChips(coins).slice(0, 5);
  const height = 42 + RISE * (drawn.length - 1);
  const picture = svg("svg", { class: `stack ${kind}`, viewBox: `-21 ${21 - height} 42 ${height}`, preserveAspectRatio: "xMidYMax", "aria-hidden": "true" });
  drawn.forEach((value, place) => {
    const one = chipDrawing(value);
    one.setAttribute("transform", `translate(0 ${-RISE * place})`);
    picture.append(one);
  });
  return picture;
}
