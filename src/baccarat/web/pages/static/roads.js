// The roads, drawn at the positions computed by the server. One cell is one unit of the drawing.

import { h, list, svg, t } from "./page.js";

const ROWS = 6;
const DERIVED = ["big_eye_boy", "small_road", "cockroach_pig"];
// Columns of each road: beside the felt, below it, and on a phone.
const BESIDE = { bead_plate: 12, big_road: 24, big_eye_boy: 24, small_road: 12, cockroach_pig: 12 };
const BELOW = { bead_plate: 12, big_road: 36, big_eye_boy: 36, small_road: 18, cockroach_pig: 18 };
const NARROW = { bead_plate: 18, big_road: 18, big_eye_boy: 12, small_road: 12, cockroach_pig: 12 };
const STRIP = 48; // columns of the Big Road above the dock of a phone
const desk = matchMedia("(min-width: 68rem) and (min-height: 30.01rem)");
const wide = matchMedia("(min-width: 46rem)");
const columnsNow = () => (desk.matches ? BESIDE : wide.matches ? BELOW : NARROW);

const side = (winner) => ({ B: "banker", P: "player", T: "tie" })[winner];
const tone = (colour) => (colour === "R" ? "red" : "blue");

/** The grid of a road, as wide as the display. If the road is longer, its end is shown. */
function grid(name, columns, label) {
  let lines = "";
  for (let x = 0; x <= columns; x++) lines += `M${x} 0V${ROWS}`;
  for (let y = 0; y <= ROWS; y++) lines += `M0 ${y}H${columns}`;
  return svg("svg", { class: `road ${name}`, viewBox: `-.05 -.05 ${columns + 0.1} ${ROWS + 0.1}`, role: "img", "aria-label": label },
    svg("path", { class: "grid", d: lines }));
}

function hidden(entries, columns) {
  const last = entries.reduce((most, [column]) => Math.max(most, column), 0);
  return Math.max(0, last + 1 - columns);
}

function pairs(marks, x, y) {
  const dots = [];
  if (marks.includes("b")) dots.push(svg("circle", { class: "pair banker", cx: x + 0.2, cy: y + 0.2, r: 0.13 }));
  if (marks.includes("p")) dots.push(svg("circle", { class: "pair player", cx: x + 0.8, cy: y + 0.8, r: 0.13 }));
  return dots;
}

function bead([column, row, winner, marks], shift, last) {
  const [x, y] = [column - shift, row];
  return svg("g", { class: `${side(winner)}${last ? " newest" : ""}` },
    svg("circle", { class: "bead", cx: x + 0.5, cy: y + 0.5, r: 0.42 }),
    svg("text", { class: "bead-letter", x: x + 0.5, y: y + 0.68, "text-anchor": "middle" }, t(`roads-letter-${winner}`)),
    ...pairs(marks, x, y));
}

function win([column, row, winner, marks, ties], shift, last) {
  const [x, y] = [column - shift, row];
  const group = svg("g", { class: `${side(winner)}${last ? " newest" : ""}` },
    svg("circle", { class: `ring${marks.includes("n") ? " natural" : ""}`, cx: x + 0.5, cy: y + 0.5, r: 0.37 }));
  if (ties) group.append(svg("path", { class: "tie-mark", d: `M${x + 0.2} ${y + 0.8}l.6-.6` }));
  if (ties > 1) group.append(svg("text", { class: "ties", x: x + 0.5, y: y + 0.67, "text-anchor": "middle" }, String(ties)));
  group.append(...pairs(marks, x, y));
  return group;
}

/** An entry of a derived road: a ring, a disc or a stroke, depending on the road. */
function mark(road, x, y, colour) {
  const kind = tone(colour);
  if (road === "big_eye_boy") return svg("circle", { class: `mark ring ${kind}`, cx: x + 0.5, cy: y + 0.5, r: 0.32 });
  if (road === "small_road") return svg("circle", { class: `mark disc ${kind}`, cx: x + 0.5, cy: y + 0.5, r: 0.38 });
  return svg("path", { class: `mark stroke ${kind}`, d: `M${x + 0.18} ${y + 0.82}L${x + 0.82} ${y + 0.18}` });
}

