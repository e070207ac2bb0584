// Forms of the staff: each says what it sends (data-send="POST /tables/one/pause"), and its fields
// say what they are. What is done shows on the page when it is loaded anew; what is refused is said
// in the form, in the house's own words.

import { api, Problem, surely } from "./api.js";
import { h, note, t } from "./page.js";

const READ = {
  text: (value) => value.trim(),
  exact: (value) => value,
  number: (value) => (value.trim() === "" ? null : Number(value)),
  coins: (value) => coins(value),
  list: (value) => value.split(/[\s,]+/).filter(Boolean),
};
const SAID = "baccarat_said";

/** "12.50" to 1250; what is no amount is refused by the house. */
function coins(text) {
  const found = /^\s*(\d{1,12})(?:[.,](\d{1,2}))?\s*$/.exec(text);
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : null;
}

function bodyOf(form) {
  const body = form.dataset.body ? JSON.parse(form.dataset.body) : {};
  for (const field of form.elements) {
    if (field.name && !field.disabled && field.dataset.in !== "path") {
      const value = READ[field.dataset.as ?? "text"](field.value);
      if (value !== null) body[field.name] = value;
    }
  }
  return Object.keys(body).length ? body : undefined;
}

/** The address, with fields that belong into it: /accounts/{who}/pay-in. */
function pathOf(form, path) {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements.namedItem(name).value.trim()));
}

/** An initial password, in the place of the form that asked for it; the page knows it no longer once it is left. */
function showOnce(form, { account, password }) {
  const noted = h("button", { class: "button small", type: "button" }, t("acts.noted"));
  noted.addEventListener("click", () => location.reload());
  const shown = h("div", { class: "initial", role: "status", tabindex: "-1" },
    h("p", {}, t("acts.password", { account })), h("output", { class: "mono" }, password),
    h("p", { class: "quiet" }, t("acts.password_words")), noted);
  form.replaceWith(shown);
  shown.focus();
}

for (const form of document.querySelectorAll("form[data-send]")) {
  const fault = form.querySelector('[role="alert"]');
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    const [method, path] = (event.submitter?.dataset.send ?? form.dataset.send).split(" ");
    const button = event.submitter ?? form.querySelector("button");
    button.disabled = true;
    try {
      const body = method === "DELETE" ? undefined : bodyOf(form);
      const { proposal } = event.submitter?.dataset.send ? {} : form.dataset; // another act than confirming
      const send = "keyed" in form.dataset ? surely : api;
      const told = await send(method, pathOf(form, path), body, { proposal });
      if (typeof told.password === "string") {
        showOnce(form, told);
        return;
      }
      const done = told.waits_for_second === true ? t("acts.second") : button.dataset.done ?? t("acts.done");
      sessionStorage.setItem(SAID, done);
      location.reload();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      button.disabled = false;
      fault.textContent = problem.message;
    }
  });
}

const said = sessionStorage.getItem(SAID);
if (said) {
  sessionStorage.removeItem(SAID);
  note(said);
}
document.documentElement.dataset.ready = "";
