// At a table with real cards, anyone can report an error in a round that was paid. The server decides
// whether the report is in time.

import { apiWithRetries, attempt } from "./api.js";
import { showFault } from "./forms.js";
import { $, h, t } from "./page.js";

export class Report {
  #rounds = [];

  constructor(table) {
    if (!$("report")) return;
    $("report").addEventListener("click", () => {
      $("report-round").replaceChildren(...this.#rounds.map((round) => h("option", { value: round }, t("table-report_round", { round }))));
      $("report-which").hidden = this.#rounds.length < 2;
      this.#title();
      $("report-fault").textContent = "";
      $("report-dialog").showModal();
    });
    $("report-round").addEventListener("change", () => this.#title());
    $("report-no").addEventListener("click", () => $("report-dialog").close());
    $("report-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const round = $("report-round").value;
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

  #title() {
    $("report-title").textContent = t("table-report_title", { round: $("report-round").value });
  }

  draw(state) {
    if (!$("report")) return;
    this.#rounds = state.mine ? state.reportable : [];
    $("report").disabled = !this.#rounds.length;
  }
}
