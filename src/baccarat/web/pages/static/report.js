// At a table of real cards: whoever wagered on a round can say that something went wrong, until the
// first card of the next one. Who may, and whether it is in time, the house says.

import { Problem, surely } from "./api.js";
import { reportable } from "./game.js";
import { t } from "./page.js";

const $ = (id) => document.getElementById(id);

export class Report {
  #round = null;

  constructor(table) {
    if (!$("report")) return;
    $("report").addEventListener("click", () => {
      $("report-title").textContent = t("table.report_title", { round: this.#round });
      $("report-form").dataset.round = this.#round;
      $("report-fault").textContent = "";
      $("report-dialog").showModal();
    });
    $("report-no").addEventListener("click", () => $("report-dialog").close());
    $("report-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const { round } = event.target.dataset;
      $("report-send").disabled = true;
      try {
        const reason = $("report-words").value.replace(/\s+/g, " ").trim();
        await surely("POST", `/tables/${table}/rounds/${round}/errors`, { reason }, { until: () => $("report-dialog").open });
        $("report-words").value = "";
        $("report-dialog").close();
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        $("report-fault").textContent = problem.status === 0 ? t("table.no_answer") : problem.message;
      }
      $("report-send").disabled = false;
    });
  }

  draw(state) {
    if (!$("report")) return;
    this.#round = reportable(state);
    $("report").disabled = this.#round === null;
  }
}
