// Forms to sign in, open an account and sign out, with errors shown at each field.

import { sendForms, showFault } from "./forms.js";
import { $, h, island, t } from "./page.js";

const NEXT = { out: () => "/", password: () => island.after, partner: () => null, end: () => null };

const inWords = (field) => t(field.validity.valueMissing ? "account-missing" : `account-need-${field.name}`);

/** The page to go to after signing in: where the visitor came from, or the desk of their role. */
function placeOf({ role, given_password }) {
  if (given_password) return "/account"; // an initial password must be changed first
  return island.back === "/" ? (island.desks[role] ?? "/") : island.back;
}

/** Show recovery codes in place of the form; they are gone when the page is left. */
function showRecovery(form, codes) {
  const noted = h("a", { class: "button", href: island.after }, t("account-noted"));
  const shown = h("div", { class: "initial", role: "status", tabindex: "-1" },
    h("p", {}, t("account-recovery")), ...codes.map((code) => h("output", { class: "mono" }, code)), noted);
  form.closest("section").replaceChildren(shown);
  shown.focus();
}

sendForms({
  /** Check the fields in the browser; the first invalid one gets the focus. */
  fits(form) {
    const wrong = [...form.elements].filter((field) => field.name && !field.validity.valid);
    for (const field of wrong.reverse()) showFault(form, inWords(field), field);
    return wrong.length === 0;
  },
  done(form, answer) {
    if (answer.recovery_codes) return void showRecovery(form, answer.recovery_codes);
    const place = (NEXT[form.dataset.does] ?? placeOf)(answer);
    if (place) location.assign(place);
    else location.reload();
  },
  /** Show a refusal: at the invalid fields if it names any, otherwise for the whole form. */
  refused(form, problem) {
    if (problem.code === "code-needed") $("in-second").hidden = false;
    const names = (problem.document.faults ?? []).map((fault) => fault.where.split(".").at(-1));
    const fields = names.map((name) => form.elements.namedItem(name)).filter(Boolean);
    for (const field of fields.reverse()) showFault(form, t(`account-need-${field.name}`), field);
    if (!fields.length) showFault(form, problem.message);
  },
});
