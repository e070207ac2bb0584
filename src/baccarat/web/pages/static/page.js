// What the server sends with the page: its text, the format of money, the session, its data; and helpers.

export const $ = (id) => document.getElementById(id);
export const island = JSON.parse($("island").textContent);

/** The text of a message with its variables replaced. A missing message is an internal error. */
export function t(key, values = {}) {
  if (!(key in island.words)) console.error(`no message ${key}`);
  return fill(island.words[key] ?? key, values);
}

const language = document.documentElement.lang;
const plurals = new Intl.PluralRules(language);

/** Fill in a message as wording/catalogue.py compiles it: text, variables, and choices by a variable. */
function fill(message, values) {
  if (typeof message === "string") return message;
  return message.map((part) => (typeof part === "string" ? part : part.choices ? choose(part, values) : show(values[part.name] ?? "", part))).join("");
}

function choose({ name, choices, default: other }, values) {
  const value = values[name];
  const plural = typeof value === "number" ? plurals.select(value) : value;
  return fill(choices[value] ?? choices[plural] ?? choices[other], values);
}

function show(value, { grouping = true }) {
  return typeof value === "number" ? value.toLocaleString(language, { useGrouping: grouping }) : value;
}

/** A text with its first letter capitalised. */
export function capital(words) {
  return words.charAt(0).toLocaleUpperCase(document.documentElement.lang) + words.slice(1);
}

/** Format coins as an amount, in the same way as the server. */
export function money(coins, { sign = false } = {}) {
  const units = Math.floor(Math.abs(coins) / 100);
  const rest = String(Math.abs(coins) % 100).padStart(2, "0");
  const { group, point, minus } = island.money;
  const grouped = String(units).replace(/\B(?=(\d{3})+$)/g, group);
  const before = coins < 0 ? minus : sign && coins > 0 ? "+" : "";
  return `${before}${island.money.before}${grouped}${point}${rest}${island.money.after}`;
}

/** Format coins without ".00", for chips and narrow places. */
export function shortMoney(coins) {
  return coins % 100 ? money(coins) : money(coins).replace(`${island.money.point}00`, "");
}

/** Format a list of names in the page's language. */
export function list(names) {
  return new Intl.ListFormat(document.documentElement.lang, { type: "unit", style: "short" }).format(names);
}

// Server time is the time of this page (performance.now) plus an offset. The offset is known as a
// range: an answer was created after its request was sent and before it arrived. Every reading narrows
// the range; one that contradicts it resets it (the device slept, or a clock was set). The device's own
// clock is never used.
let [least, most] = [-Infinity, Infinity];

export function serverNow() {
  return performance.now() + (most === Infinity ? least : (least + most) / 2);
}

/** Record a server time `now` from an answer requested at `asked` and received at `here`. */
export function setServerTime(now, asked, here = performance.now()) {
  const [low, high] = [now - here, now - asked];
  [least, most] = low > most || high < least ? [low, high] : [Math.max(least, low), Math.min(most, high)];
}

/** Record that something happened at `at`, so the server's time is not earlier. */
export function serverTimeIsPast(at) {
  setServerTime(at, -Infinity);
}

// The page was rendered before its first byte arrived, however long the rest took.
const [loading] = performance.getEntriesByType("navigation");
setServerTime(island.now, -Infinity, loading?.responseStart || performance.now());

/** Create an element: `h("p", {class: "quiet"}, "text", child)`. All markup is created this way. */
export function h(name, attributes = {}, ...children) {
  return build(document.createElement(name), attributes, children);
}

/** Create an SVG element. */
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

/** Set the text of an element, if the element exists and its text differs. */
export function put(id, words) {
  const place = $(id);
  if (place && place.textContent !== words) place.textContent = words;
}

/** Show a note at the edge of the page, also to screen readers; it disappears by itself, or can be removed. */
export function note(words, kind = "plain") {
  const shown = h("p", { class: `note ${kind}` }, words);
  $("notes").replaceChildren(shown);
  clearTimeout(note.timer);
  note.timer = setTimeout(() => shown.remove(), 6000);
  return shown;
}
