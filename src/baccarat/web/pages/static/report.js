// At a table with real cards, anyone who wagered on a round can report an error until the first card of
// the next one. The server decides who may report, and whether it is in time.

import { apiWithRetries, attempt } from "./api.js";
import { showFault } from "./forms.js";
import { $, t } from "./page.js";

export class Report {
  #round = null;

  constructor(table) {
    if (!$("report")) return;
    $("report").addEventListener("click", () => {
      $("report-title").textContent = t("table-report_title", { round: this.#round });
      $("report-form").dataset.round = this.#round;
      $("report-fault").textContent = "";
      $("report-dialog").showModal();
    });
    $("report-no").addEventListener("click", () => $("report-dialog").close());
    $("report-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const { round } = event.target.dataset;
      const reason = $("report-words").value.replace(/\s+/g, " ").trim();
      const answer = await attempt(
        () => apiWithRetries("POST", `/tables/${table}/rounds/${round}/errors`, { reason }, { until: () => $("report-dialog").open }),
        { buttons: [$("report-send")], refused: (problem) => showFault(event.target, problem.message) });
      $("report-send").disabled = false;
      if (!answer) return;
      $("report-words").value = "";
      $("report-dialog").close();
    });
  }

  draw(state) {
    if (!$("report")) return;
    this.#round = state.mine ? state.reportable : null;
    $("report").disabled = this.#round === null;
  }
}
