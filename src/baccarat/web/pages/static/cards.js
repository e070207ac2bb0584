// Card faces as SVG: an index in two corners, pips in their traditional places, and court cards in a
// frame. Colours come from the suit's class, so that a four-colour deck is an option.

import { COURT, FRAME, SASH } from "./courts.js";
import { h, svg, t } from "./page.js";

const SUITS = {
  s: "M0-9C4-4 9-1 9 4a4.500 4.500 0 0 1-8 2.800Q1.500 9 3.500 10h-7Q-1.500 9-1 6.800A4.500 4.500 0 0 1-9 4C-9-1-4-4 0-9z",
  h: "M0 9C-4 4-9.500 1-9.500-4.200A5 5 0 0 1 0-6 5 5 0 0 1 9.500-4.200C9.500 1 4 4 0 9z",
  d: "M0-10Q3.500-4 7.500 0 3.500 4 0 10-3.500 4-7.500 0-3.500-4 0-10z",
  c: "M0-9.500a4.600 4.600 0 0 1 4 6.800 4.700 4.700 0 1 1-3 8.300Q1.500 8.500 3.500 10h-7Q-1.500 8.500-1 5.600a4.700 4.700 0 1 1-3-8.300A4.600 4.600 0 0 1 0-9.500z",
};

// Positions of the pips on a face of 100 by 140, in columns 33, 50 and 67; upside down below the middle.
const [L, M, R] = [33, 50, 67];
const PIPS = {
  A: [[M, 70]],
  2: [[M, 30], [M, 110]],
  3: [[M, 30], [M, 70], [M, 110]],
  4: [[L, 30], [R, 30], [L, 110], [R, 110]],
  5: [[L, 30], [R, 30], [M, 70], [L, 110], [R, 110]],
  6: [[L, 30], [R, 30], [L, 70], [R, 70], [L, 110], [R, 110]],
  7: [[L, 30], [R, 30], [M, 50], [L, 70], [R, 70], [L, 110], [R, 110]],
  8: [[L, 30], [R, 30], [M, 50], [L, 70], [R, 70], [M, 90], [L, 110], [R, 110]],
  9: [[L, 28], [R, 28], [L, 56], [R, 56], [M, 70], [L, 84], [R, 84], [L, 112], [R, 112]],
  10: [[L, 28], [R, 28], [M, 42], [L, 56], [R, 56], [L, 84], [R, 84], [M, 98], [L, 112], [R, 112]],
};

export function rankOf(card) {
  return card.slice(0, -1);
}

export function suitOf(card) {
  return card.slice(-1);
}

/** The name of a card for screen readers: "king of hearts". */
export function cardInWords(card) {
  return t("cards-name", { rank: t(`cards-rank-${rankOf(card)}`), suit: t(`cards-suit-${suitOf(card)}`) });
}

/** "6♥ 2♣ = 8, K♦ K♠ = 0" of a coup such as "P:6h2c=8 B:KdKs=0". */
export function coupInWords(coup) {
  const signs = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const hand = (text) => text.slice(2).replace(/(10|[2-9AJQK])([shdc])/g, (_, rank, of) => `${rank}${signs[of]} `).replace("=", "= ");
  const [player, banker] = coup.split(" ").map(hand);
  return t("cards-coup", { player, banker });
}

/** The reason why a third card was drawn or not. */
export function rowInWords({ reason } = {}) {
  return reason ? t(`cards-row-${reason.row}`, reason) : "";
}

function suit(name, x, y, size, turned = false) {
  const turn = turned ? " rotate(180)" : "";
  return svg("path", { d: SUITS[name], transform: `translate(${x} ${y}) scale(${size})${turn}` });
}

function corner(card, turned) {
  const group = svg("g", { class: "corner", ...(turned ? { transform: "rotate(180 50 70)" } : {}) });
  const rank = svg("text", { class: "index", x: 12.5, y: 23, "text-anchor": "middle" }, rankOf(card));
  group.append(rank, suit(suitOf(card), 12.5, 35, 0.66));
  return group;
}

function middle(card) {
  const rank = rankOf(card);
  const places = PIPS[rank];
  if (places) {
    const size = rank === "A" ? 2.6 : 0.92;
    return places.map(([x, y]) => suit(suitOf(card), x, y, size, y > 70));
  }
  return [svg("g", { class: "court", transform: "translate(50 70) scale(.94)" },
    svg("path", { class: "tint", d: FRAME }), half(card, false), half(card, true),
    svg("path", { class: "gold", d: SASH }), svg("path", { class: "line", d: FRAME }))];
}

function half(card, turned) {
  const figure = COURT[rankOf(card)].map(([kind, d]) => svg("path", { class: kind, d }));
  return svg("g", turned ? { transform: "rotate(180)" } : {}, ...figure, suit(suitOf(card), -19, -50, 0.52));
}

/** The face of a card such as "Kh". */
export function face(card) {
  return svg(
    "svg",
    { class: `face suit-${suitOf(card)}`, viewBox: "0 0 100 140", "aria-hidden": "true" },
    corner(card, false), corner(card, true), ...middle(card),
  );
}

/** A card that can be turned over; with `open`, it starts face up. */
export function card(name, { open = true } = {}) {
  const inner = h("div", { class: "card-inner" },
    h("div", { class: "card-front" }, face(name)), h("div", { class: "card-back" }));
  return h("div", { class: `card${open ? " open" : ""}`, role: "img", "aria-label": cardInWords(name) }, inner);
}

/** A card that lies face down. */
export function back() {
  return h("div", { class: "card face-down", role: "img", "aria-label": t("cards-face_down") },
    h("div", { class: "card-inner" }, h("div", { class: "card-back" })));
}
