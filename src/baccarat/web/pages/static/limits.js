// Playing safely: each form says by itself what it sends and where; what was done is on the page anew.

import { api, Problem } from "./api.js";
import { island, note, t } from "./page.js";

const SAID = "baccarat.limits.said";
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeStyle: "short" });

/** "12.5" to 1250 coins, "90" to 90 minutes, a day as it is; null for what is none of them. */
function read(text, kind) {
  if (kind === "day") return text || null;
  if (kind === "minutes") return /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
  const found = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "0").padEnd(2, "0")) : null;
}

async function send(form, value, fault = form.querySelector(".fault")) {
  const [method, path] = form.dataset.send.split(" ");
  const buttons = document.querySelectorAll("main button, dialog button");
  for (const button of buttons) button.disabled = true;
  try {
    await api(method, path, form.dataset.key ? { [form.dataset.key]: value } : undefined);
    sessionStorage.setItem(SAID, "limits.done");
    location.reload();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    for (const button of buttons) button.disabled = false;
    fault.textContent = problem.status === 0 ? t("limits.no_answer") : problem.message;
  }
}

/** What it does is said before it is done. */
function ask(form, value) {
  const dialog = document.getElementById(form.dataset.ask);
  const option = form.querySelector("select").selectedOptions[0];
  dialog.querySelector("[data-until]").textContent = clock.format(Number(option.dataset.until));
  dialog.querySelector(".fault").textContent = "";
  dialog.querySelector("[data-no]").onclick = () => dialog.close();
  dialog.querySelector("[data-yes]").onclick = () => send(form, value, dialog.querySelector(".fault"));
  dialog.showModal();
}

for (const form of document.querySelectorAll("form[data-send]")) {
  for (const button of form.querySelectorAll("[data-value]")) {
    button.addEventListener("click", () => send(form, JSON.parse(button.dataset.value)));
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = form.elements.namedItem("value");
    if (!field) return void send(form);
    const value = field.tagName === "SELECT" ? Number(field.value) : read(field.value, form.dataset.kind);
    if (value === null) {
      form.querySelector(".fault").textContent = t(`limits.need.${form.dataset.kind}`);
      return void field.focus();
    }
    if (form.dataset.ask) ask(form, value);
    else send(form, value);
  });
}

if (sessionStorage.getItem(SAID)) {
  note(t(sessionStorage.getItem(SAID)));
  sessionStorage.removeItem(SAID);
}
document.documentElement.dataset.ready = String(island.now);
