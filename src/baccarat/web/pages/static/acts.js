// Forms for staff: the page is reloaded to show the result.

import { reloadWith, sendForms } from "./forms.js";
import { h, t } from "./page.js";

/** Show an initial password in place of the form that requested it; it is gone when the page is left. */
function showOnce(form, { account, password }) {
  const noted = h("button", { class: "button small", type: "button" }, t("acts-noted"));
  noted.addEventListener("click", () => location.reload());
  const shown = h("div", { class: "initial", role: "status", tabindex: "-1" },
    h("p", {}, t("acts-password", { account })), h("output", { class: "mono" }, password),
    h("p", { class: "quiet" }, t("acts-password_words")), noted);
  form.replaceWith(shown);
  shown.focus();
}

sendForms({
  done(form, answer, button) {
    if (typeof answer.password === "string") return void showOnce(form, answer);
    const waits = answer.waits_for_second; // whether it does, or the waiting proposal
    reloadWith(waits === true || waits?.proposal ? t("acts-second") : button.dataset.done ?? t("acts-done"));
  },
});
document.documentElement.dataset.ready = "";
