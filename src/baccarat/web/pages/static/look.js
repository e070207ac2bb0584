// How somebody likes pages: the theme, the deck, sound, single keys; kept in one cookie that the server
// turns into attributes of the document. So the first paint is right, and no script has to run before it.

const COOKIE = "baccarat_look";
const NAMES = ["theme", "deck", "sound", "keys"];
const root = document.documentElement;

export function chosen(name) {
  return root.dataset[name] ?? null;
}

export function choose(name, value) {
  if (value) root.dataset[name] = value;
  else delete root.dataset[name];
  const all = NAMES.map((one) => root.dataset[one]).filter(Boolean).join(".");
  document.cookie = `${COOKIE}=${all}; path=/; max-age=31536000; samesite=lax`;
}

/** Light → dark → as on this device, beginning with the other of what is seen now. */
export function nextTheme() {
  const device = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const other = device === "dark" ? "light" : "dark";
  const order = [null, other, device];
  const next = order[(order.indexOf(chosen("theme")) + 1) % order.length];
  choose("theme", next);
  return next;
}

/** A box whose two states are remembered as these values; null is what nobody has chosen. */
export function chooseBy(box, name, { ticked = null, unticked = null }) {
  box.checked = chosen(name) === ticked;
  box.addEventListener("change", () => choose(name, box.checked ? ticked : unticked));
}
