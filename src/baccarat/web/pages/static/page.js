// What the server has handed to this page: its words, how money is written, the session, its data.

export const island = JSON.parse(document.getElementById("island").textContent);

/** The words of a key, `{name}` and `{name|one|many}` replaced by values. A key that is missing is an error of ours. */
export function t(key, values = {}) {
  if (!(key in island.words)) console.error(`there are no words ${key}`);
  return fill(island.words[key] ?? key, values);
}

const PLACES = /\{(\w+)(?:\|([^{|}]*)\|([^{|}]*))?\}/g;

/** Words with their values in place. */
export function fill(words, values) {
  return words.replace(PLACES, (whole, name, one, many) =>
    one === undefined || !(name in values) ? values[name] ?? whole : Number(values[name]) === 1 ? one : many);
}

/** Has this key words whose values are all there? */
export function canSay(key, values) {
  return key in island.words && [...island.words[key].matchAll(PLACES)].every(([, name]) => name in values);
}

/** Words as a sentence of their own. */
export function capital(words) {
  return words.charAt(0).toLocaleUpperCase(document.documentElement.lang) + words.slice(1);
}

/** Coins as people read them: the same as the server writes. */
export function money(coins, { sign = false } = {}) {
  const units = Math.floor(Math.abs(coins) / 100);
  const rest = String(Math.abs(coins) % 100).padStart(2, "0");
  const { group, point, minus } = island.money;
  const grouped = String(units).replace(/\B(?=(\d{3})+$)/g, group);
  const before = coins < 0 ? minus : sign && coins > 0 ? "+" : "";
  return `${before}${island.money.before}${grouped}${point}${rest}${island.money.after}`;
}

/** Money without pence where there are none: for chips and narrow places. */
export function shortMoney(coins) {
  return coins % 100 ? money(coins) : money(coins).replace(`${island.money.point}00`, "");
}

/** Several names, one after the other, as the language writes that. */
export function list(names) {
  return new Intl.ListFormat(document.documentElement.lang, { type: "unit", style: "short" }).format(names);
}

// Server time, as the time of this page (performance.now) plus an offset. What is known of the offset
// is a range: an answer was made after it was asked for and before it was here. Every reading makes
// the range smaller; one that contradicts it begins anew (a device that slept, a clock that was set).
// The clock of this device is never asked.
let [least, most] = [-Infinity, Infinity];

export function serverNow() {
  return performance.now() + (most === Infinity ? least : (least + most) / 2);
}

/** The server said that it is `now`: after it was `asked`, and before it was `here`. */
export function setServerTime(now, asked, here = performance.now()) {
  const [low, high] = [now - here, now - asked];
  [least, most] = low > most || high < least ? [low, high] : [Math.max(least, low), Math.min(most, high)];
}

/** Something happened at `at`: it cannot be earlier than that now. */
export function serverTimeIsPast(at) {
  setServerTime(at, -Infinity);
}

// The page itself was written before its first byte was here, however long all the rest took.
const [loading] = performance.getEntriesByType("navigation");
setServerTime(island.now, -Infinity, loading?.responseStart || performance.now());

/** An element: `h("p", {class: "quiet"}, "text", child)`. There is no other way to make markup. */
export function h(name, attributes = {}, ...children) {
  return build(document.createElement(name), attributes, children);
}

/** The same for drawings. */
export function svg(name, attributes = {}, ...children) {
  return build(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function build(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A note at the edge of the page, read out by screen readers; it goes by itself, or is removed. */
export function note(words, kind = "plain") {
  const shown = h("p", { class: `note ${kind}` }, words);
  document.getElementById("notes").replaceChildren(shown);
  clearTimeout(note.timer);
  note.timer = setTimeout(() => shown.remove(), 6000);
  return shown;
}
