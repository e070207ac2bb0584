// Opening a dispute over a round; what the house makes of it is on the page anew.

import { api, Problem } from "./api.js";
import { t } from "./page.js";

const form = document.getElementById("dispute-form");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [reason, fault] = [document.getElementById("dispute-reason"), document.getElementById("dispute-fault")];
  const words = reason.value.replace(/\s+/g, " ").trim();
  fault.textContent = words ? "" : t("dispute.reason_missing");
  if (!words) return void reason.focus();
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    await api("POST", form.dataset.path, { reason: words });
    location.hash = "dispute";
    location.reload();
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    button.disabled = false;
    fault.textContent = problem.message;
  }
});
