// Safer gambling: a dialog explains every action before it is carried out.

import { reloadWith, sendForms } from "./forms.js";
import { island, t } from "./page.js";

const clock = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "full", timeStyle: "short" });

for (const form of document.querySelectorAll("form[data-ask]")) {
  const dialog = document.getElementById(form.dataset.ask);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [option] = form.querySelector("select").selectedOptions;
    dialog.querySelector("[data-until]").textContent = clock.format(Number(option.dataset.until));
    dialog.querySelector("input").value = option.value;
    dialog.querySelector(".fault").textContent = "";
    dialog.showModal();
  });
  dialog.querySelector("[data-no]").addEventListener("click", () => dialog.close());
}

/** Whether the limit that a form sets was only requested, because a looser one needs time. */
function wasRequested(form, { limits = [] }) {
  return limits.some(({ limit, period, owner, asked }) => asked && owner === "player" && form.id === `${limit}-${period}`);
}

sendForms({ done: (form, answer) => reloadWith(t(wasRequested(form, answer) ? "limits-requested" : "limits-done")) });
document.documentElement.dataset.ready = String(island.now);
