// Forms: each declares its request (data-send="POST /tables/one/pause"), and its fields declare their
// type (data-as) and the message if they are empty (data-need). Refusals are shown in the form.

import { api, apiWithRetries, attempt } from "./api.js";
import { h, island, money, note } from "./page.js";

const MESSAGE = "baccarat_message";
const READ = {
  text: (value) => value.trim(),
  words: (value) => value.trim().replace(/\s+/g, " "),
  exact: (value) => value,
  number: (value) => (/^\s*\d{1,15}\s*$/.test(value) ? Number(value) : null),
  coins: (value) => coins(value),
  list: (value) => value.split(/[\s,]+/).filter(Boolean),
  several: (_, field) => [...field.selectedOptions].map((option) => option.value),
};

const AMOUNT = /^(\d{1,3}(?:([ ,.'])\d{3}(?:\2\d{3}){0,3})|\d{1,12})(?:([.,])(\d{1,2}))?$/;

/** Convert an amount as people write it ("12.50", "25,000", "25 000,50", "£25") to coins; null for anything
 * that is not an amount, or that could be two: in English, "25.000" may be meant as 25 or as 25,000. */
export function coins(text) {
  const { before, after, point } = island.money;
  const plain = [before, after].reduce((left, symbol) => left.replace(symbol.trim(), ""), text).trim();
  const [, whole, group, mark, cents = ""] = AMOUNT.exec(plain.replace(/\s/g, " ").replace(/’/g, "'")) ?? [];
  if (!whole || (group && (group === mark || (group === point && !mark)))) return null;
  return Number(whole.replace(/\D/g, "")) * 100 + Number(cents.padEnd(2, "0"));
}

/** Show beside each amount how it was read, while it is being typed. */
for (const field of document.querySelectorAll('[data-as="coins"]')) {
  const shown = h("output", { class: "quiet", for: field.id });
  field.after(shown);
  field.addEventListener("input", () => {
    const amount = coins(field.value);
    shown.textContent = amount === null ? "" : money(amount);
  });
}

const read = (field) => READ[field.dataset.as ?? (field.type === "password" ? "exact" : "text")](field.value, field);

/** Show in the form why something is refused; the field it concerns gets the focus. */
export function showFault(form, words, field = null) {
  const named = (name) => form.querySelector(`[data-fault="${name}"]`);
  const place = (field && named(field.name)) ?? named("all") ?? form.querySelector(".fault");
  place.textContent = words;
  field?.setAttribute("aria-invalid", String(Boolean(words)));
  if (words) field?.focus();
}

/** Show a refusal: at the field of a malformed value, otherwise for the whole form. */
function showRefusal(form, problem) {
  const [fault] = problem.document.faults ?? [];
  const name = fault?.where.split(".").at(-1);
  const field = name && [...form.elements].find((one) => (one.dataset.key ?? one.name) === name);
  if (field) showFault(form, fault.problem, field);
  else showFault(form, problem.message);
}

/** The first required field that is empty. */
function lacking(form) {
  return [...form.elements].find((field) => field.dataset.need && [null, ""].includes(read(field)));
}

function bodyOf(form) {
  const body = form.dataset.body ? JSON.parse(form.dataset.body) : {};
  for (const field of form.elements) {
    if (field.name && !field.disabled && field.dataset.in !== "path") {
      const value = read(field);
      if (value !== null) body[field.dataset.key ?? field.name] = value;
    }
  }
  return Object.keys(body).length ? body : undefined;
}

/** The request of a form, or of a button that has its own request, such as rejecting a proposal. */
function requestOf(form, button) {
  const sender = button.dataset.send ? button : form;
  const [method, path] = sender.dataset.send.split(" ");
  const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(form.elements.namedItem(name).value.trim()));
  const reason = "why" in sender.dataset ? form.elements.namedItem("reason")?.value.trim() : ""; // a DELETE has no body
  const given = button.dataset.body && JSON.parse(button.dataset.body);
  const body = method === "DELETE" ? undefined : given || bodyOf(form);
  const proposal = sender === form ? form.dataset.proposal : undefined;
  const send = "keyed" in form.dataset ? apiWithRetries : api;
  return () => send(method, address + (reason ? `?reason=${encodeURIComponent(reason)}` : ""), body, { proposal });
}

/** Send every form of the page. `on`: fits(form), done(form, answer, button), refused(form, problem). */
export function sendForms({ fits = () => true, done, refused = showRefusal }) {
  async function send(form, button) {
    for (const place of form.querySelectorAll(".fault")) place.textContent = "";
    for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    const own = button.dataset.send || button.dataset.body;
    const missing = own ? null : lacking(form);
    if (missing) return void showFault(form, missing.dataset.need, missing);
    if (!own && !fits(form)) return;
    const answer = await attempt(requestOf(form, button), { buttons: [button], refused: (problem) => refused(form, problem) });
    if (answer) done(form, answer, button);
  }
  for (const form of document.querySelectorAll("form[data-send]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form, event.submitter ?? form.querySelector("button"));
    });
    for (const button of form.querySelectorAll('[type="button"][data-body]')) button.addEventListener("click", () => send(form, button));
  }
}

/** Reload the page and show a message there. */
export function reloadWith(words) {
  sessionStorage.setItem(MESSAGE, words);
  location.reload();
}

const message = sessionStorage.getItem(MESSAGE);
if (message) {
  sessionStorage.removeItem(MESSAGE);
  note(message);
}
