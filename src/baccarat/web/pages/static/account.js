// Coming in and going out: forms that speak with the API, and say in words what is wrong.

import { api, Problem } from "./api.js";
import { island, t } from "./page.js";

const SEND = {
  in: ({ id, password }) => api("POST", "/session", { account: id, password }),
  new: (account) => api("POST", "/accounts", account),
  guest: () => api("POST", "/guests"),
  out: () => api("DELETE", "/session"),
  password: (passwords) => api("PUT", "/me/password", passwords),
  end: ({ session }) => api("DELETE", `/me/sessions/${session}`),
  partner: ({ partner }) => api("POST", "/me/partners", { partner: partner.trim() }),
};
const NEXT = { out: "/", password: island.after };
const KNOWN = ["wrong-password", "id-taken", "rate-limited", "sign-in-locked", "no-answer"];

function say(form, name, words) {
  const place = form.querySelector(`[data-fault="${name}"]`) ?? form.querySelector('[data-fault="all"]');
  place.textContent = words;
  const input = form.elements.namedItem(name);
  if (input) input.setAttribute("aria-invalid", String(Boolean(words)));
  return input;
}

function quiet(form) {
  for (const place of form.querySelectorAll("[data-fault]")) say(form, place.dataset.fault, "");
}

/** What the form itself can see; the first field that is wrong gets the focus. */
function fits(form) {
  const wrong = [...form.elements].filter((one) => one.name && !one.validity.valid);
  for (const one of wrong) say(form, one.name, t(one.validity.valueMissing ? "account.missing" : `account.need.${one.name}`));
  wrong[0]?.focus();
  return wrong.length === 0;
}

/** What the house says: a malformed body names its fields, anything else is about the whole. */
function refused(form, problem) {
  const fields = (problem.document.faults ?? []).map((one) => one.where.split(".").at(-1));
  const own = fields.filter((name) => form.elements.namedItem(name));
  if (own.length) return own.map((name) => say(form, name, t(`account.need.${name}`)))[0].focus();
  say(form, "all", KNOWN.includes(problem.code) ? t(`account.problem.${problem.code}`) : problem.message);
}

/** Where to go on: where they came from, or where those of the staff work. */
function placeOf(role, given) {
  if (given) return "/account"; // a password that somebody else chose is changed first
  return island.back === "/" ? (island.desks[role] ?? "/") : island.back;
}

for (const form of document.querySelectorAll("form")) {
  const what = form.dataset.does ?? form.getAttribute("id"); // a field named id hides the property
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    quiet(form);
    if (!fits(form)) return;
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const told = await SEND[what](Object.fromEntries(new FormData(form)));
      if (what === "partner" || what === "end") location.reload();
      else location.assign(NEXT[what] ?? placeOf(told.role, told.given_password));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      button.disabled = false;
      refused(form, problem);
    }
  });
}