/** The drawing of a road; `added` are possible next entries, which are marked as such. */
export function road(name, entries, { columns, added = [] }) {
  const picture = grid(name.replaceAll("_", "-"), columns, t(`roads-${name}`));
  const shift = hidden([...entries, ...added], columns);
  const draw = (entry, last = false) => {
    if (name === "bead_plate") return bead(entry, shift, last);
    if (name === "big_road") return win(entry, shift, last);
    return mark(name, entry[0] - shift, entry[1], entry[2]);
  };
  entries.forEach((entry, place) => {
    if (entry[0] >= shift) picture.append(draw(entry, place === entries.length - 1 && !added.length));
  });
  for (const entry of added) {
    const cell = svg("rect", { class: "cell", x: entry[0] - shift, y: entry[1], width: 1, height: 1 });
    picture.append(svg("g", { class: "would-be" }, cell, draw(entry)));
  }
  return picture;
}

/** What a win of one side would add to the derived roads, as small marks and in words. */
function wouldAdd(roads, winner) {
  const colours = DERIVED.map((name) => [name, roads.what_if[winner][name][0]?.[2]]);
  const marks = colours.map(([name, colour]) => {
    const picture = svg("svg", { class: "road tiny", viewBox: "0 0 1 1", "aria-hidden": "true" });
    if (colour) picture.append(mark(name, 0, 0, colour));
    return picture;
  });
  const names = colours.map(([name, colour]) => `${t(`roads-${name}`)}: ${t(`roads-colour-${colour ?? "none"}`)}`);
  return [h("span", {}, t(`roads-if_${side(winner)}`)), ...marks, h("span", { class: "sr" }, list(names))];
}

function counts(statistics, coups) {
  const one = (name, value) => h("div", { class: name.replaceAll("_", "-") }, h("dt", {}, t(`roads-count-${name}`)), h("dd", {}, String(value)));
  return [...["banker", "player", "tie", "banker_pairs", "player_pairs", "naturals", "longest_banker_run", "longest_player_run"]
    .map((name) => one(name, statistics[name])), one("coups", coups)];
}

/** The whole board. It is built once; a result only changes the drawings, so the focus is kept. */
export class Board {
  #strip;
  #roads = null;
  #winner = null; // the side whose possible next win is shown
  #figures = {};
  #counts = h("dl", { class: "counts" });
  #buttons = ["P", "B"].map((winner) => h("button", { type: "button", class: `what-if ${side(winner)}`, "aria-pressed": "false", "data-winner": winner }));

  constructor(place, strip) {
    this.#strip = strip;
    for (const name of ["bead_plate", "big_road", ...DERIVED]) {
      this.#figures[name] = h("figure", { class: `framed ${name.replaceAll("_", "-")}` },
        road(name, [], { columns: columnsNow()[name] }), h("figcaption", {}, t(`roads-${name}`)));
    }
    for (const one of this.#buttons) {
      const { winner } = one.dataset;
      one.addEventListener("click", () => this.#show(this.#winner === winner ? null : winner));
      one.addEventListener("keydown", ({ key }) => key === "Escape" && this.#show(null));
      one.addEventListener("blur", () => this.#winner === winner && this.#show(null));
    }
    desk.onchange = wide.onchange = () => this.#show(this.#winner);
    const { bead_plate, big_road } = this.#figures;
    place.replaceChildren(
      bead_plate,
      h("div", { class: "long-roads" }, big_road,
        h("div", { class: "derived" }, ...DERIVED.map((name) => this.#figures[name]))),
      h("div", { class: "board-foot" }, this.#counts, h("div", { class: "what-ifs" }, ...this.#buttons)));
  }

  draw(roads) {
    this.#roads = roads;
    this.#counts.replaceChildren(...counts(roads.statistics, roads.coups));
    for (const one of this.#buttons) one.replaceChildren(...wouldAdd(roads, one.dataset.winner));
    this.#show(this.#winner);
  }

  /** Draw the roads with what a win of this side would add, until its button is released. */
  #show(winner) {
    this.#winner = winner;
    for (const one of this.#buttons) one.setAttribute("aria-pressed", String(one.dataset.winner === winner));
    for (const [name, figure] of Object.entries(this.#figures)) {
      const drawing = { columns: columnsNow()[name], added: this.#roads.what_if[winner]?.[name] };
      figure.firstChild.replaceWith(road(name, this.#roads[name], drawing));
    }
    this.#strip.replaceChildren(...(wide.matches ? [] : [road("big_road", this.#roads.big_road, { columns: STRIP })]));
  }
}
