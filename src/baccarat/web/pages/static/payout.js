// The end of a round on the felt: losing chips go to the dealer, and winnings come from there. Winnings move
// only after a net win, so that neither a loss nor an even round is celebrated. Only transforms and opacity
// are animated, and nothing moves for visitors who prefer reduced motion.

import { stack } from "./chips.js";
import { $, h } from "./page.js";

const TAKEN = { duration: 650, easing: "cubic-bezier(.5,0,.8,.4)", fill: "backwards" };
const PAID = { delay: 450, duration: 750, easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards" };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Animate the chips of a settled round, from and to the spots on which they lie. */
export function payOut({ result, net }) {
  if (still.matches || document.hidden) return;
  for (const { bet, stake, net: won } of result ?? []) {
    const chips = document.querySelector(`.spot[data-bet="${CSS.escape(bet)}"] .spot-chips`);
    if (won < 0) fly(stack(stake), chips, ({ x, y }) => [{ opacity: 1 }, { transform: `translate(${x}px, ${y}px) scale(.6)`, opacity: 0 }], TAKEN);
    const winnings = chips.querySelector(".winnings");
    if (!winnings || net <= 0) continue;
    fly(stack(won), winnings, ({ x, y }) => [{ transform: `translate(${x}px, ${y}px) scale(.6)`, opacity: 0 }, { opacity: 1, offset: 0.3 }, {}], PAID);
    winnings.animate([{ opacity: 0 }, { opacity: 0 }], { duration: PAID.delay + PAID.duration });
  }
}

/** Lay chips on top of a place on the felt, animate them, and remove them; `frames` gets the way to the dealer. */
function fly(picture, place, frames, timing) {
  const [felt, from, dealer] = [$("felt"), place, $("status")].map((one) => one.getBoundingClientRect());
  const chips = h("div", { class: "flight", "aria-hidden": "true" }, picture);
  Object.assign(chips.style, { left: `${from.left - felt.left}px`, top: `${from.top - felt.top}px`, width: `${from.width}px`, height: `${from.height}px` });
  $("felt").append(chips);
  const way = { x: dealer.left + dealer.width / 2 - from.left - from.width / 2, y: dealer.bottom - from.top - from.height / 2 };
  chips.animate(frames(way), timing);
  setTimeout(() => chips.remove(), (timing.delay ?? 0) + timing.duration);
}
