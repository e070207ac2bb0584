// What the server has handed to this page: its words, how money is written, the session, its data.

export const island = JSON.parse(document.getElementById("island").textContent);

/** The words of a key, `{name}` replaced by values. A key that is missing shows itself. */
export function t(key, values = {}) {
  const words = island.words[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Coins as people read them: the same as the server writes. */
export function money(coins, { sign = false } = {}) {
  const units = Math.floor(Math.abs(coins) / 100);
  const rest = String(Math.abs(coins) % 100).padStart(2, "0");
  const grouped = String(units).replace(/\B(?=(\d{3})+$)/g, ",");
  const before = coins < 0 ? "−" : sign && coins > 0 ? "+" : "";
  return `${before}${island.money.before}${grouped}.${rest}${island.money.after}`;
}

/** Money without pence where there are none: for chips and narrow places. */
export function shortMoney(coins) {
  return coins % 100 ? money(coins) : money(coins).replace(/\.00(?=\D*$)/, "");
}

// Server time: what the server said when it made the page, and how long ago that was here. It is
// corrected by every answer that says the time, and never by the clock of this device.
let offset = island.now - performance.now();

export function serverNow() {
  return performance.now() + offset;
}

/** An answer that said `now`, asked for at `asked` (performance.now): its middle is when it was. */
export function setServerTime(now, asked) {
  offset = now - (asked + performance.now()) / 2;
}

/** An element: `h("p", {class: "quiet"}, "text", child)`. There is no other way to make markup. */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for drawings. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A note at the edge of the page, read out by screen readers; it goes by itself. */
export function note(words, kind = "plain") {
  const shown = h("p", { class: `note ${kind}` }, words);
  document.getElementById("notes").replaceChildren(shown);
  clearTimeout(note.timer);
  note.timer = setTimeout(() => shown.remove(), 6000);
}
