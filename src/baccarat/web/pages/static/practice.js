// Practice for dealers: shows the steps of a coup one by one; the server says whether an error was caught.
// The list of answers is kept in this page only.

import { api, attempt } from "./api.js";
import { card } from "./cards.js";
import { $, h, island, note, t } from "./page.js";

class Practice {
  #number = -1;
  #steps = [];
  #shown = 0; // number of steps that have been shown
  #answered = true;
  #caught = [];

  async begin() {
    $("next").addEventListener("click", () => (this.#answered ? this.#nextCoup() : this.#nextStep()));
    $("right").addEventListener("click", () => this.#answer(""));
    $("again").addEventListener("click", () => location.reload());
    for (const button of document.querySelectorAll("[data-kind]")) button.addEventListener("click", () => this.#answer(button.dataset.kind));
    await this.#nextCoup();
    document.documentElement.dataset.ready = "";
  }

  #ask(path) {
    return attempt(() => api("GET", `/practice/${island.seed}/${path}`), { refused: (problem) => note(problem.message, "bad") });
  }

  async #nextCoup() {
    const coup = await this.#ask(this.#number + 1);
    if (!coup) return;
    [this.#number, this.#steps, this.#shown, this.#answered] = [coup.number, coup.steps, 0, false];
    $("answer").textContent = "";
    this.#nextStep();
  }

  #nextStep() {
    this.#shown = Math.min(this.#shown + 1, this.#steps.length);
    this.#draw();
  }

  async #answer(kind) {
    if (this.#answered) return;
    const found = await this.#ask(`${this.#number}/answer?step=${this.#shown - 1}${kind ? `&kind=${kind}` : ""}`);
    if (!found) return;
    this.#answered = true;
    this.#caught.push(found);
    const words = `${t(found.caught ? "practice-caught" : "practice-missed")} ${found.words}. ${found.remedy}`;
    $("answer").textContent = words;
    $("list").append(h("li", {}, words));
    $("score").textContent = t("practice-score", { caught: this.#caught.filter((one) => one.caught).length, all: this.#caught.length });
    this.#draw();
  }

  #draw() {
    const steps = this.#steps.slice(0, this.#shown);
    const last = steps.findLastIndex((step) => step.paid && step !== steps.at(-1));
    const lying = steps.slice(last + 1).flatMap((step) => step.cards);
    for (const hand of ["player", "banker", "loose"]) {
      $(`cards-${hand}`).replaceChildren(...lying.filter((one) => (one.hand ?? "loose") === hand).map((one) => card(one.card)));
    }
    $("coup").textContent = t("practice-coup", { n: this.#number + 1 });
    $("step").textContent = steps.at(-1)?.words ?? "";
    $("next").textContent = t(this.#answered ? "practice-next_coup" : "practice-next");
    $("next").disabled = !this.#answered && this.#shown === this.#steps.length;
    for (const button of [$("right"), ...document.querySelectorAll("[data-kind]")]) button.disabled = this.#answered;
  }
}

new Practice().begin();
