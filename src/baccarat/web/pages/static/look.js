// Preferences: theme, deck, sound, single keys, squeeze. They are kept in one cookie that the server turns
// into attributes of the document, so the first paint is right without a script.

const COOKIE = "baccarat_look";
const NAMES = ["theme", "deck", "sound", "keys", "squeeze"];
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

/** Choose the next theme: the opposite of the device's theme, then the device's theme fixed, then automatic. */
export function nextTheme() {
  const device = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const other = device === "dark" ? "light" : "dark";
  const order = [null, other, device];
  const next = order[(order.indexOf(chosen("theme")) + 1) % order.length];
  choose("theme", next);
  return next;
}

/** Store the two states of a checkbox as these values; null for the default. */
export function chooseBy(box, name, { ticked = null, unticked = null }) {
  box.checked = chosen(name) === ticked;
  box.addEventListener("change", () => choose(name, box.checked ? ticked : unticked));
}

/** Let a button switch a preference between this value and the default. */
export function switchBy(button, name, value) {
  const draw = () => button.setAttribute("aria-pressed", String(chosen(name) === value));
  button.addEventListener("click", () => {
    choose(name, chosen(name) === value ? null : value);
    draw();
  });
  draw();
}
